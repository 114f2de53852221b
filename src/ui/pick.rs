//! What the player points at and has chosen. Mouse, keys and buttons write
//! [`Command`]s; here they are obeyed.

use super::{Phase, Screen, prospect::Click, prospect::Prospect, session::Session};
use crate::{
    battle::{Choice, Id, Item},
    grid::Cell,
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Command>().init_resource::<Pick>();
    app.add_systems(
        Update,
        (obey, follow)
            .chain()
            .in_set(Phase::Obey)
            .run_if(in_state(Screen::Battle)),
    );
}

/// What the player wants. The only way in for mouse, keys and buttons.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum Command {
    /// The pointer is on a cell now, or off the map.
    Point(Option<Cell>),
    /// The cursor goes so many cells east and south.
    Step(i16, i16),
    /// Do what the cell under the cursor stands for.
    Go,
    /// Take this member of one's side in hand.
    Choose(Id),
    /// Take the next or the previous member in hand; with an act armed, point
    /// at the next or previous target.
    Cycle {
        back: bool,
    },
    /// The member with this place on the party's cards, from 0.
    Member(usize),
    /// Look at somebody, wherever the cursor is.
    LookAt(Option<Id>),
    /// A button of the act bar, by its letter.
    Act(char),
    /// The next weapon for the same act.
    Other,
    /// The chosen one is done for the turn.
    Done,
    /// Let the act be; with none armed, ask whether to leave the battle.
    Back,
    /// Ask whether to leave the battle, or not any more.
    AskToLeave(bool),
    /// Leave the battle for the title screen.
    Leave,
    EndTurn,
    /// Another answer of the whole side, by its place.
    Common(usize),
    Undo,
    /// Show at once what is being played.
    Skip,
    /// The answer to a prompt, by its place; `usize::MAX` is the last.
    Reply(usize),
}

/// What the player points at and has chosen.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Pick {
    /// Who is in hand.
    pub chosen: Option<Id>,
    /// The cell under the pointer, or under the keyboard's cursor.
    pub cursor: Option<Cell>,
    /// The cursor was moved by keys: keep it in view.
    pub by_keys: bool,
    /// Somebody whose card or chip is pointed at.
    pub looked_at: Option<Id>,
    /// The letter of the act that waits for a target.
    pub armed: Option<char>,
    /// The item that the player would rather use than the best one.
    pub prefers: Option<Item>,
    /// A word to the player.
    pub notice: Option<Notice>,
    /// To end the turn was asked for while members have something left to do.
    pub sure: bool,
    /// The player is asked whether to leave the battle.
    pub leaving: bool,
}

/// A word to the player. Another number makes it another word.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    pub text: String,
    pub number: u32,
}

impl Pick {
    /// As a battle begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tells the player something.
    pub fn say(&mut self, text: impl Into<String>) {
        let number = self.notice.as_ref().map_or(0, |n| n.number + 1);
        self.notice = Some(Notice {
            text: text.into(),
            number,
        });
    }

    fn choose(&mut self, id: Id) {
        self.chosen = Some(id);
        self.disarm();
    }

    fn disarm(&mut self) {
        (self.armed, self.prefers) = (None, None);
    }
}

fn obey(
    mut commands: MessageReader<Command>,
    mut session: ResMut<Session>,
    mut pick: ResMut<Pick>,
    prospect: Res<Prospect>,
    mut next: ResMut<NextState<Screen>>,
) {
    for command in commands.read() {
        // What only points must not touch the session: everything that reads
        // it would be worked out again.
        match command {
            Command::Point(cell) => point(&mut pick, *cell),
            Command::LookAt(who) => {
                let mut next = pick.clone();
                next.looked_at = *who;
                pick.set_if_neq(next);
            }
            Command::AskToLeave(leaving) => pick.leaving = *leaving,
            Command::Leave => next.set(Screen::Title),
            _ => {
                let sure = std::mem::take(&mut pick.sure);
                act_on(command, &mut session, &mut pick, &prospect, sure);
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
    sure: bool,
) {
    match command {
        Command::Point(_) | Command::LookAt(_) | Command::AskToLeave(_) | Command::Leave => {}
        Command::Step(east, south) => step(session, pick, *east, *south),
        Command::Go => go(session, pick, prospect),
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
        Command::Act(key) => act(session, pick, prospect, *key),
        Command::Other => other(pick, prospect),
        Command::Done => {
            if let Some(who) = pick.chosen.filter(|_| session.is_players_turn())
                && let Some(verb) = session.reader().done
            {
                let done = Choice::new(verb, who);
                give(session, pick, &[done]);
            }
        }
        Command::Back => {
            pick.leaving = pick.armed.is_none() && !pick.leaving;
            pick.disarm();
            pick.notice = None;
        }
        Command::EndTurn => {
            let idle: Vec<_> = session.idle_members().map(|p| p.name.clone()).collect();
            if idle.is_empty() || sure || !session.is_players_turn() {
                session.end_turn();
                pick.disarm();
            } else {
                pick.sure = true;
                pick.say(format!(
                    "{} can still act. End turn again to go on.",
                    listed(&idle)
                ));
            }
        }
        Command::Common(n) => {
            let common = session.question().filter(|q| !q.reaction);
            if let Some(choice) = common.and_then(|q| q.common.get(*n)).cloned() {
                give(session, pick, &[choice]);
            }
        }
        Command::Undo => {
            if session.can_undo() {
                session.undo();
                pick.disarm();
            } else {
                pick.say("Nothing to take back: dice were rolled, or nothing was done.");
            }
        }
        Command::Skip => {
            if session.question().is_none() {
                session.hurry();
            }
        }
        Command::Reply(n) => reply(session, pick, *n),
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
        Err(why) => pick.say(crate::battle::capitalised(&why.to_string())),
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
}

fn go(session: &mut Session, pick: &mut Pick, prospect: &Prospect) {
    match &prospect.click {
        Click::Nothing => {}
        Click::No(why) => pick.say(why.clone()),
        Click::Choose(id) => pick.choose(*id),
        Click::Move(way) => give(session, pick, &way.orders),
        Click::Blow(blow) => give(session, pick, std::slice::from_ref(&blow.choice)),
        Click::Act { choice, .. } => give(session, pick, std::slice::from_ref(choice)),
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

fn act(session: &mut Session, pick: &mut Pick, prospect: &Prospect, key: char) {
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
    if let [only] = &act.choices[..]
        && only.at.is_none()
        && only.to.is_none()
    {
        let only = only.clone();
        give(session, pick, &[only]);
        return;
    }
    if pick.armed == Some(key) {
        // Once more is for the next weapon, and after the last one for none.
        let is_last = act.items.last() == act.item.as_ref();
        if is_last {
            pick.disarm()
        } else {
            other(pick, prospect)
        }
        return;
    }
    let prefers = pick.prefers;
    pick.disarm();
    (pick.armed, pick.prefers) = (Some(key), prefers.filter(|item| act.items.contains(item)));
    if pick.by_keys || pick.cursor.is_none() {
        let first = &act.choices[0];
        let target = first
            .at
            .map(|id| session.shown().person(id).at)
            .or(first.to);
        (pick.cursor, pick.by_keys) = (target.or(pick.cursor), true);
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

fn reply(session: &mut Session, pick: &mut Pick, n: usize) {
    let Some(who) = session
        .question()
        .filter(|q| q.reaction)
        .and_then(|q| q.actors.first().copied())
    else {
        return;
    };
    let offers = session.offers_of(who);
    let legal: Vec<&Choice> = offers
        .iter()
        .filter(|o| o.is_legal())
        .map(|o| &o.choice)
        .collect();
    // The last offer is to let the moment pass.
    if let Some(&choice) = legal.get(n).or(legal.last().filter(|_| n == usize::MAX)) {
        let choice = choice.clone();
        give(session, pick, &[choice]);
    }
}

/// Keeps somebody in hand who can act, as long as there is one. Who has nothing
/// left may be chosen all the same; only after an act the next one is taken.
fn follow(session: Res<Session>, mut pick: ResMut<Pick>, mut seen: Local<(usize, bool)>) {
    let now = (session.shown().events, session.is_players_turn());
    if *seen == now {
        return;
    }
    *seen = now;
    if !now.1 {
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
