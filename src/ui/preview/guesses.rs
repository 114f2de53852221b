//! What the foes are likely to do next, as far as the player's side can know: what AIs
//! do for them in rounds that are tried out. It is thought about while the cursor is on
//! one of them, once for each moment.

use super::habits::{Deed, Habit, Manner, likely};
use crate::{
    battle::Id,
    ui::{
        Phase, Screen, Selection, Session,
        session::{
            Moment, Others,
            thinking::{Pondering, Thinking},
        },
        shown::Person,
    },
};
use bevy::prelude::*;
use std::collections::BTreeMap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Guesses>();
    app.add_systems(
        Update,
        guess
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// What each foe is likely to do.
#[derive(Resource, Default)]
pub struct Guesses {
    of: BTreeMap<Id, Vec<Habit>>,
    /// When that was.
    moment: Option<Moment>,
}

impl Guesses {
    /// What a foe is likely to do next, the most frequent first; none while that is not
    /// known.
    fn of(&self, session: &Session, foe: Id) -> Option<&[Habit]> {
        let is_foe = is_foe(session, session.shown().person(foe));
        let is_known = self.moment == Some(session.moment());
        let none: &[Habit] = &[];
        (is_foe && is_known).then(|| self.of.get(&foe).map_or(none, Vec::as_slice))
    }

    /// How a foe is likely to attack one of the player's own.
    pub fn on(&self, session: &Session, foe: Id, at: Id) -> Option<Habit> {
        let mut habits = self.of(session, foe)?.iter();
        let found = habits.find(|habit| habit.deed == Deed::Attacks(at));
        found.copied()
    }

    /// "Predicted: attacks Mara 55%, Tobin 10%; moves 35%, usually to 4,7".
    pub fn words(&self, session: &Session, foe: Id) -> Option<String> {
        let Some(habits) = self.of(session, foe) else {
            let is_foe = is_foe(session, session.shown().person(foe));
            let waits = is_foe && session.is_players_turn();
            return waits.then(|| String::from("Predicted: calculating…"));
        };
        let name = |id: Id| session.shown().person(id).name.clone();
        // All whom it may attack in one way are told of where the likeliest of them comes.
        let mut parts: Vec<(u32, String)> = vec![];
        let mut attacks: Vec<(Manner, u32, Vec<String>)> = vec![];
        for habit in habits {
            let (deed, percent) = (habit.deed, habit.percent);
            let told = match deed {
                Deed::Attacks(at) => {
                    let target = format!("{} {percent}%", name(at));
                    let known = attacks.iter_mut().find(|known| known.0 == habit.manner);
                    match known {
                        Some(known) => known.2.push(target),
                        None => attacks.push((habit.manner, percent, vec![target])),
                    }
                    continue;
                }
                Deed::Casts => format!("casts {percent}%"),
                Deed::Goes => match habit.to {
                    Some(to) => format!("moves {percent}%, usually to {to}"),
                    None => format!("moves {percent}%"),
                },
                Deed::Reacts => format!("reacts {percent}%"),
                Deed::Falls => format!("is downed before acting {percent}%"),
            };
            parts.push((percent, told));
        }
        for (manner, percent, targets) in attacks {
            let words = format!("{} {}", manner.words(), targets.join(", "));
            parts.push((percent, words));
        }
        let rest = 100 - habits.iter().map(|habit| habit.percent).sum::<u32>();
        if rest > 0 {
            parts.push((rest, format!("stays put {rest}%")));
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.0));
        let parts: Vec<String> = parts.into_iter().map(|part| part.1).collect();
        Some(format!("Predicted: {}", parts.join("; ")))
    }
}

fn is_foe(session: &Session, person: &Person) -> bool {
    person.side != session.player() && person.is_up()
}

fn guess(
    session: Res<Session>,
    selection: Res<Selection>,
    time: Res<Time>,
    mut guesses: ResMut<Guesses>,
    mut ponders: Local<Pondering<Moment, BTreeMap<Id, Vec<Habit>>>>,
) {
    let now = session.moment();
    let under = selection.cursor.and_then(|cell| session.shown().on(cell));
    let looked_at = selection.looked_at.map(|id| session.shown().person(id));
    let under = looked_at.or(under);
    let is_foe = under.is_some_and(|person| is_foe(&session, person));
    let is_asked = is_foe && session.is_players_turn() && guesses.moment != Some(now);
    let found = ponders.of(is_asked.then_some(now), time.delta_secs(), || {
        let table = session.apart(Others::Nothing)?;
        Some(Thinking::of(move |dropped| likely(&table, dropped)))
    });
    if let Some(of) = found {
        *guesses = Guesses {
            of,
            moment: Some(now),
        };
    }
}
