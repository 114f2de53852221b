//! The current buttons of the action bar.

use crate::{
    battle::{Action, Choice, Handling, Item, Odds, Offer, Provoked, Rule, Why, Words},
    ui::{
        Session,
        art::icons::Icon,
        read::{ActionLook, Button},
    },
};

/// A button of the action bar.
#[derive(Clone, PartialEq, Debug)]
pub struct ActButton {
    /// Its letter, or a private character once there are more actions than letters.
    pub key: char,
    pub label: Words,
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
    /// Whether what it needs does not exist, so that it does not become possible by waiting or
    /// moving: see [`Why::lacks`].
    pub is_lacking: bool,
    /// The attacks that it provokes.
    pub provoked: Vec<Provoked>,
    /// Whether it waits for its target, or is what a click would do.
    pub is_on: bool,
    /// The items that it can use, and the one that it would use now.
    pub items: Vec<Item>,
    pub item: Option<Item>,
    verbs: Vec<&'static Action>,
    is_group: bool,
    /// The chances of an action that needs no target.
    pub odds: Vec<Odds>,
}

impl ActButton {
    pub fn has(&self, verb: &'static Action) -> bool {
        self.verbs.contains(&verb)
    }

    /// Whether one of its actions is for this.
    pub fn handles(&self, what: Handling) -> bool {
        self.verbs.iter().any(|verb| verb.handling == Some(what))
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
    let buttons = session.reads.buttons.iter();
    let acts = buttons.filter_map(|button| act(session, button, offers));
    acts.collect()
}

fn act(session: &Session, button: &Button, offers: &[Offer]) -> Option<ActButton> {
    let own = offers
        .iter()
        .filter(|o| button.look(o.choice.verb).is_some());
    let own: Vec<&Offer> = own.collect();
    // The label is that of the button's first legal action.
    let can = |look: &&ActionLook| {
        own.iter()
            .any(|o| o.is_legal() && o.choice.verb == look.verb)
    };
    let first = own.first()?;
    let open = button.acts.iter().find(can);
    let look = open.or(button.look(first.choice.verb))?;
    // The label names what a click on each target does.
    let is_fallback = |o: &Offer| {
        let look = button.look(o.choice.verb);
        look.is_some_and(|look| look.fallback)
    };
    let mut legal: Vec<Offer> = own
        .iter()
        .filter(|o| o.is_legal())
        .map(|o| (*o).clone())
        .collect();
    if !legal.iter().all(is_fallback) {
        legal.retain(|o| !is_fallback(o));
    }
    legal.sort_by_key(|o| button.look(o.choice.verb).is_some_and(|look| look.last));
    let provoked = legal
        .first()
        .map_or(vec![], |o| session.reads.provoked(&o.choice));
    // With several ways, each has its own chances, shown where the player chooses one.
    let bare = match &legal[..] {
        [one] => Some(one).filter(|o| o.choice.at.is_none() && o.choice.to.is_none()),
        _ => None,
    };
    let odds = bare.map_or(vec![], |o| session.reads.odds(&o.choice));
    let mut items: Vec<Item> = legal.iter().filter_map(|o| o.choice.with).collect();
    items.sort_unstable();
    items.dedup();
    Some(ActButton {
        key: button.key,
        label: look.label.into(),
        icon: look.icon,
        help: look.help,
        rule: look.verb.rule,
        plain: button.plain,
        instead: button.acts.iter().any(|look| look.instead),
        why_not: first.why_not.clone().filter(|_| legal.is_empty()),
        is_lacking: own
            .iter()
            .all(|o| o.why_not.as_ref().is_some_and(|why| why.lacks)),
        offers: legal,
        provoked,
        is_on: false,
        items,
        item: None,
        is_group: button.group,
        odds,
        verbs: button.acts.iter().map(|a| a.verb).collect(),
    })
}
