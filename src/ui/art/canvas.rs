//! A sheet to draw on and shapes to draw: a thin layer over `tiny-skia` that lets
//! drawing code use its own units.

use tiny_skia::{
    BlendMode, Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap,
    PixmapPaint, Rect, Shader, Stroke, StrokeDash, Transform,
};

use super::palette::Rgb;

/// A sheet with its own unit of length. Everything drawn is scaled to pixels.
pub struct Sheet {
    pub pixmap: Pixmap,
    /// From drawing units to pixels.
    pub frame: Transform,
    blend: BlendMode,
}

/// A shape, possibly empty.
#[derive(Clone, Debug, Default)]
pub struct DrawnShape(pub Option<Path>);

/// A shape rasterised at one size, to be drawn many times.
pub struct Stamp {
    mask: Mask,
    left: i32,
    top: i32,
}

/// A point in drawing units: x to the right, y down.
pub type Point = (f32, f32);

impl Sheet {
    /// A transparent sheet of this size in pixels, on which one unit is `unit`
    /// pixels. Each side is at least one pixel.
    pub fn new(width_px: u32, height_px: u32, unit: f32) -> Sheet {
        let pixmap =
            Pixmap::new(width_px.max(1), height_px.max(1)).expect("a sheet of a drawable size");
        Sheet {
            pixmap,
            frame: Transform::from_scale(unit, unit),
            blend: BlendMode::SourceOver,
        }
    }

    /// A square sheet of this size in pixels; one unit is its side, and the origin its centre.
    pub fn square(px: u32) -> Sheet {
        let px = px.max(1);
        Sheet::new(px, px, px as f32).origin(0.5, 0.5)
    }

    /// Moves the origin to (`x`, `y`), given in drawing units.
    pub fn origin(mut self, x: f32, y: f32) -> Sheet {
        self.frame = self.frame.pre_translate(x, y);
        self
    }

    /// Sets the blend mode of the following drawing calls.
    pub fn blend(&mut self, mode: BlendMode) {
        self.blend = mode;
    }

    /// Draws with a rotated, moved or scaled frame while `draw` runs.
    pub fn within(&mut self, frame: Transform, draw: impl FnOnce(&mut Sheet)) {
        let before = self.frame;
        self.frame = before.pre_concat(frame);
        draw(self);
        self.frame = before;
    }

    /// Clips what `draw` draws to a shape.
    pub fn within_shape(&mut self, shape: &DrawnShape, draw: impl FnOnce(&mut Sheet)) {
        self.layer(Some(shape), 1.0, draw);
    }

    /// Clips what `draw` draws to a shape, if there is one, and lays it with an
    /// opacity from 0 to 1.
    pub fn layer(
        &mut self,
        clip: Option<&DrawnShape>,
        opacity: f32,
        draw: impl FnOnce(&mut Sheet),
    ) {
        let (width, height) = (self.pixmap.width() as f32, self.pixmap.height() as f32);
        let (mut left, mut top, mut right, mut bottom) = (0.0, 0.0, width, height);
        if let Some(clip) = clip {
            // Most clips cover a small part of the sheet.
            let bounds = clip.0.as_ref().map(|path| path.bounds());
            let Some(bounds) = bounds.and_then(|bounds| bounds.transform(self.frame)) else {
                return;
            };
            left = (bounds.left().floor() - 1.0).clamp(0.0, width);
            top = (bounds.top().floor() - 1.0).clamp(0.0, height);
            right = (bounds.right().ceil() + 1.0).clamp(left, width);
            bottom = (bounds.bottom().ceil() + 1.0).clamp(top, height);
        }
        let mut layer = Sheet::new((right - left) as u32, (bottom - top) as u32, 1.0);
        layer.frame = self.frame.post_translate(-left, -top);
        draw(&mut layer);
        if let Some(path) = clip.and_then(|clip| clip.0.as_ref())
            && let Some(mut mask) = Mask::new(layer.pixmap.width(), layer.pixmap.height())
        {
            mask.fill_path(path, FillRule::Winding, true, layer.frame);
            layer.pixmap.apply_mask(&mask);
        }
        lay(
            &mut self.pixmap,
            &layer.pixmap,
            (left as i32, top as i32),
            opacity,
        );
    }

    /// Fills a shape.
    pub fn fill(&mut self, shape: &DrawnShape, colour: Color) {
        self.fill_by(FillRule::Winding, shape, colour);
    }

    /// Fills the inside of a shape, as a rule defines it.
    pub fn fill_by(&mut self, rule: FillRule, shape: &DrawnShape, colour: Color) {
        let paint = self.paint(colour);
        if let Some(path) = &shape.0 {
            self.pixmap.fill_path(path, &paint, rule, self.frame, None);
        }
    }

    /// Fills a rectangle from its top-left corner.
    pub fn fill_rect(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Color) {
        self.fill(&DrawnShape::rect(x, y, width, height), colour);
    }

    /// Fills a circle around a point.
    pub fn fill_circle(&mut self, x: f32, y: f32, radius: f32, colour: Color) {
        self.fill(&DrawnShape::circle(x, y, radius), colour);
    }

    /// Strokes a circle around a point.
    pub fn stroke_circle(&mut self, x: f32, y: f32, radius: f32, width: f32, colour: Color) {
        self.stroke(&DrawnShape::circle(x, y, radius), width, colour);
    }

    /// Strokes an open line through the points with round ends and joins.
    pub fn stroke_line(&mut self, points: &[Point], width: f32, colour: Color) {
        self.stroke(&DrawnShape::polyline(points), width, colour);
    }

    /// Strokes an open line through the points with butt ends.
    pub fn stroke_line_butt(&mut self, points: &[Point], width: f32, colour: Color) {
        self.stroke_butt(&DrawnShape::polyline(points), width, colour);
    }

    /// Strokes a shape with round ends and joins.
    pub fn stroke(&mut self, shape: &DrawnShape, width: f32, colour: Color) {
        self.line(shape, width, colour, LineCap::Round, None);
    }

    /// Strokes a shape with butt ends.
    pub fn stroke_butt(&mut self, shape: &DrawnShape, width: f32, colour: Color) {
        self.line(shape, width, colour, LineCap::Butt, None);
    }

    /// Strokes a shape with dashes: lengths of ink and gap, in turn.
    pub fn dash(&mut self, shape: &DrawnShape, width: f32, colour: Color, dashes: &[f32]) {
        let dash = StrokeDash::new(dashes.to_vec(), 0.0);
        self.line(shape, width, colour, LineCap::Butt, dash);
    }

    /// Strokes a shape with round dots, `gap` apart from centre to centre.
    pub fn dots(&mut self, shape: &DrawnShape, width: f32, colour: Color, gap: f32) {
        // A dash of length zero would be dropped.
        let dash = StrokeDash::new(vec![gap * 0.02, gap * 0.98], 0.0);
        self.line(shape, width, colour, LineCap::Round, dash);
    }

    fn line(
        &mut self,
        shape: &DrawnShape,
        width: f32,
        colour: Color,
        cap: LineCap,
        dash: Option<StrokeDash>,
    ) {
        let stroke = Stroke {
            width,
            line_cap: cap,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        let paint = self.paint(colour);
        if let Some(path) = &shape.0 {
            self.pixmap
                .stroke_path(path, &paint, &stroke, self.frame, None);
        }
    }

    fn paint(&self, colour: Color) -> Paint<'static> {
        Paint {
            shader: Shader::SolidColor(colour),
            blend_mode: self.blend,
            ..Paint::default()
        }
    }
}

impl DrawnShape {
    /// A rectangle from its top-left corner.
    pub fn rect(x: f32, y: f32, width: f32, height: f32) -> DrawnShape {
        DrawnShape(Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect))
    }

    /// A rectangle with rounded corners.
    pub fn rounded(x: f32, y: f32, width: f32, height: f32, radius: f32) -> DrawnShape {
        let r = radius.min(width / 2.0).min(height / 2.0);
        // The handle length with which a cubic curve approximates a quarter circle.
        let k = r * 0.447_715;
        let (right, bottom) = (x + width, y + height);
        let mut pen = PathBuilder::new();
        pen.move_to(x + r, y);
        pen.line_to(right - r, y);
        pen.cubic_to(right - k, y, right, y + k, right, y + r);
        pen.line_to(right, bottom - r);
        pen.cubic_to(right, bottom - k, right - k, bottom, right - r, bottom);
        pen.line_to(x + r, bottom);
        pen.cubic_to(x + k, bottom, x, bottom - k, x, bottom - r);
        pen.line_to(x, y + r);
        pen.cubic_to(x, y + k, x + k, y, x + r, y);
        pen.close();
        DrawnShape(pen.finish())
    }

    /// A circle around a point.
    pub fn circle(x: f32, y: f32, radius: f32) -> DrawnShape {
        DrawnShape(PathBuilder::from_circle(x, y, radius))
    }

    /// A closed polygon.
    pub fn polygon(points: &[Point]) -> DrawnShape {
        DrawnShape::of(|pen| push_polygon(pen, points))
    }

    /// An open line through the points.
    pub fn polyline(points: &[Point]) -> DrawnShape {
        DrawnShape::of(|pen| push_polyline(pen, points))
    }

    /// An arc from one angle to another, in degrees clockwise from the east.
    pub fn arc(x: f32, y: f32, radius: f32, from: f32, to: f32) -> DrawnShape {
        let steps = ((to - from).abs() / 6.0).ceil().max(2.0);
        let at = |i: f32| {
            let angle = (from + (to - from) * i / steps).to_radians();
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        DrawnShape::polyline(&(0..=steps as u32).map(|i| at(i as f32)).collect::<Vec<_>>())
    }

    /// The path that `draw` builds.
    pub fn of(draw: impl FnOnce(&mut PathBuilder)) -> DrawnShape {
        let mut pen = PathBuilder::new();
        draw(&mut pen);
        DrawnShape(pen.finish())
    }

    /// Parses the SVG path commands `M L C Z` (absolute coordinates only). Panics on
    /// anything else: the input is always a literal in this folder.
    pub fn marks(marks: &str) -> DrawnShape {
        let mut pen = PathBuilder::new();
        let mut words = marks.split([' ', ',']).filter(|word| !word.is_empty());
        let mut verb = "";
        while let Some(word) = words.next() {
            let mut first = None;
            match word.parse::<f32>() {
                Ok(number) => first = Some(number),
                Err(_) => verb = word,
            }
            if verb == "Z" {
                pen.close();
                continue;
            }
            let mut next = || {
                let number = first
                    .take()
                    .or_else(|| words.next().and_then(|word| word.parse().ok()));
                number.unwrap_or_else(|| panic!("a number is missing in {marks:?}"))
            };
            match verb {
                "M" => pen.move_to(next(), next()),
                "L" => pen.line_to(next(), next()),
                "C" => pen.cubic_to(next(), next(), next(), next(), next(), next()),
                _ => panic!("{verb:?} is not a mark, in {marks:?}"),
            }
        }
        DrawnShape(pen.finish())
    }

    /// The shape, transformed.
    pub fn placed(self, frame: Transform) -> DrawnShape {
        DrawnShape(self.0.and_then(|path| path.transform(frame)))
    }
}

impl Stamp {
    /// A stamp of a shape, `unit` pixels per unit. `None` if the shape is empty.
    pub fn new(shape: &DrawnShape, unit: f32) -> Option<Stamp> {
        let path = shape.0.as_ref()?;
        let bounds = path.bounds();
        let (left, top) = (
            (bounds.left() * unit).floor() as i32,
            (bounds.top() * unit).floor() as i32,
        );
        let (right, bottom) = (
            (bounds.right() * unit).ceil() as i32,
            (bounds.bottom() * unit).ceil() as i32,
        );
        let mut mask = Mask::new((right - left).max(1) as u32, (bottom - top).max(1) as u32)?;
        let frame = Transform::from_translate(-left as f32, -top as f32).pre_scale(unit, unit);
        mask.fill_path(path, FillRule::Winding, true, frame);
        Some(Stamp { mask, left, top })
    }

    /// Draws the shape on an opaque picture, with its origin at a pixel's corner.
    pub fn draw_on(&self, on: &mut Pixmap, x: i32, y: i32, colour: Rgb) {
        let (x, y) = (x + self.left, y + self.top);
        let (width, height) = (on.width() as i32, on.height() as i32);
        let (mask_width, mask_height) = (self.mask.width() as i32, self.mask.height() as i32);
        let (from, to) = ((-x).max(0), (width - x).min(mask_width));
        if from >= to {
            return;
        }
        let ink = colour.bytes().map(u32::from);
        for row in (-y).max(0)..(height - y).min(mask_height) {
            let cover = &self.mask.data()
                [(row * mask_width + from) as usize..(row * mask_width + to) as usize];
            let start = ((y + row) * width + x + from) as usize * 4;
            let line = &mut on.data_mut()[start..start + cover.len() * 4];
            for (pixel, &cover) in line.chunks_exact_mut(4).zip(cover) {
                let cover = u32::from(cover);
                if cover > 0 {
                    for (byte, ink) in pixel.iter_mut().zip(ink) {
                        *byte =
                            ((u32::from(*byte) * (255 - cover) + ink * cover + 127) / 255) as u8;
                    }
                }
            }
        }
    }
}

/// Draws a picture on another one, with its corner at a pixel and an opacity from 0 to 1.
pub fn lay(on: &mut Pixmap, picture: &Pixmap, (left, top): (i32, i32), opacity: f32) {
    let paint = PixmapPaint {
        opacity,
        ..PixmapPaint::default()
    };
    let still = Transform::identity();
    on.draw_pixmap(left, top, picture.as_ref(), &paint, still, None);
}

/// Adds a rectangle to a path.
pub fn push_rect(pen: &mut PathBuilder, [left, top, right, bottom]: [f32; 4]) {
    push_polygon(
        pen,
        &[(left, top), (right, top), (right, bottom), (left, bottom)],
    );
}

/// Adds an open line through the points to a path.
pub fn push_polyline(pen: &mut PathBuilder, points: &[Point]) {
    if let Some((&(x, y), rest)) = points.split_first() {
        pen.move_to(x, y);
        for &(x, y) in rest {
            pen.line_to(x, y);
        }
    }
}

/// Adds a closed polygon to a path.
pub fn push_polygon(pen: &mut PathBuilder, points: &[Point]) {
    push_polyline(pen, points);
    pen.close();
}
