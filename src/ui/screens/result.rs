//! The result: who won, in how many rounds, and what everybody's dice did, next
//! to what they could be expected to do.

use super::super::{
    Phase, Screen, Session,
    app_command::AppCommand,
    art::{hud::Panel, palette},
    input::{Hands, Key},
    modal,
    pictures::{Pictures, Sign},
    shown::Person,
    theme::{Cut, Look, text},
    tokens,
    tutorial::LessonButton,
    widgets::{Tip, bar, card, face, picture, row, rule, spring, word_button},
};
use crate::{
    battle::{EventKind, Side, State, capitalised, numeral},
    control::statistics::Deeds,
    levels::tutorial,
};
use bevy::{
    prelude::*,
    ui_widgets::{Activate, ScrollArea},
};
use leafwing_input_manager::prelude::ActionState;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Result), build);
    app.add_systems(
        Update,
        build
            .in_set(Phase::Draw)
            .run_if(in_state(Screen::Result))
            .run_if(resource_changed::<Look>),
    );
    app.add_systems(OnExit(Screen::Result), |mut commands: Commands| {
        commands.remove_resource::<Session>();
    });
    app.add_systems(
        Update,
        keys.in_set(Phase::Input)
            .run_if(in_state(Screen::Result))
            .run_if(modal::is_clear),
    );
    app.add_observer(press);
}

/// The buttons of the result screen.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultButton {
    Again,
    /// Again, with the dice of this battle.
    SameDice,
    Watch,
    Title,
}

impl ResultButton {
    fn app_command(self) -> AppCommand {
        match self {
            Self::Again => AppCommand::Again { same_dice: false },
            Self::SameDice => AppCommand::Again { same_dice: true },
            Self::Watch => AppCommand::Watch,
            Self::Title => AppCommand::Leave,
        }
    }
}

fn press(on: On<Activate>, buttons: Query<&ResultButton>, mut out: MessageWriter<AppCommand>) {
    if let Ok(button) = buttons.get(on.entity) {
        out.write(button.app_command());
    }
}

/// The button that Enter stands for.
#[derive(Component)]
struct First;

fn keys(
    keys: Single<&ActionState<Key>, With<Hands>>,
    first: Query<Entity, With<First>>,
    mut commands: Commands,
    mut out: MessageWriter<AppCommand>,
) {
    if keys.just_pressed(&Key::Confirm) {
        for entity in &first {
            commands.trigger(Activate { entity });
        }
    } else if keys.just_pressed(&Key::Back) {
        out.write(ResultButton::Title.app_command());
    }
}

/// All of the screen.
#[derive(Component)]
struct ResultRoot;

fn build(
    mut commands: Commands,
    old: Query<Entity, With<ResultRoot>>,
    session: Res<Session>,
    mut pictures: ResMut<Pictures>,
    mut images: ResMut<Assets<Image>>,
) {
    old.iter().for_each(|root| commands.entity(root).despawn());
    let names = session.game.names();
    let sides = (0..session.game.seats().len()).map(|n| Side(n as u8));
    let humans = sides.filter(|&side| session.game.is_human(side)).count();
    let (verdict, ink) = match session.over().flatten() {
        // Who plays against others at one screen, or not at all, is told who won.
        Some(side) if humans != 1 => (
            format!("Victory for {}", names.side_in_line(side)),
            palette::TEAL,
        ),
        Some(side) if side == session.player() => (String::from("Victory"), palette::TEAL),
        Some(side) => (
            format!("Defeat by {}", names.side_in_line(side)),
            palette::DANGER,
        ),
        None => (String::from("Nobody wins"), palette::INK),
    };
    // The reason is the winner's.
    let why = session.told().find_map(|e| match &e.what {
        EventKind::Over {
            won: Some(side),
            why,
        } if humans == 1 && *side != session.player() => {
            Some(format!("{}: {why}", names.side(*side)))
        }
        EventKind::Over { why, .. } => Some(capitalised(why)),
        _ => None,
    });
    let rounds = match session.shown().clock.round {
        1 => String::from("1 round"),
        n => format!("{n} rounds"),
    };
    let mut place = format!(
        "{} · {} · {rounds} · seed {}",
        session.game.level().title,
        session.game.rules().id,
        session.game.seed()
    );
    if session.game.restarts() > 0 {
        place += " · one turn was started over";
    }
    let all_deeds = session.game.statistics();
    let sheet = super::sheet(&mut pictures, &mut images);
    let mut sign = |sign, size| pictures.sign(&mut images, sign, size);
    commands
        .spawn((ResultRoot, DespawnOnExit(Screen::Result), sheet))
        .with_children(|page| {
            page.spawn(text(verdict, Cut::Title, ink));
            page.spawn(text(why.unwrap_or_default(), Cut::Heading, palette::INK));
            page.spawn(text(place, Cut::Small, palette::FADED_INK));
            let node = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_height: px(0),
                row_gap: px(3),
                overflow: Overflow::scroll_y(),
                ..card()
            };
            page.spawn((node, ScrollArea, face(Panel::Card)))
                .with_children(|table| {
                    head(table);
                    for (n, side) in session.game.level().sides.iter().enumerate() {
                        let members: Vec<&Person> =
                            session.shown().members(Side(n as u8)).collect();
                        let mut sum = Deeds::default();
                        members.iter().for_each(|p| sum += all_deeds[p.id.index()]);
                        table.spawn(rule());
                        side_line(table, &capitalised(&side.name), &sum);
                        for person in members {
                            let chip = Sign::Chip(tokens::chip(person, !person.is_up()));
                            let deeds = &all_deeds[person.id.index()];
                            member(table, person, sign(chip, 24.0), deeds);
                        }
                    }
                });
            let buttons = Node {
                flex_wrap: FlexWrap::Wrap,
                row_gap: px(6),
                ..row(12.0)
            };
            page.spawn(buttons).with_children(|foot| {
                match next_lesson(&session) {
                    Some(next) => {
                        let words = "Next lesson (Enter)";
                        let on = word_button(words, Panel::ButtonPrimary);
                        foot.spawn((on, next, First));
                        let again = word_button("Play again", Panel::Button);
                        foot.spawn((again, ResultButton::Again));
                    }
                    None => {
                        let words = "Play again (Enter)";
                        let again = word_button(words, Panel::ButtonPrimary);
                        foot.spawn((again, ResultButton::Again, First));
                    }
                }
                for (words, panel, what) in [
                    (
                        "Again with the same dice",
                        Panel::Button,
                        ResultButton::SameDice,
                    ),
                    ("Watch the replay", Panel::Button, ResultButton::Watch),
                    ("Back to title (Esc)", Panel::Button, ResultButton::Title),
                ] {
                    foot.spawn((word_button(words, panel), what));
                }
            });
        });
}

/// Who has won a lesson goes on to the next.
fn next_lesson(session: &Session) -> Option<LessonButton> {
    let won = session.over() == Some(Some(session.player()));
    let mut lessons = tutorial().iter();
    let done = lessons.position(|level| level.id == session.game.level().id)?;
    (won && done + 1 < tutorial().len()).then_some(LessonButton(done + 1))
}

/// The columns of the table: heading, width, what it means.
const COLUMNS: [(&str, f32, &str); 7] = [
    ("Attacks", 72.0, "Attacks that were rolled for"),
    ("Hits", 56.0, "Attacks that hit"),
    (
        "Expected",
        82.0,
        "The chances of all attacks, added up, each as it was when the die was rolled",
    ),
    ("Luck", 60.0, "Hits beyond those expected, or short of them"),
    (
        "Dealt",
        64.0,
        "Damage done, whatever it was done to; loss of blood and falls are nobody's",
    ),
    ("Taken", 64.0, "Damage suffered"),
    ("Felled", 62.0, "How many it put down"),
];

fn head(table: &mut ChildSpawnerCommands) {
    table.spawn(row(10.0)).with_children(|line| {
        line.spawn(spring());
        for (word, width, told) in COLUMNS {
            let tip = Tip::default().line(told, Cut::Small, palette::INK);
            let node = Node {
                width: px(width),
                justify_content: JustifyContent::End,
                flex_shrink: 0.0,
                ..default()
            };
            line.spawn((
                node,
                bevy::picking::hover::Hovered::default(),
                tip,
                children![text(word, Cut::Label, palette::FADED_INK)],
            ));
        }
    });
}

/// Rounded, halves up.
fn tenths(number: f32) -> f32 {
    (number * 10.0 + 1e-3).round() / 10.0
}

fn numbers(line: &mut ChildSpawnerCommands, deeds: &Deeds, cut: Cut) {
    // The difference of the two numbers that are shown.
    let luck = tenths(deeds.hits as f32 - tenths(deeds.expected));
    let sign = match luck {
        ..0.0 => "−",
        0.0 => "",
        _ => "+",
    };
    let rolled = deeds.attacks > 0;
    let when = |is: bool, text: String| if is { text } else { String::from("–") };
    let ink = match luck {
        _ if !rolled => palette::FADED_INK,
        x if x > 0.05 => palette::TEAL,
        x if x < -0.05 => palette::DANGER,
        _ => palette::INK,
    };
    let cells = [
        (when(rolled, deeds.attacks.to_string()), palette::INK),
        (when(rolled, deeds.hits.to_string()), palette::INK),
        (
            when(rolled, format!("{:.1}", tenths(deeds.expected))),
            palette::INK,
        ),
        (when(rolled, format!("{sign}{:.1}", luck.abs())), ink),
        (deeds.dealt.to_string(), palette::INK),
        (deeds.taken.to_string(), palette::INK),
        (deeds.felled.to_string(), palette::INK),
    ];
    for ((text_, ink), (_, width, _)) in cells.into_iter().zip(COLUMNS) {
        let node = Node {
            width: px(width),
            justify_content: JustifyContent::End,
            flex_shrink: 0.0,
            ..default()
        };
        line.spawn((node, children![text(text_, cut, ink)]));
    }
}

fn side_line(table: &mut ChildSpawnerCommands, name: &str, sum: &Deeds) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(10.0)
    };
    table.spawn(node).with_children(|line| {
        line.spawn(text(name, Cut::Heading, palette::INK));
        line.spawn(spring());
        numbers(line, sum, Cut::Strong);
    });
}

fn member(table: &mut ChildSpawnerCommands, person: &Person, chip: Handle<Image>, deeds: &Deeds) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(10.0)
    };
    table.spawn(node).with_children(|line| {
        line.spawn(picture(chip, 24.0));
        let ink = if person.is_up() {
            palette::INK
        } else {
            palette::FADED_INK
        };
        let wide = |width: f32| Node {
            width: px(width),
            flex_shrink: 0.0,
            ..default()
        };
        line.spawn((
            wide(160.0),
            children![text(person.name.clone(), Cut::Body, ink)],
        ));
        let (fate, ink) = match person.state {
            State::Up => ("stands", palette::TEAL),
            State::Down => ("fell", palette::DANGER),
            State::Dead => ("died", palette::DANGER),
            State::Fled => ("fled", palette::FADED_INK),
            State::Waiting => ("never came", palette::FADED_INK),
        };
        line.spawn((wide(80.0), children![text(fate, Cut::Small, ink)]));
        let column = Node {
            flex_direction: FlexDirection::Column,
            ..wide(90.0)
        };
        line.spawn(column).with_children(|health| {
            let share = person.hp as f32 / person.max_hp.max(1) as f32;
            let fill = if share > 0.5 {
                palette::HEALTH
            } else {
                palette::HEALTH_ENEMY
            };
            health.spawn(bar(share, fill, 9.0));
        });
        let left = format!("{}/{}", numeral(person.hp), person.max_hp);
        line.spawn((
            wide(60.0),
            children![text(left, Cut::Small, palette::FADED_INK)],
        ));
        line.spawn(spring());
        numbers(line, deeds, Cut::Body);
    });
}
