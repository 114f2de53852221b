//! The right side of the Play page: the chosen level, and the options for its battle.

use super::{SeedEntry, TitleButton, TitleChoices, difficulty, list};
use crate::{
    battle::{Ruleset, capitalised, handicap},
    control::{Player, Strategist, recording::SideController},
    lab::measured,
    levels::{Combatant, Level},
    road::Difficulty,
    rulesets,
    ui::{
        Options, Profile,
        art::{hud::Panel, palette},
        editor::Edit,
        entry::entry,
        hud::SmallPictures,
        input::Key,
        pictures,
        progress::Progress,
        room::Room,
        ruleset_ui,
        saves::browser::controller_name,
        small_map,
        theme::{TextStyle, body_text, faded, heading_text, strong_text, text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, Tip, button, card, column, fill_width, list_node,
            panel_style, picture, rigid, row, rule, scrolling_column, spacer, wide_column,
            word_button, wrapping_row,
        },
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

pub(super) fn level_card(
    body: &mut ChildSpawnerCommands,
    level: &Arc<Level>,
    choices: &TitleChoices,
    (options, profile, progress): (&Options, &Profile, &Progress),
    (picture, own): ((Handle<Image>, Vec2), Option<Handle<Image>>),
    icons: &mut SmallPictures,
) {
    let node = fill_width(card()).row_gap(6.0);
    // With very large text it scrolls; the start button below stays visible.
    let about = scrolling_column(5.0);
    let rules = choices.rules_for(level, options);
    body.spawn_with((node, panel_style(Panel::Card)), |whole| {
        whole.spawn_with((about, ScrollArea), |card| {
            card.group(row(12.0), |head| {
                head.spawn(heading_text(level.title.clone()));
                head.spawn(spacer());
                head.spawn((faded(numbers(level)), TextLayout::no_wrap()));
            });
            card.spawn(rule());
            let beside = rigid(Node::default().column_gap(14.0));
            card.group(beside, |beside| {
                map_of(beside, picture, own);
                words_of(beside, level);
            });
            led(card, level, icons);
            for objective in level.objectives.iter().filter(|o| o.side.0 == 0) {
                let words = objective.text.clone();
                card.spawn(text(words, TextStyle::Small, palette::TEAL));
            }
            card.spawn(rule());
            difficulty_row(card, level, choices);
            rules_buttons(card, rules, level, profile);
            if let Some(mark) = progress.mark(level, rules.id) {
                let words = format!("Won {}.", mark.line());
                card.spawn(text(words, TextStyle::Small, palette::TEAL));
            }
        });
        if let Some(measured) = measured::under(level, rules.id) {
            let words = format!(
                "{}: a beginner wins about {:.0}% on Normal. About {}.",
                measured.hardness().name(),
                measured.won,
                count(measured.rounds.round() as usize, "round"),
            );
            whole.spawn(text(words, TextStyle::Small, palette::LINK));
        }
        let node = rigid(wrapping_row(10.0, 6.0));
        whole.group(node, |foot| begin(foot, level, choices));
    });
}

/// The map at the start of the level, below the level's own picture, if it has one.
fn map_of(
    beside: &mut ChildSpawnerCommands,
    (image, size): (Handle<Image>, Vec2),
    own: Option<Handle<Image>>,
) {
    beside.group(rigid(column(8.0).max_width(percent(52))), |frame| {
        // With large text there can be less room than the picture was drawn for.
        let node = Node {
            width: px(size.x),
            max_width: percent(100),
            aspect_ratio: Some(size.x / size.y.max(1.0)),
            ..default()
        };
        if let Some(own) = own {
            let node = Node::default().width(px(size.x)).max_width(percent(100));
            frame.spawn((ImageNode::new(own), node));
        }
        frame.spawn((ImageNode::new(image), node));
    });
}

/// The level's title and description.
fn words_of(beside: &mut ChildSpawnerCommands, level: &Level) {
    beside.group(wide_column(6.0), |words| {
        words.spawn(body_text(level.briefing.clone()));
        let about = capitalised(&level.about.to_string());
        for small in [&about, &level.teaches] {
            if !small.is_empty() {
                words.spawn(faded(small.clone()));
            }
        }
    });
}

/// The units that the player controls, each with picture and name.
fn led(card: &mut ChildSpawnerCommands, level: &Level, icons: &mut SmallPictures) {
    card.group(rigid(wrapping_row(10.0, 2.0)), |row_of| {
        row_of.spawn(faded("You lead"));
        for unit in list::led(level) {
            row_of.group(row(4.0), |one| {
                one.spawn(picture(icons.chip(&unit, CHIP), CHIP));
                one.spawn(text(unit.name.clone(), TextStyle::Label, palette::INK));
            });
        }
    });
}

/// The size of a unit's picture, in layout pixels.
const CHIP: f32 = 24.0;

/// The seed field, and the buttons that start the battle.
fn begin(foot: &mut ChildSpawnerCommands, level: &Arc<Level>, choices: &TitleChoices) {
    foot.spawn(faded("Seed"));
    let digits = |c: char| c.is_ascii_digit();
    let seed = choices.seed.to_string();
    let field = entry("The seed for the dice", &seed, 84.0, 20, digits);
    foot.spawn((SeedEntry, field));
    let tip = Tip::text("Pick a new seed at random").key(Key::Reroll);
    let reroll = word_button("New seed", Panel::Button);
    foot.spawn((reroll, TitleButton::Reroll, tip));
    foot.spawn(spacer());
    let edit = SendOnPress(Edit::Level(level.clone()));
    let tip = Tip::text("Edit, check and test this level");
    foot.spawn((word_button("Edit", Panel::Button), edit, tip));
    let plays = choices.controllers.contains(&SideController::Human);
    let words = if plays { "Start" } else { "Watch" };
    // The button that Enter presses is teal.
    let panel = match choices.continues() {
        true => Panel::Button,
        false => Panel::ButtonPrimary,
    };
    foot.spawn((word_button(words, panel), TitleButton::Start));
}

/// The possible controllers of a side, each with its explanation.
const CONTROLLERS: [(SideController, &str); 4] = [
    (SideController::Human, "A player at this screen (hot seat)"),
    (
        SideController::Ai(Player::Easy),
        "AI that makes beginner mistakes",
    ),
    (
        SideController::Ai(Player::Quick),
        "AI that takes the best-looking move",
    ),
    (
        SideController::Ai(Player::Strategist(Strategist::PLAYOUTS)),
        "AI that simulates its options before it moves",
    ),
];

/// The difficulties. If the player chose *Custom*, also the controller of each side.
fn difficulty_row(card: &mut ChildSpawnerCommands, level: &Level, choices: &TitleChoices) {
    let now = difficulty::of(level, &choices.controllers, &choices.handicaps);
    let is_custom = choices.is_custom || now.is_none();
    card.group(wrapping_row(6.0, 6.0), |row| {
        row.spawn(strong_text("Difficulty"));
        for one in Difficulty::ALL {
            let panel = Panel::Card.active_if(now == Some(one));
            let tip = Tip::text(difficulty::about(one));
            let button = TitleButton::Difficulty(one);
            row.spawn((word_button(one.name(), panel), button, tip));
        }
        let panel = Panel::Card.active_if(now.is_none());
        let tip = Tip::text("Choose who plays each side, and extra hit points");
        row.spawn((word_button("Custom", panel), TitleButton::Custom, tip));
    });
    if let Some(one) = now.filter(|_| !is_custom) {
        card.spawn(faded(difficulty::about(one)));
    }
    if is_custom {
        seats_row(card, level, choices);
    }
}

/// The controller and handicap of each side.
fn seats_row(card: &mut ChildSpawnerCommands, level: &Level, choices: &TitleChoices) {
    card.group(column(6.0), |all| {
        for (n, side) in level.sides.iter().enumerate() {
            all.group(wrapping_row(6.0, 6.0), |row| {
                row.spawn(strong_text(capitalised(&side.name)));
                let external = choices.external.map(|player| {
                    let help = format!("Your program: {}", player.name());
                    (SideController::Ai(player), help)
                });
                let usual = CONTROLLERS.map(|(controller, help)| (controller, help.to_owned()));
                for (controller, help) in usual.into_iter().chain(external) {
                    let is_chosen = choices.controllers.get(n) == Some(&controller);
                    let panel = Panel::Card.active_if(is_chosen);
                    let tip = Tip::text(help);
                    let words = capitalised(controller_name(controller));
                    let choose = TitleButton::SideController(n, controller);
                    row.spawn((word_button(&words, panel), choose, tip));
                }
                let points = choices.handicaps.get(n).copied().unwrap_or_default();
                handicap_of(row, n, points);
            });
        }
    });
}

/// Buttons for a lower or higher handicap of a side.
fn handicap_of(place: &mut ChildSpawnerCommands, side: usize, points: u8) {
    let percent = handicap::PERCENT;
    let help = format!("HP bonus: each step gives this side {percent}% more hit points");
    let node = Node::default().width(px(26)).min_height(px(34));
    let step = |place: &mut ChildSpawnerCommands, sign: &str, to: Option<u8>| {
        let panel = Panel::Card.pale_if(to.is_none());
        let what = TitleButton::Handicap(side, to.unwrap_or(points));
        let mut step = place.spawn((button(panel, node.clone()), what, Tip::text(&*help)));
        step.with_child(text(sign, TextStyle::Strong, panel.text()));
    };
    place.group(row(6.0), |row| {
        step(row, "−", points.checked_sub(1));
        let words = format!("HP bonus {}%", i32::from(points) * percent);
        row.spawn((faded(words), TextLayout::no_wrap()));
        step(row, "+", Some(points + 1).filter(|&p| p <= handicap::MAX));
    });
}

/// Tooltip of a ruleset that the level does not suit.
const NOT_SUITED: &str = "This level isn't balanced for it: one side is much stronger.";

/// Buttons for the rulesets, or the name of the only one that the level allows.
fn rules_buttons(
    card: &mut ChildSpawnerCommands,
    chosen: &Ruleset,
    level: &Level,
    profile: &Profile,
) {
    if level.rules.is_some() || rulesets::ALL.len() < 2 {
        card.spawn(strong_text(chosen.id));
        return;
    }
    card.spawn(strong_text("How turns work"));
    for (n, rules) in rulesets::ALL.iter().enumerate() {
        let is_chosen = rules.id == chosen.id;
        let is_suited = level.suits(rules.id);
        let panel = Panel::Card.pale_if(!is_suited).active_if(is_chosen);
        let ruleset_ui = ruleset_ui::of(rules.id);
        let mut tip = Tip::text(ruleset_ui.like);
        if !is_suited {
            tip = tip.line(NOT_SUITED, TextStyle::Small, palette::DANGER);
        }
        let node = list_node(26.0, 8.0).padding(10.0, 1.0);
        card.spawn_with((button(panel, node), TitleButton::Rules(n), tip), |line| {
            // A minimum: larger text needs more.
            let name = text(rules.id, TextStyle::Strong, panel.text());
            let place = rigid(Node::default().min_width(px(74)));
            line.spawn((place, children![name]));
            let lines = column(0.0).min_width(px(0));
            line.group(lines, |lines| {
                lines.spawn(text(ruleset_ui.about, TextStyle::Small, panel.text()));
                if is_chosen {
                    lines.spawn(text(ruleset_ui.like, TextStyle::Small, palette::TEAL));
                }
            });
        });
    }
    let lessons = crate::levels::tutorial();
    let is_of = |lesson: &Arc<Level>| lesson.rules.is_some_and(|rules| rules.0 == chosen.id);
    let mut own = lessons.iter().filter(|lesson| is_of(lesson));
    let is_taught = own.any(|lesson| profile.lessons.contains(&lesson.id));
    let first = lessons.iter().position(is_of).unwrap_or(0) + 1;
    let words = match is_taught {
        _ if !level.suits(chosen.id) => String::from(NOT_SUITED),
        _ if profile.lessons.is_empty() => {
            format!("New here? Start with lesson {first}, under Learn.")
        }
        true => return,
        false => String::from("It has a lesson, under Learn."),
    };
    card.spawn(faded(words));
}

/// The space in the window that is not available for the map and the level's description,
/// in layout pixels: entries, list, options and gaps.
const AROUND: Vec2 = Vec2::new(800.0, 540.0);

/// A picture of the map at the start of the level and its size, which leaves room for the
/// description beside it.
pub(super) fn preview(
    icons: &mut SmallPictures,
    level: &Level,
    room: &Room,
) -> (Handle<Image>, Vec2) {
    let most = (room.size() - AROUND) * Vec2::new(0.5, 1.0);
    small_map::kept_start(icons, level, most, room)
}

/// The picture from a level's pack. `None` if it is not a valid PNG.
pub(super) fn own_picture(icons: &mut SmallPictures, png: &[u8]) -> Option<Handle<Image>> {
    let pixels = tiny_skia::Pixmap::decode_png(png).ok()?;
    Some(icons.images.add(pictures::image(pixels)))
}

/// Units per side: "4 vs 6". Leaves out hidden units, and sides with hidden units only.
fn numbers(level: &Level) -> String {
    let seen = |n: usize| {
        let is_it = |c: &&Combatant| usize::from(c.side.0) == n && !c.hidden;
        level.combatants.iter().filter(is_it).count()
    };
    let sides = (0..level.sides.len()).map(seen).filter(|&count| count > 0);
    let sides: Vec<String> = sides.map(|n| n.to_string()).collect();
    sides.join(" vs ")
}
