//! What attacks are worth: its own, and those of the foes.

use super::{Evaluation, HURT, KILL, OWN_LIFE, SPOIL};
use crate::{
    battle::Id,
    content::Effect,
    grid::{Cell, Cover, Space, cells_apart},
    rulesets::{
        common::gear::price_of_throwing,
        segments::{
            fighter::Blow,
            odds::Forecast,
            se::{NEXT_TO, Se},
        },
    },
};

/// A foe and what it has against it, as far as that does not depend on where
/// it stands.
pub(super) struct Target {
    pub id: Id,
    pub space: Space,
    pub arms: Vec<Arm>,
    /// Of a missile at it the share that its own side gets, in percent, less
    /// what friends get.
    pub clean: i32,
}

/// One routine against one foe.
pub(super) struct Arm {
    pub ranged: bool,
    /// Feet: reach, or normal and long range.
    pub near: u16,
    pub far: u16,
    /// For each blow the faces that hit in the open, perhaps below 1 or over
    /// 19, and what a hit is worth.
    blows: Vec<(i32, i32)>,
}

impl Arm {
    /// What it is worth with so much added to each die.
    fn worth(&self, plus: i32) -> i32 {
        let blow = |(faces, hit): &(i32, i32)| (faces + plus).clamp(1, 19) * hit / 20;
        self.blows.iter().map(blow).sum()
    }

    /// What it is worth with nothing in the way.
    pub(super) fn open_worth(&self) -> i32 {
        self.worth(0)
    }

    /// The chance of at least its first blow, in percent.
    pub(super) fn chance(&self) -> i32 {
        self.blows.first().map_or(0, |b| b.0.clamp(1, 19) * 5)
    }
}

/// A foe as a danger: what its best routine does to this one on average.
pub(super) struct Danger {
    pub foe: Id,
    pub space: Space,
    /// Feet: its reach, and how far it goes in a move.
    pub reach: u16,
    pub speed: u16,
    pub range: u16,
    /// Worth lost to its routine in melee, and to its missiles.
    pub melee: i32,
    pub ranged: i32,
    /// It has spells left.
    pub caster: bool,
}

impl Evaluation<'_, '_, '_> {
    pub(super) fn target(&self, foe: Id) -> Target {
        let (se, who) = (self.se, self.who);
        let mut arms = vec![];
        for item in se.openers(who) {
            let Some(reach) = se.reach(who, item) else {
                continue;
            };
            let routine = se.routine(who, item).into_iter();
            let blow = |arm| self.faces(&Blow::new(who, foe, arm, false, "SE-50"));
            arms.push(Arm {
                ranged: false,
                near: reach,
                far: reach,
                blows: routine.map(blow).collect(),
            });
        }
        for item in se.gear(who).at_hand() {
            let weapon = se.weapon(item);
            let Some(shot) = &weapon.ranged else { continue };
            let feet = |n: i32| n.clamp(0, 30_000) as u16;
            let blow = self.faces(&Blow::new(who, foe, item, true, "SE-50"));
            arms.push(Arm {
                ranged: true,
                near: feet(shot.normal),
                far: feet(shot.long),
                blows: vec![blow; se.missiles(who, item)],
            });
        }
        Target {
            id: foe,
            space: se.body(foe).space(),
            arms,
            clean: self.clean_shot(foe),
        }
    }

    fn faces(&self, blow: &Blow) -> (i32, i32) {
        let plain = self.se.plain_forecast(blow);
        let hit = self.worth_of_hit(blow.attack.at, &plain);
        (21 - plain.needs(), hit)
    }

    /// SE-53: whom a missile at a foe in melee hits instead. Friends count
    /// double against it.
    fn clean_shot(&self, foe: Id) -> i32 {
        let around = self.se.melee_around(self.who, foe);
        let all: i32 = around.iter().map(|a| i32::from(a.1)).sum();
        let mine = self.se.body(self.who).side;
        let share = |(id, size): &(Id, u16)| {
            let friend = self.se.body(*id).side == mine;
            i32::from(*size) * if friend { -2 } else { 1 }
        };
        around.iter().map(share).sum::<i32>() * 100 / all.max(1)
    }

    pub(super) fn danger_of(&self, foe: Id) -> Danger {
        let (se, who) = (self.se, self.who);
        let mut danger = Danger {
            foe,
            space: se.body(foe).space(),
            reach: 0,
            speed: se.speed(foe),
            range: 0,
            melee: 0,
            ranged: 0,
            caster: se.spells(foe).next().is_some(),
        };
        let loss = |blow: Blow| self.loss(&se.plain_forecast(&blow));
        if se.is_helpless(foe) {
            return danger;
        }
        for item in se.openers(foe) {
            let routine = se.routine(foe, item).into_iter();
            let all = routine.map(|arm| loss(Blow::new(foe, who, arm, false, "SE-50")));
            danger.melee = danger.melee.max(all.sum());
            danger.reach = danger.reach.max(se.reach(foe, item).unwrap_or(NEXT_TO));
        }
        for item in se.gear(foe).at_hand() {
            let weapon = se.weapon(item);
            if let Some(shot) = &weapon.ranged {
                let one = loss(Blow::new(foe, who, item, true, "SE-50"));
                let all = one * se.missiles(foe, item) as i32;
                danger.ranged = danger.ranged.max(all);
                danger.range = danger.range.max(shot.long.clamp(0, 30_000) as u16);
            }
        }
        danger
    }

    /// What a hit on a foe is worth: hurt, dropped, a spell spoiled.
    fn worth_of_hit(&self, at: Id, f: &Forecast) -> i32 {
        let hp = f.hp.max(1);
        let drop = f.damage.at_least(hp);
        let kill =
            (i64::from(KILL) * i64::from(drop.favourable) / i64::from(drop.of.max(1))) as i32;
        let hurt = f.damage.mean_up_to(hp) * HURT / 10 / hp;
        hurt + kill + worth_of_caster(self.se, at)
    }

    /// What a blow is worth as things stand.
    pub(super) fn worth(&self, at: Id, f: &Forecast) -> i32 {
        f.faces() as i32 * self.worth_of_hit(at, f) / 20
    }

    /// What a blow against itself costs it.
    pub(super) fn loss(&self, f: &Forecast) -> i32 {
        (f.expected_by_200() * OWN_LIFE / 200 / f.hp.max(1)).min(OWN_LIFE)
    }

    pub(super) fn blows_worth(&self, blows: &[Blow]) -> i32 {
        let worth = |blow: &Blow| {
            let forecast = self.se.forecast(blow).ok();
            forecast.map_or(0, |f| self.worth(blow.attack.at, &f))
        };
        blows.iter().map(worth).sum()
    }

    /// The same of missiles, some of which may hit friends.
    pub(super) fn shot_worth(&self, blows: &[Blow]) -> i32 {
        let Some(first) = blows.first() else { return 0 };
        let target = self.targets.iter().find(|t| t.id == first.attack.at);
        let worth = self.blows_worth(blows) * target.map_or(100, |t| t.clean) / 100;
        worth - price_of_throwing(&self.se.view, &first.attack)
    }

    /// The best that it could do from a cell, with what it likes to use.
    pub(super) fn offense(&self, from: Cell) -> i32 {
        self.best_of(from, |_| true)
    }

    /// The same, in melee or with missiles alone.
    pub(super) fn best_of(&self, from: Cell, wanted: impl Fn(&Arm) -> bool) -> i32 {
        let mut best = 0;
        for target in &self.targets {
            for arm in target.arms.iter().filter(|a| wanted(a)) {
                // Nothing that it could do here beats what it has.
                if arm.open_worth() > best {
                    best = best.max(self.one_target(from, target, arm));
                }
            }
        }
        best
    }

    /// What one routine is worth from a cell; 0 if it cannot be used there.
    pub(super) fn one_target(&self, from: Cell, target: &Target, arm: &Arm) -> i32 {
        let board = &self.se.view.board;
        let here = Space::new(from, self.se.body(self.who).size);
        let apart = u32::from(cells_apart(here, target.space)) * 5;
        if apart > u32::from(arm.far) || arm.ranged && self.is_beset(here) {
            return 0;
        }
        let sight = board.sight(here, target.space);
        if !sight.los || !arm.ranged && !board.in_reach(here, target.space, arm.far) {
            return 0;
        }
        let cover = match sight.cover {
            Some(Cover::Half) => -2,
            Some(Cover::Full) => -4,
            _ => 0,
        };
        let far = if apart > u32::from(arm.near) { -2 } else { 0 };
        let worth = arm.worth(cover + far);
        let clean = if arm.ranged { target.clean } else { 100 };
        (worth * clean / 100).max(0)
    }

    /// A foe that fights would stand next to it there.
    fn is_beset(&self, there: Space) -> bool {
        self.dangers
            .iter()
            .any(|d| d.melee > 0 && cells_apart(d.space, there) <= 1)
    }
}

/// To hit somebody who is casting spoils the spell; who could yet cast is
/// worth more than one who cannot.
fn worth_of_caster(se: &Se, at: Id) -> i32 {
    if se.casting(at).is_some() {
        return SPOIL;
    }
    let harms = |&spell: &crate::battle::SpellId| {
        matches!(
            se.view.spell(spell).effect,
            Effect::Damage(_) | Effect::Hold { .. }
        )
    };
    let left = se.spells(at).filter(harms).count().min(3);
    left as i32 * 40
}
