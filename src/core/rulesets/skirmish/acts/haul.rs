//! Moving a held unit: dragging and throwing (SK-53).

use super::row::*;
use crate::grid::Space;
use crate::rulesets::common::{damage::Odds, hiding::finds};
use crate::rulesets::skirmish::{grapple::release, push};
use std::cmp::Reverse;

verbs! {
    DRAG = "drag", "drag {at} to {to}", "tries to drag {at} along to {to}", "SK-53";
    /// Throw a held unit into a cell next to its own.
    HURL = "hurl", "hurl {at} to {to}", "tries to hurl {at} to {to}", "SK-53" => moving_target;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DRAG: 'k' "Grapple" Grapple (group), "Main action. A check: drag the enemy up to 10 ft.",
            Chances::Odds(checks::haul), |eval, offer| eval.staying(eval.haul(&offer.choice));
        HURL: 'k' "Grapple" Grapple (group), "Main action. A check: throw the enemy 5 ft, knocking it prone.",
            Chances::Odds(checks::haul), |eval, offer| eval.staying(eval.haul(&offer.choice));
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let (drag, hurl) = (Choice::new(&DRAG, who), Choice::new(&HURL, who));
    let victim = match held(sk, who) {
        Ok(victim) => victim,
        Err(why) => return out.extend([drag, hurl].map(|choice| Offer::not(choice, why.clone()))),
    };
    if let Err(why) = no_other_holder(sk, who, victim) {
        out.push(Offer::not(drag, why));
    } else {
        let here = sk.body(who).at;
        let ends = offsets().map(|(dx, dy)| here.offset(dx, dy));
        let ends = ends.filter(|&to| ways(sk, who, victim, to).is_some());
        let offers = ends.map(|to| Offer::legal(drag.clone().at(victim).to(to)));
        let why = Why::new("SK-53", "no room to drag the target to");
        list_or(offers, drag.clone(), why, out);
    }
    // Lists show the longest fall first.
    let landing = |to| (to, push::landing(sk, who, victim, to, HURL.rule));
    let mut ways: Vec<_> = sk.body(victim).at.neighbours().map(landing).collect();
    ways.sort_by_key(|(_, drop)| Reverse(drop.as_ref().map_or(0, |&feet| feet)));
    for (to, drop) in ways {
        let hurl = hurl.clone().at(victim).to(to);
        out.push(Offer::from(hurl, drop.map(|_| ())));
    }
}

/// The unit that `who` holds, if `who` has a Main left to move it.
fn held(sk: &SkirmishQuery, who: Id) -> Result<Id, Why> {
    let victim = sk.holds(who);
    let victim = victim.ok_or(Why::of_actor("SK-53", "holds nobody"))?;
    sk.needs_main(who)?;
    Ok(victim)
}

/// A unit that is also held by another can't be moved (SK-52).
fn no_other_holder(sk: &SkirmishQuery, who: Id, victim: Id) -> Result<(), Why> {
    let other = sk.holders(who).find(|&by| by != victim);
    other.map_or(Ok(()), |by| {
        let text = format!("held by {}", sk.view.names().name(by));
        Err(Why::new("SK-52", text))
    })
}

/// Every offset up to 10 ft away, as columns and rows.
fn offsets() -> impl Iterator<Item = (i16, i16)> {
    let far = (numbers::DRAGGED / 5) as i16;
    let all = (-far..=far).flat_map(move |dy| (-far..=far).map(move |dx| (dx, dy)));
    all.filter(|o| *o != (0, 0))
}

/// The steps of a drag that ends at `to`, as columns and rows. Both units take the same steps, and
/// neither may need more than 10 ft in all.
fn ways(sk: &SkirmishQuery, who: Id, victim: Id, to: Cell) -> Option<Vec<(i16, i16)>> {
    let here = sk.body(who).at;
    let whole = (to.x - here.x, to.y - here.y);
    let unit = |d: (i16, i16)| d.0.abs().max(d.1.abs()) == 1;
    let single = unit(whole).then(|| vec![whole]);
    let halve = |first: (i16, i16)| (first, (whole.0 - first.0, whole.1 - first.1));
    let halves = Cell::DIRECTIONS.into_iter().map(halve);
    let pairs = halves.filter(|h| unit(h.1)).map(|h| vec![h.0, h.1]);
    let mut routes = single.into_iter().chain(pairs);
    routes.find(|route| can_take(sk, &[who, victim], route))
}

/// Whether both units can take the steps of a route. The first unit drags the second.
fn can_take(sk: &SkirmishQuery, both: &[Id], route: &[(i16, i16)]) -> bool {
    both.iter().all(|&id| {
        let (mut at, mut feet) = (sk.body(id).at, 0);
        route.iter().all(|&(dx, dy)| {
            let to = at.offset(dx, dy);
            let step = push::step(sk, both[0], id, at, to, both);
            at = to;
            step.is_ok_and(|cost| {
                feet += cost.feet;
                cost.fall == 0 && feet <= numbers::DRAGGED
            })
        })
    })
}

/// The chance that the check succeeds.
pub fn chance(sk: &SkirmishQuery, choice: &Choice) -> Option<Odds> {
    let (mine, theirs) = sk.grapple_checks(choice.who?, choice.at?).ok()?;
    Some(mine.odds_against(&theirs))
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let victim = choice.at.expect("a held unit");
    let to = choice.to.expect("a destination");
    let throws = choice.verb == &HURL;
    declare(sk, choice, ActionCost::Main).then(Haul {
        who,
        victim,
        to,
        throws,
    })
}

system_step! {
    /// The check. The Main is already paid.
    struct Haul { who: Id, victim: Id, to: Cell, throws: bool } => haul
}

fn haul(In(haul): In<Haul>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let Haul { who, victim, .. } = haul;
    let outcome = StepOutcome::default();
    if !is_on(&sk, &haul) {
        return outcome;
    }
    let Ok((mine, theirs)) = sk.grapple_checks(who, victim) else {
        return outcome;
    };
    let pending = PendingCheck::each("SK-53", mine, vec![theirs], &mut dice);
    pending_checks::log_and_open(vec![pending], outcome, haul)
}

impl CheckOutcome for Haul {
    fn resolved(
        self,
        sk: &SkirmishQuery,
        checks: &[PendingCheck],
        dice: &mut DiceBox,
    ) -> StepOutcome {
        let Self { who, victim, .. } = self;
        let mut outcome = StepOutcome::default();
        if !is_on(sk, &self) {
            return outcome;
        }
        let passed = checks.iter().all(PendingCheck::passed);
        if passed && !self.throws {
            return self.drag(sk);
        }
        release(sk, who, "SK-53", &mut outcome);
        if passed {
            let fell = push::put(sk, who, victim, self.to, "SK-53", dice, &mut outcome);
            // A fall has already left it prone.
            if !fell && !sk.body(victim).prone {
                let (who, prone) = (victim, true);
                outcome.emit("SK-53", EventKind::Prone { who, prone });
            }
        }
        outcome
    }
}

/// Whether the holder can still move the unit that it holds.
fn is_on(sk: &SkirmishQuery, &Haul { who, victim, .. }: &Haul) -> bool {
    sk.holds(who) == Some(victim) && sk.is_up(who) && sk.is_up(victim)
}

impl Haul {
    fn drag(self, sk: &SkirmishQuery) -> StepOutcome {
        let Self {
            who, victim, to, ..
        } = self;
        let mut outcome = StepOutcome::default();
        let route = ways(sk, who, victim, to).unwrap_or_default();
        let mut at = [who, victim].map(|id| (id, sk.body(id).at));
        for (dx, dy) in route {
            // The unit in front goes first, so that the other finds its cell free.
            let ahead = |from: Cell| Space::new(from.offset(dx, dy), sk.body(who).size);
            let victims = Space::new(at[1].1, sk.body(victim).size);
            let waits = ahead(at[0].1).overlaps(victims);
            let order = if waits { [1, 0] } else { [0, 1] };
            // A hidden enemy in the way of either unit is found before either moves.
            let lurks = |(id, from): (Id, Cell)| (id, from.offset(dx, dy));
            for (id, to) in at.map(lurks) {
                if finds::<Skirmish>(sk, who, id, to, &mut outcome) {
                    return outcome;
                }
            }
            for n in order {
                let (who, from) = at[n];
                let to = from.offset(dx, dy);
                outcome.emit("SK-53", EventKind::moved(who, from, to, 5));
                at[n].1 = to;
            }
        }
        outcome
    }
}
