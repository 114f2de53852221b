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
    for shelf in &shelves {
        commands.entity(shelf).with_children(|shelf| {
            let done = |level: &Level| profile.lessons.contains(&level.id);
            let words = match tutorial().iter().any(|level| done(level)) {
                true => "Tutorial",
                false => "New here? Begin with these.",
            };
            shelf.spawn(text(words, Cut::Small, palette::FADED_INK));
            for (n, level) in tutorial().iter().enumerate() {
                let node = Node {
                    width: percent(100),
                    min_height: px(30),
                    padding: UiRect::axes(px(12), px(3)),
                    ..row(8.0)
                };
                let tip = Tip::default().line(level.briefing.clone(), Cut::Small, palette::INK);
                shelf
                    .spawn((button(Panel::Card, node), LessonButton(n), tip))
                    .with_children(|line| {
                        line.spawn(text(level.title.clone(), Cut::Label, palette::INK));
                        line.spawn(spring());
                        if done(level) {
                            let tick = Sign::Icon(Icon::Check, palette::TEAL);
                            line.spawn(picture(signs.get(tick, 16.0), 16.0));
                        }
                    });
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
