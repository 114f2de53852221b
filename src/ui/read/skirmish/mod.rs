//! What the window reads of a Skirmish battle.

mod faces;
mod odds;
mod way;

use super::{Action, BASIC, Bar, Clock, Condition, Reader, Status, run};
use crate::{
    battle::{Id, Side, State},
    content::Weapon,
    rulesets::skirmish::{DONE, END_TURN, acts::RUN, sk::Sk},
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::system::In;

pub(super) static READER: Reader = Reader {
    rules: "Skirmish",
    acts: &faces::FACES,
    walks: &[&RUN],
    end_turn: Some(&END_TURN),
    done: Some(&DONE),
    clock: |world| run(world, clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, way::reach, who),
    way: way::way,
    blow: odds::blow,
    draws: odds::draws,
    threat: |world, who| run(world, odds::threat, who),
    reaction: odds::reaction,
    ..BASIC
};

fn clock(In(()): In<()>, sk: Sk) -> Clock {
    let up = |side: Side| sk.view.standing(side).collect();
    Clock {
        round: sk.clock.round,
        turn: sk.clock.turn,
        track: Clock::sides(&sk.clock.order, sk.clock.turn, up),
        ..Clock::default()
    }
}

fn status(In(who): In<Id>, sk: Sk) -> Status {
    let (body, fighter) = (sk.body(who), sk.fighter(who));
    let action = |pip, word, spent| Action { pip, spent, word };
    let mut pips = vec![action(Pip::Diamond, "Main", fighter.mains == 0)];
    pips.extend((1..fighter.mains).map(|_| action(Pip::Diamond, "Main", false)));
    pips.push(action(Pip::Disc, "Move", fighter.moves == 0));
    let mut conditions = vec![];
    let mut add = |holds: bool, condition| conditions.extend(holds.then_some(condition));
    add(
        body.prone && body.is_up(),
        Condition::bad(Icon::Prone, "Prone"),
    );
    add(
        fighter.defending && body.is_up(),
        Condition::good(Icon::TotalDefense, "Total defense: AC +2, no Shock"),
    );
    add(
        fighter.disengaged != 0 && body.is_up(),
        Condition::good(
            Icon::Disengage,
            "Disengaged: may leave without being struck at",
        ),
    );
    add(
        fighter.charged && body.is_up(),
        Condition::mixed(Icon::Charge, "Charged: AC −2 this round"),
    );
    add(
        fighter.fleeing && body.is_up(),
        Condition::bad(Icon::Fleeing, "Flees"),
    );
    add(
        fighter.dying.is_some() && body.state == State::Down,
        Condition::bad(Icon::Bleeding, "Mortally injured"),
    );
    let done = !body.is_up() || fighter.done || fighter.fleeing || !fighter.can_move();
    Status {
        pips,
        done,
        conditions,
        bars: vec![Bar {
            word: "HP",
            now: body.hp,
            most: body.max_hp,
        }],
        ..Status::default()
    }
}

fn figures(In(who): In<Id>, sk: Sk) -> Vec<String> {
    let (body, creature) = (sk.body(who), sk.view.creature(who));
    let (melee, ranged) = (sk.armour_class(who, false).0, sk.armour_class(who, true).0);
    let mut first = format!("HP {} of {}", body.hp.max(0), body.max_hp);
    first += &if melee == ranged {
        format!("   AC {melee}")
    } else {
        format!("   AC {melee}, missiles {ranged}")
    };
    if let Some(morale) = creature.morale {
        first += &format!("   Morale {morale}");
    }
    let mut lines = vec![first];
    let items: Vec<_> = sk.gear(who).at_hand().collect();
    // Bare hands are the last; they are worth a line to who has nothing else.
    let armed = items.len() - usize::from(items.len() > 1);
    let weapons = items[..armed].iter().map(|&item| sk.weapon(item));
    lines.extend(weapons.map(weapon_line));
    if let (State::Down, Some(rounds)) = (body.state, sk.fighter(who).dying) {
        let left = 6 - i32::from(rounds);
        lines.push(format!("Dies in {left} rounds unless helped"));
    }
    lines
}

fn weapon_line(weapon: &Weapon) -> String {
    let mut line = format!(
        "{} {}",
        crate::battle::capitalised(&weapon.name),
        weapon.damage
    );
    if let Some(ranged) = &weapon.ranged {
        line += &format!(", {} / {} ft", ranged.normal, ranged.long);
    }
    if let Some(shock) = weapon.shock {
        let ac = shock.ac.map_or("any AC".into(), |ac| format!("AC {ac}"));
        line += &format!(", Shock {} / {ac}", shock.points);
    }
    line
}
