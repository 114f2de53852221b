//! The squad: levels, wounds, finds, and what can be done for each unit.

use super::{small, tip};
use crate::{
    battle::capitalised,
    content::Creature,
    road::{Member, State, squad},
    ui::{
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        hud::Signs,
        likeness,
        pictures::Sign,
        screens::road::{Road, RoadButton as B},
        theme::{self, Cut, text},
        widgets::{bar, card, column, face, picture, row, spring},
    },
};
use bevy::prelude::*;
use std::sync::Arc;

/// Lines of text that the tallest card needs, in the width of the page.
pub(super) fn lines(state: &State, wide: f32, scale: f32) -> f32 {
    let each = wide / state.squad.len().max(3) as f32 - PORTRAIT - 50.0;
    let fits = (each / (6.6 * scale)).max(10.0);
    let wrapped = |words: &str| (words.chars().count() as f32 / fits).ceil();
    let of = |member: &Member| {
        let buttons = match member.choices_left() > 0 && state.end.is_none() {
            true => member
                .choices()
                .iter()
                .map(|gain| wrapped(&gain.name()).max(0.5))
                .sum(),
            false => wrapped(&found(member)),
        };
        let bandage = if can_heal(state, member) { 1.4 } else { 0.0 };
        wrapped(&wounds(member)).max(1.0) + buttons * 1.4 + bandage
    };
    4.0 + state.squad.iter().map(of).fold(0.0, f32::max)
}

const PORTRAIT: f32 = 56.0;

/// The cards of all units, beside each other.
pub(super) fn cards(
    page: &mut ChildSpawnerCommands,
    road: &Road,
    state: &State,
    signs: &mut Signs,
) {
    let made = squad::made(&state.squad, state.settings.rules);
    let unhurt: Vec<Member> = state.squad.iter().cloned().map(healed).collect();
    let unhurt = squad::made(&unhurt, state.settings.rules);
    let node = Node {
        flex_shrink: 0.0,
        column_gap: px(10),
        padding: UiRect::axes(px(12), px(8)),
        flex_direction: FlexDirection::Row,
        ..card()
    };
    page.spawn((node, face(Panel::Card))).with_children(|all| {
        if state.squad.is_empty() {
            all.spawn(text("Nobody is left.", Cut::Body, palette::INK));
        }
        let both = made.iter().zip(&unhurt);
        for (n, (member, both)) in state.squad.iter().zip(both).enumerate() {
            member_card(all, (road, state), (n, member), both, signs);
        }
    });
}

fn healed(mut member: Member) -> Member {
    member.wounds.clear();
    member
}

fn can_heal(state: &State, member: &Member) -> bool {
    !member.wounds.is_empty() && state.bandages > 0 && state.end.is_none()
}

fn member_card(
    all: &mut ChildSpawnerCommands,
    (road, state): (&Road, &State),
    (n, member): (usize, &Member),
    (creature, unhurt): (&Arc<Creature>, &Arc<Creature>),
    signs: &mut Signs,
) {
    let node = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        max_width: px(340),
        column_gap: px(10),
        padding: UiRect::axes(px(10), px(7)),
        flex_direction: FlexDirection::Row,
        ..card()
    };
    let edge = match member.wounds.len() {
        0 | 1 => palette::INK,
        _ => palette::DANGER,
    };
    let mut spawned = all.spawn((node, face(Panel::CardLight)));
    spawned.insert(BorderColor::all(theme::colour(edge)));
    spawned.with_children(|member_card| {
        let sign = Sign::Portrait(likeness::of(creature), false);
        member_card.spawn(picture(signs.get(sign, PORTRAIT), PORTRAIT));
        let node = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            min_width: px(0),
            ..column(2.0)
        };
        member_card
            .spawn((node, Pickable::IGNORE))
            .with_children(|lines| {
                lines
                    .spawn((row(6.0), Pickable::IGNORE))
                    .with_children(|head| {
                        head.spawn(text(member.name(), Cut::Strong, palette::INK));
                        head.spawn(spring());
                        let level = format!("Level {}", member.level);
                        head.spawn(text(level, Cut::Small, palette::OAK_DARK));
                    });
                let title = capitalised(&creature.title);
                lines.spawn(text(title, Cut::Small, palette::FADED_INK));
                let points = state.settings.rules.hit_points;
                let (now, most) = (points(creature), points(unhurt));
                let ink = if now < most {
                    palette::DANGER
                } else {
                    palette::TEAL
                };
                let words = match now < most {
                    true => format!("{now} of {most} hit points"),
                    false => format!("{now} hit points"),
                };
                measure(lines, now as f32 / most.max(1) as f32, ink, &words);
                let words = format!("{}% to level {}", member.progress, member.level + 1);
                measure(
                    lines,
                    f32::from(member.progress) / 100.0,
                    palette::GOLD,
                    &words,
                );
                match member.wounds.is_empty() {
                    true => lines.spawn(text("No wounds", Cut::Small, palette::TEAL)),
                    false => lines.spawn(text(wounds(member), Cut::Small, palette::DANGER)),
                };
                let learns = member.choices_left() > 0 && state.end.is_none();
                let carried = found(member);
                if !carried.is_empty() && !learns {
                    lines.spawn(text(carried, Cut::Small, palette::INK));
                }
                let node = Node {
                    flex_wrap: FlexWrap::Wrap,
                    row_gap: px(3),
                    ..row(5.0)
                };
                lines.spawn((node, Pickable::IGNORE)).with_children(|acts| {
                    if can_heal(state, member) {
                        let about = tip("Use a bandage: heals the first wound");
                        small(acts, road, "Bandage", B::Bandage(n), Panel::Button, about);
                    }
                    let choices = member.choices();
                    for (nth, gain) in choices.iter().enumerate().filter(|_| learns) {
                        let words = gain.name();
                        let about = format!(
                            "Level {}: choose one of these for {}",
                            member.level,
                            member.name()
                        );
                        let what = B::Learn(n, nth);
                        small(acts, road, &words, what, Panel::CardActive, tip(about));
                    }
                });
            });
    });
}

/// A bar with what it stands for.
fn measure(lines: &mut ChildSpawnerCommands, share: f32, ink: Rgb, words: &str) {
    lines
        .spawn((row(6.0), Pickable::IGNORE))
        .with_children(|line| {
            let node = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_width: px(0),
                ..column(0.0)
            };
            line.spawn((node, Pickable::IGNORE)).with_children(|place| {
                place.spawn(bar(share, ink, 8.0));
            });
            let words = text(words, Cut::Small, palette::FADED_INK);
            line.spawn((words, TextLayout::no_wrap()));
        });
}

/// "Torn side: a fifth of the hit points".
fn wounds(member: &Member) -> String {
    let one = |wound: &crate::road::Wound| format!("{}: {}", wound.name(), wound.cost());
    let all: Vec<String> = member.wounds.iter().map(one).collect();
    capitalised(&all.join("; "))
}

/// What a unit has found and learnt.
fn found(member: &Member) -> String {
    let fine = |bonus: i32, name: fn(&Member, i32) -> Option<String>| {
        (bonus > 0).then(|| name(member, bonus)).flatten()
    };
    let weapon = fine(member.weapon, Member::weapon_name);
    let armour = fine(member.armour, Member::armour_name);
    let gains = member.gains.iter().chain(&member.found);
    let gains = gains.map(crate::road::Gain::name);
    let all: Vec<String> = weapon.into_iter().chain(armour).chain(gains).collect();
    all.join(", ")
}
