//! The Segments ruleset's UI.

use super::{
    ActionPip, BASIC, Bar, RulesetUi, Status, StatusBadge, TraitWords, bleeding, lasting,
    rounds_to_live, run,
    words::{
        armed, held, holding, hp_and_ac, hp_left, morale_words, range_words, spell_lines,
        trait_words, weapon_words,
    },
};
use crate::rulesets::segments::content::{SegmentsSpell, SegmentsWeapon};
use crate::{
    battle::{Id, capitalised},
    content::{Spell, Trait},
    rulesets::segments::{Segments, clock, query::SegmentsQuery},
    ui::art::{hud::Pip, icons::Icon},
    words::count,
};
use bevy::ecs::system::In;

pub(super) static UI: RulesetUi = RulesetUi {
    rules: "Segments",
    about: "Ten segments a round; initiative decides who acts when; spells take time.",
    like: "Plays like an initiative countdown: hit the caster before the spell is done.",
    end_words: "End segment",
    arrival_counts: "the end of the segment",
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    traits: |world, who| run(world, traits, who),
    figures_tip: "AC: lower is better. hits AC 0 on: the d20 total that the unit needs against AC 0; a higher AC needs less. \
        Morale: at its side's first loss, with half of it down and with its leader down, the unit rolls d100; over its morale it breaks: it falls back or flees (SE-55)",
    spell,
    naturals_decide: true,
    ..BASIC
};

fn status(In(who): In<Id>, se: SegmentsQuery) -> Status {
    let (body, f) = (se.body(who), se.fighter(who));
    let waits = clock::is_to_act(&se, who);
    let up = body.is_up();
    let (bad, good) = (StatusBadge::bad::<&str>, StatusBadge::good::<&str>);
    let charged = StatusBadge::mixed(Icon::Charge, "Charged: AC 1 worse this round");
    let mut conditions = holding([
        (up && body.prone, bad(Icon::Prone, "Prone")),
        (
            up && se.is_surprised(who),
            bad(Icon::Surprised, "Surprised: can't act this segment"),
        ),
        (
            up && f.is_set(),
            good(Icon::Spear, "Spear set against a charge"),
        ),
        (up && f.charged == Some(se.clock.round), charged),
    ]);
    conditions.extend(lasting::<Segments>(&se, who).into_iter().filter(|_| up));
    let is_afraid = up && se.is_afraid(who);
    conditions.extend(is_afraid.then(|| bad(Icon::Fleeing, "Morale broken")));
    conditions.extend(bleeding::<Segments>(&se, who));
    let done = clock::is_done(&se, who);
    let plan = (!done).then(|| clock::plan(&se, who));
    Status {
        pips: vec![ActionPip::new(
            Pip::Diamond,
            "Action",
            !waits && se.clock.segment > 0,
        )],
        plan: plan.unwrap_or_default().into(),
        when: clock::when(&se, who).unwrap_or_default().into(),
        done,
        conditions,
        dying: rounds_to_live::<Segments>(&se, who),
        bars: vec![Bar::new("HP", hp_left(body), body.max_hp)],
        ..Status::default()
    }
}

fn figures(In(who): In<Id>, se: SegmentsQuery) -> Vec<String> {
    let (body, stats) = (se.body(who), se.stats(who));
    let ac = (se.armour_class(who, false).0, se.armour_class(who, true).0);
    let mut first = hp_and_ac(hp_left(body), body.max_hp, ac);
    // A line of a card ends before it or after it.
    let hits = format!("hits AC 0 on {}", stats.to_hit).replace(' ', "\u{a0}");
    first += &format!("   {hits}");
    first += &morale_words(se.breaks(who), body);
    let mut lines = vec![first];
    for item in armed(se.inventory(who)) {
        let weapon = se.weapon(item);
        let mut line = weapon_words(weapon) + &range_words(weapon);
        let own = weapon.section::<SegmentsWeapon>();
        if weapon.ranged.is_some() && own.rate > 1 {
            line += &format!(", {} a round", own.rate);
        }
        if own.set {
            line += ", can be set";
        }
        lines.push(line + &held(se.inventory(who), item));
    }
    for spell in se.spells(who) {
        let kind = se.view.spell(spell);
        lines.push(format!("{}: {}", capitalised(&kind.name), casting(kind)));
    }
    lines
}

fn traits(In(who): In<Id>, se: SegmentsQuery) -> Vec<TraitWords> {
    let rule = |of: &Trait| match of {
        Trait::Minion => Some("SE-54"),
        Trait::DamageBonus(_) => Some("SE-50"),
        _ => None,
    };
    trait_words(se.view.creature(who), rule, &[])
}

/// "3 segments".
fn casting(spell: &Spell) -> String {
    let casting = spell.section::<SegmentsSpell>().casting;
    count(usize::try_from(casting).unwrap_or(0), "segment")
}

/// A spell in words: casting time, effect, range.
fn spell(spell: &Spell) -> Vec<String> {
    let mut lines = spell_lines(spell, "AC");
    lines.insert(0, format!("{} to cast", casting(spell)));
    lines
}
