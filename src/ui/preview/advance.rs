//! Move and attack: a click on an enemy out of reach, if the turn allows both.

use super::click::ClickContext;
use crate::{
    battle::{AttackForecast, Choice, Cost, Id, Item, Reach, Shot, Spread, Way},
    content::Weapon,
    grid::{Cell, Space, cells_apart},
    ui::{Selection, Session, shown::Person},
};
use std::cmp::Reverse;

/// A move, and the attack from its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Advance {
    pub way: Way,
    pub attack: AttackForecast,
    pub spread: Spread,
    /// The orders for both, in sequence.
    pub orders: Vec<Choice>,
}

/// Most cells tried of each kind, near and far, the shortest path first.
const MOST: usize = 16;
/// The longest melee reach, in cells.
const NEAR: u16 = 2;

/// The best move and attack: preferably without provoking attacks, then by expected damage and
/// chance to hit, then without throwing the held weapon, then by shorter path. `None` if there is
/// none.
pub(super) fn advance(
    session: &Session,
    selection: &Selection,
    view: &ClickContext,
    enemy: &Person,
) -> Option<Advance> {
    let liked = |item| selection.prefers.is_none_or(|own| own == item);
    advance_with(session, view, (enemy, u16::MAX), &liked)
}

/// The best move to within this many cells of the enemy, and attack with the weapons for which
/// `liked` is true.
fn advance_with(
    session: &Session,
    view: &ClickContext,
    (enemy, within): (&Person, u16),
    liked: &dyn Fn(Item) -> bool,
) -> Option<Advance> {
    if !session.reads.rules.planning.advances || view.armed.is_some() {
        return None;
    }
    let keeps_off = keeps_off(session, view.who);
    let size = session.shown().person(view.who).size;
    let gap = |reach: &Reach| cells_apart(Space::new(reach.cell, size), enemy.space());
    let board = &session.shown().board;
    let sees = |reach: &Reach| {
        let sight = board.sight(Space::new(reach.cell, size), enemy.space());
        sight.cover.is_some()
    };
    let is_near = |r: &&Reach| r.cost == Cost::Plain && gap(r) <= within;
    let mut ends: Vec<&Reach> = view.reach.iter().filter(is_near).collect();
    ends.sort_by_key(|r| (r.feet, r.cell.y, r.cell.x));
    let near = ends.iter().filter(|r| gap(r) <= NEAR).take(MOST);
    let far = ends.iter().filter(|r| gap(r) > NEAR && sees(r)).take(MOST);
    let shots = near.chain(far).filter_map(|end| {
        let way = session.reads.way(view.who, &[], end.cell)?;
        let shot = way.shots.iter().find(|s| s.at == enemy.id && liked(s.with));
        let shot = *shot.filter(|s| s.percent > 0)?;
        let weapon = session.game.weapon(shot.with);
        // A unit that shoots or casts looks for a shot and does not run into melee.
        let suits = !keeps_off || weapon.melee.is_none();
        let is_safe = way.provoked.is_empty();
        let holds = !throws_away(weapon, gap(end));
        let (good, short) = ((shot.worth, shot.percent), Reverse(way.feet));
        Some(((is_safe, suits, good, holds, short), (end.cell, way, shot)))
    });
    let (rank, found) = shots.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    // A unit that can cast does not walk into melee by itself: that takes an explicit order.
    let casts = !session.game.creature(view.who).spells.is_empty();
    if casts && !rank.1 {
        return None;
    }
    strike(session, view, found)
}

/// Whether the unit avoids melee: it casts, or its first weapon only shoots.
fn keeps_off(session: &Session, who: Id) -> bool {
    let creature = session.game.creature(who);
    let first = creature.weapons.first();
    let shoots = first.is_some_and(|w| w.ranged.is_some() && w.melee.is_none());
    shoots || !creature.spells.is_empty()
}

/// Whether an attack over this many cells throws a weapon that is also good for melee.
fn throws_away(weapon: &Weapon, apart: u16) -> bool {
    let reach = weapon.melee.as_ref().map(|melee| melee.reach);
    weapon.ranged.is_some() && reach.is_some_and(|reach| i32::from(apart) * 5 > reach)
}

/// Move and melee in place of a ranged attack on a nearby enemy, if that is worth more and provokes
/// no attack; or of throwing a weapon that is also good for melee, if it is worth as much. `None`
/// if the player chose a weapon.
pub(super) fn rather(
    session: &Session,
    selection: &Selection,
    view: &ClickContext,
    attack: &AttackForecast,
) -> Option<Advance> {
    let enemy = session.shown().person(attack.at);
    let apart = cells_apart(session.shown().person(view.who).space(), enemy.space());
    let weapon = |item| session.game.weapon(item);
    let with = attack.choice.with;
    let is_thrown = with.is_some_and(|item| throws_away(weapon(item), apart));
    if selection.prefers.is_some() || !(2..=NEAR).contains(&apart) && !is_thrown {
        return None;
    }
    let (within, other): (u16, &dyn Fn(Item) -> bool) = match is_thrown {
        true => (1, &|_| true),
        false => (u16::MAX, &|item| with != Some(item)),
    };
    let better = advance_with(session, view, (enemy, within), other)?;
    let is_worth_it = match is_thrown {
        true => better.attack.worth >= attack.worth,
        false => better.attack.worth > attack.worth,
    };
    (better.way.provoked.is_empty() && is_worth_it).then_some(better)
}

/// The attack from the end of a path.
fn strike(
    session: &Session,
    view: &ClickContext,
    (end, way, shot): (Cell, Way, Shot),
) -> Option<Advance> {
    let attacks = session.reads.blows_from((view.who, end), shot.at);
    let is_offered = |blow: &AttackForecast| {
        let mut offers = view.offers.iter();
        offers.any(|o| o.choice.verb == blow.choice.verb)
    };
    let is_it = |b: &AttackForecast| b.choice.with == Some(shot.with) && is_offered(b);
    let attack = attacks.into_iter().find(is_it)?;
    Some(Advance {
        spread: session.reads.spread_from((view.who, end), &attack.choice),
        orders: [&way.orders[..], std::slice::from_ref(&attack.choice)].concat(),
        way,
        attack,
    })
}
