//! What follows from falls and arrivals: the end of the battle, morale (AC-37).

use super::{
    ac::{Ac, open_ended},
    deeds::drops_all,
    event::ActivityEvent,
    state::{Lasts, Shaken},
};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Modifier, Side, State, StepOutcome, judge},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// Looks at the state after something happened.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, ac: Ac) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(over) = judge(&ac.view, Fallen::MayRise, &mut outcome) {
        return outcome.and("GR-00", over);
    }
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        lets_go(&ac, who, &mut outcome);
    }
    for side in ac.view.roster.sides() {
        let (before, now) = (ac.clock.shaken[side.index()], shaken(&ac, side));
        if now == before {
            continue;
        }
        outcome.emit("AC-37", ActivityEvent::Shaken { side, shaken: now }.event());
        let (first, half, leader) = ac.tables().morale;
        let occasions = [
            (now.first_fall && !before.first_fall, first),
            (now.half && !before.half, half),
            (now.leader && !before.leader, leader),
        ];
        let hardest = occasions.into_iter().filter(|o| o.0).map(|o| o.1).max();
        if let Some(against) = hardest {
            outcome.push(Morale { side, against });
        }
    }
    outcome
}

/// AC-33: who is stunned or held drops what it had planned, what it has half
/// done included.
fn lets_go(ac: &Ac, who: Id, outcome: &mut StepOutcome) {
    let actor = ac.actor(who);
    if actor.stunned > 0 {
        drops_all(ac, who, "AC-33", "it is stunned", outcome);
    } else if actor.has(Lasts::Held) {
        drops_all(ac, who, "AC-33", "it is held", outcome);
    }
}

fn shaken(ac: &Ac, side: Side) -> Shaken {
    let before = ac.clock.shaken[side.index()];
    let members = || ac.view.ids().filter(|&id| ac.body(id).side == side);
    let is_down = |id: &crate::battle::Id| matches!(ac.body(*id).state, State::Down | State::Dead);
    let (all, down) = (members().count(), members().filter(is_down).count());
    Shaken {
        first_fall: before.first_fall || down > 0,
        half: before.half || down * 2 >= all && down > 0,
        leader: before.leader || members().any(|id| ac.view.sheet(id).leader && is_down(&id)),
    }
}

/// AC-37: one roll each, against the hardest of the occasions that came
/// together.
#[derive(Clone, Debug)]
struct Morale {
    side: Side,
    against: i32,
}
system_step!(Morale, morale);

fn morale(
    In(Morale { side, against }): In<Morale>,
    ac: Ac,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in ac.view.standing(side) {
        if ac.view.creature(who).is_fearless() || ac.actor(who).fleeing {
            continue;
        }
        let mut roll = open_ended(&mut dice);
        let bonus = ac.stats(who).morale as i16;
        roll.modifiers = vec![Modifier::new(bonus, "steadiness", "AC-37")];
        let holds = roll.total() >= against;
        outcome.emit(
            "AC-37",
            CheckRoll::by(who, "morale", roll)
                .against(against)
                .passed(holds)
                .event(),
        );
        if !holds {
            let fact = if ac.way_out(who, 0).is_some() {
                ActivityEvent::Flees { who }
            } else {
                ActivityEvent::FightsOn { who }
            };
            outcome.emit("AC-37", fact.event());
        }
    }
    outcome
}
