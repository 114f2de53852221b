//! The table of enemies that matter at the end of a path: those the unit can attack from there, and
//! those that can attack it there. At the end of a plan, only the latter.

use super::attack;
use crate::battle::{Harmless, Shot};
use crate::control::exchange::Exchange;
use crate::ui::{
    Session,
    art::palette,
    hud::SmallPictures,
    theme::{TextStyle, faded, text},
    widgets::{NodeExt, SpawnWith, rigid, row, spacer},
};
use bevy::prelude::*;

/// The chances between the unit and one enemy at the end of a path.
#[derive(PartialEq)]
pub(super) struct ChancesThere {
    name: String,
    /// Whether the unit can attack on this turn.
    now: bool,
    of: Exchange,
}

impl ChancesThere {
    /// `shots`: the attacks that the unit can make from there on this turn.
    pub(super) fn new(session: &Session, shots: &[Shot], exchange: &Exchange) -> Self {
        let shot = shots.iter().find(|s| s.at == exchange.enemy).copied();
        Self {
            name: session.shown().unit(exchange.enemy).name.clone(),
            now: shot.is_some(),
            of: Exchange {
                gives: shot.or(exchange.gives),
                ..*exchange
            },
        }
    }

    /// The enemy's attack, and the mark of one after a move.
    fn taken(&self) -> Option<(Shot, &'static str)> {
        let takes = self.of.takes.map(|shot| (shot, ""));
        takes.or(self.of.comes.map(|shot| (shot, MOVES_FIRST)))
    }
}

/// Marks an attack that the enemy can make only after a move.
const MOVES_FIRST: &str = "*";

/// Most enemies listed.
pub(super) const MAX_LINES: usize = 6;

/// Most enemies that the sentence names.
const MAX_NAMED: usize = 3;

/// Names the enemies that can hit the unit there in one sentence, where a table has no room. Of many,
/// only the most dangerous.
pub(super) fn sentence(card: &mut ChildSpawnerCommands, all: &[ChancesThere]) {
    let taken = |one: &ChancesThere| one.taken().map(|it| (one.name.clone(), it));
    let all: Vec<_> = all.iter().filter_map(taken).collect();
    let words = match &all[..] {
        [(name, (shot, _)), more @ ..] if more.len() >= MAX_NAMED => {
            format!("{name} {}% and {} more", shot.percent, more.len())
        }
        all => {
            let hit = |(name, (shot, mark)): &(String, (Shot, &str))| {
                format!("{name} {}%{mark}", shot.percent)
            };
            let moves_first = all.iter().any(|(_, (_, mark))| !mark.is_empty());
            let note = if moves_first { " (* after a move)" } else { "" };
            Vec::from_iter(all.iter().map(hit)).join(", ") + note
        }
    };
    let words = format!("Hits you there: {words}");
    card.spawn(text(words, TextStyle::Small, palette::DANGER));
}

/// Lists at most `most` of the enemies that can hit the unit there; with `gives`, also those in its
/// reach from there.
pub(super) fn table(
    card: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    (all, gives, most): (&[ChancesThere], bool, usize),
) {
    if all.is_empty() {
        return;
    }
    let head = |line: &mut ChildSpawnerCommands, words: &str| {
        line.spawn((cell(), children![faded(words)]));
    };
    card.spawn_with(row(COLUMN_GAP), |line| {
        line.spawn(faded("From there"));
        line.spawn(spacer());
        if gives {
            head(line, "you hit");
        }
        head(line, "hits you");
    });
    for one in all.iter().take(most) {
        card.spawn_with(row(COLUMN_GAP), |line| {
            line.spawn(text(one.name.clone(), TextStyle::Body, palette::INK));
            line.spawn(spacer());
            let ink = if one.now {
                palette::TEAL
            } else {
                palette::FADED_INK
            };
            let given = one.of.gives.map(|shot| (shot, ""));
            let given = gives.then_some((given, ink, "–"));
            let why_not = one.of.harmless.map_or("–", Harmless::words);
            let taken = (one.taken(), palette::DANGER, why_not);
            for (shot, ink, none) in given.into_iter().chain([taken]) {
                line.spawn_with(cell(), |place| {
                    let Some((shot, mark)) = shot else {
                        place.spawn(text(none, TextStyle::Body, palette::FADED_INK));
                        return;
                    };
                    attack::cover(place, icons, shot.cover);
                    let words = format!("{}%{mark}", shot.percent);
                    place.spawn(text(words, TextStyle::Strong, ink));
                });
            }
        });
    }
    let more = all.len().saturating_sub(most);
    if more > 0 {
        card.spawn(faded(format!("and {more} more")));
    }
    if gives && all.iter().any(|l| l.of.gives.is_some() && !l.now) {
        card.spawn(faded("Grey: not before your next turn"));
    }
    if all.iter().any(|l| l.of.comes.is_some()) {
        card.spawn(faded("* after it has moved"));
    }
    let is_far = |l: &ChancesThere| l.of.harmless.is_none() && l.taken().is_none();
    if all.iter().any(is_far) {
        card.spawn(faded("Hits you –: out of its reach next turn"));
    }
}

/// Gap between the columns of the table, in layout pixels: as wide as leaves room for the names of
/// enemies such as "Goblin archer 1".
const COLUMN_GAP: f32 = 8.0;

/// A right-aligned table cell.
fn cell() -> Node {
    rigid(row(4.0).min_width(px(72)).justify(JustifyContent::End))
}
