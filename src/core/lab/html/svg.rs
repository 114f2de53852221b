//! Plots as inline SVG: a few shapes, in pixels.

use crate::words::escaped;
use std::fmt::Write;

/// A drawing in the making.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
        }
    }

    /// The finished element. `label` is the text for screen readers.
    pub fn finish(self, label: &str) -> String {
        let (width, height, body) = (self.width, self.height, self.body);
        let label = escaped(label);
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{label}\">{body}</svg>\n"
        )
    }

    /// Adds any other element.
    pub fn raw(&mut self, element: &str) {
        self.body.push_str(element);
    }

    /// Adds a rectangle. `style` is a list of attributes.
    pub fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), style: &str) {
        let (w, h) = (w.max(0.0), h.max(0.0));
        let _ = write!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {style}/>"
        );
    }

    pub fn line(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64), style: &str) {
        let _ = write!(
            self.body,
            "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" {style}/>"
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), r: f64, style: &str) {
        let _ = write!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" {style}/>"
        );
    }

    /// Adds text. `class` lists names of the style sheet: `small`, `head`, `bold`,
    /// `end`, `mid`.
    pub fn text(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let text = escaped(text);
        let _ = write!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{text}</text>"
        );
    }

    /// Adds a dot with its interval, from `low` to `high`.
    pub fn whisker(&mut self, (x, y): (f64, f64), (low, high): (f64, f64), fill: &str) {
        self.line((low, y), (high, y), INK_LINE);
        for end in [low, high] {
            self.line((end, y - 5.0), (end, y + 5.0), INK_LINE);
        }
        let style = format!("fill=\"{fill}\" stroke=\"#2a211c\"");
        self.dot((x, y), 4.5, &style);
    }
}

pub const INK_LINE: &str = "stroke=\"#2a211c\" stroke-width=\"1.3\"";
pub const GRID_LINE: &str = "stroke=\"#ddd3bb\"";
pub const TEAL: &str = "#2a7a72";
pub const RED: &str = "#a52a2a";

/// The style of a side's bars: plain for the first side, hatched for the second.
pub fn bar_of(side: usize) -> &'static str {
    match side {
        0 => "fill=\"#2e8bc0\" stroke=\"#2a211c\"",
        1 => "fill=\"url(#hatch)\" stroke=\"#2a211c\"",
        2 => "fill=\"#7d9a3c\" stroke=\"#2a211c\"",
        _ => "fill=\"#9a9488\" stroke=\"#2a211c\"",
    }
}

/// The fill patterns of the plots.
pub const PATTERNS: &str = "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\
<pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\"><rect width=\"5\" height=\"5\" fill=\"#f6dcae\"/><rect width=\"2.2\" height=\"5\" fill=\"#df8a2c\"/></pattern>\
<pattern id=\"harm\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\"><rect width=\"4\" height=\"4\" fill=\"#fffcf0\"/><rect width=\"1.6\" height=\"4\" fill=\"#b5483f\"/></pattern>\
<pattern id=\"less\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\"><rect width=\"4\" height=\"4\" fill=\"#fffcf0\"/><rect width=\"1\" height=\"4\" fill=\"#8d867a\"/></pattern>\
<pattern id=\"rock\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#d6c7a3\"/><path d=\"M0 2l2-2M1 6l5-5M4 3l2 3M0 3l2 2\" stroke=\"#6a5f52\" stroke-width=\".7\"/></pattern>\
<pattern id=\"bricks\" width=\"12\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect width=\"12\" height=\"8\" fill=\"#dbcdaa\"/><path d=\"M0 .5h12M0 4.5h12M3 0v4M9 4v4\" stroke=\"#8a7a55\" stroke-width=\".8\"/></pattern>\
<pattern id=\"waves\" width=\"12\" height=\"9\" patternUnits=\"userSpaceOnUse\"><rect width=\"12\" height=\"9\" fill=\"#bdd0d3\"/><path d=\"M0 4q3-3 6 0t6 0\" fill=\"none\" stroke=\"#3f6e80\" stroke-width=\".8\"/></pattern>\
<pattern id=\"rubble\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path d=\"M1 5l2-2 2 2zM7 10l2-2 2 2zM7 4l1.500-2 2 2z\" fill=\"none\" stroke=\"#6a5f52\" stroke-width=\".8\"/></pattern>\
</defs></svg>";
