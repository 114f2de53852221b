//! Overlays on the board: a tap of a key toggles one; holding the key shows it only while held.

use super::{
    Stage,
    enemy_reach::EnemyReach,
    mark_painter::{Layer, Layers},
};
use crate::{
    battle::Id,
    grid::{Board, Cell, Cover, Feature, Proof, Space},
    ui::{
        ActionPreview, Command, Phase, Screen, Selection, Session,
        art::{hud::Panel, palette},
        input::Key,
        modal,
        places::OverBoard,
        selection::Overlay,
        theme::{self, TextStyle, one_line, text},
        widgets::{Filled, Hint, NodeExt, SendOnPress, Tip, button, panel_style, refill, row},
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
            (show_legend, lay_standing, prove).in_set(Stage::Mark),
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

/// What the hatching of cells means.
const HATCHING: &str = "Hatched or outlined: melee next turn; dashed: charge or shot";

/// The empty legend, a child of the board.
pub fn legend() -> impl Bundle {
    let node = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        bottom: px(0),
        ..row(4.0)
    };
    (Legend, OverBoard, node, Pickable::IGNORE)
}

/// Lists the active overlays and explains the hatching while there is any. An action menu takes the
/// corner for itself.
fn show_legend(
    (overlays, reach): (Res<Overlays>, Res<EnemyReach>),
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    legend: Single<Entity, With<Legend>>,
    mut shown: Local<Filled<(Vec<Overlay>, bool)>>,
    mut commands: Commands,
) {
    let is_free = preview.menu.is_none() && !selection.more;
    let mut on = Vec::from(Overlay::ALL);
    on.retain(|&overlay| is_free && overlays.has(overlay));
    let now = (*legend, (on, is_free && reach.is_hatched()));
    refill(
        &mut commands,
        now,
        &mut shown,
        |legend, (on, is_hatched)| {
            for &overlay in on {
                legend.spawn(overlay_button(overlay, Panel::CardActive));
            }
            if *is_hatched {
                let node = Node::default()
                    .padding(8.0, 1.0)
                    .border(theme::LINE)
                    .rounded(BorderRadius::all(px(theme::RADIUS)));
                let words = one_line(HATCHING, TextStyle::Small, palette::DANGER);
                let look = (node, panel_style(Panel::CardLight), Pickable::IGNORE);
                legend.spawn((look, children![words]));
            }
        },
    );
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

/// Draws the cover and height overlays.
fn lay_standing(
    layers: Layers,
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    overlays: Res<Overlays>,
    mut drawn_for: Local<Option<(Overlays, Option<Id>, Vec<Cell>)>>,
) {
    let is_any = overlays.has(Overlay::Cover) || overlays.has(Overlay::Heights);
    let now = is_any.then(|| {
        let reach = preview.range().iter().map(|r| r.cell);
        let cells = reach.filter(|_| overlays.has(Overlay::Cover));
        (*overlays, selection.chosen, cells.collect())
    });
    let is_news = *drawn_for != now || is_any && session.is_changed();
    let painter = layers.redraw(Layer::Standing, is_news, session.shown());
    let Some(mut mark_painter) = painter else {
        return;
    };
    *drawn_for = now;
    if !is_any {
        return;
    }
    if overlays.has(Overlay::Heights) {
        let board = &mark_painter.shown.board;
        for cell in board.cells() {
            let floor = board.ground(cell).map_or(0, |g| g.floor);
            if floor != 0 && board.can_stand(Space::one(cell)) {
                mark_painter.height_of(cell, floor.into());
            }
        }
    }
    if !overlays.has(Overlay::Cover) {
        return;
    }
    let shown = session.shown();
    let cover = session.queries.rules.forecasting.cover;
    let enemies = shown.enemies_of(session.player());
    let enemies: Vec<(Id, Space)> = enemies.map(|unit| (unit.id, unit.space())).collect();
    let spaces = Vec::from_iter(enemies.iter().map(|enemy| enemy.1));
    // While enemies act, the cover of your units counts.
    let acting = selection.chosen.filter(|_| session.is_players_turn());
    if let Some(who) = acting {
        let own = shown.unit(who);
        for end in preview.range() {
            let there = Space::new(end.cell, own.size);
            mark_painter.shelter(end.cell, shelter(&shown.board, cover, there, &spaces));
        }
        for (id, space) in enemies {
            mark_painter.cover_of(id, cover(&shown.board, own.space(), space));
        }
        return;
    }
    for unit in shown.members(session.player()).filter(|unit| unit.is_up()) {
        let cover = shelter(&shown.board, cover, unit.space(), &spaces);
        mark_painter.cover_of(unit.id, cover);
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

/// Draws the selected unit's lines of sight to all enemies, or explains what it sees of the cell
/// under the cursor.
fn prove(
    layers: Layers,
    session: Res<Session>,
    selection: Res<Selection>,
    overlays: Res<Overlays>,
    mut drawn_for: Local<Option<(Space, Option<Space>)>>,
) {
    let shown = session.shown();
    let ends = || {
        let chosen = selection.chosen.filter(|_| overlays.has(Overlay::Sight))?;
        let own = shown.unit(chosen);
        let there = selection.cursor.map(|cell| {
            let unit = shown.on(cell).filter(|p| p.is_up());
            unit.map_or(Space::one(cell), |p| p.space())
        });
        let is_seen = |there: &Space| shown.board.can_stand(*there) && *there != own.space();
        own.is_up().then(|| (own.space(), there.filter(is_seen)))
    };
    let now = ends();
    let is_news = *drawn_for != now || now.is_some() && session.is_changed();
    let Some(mut mark_painter) = layers.redraw(Layer::Sight, is_news, shown) else {
        return;
    };
    *drawn_for = now;
    let Some((from, to)) = now else { return };
    let Some(to) = to else {
        for enemy in session.known_enemies() {
            let enemy = shown.unit(enemy).space();
            let ink = match shown.board.sight(from, enemy).los {
                true => palette::TEAL,
                false => palette::DANGER,
            };
            mark_painter.aim(from, enemy, ink);
        }
        return;
    };
    let proof = shown.board.proof(from, to);
    let lines = proof_in_words(&shown.board, &proof);
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
