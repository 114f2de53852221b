//! The current buttons of the action bar.

use super::click::sample;
use crate::{
    battle::{Action, Choice, CowStr, Handling, Item, OddsLine, Offer, Provoked, Rule, Why},
    content::Make,
    ui::{Session, art::icons::Icon, ruleset_ui::Button, session::DisplayQueries},
};
use std::cmp::Reverse;

/// A button of the action bar.
#[derive(Clone, PartialEq, Debug)]
pub struct ActButton {
    /// Its letter, or a private character once there are more actions than letters.
    pub key: char,
    pub label: CowStr,
    pub icon: Icon,
    /// What it does, in a sentence; may be empty.
    pub help: &'static str,
    pub rule: Rule,
    /// Whether a click on a target can mean this action without the bar.
    pub plain: bool,
    /// Whether a click on an enemy can mean this action instead of an attack.
    pub instead: bool,
    /// The legal ways to do it.
    pub offers: Vec<Offer>,
    /// Why there is none; `None` if there is one.
    pub why_not: Option<Why>,
    /// Why it is possible but has no effect, whatever its target; `None` otherwise.
    pub no_effect: Option<String>,
    /// Whether what it needs does not exist, so that it does not become possible by waiting or
    /// moving: see [`Why::lacks`].
    pub is_lacking: bool,
    /// Whether it ends what afflicts the unit now.
    pub is_needed: bool,
    pub provoked: Vec<Provoked>,
    /// Whether it waits for its target, or is what a click would do.
    pub is_on: bool,
    /// The items that it can use, those with the most damage first and bare hands last, and the one
    /// that it would use now.
    pub items: Vec<Item>,
    pub item: Option<Item>,
    verbs: Vec<&'static Action>,
    is_group: bool,
    /// The chances of its only way.
    pub odds: Vec<OddsLine>,
}

impl ActButton {
    pub fn has(&self, verb: &'static Action) -> bool {
        self.verbs.contains(&verb)
    }

    /// Whether one of its actions is for this.
    pub fn handles(&self, what: Handling) -> bool {
        self.verbs.iter().any(|verb| verb.handling == Some(what))
    }

    /// Its letter as the button shows it.
    pub fn letter(&self) -> char {
        self.key.to_ascii_uppercase()
    }

    /// The names of its actions, as lessons use them.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().map(|verb| verb.name)
    }

    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.offers.iter().map(|o| &o.choice)
    }

    /// Its only way, if that needs neither target nor number.
    pub fn only(&self) -> Option<&Choice> {
        match &self.offers[..] {
            [one] if one.numbers.is_none() && !self.is_group => {
                Some(&one.choice).filter(|c| c.at.is_none() && c.to.is_none())
            }
            _ => None,
        }
    }
}

/// Every button with at least one offer, legal or blocked.
pub(super) fn acts(session: &Session, offers: &[Offer]) -> Vec<ActButton> {
    let buttons = session.queries.buttons.iter();
    buttons.filter_map(|b| act(session, b, offers)).collect()
}

fn act(session: &Session, button: &Button, offers: &[Offer]) -> Option<ActButton> {
    let button_of = |o: &Offer| button.button_of(o.choice.verb);
    let own: Vec<&Offer> = offers.iter().filter(|o| button_of(o).is_some()).collect();
    let is_remedy = |o: &Offer| button_of(o).is_some_and(|button| button.remedy);
    let is_lacking = |o: &&Offer| o.why_not.as_ref().is_some_and(|why| why.lacks);
    let needed = own.iter().find(|o| is_remedy(o) && !is_lacking(o));
    let legal = own.iter().filter(|o| o.is_legal());
    let mut legal: Vec<Offer> = legal.map(|o| (*o).clone()).collect();
    let meant = needed.filter(|o| o.is_legal() || legal.is_empty());
    let first = meant.or(own.first())?;
    // The label is that of the button's first legal action, unless a remedy is needed.
    let can = |verb: &'static Action| legal.iter().any(|o| o.choice.verb == verb);
    let open = button.acts.iter().find(|act| can(act.0));
    let open = open.filter(|_| meant.is_none());
    let verb = open.map_or(first.choice.verb, |act| act.0);
    let named = button.button_of(verb)?;
    // The label names what a click on each target does.
    let is_fallback = |o: &Offer| button_of(o).is_some_and(|button| button.fallback);
    if !legal.iter().all(is_fallback) {
        legal.retain(|o| !is_fallback(o));
    }
    legal.sort_by_key(|o| (!is_remedy(o), button_of(o).is_some_and(|b| b.last)));
    let provoked = legal.first().map(|o| session.queries.provoked(&o.choice));
    // With several ways, each has its own chances, shown where the player chooses one.
    let only = match &legal[..] {
        [one] => Some(one).filter(|o| o.choice.to.is_none()),
        _ => None,
    };
    let no_effect = legal.iter().map(|o| no_effect(session, &sample(o)));
    let no_effect: Option<Vec<String>> = no_effect.collect();
    let odds = only.map_or(vec![], |o| session.queries.odds(&o.choice));
    let why_not = first.why_not.clone().filter(|_| legal.is_empty());
    let mut items: Vec<Item> = legal.iter().filter_map(|o| o.choice.with).collect();
    items.sort_by_key(|&item| {
        let weapon = session.game.weapon(item);
        let is_unarmed = weapon.make == Make::Unarmed;
        (is_unarmed, Reverse(weapon.damage.twice_mean()), item)
    });
    items.dedup();
    Some(ActButton {
        key: button.key,
        label: named.label.into(),
        icon: named.icon,
        help: named.help,
        rule: verb.rule,
        plain: button.plain,
        instead: button.acts.iter().any(|(_, button)| button.instead),
        why_not,
        no_effect: no_effect.and_then(|whys| whys.into_iter().next()),
        is_lacking: own.iter().all(is_lacking),
        is_needed: needed.is_some(),
        offers: legal,
        provoked: provoked.unwrap_or_default(),
        is_on: false,
        items,
        item: None,
        is_group: button.group,
        odds,
        verbs: button.acts.iter().map(|act| act.0).collect(),
    })
}

/// Why a legal action has no effect; `None` if it can have one. The chances of a declaration are those
/// from where the unit stands, which it may leave first.
pub fn no_effect(session: &Session, choice: &Choice) -> Option<String> {
    let queries = &session.queries;
    if queries.is_futile(choice) {
        return queries.warnings(choice).into_iter().next();
    }
    let fails = !session.is_declaring() && is_sure_to_fail(queries, choice);
    fails.then(|| String::from("The chance is 0%."))
}

/// Whether the forecast gives an action no chance at all. A save that never fails may still leave
/// half of the effect.
pub(super) fn is_sure_to_fail(queries: &DisplayQueries, choice: &Choice) -> bool {
    let odds = queries.odds(choice);
    let chances = odds.iter().filter(|odds| !odds.fails_save);
    chances.filter_map(|odds| odds.percent).max() == Some(0)
}
