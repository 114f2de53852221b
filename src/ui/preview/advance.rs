//! To go somewhere and strike from there: what a click on a foe out of reach
//! means, where the turn has room for both.

use super::click::View;
use crate::control::exchange::Exchange;
use crate::{
    battle::{AttackForecast, Choice, Cost, Id, Item, Reach, Spread, Way},
    grid::{Space, cells_apart},
    ui::{Selection, Session, shown::Person},
};
use std::cmp::Reverse;

/// A move, and the attack that is made where it ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Advance {
    pub way: Way,
    pub blow: AttackForecast,
    pub spread: Spread,
    /// The whole of it, to be given one after the other.
    pub orders: Vec<Choice>,
}

impl Advance {
    /// What lies between the two where it ends.
    pub fn exchange(&self) -> Exchange {
        let shot = self.way.shots.iter().find(|s| s.at == self.blow.at);
        Exchange {
            foe: self.blow.at,
            gives: shot.copied(),
            takes: None,
        }
    }
}

/// The most ends of each kind that are looked at, the nearest first.
const MOST: usize = 16;
/// Whoever has the longest arms strikes over so many cells.
const NEAR: u16 = 2;

/// The best that could be done so: rather without an attack in passing, then by
/// the chance to hit, then by the shorter way.
pub(super) fn advance(
    session: &Session,
    selection: &Selection,
    view: &View,
    foe: &Person,
) -> Option<Advance> {
    let liked = |item| selection.prefers.is_none_or(|own| own == item);
    advance_with(session, view, foe, &liked)
}

/// The same with such weapons only.
fn advance_with(
    session: &Session,
    view: &View,
    foe: &Person,
    liked: &dyn Fn(Item) -> bool,
) -> Option<Advance> {
    if !session.reads.rules.planning.advances || view.armed.is_some() {
        return None;
    }
    let keeps_off = keeps_off(session, view.who);
    let size = session.shown().person(view.who).size;
    let gap = |reach: &Reach| cells_apart(Space::new(reach.cell, size), foe.space());
    let board = &session.shown().board;
    let sees = |reach: &Reach| {
        let sight = board.sight(Space::new(reach.cell, size), foe.space());
        sight.cover.is_some()
    };
    let mut ends: Vec<&Reach> = view
        .reach
        .iter()
        .filter(|r| r.cost == Cost::Plain)
        .collect();
    ends.sort_by_key(|r| (r.feet, r.cell.y, r.cell.x));
    let near = ends.iter().filter(|r| gap(r) <= NEAR).take(MOST);
    let far = ends.iter().filter(|r| gap(r) > NEAR && sees(r)).take(MOST);
    let shots = near.chain(far).filter_map(|end| {
        let way = session.reads.way(view.who, &[], end.cell)?;
        let shot = way.shots.iter().find(|s| s.at == foe.id && liked(s.with));
        let percent = shot.filter(|s| s.percent > 0)?.percent;
        // Who shoots or casts looks for a shot, and does not run into a melee.
        let is_shot = session.game.weapon(shot?.with).melee.is_none();
        let suits = !keeps_off || is_shot;
        let rank = (way.provoked.is_empty(), suits, percent, Reverse(way.feet));
        Some((rank, way))
    });
    let (rank, way) = shots.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    // Nobody swings a staff who could cast: to go near is theirs to say.
    let casts = !session.game.creature(view.who).spells.is_empty();
    if casts && !rank.1 {
        return None;
    }
    strike(session, view, way, foe.id, liked)
}

/// A unit that is no fighter at close quarters: it casts, or its first weapon only shoots.
fn keeps_off(session: &Session, who: Id) -> bool {
    let creature = session.game.creature(who);
    let first = creature.weapons.first();
    let shoots = first.is_some_and(|w| w.ranged.is_some() && w.melee.is_none());
    shoots || !creature.spells.is_empty()
}

/// Rather up to a foe close by than shot or thrown at it from here, where that
/// promises more and nobody strikes on the way. Who has chosen a weapon means it.
pub(super) fn rather(
    session: &Session,
    selection: &Selection,
    view: &View,
    blow: &AttackForecast,
) -> Option<Advance> {
    let foe = session.shown().person(blow.at);
    let apart = cells_apart(session.shown().person(view.who).space(), foe.space());
    if selection.prefers.is_some() || !(2..=NEAR).contains(&apart) {
        return None;
    }
    let other = |item| blow.choice.with != Some(item);
    let better = advance_with(session, view, foe, &other)?;
    (better.way.provoked.is_empty() && better.blow.worth > blow.worth).then_some(better)
}

/// The attack that is made at the end of a way.
fn strike(
    session: &Session,
    view: &View,
    way: Way,
    at: Id,
    liked: &dyn Fn(Item) -> bool,
) -> Option<Advance> {
    let end = *way.path.last()?;
    let shot = *way.shots.iter().find(|s| s.at == at && liked(s.with))?;
    let blows = session.reads.blows_from((view.who, end), at);
    let is_offered = |blow: &AttackForecast| {
        view.offers
            .iter()
            .any(|o| o.choice.verb == blow.choice.verb)
    };
    let blow = blows
        .into_iter()
        .find(|b| b.choice.with == Some(shot.with) && is_offered(b))?;
    let spread = session.reads.spread_from((view.who, end), &blow.choice);
    let mut orders = way.orders.clone();
    orders.push(blow.choice.clone());
    Some(Advance {
        way,
        blow,
        spread,
        orders,
    })
}
