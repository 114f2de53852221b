//! Rule ids that open their codex entries, anywhere on the screen.

use super::CodexCommand;
use crate::{
    content::codex::{Codex, TextPart},
    ui::{
        art::palette::{self, Rgb},
        theme::{TextStyle, colour, span, text},
    },
};
use bevy::{
    picking::events::{Click, Out, Over, Press, Release},
    prelude::*,
};
use std::fmt::Debug;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(click)
        .add_observer(stop::<Press>)
        .add_observer(stop::<Release>)
        .add_observer(tint::<Over>(palette::DANGER))
        .add_observer(tint::<Out>(palette::LINK));
}

/// Opens the codex entry of a rule when clicked.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opens(pub &'static str);

/// The rule that the codex key opens while the pointer is on the node.
#[derive(Component, Clone, Copy, Debug)]
pub struct RuleOf(pub &'static str);

/// A rule id as a link; nothing if the rule has no entry.
pub fn rule_link(parent: &mut ChildSpawnerCommands, id: &str) {
    if let Some(rule) = Codex::built_in().rule(id) {
        let words = text(rule.id.clone(), TextStyle::Small, palette::LINK);
        let mut line = parent.spawn(words);
        line.insert((Opens(&rule.id), Pickable::default()));
    }
}

/// A paragraph in which every rule id is a link.
pub fn prose(parent: &mut ChildSpawnerCommands, words: &str, cut: TextStyle, ink: Rgb) {
    let mut paragraph = parent.spawn(text("", cut, ink));
    paragraph.with_children(|line| {
        for part in Codex::built_in().parts(words) {
            match part {
                TextPart::Words(words) => {
                    line.spawn((span(String::from(words), cut, ink), Pickable::IGNORE));
                }
                TextPart::Rule(rule) => {
                    let words = span(rule.id.clone(), cut, palette::LINK);
                    line.spawn((words, Opens(rule.id.as_str()), Pickable::default()));
                }
            }
        }
    });
}

fn click(mut on: On<Pointer<Click>>, links: Query<&Opens>, mut out: MessageWriter<CodexCommand>) {
    if let Ok(Opens(id)) = links.get(on.entity) {
        on.propagate(false);
        out.write(CodexCommand::Open(Some(id)));
    }
}

/// The click must not reach a button or the board under the link.
fn stop<E: Clone + Debug + Reflect>(mut on: On<Pointer<E>>, links: Query<(), With<Opens>>) {
    if links.contains(on.entity) {
        on.propagate(false);
    }
}

fn tint<E: Clone + Debug + Reflect>(
    ink: Rgb,
) -> impl Fn(On<Pointer<E>>, Query<&mut TextColor, With<Opens>>) {
    move |on, mut links| {
        if let Ok(mut link) = links.get_mut(on.entity) {
            link.0 = colour(ink);
        }
    }
}
