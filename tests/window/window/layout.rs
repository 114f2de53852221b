//! Checks of a screen's layout: text must not be outside the window, cut off, wider than its
//! place, or on top of other text.

use bevy::{
    prelude::*,
    text::TextLayoutInfo,
    ui::{CalculatedClip, OverflowAxis, UiGlobalTransform},
    window::PrimaryWindow,
};
use fivefoot::ui::{board::labels::Label, hud::InspectCard, places::OverBoard};

/// Pixels by which text may exceed its place.
const SLACK: f32 = 2.0;
/// The largest share of a card on the board that another card may cover.
const COVERED: f32 = 0.2;

struct Line {
    words: String,
    rect: Rect,
    root: Entity,
}

pub fn faults(world: &mut World) -> Vec<String> {
    let mut windows = world.query_filtered::<&Window, With<PrimaryWindow>>();
    let window = windows.single(world).expect("one window");
    let screen = Rect::from_corners(Vec2::ZERO, window.physical_size().as_vec2());
    let mut texts = world.query::<(
        Entity,
        &Text,
        &ComputedNode,
        &UiGlobalTransform,
        &InheritedVisibility,
        &TextLayoutInfo,
        Option<&CalculatedClip>,
    )>();
    let (mut out, mut lines) = (vec![], vec![]);
    for (entity, words, node, place, seen, layout, clip) in texts.iter(world) {
        if !seen.get() || words.0.trim().is_empty() || node.size().min_element() < 1.0 {
            continue;
        }
        let rect = Rect::from_center_size(place.translation, node.size());
        let words: String = words.0.chars().take(40).collect();
        // Measure letters only: a space at the end of a line is invisible.
        let right = layout.glyphs.iter().map(|g| g.position.x);
        if right.fold(0.0, f32::max) > node.size().x + SLACK {
            out.push(format!("wider than its place: {words}"));
        }
        let scrolls = is_scrolled(world, entity);
        let inside = |around: Rect| {
            let around = around.inflate(SLACK);
            around.contains(rect.min) && around.contains(rect.max)
        };
        let shown = clip.map_or(screen, |clip| clip.clip.intersect(screen));
        if !scrolls && !inside(screen) {
            out.push(format!("outside: {words}"));
        } else if !scrolls && !inside(shown) {
            out.push(format!("cut off: {words}"));
        }
        let rect = rect.intersect(shown);
        if rect.is_empty() {
            continue;
        }
        lines.push(Line {
            words,
            rect,
            root: root(world, entity),
        });
    }
    for (n, one) in lines.iter().enumerate() {
        for other in &lines[n + 1..] {
            let both = one.rect.intersect(other.rect);
            if one.root == other.root && both.width().min(both.height()) > SLACK * 2.0 {
                out.push(format!("over each other: {} / {}", one.words, other.words));
            }
        }
    }
    out.extend(covered_cards(world));
    out
}

/// Cards on the board that cover each other or are covered by permanent panels. The card of
/// the thing under the pointer is allowed to.
fn covered_cards(world: &mut World) -> Vec<String> {
    let mut cards = world.query_filtered::<(
        Entity,
        &ComputedNode,
        &UiGlobalTransform,
        &InheritedVisibility,
    ), Or<(With<Label>, With<OverBoard>)>>();
    let seen = cards.iter(world).filter(|card| card.3.get());
    let seen: Vec<(Entity, Rect)> = seen
        .map(|(card, node, place, _)| {
            (card, Rect::from_center_size(place.translation, node.size()))
        })
        .collect();
    let area = |rect: Rect| rect.width() * rect.height();
    let mut out = vec![];
    for (n, &(one, at)) in seen.iter().enumerate() {
        for &(other, there) in &seen[n + 1..] {
            let both = area(at.intersect(there)) / area(at).min(area(there));
            if both > COVERED {
                let words = |card| words_of(world, card);
                let percent = (both * 100.0).round();
                out.push(format!(
                    "{percent}% covered: {} / {}",
                    words(one),
                    words(other)
                ));
            }
        }
    }
    out
}

/// The whole text of a card.
fn words_of(world: &World, card: Entity) -> String {
    let own = world.get::<Text>(card).map_or("", |text| text.0.as_str());
    let parts = world.get::<Children>(card).into_iter().flatten();
    let parts = parts.map(|&part| words_of(world, part));
    let all = std::iter::once(own.to_owned()).chain(parts);
    let all: Vec<String> = all.filter(|words| !words.is_empty()).collect();
    all.join(" ")
}

/// Reports if the card at the right needs scrolling: the pointer is on the board while it is
/// shown, so the player could not scroll it.
pub fn scrolled_card(world: &mut World) -> Option<String> {
    let mut cards = world.query_filtered::<&ComputedNode, With<InspectCard>>();
    let card = cards.iter(world).next()?;
    let over = card.content_size().y - card.size().y;
    (over > SLACK).then(|| format!("the card at the right is {over} px too short"))
}

/// The outermost node; cards on top of others are roots of their own.
fn root(world: &World, entity: Entity) -> Entity {
    let mut at = entity;
    while let Some(parent) = world.get::<ChildOf>(at) {
        at = parent.parent();
    }
    at
}

/// Whether the node is in a scrolling list.
fn is_scrolled(world: &World, entity: Entity) -> bool {
    let mut at = entity;
    while let Some(parent) = world.get::<ChildOf>(at) {
        at = parent.parent();
        let node = world.get::<Node>(at);
        if node.is_some_and(|n| n.overflow.y == OverflowAxis::Scroll) {
            return true;
        }
    }
    false
}
