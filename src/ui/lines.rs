//! Text that breaks at the last pixel.
//!
//! The layout measures a text at its exact width, then rounds that to whole
//! pixels, and the text is broken at the rounded one. What just fitted does not
//! any more, and its last word goes to a line for which there is no room.

use bevy::{prelude::*, text::TextLayoutInfo, ui::UiSystems};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, make_room.after(UiSystems::PostLayout));
}

/// A node of text is no lower than the lines that it came to.
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
