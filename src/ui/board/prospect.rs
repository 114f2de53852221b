//! What lies before the player: the cells in reach, the path and its price,
//! whom one could hit, whom an act may be aimed at.

use super::{
    Overlay, Overlays, Stage,
    easel::{Easel, Layer, heart, take_off},
    height,
    prints::{Studio, at},
};
use crate::{
    battle::Id,
    grid::Sight,
    ui::{
        Pick, Prospect, Screen, Session,
        art::{marks, palette},
        prospect::{Click, Cost, Reach},
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (lay_reach, lay_marks).in_set(Stage::Mark));
}

/// A cell in reach.
#[derive(Component)]
struct Tint;

/// So many cells are ringed each; more are one area.
const FEW: usize = 6;

fn lay_reach(
    mut commands: Commands,
    prospect: Res<Prospect>,
    mut studio: Studio,
    old: Query<Entity, With<Tint>>,
    mut laid: Local<(Vec<Reach>, u32)>,
) {
    let Some(px) = studio.cell_px() else { return };
    let is_laid = laid.0 == prospect.reach && laid.1 == px;
    if is_laid && old.is_empty() == laid.0.is_empty() {
        return;
    }
    *laid = (prospect.reach.clone(), px);
    old.iter().for_each(|tint| commands.entity(tint).despawn());
    let mut tint = |reach| studio.print(format!("reach {reach:?}"), |px| marks::reach(reach, px));
    let tints = [tint(marks::Reach::Plain), tint(marks::Reach::Dear)];
    for end in &prospect.reach {
        let tint = &tints[usize::from(end.cost == Cost::Dear)];
        let place = Transform::from_translation(at(heart(end.cell), height::REACH));
        commands.spawn((Tint, DespawnOnExit(Screen::Battle), tint.sprite(), place));
    }
}

fn lay_marks(
    mut commands: Commands,
    studio: Studio,
    mut session: ResMut<Session>,
    (pick, prospect): (Res<Pick>, Res<Prospect>),
    overlays: Res<Overlays>,
    old: Query<(Entity, &Layer)>,
) {
    let is_new = prospect.is_changed() || pick.is_changed() || overlays.is_changed();
    if studio.cell_px().is_none() || !(is_new || studio.is_renewed()) {
        return;
    }
    take_off(&mut commands, &old, Layer::Prospect);
    // Reading through the session leaves it as it was.
    let session = session.bypass_change_detection();
    let armed = match &prospect.click {
        Click::Move(_) => armed(session),
        _ => vec![],
    };
    // The proof says more than the plain line.
    let is_proven = overlays.has(Overlay::Sight);
    let unseen = sight_of(session, &pick).filter(|_| !is_proven);
    let answer = prospect.answer.as_ref().map(|a| &*a.blow);
    let mut easel = Easel {
        commands,
        studio,
        layer: Layer::Prospect,
        shown: session.shown(),
        armed,
    };
    if let Click::Move(way) = &prospect.click {
        easel.threats(Some(way));
    }
    for &id in &prospect.targets {
        easel.ring_round(marks::Ring::Target, id);
    }
    if prospect.places.len() > FEW {
        easel.area(&prospect.places, palette::TEAL);
    } else {
        for &cell in &prospect.places {
            easel.ring(marks::Ring::Target, heart(cell), 0.46);
        }
    }
    // A question out of turn: who is asked, and what flies at whom.
    if session.is_prompted() {
        for &id in session.question().map_or(&[][..], |q| &q.actors) {
            easel.ring_round(marks::Ring::Active, id);
        }
        for shot in session.flights() {
            easel.aim_at(shot.attack.by, shot.attack.at, palette::DANGER);
        }
    }
    let size = pick.chosen.map_or(1, |id| easel.shown.person(id).size);
    easel.via(&pick.via, size);
    match &prospect.click {
        Click::Move(way) => easel.way(way, &prospect.exchanges, pick.chosen),
        Click::Blow(blow) => easel.blow(blow, answer),
        Click::Act { choice, seen, .. } | Click::Aim { choice, seen, .. } => {
            easel.area(&seen.area, palette::DANGER);
            if let Some(id) = choice.at {
                easel.ring_round(marks::Ring::Target, id);
            } else if let Some(cell) = choice.to {
                easel.ring(marks::Ring::Target, heart(cell), 0.46);
            }
            if let (Some(who), Some(at)) = (choice.who, choice.at) {
                easel.aim_at(who, at, palette::TEAL);
            }
            easel.odds(&seen.odds);
            if let Some(who) = choice.who {
                easel.draws(who, &seen.draws);
            }
        }
        Click::No(_) if unseen.is_some() => {
            easel.cursor(&pick);
            if let Some((by, at, sight)) = unseen {
                easel.sight((by, at), sight, answer);
            }
        }
        Click::No(why) => match pick.cursor {
            Some(cell) if easel.shown.on(cell).is_none() => easel.refusal(cell, why),
            _ => easel.cursor(&pick),
        },
        Click::Nothing | Click::Choose(_) => easel.cursor(&pick),
    }
}

/// The foes who threaten whom leaves their reach, and how far, in feet.
pub(super) fn armed(session: &mut Session) -> Vec<(Id, u16)> {
    let player = session.player();
    let people = session.shown().people.iter();
    let foes = people.filter(|p| p.is_up() && p.side != player);
    let foes: Vec<Id> = foes.map(|p| p.id).collect();
    let reach = |id| Some((id, session.threat(id)?));
    foes.into_iter().filter_map(reach).collect()
}

/// What the one in hand sees of the foe under the cursor.
fn sight_of(session: &Session, pick: &Pick) -> Option<(Id, Id, Sight)> {
    let shown = session.shown();
    let own = shown.person(pick.chosen?);
    let foe = shown.on(pick.cursor?).filter(|p| p.side != own.side)?;
    let sight = shown.board.sight(own.space(), foe.space());
    (own.is_up() && foe.is_up()).then_some((own.id, foe.id, sight))
}
