//! Overlays on the board: a tap of a key toggles one; holding the key shows it only while held.

use super::{
    Stage,
    mark_painter::{Layer, MarkPainter, clear_layer},
    sprites::SpriteCache,
};
use crate::{
    grid::{Board, Cell, Cover, Feature, Proof, Space},
    ui::{
        ActionPreview, Command, Phase, Screen, Selection, Session,
        art::{hud::Panel, palette},
        input::Key,
        modal,
        places::{BoardArea, OverBoard},
        preview::enemies_of,
        selection::Overlay,
        theme::{TextStyle, text},
        widgets::{Hint, NodeExt, SendOnPress, Tip, button, row, show_if, visible_if},
    },
};
use bevy::prelude::*;
use std::collections::BTreeSet;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Overlays>();
    app.add_systems(
        Update,
        (
            let_go.in_set(Phase::Input).run_if(modal::is_clear),
            toggle_overlays.in_set(Phase::Commands),
            (spread_legend, mark_legend, hide_legend, lay_standing, prove).in_set(Stage::Mark),
        )
            .run_if(in_state(Screen::Battle)),
    );
}

/// Which overlays are on.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlays {
    on: [bool; Overlay::ALL.len()],
}

impl Overlays {
    pub fn has(&self, overlay: Overlay) -> bool {
        self.on[overlay as usize]
    }
}

/// Seconds from which a key counts as held.
const HELD: f32 = 0.4;

/// Toggles an overlay back when its held key is released. Only a press that has toggled it counts:
/// a key that is pressed while a card covers the board does nothing.
fn let_go(
    keys: Res<ButtonInput<Key>>,
    (time, overlays): (Res<Time>, Res<Overlays>),
    mut held: Local<[Option<f32>; Overlay::ALL.len()]>,
    mut out: MessageWriter<Command>,
) {
    for overlay in Overlay::ALL {
        let key = Key::Overlay(overlay);
        let held = &mut held[overlay as usize];
        let is_struck = keys.just_pressed(key);
        if let Some(seconds) = *held
            && (is_struck || !keys.pressed(key))
        {
            // Numbers are shown only while their key is held, even after a tap.
            let goes = match overlay {
                Overlay::Numbers => overlays.has(overlay),
                _ => seconds > HELD,
            };
            if goes {
                out.write(Command::Overlay(overlay));
            }
            *held = None;
        }
        *held = match *held {
            Some(seconds) => Some(seconds + time.delta_secs()),
            None => is_struck.then_some(0.0),
        };
    }
}

/// Shows or hides the overlay that a command names.
fn toggle_overlays(mut commands: MessageReader<Command>, mut overlays: ResMut<Overlays>) {
    for command in commands.read() {
        if let Command::Overlay(overlay) = command {
            let on = &mut overlays.on[*overlay as usize];
            *on = !*on;
        }
    }
}

/// A list of the active overlays in a corner of the board; clicking one turns it off. The list of
/// all actions has every overlay.
#[derive(Component)]
struct Legend;

/// The line of one overlay.
#[derive(Component)]
struct LegendKey(Overlay);

fn spread_legend(mut commands: Commands, area: Query<Entity, Added<BoardArea>>) {
    for area in &area {
        let place = Node {
            position_type: PositionType::Absolute,
            left: px(0),
            bottom: px(0),
            ..row(4.0)
        };
        let legend = commands
            .spawn((Legend, OverBoard, ChildOf(area), place, Pickable::IGNORE))
            .id();
        for overlay in Overlay::ALL {
            let of = overlay_button(overlay, Panel::CardActive);
            commands.spawn((LegendKey(overlay), ChildOf(legend), of));
        }
    }
}

/// A button that toggles an overlay: "F3 Enemy plans".
pub fn overlay_button(overlay: Overlay, panel: Panel) -> impl Bundle {
    let node = Node::default().padding(8.0, 1.0);
    let words = Hint::new(format!("{{}} {}", overlay.word()), Key::Overlay(overlay));
    let tip = Tip::default()
        .line(overlay.word(), TextStyle::Strong, palette::INK)
        .line(overlay.explained(), TextStyle::Body, palette::INK);
    (
        button(panel, node),
        SendOnPress(Command::Overlay(overlay)),
        tip,
        children![(text("", TextStyle::Small, palette::INK), words)],
    )
}

/// Hides the legend while an action menu takes its corner.
fn hide_legend(
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    mut legend: Query<&mut Visibility, With<Legend>>,
) {
    let is_free = preview.menu.is_none() && !selection.more;
    for mut seen in &mut legend {
        seen.set_if_neq(visible_if(is_free));
    }
}

fn mark_legend(overlays: Res<Overlays>, mut keys: Query<(Ref<LegendKey>, &mut Node)>) {
    for (key, mut node) in &mut keys {
        if overlays.is_changed() || key.is_added() {
            show_if(&mut node, overlays.has(key.0));
        }
    }
}

/// Draws the cover and height overlays.
fn lay_standing(
    mut commands: Commands,
    sprites: SpriteCache,
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    overlays: Res<Overlays>,
    old: Query<(Entity, &Layer)>,
    mut drawn_for: Local<Option<(Overlays, Option<crate::battle::Id>, Vec<Cell>)>>,
) {
    let is_any = overlays.has(Overlay::Cover) || overlays.has(Overlay::Heights);
    let now = is_any.then(|| {
        let reach = preview.range().iter().map(|r| r.cell);
        let cells = reach.filter(|_| overlays.has(Overlay::Cover));
        (*overlays, selection.chosen, cells.collect())
    });
    let is_stale = is_any && (session.is_changed() || sprites.is_renewed());
    if sprites.cell_px().is_none() || *drawn_for == now && !is_stale {
        return;
    }
    *drawn_for = now;
    clear_layer(&mut commands, &old, Layer::Standing);
    if !is_any {
        return;
    }
    let mut mark_painter = MarkPainter::new(commands, sprites, Layer::Standing, session.shown());
    if overlays.has(Overlay::Heights) {
        let board = &mark_painter.shown.board;
        for cell in board.cells() {
            let floor = board.ground(cell).map_or(0, |g| g.floor);
            if floor != 0 && board.can_stand(Space::one(cell)) {
                mark_painter.height_of(cell, floor.into());
            }
        }
    }
    if let Some(who) = selection.chosen.filter(|_| overlays.has(Overlay::Cover)) {
        let shown = session.shown();
        let own = shown.unit(who);
        let cover = session.queries.rules.forecasting.cover;
        let enemies = enemies_of(&session, who);
        let spaces = Vec::from_iter(enemies.iter().map(|&id| shown.unit(id).space()));
        for end in preview.range() {
            let there = Space::new(end.cell, own.size);
            mark_painter.shelter(end.cell, shelter(&shown.board, cover, there, &spaces));
        }
        for (id, space) in enemies.into_iter().zip(spaces) {
            mark_painter.cover_of(id, cover(&shown.board, own.space(), space));
        }
    }
}

/// Cover in a space against the enemy with the best view of it; `None` if no enemy sees it.
fn shelter(
    board: &Board,
    cover: fn(&Board, Space, Space) -> Option<Cover>,
    space: Space,
    enemies: &[Space],
) -> Option<Cover> {
    let seen = enemies.iter();
    seen.filter_map(|&enemy| cover(board, enemy, space)).min()
}

/// Explains what the selected unit sees of the cell under the cursor.
fn prove(
    mut commands: Commands,
    sprites: SpriteCache,
    session: Res<Session>,
    selection: Res<Selection>,
    overlays: Res<Overlays>,
    old: Query<(Entity, &Layer)>,
    mut drawn_for: Local<Option<(Space, Space)>>,
) {
    let shown = session.shown();
    let ends = || {
        let own = shown.unit(selection.chosen?);
        let cell = selection.cursor.filter(|_| overlays.has(Overlay::Sight))?;
        let unit = shown.on(cell).filter(|p| p.is_up());
        let there = unit.map_or(Space::one(cell), |p| p.space());
        let can = own.is_up() && shown.board.can_stand(there) && there != own.space();
        can.then(|| (own.space(), there))
    };
    let now = ends();
    let is_stale = now.is_some() && (session.is_changed() || sprites.is_renewed());
    if sprites.cell_px().is_none() || *drawn_for == now && !is_stale {
        return;
    }
    *drawn_for = now;
    clear_layer(&mut commands, &old, Layer::Sight);
    let Some((from, to)) = now else { return };
    let proof = shown.board.proof(from, to);
    let lines = proof_in_words(&shown.board, &proof);
    let mut mark_painter = MarkPainter::new(commands, sprites, Layer::Sight, shown);
    mark_painter.proof((from, to), &proof, lines);
}

/// A line-of-sight proof in words: each line with its rule id.
pub fn proof_in_words(board: &Board, proof: &Proof) -> Vec<(String, &'static str)> {
    let blocking = proof.blocking.iter();
    let blocking: BTreeSet<&str> = blocking.map(|(cell, _)| name_of(board, *cell)).collect();
    let blocking = Vec::from_iter(blocking).join(", ");
    let sight = &proof.sight;
    if !sight.los {
        let words = match blocking.is_empty() {
            true => String::from("No line of sight"),
            false => format!("No line of sight: {blocking}"),
        };
        return vec![(words, "GR-10")];
    }
    let cover = match sight.cover {
        Some(Cover::Half) => "half cover",
        Some(Cover::Full) => "full cover",
        _ => "no cover",
    };
    let corners = format!("{} of 8 corners seen: {cover}", sight.corners);
    let mut lines = vec![
        (String::from("Clear line of sight"), "GR-10"),
        (corners, "GR-21"),
    ];
    if !blocking.is_empty() {
        lines.push((format!("Hidden by {blocking}"), "GR-20"));
    }
    lines
}

/// What stands in a cell, in a word or two.
fn name_of(board: &Board, cell: Cell) -> &'static str {
    match board.ground(cell).map(|g| &g.feature) {
        Some(Feature::Wall) => "a wall",
        Some(Feature::LowWall) => "a low wall",
        Some(Feature::Window(_)) => "a window",
        Some(Feature::Slit(_)) => "an arrow slit",
        Some(Feature::Pillar) => "a pillar",
        Some(Feature::Door { .. }) => "a door",
        Some(Feature::Blocks(_)) => "stone",
        Some(Feature::Open) | None => "the ground",
    }
}
