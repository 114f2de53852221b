//! The codex page for automatic reactions.

use super::rule_link;
use crate::{
    battle::{Action, Ruleset, capitalised, chances::EVERY_CHANCE},
    rulesets,
    ui::{
        auto_reactions::{SetAutoReaction, is_prompted_at_chances},
        profile::{AutoReaction, AutoReactions, kinds, settings_of},
        theme::{body_text, heading_text, strong_text},
        widgets::{NodeExt, SpawnWith, rule, spacer, wrapping_row},
    },
};
use bevy::prelude::*;

pub(super) fn show(page: &mut ChildSpawnerCommands, auto_reactions: &AutoReactions) {
    page.spawn(heading_text("Your reactions"));
    page.spawn(rule());
    page.spawn(body_text("What all your units do when they can react. Ask when it helps: you are asked if it is likely to change the result. A prompt sets it for one unit. If there are several ways, the one most likely to work is used. The log shows every automatic reaction."));
    for rules in rulesets::ALL {
        page.spawn(rule());
        page.spawn(strong_text(rules.id));
        for verb in kinds(rules) {
            let now = auto_reactions.of(rules, verb);
            let all = settings_of(rules, verb).iter().map(|&h| (h, h.name()));
            let words = capitalised(verb.name);
            line(page, (rules, verb), words, now, &Vec::from_iter(all));
        }
        if rules.chances {
            let now = match is_prompted_at_chances(auto_reactions, rules) {
                true => AutoReaction::Always,
                false => AutoReaction::Ask,
            };
            let all = [(AutoReaction::Ask, "Skip"), (AutoReaction::Always, "Ask")];
            let words = String::from("Every step and action of others");
            line(page, (rules, &EVERY_CHANCE), words, now, &all);
        }
    }
}

/// One setting: its name, its rule, and a button for each choice.
fn line(
    page: &mut ChildSpawnerCommands,
    (rules, verb): (&'static Ruleset, &'static Action),
    words: String,
    now: AutoReaction,
    auto_reactions: &[(AutoReaction, &str)],
) {
    page.spawn_with(wrapping_row(8.0, 4.0), |line| {
        line.spawn(body_text(words));
        rule_link(line, verb.rule);
        line.spawn(spacer());
        for &(auto_reaction, name) in auto_reactions {
            let node = Node::default().padding(10.0, 3.0);
            let set_reaction = SetAutoReaction {
                rules,
                verb,
                auto_reaction,
                unit: None,
            };
            set_reaction.spawn(line, now, node, name);
        }
    });
}
