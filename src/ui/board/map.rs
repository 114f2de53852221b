//! The map: floors as a tilemap, ink above them in chunks, paper below.
//!
//! Background tasks draw the ink for the visible cells at their current size. Until a chunk is
//! drawn, and for cells far away, a rough picture is stretched.

use super::{MapView, Overlays, Stage, height, sprites};
use crate::{
    grid::Cell,
    ui::{
        Screen, Session,
        art::{
            GRAIN_PX,
            board::{self, Atlas, DrawnArea},
            plan::BoardPlan,
        },
        pictures::{self, Pictures},
        selection::Overlay,
        theme::Appearance,
    },
};
use bevy::{
    platform::collections::HashMap,
    prelude::*,
    render::RenderApp,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use bevy_ecs_tilemap::prelude::*;
use std::{cmp::Ordering, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    // Without a renderer there is no tilemap and no need for ink.
    let is_drawn = app.get_sub_app(RenderApp).is_some();
    if is_drawn {
        app.add_plugins(TilemapPlugin);
    }
    app.add_systems(OnExit(Screen::Battle), |mut commands: Commands| {
        commands.remove_resource::<Laid>();
    });
    app.add_systems(
        Update,
        (
            tear_up.run_if(resource_changed::<Appearance>),
            lay.run_if(not(resource_exists::<Laid>)),
            (
                redraw_floor,
                move_doors,
                write_heights,
                ask_for_ink.run_if(move || is_drawn),
                take_ink,
                spread_paper,
            )
                .chain()
                .run_if(resource_exists::<Laid>),
        )
            .chain()
            .in_set(Stage::Lay),
    );
}

/// Cells along a side of a chunk of ink.
const CHUNK: u32 = 12;
/// Pixels of a cell in rough pictures.
const ROUGH: u32 = 12;
/// Most chunks drawn in parallel.
const AT_ONCE: usize = 3;

/// The map currently on the board.
#[derive(Resource)]
struct Laid {
    plan: Arc<BoardPlan>,
    atlas: Atlas,
    /// The cell size that the tilemap shows, in pixels.
    cell_px: u32,
    /// Tilemap textures by cell size: the plugin keeps each texture forever, so they are reused.
    floors: HashMap<u32, Handle<Image>>,
    doors: Vec<(Cell, Option<bool>)>,
    /// Whether the ink has the height labels.
    has_heights: bool,
}

#[derive(Component)]
struct Floor;

#[derive(Component)]
struct Paper;

/// A part of the ink.
#[derive(Component)]
struct Chunk {
    area: DrawnArea,
    /// The cell size of the picture that it shows, in pixels.
    shows: Option<u32>,
    rough: Option<Handle<Image>>,
    /// The picture being drawn, with its cell size in pixels.
    drawing: Option<(u32, Task<Inked>)>,
}

/// A picture, with the offset of its corner from the map's corner in pixels.
struct Inked {
    image: Image,
    corner: (i32, i32),
}

/// Removes the map, so that it is redrawn in other colours.
fn tear_up(
    mut commands: Commands,
    parts: Query<Entity, Or<(With<Floor>, With<Chunk>, With<Paper>)>>,
    mut view: ResMut<MapView>,
) {
    commands.remove_resource::<Laid>();
    for part in &parts {
        commands.entity(part).despawn();
    }
    view.set_changed();
}

/// Lays the map of a new battle.
fn lay(
    mut commands: Commands,
    view: Res<MapView>,
    session: Res<Session>,
    mut images: ResMut<Assets<Image>>,
    mut pictures: ResMut<Pictures>,
) {
    if !view.is_ready() {
        return;
    }
    let plan = Arc::new(BoardPlan::of(
        &session.shown().board,
        session.game.level().light,
    ));
    let px = view.cell_px();
    let atlas = Atlas::new(&plan, px);
    let floor = images.add(pictures::image(atlas.pixmap.clone()));
    lay_floor(&mut commands, &plan, &atlas, floor.clone());
    for area in DrawnArea::chunks(&plan, CHUNK) {
        commands.spawn((
            Chunk {
                area,
                shows: None,
                rough: None,
                drawing: None,
            },
            DespawnOnExit(Screen::Battle),
            Sprite::default(),
            Transform::default(),
            Visibility::Hidden,
        ));
    }
    let tiled = SpriteImageMode::Tiled {
        tile_x: true,
        tile_y: true,
        stretch_value: 1.0,
    };
    let paper = Sprite {
        image_mode: tiled,
        ..Sprite::from_image(pictures.parchment(&mut images))
    };
    commands.spawn((
        Paper,
        DespawnOnExit(Screen::Battle),
        paper,
        Transform::default(),
    ));
    let board = &session.shown().board;
    commands.insert_resource(Laid {
        plan,
        atlas,
        cell_px: px,
        floors: HashMap::from_iter([(px, floor)]),
        doors: board.doors().map(|cell| (cell, board.door(cell))).collect(),
        has_heights: true,
    });
}

fn lay_floor(commands: &mut Commands, plan: &BoardPlan, atlas: &Atlas, texture: Handle<Image>) {
    let size = TilemapSize {
        x: plan.width() as u32,
        y: plan.height() as u32,
    };
    let map = commands
        .spawn((Name::new("Map"), Floor, DespawnOnExit(Screen::Battle)))
        .id();
    let mut storage = TileStorage::empty(size);
    commands.entity(map).with_children(|tiles| {
        for (x, y, _) in plan.cells() {
            // Tilemaps count rows from the south.
            let position = TilePos {
                x: x as u32,
                y: size.y - 1 - y as u32,
            };
            let tile = TileBundle {
                position,
                tilemap_id: TilemapId(map),
                texture_index: TileTextureIndex(atlas.tile_index(plan, x, y)),
                ..default()
            };
            storage.set(&position, tiles.spawn(tile).id());
        }
    });
    commands.entity(map).insert(TilemapBundle {
        size,
        storage,
        texture: TilemapTexture::Single(texture),
        tile_size: TilemapTileSize::from(Vec2::splat(atlas.cell_px as f32)),
        grid_size: TilemapGridSize::from(Vec2::splat(atlas.cell_px as f32)),
        transform: floor_transform(size.y, atlas.cell_px),
        visibility: Visibility::Hidden,
        ..default()
    });
}

/// The tilemap's origin is the middle of its south-west tile; the scale makes each cell one unit
/// wide.
fn floor_transform(rows: u32, cell_px: u32) -> Transform {
    let scale = Vec2::splat(1.0 / cell_px as f32).extend(1.0);
    Transform::from_xyz(0.5, 0.5 - rows as f32, height::FLOOR).with_scale(scale)
}

/// Redraws the floor at the size that the zoom needs.
fn redraw_floor(
    view: Res<MapView>,
    mut laid: ResMut<Laid>,
    floor: Single<
        (
            &mut TilemapTexture,
            &mut TilemapTileSize,
            &mut TilemapGridSize,
            &mut Transform,
            &TilemapSize,
        ),
        With<Floor>,
    >,
    mut images: ResMut<Assets<Image>>,
) {
    let px = view.cell_px();
    if laid.cell_px == px {
        return;
    }
    laid.cell_px = px;
    let laid = &mut *laid;
    let plan = &laid.plan;
    let draw = || images.add(pictures::image(Atlas::new(plan, px).pixmap));
    let image = laid.floors.entry(px).or_insert_with(draw).clone();
    let (mut texture, mut tile, mut grid, mut transform, size) = floor.into_inner();
    *texture = TilemapTexture::Single(image);
    *tile = TilemapTileSize::from(Vec2::splat(px as f32));
    *grid = TilemapGridSize::from(Vec2::splat(px as f32));
    *transform = floor_transform(size.y, px);
}

/// Opens and closes doors as in the display world.
fn move_doors(
    session: Res<Session>,
    mut laid: ResMut<Laid>,
    floor: Single<(&TileStorage, &TilemapSize), With<Floor>>,
    mut tiles: Query<&mut TileTextureIndex>,
) {
    if !session.is_changed() {
        return;
    }
    let board = &session.shown().board;
    let doors: Vec<_> = board.doors().map(|cell| (cell, board.door(cell))).collect();
    if doors == laid.doors {
        return;
    }
    let mut plan = BoardPlan::clone(&laid.plan);
    for &(cell, open) in &doors {
        plan.set_door(cell.x.into(), cell.y.into(), open == Some(true));
    }
    let (storage, size) = *floor;
    for &(cell, _) in &doors {
        let position = TilePos {
            x: cell.x as u32,
            y: size.y - 1 - cell.y as u32,
        };
        let index = laid.atlas.tile_index(&plan, cell.x.into(), cell.y.into());
        if let Some(tile) = storage.checked_get(&position)
            && let Ok(mut shown) = tiles.get_mut(tile)
        {
            shown.set_if_neq(TileTextureIndex(index));
        }
    }
    laid.plan = Arc::new(plan);
    laid.doors = doors;
}

/// Leaves out the height labels while the overlay shows the height of every cell.
fn write_heights(overlays: Res<Overlays>, mut laid: ResMut<Laid>, mut chunks: Query<&mut Chunk>) {
    let is_written = !overlays.has(Overlay::Heights);
    if laid.has_heights == is_written {
        return;
    }
    let mut plan = BoardPlan::clone(&laid.plan);
    plan.write_heights(is_written);
    laid.plan = Arc::new(plan);
    laid.has_heights = is_written;
    // The old ink stays until the new ink is drawn. Rough pictures have no labels.
    for mut chunk in &mut chunks {
        if chunk.shows.is_some_and(|px| px != ROUGH) {
            chunk.shows = None;
        }
        chunk.drawing = None;
    }
}

/// Starts drawing missing ink in or near the visible area: a few chunks at a time, from the middle
/// outwards.
fn ask_for_ink(
    view: Res<MapView>,
    laid: Res<Laid>,
    mut chunks: Query<(Entity, &mut Chunk, &mut Sprite)>,
) {
    let seen = view.visible();
    let meets =
        |area: &DrawnArea, reach: f32| !rect(area).inflate(reach).intersect(seen).is_empty();
    let mut wanted = Vec::new();
    let mut at_work = 0;
    for (entity, mut chunk, mut sprite) in &mut chunks {
        let is_near = meets(&chunk.area, CHUNK as f32 / 3.0);
        let is_far = !meets(&chunk.area, CHUNK as f32 * 2.0);
        let px = match (is_near, &chunk.rough) {
            (true, _) => view.cell_px(),
            (false, None) => ROUGH,
            (false, Some(rough)) => {
                // Far from the view, the fine picture is dropped.
                if is_far && chunk.shows != Some(ROUGH) {
                    sprite.image = rough.clone();
                    chunk.shows = Some(ROUGH);
                }
                chunk.drawing = None;
                continue;
            }
        };
        if chunk.drawing.as_ref().is_some_and(|d| d.0 != px) {
            chunk.drawing = None;
        }
        if chunk.drawing.is_some() {
            at_work += 1;
        } else if chunk.shows != Some(px) {
            let off = rect(&chunk.area).center().distance(seen.center());
            wanted.push((!is_near, off, entity, px));
        }
    }
    let order = |of: &(bool, f32, Entity, u32)| (of.0, of.1);
    wanted.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(Ordering::Equal));
    let pool = AsyncComputeTaskPool::get();
    for (_, _, entity, px) in wanted.into_iter().take(AT_ONCE - at_work.min(AT_ONCE)) {
        let Ok((_, mut chunk, _)) = chunks.get_mut(entity) else {
            continue;
        };
        let (plan, area) = (laid.plan.clone(), chunk.area);
        let draw = async move {
            let ink = board::ink(&plan, px, area);
            Inked {
                corner: (ink.left, ink.top),
                image: sprites::image(ink.pixmap),
            }
        };
        chunk.drawing = Some((px, pool.spawn(draw)));
    }
}

fn rect(area: &DrawnArea) -> Rect {
    Rect::new(area.west, area.north, area.east, area.south)
}

/// Shows finished ink; the map appears once all visible ink is there.
fn take_ink(
    view: Res<MapView>,
    mut chunks: Query<(&mut Chunk, &mut Sprite, &mut Transform, &mut Visibility), Without<Floor>>,
    floor: Single<&mut Visibility, With<Floor>>,
    mut images: ResMut<Assets<Image>>,
) {
    let seen = view.visible();
    let mut is_complete = true;
    for (mut chunk, mut sprite, mut transform, mut visibility) in &mut chunks {
        let drawing = chunk.drawing.as_mut();
        let is_ready = drawing.and_then(|(px, task)| Some((*px, check_ready(task)?)));
        if let Some((px, Inked { image, corner })) = is_ready {
            let (drawn, place) = sprites::placed(image, corner, px, height::INK, &mut images);
            if px == ROUGH {
                chunk.rough = Some(drawn.image.clone());
            }
            (*sprite, *transform) = (drawn, place);
            *visibility = Visibility::Inherited;
            (chunk.shows, chunk.drawing) = (Some(px), None);
        }
        let area = rect(&chunk.area);
        is_complete &= chunk.shows.is_some() || area.intersect(seen).is_empty();
    }
    let mut visibility = floor.into_inner();
    if is_complete && *visibility == Visibility::Hidden {
        *visibility = Visibility::Inherited;
    }
}

/// Lays paper around the map, with its grain aligned to the paper under the ink.
fn spread_paper(view: Res<MapView>, paper: Single<(&mut Sprite, &mut Transform), With<Paper>>) {
    if !view.is_changed() {
        return;
    }
    let grain = GRAIN_PX as f32 / view.cell_px() as f32;
    let seen = view.visible();
    let (from, to) = ((seen.min / grain).floor(), (seen.max / grain).ceil());
    let (mut sprite, mut transform) = paper.into_inner();
    let size = (to - from) * GRAIN_PX as f32;
    if sprite.custom_size != Some(size) {
        sprite.custom_size = Some(size);
    }
    let middle = (from + to) / 2.0 * grain;
    let scale = Vec2::splat(1.0 / view.cell_px() as f32).extend(1.0);
    let place = Transform::from_translation(sprites::at(middle, height::PAPER));
    transform.set_if_neq(place.with_scale(scale));
}
