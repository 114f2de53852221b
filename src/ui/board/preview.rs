//! The preview on the board: cells in reach, the path and its cost, enemies in reach, targets of an
//! action.

use super::{
    Overlays, Stage, height,
    labels::Bit,
    mark_painter::{Layer, MarkPainter, cell_middle, clear_layer, rect_of},
    sprites::{SpriteCache, at},
};
use crate::{
    battle::{AttackForecast, Cost, Id, Reach},
    grid::{Cell, Sight},
    ui::{
        ActionPreview, Screen, Selection, Session,
        art::{marks, palette},
        preview::{Click, OrderDraft, PlanPreview},
        selection::Overlay,
        shown::UnitView,
        theme::TextStyle,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (draw_reach, draw_marks).in_set(Stage::Mark));
}

/// Marks the tint of a cell in reach, which shows what a move there costs.
#[derive(Component)]
pub struct Tint(pub Cost);

/// Most target cells with a ring each; more are drawn as one area.
const FEW: usize = 6;

fn draw_reach(
    mut commands: Commands,
    preview: Res<ActionPreview>,
    mut sprites: SpriteCache,
    old: Query<Entity, With<Tint>>,
    mut drawn: Local<(Vec<Reach>, u32)>,
) {
    let Some(px) = sprites.cell_px() else { return };
    let is_laid = drawn.0 == preview.range() && drawn.1 == px;
    if is_laid && old.is_empty() == drawn.0.is_empty() {
        return;
    }
    *drawn = (preview.range().to_vec(), px);
    old.iter().for_each(|tint| commands.entity(tint).despawn());
    let mut tint =
        |reach| sprites.get_or_draw(format!("reach {reach:?}"), |px| marks::reach(reach, px));
    let tints = [tint(marks::Reach::Plain), tint(marks::Reach::Extra)];
    for end in preview.range() {
        let tint = &tints[usize::from(end.cost == Cost::Extra)];
        let place = Transform::from_translation(at(cell_middle(end.cell), height::REACH));
        commands.spawn((
            Tint(end.cost),
            DespawnOnExit(Screen::Battle),
            tint.sprite(),
            place,
        ));
    }
}

/// What is under the cursor.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct UnderCursor {
    cell: Option<Cell>,
    unit: Option<Id>,
    /// The unit that was there has gone, and the cursor has not moved since.
    pub has_unit_gone: bool,
}

impl UnderCursor {
    /// The next state, from the cell under the cursor and the unit there.
    pub fn next(self, cell: Option<Cell>, unit: Option<Id>) -> Self {
        let was_there = cell == self.cell && (self.unit.is_some() || self.has_unit_gone);
        Self {
            cell,
            unit,
            has_unit_gone: unit.is_none() && was_there,
        }
    }
}

fn draw_marks(
    mut commands: Commands,
    sprites: SpriteCache,
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    plan_preview: Res<PlanPreview>,
    overlays: Res<Overlays>,
    old: Query<(Entity, &Layer)>,
    (mut under_cursor, mut waited): (Local<UnderCursor>, Local<bool>),
) {
    let cell = selection.cursor;
    let unit = selection.pointed(session.shown());
    let now = under_cursor.next(cell, unit.map(|unit| unit.id));
    // An attack to plan is marked here until the plans draw it: they wait for its preview.
    let waits = match &preview.click {
        Click::Plan(draft) => draft.attack.is_some() && !plan_preview.knows(draft),
        _ => false,
    };
    let is_other = preview.is_changed() || selection.is_changed() || overlays.is_changed();
    let is_new = is_other || now != *under_cursor || waits != *waited;
    if sprites.cell_px().is_none() || !(is_new || sprites.is_renewed()) {
        return;
    }
    (*under_cursor, *waited) = (now, waits);
    clear_layer(&mut commands, &old, Layer::ActionPreview);
    let enemies_with_reach = match &preview.click {
        Click::Move(_) | Click::Advance(_) => enemies_with_reach(&session),
        _ => vec![],
    };
    // The line-of-sight overlay already explains more than the plain line.
    let is_proven = overlays.has(Overlay::Sight);
    let unseen = sight_of(&session, &selection).filter(|_| !is_proven);
    let answer = preview.answer.as_ref().map(|a| &*a.attack);
    let mut mark_painter = MarkPainter {
        enemies_with_reach,
        numbers: overlays.has(Overlay::Numbers),
        interrupts: preview.interrupts.clone(),
        ..MarkPainter::new(commands, sprites, Layer::ActionPreview, session.shown())
    };
    match &preview.click {
        Click::Move(way) => mark_painter.threats(way),
        Click::Advance(advance) => mark_painter.threats(&advance.way),
        _ => {}
    }
    for &id in &preview.targets {
        mark_painter.ring_round(marks::Ring::Target, id);
    }
    if preview.places.len() > FEW {
        mark_painter.aimable(&preview.places);
    } else {
        for &cell in &preview.places {
            mark_painter.ring(marks::Ring::Target, cell_middle(cell), 0.46);
        }
    }
    // The log entry or the choice under the pointer.
    let highlighted = selection.highlighted;
    let units = mark_painter.shown.units.iter();
    let units = units.filter(|p| p.is_there() && highlighted.units & p.id.bit() != 0);
    for id in units.map(|unit| unit.id).collect::<Vec<_>>() {
        mark_painter.ring_round(marks::Ring::Hover, id);
    }
    let on = |cell| session.shown().on(cell);
    mark_painter.cursor(highlighted.cell, highlighted.cell.and_then(on));
    // A reaction prompt: marks the units that can react, and who attacks which target.
    if let Some(asked) = session.prompt().filter(|q| !q.is_turn()) {
        for &id in &asked.actors {
            mark_painter.ring_round(marks::Ring::Active, id);
        }
        for rolled_attack in session.queries.pending_attacks() {
            mark_painter.attack(rolled_attack.attack.by, rolled_attack.attack.at);
        }
        // The panel of the prompt is far from the unit.
        let heading = preview.menu.as_ref().map(|menu| &menu.heading);
        if let (Some(&who), Some(words)) = (asked.actors.first(), heading)
            && !words.is_empty()
        {
            let about = rect_of(mark_painter.shown.unit(who).space());
            let words = Bit::Words(words.clone(), TextStyle::Strong, palette::INK);
            mark_painter.corner_label(about, 0, vec![vec![words]]);
        }
    }
    let size = selection
        .chosen
        .map_or(1, |id| mark_painter.shown.unit(id).size);
    mark_painter.waypoints(&selection.waypoints, size);
    // Nothing marks a cell that its unit has left: the mark would seem to be about the unit.
    let marked = cell.filter(|_| !now.has_unit_gone);
    let charges = session.queries.rules.planning.straight_charges;
    let is_straight = |forecast: &AttackForecast| charges.contains(&forecast.choice.verb);
    match &preview.click {
        Click::Move(way) => mark_painter.way(way, &preview.exchanges, selection.chosen),
        // The plans draw a declared attack, with its chance.
        Click::Attack(attack) if is_drawn_as_plan(&session, attack) => {
            mark_painter.ring_round(marks::Ring::Target, attack.at);
        }
        Click::Attack(forecast) => mark_painter.exchange(forecast, answer, is_straight(forecast)),
        Click::Advance(advance) => {
            mark_painter.way(&advance.way, &[], selection.chosen);
            mark_painter.attack_after(&advance.way, &advance.attack, answer);
        }
        Click::Act { choice, seen, .. } | Click::Aim { choice, seen, .. } => {
            mark_painter.area(&seen.area, palette::DANGER);
            if let Some(id) = choice.at {
                mark_painter.ring_round(marks::Ring::Target, id);
            } else if let Some(cell) = choice.to {
                mark_painter.ring(marks::Ring::Target, cell_middle(cell), 0.46);
            }
            if let (Click::Act { .. }, Some(_)) = (&preview.click, choice.at) {
                mark_painter.cursor(choice.to, None);
            }
            if let (Some(who), Some(at)) = (choice.who, choice.at) {
                mark_painter.aim_at(who, at);
            }
            let spell = choice.spell.map(|spell| session.game.spell(spell));
            let harms = spell.is_some_and(|spell| spell.effect.harms());
            mark_painter.odds(choice.who.filter(|_| harms), &seen.odds);
            if let Some(who) = choice.who {
                mark_painter.show_provoked(who, &seen.provoked);
            }
        }
        // Without an attack left, the line of sight does not matter.
        Click::NoAttack(why) => {
            mark_painter.cursor(marked, unit);
            if let Some((by, at, sight)) = unseen {
                mark_painter.sight((by, at), (sight, why.as_str()), answer);
            }
        }
        Click::No(why) => match selection.cursor {
            Some(cell) if mark_painter.shown.on(cell).is_none() => {
                mark_painter.refusal(cell, why, selection.ink_of_refusal());
            }
            _ => mark_painter.cursor(marked, unit),
        },
        Click::Plan(draft) => match &draft.attack {
            Some(forecast) if waits => {
                mark_painter.exchange(forecast, answer, is_straight(forecast))
            }
            Some(forecast) => {
                mark_painter.ring_round(marks::Ring::Target, forecast.at);
            }
            None => mark_painter.cursor(marked, unit),
        },
        Click::Nothing | Click::Choose(_) => mark_painter.cursor(marked, unit),
    }
}

/// Enemies that attack units leaving their reach, with their reach in feet.
fn enemies_with_reach(session: &Session) -> Vec<(Id, u16)> {
    let enemies = session.shown().enemies_of(session.player());
    let reach = |enemy: &UnitView| Some((enemy.id, session.queries.threat(enemy.id)?));
    enemies.filter_map(reach).collect()
}

/// Whether an attack would be declared now, as a draft with the same chance.
fn is_drawn_as_plan(session: &Session, attack: &AttackForecast) -> bool {
    session.is_declaring()
        && OrderDraft::of_choice(session, &attack.choice)
            .attack
            .is_some()
}

/// What the selected unit sees of the enemy under the cursor.
fn sight_of(session: &Session, selection: &Selection) -> Option<(Id, Id, Sight)> {
    let shown = session.shown();
    let own = shown.unit(selection.chosen?);
    let enemy = selection.pointed(shown).filter(|p| p.side != own.side)?;
    let sight = shown.board.sight(own.space(), enemy.space());
    (own.is_up() && enemy.is_up()).then_some((own.id, enemy.id, sight))
}
