//! Finds mistakes of an AI, and writes them as positions.

use super::super::{
    FileNames, Outcome,
    args::{Bots, Many, Rulesets, players, rulesets, whole},
    battles, external, progress, say,
    sim::rulesets_of,
    write_failure,
};
use super::each_seed;
use clap::Args;
use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, Setup, Side, level_setup},
    control::{
        Controllers, Player,
        positions::{FoundPosition, win_rates},
    },
    files,
    levels::Level,
};
use std::{path::PathBuf, sync::Arc};

/// Battles are examined from one of their first answers on, at most this one;
/// different seeds start at different answers.
const LATEST_START: u64 = 48;
/// The number of answers per battle that are examined.
const EXAMINED_ANSWERS: usize = 24;
/// The least difference in win rate, in percentage points, that makes a choice a
/// blunder.
const MARGIN: f32 = 15.0;
/// The number of playouts that measure the difference.
const PLAYOUTS: u32 = 400;

/// Find decisions where one AI chooses better than another.
///
/// Battles of a against itself are played; where b would choose something else, both
/// choices are played out. Each blunder is written to DIR as a position, for
/// `fivefoot arena --positions`. See docs/opponent.md.
#[derive(Args)]
pub struct BlundersArgs {
    /// The folder of the positions
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Level files
    #[arg(value_name = "LEVEL", required = true)]
    levels: Vec<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = external::player, help = players())]
    a: Player,
    /// The AI that is compared with a
    #[arg(long, value_name = "NAME", default_value = "strategist", value_parser = external::player)]
    b: Player,
    #[command(flatten)]
    bots: Bots,
    /// Battles on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>(1..=u32::MAX))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

pub fn run(args: &BlundersArgs) -> Outcome {
    external::limit(args.bots.bot_time);
    let pool = progress::threads(args.many.threads)?;
    let mut names = FileNames::default();
    for path in &args.levels {
        let level = battles::level(path)?;
        for rules in rulesets_of(&level, args.rules.as_deref())? {
            pool.install(|| find(args, &level, rules, &mut names))?;
            progress::stopped()?;
        }
    }
    Ok(())
}

fn find(
    args: &BlundersArgs,
    level: &Arc<Level>,
    rules: &'static Ruleset,
    names: &mut FileNames,
) -> Outcome {
    let setup = &level_setup(level);
    let battles = u64::from(args.battles);
    let bar = progress::bar(format!("{} · {}", level.title, rules.id), battles);
    let examine = |seed| first_blunder(args, level, setup, rules, seed);
    let found = each_seed(args.many.seed, 0..battles, &bar, examine);
    bar.finish_and_clear();
    for written in found.into_iter().flatten() {
        let (prefix, id, seed) = (rules.rule_prefix.to_lowercase(), &level.id, written.seed);
        let name = names.one_for(&format!("{prefix}_{id}_{seed}"));
        let path = args.folder.join(name + ".ron");
        std::fs::create_dir_all(&args.folder).map_err(|e| write_failure(&path, e))?;
        let text = written.text(level, rules);
        files::write(&path, text.as_bytes()).map_err(|e| write_failure(&path, e))?;
        say(format!("{}: {}", path.display(), written.title()));
    }
    Ok(())
}

/// The first blunder of a battle.
fn first_blunder(
    args: &BlundersArgs,
    level: &Arc<Level>,
    setup: &Setup,
    rules: &'static Ruleset,
    seed: u64,
) -> Option<FoundPosition> {
    let sides = level.sides.len();
    let controllers = |player: Player| Controllers::new(&vec![player; sides], setup, rules, seed);
    let (mut a, mut b) = (controllers(args.a), controllers(args.b));
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    let from = (seed.wrapping_mul(7) % LATEST_START) as usize;
    while battle.answers().len() < from + EXAMINED_ANSWERS && !progress::is_stopped() {
        let Side(side) = battle.asked()?.side;
        let side = usize::from(side);
        let choice = a.0[side].choose(&mut battle);
        if battle.answers().len() < from {
            battle.answer(choice).ok()?;
            continue;
        }
        let other = b.0[side].choose(&mut battle);
        if choice != other && !progress::is_stopped() {
            let names = battle.names();
            if let Ok([wise, unwise]) = win_rates(&battle, [&other, &choice], PLAYOUTS)
                && wise - unwise >= MARGIN
            {
                return Some(FoundPosition {
                    seed,
                    orders: battle.answers().iter().map(|c| c.text(names)).collect(),
                    wise: other.text(names),
                    unwise: choice.text(names),
                    wins: (wise, unwise),
                });
            }
        }
        battle.answer(choice).ok()?;
    }
    None
}
