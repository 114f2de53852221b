//! Decisions that the battle asks for, and the offers that answer them.

use super::{Id, Item, ItemPlace, Names, Rule, Side, SpellId, View};
use crate::grid::{Cell, PathError, Reached};
use bevy_ecs::{resource::Resource, world::World};
use std::{borrow::Cow, fmt, sync::Arc};

/// A kind of action: one static value each, defined by its ruleset.
#[derive(Debug)]
pub struct Action {
    /// The action's key in the action bar and in the log: "run".
    pub name: &'static str,
    /// The text of an order: "run to {to}". `{at}` is a unit, `{with}` an item, `{spell}` a
    /// spell, `{to}` a cell, `{n}` a number. No two offers of a decision may read alike, because
    /// recordings and scenarios store this text.
    pub order_text: &'static str,
    /// The text in the log after the unit's name: "moves to {to}".
    pub log_text: &'static str,
    pub rule: Rule,
    /// What the unit handles, if that is all the action is for. The event of it has the same log
    /// text, so the log shows only the event.
    pub handling: Option<Handling>,
    /// Whether the action moves its target to the action's cell, so that readers who see the
    /// board count the cell from where the target stands.
    pub moves_target: bool,
    /// Whether the unit leaves the battle by it.
    pub leaves_battle: bool,
}

/// What a unit does with an item or a door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handling {
    Draw,
    PutAway,
    Unpack,
    Stow,
    /// An item or the shield.
    Drop,
    PickUp,
    Load,
    Door,
}

impl Handling {
    /// Moving an item from one place to another.
    pub fn of(from: ItemPlace, to: ItemPlace) -> Self {
        match (from, to) {
            (ItemPlace::Pack, _) => Self::Unpack,
            (_, ItemPlace::Pack) => Self::Stow,
            (_, ItemPlace::Belt) => Self::PutAway,
            _ => Self::Draw,
        }
    }
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
            handling: None,
            moves_target: false,
            leaves_battle: false,
        }
    }

    /// Says that the action moves its target to the action's cell.
    pub const fn moving_target(mut self) -> Self {
        self.moves_target = true;
        self
    }

    /// Says that the unit leaves the battle by the action.
    pub const fn leaving_battle(mut self) -> Self {
        self.leaves_battle = true;
        self
    }

    /// Says what the unit handles, if that is all the action is for.
    pub const fn handling(mut self, what: Handling) -> Self {
        self.handling = Some(what);
        self
    }

    /// Whether an order without its unit could be of this action.
    pub fn fits(&self, order: &str) -> bool {
        self.slots(order).is_some()
    }

    /// What an order without its unit has in the slots of `order_text`, each with the slot's name.
    /// `None` if it lacks the fixed words, or text in a slot.
    pub fn slots<'o>(&self, order: &'o str) -> Option<Vec<(&'static str, &'o str)>> {
        let mut parts = self.order_text.split('{');
        let mut rest = order.strip_prefix(parts.next()?)?;
        let mut slots = vec![];
        for part in parts {
            let (slot, after) = part.split_once('}')?;
            let mut found = rest.match_indices(after).map(|found| found.0);
            let length = match after {
                "" => rest.len(),
                _ => found.find(|at| *at > 0)?,
            };
            if length == 0 {
                return None;
            }
            slots.push((slot, &rest[..length]));
            rest = &rest[length + after.len()..];
        }
        rest.is_empty().then_some(slots)
    }
}

impl PartialEq for &'static Action {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(*self, *other)
    }
}
impl Eq for &'static Action {}

/// Declines to react.
pub static PASS: Action = Action::new("pass", "pass", "passes", "SK-04");

/// An answer to a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub verb: &'static Action,
    /// The unit that acts. `None` if the whole side does.
    pub who: Option<Id>,
    /// The side that acts, if the answer is not a unit's.
    pub side: Option<Side>,
    pub at: Option<Id>,
    pub with: Option<Item>,
    pub spell: Option<SpellId>,
    pub to: Option<Cell>,
    pub number: Option<i32>,
    /// A path that the player plotted, without the start cell.
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

    /// The path that the player plotted, or else this one.
    pub fn path_or(&self, path: impl FnOnce() -> Vec<Cell>) -> Vec<Cell> {
        let along = self.along.as_ref();
        along.map_or_else(path, |along| along.to_vec())
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

    /// The order as a player writes it: `mara: run to 7,10`, or `goblins: end turn`.
    pub fn text(&self, names: &Names) -> String {
        let mut out = match (self.who, self.side) {
            (Some(who), _) => names.key(who).to_owned() + ": ",
            (None, Some(side)) => names.side_key(side).to_owned() + ": ",
            (None, None) => String::new(),
        };
        out += &self.filled(self.verb.order_text, names, Names::key, &[]);
        if let Some(cells) = &self.along {
            out.push_str(" by");
            cells.iter().for_each(|c| out.push_str(&format!(" {c}")));
        }
        out
    }

    /// The log text: `Mara moves to 7,10`.
    pub fn log_text(&self, names: &Names) -> String {
        self.log_text_from(names, None)
    }

    /// The unit whose place the action's cell is counted from: the target if the action moves it,
    /// otherwise the unit that acts. `None` for a choice of a whole side.
    pub fn counts_from(&self) -> Option<Id> {
        match self.verb.moves_target {
            true => self.at,
            false => self.who,
        }
    }

    /// The log text for readers who see the board: `Mara moves 15 ft to the east`, counted from the
    /// place of [`Choice::counts_from`] when the action begins; `None` writes coordinates.
    pub fn log_text_from(&self, names: &Names, from: Option<Cell>) -> String {
        self.doer(names) + &self.done_from(names, from)
    }

    /// Like [`Choice::log_text_from`], for the path that the unit takes from its cell: `Mara moves
    /// 25 ft to the east` around a wall, although its end is 15 ft away.
    pub fn log_text_along(&self, names: &Names, path: &[Cell]) -> String {
        self.doer(names) + &self.filled(self.verb.log_text, names, Names::name, path)
    }

    /// The unit that acts, before what it does: "Mara ".
    fn doer(&self, names: &Names) -> String {
        let doer = self.who.map(|who| names.title(who).to_owned() + " ");
        doer.unwrap_or_default()
    }

    /// The log text without the unit that acts: "moves 15 ft to the east", counted from the cell where
    /// the action begins; `None` writes coordinates.
    pub fn done_from(&self, names: &Names, from: Option<Cell>) -> String {
        self.filled(self.verb.log_text, names, Names::name, from.as_slice())
    }

    /// The action without the unit that does it: "strike Mara with short sword".
    pub fn describe(&self, names: &Names) -> String {
        self.describe_from(names, None)
    }

    /// The action without its unit for readers who see the board: "run 15 ft to the east", counted
    /// from the cell where the unit stands; `None` writes coordinates.
    pub fn describe_from(&self, names: &Names, from: Option<Cell>) -> String {
        self.filled(self.verb.order_text, names, Names::name, from.as_slice())
    }

    /// A text with its slots filled. The action's cell is counted from the first cell of `path`,
    /// which may go on as far as it is known.
    fn filled(
        &self,
        text: &str,
        names: &Names,
        call: fn(&Names, Id) -> &str,
        path: &[Cell],
    ) -> String {
        let (mut rest, mut out) = (text, String::new());
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            if let Some(to) = self.to.filter(|_| slot == "to" && !path.is_empty()) {
                out.push_str(&bearing(before, &[path, &[to]].concat()));
                rest = after;
                continue;
            }
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
        out + rest
    }
}

/// A cell in words after the fixed words `before`, at the end of a path: "run to " becomes "run
/// 15 ft to the east", "cast fog over " becomes "cast fog over the cell 15 ft east, 5 ft south".
fn bearing(before: &str, path: &[Cell]) -> String {
    let mut joints = [" to ", " at "].iter();
    let joint = joints.find_map(|joint| before.strip_suffix(joint));
    let ends = || path.last()?.place_from(*path.first()?);
    match (joint, Cell::describe_path(path)) {
        (Some(verb), Some(way)) => format!("{verb} {way}"),
        (Some(verb), None) => format!("{verb} here"),
        (None, _) => match ends() {
            Some(place) => format!("{before}the cell {place}"),
            None => format!("{before}its own cell"),
        },
    }
}

/// Why an action is not possible now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    pub rule: Rule,
    /// The reason as the player reads it: "the Main action is spent".
    pub text: Cow<'static, str>,
    /// Whether the text is about the acting unit and lacks its name: "is held".
    pub needs_name: bool,
    /// Whether what the action needs does not exist: the unit has no such weapon, item or skill, or
    /// nobody can be its target. It does not become possible by waiting or moving.
    pub lacks: bool,
    /// Whether no target is near enough. Where one target is pointed at, that one is out of reach.
    pub is_far: bool,
}

impl Why {
    pub fn new(rule: Rule, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule,
            text: text.into(),
            needs_name: false,
            lacks: false,
            is_far: false,
        }
    }

    /// A reason against an action because no target is near enough: "no enemy is in reach".
    pub fn far(rule: Rule, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            is_far: true,
            ..Self::new(rule, text)
        }
    }

    /// A reason about the acting unit, without its name: "is held".
    pub fn of_actor(rule: Rule, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            needs_name: true,
            ..Self::new(rule, text)
        }
    }

    /// The same reason; with `lacks`, what the action needs does not exist.
    pub fn lacking(self, lacks: bool) -> Self {
        Self { lacks, ..self }
    }

    /// Fails with this reason if `blocked`.
    #[inline]
    pub fn when(self, blocked: bool) -> Result<(), Self> {
        if blocked { Err(self) } else { Ok(()) }
    }

    /// Fails with this reason unless `possible`.
    #[inline]
    pub fn unless(self, possible: bool) -> Result<(), Self> {
        self.when(!possible)
    }

    /// The reason with the name of the acting unit, for readers who do not see which unit acts.
    pub fn named(&self, who: Id, names: &Names) -> Cow<'_, str> {
        match self.needs_name {
            true => format!("{} {}", names.title(who), self.text).into(),
            false => Cow::Borrowed(&self.text),
        }
    }
}

impl From<PathError> for Why {
    fn from(misstep: PathError) -> Self {
        Self::new(misstep.why.rule(), misstep.to_string())
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.rule)
    }
}

/// A cell where a move can end, and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveEnd {
    pub to: Cell,
    /// Feet of movement to get there.
    pub feet: u16,
    /// The units that can attack on the way, as a bit set.
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

/// A possible answer: legal, or blocked with a reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub choice: Choice,
    pub why_not: Option<Why>,
    /// Feet of movement to get there; 0 if it is no move.
    pub feet: u16,
    /// The units that can attack on the way, as a bit set.
    pub provoked: u64,
    /// The offer allows any number from the first to the last: a share, a percentage. Its choice
    /// has no number.
    pub numbers: Option<(i32, i32)>,
    /// The offer allows any of these cells, in this order; its choice has no cell. Moves are
    /// bundled because there are many and most are never needed.
    pub ends: Option<Arc<[MoveEnd]>>,
    /// Legal, but seldom worth a prompt: only units that are prompted at every chance are prompted
    /// for it.
    pub rare: bool,
}

impl Offer {
    pub fn legal(choice: Choice) -> Self {
        Self::from(choice, Ok(()))
    }

    /// Sets the feet and the provoked units of a move.
    pub fn priced(self, feet: u16, provoked: u64) -> Self {
        Self {
            feet,
            provoked,
            ..self
        }
    }

    /// A move to any of these cells. `None` if there are none.
    pub fn to_any<E: Into<MoveEnd>>(choice: Choice, ends: impl Iterator<Item = E>) -> Option<Self> {
        let mut all: Vec<MoveEnd> = Vec::with_capacity(ends.size_hint().1.unwrap_or_default());
        all.extend(ends.map(E::into));
        let any = || Self {
            ends: Some(all.as_slice().into()),
            ..Self::legal(choice)
        };
        (!all.is_empty()).then(any)
    }

    /// A move to any of these cells; blocked by `rule` if there are none.
    pub fn to_some<E: Into<MoveEnd>>(
        choice: Choice,
        ends: impl Iterator<Item = E>,
        rule: Rule,
    ) -> Self {
        let some = Self::to_any(choice.clone(), ends);
        some.unwrap_or_else(|| Self::not(choice, Why::new(rule, "there is nowhere to go")))
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

    /// The cells that the offer bundles; empty for a single choice.
    pub fn ends(&self) -> &[MoveEnd] {
        self.ends.as_deref().unwrap_or_default()
    }

    /// All cells that the offer leads to: its bundle, or the cell of its single choice.
    pub fn every_end(&self) -> impl Iterator<Item = MoveEnd> + '_ {
        let own = self.choice.to.map(|to| MoveEnd {
            to,
            feet: self.feet,
            provoked: self.provoked,
        });
        self.ends().iter().copied().chain(own)
    }

    /// The cell number `k` of [`every_end`](Self::every_end).
    #[inline]
    pub fn end(&self, k: usize) -> Option<MoveEnd> {
        self.every_end().nth(k)
    }

    /// The offer for one of its cells.
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

    /// One offer for each of its cells. Numbers stay open.
    pub fn each(&self) -> impl Iterator<Item = Self> + '_ {
        let single = self.ends.is_none().then(|| self.clone());
        let single = single.into_iter();
        single.chain(self.ends().iter().map(|end| self.to(*end)))
    }

    /// Marks the offer as seldom worth a prompt.
    pub fn rare(self) -> Self {
        Self { rare: true, ..self }
    }

    /// Allows any number from `least` to `most`.
    pub fn ranging(self, least: i32, most: i32) -> Self {
        Self {
            numbers: Some((least, most)),
            ..self
        }
    }

    /// Whether the offer includes this choice, legal or not.
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
        // A blocked offer is refused for its reason, whatever the number.
        ((least..=most).contains(&n) || !self.is_legal()) && self.choice == bare
    }

    /// The range of the number, if the choice differs from the offer only by its number.
    pub fn range_of(&self, choice: &Choice) -> Option<(i32, i32)> {
        let alike = choice.number.is_some() && self.choice == choice.clone().unnumbered();
        self.numbers.filter(|_| alike && self.is_legal())
    }

    #[inline]
    pub fn is_legal(&self) -> bool {
        self.why_not.is_none()
    }
}

/// Lists the offers of one unit. A decision with several units lists those of a unit only when
/// they are needed, because its search for movement is costly.
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

/// A question to the controller of `side`. The battle waits until it gets one of the legal
/// offers.
#[derive(Clone, Debug)]
pub struct Decision {
    pub side: Side,
    /// What is asked, as the player reads it.
    pub prompt: String,
    pub rule: Rule,
    /// The units that can act, in id order.
    pub actors: Vec<Id>,
    /// Answers of the whole side, such as ending its turn. All of them are legal.
    pub common: Vec<Choice>,
    pub offers: Offers,
    /// A reaction to another unit's action, outside the unit's own turn.
    pub reaction: bool,
}

impl Decision {
    /// Asks a side which of its units acts next, and how. `end` is what the side as a whole can
    /// answer.
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

    /// Whether this is a turn: a unit's own, a declaration, or a turn that was held back. The
    /// offers of a turn are listed for one unit at a time; those of a reaction are one short
    /// list.
    pub fn is_turn(&self) -> bool {
        !self.reaction || matches!(self.offers, Offers::ByActor(_))
    }

    /// Whether the answer is a reaction: an action out of turn that could have been declined.
    pub fn is_reaction(&self, choice: &Choice) -> bool {
        let may_pass = || match &self.offers {
            Offers::Listed(all) => all.iter().any(|o| o.choice.verb == &PASS),
            // Turns that were held back.
            Offers::ByActor(_) => false,
        };
        self.reaction && choice.verb != &PASS && may_pass()
    }
}

impl View<'_, '_> {
    /// Asks one unit, in its turn, which of its offers it takes.
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

/// The answer on its way to the step that asked, and the secret answers of each unfinished
/// [`Poll`](super::Poll), the innermost last. They are kept only here, so that a copy of a battle
/// can be [redacted](Self::redact).
#[derive(Resource, Clone, Default, Debug)]
pub struct Answer {
    pub(super) given: Option<Choice>,
    pub(super) sealed: Vec<Vec<Choice>>,
    /// How often a poll of several sides has been revealed.
    pub(super) opened: u32,
}

impl Answer {
    /// The answer to the last decision, if the step asked for one.
    pub fn take(&mut self) -> Option<Choice> {
        self.given.take()
    }

    /// Forgets the secret answers of units other than `own`. Polls ask those units again when all
    /// others have answered.
    pub fn redact(&mut self, own: impl Fn(Id) -> bool) {
        for poll in &mut self.sealed {
            poll.retain(|said| said.who.is_some_and(&own));
        }
    }
}
