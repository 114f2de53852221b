//! What the attacks of the deciding unit are worth.

use super::{Evaluation, HURT, KILL, QuickAi, State, memory::Memory};
use crate::{
    battle::{Id, Item},
    grid::{Cell, Cover, Space, cells_apart},
    rulesets::common::damage::Damage,
};
use std::{cmp::Reverse, sync::Arc};

/// An enemy, and what attacks on it are worth regardless of where the attacker stands.
pub struct Target {
    pub id: Id,
    pub space: Space,
    pub options: Arc<AttackOptions>,
}

/// Everything that one unit can attack another with.
#[derive(PartialEq, Debug)]
pub struct AttackOptions {
    pub all: Vec<AttackOption>,
    /// Worth of the best option, with nothing in the way.
    pub(super) most: i32,
    /// Worth of the best option at up to this many feet, with nothing in the way, sorted by
    /// distance.
    within: Vec<(u16, i32)>,
}

/// One weapon, or a series of attacks that begins with it, against one target.
#[derive(Clone, PartialEq, Debug)]
pub struct AttackOption {
    pub item: Item,
    pub ranged: bool,
    /// Feet: normal and long range; for melee, both are the reach.
    pub near: u16,
    pub far: u16,
    pub hits: Vec<Hit>,
    /// To-hit penalty with an enemy adjacent, in d20 points. `None` if the option cannot be used
    /// then.
    pub adjacent_penalty: Option<i32>,
    /// Percent of its worth that is left when it could hit allies instead.
    pub clean: i32,
    /// Worth at normal range, with nothing in the way.
    pub most: i32,
    /// The fewest and the most d20 results that hit, out of 20.
    outcomes: (i32, i32),
}

/// One attack roll with nothing in the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// D20 results that hit, out of 20; perhaps below 0 or over 20.
    pub outcomes: i32,
    /// Worth of a hit, and of a miss.
    pub hit: i32,
    pub miss: i32,
}

impl Hit {
    /// A roll whose miss is worth nothing.
    pub fn new(outcomes: i32, hit: i32) -> Self {
        let miss = 0;
        Self {
            outcomes,
            hit,
            miss,
        }
    }
}

/// To-hit penalties in d20 points: long range, and half cover. Full cover counts twice.
const LONG: i32 = 2;
const COVER: i32 = 2;

impl AttackOption {
    /// The option's worth with `plus` added to each roll.
    fn worth(&self, plus: i32) -> i32 {
        let (least, most) = self.outcomes;
        let hit = |hit: &Hit| {
            let outcomes = (hit.outcomes + plus).clamp(least, most);
            outcomes * hit.hit + (20 - outcomes) * hit.miss
        };
        self.hits.iter().map(hit).sum::<i32>() / 20 * self.clean / 100
    }

    /// Percent chance that its first attack roll hits.
    pub fn chance(&self) -> i32 {
        let (least, most) = self.outcomes;
        let first = self.hits.first();
        first.map_or(0, |hit| hit.outcomes.clamp(least, most) * 5)
    }
}

impl AttackOptions {
    /// Fills in what the options are worth.
    fn of(mut all: Vec<AttackOption>) -> Self {
        let mut within: Vec<(u16, i32)> = vec![];
        for option in &mut all {
            option.most = option.worth(0);
            within.extend([
                (option.near, option.most),
                (option.far, option.worth(-LONG)),
            ]);
        }
        within.sort_unstable_by_key(|&(feet, worth)| (Reverse(feet), Reverse(worth)));
        // Skip entries that reach no farther and are worth no more.
        let mut best = i32::MIN;
        within.retain(|&(_, worth)| {
            let is_better = worth > best;
            best = best.max(worth);
            is_better
        });
        within.reverse();
        Self {
            most: all.iter().map(|option| option.most).max().unwrap_or(0),
            all,
            within,
        }
    }

    /// A copy in which ranged attacks keep `clean` percent of their worth.
    fn with_clean(&self, clean: i32) -> Self {
        let mut all = self.all.clone();
        for option in all.iter_mut().filter(|option| option.ranged) {
            option.clean = clean;
        }
        Self::of(all)
    }

    /// Worth of the best option at `apart` feet, with nothing in the way.
    pub(super) fn most_at(&self, apart: u16) -> i32 {
        let found = self.within.iter().find(|&&(feet, _)| apart <= feet);
        found.map_or(0, |&(_, worth)| worth)
    }
}

/// The worth of a hit on a target with this many hit points.
pub fn worth_of_hit(hp: i32, damage: &Damage) -> i32 {
    let hp = hp.max(1);
    let (mean, drop) = damage.share_of(hp);
    let kill = i64::from(KILL) * i64::from(drop.favourable) / i64::from(drop.of.max(1));
    mean * HURT / 10 / hp + kill as i32
}

/// All attack options of `by` against `at`, cached as far as possible.
fn attack_options<R: QuickAi>(
    state: &State<R>,
    memory: &mut Memory<R::Traits>,
    by: Id,
    at: Id,
) -> Arc<AttackOptions> {
    let options = memory.attack_options::<R>(state, by, at);
    let shoots = options.all.iter().any(|option| option.ranged);
    match if shoots { R::clean(state, by, at) } else { 100 } {
        100 => options,
        clean => Arc::new(options.with_clean(clean)),
    }
}

/// All attack options of `by` against `at`, not cached, and as if no ally could be hit instead.
pub(super) fn compute_attack_options<R: QuickAi>(
    state: &State<R>,
    by: Id,
    at: Id,
) -> AttackOptions {
    let view = R::view(state);
    let feet = |n: i32| n.clamp(0, 30_000) as u16;
    let mut options = Vec::with_capacity(4);
    for item in view.inventory(by).at_hand() {
        let weapon = view.weapon(item);
        for ranged in [false, true] {
            let span = match (ranged, &weapon.ranged) {
                (false, _) => view.creature(by).reach(weapon).map(|n| (feet(n), feet(n))),
                (true, shot) => shot.as_ref().map(|r| (feet(r.normal), feet(r.long))),
            };
            let Some((near, far)) = span else { continue };
            let mut option = AttackOption {
                item,
                ranged,
                near,
                far,
                hits: vec![],
                adjacent_penalty: Some(0),
                clean: 100,
                most: 0,
                outcomes: R::OUTCOMES,
            };
            R::aim(state, by, at, &mut option);
            if !option.hits.is_empty() {
                options.push(option);
            }
        }
    }
    AttackOptions::of(options)
}

/// The most that a unit's attack on an enemy that it can come to may be worth, by distance alone.
pub(super) fn best_attack_value<R: QuickAi>(
    state: &State<R>,
    memory: &mut Memory<R::Traits>,
    who: Id,
) -> i32 {
    let (view, comes) = (R::view(state), R::approach_feet(state, who).unwrap_or(0));
    let here = view.body(who).space();
    let worth = |enemy: Id| {
        let apart = cells_apart(here, view.body(enemy).space()) * 5;
        attack_options::<R>(state, memory, who, enemy).most_at(apart.saturating_sub(comes))
    };
    let enemies = R::enemies(state, who).into_iter();
    enemies.map(worth).max().unwrap_or(0)
}

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// All attack options of `by` against `at`.
    pub(super) fn attack_options(&self, by: Id, at: Id) -> Arc<AttackOptions> {
        attack_options::<R>(self.state, &mut self.memory.borrow_mut(), by, at)
    }

    /// The unit's enemies as targets, the most worthwhile first.
    pub fn targets(&self) -> &[Target] {
        self.once.targets.get_or_init(|| {
            let target = |&id: &Id| Target {
                id,
                space: self.view.body(id).space(),
                options: self.attack_options(self.who, id),
            };
            let mut targets: Vec<Target> = self.enemies.iter().map(target).collect();
            targets.sort_by_key(|target| -target.options.most);
            targets
        })
    }

    /// The most that a melee attack is worth once the unit is next to a target.
    pub fn melee_worth(&self) -> i32 {
        let targets = self.targets().iter();
        let options = targets.flat_map(|target| &target.options.all);
        let melee = options.filter(|option| !option.ranged);
        melee.map(|option| option.most).max().unwrap_or(0)
    }

    /// The worth of the best attack from a cell; 0 if none is possible.
    pub fn offense(&self, from: Cell) -> i32 {
        self.best_of(from, |_, _| true)
    }

    /// The worth of the best attack from a cell, among the wanted targets and options; 0 if none is
    /// possible.
    pub fn best_of(&self, from: Cell, wanted: impl Fn(&Target, &AttackOption) -> bool) -> i32 {
        let board = &self.view.board;
        let here = self.space(from);
        let mut best = 0;
        for target in self.targets() {
            // Later targets are worth no more than this one.
            if target.options.most <= best {
                break;
            }
            let apart = cells_apart(here, target.space) * 5;
            if target.options.most_at(apart) <= best {
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
            let options = target.options.all.iter();
            for option in options.filter(|option| wanted(target, option)) {
                let within = |feet: u16| match option.ranged {
                    true => apart <= feet && exactly.is_within(feet),
                    false => exactly.is_in_reach(feet),
                };
                // Skip options that cannot beat the best so far.
                if option.most <= best || !within(option.far) {
                    continue;
                }
                let mut plus = cover;
                if option.adjacent_penalty != Some(0) && self.is_hindered_at(from) {
                    let Some(outcomes) = option.adjacent_penalty else {
                        continue;
                    };
                    plus -= outcomes;
                }
                if !within(option.near) {
                    plus -= LONG;
                }
                best = best.max(option.worth(plus));
            }
        }
        best
    }

    /// Whether an enemy that hinders ranged attacks would have the unit in reach at a cell.
    pub fn is_hindered_at(&self, at: Cell) -> bool {
        let threats = self.once.threats.get_or_init(|| {
            let threat = |&enemy: &Id| {
                let reach = R::hinder_feet(self.state, enemy)?;
                Some((self.view.body(enemy).space(), reach))
            };
            self.enemies.iter().filter_map(threat).collect()
        });
        let (board, here) = (&self.view.board, self.space(at));
        let reaches = |&(enemy, feet): &(Space, u16)| board.in_reach(enemy, here, feet);
        threats.iter().any(reaches)
    }
}
