//! Moving: the major move, and taking position after a major action (PH-13).

use super::{major, row::*};
use crate::rulesets::phased::movement::{self, Mover};
use crate::{battle::movement::Occupancy, grid::StepRules, rulesets::common::paths::CustomPaths};

verbs! {
    GO = "move", "move to {to}", "moves to {to}", "PH-13";
    SHIFT = "take position", "take position at {to}", "takes position at {to}", "PH-13";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        GO: no button,
            Chances::None, worth_of_move, moving;
        SHIFT: ' ' "Take position" Move, "",
            Chances::None, worth_of_move, moving;
    },
    when: When {
        at_once: &[&GO, &SHIFT],
        ..When::of(PhasePart::Other)
    },
    offers,
    begin,
};

/// Whether the unit can make a major move, or why not. Leaving melee means fleeing (PH-50).
fn can_go(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    needs_major(ph, who)?;
    no_set_weapon(ph, who)?;
    own_turn(ph, who)?;
    is_free(ph, who)
}

fn can_shift(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let f = ph.fighter(who);
    Why::of_actor("PH-22", "is casting a spell").when(f.casting.is_some())?;
    Why::new("PH-13", "the major action was lost, not taken").when(f.passed_up.forgone)?;
    Why::new("PH-13", "only after a major action").unless(f.spent)?;
    Why::new("PH-13", "only once per round").when(f.positioned)?;
    super::needs_simple(ph, who)?;
    is_free(ph, who)
}

fn is_free(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    Why::new("PH-13", "in melee: declare flight to get away").when(ph.in_melee(who))
}

/// Feet of such a move; each costs double while prone.
fn feet(ph: &PhasedQuery, who: Id, verb: &'static Action) -> u16 {
    match verb == &GO {
        true => ph.rate(who),
        false => ph.tables().numbers.positioning_feet.min(ph.rate(who)),
    }
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let (verb, legal) = match ph.fighter(who).spent {
        true => (&SHIFT, can_shift(ph, who)),
        false => (&GO, can_go(ph, who)),
    };
    if let Err(why) = legal {
        out.push(Offer::not(Choice::new(verb, who), why));
        return;
    }
    let ends = ph.ends(who, feet(ph, who, verb)).into_iter();
    out.push(Offer::to_some(Choice::new(verb, who), ends, "PH-13"));
}

fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    let to = choice.to.expect("a move has an end");
    let feet = feet(ph, who, choice.verb);
    let path = choice.path_or(|| ph.path(who, feet, to));
    let outcome = match choice.verb == &GO {
        true => major(ph, choice),
        false => {
            // After the major action, the segment adds to nothing (PH-11).
            let minor = PhasedEvent::Minor {
                who,
                simple: true,
                segments: 1,
                lags: false,
            };
            announce(ph, choice)
                .and("PH-13", PhasedEvent::Positions { who })
                .and("PH-11", minor)
        }
    };
    Begun {
        movers: vec![movement::walk(ph, who, feet, path)],
        ..outcome.into()
    }
}

impl CustomPaths for Phased {
    fn is_move(verb: &'static Action) -> bool {
        verb == &GO
    }

    fn mover(ph: &PhasedQuery, _: &Choice, who: Id) -> Result<Mover, Why> {
        can_go(ph, who)?;
        Why::new("PH-13", "not in this part of the round").unless(ph.clock.part.has_other())?;
        Ok(movement::walk(ph, who, ph.rate(who), vec![]))
    }

    fn may_end(ph: &PhasedQuery, who: Id, occupancy: &Occupancy, _: &StepRules, at: Cell) -> bool {
        ph.may_end(who, occupancy, at)
    }
}
