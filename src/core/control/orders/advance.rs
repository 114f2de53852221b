//! Moving up to an enemy and attacking it, if the turn allows both.

use crate::{
    battle::{
        AttackForecast, Body, Choice, Cost, CreatureRef, Id, Item, Map, Offer, Reach, Roster,
        Ruleset, Spread, Way, of_unit, standing_at,
    },
    content::Weapon,
    control::exchange,
    grid::{Space, cells_apart},
};
use bevy_ecs::world::World;
use std::cmp::Reverse;

/// The most destination cells of each kind, near and far, that are checked for an attack after a
/// move, nearest first.
pub(super) const MAX_ENDS: usize = 16;
/// The longest melee reach in cells.
pub(super) const NEAR: u16 = 2;

/// A move, and the attack from its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Advance {
    pub way: Way,
    pub attack: AttackForecast,
    pub spread: Spread,
    /// The orders for both, in sequence.
    pub orders: Vec<Choice>,
}

/// A unit on its turn, and the enemy that it may move up to.
pub struct Approach<'a> {
    pub rules: &'a Ruleset,
    pub who: Id,
    pub enemy: Id,
    /// The cells that it can move to.
    pub reach: &'a [Reach],
    pub offers: &'a [Offer],
}

impl Approach<'_> {
    /// The best move and attack, by default with any weapon: preferably without provoking attacks,
    /// then by expected damage and chance to hit, then without throwing the held weapon, then by
    /// shorter path.
    pub fn best(&self, known: &mut World, with: Option<Item>) -> Option<Advance> {
        self.best_within(known, u16::MAX, &|item| with.is_none_or(|own| own == item))
    }

    /// Move and melee in place of a ranged attack on a nearby enemy, if that is worth more and
    /// provokes no attack; or of throwing a weapon that is also good for melee, if it is worth as
    /// much.
    pub fn instead_of(&self, known: &mut World, attack: &AttackForecast) -> Option<Advance> {
        let space = |id: Id| of_unit::<Body>(known, id).space();
        let apart = cells_apart(space(self.who), space(self.enemy));
        let with = attack.choice.with;
        let is_thrown = with.is_some_and(|item| throws_away(weapon(known, item), apart));
        if !(2..=NEAR).contains(&apart) && !is_thrown {
            return None;
        }
        let better = match is_thrown {
            true => self.best_within(known, 1, &|_| true),
            false => self.best_within(known, u16::MAX, &|item| with != Some(item)),
        };
        let least = attack.worth + i32::from(!is_thrown);
        better.filter(|to| to.way.provoked.is_empty() && to.attack.worth >= least)
    }

    /// The best move to within this many cells of the enemy, and attack with a liked weapon.
    fn best_within(
        &self,
        known: &mut World,
        within: u16,
        liked: &dyn Fn(Item) -> bool,
    ) -> Option<Advance> {
        if !self.rules.planning.advances {
            return None;
        }
        let creature = &of_unit::<CreatureRef>(known, self.who).creature;
        let (casts, first) = (!creature.spells.is_empty(), creature.weapons.first());
        let shoots = first.is_some_and(|w| w.ranged.is_some() && w.melee.is_none());
        // A unit that casts or whose first weapon only shoots avoids melee.
        let keeps_off = casts || shoots;
        let size = of_unit::<Body>(known, self.who).size;
        let there = of_unit::<Body>(known, self.enemy).space();
        let from = |end: &Reach| Space::new(end.cell, size);
        let gap = |end: &Reach| cells_apart(from(end), there);
        let board = known.resource::<Map>();
        let sees = |end: &Reach| board.sight(from(end), there).cover.is_some();
        let is_near = |end: &&Reach| end.cost == Cost::Plain && gap(end) <= within;
        let mut ends: Vec<&Reach> = self.reach.iter().filter(is_near).collect();
        ends.sort_by_key(|end| (end.feet, end.cell.y, end.cell.x));
        let near = ends.iter().filter(|end| gap(end) <= NEAR);
        let far = ends.iter().filter(|end| gap(end) > NEAR && sees(end));
        let ends = near.take(MAX_ENDS).chain(far.take(MAX_ENDS)).copied();
        let ends: Vec<&Reach> = ends.collect();
        let shots = ends.into_iter().filter_map(|end| {
            let way = (self.rules.forecasting.way)(known, self.who, &[], end.cell)?;
            let mut shots = way.shots.iter();
            let shot = shots.find(|shot| shot.at == self.enemy && liked(shot.with));
            let shot = *shot.filter(|shot| shot.percent > 0)?;
            let weapon = weapon(known, shot.with);
            // A unit that shoots or casts looks for a shot and does not run into melee.
            let suits = !keeps_off || weapon.melee.is_none();
            let is_safe = way.provoked.is_empty();
            let holds = !throws_away(weapon, gap(end));
            let (good, short) = ((shot.worth, shot.percent), Reverse(way.feet));
            let rank = (is_safe, suits, good, holds, short);
            Some((rank, (end.cell, way, shot.with)))
        });
        let best = shots.reduce(|best, next| if next.0 > best.0 { next } else { best });
        // A unit that can cast does not walk into melee by itself: that takes an explicit order.
        let (_, (end, way, with)) = best.filter(|(rank, _)| !casts || rank.1)?;
        standing_at(known, self.who, end, |known| {
            let attacks = exchange::attacks(self.rules, known, self.who, self.enemy);
            let is_offered = |attack: &AttackForecast| {
                let mut offers = self.offers.iter();
                offers.any(|offer| offer.choice.verb == attack.choice.verb)
            };
            let is_it = |a: &AttackForecast| a.choice.with == Some(with) && is_offered(a);
            let attack = attacks.into_iter().find(is_it)?;
            Some(Advance {
                spread: (self.rules.forecasting.spread)(known, &attack.choice),
                orders: [&way.orders[..], std::slice::from_ref(&attack.choice)].concat(),
                way,
                attack,
            })
        })
    }
}

fn weapon(known: &World, item: Item) -> &Weapon {
    known.resource::<Roster>().stock.weapon(item)
}

/// Whether an attack over this many cells throws a weapon that is also good for melee.
fn throws_away(weapon: &Weapon, apart: u16) -> bool {
    let reach = weapon.melee.as_ref().map(|melee| melee.reach);
    weapon.ranged.is_some() && reach.is_some_and(|reach| i32::from(apart) * 5 > reach)
}
