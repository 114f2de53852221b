//! Nodes in one line.

use bevy::prelude::*;

/// The properties of a node, one call each: `card().row_gap(4.0).padding(12.0, 8.0)`. Numbers are
/// layout pixels.
pub trait NodeExt: Sized {
    fn set(self, set: impl FnOnce(&mut Node)) -> Self;

    fn width(self, width: Val) -> Self {
        self.set(|node| node.width = width)
    }

    fn height(self, height: Val) -> Self {
        self.set(|node| node.height = height)
    }

    fn size(self, width: f32, height: f32) -> Self {
        self.width(px(width)).height(px(height))
    }

    /// As large as its parent.
    fn whole(self) -> Self {
        self.width(percent(100)).height(percent(100))
    }

    fn min_width(self, width: Val) -> Self {
        self.set(|node| node.min_width = width)
    }

    fn min_height(self, height: Val) -> Self {
        self.set(|node| node.min_height = height)
    }

    fn max_width(self, width: Val) -> Self {
        self.set(|node| node.max_width = width)
    }

    fn max_height(self, height: Val) -> Self {
        self.set(|node| node.max_height = height)
    }

    /// Left and right, above and below.
    fn padding(self, beside: f32, above: f32) -> Self {
        self.set(|node| node.padding = UiRect::axes(px(beside), px(above)))
    }

    /// Above and below.
    fn margin_y(self, margin: f32) -> Self {
        self.set(|node| node.margin = UiRect::vertical(px(margin)))
    }

    fn margin_top(self, margin: f32) -> Self {
        self.set(|node| node.margin = UiRect::top(px(margin)))
    }

    fn border(self, width: f32) -> Self {
        self.set(|node| node.border = UiRect::all(px(width)))
    }

    fn rounded(self, radius: BorderRadius) -> Self {
        self.set(|node| node.border_radius = radius)
    }

    fn row_gap(self, gap: f32) -> Self {
        self.set(|node| node.row_gap = px(gap))
    }

    fn column_gap(self, gap: f32) -> Self {
        self.set(|node| node.column_gap = px(gap))
    }

    /// Places the children side by side.
    fn in_row(self, gap: f32) -> Self {
        let node = self.column_gap(gap);
        node.set(|node| node.flex_direction = FlexDirection::Row)
    }

    fn align(self, items: AlignItems) -> Self {
        self.set(|node| node.align_items = items)
    }

    fn justify(self, content: JustifyContent) -> Self {
        self.set(|node| node.justify_content = content)
    }

    /// Centres the children in both directions.
    fn centred(self) -> Self {
        let node = self.align(AlignItems::Center);
        node.justify(JustifyContent::Center)
    }

    fn absolute(self) -> Self {
        self.set(|node| node.position_type = PositionType::Absolute)
    }

    /// Places the corner at a point of the parent.
    fn at(self, left: f32, top: f32) -> Self {
        self.absolute().set(|node| {
            (node.left, node.top) = (px(left), px(top));
        })
    }

    /// Takes a share of the remaining space.
    fn grow(self) -> Self {
        self.set(|node| node.flex_grow = 1.0)
    }

    fn hidden(self) -> Self {
        self.set(|node| node.display = Display::None)
    }

    fn scrolling(self) -> Self {
        self.set(|node| node.overflow = Overflow::scroll_y())
    }

    fn clipped(self) -> Self {
        self.set(|node| node.overflow = Overflow::clip())
    }

    /// Clipped at the left and the right.
    fn clip_x(self) -> Self {
        self.set(|node| node.overflow = Overflow::clip_x())
    }
}

impl NodeExt for Node {
    fn set(mut self, set: impl FnOnce(&mut Node)) -> Self {
        set(&mut self);
        self
    }
}
