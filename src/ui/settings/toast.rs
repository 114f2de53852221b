//! Short messages on any screen: a card below the top bar that disappears after a
//! while or when clicked. It is narrow enough not to cover the buttons, and lies below the card of a
//! lesson.

use crate::{
    battle::capitalised,
    ui::{
        Options, Phase,
        art::hud::Panel,
        places::LessonPlace,
        theme::{self, body_text},
        widgets::{NodeExt, card, panel_style, set_part},
    },
};
use bevy::{prelude::*, ui::UiGlobalTransform};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Toast>();
    app.add_systems(
        Update,
        (tell_of_programs, show, lower, fade)
            .chain()
            .in_set(Phase::Draw),
    );
}

/// Reports that a program the player uses as an AI has failed.
fn tell_of_programs(options: Res<Options>, mut toasts: MessageWriter<Toast>) {
    for why in options.take_failures() {
        toasts.write(Toast(format!(
            "{}. The quick AI plays on for it.",
            capitalised(&why)
        )));
    }
}

/// A message to show.
#[derive(Message, Clone, PartialEq, Debug)]
pub struct Toast(pub String);

/// The place of a card.
#[derive(Component)]
pub struct ToastCard;

/// The seconds until a card disappears.
#[derive(Component)]
pub struct Vanishes(pub f32);

/// Distance from the top edge of the window, in layout pixels.
const TOP: f32 = 76.0;

/// How long a card stays, in seconds: enough to read it, by number of letters.
fn reading_time(words: &str) -> f32 {
    2.5 + words.chars().count() as f32 * 0.045
}

fn show(mut toasts: MessageReader<Toast>, mut commands: Commands) {
    for Toast(words) in toasts.read() {
        let place = Node {
            position_type: PositionType::Absolute,
            top: px(TOP),
            width: percent(100),
            justify_content: JustifyContent::Center,
            ..default()
        };
        let node = card().max_width(percent(44)).padding(theme::PAD, 10.0);
        let card = (ToastCard, Vanishes(reading_time(words)));
        let root = (card, place, GlobalZIndex(90), Pickable::IGNORE);
        let root = commands.spawn(root).id();
        let vanish = move |_: On<Pointer<Click>>, mut commands: Commands| {
            commands.entity(root).despawn();
        };
        // Not a button, which would take the focus from what the player is doing.
        let card = (node, panel_style(Panel::CardActive), ChildOf(root));
        let mut card = commands.spawn((card, children![body_text(words.clone())]));
        card.observe(vanish);
    }
}

/// Keeps the cards below the card of a lesson.
fn lower(
    lessons: Query<(&ComputedNode, &UiGlobalTransform), With<LessonPlace>>,
    mut cards: Query<&mut Node, With<ToastCard>>,
) {
    let bottom = |(node, place): (&ComputedNode, &UiGlobalTransform)| {
        (place.translation.y + node.size().y / 2.0) * node.inverse_scale_factor
    };
    let top = lessons.iter().map(bottom).fold(TOP, f32::max);
    for mut node in &mut cards {
        set_part(&mut node, |node| &mut node.top, px(top));
    }
}

fn fade(mut cards: Query<(Entity, &mut Vanishes)>, time: Res<Time>, mut commands: Commands) {
    for (entity, mut card) in &mut cards {
        card.0 -= time.delta_secs();
        if card.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}
