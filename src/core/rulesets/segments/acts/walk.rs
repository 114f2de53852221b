//! Moving (SE-51), fleeing and withdrawing from melee (SE-52), charging (SE-51).

use super::{Begun, draw, row::*, spend_routine, strike};
use crate::grid::{Range, Reached, Space, cells_apart};
use crate::rulesets::common::attacks;
use crate::rulesets::segments::{
    movement::{self, Pace},
    reactions::Arrival,
};
use std::sync::Arc;

verbs! {
    MOVE = "move", "move to {to}", "moves to {to}", "SE-51";
    /// Leaves melee at half speed, facing the enemy.
    WITHDRAW = "withdraw", "withdraw to {to}", "withdraws to {to}", "SE-52";
}

pub static CHARGE: Action = attacks::charge("SE-51");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CHARGE: 'c' "Charge" Charge, "Up to double move, +2 to hit, AC 1 worse this round; once every ten rounds.",
            Chances::Attack(|se, choice| Some(specs(se, choice, choice.to?))), |eval, offer| eval.charge(&offer.choice).unwrap_or(NEVER);
        MOVE: no button,
            Chances::None, worth_of_move, moving;
        WITHDRAW: 'f' "Withdraw" Disengage, "Leave melee at half speed; provokes no attacks.",
            Chances::None, worth_of_move, moving;
    },
    when: When::Goes(into),
    offers,
    begin,
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    let charge = can_charge(se, who);
    let go = can_go(se, who);
    // One search serves both, because a unit cannot charge out of melee.
    let far = if charge.is_ok() { 2 } else { 1 };
    let range = (charge.is_ok() || go.is_ok()).then(|| se.range(who, se.view.speed(who) * far));
    let no = |verb, why: &Why| Offer::not(Choice::new(verb, who), why.clone());
    match (&charge, &range) {
        (Ok(()), Some(range)) => charges(se, who, range, out),
        (Err(why), _) => out.push(no(&CHARGE, why)),
        _ => {}
    }
    match (&go, &range) {
        (Ok(()), Some(range)) => {
            ends(se, who, range, &MOVE, out);
            if se.is_engaged(who) {
                let slow = se.quiet_range(who, se.view.speed(who) / 2);
                ends(se, who, &slow, &WITHDRAW, out);
            } else {
                let why = Why::new("SE-52", "no adjacent enemy");
                out.push(Offer::not(Choice::new(&WITHDRAW, who), why));
            }
        }
        (Err(why), _) => out.push(no(&MOVE, why)),
        _ => {}
    }
}

/// Whether the unit's declaration allows a move and it is not prone.
pub fn can_go(se: &SegmentsQuery, who: Id) -> Result<(), Why> {
    se.may(who, DeclaredKind::Move)?;
    Why::of_actor("SE-51", "must stand up first").when(se.body(who).prone)
}

pub fn can_move_now(se: &SegmentsQuery, who: Id) -> Result<(), Why> {
    let f = se.fighter(who);
    let is_its_time = f.due > 0 && f.due == se.clock.segment && f.casting.is_none();
    Why::of_actor("SE-01", "does not act in this segment")
        .unless(is_its_time && se.can_act(who))?;
    can_go(se, who)
}

/// Adds an offer with every cell at which a move may end.
fn ends(se: &SegmentsQuery, who: Id, range: &Range, verb: &'static Action, out: &mut Vec<Offer>) {
    let here = se.body(who).at;
    let speed = se.view.speed(who);
    let may = |end: &Reached| end.may_stop && end.cell != here && end.feet <= speed;
    let ends = range.cells().filter(may);
    out.push(Offer::to_some(Choice::new(verb, who), ends, "SE-51"));
}

/// SE-51: once every ten rounds, not while prone, and not out of melee.
pub fn can_charge(se: &SegmentsQuery, who: Id) -> Result<(), Why> {
    se.may(who, DeclaredKind::Charge)?;
    Why::of_actor("SE-51", "has charged in the last 10 rounds").unless(has_a_charge(se, who))?;
    Why::of_actor("SE-51", "must stand up first").when(se.body(who).prone)?;
    Why::new("SE-51", "an enemy is adjacent").when(se.is_engaged(who))
}

/// Whether the unit's last charge is at least ten rounds ago.
pub fn has_a_charge(se: &SegmentsQuery, who: Id) -> bool {
    let last = se.fighter(who).charged;
    last.is_none_or(|last| se.clock.round >= last + numbers::CHARGE_ROUNDS)
}

/// For each enemy and weapon, offers the nearest cell to attack from, beyond the minimum charge
/// distance.
fn charges(se: &SegmentsQuery, who: Id, range: &Range, out: &mut Vec<Offer>) {
    let before = out.len();
    let openers = se.openers(who);
    for enemy in se.view.enemies(se.body(who).side) {
        for &item in &openers {
            if at_hand(se, who, item).is_err() {
                continue;
            }
            let best = charge_end(se, who, enemy, item, range, numbers::RUN_UP);
            if let Some(end) = best {
                let choice = Choice::new(&CHARGE, who).at(enemy).with(item).to(end.cell);
                out.push(Offer::legal(choice).priced(end.feet, 0));
            }
        }
    }
    if out.len() == before {
        let why = Why::new("SE-51", "no enemy is within charge range");
        out.push(Offer::not(Choice::new(&CHARGE, who), why));
    }
}

/// The nearest cell from which the unit can attack an enemy, at least `least` feet away. `None` if
/// there is none.
pub fn charge_end(
    se: &SegmentsQuery,
    who: Id,
    enemy: Id,
    item: Item,
    range: &Range,
    least: u16,
) -> Option<Reached> {
    let reach = se.reach(who, item)?;
    let (size, there) = (se.body(who).size, se.body(enemy).space());
    let spec = AttackSpec::new(who, enemy, item, false, "SE-51");
    let strikes = |end: &Reached| se.legal_attack(&spec.attack, end.cell).is_ok();
    nearest_end(range, size, there, (reach, least), strikes)
}

/// The nearest cell for a charge at a target in `there`, checking only reach and walls. `None` if
/// there is none.
pub fn charge_end_at(
    se: &SegmentsQuery,
    who: Id,
    there: Space,
    reach: u16,
    range: &Range,
) -> Option<Cell> {
    let (board, size) = (&se.view.board, se.body(who).size);
    let strikes = |end: &Reached| board.in_reach(Space::new(end.cell, size), there, reach);
    let end = nearest_end(range, size, there, (reach, numbers::RUN_UP), strikes);
    end.map(|end| end.cell)
}

fn nearest_end(
    range: &Range,
    size: u8,
    there: Space,
    (reach, least): (u16, u16),
    strikes: impl Fn(&Reached) -> bool,
) -> Option<Reached> {
    let around = there.and_around(reach / 5 + u16::from(size) - 1);
    let ends = around.filter_map(|cell| range.get(cell)).filter(|end| {
        let near = cells_apart(Space::new(end.cell, size), there) * 5 <= reach;
        near && end.may_stop && end.feet >= least && strikes(end)
    });
    ends.min_by_key(|end| (end.feet, end.cell))
}

/// Whether the unit could attack an enemy from where it stands, or why not.
pub fn can_strike(se: &SegmentsQuery, who: Id, enemy: Id, with: Item) -> Result<(), Why> {
    let spec = AttackSpec::new(who, enemy, with, false, "SE-51");
    se.can_attack(&spec.attack)
}

/// The attacks at the end of the move: none unless it is a charge.
fn into(se: &SegmentsQuery, choice: &Choice) -> Vec<AttackSpec> {
    let end = choice.to.filter(|_| choice.verb == &CHARGE);
    end.map_or(vec![], |to| specs(se, choice, to))
}

/// The routine of a charge that ends at `from`.
pub fn specs(se: &SegmentsQuery, choice: &Choice, from: Cell) -> Vec<AttackSpec> {
    let specs = strike::routine(se, choice, from);
    let charging = |spec: AttackSpec| spec.plus(numbers::CHARGE_BONUS, "charge", "SE-51");
    specs.into_iter().map(charging).collect()
}

fn begin(se: &SegmentsQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    let to = choice.to.expect("a move has an end");
    if choice.verb == &CHARGE {
        let at = choice.at.expect("a charge has a target");
        let with = choice.with.expect("a charge has a weapon");
        let path = way(&se.range(who, se.feet(who, Pace::Charge)), to);
        let mut outcome = spend_routine(se, choice);
        outcome.emit("SE-51", SegmentsEvent::Charged { who });
        draw(se, who, with, &mut outcome);
        return Begun {
            movers: vec![movement::charger(se, who, path, at, with)],
            actions: vec![Box::new(Arrival { by: who, at, with })],
            ..outcome.into()
        };
    }
    let (pace, strikers) = match choice.verb == &WITHDRAW {
        true => (Pace::Withdraw, 0),
        false => (Pace::Move, se.strikers(who)),
    };
    let occupancy = || se.occupancy(who, strikers);
    let range = || se.view.range(who, occupancy(), se.feet(who, pace));
    let path = choice.path_or(|| way(&range(), to));
    Begun {
        movers: vec![movement::mover(who, pace, path, strikers)],
        ..spend(choice).into()
    }
}

fn way(range: &Range, to: Cell) -> Vec<Cell> {
    range.path(to).into_iter().skip(1).collect()
}

impl SegmentsQuery<'_, '_> {
    /// The cells within this many feet, with the cost of each path and the attacks it provokes
    /// (GR-33, SE-52).
    pub fn range(&self, who: Id, feet: u16) -> Arc<Range> {
        let occupancy = self.occupancy(who, self.strikers(who));
        self.view.range(who, occupancy, feet)
    }

    /// The cells within this many feet for a move that provokes no attacks.
    pub fn quiet_range(&self, who: Id, feet: u16) -> Arc<Range> {
        self.view.range(who, self.occupancy(who, 0), feet)
    }
}
