//! A run without a player: what an AI makes of it.

use super::{
    code::Settings,
    run::{Act, Outcome, Run, State},
    squad::MOST_WOUNDS,
    way::{self, Way},
};
use crate::{
    battle::{Battle, DiceBox, level_setup},
    control::{Player, Table, play, recording::Recording},
    lab::{MOST_ANSWERS, trial},
    levels::Level,
};
use std::sync::Arc;

/// What to do before the next battle: bandages for the worst hurt, and the first choice
/// of each new level. `None`: nothing more.
pub fn next_act(state: &State) -> Option<Act> {
    let hurt = state.squad.iter().filter(|m| !m.wounds.is_empty());
    // The first of equals.
    let worst = hurt.rev().max_by_key(|m| m.wounds.len());
    if let Some(member) = worst.filter(|_| state.bandages > 0) {
        let who = member.kind.clone();
        return Some(Act::Bandage { who });
    }
    state.squad.iter().find_map(|member| {
        let gain = member.choices().into_iter().next();
        let gain = gain.filter(|_| member.choices_left() > 0)?;
        let who = member.kind.clone();
        Some(Act::Learn { who, gain })
    })
}

/// Fights a way: the AI plays the squad against the quick AI. `None`: there is no such
/// battle.
pub fn fight(state: &State, way: &Way, player: Player) -> Option<(Arc<Level>, Battle, Outcome)> {
    let settings = &state.settings;
    let level = way::level(way, &state.squad, settings).ok()?;
    let setup = level_setup(&level);
    let players = [player, Player::Quick];
    let mut table = Table::new(&players, &setup, settings.rules, way.seed);
    let mut battle = Battle::new(setup, settings.rules, DiceBox::seeded(way.seed));
    play(&mut battle, &mut table, MOST_ANSWERS);
    table.ended(&battle);
    let outcome = Outcome::of(&battle);
    Some((level, battle, outcome))
}

/// Which way an AI takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The one that is made for the best odds.
    Safe,
    /// The one with the largest reward, unless a unit is one wound from death.
    Bold,
}

impl Choice {
    fn way(self, state: &State) -> usize {
        let count = way::count(&state.settings, state.stop);
        let is_weak = state
            .squad
            .iter()
            .any(|m| m.wounds.len() + 1 >= MOST_WOUNDS);
        match self {
            Self::Bold if !is_weak => count - 1,
            _ => 0,
        }
    }
}

/// Plays to the end of the run, or until it has `most` battles. `go_on` is called after
/// each battle of a search; `false` stops it.
///
/// # Errors
/// Why it ended too early.
pub fn play_on(
    run: &mut Run,
    player: Player,
    choice: Choice,
    most: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<State, String> {
    let mut state = run.state()?;
    while state.end.is_none() && state.stop < most {
        while let Some(act) = next_act(&state) {
            state.apply(&act)?;
            run.acts.push(act);
        }
        let (way, level, battle, outcome) = next(&state, player, choice, &mut go_on)?;
        let recording = Recording::of(&battle, &level, way.seed);
        let act = Act::Fight {
            way,
            outcome,
            battle: Box::new(recording),
        };
        state.apply(&act)?;
        run.acts.push(act);
    }
    Ok(state)
}

/// A run that was played without its recordings.
pub struct Played {
    /// Where it ended.
    pub state: State,
    /// Rounds of all its battles.
    pub rounds: u32,
}

/// Plays a run without its recordings.
///
/// # Errors
/// Why it ended too early.
pub fn result(
    settings: &Settings,
    player: Player,
    choice: Choice,
    most: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<Played, String> {
    let (mut state, mut rounds) = (State::new(*settings), 0);
    while state.end.is_none() && state.stop < most {
        while let Some(act) = next_act(&state) {
            state.apply(&act)?;
        }
        let (way, _, battle, outcome) = next(&state, player, choice, &mut go_on)?;
        state.fought(&way, &outcome)?;
        rounds += trial::rounds(&battle);
    }
    Ok(Played { state, rounds })
}

fn next(
    state: &State,
    player: Player,
    choice: Choice,
    go_on: &mut impl FnMut() -> bool,
) -> Result<(Way, Arc<Level>, Battle, Outcome), String> {
    let nth = choice.way(state);
    let stop = state.stop + 1;
    let way = way::way(&state.settings, state.stop, nth, &mut *go_on);
    let way = way.ok_or_else(|| match go_on() {
        true => format!("stop {stop}: no battle could be made"),
        false => String::from("stopped"),
    })?;
    let fought = fight(state, &way, player);
    let (level, battle, outcome) = fought.ok_or_else(|| {
        let code = state.settings.code();
        format!("{code}, stop {stop}: this squad has no room on the ground")
    })?;
    Ok((way, level, battle, outcome))
}
