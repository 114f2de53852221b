//! What the quick AI makes of its offers, whatever the rules: foes and what
//! attacks on them are worth, dangers, where it wants to be and how boldly.
//! Everything is read from what its side knows.
//!
//! - this file: what one combatant sees while it decides, and the decision
//! - `goals`: what its side is there for, the way there, and how bold that
//!   makes it
//! - `targets`: what its attacks are worth, here and from elsewhere
//! - `dangers`: what the foes could do to it
//! - `place`: what it is worth to stand somewhere
//! - `spells`: what spells do to those whom they catch
//! - `memory`: what is remembered of all that for the next decision

mod dangers;
mod goals;
mod memory;
mod place;
mod spells;
mod targets;
mod threat_range;

pub use dangers::Danger;
pub use targets::{Arm, Hit, Target, worth_of_hit};
pub use threat_range::{Charge, threat_range, threatens};

use super::{
    State,
    act::{self, Act, Acting},
};
use crate::{
    battle::{self, Choice, Id, Item, MoveEnd, Offer, View, run_system},
    content::Spell,
    grid::{Cell, Field, Gaze, Space},
};
use bevy_ecs::{
    system::{In, Local, StaticSystemParam},
    world::World,
};
use goals::{Aims, Posture};
use memory::Memory;
use place::Glance;
use std::{
    cell::{OnceCell, RefCell},
    cmp::Reverse,
    collections::BinaryHeap,
    sync::Arc,
};

/// To take a foe's last hit point is worth this much; all other worths are
/// measured by it.
pub const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
pub const HURT: i32 = 600;
/// What its own life is worth to it.
pub const OWN_LIFE: i32 = 900;
/// What it is worth that somebody stands at all, as a share of what they are
/// worth unhurt.
const STANDING: f32 = 0.4;
/// What nobody does who can do anything else.
pub const NEVER: i32 = i32::MIN + 1;

/// How a combat system's offers are weighed up: the hooks of [`Evaluation`].
pub trait QuickAi: Acting {
    /// Every action of the ruleset, in the order in which orders are read.
    fn acts() -> &'static [&'static Act<Self>];

    /// What else it keeps while somebody decides.
    type Own;
    /// See [`traits`](Self::traits).
    type Traits: PartialEq + Send + 'static;

    /// The fewest and the most faces of a d20 that hit.
    const FACES: (i32, i32) = (1, 19);
    /// Percent of the harm done by a foe in melee that has to come first.
    const COMING: i32 = 100;
    /// Percent of the usual fear of danger.
    const CAUTION: i32 = 100;
    /// Percent of the usual haste to come to the foes, in the first round and
    /// of what it grows by in each that follows.
    const HASTE: (i32, i32) = (100, 100);
    /// Comrades whom a foe could attack as well make it less of a danger.
    const SHARED: bool = true;

    fn own(state: &State<Self>, who: Id, offers: &[Offer]) -> Self::Own;

    /// The foes that it reckons with.
    fn foes(state: &State<Self>, who: Id) -> Vec<Id> {
        let view = Self::view(state);
        view.foes(view.body(who).side).collect()
    }

    /// What comes of an attack with such an arm in the open: its blows, and
    /// what else is special to it. Without blows it cannot be used.
    fn aim(state: &State<Self>, by: Id, at: Id, arm: &mut Arm);

    /// All that [`aim`](Self::aim) reads of an attacker or a target and that
    /// changes in a battle, beside hit points, conditions, gear, and whether they
    /// lie or stand. None: it hangs on still more, and is not remembered.
    fn traits(_: &State<Self>, _: Id) -> Option<Self::Traits> {
        None
    }

    /// Percent of a missile's worth that is left when comrades may be hit instead.
    fn clean(_: &State<Self>, _by: Id, _at: Id) -> i32 {
        100
    }

    /// Feet that a foe comes before it strikes, in its next turn. None: it is
    /// no danger.
    fn comes(state: &State<Self>, foe: Id) -> Option<u16>;

    /// Somebody has lost heart, and attacks nobody.
    fn has_lost_heart(_: &State<Self>, _foe: Id) -> bool {
        false
    }

    /// Feet that a foe goes before it shoots or throws this, in one turn.
    fn comes_to_shoot(_: &State<Self>, _foe: Id, _: Item) -> u16 {
        0
    }

    /// How a foe could charge in its next turn. None: it could not.
    fn charge(_: &State<Self>, _foe: Id) -> Option<Charge> {
        None
    }

    /// Where such a charge at somebody there would end, with a weapon of that reach
    /// in feet.
    fn charge_end(_: &State<Self>, _: &Charge, _there: Space, _reach: u16) -> Option<Cell> {
        None
    }

    /// Cover lets nothing be attacked there from here, though there is a line of sight.
    fn is_out_of_sight(_: &State<Self>, _here: Space, _there: Space) -> bool {
        false
    }

    /// Feet within which a foe hinders those who shoot.
    fn hinders(_: &State<Self>, _foe: Id) -> Option<u16> {
        None
    }

    /// What a place costs beside danger and distance.
    fn price_of_place(_: &Evaluation<Self>, _at: Cell) -> i32 {
        0
    }

    /// The chance in percent that somebody's save against a spell fails.
    fn unsaved(_: &State<Self>, _: &Spell, _: Id) -> i32 {
        100
    }

    /// Its side knows that a spell does nothing to somebody.
    fn resists(_: &State<Self>, _who: Id, _: &Spell, _: Id) -> bool {
        false
    }

    /// The harm that a spell does to somebody, where that does not follow from
    /// its dice.
    fn harm(_: &State<Self>, _who: Id, _: &Spell, _: Id) -> Option<i32> {
        None
    }

    /// What somebody can still bear, and could at first: hit points.
    fn bears(state: &State<Self>, id: Id) -> (i32, i32) {
        let body = Self::view(state).body(id);
        (body.hp.max(1), body.max_hp)
    }

    /// How much of what the foes could do to somebody counts as danger: so much of
    /// so much.
    fn fear(_: &State<Self>, _who: Id) -> (i64, i64) {
        (1, 1)
    }

    /// What it is worth to hurt somebody, beside the harm: a spell spoiled.
    fn spoils(_: &State<Self>, _: Id) -> i32 {
        0
    }

    /// Somebody can do nothing as it is.
    fn is_held(_: &State<Self>, _: Id) -> bool {
        false
    }

    /// What an offer is worth.
    fn score(mind: &Evaluation<Self>, offers: &[Offer], offer: &Offer) -> i32 {
        act::worth(mind, offers, offer)
    }

    /// What a move is worth at most, by its end: that is found sooner, and moves are
    /// many. None of what is no move.
    fn score_at_most<'m>(
        _: &'m Evaluation<Self>,
        _: &'m Offer,
    ) -> Option<impl Fn(MoveEnd) -> i32 + 'm> {
        None::<fn(MoveEnd) -> i32>
    }

    /// What an offer is worth that has a worth [at most](Self::score_at_most), or
    /// none if that turns out to be less than `beat`.
    fn score_to_beat(_: &Evaluation<Self>, _: &Offer, _: MoveEnd, _beat: i32) -> Option<i32> {
        None
    }

    /// What looks best, and its score.
    fn choose(mind: &Evaluation<Self>, offers: &[Offer]) -> (Choice, i32) {
        best_of(mind, offers, |_| true)
    }
}

/// What looks best of the legal offers that are wanted, and its score; the first
/// of equals. The most promising moves are looked at first, and those not at
/// all that cannot be best.
pub fn best_of<R: QuickAi>(
    mind: &Evaluation<R>,
    offers: &[Offer],
    wanted: impl Fn(&Offer) -> bool,
) -> (Choice, i32) {
    // Of equals the one with the least place in the list is best: the number of an
    // offer, and of its end.
    let mut best = (i32::MIN, Reverse((0, 0)));
    let mut moves = vec![];
    let all = offers.iter().enumerate();
    for (n, offer) in all.filter(|(_, offer)| offer.is_legal() && wanted(offer)) {
        let place = |k: usize| Reverse((n as u32, k as u32));
        if let Some(at_most) = R::score_at_most(mind, offer) {
            for (k, end) in offer.every_end().enumerate() {
                let most = at_most(end);
                if most >= best.0 {
                    moves.push((most, place(k)));
                }
            }
            continue;
        }
        let mut consider = |k: usize, offer: &Offer| {
            let score = R::score(mind, offers, offer);
            if score > best.0 {
                best = (score, place(k));
            }
        };
        match &offer.ends {
            None => consider(0, offer),
            Some(_) => offer
                .each()
                .enumerate()
                .for_each(|(k, each)| consider(k, &each)),
        }
    }
    let mut moves = BinaryHeap::from(moves);
    while let Some((most, place)) = moves.pop() {
        if (most, place) < best {
            break;
        }
        let Reverse((n, k)) = place;
        let offer = &offers[n as usize];
        let end = offer.end(k as usize).expect("a move has an end");
        let Some(score) = R::score_to_beat(mind, offer, end, best.0) else {
            continue;
        };
        debug_assert!(score <= most, "a move is worth {score}, at most {most}");
        best = best.max((score, place));
    }
    let Reverse((n, k)) = best.1;
    let offer = &offers[n as usize];
    let choice = Choice {
        to: offer.end(k as usize).map(|end| end.to),
        ..offer.choice.clone()
    };
    (choice, best.0)
}

/// What somebody chooses, and its score.
pub fn policy<R: QuickAi>(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> (Choice, i32) {
    run_system(world, choose::<R>, (who, offers.clone()))
}

fn choose<R: QuickAi>(
    In((who, offers)): In<(Id, Arc<Vec<Offer>>)>,
    state: StaticSystemParam<R::Param>,
    mut memory: Local<Memory<R>>,
) -> (Choice, i32) {
    if let Some(only) = only(&offers) {
        return (only, 0);
    }
    R::choose(
        &Evaluation::new(&*state, who, &offers, &mut memory),
        &offers,
    )
}

/// The only thing that can be done needs no thought, but for its number.
fn only(offers: &[Offer]) -> Option<Choice> {
    let mut legal = offers.iter().filter(|o| o.is_legal());
    match (legal.next(), legal.next()) {
        (Some(only), None) if only.numbers.is_none() && only.ends().len() < 2 => {
            only.each().next().map(|only| only.choice)
        }
        _ => None,
    }
}

/// What somebody could choose, each with its score: what they do choose first,
/// the others from the best down.
pub fn rank<R: QuickAi>(
    world: &mut World,
    who: Id,
    offers: &Arc<Vec<Offer>>,
) -> Vec<(Choice, i32)> {
    run_system(world, ranked::<R>, (who, offers.clone()))
}

fn ranked<R: QuickAi>(
    In((who, offers)): In<(Id, Arc<Vec<Offer>>)>,
    state: StaticSystemParam<R::Param>,
    mut memory: Local<Memory<R>>,
) -> Vec<(Choice, i32)> {
    if let Some(only) = only(&offers) {
        return vec![(only, 0)];
    }
    let mind = Evaluation::<R>::new(&*state, who, &offers, &mut memory);
    let (best, _) = R::choose(&mind, &offers);
    let scored = |offer: Offer| {
        let score = R::score(&mind, &offers, &offer);
        numbered(&offer).map(move |choice| (choice, score))
    };
    let legal = offers.iter().filter(|o| o.is_legal());
    let mut all: Vec<(Choice, i32)> = legal.flat_map(Offer::each).flat_map(scored).collect();
    let first = all.iter().position(|(choice, _)| *choice == best);
    let first = match first {
        Some(n) => all.remove(n),
        None => (best, i32::MAX),
    };
    all.sort_by_key(|(_, score)| Reverse(*score));
    all.insert(0, first);
    all
}

/// The choices that an offer stands for; of many numbers the least, the most
/// and the middle.
fn numbered(offer: &Offer) -> impl Iterator<Item = Choice> + use<> {
    let numbers = match offer.numbers {
        None => vec![None],
        Some((least, most)) => {
            let mut some = vec![most, least.midpoint(most), least];
            some.dedup();
            some.into_iter().map(Some).collect()
        }
    };
    let choice = offer.choice.clone();
    let with = move |number: Option<i32>| Choice {
        number: number.or(choice.number),
        ..choice.clone()
    };
    numbers.into_iter().map(with)
}

/// What is left of each side, by side: of all that it could bear at first, as a
/// share of 1; without some, a bit set. Who stands is worth something however badly
/// hurt.
pub fn strength<R: QuickAi>(world: &mut World, without: u64) -> Vec<f32> {
    fn sum<R: QuickAi>(In(without): In<u64>, state: StaticSystemParam<R::Param>) -> Vec<f32> {
        let view = R::view(&state);
        let mut sides = vec![(0.0, 0.0); view.roster.sides.len()];
        for id in view.ids().filter(|id| without & id.bit() == 0) {
            let body = view.body(id);
            let (left, most) = R::bears(&state, id);
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
    run_system(world, sum::<R>, without)
}

/// What one combatant makes of the battle while it decides. Most of it is
/// worked out only when an offer asks for it.
pub struct Evaluation<'a, 'w, 's, R: QuickAi> {
    pub state: &'a State<'w, 's, R>,
    view: &'a View<'w, 's>,
    pub who: Id,
    pub here: Cell,
    size: u8,
    pub foes: Vec<Id>,
    pub own: R::Own,
    /// Where foes stand who hinder those who shoot, and how far they reach.
    threats: OnceCell<Vec<(Space, u16)>>,
    targets: OnceCell<Vec<Target>>,
    dangers: OnceCell<Vec<Danger>>,
    /// What each of those sees who are dangers.
    gazes: OnceCell<Vec<OnceCell<Gaze<'a>>>>,
    glances: OnceCell<Vec<Glance>>,
    /// What it is worth to stay where it is.
    stay: OnceCell<i32>,
    posture: OnceCell<Posture>,
    memory: RefCell<&'a mut Memory<R>>,
    aims: OnceCell<Aims>,
    to_foes: OnceCell<Field>,
    goal: OnceCell<Option<Field>>,
}

impl<'a, 'w, 's, R: QuickAi> Evaluation<'a, 'w, 's, R> {
    fn new(
        state: &'a State<'w, 's, R>,
        who: Id,
        offers: &[Offer],
        memory: &'a mut Memory<R>,
    ) -> Self {
        let view = R::view(state);
        let body = view.body(who);
        Self {
            state,
            view,
            who,
            here: body.at,
            size: body.size,
            foes: R::foes(state, who),
            own: R::own(state, who, offers),
            threats: OnceCell::new(),
            targets: OnceCell::new(),
            dangers: OnceCell::new(),
            gazes: OnceCell::new(),
            glances: OnceCell::new(),
            stay: OnceCell::new(),
            posture: OnceCell::new(),
            memory: RefCell::new(memory),
            aims: OnceCell::new(),
            to_foes: OnceCell::new(),
            goal: OnceCell::new(),
        }
    }

    fn view(&self) -> &View<'w, 's> {
        self.view
    }

    /// Where it would stand.
    pub fn space(&self, at: Cell) -> Space {
        Space::new(at, self.size)
    }
}
