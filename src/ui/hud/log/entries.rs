//! The log as sentences: each action with its results, and below it the dice, modifiers and steps.

use std::collections::BTreeMap;

use crate::{
    battle::{
        CheckRoll, Choice, Concerns, Cue, End, Event, EventKind, EventTable, Handling, Id,
        LogLevel, Names, RolledAttack, Rule,
    },
    grid::Cell,
    levels::Level,
    ui::{
        auto_reactions::{AutoAnswer, Unasked, WhyUnasked},
        ruleset_ui::RulesetUi,
        selection::Highlight,
    },
    words::possessive,
};

/// What an entry is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Topic {
    Heading,
    Attack,
    Move,
    /// Checks, spells, defenses, items and other rule effects.
    #[default]
    Rule,
}

/// One sentence, with the details behind it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LogEntry {
    /// Index of its first event among the events shown so far.
    pub from: usize,
    pub topic: Topic,
    pub text: String,
    /// Its results, such as "hits for 5".
    outcome: Vec<EntryOutcome>,
    pub rule: Rule,
    /// Dice, modifiers and steps, each with its rule.
    pub details: Vec<(String, Rule)>,
    /// The units involved, as a bit set.
    pub who: u64,
    /// Whether a unit falls, dies or flees.
    pub is_grave: bool,
    /// Whether it only says that a prompt was answered automatically.
    is_note: bool,
    /// The unit that acts, or that the entry is about.
    subject: Option<Id>,
    /// The kind of the event that is all that the entry says.
    kind: Option<&'static str>,
    /// The action that the entry begins with.
    choice: Option<Choice>,
    actor: Option<Id>,
    target: Option<Id>,
    /// Serial numbers of the attacks in this entry.
    serials: Vec<u32>,
    /// The number of these attacks with a result.
    resolved: usize,
    /// Whether the target has reacted to the roll, before its result.
    is_answered: bool,
    /// The path of a move so far, from its start.
    path: Vec<Cell>,
    /// The cell where it has come to.
    reached: Option<Cell>,
    /// Where the move is to end, if that is known.
    goal: Option<Cell>,
    /// Whether the unit was prone when it began to move.
    crawls: bool,
    /// Whether the move is over.
    is_at_rest: bool,
    /// The cell that its event names.
    place: Option<Cell>,
}

/// A result of an action.
#[derive(Clone, PartialEq, Debug)]
enum EntryOutcome {
    /// "hits critically", with the harm so far, such as "5" and "2 stress".
    Hit(String, Vec<String>),
    Miss,
    Other(String),
}

impl EntryOutcome {
    /// "hits for 5 and 2 stress".
    fn words(&self) -> String {
        match self {
            Self::Hit(hits, harm) if harm.is_empty() => hits.clone(),
            Self::Hit(hits, harm) => format!("{hits} for {}", harm.join(" and ")),
            Self::Miss => String::from("misses"),
            Self::Other(words) => words.clone(),
        }
    }
}

impl LogEntry {
    fn new(from: usize, topic: Topic, text: String, rule: Rule) -> Self {
        Self {
            from,
            topic,
            text,
            rule,
            ..Self::default()
        }
    }

    /// Adds a result other than a hit.
    fn add_result(&mut self, words: impl Into<String>) {
        self.outcome.push(EntryOutcome::Other(words.into()));
    }

    /// The way of a move whose goal the text does not name: "10 ft to the east".
    fn way(&self) -> Option<String> {
        let is_open = self.choice.is_none();
        Cell::describe_path(&self.path).filter(|_| is_open)
    }

    /// Where a move was to end that has not come there.
    fn rest(&self) -> Option<Cell> {
        self.goal.filter(|_| self.path.last() != self.goal.as_ref())
    }

    /// How far a move went that is over without having reached its goal.
    fn interruption(&self) -> Option<String> {
        let feet = Cell::length(&self.path);
        let is_over = self.is_at_rest && self.rest().is_some();
        is_over.then(|| match feet {
            0 => String::from("interrupted at once"),
            _ => format!("interrupted after {feet} ft"),
        })
    }

    /// The unit that acts, otherwise the unit that it is about.
    pub fn unit(&self) -> Option<Id> {
        self.actor.or(self.subject)
    }

    /// What it is about: its units, and the cell that it names or where its move has come to.
    pub fn mentions(&self) -> Highlight {
        let goal = self.choice.as_ref().and_then(|choice| choice.to);
        Highlight {
            units: self.who,
            cell: self.reached.or(self.place).or(goal),
        }
    }

    /// Whether it is an action that has had no result yet.
    fn is_underway(&self) -> bool {
        self.actor.is_some() && self.outcome.is_empty()
    }

    /// Whether it has an attack without a result.
    fn is_pending(&self) -> bool {
        self.resolved < self.serials.len()
    }

    /// Whether a detail belongs to this entry: traces always do, others if they concern its actor,
    /// target or subject.
    fn takes(&self, subject: Option<Id>, depth: LogLevel) -> bool {
        let is_own = match self.actor {
            Some(_) => subject.is_none() || [self.actor, self.target].contains(&subject),
            None => subject.is_some() && subject == self.subject,
        };
        self.topic != Topic::Heading && (is_own || depth >= LogLevel::Trace)
    }

    fn outcome_words(&self) -> String {
        let words = self.outcome.iter().map(EntryOutcome::words);
        let words: Vec<String> = words.chain(self.interruption()).collect();
        words.join(", ")
    }

    /// Whether both are drawn alike and mention the same: details count only if they are shown.
    pub fn looks_like(&self, other: &Self, is_open: bool) -> bool {
        let head = |e: &Self| (e.from, e.topic, e.rule, e.is_grave, e.details.is_empty());
        head(self) == head(other)
            && (&self.text, &self.outcome) == (&other.text, &other.outcome)
            && (self.reached, self.is_at_rest) == (other.reached, other.is_at_rest)
            && self.mentions() == other.mentions()
            && (!is_open || self.details == other.details)
    }

    /// The whole sentence.
    pub fn sentence(&self) -> String {
        let text = match self.way() {
            Some(way) => format!("{} {way}", self.text),
            None => self.text.clone(),
        };
        match self.outcome_words() {
            words if words.is_empty() => text,
            words => format!("{text}: {words}"),
        }
    }
}

/// All entries so far.
#[derive(Clone, Debug, Default)]
pub struct LogEntries {
    pub entries: Vec<LogEntry>,
    /// Number of events already added.
    done: usize,
    /// Number of notes already added.
    noted: usize,
    /// The prone units after these events, as a bit set.
    prone: u64,
    /// Where the units stand after these events.
    places: BTreeMap<Id, Cell>,
}

impl LogEntries {
    /// The empty log of a battle that has not begun.
    pub fn of(level: &Level) -> Self {
        let units = level.combatants.iter().enumerate();
        let prone = units.filter(|(_, unit)| unit.prone);
        let prone = prone.fold(0, |set, (n, _)| set | Id(n as u16).bit());
        let units = level.combatants.iter().enumerate();
        Self {
            prone,
            places: units.map(|(n, unit)| (Id(n as u16), unit.cell)).collect(),
            ..Self::default()
        }
    }

    /// Adds new events, the notes between them, and why units that fell were not asked. A lost battle
    /// ends with [how the player lost](crate::ui::Session::how_lost).
    pub fn go_on<'e>(
        &mut self,
        events: impl Iterator<Item = &'e Event>,
        notes: &[AutoAnswer],
        unasked: &[Unasked],
        ruleset_ui: &RulesetUi,
        (names, how_lost): (&Names, Option<&str>),
    ) {
        for event in events.skip(self.done) {
            self.note(notes);
            self.add(event, unasked, ruleset_ui, (names, how_lost));
            self.done += 1;
            match event.what {
                EventKind::Prone { who, prone: true } | EventKind::Revived { who, .. } => {
                    self.prone |= who.bit();
                }
                EventKind::Prone { who, prone: false } => self.prone &= !who.bit(),
                _ => {}
            }
            if let EventKind::Moved { who, to: at, .. }
            | EventKind::Entered { who, at }
            | EventKind::Revived { who, at, .. } = event.what
            {
                self.places.insert(who, at);
            }
        }
        self.note(notes);
    }

    fn note(&mut self, notes: &[AutoAnswer]) {
        while let Some(note) = notes.get(self.noted).filter(|n| n.at <= self.done) {
            let text = note.text.clone();
            self.entries.push(LogEntry {
                is_note: true,
                ..LogEntry::new(self.done, Topic::Rule, text, note.rule)
            });
            self.noted += 1;
        }
    }

    fn add(
        &mut self,
        event: &Event,
        unasked: &[Unasked],
        ruleset_ui: &RulesetUi,
        (names, how_lost): (&Names, Option<&str>),
    ) {
        let Some(mut line) = event.describe_on_board(names) else {
            return;
        };
        // The event gives the winner's reason: "no enemy is left on the field".
        if let (
            EventKind::Over {
                won: Some(side),
                end: End::NoEnemyLeft,
                ..
            },
            Some(how),
        ) = (&event.what, how_lost)
        {
            line.text = format!("Victory for {}: {how}", names.side_in_line(*side));
        }
        let rule = event.rule;
        let detail = (line.text.clone(), rule);
        match &event.what {
            EventKind::Acted { choice } => {
                let place = choice.counts_from().and_then(|id| self.places.get(&id));
                let text = choice.log_text_from(names, place.copied());
                self.act(choice, text, rule)
            }
            EventKind::AttackRolled { rolled_attack } => self.attack(rolled_attack, detail, names),
            EventKind::AttackResolved {
                serial,
                hit,
                critical,
                needed,
                ..
            } => {
                if let Some(n) = self.of_serial(*serial) {
                    let entry = self.open(n, names);
                    entry.outcome.push(match (*hit, *critical, needed) {
                        (true, false, _) => EntryOutcome::Hit("hits".into(), vec![]),
                        (true, true, _) => EntryOutcome::Hit("hits critically".into(), vec![]),
                        (false, _, Some(_)) => EntryOutcome::Miss,
                        (false, _, None) => EntryOutcome::Other("cancelled".into()),
                    });
                    entry.resolved += 1;
                    entry.details.push(detail);
                }
            }
            EventKind::Stopped { who, why } => match self.last_of(Some(*who)) {
                Some(entry) => {
                    entry.add_result(format!("stops ({why})"));
                    entry.details.push(detail);
                }
                None => {
                    self.fresh(Topic::Rule, line.text, rule, Some(*who));
                }
            },
            EventKind::Rerolled { serial, .. } => {
                if let Some(n) = self.of_serial(*serial) {
                    let is_last = !self.is_interrupted(n);
                    let entry = &mut self.entries[n];
                    if is_last {
                        entry.add_result("rolls again");
                    }
                    entry.details.push(detail);
                }
            }
            EventKind::Damaged {
                who, by, points, ..
            } => {
                // Damage that comes long after its attack gets its own entry.
                let by = by.filter(|_| !ruleset_ui.late_harm.contains(&rule));
                self.damage((*who, by), *points, detail, names)
            }
            EventKind::Ruleset(own)
                if own
                    .cue()
                    .is_some_and(|cue| self.add_harm(&cue, &detail, names)) => {}
            EventKind::Checked(_) if self.is_about_screens(rule, ruleset_ui) => {
                if let Some(entry) = self.entries.last_mut() {
                    entry.who |= event.concerns().units;
                    entry.details.push(detail);
                }
            }
            EventKind::Checked(check) => {
                let CheckRoll {
                    who, what, passed, ..
                } = check;
                let verdict = passed.map(|yes| if yes { "passed" } else { "failed" });
                let name = check.name(names);
                let of_last = self.last_of(*who);
                match (of_last, verdict) {
                    (Some(entry), verdict) => {
                        let said = verdict.map(|verdict| format!("{what} {verdict}"));
                        entry.outcome.extend(said.map(EntryOutcome::Other));
                        entry.details.push(detail);
                    }
                    (None, Some(verdict)) => {
                        let text = format!("{name}, {what}: {verdict}");
                        self.fresh(Topic::Rule, text, rule, *who)
                            .details
                            .push(detail);
                    }
                    (None, None) => {
                        self.fresh(Topic::Rule, line.text, rule, *who);
                    }
                }
            }
            EventKind::Moved { who, from, to, .. } => match self.open_move(*who, *from) {
                Some(n) => {
                    let is_prone = self.prone & who.bit() != 0;
                    let entry = &mut self.entries[n];
                    let goes = entry.choice.as_ref().filter(|choice| is_move(choice));
                    let goes = goes.and_then(|goes| Some((goes, goes.to?)));
                    let is_first = entry.path.is_empty();
                    if is_first && goes.is_some() {
                        entry.path.push(*from);
                    }
                    if !entry.path.is_empty() {
                        entry.path.push(*to);
                    }
                    if let Some((goes, goal)) = goes {
                        entry.crawls |= is_first && is_prone;
                        entry.goal = Some(goal);
                        let path = [entry.path.as_slice(), &[goal]].concat();
                        let way = Cell::describe_path(&path);
                        entry.text = match way.filter(|_| entry.crawls) {
                            Some(way) => format!("{} crawls {way}", names.title(*who)),
                            None => goes.log_text_along(names, &path),
                        };
                    }
                    entry.reached = Some(*to);
                    if entry.topic == Topic::Rule && entry.details.is_empty() {
                        entry.topic = Topic::Move;
                    }
                    entry.details.push(detail);
                }
                // A move that resumes after a reaction, or a push by another unit.
                None => {
                    let last = self.entries.iter().rev().find_map(|e| e.choice.as_ref());
                    let is_pushed =
                        |choice: &Choice| choice.verb.moves_target && choice.at == Some(*who);
                    let is_pushed = last.is_some_and(is_pushed);
                    let goal = match is_pushed {
                        true => None,
                        false => {
                            self.mark_interrupted(*who, *from);
                            self.interrupted_goal(*who, *from)
                        }
                    };
                    let moves = match self.prone & who.bit() {
                        _ if is_pushed => "is pushed",
                        0 if goal.is_some() => "moves on",
                        0 => "moves",
                        _ if goal.is_some() => "crawls on",
                        _ => "crawls",
                    };
                    let text = format!("{} {moves}", names.title(*who));
                    let entry = self.fresh(Topic::Move, text, rule, Some(*who));
                    entry.actor = Some(*who);
                    entry.path = vec![*from, *to];
                    (entry.goal, entry.reached) = (goal, Some(*to));
                    entry.details.push(detail);
                }
            },
            what => {
                let is_grave = matches!(
                    what,
                    EventKind::Fell { .. } | EventKind::Died { .. } | EventKind::Fled { .. }
                );
                match line.depth {
                    LogLevel::Heading => {
                        self.fresh(Topic::Heading, line.text, rule, None);
                    }
                    LogLevel::Fact if self.carries_out(what, &line.text) => {}
                    LogLevel::Fact if self.belongs_to_attack(what, &detail) => {}
                    LogLevel::Fact => {
                        let is_move =
                            matches!(what, EventKind::Entered { .. } | EventKind::Fled { .. });
                        let topic = match (is_move, is_grave) {
                            (true, _) => Topic::Move,
                            (_, true) => Topic::Attack,
                            _ => Topic::Rule,
                        };
                        let concerns = event.concerns();
                        let why = self.why_unasked(what, unasked);
                        let entry = self.fresh(topic, line.text, rule, concerns.subject);
                        entry.is_grave = is_grave;
                        entry.place = place_of(what);
                        entry.who |= concerns.units;
                        entry.kind = Some(kind(what));
                        if let Some(why) = why {
                            entry.add_result(why.words());
                        }
                    }
                    depth => {
                        let Concerns { units, subject, .. } = event.concerns();
                        if depth == LogLevel::Detail
                            && let Some(entry) = self.reminded_of(kind(what), subject)
                        {
                            entry.details.push(detail);
                            return;
                        }
                        match self.entries.last_mut() {
                            Some(entry) if entry.takes(subject, depth) => {
                                entry.details.push(detail);
                            }
                            // Spent resources need no entry of their own.
                            _ if depth >= LogLevel::Trace => {}
                            _ => {
                                self.fresh(Topic::Rule, line.text, rule, subject).who |= units;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Why the player was not asked about the attack to which a unit falls or dies; `None` if the
    /// event is no fall, or the player was asked. A unit that dies after its fall to the same
    /// attack has an entry that says it.
    fn why_unasked(&self, what: &EventKind, unasked: &[Unasked]) -> Option<WhyUnasked> {
        let (EventKind::Fell { who } | EventKind::Died { who }) = what else {
            return None;
        };
        let is_end = |e: &&LogEntry| match e.serials.is_empty() {
            true => e.is_grave && e.subject == Some(*who),
            false => e.target == Some(*who),
        };
        let last = self.near().map(|n| &self.entries[n]).find(is_end)?;
        let serial = last.serials.last()?;
        let mut own = unasked.iter().rev().filter(|one| one.who == *who);
        let one = own.find(|one| one.attacks.contains(serial))?;
        Some(one.why)
    }

    /// Replaces the last entry's text if the event is what its action was for; returns whether it
    /// did.
    fn carries_out(&mut self, what: &EventKind, text: &str) -> bool {
        let is_of = |entry: &&mut LogEntry| {
            let choice = entry.choice.as_ref();
            choice.is_some_and(|choice| what.carries_out(choice))
        };
        let last = self.entries.last_mut().filter(is_of);
        last.map(|entry| entry.text = text.to_owned()).is_some()
    }

    /// Adds the loading of a weapon to the attack with it that the last entry has begun: an entry
    /// of its own would part the attack from its result. Whether it did.
    fn belongs_to_attack(&mut self, what: &EventKind, detail: &(String, Rule)) -> bool {
        let Some((Handling::Load, who, with)) = what.handles() else {
            return false;
        };
        let is_attack = |entry: &&mut LogEntry| {
            let choice = entry.choice.as_ref();
            let is_armed = choice.is_some_and(|choice| choice.at.is_some() && choice.with == with);
            entry.is_underway() && entry.actor == Some(who) && is_armed
        };
        let last = self.entries.last_mut().filter(is_attack);
        last.map(|entry| entry.details.push(detail.clone()))
            .is_some()
    }

    fn fresh(&mut self, topic: Topic, text: String, rule: Rule, who: Option<Id>) -> &mut LogEntry {
        // Units that move together take turns, cell by cell.
        let moves = self.entries.iter_mut().rev();
        for entry in moves.take_while(|e| e.topic == Topic::Move) {
            entry.is_at_rest |= topic != Topic::Move || entry.actor == who;
        }
        let mut entry = LogEntry::new(self.done, topic, text, rule);
        entry.who = who.map_or(0, Id::bit);
        entry.subject = who;
        self.entries.push(entry);
        self.entries.last_mut().expect("it was put there")
    }

    fn act(&mut self, choice: &Choice, text: String, rule: Rule) {
        // An entry of its own would stand below the result that the reaction led to.
        let is_plain = choice.to.is_none() && choice.verb.handling.is_none();
        let by_target = |e: &LogEntry| e.target == choice.who && choice.at.is_none();
        // The attacker rolls again, which an event of its own says.
        let by_attacker =
            |e: &LogEntry| e.actor == choice.who && e.target == choice.at && choice.with.is_none();
        let last = self.entries.iter_mut().rev().find(|e| !e.is_note);
        let last = last.filter(|e| is_plain && e.is_pending());
        if let Some(entry) = last.filter(|e| by_target(e) || by_attacker(e)) {
            if by_target(entry) {
                entry.is_answered = true;
                entry.add_result(choice.verb.name);
            }
            entry.details.push((text, rule));
            return;
        }
        let topic = match is_move(choice) {
            true => Topic::Move,
            false => Topic::Rule,
        };
        let entry = self.fresh(topic, text, rule, choice.who);
        entry.who |= choice.at.map_or(0, Id::bit);
        (entry.actor, entry.target) = (choice.who, choice.at);
        entry.choice = Some(choice.clone());
    }

    /// Adds an attack to the action that caused it, which may be several entries back if several
    /// units react at once.
    fn attack(&mut self, rolled_attack: &RolledAttack, detail: (String, Rule), names: &Names) {
        let (by, at) = (rolled_attack.attack.by, rolled_attack.attack.at);
        // The move towards the target is not the action.
        let fits = |e: &LogEntry, aimed: bool| {
            let is_meant = match e.target {
                Some(target) => target == at,
                None => !aimed && e.topic != Topic::Move,
            };
            e.actor == Some(by) && is_meant
        };
        let is_aimed = self.near().any(|n| fits(&self.entries[n], true));
        let own = self.near().find(|&n| fits(&self.entries[n], is_aimed));
        let entry = match own.filter(|&n| !self.is_interrupted(n)) {
            Some(n) => &mut self.entries[n],
            None => {
                let (by_name, at_name) = (names.title(by), names.name(at));
                let item = names.item(rolled_attack.attack.with);
                let text = format!("{by_name} attacks {at_name} with {item}");
                self.fresh(Topic::Attack, text, detail.1, Some(by))
            }
        };
        entry.topic = Topic::Attack;
        entry.who |= by.bit() | at.bit();
        (entry.actor, entry.target) = (Some(by), Some(at));
        entry.serials.push(rolled_attack.serial);
        entry.details.push(detail);
    }

    /// Indices of the entries since the last heading, newest first.
    fn near(&self) -> impl Iterator<Item = usize> {
        let near = (0..self.entries.len()).rev().take(8);
        near.take_while(move |&n| self.entries[n].topic != Topic::Heading)
    }

    /// Whether something else has happened since an entry began: its results would stand above what
    /// led to them. Actions of others and attacks that begin at the same time do not count until
    /// they have results.
    fn is_interrupted(&self, n: usize) -> bool {
        let actor = self.entries[n].actor;
        let goes_on = |e: &LogEntry| e.is_underway() && (e.actor != actor || e.is_pending());
        let later = &self.entries[n + 1..];
        later.iter().any(|e| !e.is_note && !goes_on(e))
    }

    /// The entry for a result of an attack: that of the attack, or a new one if it was interrupted.
    fn open(&mut self, n: usize, names: &Names) -> &mut LogEntry {
        let attack = &self.entries[n];
        let units = attack.actor.zip(attack.target);
        let Some((by, at)) = units.filter(|_| self.is_interrupted(n)) else {
            return &mut self.entries[n];
        };
        let (rule, who) = (attack.rule, attack.who);
        let (serials, resolved) = (attack.serials.clone(), attack.resolved);
        let text = format!(
            "{} attack on {}",
            possessive(names.title(by)),
            names.name(at)
        );
        let entry = self.fresh(Topic::Attack, text, rule, Some(by));
        entry.who |= who;
        (entry.actor, entry.target) = (Some(by), Some(at));
        (entry.serials, entry.resolved) = (serials, resolved);
        entry
    }

    /// The entry of the move that a step belongs to: the last one, or one that other moves
    /// at the same time have interrupted.
    fn open_move(&self, who: Id, from: Cell) -> Option<usize> {
        let n = self.entries.iter().rposition(|e| e.actor == Some(who))?;
        let entry = &self.entries[n];
        let goes_on = entry.topic == Topic::Move && entry.reached.is_none_or(|cell| cell == from);
        let is_last = n + 1 == self.entries.len();
        (is_last || goes_on && !self.is_interrupted(n)).then_some(n)
    }

    /// If attacks interrupted a unit's move before the first step, its entry says so from now on.
    fn mark_interrupted(&mut self, who: Id, at: Cell) {
        let mut entries = self.entries.iter_mut().rev();
        let before = entries.find(|e| !e.is_note && e.target != Some(who));
        if let Some(entry) = before.filter(|e| e.actor == Some(who) && e.path.is_empty())
            && let Some(goes) = entry.choice.as_ref().filter(|choice| is_move(choice))
            && let Some(goal) = goes.to
        {
            (entry.path, entry.reached, entry.goal) = (vec![at], Some(at), Some(goal));
        }
    }

    /// The goal of a move in this round that was interrupted at a cell.
    fn interrupted_goal(&self, who: Id, at: Cell) -> Option<Cell> {
        let entries = self.entries.iter().rev();
        let mut round = entries.take_while(|e| e.topic != Topic::Heading);
        let last = round.find(|e| e.actor == Some(who) && !e.path.is_empty())?;
        last.rest().filter(|_| last.path.last() == Some(&at))
    }

    /// Whether a check only decides whether an attack reaches its target, and so is a detail of
    /// the last entry.
    fn is_about_screens(&self, rule: Rule, ruleset_ui: &RulesetUi) -> bool {
        let acts = self.entries.last().is_some_and(LogEntry::is_underway);
        acts && ruleset_ui.screen_checks.contains(&rule)
    }

    /// Adds damage to the attack that caused it.
    fn damage(
        &mut self,
        (who, by): (Id, Option<Id>),
        points: i32,
        detail: (String, Rule),
        names: &Names,
    ) {
        match self.of_attack(by, who) {
            Some(n) => {
                let entry = self.open(n, names);
                match entry.outcome.last_mut() {
                    Some(EntryOutcome::Hit(_, harm)) if harm.is_empty() => {
                        harm.push(points.to_string())
                    }
                    Some(EntryOutcome::Hit(..)) if points == 0 => {}
                    // SK-40, as the text above the unit says it.
                    Some(EntryOutcome::Miss) => entry.add_result(format!("Shock {points}")),
                    _ => entry.add_result(format!("{points} damage")),
                }
                entry.details.push(detail);
            }
            None => {
                self.fresh(Topic::Attack, detail.0, detail.1, Some(who));
            }
        }
    }

    /// Adds other harm to its attack; false if there is none.
    fn add_harm(&mut self, cue: &Cue, detail: &(String, Rule), names: &Names) -> bool {
        let who = cue.who.filter(|_| cue.is_harm());
        let Some(n) = who.and_then(|who| self.of_attack(cue.by, who)) else {
            return false;
        };
        let entry = self.open(n, names);
        let Cue { points, word, .. } = cue;
        match entry.outcome.last_mut() {
            Some(EntryOutcome::Hit(_, harm)) => harm.push(format!("{points} {word}")),
            _ => entry.add_result(format!("{points} {word}")),
        }
        entry.details.push(detail.clone());
        true
    }

    /// The entry of the attack that caused harm; `None` for harm without an attacker, such as a
    /// fall or bleeding.
    fn of_attack(&self, by: Option<Id>, at: Id) -> Option<usize> {
        self.near().find(|&n| {
            let e = &self.entries[n];
            !e.serials.is_empty() && e.target == Some(at) && by.is_some() && e.actor == by
        })
    }

    /// The newest entry with this attack.
    fn of_serial(&self, serial: u32) -> Option<usize> {
        let mut all = self.entries.iter();
        all.rposition(|e| e.serials.contains(&serial))
    }

    /// The entry that a detail of this kind only repeats, such as that a dying unit is still
    /// dying. It may be rounds ago.
    fn reminded_of(&mut self, kind: &'static str, subject: Option<Id>) -> Option<&mut LogEntry> {
        let mut all = self.entries.iter_mut().rev();
        all.find(|e| subject.is_some() && e.subject == subject && e.kind == Some(kind))
    }

    /// The last entry, if it is about this unit's action or reaction.
    fn last_of(&mut self, who: Option<Id>) -> Option<&mut LogEntry> {
        let last = self.entries.last_mut()?;
        let is_own = last.actor == who || last.is_answered && last.target == who;
        (who.is_some() && is_own).then_some(last)
    }
}

/// The kind of an event, of a ruleset or shared.
fn kind(what: &EventKind) -> &'static str {
    match what {
        EventKind::Ruleset(own) => own.kind(),
        shared => shared.kind(),
    }
}

/// The cell that an event happens at, for its mark on the board.
fn place_of(what: &EventKind) -> Option<Cell> {
    match what {
        EventKind::Revived { at, .. }
        | EventKind::Dropped { at, .. }
        | EventKind::Landed { at, .. }
        | EventKind::PickedUp { at, .. }
        | EventKind::DoorMoved { cell: at, .. }
        | EventKind::Entered { at, .. } => Some(*at),
        _ => None,
    }
}

/// Whether an action only takes its unit to a cell.
fn is_move(choice: &Choice) -> bool {
    let aims = choice.at.is_some() || choice.with.is_some() || choice.spell.is_some();
    choice.to.is_some() && !aims
}
