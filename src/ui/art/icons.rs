//! Icons in ink lines: actions, roles, conditions, menu buttons.
//!
//! Each is drawn on a square of 24 units with a pen 2 units wide, in a single colour,
//! so that it can be ink on a card, white on a token, or pale.

use tiny_skia::{Color, Pixmap, Transform};

use super::canvas::{DrawnShape, Sheet};
use super::palette::{self, INK, Rgb};

pub use crate::icons::Icon;

/// The side of the square that icons are drawn on, in their own units.
pub(super) const SIDE: f32 = 24.0;

/// How one part of an icon is drawn.
#[derive(Clone, Copy)]
enum IconMark {
    /// A line with the full width of the pen.
    Line(&'static str),
    /// A line with a finer pen, for inner details.
    Fine(&'static str),
    Fill(&'static str),
}

use IconMark::{Fill, Fine, Line};

/// The marks of an icon. The match is exhaustive, so every icon has some.
fn marks(icon: Icon) -> &'static [IconMark] {
    match icon {
        // Actions.
        Icon::Strike => &[
            Fill("M 8.2 13.6 L 17.6 3.6 L 20.9 3.1 L 20.4 6.4 L 10.4 15.8 Z"),
            Line("M 5.6 12.2 L 11.8 18.4 M 7.8 16.2 L 4.6 19.4"),
            Fill("O 4.3 19.7 1.7"),
        ],
        Icon::Shoot => &[
            Line("M 8.5 3 C 19 5.5 19 18.5 8.5 21"),
            Fine("M 8.5 3 L 8.5 21"),
            Line("M 3 12 L 20.6 12 M 17.2 8.6 L 20.8 12 L 17.2 15.4"),
        ],
        Icon::Throw => &[
            Fill("O 18.2 7.4 4"),
            Line("M 3.2 20.6 C 3.6 13.4 6.6 9.2 11.4 7.6"),
            Line("M 9.6 20.6 C 9.8 17.4 11 15.2 13 13.6"),
        ],
        Icon::Move => &[
            Line(
                "M 8 3.5 L 14 3.5 L 14 11.5 C 14.5 13.5 20 13.8 20 17.5 L 20 20.5 L 7.5 20.5 L 8 3.5 Z",
            ),
            Fine("M 7.6 17.3 L 20 17.3"),
        ],
        Icon::Run => &[
            Line(
                "M 11 3.5 L 16.5 3.5 L 16.5 11.5 C 17 13.5 21.5 13.8 21.5 17.5 L 21.5 20.5 L 10.5 20.5 L 11 3.5 Z",
            ),
            Line("M 3.5 7 L 7.5 7 M 2.5 12 L 7 12 M 3.5 17 L 6.5 17"),
        ],
        Icon::Charge => &[
            Line("M 7 12 L 16 12"),
            Fill("M 14.6 7.6 L 22.6 12 L 14.6 16.4 L 16.4 12 Z"),
            Line("M 3.5 7 L 10 7 M 2 12 L 3.2 12 M 3.5 17 L 10 17"),
        ],
        Icon::Defend => &[Line(
            "M 12 3 C 14.4 4.8 16.8 5.6 19.8 5.7 C 20 12.8 17.8 18 12 21.2 C 6.2 18 4 12.8 4.2 5.7 C 7.2 5.6 9.6 4.8 12 3 Z",
        )],
        Icon::TotalDefense => &[
            Line(
                "M 12 3 C 14.4 4.8 16.8 5.6 19.8 5.7 C 20 12.8 17.8 18 12 21.2 C 6.2 18 4 12.8 4.2 5.7 C 7.2 5.6 9.6 4.8 12 3 Z",
            ),
            Fill("M 12 3 C 9.6 4.8 7.2 5.6 4.2 5.7 C 4 12.8 6.2 18 12 21.2 Z"),
        ],
        Icon::Parry => &[
            Line("M 5 19.5 L 19.5 4 M 4.5 15 L 9 19.5"),
            Line("M 19 19.5 L 14.3 14.5 M 10 9.8 L 4.5 4 M 19.5 15 L 15 19.5"),
        ],
        Icon::Snap => &[Fill(
            "M 14.4 2.2 L 5 13.6 L 10.8 13.6 L 8.8 21.8 L 19 9.4 L 12.6 9.4 Z",
        )],
        Icon::Swarm => &[
            Fill("O 12 13.2 2.3"),
            Line("M 12 2.6 L 12 8 M 9.4 5.8 L 12 8.4 L 14.6 5.8"),
            Line("M 2.9 18.4 L 7.6 15.8 M 4.5 14.6 L 7.9 15.6 L 7.1 19.2"),
            Line("M 21.1 18.4 L 16.4 15.8 M 19.5 14.6 L 16.1 15.6 L 16.9 19.2"),
        ],
        Icon::Screen => &[Line("M 6 6.5 L 6 19 M 12 4 L 12 20.5 M 18 6.5 L 18 19")],
        Icon::Disengage => &[
            Fill("O 19 12 2.9"),
            Line("M 13.4 12 L 3.4 12 M 8 7.2 L 3.2 12 L 8 16.8"),
        ],
        Icon::Prone => &[
            Fill("O 5 13.2 2.7"),
            Line("M 9.6 14.6 L 20.6 14.6 M 2.8 19.4 L 21.2 19.4"),
        ],
        Icon::Stand => &[
            Fill("O 8.5 5 2.6"),
            Line("M 8.5 9.5 L 8.5 14.5 M 5 20.5 L 8.5 14.5 L 12 20.5 M 4.5 11.5 L 12.5 11.5"),
            Line("M 18.5 19 L 18.5 6.5 M 15.4 9.8 L 18.5 6.4 L 21.6 9.8"),
        ],
        Icon::Aid => &[Line(
            "M 9 3.5 L 15 3.5 L 15 9 L 20.5 9 L 20.5 15 L 15 15 L 15 20.5 L 9 20.5 L 9 15 L 3.5 15 L 3.5 9 L 9 9 Z",
        )],
        Icon::Hold => &[Line("O 12 12 8.8 M 12 7 L 12 12.2 L 15.6 14.4")],
        Icon::Aim => &[
            Line(
                "O 12 12 6.5 M 12 2.5 L 12 7.5 M 12 16.5 L 12 21.5 M 2.5 12 L 7.5 12 M 16.5 12 L 21.5 12",
            ),
            Fill("O 12 12 1.4"),
        ],
        Icon::Door => &[
            Line("M 6 20.5 L 6 3.5 L 18 3.5 L 18 20.5 M 3 20.5 L 21 20.5"),
            Fill("O 14.6 12.4 1.6"),
        ],
        Icon::PickUp => &[Line(
            "M 3.8 15 L 3.8 20.5 L 20.2 20.5 L 20.2 15 M 12 16 L 12 4 M 7.4 8.6 L 12 3.8 L 16.6 8.6",
        )],
        Icon::Grid => &[
            Fill(
                "M 4 4 L 8.4 4 L 8.4 8.4 L 4 8.4 Z M 9.8 4 L 14.2 4 L 14.2 8.4 L 9.8 8.4 Z M 15.6 4 L 20 4 L 20 8.4 L 15.6 8.4 Z",
            ),
            Fill(
                "M 4 9.8 L 8.4 9.8 L 8.4 14.2 L 4 14.2 Z M 9.8 9.8 L 14.2 9.8 L 14.2 14.2 L 9.8 14.2 Z M 15.6 9.8 L 20 9.8 L 20 14.2 L 15.6 14.2 Z",
            ),
            Fill(
                "M 4 15.6 L 8.4 15.6 L 8.4 20 L 4 20 Z M 9.8 15.6 L 14.2 15.6 L 14.2 20 L 9.8 20 Z M 15.6 15.6 L 20 15.6 L 20 20 L 15.6 20 Z",
            ),
        ],
        Icon::Reload => &[
            Line("A 12 12 8.6 -50 210 M 17.8 2.4 L 17.7 5.6 L 21 6.4"),
            Line("M 12 16.2 L 12 9 M 9.3 11 L 12 8.2 L 14.7 11"),
        ],
        Icon::Shove => &[
            Line("M 15.8 5.5 L 21 5.5 L 21 18.5 L 15.8 18.5 Z"),
            Line("M 2.8 12 L 11.6 12 M 7.6 7.8 L 11.8 12 L 7.6 16.2"),
        ],
        Icon::Grapple => &[Line("O 8.8 12 5.8 O 15.2 12 5.8")],
        Icon::Spell => &[
            Line(
                "M 11.5 4 C 12.3 10 14.2 11.9 20 12.7 C 14.2 13.5 12.3 15.4 11.5 21.4 C 10.7 15.4 8.8 13.5 3 12.7 C 8.8 11.9 10.7 10 11.5 4 Z",
            ),
            Fill("O 19.2 4.8 1.7 O 4.6 4.6 1.2 O 19.6 19.6 1.2"),
        ],
        Icon::Climb => &[Line(
            "M 7 3 L 7 21 M 17 3 L 17 21 M 7 7 L 17 7 M 7 12 L 17 12 M 7 17 L 17 17",
        )],
        Icon::Intimidate => &[
            Line("M 3.5 9 L 7.5 9 L 13 4.5 L 13 19.5 L 7.5 15 L 3.5 15 Z"),
            Line("A 13.5 12 4 -45 45 A 13.5 12 8 -45 45"),
        ],
        Icon::EndTurn => &[
            Line("M 5.5 3 L 18.5 3 M 5.5 21 L 18.5 21"),
            Line(
                "M 7.3 3 C 7.3 8.6 10.8 10.2 10.8 12 C 10.8 13.8 7.3 15.4 7.3 21 M 16.7 3 C 16.7 8.6 13.2 10.2 13.2 12 C 13.2 13.8 16.7 15.4 16.7 21",
            ),
            Fill("M 8.4 20 C 8.8 17.6 10.6 17 12 15.4 C 13.4 17 15.2 17.6 15.6 20 Z"),
        ],
        Icon::Undo => &[Line(
            "M 8.6 3.6 L 4 8.2 L 8.6 12.8 M 4.4 8.2 L 14 8.2 C 22.6 8.2 22.6 19.8 14 19.8 L 9 19.8",
        )],
        Icon::Pass => &[
            Fill("O 11.4 18.4 2.2"),
            Line("M 3.6 15.8 C 5.4 5.8 16.2 5.4 19.2 13.6 M 20.8 7.8 L 19.4 14 L 13.2 12.4"),
        ],
        Icon::Why => &[
            Line("M 7.8 8.6 C 7.8 2.2 16.4 2.2 16.4 8.2 C 16.4 12 12 11.8 12 15.4"),
            Fill("O 12 19.8 1.7"),
        ],

        // Roles, except those that use an action's icon: sword (strike), bow (shoot),
        // shield (defend).
        Icon::Staff => &[Line("M 4.8 20.4 L 14.6 8.6"), Fill("O 16.9 5.9 4.1")],
        Icon::Dagger => &[
            Fill("M 9.2 10.6 L 14.8 10.6 L 14.4 16 L 12 21.8 L 9.6 16 Z"),
            Line("M 6.6 9.6 L 17.4 9.6 M 12 9 L 12 4"),
            Fill("O 12 3.4 1.7"),
        ],
        Icon::Spear => &[
            Line("M 3.8 20.2 L 14.6 9.4"),
            Fill("M 20.8 3.2 L 18.8 10.2 L 15.4 11.2 L 12.8 8.6 L 13.8 5.2 Z"),
        ],
        Icon::HolySign => &[
            Line("O 12 12 4"),
            Line("M 12 2.6 L 12 5 M 12 19 L 12 21.4 M 2.6 12 L 5 12 M 19 12 L 21.4 12"),
            Line("M 5.4 5.4 L 7 7 M 17 17 L 18.6 18.6 M 5.4 18.6 L 7 17 M 17 7 L 18.6 5.4"),
        ],
        Icon::Fist => &[
            Line(
                "M 5.2 12 L 5.2 8.2 C 5.2 5.4 9 5.4 9 8.2 C 9 4.4 12.8 4.4 12.8 7.6 C 12.8 4.8 16.4 4.8 16.4 8.2 C 16.4 6 19.6 6 19.6 8.8 L 19.6 14.5 C 19.6 18.4 17.4 20.8 13.4 20.8 L 11 20.8 C 7.6 20.8 5.2 18.8 5.2 15.6 Z",
            ),
            Line(
                "M 9 8.2 L 9 10.6 M 12.8 7.6 L 12.8 10.6 M 16.4 8.2 L 16.4 10.6 M 5.2 13.6 L 12.2 13.6",
            ),
        ],
        Icon::Axe => &[
            Line("M 13.6 8 L 5 20.6"),
            Fill(
                "M 10 6.8 C 10.4 4 13 2.4 16.4 2.6 C 16.2 5.2 17.6 9 20.6 11 C 17.4 13 13.8 12.4 12 10 Z",
            ),
        ],

        // Conditions, except those that are actions.
        Icon::Bleeding => &[Fill(
            "M 12 2.4 C 15.4 7.6 18.6 11.4 18.6 15 C 18.6 19 15.6 21.6 12 21.6 C 8.4 21.6 5.4 19 5.4 15 C 5.4 11.4 8.6 7.6 12 2.4 Z",
        )],
        Icon::Stunned => &[Line(
            "M 12.4 12.2 C 11 10.6 13.6 9.2 15 11 C 17 13.8 14 17.2 10.8 16.2 C 6.6 15 6.2 9.4 9.8 7 C 13.8 4.2 19.6 7 20 12 C 20.2 17.6 16 21 11.4 20.8 C 7 20.6 4 17.6 3.4 14",
        )],
        Icon::Held => &[
            Fill("M 4.8 10.6 L 19.2 10.6 L 19.2 21 L 4.8 21 Z"),
            Line("M 7.8 10.6 L 7.8 7.6 C 7.8 2 16.2 2 16.2 7.6 L 16.2 10.6"),
        ],
        Icon::Surprised => &[Fill(
            "M 9.8 2.8 L 14.2 2.8 L 13.2 14.8 L 10.8 14.8 Z O 12 19.4 2.3",
        )],
        Icon::Fleeing => &[Line(
            "M 12.4 4.5 L 5 12 L 12.4 19.5 M 19.6 4.5 L 12.2 12 L 19.6 19.5",
        )],
        Icon::Eye => &[
            Line("M 2.4 12 C 6 5.6 18 5.6 21.6 12 C 18 18.4 6 18.4 2.4 12 Z"),
            Fill("O 12 12 3"),
        ],
        Icon::Unseen => &[
            Line("M 2.4 12 C 6 5.6 18 5.6 21.6 12 C 18 18.4 6 18.4 2.4 12 Z"),
            Fill("O 12 12 2.6"),
            Line("M 4.4 20.4 L 19.6 3.6"),
        ],

        // Icons outside of battles.
        Icon::Die => &[
            Line("M 12 2.2 L 20.6 7.1 L 20.6 16.9 L 12 21.8 L 3.4 16.9 L 3.4 7.1 Z"),
            Fine(
                "M 12 7.2 L 16.8 15.4 L 7.2 15.4 Z M 12 2.2 L 12 7.2 M 16.8 15.4 L 20.6 16.9 M 7.2 15.4 L 3.4 16.9 M 3.4 7.1 L 12 7.2 L 20.6 7.1 M 3.4 7.1 L 7.2 15.4 M 20.6 7.1 L 16.8 15.4 M 7.2 15.4 L 12 21.8 L 16.8 15.4",
            ),
        ],
        Icon::Heart => &[Fill(
            "M 12 21 C 4.6 15.6 2.4 12 2.6 8.4 C 2.9 3.4 9.6 2.2 12 7 C 14.4 2.2 21.1 3.4 21.4 8.4 C 21.6 12 19.4 15.6 12 21 Z",
        )],
        Icon::Skull => &[
            Line(
                "M 12 2.8 C 6.4 2.8 3.6 6.6 3.6 11 C 3.6 13.8 5 15.4 7 16.5 L 7 20.8 L 17 20.8 L 17 16.5 C 19 15.4 20.4 13.8 20.4 11 C 20.4 6.6 17.6 2.8 12 2.8 Z",
            ),
            Fill("O 8.5 11 2.1 O 15.5 11 2.1 M 12 13.2 L 13.4 15.8 L 10.6 15.8 Z"),
            Fine("M 10.3 18 L 10.3 20.8 M 13.7 18 L 13.7 20.8"),
        ],
        Icon::Flag => &[Line(
            "M 5.5 21.5 L 5.5 3 M 5.5 4 C 10 2 13.5 6.6 19.5 4.4 L 19.5 13.4 C 13.5 15.6 10 11 5.5 13",
        )],
        Icon::Book => &[
            Line(
                "M 12 6.4 C 9.6 4.4 6 4 2.8 4.5 L 2.8 18.7 C 6 18.2 9.6 18.4 12 20.4 C 14.4 18.4 18 18.2 21.2 18.7 L 21.2 4.5 C 18 4 14.4 4.4 12 6.4 Z",
            ),
            Line("M 12 6.4 L 12 20"),
        ],
        Icon::Gear => &[
            Line(
                "M 19 10.1 L 21.7 10.4 L 21.7 13.6 L 19 13.9 L 18.2 15.6 L 20 17.7 L 17.7 20 L 15.6 18.2 \
                 L 13.9 19 L 13.6 21.7 L 10.4 21.7 L 10.1 19 L 8.4 18.2 L 6.3 20 L 4 17.7 L 5.8 15.6 \
                 L 5 13.9 L 2.3 13.6 L 2.3 10.4 L 5 10.1 L 5.8 8.4 L 4 6.3 L 6.3 4 L 8.4 5.8 \
                 L 10.1 5 L 10.4 2.3 L 13.6 2.3 L 13.9 5 L 15.6 5.8 L 17.7 4 L 20 6.3 L 18.2 8.4 Z",
            ),
            Line("O 12 12 2.8"),
        ],
        Icon::Save => &[
            Line("M 3.8 3.8 L 16.6 3.8 L 20.2 7.4 L 20.2 20.2 L 3.8 20.2 Z"),
            Line("M 7.4 20 L 7.4 13.6 L 16.6 13.6 L 16.6 20"),
            Fill("M 7.6 4 L 14.6 4 L 14.6 8.6 L 7.6 8.6 Z"),
        ],
        Icon::Load => &[Line(
            "M 3 19.5 L 3 4.5 L 9.5 4.5 L 12 7.5 L 19.5 7.5 L 19.5 10.5 M 3 19.5 L 6.4 10.6 L 22 10.6 L 18.8 19.5 Z",
        )],
        Icon::Play => &[Fill("M 6.6 3.6 L 20.4 12 L 6.6 20.4 Z")],
        Icon::Pause => &[Fill(
            "M 6 4 L 10.2 4 L 10.2 20 L 6 20 Z M 13.8 4 L 18 4 L 18 20 L 13.8 20 Z",
        )],
        Icon::FastForward => &[Fill(
            "M 2.8 5 L 12 12 L 2.8 19 Z M 12 5 L 21.2 12 L 12 19 Z",
        )],
        Icon::Skip => &[Fill(
            "M 5 4.6 L 15.6 12 L 5 19.4 Z M 16.6 4.6 L 19.6 4.6 L 19.6 19.4 L 16.6 19.4 Z",
        )],
        Icon::Close => &[Line("M 5 5 L 19 19 M 19 5 L 5 19")],
        Icon::Check => &[Line("M 4 12.8 L 9.6 18.4 L 20.2 6")],
        Icon::Sound => &[
            Fill("M 3 9 L 7 9 L 12 4.6 L 12 19.4 L 7 15 L 3 15 Z"),
            Line("A 12.5 12 3.6 -50 50 A 12.5 12 7.8 -50 50"),
        ],
        Icon::Mute => &[
            Fill("M 3 9 L 7 9 L 12 4.6 L 12 19.4 L 7 15 L 3 15 Z"),
            Line("M 15.6 9 L 21.4 15 M 21.4 9 L 15.6 15"),
        ],
        Icon::Map => &[
            Line("M 3 5.5 L 9 3.5 L 15 5.5 L 21 3.5 L 21 18.5 L 15 20.5 L 9 18.5 L 3 20.5 Z"),
            Fine("M 9 3.5 L 9 18.5 M 15 5.5 L 15 20.5"),
        ],
        Icon::ArrowRight => &[Line("M 4 12 L 19.4 12 M 13 5.4 L 19.6 12 L 13 18.6")],
        Icon::ArrowLeft => &[Line("M 20 12 L 4.6 12 M 11 5.4 L 4.4 12 L 11 18.6")],
        Icon::ArrowUp => &[Line("M 12 20 L 12 4.6 M 5.4 11 L 12 4.4 L 18.6 11")],
        Icon::ArrowDown => &[Line("M 12 4 L 12 19.4 M 5.4 13 L 12 19.6 L 18.6 13")],
    }
}

/// An icon on a transparent ground, `px` pixels square. Small icons get a relatively
/// thicker pen.
pub fn icon(icon: Icon, px: u32, colour: Rgb) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32 / SIDE);
    draw(&mut sheet, icon, pen_for(px as f32), colour.solid());
    sheet.pixmap
}

/// The pen width, in icon units, that keeps an icon of this size legible.
pub(super) fn pen_for(px: f32) -> f32 {
    (2.0 * (24.0 / px).sqrt()).clamp(1.7, 2.8)
}

/// Draws an icon on the square from (0, 0) to ([`SIDE`], [`SIDE`]).
pub(super) fn draw(sheet: &mut Sheet, icon: Icon, pen: f32, colour: Color) {
    for mark in marks(icon) {
        match *mark {
            Line(marks) => sheet.stroke(&DrawnShape::marks(marks), pen, colour),
            Fine(marks) => sheet.stroke(&DrawnShape::marks(marks), pen * 0.55, colour),
            Fill(marks) => {
                let shape = DrawnShape::marks(marks);
                sheet.fill(&shape, colour);
                // Rounds the corners, as ink does.
                sheet.stroke(&shape, pen * 0.35, colour);
            }
        }
    }
}

/// Draws an icon around a point, `size` units wide.
pub(super) fn draw_at(
    sheet: &mut Sheet,
    icon: Icon,
    (x, y): (f32, f32),
    size: f32,
    pen: f32,
    colour: Color,
) {
    let frame = Transform::from_translate(x - size / 2.0, y - size / 2.0)
        .pre_scale(size / SIDE, size / SIDE);
    sheet.within(frame, |sheet| draw(sheet, icon, pen, colour));
}

/// How much cover a target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    Half,
    Full,
}

/// A round badge with a shield, drawn beside a target: half of the shield is dark for
/// half cover, all of it for full cover.
pub fn cover_badge(cover: Cover, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32 / SIDE);
    sheet.fill(&DrawnShape::circle(12.0, 12.0, 11.6), INK.solid());
    sheet.fill(
        &DrawnShape::circle(12.0, 12.0, 10.3),
        palette::CARD_ACTIVE.solid(),
    );
    let pen = pen_for(px as f32 * 0.65);
    draw_at(
        &mut sheet,
        Icon::Defend,
        (12.0, 12.2),
        15.0,
        pen,
        INK.solid(),
    );
    let side = match cover {
        Cover::Half => {
            DrawnShape::marks("M 12 3 C 9.6 4.8 7.2 5.6 4.2 5.7 C 4 12.8 6.2 18 12 21.2 Z")
        }
        Cover::Full => DrawnShape::marks(
            "M 12 3 C 14.4 4.8 16.8 5.6 19.8 5.7 C 20 12.8 17.8 18 12 21.2 C 6.2 18 4 12.8 4.2 5.7 C 7.2 5.6 9.6 4.8 12 3 Z",
        ),
    };
    let frame = Transform::from_translate(4.5, 4.7).pre_scale(15.0 / SIDE, 15.0 / SIDE);
    sheet.within(frame, |sheet| sheet.fill(&side, INK.solid()));
    sheet.pixmap
}
