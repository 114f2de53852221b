//! What enemies could do to the deciding unit.

use super::{Evaluation, QuickAi};
use crate::{
    battle::{Id, View},
    grid::{Cell, Cover, SightFrom, Space, cells_apart},
};
use std::cell::OnceCell;

/// An enemy as a danger, with the worth of its best attacks on the deciding unit.
pub struct Danger<'a> {
    pub enemy: Id,
    pub space: Space,
    /// Feet: the enemy's melee reach, and that reach plus its movement before a melee attack.
    pub reach: u16,
    pub strike: u16,
    /// Worth of its best melee attack, and of its best ranged attack.
    pub melee: i32,
    pub ranged: i32,
    /// Feet: its longest range.
    pub range: u16,
    /// D20 results that hit, out of 20, with the attack that hits most often.
    pub outcomes: i32,
    /// Number of units of third sides that it could reach and attack in melee instead.
    pub rivals: i32,
    /// Whether it can also shoot at adjacent units.
    point_blank: bool,
    /// Worth of its attacks after sharing the danger with its other possible targets: melee from
    /// where it stands, melee after moving, and ranged.
    beside: i32,
    coming: i32,
    afar: i32,
    /// Its lines of sight to the cells of the map.
    sight: OnceCell<SightFrom<'a>>,
}

impl Danger<'_> {
    /// The worth of its melee attack on a unit this many feet away.
    #[inline]
    pub(super) fn in_melee(&self, far: u16) -> i32 {
        match far {
            _ if far <= self.reach => self.beside,
            _ if far <= self.strike => self.coming,
            _ => 0,
        }
    }
}

impl<'a, R: QuickAi> Evaluation<'a, '_, '_, R> {
    pub fn dangers(&self) -> &[Danger<'a>] {
        self.once.dangers.get_or_init(|| {
            let (counts, of) = R::fear(self.state, self.who);
            let feared = |worth: i32| (i64::from(worth) * counts / of.max(1)) as i32;
            let danger = |&enemy: &Id| self.danger_of(enemy, feared);
            self.enemies.iter().map(danger).collect()
        })
    }

    fn danger_of(&self, enemy: Id, feared: impl Fn(i32) -> i32) -> Danger<'a> {
        let comes = R::approach_feet(self.state, enemy);
        // The attacks of an enemy that is no danger do not count.
        let options = comes.map(|_| self.attack_options(enemy, self.who));
        let all = || options.iter().flat_map(|options| &options.all);
        let of = |ranged: bool| all().filter(move |option| option.ranged == ranged);
        let best = |ranged| feared(of(ranged).map(|option| option.most).max().unwrap_or(0));
        let reach = of(false).map(|option| option.far).max();
        let mut danger = Danger {
            enemy,
            space: self.view.body(enemy).space(),
            reach: reach.unwrap_or(0),
            strike: reach.zip(comes).map_or(0, |(reach, comes)| comes + reach),
            melee: best(false),
            ranged: best(true),
            range: of(true).map(|option| option.far).max().unwrap_or(0),
            outcomes: all().map(|option| option.chance() / 5).max().unwrap_or(0),
            rivals: 0,
            point_blank: of(true).any(|option| option.adjacent_penalty.is_some()),
            beside: 0,
            coming: 0,
            afar: 0,
            sight: OnceCell::new(),
        };
        let (near, far) = self.others_before(&mut danger);
        danger.beside = shared(danger.melee, near);
        danger.coming = danger.beside * R::COMING / 100;
        danger.afar = shared(danger.ranged, far);
        danger
    }

    /// Counts the other units that an enemy could attack: in melee, and at range. Units of third
    /// sides count too, because they are its enemies as well. The more targets it has, the less
    /// danger for each.
    fn others_before(&self, enemy: &mut Danger) -> (i32, i32) {
        let view = self.view;
        let mut others = (0, 0);
        if enemy.melee == 0 && enemy.ranged == 0 {
            return others;
        }
        let (own, its) = (self.side(), view.body(enemy.enemy).side);
        let comrades = view.standing(own).filter(|&id| id != self.who);
        let third = self.enemies.iter().copied();
        let third = third.filter(|&id| view.body(id).side != its);
        for id in comrades.filter(|_| R::SHARED).chain(third) {
            let there = view.body(id).space();
            let far = cells_apart(enemy.space, there) * 5;
            let is_near = far <= enemy.strike;
            enemy.rivals += i32::from(is_near && view.body(id).side != own);
            others.0 += i32::from(is_near);
            let in_sight = || view.board.sight(enemy.space, there).los;
            others.1 += i32::from(enemy.ranged > 0 && far <= enemy.range && in_sight());
        }
        others
    }

    /// The worth of all enemy attacks on the unit at a cell until the unit's next turn.
    pub fn danger(&self, at: Cell) -> i32 {
        let view: &'a View = self.view;
        let here = self.space(at);
        let danger = |enemy: &Danger<'a>| {
            let far = cells_apart(enemy.space, here) * 5;
            let (melee, from_afar) = (enemy.in_melee(far), enemy.afar);
            let shoots = far <= enemy.range && (far > 5 || enemy.point_blank);
            if from_afar <= melee || !shoots {
                return melee;
            }
            let sight_from = || view.board.sight_from(enemy.space, self.size);
            let sight = enemy.sight.get_or_init(sight_from).at(here);
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

    /// The expected cost of provoking these enemies, given as a bit set: the worth of their melee
    /// attacks.
    pub fn cost_of_provoking(&self, enemies: u64) -> i32 {
        if enemies == 0 {
            return 0;
        }
        let dangers = self.dangers().iter();
        let provoked = dangers.filter(|danger| enemies & danger.enemy.bit() != 0);
        provoked.map(|danger| danger.melee).sum()
    }

    /// The worth of an enemy's best attack on the deciding unit.
    pub fn danger_from(&self, enemy: Id) -> i32 {
        let found = self.dangers().iter().find(|danger| danger.enemy == enemy);
        found.map_or(0, |danger| danger.melee.max(danger.ranged))
    }
}

/// A unit's share of a danger. The enemy attacks only one of its targets, and not always this unit.
fn shared(danger: i32, others: i32) -> i32 {
    danger * 3 / (3 + others)
}
