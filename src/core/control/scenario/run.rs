//! Plays a scenario, and finds everything that is not as expected.

use super::{
    Check, Claim, FilePosition, OrderLine, PathClaim, START, Scenario, SightClaim, Standing,
    StateClaim, UnitOrSpace, catch_panics, problem, proof,
    shown::Shown,
    wanted::{self, LogEntry, Presence},
};
use crate::{
    battle::{
        Battle, Body, Choice, Cue, CueKind, Decision, DiceBox, Event, EventKind, EventTable, Id,
        Map, Names, Offer, PASS, Refused, Replica, Roll, ScriptMismatch, Side, Why, chances,
        ids_of, level_setup, of_unit,
    },
    control::{
        Controller, Idle, Near,
        orders::{self, Carried, OpenOrders},
    },
    grid::{Board, Cell, Cover, Space},
    ron_read::Problem,
    words,
};
use std::fmt::Debug;

/// A scenario that was played, as far as possible.
pub struct Played {
    pub battle: Battle,
    /// Everything that is not as expected; empty if the scenario passed.
    pub problems: Vec<Problem>,
}

impl Played {
    /// Each line of the log with its rule.
    pub fn log(&self) -> Vec<String> {
        let lines = wanted::lines(self.battle.events(), self.battle.names());
        let line = |said: &LogEntry| format!("{}  {}", said.rule, said.text);
        lines.iter().map(line).collect()
    }
}

impl Scenario {
    /// The battle before its first order.
    pub fn begin(&self) -> Battle {
        let dice = self.dice.iter().map(|die| (die.sides, die.value));
        let dice = DiceBox::scripted(dice);
        Battle::audited(level_setup(&self.level), self.rules, dice)
    }

    /// What a side knows before the first event.
    fn known_to(&self, side: Side) -> Replica {
        Replica::new(&level_setup(&self.level), self.rules, Some(side))
    }

    /// Plays the scenario and compares the result with what is expected.
    pub fn play(&self) -> Played {
        self.play_through(false).0
    }

    /// Plays the scenario. If `is_filled`, asked units without an order do nothing; also returns
    /// the orders that had to be added for that.
    pub(super) fn play_through(&self, is_filled: bool) -> (Played, Option<Vec<Added>>) {
        let mut play = Play::new(self);
        play.added = is_filled.then(Vec::new);
        if play.orders().is_some() {
            play.rolls_every_die();
            play.asks_nobody();
            play.expectations();
            play.shows_what_it_proves();
        }
        let played = Played {
            battle: play.battle,
            problems: play.problems,
        };
        (played, play.added)
    }

    /// Which unit is asked before line `n` of the orders, and the offers that match an order
    /// without a name. `None` if the earlier orders cannot all be given.
    pub fn asked_before(&self, n: usize, order: &str) -> Option<String> {
        let play = || {
            let mut play = Play::new(self);
            play.orders_before(n)?;
            let names = play.battle.names().clone();
            let asked = describe_question(play.battle.asked()?, &names);
            let wanted = format!(": {}", wanted::plain(order));
            let offers = play.battle.offers();
            let legal = offers.iter().filter(|offer| offer.is_legal());
            let texts = legal.map(|offer| offer.choice.text(&names));
            let reads = texts.filter(|text| wanted::plain(text).ends_with(&wanted));
            let reads: Vec<String> = reads.map(|text| format!("`{text}`")).collect();
            Some(match reads.is_empty() {
                true => format!("{asked}; begin the order with a name, as `alice: done`"),
                false => format!("{asked}: write {}", words::list(reads, "or")),
            })
        };
        catch_panics(&self.file, play).ok().flatten()
    }

    /// Plays the orders and reports a decision that is still open after the last one. Other
    /// problems are left to [`play`](Self::play).
    pub fn open_end(&self) -> Option<Problem> {
        let play = || {
            let mut play = Play::new(self);
            play.orders()?;
            play.problems.clear();
            play.asks_nobody();
            play.problems.pop()
        };
        catch_panics(&self.file, play).unwrap_or_else(Some)
    }
}

/// A scenario being played.
struct Play<'a> {
    scenario: &'a Scenario,
    battle: Battle,
    problems: Vec<Problem>,
    /// Rules that claims have shown.
    shown: Shown,
    /// Orders added so far. `None` if no orders are to be added.
    added: Option<Vec<Added>>,
    /// Orders that stay in force until they are done.
    open: OpenOrders,
}

/// An added order, by which a unit does nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Added {
    /// The index of the line that it comes before, or the number of lines for the end.
    pub before: usize,
    pub text: String,
}

/// The most answers added in one place.
const MAX_ADDED: usize = 300;

/// `Ok`, or a text that says what is wrong.
type CheckResult = Result<(), String>;

impl<'a> Play<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            battle: scenario.begin(),
            problems: vec![],
            shown: Shown::default(),
            added: None,
            open: OpenOrders::default(),
        }
    }

    fn report(&mut self, at: FilePosition, what: impl Into<String>, help: impl Into<String>) {
        let found = problem(&self.scenario.file, at, what, help);
        self.problems.push(found);
    }

    /// Gives all orders. `None` if it could not continue.
    fn orders(&mut self) -> Option<()> {
        let end = self.scenario.script.len();
        self.orders_before(end)?;
        let failed = self.idle_until(end, |battle| !is_half_done(battle));
        let Some((added, battle)) = failed.filter(|(_, battle)| battle.fault().is_some()) else {
            return Some(());
        };
        let before = (self.battle.dice().rolled(), self.battle.events().len());
        self.battle = *battle;
        let which = format!("`{added}`, added after the last order,");
        self.dice_fit(self.last_order(), &which, before)
    }

    /// The place of the last order.
    fn last_order(&self) -> FilePosition {
        let lines = self.scenario.script.iter().rev();
        let mut orders = lines.filter_map(|line| match line {
            OrderLine::Order { at, .. } => Some(*at),
            OrderLine::Check(_) | OrderLine::Chance { .. } => None,
        });
        orders.next().unwrap_or(START)
    }

    /// Gives the orders of the first `end` lines.
    fn orders_before(&mut self, end: usize) -> Option<()> {
        self.dice_fit(START, "the start of the battle", (0, 0))?;
        let mut number = 0;
        let script = &self.scenario.script;
        for (n, line) in script.iter().enumerate().take(end) {
            match line {
                OrderLine::Check(check) => {
                    self.idle_until_asked(n, &check.what);
                    self.check(check);
                }
                OrderLine::Chance { at, who, words } => self.chance(*at, *who, words)?,
                OrderLine::Order { at, text } => {
                    number += 1;
                    let which = format!("order {number} `{text}`");
                    if orders::is_order(text) {
                        self.plan(*at, text, &which)?;
                    } else {
                        self.idle_until_order(n, *at, text, &which)?;
                        // A unit with a chance during this order must ask for it beforehand.
                        if let Some(OrderLine::Chance { who, .. }) = script.get(n + 1) {
                            self.set_every_chance(*who, true);
                        }
                        let before = (self.battle.dice().rolled(), self.battle.events().len());
                        if let Err(refused) = self.battle.order(text) {
                            self.refused(*at, text, &which, &refused);
                            return None;
                        }
                        self.dice_fit(*at, &which, before)?;
                    }
                    self.carry_out(*at, &which)?;
                }
            }
        }
        Some(())
    }

    /// Makes the declarations of an order, and keeps it open.
    fn plan(&mut self, at: FilePosition, text: &str, which: &str) -> Option<()> {
        let names = self.battle.names().clone();
        let who = names.find(&actor_of(text));
        let side = who.map(|who| body(&self.battle, who).side);
        let mut known = self.scenario.known_to(side.unwrap_or(Side(0)));
        let declared = match self.open.take(&mut self.battle, &mut known, text) {
            Ok(declared) => declared,
            Err(why) => {
                self.report(at, format!("{which} cannot be read: {why}"), "");
                return None;
            }
        };
        for choice in declared {
            let before = (self.battle.dice().rolled(), self.battle.events().len());
            if let Err(refused) = self.battle.answer(choice.clone()) {
                let text = choice.text(&names);
                let what = format!("{which} declares `{text}`, which is refused: {refused}");
                self.report(at, what, "");
                return None;
            }
            self.dice_fit(at, which, before)?;
        }
        Some(())
    }

    /// Answers for units with open orders, as long as only they are asked.
    fn carry_out(&mut self, at: FilePosition, which: &str) -> Option<()> {
        for _ in 0..MAX_ADDED {
            let Some(asked) = self.battle.asked() else {
                break;
            };
            let mut known = self.scenario.known_to(asked.side);
            let Carried::Answers(answers) = self.open.carry_out(&mut self.battle, &mut known)
            else {
                // The next order in the script answers.
                break;
            };
            for choice in answers {
                let before = (self.battle.dice().rolled(), self.battle.events().len());
                if self.battle.answer(choice).is_err() {
                    break;
                }
                self.dice_fit(at, which, before)?;
            }
        }
        Some(())
    }

    /// Lets asked units do nothing until this order can be given. `None` if a die is missing on
    /// the way and the order is not for a unit that is asked now.
    fn idle_until_order(
        &mut self,
        n: usize,
        at: FilePosition,
        order: &str,
        which: &str,
    ) -> Option<()> {
        let actor = actor_of(order);
        let names = self.battle.names().clone();
        let is_asked = self.battle.asked().is_some_and(|q| asks(q, &actor, &names));
        let failed = self.idle_until(n, |battle| {
            let choice = battle.find(order);
            choice.and_then(|choice| battle.check(&choice)).is_ok()
        });
        let Some((added, battle)) = failed.filter(|_| !is_asked) else {
            return Some(());
        };
        if battle.fault().is_none() {
            return Some(());
        }
        let before = (self.battle.dice().rolled(), self.battle.events().len());
        self.battle = *battle;
        self.dice_fit(at, &format!("`{added}`, added before {which},"), before)
    }

    /// Lets asked units do nothing until the unit of this claim is asked.
    fn idle_until_asked(&mut self, n: usize, claim: &Claim) {
        match claim {
            Claim::Asked(who, true) => {
                let asks = |q: &Decision| q.actors.contains(who);
                self.idle_until(n, |battle| battle.asked().is_some_and(asks));
            }
            Claim::Offered(order) | Claim::NotOffered(order, _) => {
                let (actor, names) = (actor_of(order), self.battle.names().clone());
                let asks = |q: &Decision| asks(q, &actor, &names);
                self.idle_until(n, |battle| battle.asked().is_some_and(asks));
            }
            _ => {}
        }
    }

    /// If orders are to be added, lets asked units do nothing until `is_so` holds. If it never
    /// does, adds nothing and returns the last order tried, with the battle it led to.
    fn idle_until(
        &mut self,
        n: usize,
        mut is_so: impl FnMut(&mut Battle) -> bool,
    ) -> Option<(String, Box<Battle>)> {
        let all = self.added.as_mut()?;
        if is_so(&mut self.battle) {
            return None;
        }
        let mut battle = self.battle.at(self.battle.answers().len());
        let mut added = vec![];
        while battle.asked().is_some() && added.len() < MAX_ADDED {
            let choice = Idle.choose(&mut battle);
            let text = choice.text(battle.names());
            added.push(Added { before: n, text });
            let is_taken = battle.answer(choice).is_ok();
            if !is_taken || battle.fault().is_some() {
                break;
            }
            if is_so(&mut battle) {
                all.append(&mut added);
                self.battle = battle;
                return None;
            }
        }
        added.pop().map(|last| (last.text, Box::new(battle)))
    }

    fn set_every_chance(&mut self, who: Id, every: bool) {
        if self.battle.is_prompted_at_chances(who) != every {
            let answered = self.battle.answer(chances::every_chance(who, every));
            debug_assert!(answered.is_ok(), "a question is open, and it is news");
        }
    }

    /// Declines all prompts of the unit up to the chance whose prompt contains these words.
    /// `None` if there is none.
    fn chance(&mut self, at: FilePosition, who: Id, words: &str) -> Option<()> {
        let mut declined: Vec<String> = vec![];
        let words = words.to_lowercase();
        loop {
            let asked = self.battle.asked();
            let mine = asked.filter(|q| q.reaction && q.actors == [who]);
            let prompt = mine.map(|q| q.prompt.clone());
            let is_meant = |prompt: &String| prompt.to_lowercase().contains(&words);
            if prompt.as_ref().is_some_and(is_meant) {
                self.set_every_chance(who, false);
                return Some(());
            }
            let before = (self.battle.dice().rolled(), self.battle.events().len());
            let passed = self.battle.answer(Choice::new(&PASS, who)).is_ok();
            let Some(prompt) = prompt.filter(|_| passed) else {
                let name = self.battle.names().key(who).to_owned();
                let help = match declined.is_empty() {
                    true => format!("{name} has no chance at all"),
                    false => format!("there were: {}", declined.join("; ")),
                };
                self.report(at, format!("no chance of {name} has these words"), help);
                return None;
            };
            declined.push(prompt);
            self.dice_fit(at, "passing up to this chance", before)?;
        }
    }

    fn refused(&mut self, at: FilePosition, text: &str, which: &str, refused: &Refused) {
        let names = self.battle.names().clone();
        let Some(question) = self.battle.asked().cloned() else {
            let how = describe_standing(standing(&self.battle), &names);
            let what = format!("{which} comes too late: the battle is {how}");
            self.report(at, what, "");
            return;
        };
        let what = match refused {
            Refused::Impossible(why) => format!("{which} cannot be given: {why}"),
            Refused::OutOfRange(_, least, most) => {
                format!("{which} cannot be given: the number goes from {least} to {most}")
            }
            _ => format!("{which} is not offered now"),
        };
        let near = nearest(text, &self.battle.offers(), &names);
        let asked = describe_question(&question, &names);
        self.report(at, what, format!("{asked}; the nearest offers are {near}"));
    }

    /// Reports a roll that does not match the script. `None` if there was one. `before`: the
    /// numbers of dice and events before `which`.
    fn dice_fit(&mut self, at: FilePosition, which: &str, before: (u32, usize)) -> Option<()> {
        let Some(mismatch) = self.battle.fault().cloned() else {
            return Some(());
        };
        let purpose = self.purpose_of(&mismatch, before);
        let ScriptMismatch { nth, sides, found } = mismatch;
        match found {
            Some((other, _)) => {
                let n = nth + 1;
                let what = format!("die {n} is a d{other}, but {which} rolls a d{sides}{purpose}");
                self.report(self.scenario.dice[nth].at, what, "");
            }
            None => {
                let what = format!("{which} rolls a d{sides} that `dice` does not have{purpose}");
                let help = format!("add `\"d{sides}: …\"` to the end of `dice`");
                self.report(at, what, help);
            }
        }
        None
    }

    /// What the mismatched die was rolled for, as far as events show: ": damage to goblin
    /// (SK-32)".
    fn purpose_of(&self, mismatch: &ScriptMismatch, (rolled, first_event): (u32, usize)) -> String {
        let mut left = mismatch.nth.saturating_sub(rolled as usize);
        let mut last: Option<&Roll> = None;
        for event in &self.battle.events()[first_event..] {
            let Some(roll) = event.what.roll() else {
                continue;
            };
            // One roll can damage several units, or both Stress and Wound Points.
            let is_loss = event.cue().is_some_and(|cue| cue.is_loss());
            let again = is_loss && last == Some(roll);
            last = Some(roll).filter(|_| is_loss);
            if again {
                continue;
            }
            match roll.dice.get(left) {
                Some(die) if die.0 == mismatch.sides => {
                    return format!(": {}", purpose(event, self.battle.names()));
                }
                Some(_) => return String::new(),
                None => left -= roll.dice.len(),
            }
        }
        String::new()
    }

    /// Reports dice that were never rolled.
    fn rolls_every_die(&mut self) {
        let unused = self.battle.dice().left();
        if unused > 0 {
            let all = &self.scenario.dice;
            let first = all[all.len() - unused];
            let what = match unused {
                1 => String::from("this die is never rolled"),
                n => format!("this die and {} more are never rolled", n - 1),
            };
            self.report(first.at, what, "");
        }
    }

    /// Reports a decision that is still open in the middle of an action.
    fn asks_nobody(&mut self) {
        let question = self.battle.asked().cloned();
        let Some(question) = question.filter(|_| is_half_done(&self.battle)) else {
            return;
        };
        let last = self.last_order();
        let names = self.battle.names().clone();
        let offers = nearest("", &self.battle.offers(), &names);
        let question = describe_question(&question, &names);
        let what = format!("after the last order {question}");
        self.report(last, what, format!("answer it with one of {offers}"));
    }

    fn expectations(&mut self) {
        let log = wanted::lines(self.battle.events(), self.battle.names());
        let scenario = self.scenario;
        if let Some((line, what, help)) = wanted::compare(&scenario.log, &log) {
            self.report(line.at, what, help);
        }
        for line in &scenario.never {
            if let Some((line, what, help)) = wanted::forbidden_line(&[line], &log) {
                self.report(line.at, what, help);
            }
        }
        for check in &scenario.end {
            self.check(check);
        }
    }

    /// Reports proven rules that were not shown by an event, a claimed prompt or refusal, or a
    /// claim about the grid.
    fn shows_what_it_proves(&mut self) {
        let names = self.battle.names().clone();
        for event in self.battle.events() {
            self.shown.event(event, &names);
        }
        let absent = self.scenario.log.iter();
        let absent = absent.filter(|line| line.presence == Presence::Absent);
        let rules = absent.filter_map(|line| line.rule());
        rules.for_each(|rule| self.shown.add(rule));
        for (at, id) in &self.scenario.proves {
            if !self.shown.has(id) {
                let what = format!("{id} is shown nowhere");
                let help = "no event, expected reason or expected question has this rule";
                self.report(*at, what, help);
            }
        }
    }

    fn check(&mut self, check: &Check) {
        let wrong = match &check.what {
            Claim::Asked(who, wanted) => self.asked(*who, *wanted),
            Claim::Offered(text) => self.offered(text),
            Claim::NotOffered(text, why) => self.not_offered(text, why.as_deref()),
            Claim::State(claim) => self.state(claim),
            Claim::Sight(claim) => self.sight(claim),
            Claim::Path(claim) => self.path(claim),
            Claim::Battle(wanted) => self.standing_is(*wanted),
        };
        match wrong {
            Ok(()) => self.shown.grid(&check.what),
            Err(what) => self.report(check.at, what, ""),
        }
    }

    fn asked(&mut self, who: Id, wanted: bool) -> CheckResult {
        let names = self.battle.names();
        let asked = self.battle.asked();
        if asked.is_some_and(|q| q.actors.contains(&who)) == wanted {
            if let Some(question) = asked.filter(|_| wanted) {
                self.shown.add(question.rule);
            }
            return Ok(());
        }
        let name = names.key(who);
        match asked {
            None => Err(format!("{name} is not asked: nobody is")),
            Some(_) if !wanted => Err(format!("{name} is asked")),
            Some(question) => {
                let asked = describe_question(question, names);
                Err(format!("{name} is not asked: {asked}"))
            }
        }
    }

    fn offered(&mut self, text: &str) -> CheckResult {
        let choice = self.battle.find(text);
        match choice.and_then(|choice| self.battle.check(&choice)) {
            Ok(()) => Ok(()),
            Err(Refused::Impossible(why)) => Err(format!(
                "`{text}` should be offered, but cannot be done: {why}"
            )),
            Err(_) => {
                let names = self.battle.names().clone();
                let near = nearest(text, &self.battle.offers(), &names);
                Err(format!(
                    "`{text}` is not offered; the nearest offers are {near}"
                ))
            }
        }
    }

    fn not_offered(&mut self, text: &str, reason: Option<&str>) -> CheckResult {
        let choice = self.battle.find(text);
        let verb = choice.as_ref().ok().map(|choice| choice.verb);
        let refused = choice.and_then(|choice| self.battle.check(&choice));
        // A number out of range is refused by the rule of the action.
        let refused = refused.map_err(|refused| match (&refused, verb) {
            (Refused::OutOfRange(_, least, most), Some(verb)) => {
                Refused::Impossible(Why::new(verb.rule, format!("from {least} to {most}")))
            }
            _ => refused,
        });
        match (refused, reason) {
            (Ok(()), _) => Err(format!("`{text}` is offered")),
            (Err(refused), None) => self.could_be_offered(text, &refused),
            (Err(Refused::Impossible(why)), Some(reason)) => {
                let rule = why.rule;
                let why = why.to_string();
                if why.to_lowercase().contains(&reason.to_lowercase()) {
                    self.shown.add(rule);
                    return Ok(());
                }
                Err(format!("`{text}` is not offered for another reason: {why}"))
            }
            (Err(refused), Some(_)) => {
                self.could_be_offered(text, &refused)?;
                Err(format!(
                    "`{text}` is not listed at all, so no reason is shown"
                ))
            }
        }
    }

    /// A refusal proves nothing if the unit is simply not asked now.
    fn could_be_offered(&self, text: &str, refused: &Refused) -> CheckResult {
        let names = self.battle.names();
        let actor = actor_of(text);
        let Some(question) = self.battle.asked() else {
            let why = format!("`{text}` is not offered, but nobody is asked anything now");
            return Err(why);
        };
        if asks(question, &actor, names) || matches!(refused, Refused::Impossible(_)) {
            return Ok(());
        }
        let asked = describe_question(question, names);
        let nobody = format!("nobody asks {actor} now: {asked}");
        Err(format!("`{text}` is not offered, but {nobody}"))
    }

    fn state(&self, claim: &StateClaim) -> CheckResult {
        let world = self.battle.world();
        let name = self.battle.names().key(claim.who);
        let body = body(&self.battle, claim.who);
        compare(name, "at", claim.at.map(Cell::in_file), body.at.in_file())?;
        compare(name, "hp", claim.hp, body.hp)?;
        compare(name, "state", claim.state, body.state)?;
        compare(name, "prone", claim.prone, body.prone)?;
        for (probe, wanted) in &claim.probes {
            let found = (probe.read)(world, claim.who);
            if found != *wanted {
                let probe = probe.name;
                return Err(format!("{name}: `{probe}` is {found}, expected {wanted}"));
            }
        }
        Ok(())
    }

    fn sight(&self, claim: &SightClaim) -> CheckResult {
        let board: &Board = &self.battle.world().resource::<Map>().0;
        let (from, to) = (self.space(claim.from), self.space(claim.to));
        let sight = board.sight(from, to);
        let pair = format!("{} to {}", from.at.in_file(), to.at.in_file());
        compare(&pair, "los", claim.los, sight.los)?;
        let name = |cover: Cover| Cover::WORDS[cover as usize].0;
        let cover = sight.cover.map_or("none: no line of sight", name);
        compare_words(&pair, "cover", claim.cover.map(name), cover)?;
        compare(&pair, "corners", claim.corners, sight.corners)?;
        let feet =
            || (0..=10_000).find(|&n| board.distance(from, to).is_some_and(|d| d.is_within(n)));
        if claim.feet.is_some() {
            let feet = feet().unwrap_or(u32::MAX);
            compare(&pair, "feet", claim.feet.map(u32::from), feet)?;
        }
        let reach = (0..=1000).step_by(5).find(|&n| board.in_reach(from, to, n));
        compare(&pair, "reach", claim.reach, reach.unwrap_or(0))?;
        let proof = board.proof(from, to);
        proof::check(board, from, to, &proof).map_err(|e| format!("{pair}: {e}"))?;
        let Some(wanted) = &claim.blocking else {
            return Ok(());
        };
        let mut blocking: Vec<Cell> = proof.blocking.iter().map(|b| b.0).collect();
        blocking.sort();
        blocking.dedup();
        let mut wanted = wanted.clone();
        wanted.sort();
        let [wanted, found] = [wanted, blocking].map(|cells| Cell::list_in_file(&cells));
        compare_words(&pair, "blocking", Some(&wanted), &found)
    }

    fn space(&self, end: UnitOrSpace) -> Space {
        match end {
            UnitOrSpace::Who(id) => body(&self.battle, id).space(),
            UnitOrSpace::Space(space) => space,
        }
    }

    fn path(&mut self, claim: &PathClaim) -> CheckResult {
        let names = self.battle.names().clone();
        let range = self.battle.range(claim.who);
        let way = format!("{} to {}", names.key(claim.who), claim.to.in_file());
        let reached = range.get(claim.to).filter(|r| r.may_stop);
        compare(&way, "reach", claim.reach, reached.is_some())?;
        let wants_more = claim.feet.is_some() || claim.provokes.is_some() || claim.by.is_some();
        let Some(reached) = reached else {
            let far = format!("{way}: it does not get there with one move");
            return if wants_more { Err(far) } else { Ok(()) };
        };
        compare(&way, "feet", claim.feet, reached.feet)?;
        let listed = |ids: &mut dyn Iterator<Item = Id>| {
            let names: Vec<&str> = ids.map(|id| names.key(id)).collect();
            format!("[{}]", names.join(", "))
        };
        if let Some(provokes) = &claim.provokes {
            let mut sorted = provokes.clone();
            sorted.sort();
            let wanted = listed(&mut sorted.into_iter());
            let found = listed(&mut ids_of(reached.provoked));
            compare_words(&way, "provokes", Some(&wanted), &found)?;
        }
        if let Some(by) = &claim.by {
            let path = range.path(claim.to);
            let (wanted, found) = (Cell::list_in_file(by), Cell::list_in_file(&path[1..]));
            compare_words(&way, "by", Some(&wanted), &found)?;
        }
        Ok(())
    }

    fn standing_is(&self, wanted: Standing) -> CheckResult {
        let found = standing(&self.battle);
        if found == wanted {
            return Ok(());
        }
        let names = self.battle.names();
        let found = describe_standing(found, names);
        let wanted = describe_standing(wanted, names);
        Err(format!("the battle is {found}, expected {wanted}"))
    }
}

/// Whether a decision is open in the middle of an action.
fn is_half_done(battle: &Battle) -> bool {
    let Some(question) = battle.asked() else {
        return false;
    };
    // Secret choices take effect only after all units have chosen.
    let last = battle.answers().len().checked_sub(1);
    let events = battle.events().len();
    let has_effect = last.is_none_or(|last| battle.events_before(last) < events);
    !has_effect || question.reaction
}

/// The name of the unit or side at the start of an order.
fn actor_of(order: &str) -> String {
    wanted::plain(order.split(':').next().unwrap_or_default())
}

/// Whether a decision is put to the unit or side with this name.
fn asks(question: &Decision, actor: &str, names: &Names) -> bool {
    match names.find(actor) {
        Some(who) => question.actors.contains(&who),
        None => names.side_key(question.side) == actor,
    }
}

fn compare<T: Debug>(of: &str, what: &str, wanted: Option<T>, found: T) -> CheckResult {
    let text = |one: T| format!("{one:?}");
    compare_words(of, what, wanted.map(text).as_deref(), &text(found))
}

fn compare_words(of: &str, what: &str, wanted: Option<&str>, found: &str) -> CheckResult {
    match wanted {
        Some(wanted) if wanted != found => {
            Err(format!("{of}: `{what}` is {found}, expected {wanted}"))
        }
        _ => Ok(()),
    }
}

fn body(battle: &Battle, id: Id) -> &Body {
    of_unit(battle.world(), id)
}

fn standing(battle: &Battle) -> Standing {
    match battle.over() {
        None => Standing::Running,
        Some(None) => Standing::Drawn,
        Some(Some(side)) => Standing::Won(side),
    }
}

fn describe_standing(standing: Standing, names: &Names) -> String {
    match standing {
        Standing::Running => "still running".into(),
        Standing::Drawn => "over, and nobody won".into(),
        Standing::Won(side) => format!("over, won by {}", names.side_in_line(side)),
    }
}

/// Which unit is asked what, for a message.
fn describe_question(question: &Decision, names: &Names) -> String {
    let who: Vec<&str> = question.actors.iter().map(|id| names.key(*id)).collect();
    format!("{} is asked ({})", who.join(", "), question.prompt)
}

/// The offers most similar to an order, for a message.
fn nearest(text: &str, offers: &[Offer], names: &Names) -> String {
    let near = Near::of(text, offers, names);
    let near: Vec<String> = near.iter().map(ToString::to_string).collect();
    near.join(", ")
}

/// What an event's dice were rolled for.
fn purpose(event: &Event, names: &Names) -> String {
    let is_harm = |cue: &Cue| matches!(cue.kind, CueKind::Wound | CueKind::Harm);
    let harmed = event.cue().filter(is_harm).and_then(|cue| cue.who);
    let what = match (&event.what, harmed) {
        (EventKind::AttackRolled { rolled_attack }, _) => {
            let a = &rolled_attack.attack;
            let (by, at) = (names.title(a.by), names.name(a.at));
            format!("{by} against {at}, {}", names.item(a.with))
        }
        (EventKind::Checked(check), _) => format!("{}, {}", check.name(names), check.what),
        (_, Some(who)) => format!("damage to {}", names.key(who)),
        _ => event
            .describe(names)
            .map_or(String::new(), |line| line.text),
    };
    format!("{what} ({})", event.rule)
}
