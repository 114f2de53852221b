//! The left panel of the editor: everything that can be put on the map, and buttons
//! for the forms of the level.

use super::{
    Drawing,
    brush::{Brush, TerrainKind},
    command::EditorCommand,
    marks::side_ink,
    panel::{PaletteSearch, Searches, heading, small, text_entry, tip, wrapped},
    state::{Chosen, EditorState, goal_area},
};
use crate::{
    battle::capitalised,
    content::{Creature, Look as KindLook},
    grid::{Axis, Board, Cell, CellGround},
    levels::{
        Light,
        edit::{At, ground_text},
    },
    ui::{
        art::{
            board::{self, MARGIN},
            hud::Panel,
            palette,
            plan::BoardPlan,
            portrait::Portrait,
            tokens::Base,
        },
        hud::SmallPictures,
        pictures::{self, SmallPicture},
        portraits,
        theme::{TextStyle, faded, one_line},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, button, column, refill, row, scrolling_column,
        },
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, fill.in_set(Drawing));
}

/// The list below the search field. It is rebuilt when it changes.
#[derive(Component)]
pub(super) struct PaletteList;

/// Spawns the parts of the panel that are not rebuilt.
pub(super) fn put(to: &mut ChildSpawnerCommands) {
    to.group(row(6.0), |line| {
        line.spawn(faded("Search"));
        let what = "Part of a name of a tile or kind";
        line.spawn((PaletteSearch, text_entry(what, "", 124.0, 30)));
    });
    to.spawn((PaletteList, scrolling_column(3.0), ScrollArea));
}

/// The size of a terrain swatch in pixels.
const SWATCH: f32 = 30.0;
/// The size of a portrait in pixels.
const PORTRAIT: f32 = 32.0;

fn fill(
    mut commands: Commands,
    state: Res<EditorState>,
    searches: Res<Searches>,
    list: Single<Entity, With<PaletteList>>,
    mut icons: SmallPictures,
    mut shown: Local<Filled<(u64, Brush, Chosen, bool, String)>>,
) {
    let (brush, chosen, picks) = (state.brush.clone(), state.chosen, state.picks_kind);
    let search = &searches.palette;
    let now = (state.revision, brush, chosen, picks, search.clone());
    refill(&mut commands, (*list, now), &mut shown, |list, _| {
        let finds = |words: &str| words.to_lowercase().contains(search);
        ground(list, &state, &finds, &mut icons);
        areas(list, &state, &finds);
        kinds(list, &state, &finds, &mut icons);
        forms(list, &state, &finds);
    });
}

/// A picture of one cell of a terrain, with a little of its surroundings.
fn swatch(icons: &mut SmallPictures, name: &str, ground: CellGround, fog: u8) -> ImageNode {
    let px = (SWATCH * icons.pictures.scale() / 1.3).round().max(8.0);
    let draw = || {
        let mut board = Board::new(3, 3);
        board.set(Cell::new(1, 1), ground);
        board.set_fog(Cell::new(1, 1), fog);
        let plan = BoardPlan::of(&board, Light::Day);
        let picture = board::preview(&plan, px as u32);
        icons.images.add(pictures::image(picture))
    };
    let image = icons.pictures.keep(format!("swatch {name} {px}"), draw);
    let from = Vec2::splat((MARGIN + 1.0 - 0.15) * px);
    ImageNode {
        rect: Some(Rect::from_corners(from, from + Vec2::splat(1.3 * px))),
        ..ImageNode::new(image)
    }
}

fn tile(
    to: &mut ChildSpawnerCommands,
    state: &EditorState,
    brush: Brush,
    image: ImageNode,
    words: &str,
    about: &str,
) {
    let panel = Panel::Button.active_if(state.brush == brush);
    let node = column(1.0).min_width(px(56)).padding(1.0, 3.0);
    let size = Node::default().size(SWATCH, SWATCH);
    let editor_command = SendOnPress(EditorCommand::Brush(brush));
    to.spawn_with((button(panel, node), editor_command, tip(about)), |b| {
        b.spawn((image, size, Pickable::IGNORE));
        b.spawn(one_line(words, TextStyle::Small, palette::INK));
    });
}

/// A small button that chooses a brush, lit while the brush is chosen.
pub(super) fn brush_button(
    to: &mut ChildSpawnerCommands,
    state: &EditorState,
    words: &str,
    (brush, about): (Brush, &str),
) {
    let is_on = state.brush == brush;
    to.spawn((small(words, is_on, EditorCommand::Brush(brush)), tip(about)));
}

fn about(kind: TerrainKind) -> &'static str {
    match kind {
        TerrainKind::Floor => "Floor: clears the cell, keeps the height",
        TerrainKind::Wall => "Wall: blocks sight and movement",
        TerrainKind::LowWall => "Low wall, 3 ft: gives cover, can be climbed",
        TerrainKind::Pillar => "Pillar: blocks movement, gives cover",
        TerrainKind::Rubble => "Rubble: costs double to enter",
        TerrainKind::Water => "Shallow water: costs double to enter",
        TerrainKind::Door => "Closed door; T turns the one under the pointer",
        TerrainKind::OpenDoor => "Open door",
        TerrainKind::Window => "Window: sight passes through the wall; T turns it",
        TerrainKind::Slit => "Arrow slit: sight passes through the wall; T turns it",
    }
}

fn ground(
    to: &mut ChildSpawnerCommands,
    state: &EditorState,
    finds: &impl Fn(&str) -> bool,
    icons: &mut SmallPictures,
) {
    let groups: [(&str, &[TerrainKind]); 2] = [
        ("Ground", &TerrainKind::GROUND),
        ("Doors and openings", &TerrainKind::OPENINGS),
    ];
    for (title, all) in groups {
        let all: Vec<TerrainKind> = all.iter().copied().filter(|k| finds(k.title())).collect();
        if all.is_empty() {
            continue;
        }
        heading(to, title, "");
        to.group(wrapped(3.0), |tiles| {
            for kind in all {
                let (brush, title) = (Brush::Ground(kind), kind.title());
                let ground = kind.ground(0, Axis::X);
                let image = swatch(icons, title, ground, 0);
                tile(tiles, state, brush, image, title, about(kind));
            }
        });
    }
    if finds("height fog climbable") {
        heading(to, "Height", "Page Up, Page Down");
        to.group(wrapped(3.0), |all| {
            let mut feet = vec![-20, -10, -5, 0, 5, 10];
            if let Brush::Height(now) = state.brush
                && !feet.contains(&now)
            {
                feet.push(now);
            }
            for feet in feet {
                let about = "Floor height in feet; the cell's contents stay";
                let words = crate::words::numeral(feet.into());
                brush_button(all, state, &words, (Brush::Height(feet), about));
            }
        });
        to.group(wrapped(3.0), |all| {
            let climbs = state.brush != Brush::Climbable(true);
            let words = if climbs { "climbable" } else { "not climbable" };
            let is_on = matches!(state.brush, Brush::Climbable(_));
            let editor_command = EditorCommand::Brush(Brush::Climbable(climbs));
            let about = "Whether units can climb in and out of the cell";
            all.spawn((small(words, is_on, editor_command), tip(about)));
            for fog in [0, 50, 90] {
                let words = match fog {
                    0 => "no fog".into(),
                    _ => format!("fog {fog}"),
                };
                let about = "Concealment by fog or darkness, in percent";
                brush_button(all, state, &words, (Brush::Fog(fog), about));
            }
        });
    }
    let legend = At::root().field("legend");
    let is_own = |c: char| state.doc.piece(&legend.char_key(c)).is_some() && finds("legend");
    let meanings = state.doc.char_meanings().into_iter();
    let own: Vec<_> = meanings.filter(|(c, _)| is_own(*c)).collect();
    if !own.is_empty() {
        heading(to, "Custom tiles", "");
        to.group(wrapped(3.0), |tiles| {
            for (c, ground) in own {
                let about = ground_text(&ground);
                let image = swatch(icons, &format!("{ground:?}"), ground.0, ground.1);
                let (brush, words) = (Brush::LegendChar(c), c.to_string());
                tile(tiles, state, brush, image, &words, &about);
            }
        });
    }
}

fn areas(to: &mut ChildSpawnerCommands, state: &EditorState, finds: &impl Fn(&str) -> bool) {
    if !finds("areas start way out exit goal note") {
        return;
    }
    heading(to, "Areas", "right-click removes");
    for (n, id) in state.side_ids().into_iter().enumerate() {
        to.group(wrapped(3.0), |all| {
            let name = one_line(id, TextStyle::Small, side_ink(state, n));
            all.spawn((Node::default().min_width(px(54)), children![name]));
            let about = "Where units without a set cell start";
            brush_button(all, state, "start", (Brush::Start(n), about));
            let about = "Where units leave; fleeing units run for it";
            brush_button(all, state, "exit", (Brush::Exit(n), about));
        });
    }
    let goals = At::root().field("objectives");
    to.group(wrapped(3.0), |all| {
        for n in 0..state.doc.count(&goals) {
            if state.doc.piece(&goal_area(n)).is_some() {
                let is_on = state.brush == Brush::Goal(n);
                let editor_command = EditorCommand::Brush(Brush::Goal(n));
                all.spawn(small(&format!("goal {}", n + 1), is_on, editor_command));
            }
        }
        let about = "A note about a cell; only the editor shows it";
        brush_button(all, state, "note", (Brush::Note, about));
    });
}

/// The portrait of a kind.
pub(super) fn portrait(creature: &Creature, rank: u8) -> Portrait {
    Portrait {
        base: Base::of_rank(rank),
        ..portraits::of(creature)
    }
}

fn kinds(
    to: &mut ChildSpawnerCommands,
    state: &EditorState,
    finds: &impl Fn(&str) -> bool,
    icons: &mut SmallPictures,
) {
    let Some(level) = &state.level else { return };
    let ids = state.side_ids();
    let side = state.brush_side();
    let all = level.content.creatures.values();
    let all: Vec<_> = all.filter(|c| finds(&c.name) || finds(&c.id)).collect();
    if all.is_empty() {
        return;
    }
    let aside = if state.picks_kind { "pick one" } else { "" };
    heading(to, "Units", aside);
    to.group(wrapped(3.0), |sides| {
        for (n, id) in ids.iter().enumerate() {
            let kind = match &state.brush {
                Brush::Unit(kind, _) => kind.clone(),
                _ => String::from("goblin"),
            };
            let editor_command = EditorCommand::Brush(Brush::Unit(kind, n));
            sides.spawn((small(id, n == side, editor_command), tip("For this side")));
        }
    });
    // Named heroes come last: there are few of them.
    let is_hero = |c: &&Arc<Creature>| matches!(c.look, KindLook::Token { .. });
    let (heroes, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_hero);
    // Kinds that the level defines come first.
    let own = state.doc.own_kinds();
    let (mine, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|c| own.contains(&c.id));
    to.group(wrapped(3.0), |tiles| {
        for creature in mine.into_iter().chain(others).chain(heroes) {
            let rank = u8::from(side > 0);
            let image = SmallPicture::Portrait(portrait(creature, rank), false);
            let brush = Brush::Unit(creature.id.clone(), side);
            let panel = Panel::Button.active_if(state.brush == brush);
            let node = Node::default().padding(1.0, 1.0);
            let words = capitalised(&creature.name);
            let editor_command = SendOnPress(EditorCommand::Brush(brush));
            tiles
                .spawn((button(panel, node), editor_command, tip(&words)))
                .with_child(icons.square(image, PORTRAIT));
        }
    });
}

fn forms(to: &mut ChildSpawnerCommands, state: &EditorState, finds: &impl Fn(&str) -> bool) {
    if !finds(
        "the level title briefing rules sides goals later reinforcements surprise size own kinds",
    ) {
        return;
    }
    heading(to, "The level", "forms");
    to.group(wrapped(3.0), |all| {
        for (words, chosen) in [
            ("Title, size", Chosen::Level),
            ("Sides", Chosen::Sides),
            ("Goals", Chosen::Goals),
            ("Reinforcements", Chosen::Later),
            ("Surprise", Chosen::Surprise),
            ("Own kinds", Chosen::Kinds),
        ] {
            let of_kinds = matches!((state.chosen, chosen), (Chosen::Kind(_), Chosen::Kinds));
            let is_on = state.chosen == chosen || of_kinds;
            all.spawn(small(words, is_on, EditorCommand::Choose(chosen)));
        }
    });
}
