//! The screen shows nothing about units that the player's side does not know of.

use fivefoot::{
    battle::{Choice, Id, PASS},
    levels::check_file,
    rulesets,
    ui::Session,
};
use std::sync::Arc;

/// No unit has seen the lurker; it can be heard within 30 ft.
const CELLAR: &str = r#"(
    title: "The cellar",
    map: [
        "....................",
        "....................",
        "....................",
    ],
    sides: [(id: "party"), (id: "dwellers", colour: Olive)],
    combatants: [
        (kind: "mara", side: "party", at: (0, 1), with: (skirmish: (hp: 40))),
        (kind: "lurker", side: "dwellers", at: (19, 1)),
        (kind: "giant_rat", side: "dwellers", at: (19, 2), with: (morale: Fearless)),
    ],
)"#;
const MARA: Id = Id(0);
const LURKER: Id = Id(1);

fn session(seed: u64) -> Session {
    let (level, _) = check_file("test.ron", CELLAR).unwrap_or_else(|p| panic!("{}", p[0]));
    Session::new(&Arc::new(level), rulesets::ALL[0], seed)
}

/// Passes all decisions and shows the events one by one, or skips them.
fn wait(session: &mut Session, watched: bool) {
    if watched {
        while session.next_event().is_some() {}
    } else {
        session.catch_up();
    }
    if session.awaits_ai() {
        session.think();
    } else if session.awaits_end_of_turn() || session.is_players_turn() {
        session.end_turn();
    } else if session.is_prompted() {
        let pass = Choice::new(&PASS, MARA);
        session.give(&[pass]).expect("one may always pass");
    }
}

fn is_named(session: &Session) -> bool {
    let names = session.game.names();
    let lines = session.known_events().filter_map(|e| e.describe(names));
    lines
        .into_iter()
        .any(|l| l.text.to_lowercase().contains("lurker"))
}

fn feet_away(session: &Session) -> u16 {
    let (a, b) = (session.shown().unit(MARA), session.shown().unit(LURKER));
    fivefoot::grid::cells_apart(a.space(), b.space()) * 5
}

fn comes_unseen(watched: bool) {
    let mut session = session(3);
    let mut silent = 0;
    while silent < 400 {
        wait(&mut session, watched);
        if feet_away(&session) <= 30 {
            break;
        }
        assert!(!session.shown().unit(LURKER).is_there());
        assert!(!is_named(&session), "from {} ft", feet_away(&session));
        silent += 1;
    }
    assert!((3..400).contains(&silent), "{silent}");
    // Now the lurker has been heard and is shown.
    assert!(session.shown().unit(LURKER).is_there());
    assert!(is_named(&session));
}

#[test]
fn an_unheard_unit_is_not_shown() {
    comes_unseen(true);
}

#[test]
fn skipped_events_show_no_unknown_units() {
    comes_unseen(false);
}
