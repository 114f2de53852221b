//! Fonts, colours and spacing of cards and screens.

use super::{
    Phase,
    art::{
        lettering::{self, Typeface},
        palette::{self, Rgb},
    },
    pictures::Pictures,
};
use bevy::{
    prelude::*,
    text::{FontFeatureTag, FontFeatures, FontSource, RemSize},
};

/// The standard text size in pixels.
pub const BODY: f32 = 15.0;
/// The gap between cards in layout pixels.
pub const GAP: f32 = 12.0;
/// The padding inside cards in layout pixels.
pub const PAD: f32 = 16.0;
/// The corner radius of cards and buttons in layout pixels.
pub const RADIUS: f32 = 6.0;
/// The border width of cards and buttons in layout pixels.
pub const LINE: f32 = 1.6;

/// The font of all text except [`TextStyle::Code`].
pub const FAMILY: &str = "Libertinus Serif";
/// The font for lines of a file.
const CODE: &str = "DejaVu Sans Mono";

pub(super) fn plugin(app: &mut App) {
    // Text sizes are relative to this, so that a single number scales all text.
    app.insert_resource(RemSize(BODY));
    app.init_resource::<Appearance>();
    app.add_systems(PreStartup, load_fonts);
    app.add_systems(
        Update,
        repaint
            .before(Phase::Input)
            .run_if(resource_changed::<Appearance>),
    );
}

/// Changes when everything has to be rebuilt and redrawn, for example in other
/// colours.
#[derive(Resource, Default)]
pub struct Appearance;

/// Sets the background colour and drops all cached pictures, so that they are drawn again.
fn repaint(mut commands: Commands, mut pictures: ResMut<Pictures>) {
    commands.insert_resource(ClearColor(colour(palette::PAPER)));
    pictures.forget();
}

/// The game's fonts, loaded for as long as the game runs.
#[derive(Resource)]
struct Fonts {
    _handles: Vec<Handle<Font>>,
}

/// Loads the fonts: Libertinus Serif comes first in the crate, and upright DejaVu
/// Sans Mono last.
fn load_fonts(mut commands: Commands, mut fonts: ResMut<Assets<Font>>) {
    let all = typst_assets::fonts;
    let handles = all().take(6).chain(all().last());
    let handles = handles
        .map(|bytes| fonts.add(Font::from_bytes(bytes.to_vec())))
        .collect();
    commands.insert_resource(Fonts { _handles: handles });
}

/// Converts a drawing colour for the window.
pub fn colour(rgb: Rgb) -> Color {
    let [r, g, b] = rgb.bytes();
    Color::srgb_u8(r, g, b)
}

/// The text styles of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextStyle {
    /// The result of a battle.
    Verdict,
    /// The game's name, the heading of a screen.
    Title,
    /// The heading of a card.
    Heading,
    /// Button labels and names.
    Strong,
    Body,
    /// Secondary text.
    Small,
    /// Labels under icons.
    Label,
    /// A single large number.
    Big,
    /// Monospaced lines of a file.
    Code,
}

impl TextStyle {
    /// Size in pixels at the standard text size, weight, and whether italic. Text
    /// looks thinner in the window than in print, so each weight is one step heavier
    /// than it should look.
    fn metrics(self) -> (f32, FontWeight, bool) {
        match self {
            Self::Verdict => (48.0, FontWeight::BOLD, false),
            Self::Title => (36.0, FontWeight::BOLD, false),
            Self::Heading => (20.0, FontWeight::BOLD, false),
            Self::Strong => (15.0, FontWeight::BOLD, false),
            Self::Body => (15.0, FontWeight::SEMIBOLD, false),
            Self::Small => (13.0, FontWeight::SEMIBOLD, true),
            Self::Label => (13.0, FontWeight::BOLD, false),
            Self::Big => (32.0, FontWeight::BOLD, false),
            Self::Code => (12.0, FontWeight::NORMAL, false),
        }
    }

    /// The Bevy font of the style, in units of the standard text size.
    pub fn font(self) -> TextFont {
        self.resized_font(1.0)
    }

    /// [`font`](Self::font), with its size multiplied by `factor`.
    fn resized_font(self, factor: f32) -> TextFont {
        let (size, weight, slanted) = self.metrics();
        let family = if self == Self::Code { CODE } else { FAMILY };
        // Digits of equal width align in columns.
        let features: FontFeatures = [
            FontFeatureTag::LINING_FIGURES,
            FontFeatureTag::TABULAR_FIGURES,
        ]
        .into();
        TextFont {
            font: FontSource::Family(family.into()),
            font_size: FontSize::Rem(factor * size / BODY),
            weight,
            style: if slanted {
                FontStyle::Italic
            } else {
                FontStyle::Normal
            },
            font_features: features,
            ..default()
        }
    }

    /// The height of a line in layout pixels at the standard text size.
    pub fn line_height(self) -> f32 {
        // Bevy's standard distance of lines.
        1.2 * self.metrics().0
    }

    /// The width of a line in layout pixels at the standard text size, for any style but
    /// [`TextStyle::Code`].
    pub fn width(self, line: &str) -> f32 {
        let (size, weight, slanted) = self.metrics();
        let typeface = match (weight == FontWeight::BOLD, slanted) {
            (true, _) => Typeface::Bold,
            (false, true) => Typeface::SemiboldItalic,
            (false, false) => Typeface::Semibold,
        };
        TABULAR * lettering::width(typeface, line, size)
    }

    /// The text scale at which every word of a text fits into `width` layout pixels: `scale` if
    /// possible, but not less than the standard size. Words that are still too long must be cut.
    pub fn fitting_scale(self, words: &str, width: f32, scale: f32) -> f32 {
        let widths = words.split(' ').map(|word| self.width(word));
        let longest = widths.fold(1.0, f32::max);
        // A little smaller, because a word that just fits must not be cut by rounding.
        (0.999 * width / longest).clamp(scale.min(1.0), scale)
    }

    /// An order that fits into `width` layout pixels at the standard text size. A longer one is
    /// shortened before the number at its end: "shoots at Se… 60%". A sentence with several
    /// numbers would then say something false: use [`wrapped_at_words`](Self::wrapped_at_words).
    pub fn fitted(self, line: &str, width: f32) -> String {
        if self.width(line) <= width {
            return line.to_owned();
        }
        let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
        let (start, end) = match line.rsplit_once(' ') {
            Some((start, last)) if has_digit(last) => (start, format!("… {last}")),
            _ => (line, String::from("…")),
        };
        self.cut_before(start, &end, width)
    }

    /// A line of two parts that fits into `width` layout pixels at the standard text size. If it is
    /// too long, the first part is shortened: "sh… Sexton 60%". If even the second part is,
    /// the line is [fitted](Self::fitted). The second part may be empty.
    pub fn fitted_before(self, [start, end]: [&str; 2], width: f32) -> String {
        let line = format!("{start} {end}");
        let line = line.trim_end();
        let short_end = format!("… {end}");
        let fits = |line: &str| self.width(line) <= width;
        match !fits(line) && !end.is_empty() && fits(&short_end) {
            true => self.cut_before(start, &short_end, width),
            false => self.fitted(line, width),
        }
    }

    /// As much of a line as fits before `end`.
    fn cut_before(self, start: &str, end: &str, width: f32) -> String {
        let room = width - self.width(end);
        let mut short = String::new();
        for letter in start.chars() {
            short.push(letter);
            if self.width(&short) > room {
                short.pop();
                break;
            }
        }
        short.truncate(short.trim_end().len());
        short + end
    }

    /// A line that fits into that width. A longer one ends after a whole word, so that no number
    /// loses digits.
    fn cut_at_word(self, line: &str, width: f32) -> String {
        if self.width(line) <= width {
            return line.to_owned();
        }
        let room = width - self.width("…");
        let ends = line.match_indices(' ').map(|(end, _)| end);
        let end = ends.take_while(|end| self.width(&line[..*end]) <= room);
        format!("{}…", &line[..end.last().unwrap_or(0)])
    }

    /// As much of an order as fits into `lines` lines of that width. The last line is
    /// [fitted](Self::fitted), so that a number at the end stays.
    pub fn wrapped(self, words: &str, width: f32, lines: usize) -> String {
        self.wrapped_by(Self::fitted, words, (width, lines))
    }

    /// As many whole words of a text as fit into `lines` lines of that width.
    pub fn wrapped_at_words(self, words: &str, width: f32, lines: usize) -> String {
        self.wrapped_by(Self::cut_at_word, words, (width, lines))
    }

    fn wrapped_by(
        self,
        cut: fn(Self, &str, f32) -> String,
        words: &str,
        (width, lines): (f32, usize),
    ) -> String {
        let mut rest = words.trim();
        let mut out = String::new();
        for _ in 1..lines {
            let ends = rest.match_indices(' ').map(|(end, _)| end);
            let ends: Vec<usize> = ends.chain([rest.len()]).collect();
            let fits = |end: &&usize| self.width(&rest[..**end]) <= width;
            // A single long word is shortened in place.
            let end = ends.iter().take_while(fits).last().unwrap_or(&ends[0]);
            out += &cut(self, &rest[..*end], width);
            rest = rest[*end..].trim_start();
            if rest.is_empty() {
                return out;
            }
            out.push(' ');
        }
        out + &cut(self, rest, width)
    }
}

/// The width of a line relative to the sum of its letters. Digits of equal width are wider than
/// the measured ones.
const TABULAR: f32 = 1.03;

/// A line or paragraph of text.
pub fn text(words: impl Into<String>, cut: TextStyle, ink: Rgb) -> impl Bundle {
    resized_text(words, (cut, 1.0), ink)
}

/// A line or paragraph of text in a style, with its type enlarged by a factor.
pub fn resized_text(
    words: impl Into<String>,
    (cut, factor): (TextStyle, f32),
    ink: Rgb,
) -> impl Bundle {
    (
        Text::new(words),
        cut.resized_font(factor),
        TextColor(colour(ink)),
        Pickable::IGNORE,
    )
}

/// The heading of a card.
pub fn heading_text(words: impl Into<String>) -> impl Bundle {
    text(words, TextStyle::Heading, palette::INK)
}

/// A name, or the heading of a part of a card.
pub fn strong_text(words: impl Into<String>) -> impl Bundle {
    text(words, TextStyle::Strong, palette::INK)
}

/// A paragraph.
pub fn body_text(words: impl Into<String>) -> impl Bundle {
    text(words, TextStyle::Body, palette::INK)
}

/// Secondary text: small, in pale ink.
pub fn faded(words: impl Into<String>) -> impl Bundle {
    text(words, TextStyle::Small, palette::FADED_INK)
}

/// A line of text that does not wrap.
pub fn one_line(words: impl Into<String>, cut: TextStyle, ink: Rgb) -> impl Bundle {
    (text(words, cut, ink), TextLayout::no_wrap())
}

/// A part of a line in another style or colour.
pub fn span(words: impl Into<String>, cut: TextStyle, ink: Rgb) -> impl Bundle {
    (TextSpan::new(words), cut.font(), TextColor(colour(ink)))
}
