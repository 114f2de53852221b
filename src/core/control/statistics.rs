//! What a battle's dice did, next to what they were expected to do.

use crate::battle::{Battle, Cue, Event, EventKind, Expected, Id, Replica, Roster, Setup};
use bevy_ecs::world::World;
use std::collections::BTreeMap;

/// What one combatant, or a side, did and suffered.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Deeds {
    /// Attacks that were rolled for.
    pub attacks: u32,
    pub hits: u32,
    /// Hits to be expected: the sum of the chances that the forecasts gave in
    /// the moment of the roll.
    pub expected: f32,
    /// Damage of attacks that were rolled for; spells, bleeding and falls are not in it.
    pub struck: i32,
    /// Damage to be expected of them: the sum of what the forecasts gave in the moment of
    /// the roll.
    pub expected_damage: f32,
    pub dealt: i32,
    pub taken: i32,
    /// Whom it put down.
    pub felled: u32,
    /// How often it fell.
    pub falls: u32,
}

impl Deeds {
    /// Damage of its attacks above or below what their dice were expected to do.
    pub fn luck(&self) -> f32 {
        self.struck as f32 - self.expected_damage
    }
}

impl std::ops::AddAssign for Deeds {
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

/// By combatant. `setup` is the battle's own. Each chance is asked of the
/// ruleset's forecast in a world that has followed the battle up to that roll.
pub fn statistics(battle: &Battle, setup: &Setup) -> Vec<Deeds> {
    let mut followed = Replica::new(setup, battle.rules(), None);
    follow(battle, &mut followed, |_, _| {})
}

/// The same with a replica of the battle's set-up that sees all and stands at
/// its beginning; `before` is told each event before it is applied, with the
/// world as it was then.
pub fn follow(
    battle: &Battle,
    followed: &mut Replica,
    mut before: impl FnMut(&Event, &mut World),
) -> Vec<Deeds> {
    let rules = battle.rules();
    let mut all = vec![Deeds::default(); battle.world().resource::<Roster>().who.len()];
    // Attackers of the attacks in flight, and who hurt whom last.
    let mut flying: BTreeMap<u32, Id> = BTreeMap::new();
    let mut hurt_by: BTreeMap<Id, Id> = BTreeMap::new();
    // The attacker whose attack was settled last: what follows at once is its damage.
    let mut striking = None;
    for event in battle.events() {
        before(event, &mut followed.world);
        if let EventKind::AttackRolled { shot } = &event.what {
            let expected = (rules.expected)(&mut followed.world, &shot.attack);
            let deeds = &mut all[shot.attack.by.index()];
            deeds.attacks += 1;
            if let Some(Expected { hit, damage }) = expected {
                deeds.expected += hit;
                deeds.expected_damage += damage;
            }
            flying.insert(shot.serial, shot.attack.by);
        }
        strike(event, &mut all, &flying, &mut striking);
        count(event, &mut all, &mut flying, &mut hurt_by);
        followed.next(battle.events());
    }
    all
}

/// Counts the damage of attacks that were rolled for.
fn strike(event: &Event, all: &mut [Deeds], flying: &BTreeMap<u32, Id>, striking: &mut Option<Id>) {
    let (by, points) = match &event.what {
        EventKind::AttackSettled { serial, .. } => {
            *striking = flying.get(serial).copied();
            return;
        }
        EventKind::Acted { .. } | EventKind::AttackRolled { .. } | EventKind::RoundBegan { .. } => {
            *striking = None;
            return;
        }
        EventKind::Damaged { by, points, .. } => (*by, *points),
        EventKind::Ruleset(own) => match own.cue().filter(Cue::is_harm) {
            Some(harm) => (harm.by, harm.points),
            None => return,
        },
        _ => return,
    };
    if let Some(by) = by.filter(|_| by == *striking) {
        all[by.index()].struck += points;
    }
}

fn count(
    event: &Event,
    all: &mut [Deeds],
    flying: &mut BTreeMap<u32, Id>,
    hurt_by: &mut BTreeMap<Id, Id>,
) {
    match &event.what {
        EventKind::AttackSettled { serial, hit, .. } => {
            if let Some(by) = flying.remove(serial)
                && *hit
            {
                all[by.index()].hits += 1;
            }
        }
        EventKind::Damaged {
            who, by, points, ..
        } => {
            all[who.index()].taken += points;
            match by {
                Some(by) => {
                    all[by.index()].dealt += points;
                    hurt_by.insert(*who, *by);
                }
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
            }
        }
        _ => {}
    }
}
