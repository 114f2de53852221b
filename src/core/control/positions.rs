//! Positions test an AI: a small battle, the orders so far, and what a good player does next or
//! avoids. `docs/opponent.md` explains how to write one.

use super::{FileKind, Player, strategist::quick_result};
use crate::{
    battle::{Battle, Choice, DiceBox, Refused, Ruleset, Setup, level_setup},
    files::LEVEL_BYTES,
    levels::{self, Level, Purpose},
    ron_read::{self, Outcome, Problem, Reader},
    rulesets,
};
use std::{path::Path, sync::Arc};

/// A position, read and checked.
#[derive(Debug)]
pub struct Position {
    /// The file name, as given to the reader.
    pub file: String,
    pub rules: &'static Ruleset,
    /// What the position shows, in a sentence.
    pub shows: String,
    pub level: Arc<Level>,
    seed: u64,
    /// The orders so far.
    orders: Vec<String>,
    /// Line and column of each order in the file: first `orders`, then `wise`, then `unwise`.
    places: Vec<(u32, u32)>,
    /// Orders of which the AI must give one; any is fine if there are none. An order that ends
    /// in `*` stands for all with that beginning.
    pub wise: Vec<String>,
    /// Orders of which the AI must give none.
    pub unwise: Vec<String>,
    /// The first of `wise` must win more often than the first of `unwise` by at least this many
    /// percentage points.
    pub margin: Option<u8>,
}

/// Reads a position from the text of a file.
pub fn check_file(file: &str, text: &str) -> Outcome<Position> {
    ron_read::read(file, text, |r, root| {
        let mut f = r.fields(root, "a position")?;
        let shows = f.required(r, "position", Reader::filled_text);
        let seed = f.optional(r, "seed", |r, p| r.whole(p, 0..=i32::MAX));
        let mut places = vec![];
        let mut texts = |r: &mut Reader, p: &_| {
            r.list(p, |r, p| {
                places.push(r.line_and_column(p.at));
                r.filled_text(p)
            })
        };
        let orders = f.optional(r, "orders", &mut texts);
        let wise = f.optional(r, "wise", &mut texts).unwrap_or_default();
        let unwise = f.optional(r, "unwise", &mut texts).unwrap_or_default();
        let margin = f.optional(r, "margin", |r, p| r.whole(p, 1..=100));
        let rules = f.needed(r, "rules")?;
        let draft = levels::level(r, &mut f, &levels::id_of(file), Purpose::Proof, &[]);
        f.finish(r);
        if wise.is_empty() && unwise.is_empty() {
            let help = "say in `wise` what is to be chosen, or in `unwise` what is not";
            r.problem(root.at, "nothing is expected of this", help);
        }
        if margin.is_some() && (wise.is_empty() || unwise.is_empty()) {
            let help = "the first of `wise` is compared with the first of `unwise`";
            r.problem(root.at, "`margin` needs both `wise` and `unwise`", help);
        }
        let level = draft?.level;
        let Some(found) = level.rules.and_then(|own| rulesets::find(own.0)) else {
            let help = "name one that the game has, such as `Skirmish`";
            r.problem(rules.at, "there is no such ruleset", help);
            return None;
        };
        Some(Position {
            file: file.to_owned(),
            rules: found,
            shows: shows?,
            seed: seed.unwrap_or(1) as u64,
            level: Arc::new(level),
            orders: orders.unwrap_or_default(),
            places,
            wise,
            unwise,
            margin: margin.map(|percent| percent as u8),
        })
    })
}

/// Reads a position from a file.
pub fn read(path: &Path) -> Result<Position, Vec<Problem>> {
    let text = ron_read::file_text(path, LEVEL_BYTES).map_err(|problem| vec![problem])?;
    let file = path.display().to_string();
    let read = check_file(&file, &text).map(|(position, _)| position);
    read.map_err(
        |problems| match FileKind::Position.wrong_kind(&file, &text) {
            Some((what, help)) => vec![Problem::of_file(&file, what, help)],
            None => problems,
        },
    )
}

/// The choice of an AI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    pub order: String,
    /// Whether the choice is among the wise ones and not among the unwise ones.
    pub is_good: bool,
}

impl Position {
    /// The battle in which the next order is due.
    pub fn battle(&self) -> Result<(Battle, Setup), Problem> {
        let setup = level_setup(&self.level);
        let mut battle = Battle::new(setup.clone(), self.rules, DiceBox::seeded(self.seed));
        for (n, order) in self.orders.iter().enumerate() {
            if let Err(refused) = battle.order(order) {
                let what = format!("order {} cannot be given: {refused}", n + 1);
                return Err(self.problem(n, what));
            }
        }
        match battle.asked() {
            Some(_) => Ok((battle, setup)),
            None => {
                let last = self.orders.len().saturating_sub(1);
                let what = "after this nobody is asked anything: the battle is over";
                Err(self.problem(last, what.into()))
            }
        }
    }

    /// A problem with the order at this index, counted over `orders`, `wise` and `unwise`.
    fn problem(&self, nth: usize, what: String) -> Problem {
        let (line, col) = self.places.get(nth).copied().unwrap_or((1, 1));
        Problem {
            line,
            col,
            ..Problem::of_file(&self.file, what, "")
        }
    }

    /// Problems with the orders: `orders` that cannot be given, `wise` or `unwise` ones that
    /// are not offered.
    pub fn illegal(&self) -> Vec<Problem> {
        let mut battle = match self.battle() {
            Ok((battle, _)) => battle,
            Err(problem) => return vec![problem],
        };
        let orders = self.wise.iter().chain(&self.unwise).enumerate();
        let wrong = orders.filter_map(|(n, order)| {
            let nth = self.orders.len() + n;
            self.find(&mut battle, nth, order).err()
        });
        wrong.collect()
    }

    /// What `player` chooses here, and whether that is right.
    pub fn judge(&self, player: Player) -> Result<Chosen, Problem> {
        let (mut battle, setup) = self.battle()?;
        let side = battle.asked().expect("a side is asked").side.index();
        let mut controller = player.controller(&setup, self.rules, side, self.seed);
        let choice = controller.choose(&mut battle);
        let order = choice.text(battle.names());
        let is = |list: &[String]| list.iter().any(|known| fits(known, &order));
        let is_good = (self.wise.is_empty() || is(&self.wise)) && !is(&self.unwise);
        Ok(Chosen { order, is_good })
    }

    /// Percent of playouts that the side wins after the first wise order and after the first
    /// unwise one. `None` if either list is empty.
    pub fn compare(&self, playouts: u32) -> Result<Option<(f32, f32)>, Problem> {
        let (Some(wise), Some(unwise)) = (self.wise.first(), self.unwise.first()) else {
            return Ok(None);
        };
        let (mut battle, _) = self.battle()?;
        let first = self.orders.len();
        let wise = self.find(&mut battle, first, wise)?;
        let unwise = self.find(&mut battle, first + self.wise.len(), unwise)?;
        let refused = |refused| self.problem(first, format!("{refused}"));
        let rates = win_rates(&battle, [&wise, &unwise], playouts);
        Ok(Some(rates.map_err(refused)?.into()))
    }

    /// The first legal choice that an order with this index stands for.
    fn find(&self, battle: &mut Battle, nth: usize, order: &str) -> Result<Choice, Problem> {
        if !order.ends_with('*') {
            let found = battle.find(order);
            return found.map_err(|refused| self.problem(nth, format!("{order}: {refused}")));
        }
        let names = battle.names().clone();
        let mut legal = battle.offers().into_iter().filter(|o| o.is_legal());
        let found = legal.find(|offer| fits(order, &offer.choice.text(&names)));
        let missing = || self.problem(nth, format!("{order}: there is no such offer"));
        found.map(|offer| offer.choice).ok_or_else(missing)
    }
}

/// Percent of playouts that the asked side wins after each of two choices. The quick AI plays
/// on to the end, with the same dice for both.
pub fn win_rates(
    battle: &Battle,
    choices: [&Choice; 2],
    playouts: u32,
) -> Result<[f32; 2], Refused> {
    let side = battle.asked().ok_or(Refused::NoDecision)?.side;
    let mut shares = [0.0; 2];
    for (share, choice) in shares.iter_mut().zip(choices) {
        for n in 0..playouts {
            let mut fork = battle.fork(DiceBox::seeded(n.into()));
            fork.answer(choice.clone())?;
            *share += quick_result(&mut fork, side);
        }
    }
    Ok(shares.map(|won| won * 100.0 / playouts.max(1) as f32))
}

/// Whether an order matches a known one, which may end in `*`.
fn fits(known: &str, order: &str) -> bool {
    match known.strip_suffix('*') {
        Some(start) => order.starts_with(start),
        None => known == order,
    }
}

/// A found position, ready to be written to a file.
pub struct FoundPosition {
    pub seed: u64,
    pub orders: Vec<String>,
    pub wise: String,
    pub unwise: String,
    /// Percent that the wise and the unwise order win.
    pub wins: (f32, f32),
}

impl FoundPosition {
    pub fn title(&self) -> String {
        let (wise, unwise) = self.wins;
        format!(
            "'{}' wins {wise:.0}%, '{}' {unwise:.0}%",
            self.wise, self.unwise
        )
    }

    /// The text of the file: the level's own text, with the position in front.
    pub fn text(&self, level: &Level, rules: &Ruleset) -> String {
        let list = |orders: &[String]| {
            let lines = orders.iter().map(|order| format!("        {order:?},\n"));
            lines.collect::<String>()
        };
        let one = |order: &String| list(std::slice::from_ref(order));
        let body = ron_read::inside(&level.source).unwrap_or(")");
        let own = body.lines();
        let own = own.filter(|line| !line.trim_start().starts_with("rules:"));
        let body: String = own.map(|line| format!("{line}\n")).collect();
        format!(
            "(\n    position: {:?},\n    rules: {},\n    seed: {},\n    orders: [\n{}    ],\n    wise: [\n{}    ],\n    unwise: [\n{}    ],\n    margin: {},\n{body}",
            self.title(),
            rules.id,
            self.seed,
            list(&self.orders),
            one(&self.wise),
            one(&self.unwise),
            // Half the measured difference: it was selected for being large, and would be
            // smaller if measured again.
            ((self.wins.0 - self.wins.1) / 2.0) as u8,
        )
    }
}
