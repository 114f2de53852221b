//! Units whose morale broke use all their actions to flee (SK-60).

use super::{
    Skirmish,
    acts::{Struggle, rise},
    events::SkirmishEvent,
    grapple::release,
    movement,
    query::SkirmishQuery,
    state::ActionCost,
};
use crate::{
    battle::{DiceBox, EventKind, Id, Rule, StepOutcome},
    grid::Cell,
    rulesets::common::{
        flee::{Flee, FleeAction, Flees},
        leave::Leaves,
    },
};

impl Leaves for Skirmish {
    const LEFT: Rule = "SK-60";
}

impl Flees for Skirmish {
    type FleeBudget = ();

    fn is_able_to_flee(sk: &SkirmishQuery, who: Id) -> bool {
        sk.can_act(who)
    }

    /// SK-51: a fleeing unit releases its victim, and breaks free before it runs.
    fn gets_loose(sk: &SkirmishQuery, flee: &Flee<Self>, _: &mut DiceBox) -> Option<StepOutcome> {
        let who = flee.who;
        let mut outcome = StepOutcome::default();
        if sk.holds(who).is_some() {
            release(sk, who, "SK-51", &mut outcome);
        } else if sk.grip(who).held_by == 0 {
            return None;
        } else if sk.fighter(who).mains == 0 {
            return Some(outcome);
        } else {
            let action = ActionCost::Main;
            outcome.emit("SK-51", SkirmishEvent::Spent { who, action });
            outcome.push(Struggle { who });
        }
        Some(outcome.then(flee.clone()))
    }

    fn may_leave(sk: &SkirmishQuery, who: Id) -> bool {
        sk.free_to_move(who).is_ok() && sk.view.is_at_exit(who)
    }

    /// Each part of the flight costs a Move.
    fn pays(
        sk: &SkirmishQuery,
        flee: &Flee<Self>,
        _: FleeAction,
        outcome: &mut StepOutcome,
    ) -> Option<Option<()>> {
        let (who, fighter) = (flee.who, sk.fighter(flee.who));
        if !fighter.can_move() {
            return None;
        }
        sk.reveal(who, outcome);
        let action = fighter.move_price();
        outcome.emit("SK-60", SkirmishEvent::Spent { who, action });
        Some(Some(()))
    }

    fn rises(sk: &SkirmishQuery, who: Id, outcome: &mut StepOutcome) {
        rise(sk, who, outcome);
    }

    fn feet(sk: &SkirmishQuery, flee: &Flee<Self>) -> Option<u16> {
        let may = sk.fighter(flee.who).can_move();
        may.then(|| sk.view.speed(flee.who))
    }

    fn runner(_: &SkirmishQuery, who: Id, _: u16, path: Vec<Cell>) -> movement::Mover {
        movement::runner(who, path)
    }

    fn cut_off(sk: &SkirmishQuery, who: Id, outcome: &mut StepOutcome) {
        sk.reveal(who, outcome);
        outcome.emit("SK-60", EventKind::FightsOn { who });
    }
}
