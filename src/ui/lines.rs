//! Works around text that wraps one pixel too early.
//!
//! The layout measures a text at its exact width and rounds that to whole pixels, but
//! the text is then wrapped at the rounded width. A text that just fitted no longer
//! does, and its last word moves to a line without space.

use bevy::{prelude::*, text::TextLayoutInfo, ui::UiSystems};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, make_room.after(UiSystems::PostLayout));
}

/// Makes every text node high enough for its lines.
fn make_room(
    mut texts: Query<
        (&TextLayoutInfo, &ComputedNode, &mut Node),
        (With<Text>, Changed<TextLayoutInfo>),
    >,
) {
    for (lines, shown, mut node) in &mut texts {
        let has = shown.size().y * shown.inverse_scale_factor;
        let (needs, is_held) = (lines.size.y, node.min_height != Val::Auto);
        if needs > has + 1.0 {
            node.min_height = px(needs.ceil());
        } else if is_held && needs < has - 1.0 {
            node.min_height = Val::Auto;
        }
    }
}
