//! Instants in answer to a roll: SK-05 and SK-12.

use super::kit::{
    Toy, Volley, acted, asked, assert_idle, assert_log, assert_never, attack, battle, field, log,
    noted, offer, order, pass, toy,
};
use bevy::ecs::system::{In, ResMut};
use fivefoot::{
    battle::{Action, Answer, Decision, Id, Offer, Ruleset, StepOutcome, Why, Window, WindowState},
    system_step,
};

/// The goblin strikes Alice; whoever has a Main left may snap at it.
static SNAPS: Ruleset = toy("Snaps", || Box::new(Strike));

static SNAP: Action = Action {
    name: "snap",
    order_text: "snap at {at}",
    log_text: "snaps at {at}",
    rule: "SK-12",
};

#[derive(Clone, Debug)]
struct Strike;
system_step!(Strike, strike);

fn strike(In(_): In<Strike>, toy: Toy) -> StepOutcome {
    let names = toy.view.names();
    let (goblin, alice) = (names.find("goblin"), names.find("alice"));
    let blow = attack(goblin.unwrap(), alice.unwrap(), "SK-10");
    StepOutcome::default().then(Volley {
        attacks: vec![blow],
        window: Some(|serials| Box::new(Rolled(Window::open(serials)))),
    })
}

#[derive(Clone, Debug)]
struct Rolled(Window<Vec<u32>>);
system_step!(Rolled, rolled);

fn rolled(In(Rolled(window)): In<Rolled>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    let serials = window.moment.clone();
    let attacker = toy.flights.get(serials[0]).unwrap().attack.by;
    let who = |_: &Vec<u32>| toy.view.foes(toy.side(attacker)).collect();
    let choices = match window.run(&mut answer, who, |_, id| question(&toy, id, attacker)) {
        WindowState::Asks(question, window) => return StepOutcome::ask(question, Rolled(window)),
        WindowState::Closed => return StepOutcome::default(),
        WindowState::React(choices) => choices,
    };
    let mut outcome = StepOutcome::default();
    let mut snaps = vec![];
    for choice in choices {
        let (who, at) = (choice.who.unwrap(), choice.at.unwrap());
        outcome.emit("SK-12", acted(&choice));
        outcome.emit("SK-12", noted(who, "main spent", 1));
        snaps.push(attack(who, at, "SK-12"));
    }
    outcome
        .then(Volley::plain(snaps))
        .then(Rolled(Window::open(serials)))
}

fn question(toy: &Toy, id: Id, attacker: Id) -> Option<Decision> {
    if !toy.is_up(id) || !toy.is_up(attacker) {
        return None;
    }
    let snap = match toy.note(id, "main spent") {
        0 => offer(&SNAP, id, attacker),
        _ => Offer::not(
            fivefoot::battle::Choice::new(&SNAP, id).at(attacker),
            Why::new("SK-12", "the Main is spent"),
        ),
    };
    let is_legal = snap.is_legal();
    is_legal.then(|| toy.ask(id, "a blow has been rolled", vec![snap, pass(id)]))
}

const PEOPLE: [(&str, &str, (i16, i16), i32); 3] = [
    ("alice", "party", (0, 0), 5),
    ("bob", "party", (0, 1), 5),
    ("goblin", "goblins", (1, 0), 4),
];

#[test]
fn a_snap_attack_between_hit_and_damage_prevents_the_damage_sk_12() {
    let level = field(&["...", "..."], &PEOPLE);
    let mut b = battle(&SNAPS, &level, &[(20, 15), (20, 12), (6, 6)]);
    order(&mut b, &["alice: snap at goblin", "bob: pass"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "SK-10 Goblin against alice",
            "SK-12 Alice snaps at goblin",
            "SK-12 Goblin takes 6 damage",
            "Goblin falls",
            "SK-10 against AC 10: misses (dropped first)",
        ],
    );
    assert_never(&b, "Alice takes");
}

#[test]
fn a_snap_attack_that_does_not_drop_it_prevents_nothing_sk_12() {
    let level = field(&["...", "..."], &PEOPLE);
    // The snap hits for 3, the goblin has 4; then its own damage is rolled.
    let dice = [(20, 15), (20, 12), (6, 3), (6, 2)];
    let mut b = battle(&SNAPS, &level, &dice);
    order(&mut b, &["alice: snap at goblin", "bob: pass"]);
    // The window opened again, but Alice's Main is spent and Bob is asked anew.
    assert_eq!(asked(&b), ["bob"]);
    order(&mut b, &["bob: pass"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Goblin takes 3",
            "SK-10 against AC 10: hits",
            "Alice takes 2",
        ],
    );
}

#[test]
fn instants_to_one_moment_see_the_same_state_sk_05() {
    let level = field(&["...", "..."], &PEOPLE);
    // Alice's snap alone would do. Bob's is rolled and lands all the same.
    let dice = [(20, 15), (20, 12), (20, 13), (6, 6), (6, 5)];
    let mut b = battle(&SNAPS, &level, &dice);
    let before = log(&b);
    order(&mut b, &["alice: snap at goblin"]);
    // Nothing of what Alice chose is told before Bob has chosen.
    assert_eq!((log(&b), asked(&b)), (before, vec!["bob".to_owned()]));
    order(&mut b, &["bob: snap at goblin"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Alice against goblin",
            "Bob against goblin",
            "takes 6",
            "takes 5",
            "Goblin falls",
        ],
    );
}
