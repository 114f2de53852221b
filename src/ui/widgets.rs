//! What cards and screens are made of: bevy's own widgets in the game's dress.

use super::{
    Phase,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    pick::Command,
    theme::{self, Cut, colour, text},
};
use bevy::{
    picking::hover::Hovered,
    prelude::*,
    ui::{InteractionDisabled, Pressed, UiGlobalTransform},
    ui_widgets::{Activate, Button},
    window::PrimaryWindow,
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(send);
    app.add_systems(Update, (dress, show_tip).chain().in_set(Phase::Draw));
}

/// A button of this sends the command.
#[derive(Component, Clone, Debug)]
pub struct Sends(pub Command);

fn send(on: On<Activate>, buttons: Query<&Sends>, mut out: MessageWriter<Command>) {
    if let Ok(Sends(command)) = buttons.get(on.entity) {
        out.write(command.clone());
    }
}

/// How a button is dressed, by what it is for.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skin(pub Panel);

/// A card's face, line and shadow.
pub fn face(panel: Panel) -> impl Bundle {
    (
        BackgroundColor(colour(panel.face())),
        BorderColor::all(line(panel)),
        shadow(panel),
    )
}

fn line(panel: Panel) -> Color {
    match panel {
        Panel::CardActive => colour(palette::GOLD),
        Panel::CardPale => colour(palette::CARD_PALE.mix(palette::INK, 0.3)),
        _ => colour(palette::INK),
    }
}

fn shadow(panel: Panel) -> BoxShadow {
    let ink = colour(palette::INK).with_alpha(if panel == Panel::CardPale { 0.0 } else { 0.28 });
    BoxShadow::new(ink, px(1), px(2), px(0), px(3))
}

/// A card: a column with a line round it.
pub fn card() -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(theme::PAD), px(12)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..default()
    }
}

/// A row of things, in the middle of its height.
pub fn row(gap: f32) -> Node {
    Node {
        align_items: AlignItems::Center,
        column_gap: px(gap),
        ..default()
    }
}

pub fn column(gap: f32) -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        row_gap: px(gap),
        ..default()
    }
}

/// Takes up what room is left in a row or column.
pub fn spring() -> impl Bundle {
    (
        Node {
            flex_grow: 1.0,
            ..default()
        },
        Pickable::IGNORE,
    )
}

/// A thin line across a card.
pub fn rule() -> impl Bundle {
    let node = Node {
        height: px(1.6),
        margin: UiRect::vertical(px(4)),
        flex_shrink: 0.0,
        ..default()
    };
    (
        node,
        BackgroundColor(colour(palette::ROCK)),
        Pickable::IGNORE,
    )
}

/// The bare bones of a button, to be filled with what it shows.
pub fn button(panel: Panel, node: Node) -> impl Bundle {
    let node = Node {
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        flex_shrink: 0.0,
        ..node
    };
    (Button, Hovered::default(), Skin(panel), face(panel), node)
}

/// A button with a word on it, as high as a line of buttons.
pub fn word_button(words: &str, panel: Panel) -> impl Bundle {
    let node = Node {
        padding: UiRect::axes(px(14), px(0)),
        height: px(34),
        ..default()
    };
    (
        button(panel, node),
        children![text(words, Cut::Strong, panel.text())],
    )
}

/// A picture in its size.
pub fn picture(image: Handle<Image>, size: f32) -> impl Bundle {
    let node = Node {
        width: px(size),
        height: px(size),
        flex_shrink: 0.0,
        ..default()
    };
    (ImageNode::new(image), node, Pickable::IGNORE)
}

/// A bar that is full for `share` of it.
pub fn bar(share: f32, fill: Rgb, height: f32) -> impl Bundle {
    let node = Node {
        height: px(height),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(3)),
        flex_shrink: 0.0,
        ..default()
    };
    let inner = Node {
        width: percent(share.clamp(0.0, 1.0) * 100.0),
        border_radius: BorderRadius::all(px(2)),
        ..default()
    };
    (
        node,
        BackgroundColor(colour(palette::HEALTH_EMPTY)),
        BorderColor::all(colour(palette::INK)),
        Pickable::IGNORE,
        children![(inner, BackgroundColor(colour(fill)), Pickable::IGNORE)],
    )
}

/// Buttons look as the pointer treats them.
fn dress(
    mut buttons: Query<(
        &Skin,
        &Hovered,
        Has<Pressed>,
        Has<InteractionDisabled>,
        &mut BackgroundColor,
    )>,
) {
    for (skin, hovered, pressed, disabled, mut ground) in &mut buttons {
        let plain = skin.0.face();
        let light = if skin.0.text() == palette::WHITE {
            0.12
        } else {
            0.6
        };
        let now = match (
            disabled || skin.0 == Panel::CardPale,
            pressed,
            hovered.get(),
        ) {
            (true, ..) | (_, false, false) => plain,
            (_, true, _) => plain.mix(palette::INK, 0.12),
            (_, _, true) => plain.mix(palette::WHITE, light),
        };
        ground.set_if_neq(BackgroundColor(colour(now)));
    }
}

/// What is told when the pointer rests on something.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Tip(pub Vec<TipLine>);

/// A line of a tip.
#[derive(Clone, PartialEq, Debug)]
pub struct TipLine {
    pub text: String,
    pub cut: Cut,
    pub ink: Rgb,
}

impl Tip {
    pub fn line(mut self, text: impl Into<String>, cut: Cut, ink: Rgb) -> Self {
        self.0.push(TipLine {
            text: text.into(),
            cut,
            ink,
        });
        self
    }
}

/// The tip on the screen.
#[derive(Component)]
struct TipCard(Entity, Tip);

fn show_tip(
    mut commands: Commands,
    tips: Query<(Entity, &Tip, &Hovered, &ComputedNode, &UiGlobalTransform)>,
    shown: Query<(Entity, &TipCard)>,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
) {
    let wanted = tips
        .iter()
        .find(|(_, tip, hovered, ..)| hovered.get() && !tip.0.is_empty());
    for (card, TipCard(of, tip)) in &shown {
        if wanted.is_some_and(|(e, t, ..)| e == *of && t == tip) {
            return;
        }
        commands.entity(card).despawn();
    }
    let (Some((of, tip, _, node, place)), Some(window)) = (wanted, window) else {
        return;
    };
    let scale = node.inverse_scale_factor;
    let (middle, half) = (place.translation * scale, node.size() * scale / 2.0);
    let size = window.size();
    // Away from the thing and towards the middle of the window, so that it
    // covers neither the thing nor leaves the window.
    let mut at = Node {
        position_type: PositionType::Absolute,
        max_width: px(320),
        padding: UiRect::axes(px(12), px(8)),
        row_gap: px(2),
        ..card()
    };
    if middle.y > size.y / 2.0 {
        at.bottom = px(size.y - (middle.y - half.y) + 8.0);
    } else {
        at.top = px(middle.y + half.y + 8.0);
    }
    if middle.x > size.x / 2.0 {
        at.right = px((size.x - (middle.x + half.x)).max(8.0));
    } else {
        at.left = px((middle.x - half.x).max(8.0));
    }
    commands
        .spawn((
            TipCard(of, tip.clone()),
            at,
            face(Panel::CardLight),
            GlobalZIndex(100),
            Pickable::IGNORE,
        ))
        .with_children(|card| {
            for line in &tip.0 {
                card.spawn(text(line.text.clone(), line.cut, line.ink));
            }
        });
}
