//! What the window reads of an Activity battle: the counts of the round, each
//! combatant's round as a bar of 100%, what a declaration would make of it.

mod faces;
mod odds;
mod plan;
mod presets;
mod status;
mod way;

use super::{BASIC, Reader, run};
use crate::rulesets::activity::content::ActivitySpell;
use crate::{
    battle::{Choice, Id},
    content::{Effect, Save, Spell},
    rulesets::activity::{ac::Ac, declared::READY, spells::rounds},
};
use bevy::ecs::system::In;

pub(super) static READER: Reader = Reader {
    rules: "Activity",
    about: "Split 100% between attacks, moves and parries; d100 to hit.",
    acts: faces::FACES,
    planning: &crate::rulesets::activity::planning::PLANNING,
    status: |world, who| run(world, status::status, who),
    figures: |world, who| run(world, status::figures, who),
    reach: |world, who| run(world, way::reach, who),
    way: way::way,
    settled: &[&crate::rulesets::activity::stride::OPPORTUNITY],
    blow: odds::blow,
    spread: |world, choice| run(world, odds::spread, choice.clone()),
    trades: |world, choice| run(world, odds::trades, choice.clone()),
    odds: odds::odds,
    area: |world, choice| run(world, odds::area, choice.clone()),
    slips: |world, choice| run(world, slips, choice.clone()),
    threat: |world, who| run(world, threat, who),
    reaction: odds::reaction,
    spell,
    first: |world, choice| run(world, plan::first, choice.clone()),
    foresee: plan::foresee,
    planned: plan::planned,
    presets: &presets::PRESETS,
    ..BASIC
};

/// AC-10: a round of which much is left has room for more than the move at its
/// end.
fn slips(In(choice): In<Choice>, ac: Ac) -> Vec<String> {
    let Some(who) = choice.who.filter(|_| choice.verb == &READY) else {
        return vec![];
    };
    let actor = ac.actor(who);
    let left = actor.capacity - actor.planned();
    let name = ac.view.names().title(who);
    let words = format!("{name} has {left}% of the round left, only for a final move.");
    Vec::from_iter((left >= ac.tables().costs.melee.0 && !ac.is_helpless(who)).then_some(words))
}

fn threat(In(who): In<Id>, ac: Ac) -> Option<u16> {
    ac.threat_reach(who)
}

/// Power points and time, what it does, how far it reaches.
fn spell(spell: &Spell) -> Vec<String> {
    let (points, most) = (
        spell.section::<ActivitySpell>().points,
        spell.section::<ActivitySpell>().most,
    );
    let costs = &crate::rulesets::activity::numbers::tables().costs;
    let power = match points == most {
        true => format!("{points} power points"),
        false => format!("{points} to {most} power points"),
    };
    let time = match spell.section::<ActivitySpell>().instantaneous {
        true => format!("{}%, no separate action", costs.instantaneous),
        false => format!("{}% each", costs.spell_per_point),
    };
    let rounds = rounds(spell);
    let effect = match &spell.effect {
        _ if spell.section::<ActivitySpell>().grants.is_some() => String::from("quickens"),
        Effect::Damage(_) => format!(
            "an attack: {}",
            odds::attack_name(spell.section::<ActivitySpell>().attack)
        ),
        Effect::Heal(dice) => {
            let most = i32::from(dice.count) * i32::from(dice.sides);
            format!("heals {most} HP, +3 per extra point")
        }
        Effect::Lasts { condition, .. } if condition.defense > 0 => format!(
            "DB +{} for {rounds} rounds, +5 per extra point",
            5 * condition.defense
        ),
        Effect::Lasts { condition, .. } => {
            format!(
                "{} for {rounds} rounds: {}",
                condition.name,
                condition.does()
            )
        }
    };
    let save = match spell.save {
        Save::None => "",
        Save::Half => "; a resistance roll halves it",
        Save::Negates => "; a resistance roll negates it",
    };
    vec![
        format!("{power}, {time}"),
        format!("{effect}{save}"),
        super::words::spell_reach(spell),
    ]
}
