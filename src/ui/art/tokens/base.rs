//! The base of a token. Its shape, colour and pattern show the side.

use tiny_skia::Color;

use super::super::canvas::{DrawnShape, Point, Sheet};
use super::super::palette::{self, INK, Rgb};

/// A side, as its tokens show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Base {
    /// The player's side: round and plain.
    #[default]
    Round,
    /// The first enemy side: hexagonal and striped.
    Hexagon,
    /// A third side: square and dotted.
    Square,
    /// A fourth side: a lozenge, chequered.
    Lozenge,
}

impl Base {
    pub const ALL: [Base; 4] = [Base::Round, Base::Hexagon, Base::Square, Base::Lozenge];

    /// The base for a side: 0 is the player's side, the others follow in order.
    pub fn of_rank(rank: u8) -> Base {
        Base::ALL[usize::from(rank) % Base::ALL.len()]
    }

    /// The side's colour. White text is readable on it.
    pub fn colour(self) -> Rgb {
        palette::SIDES[self as usize]
    }

    /// The outline around the origin; `reach` is the radius of a round base.
    pub fn outline(self, reach: f32) -> DrawnShape {
        match self {
            Base::Round => DrawnShape::circle(0.0, 0.0, reach),
            // With a corner at the top and bottom, so that it is narrower than high.
            Base::Hexagon => DrawnShape::polygon(&corners(6, reach * 1.06, 30.0)),
            Base::Square => {
                let half = reach * 0.9;
                DrawnShape::rounded(-half, -half, half * 2.0, half * 2.0, reach * 0.2)
            }
            Base::Lozenge => DrawnShape::polygon(&corners(4, reach * 1.16, 0.0)),
        }
    }

    /// Draws the side's pattern over the existing picture, within the outline.
    /// `grain` is the distance between the lines of the pattern.
    pub fn pattern(self, sheet: &mut Sheet, reach: f32, grain: f32, ink: Color) {
        let shape = self.outline(reach);
        let (most, wide) = (reach * 1.3, grain * 0.38);
        let steps = (most * 2.0 / grain).ceil() as i32;
        let at = |n: i32| n as f32 * grain;
        let all =
            (-steps..=steps).flat_map(|row| (-steps..=steps).map(move |column| (row, column)));
        sheet.within_shape(&shape, |sheet| match self {
            Base::Round => {}
            Base::Hexagon => {
                for n in -steps..=steps {
                    let line = [(at(n) - most, most), (at(n) + most, -most)];
                    sheet.stroke_line(&line, wide * 1.1, ink);
                }
            }
            Base::Square => {
                for (row, column) in all {
                    let shift = if row % 2 == 0 { 0.0 } else { 0.5 * grain };
                    sheet.fill_circle(at(column) + shift, at(row) * 0.9, wide * 0.62, ink);
                }
            }
            Base::Lozenge => {
                for (row, column) in all {
                    if (row + column) % 2 == 0 {
                        let side = grain * 0.8;
                        sheet.fill_rect(column as f32 * side, row as f32 * side, side, side, ink);
                    }
                }
            }
        });
    }

    /// Draws the base with an ink outline. `line` is the width of the outline,
    /// `grain` the distance between the lines of the pattern.
    pub fn draw(
        self,
        sheet: &mut Sheet,
        reach: f32,
        (line, grain): (f32, f32),
        colours: TokenColours,
    ) {
        sheet.fill(&self.outline(reach), colours.line);
        let inner = reach - line;
        sheet.fill(&self.outline(inner), colours.ground);
        self.pattern(sheet, inner, grain, colours.pattern);
        // A thin bright rim, so that the side is visible even where bases touch.
        sheet.stroke(
            &self.outline(inner - line * 0.95),
            line * 0.62,
            colours.rim_colour,
        );
    }
}

/// The colours of a token in its current state.
#[derive(Clone, Copy, Debug)]
pub struct TokenColours {
    pub line: Color,
    pub ground: Color,
    pub pattern: Color,
    /// The thin rim inside the outline.
    pub rim_colour: Color,
    /// An icon on the base.
    pub mark: Color,
    /// A tint over the portrait. `None` while the unit can act.
    pub portrait_tint: Option<Color>,
}

impl TokenColours {
    pub fn fresh(base: Base) -> TokenColours {
        let side = base.colour();
        TokenColours {
            line: INK.solid(),
            ground: side.solid(),
            pattern: side.mix(palette::WHITE, 0.34).solid(),
            rim_colour: palette::WHITE.solid(),
            mark: palette::WHITE.solid(),
            portrait_tint: None,
        }
    }

    /// In softer colours: the unit has done all it can.
    pub fn spent(base: Base) -> TokenColours {
        let side = base.colour();
        TokenColours {
            ground: side.mix(palette::PAPER, 0.48).solid(),
            pattern: side.mix(palette::PAPER, 0.72).solid(),
            rim_colour: palette::CARD_ACTIVE.solid(),
            mark: INK.solid(),
            portrait_tint: Some(palette::CARD.alpha(0.5)),
            ..TokenColours::fresh(base)
        }
    }

    /// Paler still: the unit is out of the fight.
    pub fn fallen(base: Base) -> TokenColours {
        let side = base.colour();
        let faded = palette::FADED_INK;
        TokenColours {
            line: side.mix(INK, 0.35).solid(),
            ground: palette::FLOOR.mix(side, 0.36).solid(),
            pattern: palette::FLOOR.mix(side, 0.54).solid(),
            rim_colour: palette::FLOOR.solid(),
            mark: faded.solid(),
            portrait_tint: Some(palette::FLOOR.alpha(0.42)),
        }
    }

    /// Translucent: where a unit would stand, or was last seen.
    pub fn ghost(base: Base) -> TokenColours {
        let side = base.colour();
        TokenColours {
            line: side.alpha(0.0),
            ground: side.alpha(0.42),
            pattern: side.mix(palette::WHITE, 0.34).alpha(0.3),
            rim_colour: palette::WHITE.alpha(0.5),
            mark: palette::WHITE.alpha(0.9),
            portrait_tint: Some(side.mix(palette::WHITE, 0.6).alpha(0.5)),
        }
    }
}

/// The corners of a regular polygon, the first at `first` degrees clockwise from the
/// east.
fn corners(count: u32, reach: f32, first: f32) -> Vec<Point> {
    let at = |n: u32| {
        let angle = (first + 360.0 * n as f32 / count as f32).to_radians();
        (reach * angle.cos(), reach * angle.sin())
    };
    (0..count).map(at).collect()
}
