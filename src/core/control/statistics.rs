//! What the dice of a battle did, compared with what was expected of them.

use crate::battle::{Battle, Body, Cue, Event, EventKind, Expected, Id, Replica, Roster, of_unit};
use bevy_ecs::world::World;
use std::collections::BTreeMap;

/// What a unit or a side did and suffered.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct UnitStatistics {
    /// Attacks with a roll.
    pub attacks: u32,
    pub hits: u32,
    /// Expected hits: the sum of the chances that were forecast when the attacks were rolled.
    pub expected: f32,
    /// Damage of rolled attacks; without spells, bleeding and falls.
    pub struck: i32,
    /// Expected damage of rolled attacks: the sum of what was forecast when they were rolled.
    pub expected_damage: f32,
    /// Damage dealt and taken, of each hit at most the hit points that were left. Pools of a ruleset,
    /// such as Stress, count as well.
    pub dealt: i32,
    pub taken: i32,
    /// How many units it put down.
    pub felled: u32,
    /// How often it fell.
    pub falls: u32,
}

impl UnitStatistics {
    /// Damage of its attacks above or below expectation, in tenths: the difference of the two
    /// numbers as they are shown.
    pub fn luck(&self) -> f32 {
        tenths(self.struck as f32 - tenths(self.expected_damage))
    }
}

/// Rounds to tenths, halves up.
pub fn tenths(number: f32) -> f32 {
    (number * 10.0 + 1e-3).round() / 10.0
}

impl std::ops::AddAssign for UnitStatistics {
    fn add_assign(&mut self, other: Self) {
        self.attacks += other.attacks;
        self.hits += other.hits;
        self.expected += other.expected;
        self.struck += other.struck;
        self.expected_damage += other.expected_damage;
        self.dealt += other.dealt;
        self.taken += other.taken;
        self.felled += other.felled;
        self.falls += other.falls;
    }
}

/// Statistics for each unit. Each chance comes from the ruleset's
/// forecast, in a world that has followed the battle up to that roll.
pub fn statistics(battle: &Battle) -> Vec<UnitStatistics> {
    let mut followed = battle.replica(None);
    follow(battle, &mut followed, |_, _| {})
}

/// Statistics for each unit, collected with a replica that sees everything and stands at the
/// start of the battle. `before` is called with each event before it is applied, and with the
/// world at that time.
pub fn follow(
    battle: &Battle,
    followed: &mut Replica,
    mut before: impl FnMut(&Event, &mut World),
) -> Vec<UnitStatistics> {
    let rules = battle.rules();
    let mut all = vec![UnitStatistics::default(); battle.world().resource::<Roster>().units];
    // The attackers of pending attacks.
    let mut flying: BTreeMap<u32, Id> = BTreeMap::new();
    let mut authors = Authors::default();
    // The attacker whose attack was resolved last: damage that follows at once is its damage.
    let mut striking = None;
    for event in battle.events() {
        before(event, &mut followed.world);
        if let EventKind::AttackRolled { rolled_attack } = &event.what {
            let expected = (rules.expected)(&mut followed.world, &rolled_attack.attack);
            let unit = &mut all[rolled_attack.attack.by.index()];
            unit.attacks += 1;
            if let Some(Expected { hit, damage }) = expected {
                unit.expected += hit;
                unit.expected_damage += damage;
            }
            flying.insert(rolled_attack.serial, rolled_attack.attack.by);
        }
        strike(event, &mut all, &flying, &mut striking);
        let hp = |who: Id| of_unit::<Body>(&followed.world, who).hp;
        count(event, &mut all, &mut flying, &mut authors, hp);
        followed.next(battle.events());
    }
    all
}

/// Who caused what happens to units.
#[derive(Default)]
struct Authors {
    /// The unit that last hurt each unit.
    hurt_by: BTreeMap<Id, Id>,
    /// The unit that put down each unit that is down: it causes the bleeding too.
    felled_by: BTreeMap<Id, Id>,
}

/// Counts the damage of rolled attacks.
fn strike(
    event: &Event,
    all: &mut [UnitStatistics],
    flying: &BTreeMap<u32, Id>,
    striking: &mut Option<Id>,
) {
    let (by, points) = match &event.what {
        EventKind::AttackResolved { serial, .. } => {
            *striking = flying.get(serial).copied();
            return;
        }
        // What follows the push of an attack is no damage of its weapon but a fall.
        EventKind::Acted { .. }
        | EventKind::AttackRolled { .. }
        | EventKind::Moved { .. }
        | EventKind::RoundBegan { .. } => {
            *striking = None;
            return;
        }
        _ => match event.cue().filter(Cue::is_loss) {
            Some(loss) => (loss.by, loss.points),
            None => return,
        },
    };
    if let Some(by) = by.filter(|_| by == *striking) {
        all[by.index()].struck += points;
    }
}

/// Counts an event; `hp` gives the hit points of a unit before it.
fn count(
    event: &Event,
    all: &mut [UnitStatistics],
    flying: &mut BTreeMap<u32, Id>,
    Authors { hurt_by, felled_by }: &mut Authors,
    hp: impl Fn(Id) -> i32,
) {
    match &event.what {
        EventKind::AttackResolved { serial, hit, .. } => {
            if let Some(by) = flying.remove(serial)
                && *hit
            {
                all[by.index()].hits += 1;
            }
        }
        EventKind::Damaged {
            who, by, points, ..
        } => {
            let lost = (*points).min(hp(*who).max(0));
            all[who.index()].taken += lost;
            if let Some(author) = by.or(felled_by.get(who).copied()) {
                all[author.index()].dealt += lost;
            }
            match by {
                Some(by) => drop(hurt_by.insert(*who, *by)),
                None => drop(hurt_by.remove(who)),
            }
        }
        EventKind::Ruleset(own) => {
            if let Some(harm) = own.cue().filter(Cue::is_harm) {
                if let Some(who) = harm.who {
                    all[who.index()].taken += harm.points;
                }
                if let Some(by) = harm.by {
                    all[by.index()].dealt += harm.points;
                }
            }
        }
        EventKind::Fell { who } => {
            all[who.index()].falls += 1;
            if let Some(by) = hurt_by.get(who) {
                all[by.index()].felled += 1;
                felled_by.insert(*who, *by);
            }
        }
        // A unit that is helped may get up again.
        EventKind::Healed { who, .. } | EventKind::Revived { who, .. } => {
            felled_by.remove(who);
        }
        _ => {}
    }
}
