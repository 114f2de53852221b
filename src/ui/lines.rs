//! Works around text that wraps one pixel too early or too late.
//!
//! The layout measures a text at its exact width and rounds that to whole pixels, but
//! the text is then wrapped at the rounded width. A text that just fitted no longer
//! does, and its last word moves to a line without space; or a text that just did not fit
//! now does, and leaves a blank line below it.

use bevy::{prelude::*, text::TextLayoutInfo, ui::UiSystems};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, make_room.after(UiSystems::PostLayout));
}

/// Makes every text node as high as its lines.
fn make_room(
    mut texts: Query<
        (&TextLayoutInfo, &ComputedNode, &mut Node),
        (With<Text>, Changed<TextLayoutInfo>),
    >,
) {
    for (lines, shown, mut node) in &mut texts {
        // A hidden text is wrapped at no width; its lines say nothing about its height when shown.
        if shown.is_empty() {
            continue;
        }
        let has = shown.size().y * shown.inverse_scale_factor;
        let needs = lines.size.y;
        let (is_held, is_capped) = (node.min_height != Val::Auto, node.max_height != Val::Auto);
        // A line is wider than the exact width and fits only into the rounded one.
        let just_fits = lines.size.x > shown.unrounded_size().x * shown.inverse_scale_factor;
        if needs > has + 1.0 {
            node.min_height = px(needs.ceil());
            if is_capped {
                node.max_height = Val::Auto;
            }
        } else if needs < has - 1.0 {
            if is_held {
                node.min_height = Val::Auto;
            }
            if just_fits {
                node.max_height = px(needs.ceil());
            }
        }
    }
}
