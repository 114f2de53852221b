//! What a token stands on. It tells whose it is, by shape, colour and pattern.

use tiny_skia::Color;

use super::super::canvas::{Shape, Sheet, Spot};
use super::super::palette::{self, INK, Rgb};

/// A side, as its tokens show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Base {
    /// The player's own: round and plain.
    #[default]
    Round,
    /// Against them: six corners, striped.
    Hexagon,
    /// A third side: square, dotted.
    Square,
    /// A fourth side: on its corner, chequered.
    Lozenge,
}

impl Base {
    pub const ALL: [Base; 4] = [Base::Round, Base::Hexagon, Base::Square, Base::Lozenge];

    /// Of the player's own side for 0, of the others as they come.
    pub fn of_rank(rank: u8) -> Base {
        Base::ALL[usize::from(rank) % Base::ALL.len()]
    }

    /// The colour of the side; white can be read on it.
    pub fn colour(self) -> Rgb {
        palette::SIDES[self as usize]
    }

    /// How much of the middle of the base what stands on it may take: a round
    /// base and a lozenge of the same width do not hold the same.
    pub fn room(self) -> f32 {
        match self {
            Base::Round => 1.0,
            Base::Hexagon => 0.96,
            Base::Square => 1.0,
            Base::Lozenge => 0.84,
        }
    }

    /// Its outline about the middle; `reach` is that of a round one.
    pub fn outline(self, reach: f32) -> Shape {
        match self {
            Base::Round => Shape::circle(0.0, 0.0, reach),
            // A point up and one down, so that it is narrower than high.
            Base::Hexagon => Shape::polygon(&corners(6, reach * 1.06, 30.0)),
            Base::Square => {
                let half = reach * 0.9;
                Shape::rounded(-half, -half, half * 2.0, half * 2.0, reach * 0.2)
            }
            Base::Lozenge => Shape::polygon(&corners(4, reach * 1.16, 0.0)),
        }
    }

    /// Lays the pattern of the side over what is drawn, within its outline.
    /// `grain` is how far the pattern's lines are apart.
    pub fn pattern(self, sheet: &mut Sheet, reach: f32, grain: f32, ink: Color) {
        let shape = self.outline(reach);
        let (most, wide) = (reach * 1.3, grain * 0.38);
        let steps = (most * 2.0 / grain).ceil() as i32;
        let at = |n: i32| n as f32 * grain;
        sheet.within_shape(&shape, |sheet| match self {
            Base::Round => {}
            Base::Hexagon => {
                for n in -steps..=steps {
                    let line = [(at(n) - most, most), (at(n) + most, -most)];
                    sheet.stroke(&Shape::polyline(&line), wide * 1.1, ink);
                }
            }
            Base::Square => {
                for (row, column) in
                    (-steps..=steps).flat_map(|r| (-steps..=steps).map(move |c| (r, c)))
                {
                    let shift = if row % 2 == 0 { 0.0 } else { 0.5 * grain };
                    let dot = Shape::circle(at(column) + shift, at(row) * 0.9, wide * 0.62);
                    sheet.fill(&dot, ink);
                }
            }
            Base::Lozenge => {
                for (row, column) in
                    (-steps..=steps).flat_map(|r| (-steps..=steps).map(move |c| (r, c)))
                {
                    if (row + column) % 2 == 0 {
                        let side = grain * 0.8;
                        let tile = Shape::rect(column as f32 * side, row as f32 * side, side, side);
                        sheet.fill(&tile, ink);
                    }
                }
            }
        });
    }

    /// The base itself, inked round its edge; `line` is the ink's width and
    /// `grain` the pattern's.
    pub fn draw(self, sheet: &mut Sheet, reach: f32, (line, grain): (f32, f32), worn: Worn) {
        sheet.fill(&self.outline(reach), worn.line);
        let inner = reach - line;
        sheet.fill(&self.outline(inner), worn.ground);
        self.pattern(sheet, inner, grain, worn.pattern);
        // A thin bright hem, so that the side shows even where bases touch.
        sheet.stroke(&self.outline(inner - line * 0.95), line * 0.62, worn.hem);
    }
}

/// The colours of a token as it is worn at this moment.
#[derive(Clone, Copy, Debug)]
pub struct Worn {
    pub line: Color,
    pub ground: Color,
    pub pattern: Color,
    pub hem: Color,
    /// A sign on the ground.
    pub mark: Color,
    /// A tint over a portrait; none while the unit can act.
    pub portrait_tint: Option<Color>,
}

impl Worn {
    pub fn fresh(base: Base) -> Worn {
        let side = base.colour();
        Worn {
            line: INK.solid(),
            ground: side.solid(),
            pattern: side.mix(palette::WHITE, 0.34).solid(),
            hem: palette::WHITE.solid(),
            mark: palette::WHITE.solid(),
            portrait_tint: None,
        }
    }

    /// In softer colours: has done all it can.
    pub fn spent(base: Base) -> Worn {
        let side = base.colour();
        Worn {
            ground: side.mix(palette::PAPER, 0.48).solid(),
            pattern: side.mix(palette::PAPER, 0.72).solid(),
            hem: palette::CARD_ACTIVE.solid(),
            mark: INK.solid(),
            portrait_tint: Some(palette::CARD.alpha(0.5)),
            ..Worn::fresh(base)
        }
    }

    /// As pale as what is past.
    pub fn fallen(base: Base) -> Worn {
        let side = base.colour();
        let faded = palette::FADED_INK;
        Worn {
            line: side.mix(INK, 0.35).solid(),
            ground: palette::FLOOR.mix(side, 0.16).solid(),
            pattern: palette::FLOOR.mix(side, 0.36).solid(),
            hem: palette::FLOOR.solid(),
            mark: faded.solid(),
            portrait_tint: Some(palette::FLOOR.alpha(0.62)),
        }
    }

    /// Half there: where somebody would be, or was seen last.
    pub fn ghost(base: Base) -> Worn {
        let side = base.colour();
        Worn {
            line: side.alpha(0.0),
            ground: side.alpha(0.42),
            pattern: side.mix(palette::WHITE, 0.34).alpha(0.3),
            hem: palette::WHITE.alpha(0.5),
            mark: palette::WHITE.alpha(0.9),
            portrait_tint: Some(side.mix(palette::WHITE, 0.6).alpha(0.5)),
        }
    }
}

/// The corners of a polygon with equal sides, the first so many degrees
/// clockwise from the east.
fn corners(count: u32, reach: f32, first: f32) -> Vec<Spot> {
    let at = |n: u32| {
        let angle = (first + 360.0 * n as f32 / count as f32).to_radians();
        (reach * angle.cos(), reach * angle.sin())
    };
    (0..count).map(at).collect()
}
