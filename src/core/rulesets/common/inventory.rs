//! Items in hand, at the belt, in flight and on the ground: drawing, throwing, dropping, picking
//! up.

use super::{CombatSystem, State, act::list_or, sorted};
use crate::{
    battle::{Attack, Choice, EventKind, Id, Item, ItemPlace, Offer, Rule, StepOutcome, View, Why},
    content::{Make, Weapon},
    grid::{Cell, Space},
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};

/// How far a unit reaches for items on the ground, in feet.
pub const REACH: u16 = 5;

/// Where a thrown weapon is taken from, in order of preference.
const TO_THROW: [ItemPlace; 3] = [ItemPlace::Hand, ItemPlace::OffHand, ItemPlace::Belt];

/// How many ranged attacks a unit has left with an item: unlimited for bows and natural weapons;
/// for thrown weapons, those in hand and at the belt.
pub fn missiles(view: &View, who: Id, item: Item) -> usize {
    if !view.weapon(item).leaves_the_hand() {
        return usize::MAX;
    }
    copies(view, who, item).count()
}

/// Where a unit has copies of an item ready to throw, in the order in which they go.
fn copies(view: &View, who: Id, item: Item) -> impl Iterator<Item = ItemPlace> {
    let items = &view.inventory(who).items;
    TO_THROW.into_iter().flat_map(move |place| {
        let is_one = move |thing: &&(Item, ItemPlace)| **thing == (item, place);
        items.iter().filter(is_one).map(move |_| place)
    })
}

/// Weapons thrown in one step. A thrown weapon leaves the hand and lands where its target stands,
/// whether it hits or not.
#[derive(Default)]
pub struct Throws(Vec<(Id, Item)>);

impl Throws {
    /// Where the weapon of an attack is thrown from. `Ok(None)` if it is not thrown; an error if
    /// none is left.
    fn from(&self, view: &View, attack: &Attack) -> Result<Option<ItemPlace>, ()> {
        let (who, item) = (attack.by, attack.with);
        if !attack.ranged || !view.weapon(item).leaves_the_hand() {
            return Ok(None);
        }
        let gone = self.0.iter().filter(|t| **t == (who, item)).count();
        copies(view, who, item).nth(gone).map(Some).ok_or(())
    }

    /// Whether the attacker still has the weapon. A unit with too few weapons throws fewer times.
    pub fn has(&self, view: &View, attack: &Attack) -> bool {
        self.from(view, attack).is_ok()
    }

    /// Throws the weapon of an attack, if it is one that leaves the hand.
    pub fn fly(&mut self, view: &View, attack: &Attack, outcome: &mut StepOutcome) {
        let Ok(Some(from)) = self.from(view, attack) else {
            return;
        };
        let (who, item) = (attack.by, attack.with);
        self.0.push((who, item));
        let at = view.body(attack.at).space().nearest(view.body(who).at);
        let landed = EventKind::Landed {
            who,
            item,
            from,
            at,
        };
        outcome.emit(attack.rule, landed);
    }
}

/// The items on the ground within a unit's reach, with their cells, sorted by cell; identical items
/// in one cell count once. Empty for creatures without hands.
pub fn items_in_reach(view: &View, who: Id) -> Vec<(Cell, Item)> {
    let things = view.ground.0.iter().copied();
    sorted(things.filter(|&(at, _)| can_reach(view, who, at)))
}

/// Whether a unit has hands and can reach an item in a cell.
pub fn can_reach(view: &View, who: Id, at: Cell) -> bool {
    let here = view.body(who).space();
    let near = here.contains(at) || view.board.in_reach(here, Space::one(at), REACH);
    near && view.creature(who).has_hands()
}

/// Offers to pick up each item in reach; `may` says whether the unit can. With nothing in reach,
/// one blocked offer that says so. No offers for creatures without hands.
pub fn pick_ups(
    view: &View,
    choice: &Choice,
    may: impl Fn(Item) -> Result<(), Why>,
    out: &mut Vec<Offer>,
) {
    let Some(who) = choice.who.filter(|&who| view.creature(who).has_hands()) else {
        return;
    };
    let offer = |(at, item)| Offer::from(choice.clone().with(item).to(at), may(item));
    let offers = items_in_reach(view, who).into_iter().map(offer);
    let why = Why::new(choice.verb.rule, "nothing lies in reach");
    list_or(offers, choice.clone(), why, out);
}

/// One offer per item; without items, one blocked offer that gives the reason `none`.
pub fn each_of(
    choice: &Choice,
    items: impl IntoIterator<Item = Item>,
    none: &'static str,
    may: impl Fn(&Choice) -> Result<(), Why>,
    out: &mut Vec<Offer>,
) {
    let offer = |item| {
        let choice = choice.clone().with(item);
        let legal = may(&choice);
        Offer::from(choice, legal)
    };
    let why = Why::new(choice.verb.rule, none);
    list_or(items.into_iter().map(offer), choice.clone(), why, out);
}

/// The weapons that a unit holds in either hand; natural weapons do not count.
pub fn held(view: &View, who: Id) -> Vec<Item> {
    let inventory = view.inventory(who);
    let off_hand = inventory.at(ItemPlace::OffHand);
    let hands = inventory.at(ItemPlace::Hand).chain(off_hand);
    let mut held: Vec<Item> = hands.collect();
    held.retain(|&item| view.weapon(item).make == Make::Forged);
    held.dedup();
    held
}

/// Whether a unit can still pick up an item after the attacks that this provokes.
pub trait PicksUp: CombatSystem {
    fn may_take(state: &State<Self>, who: Id) -> bool;
}

system_step! {
    /// Picks up an item, if the unit still can and the item is still there. Attacks that this
    /// provokes come first.
    pub struct Take[R: PicksUp] {
        who: Id,
        item: Item,
        /// Where it lies. `None` takes the first of its kind in reach.
        at: Option<Cell>,
        rule: Rule,
    } => take::<R>
}

fn take<R: PicksUp>(In(step): In<Take<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let (view, who) = (R::view(&state), step.who);
    let is_it =
        |thing: &(Cell, Item)| thing.1 == step.item && step.at.is_none_or(|at| at == thing.0);
    let mut outcome = StepOutcome::default();
    if let Some((at, item)) = items_in_reach(view, who).into_iter().find(is_it)
        && R::may_take(&state, who)
    {
        take_up(view, who, item, at, step.rule, &mut outcome);
    }
    outcome
}

/// Picks up an item from a cell into the hand; items held before make room.
pub fn take_up(view: &View, who: Id, item: Item, at: Cell, rule: Rule, outcome: &mut StepOutcome) {
    make_room(view, who, item, rule, outcome);
    outcome.emit(rule, EventKind::PickedUp { who, item, at });
}

/// Moves held items to the belt to make room for `item`: the one in the main hand, and for a
/// two-handed item also the one in the off hand.
pub fn make_room(view: &View, who: Id, item: Item, rule: Rule, outcome: &mut StepOutcome) {
    let both = view.weapon(item).hands == 2;
    for &(held, from) in &view.inventory(who).items {
        if from == ItemPlace::Hand || both && from == ItemPlace::OffHand {
            outcome.emit(rule, shifted(who, held, from, ItemPlace::Belt));
        }
    }
}

/// Draws an item from the belt; does nothing if it is not there.
pub fn draw(view: &View, who: Id, item: Item, rule: Rule, outcome: &mut StepOutcome) {
    if view.inventory(who).place(item) == Some(ItemPlace::Belt) {
        make_room(view, who, item, rule, outcome);
        outcome.emit(rule, shifted(who, item, ItemPlace::Belt, ItemPlace::Hand));
    }
}

/// Drops an item in the unit's cell.
pub fn drop_item(
    view: &View,
    who: Id,
    item: Item,
    from: ItemPlace,
    rule: Rule,
    outcome: &mut StepOutcome,
) {
    let at = view.body(who).at;
    let dropped = EventKind::Dropped {
        who,
        item,
        from,
        at,
    };
    outcome.emit(rule, dropped);
}

pub fn shifted(who: Id, item: Item, from: ItemPlace, to: ItemPlace) -> EventKind {
    EventKind::Shifted {
        who,
        item,
        from,
        to,
    }
}

/// How much better a weapon is than the best one ready to use, in tenths of a point of mean damage.
/// `None` if that is not worth the time to pick it up or ready it. For the AI.
pub fn worthwhile_gain(view: &View, who: Id, item: Item) -> Option<i32> {
    let inventory = view.inventory(who);
    let best = inventory.at_hand().map(|own| force(view.weapon(own))).max();
    let gain = force(view.weapon(item)) - best.unwrap_or(0);
    (gain >= WORTH_STOOPING).then_some(gain)
}

const WORTH_STOOPING: i32 = 15;

/// The AI's cost of throwing a weapon away, where a kill is worth 1000: how much weaker the unit's
/// melee attacks are without it.
pub fn price_of_throwing(view: &View, attack: &Attack) -> i32 {
    let (who, item) = (attack.by, attack.with);
    let weapon = view.weapon(item);
    let flies = attack.ranged && weapon.leaves_the_hand() && weapon.melee.is_some();
    if !flies || missiles(view, who, item) != 1 {
        return 0;
    }
    let others = view.inventory(who).at_hand().filter(|&own| own != item);
    let best = others.map(|own| force(view.weapon(own))).max();
    3 * (force(weapon) - best.unwrap_or(0)).max(0)
}

/// Ten times the mean damage. Unarmed attacks count as 0: they are hardly better than nothing.
fn force(weapon: &Weapon) -> i32 {
    match weapon.make {
        Make::Unarmed => 0,
        Make::Forged | Make::Natural => weapon.damage.twice_mean() * 5,
    }
}
