//! The bar along the top: the round, whose turn it is, and the turn track.

use super::{ForecastBar, Signs, Told, track};
use crate::ui::widgets::SendOnPress;
use crate::{
    battle::{Choice, capitalised},
    ui::{
        ActionPreview, Selection, Session,
        app_command::AppCommand,
        art::{hud::Panel, icons::Icon, palette},
        codex::CodexCommand,
        input::Key,
        pictures::Sign,
        preview::{PlanPreview, PreviewedMoment},
        selection::Command,
        theme::{Cut, text},
        widgets::{Tip, button, picture, row, word_button},
    },
    words::possessive,
};
use bevy::prelude::*;

/// The bar along the top.
#[derive(Component, Default)]
#[require(Told<Model>)]
pub struct TopBar;

#[derive(PartialEq)]
pub struct Model {
    round: u16,
    /// "Your turn", followed by what comes next.
    turn: String,
    is_yours: bool,
    next: String,
    track: Vec<track::Part>,
    place: String,
    rules: &'static str,
    can_undo: bool,
    /// Whether the player can only watch.
    watching: bool,
    /// Whether events are still being shown.
    busy: bool,
    idle: usize,
    /// Whether the turn can be ended, and the label of that button.
    can_end: bool,
    /// Whether the plan waits for confirmation before the round begins.
    is_held: bool,
    end_words: &'static str,
    /// Other choices of the whole side.
    others: Vec<Other>,
    /// Whether this is a replay.
    is_tape: bool,
}

/// A choice of the whole side.
#[derive(PartialEq)]
struct Other {
    /// Index among those choices.
    n: usize,
    words: String,
    /// Its effects.
    lines: Vec<String>,
}

fn model(
    session: &Session,
    selection: &Selection,
    preview: &ActionPreview,
    (plan_preview, looked): (&PlanPreview, &PreviewedMoment),
) -> Model {
    let shown = session.shown();
    let clock = &shown.clock;
    let names = session.game.names();
    let player = session.player();
    let asked = session.question();
    let own_question = asked.filter(|q| q.is_turn());
    // When all units have acted, the player still ends the turn, even if the clock is between two
    // turns.
    let has_last_word = session.awaits_end_of_turn();
    let is_held = session.held().is_some();
    let is_watched = session.replay().is_some() || !session.game.is_human(player);
    let has_turn = clock.turn == Some(player) || own_question.is_some() || has_last_word;
    let is_yours = has_turn && !is_watched;
    let turn = match clock.turn {
        _ if has_last_word => String::from("All units have acted"),
        _ if is_held => String::from("Everyone has declared"),
        Some(side) if side == player && !is_watched => {
            let all_done = session.is_players_turn() && session.idle_members().next().is_none();
            String::from(if all_done {
                "All units have acted"
            } else {
                "Your turn"
            })
        }
        _ if own_question.is_some() => own_question.map_or(String::new(), |q| q.prompt.clone()),
        Some(side) if side == player || is_watched => {
            capitalised(&format!("{} turn", possessive(names.side(side))))
        }
        Some(side) => format!("Enemy turn: {}", names.side_in_line(side)),
        None if clock.moment.is_empty() => String::from("Initiative"),
        None => String::new(),
    };
    let later = clock.track.iter().filter(|stop| stop.label.is_empty());
    let later = later.skip(1).filter_map(|stop| stop.marks.first());
    let later: Vec<String> = later
        .map(|mark| capitalised(names.side(shown.person(mark.who).side)))
        .collect();
    let next = match (clock.moment.is_empty(), later.is_empty()) {
        (false, _) => clock.moment.to_string(),
        (true, true) => String::new(),
        (true, false) => format!("{} next", later[0]),
    };
    // Why the button says "End anyway".
    let next = match session.idle_members().count() {
        idle @ 1.. if selection.sure && !is_held => {
            format!("{} can still act", crate::words::count(idle, "unit"))
        }
        _ => next,
    };
    let (turn, next) = match looked.frame(plan_preview) {
        Some(frame) => (
            String::from("If no enemy acts"),
            format!("{}: estimate", frame.when.name),
        ),
        None => (turn, next),
    };
    let ends = |choice: &&Choice| Some(choice.verb) == session.reads.rules.planning.end_turn;
    let common = own_question.map_or(&[][..], |q| &q.common);
    Model {
        round: clock.round,
        turn,
        is_yours,
        next,
        track: track::parts(session, selection, plan_preview),
        place: format!(
            "{} · seed {}",
            session.game.level().title,
            session.game.seed()
        ),
        rules: session.game.rules().id,
        can_undo: session.can_undo(),
        watching: !is_yours || session.is_prompted(),
        busy: !session.is_players_turn() && !has_last_word,
        idle: match is_held {
            true => 0,
            false => session.idle_members().count(),
        },
        is_held,
        can_end: match own_question {
            None => has_last_word || !is_watched && session.reads.rules.planning.end_turn.is_some(),
            Some(_) => is_held || common.iter().any(|c| ends(&c)),
        },
        is_tape: session.replay().is_some(),
        end_words: match (is_held, selection.sure) {
            (true, _) => "Begin the round",
            (_, true) => "End anyway",
            _ => session.reads.reader.end_words,
        },
        others: common
            .iter()
            .enumerate()
            .filter(|(_, c)| !ends(c) && !is_held)
            .map(|(n, c)| Other {
                n,
                words: session.reads.side_label(c, names),
                lines: preview.common.get(n).cloned().unwrap_or_default(),
            })
            .collect(),
    }
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    (plan_preview, looked): (Res<PlanPreview>, Res<PreviewedMoment>),
    bar: Single<(Entity, &mut Told<Model>), With<TopBar>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told) = bar.into_inner();
    let now = model(&session, &selection, &preview, (&plan_preview, &looked));
    if !told.is_news(now) {
        return;
    }
    let Some(model) = &told.0 else { return };
    commands
        .entity(entity)
        .despawn_children()
        .with_children(|bar| {
            let node = Node {
                flex_direction: FlexDirection::Column,
                min_width: px(92),
                flex_shrink: 0.0,
                ..default()
            };
            bar.spawn(node).with_children(|round| {
                let words = match model.round {
                    0 => String::from("Surprise"),
                    round => format!("Round {round}"),
                };
                round.spawn(text(words, Cut::Heading, palette::INK));
                round.spawn(ForecastBar);
            });
            bar.spawn(Node {
                flex_direction: FlexDirection::Column,
                min_width: px(178),
                max_width: percent(24),
                flex_shrink: 0.0,
                ..default()
            })
            .with_children(|words| {
                let ink = if model.is_yours {
                    palette::TEAL
                } else {
                    palette::DANGER
                };
                words.spawn(text(model.turn.clone(), Cut::Strong, ink));
                words.spawn(text(model.next.clone(), Cut::Small, palette::FADED_INK));
            });
            track::show(bar, &mut signs, &model.track);
            let words = Node {
                flex_direction: FlexDirection::Column,
                flex_shrink: 0.0,
                align_items: AlignItems::End,
                ..default()
            };
            bar.spawn((words, Pickable::IGNORE)).with_children(|words| {
                words.spawn(text(model.rules, Cut::Strong, palette::INK));
                words.spawn(text(model.place.clone(), Cut::Small, palette::FADED_INK));
            });
            // These buttons stay together if the bar wraps.
            let node = Node {
                flex_shrink: 0.0,
                ..row(10.0)
            };
            bar.spawn((node, Pickable::IGNORE)).with_children(|last| {
                buttons(last, model);
                let node = Node {
                    width: px(34),
                    height: px(34),
                    ..default()
                };
                let tip = Tip::default()
                    .line("Open the rules", Cut::Small, palette::INK)
                    .key(Key::Codex);
                let book = Sign::Icon(Icon::Book, palette::INK);
                last.spawn((
                    button(Panel::Button, node.clone()),
                    SendOnPress(CodexCommand::Open(None)),
                    tip,
                ))
                .with_children(|codex| {
                    codex.spawn(picture(signs.get(book, 18.0), 18.0));
                });
                let tip = Tip::default()
                    .line("Pause, save or leave", Cut::Small, palette::INK)
                    .key(Key::Back);
                let bars = Sign::Icon(Icon::Pause, palette::INK);
                last.spawn((
                    button(Panel::Button, node),
                    SendOnPress(AppCommand::Pause),
                    tip,
                ))
                .with_children(|pause| {
                    pause.spawn(picture(signs.get(bars, 18.0), 18.0));
                });
            });
        });
}

fn buttons(bar: &mut ChildSpawnerCommands, model: &Model) {
    if model.is_tape {
        return;
    }
    let tip = |words: &str, key| {
        Tip::default()
            .line(words, Cut::Small, palette::INK)
            .key(key)
    };
    if model.watching {
        let tip = tip("Skip the animation", Key::Skip);
        bar.spawn((
            word_button("Skip", Panel::Button),
            SendOnPress(Command::Skip),
            tip,
        ));
        // Shows an inert button in the same place, so that a second click on "End turn" does no
        // harm.
        if model.can_end {
            bar.spawn(word_button(model.end_words, Panel::CardPale));
        }
        return;
    }
    if model.busy {
        bar.spawn(word_button("Undo", Panel::CardPale));
        bar.spawn(word_button(model.end_words, Panel::CardPale));
        return;
    }
    let (undo, words) = if model.can_undo {
        (Panel::Button, "Undo the last action")
    } else {
        (
            Panel::CardPale,
            "Nothing to undo. Dice rolls and revealed units can't be undone",
        )
    };
    bar.spawn((
        word_button("Undo", undo),
        SendOnPress(Command::Undo),
        tip(words, Key::Undo),
    ));
    for other in &model.others {
        let lines = other.lines.iter();
        let tip = lines.fold(Tip::default(), |tip, line| {
            tip.line(line, Cut::Small, palette::INK)
        });
        bar.spawn((
            word_button(&other.words, Panel::Button),
            SendOnPress(Command::Common(other.n)),
            tip,
        ));
    }
    if !model.can_end {
        return;
    }
    let words = match model.idle {
        0 if model.is_held => String::from("Play the round as declared"),
        0 => String::from("The others act next"),
        1 => String::from("1 unit can still act"),
        n => format!("{n} units can still act"),
    };
    bar.spawn((
        word_button(model.end_words, Panel::ButtonPrimary),
        SendOnPress(Command::EndTurn),
        tip(&words, Key::EndTurn),
    ));
}
