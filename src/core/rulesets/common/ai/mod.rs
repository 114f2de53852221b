//! How the quick AI scores its offers under any ruleset: what attacks on enemies are worth,
//! dangers, where the unit wants to be and how boldly. It reads only what the unit's side knows.
//!
//! - this file: what one unit knows while it decides, and the decision
//! - `goals`: how objectives steer a unit, and how bold they make it
//! - `targets`: what its attacks are worth, here and from other cells
//! - `dangers`: what enemies could do to it
//! - `place`: what it is worth to stand somewhere
//! - `spells`: what spells are worth on the units they catch
//! - `threat_range`: where a unit could attack on its next turn
//! - `memory`: what is cached for the next decision

mod dangers;
mod goals;
mod memory;
mod place;
mod spells;
mod targets;
mod threat_range;

pub use dangers::Danger;
pub use goals::only_fights;
pub use place::EndWorth;
pub use targets::{AttackOption, Hit, Target, worth_of_hit};
pub use threat_range::{Charge, attack_approach, harmless, threat_range};

use super::{
    State,
    act::{self, Act, Acting},
};
use crate::{
    battle::{self, Choice, Few, Harmless, Id, Item, MoveEnd, Offer, View, run_system},
    content::Spell,
    grid::{Cell, Field, Space, cells_apart},
};
use bevy_ecs::{
    system::{In, Local, StaticSystemParam},
    world::World,
};
use goals::{Aims, Posture};
use memory::Memory;
use place::DistanceBounds;
use std::{
    cell::{OnceCell, RefCell},
    cmp::Reverse,
    collections::BinaryHeap,
    sync::Arc,
};

/// Worth of taking an enemy's last hit point. All other worths are on this scale.
pub const KILL: i32 = 1000;
/// Worth of taking all of an enemy's hit points but one, by damage alone.
pub const HURT: i32 = 600;
/// Worth of the unit's own life to itself.
pub const OWN_LIFE: i32 = 900;
/// Share of a unit's full strength that counts while it stands, however badly it is hurt.
const STANDING: f32 = 0.4;
/// Score of an offer that is taken only if nothing else is possible.
pub const NEVER: i32 = i32::MIN + 1;

/// How a combat system scores offers: the hooks of [`Evaluation`].
pub trait QuickAi: Acting {
    /// Every action of the ruleset. Order texts are parsed in this order.
    fn acts() -> &'static [&'static Act<Self>];

    /// Ruleset values that are computed when an offer first needs them, and kept while a unit
    /// decides.
    type Own: Default;
    /// See [`traits`](Self::traits).
    type Traits: Default + PartialEq + Send + 'static;

    /// The fewest and the most d20 results that hit, out of 20.
    const OUTCOMES: (i32, i32) = (1, 19);
    /// Percent of the danger of a melee enemy that has to move first.
    const COMING: i32 = 100;
    /// Percent of the usual caution.
    const CAUTION: i32 = 100;
    /// Percent of the usual haste towards the enemies: in the first round, and for the growth in
    /// each round after it.
    const HASTE: (i32, i32) = (100, 100);
    /// Whether allies that an enemy could attack instead make it less of a danger.
    const SHARED: bool = true;

    /// The enemies that the unit takes into account.
    fn enemies(state: &State<Self>, who: Id) -> Vec<Id> {
        let view = Self::view(state);
        view.enemies(view.body(who).side).collect()
    }

    /// Fills in an [`AttackOption`] for an attack with no obstacles: its rolls, and anything special about
    /// it. Without rolls the option cannot be used.
    fn aim(state: &State<Self>, by: Id, at: Id, option: &mut AttackOption);

    /// Everything that [`aim`](Self::aim) reads of an attacker or a target and that changes in a
    /// battle, apart from hit points, conditions, inventory, and whether the unit is down or prone.
    /// `None` if attacks depend on more than that; then they are not cached.
    fn traits(_: &State<Self>, _: Id) -> Option<Self::Traits> {
        None
    }

    /// Percent of a ranged attack's worth that is left when it could hit allies instead.
    fn clean(_: &State<Self>, _by: Id, _at: Id) -> i32 {
        100
    }

    /// Feet that an enemy can move before a melee attack on its next turn. `None` if it is no
    /// danger.
    fn approach_feet(state: &State<Self>, enemy: Id) -> Option<u16>;

    /// Why an enemy takes no part, by the ruleset's own state: it is unaware, or its morale is
    /// broken. `None` if it does.
    fn stays_out(_: &State<Self>, _foe: Id) -> Option<Harmless> {
        None
    }

    /// Feet that an enemy can move before it shoots or throws this item, in one turn.
    fn feet_before_shooting(_: &State<Self>, _foe: Id, _: Item) -> u16 {
        0
    }

    /// The reach in feet of an enemy that adjacent enemies keep from walking and shooting, so that
    /// it can only attack or throw from where it stands. `None` if it can walk.
    fn locked_reach(_: &State<Self>, _foe: Id) -> Option<u16> {
        None
    }

    /// How an enemy could charge on its next turn. `None` if it can't.
    fn charge(_: &State<Self>, _foe: Id) -> Option<Charge> {
        None
    }

    /// The cell where such a charge at a target in `there` would end, with a weapon of `reach`
    /// feet. `None` if the charge does not get there.
    fn charge_end(state: &State<Self>, charge: &Charge, there: Space, reach: u16) -> Option<Cell> {
        let (view, who) = (Self::view(state), charge.who);
        let lane = view.charge_lane(who, there, &charge.occupancy, charge.feet, |_| false);
        let end = lane.first_in_reach(&view.board, view.body(who).size, there, reach)?;
        (end.feet >= charge.least).then_some(end.cell)
    }

    /// Whether cover rules out every attack from `here` on `there`, despite a line of sight.
    fn is_out_of_sight(_: &State<Self>, _here: Space, _there: Space) -> bool {
        false
    }

    /// Feet within which an enemy hinders ranged attacks. `None` if it does not.
    fn hinder_feet(_: &State<Self>, _foe: Id) -> Option<u16> {
        None
    }

    /// The cost of a place apart from danger and distance.
    fn price_of_place(_: &Evaluation<Self>, _at: Cell) -> i32 {
        0
    }

    /// Percent chance that a unit fails its save against a spell.
    fn unsaved(_: &State<Self>, _: &Spell, _: Id) -> i32 {
        100
    }

    /// Whether the unit's side knows that a spell has no effect on a target.
    fn resists(_: &State<Self>, _who: Id, _: &Spell, _: Id) -> bool {
        false
    }

    /// The harm that a spell does to a target. `None` if it follows from the spell's dice.
    fn harm(_: &State<Self>, _who: Id, _: &Spell, _: Id) -> Option<i32> {
        None
    }

    /// Hit points that a unit has left, at least 1, and its hit points when unhurt; in systems
    /// without hit points, what takes their place.
    fn hp_left_and_max(state: &State<Self>, id: Id) -> (i32, i32) {
        let body = Self::view(state).body(id);
        (body.hp.max(1), body.max_hp)
    }

    /// The share of enemy attacks that counts as danger, as numerator and denominator.
    fn fear(_: &State<Self>, _who: Id) -> (i64, i64) {
        (1, 1)
    }

    /// The worth of hurting a unit beyond the damage: a spell spoiled.
    fn worth_of_disrupting(_: &State<Self>, _: Id) -> i32 {
        0
    }

    /// Whether a unit is unable to act.
    fn is_held(state: &State<Self>, id: Id) -> bool {
        Self::view(state).is_held(id)
    }

    /// The score of a move, by its end and what that is worth. For an end that is not exact, an
    /// upper bound.
    fn score_of_move(_: &Evaluation<Self>, _: &Offer, _: MoveEnd, _: &EndWorth) -> i32 {
        NEVER
    }

    /// The offers that are enough to decide for a unit in its turn: to follow up what it has begun,
    /// or to end it. `None` if it needs all of them.
    fn sufficient_offers(_: &State<Self>, _who: Id) -> Option<Few> {
        None
    }

    /// Whether the attacks of a unit tell how much it has to gain by acting first: it neither casts
    /// spells nor has anything else in mind.
    fn only_attacks(state: &State<Self>, who: Id) -> bool {
        Self::view(state).sheet(who).spells.is_empty()
    }

    /// The choice that looks best, and its score.
    fn choose(eval: &Evaluation<Self>) -> (Choice, i32) {
        best_of(eval, |_| true)
    }
}

/// The best of the legal offers that satisfy `wanted`, with its score; the first of equals. Moves
/// are scored in order of their upper bound, until none can be better.
pub fn best_of<R: QuickAi>(eval: &Evaluation<R>, wanted: impl Fn(&Offer) -> bool) -> (Choice, i32) {
    // Ties go to the lowest position in the list: the index of the offer, then of its end.
    let mut best = (i32::MIN, Reverse((0, 0)));
    let mut moves = vec![];
    let all = eval.offers.iter().enumerate();
    for (n, offer) in all.filter(|(_, offer)| offer.is_legal() && wanted(offer)) {
        let place = |k: usize| Reverse((n as u32, k as u32));
        let act = act::row_of::<R>(offer);
        if act.moves {
            let at_most = eval.ends_at_most();
            for (k, end) in offer.every_end().enumerate() {
                let most = R::score_of_move(eval, offer, end, &at_most(end.to));
                if most >= best.0 {
                    moves.push((most, place(k)));
                }
            }
            continue;
        }
        let mut consider = |k: usize, offer: &Offer| {
            let score = (act.worth)(eval, offer);
            if score > best.0 {
                best = (score, place(k));
            }
        };
        match &offer.ends {
            None => consider(0, offer),
            Some(_) => (offer.each().enumerate()).for_each(|(k, each)| consider(k, &each)),
        }
    }
    let mut moves = BinaryHeap::from(moves);
    while let Some((most, place)) = moves.pop() {
        if (most, place) < best {
            break;
        }
        let Reverse((n, k)) = place;
        let offer = &eval.offers[n as usize];
        let Some(score) = worth_of_end(eval, offer, k as usize, best.0) else {
            continue;
        };
        debug_assert!(score <= most, "a move is worth {score}, at most {most}");
        best = best.max((score, place));
    }
    let Reverse((n, k)) = best.1;
    let offer = &eval.offers[n as usize];
    let choice = Choice {
        to: offer.end(k as usize).map(|end| end.to),
        ..offer.choice.clone()
    };
    (choice, best.0)
}

/// The exact score of one end of a move. `None` if it is less than `beat`.
fn worth_of_end<R: QuickAi>(
    eval: &Evaluation<R>,
    offer: &Offer,
    k: usize,
    beat: i32,
) -> Option<i32> {
    let end = offer.end(k)?;
    let score = |there: &EndWorth| R::score_of_move(eval, offer, end, there);
    let there = eval.end_at(end.to, |most| score(most) >= beat)?;
    Some(score(&there))
}

/// The score of a move to the offer's end.
pub fn worth_of_move<R: QuickAi>(eval: &Evaluation<R>, offer: &Offer) -> i32 {
    worth_of_end(eval, offer, 0, i32::MIN).unwrap_or(NEVER)
}

/// The choice that a unit makes, and its score.
pub fn policy<R: QuickAi>(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> (Choice, i32) {
    run_system(world, choose::<R>, (who, offers.clone()))
}

fn choose<R: QuickAi>(
    In((who, offers)): In<(Id, Arc<Vec<Offer>>)>,
    state: StaticSystemParam<R::Param>,
    mut memory: Local<Memory<R::Traits>>,
) -> (Choice, i32) {
    if let Some(only) = only_choice(&offers) {
        return (only, 0);
    }
    R::choose(&Evaluation::new(&*state, who, &offers, &mut memory))
}

/// What each unit has to gain by its best attack, roughly. `None` for units that do more than
/// attack, or have an objective to reach.
pub fn best_attack_values<R: QuickAi>(world: &mut World, actors: &[Id]) -> Vec<Option<i32>> {
    fn read<R: QuickAi>(
        In(actors): In<Vec<Id>>,
        state: StaticSystemParam<R::Param>,
        mut memory: Local<Memory<R::Traits>>,
    ) -> Vec<Option<i32>> {
        memory.begin();
        let best_attack_value = |who: Id| {
            let is_simple = R::only_attacks(&state, who) && only_fights(R::view(&state), who);
            is_simple.then(|| targets::best_attack_value::<R>(&state, &mut memory, who))
        };
        actors.into_iter().map(best_attack_value).collect()
    }
    run_system(world, read::<R>, actors.to_vec())
}

/// The only possible choice. `None` if there are several, or if a number is left to choose.
fn only_choice(offers: &[Offer]) -> Option<Choice> {
    let mut legal = offers.iter().filter(|o| o.is_legal());
    match (legal.next(), legal.next()) {
        (Some(only), None) if only.numbers.is_none() && only.ends().len() < 2 => {
            only.each().next().map(|only| only.choice)
        }
        _ => None,
    }
}

/// The choices of a unit, each with its score: the one it makes first, then the others from best to
/// worst.
pub fn rank<R: QuickAi>(
    world: &mut World,
    who: Id,
    offers: &Arc<Vec<Offer>>,
    best: Choice,
) -> Vec<(Choice, i32)> {
    run_system(world, ranked::<R>, (who, offers.clone(), best))
}

fn ranked<R: QuickAi>(
    In((who, offers, best)): In<(Id, Arc<Vec<Offer>>, Choice)>,
    state: StaticSystemParam<R::Param>,
    mut memory: Local<Memory<R::Traits>>,
) -> Vec<(Choice, i32)> {
    if let Some(only) = only_choice(&offers) {
        return vec![(only, 0)];
    }
    let eval = Evaluation::<R>::new(&*state, who, &offers, &mut memory);
    let legal = offers.iter().filter(|o| o.is_legal());
    let mut all: Vec<(Choice, i32)> = vec![];
    for offer in legal.flat_map(Offer::each) {
        let score = act::worth(&eval, &offer);
        all.extend(numbered(&offer).map(|choice| (choice, score)));
    }
    let first = all.iter().position(|(choice, _)| *choice == best);
    let first = first.map_or((best, i32::MAX), |n| all.remove(n));
    all.sort_by_key(|(_, score)| Reverse(*score));
    all.insert(0, first);
    all
}

/// The choices that an offer stands for. Of a range of numbers: the most, the middle and the least.
fn numbered(offer: &Offer) -> impl Iterator<Item = Choice> {
    let mut numbers = match offer.numbers {
        Some((least, most)) => [most, least.midpoint(most), least].map(Some).to_vec(),
        None => vec![offer.choice.number],
    };
    numbers.dedup();
    numbers.into_iter().map(|number| Choice {
        number,
        ..offer.choice.clone()
    })
}

/// How much of its full strength each side has left, from 0 to 1, by side, ignoring the units in
/// the bit set `without`. A standing unit always counts for something, however badly it is hurt.
pub fn strength<R: QuickAi>(state: &State<R>, without: u64) -> Vec<f32> {
    let view = R::view(state);
    let mut sides = vec![(0.0, 0.0); view.roster.sides.len()];
    for id in view.ids().filter(|id| without & id.bit() == 0) {
        let body = view.body(id);
        let (left, most) = R::hp_left_and_max(state, id);
        let (left, most) = (left as f32, most.max(1) as f32);
        let share = match body.state {
            battle::State::Waiting => 1.0,
            battle::State::Up => STANDING + (1.0 - STANDING) * left / most,
            _ => 0.0,
        };
        let side: &mut (f32, f32) = &mut sides[body.side.index()];
        side.0 += most * share.min(1.0);
        side.1 += most;
    }
    let share = |(left, most): (f32, f32)| if most > 0.0 { left / most } else { 0.0 };
    sides.into_iter().map(share).collect()
}

/// What one unit knows and weighs while it decides.
pub struct Evaluation<'a, 'w, 's, R: QuickAi> {
    pub state: &'a State<'w, 's, R>,
    pub view: &'a View<'w, 's>,
    pub who: Id,
    pub here: Cell,
    size: u8,
    pub offers: &'a [Offer],
    pub enemies: Vec<Id>,
    pub own: R::Own,
    memory: RefCell<&'a mut Memory<R::Traits>>,
    once: Once<'a>,
}

/// What is computed when an offer first needs it.
#[derive(Default)]
struct Once<'a> {
    /// The spaces of enemies that hinder ranged attacks, each with its reach in feet.
    threats: OnceCell<Vec<(Space, u16)>>,
    targets: OnceCell<Vec<Target>>,
    dangers: OnceCell<Vec<Danger<'a>>>,
    bounds_by_distance: OnceCell<Vec<DistanceBounds>>,
    /// The score for staying at the current cell.
    stay: OnceCell<i32>,
    posture: OnceCell<Posture>,
    aims: OnceCell<Aims>,
    to_foes: OnceCell<Field>,
    goal: OnceCell<Option<Field>>,
}

impl<'a, 'w, 's, R: QuickAi> Evaluation<'a, 'w, 's, R> {
    fn new(
        state: &'a State<'w, 's, R>,
        who: Id,
        offers: &'a [Offer],
        memory: &'a mut Memory<R::Traits>,
    ) -> Self {
        let view = R::view(state);
        let body = view.body(who);
        memory.begin();
        Self {
            state,
            view,
            who,
            here: body.at,
            size: body.size,
            offers,
            enemies: R::enemies(state, who),
            own: R::Own::default(),
            memory: RefCell::new(memory),
            once: Once::default(),
        }
    }

    /// The space that the unit would occupy at a cell.
    pub fn space(&self, at: Cell) -> Space {
        Space::new(at, self.size)
    }

    /// Feet between the unit and a space, counted in cells.
    pub fn feet_to(&self, there: Space) -> u16 {
        cells_apart(self.space(self.here), there) * 5
    }
}
