//! The list of levels: hardness, length, your units and your stars for each.

use super::{TitleButton, TitleChoices};
use crate::{
    lab::measured::{self, Hardness},
    levels::{Control, Level, own::OwnLevel},
    rulesets,
    ui::{
        Options,
        art::{
            hud::{Panel, Pip, Star},
            palette,
        },
        hud::SmallPictures,
        input::{FirstFocus, FollowsFocus},
        own::Own,
        pictures::SmallPicture,
        progress::{Opponent, Progress},
        scrollbars::InSight,
        shown::UnitView,
        theme::{self, TextStyle, faded, one_line, strong_text, text},
        widgets::{NodeExt, SpawnWith, Tip, button, column, picture, rigid, row, spacer},
    },
    words::count,
};
use bevy::prelude::*;
use std::sync::Arc;

/// The built-in levels, then the player's own, then the player's files with errors.
pub(super) fn levels(
    list: &mut ChildSpawnerCommands,
    (levels, own): (&[Arc<Level>], &Own),
    choices: &TitleChoices,
    options: &Options,
    (progress, icons): (&Progress, &mut SmallPictures),
) {
    let is_own = |level: &Arc<Level>| own.0.holder(level).is_some();
    let in_order = choices.in_order(options).into_iter();
    let all = in_order.map(|n| (n, &levels[n]));
    for (n, level) in all.clone().filter(|(_, level)| !is_own(level)) {
        level_button(list, n, (level, ""), (choices, options), (progress, icons));
    }
    let place = own.folder().map(|folder| folder.display().to_string());
    if own.0.all().is_empty() && own.0.problems().is_empty() {
        let words = place.map(|place| format!("Put your own levels into {place}"));
        words.map(|words| list.spawn(faded(words)));
        return;
    }
    list.spawn(strong_text("Your levels"));
    for (n, level) in all.filter(|(_, level)| is_own(level)) {
        // Levels with the same title show their file names.
        let is_namesake = |other: &&Arc<Level>| other.title == level.title;
        let name = match levels.iter().filter(is_namesake).count() {
            1 => None,
            _ => own.0.holder(level).map(OwnLevel::file),
        };
        let name = name.unwrap_or_default();
        let named = (&**level, &*name);
        level_button(list, n, named, (choices, options), (progress, icons));
    }
    for (n, own) in own.0.all().iter().enumerate() {
        if let Err(problems) = &own.found {
            broken_button(list, n, own, problems.len(), choices);
        }
    }
    for problem in own.0.problems() {
        list.spawn(text(problem.to_string(), TextStyle::Small, palette::DANGER));
    }
}

/// The button of a level file with errors.
fn broken_button(
    list: &mut ChildSpawnerCommands,
    n: usize,
    own: &OwnLevel,
    errors: usize,
    choices: &TitleChoices,
) {
    let is_chosen = choices.broken.as_ref() == Some(&own.path);
    let panel = Panel::CardPale.active_if(is_chosen);
    let node = row(8.0).width(percent(100)).padding(theme::PAD, 5.0);
    let tip = Tip::text("Show the errors");
    let mut broken_button = list.spawn((button(panel, node), TitleButton::Broken(n), tip));
    broken_button.insert_if(InSight::default(), || is_chosen && choices.is_sought);
    broken_button.with_children(|words| {
        words.spawn(text(own.file(), TextStyle::Strong, palette::FADED_INK));
        words.spawn(spacer());
        let problems = count(errors, "error");
        words.spawn(one_line(problems, TextStyle::Small, palette::DANGER));
    });
}

fn level_button(
    list: &mut ChildSpawnerCommands,
    n: usize,
    (level, name): (&Level, &str),
    (choices, options): (&TitleChoices, &Options),
    (progress, icons): (&Progress, &mut SmallPictures),
) {
    let is_chosen = n == choices.level && choices.broken.is_none();
    let panel = Panel::Card.active_if(is_chosen);
    let node = column(1.0)
        .width(percent(100))
        .align(AlignItems::Stretch)
        .padding(12.0, 3.0);
    let mut level_button = list.spawn((
        button(panel, node),
        TitleButton::Level(n),
        FollowsFocus,
        won(level, progress),
    ));
    level_button.insert_if(FirstFocus, || is_chosen);
    level_button.insert_if(InSight::default(), || is_chosen && choices.is_sought);
    let rules = choices.rules_for(level, options).id;
    level_button.with_children(|lines| {
        lines.group(row(8.0), |words| {
            words.spawn(strong_text(level.title.clone()));
            if !name.is_empty() {
                words.spawn(faded(name));
            }
            words.spawn(spacer());
            marks(words, level, progress, icons);
        });
        lines.group(row(6.0), |words| {
            if let Some(hardness) = Hardness::under(level, rules) {
                hard(words, hardness, icons);
            }
            if let Some(measured) = measured::under(level, rules) {
                // A mean over won and lost battles, not a length that the level sets.
                let words_of = count(measured.rounds.round() as usize, "round");
                words.spawn((faded(format!("~{words_of}")), TextLayout::no_wrap()));
            }
            words.spawn(spacer());
            words.group(row(1.0), |all| {
                let led = led(level);
                let size = LED.min(ALL_LED / led.len().max(1) as f32 - 1.0);
                for unit in &led {
                    all.spawn(picture(icons.chip(unit, size), size));
                }
            });
        });
    });
}

/// The size of the picture of one of the player's units, in layout pixels.
const LED: f32 = 17.0;
/// The width of all of them with their gaps, in layout pixels: more units have smaller pictures.
const ALL_LED: f32 = 90.0;

/// The units that the player controls in a level.
pub(super) fn led(level: &Level) -> Vec<UnitView> {
    let is_own = |p: &UnitView| level.sides[p.side.index()].control == Control::Player;
    let all = UnitView::all_of(level, rulesets::ALL[0]).into_iter();
    all.filter(is_own).collect()
}

/// How hard a level is: one to four filled diamonds, and the word.
fn hard(place: &mut ChildSpawnerCommands, hardness: Hardness, icons: &mut SmallPictures) {
    place.group(row(1.0), |place| {
        for one in Hardness::ALL {
            place.spawn(icons.square(SmallPicture::Pip(Pip::Diamond, one > hardness), 11.0));
        }
    });
    place.spawn(one_line(hardness.name(), TextStyle::Small, palette::INK));
}

/// The tooltip with your best win under each ruleset.
fn won(level: &Level, progress: &Progress) -> Tip {
    let mut tip = Tip::default();
    for rules in rulesets::ALL.iter().filter(|r| level.suits(r.id)) {
        tip = match progress.mark(level, rules.id) {
            Some(mark) => tip.small(format!("{}: won {}", rules.id, mark.line())),
            None => tip.line(
                format!("{}: not won yet", rules.id),
                TextStyle::Small,
                palette::FADED_INK,
            ),
        };
    }
    tip
}

/// A star for each combat system; its shape shows which AI you beat.
fn marks(
    place: &mut ChildSpawnerCommands,
    level: &Level,
    progress: &Progress,
    icons: &mut SmallPictures,
) {
    place.group(rigid(row(2.0)), |marks| {
        for rules in rulesets::ALL.iter().filter(|r| level.suits(r.id)) {
            let mark = progress.mark(level, rules.id);
            let star = match mark.map(|mark| mark.opponent) {
                None => Star::Open,
                Some(Opponent::Easy) => Star::Hollow,
                Some(Opponent::Quick) => Star::Full,
                Some(Opponent::Strategist) => Star::Dotted,
            };
            marks.spawn(icons.square(SmallPicture::Star(star), STAR));
        }
    });
}

/// The size of a star, in layout pixels.
const STAR: f32 = 15.0;
