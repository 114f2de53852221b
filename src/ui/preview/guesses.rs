//! What the foes are likely to do next, as far as the player's side can know: what AIs
//! do for them in rounds that are tried out. It is thought about while the cursor is on
//! one of them, once for each moment.

use super::{
    foreseen::PAUSE,
    tries::{Deed, Habit, likely},
};
use crate::{
    battle::Id,
    ui::{
        Phase, Screen, Selection, Session,
        session::{Moment, Others, thinking::Thinking},
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
        let person = session.shown().person(foe);
        let is_foe = person.side != session.player() && person.is_up();
        let is_known = self.moment == Some(session.moment()) && !self.of.is_empty();
        let none: &[Habit] = &[];
        (is_foe && is_known).then(|| self.of.get(&foe).map_or(none, Vec::as_slice))
    }

    /// How a foe is likely to attack one of the player's own.
    pub fn on(&self, session: &Session, foe: Id, at: Id) -> Option<Habit> {
        let mut habits = self.of(session, foe)?.iter();
        let found = habits.find(|habit| habit.deed == Deed::Attacks(at));
        found.copied()
    }

    /// "Likely next: attacks Mara 55%, only moves 45%".
    pub fn words(&self, session: &Session, foe: Id) -> Option<String> {
        let habits = self.of(session, foe)?;
        let name = |id: Id| session.shown().person(id).name.clone();
        let words = |habit: &Habit| {
            let what = match habit.deed {
                Deed::Attacks(at) => format!("attacks {}", name(at)),
                Deed::Casts => String::from("casts"),
                Deed::Goes => String::from("only moves"),
            };
            format!("{what} {}%", habit.percent)
        };
        let mut parts: Vec<String> = habits.iter().map(words).collect();
        let rest = 100 - habits.iter().map(|habit| habit.percent).sum::<u32>();
        if rest > 0 {
            parts.push(format!("stays where it is {rest}%"));
        }
        Some(format!("Likely next: {}", parts.join(", ")))
    }
}

fn guess(
    session: Res<Session>,
    selection: Res<Selection>,
    time: Res<Time>,
    mut guesses: ResMut<Guesses>,
    mut rests: Local<f32>,
    mut thinks: Local<Option<(Moment, Thinking<BTreeMap<Id, Vec<Habit>>>)>>,
) {
    let now = session.moment();
    let under = selection.cursor.and_then(|cell| session.shown().on(cell));
    let is_foe = under.is_some_and(|p| p.side != session.player() && p.is_up());
    let is_asked = is_foe && session.is_players_turn() && guesses.moment != Some(now);
    if thinks.as_ref().is_some_and(|(moment, _)| *moment != now) || !is_foe {
        *thinks = None;
    }
    if !is_asked {
        *rests = 0.0;
        return;
    }
    *rests += time.delta_secs();
    if thinks.is_none() && *rests >= PAUSE {
        let table = session.apart(Others::Nothing);
        let begin = |table| Thinking::of(move |dropped| likely(&table, dropped));
        *thinks = table.map(|table| (now, begin(table)));
    }
    let found = thinks.as_mut().and_then(|(_, thinks)| thinks.done(false));
    if let Some(of) = found {
        *thinks = None;
        *guesses = Guesses {
            of,
            moment: Some(now),
        };
    }
}
