//! What is planned, tried out: rounds are played by dice of their own, with what AIs
//! would do for the others, and it is counted how often each plan comes off, and what
//! else comes of it.

use super::{
    Draft,
    ahead::{
        MOST, PlannedAct, ahead, declare, declared, idle, is_under_way, next, now_in, number_of,
    },
};
use crate::words::list;
use crate::{
    battle::{Choice, Decision, Event, EventKind, Id},
    control::orders::{Order, Plan, Step},
    ui::{
        Session,
        session::{Casts, Intent, Others},
    },
};
use std::collections::BTreeMap;

/// Rounds in which plans are tried, so that what is told of them is off by 5 in a hundred
/// at most, two times in three.
const TRIES: u32 = 100;

/// Foes who are named for one reason, at most.
const NAMED: usize = 4;
/// From this percent of the rounds on it is told that somebody is hurt.
const WORTH_TELLING: u32 = 10;

/// What came of a plan in some rounds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tried {
    /// How often it came off.
    pub percent: u32,
    /// What else came of it, each with how often in percent, the most frequent first.
    pub why_not: Vec<(u32, String)>,
    /// What it looked like in the first of them in which it came off.
    pub act: Option<PlannedAct>,
    /// The parts of the round in which it came off, each with its label on the track and
    /// in how many rounds.
    pub times: BTreeMap<(String, String), u32>,
    /// How often its owner was hurt by then, in percent, and by which foes, the most
    /// frequent first.
    pub hurt: (u32, Vec<(u32, Id)>),
    /// It is for nobody yet: it comes off when anybody is attacked.
    pub is_open: bool,
}

/// What came of the plans in one round.
#[derive(Debug, Default)]
pub struct Round {
    /// Of each plan that can be tried whether it has got at its target, or its spell has
    /// taken effect; or why not, in no words where nobody was there to be attacked.
    pub came: BTreeMap<Id, Result<(), String>>,
    /// What was seen of each.
    pub acts: BTreeMap<Id, PlannedAct>,
    /// Whom each was hurt by before it came off or came to nothing, or then: foes, a
    /// bit each.
    pub hurt: BTreeMap<Id, u64>,
}

/// What is to be tried of a round.
type Plans = BTreeMap<Id, Intent>;

/// What the player's side has declared for whoever comes: whom or where it is for is
/// chosen when its time comes. Spells apart.
fn for_whoever(session: &Session) -> impl Iterator<Item = &Choice> {
    let shown = session.shown();
    let nothing = session.reads.reader.planning.idle;
    let is_to_choose = move |who: Id| {
        let person = shown.person(who);
        let is_own = person.side == session.player();
        is_own && is_under_way(session, person) && session.intent(who).is_none()
    };
    session
        .intents()
        .said_in(shown.clock.round)
        .filter(|order| order.at.is_none() && order.spell.is_none())
        .filter(move |order| !nothing.contains(&order.verb))
        .filter(move |order| order.who.is_some_and(is_to_choose))
}

/// The spells that are under way or declared without a target, this round's and those of
/// the last that are still to take effect; and what else is for nobody yet.
fn untargeted(session: &Session) -> Vec<Intent> {
    let (shown, intents) = (session.shown(), session.intents());
    let now = shown.clock.round;
    let said = [now.saturating_sub(1), now].into_iter();
    let said = said.flat_map(|round| intents.said_in(round));
    let is_open = |order: &&Choice| {
        let caster = order.who.map(|who| shown.person(who));
        let is_cast = caster.is_some_and(|p| is_under_way(session, p));
        order.spell.is_some() && order.at.is_none() && is_cast
    };
    let spells = said.filter(is_open);
    let spells = spells.map(|order| Draft::settled(session, order).intent);
    let spells = spells.filter(|spell| session.intent(spell.who()).is_none());
    let mut all: Vec<Intent> = spells.collect();
    for order in for_whoever(session) {
        if all.iter().all(|known| Some(known.who()) != order.who) {
            let whatever = Draft::settled(session, order).intent;
            all.push(Intent {
                plan: Plan {
                    order: Order::Guard,
                    ..whatever.plan
                },
                ..whatever
            });
        }
    }
    all
}

/// There is a plan to be tried.
pub fn can_try(session: &Session, draft: Option<&Draft>) -> bool {
    draft.is_some_and(Draft::is_plan)
        || !declared(session).is_empty()
        || !untargeted(session).is_empty()
}

/// All plans, with a draft besides: attacks, spells, and moves, each to where it comes to
/// in this round if nobody interferes.
fn plans(table: &Session, draft: Option<&Draft>) -> Plans {
    let declared = declared(table).into_iter().map(|(intent, _)| intent);
    let pointed = draft.filter(|draft| draft.is_plan());
    let all = declared.chain(pointed.map(|draft| draft.intent.clone()));
    let all = untargeted(table).into_iter().chain(all);
    let mut plans: Plans = all.map(|intent| (intent.who(), intent)).collect();
    let open = plans.values().filter(|plan| is_open(plan));
    let open: Vec<Id> = open.map(|plan| plan.who()).collect();
    let goes = |plan: &Intent| plan.is_move() && !is_open(plan);
    if plans.values().any(goes) {
        let ahead = ahead(table, draft);
        let acts = ahead.as_ref().map_or(&[][..], |ahead| &ahead.acts);
        for plan in plans.values_mut().filter(|plan| goes(plan)) {
            let way = acts
                .iter()
                .rfind(|act| act.who == plan.who() && act.path.len() > 1);
            let end = way.and_then(|act| act.path.last().copied());
            plan.plan.order = end.map_or(Order::Guard, |to| Order::Move { to });
        }
    }
    // Who is not expected to get anywhere has no place to be tried.
    plans.retain(|who, plan| !is_open(plan) || open.contains(who));
    plans
}

/// Tries all plans that can be tried, with a draft besides what has been declared; of
/// none where it is enough before the end.
pub fn try_all(
    table: &Session,
    draft: Option<&Draft>,
    enough: &dyn Fn() -> bool,
) -> BTreeMap<Id, Tried> {
    let mut found: BTreeMap<Id, Tried> = BTreeMap::new();
    let plans = plans(table, draft);
    let one = |seed| try_plans(table, (&plans, draft), seed, enough);
    for mut round in rounds(table, TRIES, enough, one) {
        for (who, came) in round.came {
            let tried = found.entry(who).or_default();
            if let (Ok(()), Some(act)) = (&came, round.acts.remove(&who)) {
                let time = (act.when.clone(), act.stop.clone());
                *tried.times.entry(time).or_default() += 1;
                tried.act.get_or_insert(act);
            }
            tried.is_open = plans.get(&who).is_some_and(is_open);
            match came {
                Ok(()) => tried.percent += 100 / TRIES,
                Err(why) if why.is_empty() => {}
                Err(why) => *tried.reason(&why) += 100 / TRIES,
            }
            if let Some(by) = round.hurt.remove(&who) {
                tried.note_hurt(by, table);
            }
        }
    }
    let people = table.shown().people.iter();
    let foes = people.filter(|p| p.side != table.player());
    let foes: Vec<&str> = foes.map(|p| p.name.as_str()).collect();
    for tried in found.values_mut() {
        tried.sort(&foes);
    }
    found
}

/// What comes of some rounds, each by a seed of its own; of none where it is enough before
/// the end.
pub(super) fn rounds<T>(
    table: &Session,
    count: u32,
    enough: &dyn Fn() -> bool,
    one: impl Fn(u64) -> Option<T>,
) -> Vec<T> {
    let seeds = (1..=count).map(|n| table.game.seed().wrapping_add(n.into()));
    let all: Option<Vec<T>> = seeds.map(|seed| one(seed).filter(|_| !enough())).collect();
    all.unwrap_or_default()
}

/// An attack, or whatever else, that is for nobody and for no place.
fn is_open(plan: &Intent) -> bool {
    plan.is_move() && plan.to().is_none()
}

impl Tried {
    /// How often it comes off; of what is for nobody yet how often it attacks at all, and
    /// nothing where it never does.
    pub fn share(&self) -> Option<String> {
        match self.is_open {
            true => (self.percent > 0).then(|| format!("finds a target: {}%", self.percent)),
            false => Some(format!("goes ahead: {}%", self.percent)),
        }
    }

    /// When it comes, where that hangs on dice: "count 5 to 9" for four times in five,
    /// or "HIGH: missiles (60%)" where the parts have no numbers. None: it was always at
    /// the same time, or never.
    pub fn when(&self) -> Option<String> {
        if self.times.len() < 2 {
            return None;
        }
        let numbers = self.times.iter();
        let numbers: Option<Vec<(i32, u32)>> = numbers
            .map(|((_, stop), count)| Some((number_of(stop)?, *count)))
            .collect();
        let total: u32 = self.times.values().sum();
        let first = self.times.first_key_value()?.0;
        let Some(mut numbers) = numbers else {
            let best = self.times.iter().max_by_key(|(_, count)| **count)?;
            return Some(format!("{} ({}%)", best.0.0, 100 * best.1 / total));
        };
        numbers.sort_unstable();
        let (least, most) = (
            quantile(&numbers, total / 10),
            quantile(&numbers, total * 9 / 10),
        );
        let span = match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        Some(first.0.replace(&first.1, &span.replace('-', "−")))
    }

    /// What it costs: "is hit before acting: 40%, by goblin 1 or archer 2". None where that is rare.
    pub fn price(&self, table: &Session) -> Option<String> {
        let (percent, by) = &self.hurt;
        let by = by.iter().filter(|by| 3 * by.0 >= *percent).take(NAMED);
        let names: Vec<String> = by
            .map(|by| table.shown().person(by.1).name.clone())
            .collect();
        let names = list(names, "or");
        (*percent >= WORTH_TELLING).then(|| format!("is hit before acting: {percent}%, by {names}"))
    }

    fn note_hurt(&mut self, by: u64, table: &Session) {
        let (times, all) = &mut self.hurt;
        *times += 100 / TRIES;
        for foe in &table.shown().people {
            if by & foe.id.bit() == 0 {
                continue;
            }
            match all.iter_mut().find(|known| known.1 == foe.id) {
                Some(known) => known.0 += 100 / TRIES,
                None => all.push((100 / TRIES, foe.id)),
            }
        }
        all.sort_by_key(|known| (std::cmp::Reverse(known.0), known.1));
    }

    /// The most frequent reasons first; what differs only by whose doing it was is one:
    /// "20%: Mara is downed before acting, by archer 1 or archer 2".
    fn sort(&mut self, foes: &[&str]) {
        const WHO: &str = "{}";
        self.why_not.sort_by_key(|why| std::cmp::Reverse(why.0));
        let mut all: Vec<(u32, String, Vec<String>)> = vec![];
        for (percent, why) in self.why_not.drain(..) {
            let named = foes.iter().filter(|name| why.contains(**name));
            let name = named.max_by_key(|name| name.len());
            let form = name.map_or_else(|| why.clone(), |name| why.replacen(name, WHO, 1));
            let names = name.map(|name| name.to_string());
            match all.iter_mut().find(|known| known.1 == form) {
                Some(known) => {
                    known.0 += percent;
                    known.2.extend(names);
                }
                None => all.push((percent, form, names.into_iter().collect())),
            }
        }
        all.sort_by_key(|why| std::cmp::Reverse(why.0));
        let told = |(percent, form, mut names): (u32, String, Vec<String>)| {
            if names.len() > NAMED {
                names.truncate(NAMED - 1);
                names.push(String::from("another"));
            }
            (percent, form.replacen(WHO, &list(names, "or"), 1))
        };
        self.why_not = all.into_iter().map(told).collect();
    }

    /// How often it came to that; how far away somebody was does not matter.
    fn reason(&mut self, why: &str) -> &mut u32 {
        let first = why.lines().next().unwrap_or_default();
        let (what, far) = first.split_once(", ").unwrap_or((first, ""));
        let what = if far.ends_with("ft away") {
            what
        } else {
            first
        };
        let known = self.why_not.iter().position(|why| why.1 == what);
        let n = known.unwrap_or_else(|| {
            self.why_not.push((0, what.to_owned()));
            self.why_not.len() - 1
        });
        &mut self.why_not[n].0
    }
}

/// The number that has so many before it; each stands there with how often it came.
fn quantile(numbers: &[(i32, u32)], before: u32) -> i32 {
    let mut passed = 0;
    let found = numbers.iter().find(|(_, count)| {
        passed += count;
        passed > before
    });
    found.or(numbers.last()).map_or(0, |found| found.0)
}

/// Plays the rest of the round by dice of its own, with a draft besides what has been
/// declared. None: nobody is asked, or it is enough before the end.
pub fn try_round(
    session: &Session,
    draft: Option<&Draft>,
    seed: u64,
    enough: &dyn Fn() -> bool,
) -> Option<Round> {
    try_plans(session, (&plans(session, draft), draft), seed, enough)
}

fn try_plans(
    session: &Session,
    (plans, draft): (&Plans, Option<&Draft>),
    seed: u64,
    enough: &dyn Fn() -> bool,
) -> Option<Round> {
    let others = Others::Tried(seed);
    let mut table = session.apart(others)?;
    let round = table.shown().clock.round;
    let mut watch = Watch {
        plans,
        out: Round::default(),
        casts: Casts::default(),
        last: None,
    };
    // What is not aimed later takes effect without a question.
    let untargeted = plans
        .values()
        .filter(|plan| plan.is_spell() && !plan.aims());
    untargeted
        .flat_map(|plan| &plan.plan.declared)
        .for_each(|order| watch.casts.note(order));
    if let Some(draft) = draft {
        // With the last declaration the round begins.
        declare(&mut table, draft, &mut |table, event| {
            watch.note(table, event)
        });
    }
    let is_done = play(&mut table, (others, round), enough, |table, seen| {
        match seen {
            Seen::Question => watch.asks(table),
            Seen::Begins(who, orders) => watch.begins(table, who, orders),
            Seen::Event(event) => watch.note(table, event),
            Seen::Reacts(_) => {}
        }
        watch.is_on(table)
    });
    if !is_done {
        return None;
    }
    let mut out = watch.out;
    let failures = table.intents().all_failures();
    for (&who, plan) in plans {
        let caster = table.shown().person(who);
        if plan.is_spell() && caster.is_up() && !caster.plan.is_empty() {
            // It goes on in the next round.
            out.came.entry(who).or_insert(Ok(()));
        }
        let failed = failures.iter().find(|failed| failed.who == who);
        out.came.entry(who).or_insert_with(|| {
            let missed = || match is_open(plan) && caster.is_up() {
                true => String::new(),
                false => table.why_missed(plan, round),
            };
            Err(failed.map_or_else(missed, |failed| failed.why.clone()))
        });
    }
    Some(out)
}

/// What is seen as a round is tried.
pub(super) enum Seen<'a> {
    /// Something is asked.
    Question,
    /// Somebody begins with these orders what they meant.
    Begins(Id, &'a [Choice]),
    Event(&'a Event),
    /// Somebody answers what another does.
    Reacts(&'a Choice),
}

/// Plays on at a table apart until a round is over, by what is meant and by what AIs
/// would do for the others, as long as who looks on wants another question to be
/// answered. False: it is enough before that.
pub(super) fn play(
    table: &mut Session,
    (others, last): (Others, u16),
    enough: &dyn Fn() -> bool,
    mut look: impl FnMut(&mut Session, Seen) -> bool,
) -> bool {
    let side = table.player();
    for _ in 0..MOST {
        let asked = table.asked_apart().cloned();
        let Some(asked) = asked.filter(|_| table.shown().clock.round <= last) else {
            break;
        };
        if !look(table, Seen::Question) {
            break;
        } else if enough() {
            return false;
        }
        let orders = match next(table, &asked, side) {
            Step::Give(who, orders) => {
                look(table, Seen::Begins(who, &orders));
                if table
                    .intent(who)
                    .is_some_and(|i| i.plan.is_done_by(&orders))
                {
                    table.has_begun(who);
                }
                orders
            }
            Step::Failed(actor, reason) => {
                let why = reason.text(table.game.names());
                table.fail(actor, why);
                continue;
            }
            Step::Pass(choice) => vec![choice],
            Step::Ask if asked.side == side => vec![of_ones_own(table, &asked)],
            Step::Ask => vec![table.others_apart(others)],
        };
        let mut answer = |order: &Choice| {
            if asked.is_reaction(order) {
                look(table, Seen::Reacts(order));
            }
            table.answer_watched(order, |table, event| {
                look(table, Seen::Event(event));
            })
        };
        // Somebody may answer what is done first; the rest is then done in its time.
        if orders.iter().take_while(|order| answer(order)).count() == 0 {
            break;
        }
    }
    true
}

/// What is done for a side that does not interfere: who has yet to choose whom or where
/// their act is for does what is sensible.
fn of_ones_own(table: &mut Session, asked: &Decision) -> Choice {
    let is_time = asked.is_turn() && !table.is_declaring();
    let is_asked = |who: &Id| is_time && asked.actors.contains(who);
    let who = for_whoever(table).find_map(|order| order.who.filter(is_asked));
    match who {
        Some(who) => table.sensible(who),
        None => idle(table, asked),
    }
}

/// Looks on as the plans are tried.
struct Watch<'a> {
    plans: &'a Plans,
    out: Round,
    /// The spells under way.
    casts: Casts,
    /// In which part of the round the last plan came off.
    last: Option<(String, String)>,
}

impl Watch<'_> {
    /// There is something to be seen yet: a plan that has not come off, or what answers
    /// the last of them.
    fn is_on(&mut self, table: &Session) -> bool {
        let now = now_in(table);
        if self.out.came.len() < self.plans.len() {
            self.last = Some(now);
            return true;
        }
        self.last.as_ref() == Some(&now)
    }

    /// Somebody begins with these orders what they meant.
    fn begins(&mut self, table: &mut Session, who: Id, orders: &[Choice]) {
        let Some(plan) = self.plans.get(&who) else {
            return;
        };
        if let Some(act) = PlannedAct::of(table, who, orders) {
            let known = self.out.acts.remove(&who);
            let known = known.filter(|known| known.when == act.when);
            let path = known.map_or_else(|| act.path.clone(), |known| known.path);
            self.out.acts.insert(who, PlannedAct { path, ..act });
        }
        let Some(target) = plan.at().filter(|_| !plan.is_spell()) else {
            return;
        };
        // An attack has come when its die is rolled: it may still be stopped.
        let does = |o: &&Choice| o.at == Some(target) && table.reads.blow(o).is_none();
        if orders.iter().any(|o| does(&o)) {
            self.out.came.insert(who, Ok(()));
        }
    }

    /// Who is asked for whom or where their spell is has come so far with it.
    fn asks(&mut self, table: &mut Session) {
        let asked = table.asked_apart().filter(|asked| asked.is_turn());
        let actors = asked.map_or(vec![], |asked| asked.actors.clone());
        for who in actors {
            let plan = self.plans.get(&who);
            let is_open = plan.is_some_and(|plan| plan.is_spell() && !plan.aims());
            if !is_open || self.out.came.contains_key(&who) || table.is_declaring() {
                continue;
            }
            let offers = table.offers_apart(who);
            if offers
                .iter()
                .any(|o| o.is_legal() && o.choice.spell.is_some())
            {
                self.out.came.insert(who, Ok(()));
                self.act(table, who);
            }
        }
    }

    /// What is seen of somebody, who may do it without a question.
    fn act(&mut self, table: &mut Session, who: Id) -> &mut PlannedAct {
        self.out
            .acts
            .entry(who)
            .or_insert_with(|| PlannedAct::by_itself(table, who))
    }

    fn note(&mut self, table: &mut Session, event: &Event) {
        if let Some(cast) = self.casts.take(&table.game, event)
            && let Some(who) = cast.who
            && self.plans.get(&who).is_some_and(Intent::is_spell)
        {
            self.out.came.insert(who, Ok(()));
            // It takes effect in its own part of the round.
            let now = self.act(table, who);
            (now.when, now.stop) = now_in(table);
        }
        match &event.what {
            EventKind::Acted { choice } => self.casts.note(choice),
            EventKind::AttackRolled { shot } => {
                let (by, at) = (shot.attack.by, shot.attack.at);
                let plan = self.plans.get(&by).filter(|plan| !plan.is_spell());
                if plan.is_some_and(|plan| plan.at() == Some(at) || is_open(plan)) {
                    self.out.came.insert(by, Ok(()));
                    self.act(table, by).at = Some(at);
                }
            }
            EventKind::Damaged {
                who, by: Some(by), ..
            } if by != who && self.plans.contains_key(who) => {
                // Once it has come, what is done in the same part of the round answers it.
                let came = self.out.came.contains_key(who);
                let now = now_in(table);
                let then = self.out.acts.get(who);
                let is_then = then.is_some_and(|act| (&act.when, &act.stop) == (&now.0, &now.1));
                if !came || is_then {
                    *self.out.hurt.entry(*who).or_default() |= by.bit();
                }
            }
            EventKind::Moved { who, to, .. } => {
                let Some(plan) = self.plans.get(who) else {
                    return;
                };
                self.act(table, *who).path.push(*to);
                if plan.is_move() && plan.to() == Some(*to) {
                    self.out.came.insert(*who, Ok(()));
                }
            }
            _ => {}
        }
    }
}
