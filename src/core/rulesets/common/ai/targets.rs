//! What the attacks of one combatant are worth to it.

use super::{Evaluation, HURT, KILL, QuickAi, State, memory::Memory};
use crate::{
    battle::{Id, Item},
    grid::{Cell, Cover, Space, cells_apart},
    rulesets::common::damage::Damage,
};
use std::{cmp::Reverse, ops::Deref, sync::Arc};

/// A foe and what its attacks on it are worth, as far as that does not depend
/// on where it stands.
pub struct Target {
    pub id: Id,
    pub space: Space,
    pub arms: Arc<Arms>,
}

/// What one combatant can use against another.
#[derive(PartialEq, Debug)]
pub struct Arms {
    all: Vec<Arm>,
    /// Their worth at best.
    most: i32,
    /// For so many feet what those do at best that go as far, with nothing in
    /// the way; the farthest last.
    within: Vec<(u16, i32)>,
}

impl Deref for Arms {
    type Target = [Arm];

    fn deref(&self) -> &[Arm] {
        &self.all
    }
}

/// One weapon, or a routine that begins with it, against somebody.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    pub item: Item,
    pub ranged: bool,
    /// Feet: reach, or normal and long range.
    pub near: u16,
    pub far: u16,
    pub blows: Vec<Hit>,
    /// Faces of the d20 that it costs to use it with a foe at hand; none: it
    /// cannot be used so.
    pub beset: Option<i32>,
    /// Percent of its worth that is left when comrades may be hit instead.
    pub clean: i32,
    /// Worth at best, near and far.
    most: i32,
    most_far: i32,
    /// The fewest and the most faces that hit.
    faces: (i32, i32),
}

/// A blow in the open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Faces of the d20 that hit, perhaps below 0 or over 20.
    pub faces: i32,
    /// What a hit is worth, and a miss.
    pub hit: i32,
    pub miss: i32,
}

/// Faces of the d20 that long range costs, and half cover; full cover costs
/// twice that.
const LONG: i32 = 2;
const COVER: i32 = 2;

impl Arm {
    /// What it is worth with so much added to each die.
    fn worth(&self, plus: i32) -> i32 {
        let (least, most) = self.faces;
        let blow = |blow: &Hit| {
            let faces = (blow.faces + plus).clamp(least, most);
            faces * blow.hit + (20 - faces) * blow.miss
        };
        self.blows.iter().map(blow).sum::<i32>() / 20 * self.clean / 100
    }

    /// The same with its worth at best.
    fn weighed(mut self) -> Self {
        (self.most, self.most_far) = (self.worth(0), self.worth(-LONG));
        self
    }

    /// What it is worth with nothing in the way.
    pub fn most(&self) -> i32 {
        self.most
    }

    /// The chance of at least its first blow, in percent.
    pub fn chance(&self) -> i32 {
        let (least, most) = self.faces;
        let first = self.blows.first();
        first.map_or(0, |blow| blow.faces.clamp(least, most) * 5)
    }
}

impl Arms {
    fn of(all: Vec<Arm>) -> Self {
        let ends = all.iter();
        let ends = ends.flat_map(|arm| [(arm.near, arm.most), (arm.far, arm.most_far)]);
        let mut within: Vec<(u16, i32)> = ends.collect();
        within.sort_unstable_by_key(|&(feet, worth)| (Reverse(feet), Reverse(worth)));
        // Who goes no farther and does no more is left out.
        let mut best = i32::MIN;
        within.retain(|&(_, worth)| {
            let is_better = worth > best;
            best = best.max(worth);
            is_better
        });
        within.reverse();
        Self {
            most: all.iter().map(|arm| arm.most).max().unwrap_or(0),
            all,
            within,
        }
    }

    /// The same where so many percent of what missiles are worth is left.
    fn with_clean(&self, clean: i32) -> Self {
        let arm = |arm: &Arm| match arm.ranged {
            true => Arm {
                clean,
                ..arm.clone()
            }
            .weighed(),
            false => arm.clone(),
        };
        Self::of(self.iter().map(arm).collect())
    }

    /// Their worth at best.
    pub(super) fn most(&self) -> i32 {
        self.most
    }

    /// The worth at best of what goes so many feet, with nothing in the way.
    pub(super) fn most_at(&self, apart: u16) -> i32 {
        let found = self.within.iter().find(|&&(feet, _)| apart <= feet);
        found.map_or(0, |&(_, worth)| worth)
    }
}

/// What a hit is worth on somebody with so many hit points.
pub fn worth_of_hit(hp: i32, damage: &Damage) -> i32 {
    let hp = hp.max(1);
    let (mean, drop) = damage.share_of(hp);
    let kill = i64::from(KILL) * i64::from(drop.favourable) / i64::from(drop.of.max(1));
    mean * HURT / 10 / hp + kill as i32
}

/// Every arm of somebody against somebody, as far as it is remembered.
pub(super) fn arms<R: QuickAi>(
    state: &State<R>,
    memory: &mut Memory<R>,
    by: Id,
    at: Id,
) -> Arc<Arms> {
    let arms = memory.arms(state, by, at, || arms_afresh::<R>(state, by, at));
    let shoots = arms.iter().any(|arm| arm.ranged);
    match if shoots { R::clean(state, by, at) } else { 100 } {
        100 => arms,
        clean => Arc::new(arms.with_clean(clean)),
    }
}

/// The same without a memory, and as if no comrade could be hit instead.
pub(super) fn arms_afresh<R: QuickAi>(state: &State<R>, by: Id, at: Id) -> Arms {
    let view = R::view(state);
    let feet = |n: i32| n.clamp(0, 30_000) as u16;
    let mut arms = Vec::with_capacity(4);
    for item in view.gear(by).at_hand() {
        let weapon = view.weapon(item);
        for ranged in [false, true] {
            let span = match (ranged, &weapon.ranged) {
                (false, _) => view.creature(by).reach(weapon).map(|n| (feet(n), feet(n))),
                (true, shot) => shot.as_ref().map(|r| (feet(r.normal), feet(r.long))),
            };
            let Some((near, far)) = span else { continue };
            let mut arm = Arm {
                item,
                ranged,
                near,
                far,
                blows: vec![],
                beset: Some(0),
                clean: 100,
                most: 0,
                most_far: 0,
                faces: R::FACES,
            };
            R::aim(state, by, at, &mut arm);
            if !arm.blows.is_empty() {
                arms.push(arm.weighed());
            }
        }
    }
    Arms::of(arms)
}

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// Its foes as targets, the most worthwhile first.
    pub fn targets(&self) -> &[Target] {
        self.targets.get_or_init(|| {
            let target = |&id: &Id| {
                let memory = &mut self.memory.borrow_mut();
                Target {
                    id,
                    space: self.view().body(id).space(),
                    arms: arms::<R>(self.state, memory, self.who, id),
                }
            };
            let mut targets: Vec<Target> = self.foes.iter().map(target).collect();
            targets.sort_by_key(|target| -target.arms.most);
            targets
        })
    }

    /// The best attack from a cell.
    pub fn offense(&self, from: Cell) -> i32 {
        self.best_of(from, |_, _| true)
    }

    /// The best attack from a cell with some of its arms on some of its foes.
    pub fn best_of(&self, from: Cell, wanted: impl Fn(&Target, &Arm) -> bool) -> i32 {
        let board = &self.view().board;
        let here = self.space(from);
        let mut best = 0;
        for target in self.targets() {
            // The others are worth no more than this one.
            if target.arms.most <= best {
                break;
            }
            let apart = cells_apart(here, target.space) * 5;
            if target.arms.most_at(apart) <= best {
                continue;
            }
            let sight = board.sight(here, target.space);
            if !sight.los {
                continue;
            }
            let cover = match sight.cover {
                Some(Cover::Half) => -COVER,
                Some(Cover::Full) => -2 * COVER,
                _ => 0,
            };
            if cover < 0 && R::is_out_of_sight(self.state, here, target.space) {
                continue;
            }
            let Some(exactly) = board.apart(here, target.space) else {
                continue;
            };
            for arm in target.arms.iter().filter(|arm| wanted(target, arm)) {
                let within = |feet: u16| match arm.ranged {
                    true => apart <= feet && exactly.is_within(feet),
                    false => exactly.is_in_reach(feet),
                };
                // Nothing that it could do here beats what it has: no need to look.
                if arm.most <= best || !within(arm.far) {
                    continue;
                }
                let mut plus = cover;
                if arm.beset != Some(0) && self.is_beset(from) {
                    let Some(faces) = arm.beset else { continue };
                    plus -= faces;
                }
                if !within(arm.near) {
                    plus -= LONG;
                }
                best = best.max(arm.worth(plus));
            }
        }
        best
    }

    /// A foe would have it in reach there who hinders those who shoot.
    pub fn is_beset(&self, at: Cell) -> bool {
        let threats = self.threats.get_or_init(|| {
            let threat = |&foe: &Id| {
                let reach = R::hinders(self.state, foe)?;
                Some((self.view().body(foe).space(), reach))
            };
            self.foes.iter().filter_map(threat).collect()
        });
        let (board, here) = (&self.view().board, self.space(at));
        let reaches = |&(foe, feet): &(Space, u16)| board.in_reach(foe, here, feet);
        threats.iter().any(reaches)
    }
}
