//! `fivefoot arena --blunders`: finds mistakes of an AI, and writes them as
//! positions.

use super::{ArenaArgs, Names, Outcome, progress, say, unwritten};
use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, Setup, Side},
    control::{
        Player, Table,
        positions::{Written, shares},
    },
    files,
    levels::Level,
};
use rayon::prelude::*;
use std::{path::Path, sync::Arc};

/// Battles are examined from one of their first answers on, at most this one;
/// different seeds start at different answers.
const LATEST: u64 = 48;
/// The number of answers per battle that are examined.
const LOOKS: usize = 24;
/// The least difference in win rate, in percentage points, that makes a choice a
/// blunder.
const MARGIN: f32 = 15.0;
/// The number of playouts that measure the difference.
const PLAYOUTS: u32 = 400;

/// Plays battles of a against itself. Wherever b would choose differently, both
/// choices are played out.
pub fn find(
    args: &ArenaArgs,
    folder: &Path,
    level: &Arc<Level>,
    setup: &Setup,
    rules: &'static Ruleset,
    names: &mut Names,
) -> Outcome {
    let bar = progress::bar(
        format!("{} · {}", level.title, rules.id),
        args.battles.into(),
    );
    let battles = 0..u64::from(args.battles);
    let look = |n: u64| {
        let found = look(args, level, setup, rules, args.many.seed.wrapping_add(n));
        bar.inc(1);
        found
    };
    let battles = battles.into_par_iter();
    let battles = battles.take_any_while(|_| !progress::is_stopped());
    let found: Vec<Written> = battles.filter_map(look).collect();
    bar.finish_and_clear();
    for written in found {
        let (book, id, seed) = (rules.book.to_lowercase(), &level.id, written.seed);
        let name = names.one_for(&format!("{book}_{id}_{seed}"));
        let path = folder.join(name + ".ron");
        std::fs::create_dir_all(folder).map_err(|e| unwritten(&path, e))?;
        let text = written.text(level, rules);
        files::write(&path, text.as_bytes()).map_err(|e| unwritten(&path, e))?;
        say(format!("{}: {}", path.display(), written.title()));
    }
    Ok(())
}

/// The first blunder of a battle.
fn look(
    args: &ArenaArgs,
    level: &Arc<Level>,
    setup: &Setup,
    rules: &'static Ruleset,
    seed: u64,
) -> Option<Written> {
    let sides = level.sides.len();
    let table = |player: Player| Table::new(&vec![player; sides], setup, rules, seed);
    let (mut a, mut b) = (table(args.a), table(args.b));
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    let from = (seed.wrapping_mul(7) % LATEST) as usize;
    while battle.answers().len() < from + LOOKS && !progress::is_stopped() {
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
            if let Ok([wise, unwise]) = shares(&battle, [&other, &choice], PLAYOUTS)
                && wise - unwise >= MARGIN
            {
                return Some(Written {
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
