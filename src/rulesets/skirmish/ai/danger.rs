//! What the foes of one combatant could do to it.

use super::{Evaluation, OWN_LIFE};
use crate::{
    battle::{Attack, Id},
    grid::{Cell, Cover, Space, cells_apart},
};

/// A foe as a danger: what its best attack does to this one on average.
pub(super) struct Danger {
    foe: Id,
    pub space: Space,
    /// Feet that it can come and strike in a turn.
    pub strike: u16,
    /// Worth lost to its best attack in melee, and from afar.
    melee: i32,
    ranged: i32,
    pub range: u16,
    /// Comrades whom it could attack as well, in melee and from afar: it has
    /// one attack for all of them.
    others: (i32, i32),
}

impl Evaluation<'_, '_, '_> {
    pub(super) fn dangers(&self) -> &[Danger] {
        let foes = || self.foes.iter().map(|&foe| self.danger_of(foe));
        self.dangers.get_or_init(|| foes().collect())
    }

    fn danger_of(&self, foe: Id) -> Danger {
        let (sk, who) = (self.sk, self.who);
        let mut danger = Danger {
            foe,
            space: sk.body(foe).space(),
            strike: 0,
            melee: 0,
            ranged: 0,
            range: 0,
            others: (0, 0),
        };
        if sk.is_helpless(foe) {
            return danger;
        }
        let hp = sk.body(who).hp.max(1);
        // Who suspects nothing is no danger yet.
        if sk.is_unaware(foe) {
            return danger;
        }
        let speed = sk.free_to_move(foe).map_or(0, |()| sk.speed(foe));
        for with in sk.gear(foe).at_hand() {
            let weapon = sk.weapon(with);
            for ranged in [false, true] {
                let attack = Attack {
                    by: foe,
                    at: who,
                    with,
                    ranged,
                    rule: "SK-10",
                    extra: vec![],
                };
                if ranged && weapon.ranged.is_none()
                    || !ranged && weapon.melee.is_none()
                    || sk.free_to_use(foe, with, ranged).is_err()
                {
                    continue;
                }
                let plain = sk.plain_forecast(&attack);
                let loss = plain.expected_by_200() * OWN_LIFE / 200 / hp;
                if ranged {
                    danger.ranged = danger.ranged.max(loss);
                    let far = weapon
                        .ranged
                        .as_ref()
                        .map_or(0, |r| r.long.clamp(0, 30_000) as u16);
                    danger.range = danger.range.max(far);
                } else {
                    danger.melee = danger.melee.max(loss);
                    let reach = sk.reach(foe, with).unwrap_or(5);
                    danger.strike = danger.strike.max(speed + reach);
                }
            }
        }
        danger.others = self.others_before(&danger);
        danger
    }

    /// Comrades whom a foe could come and strike, and whom it could shoot at.
    fn others_before(&self, foe: &Danger) -> (i32, i32) {
        let sk = self.sk;
        let mut others = (0, 0);
        for id in sk.view.standing(sk.body(self.who).side) {
            let there = sk.body(id).space();
            let far = cells_apart(foe.space, there) * 5;
            if id == self.who || foe.melee == 0 && foe.ranged == 0 {
                continue;
            }
            others.0 += i32::from(far <= foe.strike);
            let in_sight = || sk.view.board.sight(foe.space, there).los;
            others.1 += i32::from(foe.ranged > 0 && far <= foe.range && in_sight());
        }
        others
    }

    /// What the foes could do to it there until its next turn.
    pub(super) fn danger(&self, at: Cell) -> i32 {
        let board = &self.sk.view.board;
        let here = self.space(at);
        let danger = |foe: &Danger| {
            let far = cells_apart(foe.space, here) * 5;
            let melee = if far <= foe.strike {
                shared(foe.melee, foe.others.0)
            } else {
                0
            };
            let from_afar = shared(foe.ranged, foe.others.1);
            if from_afar <= melee || far > foe.range {
                return melee;
            }
            let sight = board.sight(foe.space, here);
            let ranged = match (sight.los, sight.cover) {
                (false, _) => 0,
                (_, Some(Cover::Half)) => from_afar * 7 / 10,
                (_, Some(Cover::Full)) => from_afar * 4 / 10,
                _ => from_afar,
            };
            melee.max(ranged)
        };
        self.dangers().iter().map(danger).sum()
    }

    /// The part of it that does not ask who sees whom: the danger is no less.
    pub(super) fn danger_in_melee(&self, at: Cell) -> i32 {
        let here = self.space(at);
        let near = |foe: &&Danger| foe.melee > 0 && cells_apart(foe.space, here) * 5 <= foe.strike;
        let dangers = self.dangers().iter().filter(near);
        dangers.map(|foe| shared(foe.melee, foe.others.0)).sum()
    }

    /// What the attacks of those to whom it gives an opening may cost it.
    pub(super) fn opening(&self, foes: impl Iterator<Item = Id>) -> i32 {
        let cost = |foe: Id| {
            self.dangers()
                .iter()
                .find(|d| d.foe == foe)
                .map_or(0, |d| d.melee)
        };
        foes.map(cost).sum()
    }
}

/// What of a danger is left to one that shares it with so many others: a foe
/// attacks one of them, and not always this one.
fn shared(danger: i32, others: i32) -> i32 {
    danger * 3 / (3 + others)
}
