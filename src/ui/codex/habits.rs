//! The page of reactions that are settled beforehand.

use super::rule_link;
use crate::{
    battle::{Ruleset, Verb, capitalised, chances::EVERY_CHANCE},
    rulesets,
    ui::{
        art::{hud::Panel, palette},
        habits::{Habit, Habits, Settles, kinds, wants_chances, ways},
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
            let now = habits.of(rules, verb);
            let habits: Vec<_> = ways(verb).iter().map(|&h| (h, h.name())).collect();
            line(page, rules, verb, capitalised(verb.name), now, &habits);
        }
        if rules.chances {
            let now = match wants_chances(habits, rules) {
                true => Habit::Always,
                false => Habit::Ask,
            };
            let habits = [(Habit::Ask, "Skip"), (Habit::Always, "Ask")];
            let words = String::from("Every step and act of others");
            line(page, rules, &EVERY_CHANCE, words, now, &habits);
        }
    }
}

/// A line: what is settled, its rule, and a button for each way.
fn line(
    page: &mut ChildSpawnerCommands,
    rules: &'static Ruleset,
    verb: &'static Verb,
    words: String,
    now: Habit,
    habits: &[(Habit, &str)],
) {
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(4),
        ..row(8.0)
    };
    page.spawn(node).with_children(|line| {
        line.spawn(text(words, Cut::Body, palette::INK));
        rule_link(line, verb.rule);
        line.spawn(spring());
        for &(habit, name) in habits {
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
                    button.spawn(text(name, Cut::Label, panel.text()));
                });
        }
    });
}
