//! The timeline of a replay: the current position, marks for rounds and fallen units,
//! and the playback buttons.

use crate::{
    battle::capitalised,
    ui::{
        Phase, Screen, Session,
        app_command::{AppCommand, ReplayCommand, ReviewCommand},
        art::{hud::Panel, palette},
        session::{MarkKind, SPEEDS, TimelineMark},
        theme::{TextStyle, colour, faded, text},
        widgets::{
            NodeExt, SendOnPress, Skin, SpawnWith, Tip, button, card, fill_width, panel_style,
            rigid, spacer, word_button, wrapping_row,
        },
    },
};
use bevy::{
    picking::hover::Hovered,
    prelude::*,
    ui_widgets::{
        Activate, Slider, SliderRange, SliderThumb, SliderValue, TrackClick, ValueChange,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(press);
    app.add_observer(scrub);
    app.add_systems(
        Update,
        refresh
            .in_set(Phase::Draw)
            .run_if(in_state(Screen::Battle))
            .run_if(resource_exists_and_changed::<Session>),
    );
}

/// The card with the timeline.
#[derive(Component)]
pub struct TimelineBar;

/// The buttons of the timeline.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub enum ReplayButton {
    Start,
    Back,
    Play,
    Forward,
    Speed(f32),
}

/// The slider.
#[derive(Component)]
pub struct Track;

/// The knob of the slider.
#[derive(Component)]
struct Knob;

/// The text that shows the current position.
#[derive(Component)]
struct PositionText;

/// The label of the play and pause button.
#[derive(Component)]
struct PlayWord;

/// The width of the knob in pixels. Marks are placed where its centre goes.
const KNOB: f32 = 12.0;

fn press(on: On<Activate>, buttons: Query<&ReplayButton>, session: Option<ResMut<Session>>) {
    let (Ok(button), Some(mut session)) = (buttons.get(on.entity), session) else {
        return;
    };
    match *button {
        ReplayButton::Start => session.seek(0),
        ReplayButton::Back => session.step(true),
        ReplayButton::Play => {
            let on = !session.is_playing();
            session.play(on);
        }
        ReplayButton::Forward => session.step(false),
        ReplayButton::Speed(speed) => session.set_speed(speed),
    }
}

fn scrub(
    on: On<ValueChange<f32>>,
    tracks: Query<(), With<Track>>,
    session: Option<ResMut<Session>>,
) {
    if let (true, Some(mut session)) = (tracks.contains(on.source), session) {
        let event = on.value.round().max(0.0) as usize;
        if event != session.shown().events {
            session.seek(event);
        }
    }
}

/// Spawns everything in the timeline.
pub fn bar(place: &mut ChildSpawnerCommands, session: &Session) {
    let node = fill_width(card())
        .justify(JustifyContent::Center)
        .row_gap(8.0);
    place.spawn_with((TimelineBar, node, panel_style(Panel::Card)), |card| {
        track(card, session);
        card.spawn_with(wrapping_row(6.0, 6.0), |row| buttons_row(row, session));
    });
}

fn buttons_row(row: &mut ChildSpawnerCommands, session: &Session) {
    plain(row, "|<", ReplayButton::Start, "Go to the start");
    plain(row, "<", ReplayButton::Back, "Previous action (Left)");
    let node = Node::default().size(74.0, 34.0);
    row.spawn((
        button(Panel::ButtonPrimary, node),
        ReplayButton::Play,
        Tip::text("Play or stop (Space)"),
        children![(PlayWord, text("Stop", TextStyle::Strong, palette::WHITE))],
    ));
    plain(row, ">", ReplayButton::Forward, "Next action (Right)");
    for speed in SPEEDS {
        let words = format!("{speed}\u{d7}");
        plain(row, &words, ReplayButton::Speed(speed), "Playback speed");
    }
    row.spawn((PositionText, faded("")));
    row.spawn(spacer());
    if session.has_result() {
        let what = SendOnPress(AppCommand::Review(ReviewCommand::ShowResult));
        plain(row, "Result", what, "Back to the result of the battle");
    }
    let what = SendOnPress(AppCommand::Review(ReviewCommand::Open));
    let help = "What each order cost, and what the dice did";
    plain(row, "Review", what, help);
    let what = SendOnPress(AppCommand::Replay(ReplayCommand::PlayOn));
    let help = "Start a new battle from this moment";
    plain(row, "Take over from here", what, help);
}

/// A text button with a tooltip.
fn plain(row: &mut ChildSpawnerCommands, words: &str, what: impl Bundle, help: &str) {
    row.spawn((word_button(words, Panel::Button), what, Tip::text(help)));
}

/// The slider with the marks below it.
fn track(card: &mut ChildSpawnerCommands, session: &Session) {
    let length = session.game.length().max(1) as f32;
    let slider = Slider {
        track_click: TrackClick::Snap,
        ..default()
    };
    let node = rigid(Node::default().width(percent(100)).min_height(px(30)));
    let parts = (
        Track,
        AccessibleLabel::new("Timeline"),
        slider,
        SliderValue(session.shown().events as f32),
        SliderRange::new(0.0, length),
        Hovered::default(),
        node,
    );
    card.spawn_with(parts, |track| {
        let rail = Node {
            position_type: PositionType::Absolute,
            left: px(0),
            right: px(0),
            top: px(4),
            height: px(6),
            border_radius: BorderRadius::all(px(3)),
            ..default()
        };
        track.spawn((
            rail,
            BackgroundColor(colour(palette::ROCK)),
            Pickable::IGNORE,
        ));
        // The labels of rounds hang below the rail: an empty label makes space for
        // them.
        let room = Node::default().margin_top(LABELS);
        track.group(room, |room| {
            room.spawn(text("\u{a0}", TextStyle::Small, palette::INK));
        });
        // As wide as the range of the knob's centre.
        let way = Node {
            position_type: PositionType::Absolute,
            left: px(0),
            right: px(KNOB),
            top: px(0),
            bottom: px(0),
            ..default()
        };
        track.group(way, |way| {
            let mut last_label = f32::NEG_INFINITY;
            for each in session.marks() {
                let share = each.event as f32 / length;
                mark(way, session, &each, share, &mut last_label);
            }
            let knob = Node::default()
                .at(0.0, 0.0)
                .size(KNOB, 14.0)
                .border(1.6)
                .rounded(BorderRadius::all(px(4)));
            way.spawn((
                Knob,
                SliderThumb,
                knob,
                BackgroundColor(colour(palette::TEAL)),
                BorderColor::all(colour(palette::INK)),
            ));
        });
    });
}

/// How far the labels of rounds are below the top of the rail, in layout pixels.
const LABELS: f32 = 14.0;
/// The least distance between two labels of rounds, as a share of the timeline.
const CLOSE: f32 = 0.06;

fn mark(
    way: &mut ChildSpawnerCommands,
    session: &Session,
    mark: &TimelineMark,
    share: f32,
    last_label: &mut f32,
) {
    let name = |id| session.shown().unit(id).name.clone();
    let (words, ink, top, high) = match mark.kind {
        MarkKind::Round(n) => (format!("Round {n}"), palette::INK, 0.0, 14.0),
        MarkKind::Fell(id) => (format!("{} falls", name(id)), palette::DANGER, 11.0, 7.0),
        MarkKind::Fled(id) => (
            format!("{} leaves", name(id)),
            palette::FADED_INK,
            11.0,
            7.0,
        ),
        MarkKind::Over => (String::from("The end"), palette::INK, 0.0, 14.0),
    };
    let is_fall = matches!(mark.kind, MarkKind::Fell(_) | MarkKind::Fled(_));
    let wide = if is_fall { 5.0 } else { 2.0 };
    let tick = Node {
        position_type: PositionType::Absolute,
        left: percent(share * 100.0),
        margin: UiRect::left(px((KNOB - wide) / 2.0)),
        top: px(top),
        width: px(wide),
        height: px(high),
        border_radius: BorderRadius::all(px(if is_fall { 2.5 } else { 0.0 })),
        ..default()
    };
    let tip = Tip::text(capitalised(&words));
    way.spawn((tick, BackgroundColor(colour(ink)), tip));
    if let MarkKind::Round(n) = mark.kind
        && share - *last_label > CLOSE
    {
        *last_label = share;
        let at = Node {
            left: percent(share * 100.0),
            ..Node::default().at(0.0, LABELS)
        };
        way.spawn((
            at,
            children![text(n.to_string(), TextStyle::Label, palette::FADED_INK)],
            Pickable::IGNORE,
        ));
    }
}

/// Updates knob, text and buttons to the current position.
fn refresh(
    session: Res<Session>,
    tracks: Query<(Entity, &SliderValue), With<Track>>,
    mut knobs: Query<&mut Node, With<Knob>>,
    mut words: Query<&mut Text, (With<PositionText>, Without<PlayWord>)>,
    mut play: Query<&mut Text, With<PlayWord>>,
    mut buttons: Query<(&ReplayButton, &mut Skin)>,
    mut commands: Commands,
) {
    let Some(replay) = session.replay() else {
        return;
    };
    let (at, length) = (session.shown().events, session.game.length());
    for (track, value) in &tracks {
        if value.0 != at as f32 {
            commands.entity(track).insert(SliderValue(at as f32));
        }
    }
    let left = percent(100.0 * at as f32 / length.max(1) as f32);
    for mut knob in &mut knobs {
        if knob.left != left {
            knob.left = left;
        }
    }
    let position = match at >= length {
        true => String::from("the end"),
        false => format!("{at} of {length}"),
    };
    for mut text in &mut words {
        text.set_if_neq(Text::new(position.clone()));
    }
    let word = if session.is_playing() { "Stop" } else { "Play" };
    for mut text in &mut play {
        text.set_if_neq(Text::new(word));
    }
    for (button, mut skin) in &mut buttons {
        if let ReplayButton::Speed(speed) = *button {
            let is_on = speed == replay.speed;
            let panel = Panel::Button.active_if(is_on);
            skin.set_if_neq(Skin(panel));
        }
    }
}
