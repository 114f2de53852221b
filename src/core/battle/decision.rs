//! What the battle asks, and what may be answered.

use super::{Id, Item, Names, Rule, Side, SpellId, View};
use crate::grid::{Cell, Misstep, Reached};
use bevy_ecs::{resource::Resource, world::World};
use std::{borrow::Cow, fmt, sync::Arc};

/// A kind of act. One static value each, in the ruleset that knows it.
#[derive(Debug)]
pub struct Action {
    /// Its key in the act bar and in the log: "run".
    pub name: &'static str,
    /// How a choice of it reads: "run to {to}". `{at}` is a combatant, `{with}`
    /// an item, `{spell}` a spell, `{to}` a cell, `{n}` a number. Every offer of one decision must
    /// read differently: this text is the replay line and the scenario's order.
    pub order_text: &'static str,
    /// How the log tells it after the actor's name: "runs to {to}".
    pub log_text: &'static str,
    pub rule: Rule,
}

impl Action {
    pub const fn new(
        name: &'static str,
        order_text: &'static str,
        log_text: &'static str,
        rule: Rule,
    ) -> Self {
        Self {
            name,
            order_text,
            log_text,
            rule,
        }
    }

    /// Whether an order, its actor left out, reads like one of this verb: the
    /// words of the phrase in their order, with something in each slot.
    pub fn fits(&self, order: &str) -> bool {
        let after_slot = |part: &'static str| part.split_once('}').map_or(part, |p| p.1);
        let mut parts = self.order_text.split('{').map(after_slot);
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = order.strip_prefix(first) else {
            return false;
        };
        for part in parts {
            if part.is_empty() {
                return !rest.is_empty();
            }
            match rest.match_indices(part).find(|found| found.0 > 0) {
                Some((at, _)) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.is_empty()
    }
}

impl PartialEq for &'static Action {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(*self, *other)
    }
}
impl Eq for &'static Action {}

/// To let a moment go by.
pub static PASS: Action = Action {
    name: "pass",
    order_text: "pass",
    log_text: "passes",
    rule: "SK-04",
};

/// One answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub verb: &'static Action,
    /// Who acts; none for what a whole side does.
    pub who: Option<Id>,
    /// The side that does it, if it is no combatant.
    pub side: Option<Side>,
    pub at: Option<Id>,
    pub with: Option<Item>,
    pub spell: Option<SpellId>,
    pub to: Option<Cell>,
    pub number: Option<i32>,
    /// A path laid by hand, without the cell of its start.
    pub along: Option<Arc<[Cell]>>,
}

impl Choice {
    pub fn new(verb: &'static Action, who: Id) -> Self {
        Self {
            who: Some(who),
            side: None,
            ..Self::of_side(verb, Side(0))
        }
    }

    /// The unit that acts.
    ///
    /// # Panics
    ///
    /// If it is a choice of a whole side: of those, nothing asks.
    #[inline]
    #[track_caller]
    pub fn actor(&self) -> Id {
        self.who.expect("a unit's choice has an actor")
    }

    pub fn of_side(verb: &'static Action, side: Side) -> Self {
        Self {
            verb,
            who: None,
            side: Some(side),
            at: None,
            with: None,
            spell: None,
            to: None,
            number: None,
            along: None,
        }
    }

    #[inline]
    pub fn at(mut self, at: Id) -> Self {
        self.at = Some(at);
        self
    }

    #[inline]
    pub fn with(mut self, item: Item) -> Self {
        self.with = Some(item);
        self
    }

    pub fn spell(mut self, spell: SpellId) -> Self {
        self.spell = Some(spell);
        self
    }

    #[inline]
    pub fn to(mut self, to: Cell) -> Self {
        self.to = Some(to);
        self
    }

    pub fn number(mut self, number: i32) -> Self {
        self.number = Some(number);
        self
    }

    fn unnumbered(self) -> Self {
        Self {
            number: None,
            ..self
        }
    }

    /// The order as a person writes it: `mara: run to 7,10`, or
    /// `goblins: end turn`.
    pub fn text(&self, names: &Names) -> String {
        let mut out = match (self.who, self.side) {
            (Some(who), _) => names.key(who).to_owned() + ": ",
            (None, Some(side)) => names.side_key(side).to_owned() + ": ",
            (None, None) => String::new(),
        };
        self.fill(self.verb.order_text, names, Names::key, &mut out);
        if let Some(cells) = &self.along {
            out.push_str(" by");
            cells.iter().for_each(|c| out.push_str(&format!(" {c}")));
        }
        out
    }

    /// As the log tells it: `Mara runs to 7,10`.
    pub fn log_text(&self, names: &Names) -> String {
        let mut out = self
            .who
            .map_or(String::new(), |who| names.title(who).to_owned() + " ");
        self.fill(self.verb.log_text, names, Names::name, &mut out);
        out
    }

    /// What is done, without who does it, as a person reads it: "strike Mara
    /// with short sword".
    pub fn deed(&self, names: &Names) -> String {
        let mut out = String::new();
        self.fill(self.verb.order_text, names, Names::name, &mut out);
        out
    }

    fn fill(
        &self,
        order_text: &str,
        names: &Names,
        call: fn(&Names, Id) -> &str,
        out: &mut String,
    ) {
        let mut rest = order_text;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            out.push_str(before);
            match slot {
                "at" => out.push_str(self.at.map_or("?", |id| call(names, id))),
                "with" => out.push_str(self.with.map_or("?", |item| names.item(item))),
                "spell" => out.push_str(self.spell.map_or("?", |spell| names.spell(spell))),
                "to" => out.push_str(&self.to.map_or("?".into(), |c| c.to_string())),
                _ => out.push_str(&self.number.map_or("?".into(), |n| n.to_string())),
            }
            rest = after;
        }
        out.push_str(rest);
    }
}

/// Why something cannot be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    pub rule: Rule,
    /// In the game's words: "the Main action is spent".
    pub text: Cow<'static, str>,
}

impl Why {
    pub fn new(rule: Rule, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule,
            text: text.into(),
        }
    }
}

impl From<Misstep> for Why {
    fn from(misstep: Misstep) -> Self {
        Self::new(misstep.why.rule(), misstep.to_string())
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.rule)
    }
}

/// Where a move may end, with the price of the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveEnd {
    pub to: Cell,
    /// Feet that it takes to get there.
    pub feet: u16,
    /// Those whose attacks the way draws, as a bit set.
    pub provoked: u64,
}

impl From<Reached> for MoveEnd {
    fn from(end: Reached) -> Self {
        Self {
            to: end.cell,
            feet: end.feet,
            provoked: end.provoked,
        }
    }
}

/// An answer that is listed: legal, or impossible with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub choice: Choice,
    pub why_not: Option<Why>,
    /// Feet that it takes to get there; 0 for what is no movement.
    pub feet: u16,
    /// Those whose attacks the way draws, as a bit set.
    pub provoked: u64,
    /// Stands for the same choice with any number from the first to the last:
    /// a share, a percentage. The choice itself has none.
    pub numbers: Option<(i32, i32)>,
    /// Stands for the same choice to any of these cells, in this order; the choice
    /// itself names none. Moves are many, and most of them nobody reads.
    pub ends: Option<Arc<[MoveEnd]>>,
    /// Legal, but nobody is asked for its sake who does not want to be asked at
    /// every chance.
    pub rare: bool,
}

impl Offer {
    pub fn legal(choice: Choice) -> Self {
        Self::from(choice, Ok(()))
    }

    /// The same with the price of the way.
    pub fn priced(self, feet: u16, provoked: u64) -> Self {
        Self {
            feet,
            provoked,
            ..self
        }
    }

    /// A move that may end in any of these cells, if there are any.
    pub fn to_any<E: Into<MoveEnd>>(choice: Choice, ends: impl Iterator<Item = E>) -> Option<Self> {
        let mut all: Vec<MoveEnd> = Vec::with_capacity(ends.size_hint().1.unwrap_or_default());
        for end in ends {
            all.push(end.into());
        }
        let any = || Self {
            ends: Some(all.as_slice().into()),
            ..Self::legal(choice)
        };
        (!all.is_empty()).then(any)
    }

    /// The same; without any it is impossible by a rule.
    pub fn to_some<E: Into<MoveEnd>>(
        choice: Choice,
        ends: impl Iterator<Item = E>,
        rule: Rule,
    ) -> Self {
        let why = || Why::new(rule, "there is nowhere to go");
        let some = Self::to_any(choice.clone(), ends);
        some.unwrap_or_else(|| Self::not(choice, why()))
    }

    #[inline]
    pub fn not(choice: Choice, why: Why) -> Self {
        Self::from(choice, Err(why))
    }

    pub fn from(choice: Choice, legal: Result<(), Why>) -> Self {
        Self {
            choice,
            why_not: legal.err(),
            feet: 0,
            provoked: 0,
            numbers: None,
            ends: None,
            rare: false,
        }
    }

    /// The cells for which it stands; none if it is a single choice.
    pub fn ends(&self) -> &[MoveEnd] {
        self.ends.as_deref().unwrap_or_default()
    }

    /// All cells to which it leads: those, or the one that a single choice names.
    pub fn every_end(&self) -> impl Iterator<Item = MoveEnd> + '_ {
        let own = self.choice.to.map(|to| MoveEnd {
            to,
            feet: self.feet,
            provoked: self.provoked,
        });
        self.ends().iter().copied().chain(own)
    }

    /// The one of them with this number.
    #[inline]
    pub fn end(&self, k: usize) -> Option<MoveEnd> {
        self.every_end().nth(k)
    }

    /// The same to one of its cells alone.
    #[inline]
    pub fn to(&self, end: MoveEnd) -> Self {
        Self {
            choice: self.choice.clone().to(end.to),
            why_not: self.why_not.clone(),
            ends: None,
            ..*self
        }
        .priced(end.feet, end.provoked)
    }

    /// All that it stands for, but for numbers: one offer for each cell.
    pub fn each(&self) -> impl Iterator<Item = Self> + '_ {
        let single = self.ends.is_none().then(|| self.clone());
        single
            .into_iter()
            .chain(self.ends().iter().map(|end| self.to(*end)))
    }

    /// The same as a chance that is not worth a question by itself.
    pub fn rare(self) -> Self {
        Self { rare: true, ..self }
    }

    /// The same for any number from `least` to `most`.
    pub fn ranging(self, least: i32, most: i32) -> Self {
        Self {
            numbers: Some((least, most)),
            ..self
        }
    }

    /// Whether it stands for this choice, legal or not.
    pub fn covers(&self, choice: &Choice) -> bool {
        if let Some(ends) = &self.ends {
            let is_end = |to| ends.iter().any(|end| end.to == to);
            let bare = || Choice {
                to: None,
                ..choice.clone()
            };
            return choice.to.is_some_and(is_end) && self.choice == bare();
        }
        let Some((least, most)) = self.numbers else {
            return self.choice == *choice;
        };
        let (Some(n), bare) = (choice.number, choice.clone().unnumbered()) else {
            return false;
        };
        // What cannot be done now is refused whatever its number.
        ((least..=most).contains(&n) || !self.is_legal()) && self.choice == bare
    }

    /// What the number may be, if this is the same choice but for it.
    pub fn range_of(&self, choice: &Choice) -> Option<(i32, i32)> {
        let alike = choice.number.is_some() && self.choice == choice.clone().unnumbered();
        self.numbers.filter(|_| alike && self.is_legal())
    }

    #[inline]
    pub fn is_legal(&self) -> bool {
        self.why_not.is_none()
    }
}

/// Lists what one combatant may do. A decision with several actors lists only
/// for the one that somebody looks at: the flood fill is what costs.
pub type Lister = fn(&mut World, Id) -> Vec<Offer>;

#[derive(Clone, Debug)]
pub enum Offers {
    Listed(Arc<Vec<Offer>>),
    ByActor(Lister),
}

impl Offers {
    pub fn listed(offers: Vec<Offer>) -> Self {
        Self::Listed(Arc::new(offers))
    }
}

/// A question to whoever controls `side`. The battle stands still until one of
/// the legal offers is answered.
#[derive(Clone, Debug)]
pub struct Decision {
    pub side: Side,
    /// The moment, in the game's words, and its rule.
    pub prompt: String,
    pub rule: Rule,
    /// Whose acts are asked for, in id order.
    pub actors: Vec<Id>,
    /// Answers of the whole side, such as ending its turn; all legal.
    pub common: Vec<Choice>,
    pub offers: Offers,
    /// Somebody else's act is being answered, out of turn.
    pub reaction: bool,
}

impl Decision {
    /// Asks a side which of its members acts next, and how; `end` is what the
    /// side as a whole may answer.
    pub fn of_side(
        side: Side,
        rule: Rule,
        prompt: impl Into<String>,
        actors: Vec<Id>,
        end: Option<&'static Action>,
        list: Lister,
    ) -> Self {
        let end = end.map(|verb| Choice::of_side(verb, side));
        Self {
            side,
            prompt: prompt.into(),
            rule,
            actors,
            common: Vec::from_iter(end),
            offers: Offers::ByActor(list),
            reaction: false,
        }
    }
}

impl Decision {
    /// Whether it is a turn: a unit's own, a declaration, or a whole turn that was held
    /// back. The offers of a turn are listed for one unit at a time; those of a reaction
    /// are one short list.
    pub fn is_turn(&self) -> bool {
        !self.reaction || matches!(self.offers, Offers::ByActor(_))
    }

    /// Whether this answer to it is a reaction: something done out of turn that
    /// might have been let go by.
    pub fn is_reaction(&self, choice: &Choice) -> bool {
        let may_pass = || match &self.offers {
            Offers::Listed(all) => all.iter().any(|o| o.choice.verb == &PASS),
            // Whole turns, put off.
            Offers::ByActor(_) => false,
        };
        self.reaction && choice.verb != &PASS && may_pass()
    }
}

impl View<'_, '_> {
    /// Asks somebody, alone, which of their offers they take, in their turn.
    pub fn asks(&self, who: Id, rule: Rule, prompt: impl Into<String>, offers: Offers) -> Decision {
        Decision {
            side: self.body(who).side,
            prompt: prompt.into(),
            rule,
            actors: vec![who],
            common: vec![],
            offers,
            reaction: false,
        }
    }
}

/// The answer on its way to the step that asked, and what was answered under
/// seal: of each [`Poll`](super::Poll) that is not over, the innermost last. It
/// is nowhere else, so a copy of a battle can be [redacted](Self::redact).
#[derive(Resource, Clone, Default, Debug)]
pub struct Answer {
    pub(super) given: Option<Choice>,
    pub(super) sealed: Vec<Vec<Choice>>,
    /// How often sides have learnt what others said under the same seal as they.
    pub(super) opened: u32,
}

impl Answer {
    /// The answer to the last question, if the step has asked one.
    pub fn take(&mut self) -> Option<Choice> {
        self.given.take()
    }

    /// Forgets what others than `own` said under seal. They are asked again
    /// when all the others have answered.
    pub fn redact(&mut self, own: impl Fn(Id) -> bool) {
        for poll in &mut self.sealed {
            poll.retain(|said| said.who.is_some_and(&own));
        }
    }
}
