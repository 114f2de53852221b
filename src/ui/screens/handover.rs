//! Several players at one screen: before the next player gets a prompt, a sheet hides
//! the board, because each side's knowledge and declarations are secret from the
//! others.

use crate::{
    battle::capitalised,
    ui::{
        Phase, Playback, Screen, Selection, Session,
        app_command::{AppCommand, GameCommand, Replies},
        art::{hud::Panel, palette},
        hud::SmallPictures,
        modal::Modal,
        theme::{body_text, colour, heading_text},
        widgets::{NodeExt, SpawnWith, card, despawn_all, panel_button, panel_style, rule},
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (hand_over.in_set(Phase::Commands), show.in_set(Phase::Think))
            .run_if(in_state(Screen::Battle)),
    );
}

/// The sheet over the board.
#[derive(Component)]
pub struct HandoverCard;

fn hand_over(
    mut app_commands: MessageReader<AppCommand>,
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    sheets: Query<Entity, With<HandoverCard>>,
    mut commands: Commands,
) {
    if app_commands.read().any(|e| *e == AppCommand::NextPlayer)
        && let Some(side) = session.awaits_player()
    {
        session.hand_over(side);
        // Clear what the previous player pointed at.
        selection.clear();
        despawn_all(&mut commands, &sheets);
    }
}

fn show(
    session: Res<Session>,
    playback: Res<Playback>,
    sheets: Query<(), With<HandoverCard>>,
    mut icons: SmallPictures,
    mut commands: Commands,
) {
    let Some(side) = session.awaits_player().filter(|_| !playback.busy) else {
        return;
    };
    if !sheets.is_empty() {
        return;
    }
    let name = capitalised(session.game.names().side(side));
    let pause = AppCommand::Game(GameCommand::Pause);
    let replies = Replies::new(Some(AppCommand::NextPlayer), pause);
    let sheet = crate::ui::screens::sheet(&mut icons);
    // The sheet's picture does not cover its margins.
    let opaque = BackgroundColor(colour(palette::PAPER));
    let over_all = (Modal, GlobalZIndex(40), DespawnOnExit(Screen::Battle));
    let root = (Name::new("Handover card"), HandoverCard, replies, over_all);
    let mut root = commands.spawn((root, sheet, opaque));
    root.with_children(|sheet| {
        let middle = Node::default().whole().centred();
        sheet.spawn_with(middle, |middle| {
            let node = card().width(px(440)).row_gap(8.0);
            middle.spawn_with((node, panel_style(Panel::CardActive)), |card| {
                card.spawn(heading_text(format!("{name}: your turn")));
                card.spawn(rule());
                let words = "The board is hidden until you are ready, so that other players can't see your units.";
                card.spawn(body_text(words));
                let ready = ("I'm ready (Enter)", Panel::ButtonPrimary);
                panel_button(card, ready, AppCommand::NextPlayer);
            });
        });
    });
}
