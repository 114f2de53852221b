//! The buttons of the act bar, as things stand.

use crate::{
    battle::{Action, Choice, Item, Odds, Offer, Provoked, Rule, Why, Words},
    ui::{
        Session,
        art::icons::Icon,
        read::{Button, Look},
    },
};

/// A button of the act bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    /// Its letter, or a sign that is none when there are more acts than
    /// letters.
    pub key: char,
    pub label: Words,
    pub icon: Icon,
    /// What it does, in a sentence; perhaps nothing.
    pub help: &'static str,
    pub rule: Rule,
    /// A click on a target means it, without the bar.
    pub plain: bool,
    /// The legal ways to do it.
    pub offers: Vec<Offer>,
    /// Why there is none.
    pub why_not: Option<Why>,
    /// The attacks that it draws.
    pub draws: Vec<Provoked>,
    /// It waits for its target, or is what a click would do.
    pub is_on: bool,
    /// The items with which it could be done, and the one that it would be
    /// done with as things stand.
    pub items: Vec<Item>,
    pub item: Option<Item>,
    verbs: Vec<&'static Action>,
    is_group: bool,
    /// The chances of an act that needs no target.
    pub odds: Vec<Odds>,
}

impl Act {
    pub fn has(&self, verb: &'static Action) -> bool {
        self.verbs.contains(&verb)
    }

    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.offers.iter().map(|o| &o.choice)
    }

    /// The names of what it stands for.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().map(|verb| verb.name)
    }

    /// The only way, if it needs no target and no number.
    pub fn only(&self) -> Option<&Choice> {
        match &self.offers[..] {
            [one] if one.numbers.is_none() && !self.is_group => {
                Some(&one.choice).filter(|c| c.at.is_none() && c.to.is_none())
            }
            _ => None,
        }
    }
}

/// Every act that is offered at all, be it as impossible.
pub(super) fn acts(session: &Session, offers: &[Offer]) -> Vec<Act> {
    let buttons = session.reads.buttons.clone();
    buttons
        .iter()
        .filter_map(|button| act(session, button, offers))
        .collect()
}

fn act(session: &Session, button: &Button, offers: &[Offer]) -> Option<Act> {
    let own = offers
        .iter()
        .filter(|o| button.look(o.choice.verb).is_some());
    let own: Vec<&Offer> = own.collect();
    // It is called after the first of its acts that can be done.
    let can = |look: &&Look| {
        own.iter()
            .any(|o| o.is_legal() && o.choice.verb == look.verb)
    };
    let first = own.first()?;
    let open = button.acts.iter().find(can);
    let look = open.or(button.look(first.choice.verb))?;
    let legal: Vec<Offer> = own
        .iter()
        .filter(|o| o.is_legal())
        .map(|o| (*o).clone())
        .collect();
    let draws = legal
        .first()
        .map_or(vec![], |o| session.reads.provoked(&o.choice));
    // Of several ways each has its own chances, told where one is chosen.
    let bare = match &legal[..] {
        [one] => Some(one).filter(|o| o.choice.at.is_none() && o.choice.to.is_none()),
        _ => None,
    };
    let odds = bare.map_or(vec![], |o| session.reads.odds(&o.choice));
    let mut items: Vec<Item> = legal.iter().filter_map(|o| o.choice.with).collect();
    items.sort_unstable();
    items.dedup();
    Some(Act {
        key: button.key,
        label: look.label.into(),
        icon: look.icon,
        help: look.help,
        rule: look.verb.rule,
        plain: button.plain,
        why_not: if legal.is_empty() {
            first.why_not.clone()
        } else {
            None
        },
        offers: legal,
        draws,
        is_on: false,
        items,
        item: None,
        is_group: button.group,
        odds,
        verbs: button.acts.iter().map(|a| a.verb).collect(),
    })
}
