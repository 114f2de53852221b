//! Attack forecasts: whether an attack is legal, its modifiers, the target's defence and the
//! effects. The resolver, the tooltips and the AI all use them.

use super::{
    Activity,
    numbers::{ResultRow, row, tables},
    query::ActivityQuery,
    state::{ActionKind, PlanPosition, PlannedAction},
};
use crate::rulesets::activity::content::{ActivityWeapon, AttackSize, AttackType, Talent};
use crate::{
    battle::{Attack, Id, Item, Modifier, Roll, Why, list_with_spare_room, sum},
    grid::{Cell, Cover},
    rulesets::common::{
        attacks::{ToHit, to_hit},
        conditions::TimesConditions,
        line::LegalAttack,
    },
};

/// An attack before its die is rolled (AC-30, AC-31).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d100.
    pub modifiers: Vec<Modifier>,
    /// The target's DB, part by part.
    pub defence: Vec<Modifier>,
    pub attack: AttackType,
    pub size: AttackSize,
    /// A first roll of this or less is a fumble.
    pub fumble: i32,
    /// Concussion hits that the target has left.
    pub hits: i32,
    pub cover: Cover,
}

/// The result of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RollResult {
    Fumble,
    /// The net roll of a miss, below 1; `Hit` has the capped total.
    Miss(i32),
    Hit(i32),
}

/// Chances out of 10,000.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AttackChances {
    pub hit: u32,
    pub fumble: u32,
    /// The target drops: hits at 0 or less, or dead.
    pub drop: u32,
    /// The target dies at once.
    pub dead: u32,
    /// The target is stunned in `stun`, bleeding in `bleed`.
    pub stun: u32,
    pub bleed: u32,
    /// Average hits lost, times 10,000, without later bleeding.
    pub mean_hits_by_10k: u32,
    /// Average rounds of stun, times 10,000.
    pub mean_stun_by_10k: u32,
}

to_hit!(Forecast: |f| f.db() + 1);

impl Forecast {
    pub fn db(&self) -> i32 {
        sum(&self.defence)
    }

    /// The result of a roll with all its modifiers (AC-30).
    pub fn comes_to(&self, roll: &Roll) -> RollResult {
        self.comes(roll.face(), roll.total())
    }

    /// The result of a roll with this first die and this total.
    pub fn comes(&self, first: i32, total: i32) -> RollResult {
        self.judge().comes(first, total - self.bonus())
    }

    /// The numbers that decide the result of every roll of this attack.
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

    /// The effects of a capped total. `None` for a miss.
    pub fn row(&self, total: i32) -> Option<&'static ResultRow> {
        tables().critical(self.attack, total)
    }

    pub fn chances(&self) -> AttackChances {
        let mut all = AttackChances::default();
        let judge = self.judge();
        each_roll(|first, roll, weight| self.count(&mut all, &judge, first, roll, weight));
        all
    }

    fn count(&self, all: &mut AttackChances, judge: &Judge, first: i32, roll: i32, weight: u32) {
        match judge.comes(first, roll) {
            RollResult::Fumble => all.fumble += weight,
            RollResult::Miss(_) => {}
            RollResult::Hit(total) => {
                let Some(row) = judge.row(total) else { return };
                let add = |to: &mut u32, holds: bool| *to += if holds { weight } else { 0 };
                all.hit += weight;
                add(&mut all.drop, row.dead || row.hits >= self.hits);
                add(&mut all.dead, row.dead);
                add(&mut all.stun, row.stun > 0);
                add(&mut all.bleed, row.bleed > 0);
                all.mean_hits_by_10k += weight * row.hits as u32;
                all.mean_stun_by_10k += weight * row.stun as u32;
            }
        }
    }

    /// The fewest and most concussion hits that a hit takes.
    pub fn span(&self) -> (i32, i32) {
        let (plus, cap) = tables().size(self.size);
        let hits = |total| self.row(total).map_or(0, |row| row.hits);
        (hits((1 + plus).max(1)), hits(cap))
    }
}

/// The numbers that decide the result of a roll, precomputed for checking many rolls.
pub struct Judge {
    fumble: i32,
    /// OB minus DB.
    bonus: i32,
    /// The bonus for the attack's size, and the cap on the total.
    plus: i32,
    cap: i32,
    rows: &'static [ResultRow],
}

impl Judge {
    /// The result of dice that sum to `roll`, with this first die.
    pub fn comes(&self, first: i32, roll: i32) -> RollResult {
        if first <= self.fumble {
            return RollResult::Fumble;
        }
        let net = roll + self.bonus;
        if net < 1 {
            return RollResult::Miss(net);
        }
        RollResult::Hit((net + self.plus).clamp(1, self.cap))
    }

    /// The effects of a capped total. `None` for a miss.
    pub fn row(&self, total: i32) -> Option<&'static ResultRow> {
        (total >= 1).then(|| row(self.rows, total))
    }
}

/// Calls `look` for every open-ended roll with its first die, its sum and its weight out of
/// 10,000. A third and later die counts as its minimum. A first die that rolls again never
/// fumbles, so all such rolls with the same sum are reported as one.
pub fn each_roll(mut each: impl FnMut(i32, i32, u32)) {
    let from = i32::from(tables().open_ended);
    (1..from).for_each(|first| each(first, first, 100));
    for roll in from + 1..=200 {
        let firsts = from.max(roll - 100)..=(roll - 1).min(100);
        each(100, roll, firsts.count() as u32);
    }
}

/// Chance, out of 10,000, that an open-ended roll plus `bonus` is at least `target` with a
/// first die above `fumble`.
pub fn chance_of(bonus: i32, target: i32, fumble: i32) -> u32 {
    let mut all = 0;
    each_roll(|first, roll, weight| {
        if first > fumble && roll + bonus >= target {
            all += weight;
        }
    });
    all
}

impl AttackChances {
    /// The expected effect, to compare attacks with each other.
    pub fn worth(&self) -> i32 {
        self.mean_hits_by_10k as i32 / 100 + self.drop as i32
    }

    /// Whole percent, rounded.
    pub fn percent(of_ten_thousand: u32) -> u32 {
        (of_ten_thousand + 50) / 100
    }
}

impl ActivityQuery<'_, '_> {
    /// The attack's forecast as things stand, or why the attack is not possible.
    pub fn forecast(&self, attack: &Attack) -> Result<Forecast, Why> {
        self.forecast_from(attack, self.body(attack.by).at)
    }

    /// Like [`forecast`](Self::forecast), with the attacker standing at `from`.
    pub fn forecast_from(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        let (by, at, ranged) = (attack.by, attack.at, attack.ranged);
        let line = self.legal_attack(attack, from)?;
        let t = self.tables();
        let (mine, theirs) = (self.body(by), self.body(at));
        let mut modifiers = self.ob_parts(by, attack.with, ranged);
        let mut add = |value, label, rule| Modifier::push(&mut modifiers, value, label, rule);
        let mut add_if = |is_so: bool, value, label| {
            if is_so {
                add(value, label, "AC-30");
            }
        };
        if ranged {
            add_if(line.is_long, t.long_range, "long range");
            add_if(self.is_threatened(by), t.foe_in_reach, "an enemy in reach");
        } else {
            add_if(mine.prone, t.prone_attacker, "prone");
        }
        // A helpless target gets no further modifier for being prone.
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

    /// The line of an attack from `from`, or why the attack is not possible.
    pub fn legal_attack(&self, attack: &Attack, from: Cell) -> Result<LegalAttack, Why> {
        let (by, at, with, ranged) = attack.parts();
        self.can_fight(by, at)?;
        let line = self.view.line_of(attack, from, ["AC-01", "AC-30"])?;
        if !ranged {
            line.reaches(&self.view, self.reach(by, with), "AC-01")?;
        }
        Ok(line)
    }

    /// Whether a unit can make an attack from where it stands.
    pub fn can_attack(&self, attack: &Attack) -> Result<(), Why> {
        self.legal_attack(attack, self.body(attack.by).at).map(drop)
    }

    /// The forecast of an attack with a clear line and no cover, from anywhere. The AI uses it
    /// to rate cells.
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
        let stats = self.weapon(with).section::<ActivityWeapon>();
        let own = stats.attack;
        Forecast {
            modifiers,
            defence: self.defence(at, ranged),
            attack: if ranged { AttackType::Missile } else { own },
            size: stats.size.grown(self.stats(by).stature),
            fumble: stats.fumble,
            hits: self.body(at).hp,
            cover,
        }
    }

    /// Whether both are up and the attacker can act.
    pub fn can_fight(&self, by: Id, at: Id) -> Result<(), Why> {
        Why::new("AC-33", "the attacker is down").unless(self.is_up(by))?;
        Why::new("AC-31", "the attacker is stunned").when(self.is_helpless(by))?;
        Why::new("AC-33", "the target is down").unless(self.is_up(at))
    }

    /// The parts of the OB with a weapon (AC-30).
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
        list_with_spare_room(Modifier::list("AC-30", parts))
    }

    /// The unit's current defence against an attack, as far as known (AC-13, AC-22, AC-32).
    pub fn defence(&self, of: Id, ranged: bool) -> Vec<Modifier> {
        self.defence_at(of, ranged, self.actor(of).position())
    }

    /// Like [`defence`](Self::defence), for a unit at this position in its plan.
    pub fn defence_at(&self, of: Id, ranged: bool, position: PlanPosition) -> Vec<Modifier> {
        let stats = self.stats(of);
        let mut parts = Vec::with_capacity(8);
        Modifier::push(&mut parts, stats.armour, "armour", "AC-32");
        if !self.is_helpless(of) {
            Modifier::push(&mut parts, stats.quickness, "Quickness", "AC-32");
            if self.inventory(of).shield {
                Modifier::push(&mut parts, stats.shield, "shield", "AC-32");
            }
        }
        parts.extend(self.view.defense_modifiers(of, "AC-20"));
        if position.allows_parry() && !self.is_helpless(of) {
            if !ranged {
                Modifier::push(&mut parts, self.parry(of), "parry", "AC-13");
            } else if self.missile_parries_left(of, position) > 0 {
                Modifier::push(&mut parts, self.missile_parry(of), "missile parry", "AC-22");
            }
        }
        parts
    }

    /// The OB that the unit keeps for parrying and can parry with: bare hands cannot parry
    /// (AC-13).
    pub fn parry(&self, of: Id) -> i32 {
        match self.view.ready_weapons(of).next() {
            Some(_) => self.actor(of).parry,
            None => 0,
        }
    }

    /// Missiles that the unit can still parry at this position in its plan: one for each
    /// declared missile parry (AC-22).
    pub fn missile_parries_left(&self, of: Id, position: PlanPosition) -> usize {
        let counts = position.is_at(|kind| kind == ActionKind::ParryMissile);
        if !counts || self.is_helpless(of) {
            return 0;
        }
        let actor = self.actor(of);
        let parries = |p: &&PlannedAction| p.kind == ActionKind::ParryMissile;
        let paid = actor.plan.iter().filter(parries).count();
        paid.saturating_sub(actor.missiles_parried)
    }

    /// The change to OB of a melee with this percent of the round, after moving this many feet;
    /// 0 or less (AC-02, AC-23).
    pub fn less_ob(&self, percent: i32, moved: i32) -> i32 {
        let t = self.tables();
        (percent - t.costs.melee.1).min(0) - (moved + 9) / 10 * t.move_penalty
    }

    /// The DB of a missile parry: half the OB with a shield, all of it with the talent,
    /// otherwise 0 (AC-22).
    pub fn missile_parry(&self, of: Id) -> i32 {
        let melee = |n: &Item| self.weapon(*n).melee.is_some();
        let ready = self.inventory(of).ready().filter(melee);
        let ob = ready.map(|n| self.base_ob(of, n, false)).max().unwrap_or(0);
        let ob = ob + self.actor(of).penalty;
        if self.has(of, Talent::MissileDeflection) {
            ob.max(0)
        } else if self.inventory(of).shield {
            ob.max(0) / 2
        } else {
            0
        }
    }

    /// Modifiers to an attack that takes this percent of the round (AC-02, AC-13, AC-23).
    /// `charge`: feet of its run, which give a bonus.
    pub fn effort(&self, by: Id, percent: i32, ranged: bool, charge: Option<u16>) -> Vec<Modifier> {
        self.effort_after(by, percent, ranged, charge, self.actor(by).moved)
    }

    /// Like [`effort`](Self::effort), after `moved` feet in the round, not counting the run of
    /// a charge.
    pub fn effort_after(
        &self,
        by: Id,
        percent: i32,
        ranged: bool,
        charge: Option<u16>,
        moved: u16,
    ) -> Vec<Modifier> {
        let t = self.tables();
        let (full, kept) = match ranged {
            true => (t.costs.missile.1, 0),
            false => (t.costs.melee.1, self.actor(by).parry),
        };
        let less = (percent - full).min(0);
        let run = charge.map_or(String::new(), |feet| format!("charge of {feet} ft"));
        let bonus = i32::from(charge.unwrap_or(0)) / 5 * t.charge_bonus;
        // The run of a charge is not included here, but a move before it is.
        let tens = (i32::from(moved) + 9) / 10;
        let parts = [
            (less, format!("{percent}% activity"), "AC-02"),
            (-kept, "kept for parrying".into(), "AC-13"),
            (bonus.min(t.charge_most), run, "AC-21"),
            (-tens * t.move_penalty, format!("moved {moved} ft"), "AC-23"),
        ];
        let parts = parts.into_iter().filter(|part| part.0 != 0);
        let parts = parts.map(|(value, label, rule)| Modifier::new(value as i16, label, rule));
        parts.collect()
    }
}
