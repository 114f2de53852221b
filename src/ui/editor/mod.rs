//! The level editor: draw, check, play and balance a level in the window. It edits
//! the text of the file, so that the result reads as if written by hand.
//!
//! - [`state`]: the state of the editor: the level, its history, the current tool.
//!   [`command`]: editor commands, the only way to change that state. [`brush`]: tools
//!   and what they put down.
//! - [`clip`]: an area that was picked up, to be copied or moved. [`trace`]: a picture
//!   under the grid.
//! - [`canvas`]: the map and all units on it; [`marks`]: what is drawn over the map;
//!   `hand`: pointer and keys.
//! - `top`, `palette`, `form`, `forms`, [`kinds`], [`fields`], `foot`: the panels
//!   around the map, built from the parts in `panel`.
//!   `fixes`: fixes for problems.
//! - [`files`]: saving, and files that change outside the editor. [`test_play`]:
//!   plays a battle and returns. [`simulate`]: win chances, computed in the
//!   background.

pub mod brush;
pub mod canvas;
pub mod clip;
pub mod command;
pub mod fields;
pub mod files;
mod fixes;
mod foot;
mod form;
mod forms;
mod hand;
pub mod kinds;
pub mod marks;
mod palette;
mod panel;
pub mod simulate;
pub mod state;
pub mod test_play;
mod top;
pub mod trace;

pub use command::EditorCommand;
pub use panel::{FormSearch, Writes};
pub use state::EditorState;

use super::{
    Options, Phase, Screen, Session,
    art::hud::Panel,
    hud::SmallPictures,
    own::Own,
    saves::autosave::{self, Autosave},
    screens::{PageRoot, new_page},
    theme::{self, Appearance},
    widgets::{
        NodeExt, ScaledWidth, SpawnWith, card, column, fill_height, fill_width, panel_style, rigid,
        row,
    },
};
use crate::levels::{Level, edit::new_level};
use crate::ui::widgets::send_on_press;
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::{path::PathBuf, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Edit>();
    app.configure_sets(
        Update,
        Drawing.in_set(Phase::Draw).run_if(in_state(Screen::Editor)),
    );
    app.add_plugins((
        command::plugin,
        canvas::plugin,
        marks::plugin,
        hand::plugin,
        files::plugin,
        test_play::plugin,
        panel::plugin,
        top::plugin,
        palette::plugin,
        form::plugin,
        kinds::plugin,
        foot::plugin,
        trace::plugin,
    ));
    app.add_observer(send_on_press::<Edit>);
    app.add_systems(Update, open.in_set(Phase::Commands));
    app.add_systems(OnEnter(Screen::Editor), (lay_aside, lay_out).chain());
    app.add_systems(
        Update,
        lay_out
            .before(Phase::Input)
            .run_if(in_state(Screen::Editor))
            .run_if(resource_changed::<Appearance>),
    );
}

/// The systems that draw the map and the panels.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Drawing;

/// Opens the editor.
#[derive(Message, Clone, Debug)]
pub enum Edit {
    New,
    Level(Arc<Level>),
    /// The level in a file, which may contain errors.
    File(PathBuf),
}

/// The battle from which the editor was opened. Leaving the editor returns to it
/// unchanged.
#[derive(Resource)]
pub(super) struct Left(Session);

/// The file that was edited last. The title screen lists it first.
#[derive(Resource)]
pub struct LeftAt(pub PathBuf);

/// Columns and rows of a new level.
const NEW: (usize, usize) = (16, 10);

fn open(
    mut wanted: MessageReader<Edit>,
    (options, own): (Res<Options>, Res<Own>),
    (screen, session): (Res<State<Screen>>, Option<ResMut<Session>>),
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let is_battle = *screen.get() == Screen::Battle && session.is_some();
    for edit in wanted.read() {
        let state = match edit {
            // Look up the file by its text: two levels with the same name share an id.
            Edit::Level(level) => match files::file_of(&own, &options, level) {
                Some(file) => files::read(&file),
                None => EditorState::open(&level.id, &level.source, None),
            },
            Edit::File(path) => files::read(path),
            Edit::New => {
                let text = new_level("New level", NEW.0, NEW.1);
                let mut state = EditorState::open("new_level", &text, None);
                if let Some(state) = &mut state {
                    // The new level is not in any file yet.
                    state.history.mark_saved("");
                }
                state
            }
        };
        if let Some(state) = state {
            commands.insert_resource(state);
            commands.insert_resource(canvas::Canvas::default());
            commands.insert_resource(simulate::Simulation::default());
            commands.insert_resource(trace::Trace::default());
            match is_battle {
                true => commands.insert_resource(Leaves),
                false => commands.remove_resource::<Left>(),
            }
            next.set(Screen::Editor);
        }
    }
}

/// Set while the battle on screen has to be moved to [`Left`].
#[derive(Resource)]
struct Leaves;

/// Moves the session to [`Left`] and puts a fresh one in its place, because other
/// systems expect a session.
fn lay_aside(world: &mut World) {
    if world.remove_resource::<Leaves>().is_none() {
        return;
    }
    let Some(mut session) = world.get_resource_mut::<Session>() else {
        return;
    };
    let game = &session.game;
    let controllers = game.controllers().to_vec();
    let fresh = Session::with_controllers(game.level(), game.rules(), game.seed(), controllers);
    let left = std::mem::replace(&mut *session, fresh);
    world.insert_resource(Left(left));
}

/// Returns to the battle from which the editor was opened, if `left`. Returns `left`.
pub(super) fn go_back(commands: &mut Commands, left: bool) -> bool {
    if left {
        commands.queue(|world: &mut World| {
            if let Some(Left(session)) = world.remove_resource::<Left>() {
                world.resource_mut::<Autosave>().reuse_slot();
                autosave::show(world, session);
                world.insert_resource(simulate::Simulation::default());
            }
        });
    }
    left
}

#[derive(Component)]
struct TopPlace;

#[derive(Component)]
struct ToolsPlace;

fn lay_out(mut commands: Commands, old: Query<Entity, With<PageRoot>>, mut icons: SmallPictures) {
    let whole = column(8.0).whole().padding(8.0, 8.0);
    let look = (whole, icons.pictures.paper(&mut icons.images));
    let editor = ("Editor", Screen::Editor);
    new_page(&mut commands, old, editor, look).with_children(|all| {
        let bar = bar(8.0, 4.0).min_height(px(50)).padding(10.0, 4.0);
        all.spawn((TopPlace, bar, panel_style(Panel::Card)));
        let body = fill_height(default()).column_gap(8.0);
        all.group(body, |body| {
            let side = rigid(card().min_height(px(0)).row_gap(4.0).padding(10.0, 8.0));
            let parts = (side.clone(), ScaledWidth(212.0), panel_style(Panel::Card));
            body.spawn_with(parts, palette::put);
            body.group(fill_width(column(8.0)), put_middle);
            let right = rigid(column(8.0).min_height(px(0)));
            body.spawn_with((right, ScaledWidth(296.0), Pickable::IGNORE), |right| {
                let chances = side.clone().hidden();
                right.spawn((top::ChancesPlace, chances, panel_style(Panel::Card)));
                let form = fill_height(side).scrolling();
                right.spawn((form::FormPlace, form, ScrollArea, panel_style(Panel::Card)));
            });
        });
    });
}

/// The node of a bar of buttons, which wraps.
fn bar(gap: f32, line_gap: f32) -> Node {
    let node = rigid(card().in_row(gap).row_gap(line_gap));
    node.align(AlignItems::Center)
        .set(|node| node.flex_wrap = FlexWrap::Wrap)
}

fn put_middle(middle: &mut ChildSpawnerCommands) {
    let tools = bar(4.0, 3.0).padding(8.0, 4.0);
    middle.spawn((ToolsPlace, tools, panel_style(Panel::Card)));
    let board = fill_height(default()).clipped();
    let all = Node::default().absolute().whole();
    let mut board = middle.spawn((canvas::EditorBoard, board));
    hand::observe(&mut board);
    board.with_children(|board| {
        let map = Node::default().absolute();
        let picture = (canvas::MapPicture::default(), ImageNode::default());
        board.spawn((picture, map, Pickable::IGNORE));
        board.spawn(trace::layer());
        board.spawn((marks::Layer::Below, all.clone(), Pickable::IGNORE));
        board.spawn((canvas::TokenLayer, all.clone(), Pickable::IGNORE));
        board.spawn((marks::Layer::Above, all, Pickable::IGNORE));
    });
    let foot = rigid(row(8.0).height(px(theme::GAP * 12.0)));
    middle.group(foot, |foot| {
        let half = fill_width(card())
            .height(percent(100))
            .row_gap(3.0)
            .padding(10.0, 6.0)
            .scrolling();
        let check = (foot::CheckPlace, half.clone(), ScrollArea);
        foot.spawn((check, panel_style(Panel::Card)));
        let lines = half.set(|half| half.flex_grow = 1.3);
        let lines = (foot::LinesPlace, lines, ScrollArea);
        foot.spawn((lines, panel_style(Panel::CardLight)));
    });
}
