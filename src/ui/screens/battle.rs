//! The layout of the battle screen: the board and the cards around it.

use super::super::{
    ActionPreview, Phase, Screen, Selection, Session,
    art::hud::Panel,
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
        rigid,
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
            below.spawn_with((left_node(), ZIndex(1), Pickable::IGNORE), |left| {
                if session.game.level().lesson.is_some() {
                    left.spawn((LessonPlace, column(0.0), Pickable::IGNORE));
                }
                board(left);
                let declares = session.queries.rules.planning.declares();
                if declares && session.replay().is_none() {
                    left.spawn((PlanStrip, strip_node(), Pickable::IGNORE));
                }
                foot(left, &session);
            });
            below.spawn_with((right_node(), ScaledWidth(COLUMN), Pickable::IGNORE), right);
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
    right.spawn((SidePanelPlace, side_panel_node(), Pickable::IGNORE));
    right.spawn_with((LogPlace, log_node(), panel_style(Panel::Card)), hud::log);
}

/// The board, and what appears over it.
fn board(left: &mut ChildSpawnerCommands) {
    left.spawn_with((BoardArea, board_node(), ZIndex(1)), |board| {
        let over_board = |at, above| (place_node(at), ZIndex(above), Pickable::IGNORE);
        // Above the card of a lesson.
        board.spawn((ToastPlace, over_board(JustifyContent::Start, 5)));
        board.spawn((MenuPlace, over_board(JustifyContent::End, 3)));
        board.spawn((MorePlace, over_board(JustifyContent::End, 4)));
        board.spawn((WarnPlace, over_board(JustifyContent::End, 10)));
    });
}

fn left_node() -> Node {
    fill_width(column(GAP))
}

/// The strip of plans. Its buttons wrap if there is not enough space.
fn strip_node() -> Node {
    Node {
        flex_shrink: 0.0,
        flex_wrap: FlexWrap::Wrap,
        min_height: px(PlanStrip::MIN),
        column_gap: px(6),
        row_gap: px(4),
        align_items: AlignItems::Center,
        ..default()
    }
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

fn board_node() -> Node {
    fill_height(Node::default())
}

/// A node over the board, aligned to its top or bottom.
fn place_node(at: JustifyContent) -> Node {
    column(0.0)
        .absolute()
        .whole()
        .align(AlignItems::Center)
        .justify(at)
}

fn right_node() -> Node {
    rigid(column(GAP).min_height(px(0)))
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
    Node {
        flex_shrink: 0.0,
        min_height: px(0),
        row_gap: px(1),
        // A full exchange of attacks just fits in the smallest window.
        padding: UiRect::axes(px(theme::PAD), px(9)),
        overflow: Overflow::scroll_y(),
        ..card()
    }
}

/// Hidden until it has content.
fn side_panel_node() -> Node {
    Node {
        display: Display::None,
        flex_shrink: 0.0,
        min_height: px(0),
        ..column(0.0)
    }
}

fn log_node() -> Node {
    fill_height(card()).clipped()
}
