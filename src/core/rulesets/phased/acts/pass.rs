//! Passing, and delaying (PH-16, PH-17).

use super::{own_minor, row::*, speed_now};
use crate::rulesets::common::hiding;

verbs! {
    DONE = "done", "done", "passes", "PH-04";
    /// A delay announced on the unit's turn (PH-16).
    DELAY = "delay", "delay", "delays", "PH-16";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DELAY: 'z' "Delay" Hold (last), "In HIGH: act in LOW and lose ties. In LOW: lose the action or the spell.",
            Chances::None, |eval, _| eval.staying(ai::delay_now(eval));
        DONE: no button,
            Chances::None, |eval, _| ai::done(eval);
    },
    when: When {
        at_once: &[&DELAY, &DONE],
        ..When::of(PhasePart::Other).also(&[
            PhasePart::Multi,
            PhasePart::Innate,
            PhasePart::Missile,
            PhasePart::Melee,
            PhasePart::Rest,
        ])
    },
    offers: |ph, who, out| {
        if PhasePart::KINDS.contains(&ph.clock.part) {
            out.push(Offer::from(Choice::new(&DELAY, who), can_delay(ph, who)));
        }
        out.push(Offer::legal(Choice::new(&DONE, who)));
    },
    begin,
};

/// PH-16: whether the unit can delay, or why not. It can at any time in its group's turn; in LOW
/// only if it has something to lose. A unit that shoots in HIGH by its reaction adjustment can
/// delay that too (PH-03).
fn can_delay(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let f = ph.fighter(who);
    Why::of_actor("PH-16", "is delayed").when(f.passed_up.delayed)?;
    let quick = ph.clock.part == PhasePart::Missile && ph.shooting_group(who) == ph.clock.group;
    if !quick {
        own_minor(ph, who)?;
    }
    let nothing = f.spent && f.casting.is_none() && f.routines == 0;
    Why::new("PH-16", "there is nothing left to delay")
        .when(nothing && ph.clock.group == Group::Low)
}

/// Begins a pass or delay. Other sides don't see it if the unit is hidden.
fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    let mut outcome = StepOutcome::default();
    let mut emit = |rule, what: EventKind| {
        hiding::emit_unless_hidden::<Phased>(ph, who, rule, what, &mut outcome)
    };
    if choice.verb == &DELAY {
        emit("PH-16", EventKind::acted(choice));
        emit("PH-16", PhasedEvent::Passed { who }.into());
        match ph.clock.group {
            Group::High => emit("PH-17", PhasedEvent::Delayed { who }.into()),
            Group::Low => {
                // A spell being cast is the major action (PH-22).
                if ph.fighter(who).casting.is_some() {
                    emit("PH-16", PhasedEvent::Dropped { who }.into());
                }
                emit("PH-16", PhasedEvent::Forgoes { who }.into());
            }
        }
    } else {
        match speed_now(ph) {
            Some(speed) => emit("PH-02", PhasedEvent::Waited { who, speed }.into()),
            None => emit("PH-04", PhasedEvent::Passed { who }.into()),
        }
    }
    outcome.into()
}
