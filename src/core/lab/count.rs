//! Counts a finished battle into a tally.

use super::Tally;
use crate::{
    battle::{
        Battle, Body, Choice, End, Event, EventKind, Id, Replica, Side, State, all_units, of_unit,
    },
    control::statistics::follow,
};
use bevy_ecs::world::World;
use std::collections::BTreeMap;

/// What is noted while the events of a battle are followed.
#[derive(Default)]
struct BattleNotes {
    round: u32,
    /// The side that moved or attacked first.
    first: Option<Side>,
    fell: BTreeMap<Id, u32>,
    halfway: Vec<f32>,
}

impl Tally {
    /// Counts a battle. `followed` is a replica of the same set-up that sees
    /// everything and is at the start of the battle.
    pub fn count(&mut self, battle: &Battle, followed: &mut Replica, seed: u64) {
        let mut course = BattleNotes::default();
        let strength = battle.rules().strength;
        let (mut n, half) = (0, battle.events().len() / 2);
        let units = follow(battle, followed, |event, world| {
            if n == half {
                course.halfway = strength(world, 0);
            }
            n += 1;
            self.note(event, world, &mut course);
        });
        for (tally, unit) in self.units.iter_mut().zip(units) {
            tally.dealt.add(unit.dealt.into());
            tally.taken.add(unit.taken.into());
            tally.attacks += u64::from(unit.attacks);
            tally.hits += u64::from(unit.hits);
            tally.expected += (f64::from(unit.expected) * 1e6).round() as u64;
            tally.felled += u64::from(unit.felled);
        }
        for (who, round) in &course.fell {
            *self.units[who.index()].fell.entry(*round).or_default() += 1;
        }
        self.count_acts(battle);
        let (winner, nobody) = (battle.over().flatten(), self.wins.len() - 1);
        let slot = winner.map_or(nobody, Side::index);
        self.wins[slot] += 1;
        self.draws.count(battle);
        *self.rounds[slot].entry(course.round.max(1)).or_default() += 1;
        self.first[course.first.map_or(nobody, Side::index)][slot] += 1;
        self.count_end(battle, slot);
        self.count_swing(&course.halfway, &strength(&mut followed.world, 0), winner);
        // Each seed is fought only once, so this cannot fail.
        let _ = self.seeds.join(&super::Seeds::one(seed));
    }

    fn note(&mut self, event: &Event, world: &World, course: &mut BattleNotes) {
        let mut begins = |who: Id| {
            let side = of_unit::<Body>(world, who).side;
            course.first = course.first.or(Some(side));
        };
        match &event.what {
            EventKind::RoundBegan { round } => {
                course.round = course.round.max(u32::from(*round));
                for body in all_units::<Body>(world).iter().filter(|b| b.is_up()) {
                    body.space().cells().for_each(|c| self.stood.add(c));
                }
            }
            EventKind::Moved { who, .. } => begins(*who),
            EventKind::AttackRolled { rolled_attack } => {
                let by = rolled_attack.attack.by;
                begins(by);
                if rolled_attack.attack.ranged {
                    self.shots.add(of_unit::<Body>(world, by).at);
                }
            }
            EventKind::Fell { who } => {
                course.fell.entry(*who).or_insert(course.round.max(1));
                self.falls.add(of_unit::<Body>(world, *who).at);
            }
            _ => {}
        }
    }

    /// Counts answers, reactions, and actions: what was carried out and was no
    /// reaction.
    fn count_acts(&mut self, battle: &Battle) {
        let answers = battle.answers();
        self.answers += answers.len() as u64;
        let reactions = (0..answers.len()).filter(|&n| battle.was_reaction(n));
        let mut reactions: Vec<&Choice> = reactions.map(|n| &answers[n]).collect();
        for choice in &reactions {
            if let Some(who) = choice.who {
                once_more(&mut self.units[who.index()].reactions, choice);
            }
        }
        for event in battle.events() {
            let EventKind::Acted { choice } = &event.what else {
                continue;
            };
            match reactions.iter().position(|r| *r == choice) {
                Some(n) => drop(reactions.swap_remove(n)),
                None => {
                    if let Some(who) = choice.who {
                        once_more(&mut self.units[who.index()].acts, choice);
                    }
                }
            }
        }
    }

    fn count_end(&mut self, battle: &Battle, slot: usize) {
        let world = battle.world();
        let mut standing = vec![0; self.standing.len()];
        let (mut foes_stand, mut foes_fled) = (false, false);
        for (body, tally) in all_units::<Body>(world).iter().zip(&mut self.units) {
            let is_enemy = body.side.index() != slot;
            match body.state {
                State::Up | State::Waiting => {
                    tally.standing += 1;
                    standing[body.side.index()] += 1;
                    foes_stand |= is_enemy;
                }
                State::Down => tally.down += 1,
                State::Dead => tally.dead += 1,
                State::Fled => {
                    tally.fled += 1;
                    foes_fled |= is_enemy;
                }
            }
        }
        for (sum, n) in self.standing_in_all.iter_mut().zip(&standing) {
            *sum += u64::from(*n);
        }
        if let (Some(own), Some(n)) = (self.standing.get_mut(slot), standing.get(slot)) {
            *own.entry(*n).or_default() += 1;
        }
        let why = battle.why_over().unwrap_or("not over");
        let manner = self.why[slot].entry(why.to_owned()).or_default();
        manner.is_plain = battle.end() == Some(End::NoEnemyLeft);
        *match (foes_stand, foes_fled) {
            (true, _) => &mut manner.standing,
            (false, true) => &mut manner.routed,
            (false, false) => &mut manner.felled,
        } += 1;
    }

    fn count_swing(&mut self, halfway: &[f32], end: &[f32], winner: Option<Side>) {
        for (n, moments) in self.swing.margin.iter_mut().enumerate() {
            let others = end.iter().enumerate().filter(|other| other.0 != n);
            let most = others.map(|other| *other.1).fold(0.0, f32::max);
            moments.add(((end[n] - most) * 1000.0).round() as i64);
        }
        if let Some(ahead) = ahead(halfway) {
            self.swing.ahead += 1;
            match winner {
                Some(side) if side.index() == ahead => self.swing.kept += 1,
                Some(_) => self.swing.lost += 1,
                None => {}
            }
        }
    }
}

fn once_more(verbs: &mut BTreeMap<String, u64>, choice: &Choice) {
    match verbs.get_mut(choice.verb.name) {
        Some(n) => *n += 1,
        None => drop(verbs.insert(choice.verb.name.to_owned(), 1)),
    }
}

/// The side with the most strength left, if it leads all others by more than 0.01.
fn ahead(strength: &[f32]) -> Option<usize> {
    let best = (0..strength.len()).max_by(|a, b| strength[*a].total_cmp(&strength[*b]))?;
    let is_behind = |(n, left): (usize, &f32)| n == best || left + 0.01 < strength[best];
    let clear = strength.iter().enumerate().all(is_behind);
    clear.then_some(best)
}
