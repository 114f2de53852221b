//! What the game remembers about its player between runs, besides the settings:
//! automatic reactions, completed lessons and explanations that were read.

use super::{
    home::{self, Home},
    ruleset_ui,
};
use crate::battle::{Action, Ruleset};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The name of the file in [`Home::data`].
const FILE: &str = "profile.ron";

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home
        .and_then(|home| home.data.as_ref())
        .map(|data| data.join(FILE));
    let kept = path.as_deref().map(home::read_or_set_aside::<Profile>);
    let (profile, message) = kept.unwrap_or_default();
    message.inspect(|message| warn!("{message}"));
    app.insert_resource(profile);
    if let Some(path) = path {
        app.add_systems(
            Last,
            (move |profile: Res<Profile>| keep(&path, &profile))
                .run_if(resource_changed::<Profile>.and_then(not(resource_added::<Profile>))),
        );
    }
}

fn keep(path: &Path, profile: &Profile) {
    let comment = "What Fivefoot's player has settled and learnt.";
    if let Err(e) = home::write_ron(path, comment, profile) {
        warn!("can't save the player profile: {e}");
    }
}

/// What to do when a reaction of one kind is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum AutoReaction {
    /// Ask whenever it is legal.
    Ask,
    /// Ask if the reaction would change what is happening.
    #[default]
    Helps,
    Always,
    Never,
}

impl AutoReaction {
    pub const ALL: [Self; 4] = [Self::Ask, Self::Helps, Self::Always, Self::Never];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "Ask",
            Self::Helps => "Ask when it helps",
            Self::Always => "Always",
            Self::Never => "Never",
        }
    }

    /// What it does.
    pub fn about(self) -> &'static str {
        match self {
            Self::Ask => "You are asked every time",
            Self::Helps => "You are asked if the reaction is likely to change something",
            Self::Always => "The unit reacts every time, and you are not asked",
            Self::Never => "The unit does not react, and you are not asked",
        }
    }
}

/// Automatic reactions by ruleset and verb, as far as they differ from the default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AutoReactions(BTreeMap<String, AutoReaction>);

impl AutoReactions {
    pub fn of(&self, rules: &Ruleset, verb: &'static Action) -> AutoReaction {
        let set = self.0.get(&key(rules, verb)).copied();
        set.unwrap_or_else(|| usual(rules, verb))
    }

    /// The setting for a unit, by its name, or else the one for all units.
    pub fn of_unit(
        &self,
        rules: &Ruleset,
        verb: &'static Action,
        unit: Option<&str>,
    ) -> AutoReaction {
        let own = unit.and_then(|unit| self.0.get(&unit_key(rules, verb, unit)));
        own.copied().unwrap_or_else(|| self.of(rules, verb))
    }

    /// Sets it for all units, and removes the settings for single units.
    pub fn set(&mut self, rules: &Ruleset, verb: &'static Action, auto_reaction: AutoReaction) {
        let of_units = unit_key(rules, verb, "");
        self.0.retain(|known, _| !known.starts_with(&of_units));
        match auto_reaction == usual(rules, verb) {
            true => self.0.remove(&key(rules, verb)),
            false => self.0.insert(key(rules, verb), auto_reaction),
        };
    }

    /// Sets it for one unit, by its name.
    pub fn set_unit(
        &mut self,
        rules: &Ruleset,
        verb: &'static Action,
        (unit, auto_reaction): (&str, AutoReaction),
    ) {
        let key = unit_key(rules, verb, unit);
        match auto_reaction == self.of(rules, verb) {
            true => self.0.remove(&key),
            false => self.0.insert(key, auto_reaction),
        };
    }
}

/// The default.
fn usual(rules: &Ruleset, verb: &'static Action) -> AutoReaction {
    match passes(rules, verb) {
        true => AutoReaction::Never,
        false => AutoReaction::default(),
    }
}

/// Whether the verb stands for skipping turns instead of a reaction.
fn passes(rules: &Ruleset, verb: &'static Action) -> bool {
    ruleset_ui::of(rules.id).skippable == Some(verb)
}

/// The settings that a verb can have.
pub fn settings_of(rules: &Ruleset, verb: &'static Action) -> &'static [AutoReaction] {
    match passes(rules, verb) {
        true => &[AutoReaction::Ask, AutoReaction::Never],
        false => &AutoReaction::ALL,
    }
}

fn key(rules: &Ruleset, verb: &Action) -> String {
    format!("{}: {}", rules.id, verb.name)
}

fn unit_key(rules: &Ruleset, verb: &Action, unit: &str) -> String {
    format!("{}: {unit}", key(rules, verb))
}

/// The kinds of reactions of a ruleset that can be set, and the one for skipping
/// turns.
pub fn kinds(rules: &Ruleset) -> impl Iterator<Item = &'static Action> {
    let all = (rules.acts)().into_iter();
    let auto = all.filter(|act| act.auto_reaction).map(|act| act.action);
    auto.chain(ruleset_ui::of(rules.id).skippable)
}

#[derive(Resource, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub auto_reactions: AutoReactions,
    /// The ids of the levels whose lessons were completed.
    pub lessons: BTreeSet<String>,
    /// The reactions whose explanation in a lesson was read, with their rulesets:
    /// "Skirmish: total defense".
    pub explained: BTreeSet<String>,
}
