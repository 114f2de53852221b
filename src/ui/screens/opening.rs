//! The card at the start of a battle: the board stays at rest until the player begins, so that
//! nothing happens before the player has seen it.

use crate::ui::{
    Options, Phase, Screen, Session,
    app_command::{AppCommand, GameCommand, Replies},
    art::{hud::Panel, palette},
    hud::{COLUMN, GAP},
    input::Key,
    modal::{self, Modal},
    session::begin,
    theme::{TextStyle, heading_text, text},
    widgets::{NodeExt, ScaledWidth, SendOnPress, SpawnWith, card, key_button, panel_style, row},
};
use bevy::{
    picking::{events::Click, pointer::PointerButton},
    prelude::*,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Battle), show.after(begin));
    app.add_systems(
        Update,
        close_by_space
            .in_set(Phase::Input)
            .run_if(modal::is_top::<OpeningCard>),
    );
}

/// The root node of the card.
#[derive(Component)]
pub struct OpeningCard;

/// Shows the card if the battle is new and a human plays it. A lesson begins with the card of its
/// coach.
fn show(session: Res<Session>, options: Res<Options>, mut commands: Commands) {
    let level = session.game.level();
    let is_new = session.shown().events == 0 && session.replay().is_none();
    let is_played = session.game.is_human(session.player());
    if options.begins_at_once || !is_new || !is_played || level.lesson.is_some() {
        return;
    }
    let pause = AppCommand::Game(GameCommand::Pause);
    // Over the column at the right: it covers no unit, and the cards there are still empty.
    let all = Node {
        padding: UiRect::right(px(GAP)),
        ..row(0.0).absolute().whole().justify(JustifyContent::End)
    };
    let over_all = (Modal, GlobalZIndex(30), DespawnOnExit(Screen::Battle));
    let replies = Replies::new(Some(AppCommand::Close), pause);
    let root = (Name::new("Opening card"), OpeningCard, replies);
    let mut root = commands.spawn((root, over_all, all));
    root.observe(press).with_children(|all| {
        let node = card()
            .max_width(percent(96))
            .align(AlignItems::Center)
            .row_gap(8.0);
        all.spawn_with(
            (node, ScaledWidth(COLUMN), panel_style(Panel::CardActive)),
            |card| {
                card.spawn(heading_text(level.title.clone()));
                let story = (&level.briefing, TextStyle::Body, palette::INK);
                let advice = (&level.teaches, TextStyle::Small, palette::FADED_INK);
                for (words, cut, ink) in [story, advice] {
                    if !words.is_empty() {
                        card.spawn(text(words.clone(), cut, ink));
                    }
                }
                let objectives = session.objectives().into_iter();
                for objective in objectives.filter(|objective| objective.side == session.player()) {
                    card.spawn(text(objective.text, TextStyle::Body, palette::TEAL));
                }
                let button = key_button("Begin ({})", Key::Confirm, Panel::ButtonPrimary);
                card.spawn((button, SendOnPress(AppCommand::Close)));
            },
        );
    });
}

/// A click beside the card begins too.
fn press(on: On<Pointer<Click>>, mut out: MessageWriter<AppCommand>) {
    let is_own = on.entity == on.original_event_target();
    if is_own && on.button == PointerButton::Primary {
        out.write(AppCommand::Close);
    }
}

fn close_by_space(keys: Res<ButtonInput<Key>>, mut out: MessageWriter<AppCommand>) {
    if keys.just_pressed(Key::Skip) {
        out.write(AppCommand::Close);
    }
}
