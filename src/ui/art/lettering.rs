//! Numbers and short words as outlines, in the game's own font (Libertinus Serif).
//! The window's text engine sets longer text.

use std::sync::OnceLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};
use tiny_skia::{PathBuilder, Transform};

use super::canvas::DrawnShape;

/// A typeface: a style of Libertinus Serif.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typeface {
    Bold,
    Italic,
    Semibold,
    SemiboldItalic,
}

/// A line of text as a shape.
pub struct Lettering {
    /// Starts at x = 0 on the baseline y = 0, in the same unit as the font size.
    pub shape: DrawnShape,
    /// The width of the line.
    pub width: f32,
    /// The height of capitals and digits above the baseline.
    pub height: f32,
}

/// Sets a line of text at font size `size`, without kerning.
pub fn text(typeface: Typeface, line: &str, size: f32) -> Lettering {
    let font = font(typeface);
    let (charmap, outlines) = (font.charmap(), font.outline_glyphs());
    let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
    let mut pen = Pen {
        path: PathBuilder::new(),
        x: 0.0,
    };
    for letter in line.chars() {
        let Some(glyph) = charmap.map(letter) else {
            continue;
        };
        if let Some(outline) = outlines.get(glyph) {
            let settings = DrawSettings::unhinted(Size::new(size), LocationRef::default());
            // A glyph that cannot be drawn leaves a visible gap.
            let _ = outline.draw(settings, &mut pen);
        }
        pen.x += metrics.advance_width(glyph).unwrap_or(0.0);
    }
    let height = font
        .metrics(Size::new(size), LocationRef::default())
        .cap_height
        .unwrap_or(size * 0.65);
    Lettering {
        width: pen.x,
        height,
        shape: DrawnShape(pen.path.finish()),
    }
}

/// The width of a line of text at font size `size`, without kerning.
pub fn width(typeface: Typeface, line: &str, size: f32) -> f32 {
    let font = font(typeface);
    let charmap = font.charmap();
    let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
    let glyphs = line.chars().filter_map(|letter| charmap.map(letter));
    glyphs
        .map(|glyph| metrics.advance_width(glyph).unwrap_or(0.0))
        .sum()
}

/// A line of text centred on a point.
pub fn centred(typeface: Typeface, line: &str, size: f32, x: f32, y: f32) -> DrawnShape {
    let set = text(typeface, line, size);
    set.shape.placed(Transform::from_translate(
        x - set.width / 2.0,
        y + set.height / 2.0,
    ))
}

fn font(typeface: Typeface) -> &'static FontRef<'static> {
    static FONTS: OnceLock<Vec<FontRef<'static>>> = OnceLock::new();
    // The regular style is at index 0. A test checks that all glyphs exist.
    let index = match typeface {
        Typeface::Bold => 1,
        Typeface::Italic => 2,
        Typeface::Semibold => 4,
        Typeface::SemiboldItalic => 5,
    };
    let fonts = FONTS.get_or_init(|| {
        let fonts = typst_assets::fonts().take(6);
        fonts
            .map(|bytes| FontRef::new(bytes).expect("Libertinus Serif is a font"))
            .collect()
    });
    &fonts[index]
}

/// Places glyphs side by side. In a font y points up, on a sheet down.
struct Pen {
    path: PathBuilder,
    x: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, -y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, -y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + cx, -cy, self.x + x, -y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path
            .cubic_to(self.x + ax, -ay, self.x + bx, -by, self.x + x, -y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
