//! What the attacks of one combatant are worth to it.

use super::{Evaluation, HURT, KILL};
use crate::{
    battle::{Attack, Choice, Id, Modifier},
    grid::{Cell, Cover, Space, cells_apart},
    rulesets::{
        common::gear::price_of_throwing,
        skirmish::{
            acts::{SHOOT, THROW},
            odds::{Forecast, UNSEEN},
            sight::HEARING,
        },
    },
};

/// A foe and what its attacks on it are worth, as far as that does not depend
/// on where it stands.
pub(super) struct Target {
    space: Space,
    shots: Vec<Shot>,
    /// Their worth at best.
    most: i32,
}

impl Target {
    /// The worth at best of what goes so many feet, with nothing in the way.
    fn most_at(&self, apart: u16) -> i32 {
        let far = self.shots.iter().filter(|shot| apart <= shot.far);
        let most = |shot: &Shot| {
            if apart <= shot.near {
                shot.most
            } else {
                shot.most_far
            }
        };
        far.map(most).max().unwrap_or(0)
    }
}

/// One of its weapons against one foe.
struct Shot {
    ranged: bool,
    /// Feet: reach, or normal and long range.
    near: u16,
    far: u16,
    both_hands: bool,
    /// Faces of the d20 that hit in the open, perhaps below 0 or over 20.
    hits: i32,
    /// Worth of a hit, of a miss, each a twentieth.
    hit: i32,
    miss: i32,
    /// Worth at best, near and far.
    most: i32,
    most_far: i32,
}

impl Shot {
    /// What it is worth when so many faces of the d20 hit.
    fn worth(&self, hits: i32) -> i32 {
        let hits = hits.clamp(0, 20);
        hits * self.hit + (20 - hits) * self.miss
    }
}

/// Faces of the d20 that long range costs (SK-31).
const LONG: i32 = 2;

impl Evaluation<'_, '_, '_> {
    /// Its foes as targets, the most worthwhile first.
    fn targets(&self) -> &[Target] {
        self.targets.get_or_init(|| {
            let target = |&foe: &Id| {
                let shots = self.shots_at(foe);
                Target {
                    space: self.sk.body(foe).space(),
                    most: shots.iter().map(|shot| shot.most).max().unwrap_or(0),
                    shots,
                }
            };
            let mut targets: Vec<Target> = self.foes.iter().map(target).collect();
            targets.sort_by_key(|target| -target.most);
            targets
        })
    }

    fn shots_at(&self, foe: Id) -> Vec<Shot> {
        let (sk, who) = (self.sk, self.who);
        let mut out = vec![];
        for with in sk.gear(who).at_hand() {
            let weapon = sk.weapon(with);
            for ranged in [false, true] {
                let span = if ranged {
                    let feet = |n: i32| n.clamp(0, 30_000) as u16;
                    weapon
                        .ranged
                        .as_ref()
                        .map(|r| (feet(r.normal), feet(r.long)))
                } else {
                    sk.reach(who, with).map(|reach| (reach, reach))
                };
                let Some((mut near, mut far)) = span else {
                    continue;
                };
                if sk.free_to_use(who, with, ranged).is_err() {
                    continue;
                }
                let attack = Attack {
                    by: who,
                    at: foe,
                    with,
                    ranged,
                    rule: "SK-10",
                    extra: vec![],
                };
                let plain = sk.plain_forecast(&attack);
                let (mut hit, mut miss) = worth(&plain);
                let mut hits = 21 - plain.needs();
                if ranged && !sk.is_loaded(who, with) {
                    // It has to be loaded first.
                    (hit, miss) = (hit / 2, miss / 2);
                }
                if ranged && sk.is_veiled(foe) {
                    hits += i32::from(UNSEEN);
                    if !sk.is_heard(foe, sk.body(who).side) {
                        // Who goes near enough hears it.
                        (near, far) = (near.min(HEARING), far.min(HEARING));
                    }
                }
                let mut shot = Shot {
                    ranged,
                    near,
                    far,
                    both_hands: weapon.needs_two_hands_to_shoot(),
                    hits,
                    hit,
                    miss,
                    most: 0,
                    most_far: 0,
                };
                shot.most = shot.worth(shot.hits);
                shot.most_far = shot.worth(shot.hits - LONG);
                out.push(shot);
            }
        }
        out
    }

    /// What an attack is worth as things stand.
    pub(super) fn attack(&self, choice: &Choice, extra: Vec<Modifier>) -> i32 {
        let (Some(at), Some(with)) = (choice.at, choice.with) else {
            return 0;
        };
        let ranged = choice.verb == &SHOOT || choice.verb == &THROW;
        let attack = Attack {
            by: self.who,
            at,
            with,
            ranged,
            rule: choice.verb.rule,
            extra,
        };
        self.sk.forecast(&attack).map_or(0, |f| {
            let (hit, miss) = worth(&f);
            let hits = f.hit().favourable as i32;
            // What meets a screen instead is worth half as much.
            let percent = (100 + f.pass.percent() as i32) / 2;
            let price = price_of_throwing(&self.sk.view, &attack);
            (hits * hit + (20 - hits) * miss) * percent / 100 - price
        })
    }

    /// The best attack from a cell.
    pub(super) fn offense(&self, from: Cell) -> i32 {
        let board = &self.sk.view.board;
        let here = self.space(from);
        let mut best = 0;
        for target in self.targets() {
            // The others are worth no more than this one.
            if target.most <= best {
                break;
            }
            let apart = cells_apart(here, target.space) * 5;
            if target.most_at(apart) <= best {
                continue;
            }
            let sight = board.sight(here, target.space);
            if !sight.los {
                continue;
            }
            let cover = match sight.cover {
                Some(Cover::Half) => -2,
                Some(Cover::Full) => -4,
                _ => 0,
            };
            let within = |feet: u16| apart <= feet && board.within(here, target.space, feet);
            for shot in &target.shots {
                // Nothing that it could do here beats what it has: no need to look.
                if shot.most <= best || !within(shot.far) {
                    continue;
                }
                let mut hits = shot.hits + cover;
                if shot.ranged {
                    if self.is_threatened(from) {
                        if shot.both_hands {
                            continue;
                        }
                        hits -= 4;
                    }
                    if !within(shot.near) {
                        hits -= LONG;
                    }
                }
                best = best.max(shot.worth(hits));
            }
        }
        best
    }

    /// What the best attack from a cell is worth at most: nobody has looked
    /// whether anything is in the way.
    pub(super) fn offense_at_most(&self, from: Cell) -> i32 {
        let here = self.space(from);
        let mut best = 0;
        for target in self.targets() {
            // The others are worth no more than this one.
            if target.most <= best {
                break;
            }
            best = best.max(target.most_at(cells_apart(here, target.space) * 5));
        }
        best
    }

    /// A foe, an attacker in melee, would have it in reach there (SK-11).
    pub(super) fn is_threatened(&self, at: Cell) -> bool {
        let threats = self.threats.get_or_init(|| {
            let threat =
                |&foe: &Id| Some((self.sk.body(foe).space(), self.sk.hindering_reach(foe)?));
            self.foes.iter().filter_map(threat).collect()
        });
        let (board, here) = (&self.sk.view.board, self.space(at));
        let reaches = |&(foe, feet): &(Space, u16)| board.in_reach(foe, here, feet);
        threats.iter().any(reaches)
    }
}

/// What a hit and a miss are worth, a twentieth of each.
pub(super) fn worth(f: &Forecast) -> (i32, i32) {
    let hp = f.hp.max(1);
    let mean = (f.damage.mean_by_ten()).min(hp * 10);
    let drop = f.damage.at_least(hp);
    let kill = (KILL * drop.favourable as i32)
        .checked_div(drop.of as i32)
        .unwrap_or(0);
    let hit = mean * HURT / 10 / hp + kill;
    let shock = f.shock.points();
    let miss = shock.min(hp) * HURT / hp + if shock >= hp { KILL } else { 0 };
    (hit / 20, miss / 20)
}
