//! What items and parleys are worth (SK-20 to SK-23).

use super::super::{acts::parley, end_checks::fails_at};
use super::{
    Evaluation, KILL,
    acts::{attack, value},
};
use crate::{
    battle::{Id, Item, Offer},
    rulesets::common::inventory::worthwhile_gain,
};

/// Worth of holding a weapon when enemies are near and nothing better is left to do.
const ON_GUARD: i32 = 15;

impl Evaluation<'_, '_, '_> {
    /// The score of an action at the current cell by its gain. Without a gain, it is never taken.
    pub fn gain(&self, worth: i32) -> i32 {
        self.staying(Some(worth).filter(|&worth| worth > 0))
    }

    /// The score of an offer with an item, whose worth is `worth`.
    pub fn item_worth(&self, offer: &Offer, worth: impl Fn(&Self, Item) -> i32) -> i32 {
        self.gain(offer.choice.with.map_or(0, |item| worth(self, item)))
    }

    /// The worth of a call to parley: an enemy that flees counts almost like a kill, if it has an
    /// exit to flee to. Surprise is worth more: a call that would alarm unaware units gains nothing.
    pub fn parley(&self) -> i32 {
        let (sk, who) = (self.state, self.who);
        if !parley::alarmed(sk, who).is_empty() {
            return 0;
        }
        let check = parley::check(sk, who);
        let mut worth = 0;
        for (side, score) in parley::sides(sk, who) {
            let wins = check.odds(score + 1).percent() as i32;
            for enemy in sk.view.standing(side) {
                let creature = sk.view.creature(enemy);
                let flees = creature.morale.map_or(0, breaks);
                if flees > 0 && !sk.body(enemy).flees && sk.view.exits(enemy).next().is_some() {
                    worth += KILL * 4 / 5 * wins * flees / 10_000;
                }
            }
        }
        worth - self.provocation_cost()
    }

    /// The worth of reloading: half of the shot, which is still to be made.
    pub fn reload(&self, item: Item) -> i32 {
        let sk = self.state;
        if self.is_hindered_at(self.here) && sk.weapon(item).needs_two_hands_to_shoot() {
            return 0;
        }
        let enemies = self.view.enemies(self.side());
        let best = enemies.map(|enemy| self.shot(enemy, item)).max();
        best.unwrap_or(0) / 2
    }

    /// The worth of a shot at an enemy, if the weapon were loaded.
    fn shot(&self, enemy: Id, with: Item) -> i32 {
        let (sk, who) = (self.state, self.who);
        let Some(ranged) = &sk.weapon(with).ranged else {
            return 0;
        };
        let far = ranged.long.clamp(0, 30_000) as u16;
        let (here, there) = (sk.body(who).space(), sk.body(enemy).space());
        if !sk.view.within(who, enemy, far) || !sk.view.board.sight(here, there).los {
            return 0;
        }
        value(&sk.unobstructed_forecast(&attack(who, enemy, with, true)))
    }

    /// The worth of picking up an item: only for units with no weapon, or a much worse one.
    pub fn pick_up(&self, item: Item) -> i32 {
        self.worth_of(item) - self.provocation_cost()
    }

    /// The worth of readying an item from the pack: as picking up, but not in danger.
    pub fn ready(&self, item: Item) -> i32 {
        match self.danger(self.here) > 0 {
            true => 0,
            false => self.worth_of(item),
        }
    }

    /// The worth of having a weapon that is better than those ready to use.
    fn worth_of(&self, item: Item) -> i32 {
        worthwhile_gain(self.view, self.who, item).map_or(0, |gain| gain * 15)
    }

    /// The worth of drawing a melee weapon, so that enemies can't walk past.
    pub fn on_guard(&self, item: Item) -> i32 {
        let sk = self.state;
        let free = sk.fighter(self.who).draws == 0;
        let is_melee = sk.weapon(item).arms_for_melee();
        let armed = sk.threat_reach(self.who).is_some();
        let spent = sk.fighter(self.who).mains == 0;
        let is_near = |&enemy: &Id| self.feet_to(sk.body(enemy).space()) <= 10;
        let draws = free && is_melee && !armed && spent;
        let pays = draws && self.enemies.iter().any(is_near);
        if pays { ON_GUARD } else { 0 }
    }
}

/// The percent chance that a morale check fails.
fn breaks(score: i32) -> i32 {
    let odds = fails_at(score);
    (odds.favourable * 100 / odds.of) as i32
}
