//! Commands are obeyed, one after the other.

use super::{Command, Pick, warn};
use crate::{
    battle::{Choice, Id, capitalised},
    grid::Cell,
    ui::{
        Prospect, Session,
        errand::Errand,
        prospect::{Click, Open, Picks, Settled},
        replay,
        session::is_turn,
        settings::Settings,
    },
};
use bevy::prelude::*;

pub(super) fn obey(
    mut commands: MessageReader<Command>,
    mut session: ResMut<Session>,
    mut pick: ResMut<Pick>,
    prospect: Res<Prospect>,
    mut errands: MessageWriter<Errand>,
    mut settings: ResMut<Settings>,
) {
    let foreseen = pick.cursor;
    for command in commands.read() {
        // What only points must not touch the session: everything that reads
        // it would be worked out again.
        match command {
            // What the warning is about stays in sight.
            Command::Point(_) if pick.warning.is_some() || pick.kept => {}
            Command::Point(cell) => point(&mut pick, *cell),
            Command::Keep(cell) => {
                let mut next = pick.clone();
                next.kept = !pick.kept && cell.is_some();
                (next.cursor, next.by_keys) = (*cell, false);
                pick.set_if_neq(next);
            }
            // What follows was meant to let it go.
            Command::Go | Command::Via | Command::Back if pick.kept => pick.kept = false,
            Command::LookAt(who) => {
                let mut next = pick.clone();
                next.looked_at = *who;
                pick.set_if_neq(next);
            }
            Command::Back if pick.warning.is_none() => {
                if !back(&session, &mut pick) {
                    errands.write(Errand::Pause);
                }
            }
            _ if session.tape().is_some() => replay::obey(command, &mut session),
            // The board's own.
            Command::Overlay(_) => {}
            Command::NeverAgain => {
                if let Some(warning) = &mut pick.warning {
                    warning.is_last = !warning.is_last;
                }
            }
            Command::Heed(goes_on) => {
                let Some(warning) = pick.warning.take() else {
                    continue;
                };
                if *goes_on {
                    if warning.is_last {
                        settings.warn = false;
                    }
                    give(&mut session, &mut pick, &warning.orders);
                }
            }
            _ if pick.warning.is_some() => pick.warning = None,
            _ => {
                let sure = std::mem::take(&mut pick.sure);
                let warns = settings.warn;
                // A click may come together with the pointer's first move to
                // where it is: what it would do has not been worked out yet.
                let fresh = (*command == Command::Go && pick.cursor != foreseen)
                    .then(|| Prospect::of(session.bypass_change_detection(), &pick));
                let prospect = fresh.as_ref().unwrap_or(&prospect);
                act_on(command, &mut session, &mut pick, prospect, (sure, warns));
            }
        }
    }
}

fn point(pick: &mut ResMut<Pick>, cell: Option<Cell>) {
    let mut next = Pick::clone(pick);
    (next.cursor, next.by_keys) = (cell, false);
    pick.set_if_neq(next);
}

fn act_on(
    command: &Command,
    session: &mut ResMut<Session>,
    pick: &mut Pick,
    prospect: &Prospect,
    (sure, warns): (bool, bool),
) {
    match command {
        Command::Point(_)
        | Command::Keep(_)
        | Command::LookAt(_)
        | Command::Back
        | Command::Overlay(_)
        | Command::Heed(_)
        | Command::NeverAgain => {}
        Command::Step(east, south) => step(session, pick, *east, *south),
        Command::Go => go(session, pick, prospect, warns),
        Command::Choose(id) => choose(session, pick, *id),
        Command::Member(n) => {
            let own = session
                .shown()
                .members(session.player())
                .filter(|p| p.is_up());
            if let Some(id) = own.map(|p| p.id).nth(*n) {
                choose(session, pick, id);
            }
        }
        Command::Cycle { back } => cycle(session, pick, prospect, *back),
        Command::Act(key) => act(session, pick, prospect, (*key, warns)),
        Command::Via => via(session, pick, prospect),
        Command::More => pick.more = !pick.more && !prospect.acts.is_empty(),
        Command::Nudge(by) => nudge(pick, prospect, *by),
        Command::Other => other(pick, prospect),
        Command::Done => {
            if let Some(who) = pick.chosen.filter(|_| session.is_players_turn())
                && let Some(verb) = session.done_verb(who)
            {
                let done = [Choice::new(verb, who)];
                let lines = warn::against_rest(session, prospect, who);
                give_after(session, pick, &done, lines, warns);
            }
        }
        Command::EndTurn => {
            let idle: Vec<_> = session.idle_members().map(|p| p.name.clone()).collect();
            if idle.is_empty() || sure || !session.is_players_turn() {
                session.end_turn();
                pick.disarm();
            } else {
                pick.sure = true;
                pick.say(format!(
                    "{} can still act. {} again to go on.",
                    listed(&idle),
                    session.reader().end_words
                ));
            }
        }
        Command::Common(n) => {
            let common = session.question().filter(|q| is_turn(q));
            if let Some(choice) = common.and_then(|q| q.common.get(*n)).cloned() {
                give(session, pick, &[choice]);
            }
        }
        Command::Undo => {
            if session.can_undo() {
                match session.undo() {
                    // Who did it may do it again, or something else.
                    Some(who) => choose(session, pick, who),
                    None => pick.disarm(),
                }
            } else {
                pick.say("Nothing to take back: dice were rolled, or nothing was done.");
            }
        }
        Command::Skip => {
            if session.question().is_none() {
                session.hurry();
            }
        }
        Command::Reply(n) => reply(session, pick, prospect, (*n, warns)),
    }
}

/// "Mara", "Mara and Tobin", "Mara, Tobin and Brandt".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn give(session: &mut Session, pick: &mut Pick, orders: &[Choice]) {
    match session.give(orders) {
        Ok(()) => pick.disarm(),
        Err(why) => pick.say(capitalised(&why.to_string())),
    }
}

/// Gives orders, once the player was warned if something speaks against them.
fn give_after(
    session: &mut Session,
    pick: &mut Pick,
    orders: &[Choice],
    lines: Vec<String>,
    warns: bool,
) {
    if warns && !lines.is_empty() {
        pick.warn(orders, lines);
    } else {
        give(session, pick, orders);
    }
}

fn choose(session: &Session, pick: &mut Pick, id: Id) {
    let person = session.shown().person(id);
    if person.side == session.player() && person.is_up() {
        pick.choose(id);
    }
}

fn step(session: &Session, pick: &mut Pick, east: i16, south: i16) {
    let board = &session.shown().board;
    let own = pick.chosen.map(|id| session.shown().person(id).at);
    let from = pick.cursor.or(own).unwrap_or_default();
    let last = (board.width() as i16 - 1, board.height() as i16 - 1);
    let to = Cell::new(
        (from.x + east).clamp(0, last.0),
        (from.y + south).clamp(0, last.1),
    );
    (pick.cursor, pick.by_keys, pick.looked_at) = (Some(to), true, None);
    pick.kept = false;
}

fn go(session: &mut Session, pick: &mut Pick, prospect: &Prospect, warns: bool) {
    let does = |session: &mut Session, pick: &mut Pick, orders: &[Choice]| {
        let lines = warn::against_click(session, &prospect.click);
        give_after(session, pick, orders, lines, warns);
    };
    match &prospect.click {
        Click::Nothing => {}
        Click::No(why) => pick.say(why.clone()),
        Click::Choose(id) => pick.choose(*id),
        Click::Move(way) => does(session, pick, &way.orders),
        Click::Blow(blow) => does(session, pick, std::slice::from_ref(&blow.choice)),
        Click::Act { choice, .. } => does(session, pick, std::slice::from_ref(choice)),
        Click::Aim { key, settled, .. } => {
            if pick.armed != Some(*key) {
                pick.disarm();
            }
            pick.armed = Some(*key);
            pick.trail.push(settled.clone());
        }
    }
}

/// The last thing that was settled is open again. False: there was nothing.
fn back(session: &Session, pick: &mut Pick) -> bool {
    pick.notice = None;
    pick.sure = false;
    if pick.more {
        pick.more = false;
    } else if pick.trail.pop().is_some() || pick.via.pop().is_some() {
        // One step back is enough.
    } else if pick.armed.is_some() {
        pick.disarm();
    } else {
        return session.is_prompted();
    }
    true
}

/// GR-33: the path leads by the cell under the cursor, if there is a way.
fn via(session: &mut Session, pick: &mut Pick, prospect: &Prospect) {
    let Some(cell) = pick.cursor.filter(|_| session.is_players_turn()) else {
        return;
    };
    if pick.via.last() == Some(&cell) {
        pick.via.pop();
        return;
    }
    let Some(who) = pick.chosen.filter(|_| pick.armed.is_none()) else {
        return;
    };
    // The cell may be one where nobody can stop, an ally's: so it is the price
    // of the way on from there that decides, when the end is chosen.
    let own = session.shown().person(who).at;
    let is_known = cell != own && session.shown().board.contains(cell);
    let in_reach = prospect.reach.iter().any(|r| r.cell == cell);
    if is_known && (in_reach || session.shown().on(cell).is_some()) {
        pick.via.push(cell);
    } else {
        pick.say("A path can lead by cells in reach only.");
    }
}

fn nudge(pick: &mut Pick, prospect: &Prospect, by: i32) {
    let Some(slider) = prospect.menu.as_ref().and_then(|m| m.slider.as_ref()) else {
        return;
    };
    let now = (slider.now + by).clamp(slider.least, slider.most);
    let mut settled = pick.settled();
    settled.number = Some(now);
    match pick.trail.last_mut() {
        Some(last) => *last = settled,
        None => pick.trail.push(settled),
    }
}

fn cycle(session: &Session, pick: &mut Pick, prospect: &Prospect, back: bool) {
    if pick.armed.is_some() {
        let marks: Vec<Cell> = prospect
            .targets
            .iter()
            .map(|&id| session.shown().person(id).at)
            .chain(prospect.places.iter().copied())
            .collect();
        if let Some(cell) = next_of(&marks, pick.cursor, back) {
            (pick.cursor, pick.by_keys) = (Some(cell), true);
        }
        return;
    }
    let ready: Vec<Id> = session.idle_members().map(|p| p.id).collect();
    if let Some(id) = next_of(&ready, pick.chosen, back) {
        pick.choose(id);
        (pick.cursor, pick.by_keys) = (Some(session.shown().person(id).at), true);
    }
}

/// The one after or before `now` in a ring.
fn next_of<T: PartialEq + Copy>(ring: &[T], now: Option<T>, back: bool) -> Option<T> {
    let n = ring.len();
    let at = now.and_then(|now| ring.iter().position(|&t| t == now));
    let next = match (at, back) {
        (Some(at), false) => at + 1,
        (Some(at), true) => at + n - 1,
        (None, false) => 0,
        (None, true) => n.saturating_sub(1),
    };
    (n > 0).then(|| ring[next % n])
}

fn act(session: &mut Session, pick: &mut Pick, prospect: &Prospect, (key, warns): (char, bool)) {
    let Some(act) = prospect.acts.iter().find(|a| a.key == key) else {
        return;
    };
    if !session.is_players_turn() {
        return;
    }
    if let Some(why) = &act.why_not {
        pick.say(format!("{}: {why}", act.label));
        return;
    }
    if let Some(only) = act.only().cloned() {
        let lines = warn::against(session, &only);
        give_after(session, pick, &[only], lines, warns);
        return;
    }
    if pick.armed == Some(key) {
        // Once more is for the next weapon, and after the last one for none.
        let is_last = act.items.last() == act.item.as_ref();
        if is_last || !pick.trail.is_empty() {
            pick.disarm()
        } else {
            other(pick, prospect)
        }
        return;
    }
    let prefers = pick.prefers;
    pick.disarm();
    (pick.armed, pick.prefers) = (Some(key), prefers.filter(|item| act.items.contains(item)));
    let first = crate::ui::prospect::open(&act.offers, &Settled::default());
    let Some(Open::Aim { people, places }) = first else {
        return;
    };
    // The cursor goes to the first target unless it is on one.
    let people = people.iter().map(|&id| session.shown().person(id).at);
    let targets: Vec<Cell> = people.chain(places).collect();
    if pick.cursor.is_none_or(|at| !targets.contains(&at)) {
        (pick.cursor, pick.by_keys) = (targets.first().copied().or(pick.cursor), true);
    }
}

/// The next item with which the same could be done.
fn other(pick: &mut Pick, prospect: &Prospect) {
    let Some(act) = prospect.acts.iter().find(|a| a.is_on) else {
        return;
    };
    if let Some(item) = next_of(&act.items, act.item, false) {
        pick.prefers = Some(item);
    }
}

/// A row of the list is chosen.
fn reply(session: &mut Session, pick: &mut Pick, prospect: &Prospect, (n, warns): (usize, bool)) {
    let Some(menu) = &prospect.menu else { return };
    let last = menu.rows.last().filter(|_| n == usize::MAX);
    match menu.rows.get(n).or(last).map(|row| &row.picks) {
        Some(Picks::Give(choice)) => {
            let lines = match menu.is_reaction {
                true => vec![],
                false => warn::against(session, choice),
            };
            give_after(session, pick, std::slice::from_ref(choice), lines, warns);
        }
        Some(Picks::Settle(settled)) => {
            pick.trail.push(settled.clone());
            let at = settled.at.map(|id| session.shown().person(id).at);
            if pick.by_keys {
                pick.cursor = at.or(pick.cursor);
            }
        }
        Some(Picks::Nothing(why)) => pick.say(why.clone()),
        None => {}
    }
}

/// Keeps somebody in hand who can act, as long as there is one. Who has nothing
/// left may be chosen all the same; only after an act the next one is taken.
pub(super) fn follow(
    session: Res<Session>,
    mut pick: ResMut<Pick>,
    mut seen: Local<(usize, usize, bool)>,
) {
    // A sealed answer is no event: so the answers count as well.
    let (events, answers) = (session.shown().events, session.answered());
    let now = (events, answers, session.is_players_turn());
    // A battle that was loaded may be where the last one was left.
    if *seen == now && pick.chosen.is_some() {
        return;
    }
    *seen = now;
    if !now.2 {
        return;
    }
    let ready: Vec<Id> = session.idle_members().map(|p| p.id).collect();
    let asked = session.question().map_or(&[][..], |q| &q.actors);
    let is_asked = pick.chosen.is_some_and(|id| asked.contains(&id));
    if pick.chosen.is_some_and(|id| ready.contains(&id)) || is_asked && ready.is_empty() {
        return;
    }
    let from = if ready.is_empty() { asked } else { &ready };
    let after = pick
        .chosen
        .and_then(|now| from.iter().find(|&&id| id > now));
    if let Some(&id) = after.or(from.first()) {
        pick.choose(id);
    }
}
