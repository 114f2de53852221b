//! Groups that act one after the other: delay, free attacks, immediate
//! attacks: PH-16, PH-40, PH-41.

use super::kit::{
    Toy, Volley, acted, asked, assert_idle, assert_log, assert_never, attack, battle, field, legal,
    noted, order, pass, toy,
};
use bevy::ecs::system::{In, ResMut};
use fivefoot::{
    battle::{
        Action, Answer, Attack, Choice, EventKind, Id, Offer, Poll, Ruleset, Side, StepOutcome, Why,
    },
    system_step,
};

static STRIKE: Action = verb("strike", "strike {at}", "strikes at {at}", "PH-10");
static DELAY: Action = verb("delay", "delay", "delays", "PH-16");
static GO: Action = verb("go", "act in turn", "acts in turn", "PH-16");
static FREE: Action = verb(
    "free attack",
    "free attack on {at}",
    "strikes freely at {at}",
    "PH-40",
);
static IMMEDIATE: Action = verb(
    "immediate attack",
    "immediate attack on {at}",
    "strikes at once at {at}",
    "PH-41",
);

const fn verb(
    name: &'static str,
    order_text: &'static str,
    log_text: &'static str,
    rule: &'static str,
) -> Action {
    Action {
        name,
        order_text,
        log_text,
        rule,
    }
}

/// The party is HIGH, the goblins LOW. First everybody declares: to delay, or not.
static DELAYS: Ruleset = toy("Delays", || Box::new(Declare(Poll::default())));

#[derive(Clone, Debug)]
struct Declare(Poll);
system_step!(Declare, declare);

fn declare(
    In(Declare(mut poll)): In<Declare>,
    toy: Toy,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    if poll.left.is_empty() && poll.said.is_empty() {
        poll = Poll::of(toy.everybody());
    }
    let ask = |id: Id| {
        let offers = [&GO, &DELAY].map(|verb| Offer::legal(Choice::new(verb, id)));
        Some(toy.ask(id, "Declare", offers.to_vec()))
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, Declare(poll));
    }
    let mut outcome = StepOutcome::default();
    for choice in poll.said.iter().filter(|c| c.verb == &DELAY) {
        outcome.emit("PH-16", noted(choice.who.unwrap(), "waits", 1));
    }
    outcome.then(High(vec![])).then(Low(Poll::default()))
}

/// HIGH's turn: each acts, or announces that it delays. `acted` have done so.
#[derive(Clone, Debug)]
struct High(Vec<Id>);
system_step!(High, high);

fn high(In(High(mut been)): In<High>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.0.take() {
        let who = choice.who.unwrap();
        been.push(who);
        let outcome = StepOutcome::default().and(choice.verb.rule, acted(&choice));
        let outcome = match choice.at {
            Some(at) => outcome
                .and("PH-10", noted(who, "major spent", 1))
                .then(Volley::plain(vec![attack(who, at, "PH-10")])),
            // Nothing more until LOW, and delayed for the rest of the round.
            None if choice.verb == &DELAY => outcome.and("PH-16", noted(who, "delayed", 1)),
            None => outcome,
        };
        return outcome.then(High(been));
    }
    let ready = |id: &Id| !been.contains(id) && toy.note(*id, "waits") == 0;
    let Some(who) = toy.view.standing(Side(0)).find(ready) else {
        return StepOutcome::default();
    };
    StepOutcome::ask(toy.ask(who, "HIGH", turn(&toy, who)), High(been))
}

fn turn(toy: &Toy, who: Id) -> Vec<Offer> {
    let spent = toy.note(who, "major spent") == 1;
    let legal = |rule, text: &'static str| {
        if spent {
            Err(Why::new(rule, text))
        } else {
            Ok(())
        }
    };
    let foes = toy.foes_beside(who);
    let mut offers: Vec<Offer> = foes
        .iter()
        .map(|&at| {
            let choice = Choice::new(&STRIKE, who).at(at);
            Offer::from(choice, legal("PH-10", "the major action is gone"))
        })
        .collect();
    offers.push(Offer::legal(Choice::new(&DELAY, who)));
    offers.push(pass(who));
    offers
}

/// LOW's turn: the group's own, those who declared a delay, those who are
/// delayed. They strike at once, but the delayed lose the tie.
#[derive(Clone, Debug)]
struct Low(Poll);
system_step!(Low, low);

fn low(In(Low(mut poll)): In<Low>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    if poll.left.is_empty() && poll.said.is_empty() {
        let here = |id: &Id| {
            toy.side(*id) == Side(1) || toy.note(*id, "waits") + toy.note(*id, "delayed") > 0
        };
        poll = Poll::of(toy.everybody().into_iter().filter(here));
    }
    if let Some(question) = poll.next(&mut answer, |id| Some(toy.ask(id, "LOW", turn(&toy, id)))) {
        return StepOutcome::ask(question, Low(poll));
    }
    let mut outcome = StepOutcome::default();
    let (mut first, mut last) = (vec![], vec![]);
    for choice in &poll.said {
        let who = choice.who.unwrap();
        outcome.emit(choice.verb.rule, acted(choice));
        if choice.verb == &DELAY {
            // Announced in LOW, it costs the major action.
            outcome.emit("PH-16", noted(who, "major spent", 1));
        }
        let blow = choice.at.map(|at| attack(who, at, "PH-10"));
        if toy.note(who, "delayed") == 1 {
            last.extend(blow);
        } else {
            first.extend(blow);
        }
    }
    outcome.then(Volley::plain(first)).then(Volley::plain(last))
}

const FOUR: [(&str, &str, (i16, i16), i32); 3] = [
    ("alice", "party", (0, 0), 3),
    ("bob", "party", (0, 1), 3),
    ("goblin", "goblins", (1, 0), 5),
];

#[test]
fn a_declared_delay_acts_in_low_and_is_not_delayed_ph_16() {
    let level = field(&["...", "..."], &FOUR);
    let dice = [(20, 12), (20, 12), (6, 5), (6, 3)];
    let mut b = battle(&DELAYS, &level, &dice);
    order(
        &mut b,
        &["alice: delay", "bob: act in turn", "goblin: act in turn"],
    );
    // She is not asked in HIGH.
    assert_eq!(
        (asked(&b), b.asked().unwrap().prompt.as_str()),
        (vec!["bob".into()], "HIGH")
    );
    order(&mut b, &["bob: pass"]);
    assert_eq!(
        (asked(&b), b.asked().unwrap().prompt.as_str()),
        (vec!["alice".into()], "LOW")
    );
    order(&mut b, &["alice: strike goblin", "goblin: strike alice"]);
    assert_idle(&b);
    // She ties with the goblin, and both fall.
    assert_log(
        &b,
        &[
            "Goblin takes 5",
            "Alice takes 3",
            "Alice falls",
            "Goblin falls",
        ],
    );
    assert_never(&b, "alice: delayed");
}

#[test]
fn a_delay_announced_in_high_loses_the_tie_in_low_ph_16() {
    let level = field(&["...", "..."], &FOUR);
    let dice = [(20, 12), (6, 3)];
    let mut b = battle(&DELAYS, &level, &dice);
    order(
        &mut b,
        &[
            "alice: act in turn",
            "bob: act in turn",
            "goblin: act in turn",
        ],
    );
    order(&mut b, &["alice: delay", "bob: pass"]);
    // All that she had to do in HIGH is gone; in LOW she may act.
    assert_eq!(
        (asked(&b), b.asked().unwrap().prompt.as_str()),
        (vec!["alice".into()], "LOW")
    );
    order(&mut b, &["alice: strike goblin", "goblin: strike alice"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "alice: delayed 1",
            "Goblin against alice",
            "Alice falls",
            "Alice stops: too late",
        ],
    );
    assert_never(&b, "Goblin takes");
}

#[test]
fn a_delay_announced_in_low_costs_the_major_action_ph_16() {
    let level = field(&["...", "..."], &FOUR);
    let mut b = battle(&DELAYS, &level, &[]);
    order(
        &mut b,
        &[
            "alice: act in turn",
            "bob: act in turn",
            "goblin: act in turn",
        ],
    );
    order(&mut b, &["alice: pass", "bob: pass"]);
    assert_eq!(asked(&b), ["goblin"]);
    order(&mut b, &["goblin: delay"]);
    assert_idle(&b);
    assert_log(&b, &["Goblin delays", "goblin: major spent 1"]);
}

/// Three segments in which somebody flees or casts beside the goblins: first
/// Alice and Bob, then Bob again and Carol, then all three.
static OPENINGS: Ruleset = toy("Openings", || Box::new(Segments));

#[derive(Clone, Debug)]
struct Segments;
system_step!(Segments, segments);

fn segments(In(_): In<Segments>, toy: Toy) -> StepOutcome {
    let find = |name: &str| toy.view.names().find(name).unwrap();
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(find);
    let mage = toy.view.names().find("mage");
    let mut outcome = StepOutcome::default();
    outcome
        .next
        .extend(mage.map(|who| Box::new(Cast { who }) as Box<dyn fivefoot::battle::Step>));
    outcome
        .then(Segment::of(vec![alice, bob]))
        .then(Segment::of(vec![bob, carol]))
        .then(Segment::of(vec![alice, bob, carol]))
        .then(Spells)
}

/// The mage declares a spell; it is spoken until the spells resolve.
#[derive(Clone, Debug)]
struct Cast {
    who: Id,
}
system_step!(Cast, cast);

fn cast(In(Cast { who }): In<Cast>, _: Toy) -> StepOutcome {
    StepOutcome::default().and("PH-22", noted(who, "casts", 1))
}

/// One segment: these give their foes an opening, all at once.
#[derive(Clone, Debug)]
struct Segment {
    movers: Vec<Id>,
    poll: Option<Poll>,
}
system_step!(Segment, segment);

impl Segment {
    fn of(movers: Vec<Id>) -> Self {
        Self { movers, poll: None }
    }
}

fn segment(In(step): In<Segment>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    let Segment { movers, poll } = step;
    let mut poll = poll.unwrap_or_else(|| Poll::of(toy.view.foes(Side(0))));
    let question = poll.next(&mut answer, |id| {
        let offers = openings(&toy, id, &movers);
        let any = offers.iter().any(Offer::is_legal);
        any.then(|| toy.ask(id, "an opening", [offers, vec![pass(id)]].concat()))
    });
    if let Some(question) = question {
        let poll = Some(poll);
        return StepOutcome::ask(question, Segment { movers, poll });
    }
    let mut outcome = StepOutcome::default();
    let mut blows: Vec<Attack> = vec![];
    for choice in &poll.said {
        let Some((who, at)) = choice.who.zip(choice.at) else {
            continue;
        };
        outcome.emit(choice.verb.rule, acted(choice));
        if choice.verb == &FREE {
            outcome.emit("PH-40", noted(at, drawn_from(who), 1));
        } else {
            outcome.emit("PH-41", noted(who, "major spent", 1));
        }
        if toy.note(who, "casts") == 1 {
            outcome.emit("PH-41", noted(who, "casts", 0));
            let why = "the spell is lost".into();
            outcome.emit("PH-41", EventKind::Stopped { who, why });
        }
        blows.push(attack(who, at, choice.verb.rule));
    }
    outcome.then(Volley::plain(blows))
}

/// An opponent draws one free attack a round from each foe; so the note lies
/// with the opponent and names the foe.
fn drawn_from(foe: Id) -> &'static str {
    ["by 0", "by 1", "by 2", "by 3", "by 4", "by 5"][foe.index()]
}

/// One offer for each who gives an opening: a segment has one question, so one
/// attack. The mage has no routine to strike freely with, only its major action.
fn openings(toy: &Toy, id: Id, movers: &[Id]) -> Vec<Offer> {
    let beside = toy.foes_beside(id);
    let movers = movers.iter().filter(|m| beside.contains(m));
    let is_mage = toy.view.names().key(id) == "mage";
    let offer = |&at: &Id| {
        if !is_mage {
            let used = toy.note(at, drawn_from(id)) == 1;
            let why = Why::new("PH-40", "it has drawn an attack this round");
            let legal = if used { Err(why) } else { Ok(()) };
            return Offer::from(Choice::new(&FREE, id).at(at), legal);
        }
        let spent = toy.note(id, "major spent") == 1;
        let why = Why::new("PH-41", "the major action is spent");
        let legal = if spent { Err(why) } else { Ok(()) };
        Offer::from(Choice::new(&IMMEDIATE, id).at(at), legal)
    };
    movers.map(offer).collect()
}

#[derive(Clone, Debug)]
struct Spells;
system_step!(Spells, spells);

fn spells(In(_): In<Spells>, toy: Toy) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in toy
        .everybody()
        .into_iter()
        .filter(|&id| toy.note(id, "casts") == 1)
    {
        outcome.emit("PH-24", noted(who, "the spell resolves", 1));
    }
    outcome
}

fn melee(foe: &'static str) -> [(&'static str, &'static str, (i16, i16), i32); 4] {
    [
        ("alice", "party", (0, 0), 9),
        ("bob", "party", (1, 0), 9),
        ("carol", "party", (2, 0), 9),
        (foe, "goblins", (1, 1), 9),
    ]
}

#[test]
fn one_free_attack_a_segment_and_one_an_opponent_a_round_ph_40() {
    let level = field(&["...", "..."], &melee("goblin"));
    let dice = [(20, 12), (6, 1), (20, 12), (6, 2), (20, 12), (6, 3)];
    let mut b = battle(&OPENINGS, &level, &dice);
    // Two flee at once: it has to choose, and is asked once.
    assert_eq!(
        legal(&mut b),
        [
            "goblin: free attack on alice",
            "goblin: free attack on bob",
            "goblin: pass"
        ]
    );
    order(&mut b, &["goblin: free attack on bob"]);
    // Bob has drawn his for this round.
    assert_eq!(
        legal(&mut b),
        ["goblin: free attack on carol", "goblin: pass"]
    );
    let again = b
        .order("goblin: free attack on bob")
        .unwrap_err()
        .to_string();
    assert_eq!(again, "it has drawn an attack this round (PH-40)");
    order(&mut b, &["goblin: free attack on carol"]);
    assert_eq!(
        legal(&mut b),
        ["goblin: free attack on alice", "goblin: pass"]
    );
    order(&mut b, &["goblin: free attack on alice"]);
    assert_idle(&b);
    assert_log(&b, &["Bob takes 1", "Carol takes 2", "Alice takes 3"]);
    // A free attack costs nothing else.
    assert_never(&b, "goblin: major spent");
}

#[test]
fn who_has_let_an_opening_go_by_may_take_the_next_ph_40() {
    let level = field(&["...", "..."], &melee("goblin"));
    let mut b = battle(&OPENINGS, &level, &[(20, 12), (6, 1)]);
    order(
        &mut b,
        &["goblin: pass", "goblin: pass", "goblin: free attack on bob"],
    );
    assert_idle(&b);
}

#[test]
fn an_immediate_attack_gives_up_the_declared_action_ph_41() {
    let level = field(&["...", "..."], &melee("mage"));
    let mut b = battle(&OPENINGS, &level, &[(20, 12), (6, 1)]);
    order(&mut b, &["mage: immediate attack on alice"]);
    // One major action: in the later segments it is not asked at all.
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "mage: casts 1",
            "Mage stops: the spell is lost",
            "Alice takes 1",
        ],
    );
    assert_never(&b, "the spell resolves");
}

#[test]
fn who_forgoes_it_casts_the_spell_ph_41() {
    let level = field(&["...", "..."], &melee("mage"));
    let mut b = battle(&OPENINGS, &level, &[]);
    order(&mut b, &["mage: pass", "mage: pass", "mage: pass"]);
    assert_idle(&b);
    assert_log(&b, &["mage: the spell resolves 1"]);
}
