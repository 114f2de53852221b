//! The end of a battle on one page: who won and at what cost, the decisive moment,
//! the course of the battle, each unit's statistics, and what to try next.
//!
//! - this file: the page, its heading and its buttons
//! - `roll`: the player's units, and the entrance of the page
//! - `moment`: the decisive moment, as a piece of the board
//! - `curve`: the win probability over the rounds
//! - `table`: each unit's statistics, with its luck at dice
//! - `ideas`: what to try next
//! - `road`: the results of the battle for a run on the Road

mod curve;
mod ideas;
pub mod moment;
pub(super) mod road;
mod roll;
mod table;

use self::roll::{Enters, Entrance};
use super::{PageRoot, new_page};
use crate::{
    battle::{End, EventKind, Side, State, capitalised},
    content::Burst,
    control::timeline::Review,
    levels::tutorial,
    ui::{
        Options, Phase, Screen, Session,
        app_command::{AppCommand, GameCommand, ReplayCommand, ReviewCommand},
        art::{
            bursts,
            hud::Panel,
            palette::{self, Rgb},
        },
        board::{MapView, banner::show_banner},
        hud::SmallPictures,
        input::Key,
        modal, pictures,
        progress::Gain,
        room::Room,
        screens::road::{Road, RoadButton},
        session::{self, Playback, TestBattle, thinking::Thinking},
        shown::UnitView,
        sound::{Play, Sound},
        theme::{self, TextStyle, body_text, faded, strong_text, text},
        tutorial::LessonButton,
        widgets::{
            NodeExt, SendOnPress, SpawnWith, Tip, column, message_button, picture, rigid, row,
            spacer, word_button,
        },
    },
    words::{count, list},
};
use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    ui_widgets::{Activate, ScrollArea},
};
use std::time::Duration;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Result), (reload, look_back, build).chain());
    app.add_systems(Update, show_again.in_set(Phase::Commands));
    app.add_systems(
        Update,
        close
            .in_set(Phase::Think)
            .after(session::think)
            .run_if(in_state(Screen::Battle))
            .run_if(session::is_on),
    );
    app.add_systems(
        Update,
        (
            take_in.in_set(Phase::Think),
            (
                build.run_if(resource_exists_and_changed::<Reviewed>.or_else(super::is_outdated)),
                roll::enter,
            )
                .chain()
                .in_set(Phase::Draw),
        )
            .run_if(in_state(Screen::Result)),
    );
    app.add_systems(OnExit(Screen::Result), |mut commands: Commands| {
        commands.remove_resource::<Session>();
        commands.remove_resource::<Reviewed>();
        commands.remove_resource::<Entrance>();
        commands.remove_resource::<Opened>();
    });
    app.add_systems(
        Update,
        keys.in_set(Phase::Input)
            .run_if(in_state(Screen::Result))
            .run_if(modal::is_clear),
    );
}

/// Seconds between the end of the battle and the result screen.
const CURTAIN: f32 = 1.4;

/// Once the end of the battle was shown, a banner and a sound say who won; then the result screen
/// follows.
fn close(
    session: Res<Session>,
    (playback, view): (Res<Playback>, Res<MapView>),
    time: Res<Time>,
    mut since: Local<f32>,
    mut next: ResMut<NextState<Screen>>,
    mut out: MessageWriter<Play>,
    mut commands: Commands,
) {
    let Some(won) = session
        .over()
        .filter(|_| session.replay().is_none() && !playback.busy)
    else {
        *since = 0.0;
        return;
    };
    if *since == 0.0 {
        show_banner(&mut commands, &view, verdict(&session), &[], CURTAIN);
        out.write(Play(match won == Some(session.player()) {
            true => Sound::Victory,
            false => Sound::Defeat,
        }));
    }
    *since += time.delta_secs();
    if *since >= CURTAIN {
        *since = 0.0;
        next.set(Screen::Result);
    }
}

/// Marks the button that Enter presses.
#[derive(Component)]
struct First;

/// When the page was opened, as time since the start of the game.
#[derive(Resource)]
struct Opened(Duration);

/// How long Enter does nothing on the page: it may be meant for the battle that has just ended.
const UNREAD: Duration = Duration::from_secs(1);

fn keys(
    keys: Res<ButtonInput<Key>>,
    letters: Res<ButtonInput<KeyCode>>,
    test_battle: Option<Res<TestBattle>>,
    focus: Res<bevy::input_focus::InputFocus>,
    (opened, time): (Res<Opened>, Res<Time<Real>>),
    first: Query<Entity, With<First>>,
    mut commands: Commands,
    mut out: MessageWriter<AppCommand>,
) {
    let is_read = time.elapsed() >= opened.0 + UNREAD;
    if keys.just_pressed(Key::Confirm) && focus.get().is_none() && is_read {
        for entity in &first {
            commands.trigger(Activate { entity });
        }
    } else if keys.just_pressed(Key::Back) {
        out.write(AppCommand::Game(GameCommand::Leave));
    } else if letters.just_pressed(KeyCode::KeyV) && test_battle.is_none() {
        out.write(AppCommand::Review(ReviewCommand::Open));
    }
}

/// The turning points of the battle, or the running search for them.
#[derive(Resource)]
enum Reviewed {
    Thinking(Thinking<Review>),
    Done(Review),
}

/// Returns to the result of a battle from its review or replay.
fn show_again(
    mut app_commands: MessageReader<AppCommand>,
    session: Option<Res<Session>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let goes_back = |it: &AppCommand| *it == AppCommand::Review(ReviewCommand::ShowResult);
    if app_commands.read().any(goes_back) && session.is_some_and(|it| it.has_result()) {
        next.set(Screen::Result);
    }
}

/// Loads the battle as it was played, if the player returns from its replay or review.
fn reload(world: &mut World) {
    let session = world.get_resource::<Session>();
    if let Some(played) = session.and_then(Session::as_played) {
        world.insert_resource(played);
    }
}

fn look_back(session: Res<Session>, time: Res<Time<Real>>, mut commands: Commands) {
    commands.insert_resource(Opened(time.elapsed()));
    commands.insert_resource(Reviewed::Thinking(session.review()));
    commands.init_resource::<Entrance>();
}

/// Takes over the turning points once they are found.
fn take_in(mut reviewed: ResMut<Reviewed>) {
    if let Reviewed::Thinking(thinking) = reviewed.bypass_change_detection()
        && let Some(review) = thinking.done(false)
    {
        *reviewed = Reviewed::Done(review);
    }
}

/// The system parameters that the parts of the page need.
#[derive(SystemParam)]
struct Maker<'w, 's> {
    session: Res<'w, Session>,
    reviewed: Res<'w, Reviewed>,
    test_battle: Option<Res<'w, TestBattle>>,
    gain: Res<'w, Gain>,
    road: Res<'w, Road>,
    options: Res<'w, Options>,
    icons: SmallPictures<'w>,
    room: Room<'w, 's>,
}

impl Maker<'_, '_> {
    /// The turning points. `None` while they are being searched for.
    fn review(&self) -> Option<&Review> {
        match &*self.reviewed {
            Reviewed::Thinking(_) => None,
            Reviewed::Done(review) => Some(review),
        }
    }
}

fn build(mut commands: Commands, old: Query<Entity, With<PageRoot>>, mut maker: Maker) {
    let review = maker.review().cloned();
    let known = review.clone().unwrap_or_default();
    let timeline = maker.session.timeline(&known);
    let sheet = super::sheet(&mut maker.icons);
    // Nothing may move when the search for the decisive moment ends, whatever it finds.
    let (is_narrow, left, right) = super::page_columns(&maker.room, 0.40);
    // The height that remains for the two columns.
    let high = maker.room.size().y - 80.0 - 140.0 * maker.room.text();
    let tries = match maker.road.has_fought(&maker.session) {
        true => vec![],
        false => ideas::ideas(&maker.session),
    };
    // The table needs the height of its column, so the ideas are below the decisive moment if
    // they fit there.
    let is_below = !is_narrow && left >= 520.0 * maker.room.text();
    let moment_high = match is_below && !tries.is_empty() {
        true => high - ideas::height(maker.room.text()),
        false => high,
    };
    // With few units the table leaves room to the curve.
    let free = match is_below && !maker.road.has_fought(&maker.session) {
        true => high - theme::GAP - table::height(&maker.session, maker.room.text()),
        false => 0.0,
    };
    let statistics = maker.session.game.statistics();
    let emblem = emblem(&mut maker);
    let result = ("Result page", Screen::Result);
    new_page(&mut commands, old, result, sheet).with_children(|page| {
        page.group(row(12.0), |head| {
            if let Some(image) = emblem {
                let stamp = Enters {
                    at: 0.0,
                    is_picture: true,
                };
                head.spawn((picture(image, EMBLEM), stamp));
            }
            let gain = maker.gain.of(&maker.session);
            verdict_and_cost(head, &maker.session, gain);
            head.spawn(spacer());
            if !is_narrow {
                roll::row_of_units(head, &mut maker, &statistics);
                head.spawn(spacer());
            }
            what_was_played(head, &maker.session);
        });
        let body = super::page_body(is_narrow);
        page.spawn_with((body, ScrollArea), |body| {
            let part = |node: Node| match is_narrow {
                true => rigid(node),
                false => Node {
                    min_height: percent(100),
                    flex_shrink: 0.0,
                    align_self: AlignSelf::FlexStart,
                    ..node
                },
            };
            if is_narrow {
                roll::row_of_units(body, &mut maker, &statistics);
            }
            body.group(part(column(theme::GAP).width(px(left))), |column| {
                let size = (left, moment_high);
                moment::card(column, &mut maker, (review.as_ref(), &timeline), size);
                if is_below {
                    ideas::card(column, &tries);
                }
            });
            body.group(part(column(theme::GAP).width(px(right))), |column| {
                let swing = known.decisive.as_ref();
                road::card(column, &maker);
                let size = (right, high, free);
                curve::card(column, &mut maker, (&timeline, swing), size);
                table::card(column, &mut maker, &statistics, is_narrow);
                if !is_below {
                    ideas::card(column, &tries);
                }
            });
        });
        page.spawn_with(super::page_foot(), |foot| foot_row(foot, &maker));
    });
}

/// The size of the emblem beside the verdict, in layout pixels.
const EMBLEM: f32 = 64.0;
/// When the verdict appears, in seconds.
const VERDICT: f32 = 0.2;

/// A sun for a victory, a broken banner for a defeat. `None` for a draw, and if the players at this
/// screen are none or several.
fn emblem(maker: &mut Maker) -> Option<Handle<Image>> {
    let session = &maker.session;
    let winner = session
        .over()
        .flatten()
        .filter(|_| session.game.humans() == 1)?;
    let won = winner == session.player();
    let px = (EMBLEM * maker.icons.pictures.scale()).round() as u32;
    let draw = || match won {
        true => bursts::burst(Burst::Light, px),
        false => bursts::broken_banner(px),
    };
    let images = &mut maker.icons.images;
    let name = format!("emblem {won} {px}");
    let keep = || images.add(pictures::image(draw()));
    Some(maker.icons.pictures.keep(name, keep))
}

/// Who won, how and at what cost.
fn verdict_and_cost(head: &mut ChildSpawnerCommands, session: &Session, gain: Option<&str>) {
    let (verdict, ink) = verdict(session);
    let cut = match session.game.humans() {
        1 => TextStyle::Verdict,
        _ => TextStyle::Title,
    };
    let names = session.game.names();
    // The reason is stated for the winning side.
    let why = session.known_events().find_map(|e| match &e.what {
        EventKind::Over {
            won: Some(side),
            why,
            end,
        } if session.game.humans() == 1 && *side != session.player() => {
            Some(match (end, session.how_lost()) {
                (End::NoEnemyLeft, Some(how)) => format!(
                    "{}. Victory for {}",
                    capitalised(how),
                    names.side_in_line(*side)
                ),
                (End::ObjectiveMet, _) => {
                    format!("{} met their objective: {why}", names.side(*side))
                }
                _ => format!("{}: {why}", names.side(*side)),
            })
        }
        EventKind::Over {
            won: Some(_),
            why,
            end: End::ObjectiveMet,
        } => Some(format!("Objective met: {why}")),
        EventKind::Over { why, .. } => Some(capitalised(why)),
        _ => None,
    });
    head.group(column(2.0), |column| {
        let enters = Enters {
            at: VERDICT,
            is_picture: false,
        };
        column.spawn((text(verdict, cut, ink), enters));
        let why = why.map_or(String::new(), |why| format!("{why}. "));
        let summary = format!("{why}{}", cost(session));
        column.spawn(body_text(summary));
        if let Some(gain) = gain {
            column.spawn(text(gain, TextStyle::Strong, palette::TEAL));
        }
    });
}

/// The level, the ruleset, the number of rounds and the seed.
fn what_was_played(head: &mut ChildSpawnerCommands, session: &Session) {
    let rounds = match session.shown().clock.round {
        0 => String::from("Before round 1"),
        n => count(n.into(), "round"),
    };
    head.group(rigid(column(2.0).align(AlignItems::End)), |column| {
        let place = format!(
            "{} · {}",
            session.game.level().title,
            session.game.rules().id
        );
        column.spawn(strong_text(place));
        let mut more = format!("{rounds} · seed {}", session.game.seed());
        if session.game.restarts > 0 {
            more += " · one turn restarted";
        }
        column.spawn(faded(more));
    });
}

/// Who won a battle that is over, in a few words.
fn verdict(session: &Session) -> (String, Rgb) {
    let names = session.game.names();
    match session.over().flatten() {
        // With no human or several at one screen, name the winner instead of
        // "Victory" or "Defeat".
        Some(side) if session.game.humans() != 1 => (
            format!("Victory for {}", names.side_in_line(side)),
            palette::TEAL,
        ),
        Some(side) if side == session.player() => (String::from("Victory"), palette::TEAL),
        Some(_) => (String::from("Defeat"), palette::DANGER),
        None => (String::from("Draw"), palette::INK),
    }
}

/// The losses of each side: your units by name, others as numbers.
fn cost(session: &Session) -> String {
    let names = session.game.names();
    let sides = (0..session.game.controllers().len()).map(|n| Side(n as u8));
    let summary = sides.filter_map(|side| {
        let is = |state: &'static [State]| {
            let all = session.shown().members(side);
            Vec::from_iter(all.filter(move |p| state.contains(&p.state)))
        };
        let (fell, fled) = (is(&[State::Down, State::Dead]), is(&[State::Fled]));
        if fell.is_empty() && fled.is_empty() {
            return None;
        }
        let is_own = side == session.player() && session.game.humans() == 1;
        // A unit that fell may have survived: its fate is named.
        let named = |unit: &&UnitView| match unit.state {
            State::Fled => unit.name.clone(),
            _ => format!("{} ({})", unit.name, table::fate(unit).0),
        };
        let who = |units: &[&UnitView]| match is_own && units.len() <= 3 {
            true => list(units.iter().map(named), "and"),
            false => units.len().to_string(),
        };
        let name = capitalised(names.side(side));
        let fallen = match is_own {
            true => format!("{} fell", capitalised(&who(&fell))),
            false => format!("{name} lost {}", who(&fell)),
        };
        Some(match (fell.is_empty(), fled.is_empty()) {
            (false, true) => format!("{fallen}."),
            (false, false) => format!("{fallen}; {} left the battle.", who(&fled)),
            (true, _) if is_own => format!("{} left the battle.", capitalised(&who(&fled))),
            (true, _) => format!("{name}: {} left the battle.", who(&fled)),
        })
    });
    summary.collect::<Vec<_>>().join(" ")
}

/// The buttons of the result screen.
fn foot_row(foot: &mut ChildSpawnerCommands, maker: &Maker) {
    let session = &maker.session;
    let won = session.over() == Some(Some(session.player())) && session.game.humans() == 1;
    let is_test = maker.test_battle.is_some();
    let next = ideas::next_level(session, &maker.options).filter(|_| won && !is_test);
    let again = AppCommand::Game(GameCommand::Again { same_dice: false });
    let watch = AppCommand::Replay(ReplayCommand::Watch(0));
    let leave = AppCommand::Game(GameCommand::Leave);
    let mut is_taken = true;
    if maker.road.has_fought(session) {
        first(foot, "Back to the Road", RoadButton::Open);
        review(foot);
        message_button(foot, "Watch the replay", watch);
        message_button(foot, "Main menu (Esc)", leave);
        return;
    }
    if is_test {
        first(foot, "Back to the editor", SendOnPress(leave.clone()));
    } else if let Some((title, fight)) =
        ideas::after_lessons(session, &maker.options).filter(|_| won)
    {
        let words = format!("Play the easiest level: {title}");
        first(foot, &words, SendOnPress(fight));
        if let Some(lesson) = next_lesson(session) {
            foot.spawn((word_button("Next lesson", Panel::Button), lesson));
        }
    } else if let Some(lesson) = next_lesson(session) {
        first(foot, "Next lesson", lesson);
    } else if let Some((_, next)) = &next {
        first(foot, "Next battle", SendOnPress(next.clone()));
    } else {
        first(foot, "Play again", SendOnPress(again.clone()));
        is_taken = false;
    }
    if is_taken {
        message_button(foot, "Play again", again);
    }
    if !is_test {
        review(foot);
    }
    let same = AppCommand::Game(GameCommand::Again { same_dice: true });
    message_button(foot, "Play again, same seed", same);
    message_button(foot, "Watch the replay", watch);
    if !is_test {
        message_button(foot, "Main menu (Esc)", leave);
    }
    if let (None, Some((title, _))) = (next_lesson(session), next) {
        foot.spawn(faded(format!("Next: {title}")));
    }
}

/// The button that Enter presses.
fn first(foot: &mut ChildSpawnerCommands, words: &str, does: impl Bundle) {
    let words = format!("{words} (Enter)");
    foot.spawn((word_button(&words, Panel::ButtonPrimary), does, First));
}

fn review(foot: &mut ChildSpawnerCommands) {
    let tip = Tip::text("What each of your orders cost, and what the dice did");
    let button = word_button("Review (V)", Panel::Button);
    foot.spawn((
        button,
        SendOnPress(AppCommand::Review(ReviewCommand::Open)),
        tip,
    ));
}

/// The button of the next lesson, if the player has won one.
fn next_lesson(session: &Session) -> Option<LessonButton> {
    let won = session.over() == Some(Some(session.player()));
    let mut lessons = tutorial().iter();
    let done = lessons.position(|level| level.id == session.game.level().id)?;
    (won && done + 1 < tutorial().len()).then_some(LessonButton(done + 1))
}
