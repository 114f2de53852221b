//! A line to type in: bevy's own text input in the game's dress.

use super::{
    art::palette,
    theme::{self, Cut, colour},
    widgets::Tip,
};
use bevy::{
    input_focus::InputFocus,
    picking::{events::Press, hover::Hovered},
    prelude::*,
    text::{EditableText, EditableTextFilter, TextCursorStyle},
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(leave_on_press);
}

/// A line of at most `most` characters; `takes` says which, `what` what it is for.
pub fn entry(
    what: &str,
    text: &str,
    width: f32,
    most: usize,
    takes: impl Fn(char) -> bool + Send + Sync + 'static,
) -> impl Bundle {
    let node = Node {
        width: px(width),
        height: px(34),
        padding: UiRect::axes(px(8), px(5)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        flex_shrink: 0.0,
        ..default()
    };
    let editable = EditableText {
        max_characters: Some(most),
        ..EditableText::new(text)
    };
    let cursor = TextCursorStyle {
        color: colour(palette::INK),
        selection_color: colour(palette::GOLD).with_alpha(0.5),
        unfocused_selection_color: Color::NONE,
        selected_text_color: None,
    };
    (
        node,
        Hovered::default(),
        Tip::default().line(what, Cut::Small, palette::INK),
        editable,
        EditableTextFilter::new(takes),
        TextLayout::no_wrap(),
        Cut::Body.font(),
        TextColor(colour(palette::INK)),
        cursor,
        BackgroundColor(colour(palette::WHITE)),
        BorderColor::all(colour(palette::INK)),
    )
}

/// The keyboard is the text's now.
pub fn is_typing(focus: Res<InputFocus>, entries: Query<(), With<EditableText>>) -> bool {
    focus.get().is_some_and(|it| entries.contains(it))
}

/// A click elsewhere ends the typing.
fn leave_on_press(
    press: On<Pointer<Press>>,
    entries: Query<(), With<EditableText>>,
    mut focus: ResMut<InputFocus>,
) {
    let is_typing = focus.get().is_some_and(|it| entries.contains(it));
    if is_typing && !entries.contains(press.entity) {
        focus.clear();
    }
}
