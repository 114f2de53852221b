//! One square picture for each appearance of a cell, for a tilemap.

use super::props::{
    JAMB, LINING, draw_door, draw_fog, draw_low_wall, draw_opening, draw_pillar, draw_rubble,
    draw_water, upright_if,
};
use std::collections::BTreeMap;

use tiny_skia::{IntRect, Pixmap};

use crate::grid::{Axis, CellGround, Feature};
use crate::ui::art::canvas::{Sheet, lay};
use crate::ui::art::noise::hash;
use crate::ui::art::palette::{self, Rgb};
use crate::ui::art::paper;
use crate::ui::art::plan::{BoardPlan, CELL_FT};

/// The number of variants of rubble and of water.
const VARIANTS: u64 = 8;

/// All tile pictures of one map in a single image. It has doors both open and shut;
/// any other change of the map needs a new atlas.
pub struct Atlas {
    /// The pictures, row by row, each [`Atlas::cell_px`] square.
    pub pixmap: Pixmap,
    /// The side of a picture in pixels.
    pub cell_px: u32,
    columns: u32,
    places: BTreeMap<TileAppearance, u32>,
    ground: i32,
}

/// Everything that determines how a cell looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TileAppearance {
    /// Paper, for cells that the ink covers.
    Bare,
    Floor {
        tone: Rgbs,
        /// The variant of the rubble, if there is rubble.
        rough: Option<u8>,
        water: Option<u8>,
        fog: Option<Fog>,
        piece: TilePiece,
    },
    /// A wall with an opening.
    Opening { tall: bool, slit: bool },
}

/// Fog or darkness in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fog {
    pub variant: u8,
    pub is_thick: bool,
    /// Whether it is darkness.
    pub is_dark: bool,
}

/// Fog of at least this concealment, in percent, hides everything.
const THICK: u8 = 75;

/// A colour that can be sorted.
type Rgbs = [u8; 3];

/// What stands on the floor of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TilePiece {
    None,
    /// Whether it joins to the east, west, south and north, in this order.
    LowWall([bool; 4]),
    Pillar,
    /// `tall`: the door leaf runs from north to south.
    Door {
        tall: bool,
        open: bool,
    },
}

impl Atlas {
    /// Draws all pictures that a map needs at this cell size.
    pub fn new(plan: &BoardPlan, cell_px: u32) -> Atlas {
        let cell_px = cell_px.max(1);
        let ground = plan.ground_level();
        let mut places = BTreeMap::from([(TileAppearance::Bare, 0)]);
        for (x, y, tile) in plan.cells() {
            let mut appearance = appearance(plan, x, y, tile, ground);
            places.insert(appearance, 0);
            if let TileAppearance::Floor { piece, .. } = &mut appearance
                && let TilePiece::Door { open, .. } = piece
            {
                *open = !*open;
                places.insert(appearance, 0);
            }
        }
        for (index, place) in places.values_mut().enumerate() {
            *place = index as u32;
        }
        let columns = (places.len() as f32).sqrt().ceil() as u32;
        let rows = (places.len() as u32).div_ceil(columns);
        let mut pixmap =
            Pixmap::new(columns * cell_px, rows * cell_px).expect("an atlas of a drawable size");
        for (&appearance, &place) in &places {
            let tile = draw(appearance, cell_px);
            let [x, y] = [place % columns, place / columns].map(|n| (n * cell_px) as i32);
            lay(&mut pixmap, &tile, (x, y), 1.0);
        }
        Atlas {
            pixmap,
            cell_px,
            columns,
            places,
            ground,
        }
    }

    /// The index of the picture for a cell, counted row by row from 0. Bare paper for
    /// an appearance that is not in the atlas.
    pub fn tile_index(&self, plan: &BoardPlan, x: i32, y: i32) -> u32 {
        let appearance = |tile| appearance(plan, x, y, tile, self.ground);
        let place = plan
            .tile(x, y)
            .and_then(|tile| self.places.get(&appearance(tile)));
        // Bare paper is the first one.
        place.copied().unwrap_or(0)
    }

    /// A copy of the picture with a [`tile_index`](Self::tile_index).
    pub fn tile(&self, index: u32) -> Pixmap {
        let px = self.cell_px;
        let [x, y] = [index % self.columns, index / self.columns].map(|n| (n * px) as i32);
        let place = IntRect::from_xywh(x, y, px, px).expect("a square");
        let tile = self.pixmap.clone_rect(place);
        tile.expect("a square of the atlas")
    }
}

/// The colour of a floor by its height in feet above the map's most common floor:
/// raised floors are golden and lighter the higher, sunken floors duller and darker
/// the deeper.
pub(super) fn tone(above_ground: i32) -> Rgb {
    match above_ground {
        0 => palette::FLOOR,
        1..=2 => Rgb::hex(0xF4E8C9),
        3..=5 => Rgb::hex(0xEFDFAE),
        6..=10 => Rgb::hex(0xF4E7B4),
        11..=15 => Rgb::hex(0xF9EFC0),
        16.. => Rgb::hex(0xFEF7D0),
        -2..=-1 => Rgb::hex(0xECE2CB),
        -5..=-3 => Rgb::hex(0xE0D4BB),
        -10..=-6 => Rgb::hex(0xD2C5AC),
        -15..=-11 => Rgb::hex(0xC3B59C),
        ..=-16 => Rgb::hex(0xB3A58E),
    }
}

fn appearance(plan: &BoardPlan, x: i32, y: i32, tile: &CellGround, ground: i32) -> TileAppearance {
    let piece = match &tile.feature {
        Feature::Wall => return TileAppearance::Bare,
        Feature::Window(axis) | Feature::Slit(axis) => {
            return TileAppearance::Opening {
                tall: *axis == Axis::Y,
                slit: matches!(tile.feature, Feature::Slit(_)),
            };
        }
        Feature::Open | Feature::Blocks(_) => TilePiece::None,
        Feature::LowWall => TilePiece::LowWall(low_wall_joins(plan, x, y)),
        Feature::Pillar => TilePiece::Pillar,
        Feature::Door { open } => TilePiece::Door {
            tall: door_is_tall(plan, x, y),
            open: *open,
        },
    };
    let variant = (hash(&[i64::from(x), i64::from(y), plan.width().into()]) % VARIANTS) as u8;
    // Stones would be in the way of a wall or a door.
    let clear = !matches!(piece, TilePiece::None | TilePiece::Pillar);
    let fog = plan.fog(x, y);
    TileAppearance::Floor {
        tone: tone(i32::from(tile.floor) - ground).bytes(),
        rough: (tile.rough && !clear).then_some(variant),
        water: tile.water.then_some(variant),
        fog: (fog > 0).then_some(Fog {
            variant,
            is_thick: fog >= THICK,
            is_dark: plan.is_dark(),
        }),
        piece,
    }
}

/// The sides at which a low wall joins another low wall or rock.
fn low_wall_joins(plan: &BoardPlan, x: i32, y: i32) -> [bool; 4] {
    let low = |x: i32, y: i32| {
        plan.tile(x, y)
            .is_some_and(|tile| tile.feature == Feature::LowWall)
    };
    let sides = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let lows = sides.map(|(dx, dy)| low(x + dx, y + dy));
    let [east, west, south, north] = sides.map(|(dx, dy)| !plan.is_floor(x + dx, y + dy));
    // A low wall that merely runs past rock does not join it.
    let across = lows[0] || lows[1];
    let along = lows[2] || lows[3];
    let [mut e, mut w, mut s, mut n] = lows;
    if !along {
        e |= east;
        w |= west;
    }
    if !across {
        s |= south;
        n |= north;
    }
    [e, w, s, n]
}

/// Whether a door's leaf runs from north to south. It runs between walls; without
/// walls, from west to east.
fn door_is_tall(plan: &BoardPlan, x: i32, y: i32) -> bool {
    let firm = |x: i32, y: i32| {
        let door = plan
            .tile(x, y)
            .is_some_and(|tile| matches!(tile.feature, Feature::Door { .. }));
        i32::from(!plan.is_floor(x, y)) * 2 + i32::from(door)
    };
    firm(x, y - 1) + firm(x, y + 1) > firm(x - 1, y) + firm(x + 1, y)
}

/// An opening in a wall, for looking through along an axis.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    axis: Axis,
    wide_ft: f32,
}

/// The opening of the wall in a cell, if there is a wall with one.
pub(super) fn opening(plan: &BoardPlan, (x, y): (i32, i32)) -> Option<Opening> {
    match plan.tile(x, y)?.feature {
        Feature::Window(axis) => Some(Opening { axis, wide_ft: 1.5 }),
        Feature::Slit(axis) => Some(Opening { axis, wide_ft: 0.5 }),
        _ => None,
    }
}

impl Opening {
    /// The west, north, east and south edge of the opening with its stones, in cells
    /// from the corner.
    pub(super) fn frame(self) -> [f32; 4] {
        let half = self.wide_ft / CELL_FT / 2.0 + LINING;
        match self.axis {
            Axis::X => [0.0, 0.5 - half, 1.0, 0.5 + half],
            Axis::Y => [0.5 - half, 0.0, 0.5 + half, 1.0],
        }
    }

    /// The gap in the wall's outline at the cell side that movement along an axis
    /// crosses: from and to, in cells along that side. The outline would overlap the
    /// opening, so it ends behind the jambs.
    pub(super) fn gap(self, axis: Axis) -> Option<[f32; 2]> {
        let half = self.wide_ft / CELL_FT / 2.0 + JAMB;
        (axis == self.axis).then_some([0.5 - half, 0.5 + half])
    }
}

fn draw(appearance: TileAppearance, cell_px: u32) -> Pixmap {
    let mut sheet = Sheet::new(cell_px, cell_px, cell_px as f32);
    match appearance {
        TileAppearance::Bare => paper::lay(&mut sheet.pixmap, 0, 0),
        TileAppearance::Floor {
            tone: [r, g, b],
            rough,
            water,
            fog,
            piece,
        } => {
            sheet.pixmap.fill(Rgb(r, g, b).solid());
            if let Some(variant) = water {
                draw_water(&mut sheet, variant);
            }
            if let Some(variant) = rough {
                draw_rubble(&mut sheet, variant, piece == TilePiece::Pillar);
            }
            match piece {
                TilePiece::None => {}
                TilePiece::LowWall(joins) => draw_low_wall(&mut sheet, joins),
                TilePiece::Pillar => draw_pillar(&mut sheet),
                TilePiece::Door { tall, open } => {
                    upright_if(&mut sheet, tall, |sheet| draw_door(sheet, open))
                }
            }
            if let Some(fog) = fog {
                draw_fog(&mut sheet, fog);
            }
        }
        TileAppearance::Opening { tall, slit } => {
            sheet.pixmap.fill(palette::ROCK.solid());
            upright_if(&mut sheet, tall, |sheet| {
                draw_opening(sheet, if slit { 0.5 } else { 1.5 })
            });
        }
    }
    sheet.pixmap
}
