//! The squad: a card for each unit with level, wounds, finds and the available acts.

use super::small;
use crate::{
    battle::capitalised,
    content::Creature,
    road::{Gain, Member, RunState, Wound, squad},
    ui::{
        art::{hud::Panel, palette},
        hud::SmallPictures,
        pictures::SmallPicture,
        portraits,
        screens::road::{Road, RoadButton as B},
        theme::{self, TextStyle, body_text, faded, one_line, strong_text, text},
        widgets::{
            NodeExt, SpawnWith, Tip, bar, card, fill_width, panel_style, progress_bar, rigid, row,
            spacer, wide_column, wrapping_row,
        },
    },
};
use bevy::prelude::*;
use std::sync::Arc;

/// The width of a unit's card, if the whole squad has the width `wide`.
fn each(state: &RunState, wide: f32) -> f32 {
    (wide - 30.0) / state.squad.len().clamp(4, squad::MAX) as f32 - 10.0
}

/// Cards narrower than this show less; in layout pixels at the standard text size.
const NARROW: f32 = 215.0;

fn portrait(each: f32) -> f32 {
    if each < NARROW { 42.0 } else { 56.0 }
}

/// Lines of text on the tallest card, if the whole squad has the width `wide`.
pub(super) fn lines(state: &RunState, wide: f32, scale: f32) -> f32 {
    let each = each(state, wide);
    let fits = ((each - portrait(each) - 36.0) / (6.3 * scale)).max(10.0);
    let wrapped = |words: &str| (words.chars().count() as f32 / fits).ceil();
    let of = |member: &Member| {
        let learns = member.choices_left() > 0 && state.end.is_none();
        let more = match learns {
            true => {
                let words = |gain: &Gain| gain.name().chars().count() as f32 + 4.0;
                let all: f32 = member.choices().iter().map(words).sum();
                (all / fits).ceil() * 1.7
            }
            false => wrapped(&found(member)),
        };
        let bandage = if can_heal(state, member) { 1.7 } else { 0.0 };
        wrapped(&wounds(member)).max(1.0) + more + bandage
    };
    // Space for wounds and a bandage is kept, so that the page stays as it is when they heal.
    let least = if state.end.is_none() { 3.7 } else { 0.0 };
    4.0 + state.squad.iter().map(of).fold(least, f32::max)
}

/// Spawns the cards of all units, side by side.
pub(super) fn cards(
    page: &mut ChildSpawnerCommands,
    (road, state): (&Road, &RunState),
    (wide, scale): (f32, f32),
    icons: &mut SmallPictures,
) {
    let each = each(state, wide) / scale;
    let made = squad::made(&state.squad, state.settings.rules);
    let mut unhurt = state.squad.clone();
    unhurt.iter_mut().for_each(|member| member.wounds.clear());
    let unhurt = squad::made(&unhurt, state.settings.rules);
    let node = rigid(card().in_row(10.0).padding(12.0, 8.0));
    page.spawn_with((node, panel_style(Panel::Card)), |all| {
        if state.squad.is_empty() {
            all.spawn(body_text("Nobody is left."));
        }
        let both = made.iter().zip(&unhurt);
        for (n, (member, both)) in state.squad.iter().zip(both).enumerate() {
            member_card(all, (road, state), (n, member, each), both, icons);
        }
    });
}

fn can_heal(state: &RunState, member: &Member) -> bool {
    !member.wounds.is_empty() && state.bandages > 0 && state.end.is_none()
}

fn member_card(
    all: &mut ChildSpawnerCommands,
    (road, state): (&Road, &RunState),
    (n, member, each): (usize, &Member, f32),
    (creature, unhurt): (&Arc<Creature>, &Arc<Creature>),
    icons: &mut SmallPictures,
) {
    let node = fill_width(card())
        .in_row(8.0)
        .max_width(px(400))
        .padding(8.0, 6.0);
    let edge = match member.wounds.len() {
        0 | 1 => palette::INK,
        _ => palette::DANGER,
    };
    let mut spawned = all.spawn((node, panel_style(Panel::CardLight)));
    spawned.insert(BorderColor::all(theme::colour(edge)));
    spawned.with_children(|member_card| {
        let size = portrait(each);
        member_card
            .spawn(icons.square(SmallPicture::Portrait(portraits::of(creature), false), size));
        member_card.group(wide_column(2.0), |lines| {
            lines.group(row(6.0), |head| {
                head.spawn(strong_text(member.name()));
                head.spawn(spacer());
                let level = format!("Level {}", member.level);
                head.spawn(one_line(level, TextStyle::Small, palette::OAK_DARK));
            });
            lines.spawn(faded(capitalised(&creature.title)));
            let points = state.settings.rules.hit_points;
            let (now, most) = (points(creature), points(unhurt));
            let name = state.settings.rules.hit_points_name;
            let ink = if now < most {
                palette::DANGER
            } else {
                palette::TEAL
            };
            let words = match now < most {
                true => format!("{now} of {most} {name}"),
                false => format!("{now} {name}"),
            };
            let share = now as f32 / most.max(1) as f32;
            measure(lines, bar(share, ink, 8.0), &words);
            let words = match each < NARROW {
                true => format!("{}%", member.progress),
                false => format!("{}% to level {}", member.progress, member.level + 1),
            };
            let progress = f32::from(member.progress) / 100.0;
            measure(lines, progress_bar(progress, palette::GOLD, 8.0), &words);
            match member.wounds.is_empty() {
                true => lines.spawn(text("No wounds", TextStyle::Small, palette::TEAL)),
                false => lines.spawn(text(wounds(member), TextStyle::Small, palette::DANGER)),
            };
            let learns = member.choices_left() > 0 && state.end.is_none();
            let carried = found(member);
            if !carried.is_empty() && !learns {
                lines.spawn(text(carried, TextStyle::Small, palette::INK));
            }
            lines.group(wrapping_row(5.0, 3.0), |acts| {
                if can_heal(state, member) {
                    let about = Tip::text("Use a bandage: heals the first wound");
                    small(acts, road, "Bandage", B::Bandage(n), Panel::Button, about);
                }
                let choices = member.choices();
                for (nth, gain) in choices.iter().enumerate().filter(|_| learns) {
                    let words = gain.name();
                    let about = Tip::text(format!(
                        "Level {}: choose one of these for {}",
                        member.level,
                        member.name()
                    ));
                    let what = B::Learn(n, nth);
                    small(acts, road, &words, what, Panel::CardActive, about);
                }
            });
        });
    });
}

/// A bar with its label.
fn measure(lines: &mut ChildSpawnerCommands, bar: impl Bundle, words: &str) {
    lines.group(row(6.0), |line| {
        line.group(wide_column(0.0), |place| {
            place.spawn(bar);
        });
        line.spawn((faded(words), TextLayout::no_wrap()));
    });
}

/// The unit's wounds and their effects: "Torn side: a fifth of the hit points".
fn wounds(member: &Member) -> String {
    let one = |wound: &Wound| format!("{}: {}", wound.name(), wound.cost());
    let all: Vec<String> = member.wounds.iter().map(one).collect();
    capitalised(&all.join("; "))
}

/// The items and spells that a unit has found, and what it has learnt.
fn found(member: &Member) -> String {
    let fine = |bonus: i32, name: fn(&Member, i32) -> Option<String>| {
        (bonus > 0).then(|| name(member, bonus)).flatten()
    };
    let weapon = fine(member.weapon, Member::weapon_name);
    let armour = fine(member.armour, Member::armour_name);
    let gains = member.gains.iter().chain(&member.found);
    let gains = gains.map(Gain::name);
    let all: Vec<String> = weapon.into_iter().chain(armour).chain(gains).collect();
    all.join(", ")
}
