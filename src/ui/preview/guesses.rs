//! What the foes are likely to do next, as far as the player's side can know: what AIs
//! do for them in rounds that are tried out. It is thought about while the cursor is on
//! one of them, once for each moment.

use super::tries::{Deed, Habit, likely};
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

    /// "Likely next: attacks Mara 55%, Tobin 10%; only moves 35%".
    pub fn words(&self, session: &Session, foe: Id) -> Option<String> {
        let Some(habits) = self.of(session, foe) else {
            let is_foe = is_foe(session, session.shown().person(foe));
            let waits = is_foe && session.is_players_turn();
            return waits.then(|| String::from("Likely next: being worked out …"));
        };
        let name = |id: Id| session.shown().person(id).name.clone();
        // All whom it may attack are told of where the likeliest of them comes.
        let mut parts: Vec<(u32, String)> = vec![];
        let mut attacks: Vec<String> = vec![];
        for habit in habits {
            let (deed, percent) = (habit.deed, habit.percent);
            match deed {
                Deed::Attacks(at) => attacks.push(format!("{} {percent}%", name(at))),
                Deed::Casts => parts.push((percent, format!("casts {percent}%"))),
                Deed::Goes => parts.push((percent, format!("only moves {percent}%"))),
            }
        }
        let best = habits.iter().find(|h| matches!(h.deed, Deed::Attacks(_)));
        if let Some(best) = best {
            let words = format!("attacks {}", attacks.join(", "));
            parts.push((best.percent, words));
        }
        let rest = 100 - habits.iter().map(|habit| habit.percent).sum::<u32>();
        if rest > 0 {
            parts.push((rest, format!("stays where it is {rest}%")));
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.0));
        let parts: Vec<String> = parts.into_iter().map(|part| part.1).collect();
        Some(format!("Likely next: {}", parts.join("; ")))
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
