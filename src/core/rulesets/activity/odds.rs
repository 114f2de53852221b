//! What an attack would be: legal or not, what is added to the die, what it is
//! rolled against, what it would do. The resolver, the tooltip and the AI all
//! ask here.

use super::{
    Activity,
    numbers::{Row, row, tables},
    query::ActivityQuery,
    state::{Deed, PlanPosition, Planned},
};
use crate::rulesets::activity::content::{ActivityArms, AttackSize, AttackType, Talent};
use crate::rulesets::common::attacks::{ToHit, to_hit};
use crate::{
    battle::{Attack, Id, Item, Modifier, Roll, Why, roomy, sum},
    grid::{Cell, Cover},
    rulesets::common::conditions::Afflicts,
};

/// An attack before its die (AC-30, AC-31).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d100.
    pub modifiers: Vec<Modifier>,
    /// What the target has against it.
    pub defence: Vec<Modifier>,
    pub attack: AttackType,
    pub size: AttackSize,
    /// A first roll of this or less is a fumble.
    pub fumble: i32,
    /// Concussion hits that the target has left.
    pub hits: i32,
    pub cover: Cover,
}

/// What a roll comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comes {
    Fumble,
    /// The total, capped.
    Miss(i32),
    Hit(i32),
}

/// Chances in parts of ten thousand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chances {
    pub hit: u32,
    pub fumble: u32,
    /// The target is out of the fight: hits down to 0, or dead.
    pub drop: u32,
    /// It dies at once.
    pub dead: u32,
    /// The target is stunned; it bleeds.
    pub stun: u32,
    pub bleed: u32,
    /// A hundred times the hits to be expected, stun and bleeding aside.
    pub hits_by_100: u32,
    /// Rounds of stun to be expected, times a hundred.
    pub stun_by_100: u32,
}

to_hit!(Forecast: |f| f.db() + 1);

impl Forecast {
    /// DB, all told.
    pub fn db(&self) -> i32 {
        sum(&self.defence)
    }

    /// AC-30: what a roll with all its modifiers comes to.
    pub fn comes_to(&self, roll: &Roll) -> Comes {
        self.comes(roll.face(), roll.total())
    }

    /// The same of a roll whose first die is `first`.
    pub fn comes(&self, first: i32, total: i32) -> Comes {
        self.judge().comes(first, total - self.bonus())
    }

    /// What every roll of it is judged by.
    pub fn judge(&self) -> Judge {
        let (plus, cap) = tables().size(self.size);
        Judge {
            fumble: self.fumble,
            bonus: self.bonus() - self.db(),
            plus,
            cap,
            rows: tables().rows(self.attack),
        }
    }

    /// What a capped total does.
    pub fn row(&self, total: i32) -> Option<&'static Row> {
        tables().critical(self.attack, total)
    }

    /// All chances.
    pub fn chances(&self) -> Chances {
        let mut all = Chances::default();
        let judge = self.judge();
        each_roll(|first, roll, weight| self.count(&mut all, &judge, first, roll, weight));
        all
    }

    fn count(&self, all: &mut Chances, judge: &Judge, first: i32, roll: i32, weight: u32) {
        match judge.comes(first, roll) {
            Comes::Fumble => all.fumble += weight,
            Comes::Miss(_) => {}
            Comes::Hit(total) => {
                let Some(row) = judge.row(total) else { return };
                let add = |to: &mut u32, holds: bool| *to += if holds { weight } else { 0 };
                all.hit += weight;
                add(&mut all.drop, row.dead || row.hits >= self.hits);
                add(&mut all.dead, row.dead);
                add(&mut all.stun, row.stun > 0);
                add(&mut all.bleed, row.bleed > 0);
                all.hits_by_100 += weight * row.hits as u32;
                all.stun_by_100 += weight * row.stun as u32;
            }
        }
    }

    /// The fewest and the most concussion hits that a hit costs.
    pub fn span(&self) -> (i32, i32) {
        let (plus, cap) = tables().size(self.size);
        let hits = |total| self.row(total).map_or(0, |row| row.hits);
        (hits((1 + plus).max(1)), hits(cap))
    }
}

/// The numbers of a forecast that a roll is judged by: for those who look at
/// many rolls.
pub struct Judge {
    fumble: i32,
    /// OB less DB.
    bonus: i32,
    /// What the size adds, and the most that comes of it.
    plus: i32,
    cap: i32,
    rows: &'static [Row],
}

impl Judge {
    /// What comes of dice that show `roll`, the first of them `first`.
    pub fn comes(&self, first: i32, roll: i32) -> Comes {
        if first <= self.fumble {
            return Comes::Fumble;
        }
        let net = roll + self.bonus;
        if net < 1 {
            return Comes::Miss(net);
        }
        Comes::Hit((net + self.plus).clamp(1, self.cap))
    }

    /// What a capped total does.
    pub fn row(&self, total: i32) -> Option<&'static Row> {
        (total >= 1).then(|| row(self.rows, total))
    }
}

/// Every open-ended roll: its first die, what it comes to, and how many of ten
/// thousand it is. A third die and more are taken for their least. No first die
/// that is rolled on fumbles: of those that come to the same one stands for all.
pub fn each_roll(mut look: impl FnMut(i32, i32, u32)) {
    let from = i32::from(tables().open_ended);
    (1..from).for_each(|first| look(first, first, 100));
    for roll in from + 1..=200 {
        let firsts = from.max(roll - 100)..=(roll - 1).min(100);
        look(100, roll, firsts.count() as u32);
    }
}

/// How many of ten thousand open-ended rolls with a bonus come to `target`,
/// their first die above `fumble`.
pub fn chance_of(bonus: i32, target: i32, fumble: i32) -> u32 {
    let mut all = 0;
    each_roll(|first, roll, weight| {
        if first > fumble && roll + bonus >= target {
            all += weight;
        }
    });
    all
}

impl Chances {
    /// Whole percents, rounded.
    pub fn percent(of_ten_thousand: u32) -> u32 {
        (of_ten_thousand + 50) / 100
    }
}

impl ActivityQuery<'_, '_> {
    /// What this attack would be now, or why it cannot be made.
    pub fn forecast(&self, attack: &Attack) -> Result<Forecast, Why> {
        self.forecast_from(attack, self.body(attack.by).at)
    }

    /// As [`forecast`](Self::forecast), if the attacker stood at `from`.
    pub fn forecast_from(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        let (by, at, ranged) = (attack.by, attack.at, attack.ranged);
        self.can_fight(by, at)?;
        let t = self.tables();
        let (mine, theirs) = (self.body(by), self.body(at));
        let line = self.view.line_of(attack, from, ["AC-01", "AC-30"])?;
        let mut modifiers = self.ob_parts(by, attack.with, ranged);
        let mut add = |value, label, rule| Modifier::push(&mut modifiers, value, label, rule);
        if ranged {
            if line.is_long {
                add(t.long_range, "long range", "AC-30");
            }
            if self.is_threatened(by) {
                add(t.foe_in_reach, "an enemy in reach", "AC-30");
            }
        } else {
            line.reaches(&self.view, self.reach(by, attack.with), "AC-01")?;
            if mine.prone {
                add(t.prone_attacker, "prone", "AC-30");
            }
        }
        // Who is helpless is no easier to hit for lying there.
        if self.is_helpless(at) {
            add(t.stunned_target, "target helpless", "AC-30");
        } else if theirs.prone {
            if !ranged || self.view.board.within(line.here, line.there, 5) {
                add(t.prone_target_near, "target prone, near", "AC-30");
            } else {
                add(t.prone_target_far, "target prone, far", "AC-30");
            }
        }
        if let Some((value, label)) = line.by_cover(t.half_cover, t.full_cover) {
            add(value, label, "AC-30");
        }
        add(self.actor(by).penalty, "wounds", "AC-31");
        modifiers.extend(self.view.hit_modifiers(by, Activity::POINT, "AC-20"));
        modifiers.extend_from_slice(&attack.extra);
        Ok(self.against(attack.with, by, at, ranged, modifiers, line.cover))
    }

    /// What an attack would be wherever there is nothing in the way. For those
    /// who weigh up places.
    pub fn plain(&self, by: Id, at: Id, with: Item, ranged: bool) -> Forecast {
        let mut modifiers = self.ob_parts(by, with, ranged);
        let penalty = self.actor(by).penalty as i16;
        modifiers.push(Modifier::new(penalty, "wounds", "AC-31"));
        modifiers.extend(self.view.hit_modifiers(by, Activity::POINT, "AC-20"));
        self.against(with, by, at, ranged, modifiers, Cover::None)
    }

    fn against(
        &self,
        with: Item,
        by: Id,
        at: Id,
        ranged: bool,
        modifiers: Vec<Modifier>,
        cover: Cover,
    ) -> Forecast {
        let arms = self.weapon(with).section::<ActivityArms>();
        Forecast {
            modifiers,
            defence: self.defence(at, ranged),
            attack: match ranged {
                true => AttackType::Missile,
                false => arms.attack,
            },
            size: arms.size.grown(self.stats(by).stature),
            fumble: arms.fumble,
            hits: self.body(at).hp,
            cover,
        }
    }

    /// Both are up, and the attacker can act.
    pub fn can_fight(&self, by: Id, at: Id) -> Result<(), Why> {
        if !self.is_up(by) {
            return Err(Why::new("AC-33", "the attacker is down"));
        }
        if self.is_helpless(by) {
            return Err(Why::new("AC-31", "the attacker is stunned"));
        }
        if !self.is_up(at) {
            return Err(Why::new("AC-33", "the target is down"));
        }
        Ok(())
    }

    /// AC-30: OB of a weapon, part by part.
    pub fn ob_parts(&self, by: Id, with: Item, ranged: bool) -> Vec<Modifier> {
        let creature = self.view.creature(by);
        let weapon = self.weapon(with);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let (skill, level) = self.skill(by, weapon.skills(ranged));
        let parts = [
            (self.stats(by).ob, "OB"),
            (5 * value, attribute.name()),
            (8 * level, skill.label()),
            (5 * weapon.magic, "magic weapon"),
        ];
        roomy(Modifier::list("AC-30", parts))
    }

    /// AC-32, AC-13, AC-22: what a unit has against an attack now, as far as
    /// is known.
    pub fn defence(&self, of: Id, ranged: bool) -> Vec<Modifier> {
        self.defence_at(of, ranged, self.actor(of).position())
    }

    /// [`defence`](Self::defence) of a unit that is there in its plan.
    pub fn defence_at(&self, of: Id, ranged: bool, position: PlanPosition) -> Vec<Modifier> {
        let stats = self.stats(of);
        let mut parts = Vec::with_capacity(8);
        let mut add = |value: i32, label: &'static str, rule| {
            if value != 0 {
                parts.push(Modifier::new(value as i16, label, rule));
            }
        };
        add(stats.armour, "armour", "AC-32");
        if !self.is_helpless(of) {
            add(stats.quickness, "Quickness", "AC-32");
            if self.gear(of).shield {
                add(stats.shield, "shield", "AC-32");
            }
        }
        parts.extend(self.view.defense_modifiers(of, "AC-20"));
        let mut add = |value: i32, label: &'static str, rule| {
            if value != 0 {
                parts.push(Modifier::new(value as i16, label, rule));
            }
        };
        if position.allows_parry() && !self.is_helpless(of) {
            if !ranged {
                add(self.parry(of), "parry", "AC-13");
            } else if self.missile_parries_left(of, position) > 0 {
                add(self.missile_parry(of), "missile parry", "AC-22");
            }
        }
        parts
    }

    /// AC-13: the OB that it keeps for parrying and can parry with: bare hands
    /// parry nothing.
    pub fn parry(&self, of: Id) -> i32 {
        let mut ready = self.gear(of).ready();
        let armed = ready.any(|n| self.weapon(n).arms_for_melee());
        if armed { self.actor(of).parry } else { 0 }
    }

    /// AC-22: how many missiles it may still parry when it is there in its plan:
    /// one for each missile parry that was declared.
    pub fn missile_parries_left(&self, of: Id, position: PlanPosition) -> usize {
        let counts = position.is_at(|deed| deed == Deed::ParryMissile);
        if !counts || self.is_helpless(of) {
            return 0;
        }
        let actor = self.actor(of);
        let parries = |p: &&Planned| p.deed == Deed::ParryMissile;
        let paid = actor.plan.iter().filter(parries).count();
        paid.saturating_sub(actor.missiles_parried)
    }

    /// AC-02, AC-23: what a melee of this many percent, after this many feet, takes
    /// from OB.
    pub fn less_ob(&self, percent: i32, moved: i32) -> i32 {
        let t = self.tables();
        (percent - t.costs.melee.1).min(0) - (moved + 9) / 10 * t.move_penalty
    }

    /// What a missile parry adds: half the OB with a shield, all of it with the
    /// talent (AC-22). 0 for who has neither.
    pub fn missile_parry(&self, of: Id) -> i32 {
        let melee = |n: &Item| self.weapon(*n).melee.is_some();
        let ready = self.gear(of).ready().filter(melee);
        let ob = ready.map(|n| self.base_ob(of, n, false)).max().unwrap_or(0);
        let ob = ob + self.actor(of).penalty;
        if self.has(of, Talent::MissileDeflection) {
            ob.max(0)
        } else if self.gear(of).shield {
            ob.max(0) / 2
        } else {
            0
        }
    }

    /// AC-02, AC-13, AC-23: what an action of this many percent takes from its
    /// attack. `charge`: feet of its run, which count for it.
    pub fn effort(&self, by: Id, percent: i32, ranged: bool, charge: Option<u16>) -> Vec<Modifier> {
        self.effort_after(by, percent, ranged, charge, self.actor(by).moved)
    }

    /// The same after this many feet gone in the round, the run of a charge not
    /// among them.
    pub fn effort_after(
        &self,
        by: Id,
        percent: i32,
        ranged: bool,
        charge: Option<u16>,
        moved: u16,
    ) -> Vec<Modifier> {
        let t = self.tables();
        let actor = self.actor(by);
        let mut parts = vec![];
        let mut add = |value: i32, label: String, rule| {
            if value != 0 {
                parts.push(Modifier::new(value as i16, label, rule));
            }
        };
        let full = if ranged {
            t.costs.missile.1
        } else {
            t.costs.melee.1
        };
        add(
            (percent - full).min(0),
            format!("{percent}% activity"),
            "AC-02",
        );
        if !ranged {
            add(-actor.parry, "kept for parrying".into(), "AC-13");
        }
        if let Some(feet) = charge {
            let bonus = i32::from(feet) / 5 * t.charge_bonus;
            add(
                bonus.min(t.charge_most),
                format!("charge of {feet} ft"),
                "AC-21",
            );
        }
        // The run of a charge is not among these feet: a move before it is.
        let tens = (i32::from(moved) + 9) / 10;
        add(-tens * t.move_penalty, format!("moved {moved} ft"), "AC-23");
        parts
    }
}
