//! Drawings from the SVG files under `assets/pictures`, which are embedded in the
//! binary. `assets/pictures/README.md` says what a file may contain.
//!
//! A file is parsed once, into shapes. What its colours, line widths and patterns
//! become is decided each time it is drawn, by a [`Brush`]: an icon has one colour,
//! a portrait has the colours of its unit.

use std::ops::Deref;
use std::sync::OnceLock;

use tiny_skia::{Color, FillRule, PathBuilder, Transform};

use super::canvas::{DrawnShape, Sheet};
use super::palette::Rgb;

/// Declares a table of files, and a function that returns the drawing of each variant
/// of an enum: an empty one for the variant behind `none`. A variant that is not listed
/// and a file that does not exist are compile errors.
macro_rules! drawings {
    (
        $(#[$doc:meta])*
        fn $name:ident($type:ident) of $table:ident on $page:expr, in $folder:literal:
        $($variant:ident $file:literal)* $(; none: $none:ident)?
    ) => {
        pub(super) static $table: [$crate::ui::art::svg::SvgFile; [$($file),*].len()] = [$(
            $crate::ui::art::svg::SvgFile::new(
                concat!("assets/pictures/", $folder, "/", $file, ".svg"),
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"), "/assets/pictures/", $folder, "/", $file, ".svg"
                )),
                $page,
            ),
        )*];

        $(#[$doc])*
        pub(super) fn $name(of: $type) -> &'static $crate::ui::art::svg::Drawing {
            enum Place { $($variant,)* }
            let place = match of {
                $($type::$variant => Place::$variant,)*
                $($type::$none => return &$crate::ui::art::svg::EMPTY,)?
            };
            &$table[place as usize]
        }
    };
}
pub(super) use drawings;

/// The square that a file's page is mapped to, in the units of the code that draws it.
#[derive(Clone, Copy)]
pub struct Page {
    /// The top-left corner, equal in x and y.
    pub corner: f32,
    pub side: f32,
}

/// An embedded file, parsed at its first use.
pub struct SvgFile {
    path: &'static str,
    text: &'static str,
    page: Page,
    drawing: OnceLock<Drawing>,
}

/// The shapes of a file.
pub struct Drawing {
    /// The path of the file in the repository, for messages.
    path: &'static str,
    items: Vec<Item>,
}

/// A drawing of nothing.
pub static EMPTY: Drawing = Drawing {
    path: "",
    items: Vec::new(),
};

enum Item {
    Group(Group),
    Shape(Shape),
}

struct Group {
    id: String,
    clip: Option<DrawnShape>,
    opacity: f32,
    items: Vec<Item>,
}

struct Shape {
    id: String,
    outline: DrawnShape,
    fill: Option<(Fill, f32, FillRule)>,
    /// Colour, opacity and width.
    line: Option<(Rgb, f32, f32)>,
}

enum Fill {
    Plain(Rgb),
    Texture(Texture),
}

/// A pattern whose strokes the game draws itself. The file's own strokes only show in
/// other programs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texture {
    /// The pattern `hatch…`: parallel strokes, in degrees clockwise from the east.
    Hatch { turn: f32 },
    /// The pattern `rings`: mail.
    Rings,
}

/// How the contents of a file are inked.
pub trait Brush {
    /// The colour for a colour of the file.
    fn colour(&self, in_file: Rgb) -> Color;

    /// The width for a line of the file, both in units of the page. `None` for a line
    /// too fine to be drawn.
    fn width(&self, in_file: f32) -> Option<f32>;

    /// Covers an area with strokes. The caller clips them.
    fn texture(&self, sheet: &mut Sheet, texture: Texture, area: &DrawnShape);
}

impl SvgFile {
    pub const fn new(path: &'static str, text: &'static str, page: Page) -> Self {
        Self {
            path,
            text,
            page,
            drawing: OnceLock::new(),
        }
    }

    /// Whether the text of the file contains a colour.
    pub fn has_colour(&self, rgb: u32) -> bool {
        self.text.contains(&format!("#{rgb:06x}"))
    }

    /// Parses the file. The error names it.
    pub fn parse(&self) -> Result<Drawing, String> {
        let items = parse(self.text, self.page);
        let items = items.map_err(|error| format!("{}: {error}", self.path))?;
        Ok(Drawing {
            path: self.path,
            items,
        })
    }
}

impl Deref for SvgFile {
    type Target = Drawing;

    /// The drawing. Panics if the file is broken, which a test excludes.
    fn deref(&self) -> &Drawing {
        let parsed = || self.parse().unwrap_or_else(|error| panic!("{error}"));
        self.drawing.get_or_init(parsed)
    }
}

impl Drawing {
    pub fn draw(&self, sheet: &mut Sheet, brush: &impl Brush) {
        self.draw_without(sheet, brush, &[]);
    }

    /// Draws all but the groups and shapes with these ids.
    pub fn draw_without(&self, sheet: &mut Sheet, brush: &impl Brush, without: &[&str]) {
        draw(&self.items, sheet, brush, without);
    }

    /// Draws the group or shape with an id, if the file has one.
    pub fn draw_part(&self, sheet: &mut Sheet, brush: &impl Brush, id: &str) {
        if let Some(item) = find(&self.items, id) {
            draw(std::slice::from_ref(item), sheet, brush, &[]);
        }
    }

    /// The outline with an id. Panics if the file has none.
    pub fn outline(&self, id: &str) -> &DrawnShape {
        match find(&self.items, id) {
            Some(Item::Shape(shape)) => &shape.outline,
            _ => panic!("{}: no shape has the id {id:?}", self.path),
        }
    }
}

impl Item {
    fn id(&self) -> &str {
        match self {
            Item::Group(group) => &group.id,
            Item::Shape(shape) => &shape.id,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Item::Group(group) => group.items.iter().all(Item::is_empty),
            Item::Shape(_) => false,
        }
    }
}

fn find<'a>(items: &'a [Item], id: &str) -> Option<&'a Item> {
    items.iter().find_map(|item| match item {
        _ if item.id() == id => Some(item),
        Item::Group(group) => find(&group.items, id),
        Item::Shape(_) => None,
    })
}

fn draw(items: &[Item], sheet: &mut Sheet, brush: &impl Brush, without: &[&str]) {
    for item in items.iter().filter(|item| !without.contains(&item.id())) {
        match item {
            Item::Group(group) if group.clip.is_none() && group.opacity == 1.0 => {
                draw(&group.items, sheet, brush, without);
            }
            Item::Group(group) => sheet.layer(group.clip.as_ref(), group.opacity, |sheet| {
                draw(&group.items, sheet, brush, without);
            }),
            Item::Shape(shape) => draw_shape(shape, sheet, brush),
        }
    }
}

fn draw_shape(shape: &Shape, sheet: &mut Sheet, brush: &impl Brush) {
    let outline = &shape.outline;
    let inked = |rgb, opacity| {
        let mut colour = brush.colour(rgb);
        colour.apply_opacity(opacity);
        colour
    };
    match shape.fill {
        Some((Fill::Plain(rgb), opacity, rule)) => {
            sheet.fill_by(rule, outline, inked(rgb, opacity));
        }
        Some((Fill::Texture(texture), opacity, _)) => {
            sheet.layer(Some(outline), opacity, |sheet| {
                brush.texture(sheet, texture, outline)
            });
        }
        None => {}
    }
    if let Some((rgb, opacity, width)) = shape.line
        && let Some(width) = brush.width(width)
    {
        sheet.stroke(outline, width, inked(rgb, opacity));
    }
}

fn parse(text: &str, page: Page) -> Result<Vec<Item>, String> {
    // The parser drops these without an error.
    for element in ["<text", "<image"] {
        if text.contains(element) {
            return Err(format!("{element}> is not drawn by the game"));
        }
    }
    let tree = usvg::Tree::from_str(text, &usvg::Options::default());
    let tree = tree.map_err(|error| error.to_string())?;
    let (width, height) = (tree.size().width(), tree.size().height());
    if (width - height).abs() > 0.001 * width {
        return Err(format!("the page is not square: {width} by {height}"));
    }
    let scale = page.side / width;
    let frame = Transform::from_translate(page.corner, page.corner).pre_scale(scale, scale);
    let items = parse_items(tree.root(), frame)?;
    if items.iter().all(Item::is_empty) {
        return Err("it has no visible shape".to_owned());
    }
    Ok(items)
}

/// The contents of a group, whose coordinates `frame` maps to units of the page.
fn parse_items(group: &usvg::Group, frame: Transform) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => {
                let inner = frame.pre_concat(group.transform());
                if group.mask().is_some() || !group.filters().is_empty() {
                    return Err("masks and filters are not drawn by the game".to_owned());
                }
                items.push(Item::Group(Group {
                    id: group.id().to_owned(),
                    clip: group.clip_path().map(|clip| {
                        let mut pen = PathBuilder::new();
                        push_outlines(clip.root(), inner.pre_concat(clip.transform()), &mut pen);
                        DrawnShape(pen.finish())
                    }),
                    opacity: group.opacity().get(),
                    items: parse_items(group, inner)?,
                }));
            }
            usvg::Node::Path(path) if path.is_visible() => {
                items.push(Item::Shape(parse_shape(path, frame)?));
            }
            usvg::Node::Path(_) => {}
            usvg::Node::Image(_) | usvg::Node::Text(_) => {
                return Err("only shapes are drawn by the game".to_owned());
            }
        }
    }
    Ok(items)
}

fn parse_shape(path: &usvg::Path, frame: Transform) -> Result<Shape, String> {
    let fill = match path.fill() {
        Some(fill) => {
            let rule = match fill.rule() {
                usvg::FillRule::NonZero => FillRule::Winding,
                usvg::FillRule::EvenOdd => FillRule::EvenOdd,
            };
            let paint = parse_paint(fill.paint(), frame)?;
            Some((paint, fill.opacity().get(), rule))
        }
        None => None,
    };
    let line = match path.stroke() {
        Some(stroke) if stroke.dasharray().is_some() => {
            return Err("dashes are not drawn by the game".to_owned());
        }
        Some(stroke) => {
            let Fill::Plain(rgb) = parse_paint(stroke.paint(), frame)? else {
                return Err("lines with a pattern are not drawn by the game".to_owned());
            };
            let scale = (frame.sx * frame.sy - frame.kx * frame.ky).abs().sqrt();
            Some((rgb, stroke.opacity().get(), stroke.width().get() * scale))
        }
        None => None,
    };
    Ok(Shape {
        id: path.id().to_owned(),
        outline: DrawnShape(path.data().clone().transform(frame)),
        fill,
        line,
    })
}

fn parse_paint(paint: &usvg::Paint, frame: Transform) -> Result<Fill, String> {
    match paint {
        usvg::Paint::Color(colour) => Ok(Fill::Plain(Rgb(colour.red, colour.green, colour.blue))),
        usvg::Paint::Pattern(pattern) if pattern.id().starts_with("hatch") => {
            let east = frame.pre_concat(pattern.transform());
            let turn = east.ky.atan2(east.sx).to_degrees();
            Ok(Fill::Texture(Texture::Hatch { turn }))
        }
        usvg::Paint::Pattern(pattern) if pattern.id().starts_with("rings") => {
            Ok(Fill::Texture(Texture::Rings))
        }
        usvg::Paint::Pattern(pattern) => Err(format!(
            "the pattern {:?} is neither \"hatch…\" nor \"rings\"",
            pattern.id()
        )),
        usvg::Paint::LinearGradient(_) | usvg::Paint::RadialGradient(_) => {
            Err("gradients are not drawn by the game".to_owned())
        }
    }
}

/// Adds the outlines of all shapes in a group to a path.
fn push_outlines(group: &usvg::Group, frame: Transform, pen: &mut PathBuilder) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => {
                push_outlines(group, frame.pre_concat(group.transform()), pen);
            }
            usvg::Node::Path(path) => {
                if let Some(path) = path.data().clone().transform(frame) {
                    pen.push_path(&path);
                }
            }
            usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
}
