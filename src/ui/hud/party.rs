//! The player's side as cards.

use super::{Signs, Told, top::Looks};
use crate::{
    battle::State,
    ui::{
        Pick, Session,
        art::{hud::Panel, hud::Pip, palette, tokens::Condition},
        pick::Command,
        pictures::Sign,
        shown::Person,
        theme::{Cut, text},
        tokens,
        widgets::{Sends, Tip, bar, button, column, picture, row, spring},
    },
};
use bevy::prelude::*;

/// The row of party cards.
#[derive(Component, Default)]
#[require(Told<Vec<Model>>)]
pub struct PartyRow;

#[derive(PartialEq, Clone)]
pub struct Model {
    person: Person,
    is_chosen: bool,
    place: usize,
}

pub(super) fn refresh(
    session: Res<Session>,
    pick: Res<Pick>,
    cards: Single<(Entity, &mut Told<Vec<Model>>), With<PartyRow>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told) = cards.into_inner();
    let own = session
        .shown()
        .members(session.player())
        .filter(|p| p.state != State::Waiting);
    let mut place = 0;
    let now: Vec<Model> = own
        .map(|p| {
            place += usize::from(p.is_up());
            let is_chosen = pick.chosen == Some(p.id) && p.is_up();
            Model {
                person: p.clone(),
                is_chosen,
                place,
            }
        })
        .collect();
    if !told.is_news(now) {
        return;
    }
    let Some(models) = &told.0 else { return };
    // Four cards and the acts just fit the narrowest window; more share the room.
    let width = (532.0 / models.len().max(1) as f32 - 8.0).clamp(84.0, 126.0);
    commands
        .entity(entity)
        .despawn_children()
        .with_children(|cards| {
            for model in models {
                card(cards, &mut signs, model, width);
            }
        });
}

fn card(cards: &mut ChildSpawnerCommands, signs: &mut Signs, model: &Model, width: f32) {
    let Model {
        person,
        is_chosen,
        place,
    } = model;
    let panel = match (is_chosen, person.is_up()) {
        (true, _) => Panel::CardActive,
        (_, true) => Panel::Card,
        _ => Panel::CardPale,
    };
    let ink = if person.is_up() {
        palette::INK
    } else {
        palette::PALE_INK
    };
    let node = Node {
        width: px(width),
        height: px(96),
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(8), px(6)),
        ..default()
    };
    let node = (
        button(panel, node),
        Sends(Command::Choose(person.id)),
        Looks(person.id),
    );
    let tip = tip(person, *place);
    cards.spawn((node, tip)).with_children(|card| {
        let top = Node {
            width: percent(100),
            ..row(8.0)
        };
        card.spawn((top, Pickable::IGNORE)).with_children(|top| {
            let chip = tokens::chip(person, person.done);
            top.spawn(picture(signs.get(Sign::Chip(chip), 30.0), 30.0));
            top.spawn((column(0.0), Pickable::IGNORE))
                .with_children(|names| {
                    names.spawn(text(person.name.clone(), Cut::Strong, ink));
                    names.spawn(text(person.title.clone(), Cut::Small, palette::FADED_INK));
                });
        });
        let share = person.hp as f32 / person.max_hp.max(1) as f32;
        let fill = if share > 0.5 {
            palette::HEALTH
        } else {
            palette::HEALTH_ENEMY
        };
        card.spawn((
            Node {
                width: percent(100),
                margin: UiRect::top(px(4)),
                ..row(6.0)
            },
            Pickable::IGNORE,
        ))
        .with_children(|line| {
            line.spawn((
                Node {
                    flex_grow: 1.0,
                    ..column(0.0)
                },
                Pickable::IGNORE,
            ))
            .with_children(|grow| {
                grow.spawn(bar(share, fill, 9.0));
            });
            line.spawn(text(
                format!("{}/{}", person.hp, person.max_hp),
                Cut::Small,
                ink,
            ));
        });
        card.spawn((
            Node {
                width: percent(100),
                flex_grow: 1.0,
                ..row(4.0)
            },
            Pickable::IGNORE,
        ))
        .with_children(|foot| foot_line(foot, signs, person, width >= 120.0));
    });
}

/// The actions that are left, or why there are none, and what is the matter.
fn foot_line(foot: &mut ChildSpawnerCommands, signs: &mut Signs, person: &Person, is_wide: bool) {
    if !person.is_up() {
        let words = match person.state {
            State::Fled => "left the field",
            State::Dead => "dead",
            _ if person.conditions.contains(&Condition::Bleeding) => "dying",
            _ => "down",
        };
        foot.spawn(text(words, Cut::Small, palette::DANGER));
        return;
    }
    for &(pip, spent) in &person.pips {
        let word = match pip {
            Pip::Main => "Main",
            Pip::Move => "Move",
        };
        let ink = if spent {
            palette::PALE_INK
        } else {
            palette::INK
        };
        foot.spawn(picture(signs.get(Sign::Pip(pip, spent), 11.0), 11.0));
        // On a narrow card, or with badges beside them, pips go without words.
        if is_wide && person.conditions.is_empty() {
            foot.spawn(text(word, Cut::Small, ink));
        }
    }
    foot.spawn(spring());
    for &condition in person.conditions.iter().take(3) {
        foot.spawn(picture(signs.get(Sign::Badge(condition), 16.0), 16.0));
    }
}

fn tip(person: &Person, place: usize) -> Tip {
    if !person.is_up() {
        return Tip::default();
    }
    let key = format!("{}: take in hand ({place}, or Tab)", person.name);
    let left: Vec<&str> = person
        .pips
        .iter()
        .filter(|p| !p.1)
        .map(|p| if p.0 == Pip::Main { "Main" } else { "Move" })
        .collect();
    let left = if left.is_empty() {
        String::from("Nothing left")
    } else {
        format!("Left: {}", left.join(", "))
    };
    let tip =
        Tip::default()
            .line(key, Cut::Small, palette::INK)
            .line(left, Cut::Small, palette::INK);
    let words = person.conditions.iter().map(|c| condition_words(*c));
    words.fold(tip, |tip, words| {
        tip.line(words, Cut::Small, palette::FADED_INK)
    })
}

/// What a badge means.
pub fn condition_words(condition: Condition) -> &'static str {
    match condition {
        Condition::Prone => "Prone",
        Condition::TotalDefense => "Total defense: AC +2, no Shock",
        Condition::Disengaged => "Disengaged: may leave without being struck at",
        Condition::Charging => "Charged: AC −2 this round",
        Condition::Bleeding => "Mortally injured",
        Condition::Stunned => "Stunned",
        Condition::Held => "Held",
        Condition::Grappled => "Grappled",
        Condition::Surprised => "Surprised",
        Condition::Screening => "Screens a comrade",
        Condition::Fleeing => "Flees",
        Condition::Unseen => "Unseen",
    }
}
