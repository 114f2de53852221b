//! The lessons on the title screen.

use crate::{
    levels::{Level, tutorial},
    ui::{
        Profile, Screen,
        art::{hud::Panel, icons::Icon, palette},
        hud::Signs,
        pictures::Sign,
        session::{Next, any_seed},
        theme::{Cut, text},
        widgets::{Tip, button, column, picture, row, spring},
    },
};
use bevy::{prelude::*, ui_widgets::Activate};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(press);
    app.add_systems(
        Update,
        fill.run_if(in_state(Screen::Title))
            .run_if(any_match_filter::<Added<Shelf>>),
    );
}

/// Starts a lesson, by its place in [`tutorial`].
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LessonButton(pub usize);

/// Where the lessons are listed.
#[derive(Component)]
pub struct Shelf;

/// The place for the lessons on a screen; it fills itself.
pub fn shelf() -> impl Bundle {
    let node = Node {
        flex_shrink: 0.0,
        ..column(4.0)
    };
    (Shelf, node, Pickable::IGNORE)
}

fn fill(
    shelves: Query<Entity, Added<Shelf>>,
    profile: Res<Profile>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let done = |level: &Level| profile.lessons.contains(&level.id);
    let is_newcomer = !tutorial().iter().any(|level| done(level));
    // The first ones are of one combat system; each of the others has its own.
    let first = tutorial().first().and_then(|level| level.rules);
    let all = tutorial().iter().enumerate();
    let (basics, systems): (Vec<_>, Vec<_>) = all.partition(|(_, level)| level.rules == first);
    for shelf in &shelves {
        commands.entity(shelf).with_children(|shelf| {
            let words = match is_newcomer {
                true => "New here? Start with lesson 1.",
                false => "Lessons",
            };
            shelf.spawn(text(words, Cut::Small, palette::FADED_INK));
            for &(n, level) in &basics {
                let panel = match is_newcomer && n == 0 {
                    true => Panel::CardActive,
                    false => Panel::Card,
                };
                let line = Line {
                    n,
                    label: level.title.clone(),
                    panel,
                    width: percent(100),
                };
                line.spawn(shelf, &mut signs, level, done(level));
            }
            let words = "One lesson for each of the other combat systems:";
            shelf.spawn(text(words, Cut::Small, palette::FADED_INK));
            let pairs = Node {
                width: percent(100),
                flex_wrap: FlexWrap::Wrap,
                row_gap: px(4),
                ..row(4.0)
            };
            shelf
                .spawn((pairs, Pickable::IGNORE))
                .with_children(|pairs| {
                    for &(n, level) in &systems {
                        let name = level.rules.map_or(level.title.as_str(), |rules| rules.0);
                        let line = Line {
                            n,
                            label: name.to_owned(),
                            panel: Panel::Card,
                            width: percent(49),
                        };
                        line.spawn(pairs, &mut signs, level, done(level));
                    }
                });
        });
    }
}

/// The button of a lesson.
struct Line {
    /// Its place in [`tutorial`].
    n: usize,
    label: String,
    panel: Panel,
    width: Val,
}

impl Line {
    fn spawn(
        self,
        shelf: &mut ChildSpawnerCommands,
        signs: &mut Signs,
        level: &Level,
        is_done: bool,
    ) {
        let node = Node {
            width: self.width,
            min_height: px(28),
            padding: UiRect::axes(px(12), px(2)),
            ..row(8.0)
        };
        let tip = Tip::default()
            .line(level.title.clone(), Cut::Strong, palette::INK)
            .line(level.briefing.clone(), Cut::Small, palette::INK);
        shelf
            .spawn((button(self.panel, node), LessonButton(self.n), tip))
            .with_children(|line| {
                line.spawn(text(self.label, Cut::Label, self.panel.text()));
                line.spawn(spring());
                if is_done {
                    let tick = Sign::Icon(Icon::Check, palette::TEAL);
                    line.spawn(picture(signs.get(tick, 16.0), 16.0));
                }
            });
    }
}

fn press(
    on: On<Activate>,
    buttons: Query<&LessonButton>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    let Ok(LessonButton(n)) = buttons.get(on.entity) else {
        return;
    };
    let Some(level) = tutorial().get(*n).cloned() else {
        return;
    };
    let seed = level.lesson.as_ref().and_then(|lesson| lesson.seed);
    commands.insert_resource(Next {
        level,
        rules: None,
        seed: seed.unwrap_or_else(any_seed),
    });
    next.set(Screen::Battle);
}
