//! Small pictures beside a token: condition badges and health bars.

use tiny_skia::Pixmap;

use super::super::canvas::{DrawnShape, Sheet};
use super::super::icons::{self, Icon};
use super::super::lettering::{self, Typeface};
use super::super::palette::{self, INK, Rgb};

/// The badge of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Badge {
    pub icon: Icon,
    pub tone: Tone,
}

/// Whether the condition is good for the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    Bad,
    Good,
    /// Neither, or both.
    Mixed,
}

impl Tone {
    fn colour(self) -> Rgb {
        match self {
            Tone::Bad => palette::DANGER,
            Tone::Good => palette::TEAL,
            Tone::Mixed => INK,
        }
    }
}

/// A round badge for a condition, `px` pixels square: about a third of a cell.
pub fn badge(badge: Badge, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::square(px);
    let line = (1.2 / px as f32).max(0.05);
    sheet.fill_circle(0.0, 0.0, 0.49, INK.solid());
    sheet.fill_circle(0.0, 0.0, 0.49 - line, palette::CARD_ACTIVE.solid());
    let pen = icons::pen_for(px as f32 * 0.62);
    let (middle, ink) = ((0.0, 0.0), badge.tone.colour().solid());
    icons::draw_at(&mut sheet, badge.icon, middle, 0.62, pen, ink);
    sheet.pixmap
}

/// A unit's hit points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Health {
    pub now: i32,
    /// Hit points just lost, which the bar still shows in white.
    pub lost: i32,
    pub most: i32,
    /// Whether the unit is on the player's side.
    pub is_own: bool,
}

impl Health {
    /// The remaining share, from 0 to 1.
    pub fn share(self) -> f32 {
        (self.now as f32 / self.most.max(1) as f32).clamp(0.0, 1.0)
    }
}

/// The height of a health bar with its number, in cells.
pub const BAR: f32 = 0.31;
/// The least height of a bar with a readable number, in layout pixels. A lower bar is
/// drawn thin and without its number.
const MIN_BAR: f32 = 8.6;

/// The size of the cells for which the bar of a token is drawn, if the token is smaller than its
/// cells by this factor: as small as the token, but not too small for the number.
pub fn bar_px(cell_px: u32, size: f32, layout: f32) -> u32 {
    let least = (MIN_BAR * layout / BAR).ceil() as u32;
    let px = (cell_px as f32 * size).round() as u32;
    px.max(least.min(cell_px))
}

/// A health bar for below a token, with the remaining hit points as a number. It is
/// 0.82 of a cell wide, a little wider for large units. `layout` is the number of
/// pixels per layout pixel.
pub fn health_bar(health: Health, cells: u32, cell_px: u32, layout: f32) -> Pixmap {
    let wide = 0.82 + 0.3 * (cells.max(1) - 1) as f32;
    let cell = cell_px as f32;
    let width = (wide * cell).round().max(4.0);
    let has_number = BAR * cell >= MIN_BAR * layout;
    let height = match has_number {
        true => (BAR * cell).round(),
        false => (0.13 * cell).round().max(4.0),
    };
    let mut sheet = Sheet::new(width as u32, height as u32, 1.0);
    let line = (height / 9.0).clamp(1.0, 2.5).round();
    let radius = (height / 3.0).min(0.07 * cell);
    let outer = DrawnShape::rounded(0.0, 0.0, width, height, radius);
    sheet.fill(&outer, INK.solid());
    let inner = (width - 2.0 * line, height - 2.0 * line);
    sheet.fill_rect(line, line, inner.0, inner.1, palette::HEALTH_EMPTY.solid());
    // A standing unit never looks dead, a hurt unit never looks unhurt.
    let share = health.share();
    let filled = inner.0 * share;
    let filled = if share > 0.0 { filled.max(1.0) } else { 0.0 };
    let most = if share < 1.0 { inner.0 - 1.0 } else { filled };
    let filled = filled.min(most);
    // The colour shows only the side: the length and the number show how hurt the unit is.
    let colour = match health.is_own {
        true => palette::HEALTH,
        false => palette::HEALTH_ENEMY,
    };
    if filled > 0.0 {
        sheet.fill_rect(line, line, filled, inner.1, colour.solid());
    }
    if health.lost > 0 {
        let before = Health {
            now: health.now + health.lost,
            ..health
        };
        let lost = inner.0 * before.share() - filled;
        sheet.fill_rect(line + filled, line, lost, inner.1, palette::WHITE.solid());
    }
    if has_number {
        let digits = health.now.to_string().replace('-', "−");
        // Digits are about two thirds of the font size high.
        let size = (inner.1 * 1.28).min(inner.0 * 1.6 / digits.chars().count() as f32);
        let number = lettering::centred(Typeface::Bold, &digits, size, width / 2.0, height / 2.0);
        // An outline separates the digits from the end of the bar.
        sheet.stroke(&number, size * 0.12, palette::HEALTH_EMPTY.alpha(0.55));
        sheet.fill(&number, palette::WHITE.solid());
    }
    sheet.pixmap
}
