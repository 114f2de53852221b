//! The Speed ruleset's UI.

use super::{
    ActionPip, BASIC, Bar, RulesetUi, Status, StatusBadge, TraitWords, lasting, run,
    words::{
        brawl_words, held, holding, hp_left, morale_words, spell_lines, trait_words, weapon_words,
    },
};
use crate::{
    battle::{Action, Id, State, capitalised, numeral},
    content::{Spell, Trait},
    rulesets::speed::{
        Speed, clock,
        content::{Ability, SpeedSpell, SpeedWeapon},
        numbers::SpeedCondition,
        query::SpeedQuery,
        state::Wound,
        wounds::{heal_target, rounds_to_live},
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::system::In;

pub(super) static UI: RulesetUi = RulesetUi {
    rules: "Speed",
    about: "Everyone declares. Fast actions happen first. Damage hits Stress before Wound Points.",
    like: "Plays like Frozen Synapse: plans are revealed at once, and a dagger beats an axe.",
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    traits: |world, who| run(world, traits, who),
    figures_tip: "Morale: at the end of a round in which it is hit hard, outnumbered or intimidated, the unit rolls 3d6; it breaks and flees or surrenders if the total, with its Insight, hit dice and allies, is below 11 plus the number of enemies, or below the intimidation (SP-30)",
    skippable: Some(&FALLEN),
    spell,
    ..BASIC
};

/// Orders for units that are down and have nothing worth doing. Not a reaction: these units hold
/// unless the player's settings say otherwise.
static FALLEN: Action = Action::new("fallen units with nothing to do", "", "", "SP-24");

fn status(In(who): In<Id>, sp: SpeedQuery) -> Status {
    let (body, fighter) = (sp.body(who), sp.fighter(who));
    let standard = fighter.acted && fighter.now.is_none() || fighter.standard;
    let pips = vec![
        ActionPip::new(Pip::Diamond, "Standard action", standard),
        ActionPip::new(Pip::Disc, "Move", sp.feet_left(who).is_err()),
        ActionPip::new(Pip::Square, "Free action", fighter.free),
        ActionPip::new(Pip::Triangle, "Reaction", fighter.reaction),
    ];
    let mut conditions: Vec<StatusBadge> = sp.conditions(who).into_iter().map(badge_of).collect();
    let full_defense = StatusBadge::good(Icon::TotalDefense, "Full defense: Defense +4");
    conditions.extend(fighter.full_defense.then_some(full_defense));
    conditions.extend(lasting::<Speed>(&sp, who));
    conditions.extend(holding([
        (body.flees, StatusBadge::bad(Icon::Fleeing, "Fleeing")),
        (
            fighter.surrendered,
            StatusBadge::bad(Icon::Flag, "Surrendered"),
        ),
    ]));
    let hurts = fighter.hurts.iter();
    conditions
        .extend(hurts.map(|hurt| StatusBadge::bad(Icon::Skull, capitalised(hurt.log_text()))));
    let done = clock::is_done(&sp, who);
    let plan = (!done).then(|| clock::plan(&sp, who));
    Status {
        pips,
        plan: plan.unwrap_or_default().into(),
        when: clock::when(&sp, who).unwrap_or_default().into(),
        done,
        conditions,
        dying: rounds_to_live(&sp, who),
        bars: vec![
            // Both keep the unit up, first Stress, then Wound Points (SP-22).
            Bar::new(
                "Stress and Wound Points",
                hp_left(body) + fighter.stress,
                body.max_hp + fighter.max_stress,
            ),
            Bar::new("Stress Points", fighter.stress, fighter.max_stress),
            Bar::new("Wound Points", hp_left(body), body.max_hp),
        ],
        ..Status::default()
    }
}

fn badge_of(state: SpeedCondition) -> StatusBadge {
    let (icon, words) = match state {
        SpeedCondition::Surprised => (Icon::Surprised, "Surprised: no actions"),
        SpeedCondition::Prone => (Icon::Prone, "Prone"),
        SpeedCondition::Stunned => (Icon::Stunned, "Stunned: no actions"),
        SpeedCondition::Blinded => (Icon::Unseen, "Blinded"),
        SpeedCondition::Grappled => (Icon::Grapple, "Grappled: no moves"),
        SpeedCondition::Slowed => (Icon::Held, "Slowed: half speed"),
        SpeedCondition::Bleeding => (Icon::Bleeding, "Bleeding: 1 Wound Point a round"),
        SpeedCondition::Burning => (Icon::Bleeding, "Burning: 1d6 a round"),
        SpeedCondition::Frightened => (Icon::Intimidate, "Frightened: can't come closer"),
        SpeedCondition::Incapacitated => (Icon::Heart, "Incapacitated"),
        SpeedCondition::Dying => (Icon::Skull, "Dying: 1 Wound Point a round"),
        SpeedCondition::Stabilised => {
            return StatusBadge::mixed(Icon::Aid, "Stabilised: half speed");
        }
        SpeedCondition::Dead => (Icon::Skull, "Dead"),
    };
    StatusBadge::bad(icon, words)
}

fn figures(In(who): In<Id>, sp: SpeedQuery) -> Vec<String> {
    let (body, fighter, stats) = (sp.body(who), sp.fighter(who), sp.stats(who));
    let breaks = morale_words(sp.breaks(who), body);
    let mut lines = vec![
        format!(
            "Stress Points {} of {}   Wound Points {} of {}",
            fighter.stress,
            fighter.max_stress,
            numeral(hp_left(body)),
            body.max_hp
        ) + &breaks,
        format!("Defense {}   Armour {}", sp.defense(who).0, stats.armour),
    ];
    if let Some(base) = fighter.base {
        lines.push(format!("Base initiative {}", numeral(base)));
    }
    for item in sp.inventory(who).at_hand().take(3) {
        let weapon = sp.weapon(item);
        let speed = weapon.section::<SpeedWeapon>();
        let critical = match speed.critical {
            20 => String::from("20"),
            least => format!("{least}+"),
        };
        lines.push(format!(
            "{}, speed {}, critical on {} (×{}){}",
            weapon_words(weapon) + &brawl_words(sp.view.creature(who), weapon),
            speed.speed,
            critical,
            speed.times,
            held(sp.inventory(who), item)
        ));
    }
    if !fighter.wounds.is_empty() {
        let kind = |w: &Wound| w.kind.map_or("other", |k| k.name()).to_lowercase();
        let wounds = fighter.wounds.iter();
        let all: Vec<String> = wounds
            .map(|w| format!("{} {}", kind(w), w.points))
            .collect();
        lines.push(format!("Wounds from: {}", all.join(", ")));
    }
    let lost: Vec<String> = Ability::ALL
        .iter()
        .filter(|&&a| fighter.lost[a as usize] > 0)
        .map(|&a| {
            let left = fighter.score(stats, a);
            format!("{} {left} (−{})", a.name(), fighter.lost[a as usize])
        })
        .collect();
    if !lost.is_empty() {
        lines.push(format!("Lost: {}", lost.join(", ")));
    }
    if stats.mana > 0 {
        lines.push(format!("Mana {} of {}", fighter.mana, stats.mana));
    }
    if body.state == State::Down && !fighter.surrendered {
        lines.push(format!(
            "A heal check of {} stabilises",
            heal_target(&sp, who)
        ));
    }
    lines
}

fn traits(In(who): In<Id>, sp: SpeedQuery) -> Vec<TraitWords> {
    let rule = |of: &Trait| match of {
        Trait::Minion => Some("SP-24"),
        Trait::DamageBonus(_) => Some("SP-20"),
        Trait::SpareMain => Some("SP-22"),
        _ => None,
    };
    let spent = Vec::from_iter(sp.fighter(who).surged.then_some(Trait::SpareMain));
    trait_words(sp.view.creature(who), rule, &spent)
}

/// A spell in words: mana, casting target and initiative; effect; range.
fn spell(spell: &Spell) -> Vec<String> {
    let of = spell.section::<SpeedSpell>();
    let cost = format!(
        "{} mana, casting target {}, initiative +{}",
        of.mana, of.target, of.speed
    );
    let mut lines = vec![cost];
    lines.extend(spell_lines(spell, "Defense"));
    lines
}
