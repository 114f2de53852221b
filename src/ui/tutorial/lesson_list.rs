//! The list of lessons on the title screen.

use crate::{
    levels::{Level, tutorial},
    ui::{
        Profile, Screen,
        art::{hud::Panel, icons::Icon, palette},
        hud::SmallPictures,
        input::FirstFocus,
        pictures::SmallPicture,
        session::{Next, any_seed},
        theme::{TextStyle, faded, heading_text, text},
        widgets::{
            NodeExt, SpawnWith, button, card, column, panel_style, rigid, rule, spacer,
            wrapping_row,
        },
    },
};
use bevy::{
    prelude::*,
    ui_widgets::{Activate, ScrollArea},
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(press);
}

/// A button that starts a lesson, by its index in [`tutorial`].
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LessonButton(pub usize);

/// The index in [`tutorial`] of the first lesson that the player has not won.
pub fn next_lesson(profile: &Profile) -> Option<usize> {
    let is_open = |level: &Level| !profile.lessons.contains(&level.id);
    tutorial().iter().position(|level| is_open(level))
}

/// Spawns the card with all lessons. The next lesson's button is teal if Enter starts it.
pub fn lesson_list(
    place: &mut ChildSpawnerCommands,
    profile: &Profile,
    is_entered: bool,
    icons: &mut SmallPictures,
) {
    // The first lessons share one combat system; the others introduce one each.
    let first = tutorial().first().and_then(|level| level.rules);
    let all = tutorial().iter().enumerate();
    let (basics, systems): (Vec<_>, Vec<_>) = all.partition(|(_, level)| level.rules == first);
    let next = next_lesson(profile);
    let mut line = |place: &mut ChildSpawnerCommands, n: usize, level: &Level, size: Node| {
        let is_next = next == Some(n);
        let panel = match (is_next, is_entered) {
            (true, true) => Panel::ButtonPrimary,
            (true, false) => Panel::CardActive,
            (false, _) => Panel::Card,
        };
        let node = size
            .align(AlignItems::Center)
            .justify(JustifyContent::Start)
            .column_gap(8.0)
            .padding(14.0, 6.0);
        let mut line = place.spawn((button(panel, node), LessonButton(n)));
        line.insert_if(FirstFocus, || is_next);
        line.with_children(|line| {
            line.group(column(1.0).min_width(px(0)), |words| {
                words.spawn(text(level.title.clone(), TextStyle::Strong, panel.text()));
                words.spawn(text(level.teaches.clone(), TextStyle::Small, panel.text()));
            });
            line.spawn(spacer());
            if profile.lessons.contains(&level.id) {
                line.spawn(icons.square(SmallPicture::Icon(Icon::Check, palette::TEAL), 16.0));
            }
        });
    };
    let node = card().min_height(px(0)).row_gap(8.0).scrolling();
    place.spawn_with((node, panel_style(Panel::Card), ScrollArea), |page| {
        page.spawn(heading_text("Lessons"));
        page.spawn(rule());
        let words = match next {
            Some(0) => "New here? Start with lesson 1. Each takes about five minutes.",
            _ => "Skirmish, the system to start with:",
        };
        page.spawn(faded(words));
        for &(n, level) in &basics {
            line(page, n, level, Node::default().width(percent(100)));
        }
        page.spawn(faded("One lesson for each of the other combat systems:"));
        let pairs = wrapping_row(8.0, 8.0)
            .width(percent(100))
            .align(AlignItems::Stretch);
        page.group(rigid(pairs), |pairs| {
            for &(n, level) in &systems {
                let half = Node::default().width(percent(49)).grow();
                line(pairs, n, level, half);
            }
        });
    });
}

/// Starts a lesson with the seed that it is written for.
pub fn begin(n: usize, commands: &mut Commands, next: &mut NextState<Screen>) {
    let Some(level) = tutorial().get(n).cloned() else {
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

fn press(
    on: On<Activate>,
    buttons: Query<&LessonButton>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    if let Ok(LessonButton(n)) = buttons.get(on.entity) {
        begin(*n, &mut commands, &mut next);
    }
}
