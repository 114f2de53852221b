//! The layout of the battle screen: the board and the cards around it.

use super::super::{
    ActionPreview, Phase, Screen, Selection, Session,
    art::hud::Panel,
    board::overlays,
    hud::{self, ActBar, COLUMN, GAP, InspectCard, ObjectivesCard, PartyRow, PlanStrip, TopBar},
    places::{
        BoardArea, LessonPlace, ListPlace, LogPlace, MenuPlace, MorePlace, ReactionPlace,
        SidePanelPlace, ToastPlace, WarnPlace,
    },
    replay,
    session::{Playback, begin},
    theme::{self, Appearance},
    widgets::{
        NodeExt, ScaledWidth, SpawnWith, Tall, card, column, fill_height, fill_width, panel_style,
        rigid, wrapping_row,
    },
};
use super::{PageRoot, new_page};
use bevy::{prelude::*, ui_widgets::ScrollArea};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Battle), (begin, clear, lay_out).chain());
    app.add_systems(
        Update,
        lay_out
            .before(Phase::Input)
            .run_if(in_state(Screen::Battle))
            .run_if(resource_changed::<Appearance>),
    );
    app.add_systems(
        OnExit(Screen::Battle),
        |mut selection: ResMut<Selection>| selection.clear(),
    );
}

fn clear(
    mut selection: ResMut<Selection>,
    mut preview: ResMut<ActionPreview>,
    mut playback: ResMut<Playback>,
) {
    selection.clear();
    *preview = ActionPreview::default();
    playback.busy = false;
}

fn lay_out(
    mut commands: Commands,
    old: Query<Entity, With<PageRoot>>,
    session: Res<Session>,
    mut selection: ResMut<Selection>,
) {
    // The cards are filled again.
    selection.set_changed();
    let all = column(GAP).whole().padding(GAP, GAP);
    let look = (all, Pickable::IGNORE);
    let battle = ("Battle screen", Screen::Battle);
    new_page(&mut commands, old, battle, look).with_children(|all| {
        all.spawn((TopBar, top_node(), panel_style(Panel::Card)));
        let below = fill_height(default()).column_gap(GAP);
        // A list on the board may cover what is beside and below it.
        all.spawn_with((below, ZIndex(1), Pickable::IGNORE), |below| {
            let left = fill_width(column(GAP));
            below.spawn_with((left, ZIndex(1), Pickable::IGNORE), |left| {
                if session.game.level().lesson.is_some() {
                    left.spawn((LessonPlace, column(0.0), Pickable::IGNORE));
                }
                board(left);
                let declares = session.queries.rules.planning.declares();
                if declares && session.replay().is_none() {
                    // Its buttons wrap if there is not enough space.
                    let strip = rigid(wrapping_row(6.0, 4.0).min_height(px(PlanStrip::MIN)));
                    left.spawn((PlanStrip, strip, Pickable::IGNORE));
                }
                foot(left, &session);
            });
            let node = rigid(column(GAP).min_height(px(0)));
            below.spawn_with((node, ScaledWidth(COLUMN), Pickable::IGNORE), right);
        });
    });
}

/// The row below the board: the party, and the selected unit's actions.
fn foot(left: &mut ChildSpawnerCommands, session: &Session) {
    let node = rigid(Node::default().column_gap(GAP));
    let foot = (node, Tall::buttons(ActBar::ROW), Pickable::IGNORE);
    left.spawn_with(foot, |foot| {
        foot.spawn((PartyRow, ScrollArea, Pickable::default()));
        if session.replay().is_some() {
            replay::bar(foot, session);
            return;
        }
        let acts = fill_width(default()).column_gap(6.0);
        foot.spawn((ActBar, acts, Pickable::IGNORE));
    });
}

/// The column on the right: objectives, the inspected cell or unit, the log.
fn right(right: &mut ChildSpawnerCommands) {
    right.spawn((ObjectivesCard, objectives_node(), panel_style(Panel::Card)));
    right.spawn((
        InspectCard,
        inspect_node(),
        ScrollArea,
        panel_style(Panel::Card),
    ));
    right.spawn((
        ReactionPlace,
        inspect_node(),
        ScrollArea,
        panel_style(Panel::CardActive),
    ));
    // The list itself scrolls, below its title.
    let list = inspect_node().clipped();
    right.spawn((ListPlace, list, panel_style(Panel::CardActive)));
    // Hidden until it has content.
    let side_panel = rigid(column(0.0).min_height(px(0))).hidden();
    right.spawn((SidePanelPlace, side_panel, Pickable::IGNORE));
    let log = fill_height(card()).clipped();
    right.spawn_with((LogPlace, log, panel_style(Panel::Card)), hud::log);
}

/// The board, and what appears over it.
fn board(left: &mut ChildSpawnerCommands) {
    left.spawn_with((BoardArea, fill_height(default()), ZIndex(1)), |board| {
        let over_board = |at, above| (place_node(at), ZIndex(above), Pickable::IGNORE);
        // Above the card of a lesson.
        board.spawn((ToastPlace, over_board(JustifyContent::Start, 5)));
        board.spawn((MenuPlace, over_board(JustifyContent::End, 3)));
        board.spawn((MorePlace, over_board(JustifyContent::End, 4)));
        board.spawn((WarnPlace, over_board(JustifyContent::End, 10)));
        board.spawn(overlays::legend());
    });
}

/// The height is fixed by [`hud`], so that the board never moves.
fn top_node() -> Node {
    Node {
        flex_shrink: 0.0,
        padding: UiRect::axes(px(theme::PAD), px(2)),
        overflow: Overflow::clip_y(),
        ..card()
    }
}

/// A node over the board, aligned to its top or bottom.
fn place_node(at: JustifyContent) -> Node {
    column(0.0)
        .absolute()
        .whole()
        .align(AlignItems::Center)
        .justify(at)
}

fn objectives_node() -> Node {
    Node {
        row_gap: px(1),
        flex_shrink: 0.0,
        // The edge beside each line marks new entries.
        padding: UiRect::new(px(theme::PAD - 8.0), px(theme::PAD), px(6), px(6)),
        ..card()
    }
}

/// The height is fixed by [`hud`], so that the log below never moves.
fn inspect_node() -> Node {
    // A full exchange of attacks just fits in the smallest window.
    let node = card().row_gap(1.0).padding(theme::PAD, 9.0);
    rigid(node.min_height(px(0)).scrolling())
}
