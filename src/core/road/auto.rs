//! Runs played by an AI, for statistics and tests.

use super::{
    code::Settings,
    run::{BattleOutcome, Run, RunAct, RunState},
    squad::MAX_WOUNDS,
    way::{self, RoadBattle},
};
use crate::{
    battle::{Battle, DiceBox, level_setup},
    control::{Controllers, Player, play, recording::Recording},
    lab::MAX_ANSWERS,
    levels::Level,
};
use std::sync::Arc;

/// The AI's next act before a battle: a bandage for the unit with the most wounds, then
/// the first choice of each new level. `None` if there is nothing left to do.
pub fn next_act(state: &RunState) -> Option<RunAct> {
    let hurt = state.squad.iter().filter(|m| !m.wounds.is_empty());
    // Reversed, so that the first unit wins a tie.
    let worst = hurt.rev().max_by_key(|m| m.wounds.len());
    if let Some(member) = worst.filter(|_| state.bandages > 0) {
        let who = member.kind.clone();
        return Some(RunAct::Bandage { who });
    }
    state.squad.iter().find_map(|member| {
        let gain = member.choices().into_iter().next();
        let gain = gain.filter(|_| member.choices_left() > 0)?;
        let who = member.kind.clone();
        Some(RunAct::Learn { who, gain })
    })
}

/// Fights the battle of a way: `player` controls the squad, the quick AI the enemies.
/// `None` if the squad has no room on the level.
pub fn fight(
    state: &RunState,
    way: &RoadBattle,
    player: Player,
) -> Option<(Arc<Level>, Battle, BattleOutcome)> {
    let settings = &state.settings;
    let level = way::level(way, &state.squad, settings).ok()?;
    let setup = level_setup(&level);
    let players = [player, Player::Quick];
    let mut controllers = Controllers::new(&players, &setup, settings.rules, way.seed);
    let mut battle = Battle::new(setup, settings.rules, DiceBox::seeded(way.seed));
    play(&mut battle, &mut controllers, MAX_ANSWERS);
    controllers.ended(&battle);
    let outcome = BattleOutcome::of(&battle);
    Some((level, battle, outcome))
}

/// How the AI picks a way at a fork.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The first way, which has the best odds.
    Safe,
    /// The last way; the first one while any unit has two wounds or more.
    Bold,
}

impl Choice {
    fn way(self, state: &RunState) -> usize {
        let count = way::count(&state.settings, state.stop);
        let is_weak = state.squad.iter().any(|m| m.wounds.len() + 1 >= MAX_WOUNDS);
        match self {
            Self::Bold if !is_weak => count - 1,
            _ => 0,
        }
    }
}

/// Plays a run to its end, or until it has `most` battles. `go_on` is called after each
/// battle that is simulated to generate a way; returning `false` stops the run.
///
/// # Errors
/// Why the run stopped early: no battle could be generated, the squad has no room, or
/// `go_on` returned `false`.
pub fn play_on(
    run: &mut Run,
    player: Player,
    choice: Choice,
    most: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<RunState, String> {
    let mut state = run.state()?;
    while state.end.is_none() && state.stop < most {
        while let Some(act) = next_act(&state) {
            state.apply(&act)?;
            run.acts.push(act);
        }
        let (way, level, battle, outcome) = next(&state, player, choice, &mut go_on)?;
        let recording = Recording::of(&battle, &level, way.seed);
        let act = RunAct::Fight {
            way,
            outcome,
            battle: Box::new(recording),
        };
        state.apply(&act)?;
        run.acts.push(act);
    }
    Ok(state)
}

/// The result of a run that was played without recordings.
pub struct Played {
    /// The state at the end.
    pub state: RunState,
    /// Rounds of all battles together.
    pub rounds: u32,
}

/// Plays a run like [`play_on`], but keeps no recordings.
///
/// # Errors
/// Why the run stopped early, as in [`play_on`].
pub fn result(
    settings: &Settings,
    player: Player,
    choice: Choice,
    most: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<Played, String> {
    let (mut state, mut rounds) = (RunState::new(*settings), 0);
    while state.end.is_none() && state.stop < most {
        while let Some(act) = next_act(&state) {
            state.apply(&act)?;
        }
        let (way, _, battle, outcome) = next(&state, player, choice, &mut go_on)?;
        state.fought(&way, &outcome)?;
        rounds += battle.rounds();
    }
    Ok(Played { state, rounds })
}

fn next(
    state: &RunState,
    player: Player,
    choice: Choice,
    go_on: &mut impl FnMut() -> bool,
) -> Result<(RoadBattle, Arc<Level>, Battle, BattleOutcome), String> {
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
