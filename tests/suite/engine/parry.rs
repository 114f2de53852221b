//! A round of declared shares of activity, and when a parry counts: AC-09 and
//! AC-13 to AC-16. What is declared is sealed until all have declared.

use super::kit::{
    Toy, asked, assert_idle, assert_log, assert_never, battle, field, id, legal, log, order,
};
use bevy::ecs::{
    component::Component,
    system::{In, Query, Res, ResMut, SystemParam},
    world::World,
};
use fivefoot::{
    battle::{
        Action, Answer, CheckRoll, Choice, Depth, DiceBox, Event, EventKind, Id, Line, Modifier,
        Names, Offer, Poll, Replica, Roll, Roster, Ruleset, RulesetEvent, Seen, StepOutcome,
        component_mut, copy_component,
    },
    levels::Level,
    system_step,
};
use std::sync::Arc;

static ACTIVITY: Ruleset = Ruleset {
    install: |world| {
        for entity in world.resource::<Roster>().who.clone() {
            world
                .entity_mut(entity)
                .insert((super::kit::Notes::default(), Plan::default()));
        }
    },
    copy: |from, to| copy_component::<Plan>(from, to),
    ..super::kit::toy("Shares", || Box::new(Plans(Poll::default())))
};

/// What one does in a round, in order, with the percent that each takes.
#[derive(Component, Clone, Default, PartialEq, Debug)]
struct Plan {
    acts: Vec<(Kind, i32)>,
    /// Set aside of what the melee leaves, against every blow of the round.
    parry: i32,
    done: usize,
    /// Percent of the first act that were spent in rounds before.
    carried: i32,
    initiative: i32,
    blurred: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Draw,
    Melee,
    Blur,
    Load,
}

impl Plan {
    /// Percent of this round that its done acts took.
    fn spent(&self) -> i32 {
        let all: i32 = self.acts[..self.done].iter().map(|a| a.1).sum();
        if self.done > 0 { all - self.carried } else { 0 }
    }

    /// The count of its next act: 2 lower for every whole 10% spent before it.
    /// One that was begun in a round before comes when its last percent is
    /// spent; one that is too long for this round goes on in the next.
    fn next(&self) -> Option<i32> {
        let (_, percent) = *self.acts.get(self.done)?;
        let carried = if self.done == 0 { self.carried } else { 0 };
        let ends = self.spent() + percent - carried;
        let counts = if carried > 0 { ends } else { self.spent() };
        (ends <= 100).then_some(self.initiative - 2 * (counts / 10))
    }

    /// A parry counts while the act just done or the next one is melee.
    fn parries(&self) -> bool {
        let is_melee = |n: usize| self.acts.get(n).is_some_and(|a| a.0 == Kind::Melee);
        is_melee(self.done) || self.done > 0 && is_melee(self.done - 1)
    }

    /// What its melee leaves of an OB of 60 to share out.
    fn share(&self) -> i32 {
        let melee = self.acts.iter().find(|a| a.0 == Kind::Melee);
        melee.map_or(0, |a| 60 - (100 - a.1))
    }
}

#[derive(Clone, Debug)]
enum Fact {
    Declared {
        who: Id,
        plan: Plan,
    },
    Rolled {
        who: Id,
        initiative: i32,
    },
    Did {
        who: Id,
    },
    /// The round is over: what is done is done, the rest goes on.
    Carried {
        who: Id,
    },
}

impl RulesetEvent for Fact {
    fn apply(&self, world: &mut World) {
        match self {
            Self::Declared { who, plan } => *component_mut::<Plan>(world, *who) = plan.clone(),
            Self::Rolled { who, initiative } => {
                component_mut::<Plan>(world, *who).initiative = *initiative;
            }
            Self::Did { who } => {
                let mut plan = component_mut::<Plan>(world, *who);
                plan.blurred |= plan.acts[plan.done].0 == Kind::Blur;
                plan.done += 1;
            }
            Self::Carried { who } => {
                let mut plan = component_mut::<Plan>(world, *who);
                let (done, left) = (plan.done, 100 - plan.spent());
                plan.carried = left + if done == 0 { plan.carried } else { 0 };
                plan.acts.drain(..done);
                plan.done = 0;
            }
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        match self {
            Self::Declared { who, plan } => {
                let line = format!("{} declares {:?}", names.title(*who), plan.acts);
                Line::new(Depth::Fact, line)
            }
            Self::Rolled { .. } => None,
            Self::Carried { who } => Line::new(
                Depth::Fact,
                format!("{} is not done yet", names.title(*who)),
            ),
            Self::Did { who } => Line::new(Depth::Fact, format!("{} does it", names.title(*who))),
        }
    }

    fn data(&self) -> serde_json::Value {
        serde_json::json!({})
    }
}

fn own(fact: Fact) -> EventKind {
    EventKind::Ruleset(Arc::new(fact))
}

#[derive(SystemParam)]
struct Shares<'w, 's> {
    toy: Toy<'w, 's>,
    plans: Query<'w, 's, &'static Plan>,
    roster: Res<'w, Roster>,
}

impl Shares<'_, '_> {
    fn plan(&self, who: Id) -> &Plan {
        self.plans.get(self.roster.who[who.index()]).unwrap()
    }
}

static DRAW_AND_FIGHT: Action = verb("draw", "draw and fight");
static FIGHT: Action = verb("fight", "fight");
static BLUR_AND_FIGHT: Action = verb("blur", "cast blur and fight");
static BLADETURN_AND_FIGHT: Action = verb("bladeturn", "cast bladeturn and fight");
static LOAD: Action = verb("load", "load the crossbow");
static PARRY: Action = verb("parry", "parry with {n}");

const fn verb(name: &'static str, order_text: &'static str) -> Action {
    Action {
        name,
        order_text,
        log_text: order_text,
        rule: "AC-09",
    }
}

fn plan_of(verb: &'static Action) -> Plan {
    let acts = match verb.name {
        "draw" => vec![(Kind::Draw, 20), (Kind::Melee, 80)],
        "blur" => vec![(Kind::Blur, 40), (Kind::Melee, 60)],
        // An instantaneous spell is no action of its own.
        "bladeturn" => vec![(Kind::Melee, 60)],
        "load" => vec![(Kind::Load, 150)],
        _ => vec![(Kind::Melee, 100)],
    };
    Plan {
        acts,
        ..Plan::default()
    }
}

/// Everybody says what it will do, sealed from the others.
#[derive(Clone, Debug)]
struct Plans(Poll);
system_step!(Plans, plans);

fn plans(In(Plans(mut poll)): In<Plans>, s: Shares, mut answer: ResMut<Answer>) -> StepOutcome {
    if poll.left.is_empty() && poll.said.is_empty() {
        poll = Poll::of(s.toy.everybody());
    }
    let verbs = [
        &DRAW_AND_FIGHT,
        &FIGHT,
        &BLUR_AND_FIGHT,
        &BLADETURN_AND_FIGHT,
        &LOAD,
    ];
    let ask = |id: Id| {
        let offers = verbs.map(|verb| Offer::legal(Choice::new(verb, id)));
        Some(s.toy.ask(id, "Declare", offers.to_vec()))
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, Plans(poll));
    }
    let mut outcome = StepOutcome::default();
    for choice in &poll.said {
        let who = choice.who.unwrap();
        let plan = plan_of(choice.verb);
        outcome.events.push(Event {
            rule: "AC-09",
            seen: Seen::Only(s.toy.side(who)),
            what: own(Fact::Declared { who, plan }),
        });
    }
    outcome.then(Shared(Poll::of(s.toy.everybody())))
}

/// And how much of its OB it sets aside.
#[derive(Clone, Debug)]
struct Shared(Poll);
system_step!(Shared, shared);

fn shared(In(Shared(mut poll)): In<Shared>, s: Shares, mut answer: ResMut<Answer>) -> StepOutcome {
    let ask = |id: Id| {
        let parts = (0..=s.plan(id).share()).step_by(10);
        let offer = |number: i32| {
            let mut choice = Choice::new(&PARRY, id);
            choice.number = Some(number);
            Offer::legal(choice)
        };
        Some(
            s.toy
                .ask(id, "Parry with how much?", parts.map(offer).collect()),
        )
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, Shared(poll));
    }
    // All have said: it is told to everybody.
    let mut outcome = StepOutcome::default();
    for choice in &poll.said {
        let (who, parry) = (choice.who.unwrap(), choice.number.unwrap());
        let plan = Plan {
            parry,
            ..s.plan(who).clone()
        };
        outcome.emit("AC-09", own(Fact::Declared { who, plan }));
    }
    outcome.then(Roll100)
}

/// Initiative, anew each round.
#[derive(Clone, Debug)]
struct Roll100;
system_step!(Roll100, roll_100);

fn roll_100(In(_): In<Roll100>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in toy.everybody() {
        let initiative = dice.roll(100).into();
        outcome.emit("AC-11", own(Fact::Rolled { who, initiative }));
    }
    outcome.then(Next)
}

/// Whoever has the highest count does its next act.
#[derive(Clone, Debug)]
struct Next;
system_step!(Next, next);

fn next(In(_): In<Next>, s: Shares, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let everybody = s.toy.everybody();
    let due = everybody
        .iter()
        .filter_map(|&who| Some((s.plan(who).next()?, who)));
    let Some((_, who)) = due.max_by_key(|(count, who)| (*count, std::cmp::Reverse(*who))) else {
        // Nobody can do more this round; what is too long goes on in the next.
        let unfinished = |who: &&Id| s.plan(**who).done < s.plan(**who).acts.len();
        let mut outcome = StepOutcome::default();
        let left: Vec<&Id> = everybody.iter().filter(unfinished).collect();
        for &&who in &left {
            outcome.emit("AC-14", own(Fact::Carried { who }));
        }
        return if left.is_empty() {
            outcome
        } else {
            outcome.then(Roll100)
        };
    };
    let mut outcome = StepOutcome::default().and("AC-11", own(Fact::Did { who }));
    let plan = s.plan(who);
    let target = s.toy.foes_beside(who)[0];
    if plan.acts[plan.done].0 == Kind::Melee {
        let mut modifiers = vec![Modifier::new(
            (plan.share() - plan.parry) as i16,
            "OB",
            "AC-30",
        )];
        let theirs = s.plan(target);
        if theirs.parries() {
            modifiers.push(Modifier::new(-theirs.parry as i16, "parry", "AC-13"));
        }
        if theirs.blurred {
            modifiers.push(Modifier::new(-20, "blur", "AC-16"));
        }
        let checked =
            CheckRoll::by(who, "melee", Roll::one(100, dice.roll(100), modifiers)).event();
        outcome.emit("AC-30", checked);
    }
    outcome.then(Next)
}

fn duel() -> Arc<Level> {
    let people = [("jason", "party", (0, 0), 9), ("orc", "goblins", (1, 0), 9)];
    field(&["...", "..."], &people)
}

#[test]
fn a_parry_counts_when_the_next_act_is_melee_ac_15() {
    // Jason 23, the orc 20.
    let dice = [(100, 23), (100, 20), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: draw and fight",
            "orc: fight",
            "jason: parry with 30",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Jason does it", // he draws at 23
            "Orc does it",
            "Orc, melee: d100 50 + 60 OB − 30 parry = 80",
            "Jason does it", // and strikes at 19
            "Jason, melee: d100 50 + 10 OB = 60",
        ],
    );
}

#[test]
fn a_parry_does_not_count_before_an_act_that_is_no_melee_ac_15() {
    // The orc is first: Jason's next act is to draw.
    let dice = [(100, 23), (100, 24), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: draw and fight",
            "orc: fight",
            "jason: parry with 30",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    assert_log(&b, &["Orc, melee: d100 50 + 60 OB = 110", "Jason, melee"]);
}

#[test]
fn a_parry_counts_while_the_act_just_done_is_melee_ac_13() {
    // Jason's only act is done when the orc strikes.
    let dice = [(100, 30), (100, 20), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: fight",
            "orc: fight",
            "jason: parry with 60",
            "orc: parry with 10",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Jason, melee: d100 50 − 10 parry = 40",
            "Orc, melee: d100 50 + 50 OB − 60 parry = 40",
        ],
    );
}

#[test]
fn no_parry_and_no_blur_before_the_spell_is_cast_ac_16() {
    // Jason 22, the orc 24.
    let dice = [(100, 22), (100, 24), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: cast blur and fight",
            "orc: fight",
            "jason: parry with 20",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Orc, melee: d100 50 + 60 OB = 110",
            "Jason does it",
            "Jason does it",
        ],
    );
    assert_never(&b, "blur =");
}

#[test]
fn the_blur_counts_once_it_is_cast_ac_16() {
    let dice = [(100, 24), (100, 22), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: cast blur and fight",
            "orc: fight",
            "jason: parry with 20",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    // His next act is melee now, so the parry counts too.
    assert_log(
        &b,
        &[
            "Jason does it",
            "Orc, melee: d100 50 + 60 OB − 20 parry − 20 blur = 70",
        ],
    );
}

#[test]
fn an_instantaneous_spell_is_no_act_of_its_own_ac_16() {
    let dice = [(100, 22), (100, 24), (100, 50), (100, 50)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: cast bladeturn and fight",
            "orc: fight",
            "jason: parry with 20",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    assert_log(&b, &["Orc, melee: d100 50 + 60 OB − 20 parry = 90"]);
}

#[test]
fn an_act_longer_than_the_round_goes_on_into_the_next_ac_14() {
    // Round 1: Jason 23, the orc 20. Round 2: Jason 23, the orc done.
    let dice = [(100, 23), (100, 20), (100, 50), (100, 23), (100, 20)];
    let mut b = battle(&ACTIVITY, &duel(), &dice);
    order(
        &mut b,
        &[
            "jason: load the crossbow",
            "orc: fight",
            "jason: parry with 0",
            "orc: parry with 0",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Orc does it",
            "AC-14 Jason is not done yet",
            "AC-11 Jason does it",
        ],
    );
}

#[test]
fn the_rest_of_a_long_act_counts_as_the_first_of_its_round_ac_14() {
    // Half of the round goes into the last 50%: 23 less 10.
    let mut plan = Plan {
        acts: vec![(Kind::Load, 150), (Kind::Melee, 50)],
        initiative: 23,
        ..Plan::default()
    };
    assert_eq!(plan.next(), None, "too long for one round");
    plan.carried = 100;
    assert_eq!(plan.next(), Some(13));
    plan.done = 1;
    assert_eq!(
        plan.next(),
        Some(13),
        "and 2 lower for every 10% already spent"
    );
}

#[test]
fn only_what_the_melee_leaves_can_be_set_aside_ac_13() {
    let mut b = battle(
        &ACTIVITY,
        &duel(),
        &[(100, 22), (100, 24), (100, 50), (100, 50)],
    );
    order(&mut b, &["jason: draw and fight", "orc: fight"]);
    // 80% leaves 40 of 60.
    assert_eq!(legal(&mut b).last().unwrap(), "jason: parry with 40");
    order(&mut b, &["jason: parry with 40"]);
    assert_eq!(legal(&mut b).last().unwrap(), "orc: parry with 60");
    order(&mut b, &["orc: parry with 0"]);
    assert_idle(&b);
}

#[test]
fn what_is_sealed_is_not_known_to_the_other_side_until_it_is_told() {
    let level = duel();
    let mut b = battle(
        &ACTIVITY,
        &level,
        &[(100, 22), (100, 24), (100, 50), (100, 50)],
    );
    let setup = fivefoot::battle::level_setup(&level);
    let [mut own, mut other, mut all] =
        [Some(id(&b, "jason")), Some(id(&b, "orc")), None].map(|who| {
            Replica::new(
                &setup,
                &ACTIVITY,
                who.map(|id| fivefoot::battle::Side(id.0 as u8)),
            )
        });
    let jason = |replica: &Replica| {
        let roster = replica.world.resource::<Roster>();
        replica
            .world
            .get::<Plan>(roster.who[0])
            .unwrap()
            .acts
            .clone()
    };
    order(&mut b, &["jason: draw and fight"]);
    assert_eq!(asked(&b), ["orc"]);
    assert!(log(&b).is_empty(), "nothing is told while they declare");
    order(&mut b, &["orc: fight"]);
    for replica in [&mut own, &mut other, &mut all] {
        replica.catch_up(b.events());
    }
    let plan = vec![(Kind::Draw, 20), (Kind::Melee, 80)];
    assert_eq!(jason(&own), plan);
    assert_eq!(jason(&other), vec![], "the orc's side may not know yet");
    assert_eq!(jason(&all), plan);
    order(&mut b, &["jason: parry with 0", "orc: parry with 0"]);
    other.catch_up(b.events());
    assert_eq!(jason(&other), plan, "now it is told to all");
}
