//! The left of the title: the way to what is kept, and the levels.

use super::{Desk, TitleButton};
use crate::{
    levels::{Level, own::OwnLevel},
    rulesets,
    ui::{
        app_command::{AppCommand, Browse, Does},
        art::{
            hud::{Panel, Pip},
            palette,
        },
        editor::{Edit, Edits},
        hud::Signs,
        input::{FirstFocus, FollowsFocus},
        own::Own,
        pictures::Sign,
        progress::{Opponent, Progress},
        screens::{
            builder::BuilderButton,
            road::{Road, RoadButton},
        },
        scrollbars::InSight,
        settings::screen::OpensSettings,
        theme::{self, Cut, text},
        tutorial,
        widgets::{Tall, Tip, button, column, picture, row, spring, word_button},
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

/// The list of levels.
#[derive(Component)]
pub(super) struct LevelList;

/// The whole column.
pub(super) fn column_of(
    body: &mut ChildSpawnerCommands,
    (levels, own): (&[Arc<Level>], &Own),
    desk: &Desk,
    (progress, signs): (&Progress, &mut Signs),
    road: &Road,
) {
    let node = Node {
        width: px(330),
        flex_shrink: 0.0,
        // With very large text all of it scrolls.
        overflow: Overflow::scroll_y(),
        ..column(8.0)
    };
    body.spawn((node, ScrollArea)).with_children(|list| {
        kept(list, desk);
        the_road(list, road);
        let node = Node {
            flex_grow: 1.0,
            flex_shrink: 0.0,
            flex_basis: px(0),
            min_height: px(130),
            padding: UiRect::all(px(3)),
            overflow: Overflow::scroll_y(),
            ..column(5.0)
        };
        list.spawn((LevelList, node, ScrollArea, ScrollPosition(desk.scrolled)))
            .with_children(|list| all_levels(list, (levels, own), desk, (progress, signs)));
        list.spawn(tutorial::shelf());
        let words = if desk.continues() {
            "Enter: continue, or start the chosen level. F1: rules."
        } else {
            "Arrow keys: choose. Enter: start. F1: rules."
        };
        // The longer of the two takes two lines: the rows above it stay where they are.
        let node = Node {
            flex_shrink: 0.0,
            ..default()
        };
        list.spawn((
            node,
            Tall(HINT_LINES),
            Pickable::IGNORE,
            children![text(words, Cut::Small, palette::FADED_INK)],
        ));
    });
}

/// Two lines of small print, in pixels of the layout at the standard text size.
const HINT_LINES: f32 = 32.0;

/// The levels that come with the game, then the player's own with those that have
/// errors.
fn all_levels(
    list: &mut ChildSpawnerCommands,
    (levels, own): (&[Arc<Level>], &Own),
    desk: &Desk,
    (progress, signs): (&Progress, &mut Signs),
) {
    let is_own = |level: &Arc<Level>| own.0.holder(level).is_some();
    let all = levels.iter().enumerate();
    for (n, level) in all.clone().filter(|(_, level)| !is_own(level)) {
        level_button(list, n, (level, ""), desk, (progress, signs));
    }
    let place = own.folder().map(|folder| folder.display().to_string());
    if own.0.all().is_empty() && own.0.problems().is_empty() {
        let words = place.map(|place| format!("Put your own levels into {place}"));
        words.map(|words| list.spawn(text(words, Cut::Small, palette::FADED_INK)));
        return;
    }
    list.spawn(text("Your levels", Cut::Strong, palette::INK));
    for (n, level) in all.filter(|(_, level)| is_own(level)) {
        // Of several with one title the file tells which is which.
        let is_namesake = |other: &&Arc<Level>| other.title == level.title;
        let name = match levels.iter().filter(is_namesake).count() {
            1 => None,
            _ => own.0.holder(level).map(OwnLevel::file),
        };
        let name = name.unwrap_or_default();
        level_button(list, n, (level, &name), desk, (progress, signs));
    }
    for (n, own) in own.0.all().iter().enumerate() {
        if let Err(problems) = &own.found {
            broken_button(list, n, own, problems.len(), desk);
        }
    }
    for problem in own.0.problems() {
        list.spawn(text(problem.to_string(), Cut::Small, palette::DANGER));
    }
}

/// A file that has errors.
fn broken_button(
    list: &mut ChildSpawnerCommands,
    n: usize,
    own: &OwnLevel,
    errors: usize,
    desk: &Desk,
) {
    let is_chosen = desk.broken.as_ref() == Some(&own.path);
    let panel = if is_chosen {
        Panel::CardActive
    } else {
        Panel::CardPale
    };
    let node = Node {
        padding: UiRect::axes(px(theme::PAD), px(5)),
        width: percent(100),
        ..row(8.0)
    };
    let tip = Tip::default().line("Show the errors", Cut::Small, palette::INK);
    let mut broken_button = list.spawn((button(panel, node), TitleButton::Broken(n), tip));
    if is_chosen && desk.is_sought {
        broken_button.insert(InSight::default());
    }
    broken_button.with_children(|words| {
        words.spawn(text(own.file(), Cut::Strong, palette::FADED_INK));
        words.spawn(spring());
        let told = text(count(errors, "error"), Cut::Small, palette::DANGER);
        words.spawn((told, TextLayout::no_wrap()));
    });
}

/// The way to what is kept, and out.
fn kept(list: &mut ChildSpawnerCommands, desk: &Desk) {
    if let Some(latest) = &desk.latest {
        let node = Node {
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::Start,
            padding: UiRect::axes(px(theme::PAD), px(6)),
            width: percent(100),
            ..default()
        };
        // Teal is what Enter presses.
        let panel = match desk.continues() {
            true => Panel::ButtonPrimary,
            false => Panel::Button,
        };
        let go_on = (button(panel, node), Does(AppCommand::Continue));
        list.spawn(go_on).with_children(|words| {
            words.spawn(text("Continue", Cut::Strong, panel.text()));
            words.spawn(text(latest.clone(), Cut::Small, panel.text()));
        });
    }
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(6.0)
    };
    let words = "Build your own battle: map, squads, objective";
    let build = Tip::default().line(words, Cut::Small, palette::INK);
    list.spawn((node, Pickable::IGNORE)).with_children(|row| {
        for (words, app_command) in [
            ("Load", AppCommand::Browse(Browse::Load)),
            ("Replays", AppCommand::Browse(Browse::Replays)),
        ] {
            row.spawn((word_button(words, Panel::Button), Does(app_command)));
        }
        row.spawn((word_button("New level", Panel::Button), Edits(Edit::New)));
        row.spawn((
            word_button("Build a battle", Panel::Button),
            BuilderButton::Open,
            build,
        ));
        row.spawn((word_button("Settings", Panel::Button), OpensSettings));
        row.spawn((word_button("Quit", Panel::Button), Does(AppCommand::Quit)));
    });
}

/// The way to the Road, with where the run stands.
fn the_road(list: &mut ChildSpawnerCommands, road: &Road) {
    let node = Node {
        padding: UiRect::axes(px(theme::PAD), px(6)),
        width: percent(100),
        justify_content: JustifyContent::Start,
        ..row(8.0)
    };
    let words = "A run of battles: wounds stay, so do levels";
    let tip = Tip::default().line(words, Cut::Small, palette::INK);
    list.spawn((button(Panel::Button, node), RoadButton::Open, tip))
        .with_children(|words| {
            words.spawn(text("The Road", Cut::Strong, palette::INK));
            words.spawn(text(road.line(), Cut::Small, palette::FADED_INK));
        });
}

fn level_button(
    list: &mut ChildSpawnerCommands,
    n: usize,
    (level, name): (&Level, &str),
    desk: &Desk,
    (progress, signs): (&Progress, &mut Signs),
) {
    let is_chosen = n == desk.level && desk.broken.is_none();
    let panel = if is_chosen {
        Panel::CardActive
    } else {
        Panel::Card
    };
    let node = Node {
        padding: UiRect::axes(px(theme::PAD), px(5)),
        width: percent(100),
        ..row(8.0)
    };
    let mut level_button = list.spawn((
        button(panel, node),
        TitleButton::Level(n),
        FollowsFocus,
        won(level, progress),
    ));
    if is_chosen {
        level_button.insert(FirstFocus);
    }
    if is_chosen && desk.is_sought {
        level_button.insert(InSight::default());
    }
    level_button.with_children(|words| {
        words.spawn(text(format!("{}", n + 1), Cut::Small, palette::FADED_INK));
        words.spawn(text(level.title.clone(), Cut::Strong, palette::INK));
        if !name.is_empty() {
            words.spawn(text(name, Cut::Small, palette::FADED_INK));
        }
        words.spawn(spring());
        marks(words, level, progress, signs);
    });
}

/// What was won of a level, in words.
fn won(level: &Level, progress: &Progress) -> Tip {
    let mut tip = Tip::default();
    for rules in rulesets::ALL.iter().filter(|r| level.suits(r.id)) {
        tip = match progress.mark(level, rules.id) {
            Some(mark) => {
                let words = format!("{}: won {}", rules.id, mark.line());
                tip.line(words, Cut::Small, palette::INK)
            }
            None => tip.line(
                format!("{}: not won yet", rules.id),
                Cut::Small,
                palette::FADED_INK,
            ),
        };
    }
    tip
}

/// A mark for each combat system: its shape tells who was beaten.
fn marks(place: &mut ChildSpawnerCommands, level: &Level, progress: &Progress, signs: &mut Signs) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(3.0)
    };
    place
        .spawn((node, Pickable::IGNORE))
        .with_children(|marks| {
            for rules in rulesets::ALL.iter().filter(|r| level.suits(r.id)) {
                let mark = progress.mark(level, rules.id);
                let shape = match mark.map(|mark| mark.opponent) {
                    Some(Opponent::Strategist) => Pip::Diamond,
                    Some(Opponent::Quick) => Pip::Square,
                    Some(Opponent::Easy) | None => Pip::Disc,
                };
                let sign = signs.get(Sign::Pip(shape, mark.is_none()), 11.0);
                marks.spawn(picture(sign, 11.0));
            }
        });
}
