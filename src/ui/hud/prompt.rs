//! What the player is asked out of turn: the odds, and a button for each
//! answer.

use super::Told;
use crate::{
    battle::{PASS, Rule, capitalised},
    ui::{
        Session,
        art::{hud::Panel, palette},
        pick::Command,
        screens::battle::PromptPlace,
        theme::{Cut, text},
        widgets::{Sends, card, column, face, row, rule, spring, word_button},
    },
};
use bevy::prelude::*;

#[derive(PartialEq)]
pub struct Model {
    prompt: String,
    rule: Rule,
    answers: Vec<Answer>,
}

#[derive(PartialEq)]
struct Answer {
    label: String,
    /// What it would be, a line each.
    lines: Vec<String>,
    percent: Option<u32>,
    is_pass: bool,
}

pub(super) fn refresh(
    mut session: ResMut<Session>,
    place: Single<(Entity, &mut Told<Option<Model>>), With<PromptPlace>>,
    mut commands: Commands,
) {
    let (entity, mut told) = place.into_inner();
    let now = model(session.bypass_change_detection());
    if !told.is_news(now) {
        return;
    }
    let mut place = commands.entity(entity);
    place.despawn_children();
    let Some(Some(model)) = &told.0 else { return };
    place.with_children(|place| {
        let node = Node {
            width: px(400),
            ..card()
        };
        place
            .spawn((node, face(Panel::CardActive)))
            .with_children(|card| show(card, model));
    });
}

fn model(session: &mut Session) -> Option<Model> {
    let asked = session.question().filter(|q| q.reaction)?;
    let (who, prompt, rule) = (*asked.actors.first()?, asked.prompt.clone(), asked.rule);
    let offers = session.offers_of(who);
    let mut answers = vec![];
    for offer in offers.iter().filter(|o| o.is_legal()) {
        let choice = &offer.choice;
        let is_pass = choice.verb == &PASS;
        let mut lines = session.reaction(choice);
        let mut percent = None;
        let mut label = capitalised(choice.verb.name);
        if let Some(Ok(blow)) = session.blow(choice) {
            label = format!("Strike, {}", blow.weapon);
            percent = Some(blow.percent);
            lines.push(format!("{}; {}", blow.needs, blow.damage));
            lines.push(format!("{}% to drop", blow.drop_percent));
        }
        if is_pass {
            label = String::from("Let it pass");
        }
        answers.push(Answer {
            label,
            lines,
            percent,
            is_pass,
        });
    }
    Some(Model {
        prompt,
        rule,
        answers,
    })
}

fn show(card: &mut ChildSpawnerCommands, model: &Model) {
    card.spawn(Node {
        align_items: AlignItems::Baseline,
        ..row(8.0)
    })
    .with_children(|top| {
        top.spawn((Node {
            flex_shrink: 1.0,
            ..default()
        },))
            .with_children(|words| {
                words.spawn(text(model.prompt.clone(), Cut::Heading, palette::INK));
            });
        top.spawn(spring());
        top.spawn(text(model.rule, Cut::Small, palette::LINK));
    });
    card.spawn(rule());
    for answer in model.answers.iter().filter(|a| !a.lines.is_empty()) {
        card.spawn(row(8.0)).with_children(|line| {
            line.spawn(Node {
                flex_grow: 1.0,
                flex_shrink: 1.0,
                ..column(2.0)
            })
            .with_children(|words| {
                if model.answers.len() > 2 {
                    words.spawn(text(answer.label.clone(), Cut::Strong, palette::INK));
                }
                for words_of in &answer.lines {
                    words.spawn(text(words_of.clone(), Cut::Body, palette::INK));
                }
            });
            if let Some(percent) = answer.percent {
                line.spawn(text(format!("{percent}%"), Cut::Big, palette::TEAL));
            }
        });
    }
    let buttons = Node {
        margin: UiRect::top(px(12)),
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(8),
        ..row(8.0)
    };
    card.spawn(buttons).with_children(|buttons| {
        for (n, answer) in model.answers.iter().enumerate() {
            let panel = if answer.is_pass {
                Panel::Button
            } else {
                Panel::ButtonPrimary
            };
            let key = match (n, answer.is_pass) {
                (_, true) => "Esc",
                (0, _) => "Enter",
                (1, _) => "2",
                _ => "3",
            };
            let words = format!("{} ({key})", answer.label);
            buttons.spawn((word_button(&words, panel), Sends(Command::Reply(n))));
        }
    });
}
