//! The page of reactions that are settled beforehand.

use super::rule_link;
use crate::{
    battle::{Ruleset, Verb, capitalised},
    rulesets,
    ui::{
        art::{hud::Panel, palette},
        habits::{Habit, Habits, Settles, kinds, ways},
        theme::{Cut, text},
        widgets::{button, row, rule, spring},
    },
};
use bevy::prelude::*;

pub(super) fn show(page: &mut ChildSpawnerCommands, habits: &Habits) {
    page.spawn(text("Your reactions", Cut::Heading, palette::INK));
    page.spawn(rule());
    let words = "What is done for you when one of your people can react. Of several \
        ways the likeliest is taken. Whatever is done so is told in the log.";
    page.spawn(text(words, Cut::Body, palette::INK));
    for rules in rulesets::ALL {
        page.spawn(rule());
        page.spawn(text(rules.id, Cut::Strong, palette::INK));
        for verb in kinds(rules) {
            line(page, rules, verb, habits.of(rules, verb));
        }
    }
}

fn line(page: &mut ChildSpawnerCommands, rules: &'static Ruleset, verb: &'static Verb, now: Habit) {
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(4),
        ..row(8.0)
    };
    page.spawn(node).with_children(|line| {
        line.spawn(text(capitalised(verb.name), Cut::Body, palette::INK));
        rule_link(line, verb.rule);
        line.spawn(spring());
        for &habit in ways(verb) {
            let panel = match habit == now {
                true => Panel::ButtonPrimary,
                false => Panel::Button,
            };
            let node = Node {
                padding: UiRect::axes(px(10), px(3)),
                ..default()
            };
            let settles = Settles { rules, verb, habit };
            line.spawn((button(panel, node), settles))
                .with_children(|button| {
                    button.spawn(text(habit.name(), Cut::Label, panel.text()));
                });
        }
    });
}
