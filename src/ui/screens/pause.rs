//! The pause menu: stops the battle, which can be saved, left or restarted.

use crate::{
    battle::capitalised,
    rulesets,
    ui::{
        Options, Phase, Screen, Selection, Session,
        app_command::{AppCommand, Browse, FileCommand, GameCommand, Replies, ReviewCommand},
        art::{hud::Panel, palette},
        editor::Edit,
        modal::{is_top, spawn_modal},
        saves::{
            Shelves,
            autosave::{self, Autosave},
        },
        screens::{review::Puzzle, road::Road},
        session::{TestBattle, any_seed},
        settings::screen::OpensSettings,
        shown::ShownObjective,
        theme::{TextStyle, faded, heading_text, text},
        widgets::{
            NodeExt, ScaledWidth, SendOnPress, SpawnWith, Tip, card, column, despawn_all,
            fill_width, message_button, panel_button, panel_style, rigid, row, rule, visible_if,
            word_button,
        },
    },
    words,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            apply_menu_commands.in_set(Phase::Commands),
            is_top::<PauseCard>.pipe(show_on_top).in_set(Phase::Draw),
        ),
    );
}

/// The root node of the pause menu.
#[derive(Component)]
pub struct PauseCard;

/// Hides the menu below another window, behind which it would stick out.
fn show_on_top(In(is_top): In<bool>, mut card: Query<&mut Visibility, With<PauseCard>>) {
    for mut visibility in &mut card {
        visibility.set_if_neq(visible_if(is_top));
    }
}

/// Opens the pause menu, and restarts or leaves the battle or quits the game.
fn apply_menu_commands(
    mut app_commands: MessageReader<AppCommand>,
    mut session: Option<ResMut<Session>>,
    mut selection: ResMut<Selection>,
    old: Query<Entity, With<PauseCard>>,
    (autosave, shelves, options): (Res<Autosave>, Res<Shelves>, Res<Options>),
    (test_battle, puzzle, road): (Option<Res<TestBattle>>, Option<Res<Puzzle>>, Res<Road>),
    mut next: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    for app_command in app_commands.read() {
        let AppCommand::Game(command) = app_command else {
            continue;
        };
        let Some(session) = session.as_mut() else {
            if *command == GameCommand::Quit {
                exit.write(AppExit::Success);
            }
            continue;
        };
        match command {
            GameCommand::Pause => {
                if old.is_empty() {
                    let is_kept = shelves.saves.is_some() && autosave.keeps();
                    let kind = (is_kept, road.is_fighting(session));
                    show(&mut commands, session, kind, test_battle.is_some());
                }
            }
            GameCommand::RestartTurn => {
                despawn_all(&mut commands, &old);
                selection.show_toast(match session.restart_turn() {
                    Ok(()) => "Turn restarted. You can do this once per battle.",
                    Err(why) => why,
                });
            }
            GameCommand::Retreat => {
                if !road.is_fighting(session) {
                    continue;
                }
                despawn_all(&mut commands, &old);
                selection.show_toast(match session.retreat() {
                    Ok(()) => "You retreat: your units leave at the end of the round.".into(),
                    Err(why) => capitalised(&format!("{why}.")),
                });
            }
            GameCommand::Again { same_dice } => {
                // The text of a lesson fits only the lesson's own seed.
                let lesson = session.game.level().lesson.as_ref();
                let seed = match lesson.and_then(|lesson| lesson.seed) {
                    Some(seed) => seed,
                    None if *same_dice => session.game.seed(),
                    None => any_seed(),
                };
                let (level, rules) = (session.game.level(), session.game.rules());
                let controllers = session.game.controllers().to_vec();
                let again = Session::with_controllers(level, rules, seed, controllers);
                commands.queue(|world: &mut World| autosave::show(world, again));
            }
            GameCommand::Fight {
                level,
                rules,
                controllers,
            } => {
                let own = session.game.level();
                let found = match own.id == *level {
                    // The level as played, including handicaps.
                    true => Some(own.clone()),
                    false => options.levels().into_iter().find(|l| l.id == *level),
                };
                if let (Some(level), Some(rules)) = (found, rulesets::find(rules)) {
                    let bout =
                        Session::with_controllers(&level, rules, any_seed(), controllers.clone());
                    commands.queue(|world: &mut World| autosave::show(world, bout));
                }
            }
            GameCommand::Leave => {
                despawn_all(&mut commands, &old);
                next.set(match puzzle {
                    Some(_) => Screen::Review,
                    None => Screen::Title,
                });
            }
            GameCommand::Quit => {
                exit.write(AppExit::Success);
            }
        }
    }
}

fn show(
    commands: &mut Commands,
    session: &Session,
    (is_kept, on_road): (bool, bool),
    is_test: bool,
) {
    let replies = Replies::new(Some(AppCommand::Close), AppCommand::Close);
    let is_tape = session.replay().is_some();
    let root = (PauseCard, replies, DespawnOnExit(Screen::Battle));
    let node = card()
        .max_width(percent(96))
        .max_height(percent(98))
        .row_gap(8.0)
        .scrolling();
    let card = (
        node,
        ScaledWidth(380.0),
        ScrollArea,
        panel_style(Panel::CardActive),
    );
    spawn_modal(commands, ("Pause card", 50), root, card, |card| {
        let heading = if is_tape { "Replay" } else { "Paused" };
        card.spawn(heading_text(heading));
        let place = format!(
            "{} · {} · {}",
            session.game.level().title,
            session.game.rules().id,
            words::round(session.shown().clock.round)
        );
        card.spawn(faded(place));
        let own = |objective: &ShownObjective| objective.side == session.player();
        for objective in session.objectives().into_iter().filter(own) {
            let ink = objective.ink(palette::TEAL);
            card.spawn(text(objective.line(), TextStyle::Small, ink));
        }
        card.spawn(rule());
        let go_on = match is_tape {
            true => "Resume replay (Esc)",
            false => "Resume (Esc)",
        };
        panel_button(card, (go_on, Panel::ButtonPrimary), AppCommand::Close);
        if session.has_result() {
            let result = AppCommand::Review(ReviewCommand::ShowResult);
            message_button(card, "Back to the result", result);
        }
        if is_tape {
            let replays = AppCommand::File(FileCommand::Browse(Browse::Replays));
            message_button(card, "Other replays", replays);
        } else {
            of_battle(card, session, on_road);
        }
        if !is_test && !on_road {
            let level = session.game.level().clone();
            let tip = Tip::text("Open the editor; leave it to return to this battle");
            let words = word_button("Edit this level", Panel::Button);
            card.spawn((words, SendOnPress(Edit::Level(level)), tip));
        }
        card.spawn((word_button("Settings", Panel::Button), OpensSettings));
        let leave = match is_test {
            true => "To the editor",
            false => "Main menu",
        };
        pair(
            card,
            (leave, AppCommand::Game(GameCommand::Leave)),
            ("Quit the game", AppCommand::Game(GameCommand::Quit)),
        );
        let words = if is_test {
            "Test play: no saves, no stars."
        } else if is_tape {
            "It stays in your replays."
        } else if is_kept {
            "The battle saves itself. Continue on the main menu resumes it."
        } else {
            "This battle can't be saved: leaving ends it."
        };
        card.spawn(faded(words));
    });
}

/// The menu entries about the battle. A battle of the Road can be neither restarted nor
/// saved to a file of its own, so it has other entries.
fn of_battle(card: &mut ChildSpawnerCommands, session: &Session, on_road: bool) {
    if on_road {
        return asking(card, "Retreat", GameCommand::Retreat, session.may_retreat());
    }
    pair(
        card,
        ("Save", AppCommand::File(FileCommand::Browse(Browse::Save))),
        ("Load", AppCommand::File(FileCommand::Browse(Browse::Load))),
    );
    let may_restart = session.may_restart_turn();
    asking(card, "Restart turn", GameCommand::RestartTurn, may_restart);
    let again = GameCommand::Again { same_dice: true };
    asking(card, "Restart battle", again, Ok(()));
}

/// A button that asks before it does something, or says why that is not possible.
fn asking(
    card: &mut ChildSpawnerCommands,
    words: &str,
    command: GameCommand,
    may: Result<(), &str>,
) {
    let ask = AppCommand::Ask(Box::new(AppCommand::Game(command)));
    match may {
        Ok(()) => message_button(card, words, ask),
        Err(why) => {
            card.spawn((word_button(words, Panel::CardPale), Tip::text(why)));
        }
    }
}

/// Two buttons side by side.
fn pair(card: &mut ChildSpawnerCommands, one: (&str, AppCommand), other: (&str, AppCommand)) {
    card.spawn_with(rigid(row(8.0)), |pair| {
        for (words, app_command) in [one, other] {
            let half = fill_width(column(0.0));
            pair.spawn_with(half, |half| message_button(half, words, app_command));
        }
    });
}
