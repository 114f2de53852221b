//! Answers that the player has settled beforehand: for each kind of reaction
//! always, never, or ask. They are given through the [`Session`] as the
//! player would give them, and what was answered so is told.

use super::{
    Phase, Pick, Playback, Profile, Screen, Session,
    session::{self, is_turn},
};
use crate::{
    battle::{Choice, Offer, PASS, Rule, Ruleset, Verb, capitalised},
    rulesets::{activity, phased, segments, skirmish, speed},
};
use bevy::{prelude::*, ui_widgets::Activate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Settled>();
    app.add_observer(press);
    app.add_systems(OnEnter(Screen::Battle), |mut settled: ResMut<Settled>| {
        settled.0.clear()
    });
    app.add_systems(
        Update,
        answer
            .in_set(Phase::Think)
            .run_if(in_state(Screen::Battle))
            .run_if(session::is_on),
    );
}

/// What is done when a reaction of one kind can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Habit {
    #[default]
    Ask,
    Always,
    Never,
}

impl Habit {
    pub const ALL: [Self; 3] = [Self::Ask, Self::Always, Self::Never];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "Ask",
            Self::Always => "Always",
            Self::Never => "Never",
        }
    }
}

/// The habits, by ruleset and verb; whatever is not in it is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Habits(BTreeMap<String, Habit>);

impl Habits {
    pub fn of(&self, rules: &Ruleset, verb: &Verb) -> Habit {
        self.0.get(&key(rules, verb)).copied().unwrap_or_default()
    }

    pub fn set(&mut self, rules: &Ruleset, verb: &Verb, habit: Habit) {
        match habit {
            Habit::Ask => self.0.remove(&key(rules, verb)),
            habit => self.0.insert(key(rules, verb), habit),
        };
    }
}

fn key(rules: &Ruleset, verb: &Verb) -> String {
    format!("{}: {}", rules.id, verb.name)
}

/// The kinds of reactions that can be settled beforehand. What needs a plan of
/// its own, such as an action held back or a spell, is always asked.
static KINDS: [(&str, &[&Verb]); 5] = [
    (
        "Skirmish",
        &[
            &skirmish::OPPORTUNITY,
            &skirmish::acts::defend::DEFEND,
            &skirmish::acts::snap::SNAP,
            &skirmish::acts::snap::SNAP_SHOT,
            &skirmish::acts::snap::SNAP_THROW,
            &skirmish::REROLL,
            &skirmish::REROLL_CHECK,
        ],
    ),
    (
        "Segments",
        &[&segments::reactions::AT_BACK, &segments::reactions::MEET],
    ),
    (
        "Phased",
        &[
            &phased::reactions::FREE_ATTACK,
            &phased::reactions::IMMEDIATE_ATTACK,
        ],
    ),
    ("Speed", &[&speed::RIPOSTE]),
    ("Activity", &[&activity::stride::OPPORTUNITY]),
];

/// The kinds of reactions of a ruleset that can be settled beforehand.
pub fn kinds(rules: &Ruleset) -> &'static [&'static Verb] {
    let found = KINDS.iter().find(|k| k.0 == rules.id);
    found.map_or(&[], |k| k.1)
}

/// A button that settles a kind of reaction.
#[derive(Component, Clone, Copy, Debug)]
pub struct Settles {
    pub rules: &'static Ruleset,
    pub verb: &'static Verb,
    pub habit: Habit,
}

fn press(on: On<Activate>, buttons: Query<&Settles>, mut profile: ResMut<Profile>) {
    if let Ok(of) = buttons.get(on.entity) {
        profile.habits.set(of.rules, of.verb, of.habit);
    }
}

/// A question that a habit has answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    /// How many events had been told before.
    pub at: usize,
    pub text: String,
    pub rule: Rule,
}

/// The questions that habits have answered in this battle.
#[derive(Resource, Debug, Default)]
pub struct Settled(pub Vec<Told>);

fn answer(
    mut session: ResMut<Session>,
    profile: Res<Profile>,
    playback: Res<Playback>,
    mut pick: ResMut<Pick>,
    mut settled: ResMut<Settled>,
) {
    if playback.busy || !session.is_prompted() {
        return;
    }
    let looked_at = session.bypass_change_detection();
    let Some(choice) = decide(looked_at, &profile.habits) else {
        return;
    };
    let names = session.names().clone();
    let asked = session.question().map(|q| (q.prompt.clone(), q.rule));
    let Some((prompt, rule)) = asked else { return };
    let text = match choice.verb == &PASS {
        true => format!("{}: let pass, as always", capitalised(&prompt)),
        false => format!("{}, as always", capitalised(&choice.text(&names))),
    };
    let at = session.told().count();
    // An answer that is refused leaves the question open to the player.
    if session.give_by_habit(&choice).is_ok() {
        pick.say(text.clone());
        settled.0.retain(|told| told.at <= at);
        settled.0.push(Told { at, text, rule });
    }
}

/// What the habits say to the question, if they settle it.
fn decide(session: &mut Session, habits: &Habits) -> Option<Choice> {
    let asked = session.question().filter(|q| !is_turn(q))?;
    let who = *asked.actors.first()?;
    let rules = session.rules();
    let offers = session.offers_of(who);
    let legal: Vec<&Offer> = offers.iter().filter(|o| o.is_legal()).collect();
    let habit = |offer: &Offer| match kinds(rules).contains(&offer.choice.verb) {
        true => habits.of(rules, offer.choice.verb),
        false => Habit::Ask,
    };
    let always = legal
        .iter()
        .filter(|o| o.numbers.is_none() && habit(o) == Habit::Always);
    // Of several ways the likeliest to succeed, and of those the first.
    let ranked = always.map(|offer| {
        let blow = session.blow(&offer.choice);
        let percent = blow.and_then(Result::ok).map_or(0, |b| b.percent);
        (percent, offer.choice.clone())
    });
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
    if let Some((_, choice)) = best {
        return Some(choice);
    }
    let (passes, others): (Vec<&Offer>, Vec<&Offer>) =
        legal.into_iter().partition(|o| o.choice.verb == &PASS);
    let never = !others.is_empty() && others.into_iter().all(|o| habit(o) == Habit::Never);
    let pass = passes.first().filter(|_| never)?;
    Some(pass.choice.clone())
}
