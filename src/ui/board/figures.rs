//! The figures of all enemies while all numbers are shown before the round, each with the selected
//! unit's chances against it from where it stands.

use super::{
    Overlays, Stage,
    labels::Bit,
    mark_painter::{Layer, Layers},
};
use crate::{
    battle::{AttackForecast, Id},
    ui::{
        Selection, Session, art::palette, selection::Overlay, session::ShownMoment,
        theme::TextStyle,
    },
};
use bevy::prelude::*;
use std::iter;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Mark));
}

/// Rank of these labels: after all that are about an order.
const RANK: u32 = 1_000;

fn lay(
    layers: Layers,
    session: Res<Session>,
    (selection, overlays): (Res<Selection>, Res<Overlays>),
    mut drawn: Local<Option<(ShownMoment, Id)>>,
) {
    let is_wanted = overlays.has(Overlay::Numbers) && session.is_declaring();
    let chosen = selection.chosen.filter(|_| is_wanted);
    let now = chosen.map(|who| (session.moment(), who));
    let painter = layers.redraw(Layer::Enemies, *drawn != now, session.shown());
    let Some(mut painter) = painter else { return };
    *drawn = now;
    let Some(who) = chosen else { return };
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
