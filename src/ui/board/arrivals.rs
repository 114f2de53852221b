//! The cells where reinforcements enter in this round or the next.

use super::{
    Stage, height,
    mark_painter::{Layer, Layers},
};
use crate::ui::{
    Session,
    art::{marks, tokens::Base},
    shown::middle,
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Lay));
}

fn lay(layers: Layers, session: Res<Session>, mut laid: Local<Vec<(Base, Vec2)>>) {
    if !session.is_changed() && !layers.is_renewed() {
        return;
    }
    let shown = session.shown();
    let arrivals = session.arrivals().into_iter();
    let near = arrivals.filter(|next| next.is_near(shown.clock.round));
    let place = |(id, cell)| {
        let unit = shown.unit(id);
        let place = Vec2::from(middle(cell, unit.size));
        (Base::of_rank(unit.rank), place)
    };
    let now: Vec<(Base, Vec2)> = near.flat_map(|next| next.units).map(place).collect();
    let is_news = *laid != now || layers.is_empty(Layer::Arrivals) != now.is_empty();
    let Some(mut painter) = layers.redraw(Layer::Arrivals, is_news, shown) else {
        return;
    };
    for &(base, place) in &now {
        let name = format!("likely place {base:?}");
        let draw = |px| marks::likely_place(base, px);
        let image = painter.sprites.get_or_draw(name, draw);
        painter.place_image(&image, place, height::NOTES);
    }
    *laid = now;
}
