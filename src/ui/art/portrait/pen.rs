//! The pen that inks portraits.

use super::super::canvas::{DrawnShape, Sheet, Spot};
use super::super::palette::{INK, Rgb};
use tiny_skia::Transform;

/// Line widths: around forms, around and within their parts, and for shading.
const BOLD: f32 = 0.026;
const LINE: f32 = 0.018;
const FINE: f32 = 0.011;

pub struct Pen<'a> {
    sheet: &'a mut Sheet,
    /// The thinnest line, in units of the picture.
    least: f32,
    /// Small pictures have no shading.
    has_shade: bool,
}

impl<'a> Pen<'a> {
    /// A pen for a picture `px` pixels square.
    pub fn new(sheet: &'a mut Sheet, px: f32) -> Self {
        Self {
            sheet,
            least: 0.8 / px.max(1.0),
            has_shade: px >= 30.0,
        }
    }

    fn width(&self, width: f32) -> f32 {
        width.max(self.least)
    }

    /// Draws a form: filled, with an ink outline.
    pub fn form(&mut self, marks: &str, fill: Rgb) -> DrawnShape {
        self.shaped(DrawnShape::marks(marks), fill)
    }

    pub fn shaped(&mut self, shape: DrawnShape, fill: Rgb) -> DrawnShape {
        self.sheet.fill(&shape, fill.solid());
        self.edge(&shape);
        shape
    }

    /// Draws a form on the right and its mirror image on the left.
    pub fn pair(&mut self, marks: &str, fill: Rgb) -> [DrawnShape; 2] {
        both(marks).map(|shape| self.shaped(shape, fill))
    }

    pub fn edge(&mut self, shape: &DrawnShape) {
        let width = self.width(BOLD);
        self.sheet.stroke(shape, width, INK.solid());
    }

    pub fn fill(&mut self, shape: &DrawnShape, fill: Rgb) {
        self.sheet.fill(shape, fill.solid());
    }

    /// Draws lines within a form.
    pub fn line(&mut self, marks: &str) {
        self.inked(&DrawnShape::marks(marks), LINE);
    }

    pub fn lines(&mut self, marks: &str) {
        both(marks).iter().for_each(|shape| self.inked(shape, LINE));
    }

    pub fn fine(&mut self, marks: &str) {
        if self.has_shade {
            self.inked(&DrawnShape::marks(marks), FINE);
        }
    }

    pub fn fines(&mut self, marks: &str) {
        if self.has_shade {
            both(marks).iter().for_each(|shape| self.inked(shape, FINE));
        }
    }

    fn inked(&mut self, shape: &DrawnShape, width: f32) {
        let width = self.width(width);
        self.sheet.stroke(shape, width, INK.solid());
    }

    /// Fills with ink: an eye, a nostril, a dark opening.
    pub fn dark(&mut self, marks: &str) {
        self.sheet.fill(&DrawnShape::marks(marks), INK.solid());
    }

    pub fn darks(&mut self, marks: &str) {
        both(marks)
            .iter()
            .for_each(|s| self.sheet.fill(s, INK.solid()));
    }

    /// Fills a spot of colour without an outline, and its mirror image.
    pub fn spots(&mut self, marks: &str, fill: Rgb) {
        both(marks)
            .iter()
            .for_each(|s| self.sheet.fill(s, fill.solid()));
    }

    /// Hatches the shaded part of a form: the area that is in both `form` and
    /// `marks`. `turn` is the direction of the strokes in degrees clockwise from the
    /// east.
    pub fn shade(&mut self, form: &DrawnShape, marks: &str, turn: f32) {
        if !self.has_shade {
            return;
        }
        let width = self.width(FINE);
        let region = DrawnShape::marks(marks);
        self.sheet.within_shape(form, |sheet| {
            sheet.within_shape(&region, |sheet| strokes(sheet, turn, width));
        });
    }

    pub fn within(&mut self, shape: &DrawnShape, draw: impl FnOnce(&mut Pen)) {
        let (least, has_shade) = (self.least, self.has_shade);
        self.sheet.within_shape(shape, |sheet| {
            draw(&mut Pen {
                sheet,
                least,
                has_shade,
            })
        });
    }

    /// Rows of small rings, for mail.
    pub fn rings(&mut self, form: &DrawnShape, (from, to): (Spot, Spot)) {
        if !self.has_shade {
            return;
        }
        let (width, step) = (self.width(FINE), 0.043);
        self.sheet.within_shape(form, |sheet| {
            let rows = ((to.1 - from.1) / step) as i32;
            let columns = ((to.0 - from.0) / step) as i32;
            for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let shift = if row % 2 == 0 { 0.0 } else { step / 2.0 };
                let at = (
                    from.0 + column as f32 * step + shift,
                    from.1 + row as f32 * step,
                );
                let ring = DrawnShape::arc(at.0, at.1, step * 0.42, 20.0, 160.0);
                sheet.stroke(&ring, width, INK.alpha(0.75));
            }
        });
    }
}

/// Parallel strokes over the whole picture, slightly irregular.
fn strokes(sheet: &mut Sheet, turn: f32, width: f32) {
    let (sin, cos) = turn.to_radians().sin_cos();
    for n in -26..=26_i32 {
        let wobble = ((n * 37).rem_euclid(11) as f32 / 11.0 - 0.5) * 0.012;
        let off = n as f32 * 0.034 + wobble;
        let at = |along: f32| (along * cos - off * sin, along * sin + off * cos);
        let bend = at(0.0);
        let line = DrawnShape::of(|pen| {
            let (from, to) = (at(-0.9), at(0.9));
            pen.move_to(from.0, from.1);
            pen.quad_to(bend.0 + wobble, bend.1 + wobble, to.0, to.1);
        });
        sheet.stroke(&line, width, INK.alpha(0.8));
    }
}

/// The shape of the marks, and its mirror image.
fn both(marks: &str) -> [DrawnShape; 2] {
    let shape = DrawnShape::marks(marks);
    let other = shape.clone().placed(Transform::from_scale(-1.0, 1.0));
    [shape, other]
}
