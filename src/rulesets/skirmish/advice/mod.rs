//! What the quick AI makes of its offers: what an attack is worth, what a cell
//! offers and what it risks. Everything is read from what the side knows.
//!
//! - `attack`: what its attacks are worth, here and from elsewhere
//! - `danger`: what the foes could do to it
//! - `place`: what it is worth to stand somewhere; `field`: the way to go
//! - `magic`: what spells are worth
//! - `acts`: acts of its own turn; `answers`: reactions
//!
//! An act that is added is scored by a function of its own, called by
//! [`Mind::score`].

mod acts;
mod answers;
mod attack;
mod danger;
mod field;
mod magic;
mod place;

use super::{
    acts::{
        AID, CHARGE, CHARGE_THROW, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, RUN, SHOOT, STAND_UP,
        STRIKE, THROW, defend::DEFEND,
    },
    reactions::OPPORTUNITY,
    round::DONE,
    sk::Sk,
};
use crate::{
    battle::{Choice, Id, Offer, PASS, movement::Ways},
    grid::{Cell, Space},
};
use attack::Target;
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use danger::Danger;
use std::{cell::OnceCell, sync::Arc};

/// To take a foe's last hit point is worth this much; all other worths are
/// measured by it.
const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
const HURT: i32 = 600;
/// What its own life is worth to it.
const OWN_LIFE: i32 = 900;

/// The offer that looks best; the first of equals.
pub fn advise(world: &mut World, who: Id, offers: &Arc<[Offer]>) -> Choice {
    match world.run_system_cached_with(best, (who, offers.clone())) {
        Ok(n) => offers[n].choice.clone(),
        Err(e) => panic!("the AI's look at the offers of {who:?}: {e}"),
    }
}

fn best(
    In((who, offers)): In<(Id, Arc<[Offer]>)>,
    sk: Sk,
    mut kept: Local<Option<(u64, Arc<Vec<u16>>)>>,
) -> usize {
    // With neither Main nor Move left there is nothing that it would still do.
    let idle = offers.iter().position(|o| o.choice.verb == &DONE);
    if let Some(done) = idle.filter(|_| !sk.fighter(who).can_move()) {
        return done;
    }
    let mind = Mind::new(&sk, who, &mut kept);
    let mut best = (i32::MIN, 0);
    for (n, offer) in offers.iter().enumerate().filter(|o| o.1.is_legal()) {
        let score = mind.score(offer);
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}

/// What one combatant makes of the battle while it decides.
struct Mind<'a, 'w, 's> {
    sk: &'a Sk<'w, 's>,
    who: Id,
    targets: Vec<Target>,
    dangers: Vec<Danger>,
    ways: OnceCell<Ways>,
    /// Steps to the nearest foe, from every cell.
    field: Arc<Vec<u16>>,
    /// Steps to where an objective sends it, if any does.
    goal: OnceCell<Option<Vec<u16>>>,
}

impl<'a, 'w, 's> Mind<'a, 'w, 's> {
    fn new(sk: &'a Sk<'w, 's>, who: Id, kept: &mut Option<(u64, Arc<Vec<u16>>)>) -> Self {
        let mut mind = Self {
            sk,
            who,
            targets: vec![],
            dangers: vec![],
            ways: OnceCell::new(),
            field: Arc::default(),
            goal: OnceCell::new(),
        };
        for foe in sk.view.foes(sk.body(who).side) {
            let target = Target {
                space: sk.body(foe).space(),
                shots: mind.shots_at(foe),
            };
            mind.targets.push(target);
            mind.dangers.push(mind.danger_of(foe));
        }
        // The foes stand still while its side moves: one search serves a turn.
        let key = mind.where_foes_are();
        mind.field = match kept {
            Some((k, field)) if *k == key => field.clone(),
            _ => {
                let foes = mind.dangers.iter().flat_map(|d| d.space.cells());
                let field = Arc::new(mind.distances(foes));
                kept.insert((key, field)).1.clone()
            }
        };
        mind
    }

    fn score(&self, offer: &Offer) -> i32 {
        let (sk, who) = (self.sk, self.who);
        let choice = &offer.choice;
        let here = sk.body(who).at;
        let verb = choice.verb;
        if verb == &PASS {
            0
        } else if verb == &DONE {
            self.place(here)
        } else if verb == &STRIKE || verb == &SHOOT || verb == &THROW {
            self.attack(choice, vec![]) + self.place(here) + 20
        } else if verb == &OPPORTUNITY {
            1 + self.attack(choice, vec![])
        } else if verb == &CHARGE || verb == &CHARGE_THROW {
            self.charge(choice)
        } else if verb == &RUN {
            self.run(offer)
        } else if verb == &DEFEND {
            self.defend()
        } else if verb == &DISENGAGE {
            self.disengage()
        } else if verb == &STAND_UP {
            self.place(here) + 250 - self.opening(sk.provoked_by(who).into_iter())
        } else if verb == &AID {
            self.aid(choice)
        } else if choice.spell.is_some() {
            self.cast(choice)
        } else if verb == &OPEN {
            self.open(choice)
        } else if verb == &LEAVE || verb == &CLOSE || verb == &GO_PRONE {
            i32::MIN + 1
        } else {
            self.place(here) - 1
        }
    }

    fn space(&self, at: Cell) -> Space {
        Space::new(at, self.sk.body(self.who).size)
    }

    fn index(&self, cell: Cell) -> usize {
        let width = usize::from(self.sk.view.board.width());
        usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
    }
}
