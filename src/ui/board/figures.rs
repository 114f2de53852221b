//! The figures of all enemies while all numbers are shown before the round, each with the selected
//! unit's chances against it from where it stands.

use super::{
    Overlays, Stage,
    labels::Bit,
    mark_painter::{Layer, MarkPainter, clear_layer},
    sprites::SpriteCache,
};
use crate::{
    battle::{AttackForecast, Id},
    ui::{
        Screen, Selection, Session, art::palette, selection::Overlay, session::ShownMoment,
        theme::TextStyle,
    },
};
use bevy::prelude::*;
use std::iter;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        lay.in_set(Stage::Mark).run_if(in_state(Screen::Battle)),
    );
}

/// Rank of these labels: after all that are about an order.
const RANK: u32 = 1_000;

fn lay(
    mut commands: Commands,
    sprites: SpriteCache,
    session: Res<Session>,
    (selection, overlays): (Res<Selection>, Res<Overlays>),
    old: Query<(Entity, &Layer)>,
    mut drawn: Local<Option<(ShownMoment, Id)>>,
) {
    let is_wanted = overlays.has(Overlay::Numbers) && session.is_declaring();
    let chosen = selection.chosen.filter(|_| is_wanted);
    let now = chosen.map(|who| (session.moment(), who));
    if sprites.cell_px().is_none() || *drawn == now && !sprites.is_renewed() {
        return;
    }
    *drawn = now;
    clear_layer(&mut commands, &old, Layer::Enemies);
    let Some(who) = chosen else { return };
    let mut painter = MarkPainter::new(commands, sprites, Layer::Enemies, session.shown());
    for enemy in session.known_enemies() {
        let attack = session.queries.attacks(who, enemy).into_iter().next();
        let chance = attack.as_ref().map(AttackForecast::in_brief);
        let chance = chance.map(|words| Bit::Words(words, TextStyle::Strong, palette::TEAL));
        let figures = session.queries.figures(enemy).into_iter().next();
        let figures = figures.map(|words| vec![Bit::small(words, palette::INK)]);
        // Between two units, a label could be about either.
        let name = session.shown().unit(enemy).name.clone();
        let name = Bit::Words(name, TextStyle::Strong, palette::INK);
        let first = iter::once(name).chain(chance).collect();
        let lines: Vec<Vec<Bit>> = iter::once(first).chain(figures).collect();
        painter.beside(enemy, lines, &[], RANK + u32::from(enemy.0));
    }
}
