//! What each unit planned for a round, what happened, and why a plan failed.

use super::Session;
use crate::battle::{EventKind, Id, capitalised};
use std::collections::BTreeMap;

/// The result of a unit's plan.
#[derive(Clone, PartialEq, Debug)]
pub struct UnitResult {
    pub who: Id,
    /// "Strike goblin 2 with short sword"; `None` without a plan.
    pub planned: Option<String>,
    /// "hits goblin 2 for 5, takes 3".
    pub happened: String,
    /// Why the plan failed.
    pub why: Option<String>,
}

impl Session {
    /// What each unit of the player's side planned for a round and did, as far as the screen has
    /// shown it.
    pub fn results(&self, round: u16) -> Vec<UnitResult> {
        let mut happened = self.happened_in(round);
        let planned = |who: Id| {
            let plan = self.intents().of(who, round);
            let label = plan.map(|intent| intent.label.clone());
            label.or_else(|| {
                let names = self.game.names();
                let mut said = self.intents().said_in(round);
                let declared = said.find(|choice| choice.who == Some(who))?;
                Some(capitalised(&declared.deed(names)))
            })
        };
        let why = |who: Id| {
            let mut failures = self.intents().failures(round);
            let failure = failures.find(|failure| failure.who == who)?;
            Some(failure.reason.text(self.game.names()))
        };
        let own = self.shown().members(self.player());
        own.map(|unit| UnitResult {
            who: unit.id,
            planned: planned(unit.id),
            happened: happened.remove(&unit.id).unwrap_or_default().words(),
            why: why(unit.id),
        })
        .collect()
    }

    fn happened_in(&self, round: u16) -> BTreeMap<Id, Happened> {
        let names = self.game.names();
        let mut all: BTreeMap<Id, Happened> = BTreeMap::new();
        let mut attacks: BTreeMap<u32, (Id, Id)> = BTreeMap::new();
        for event in self.told_in(round) {
            match &event.what {
                EventKind::Moved { who, feet, .. } => all.entry(*who).or_default().feet += feet,
                EventKind::AttackRolled { shot } => {
                    let (by, at) = (shot.attack.by, shot.attack.at);
                    attacks.insert(shot.serial, (by, at));
                }
                EventKind::AttackSettled { serial, hit, .. } => {
                    let Some(&(by, at)) = attacks.get(serial) else {
                        continue;
                    };
                    let acts = &mut all.entry(by).or_default().acts;
                    let verb = if *hit { "hits" } else { "misses" };
                    acts.push((format!("{verb} {}", names.name(at)), at, 0));
                }
                EventKind::Acted { choice } if choice.spell.is_some() => {
                    if let (Some(who), Some(spell)) = (choice.who, choice.spell) {
                        let acts = &mut all.entry(who).or_default().acts;
                        acts.push((format!("casts {}", names.spell(spell)), who, 0));
                    }
                }
                EventKind::Damaged {
                    who, by, points, ..
                } => {
                    all.entry(*who).or_default().taken += points;
                    let acts = by.and_then(|by| all.get_mut(&by));
                    let act = acts.and_then(|h| h.acts.iter_mut().rfind(|act| act.1 == *who));
                    if let Some(act) = act {
                        act.2 += points;
                    }
                }
                EventKind::Fell { who } | EventKind::Died { who } => {
                    all.entry(*who).or_default().is_down = true;
                }
                _ => {}
            }
        }
        all
    }
}

/// What happened to a unit in a round.
#[derive(Default)]
struct Happened {
    feet: u16,
    /// What it did, to which unit, and the damage.
    acts: Vec<(String, Id, i32)>,
    taken: i32,
    is_down: bool,
}

impl Happened {
    /// "moves 20 ft, hits goblin 2 for 5, takes 3", short enough for a line or two.
    fn words(self) -> String {
        const MOST: usize = 3;
        let mut parts: Vec<String> = vec![];
        parts.extend((self.feet > 0).then(|| format!("moves {} ft", self.feet)));
        let act = |(words, _, points): &(String, Id, i32)| match points {
            0 => words.clone(),
            points => format!("{words} for {points}"),
        };
        parts.extend(self.acts.iter().take(MOST).map(act));
        let more = self.acts.len().saturating_sub(MOST);
        parts.extend((more > 0).then(|| format!("{more} more")));
        parts.extend((self.taken > 0).then(|| format!("takes {}", self.taken)));
        parts.extend(self.is_down.then(|| String::from("is down")));
        match parts.is_empty() {
            true => String::from("nothing"),
            false => parts.join(", "),
        }
    }
}
