//! A ruleset that the window has no reader for: everybody declares, sealed,
//! whom to swing at and with how much of the round; then all swings come at
//! once. It is played by clicks all the same.

use super::hands::Game;
use crate::engine::kit::{Toy, Volley, attack, field, noted, toy};
use bevy::{
    ecs::system::{In, ResMut},
    prelude::KeyCode,
};
use fivefoot::{
    battle::{
        Action, Answer, Choice, Decision, Event, EventKind, Id, Offer, Offers, Poll, Ruleset, Seen,
        StepOutcome,
    },
    system_step,
    ui::{Command, preview::Click},
};

static SWING: Action = Action {
    name: "swing",
    order_text: "swing at {at} with {n}%",
    log_text: "swings at {at} with {n}%",
    rule: "AC-09",
};
static WAIT: Action = Action {
    name: "wait",
    order_text: "wait",
    log_text: "waits",
    rule: "AC-09",
};

static PLANS: Ruleset = Ruleset {
    verbs: || vec![&SWING, &WAIT],
    policy: |_, _, offers| offers[0].choice.clone().number(100),
    ..toy("Plans", || Box::new(Declare(Poll::default())))
};

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
    let ask = |who: Id| {
        let foes = toy.view.foes(toy.side(who));
        let swing = |foe| Offer::legal(Choice::new(&SWING, who).at(foe)).ranging(60, 100);
        let mut offers: Vec<Offer> = foes.map(swing).collect();
        offers.push(Offer::legal(Choice::new(&WAIT, who)));
        Some(Decision {
            side: toy.side(who),
            prompt: format!("Declare: {}", toy.view.names().title(who)),
            rule: "AC-09",
            actors: vec![who],
            common: vec![],
            offers: Offers::Listed(offers),
            reaction: false,
        })
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, Declare(poll));
    }
    let mut flow = StepOutcome::default();
    let mut attacks = vec![];
    for choice in &poll.said {
        let (Some(who), Some(share)) = (choice.who, choice.number) else {
            continue;
        };
        flow.events.push(Event {
            rule: "AC-09",
            seen: Seen::Only(toy.side(who)),
            what: noted(who, "share", share),
        });
        attacks.extend(choice.at.map(|at| attack(who, at, "AC-30")));
    }
    flow.then(Volley::plain(attacks)).then(End)
}

#[derive(Clone, Debug)]
struct End;
system_step!(End, end);

fn end(In(_): In<End>, _toy: Toy) -> StepOutcome {
    StepOutcome::default().and(
        "GR-00",
        EventKind::Over {
            won: None,
            why: String::from("one round is enough"),
        },
    )
}

#[test]
fn declarations_with_a_share_are_made_by_clicks() {
    let people = [
        ("ann", "party", (1, 1), 9),
        ("ben", "party", (1, 3), 9),
        ("gob", "goblins", (3, 1), 9),
        ("gub", "goblins", (3, 3), 9),
    ];
    let level = field(&[".....", ".....", ".....", ".....", "....."], &people);
    let mut game = Game::battle(level, Some(&PLANS), 5);
    assert!(game.says("Declare: Ann"));
    assert_eq!(game.selection().chosen, Some(Id(0)));

    // Ann: by mouse. The act, the target, the number, lower by ten.
    game.click_button(&Command::Act('s'));
    let gub = game.session().shown().person(Id(3)).at;
    game.point(game.spot(gub));
    assert!(matches!(game.preview().click, Click::Aim { .. }));
    game.click_cell(gub);
    let slider = |game: &Game| {
        let menu = game.preview().menu.as_ref().expect("a number is asked for");
        menu.slider.clone().expect("a number")
    };
    assert_eq!((slider(&game).least, slider(&game).most), (60, 100));
    game.click_button(&Command::Nudge(5));
    game.click_button(&Command::Nudge(5));
    game.click_button(&Command::Nudge(-1));
    assert_eq!(slider(&game).now, 69);
    game.click_button(&Command::Reply(0));
    game.until_asked();

    // Ben: by keys. A click on a foe means the swing without the bar as well.
    assert!(game.says("Declare: Ben"));
    assert_eq!(game.selection().chosen, Some(Id(1)));
    game.press(KeyCode::ArrowUp);
    game.press(KeyCode::KeyS);
    game.press(KeyCode::Enter);
    game.press(KeyCode::ArrowUp);
    game.press(KeyCode::ArrowRight);
    let now = slider(&game).now;
    assert_eq!(now, 60 + slider(&game).stride() + 1);
    game.press(KeyCode::Enter);
    game.until("both have swung", |game| {
        let told = game.session().told();
        told.filter(|e| matches!(e.what, EventKind::AttackRolled { .. }))
            .count()
            == 4
    });
    let names = game.session().names().clone();
    let told: Vec<String> = game
        .session()
        .told()
        .filter_map(|e| Some(e.describe(&names)?.text))
        .collect();
    assert!(told.iter().any(|l| l == "ann: share 69"), "{told:?}");
    assert!(told.iter().any(|l| *l == format!("ben: share {now}")));
    assert!(
        !told.iter().any(|l| l.starts_with("gob: share")),
        "what others declared is sealed: {told:?}"
    );
}
