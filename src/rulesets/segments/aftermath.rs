//! What follows from falls and arrivals: the end of the battle, morale (SE-55).

use super::{
    facts::SegmentsEvent,
    fighter::{Fear, Shaken},
    se::Se,
    wounds,
};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Roll, Side, State, StepOutcome, judge},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// Looks at the state after something happened; it needs to know nothing of what.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, se: Se) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(over) = judge(&se.view, Fallen::MayRise, &mut outcome) {
        return outcome.and("GR-00", over);
    }
    for side in se.view.roster.sides() {
        let now = shaken(&se, side);
        if now != se.clock.shaken[side.index()] {
            outcome.emit("SE-55", SegmentsEvent::Shaken { side, shaken: now }.event());
            outcome.push(Morale { side });
        }
    }
    outcome
}

/// Which of the occasions of SE-55 a side has had by now.
fn shaken(se: &Se, side: Side) -> Shaken {
    let before = se.clock.shaken[side.index()];
    let members = || se.view.ids().filter(|&id| se.body(id).side == side);
    let is_down = |id: &Id| matches!(se.body(*id).state, State::Down | State::Dead);
    let (all, down) = (members().count(), members().filter(is_down).count());
    Shaken {
        first_loss: before.first_loss || down > 0,
        half: before.half || down * 2 >= all && down > 0,
        leader: before.leader || members().any(|id| se.view.sheet(id).leader && is_down(&id)),
    }
}

/// Percent over its score up to which one only falls back (SE-55).
const FALL_BACK: i32 = 25;

/// SE-55: d100 for each of a side that knows fear. One roll each, however many
/// occasions came at once.
#[derive(Clone, Debug)]
struct Morale {
    side: Side,
}
system_step!(Morale, morale);

fn morale(In(Morale { side }): In<Morale>, se: Se, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in se.view.standing(side) {
        let Some(score) = se.stats(who).morale else {
            continue;
        };
        if se.fighter(who).fear == Fear::Flees {
            continue;
        }
        let roll = Roll::one(100, dice.roll(100), vec![]);
        let over = roll.total() - score;
        outcome.emit(
            "SE-55",
            CheckRoll::by(who, "morale", roll)
                .against(score)
                .passed(over <= 0)
                .event(),
        );
        let fear = match over {
            ..=0 => continue,
            1..=FALL_BACK => Fear::FallsBack,
            _ => Fear::Flees,
        };
        if fear == Fear::Flees && se.way_out(who).is_none() {
            outcome.emit("SE-55", SegmentsEvent::FightsOn { who }.event());
            continue;
        }
        wounds::spoil(&se, who, &mut outcome);
        outcome.emit("SE-55", SegmentsEvent::Afraid { who, fear }.event());
    }
    outcome
}
