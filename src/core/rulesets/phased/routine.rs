//! Attack routines (PH-35): all attacks of a routine are simultaneous and have one target.

use super::{
    movement::{charge_feet, charge_line},
    odds::{AttackSpec, Forecast},
    query::PhasedQuery,
};
use crate::rulesets::phased::content::{AttackGroup, Loading};
use crate::{
    battle::{Attack, Choice, Id, Item, Modifier, Rule, Why},
    content::{Dice, Make},
    grid::Space,
    rulesets::common::inventory::missiles,
};

/// How a routine is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackWay {
    Strike,
    /// With a long melee weapon used as a spear (PH-51).
    Thrust,
    Shoot,
}

/// An attack routine to list, resolve or display.
#[derive(Clone, Debug)]
pub struct Routine {
    pub by: Id,
    pub at: Id,
    /// The first weapon of the routine.
    pub with: Item,
    pub way: AttackWay,
    pub rule: Rule,
    /// Modifiers to every attack roll of the routine.
    pub extra: Vec<Modifier>,
    /// Damage multiplier, the highest that applies (PH-34).
    pub times: i32,
    pub called: bool,
}

impl Routine {
    pub fn new(by: Id, at: Id, with: Item, way: AttackWay, rule: Rule) -> Self {
        Self {
            by,
            at,
            with,
            way,
            rule,
            extra: vec![],
            times: 1,
            called: false,
        }
    }

    pub fn of(choice: &Choice, way: AttackWay) -> Self {
        let by = choice.actor();
        let at = choice.at.expect("an attack has a target");
        let with = choice.with.expect("an attack has a weapon");
        Self::new(by, at, with, way, choice.verb.rule)
    }

    /// The attack at the end of a charge.
    pub fn of_charge(ph: &PhasedQuery, choice: &Choice) -> Self {
        let bonus = ph.tables().numbers.charge_attack;
        let rule = "PH-42";
        Self {
            rule,
            ..Self::of(choice, AttackWay::Strike).plus(bonus, "charge", rule)
        }
    }

    pub fn plus(mut self, value: i16, label: &'static str, rule: Rule) -> Self {
        self.extra.push(Modifier::new(value, label, rule));
        self
    }

    /// Applies a damage multiplier. Multipliers don't add up: the highest counts (PH-34).
    pub fn times(mut self, times: i32) -> Self {
        self.times = self.times.max(times);
        self
    }

    /// A called shot: a single attack at a weak spot of the target (PH-38).
    pub fn called(mut self, times: i32) -> Self {
        self.called = true;
        self.times(times)
    }
}

impl PhasedQuery<'_, '_> {
    /// The attacks of a routine, in order.
    pub fn specs(&self, routine: &Routine) -> Vec<AttackSpec> {
        let weapon = self.weapon(routine.with);
        let stats = self.weapon_stats(routine.with);
        let spec = |with: Item, dice: Dice| AttackSpec {
            attack: Attack {
                by: routine.by,
                at: routine.at,
                with,
                ranged: routine.way == AttackWay::Shoot,
                rule: routine.rule,
                extra: routine.extra.clone(),
            },
            dice,
            times: routine.times,
            called: routine.called,
        };
        let plain = || spec(routine.with, weapon.damage);
        match routine.way {
            _ if routine.called => vec![plain()],
            // Limited by the number of weapons left to throw.
            AttackWay::Shoot => {
                let rate = usize::from(stats.rate.max(1));
                vec![plain(); rate.min(missiles(&self.view, routine.by, routine.with))]
            }
            AttackWay::Thrust => {
                let dice = stats.thrust.map_or(weapon.damage, |t| t.damage);
                vec![spec(routine.with, dice)]
            }
            AttackWay::Strike if weapon.make == Make::Natural => {
                let all = self.natural(routine).into_iter();
                all.map(|(item, dice)| spec(item, dice)).collect()
            }
            AttackWay::Strike => {
                let Some(other) = self.second_weapon(routine) else {
                    return vec![plain()];
                };
                // Two weapons have a penalty each, reduced by the DEX reaction adjustment.
                let quick = self.stats(routine.by).reaction;
                let one = |item: Item, cost: i32, label| {
                    let mut spec = spec(item, self.weapon(item).damage);
                    let less = Modifier::list("PH-35", [((quick - cost).min(0), label)]);
                    spec.attack.extra.extend(less);
                    spec
                };
                let numbers = &self.tables().numbers;
                vec![
                    one(routine.with, numbers.main_hand, "two weapons"),
                    one(other, numbers.off_hand, "off hand"),
                ]
            }
        }
    }

    /// The attack of a routine that `attack` stands for, found by its rule, weapon and modifiers.
    /// If a routine has several attacks with one weapon, the first.
    pub fn spec_of(&self, attack: Attack) -> AttackSpec {
        let numbers = &self.tables().numbers;
        let weapon = self.weapon(attack.with);
        let called = attack.rule == "PH-38";
        // A charger's attack has a bonus, a set weapon's attack has none (PH-42).
        let times = match (called, attack.rule) {
            (true, _) => numbers.called_shot_times,
            (_, "PH-42") if attack.extra.is_empty() => numbers.set_times,
            _ => 1,
        };
        let thrust = self.weapon_stats(attack.with).thrust;
        let line = self.stats(attack.by).attacks.as_ref();
        let mut parts = line.iter().flat_map(|line| &line.parts);
        let natural = parts.find(|part| weapon.make == Make::Natural && part.is_of(&weapon.name));
        let dice = match natural.and_then(|part| part.damage.first()) {
            Some(dice) => *dice,
            None if attack.rule == "PH-51" => thrust.map_or(weapon.damage, |t| t.damage),
            None => weapon.damage,
        };
        AttackSpec {
            attack,
            dice,
            times,
            called,
        }
    }

    /// The attacks of the creature's attack line, or one with each natural weapon.
    fn natural(&self, routine: &Routine) -> Vec<(Item, Dice)> {
        let weapons: Vec<Item> = self.natural_weapons(routine.by).collect();
        let Some(line) = &self.stats(routine.by).attacks else {
            let one = |item| (item, self.weapon(item).damage);
            return weapons.into_iter().map(one).collect();
        };
        let part = |part: &AttackGroup| {
            let is_it = |item: &&Item| part.is_of(&self.weapon(**item).name);
            let item = *weapons.iter().find(is_it).unwrap_or(&routine.with);
            let hits = part.damage.iter().map(move |&dice| (item, dice));
            hits.collect::<Vec<_>>()
        };
        line.parts.iter().flat_map(part).collect()
    }

    /// The weapon in the off hand, if it strikes too.
    fn second_weapon(&self, routine: &Routine) -> Option<Item> {
        let inventory = self.inventory(routine.by);
        let one_hand = self.weapon(routine.with).hands == 1;
        let other = inventory.off_hand().filter(|_| one_hand)?;
        (other != routine.with || inventory.in_hand() == Some(other)).then_some(other)
    }

    fn natural_weapons(&self, who: Id) -> impl Iterator<Item = Item> {
        let natural = |&i: &Item| {
            let weapon = self.weapon(i);
            weapon.make == Make::Natural && weapon.melee.is_some()
        };
        self.inventory(who).at_hand().filter(natural)
    }

    /// The weapons that can lead a melee routine. Natural weapons count as one.
    pub fn strike_items(&self, who: Id) -> Vec<Item> {
        let mut beast = false;
        let mut out = vec![];
        for item in self.inventory(who).at_hand() {
            let weapon = self.weapon(item);
            let Some(_) = weapon.melee else { continue };
            if weapon.make == Make::Natural && std::mem::replace(&mut beast, true) {
                continue;
            }
            if weapon.make == Make::Unarmed && beast {
                continue;
            }
            out.push(item);
        }
        out
    }

    /// The weapons that the unit can attack with without drawing: held, or part of its body. Bare
    /// hands only as a last resort (PH-40).
    pub fn ready_weapons(&self, who: Id) -> Vec<Item> {
        let ready: Vec<Item> = self.inventory(who).ready().collect();
        let mut weapons = self.strike_items(who);
        weapons.retain(|item| ready.contains(item) && self.readying(who, *item).is_ok());
        let armed = |i: &Item| self.weapon(*i).make != Make::Unarmed;
        if weapons.iter().any(armed) {
            weapons.retain(armed);
        }
        let off = self.inventory(who).off_hand();
        if weapons.len() > 1 {
            weapons
                .retain(|item| Some(*item) != off || self.inventory(who).in_hand() == Some(*item));
        }
        weapons
    }

    /// A routine's speed in ties: the weapon speed, plus a segment for each minor activity before
    /// it or declared after it (PH-02, PH-11). Drawing the weapon adds nothing, even as a separate
    /// action (PH-12).
    pub fn speed_of(&self, who: Id, item: Item, way: AttackWay) -> u8 {
        let parts = self.speed_parts(who, item, way);
        parts.iter().map(|part| part.value as u8).sum()
    }

    /// The parts of a routine's speed, each with its rule.
    pub fn speed_parts(&self, who: Id, item: Item, way: AttackWay) -> Vec<Modifier> {
        let stats = self.weapon_stats(item);
        let own = match (way, stats.thrust) {
            (AttackWay::Thrust, Some(thrust)) => thrust.speed,
            _ => stats.speed,
        };
        let fighter = self.fighter(who);
        let after = u8::from(fighter.plan == Some(super::state::DeclaredPlan::After));
        let held = self.inventory(who).in_hand() == Some(item);
        let drawn = u8::from(held && fighter.drawn == Some(item));
        let change = self.readying(who, item).unwrap_or(0);
        let minor = fighter.segments.saturating_sub(drawn);
        let parts = [
            (own, "weapon", "PH-02"),
            (minor, "minor acts", "PH-11"),
            (after, "an act after it", "PH-11"),
            (change, "change of weapons", "PH-12"),
        ];
        let counts = parts.into_iter().filter(|part| part.0 > 0);
        let part = |(n, label, rule): (u8, _, _)| Modifier::new(n.into(), label, rule);
        counts.map(part).collect()
    }

    /// The forecasts of a routine's attacks, or why it is not possible.
    pub fn routine_forecasts(&self, routine: &Routine) -> Result<Vec<Forecast>, Why> {
        self.can_begin(routine)?;
        let specs = self.specs(routine);
        specs.iter().map(|spec| self.forecast(spec)).collect()
    }

    pub fn can_make(&self, routine: &Routine) -> Result<(), Why> {
        self.can_begin(routine)?;
        let is_legal = |spec: &AttackSpec| self.legal_attack(&spec.attack).map(drop);
        self.specs(routine).iter().try_for_each(is_legal)
    }

    /// Checks the weapon of a routine: the space that it needs (PH-51), and whether it is loaded
    /// (PH-15) and the hands are free for it (PH-11).
    fn can_begin(&self, routine: &Routine) -> Result<(), Why> {
        let stats = self.weapon_stats(routine.with);
        match routine.way {
            AttackWay::Shoot => self.can_be_shot(routine)?,
            AttackWay::Strike => {
                let is_melee = self.weapon(routine.with).melee.is_some();
                Why::new("PH-04", "it is not a melee weapon").unless(is_melee)?;
                self.has_room(routine.by, stats.space)?;
            }
            AttackWay::Thrust => {
                let none = Why::new("PH-51", "it has only one use");
                self.has_room(routine.by, stats.thrust.ok_or(none)?.space)?;
            }
        }
        self.readying(routine.by, routine.with).map(drop)
    }

    /// The forecasts of a charge's attacks from the end of its movement (PH-42).
    pub fn charge_forecasts(&self, routine: &Routine) -> Result<Vec<Forecast>, Why> {
        let (by, at) = (routine.by, routine.at);
        let path = charge_line(self, by, at, charge_feet(self, by))?;
        let mine = self.body(by);
        let end = Space::new(path.last().copied().unwrap_or(mine.at), mine.size);
        let there = self.body(at).space();
        let cover = self.cover_between(end, there)?;
        let forecast = |spec: &AttackSpec| {
            let mut forecast = self.unobstructed_forecast(spec);
            self.add_cover(&mut forecast, cover, (end, there));
            forecast
        };
        Ok(self.specs(routine).iter().map(forecast).collect())
    }

    fn has_room(&self, who: Id, space: u8) -> Result<(), Why> {
        if space > 4 && self.open_cells(who) == 0 {
            let text = format!("it needs {space} ft to swing, and no adjacent cell is free");
            return Err(Why::new("PH-51", text));
        }
        Ok(())
    }

    fn can_be_shot(&self, routine: &Routine) -> Result<(), Why> {
        let fighter = self.fighter(routine.by);
        let why = match self.weapon_stats(routine.with).loading {
            _ if !fighter.unloaded.contains(&routine.with) => return Ok(()),
            Loading::Complex => Why::new("PH-14", "it is not loaded"),
            Loading::Delaying if fighter.passed_up.delayed => {
                Why::new("PH-15", "when delayed, loading takes the whole round")
            }
            _ => return Ok(()),
        };
        Err(why)
    }

    /// PH-15: this shot includes loading, so it must wait for LOW.
    pub fn is_delaying_shot(&self, who: Id, item: Item) -> bool {
        self.weapon_stats(item).loading == Loading::Delaying
            && self.fighter(who).unloaded.contains(&item)
    }
}
