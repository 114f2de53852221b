//! A picture under the grid, to trace a map from. It is not part of the level.

use super::{
    Drawing,
    canvas::Canvas,
    command::EditorCommand,
    panel::{heading, line, small, stepper, text_entry, tip},
    state::EditorState,
};
use crate::ui::{
    art::palette,
    entry::keep_typed,
    pictures,
    theme::faded,
    widgets::{NodeExt, show_if},
};
use bevy::prelude::*;
use tiny_skia::Pixmap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trace>();
    keep_typed::<PathEntry, Trace>(app, |trace, path| trace.path = path);
    app.add_systems(Update, lay.in_set(Drawing));
}

/// The picture and where it lies on the map.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Trace {
    /// The path of the PNG file, as typed.
    pub path: String,
    /// The picture and its height divided by its width; `None` while none is shown.
    pub image: Option<(Handle<Image>, f32)>,
    /// Its width, in quarters of a cell.
    pub width: i32,
    /// Its north-west corner, in quarters of a cell from the map's.
    pub east: i32,
    pub south: i32,
    /// How opaque it is, in percent.
    pub opacity: i32,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            path: String::new(),
            image: None,
            width: 0,
            east: 0,
            south: 0,
            opacity: 50,
        }
    }
}

/// A change of the picture.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceChange {
    /// Read the file.
    Load,
    Width(i32),
    East(i32),
    South(i32),
    Opacity(i32),
    Remove,
}

/// Quarters of a cell in a cell.
const QUARTERS: f32 = 4.0;
/// The greatest width and offset, in quarters of a cell.
const MAX: i32 = 1600;
/// The greatest width and height in pixels, which any graphics card can show.
const MAX_PIXELS: u32 = 8192;

impl Trace {
    pub(super) fn apply(
        &mut self,
        change: &TraceChange,
        state: &mut EditorState,
        images: &mut Assets<Image>,
    ) {
        match change {
            TraceChange::Load => match read(&self.path) {
                Ok(pixels) => {
                    // The first guess: the picture shows the whole map.
                    if self.width == 0 {
                        self.width = state.doc.size().0 as i32 * QUARTERS as i32;
                    }
                    let shape = pixels.height() as f32 / pixels.width() as f32;
                    self.image = Some((images.add(pictures::image(pixels)), shape));
                }
                Err(why) => state.message = Some(why),
            },
            TraceChange::Width(width) => self.width = (*width).clamp(1, MAX),
            TraceChange::East(east) => self.east = (*east).clamp(-MAX, MAX),
            TraceChange::South(south) => self.south = (*south).clamp(-MAX, MAX),
            TraceChange::Opacity(percent) => self.opacity = (*percent).clamp(10, 100),
            TraceChange::Remove => *self = Self::default(),
        }
    }

    /// The picture's part of the form.
    pub(super) fn show(&self, form: &mut ChildSpawnerCommands) {
        let change = EditorCommand::Trace;
        heading(form, "Picture to trace", "not saved");
        line(form, "PNG file", None, |l| {
            let what = "Path of a PNG file";
            l.spawn((PathEntry, text_entry(what, &self.path, 120.0, 1000)));
            let about = tip("Lay this picture over the map");
            l.spawn((small("show", false, change(TraceChange::Load)), about));
        });
        if self.image.is_none() {
            return;
        }
        type Number = (&'static str, i32, i32, fn(i32) -> TraceChange);
        let numbers: [Number; 4] = [
            ("Width", self.width, 1, TraceChange::Width),
            ("East", self.east, 1, TraceChange::East),
            ("South", self.south, 1, TraceChange::South),
            ("Opacity", self.opacity, 10, TraceChange::Opacity),
        ];
        for (name, now, by, to) in numbers {
            line(form, name, None, |l| {
                let command = move |n: i32| EditorCommand::Trace(to(now + (n - now) * by));
                stepper(l, now, palette::INK, command);
                let unit = match by {
                    1 => "quarter cells",
                    _ => "%",
                };
                l.spawn(faded(unit));
                if by == 1 {
                    // A whole cell at once.
                    for (words, cells) in [("\u{2212}1 cell", -4), ("+1 cell", 4)] {
                        l.spawn(small(words, false, change(to(now + cells))));
                    }
                }
            });
        }
        line(form, "", None, |l| {
            let editor_command = change(TraceChange::Remove);
            l.spawn(small("Remove the picture", false, editor_command));
        });
    }
}

/// Reads a PNG file. The error says why it cannot be shown.
fn read(path: &str) -> Result<Pixmap, String> {
    let path = path.trim();
    let bytes = std::fs::read(path).map_err(|why| format!("Can't read {path}: {why}"))?;
    let pixels = Pixmap::decode_png(&bytes).map_err(|_| format!("{path} is not a PNG picture."))?;
    match pixels.width().max(pixels.height()) <= MAX_PIXELS {
        true => Ok(pixels),
        false => Err(format!("{path} has more than {MAX_PIXELS} pixels a side.")),
    }
}

/// The text field for the path.
#[derive(Component)]
pub struct PathEntry;

/// The picture on the map.
#[derive(Component)]
pub struct TracePicture;

pub(super) fn layer() -> impl Bundle {
    let node = Node::default().absolute().hidden();
    (TracePicture, ImageNode::default(), node, Pickable::IGNORE)
}

fn lay(
    trace: Res<Trace>,
    canvas: Res<Canvas>,
    picture: Single<(&mut ImageNode, &mut Node), With<TracePicture>>,
) {
    let (mut image, mut node) = picture.into_inner();
    show_if(&mut node, trace.image.is_some());
    let Some((handle, shape)) = &trace.image else {
        return;
    };
    let corner = Vec2::new(trace.east as f32, trace.south as f32) / QUARTERS;
    let width = trace.width as f32 / QUARTERS;
    let at = canvas.place(corner);
    let size = Vec2::new(width, width * shape) * canvas.cell();
    node.set_if_neq(Node::default().at(at.x, at.y).size(size.x, size.y));
    let alpha = Color::WHITE.with_alpha(trace.opacity as f32 / 100.0);
    if image.color != alpha || image.image != *handle {
        (image.color, image.image) = (alpha, handle.clone());
    }
}
