//! The preview on the board: cells in reach, the path and its cost, enemies in reach, targets of an
//! action.

use super::{
    Overlays, Stage,
    dice::RollPart,
    floating_text::FloatingText,
    hand::Hand,
    height,
    labels::{Bit, Label},
    mark_painter::{Layer, Layers, MarkPainter, cell_middle, rect_of},
};
use crate::{
    battle::{AttackForecast, Cost, Id, Reach},
    grid::{Cell, Sight, Space},
    ui::{
        ActionPreview, Playback, Selection, Session,
        art::{marks, palette},
        preview::{Click, OrderDraft, PlanPreview, Predictions},
        selection::Overlay,
        shown::UnitView,
        theme::TextStyle,
        widgets::visible_if,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<AwaitsReading>();
    app.add_systems(
        Update,
        (
            (draw_reach, draw_marks, await_reading).in_set(Stage::Mark),
            hold_back.in_set(Stage::Tell),
        ),
    );
}

/// Whether the board does not show yet what the selected unit can do and what is under the pointer:
/// the last action still plays, or its dice or its result lie there, and the pointer rests since.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AwaitsReading(pub bool);

fn await_reading(
    (session, selection): (Res<Session>, Res<Selection>),
    (playback, hand): (Res<Playback>, Res<Hand>),
    results: Query<(), Or<(With<FloatingText>, With<RollPart>)>>,
    mut rests_at: Local<Option<Vec2>>,
    mut awaits: ResMut<AwaitsReading>,
) {
    let is_asked = session.prompts_turn();
    if !is_asked {
        *rests_at = hand.at;
    } else if hand.at != *rests_at || selection.by_keys {
        *rests_at = None;
    }
    let is_unread = playback.busy || !results.is_empty();
    let now = is_asked && rests_at.is_some() && is_unread;
    awaits.set_if_neq(AwaitsReading(now));
}

/// Hides the cells in reach and the marks of what is under the pointer until the last result was
/// read. The labels hide themselves.
fn hold_back(
    awaits: Res<AwaitsReading>,
    mut marks: Query<(&mut Visibility, &Layer), Without<Label>>,
) {
    if !awaits.0 && !awaits.is_changed() {
        return;
    }
    let its = [
        Layer::ActionPreview,
        Layer::EnemyReach,
        Layer::Intents,
        Layer::Reach,
    ];
    for (mut visibility, _) in marks.iter_mut().filter(|mark| its.contains(mark.1)) {
        visibility.set_if_neq(visible_if(!awaits.0));
    }
}

/// Marks the tint of a cell in reach, which shows what a move there costs.
#[derive(Component)]
pub struct Tint(pub Cost);

/// Most target cells with a ring each; more are drawn as one area.
const FEW: usize = 6;

fn draw_reach(
    layers: Layers,
    (session, preview): (Res<Session>, Res<ActionPreview>),
    mut drawn: Local<(Vec<Reach>, Vec<Space>)>,
) {
    let fallen = session.shown().units.iter();
    let fallen = fallen.filter(|unit| unit.is_there() && !unit.is_up());
    let fallen = Vec::from_iter(fallen.map(|unit| unit.space()));
    let is_gone = layers.is_empty(Layer::Reach) != preview.range().is_empty();
    let is_news = is_gone || drawn.0 != preview.range() || drawn.1 != fallen;
    let painter = layers.redraw(Layer::Reach, is_news, session.shown());
    let Some(mut painter) = painter else { return };
    *drawn = (preview.range().to_vec(), fallen);
    let (_, fallen) = &*drawn;
    let tints = [marks::Reach::Plain, marks::Reach::Extra].map(|reach| {
        let draw = |px| marks::reach(reach, px);
        painter
            .sprites
            .get_or_draw(format!("reach {reach:?}"), draw)
    });
    for end in preview.range() {
        let tint = &tints[usize::from(end.cost == Cost::Extra)];
        // A body must not hide that its cell is in reach.
        let z = match fallen.iter().any(|space| space.contains(end.cell)) {
            true => height::FALLEN + 0.3,
            false => height::REACH,
        };
        painter.lay((Tint(end.cost), tint.laid(cell_middle(end.cell), z)));
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
    layers: Layers,
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    (plan_preview, predictions): (Res<PlanPreview>, Res<Predictions>),
    overlays: Res<Overlays>,
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
    let is_other = preview.is_changed()
        || selection.is_changed()
        || overlays.is_changed()
        || predictions.is_changed() && preview.answer.is_some();
    let is_new = is_other || now != *under_cursor || waits != *waited;
    let painter = layers.redraw(Layer::ActionPreview, is_new, session.shown());
    let Some(painter) = painter else { return };
    (*under_cursor, *waited) = (now, waits);
    let mut enemies_with_reach = match &preview.click {
        Click::Move(_) | Click::Advance(_) => enemies_with_reach(&session),
        _ => vec![],
    };
    // The unit means to end in the reach of its target.
    enemies_with_reach.retain(|enemy| Some(enemy.0) != preview.click.target());
    // The line-of-sight overlay already explains more than the plain line.
    let is_proven = overlays.has(Overlay::Sight);
    let unseen = sight_of(&session, &selection).filter(|_| !is_proven);
    let answer = preview.answer.as_ref();
    let answer = answer.map(|answer| answer.expected(&session, &predictions).0);
    let mut mark_painter = MarkPainter {
        enemies_with_reach,
        numbers: overlays.has(Overlay::Numbers),
        interrupts: preview.interrupts.clone(),
        ..painter
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
