//! Plays the game in the window, or a battle in the terminal if there is no display.

use super::{
    Failure, Game, NO_WINDOW, Window,
    args::{SidePlayer, check_once, ruleset, side_player, whole},
    battles, check_folder, external, fight, finish, say, sim,
};
use clap::Args;
use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, level_setup},
    control::{Controllers, play},
    lab::MAX_ANSWERS,
    levels,
};
use std::{path::PathBuf, process::ExitCode, slice};

#[derive(Args, Clone, Default)]
pub struct PlayArgs {
    /// A level file; without one, the title screen opens
    level: Option<PathBuf>,
    /// The ruleset
    #[arg(long, value_name = "R", value_parser = ruleset)]
    rules: Option<&'static Ruleset>,
    /// The seed of the dice; equal seeds and answers give equal battles
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// A folder of your own levels and packs, listed on the title screen together
    /// with those in your data folder
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// The AI of a side, or a program of your own: `goblins=cmd:python3 my_bot.py`; the
    /// title screen offers the program for every side, as External
    #[arg(long, value_name = "SIDE=NAME", value_parser = side_player)]
    ai: Vec<SidePlayer>,
}

pub fn run(args: PlayArgs, window: Option<&dyn Window>) -> ExitCode {
    if !has_display() {
        return finish(in_the_terminal(&args));
    }
    let Some(window) = window else {
        super::print_error(NO_WINDOW);
        return finish(in_the_terminal(&args));
    };
    match game(args) {
        Ok(game) => {
            let code = window.play(game);
            external::end();
            code
        }
        Err(failure) => finish(Err(failure)),
    }
}

fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || is_set("DISPLAY")
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// The options that the window opens with.
fn game(args: PlayArgs) -> Result<Game, Failure> {
    let level = args.level.as_deref().map(battles::level).transpose()?;
    check_folder(args.levels.as_ref())?;
    check_once("--ai", args.ai.iter().map(|side_player| &side_player.side))?;
    let ai = args.ai.into_iter();
    let ai = ai.map(|side_player| (side_player.side, side_player.player));
    Ok(Game {
        level,
        // A pack is not a single file that can be watched for changes.
        file: args.level.filter(|path| !levels::pack::is_pack(path)),
        levels_folder: args.levels,
        rules: args.rules,
        seed: args.seed,
        ai: ai.collect(),
    })
}

/// Plays the given or the default level, AI against AI, and prints the log.
fn in_the_terminal(args: &PlayArgs) -> Result<(), Failure> {
    let level = match &args.level {
        Some(path) => battles::level(path)?,
        None => levels::default_level(),
    };
    let rules = sim::rulesets_of(&level, args.rules.as_ref().map(slice::from_ref))?[0];
    let players = fight::players_by_side(&args.ai, &level)?;
    let seed = args.seed.unwrap_or(1);
    say(match is_set("WAYLAND_DISPLAY") && !has_display() {
        true => "The window needs X11: under Wayland, install Xwayland.",
        false => "No display.",
    });
    say("The battle runs AI against AI in this terminal.");
    say(format!("{} · {} · seed {seed}", level.title, rules.id));
    let setup = level_setup(&level);
    let mut controllers = Controllers::new(&players, &setup, rules, seed);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
    play(&mut battle, &mut controllers, MAX_ANSWERS);
    battles::print_log(&battle, battle.events(), false);
    external::failure().map_or(Ok(()), |failed| Err(Failure::new(failed.why)))
}
