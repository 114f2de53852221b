//! The objectives of each side and their progress, and the reinforcements that come next. In a low
//! window the other sides' objectives are in the tooltip, and so are reinforcements of later rounds.

use crate::{
    battle::capitalised,
    ui::{
        Session,
        art::palette,
        room::Room,
        shown::ShownObjective,
        theme::{TextStyle, colour, one_line, text},
        widgets::{Filled, SpawnWith, Tip, refill, rigid, row, wide_column},
    },
};
use bevy::prelude::*;

#[derive(Component, Default)]
pub struct ObjectivesCard;

#[derive(PartialEq)]
pub struct ObjectivesModel {
    lines: Vec<ObjectiveRow>,
    is_low: bool,
}

/// Height of a window below which only the player's own objectives fit, in layout pixels.
const LOW: f32 = 820.0;

#[derive(Clone, PartialEq)]
struct ObjectiveRow {
    /// The side's name; empty for the player's own side.
    whose: String,
    of: ShownObjective,
    /// Whether its progress changed since the player's last decision.
    is_news: bool,
    /// Whether it is about reinforcements of this round or the next.
    is_near: bool,
}

/// The progress at the player's last decision.
#[derive(Default)]
pub(super) struct Before {
    answered: usize,
    standings: Vec<String>,
}

pub(super) fn refresh(
    session: Res<Session>,
    card: Single<(Entity, &mut Node), With<ObjectivesCard>>,
    mut last: Local<Filled<ObjectivesModel>>,
    room: Room,
    mut commands: Commands,
    mut before: Local<Before>,
) {
    let (card, mut node) = card.into_inner();
    let is_low = room.has_window() && room.size().y < LOW;
    let padding = px(if is_low { 2.0 } else { 6.0 });
    if node.padding.top != padding {
        (node.padding.top, node.padding.bottom) = (padding, padding);
    }
    let shown = session.objectives();
    let whose = |side| match side == session.player() {
        true => String::new(),
        false => capitalised(session.game.names().side(side)),
    };
    let objectives = (shown.iter().enumerate()).map(|(n, objective)| ObjectiveRow {
        whose: whose(objective.side),
        of: objective.clone(),
        is_news: before
            .standings
            .get(n)
            .is_some_and(|s| *s != objective.standing),
        is_near: false,
    });
    let round = session.shown().clock.round;
    let arrivals = session.arrivals();
    let arrivals = arrivals.iter().map(|next| ObjectiveRow {
        whose: whose(next.side),
        of: ShownObjective {
            side: next.side,
            text: String::from("Reinforcements"),
            standing: next.words(round),
            note: None,
            is_lost: false,
            is_met: false,
        },
        is_news: false,
        is_near: next.is_near(round),
    });
    let now = ObjectivesModel {
        is_low,
        lines: objectives.chain(arrivals).collect(),
    };
    let answered = session.game.answered();
    if session.question().is_some() && before.answered != answered || before.standings.is_empty() {
        let standings = shown.into_iter().map(|objective| objective.standing);
        *before = Before {
            answered,
            standings: standings.collect(),
        };
    }
    refill(&mut commands, (card, now), &mut last, |card, model| {
        let tip = model.lines.iter().fold(Tip::default(), |tip, line| {
            tip.small(format!("{}: {}", line.whole(), line.of.standing))
        });
        let place = card.target_entity();
        match is_low {
            true => card.commands().entity(place).insert(tip),
            false => card.commands().entity(place).remove::<Tip>(),
        };
        let is_shown = |line: &&ObjectiveRow| !is_low || line.is_own() || line.is_near;
        let shown = model.lines.iter().filter(is_shown);
        shown.for_each(|line| line.show(card));
    });
}

impl ObjectiveRow {
    fn is_own(&self) -> bool {
        self.whose.is_empty()
    }

    /// The text with the side's name.
    fn whole(&self) -> String {
        match self.is_own() {
            true => self.of.text.clone(),
            false => format!("{}: {}", self.whose, self.of.text),
        }
    }

    fn show(&self, card: &mut ChildSpawnerCommands) {
        let node = Node {
            align_items: AlignItems::Baseline,
            justify_content: JustifyContent::SpaceBetween,
            border: UiRect::left(px(3)),
            padding: UiRect::left(px(5)),
            ..row(8.0)
        };
        let edge = match self.is_news {
            true => colour(palette::GOLD),
            false => Color::NONE,
        };
        let (is_own, words) = (self.is_own(), self.whole());
        let (cut, ink) = match is_own {
            true => (TextStyle::Body, palette::INK),
            false => (TextStyle::Small, palette::FADED_INK),
        };
        let standing = match (self.of.is_lost, self.of.is_met, is_own) {
            (true, _, true) | (_, true, false) => palette::DANGER,
            (_, true, true) | (true, _, false) => palette::TEAL,
            _ => ink,
        };
        card.spawn_with((node, BorderColor::all(edge), Pickable::IGNORE), |line| {
            line.group(wide_column(0.0), |column| {
                column.spawn(text(words, cut, ink));
                if let Some(note) = &self.of.note {
                    column.spawn(text(note.clone(), TextStyle::Small, palette::TEAL));
                }
            });
            let cut = match is_own {
                true => TextStyle::Strong,
                false => TextStyle::Label,
            };
            let words = one_line(self.of.standing.clone(), cut, standing);
            line.spawn((words, rigid(Node::default())));
        });
    }
}
