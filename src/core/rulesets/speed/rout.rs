//! Units whose morale broke run as far as they can (SP-30).

use super::{
    Speed,
    acts::{Mover, break_free, can_leave, walker},
    events::SpeedEvent,
    numbers::SpeedCondition,
    query::SpeedQuery,
    round,
    state::Hurt,
};
use crate::{
    battle::{DiceBox, Id, Rule, StepOutcome},
    grid::Cell,
    rulesets::common::{
        flee::{Flee, FleeAction, Flees},
        leave::Leaves,
    },
};

impl Leaves for Speed {
    const LEFT: Rule = "SP-31";

    /// A unit with an arrival count enters at that count, not at the start of the round.
    fn comes_later(sp: &SpeedQuery, who: Id) -> bool {
        let combatant = &sp.view.level().combatants[who.index()];
        let now = combatant.arrives == Some(sp.clock.round.into());
        now && combatant.arrives_at.is_some()
    }

    fn enters(sp: &SpeedQuery, who: Id, at: Cell, outcome: &mut StepOutcome) {
        round::enter(sp, who, at, outcome);
    }
}

impl Flees for Speed {
    const FLEES: Rule = "SP-30";
    type FleeBudget = ();

    fn is_able_to_flee(sp: &SpeedQuery, who: Id) -> bool {
        sp.is_up(who) && sp.can_act(who).is_ok()
    }

    fn gets_loose(sp: &SpeedQuery, flee: &Flee<Self>, dice: &mut DiceBox) -> Option<StepOutcome> {
        let who = flee.who;
        if !sp.fighter(who).suffers(SpeedCondition::Grappled) {
            return None;
        }
        let mut outcome = StepOutcome::default();
        if is_ready(sp, who) {
            outcome.emit("SP-07", SpeedEvent::Standard { who });
            if break_free(sp, who, dice, &mut outcome) {
                outcome.push(flee.clone());
            }
        }
        Some(outcome)
    }

    fn may_leave(sp: &SpeedQuery, who: Id) -> bool {
        can_leave(sp, who)
    }

    fn pays(
        sp: &SpeedQuery,
        flee: &Flee<Self>,
        need: FleeAction,
        outcome: &mut StepOutcome,
    ) -> Option<Option<()>> {
        let who = flee.who;
        let may = match need {
            FleeAction::StandUp => is_ready(sp, who) && !sp.fighter(who).has(Hurt::Lamed),
            FleeAction::OpenDoor => is_ready(sp, who) && sp.has_a_hand(who).is_ok(),
            FleeAction::Run => return Some(Some(())),
        };
        may.then(|| outcome.emit("SP-07", SpeedEvent::Standard { who }))
            .map(Some)
    }

    fn feet(sp: &SpeedQuery, flee: &Flee<Self>) -> Option<u16> {
        sp.feet_left(flee.who).ok()
    }

    fn runner(_: &SpeedQuery, who: Id, _: u16, path: Vec<Cell>) -> Mover {
        walker(who, path)
    }

    fn cut_off(_: &SpeedQuery, who: Id, outcome: &mut StepOutcome) {
        outcome.emit("SP-30", SpeedEvent::Surrendered { who });
    }
}

/// Whether the standard action is still available.
fn is_ready(sp: &SpeedQuery, who: Id) -> bool {
    !sp.fighter(who).standard && sp.may_act(who).is_ok()
}
