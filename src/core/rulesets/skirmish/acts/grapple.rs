//! Grapple, release, break free (SK-51).

use super::{maneuver, row::*};
use crate::rulesets::skirmish::grapple::{GrappleEvent, release, struggle};

verbs! {
    GRAPPLE = "grapple", "grapple {at}", "tries to grapple {at}", "SK-51";
    RELEASE = "release", "release {at}", "lets go of {at}", "SK-51";
    BREAK_FREE = "break free", "break free", "tries to break free", "SK-51";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        GRAPPLE: 'k' "Grapple" Grapple (group), "Main action. Unarmed hit, then a check: hold the enemy.",
            Chances::Odds(checks::maneuver), |eval, offer| eval.staying(eval.maneuver(&offer.choice));
        RELEASE: 'k' "Grapple" Grapple (group), "Free. Let go of the enemy.",
            Chances::None, |eval, offer| eval.staying(eval.release(&offer.choice));
        BREAK_FREE: 'k' "Break free" Grapple (group, remedy), "Main action. A check against each unit holding you.",
            Chances::Odds(checks::break_free), |eval, _| eval.staying(eval.break_free());
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    grapples(sk, who, out);
    let release = Choice::new(&RELEASE, who);
    out.push(match sk.holds(who) {
        Some(at) => Offer::from(release.at(at), sk.needs_free(who)),
        None => Offer::not(release, Why::of_actor("SK-51", "holds nobody")),
    });
    let held = match sk.grip(who).held_by {
        0 => Err(Why::of_actor("SK-51", "is not held").lacking(true)),
        _ => sk.needs_main(who),
    };
    out.push(Offer::from(Choice::new(&BREAK_FREE, who), held));
}

fn grapples(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let grapple = Choice::new(&GRAPPLE, who);
    if let Err(why) = can_grapple(sk, who) {
        return out.push(Offer::not(grapple, why));
    }
    let bare = sk.unarmed(who);
    let bare = bare.and_then(|item| Some((item, sk.reach(who, item)?)));
    let offers = bare.into_iter().flat_map(|(item, reach)| {
        let enemies = sk.known_enemies(sk.body(who).side);
        let choice = grapple.clone().with(item);
        sk.view.nearby(who, enemies, reach).map(move |at| {
            let choice = choice.clone().at(at);
            let legal = maneuver::legal(sk, &choice);
            Offer::from(choice, legal)
        })
    });
    let why = Why::new("SK-51", "no enemy is in reach of bare hands");
    list_or(offers, grapple.clone(), why, out);
}

/// A unit holds one enemy at a time.
fn can_grapple(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    match sk.holds(who) {
        Some(at) => {
            let text = format!("already holds {}", sk.view.names().name(at));
            Err(Why::of_actor("SK-51", text))
        }
        None => Ok(()),
    }
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    if choice.verb == &GRAPPLE {
        return maneuver::begin(sk, choice);
    }
    if choice.verb == &BREAK_FREE {
        return declare(sk, choice, ActionCost::Main).then(Struggle { who });
    }
    let mut outcome = declare(sk, choice, ActionCost::Free);
    release(sk, who, "SK-51", &mut outcome);
    outcome
}

system_step! {
    /// The held unit tries to break free. Its Main is already paid.
    pub struct Struggle { pub who: Id } => wrestle
}

fn wrestle(
    In(Struggle { who }): In<Struggle>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !sk.is_up(who) || sk.grip(who).held_by == 0 {
        return outcome;
    }
    let pending = struggle(&sk, who, &mut dice);
    pending_checks::log_and_open(vec![pending], outcome, Struggle { who })
}

impl CheckOutcome for Struggle {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let (who, mut outcome) = (self.who, StepOutcome::default());
        let beaten = checks.iter().flat_map(|pending| pending.beaten());
        for by in beaten.filter(|&by| sk.holds(by) == Some(who)) {
            outcome.emit("SK-51", GrappleEvent::Released { by, who });
        }
        outcome
    }
}
