//! The most costly orders, how accurate each side was, and luck separated from skill.

use super::{
    super::{LUCK, page_card, signed},
    Maker,
    curve::disc,
};
use crate::{
    battle::{Side, capitalised},
    control::{
        review::{Grade, INACCURACY, MISTAKE, NAMED, better, reason, title},
        statistics::UnitStatistics,
    },
    ui::{
        app_command::{AppCommand, ReviewCommand},
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        shown::UnitView,
        theme::{TextStyle, body_text, colour, faded, heading_text, strong_text, text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, Tip, button, centred_bar, column, fill_width,
            panel_style, picture, rigid, row, rule, sized, spacer, words_row, wrapping_row,
        },
    },
};
use bevy::prelude::*;

/// The three most costly orders.
pub fn mistakes(place: &mut ChildSpawnerCommands, maker: &mut Maker) {
    let state = &maker.state;
    let names = maker.session.game.names();
    let all = state.mistakes();
    let chosen = state.chosen.min(all.len().saturating_sub(1));
    place.spawn_with((page_card(6.0), panel_style(Panel::Card)), |card| {
        let head = words_row(10.0);
        card.group(head, |head| {
            let words = match all.len() {
                NAMED if state.is_done() => String::from("Three orders that cost you"),
                _ => String::from("Orders that cost you"),
            };
            head.spawn(heading_text(words));
            head.spawn(spacer());
            let least = INACCURACY * 100.0;
            let words = format!("{least:.0}% win chance or more below the best");
            head.spawn(faded(words));
        });
        if all.is_empty() && state.is_done() {
            card.spawn(body_text("None"));
        }
        for (n, &decision) in all.iter().enumerate() {
            let decision = &state.review.decisions[decision];
            let panel = Panel::Button.active_if(n == chosen);
            let node = Node::default()
                .in_row(10.0)
                .width(percent(100))
                .align(AlignItems::Start)
                .justify(JustifyContent::Start)
                .padding(10.0, 6.0);
            let parts = (
                button(panel, node),
                SendOnPress(AppCommand::Review(ReviewCommand::ShowMistake(n))),
            );
            card.spawn_with(parts, |button| {
                let grade = decision.grade();
                disc(button, Node::default(), (n, grade), n == chosen);
                let lines = column(1.0).min_width(px(0)).grow();
                button.group(lines, |lines| {
                    lines.spawn(strong_text(title(decision, names)));
                    let words = format!("Better: {}", better(decision, names));
                    lines.spawn(text(words, TextStyle::Strong, palette::TEAL));
                    if let Some(reason) = reason(decision, &state.review.sides, names) {
                        lines.spawn(faded(reason));
                    }
                });
                let cost = format!("\u{2212}{:.0}%", decision.loss() * 100.0);
                let ink = match grade {
                    Grade::Mistake => palette::DANGER,
                    _ => palette::INK,
                };
                button.spawn((text(cost, TextStyle::Strong, ink), rigid(default())));
            });
        }
        if !state.is_done() {
            card.spawn(body_text("Still looking\u{2026}"));
        }
    });
}

/// The colours of a grade: its ground, and what is written on it.
pub fn inks(grade: Grade) -> (Rgb, Rgb) {
    match grade {
        Grade::Best => (palette::TEAL, palette::WHITE),
        Grade::Good => (palette::TEAL.mix(palette::WHITE, 0.55), palette::INK),
        Grade::Inaccuracy => (palette::OCHRE.mix(palette::WHITE, 0.3), palette::INK),
        Grade::Mistake => (palette::DANGER, palette::WHITE),
    }
}

/// A number that is not known, or not yet.
const UNKNOWN: &str = "\u{2013}";

/// A number for each side, and a bar with the grades of its orders. They are not known before
/// the review is complete, because any order may still turn out to be a mistake.
pub fn accuracy(place: &mut ChildSpawnerCommands, maker: &mut Maker) {
    let state = &maker.state;
    let sides = maker.session.game.level().sides.clone();
    place.spawn_with((page_card(6.0), panel_style(Panel::Card)), |card| {
        let head = row(10.0).align(AlignItems::Baseline);
        card.group(head, |head| {
            head.spawn(heading_text("Accuracy"));
            head.spawn(faded("how close each order came to the best one"));
        });
        for (n, side) in sides.iter().enumerate() {
            let accuracy = state.review.accuracy(Side(n as u8));
            let accuracy = accuracy.filter(|_| state.is_done());
            if accuracy.is_none() && state.is_done() {
                continue;
            }
            card.group(row(10.0), |line| {
                let name = rigid(Node::default().width(percent(26)));
                line.spawn((body_text(capitalised(&side.name)), name));
                let Some(accuracy) = accuracy else {
                    line.spawn(text(UNKNOWN, TextStyle::Heading, palette::FADED_INK));
                    return;
                };
                line.spawn(heading_text(format!("{:.0}%", accuracy * 100.0)));
                let bar = fill_width(default()).height(px(24)).border(1.2);
                let line_ink = BorderColor::all(colour(palette::INK));
                line.spawn_with((bar, line_ink, Pickable::IGNORE), |bar| {
                    let grades = state.review.grades(Side(n as u8));
                    for (grade, count) in std::iter::zip(Grade::ALL, grades) {
                        if count == 0 {
                            continue;
                        }
                        let (ground, letters) = inks(grade);
                        let node = Node {
                            flex_grow: count as f32,
                            flex_basis: px(0),
                            ..Node::default().min_width(px(16)).centred()
                        };
                        let tip = Tip::text(format!("{count} {}", grade.name()));
                        bar.spawn((
                            node,
                            tip,
                            BackgroundColor(colour(ground)),
                            children![text(count.to_string(), TextStyle::Label, letters)],
                        ));
                    }
                });
            });
        }
        card.group(wrapping_row(12.0, 0.0), |line| {
            for (grade, least) in [
                (Grade::Best, None),
                (Grade::Good, None),
                (Grade::Inaccuracy, Some(INACCURACY)),
                (Grade::Mistake, Some(MISTAKE)),
            ] {
                let least = least.map(|least| format!(", {:.0}% or more", least * 100.0));
                let words = format!("{}{}", grade.name(), least.unwrap_or_default());
                let node = sized(12.0, 12.0).border(1.0);
                line.group(row(4.0), |one| {
                    one.spawn((
                        node,
                        BackgroundColor(colour(inks(grade).0)),
                        BorderColor::all(colour(palette::INK)),
                    ));
                    one.spawn(text(words, TextStyle::Small, palette::INK));
                });
            }
        });
    });
}

/// A unit, or `None` for a whole side, with its name, luck and skill.
type LuckLine = (Option<UnitView>, String, Option<f32>, Option<f32>);

/// Luck and skill for each unit of the side and for every other side: how much more
/// or less damage than expected the dice did, and the win chance gained or lost by orders,
/// which is not known before the review is complete.
pub fn luck(place: &mut ChildSpawnerCommands, maker: &mut Maker) {
    let side = maker.state.side;
    let review = maker.state.review.clone();
    let sides = maker.session.game.level().sides.clone();
    let shown = maker.session.shown();
    let members = |side: Side| -> Vec<UnitView> { shown.members(side).cloned().collect() };
    let size = maker.room.text();
    let node = page_card(3.0);
    let is_done = maker.state.is_done();
    // A unit without attacks had no luck, good or bad.
    let luck_of = |units: &[UnitView]| {
        let mut sum = UnitStatistics::default();
        let known = units.iter().filter_map(|p| review.units.get(p.id.index()));
        known.for_each(|statistics| sum += *statistics);
        (sum.attacks > 0).then(|| sum.luck())
    };
    let skill_of = |unit: &UnitView| is_done.then(|| 100.0 * review.skill(unit.id));
    let mut lines: Vec<LuckLine> = members(side)
        .iter()
        .map(|p| {
            let luck = luck_of(std::slice::from_ref(p));
            (Some(p.clone()), p.name.clone(), luck, skill_of(p))
        })
        .collect();
    let others = sides.iter().enumerate().filter(|(n, _)| *n != side.index());
    for (n, other) in others {
        let all = members(Side(n as u8));
        let skill = is_done.then(|| all.iter().filter_map(skill_of).sum::<f32>());
        lines.push((None, capitalised(&other.name), luck_of(&all), skill));
    }
    let most = |of: fn(&LuckLine) -> Option<f32>| {
        let all = lines.iter().filter_map(of);
        all.map(f32::abs).fold(1.0, f32::max)
    };
    let (most_luck, most_skill) = (most(|line| line.2), most(|line| line.3));
    place.spawn_with((node, panel_style(Panel::Card)), |card| {
        let head = words_row(10.0);
        card.group(head, |head| {
            head.spawn(heading_text("Luck and skill"));
            head.spawn(spacer());
            let wide = |words: &'static str, about: &'static str| {
                let node = Node::default()
                    .width(px(112.0 * size))
                    .justify(JustifyContent::Center);
                (node, Tip::text(about), children![faded(words)])
            };
            head.spawn(wide(LUCK.0, LUCK.1));
            head.spawn(wide(
                "Skill, in win chance",
                "Win chance that orders gained or lost against what the quick AI would have done",
            ));
        });
        for (n, (unit, name, luck, skill)) in lines.iter().enumerate() {
            // The units are the player's, the sides are the others.
            let is_own = unit.is_some();
            if n > 0 && unit.is_none() && lines[n - 1].0.is_some() {
                card.spawn(rule());
            }
            let chip = unit.as_ref().map(|unit| maker.icons.chip(unit, 22.0));
            card.group(row(8.0), |line| {
                if let Some(chip) = chip {
                    line.spawn(picture(chip, 22.0));
                }
                line.spawn(body_text(name.clone()));
                line.spawn(spacer());
                let skill = (skill, most_skill, 0, "%");
                for (value, most, digits, unit) in [(luck, most_luck, 1, ""), skill] {
                    let cell = row(6.0)
                        .width(px(112.0 * size))
                        .justify(JustifyContent::End);
                    line.group(rigid(cell), |cell| {
                        let Some(value) = *value else {
                            cell.spawn(text(UNKNOWN, TextStyle::Body, palette::FADED_INK));
                            return;
                        };
                        let (words, ink) = signed(value, digits, is_own);
                        centred_bar(cell, value / most, 28.0, ink);
                        let number = Node::default()
                            .width(px(40.0 * size))
                            .justify(JustifyContent::End);
                        cell.spawn((number, children![text(words + unit, TextStyle::Body, ink)]));
                    });
                }
            });
        }
    });
}
