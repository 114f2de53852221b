//! The bar along the top: the round, whose turn it is, and the turn track.

use super::{ForecastBar, SmallPictures, track};
use crate::{
    battle::{Choice, Id, capitalised},
    ui::{
        ActionPreview, Selection, Session,
        app_command::{AppCommand, GameCommand},
        art::{hud::Panel, icons::Icon, palette},
        board::playback::EventPlayback,
        codex::CodexCommand,
        input::Key,
        pictures::SmallPicture,
        preview::{PlanPreview, PreviewedMoment},
        room::Room,
        selection::Command,
        settings::Settings,
        theme::{TextStyle, faded, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tip, button, column, fill_height, key_button,
            picture, refill, rigid, row, set_part, sized, spacer, word_button,
        },
    },
    words::possessive,
};
use bevy::prelude::*;

/// The bar along the top.
#[derive(Component, Default)]
pub struct TopBar;

#[derive(PartialEq)]
pub struct TopBarModel {
    /// The round.
    heading: String,
    /// "Your turn", followed by what comes next.
    turn: String,
    /// Whether it is the player's turn, or the player's orders are carried out.
    is_yours: bool,
    next: String,
    track: Vec<track::RoundPart>,
    place: String,
    rules: &'static str,
    /// Why nothing can be undone; `None` if something can.
    why_no_undo: Option<&'static str>,
    /// Whether the player can only watch.
    watching: bool,
    /// Whether events are still being shown.
    busy: bool,
    /// The names of the units that miss something if the turn ends now.
    idle: Vec<String>,
    /// Whether there is a button that ends the turn. While the player watches it does nothing.
    has_end: bool,
    /// Whether the plan waits for confirmation before the round begins.
    is_held: bool,
    /// The label of the button that ends the turn; `{}` stands for the key that confirms.
    end_words: &'static str,
    /// Whether that only lets one unit wait, where it usually ends the turn of a group.
    passes_one: bool,
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

/// Whether the round runs by the player's orders, with nothing for the player to decide.
fn carries_out(session: &Session) -> bool {
    let round = session.shown().clock.round;
    let is_planned = |who: &Id| {
        let intent = session.intent(*who);
        intent.is_some_and(|intent| !intent.plan.is_begun)
    };
    let intents = session.intents();
    let is_left = match session.prompt() {
        Some(asked) => asked.is_turn() && asked.actors.iter().all(is_planned),
        None => !session.game.is_over() && intents.in_round(round).next().is_some(),
    };
    is_left && !session.is_declaring() && session.held().is_none()
}

fn model(
    session: &Session,
    selection: &Selection,
    preview: &ActionPreview,
    (plan_preview, looked): (&PlanPreview, &PreviewedMoment),
    actor: Option<Id>,
) -> TopBarModel {
    let shown = session.shown();
    let clock = &shown.clock;
    let names = session.game.names();
    let player = session.player();
    let asked = session.prompt();
    let own_question = asked.filter(|q| q.is_turn());
    // When all units have acted, the player still ends the turn, even if the clock is between two
    // turns.
    let has_last_word = session.awaits_end_of_turn();
    let is_held = session.held().is_some();
    let is_watched = session.replay().is_some() || !session.game.is_human(player);
    let has_turn = clock.turn == Some(player) || own_question.is_some() || has_last_word;
    let is_planned = !is_watched && carries_out(session);
    let is_yours = has_turn && !is_watched && !is_planned;
    // Between the player's orders, a group of enemies acts.
    let is_carried_out = is_planned && clock.turn.is_none_or(|side| side == player);
    // A unit whose plan failed interrupts the round.
    let mut failures = session.intents().failures(clock.round);
    let own_failed = own_question.and_then(|q| failures.find(|f| q.actors.contains(&f.who)));
    let own_failed = own_failed.map(|f| format!("{} turn", possessive(&shown.unit(f.who).name)));
    // In an enemy's turn, a unit of the player may react, or shoot ahead of its side.
    let own_actor = actor.map(|who| shown.unit(who));
    let own_actor = own_actor.filter(|unit| unit.side == player && !is_watched);
    let turn = match clock.turn {
        _ if is_carried_out => String::from("Orders are carried out"),
        _ if has_last_word => String::from("All units have acted"),
        _ if is_held => String::from("Everyone has an order"),
        _ if session.is_declaring() && !is_watched => String::from("Give your orders"),
        _ if own_failed.is_some() => own_failed.unwrap_or_default(),
        Some(side) if side == player && !is_watched => {
            let all_done = own_question.is_some() && session.idle_members().next().is_none();
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
        Some(side) => match own_actor {
            Some(unit) => format!("{} acts", unit.name),
            None => format!("Enemy turn: {}", names.side_in_line(side)),
        },
        None if clock.now.name.is_empty() => String::from(match clock.round {
            0 => "Initiative",
            _ => "The round begins",
        }),
        None => String::new(),
    };
    let later = clock.track.iter().filter(|stop| stop.label.is_empty());
    let later = later.skip(1).filter_map(|stop| stop.marks.first());
    let later: Vec<String> = later
        .map(|mark| capitalised(names.side(shown.unit(mark.who).side)))
        .collect();
    let next = match (clock.now.name.is_empty(), later.is_empty()) {
        (false, _) => clock.now.name.clone(),
        (true, true) => String::new(),
        (true, false) => format!("{} next", later[0]),
    };
    let idle = session.awaiting_orders();
    let idle: Vec<String> = idle.map(|unit| unit.name.clone()).collect();
    let is_open = session.is_declaring() && !is_held && !is_watched;
    let next = match &idle[..] {
        [_, ..] if is_open => without_order(&idle),
        // Why the button says "End anyway".
        [_, ..] if selection.confirming_end && !is_held => can_still_act(&idle),
        _ if is_held => String::from("Check the plan, then begin"),
        _ => next,
    };
    let (turn, next) = match looked.frame(plan_preview) {
        Some(frame) => (
            String::from("If no enemy acts"),
            format!("{}: estimate", frame.when.name),
        ),
        None => (turn, next),
    };
    let end_turn = session.queries.rules.planning.end_turn;
    let ends = |choice: &&Choice| Some(choice.verb) == end_turn;
    // Where a side has turns, tied units answer one by one.
    let is_alone = own_question.is_some_and(|q| q.actors.len() == 1);
    let passes_one = is_alone && session.may_all_pass() && end_turn.is_some();
    let common = own_question.map_or(&[][..], |q| &q.common);
    let watching = !is_yours || asked.is_some_and(|q| !q.is_turn());
    TopBarModel {
        heading: match clock.round {
            0 if clock.turn.is_none() && clock.now.name.is_empty() => String::from("Start"),
            0 => String::from("Surprise"),
            round => format!("Round {round}"),
        },
        turn,
        is_yours: is_yours || is_carried_out || own_actor.is_some(),
        next,
        track: track::parts(session, selection, plan_preview),
        place: format!(
            "{} · seed {}",
            session.game.level().title,
            session.game.seed()
        ),
        rules: session.game.rules().id,
        why_no_undo: session.why_no_undo(),
        watching,
        busy: own_question.is_none() && !has_last_word,
        idle: match is_held {
            true => vec![],
            false => idle,
        },
        is_held,
        has_end: match own_question {
            _ if watching => !is_watched,
            None => has_last_word || end_turn.is_some(),
            Some(_) => is_held || session.may_all_pass() || common.iter().any(|c| ends(&c)),
        },
        is_tape: session.replay().is_some(),
        passes_one,
        end_words: match (is_held, selection.confirming_end) {
            (true, _) => "Begin the round",
            (_, true) => "End anyway ({})",
            _ if passes_one => "Next unit",
            _ => session.queries.ruleset_ui.end_words,
        },
        others: common
            .iter()
            .enumerate()
            .filter(|(_, c)| !ends(c) && !is_held)
            .map(|(n, c)| Other {
                n,
                words: session.queries.side_label(c, names),
                lines: preview.common.get(n).cloned().unwrap_or_default(),
            })
            .collect(),
    }
}

/// "Wat has no order yet", "2 units have no order yet".
fn without_order(names: &[String]) -> String {
    let have = if names.len() == 1 { "has" } else { "have" };
    format!("{} {have} no order yet", name_or_number(names))
}

/// "Wat can still act", "2 units can still act".
fn can_still_act(names: &[String]) -> String {
    format!("{} can still act", name_or_number(names))
}

/// "Wat", "2 units".
fn name_or_number(names: &[String]) -> String {
    match names {
        [name] => name.clone(),
        _ => format!("{} units", names.len()),
    }
}

/// Height of the bar with a single row at the standard text size, in layout pixels. It is fixed, so
/// that the board never moves.
const ROW: f32 = 52.0;
/// Height of a second row in layout pixels: that of the track's tokens, and that of a line of text at
/// the standard size, which grows.
const TRACK_ROW: (f32, f32) = (30.0, 16.0);
/// Width of the words and buttons beside the track, in layout pixels at the standard text size.
const BESIDE: f32 = 600.0;
/// Width of the track, in layout pixels: its tokens do not grow with the text. Where both do not fit
/// into the window, the bar has a second row for the track.
const TRACK: f32 = 500.0;
/// The level's name is shown in a single row from this width on, in layout pixels at the standard
/// text size.
const WITH_PLACE: f32 = 1500.0;
/// Least width of the buttons beside the strip of phases, in the same unit: that of
/// "Suggestions", "Undo" and "Finish declaring", so that the strip keeps its place when the buttons
/// change.
const BUTTONS: f32 = 445.0;
/// The part of it that does not grow with the text: the icons, the padding and the gaps.
const BUTTON_EDGES: f32 = 190.0;
/// Least width of the label of the button that ends the turn, in the same unit: that of "End anyway
/// (Enter)", so that the buttons beside it keep their places.
const END_LABEL: f32 = 136.0;
/// The padding and the border of that button, in layout pixels.
const END_EDGES: f32 = 32.0;

/// What the bar shows in addition to the battle. It depends only on the window and the settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Extent {
    scale: f32,
    has_place: bool,
    has_two_rows: bool,
    has_hints: bool,
}

impl Extent {
    fn of(room: &Room, has_hints: bool) -> Self {
        let scale = room.text();
        let width = room.size().x;
        let has_two_rows = width < BESIDE * scale + TRACK;
        Self {
            scale,
            has_place: width >= WITH_PLACE * scale,
            has_two_rows,
            has_hints,
        }
    }

    /// The height of the second row, in layout pixels.
    fn track_row(self) -> f32 {
        (TRACK_ROW.0 + TRACK_ROW.1 * self.scale).round()
    }

    /// The height of the bar, in layout pixels.
    fn height(self) -> f32 {
        let second = if self.has_two_rows {
            self.track_row()
        } else {
            0.0
        };
        (ROW * self.scale).round() + second
    }
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    (plan_preview, looked): (Res<PlanPreview>, Res<PreviewedMoment>),
    (room, settings): (Room, Res<Settings>),
    event_playback: Res<EventPlayback>,
    bar: Single<(Entity, &mut Node), With<TopBar>>,
    mut shown: Local<Filled<(TopBarModel, Extent)>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let (bar, mut node) = bar.into_inner();
    let previews = (&*plan_preview, &*looked);
    let actor = event_playback.actor();
    let model = model(&session, &selection, &preview, previews, actor);
    let extent = Extent::of(&room, settings.forecast);
    set_part(&mut node, |node| &mut node.height, px(extent.height()));
    let now = (bar, (model, extent));
    refill(&mut commands, now, &mut shown, |bar, (model, extent)| {
        bar.group(fill_height(row(10.0)), |bar| {
            beginning(bar, model, extent);
            match extent.has_two_rows {
                false => track::show(bar, &mut icons, &model.track),
                true => {
                    bar.spawn(spacer());
                }
            }
            if extent.has_place {
                place(bar, model, column(0.0).align(AlignItems::End));
            }
            end(bar, &mut icons, model, extent);
        });
        if extent.has_two_rows {
            let line = rigid(row(10.0)).height(px(extent.track_row()));
            bar.group(line, |bar| {
                track::show(bar, &mut icons, &model.track);
                place(bar, model, row(8.0));
            });
        }
    });
}

/// The round, the win probability and whose turn it is.
fn beginning(bar: &mut ChildSpawnerCommands, model: &TopBarModel, extent: &Extent) {
    let node = rigid(column(0.0).min_width(px(92)));
    let about = Tip::default()
        .line(model.rules, TextStyle::Strong, palette::INK)
        .small(model.place.clone());
    bar.spawn_with((node, about), |round| {
        let words = model.heading.clone();
        round.spawn(text(words, TextStyle::Heading, palette::INK));
        round.spawn(ForecastBar);
    });
    // A track in the second row leaves room for a question in one line.
    let most = if extent.has_two_rows { 45 } else { 24 };
    let node = rigid(column(0.0).min_width(px(178)).max_width(percent(most)));
    bar.spawn_with(node, |words| {
        let ink = match model.is_yours {
            true => palette::TEAL,
            false => palette::DANGER,
        };
        words.spawn(text(model.turn.clone(), TextStyle::Strong, ink));
        words.spawn(faded(model.next.clone()));
    });
}

/// The ruleset and the level, below or beside each other.
fn place(bar: &mut ChildSpawnerCommands, model: &TopBarModel, node: Node) {
    bar.group(rigid(node), |words| {
        words.spawn(text(model.rules, TextStyle::Strong, palette::INK));
        words.spawn(faded(model.place.clone()));
    });
}

/// The buttons at the right end.
fn end(
    bar: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    model: &TopBarModel,
    extent: &Extent,
) {
    let has_phases = model.track.iter().any(track::RoundPart::is_phase);
    let least = match has_phases && !extent.has_two_rows {
        true => BUTTON_EDGES + (BUTTONS - BUTTON_EDGES) * extent.scale,
        false => 0.0,
    };
    let node = rigid(row(8.0).min_width(px(least)).justify(JustifyContent::End));
    bar.group(node, |last| {
        buttons(last, model, extent);
        let codex = SendOnPress(CodexCommand::Open(None));
        let help = ("Open the codex: all rules", Key::Codex);
        icon(last, icons, Icon::Book, codex, help);
        let pause = SendOnPress(AppCommand::Game(GameCommand::Pause));
        let help = ("Pause, save or leave", Key::Back);
        icon(last, icons, Icon::Pause, pause, help);
    });
}

/// A square button with an icon and a tooltip.
fn icon(
    bar: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    icon: Icon,
    sends: impl Bundle,
    (help, key): (&str, Key),
) {
    let button = button(Panel::Button, sized(34.0, 34.0));
    let tip = Tip::text(help).key(key);
    let sign = icons.get(SmallPicture::Icon(icon, palette::INK), 18.0);
    bar.spawn((button, sends, tip, children![picture(sign, 18.0)]));
}

fn buttons(bar: &mut ChildSpawnerCommands, model: &TopBarModel, extent: &Extent) {
    if model.is_tape {
        return;
    }
    let tip = |words: &str, key| Tip::text(words).key(key);
    if model.watching {
        let tip = tip("Skip the animation", Key::Skip);
        let skip = word_button("Skip", Panel::Button);
        bar.spawn((skip, SendOnPress(Command::Skip), tip));
    }
    if model.watching || model.busy {
        // Shows inert buttons in the places of "Undo" and "End turn": a second click on "End turn"
        // does no harm, and a late click on "Skip" hits "Suggestions" instead of "Undo".
        if model.has_end || !model.watching {
            bar.spawn(word_button("Undo", Panel::CardPale));
            end_button(bar, model, extent, Panel::CardPale);
        }
        return;
    }
    if extent.has_hints {
        bar.spawn((
            word_button("Suggestions", Panel::Button),
            SendOnPress(Command::Hint),
            tip("Show or hide the best orders", Key::Hint),
        ));
    }
    let (undo, words) = match model.why_no_undo {
        None => (Panel::Button, "Undo the last action"),
        Some(why) => (Panel::CardPale, why),
    };
    let undo = word_button("Undo", undo);
    bar.spawn((undo, SendOnPress(Command::Undo), tip(words, Key::Undo)));
    for other in &model.others {
        let tip = other.lines.iter().fold(Tip::default(), Tip::small);
        let button = word_button(&other.words, Panel::Button);
        bar.spawn((button, SendOnPress(Command::Common(other.n)), tip));
    }
    if !model.has_end {
        return;
    }
    let words = match &model.idle[..] {
        [] if model.is_held => String::from("Play the round as declared"),
        _ if model.passes_one => String::from("Only this unit waits; the next one is asked"),
        [] => String::from("The others act next"),
        idle => can_still_act(idle),
    };
    end_button(bar, model, extent, Panel::ButtonPrimary)
        .insert((SendOnPress(Command::EndTurn), tip(&words, Key::EndTurn)));
}

/// The button that ends the turn; it does nothing yet.
fn end_button<'a>(
    bar: &'a mut ChildSpawnerCommands,
    model: &TopBarModel,
    extent: &Extent,
    panel: Panel,
) -> EntityCommands<'a> {
    let width = px(END_EDGES + END_LABEL * extent.scale);
    let mut button = bar.spawn(key_button(model.end_words, Key::Confirm, panel));
    let mut node = button.entry::<Node>();
    node.and_modify(move |mut node| node.min_width = width);
    button
}
