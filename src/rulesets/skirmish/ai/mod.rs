//! What the quick AI makes of its offers: what an attack is worth, what a cell
//! offers and what it risks. Everything is read from what the side knows.
//!
//! - `attack`: what its attacks are worth, here and from elsewhere
//! - `danger`: what the foes could do to it
//! - `place`: what it is worth to stand somewhere; `posture`: how bold its
//!   objectives make it
//! - `magic`: what spells are worth; `things`: weapons changed, words
//! - `bodies`: maneuvers and executions
//! - `acts`: acts of its own turn; `answers`: reactions; `timing`: waiting,
//!   swarms, screens
//!
//! An act that is added is scored by a function of its own, called by
//! [`Evaluation::score`].

mod acts;
mod answers;
mod attack;
mod bodies;
mod danger;
mod magic;
mod place;
mod posture;
mod things;
mod timing;

use super::{
    acts::{
        AID, CHARGE, CHARGE_THROW, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, RUN, SHOOT, STAND_UP,
        STRIKE, THROW,
        defend::DEFEND,
        hold::{ACT_NOW, HOLD},
        screen::{SCREEN, SCREEN_FROM},
        snap::is_snap,
        spare::SPARE_MAIN,
        swarm::{SWARM, SWARM_FAR, SWARM_LOOSE, SWARM_STRIKE},
    },
    reactions::{OPPORTUNITY, REROLL},
    round::DONE,
    sk::Sk,
    trials::REROLL_CHECK,
};
use crate::{
    battle::{Choice, Id, Offer, PASS, run_system},
    grid::{Cell, Space},
    rulesets::common::ai::field::{Field, Fields},
};
use attack::Target;
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use danger::Danger;
use posture::Posture;
use std::{
    cell::{OnceCell, RefCell},
    sync::Arc,
};

/// To take a foe's last hit point is worth this much; all other worths are
/// measured by it.
const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
const HURT: i32 = 600;
/// What its own life is worth to it.
const OWN_LIFE: i32 = 900;

/// The offer that looks best; the first of equals.
pub fn policy(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    let best = run_system(world, best, (who, offers.clone()));
    offers[best].choice.clone()
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, sk: Sk, mut fields: Local<Fields>) -> usize {
    // With neither Main nor Move left there is nothing that it would still do.
    let idle = offers.iter().position(|o| o.choice.verb == &DONE);
    if let Some(done) = idle.filter(|_| !sk.fighter(who).can_move() && !timing::has_more(&sk, who))
    {
        return done;
    }
    let mut mind = Evaluation::new(&sk, who, &mut fields);
    mind.answers = offers.iter().any(|o| o.choice.verb == &PASS);
    let mind = mind;
    // On its own turn an act that is rare is one that another is better than.
    let worth = |o: &Offer| o.is_legal() && (!o.rare || mind.answers);
    let legal = || offers.iter().enumerate().filter(|o| worth(o.1));
    let mut best = (i32::MIN, 0);
    for (n, offer) in legal().filter(|o| o.1.choice.verb != &RUN) {
        let score = mind.score(offer);
        if score > best.0 {
            best = (score, n);
        }
    }
    // Runs are many. From the farthest on, for that is where the foes are; the
    // more is to be beaten, the fewer want a closer look.
    for (n, offer) in legal().rev().filter(|o| o.1.choice.verb == &RUN) {
        if let Some(score) = mind.run(offer, best.0)
            && (score, best.1) > (best.0, n)
        {
            best = (score, n);
        }
    }
    best.1
}

/// What one combatant makes of the battle while it decides. Most of it is
/// worked out only when an offer asks for it.
struct Evaluation<'a, 'w, 's> {
    sk: &'a Sk<'w, 's>,
    who: Id,
    here: Cell,
    size: u8,
    /// After a run it could still attack.
    strikes: bool,
    /// It answers what somebody else does.
    answers: bool,
    foes: Vec<Id>,
    /// Where foes stand who are armed for melee, and how far they reach.
    threats: OnceCell<Vec<(Space, u16)>>,
    targets: OnceCell<Vec<Target>>,
    dangers: OnceCell<Vec<Danger>>,
    /// What it is worth to stay here.
    stay: OnceCell<i32>,
    /// How bold its side's objectives make it.
    posture: OnceCell<&'static Posture>,
    fields: RefCell<&'a mut Fields>,
    /// Paces to the nearest foe, from every cell.
    to_foes: OnceCell<Field>,
    /// Paces to where an objective sends it, if any does.
    goal: OnceCell<Option<Field>>,
}

impl<'a, 'w, 's> Evaluation<'a, 'w, 's> {
    fn new(sk: &'a Sk<'w, 's>, who: Id, fields: &'a mut Fields) -> Self {
        let (body, fighter) = (sk.body(who), sk.fighter(who));
        Self {
            sk,
            who,
            here: body.at,
            size: body.size,
            strikes: fighter.moves > 0 && fighter.mains > 0,
            answers: false,
            foes: sk.view.foes(body.side).collect(),
            threats: OnceCell::new(),
            targets: OnceCell::new(),
            dangers: OnceCell::new(),
            stay: OnceCell::new(),
            posture: OnceCell::new(),
            fields: RefCell::new(fields),
            to_foes: OnceCell::new(),
            goal: OnceCell::new(),
        }
    }

    fn score(&self, offer: &Offer) -> i32 {
        let (sk, who) = (self.sk, self.who);
        let choice = &offer.choice;
        let verb = choice.verb;
        if verb == &PASS {
            0
        } else if verb == &DONE {
            self.stay() + self.lurking(self.here, true)
        } else if verb == &STRIKE || verb == &SHOOT || verb == &THROW {
            self.attack(choice, vec![]) + self.stay() + 20
        } else if verb == &OPPORTUNITY {
            1 + self.attack(choice, vec![])
        } else if verb == &CHARGE || verb == &CHARGE_THROW {
            self.charge(choice)
        } else if verb == &RUN {
            self.run(offer, i32::MIN).unwrap_or(i32::MIN)
        } else if verb == &DEFEND {
            self.defend()
        } else if verb == &DISENGAGE {
            self.disengage()
        } else if verb == &STAND_UP {
            self.stay() + 250 - self.opening(sk.provoked_by(who).into_iter())
        } else if verb == &AID {
            self.aid(choice)
        } else if choice.spell.is_some() {
            self.cast(choice)
        } else if is_snap(verb) {
            self.snap(offer)
        } else if verb == &ACT_NOW {
            self.act_now()
        } else if verb == &HOLD {
            self.wait()
        } else if verb == &SWARM || verb == &SWARM_FAR {
            self.swarm(choice)
        } else if verb == &SWARM_STRIKE || verb == &SWARM_LOOSE {
            self.lead(choice)
        } else if verb == &SCREEN || verb == &SCREEN_FROM {
            self.screen(offer)
        } else if verb == &SPARE_MAIN {
            self.spare()
        } else if verb == &REROLL || verb == &REROLL_CHECK {
            self.reroll(choice)
        } else if let Some(score) = self.things(choice) {
            score
        } else if verb == &OPEN {
            self.open(choice)
        } else if verb == &LEAVE || verb == &CLOSE || verb == &GO_PRONE {
            i32::MIN + 1
        } else {
            self.bodies(offer).unwrap_or_else(|| self.stay() - 1)
        }
    }

    fn space(&self, at: Cell) -> Space {
        Space::new(at, self.size)
    }
}
