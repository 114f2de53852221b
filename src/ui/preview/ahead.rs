//! The rest of a round as it would be if nobody interfered: what is meant is
//! carried out, by what the player's side knows and with the dice that are to be
//! expected; the others let everything go by.

use super::{Draft, carry, walk};
use crate::{
    battle::{Choice, Decision, Event, EventKind, Id, PASS, Side, capitalised},
    control::orders::Step,
    grid::Cell,
    ui::{
        Session,
        read::{Drawn, Mark, Stop, When},
        session::{Failure, Intent, Others},
        shown::{Person, Shown},
    },
    words::list,
};
use std::sync::Arc;

/// Something that a member would do.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedAct {
    pub who: Id,
    /// "Count 9".
    pub when: String,
    /// The label of that part of the round on the track: "9".
    pub stop: String,
    /// From where they stand to where they go, both included.
    pub path: Vec<Cell>,
    pub at: Option<Id>,
    /// The cells that it would cover.
    pub area: Vec<Cell>,
    /// That harms those who are there.
    pub harms: bool,
    pub is_spell: bool,
    /// What a spell could do to whom it is for: "1d8 damage".
    pub does: Vec<String>,
    /// "Strike goblin 2 with short sword".
    pub what: String,
    /// The target that they meant and do not get at.
    pub misses: Option<Id>,
    /// The attacks that it draws, by where everybody is expected to be then.
    pub drawn: Vec<Drawn>,
}

impl PlannedAct {
    /// What somebody begins now with these orders; of what comes of it nothing is known
    /// yet.
    pub(super) fn of(table: &Session, who: Id, orders: &[Choice]) -> Option<Self> {
        let last = orders.last()?;
        let intent = table.intent(who);
        let meant = intent.and_then(Intent::at);
        Some(Self {
            at: last.at,
            area: table.reads.area(last),
            harms: table.reads.harms(last),
            does: harm(table, last),
            is_spell: last.spell.is_some() || intent.is_some_and(Intent::is_spell),
            what: capitalised(&last.deed(table.game.names())),
            misses: meant.filter(|_| orders.iter().all(|o| o.at.is_none() && o.spell.is_none())),
            ..Self::begun(table, who)
        })
    }

    /// What somebody does now that they have declared with its target: where they stood
    /// before, in the part of the round that has begun meanwhile.
    pub(super) fn by_itself(table: &mut Session, who: Id) -> Self {
        let (what, here) = {
            let person = table.shown().person(who);
            (capitalised(&person.plan), person.at)
        };
        table.look();
        Self {
            what,
            path: vec![here],
            ..Self::begun(table, who)
        }
    }

    fn begun(table: &Session, who: Id) -> Self {
        let (when, stop) = now_in(table);
        Self {
            who,
            when,
            stop,
            path: vec![table.shown().person(who).at],
            at: None,
            area: vec![],
            harms: false,
            is_spell: false,
            does: vec![],
            what: String::new(),
            misses: None,
            drawn: vec![],
        }
    }
}

/// What a spell could do, and to whom where it is for several: who fares alike is told
/// of together.
fn harm(table: &Session, order: &Choice) -> Vec<String> {
    const MOST: usize = 2;
    let odds = order.spell.map(|_| table.reads.odds(order));
    let mut all: Vec<(String, Vec<String>)> = vec![];
    for odds in odds.iter().flatten() {
        let Some(who) = odds.who else { continue };
        let name = table.shown().person(who).name.clone();
        let text = odds.text.strip_prefix(&format!("{}: ", capitalised(&name)));
        let text = text.unwrap_or(&odds.text);
        let words = match odds.percent {
            Some(percent) => format!("{text} {percent}%"),
            None => text.to_owned(),
        };
        match all.iter_mut().find(|known| known.0 == words) {
            Some(known) => known.1.push(name),
            None => all.push((words, vec![name])),
        }
    }
    let told = |(words, names): (String, Vec<String>)| match order.at {
        Some(_) => words,
        None => format!("{}: {words}", list(names, "and")),
    };
    all.into_iter().take(MOST).map(told).collect()
}

/// The part of the round that goes on, and its label on the track: "Count 9", "9".
pub(super) fn now_in(table: &Session) -> (String, String) {
    let shown = table.shown();
    (shown.clock.moment.to_string(), stop(shown))
}

/// The number of a part of the round, by its label: counts may be below zero.
pub fn number_of(stop: &str) -> Option<i32> {
    stop.replace('−', "-").parse().ok()
}

/// The board when a moment of the round is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// "Count 9".
    pub when: String,
    /// The label of that part of the round on the track: "9".
    pub stop: String,
    pub people: Vec<Person>,
}

/// The rest of the round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ahead {
    /// When something comes is known; else it is likely.
    pub is_sure: bool,
    pub acts: Vec<PlannedAct>,
    /// In order.
    pub frames: Arc<[Frame]>,
    /// Whose plan would not come off, and why.
    pub failures: Vec<Failure>,
}

/// More questions than a round has.
pub(super) const MOST: usize = 400;

/// What is to come, with a draft besides what has been declared. None: nobody of
/// the player's is asked.
pub fn ahead(session: &Session, draft: Option<&Draft>) -> Option<Ahead> {
    ahead_until(session, draft, &|| false)
}

/// The same; none as well where it is enough before the end.
pub(super) fn ahead_until(
    session: &Session,
    draft: Option<&Draft>,
    enough: &dyn Fn() -> bool,
) -> Option<Ahead> {
    let mut table = session.apart(Others::Nothing)?;
    let (round, side) = (table.shown().clock.round, session.player());
    if let Some(draft) = draft {
        declare(&mut table, draft, &mut |_, _| ());
    }
    let mut out = Ahead {
        is_sure: session.reads.reader.planning.knows_times || !session.is_declaring(),
        ..Ahead::default()
    };
    let mut recorder = RoundRecorder {
        last: table.shown().clone(),
        acts: vec![],
        frames: vec![],
    };
    for _ in 0..MOST {
        let Some(asked) = asked_in(&table, round) else {
            break;
        };
        if enough() {
            return None;
        }
        recorder.observe(&table);
        let went_on = match next(&mut table, &asked, side) {
            Step::Give(who, orders) => {
                perform(&mut table, who, &orders, &mut recorder);
                true
            }
            Step::Failed(who, reason) => {
                let why = reason.text(table.game.names());
                table.fail(who, why);
                true
            }
            Step::Pass(choice) => answer(&mut table, &choice, &mut recorder),
            Step::Ask => {
                let choice = idle(&mut table, &asked);
                answer(&mut table, &choice, &mut recorder)
            }
        };
        if !went_on {
            break;
        }
    }
    let end = frame(&recorder.last, table.shown());
    recorder.frames.push(end);
    (out.acts, out.frames) = (recorder.acts, recorder.frames.into());
    out.failures = table.intents().all_failures().to_vec();
    Some(out)
}

/// What is kept of a draft that is declared: what it is for, and the foes who may strike at
/// somebody on the way that was shown. None: it says itself what it is for.
pub fn intended(session: &Session, draft: &Draft) -> Option<Intent> {
    if !draft.is_aimed {
        return None;
    }
    let ahead = ahead(session, Some(draft));
    let acts = ahead.iter().flat_map(|ahead| &ahead.acts);
    let drawn = acts
        .filter(|act| act.who == draft.who())
        .flat_map(|act| &act.drawn);
    let braves = drawn.fold(0, |foes, drawn| foes | drawn.by.bit());
    Some(Intent {
        braves: ahead.is_some().then_some(braves),
        ..draft.intent.clone()
    })
}

/// Records the acts and the board of a round while it is simulated.
struct RoundRecorder {
    /// The board as it was seen last.
    last: Shown,
    acts: Vec<PlannedAct>,
    frames: Vec<Frame>,
}

impl RoundRecorder {
    /// Records the part of the round that is over, once another one has begun.
    fn observe(&mut self, table: &Session) {
        let shown = table.shown();
        if shown.clock.moment != self.last.clock.moment {
            self.frames.push(frame(&self.last, shown));
        }
        self.last = shown.clone();
    }
}

/// Nobody of the side has anything to declare any more after this: the round begins.
pub fn ends_declaring(session: &Session, orders: &[Choice]) -> bool {
    if !session.is_declaring() {
        return false;
    }
    let Some(mut table) = session.apart(Others::Nothing) else {
        return false;
    };
    let (round, side) = (table.shown().clock.round, session.player());
    if !orders.iter().all(|order| table.answer_apart(order)) {
        return false;
    }
    for _ in 0..MOST {
        let declares = table.reads.ask(table.reads.reader.planning.declaring);
        let Some(asked) = asked_in(&table, round).filter(|_| declares) else {
            return true;
        };
        if asked.side == side && asked.is_turn() {
            return false;
        }
        let choice = idle(&mut table, &asked);
        if !table.answer_apart(&choice) {
            return true;
        }
    }
    true
}

/// What is asked in this round, of whatever side.
fn asked_in(table: &Session, round: u16) -> Option<Decision> {
    let asked = table.asked_apart().cloned();
    asked.filter(|_| table.shown().clock.round == round)
}

/// What comes next of what a side's members are to do; to others it is a question.
pub(super) fn next(table: &mut Session, asked: &Decision, side: Side) -> Step {
    match asked.side == side && asked.is_turn() && !table.is_declaring() {
        true => carry::next(table),
        false => Step::Ask,
    }
}

/// Declares a draft at a table apart, and looks on.
pub(super) fn declare(
    table: &mut Session,
    draft: &Draft,
    watch: &mut dyn FnMut(&mut Session, &Event),
) {
    for order in &draft.orders {
        if !table.answer_watched(order, &mut *watch) {
            break;
        }
    }
    if draft.is_aimed {
        table.intend(draft.intent.clone());
    }
}

/// What the player's side has declared in this round and has not begun. True: its
/// target is asked for when its moment comes; else it says its target itself, and is
/// done without a question.
pub(super) fn declared(session: &Session) -> Vec<(Intent, bool)> {
    let (shown, intents) = (session.shown(), session.intents());
    let round = shown.clock.round;
    let own = |who: Id| Some(shown.person(who)).filter(|p| p.side == session.player());
    let aimed = intents.in_round(round).filter(|i| !i.plan.is_begun);
    let aimed = aimed.filter(|i| own(i.who()).is_some());
    let is_open = |order: &&Choice| {
        let person = order.who.and_then(own);
        person.is_some_and(|p| is_under_way(session, p)) && order.at.is_some()
    };
    let settled = intents.said_in(round).filter(is_open);
    let settled = settled.map(|order| (Draft::settled(session, order).intent, false));
    aimed
        .map(|intent| (intent.clone(), true))
        .chain(settled)
        .collect()
}

/// Somebody has declared what they have not done yet. Who is done while all declare has
/// said their last word.
pub(super) fn is_under_way(session: &Session, person: &Person) -> bool {
    let is_done = person.done && !session.is_declaring();
    person.is_up() && !person.plan.is_empty() && !is_done
}

/// The end of a moment, as the board stands after it.
fn frame(shown: &Shown, after: &Shown) -> Frame {
    Frame {
        when: shown.clock.moment.to_string(),
        stop: stop(shown),
        people: after.people.clone(),
    }
}

/// The label of the part of the round that goes on.
fn stop(shown: &Shown) -> String {
    let now = shown.clock.track.iter().find(|stop| stop.when == When::Now);
    now.map_or(String::new(), |stop| stop.label.to_string())
}

/// Does it, and says what it is.
fn perform(table: &mut Session, who: Id, orders: &[Choice], recorder: &mut RoundRecorder) {
    let Some(act) = PlannedAct::of(table, who, orders) else {
        return;
    };
    let drawn = walk::drawn(table, who, orders);
    recorder.acts.push(PlannedAct { drawn, ..act });
    if table
        .intent(who)
        .is_some_and(|intent| intent.plan.is_done_by(orders))
    {
        table.has_begun(who);
    }
    let place = recorder.acts.len() - 1;
    for order in orders {
        if !answer(table, order, recorder) {
            break;
        }
    }
    // A spell that has been aimed takes effect in its own part of the round.
    let act = &mut recorder.acts[place];
    let track = &table.shown().clock.track;
    let is_later = |stop: &&Stop| {
        let casts = |mark: &Mark| mark.who == who && !mark.done;
        stop.when == When::Later && stop.marks.iter().any(casts)
    };
    if let Some(stop) = track.iter().find(is_later).filter(|_| act.is_spell) {
        act.when = stop.label.to_string();
        act.stop = stop.label.to_string();
    }
}

/// Answers, and notes what comes of it. Of those who act at once nothing is seen
/// before the last has said so; what was declared with its target is done without a
/// question.
fn answer(table: &mut Session, choice: &Choice, recorder: &mut RoundRecorder) -> bool {
    let side = table.player();
    let mut by_itself = 0;
    table.answer_watched(choice, |table, event| {
        // Much of a round may go by without a question: a spell that takes effect.
        // What begins another part of it is about nobody.
        if event.who(table.game.names()) == 0 && table.has_moved_on() {
            table.look();
            recorder.observe(table);
        }
        let acts = &mut recorder.acts;
        let who = match &event.what {
            EventKind::Moved { who, .. } => *who,
            EventKind::AttackRolled { shot } => shot.attack.by,
            _ => return,
        };
        // The picture is that from before the event.
        let person = table.shown().person(who);
        if person.side != side {
            return;
        }
        if !acts.iter().any(|act| act.who == who) {
            acts.push(PlannedAct::by_itself(table, who));
            by_itself |= who.bit();
        }
        let Some(act) = acts.iter_mut().rfind(|act| act.who == who) else {
            return;
        };
        match &event.what {
            EventKind::Moved { to, .. } => act.path.push(*to),
            EventKind::AttackRolled { shot } if by_itself & who.bit() != 0 => {
                act.at = Some(shot.attack.at);
            }
            _ => {}
        }
    })
}

/// What somebody answers who does not interfere. Who means nothing moves nowhere
/// when its time comes; of the others nobody even has a time, for those whose times
/// meet wait for each other's moves (SP-03).
pub(super) fn idle(table: &mut Session, asked: &Decision) -> Choice {
    if let Some(common) = asked.common.first() {
        return common.clone();
    }
    let Some(&who) = asked.actors.first() else {
        return table.sensible(Id(0));
    };
    let reader = table.reads.reader;
    let offers = table.offers_apart(who);
    let verbs = [&PASS].into_iter();
    let verbs = verbs.chain(reader.planning.done.iter().copied());
    let idle = reader.planning.idle.iter().copied();
    let idle: Vec<_> = match asked.side == table.player() {
        true => idle.collect(),
        false => idle.rev().collect(),
    };
    let mut verbs = verbs.chain(idle);
    let found = verbs.find_map(|verb| {
        let fits = |o: &&crate::battle::Offer| o.is_legal() && o.choice.verb == verb;
        offers.iter().find(fits)
    });
    match found {
        Some(offer) => offer.choice.clone(),
        None => table.sensible(who),
    }
}
