//! The actions of a unit, one row each. [`ACTS`] defines the order in which they are listed.

mod bind;
mod brace;
mod cast;
mod door;
mod hold;
mod leave;
mod missile;
mod stand;
mod strike;
mod things;
mod walk;

use super::{
    END_TURN,
    declare::{AS_ARMED, BRACE, FIGHT, GO, MISSILES, SPELL},
    reactions::{AT_BACK, MEET, reaction_attacks},
    spells::{AIM, AIM_PLACE, LET_GO},
    state::Intent,
};
use crate::battle::PASS;
use crate::rulesets::common::{
    act::{find_group, group_of},
    begin_actions, inventory,
};
use row::*;

pub use brace::SET;
pub use walk::{
    CHARGE, MOVE, WITHDRAW, can_go, can_move_now, can_strike, charge_end, has_a_charge,
    specs as charge_specs,
};
pub use {
    crate::rulesets::common::doors::{CLOSE, OPEN},
    bind::BIND,
    cast::CAST,
    hold::HOLD,
    leave::{LEAVE, make_off},
    missile::{SHOOT, THROW},
    stand::STAND_UP,
    strike::{STRIKE, routine},
    things::{DRAW, DROP, PICK_UP, PUT_AWAY, UNPACK},
    walk::charge_end_at,
};

pub static DONE: Action = Action::new("done", "done", "does nothing", "SE-01");

pub type Begun = begin_actions::Begun<Segments>;

/// How an action combines with other units' simultaneous actions (SE-32).
pub enum When {
    /// Only these attacks, from where the unit stands.
    Strikes(fn(&SegmentsQuery, &Choice) -> Vec<AttackSpec>),
    /// Movement, which may end in these attacks.
    Goes(fn(&SegmentsQuery, &Choice) -> Vec<AttackSpec>),
    /// An action that another unit's earlier action can make impossible. The given action of this
    /// group takes no time, so the unit still chooses its action of the segment.
    Without(&'static Action),
    /// An action that another unit's earlier action can make impossible.
    Other,
}

/// Names that every row uses.
mod row {
    pub(in super::super) use super::super::{
        Segments,
        events::SegmentsEvent,
        forecast::attacks as attacks_of,
        numbers,
        query::{DeclaredKind, SegmentsQuery},
        state::AttackSpec,
    };
    pub use super::When;
    pub(super) use super::{at_hand, spend, take_a_segment};

    crate::rulesets::common::act::row_types!(Segments);

    /// Help text of every item button.
    pub const ITEMS: &str =
        "Draw, stow or pick up: one segment. From the pack: uses your action. Drop: free.";
}

/// Every action of a unit's own segment.
pub static ACTS: &[ActGroup] = &[
    strike::ACT,
    missile::ACT,
    walk::ACT,
    cast::ACT,
    stand::ACT,
    door::ACT,
    bind::ACT,
    brace::ACT,
    things::ACT,
    hold::ACT,
    leave::ACT,
];

/// The declarations before a round.
pub static DECLARED: &[Act] = rows! {
    FIGHT: 's' "Attack" Strike (plain, last), "Attack or charge in your segment. You can move instead.",
        Chances::None, |eval, _| eval.plan_to_attack();
    MISSILES: 'h' "Missiles" Shoot (plain, last), "Shoot or throw. With the weapon in hand, the missile bonus makes you faster.",
        Chances::None, |eval, _| eval.plan_to_shoot();
    // For a unit with a place to reach, or nothing to fight with: other declarations can still
    // become a move.
    GO: 'g' "Move" Move, "Move, or use doors and items, or tend the fallen. No attack.",
        Chances::None, |eval, _| if eval.has_far_to_go() { 300 } else { 5 };
    BRACE: 'b' "Set spear" Spear, "Attack a charging enemy first, for double damage; else in your segment.",
        Chances::None, |eval, _| eval.brace(|_| true).unwrap_or(NEVER);
    SPELL: 'm' "Cast" Spell (plain), "Start a spell in your segment. You can drop it, but not act instead.",
        Chances::Odds(attacks_of::declared_spell), |eval, offer| eval.undisrupted_worth(&offer.choice).map_or(NEVER, |worth| worth + 30);
    // Declares for the whole side.
    AS_ARMED: ' ' "Auto-declare the rest" ArrowRight, "",
        Chances::Odds(attacks_of::as_armed), |_, _| NEVER;
};

/// Reactions, the release of a spell, and the ends of turns.
pub static OTHERS: &[Act] = rows! {
    DONE: no button,
        Chances::None, |eval, _| eval.stay() - 1 + eval.kept_set();
    // Ends the turn of the whole side.
    END_TURN: no button;
    AIM: 'm' "Release" Aim (plain), "Casting is done: pick the target.",
        Chances::Odds(attacks_of::at_one), |eval, offer| eval.aim(&offer.choice).unwrap_or(NEVER);
    AIM_PLACE: 'm' "Release" Aim (plain), "Casting is done: pick the target.",
        Chances::Odds(attacks_of::at_place), |eval, offer| eval.aim(&offer.choice).unwrap_or(NEVER);
    LET_GO: 'x' "Drop spell" Close, "The spell is lost and spent.",
        Chances::None, |_, _| 0;
    AT_BACK: ' ' "Strike" Snap, "",
        Chances::Attack(|se, choice| Some(reaction_attacks(se, choice))), |eval, offer| 1 + eval.attacks(&offer.choice), auto_reaction;
    MEET: ' ' "Meet" Spear, "",
        Chances::Attack(|se, choice| Some(reaction_attacks(se, choice))), |eval, offer| 200 + eval.attacks(&offer.choice), auto_reaction;
    PASS: no button,
        Chances::None, |_, _| 0;
};

/// Everything that `who` can do in its segment; blocked offers come with the reason.
pub fn offers(se: &SegmentsQuery, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    ACTS.iter().for_each(|act| (act.offers)(se, who, &mut out));
    out.push(Offer::legal(Choice::new(&DONE, who)));
    out
}

/// The attacks that `who` can make from its cell: missiles or melee.
pub fn attacks(se: &SegmentsQuery, who: Id, ranged: bool) -> Vec<Offer> {
    let mut out = vec![];
    let act = if ranged { &missile::ACT } else { &strike::ACT };
    (act.offers)(se, who, &mut out);
    out
}

/// Current offers for the same group of actions as `choice`. A choice without a group, such as
/// `done`, is always legal.
pub fn offers_like(se: &SegmentsQuery, who: Id, choice: &Choice) -> Vec<Offer> {
    let mut out = vec![];
    match row(choice) {
        Some(act) => (act.offers)(se, who, &mut out),
        None => out.push(Offer::legal(choice.clone())),
    }
    out
}

/// The group of the chosen action; `None` for actions outside [`ACTS`], such as `done`.
fn row(choice: &Choice) -> Option<&'static ActGroup> {
    find_group(ACTS, choice.verb)
}

/// Begins the chosen action.
pub fn begin(se: &SegmentsQuery, choice: &Choice) -> Begun {
    (group_of(ACTS, choice).begin)(se, choice)
}

/// Begins an attack from where the unit stands: it uses a routine and draws the weapon.
fn attack(se: &SegmentsQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    let with = choice.with.expect("an attack has a weapon");
    let mut outcome = spend_routine(se, choice);
    draw(se, who, with, &mut outcome);
    Begun {
        specs: specs(se, choice),
        ..outcome.into()
    }
}

/// Whether the choice is an attack without movement.
pub fn is_attack(choice: &Choice) -> bool {
    row(choice).is_some_and(|act| matches!(act.when, When::Strikes(_)))
}

/// Whether the choice takes no time, so that the unit still chooses its action (SE-32).
pub fn takes_no_time(choice: &Choice) -> bool {
    row(choice).is_some_and(|act| matches!(act.when, When::Without(free) if free == choice.verb))
}

pub fn moves(choice: &Choice) -> bool {
    row(choice).is_some_and(|act| matches!(act.when, When::Goes(_)))
}

/// The attacks that a choice makes, all simultaneous.
pub fn specs(se: &SegmentsQuery, choice: &Choice) -> Vec<AttackSpec> {
    match row(choice).map(|act| &act.when) {
        Some(When::Strikes(specs) | When::Goes(specs)) => specs(se, choice),
        _ => vec![],
    }
}

/// Passes in this segment; a declared spell is given up (SE-20). A unit with a set spear holds to
/// the last segment instead, so that the spear stays set (SE-35, SE-51).
pub fn stand_by(se: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
    let last = numbers::ROUND as u8;
    match se.fighter(who).intent {
        Some(Intent::Cast(spell)) if se.clock.round > 0 => {
            outcome.emit("SE-20", SegmentsEvent::GaveUp { who, spell });
        }
        _ if se.fighter(who).is_set() && se.clock.segment < last => {
            outcome.emit("SE-35", SegmentsEvent::Held { who, until: last });
        }
        _ => outcome.emit("SE-01", SegmentsEvent::Spent { who, next: None }),
    }
}

/// Announces the choice and uses up the unit's action.
fn spend(choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    StepOutcome::announcing(choice).and("SE-01", SegmentsEvent::Spent { who, next: None })
}

/// Announces the choice and uses up one attack routine (SE-34).
fn spend_routine(se: &SegmentsQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let next = se.next_routine(who);
    let rule = if next.is_some() { "SE-34" } else { "SE-01" };
    StepOutcome::announcing(choice).and(rule, SegmentsEvent::Spent { who, next })
}

/// Announces a choice that takes a segment.
fn take_a_segment(se: &SegmentsQuery, choice: &Choice) -> StepOutcome {
    StepOutcome::announcing(choice).and("SE-01", a_segment_later(se, choice.actor()))
}

/// The unit acts in the next segment; if the round or the surprise segment ends before that, its
/// action is used up.
pub fn a_segment_later(se: &SegmentsQuery, who: Id) -> SegmentsEvent {
    let until = se.clock.segment + 1;
    match se.clock.round == 0 || i32::from(until) > numbers::ROUND {
        true => SegmentsEvent::Spent { who, next: None },
        false => SegmentsEvent::Delayed { who, until },
    }
}

/// Whether the unit can attack with an item. Drawing it is part of the attack, unless it is in the
/// pack.
fn at_hand(se: &SegmentsQuery, who: Id, item: Item) -> Result<(), Why> {
    let place = se.inventory(who).place(item);
    Why::of_actor("SE-50", "no longer has that item").when(place.is_none())?;
    Why::new("SE-50", "it is in the pack").when(place == Some(ItemPlace::Pack))
}

/// Draws an item from the belt as part of an attack.
fn draw(se: &SegmentsQuery, who: Id, item: Item, outcome: &mut StepOutcome) {
    inventory::draw(&se.view, who, item, "SE-50", outcome);
}
