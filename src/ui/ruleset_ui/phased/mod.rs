//! The Phased ruleset's UI.

use super::{
    ActionPip, AimedSpell, BASIC, Bar, RulesetUi, Status, StatusBadge, TraitWords, bleeding,
    lasting, rounds_to_live, run,
    words::{
        armed, held, holding, hp_and_ac, hp_left, morale_words, range_words, trait_words,
        weapon_words,
    },
};
use crate::{
    battle::{Action, Id, signed},
    content::{Trait, Weapon},
    rulesets::common::areas,
    rulesets::phased::{
        Phased, clock, content::PhasedWeapon, query::PhasedQuery, state::DeclaredPlan,
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::system::In;

pub(super) static UI: RulesetUi = RulesetUi {
    rules: "Phased",
    about: "Everyone declares. The side with the better roll acts first: shots, then melee. Spells come last.",
    like: "Plays like Frozen Synapse in slow motion: plan first, then watch the plans meet.",
    end_words: "End group",
    arrival_counts: "the end of the group's turn",
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    traits: |world, who| run(world, traits, who),
    figures_tip: "AC: lower is better. hits AC 0 on: the d20 total that the unit needs against AC 0; a higher AC needs less. A star, as in 20*: AC 1 needs a 20 too. \
        Morale: at the end of a round with its side's first loss, with half of it down or its leader down, the unit rolls 2d6; over its morale it breaks and flees (PH-60)",
    skippable: Some(&MINOR_ACTS),
    naturals_decide: true,
    ..BASIC
};

/// Turns with only minor actions, beside a spell in progress or without a target to shoot. Not a
/// reaction: these turns are skipped unless the player's settings say otherwise.
static MINOR_ACTS: Action = Action::new("turns with minor acts alone", "", "", "PH-10");

fn status(In(who): In<Id>, ph: PhasedQuery) -> Status {
    let (body, fighter) = (ph.body(who), ph.fighter(who));
    let mut pips = vec![ActionPip::new(Pip::Diamond, "Major", fighter.spent)];
    pips.extend((0..fighter.routines).map(|_| ActionPip::new(Pip::Disc, "Routine", false)));
    let up = body.is_up();
    let (bad, mixed) = (StatusBadge::bad::<&str>, StatusBadge::mixed::<&str>);
    let good = StatusBadge::good::<&str>;
    let charged = "Charged: AC 1 worse this round";
    let listens = "Listening: won't attack unless attacked";
    let hidden = "Hidden: unknown to the enemy";
    let mut conditions = holding([
        (up && body.prone, bad(Icon::Prone, "Prone")),
        (
            up && fighter.passed_up.delayed,
            bad(Icon::Hold, "Delayed: acts in LOW, loses ties"),
        ),
        (
            up && fighter.passed_up.late,
            mixed(Icon::Hold, "Declared a delay: acts in LOW"),
        ),
        (
            up && fighter.casting.is_some(),
            mixed(Icon::Spell, "Casting: lost if hurt"),
        ),
        (
            up && fighter.upkeep.is_some(),
            mixed(Icon::Spell, "Concentrating: half speed"),
        ),
    ]);
    conditions.extend(lasting::<Phased>(&ph, who).into_iter().filter(|_| up));
    conditions.extend(holding([
        (up && fighter.charged, mixed(Icon::Charge, charged)),
        (up && fighter.listens, mixed(Icon::Pass, listens)),
        (up && fighter.hidden, good(Icon::Eye, hidden)),
        (up && fighter.surprised, bad(Icon::Surprised, "Surprised")),
        (up && body.flees, bad(Icon::Fleeing, "Fleeing")),
    ]));
    conditions.extend(bleeding::<Phased>(&ph, who));
    // Spells and work continue after the major action is spent, and so does a declared simple act.
    let goes_on = matches!(
        fighter.plan,
        Some(DeclaredPlan::Cast { .. } | DeclaredPlan::Work { .. } | DeclaredPlan::After)
    );
    let is_over = !up || fighter.spent && !goes_on;
    let plan = (!is_over).then(|| clock::plan(&ph, who));
    Status {
        pips,
        plan: plan.unwrap_or_default().into(),
        done: clock::is_done(&ph, who),
        conditions,
        dying: rounds_to_live::<Phased>(&ph, who),
        bars: vec![Bar::new("HP", hp_left(body), body.max_hp)],
        aimed: aimed(&ph, who).filter(|_| up),
        ..Status::default()
    }
}

/// PH-23: the unit's spell, if its target is named.
fn aimed(ph: &PhasedQuery, who: Id) -> Option<AimedSpell> {
    let casting = ph.fighter(who).casting?;
    let area = |to| {
        let spell = ph.view.spell(casting.spell);
        AimedSpell::Area(to, areas::cells(&ph.view, who, spell, to.into()))
    };
    casting.at.map(AimedSpell::Unit).or(casting.to.map(area))
}

fn figures(In(who): In<Id>, ph: PhasedQuery) -> Vec<String> {
    let (body, stats) = (ph.body(who), ph.stats(who));
    let ac = (ph.armour_class(who, false).0, ph.armour_class(who, true).0);
    let mut first = hp_and_ac(hp_left(body), body.max_hp, ac);
    first += &format!("   hits AC 0 on {}", stats.row.aac0());
    first += &morale_words(ph.breaks(who), body);
    let calling = match stats.class {
        Some((class, level)) => format!("Level {level} {}", class.name().to_lowercase()),
        None => format!("{} HD ({})", stats.hit_dice, stats.hp_dice()),
    };
    let saves = stats.saves;
    let mut lines = vec![
        first,
        format!(
            "{calling}   saves: body {}, breath {}, magic {}",
            saves.body, saves.breath, saves.magic
        ),
    ];
    match &stats.attacks {
        Some(line) => lines.push(line.to_string()),
        None => {
            let line = |item| weapon_line(ph.weapon(item)) + &held(ph.inventory(who), item);
            lines.extend(armed(ph.inventory(who)).into_iter().map(line));
        }
    }
    lines
}

fn traits(In(who): In<Id>, ph: PhasedQuery) -> Vec<TraitWords> {
    let stats = ph.stats(who);
    let rule = |of: &Trait| match of {
        Trait::Minion => Some("PH-60"),
        Trait::DamageBonus(_) => Some("PH-30"),
        Trait::Speechless => Some("PH-04"),
        _ => None,
    };
    let hands = match stats.reaction {
        0 => None,
        n @ 1.. => Some(("quick hands", n)),
        n => Some(("slow hands", n)),
    };
    let hands = hands.map(|(hands, n)| {
        let text = format!("{hands}: reaction {} for shots", signed(n));
        let meaning = "Added to its side's die when it shoots or throws: HIGH or LOW by the result";
        TraitWords::new(text, meaning, "PH-03")
    });
    let own = stats
        .traits()
        .map(|(text, meaning, rule)| TraitWords::new(text, meaning, rule));
    let all = trait_words(ph.view.creature(who), rule, &[]).into_iter();
    all.chain(hands).chain(own).collect()
}

fn weapon_line(weapon: &Weapon) -> String {
    let stats = weapon.section::<PhasedWeapon>();
    let mut line = weapon_words(weapon);
    if weapon.melee.is_some() {
        let (speed, space) = (stats.speed, stats.space);
        line += &format!(", speed {speed} (lower strikes first), needs {space} ft to swing");
    }
    line += &range_words(weapon);
    if weapon.ranged.is_some() && stats.rate > 1 {
        line += &format!(", {} shots", stats.rate);
    }
    line
}
