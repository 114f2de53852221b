//! The ways of the fork, each with its map, enemies, odds and reward.

use super::small;
use crate::{
    battle::{Side, capitalised},
    content::Creature,
    levels::{Goal, Level, compose::Aim},
    road::{RunState, way},
    rulesets,
    ui::{
        art::{
            hud::Panel,
            palette::{self, Rgb},
            tokens::Chip,
        },
        hud::SmallPictures,
        pictures::SmallPicture,
        room::Room,
        screens::road::{Branch, Road, RoadButton as B},
        shown::UnitView,
        small_map,
        theme::{TextStyle, body_text, faded, heading_text, strong_text, text},
        tokens,
        widgets::{
            NodeExt, SpawnWith, Tip, card, fill_width, panel_style, rigid, row, rule, sized,
            spacer, wide_column, word_button, wrapping_row,
        },
    },
    words::{self, count as count_of},
};
use bevy::prelude::*;
use std::sync::Arc;

/// The letters of the ways.
pub(super) const LETTERS: [char; 3] = ['A', 'B', 'C'];

/// The height of a way's card in full, in layout pixels.
const WAY: f32 = 190.0;

/// The measured chance to win: "74% to win".
pub(super) fn odds_words(branch: &Branch) -> String {
    match branch.odds {
        Some(odds) => format!("{:.0}% to win", odds.share() * 100.0),
        None => String::from("measuring …"),
    }
}

pub(super) fn odds_ink(branch: &Branch) -> Rgb {
    match branch.odds.map(|odds| odds.share()) {
        None => palette::FADED_INK,
        Some(0.7..) => palette::TEAL,
        Some(0.5..) => palette::OCHRE.mix(palette::INK, 0.3),
        Some(_) => palette::DANGER,
    }
}

/// Spawns the cards of the ways to the next stop.
pub(super) fn fork(
    right: &mut ChildSpawnerCommands,
    road: &Road,
    state: &RunState,
    (icons, room, side): (&mut SmallPictures, &Room, Vec2),
) {
    if road.fighting().is_some() {
        return resume(right, road);
    }
    let words = match road.fork.len() {
        0 => String::from("Scouts look at the ways ahead …"),
        1 if !road.is_busy => format!("The way to stop {}", state.stop + 1),
        _ => format!("Choose your way to stop {}", state.stop + 1),
    };
    right.group(row(12.0), |row| {
        row.spawn(heading_text(words));
        row.spawn(spacer());
        if road.fork.len() > 1 {
            row.spawn(faded("no way back"));
        }
    });
    if road.fork.is_empty() {
        let words = "Meanwhile use bandages, and choose what your units learn.";
        right.spawn(text(words, TextStyle::Body, palette::FADED_INK));
    }
    // The height that the text of a card leaves for the way's map.
    let count = way::count(&state.settings, state.stop).max(2) as f32;
    let is_low = side.y < 440.0;
    let around = if is_low { 64.0 } else { 112.0 };
    let high = (side.y - 40.0) / count - around;
    let ground = Vec2::new(side.x * 0.42, high.clamp(60.0, side.x * 0.27));
    // Without room for all in full, only the marked way is shown in full.
    let is_tight = count * WAY > side.y - 40.0;
    for (n, branch) in road.fork.iter().enumerate() {
        match is_tight && n != road.marked() {
            true => short_card(right, road, state, (n, branch), icons),
            false => {
                let drawn = (&mut *icons, room, ground, is_low);
                way_card(right, road, state, (n, branch), drawn);
            }
        }
    }
    if road.is_busy && !road.fork.is_empty() {
        right.spawn(faded("Scouts look at another way …"));
    }
}

/// The card to continue the battle in progress.
fn resume(right: &mut ChildSpawnerCommands, road: &Road) {
    let save_info = road.fighting().and_then(|battle| battle.save_info.as_ref());
    let words = save_info.map_or_else(String::new, |save_info| {
        format!("{}, {}", save_info.title, words::round(save_info.round))
    });
    right.spawn(heading_text("A battle is not over"));
    right.spawn(strong_text(words));
    let words = "It waits as you left it. You fight each battle of the Road once.";
    right.spawn(body_text(words));
    let resume = word_button("Continue the battle (Enter)", Panel::ButtonPrimary);
    right.spawn((row(8.0), children![(resume, B::Resume)]));
}

/// The card of a way: map, enemies, aim, odds and reward.
fn way_card(
    right: &mut ChildSpawnerCommands,
    road: &Road,
    state: &RunState,
    (n, branch): (usize, &Branch),
    (icons, room, ground, is_low): (&mut SmallPictures, &Room, Vec2, bool),
) {
    let is_picked = n == road.marked();
    let panel = Panel::Card.active_if(is_picked);
    let node = rigid(card().row_gap(5.0).padding(12.0, 8.0));
    let level = way::level(&branch.way, &state.squad, &state.settings).ok();
    let advice = faded(advice(branch, level.as_ref(), state));
    // In a low window the button is beside the title.
    let go = match (is_picked, is_low) {
        (true, false) => word_button("Go here (Enter)", Panel::ButtonPrimary),
        (true, true) => word_button("Go (Enter)", Panel::ButtonPrimary),
        (false, _) => word_button("Go here", Panel::Button),
    };
    let (mut go, mut advice) = (Some((go, B::Go(n))), Some(advice));
    right.spawn_with((node, panel_style(panel)), |way_card| {
        head(way_card, road, (n, branch), go.take_if(|_| is_low));
        way_card.group(row(14.0).align(AlignItems::Start), |body| {
            if let Some(level) = &level {
                let (image, size) = small_map::kept_start(icons, level, ground, room);
                let node = sized(size.x, size.y);
                body.spawn((ImageNode::new(image), node, Pickable::IGNORE));
            }
            body.group(wide_column(3.0), |facts| {
                enemies(facts, branch, level.as_ref(), icons);
                let length = branch.odds.map(|odds| odds.length().round() as usize);
                let length = length.map(|rounds| format!("about {}", count_of(rounds, "round")));
                let length = length.unwrap_or_else(|| String::from("…"));
                fact(facts, "Aim", &branch.way.aim, palette::INK);
                fact(facts, "Length", &length, palette::INK);
                fact(facts, "Reward", &reward(branch, state), palette::TEAL);
                if is_low {
                    advice.take().map(|advice| facts.spawn(advice));
                }
            });
        });
        let (Some(go), Some(advice)) = (go, advice) else {
            return;
        };
        way_card.spawn(rule());
        way_card.group(row(10.0), |foot| {
            foot.spawn((advice, fill_width(default())));
            foot.spawn(go);
        });
    });
}

/// The card of a way in two lines: odds, enemies, aim and reward.
fn short_card(
    right: &mut ChildSpawnerCommands,
    road: &Road,
    state: &RunState,
    (n, branch): (usize, &Branch),
    icons: &mut SmallPictures,
) {
    let node = rigid(card().row_gap(2.0).padding(12.0, 5.0));
    let level = way::level(&branch.way, &state.squad, &state.settings).ok();
    right.spawn_with((node, panel_style(Panel::Card)), |card| {
        let go = (word_button("Go here", Panel::Button), B::Go(n));
        head(card, road, (n, branch), Some(go));
        enemies(card, branch, level.as_ref(), icons);
        let words = format!("{}. {}.", branch.way.aim, reward(branch, state));
        card.spawn(text(words, TextStyle::Small, palette::TEAL));
    });
}

/// The first row of a way's card: the button that marks it, name, odds, and the button that goes
/// there.
fn head(
    card: &mut ChildSpawnerCommands,
    road: &Road,
    (n, branch): (usize, &Branch),
    go: Option<impl Bundle>,
) {
    card.group(row(10.0), |head| {
        let letter = LETTERS[n.min(2)].to_string();
        let about = Tip::text(format!("Mark this way ({}): Enter goes there", n + 1));
        let panel = Panel::Card.active_if(n == road.marked());
        small(head, road, &letter, B::Pick(n), panel, about);
        head.spawn(heading_text(branch.way.title.clone()));
        head.spawn(spacer());
        odds(head, branch);
        go.map(|go| head.spawn(go));
    });
}

/// What a victory on this way brings, for players.
fn reward(branch: &Branch, state: &RunState) -> String {
    let is_last = state.stop + 1 == usize::from(state.settings.battles);
    capitalised(&match is_last {
        true => String::from("the end of the Road"),
        false => state.reward(branch.way.nth).text(),
    })
}

/// The chance to win, with its margin of error.
fn odds(head: &mut ChildSpawnerCommands, branch: &Branch) {
    let Some(odds) = branch.odds else {
        head.spawn(faded("measuring …"));
        return;
    };
    let (low, high) = odds.interval();
    let error = ((high - low) * 50.0).round();
    let about = format!(
        "The computer won {:.0}% of {} battles with your squad as it is now",
        odds.share() * 100.0,
        odds.of
    );
    let node = rigid(row(6.0).align(AlignItems::Center));
    head.spawn_with((node, Tip::text(about)), |row| {
        row.spawn(faded(format!("to win ± {error}")));
        let words = format!("{:.0}%", odds.share() * 100.0);
        row.spawn(text(words, TextStyle::Big, odds_ink(branch)));
    });
}

fn fact(facts: &mut ChildSpawnerCommands, name: &str, words: &str, ink: Rgb) {
    facts.group(row(8.0).align(AlignItems::Start), |row| {
        let place = rigid(Node::default().min_width(px(62)));
        row.spawn((place, children![faded(name)]));
        row.spawn((text(words, TextStyle::Strong, ink), fill_width(default())));
    });
}

/// The enemies: picture and number of each kind.
fn enemies(
    facts: &mut ChildSpawnerCommands,
    branch: &Branch,
    level: Option<&Arc<Level>>,
    icons: &mut SmallPictures,
) {
    let units = level.map_or(vec![], |level| UnitView::all_of(level, rulesets::ALL[0]));
    facts.group(wrapping_row(10.0, 3.0), |list| {
        for (kind, number) in &branch.way.members {
            let found = units.iter().find(|p| p.kind == *kind && p.side != Side(0));
            list.group(row(4.0), |one| {
                if let Some(unit) = found {
                    let chip = Chip {
                        label: None,
                        ..tokens::chip(unit, false)
                    };
                    one.spawn(icons.square(SmallPicture::Chip(chip), 24.0));
                }
                one.spawn(body_text(format!("{number} × {}", kind.replace('_', " "))));
            });
        }
    });
}

/// One line of advice: a unit in danger, or how to deal with the aim or the enemies.
fn advice(branch: &Branch, level: Option<&Arc<Level>>, state: &RunState) -> String {
    let hurt = state.squad.iter().filter(|m| !m.wounds.is_empty());
    let worst = hurt.max_by_key(|m| m.wounds.len());
    if let Some(member) = worst.filter(|m| m.wounds.len() > 1) {
        let words = count_of(member.wounds.len(), "wound");
        return format!("{} has {words}: keep back.", member.name());
    }
    if let Some(name) = level.and_then(|level| leader(level)) {
        let name = capitalised(name);
        return format!("You lose if {name} falls: keep the unit back.");
    }
    if branch.way.aim == Aim::Hold.name() {
        return String::from("Stand in the middle, with no enemy there, at the end of rounds.");
    }
    let shoots = |creature: &Creature| {
        let first = creature.weapons.first();
        first.is_some_and(|weapon| weapon.ranged.is_some() && weapon.melee.is_none())
    };
    let enemies = level.map_or(&[][..], |level| &level.combatants);
    let enemies = enemies.iter().filter(|c| c.side.0 != 0);
    let shooters = enemies.filter(|c| shoots(&c.creature)).count();
    match shooters {
        0 => String::from("None of them shoots: hold a narrow place."),
        1 => String::from("One of them shoots: stay in cover."),
        n => format!("{n} of them shoot: stay in cover."),
    }
}

/// The player's unit whose defeat is the enemies' objective, if it is a single unit.
fn leader(level: &Level) -> Option<&str> {
    let theirs = level.objectives.iter().filter(|o| o.side.0 == 1);
    let wanted = theirs.filter_map(|objective| match &objective.goal {
        Goal::Defeat(who) if who.len() == 1 => level.combatants.get(usize::from(who[0].0)),
        _ => None,
    });
    let mut names = wanted.map(|unit| unit.name.as_str());
    names.next()
}
