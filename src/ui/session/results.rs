//! What each unit planned for a round, what happened, and why a plan failed.

use super::Session;
use crate::{
    battle::{Choice, CueKind, EventKind, EventTable, Handling, Id, PASS},
    grid::Cell,
    words::uncapitalised,
};
use std::collections::BTreeMap;

/// The result of a unit's plan.
#[derive(Clone, PartialEq, Debug)]
pub struct UnitResult {
    pub who: Id,
    /// "Strike goblin 2 with short sword"; `None` without a plan.
    pub planned: Option<String>,
    /// "hits goblin 2 for 5, takes 3".
    pub happened: String,
    /// What failed, and what it did, without names: "strike failed, moved 10 ft, hit 6, took 9".
    pub in_short: String,
    /// Why the plan failed, or was not needed.
    pub why: Option<String>,
    /// Whether the plan was not needed: its target was out of the fight before.
    pub is_unneeded: bool,
    /// Whether the unit fell.
    pub is_down: bool,
}

impl Session {
    /// What each unit of the player's side planned for a round and did, as far as the screen has
    /// shown it.
    pub fn results(&self, round: u16) -> Vec<UnitResult> {
        let mut happened = self.happened_in(round);
        let own = self.shown().members(self.player());
        own.map(|unit| {
            let who = unit.id;
            let happened = happened.remove(&who).unwrap_or_default();
            let plan = self.intents().planned(who, round);
            let mut said = self.intents().unplanned_in(round);
            let mut declared = || said.find(|choice| choice.who == Some(who));
            let label = plan.map(|intent| intent.label.clone());
            let mut failures = self.intents().failures(round);
            let failure = failures.find(|failure| failure.who == who);
            let is_unneeded = failure.is_some_and(|failure| failure.reason.is_unneeded());
            let failed = failure.map(|_| {
                let name = plan.map_or("order".into(), |intent| self.action_name(intent));
                let how = if is_unneeded { "not needed" } else { "failed" };
                format!("{} {how}", uncapitalised(&name))
            });
            let in_words = |parts: Vec<String>| match parts.is_empty() {
                true => String::from("nothing"),
                false => parts.join(", "),
            };
            UnitResult {
                who,
                planned: label.or_else(|| Some(self.order_title(declared()?))),
                is_down: happened.is_down,
                in_short: in_words(failed.into_iter().chain(happened.in_short()).collect()),
                happened: in_words(happened.parts()),
                why: failure.map(|failure| failure.reason.text(self.game.names())),
                is_unneeded,
            }
        })
        .collect()
    }

    fn happened_in(&self, round: u16) -> BTreeMap<Id, Happened> {
        let names = self.game.names();
        let mut all: BTreeMap<Id, Happened> = BTreeMap::new();
        let mut attacks: BTreeMap<u32, (Id, Id)> = BTreeMap::new();
        // Where each unit stands: other cells are described as seen from there.
        let mut places: BTreeMap<Id, Cell> = BTreeMap::new();
        for event in self.events_in(round) {
            if let EventKind::Moved { who, from, .. } = &event.what {
                places.entry(*who).or_insert(*from);
            }
        }
        for event in self.events_in(round) {
            match &event.what {
                EventKind::Moved { who, to, feet, .. } => {
                    places.insert(*who, *to);
                    all.entry(*who).or_default().feet += feet;
                }
                EventKind::Acted { choice } if !self.goes_without_saying(choice, round) => {
                    let Some(who) = choice.who else { continue };
                    let from = choice.counts_from().unwrap_or(who);
                    let place = places.get(&from).copied();
                    let place = place.unwrap_or_else(|| self.shown().unit(from).at);
                    let act = match choice.spell {
                        Some(spell) => UnitAct {
                            in_short: format!("cast {}", names.spell(spell)),
                            ..UnitAct::new(format!("casts {}", names.spell(spell)), choice.at)
                        },
                        None => UnitAct {
                            is_open: true,
                            ..UnitAct::new(choice.done_from(names, Some(place)), choice.at)
                        },
                    };
                    all.entry(who).or_default().did(act);
                }
                EventKind::AttackRolled { rolled_attack } => {
                    let (by, at) = (rolled_attack.attack.by, rolled_attack.attack.at);
                    attacks.insert(rolled_attack.serial, (by, at));
                    // The hit or miss says more than the attack.
                    if let Some(own) = all.get_mut(&by) {
                        own.acts.retain(|act| !(act.is_open && act.at == Some(at)));
                    }
                }
                EventKind::AttackResolved { serial, hit, .. } => {
                    let Some(&(by, at)) = attacks.get(serial) else {
                        continue;
                    };
                    let (verb, past) = match *hit {
                        true => ("hits", "hit"),
                        false => ("misses", "missed"),
                    };
                    let act = UnitAct {
                        in_short: String::from(past),
                        is_attack: true,
                        ..UnitAct::new(format!("{verb} {}", names.name(at)), Some(at))
                    };
                    all.entry(by).or_default().acts.push(act);
                }
                EventKind::Damaged {
                    who, by, points, ..
                } => {
                    all.entry(*who).or_default().taken += points;
                    let acts = by.and_then(|by| all.get_mut(&by));
                    let act = acts.and_then(|h| h.acts.iter_mut().rfind(|a| a.at == Some(*who)));
                    if let Some(act) = act {
                        act.points += points;
                    }
                }
                EventKind::Fell { who } | EventKind::Died { who } => {
                    all.entry(*who).or_default().is_down = true;
                }
                // Work that was declared is done without another action.
                what => {
                    if let Some((Handling::Load, who, Some(item))) = what.handles() {
                        all.entry(who).or_default().did(UnitAct {
                            in_short: format!("loaded {}", names.item(item)),
                            ..UnitAct::new(format!("loads {}", names.item(item)), None)
                        });
                    }
                    let helps = what.cue().filter(|cue| cue.kind == CueKind::Good);
                    if let Some(by) = helps.and_then(|cue| cue.by)
                        && let Some(line) = what.describe(names)
                    {
                        let act = UnitAct::new(line.text, None);
                        all.entry(by).or_default().did(act);
                    }
                }
            }
        }
        all
    }

    /// Whether an action needs no words of its own: a move, the end of a turn, or what the unit
    /// declared for the round.
    fn goes_without_saying(&self, choice: &Choice, round: u16) -> bool {
        let planning = self.queries.rules.planning;
        let planned = |who| self.intents().planned(who, round);
        let plan = choice.who.and_then(planned);
        let mut said = self.intents().unplanned_in(round);
        choice.verb == &PASS
            || planning.walks.contains(&choice.verb)
            || planning.done.contains(&choice.verb)
            || planning.idle.contains(&choice.verb)
            || plan.is_some_and(|intent| intent.plan.declared.contains(choice))
            || said.any(|said| said == choice)
    }
}

struct UnitAct {
    words: String,
    /// For a short line: "hit".
    in_short: String,
    /// Whether it is an attack whose result is known.
    is_attack: bool,
    /// To which unit.
    at: Option<Id>,
    /// The damage.
    points: i32,
    /// Whether it may be an attack whose dice have not been rolled yet.
    is_open: bool,
}

impl UnitAct {
    fn new(words: String, at: Option<Id>) -> Self {
        Self {
            in_short: words.clone(),
            words,
            is_attack: false,
            at,
            points: 0,
            is_open: false,
        }
    }
}

#[derive(Default)]
struct Happened {
    feet: u16,
    acts: Vec<UnitAct>,
    taken: i32,
    is_down: bool,
}

impl Happened {
    /// Adds an action once, although it may be announced twice: a spell as it begins and as it is
    /// aimed.
    fn did(&mut self, act: UnitAct) {
        match self.acts.iter_mut().find(|known| known.words == act.words) {
            Some(known) => known.at = act.at.or(known.at),
            None => self.acts.push(act),
        }
    }

    /// "moves 20 ft", "hits goblin 2 for 5", "takes 3": few enough for a line or two.
    fn parts(&self) -> Vec<String> {
        let words = |act: &UnitAct| match act.points {
            0 => act.words.clone(),
            points => format!("{} for {points}", act.words),
        };
        self.listed(["moves", "takes"], words)
    }

    /// "moved 20 ft", "hit 5", "took 3".
    fn in_short(&self) -> Vec<String> {
        let words = |act: &UnitAct| match (act.points, act.is_attack) {
            (0, _) => act.in_short.clone(),
            (points, true) => format!("{} {points}", act.in_short),
            (points, false) => format!("{} for {points}", act.in_short),
        };
        self.listed(["moved", "took"], words)
    }

    fn listed(&self, [moves, takes]: [&str; 2], words: impl Fn(&UnitAct) -> String) -> Vec<String> {
        const MAX: usize = 3;
        let mut parts: Vec<String> = vec![];
        parts.extend((self.feet > 0).then(|| format!("{moves} {} ft", self.feet)));
        parts.extend(self.acts.iter().take(MAX).map(words));
        let more = self.acts.len().saturating_sub(MAX);
        parts.extend((more > 0).then(|| format!("{more} more")));
        parts.extend((self.taken > 0).then(|| format!("{takes} {}", self.taken)));
        parts.extend(self.is_down.then(|| String::from("is down")));
        parts
    }
}
