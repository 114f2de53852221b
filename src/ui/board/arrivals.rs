//! The cells where reinforcements enter in this round or the next.

use super::{
    Stage, height,
    sprites::{SpriteCache, at},
};
use crate::ui::{
    Screen, Session,
    art::{marks, tokens::Base},
    shown::middle,
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Lay));
}

/// The mark on a cell where a unit is about to enter.
#[derive(Component)]
pub struct ArrivalMark;

fn lay(
    mut commands: Commands,
    session: Res<Session>,
    mut sprites: SpriteCache,
    old: Query<Entity, With<ArrivalMark>>,
    mut laid: Local<(Vec<(Base, Vec2)>, u32)>,
) {
    let Some(px) = sprites.cell_px() else { return };
    if !session.is_changed() && !sprites.is_renewed() && laid.1 == px {
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
    let is_there = old.is_empty() == now.is_empty();
    if laid.0 == now && laid.1 == px && is_there {
        return;
    }
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    for &(base, place) in &now {
        let name = format!("likely place {base:?}");
        let image = sprites.get_or_draw(name, |px| marks::likely_place(base, px));
        let place = Transform::from_translation(at(place, height::NOTES));
        commands.spawn((
            ArrivalMark,
            DespawnOnExit(Screen::Battle),
            image.sprite(),
            place,
        ));
    }
    *laid = (now, px);
}
