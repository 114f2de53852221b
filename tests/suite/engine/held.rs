//! A held action, triggered as an Instant, which itself draws an attack: SK-26.

use super::kit::{
    Toy, Volley, acted, asked, assert_idle, assert_log, assert_never, attack, battle, field, noted,
    offer, order, pass, toy,
};
use bevy::ecs::system::{In, ResMut};
use fivefoot::{
    battle::{
        Action, Answer, Choice, Decision, EventKind, Id, Offer, Ruleset, StepOutcome, Window,
        WindowState,
    },
    grid::Cell,
    system_step,
};

/// Alice holds. Goblin 1 strikes at Bob, and she may act before it.
static HOLDS: Ruleset = toy("Holds", || Box::new(Begin));

static HOLD: Action = verb("hold", "hold an action", "holds her action");
static NOW: Action = verb("act now", "act now", "acts now");
static STRIKE: Action = verb("strike", "strike {at}", "strikes at {at}");
static STEP: Action = verb("step", "step to {to}", "steps to {to}");
static OPENING: Action = verb(
    "opening",
    "take the opening on {at}",
    "takes the opening on {at}",
);

const fn verb(name: &'static str, order_text: &'static str, log_text: &'static str) -> Action {
    Action {
        name,
        order_text,
        log_text,
        rule: "SK-26",
    }
}

#[derive(Clone, Debug)]
struct Begin;
system_step!(Begin, begin);

fn begin(In(_): In<Begin>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    let alice = toy.view.names().find("alice").unwrap();
    if let Some(choice) = answer.0.take() {
        return StepOutcome::default()
            .and("SK-26", acted(&choice))
            .and("SK-26", noted(alice, "held", 1))
            .then(Enemy);
    }
    let offers = vec![Offer::legal(Choice::new(&HOLD, alice))];
    StepOutcome::ask(toy.ask(alice, "Your turn", offers), Begin)
}

/// Goblin 1 declares its blow; those who hold may come before it.
#[derive(Clone, Debug)]
struct Enemy;
system_step!(Enemy, enemy);

fn enemy(In(_): In<Enemy>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    let goblin = toy.view.names().find("goblin 1").unwrap();
    if let Some(choice) = answer.0.take() {
        return StepOutcome::default()
            .and("SK-10", acted(&choice))
            .then(Declared(Window::open(choice.clone())))
            .then(Carry(choice));
    }
    let targets = toy.foes_beside(goblin);
    let offers = targets.iter().map(|&at| offer(&STRIKE, goblin, at));
    StepOutcome::ask(toy.ask(goblin, "Your turn", offers.collect()), Enemy)
}

#[derive(Clone, Debug)]
struct Declared(Window<Choice>);
system_step!(Declared, declared);

fn declared(
    In(Declared(window)): In<Declared>,
    toy: Toy,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let moment = window.moment.clone();
    let actor = moment.who.unwrap();
    let holders = |_: &Choice| toy.view.foes(toy.side(actor)).collect();
    let ask = |_: &Choice, id: Id| -> Option<Decision> {
        let offers = vec![Offer::legal(Choice::new(&NOW, id)), pass(id)];
        (toy.is_up(id) && toy.note(id, "held") == 1)
            .then(|| toy.ask(id, "a blow is declared", offers))
    };
    match window.run(&mut answer, holders, ask) {
        WindowState::Asks(question, window) => StepOutcome::ask(question, Declared(window)),
        WindowState::Closed => StepOutcome::default(),
        WindowState::React(choices) => {
            let mut outcome = StepOutcome::default();
            for choice in choices {
                let who = choice.who.unwrap();
                outcome.emit("SK-26", acted(&choice));
                outcome.emit("SK-26", noted(who, "held", 0));
                outcome.push(Held { who, left: 2 });
            }
            outcome.then(Declared(Window::open(moment)))
        }
    }
}

/// The rest of a turn, out of turn: a step and a blow.
#[derive(Clone, Debug)]
struct Held {
    who: Id,
    left: u8,
}
system_step!(Held, held);

fn held(In(Held { who, left }): In<Held>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.0.take() {
        let outcome = StepOutcome::default().and("SK-26", acted(&choice));
        let outcome = match choice.to {
            Some(to) => outcome.then(Leave { who, to }),
            None => outcome.then(Volley::plain(vec![attack(
                who,
                choice.at.unwrap(),
                "SK-26",
            )])),
        };
        return outcome.then(Held {
            who,
            left: left - 1,
        });
    }
    if left == 0 || !toy.is_up(who) {
        return StepOutcome::default();
    }
    let free = |cell: &Cell| toy.view.board.contains(*cell) && toy.view.on(*cell).is_none();
    let steps = toy.cell(who).neighbours().filter(free);
    let steps = steps.map(|to| Offer::legal(Choice::new(&STEP, who).to(to)));
    let foes = toy.foes_beside(who);
    let blows = foes.iter().map(|&at| offer(&STRIKE, who, at));
    let offers: Vec<Offer> = steps.chain(blows).collect();
    StepOutcome::ask(toy.ask(who, "Your held action", offers), Held { who, left })
}

/// A step out of reach draws attacks before it is made.
#[derive(Clone, Debug)]
struct Leave {
    who: Id,
    to: Cell,
}
system_step!(Leave, leave);

fn leave(In(Leave { who, to }): In<Leave>, toy: Toy) -> StepOutcome {
    let stays = |foe: &Id| {
        let at = toy.cell(*foe);
        (at.x - to.x).abs().max((at.y - to.y).abs()) <= 1
    };
    let mut left = toy.foes_beside(who);
    left.retain(|foe| !stays(foe));
    StepOutcome::default()
        .then(Provoked(Window::open((who, left))))
        .then(Walk { who, to })
}

#[derive(Clone, Debug)]
struct Provoked(Window<(Id, Vec<Id>)>);
system_step!(Provoked, provoked);

fn provoked(
    In(Provoked(window)): In<Provoked>,
    toy: Toy,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let mover = window.moment.0;
    let ask = |_: &(Id, Vec<Id>), id: Id| {
        let offers = vec![offer(&OPENING, id, mover), pass(id)];
        Some(toy.ask(id, "an opening", offers))
    };
    match window.run(&mut answer, |m| m.1.clone(), ask) {
        WindowState::Asks(question, window) => StepOutcome::ask(question, Provoked(window)),
        WindowState::Closed => StepOutcome::default(),
        WindowState::React(choices) => {
            let mut outcome = StepOutcome::default();
            choices.iter().for_each(|c| outcome.emit("SK-06", acted(c)));
            let blows = choices
                .iter()
                .map(|c| attack(c.who.unwrap(), mover, "SK-06"));
            outcome.then(Volley::plain(blows.collect()))
        }
    }
}

#[derive(Clone, Debug)]
struct Walk {
    who: Id,
    to: Cell,
}
system_step!(Walk, walk);

fn walk(In(Walk { who, to }): In<Walk>, toy: Toy) -> StepOutcome {
    let (from, feet) = (toy.cell(who), 5);
    let moved = EventKind::Moved {
        who,
        from,
        to,
        feet,
    };
    if toy.is_up(who) {
        StepOutcome::default().and("GR-31", moved)
    } else {
        StepOutcome::default()
    }
}

/// The blow that was declared, if its striker still can.
#[derive(Clone, Debug)]
struct Carry(Choice);
system_step!(Carry, carry);

fn carry(In(Carry(choice)): In<Carry>, toy: Toy) -> StepOutcome {
    let (who, at) = (choice.who.unwrap(), choice.at.unwrap());
    if toy.is_up(who) && toy.view.within(who, at, 5) {
        return StepOutcome::default().then(Volley::plain(vec![attack(who, at, "SK-10")]));
    }
    let why = "it can no longer strike".into();
    StepOutcome::default().and("SK-10", EventKind::Stopped { who, why })
}

fn people(alice: i32) -> [(&'static str, &'static str, (i16, i16), i32); 4] {
    [
        ("alice", "party", (4, 1), alice),
        ("bob", "party", (1, 0), 5),
        ("goblin 1", "goblins", (2, 0), 4),
        ("goblin 2", "goblins", (5, 1), 4),
    ]
}

#[test]
fn a_held_action_comes_first_and_may_itself_be_interrupted_sk_26() {
    let level = field(&["......", "......"], &people(5));
    // Goblin 2 hits her for 3 as she goes; she drops goblin 1.
    let dice = [(20, 12), (6, 3), (20, 14), (6, 5)];
    let mut b = battle(&HOLDS, &level, &dice);
    order(&mut b, &["alice: hold an action", "goblin 1: strike bob"]);
    assert_eq!(asked(&b), ["alice"]);
    order(&mut b, &["alice: act now", "alice: step to 3,1"]);
    // An answer to a step of an answer to a declared act.
    assert_eq!(asked(&b), ["goblin 2"]);
    order(
        &mut b,
        &[
            "goblin 2: take the opening on alice",
            "alice: strike goblin 1",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Goblin 1 strikes at bob",
            "Alice acts now",
            "Alice steps to 3,1",
            "Goblin 2 takes the opening",
            "Alice takes 3 damage",
            "Alice moves to 3,1",
            "Alice strikes at goblin 1",
            "Goblin 1 falls",
            "Goblin 1 stops: it can no longer strike",
        ],
    );
    assert_never(&b, "Bob takes");
}

#[test]
fn a_held_action_that_is_cut_short_leaves_the_other_act_to_go_on_sk_26() {
    let level = field(&["......", "......"], &people(3));
    let dice = [(20, 12), (6, 3), (20, 14), (6, 2)];
    let mut b = battle(&HOLDS, &level, &dice);
    order(
        &mut b,
        &[
            "alice: hold an action",
            "goblin 1: strike bob",
            "alice: act now",
            "alice: step to 3,1",
            "goblin 2: take the opening on alice",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &["Alice falls", "Goblin 1 against bob", "Bob takes 2 damage"],
    );
    assert_never(&b, "Alice moves");
}

#[test]
fn a_held_action_need_not_be_used_sk_26() {
    let level = field(&["......", "......"], &people(5));
    let mut b = battle(&HOLDS, &level, &[(20, 14), (6, 2)]);
    order(
        &mut b,
        &[
            "alice: hold an action",
            "goblin 1: strike bob",
            "alice: pass",
        ],
    );
    assert_idle(&b);
    assert_log(&b, &["Goblin 1 strikes at bob", "Bob takes 2 damage"]);
}
