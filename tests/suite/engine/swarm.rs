//! Four who strike as one: SK-13.

use super::kit::{
    Toy, Volley, acted, assert_idle, assert_log, attack, battle, field, legal, noted, offer, order,
    toy,
};
use bevy::ecs::system::{In, ResMut};
use fivefoot::{
    battle::{
        Action, Answer, Choice, Decision, EventKind, Id, Modifier, Offer, Offers, Ruleset, Side,
        StepOutcome,
    },
    system_step,
};

/// Two turns of the party, in which it may do nothing but swarm.
static SWARMS: Ruleset = toy("Swarms", || Box::new(Begin));

static JOIN: Action = Action {
    name: "swarm",
    order_text: "swarm {at}",
    log_text: "joins the swarm on {at}",
    rule: "SK-13",
};
static LEAD: Action = Action {
    name: "swarm attack",
    order_text: "strike {at} for the swarm",
    log_text: "strikes {at} for the swarm",
    rule: "SK-13",
};
static END: Action = Action {
    name: "end turn",
    order_text: "end turn",
    log_text: "ends the turn",
    rule: "SK-02",
};

#[derive(Clone, Debug)]
struct Begin;
system_step!(Begin, begin);

fn begin(In(_): In<Begin>, _: Toy) -> StepOutcome {
    StepOutcome::default()
        .then(Turn)
        .then(Lapse)
        .then(Turn)
        .then(Lapse)
}

#[derive(Clone, Debug)]
struct Turn;
system_step!(Turn, turn);

fn turn(In(_): In<Turn>, toy: Toy, mut answer: ResMut<Answer>) -> StepOutcome {
    let Some(choice) = answer.0.take() else {
        let actors: Vec<Id> = toy.view.standing(Side(0)).collect();
        let offers = actors.iter().flat_map(|&id| offers(&toy, id)).collect();
        let question = Decision {
            side: Side(0),
            prompt: "Your turn".into(),
            rule: "SK-02",
            actors,
            common: vec![Choice::of_side(&END, Side(0))],
            offers: Offers::Listed(offers),
            reaction: false,
        };
        return StepOutcome::ask(question, Turn);
    };
    let Some((who, at)) = choice.who.zip(choice.at) else {
        return StepOutcome::default();
    };
    let mut outcome = StepOutcome::default().and("SK-13", acted(&choice));
    if choice.verb == &JOIN {
        outcome.emit("SK-13", noted(who, "main spent", 1));
        outcome.emit("SK-13", noted(who, "swarms", i32::from(at.0) + 1));
        return outcome.then(Turn);
    }
    let others = swarm(&toy, at).len() as i16 - 1;
    for member in swarm(&toy, at) {
        outcome.emit("SK-13", noted(member, "swarms", 0));
    }
    outcome.emit("SK-13", noted(who, "more damage", others.min(3).into()));
    let mut blow = attack(who, at, "SK-13");
    blow.extra = vec![Modifier::new((2 * others).min(6), "swarm", "SK-13")];
    outcome.then(Volley::plain(vec![blow])).then(Turn)
}

/// Who has taken the action against somebody this turn.
fn swarm(toy: &Toy, at: Id) -> Vec<Id> {
    let on_it = |id: &Id| toy.note(*id, "swarms") == i32::from(at.0) + 1;
    toy.view.standing(Side(0)).filter(on_it).collect()
}

fn offers(toy: &Toy, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    for at in toy.view.foes(Side(0)) {
        if toy.note(who, "main spent") == 0 && swarm(toy, at).len() < 4 {
            out.push(offer(&JOIN, who, at));
        }
        if swarm(toy, at).contains(&who) {
            out.push(offer(&LEAD, who, at));
        }
    }
    out
}

/// What was not used by the end of the turn is lost; a new turn gives a Main.
#[derive(Clone, Debug)]
struct Lapse;
system_step!(Lapse, lapse);

fn lapse(In(_): In<Lapse>, toy: Toy) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in toy.view.standing(Side(0)) {
        if toy.note(who, "swarms") != 0 {
            let why = "the swarm comes to nothing".into();
            outcome.emit("SK-13", EventKind::Stopped { who, why });
            outcome.emit("SK-13", noted(who, "swarms", 0));
        }
        outcome.emit("SK-04", noted(who, "main spent", 0));
    }
    outcome
}

const PEOPLE: [(&str, &str, (i16, i16), i32); 6] = [
    ("alice", "party", (0, 0), 5),
    ("bob", "party", (1, 0), 5),
    ("carol", "party", (2, 0), 5),
    ("dora", "party", (0, 2), 5),
    ("edith", "party", (1, 2), 5),
    ("ogre", "goblins", (1, 1), 30),
];

#[test]
fn four_give_their_main_and_one_strikes_with_the_bonus_sk_13() {
    let level = field(&["...", "...", "..."], &PEOPLE);
    // 4 + 6 hits; 5 + 3 is no more than the weapon's 6.
    let mut b = battle(&SWARMS, &level, &[(20, 4), (6, 5)]);
    order(
        &mut b,
        &[
            "alice: swarm ogre",
            "bob: swarm ogre",
            "carol: swarm ogre",
            "dora: swarm ogre",
        ],
    );
    // There is no fifth.
    let now = legal(&mut b);
    assert!(!now.contains(&"edith: swarm ogre".to_owned()), "{now:?}");
    assert!(!now.contains(&"edith: strike ogre for the swarm".to_owned()));
    order(&mut b, &["carol: strike ogre for the swarm"]);
    // Exactly one: the others' Mains are gone for it.
    let now = legal(&mut b);
    let strikes = now.iter().filter(|o| o.contains("for the swarm"));
    assert_eq!(strikes.count(), 0, "{now:?}");
    order(&mut b, &["end turn", "end turn"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Carol against ogre, short sword: d20 4 + 6 swarm = 10",
            "hits",
            "Ogre takes 6 damage",
        ],
    );
}

#[test]
fn what_the_swarm_does_not_use_lapses_sk_13() {
    let level = field(&["...", "...", "..."], &PEOPLE);
    let mut b = battle(&SWARMS, &level, &[(20, 9), (6, 1)]);
    order(
        &mut b,
        &["alice: swarm ogre", "bob: swarm ogre", "end turn"],
    );
    let now = legal(&mut b);
    assert!(
        !now.contains(&"alice: strike ogre for the swarm".to_owned()),
        "{now:?}"
    );
    // In the next turn it begins anew: two of them, +2 and +1.
    order(
        &mut b,
        &[
            "bob: swarm ogre",
            "carol: swarm ogre",
            "bob: strike ogre for the swarm",
            "end turn",
        ],
    );
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Alice stops: the swarm comes to nothing",
            "d20 9 + 2 swarm = 11",
            "Ogre takes 2 damage",
        ],
    );
}
