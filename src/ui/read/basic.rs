//! What can be said of any ruleset: a battle without a reader of its own can
//! be played.

use super::{Bar, Clock, Condition, Reader, Status};
use crate::{
    battle::{Id, State, View, capitalised},
    content::Weapon,
    ui::art::icons::Icon,
};
use bevy::ecs::system::In;

/// A reader for nothing in particular: others are `..BASIC`.
pub const BASIC: Reader = Reader {
    rules: "",
    acts: &[],
    walks: &[],
    end_turn: None,
    done: None,
    clock: |_| Clock::default(),
    status: |world, who| super::run(world, status, who),
    figures: |world, who| super::run(world, figures, who),
    reach: |_, _| vec![],
    way: |_, _, _, _| None,
    blow: |_, _| None,
    odds: |_, _| vec![],
    area: |_, _| vec![],
    draws: |_, _| vec![],
    threat: |_, _| None,
    reaction: |_, _| vec![],
};

fn status(In(who): In<Id>, view: View) -> Status {
    let body = view.body(who);
    let prone = body.prone && body.is_up();
    Status {
        done: !body.is_up(),
        conditions: Vec::from_iter(prone.then(|| Condition::bad(Icon::Prone, "Prone"))),
        bars: vec![Bar {
            word: "HP",
            now: body.hp,
            most: body.max_hp,
        }],
        ..Status::default()
    }
}

fn figures(In(who): In<Id>, view: View) -> Vec<String> {
    let body = view.body(who);
    let mut lines = vec![format!("HP {} of {}", body.hp.max(0), body.max_hp)];
    if body.state == State::Up {
        let held = view.gear(who).ready().map(|item| view.weapon(item));
        let armed = held.filter(|w| w.make == crate::content::Make::Forged);
        lines.extend(armed.map(|w: &Weapon| capitalised(&w.name)));
    }
    lines
}
