//! What the quick AI makes of its offers. Everything is read from what its side
//! knows: foes' declarations are sealed, and not known to it.
//!
//! - `arms`: what its attacks are worth, and what the foes could do to it
//! - `place`: what it is worth to stand somewhere, and the way to go
//! - `plans`: what to declare, and whether to hold
//! - `magic`: what spells are worth, and the risk that they are spoiled

mod arms;
mod magic;
mod place;
mod plans;

use super::{
    acts::{
        BIND, CAST, CHARGE, CLOSE, DONE, HOLD, LEAVE, MOVE, OPEN, PICK_UP, SET, SHOOT, STAND_UP,
        STRIKE, THROW, WITHDRAW,
    },
    declare::intent,
    fighter::{Blow, segment_of},
    reactions::{AT_BACK, MEET, blows_of},
    se::Se,
    spells::{AIM, AIM_PLACE, LET_GO},
};
use crate::{
    battle::{Choice, Id, Offer, PASS, sent_to},
    grid::Cell,
    rulesets::common::{
        ai::field::{Field, Fields},
        gear::{WORTH_STOOPING, gain},
    },
};
use arms::{Danger, Target};
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use std::{cell::OnceCell, sync::Arc};

/// To take a foe's last hit point is worth this much; all other worths are
/// measured by it.
const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
const HURT: i32 = 600;
/// What its own life is worth to it.
const OWN_LIFE: i32 = 900;
/// To spoil a spell that is being cast.
const SPOIL: i32 = 450;
/// What nobody does who can do anything else.
const NEVER: i32 = i32::MIN / 2;

/// The offer that looks best; the first of equals.
pub fn policy(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    let n = crate::battle::run_system(world, best, (who, offers.clone()));
    offers[n].choice.clone()
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, se: Se, mut fields: Local<Fields>) -> usize {
    let mut legal = offers.iter().enumerate().filter(|o| o.1.is_legal());
    if let (Some((n, _)), None) = (legal.next(), legal.next()) {
        return n;
    }
    let mind = Evaluation::new(&se, who, &mut fields);
    let mut best = (i32::MIN, 0);
    for (n, offer) in offers.iter().enumerate().filter(|o| o.1.is_legal()) {
        let score = mind.score(offer);
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}

struct Evaluation<'a, 'w, 's> {
    se: &'a Se<'w, 's>,
    who: Id,
    here: Cell,
    engaged: bool,
    /// Its side loses if it falls.
    is_ward: bool,
    /// Its side has only to be there still at the end.
    holds_out: bool,
    targets: Vec<Target>,
    dangers: Vec<Danger>,
    /// Paces to the nearest foe, from every cell.
    to_foes: Field,
    /// Paces to where an objective sends it, if any does.
    goal: Option<Field>,
    /// What it is worth to stay where it is.
    stay: OnceCell<i32>,
}

impl<'a, 'w, 's> Evaluation<'a, 'w, 's> {
    fn new(se: &'a Se<'w, 's>, who: Id, fields: &mut Fields) -> Self {
        let board = &se.view.board;
        let foes = se.view.foes(se.body(who).side);
        let foes = foes.map(|foe| se.body(foe).space());
        let sent = sent_to(&se.view, who);
        let mut mind = Self {
            se,
            who,
            here: se.body(who).at,
            engaged: se.is_engaged(who),
            is_ward: false,
            holds_out: false,
            targets: vec![],
            dangers: vec![],
            to_foes: fields.nearest_of(board, foes.collect()),
            goal: (!sent.is_empty()).then(|| fields.to(board, &sent)),
            stay: OnceCell::new(),
        };
        (mind.is_ward, mind.holds_out) = (mind.is_protected(), mind.only_holds_out());
        for foe in se.view.foes(se.body(who).side) {
            mind.targets.push(mind.target(foe));
            mind.dangers.push(mind.danger_of(foe));
        }
        mind
    }

    fn score(&self, offer: &Offer) -> i32 {
        let choice = &offer.choice;
        let verb = choice.verb;
        if let Some(plan) = intent(choice) {
            return self.plan(plan);
        }
        if verb == &PASS {
            0
        } else if verb == &AT_BACK {
            1 + self.blows_worth(&blows_of(self.se, choice))
        } else if verb == &MEET {
            200 + self.blows_worth(&blows_of(self.se, choice))
        } else if verb == &STRIKE {
            self.blows_worth(&super::acts::blows(self.se, choice)) + self.stay()
        } else if verb == &SHOOT || verb == &THROW {
            self.shot_worth(&super::acts::blows(self.se, choice)) + self.stay()
        } else if verb == &CHARGE {
            self.charge(choice)
        } else if verb == &MOVE || verb == &WITHDRAW {
            self.go(offer)
        } else if verb == &HOLD {
            self.hold(choice.number.unwrap_or(0))
        } else if verb == &CAST {
            self.begin_spell(choice)
        } else if verb == &AIM || verb == &AIM_PLACE {
            self.aim(choice)
        } else if verb == &LET_GO {
            0
        } else if verb == &STAND_UP {
            self.stay() + 600
        } else if verb == &OPEN {
            self.open(choice)
        } else if verb == &BIND {
            self.bind(choice)
        } else if verb == &PICK_UP {
            self.pick_up(choice)
        } else if verb == &DONE {
            self.stay() - 1 + self.kept_set()
        } else if verb == &SET {
            self.brace_now()
        } else if verb == &LEAVE || verb == &CLOSE {
            NEVER
        } else {
            self.stay() - 2
        }
    }

    fn stay(&self) -> i32 {
        *self.stay.get_or_init(|| self.place(self.here))
    }

    /// A charge is worth its blows, less what a spear may do to it first.
    fn charge(&self, choice: &Choice) -> i32 {
        let (Some(to), Some(at)) = (choice.to, choice.at) else {
            return NEVER;
        };
        let blows = super::acts::blows(self.se, choice);
        let worth: i32 = blows
            .iter()
            .filter_map(|b| Some(self.worth(b.attack.at, &self.se.forecast_from(b, to).ok()?)))
            .sum();
        // The next chance is ten rounds off: not for a mere scratch, nor to
        // leave a place that is to be held, nor with what hangs at the belt.
        let mut price = 60;
        if self.holds_out || self.is_ward {
            price += 250;
        }
        if choice.with != self.se.gear(self.who).in_hand() {
            price += 80;
        }
        worth - price + self.place(to) - self.spear_of(at)
    }

    /// What a spear, set against it for all it knows, may cost a charger.
    fn spear_of(&self, foe: Id) -> i32 {
        let se = self.se;
        let Some(spear) = super::declare::spear(se, foe) else {
            return 0;
        };
        let acted = se.clock.round > 0 && se.fighter(foe).due == 0;
        if acted || !se.can_react(foe) {
            return 0;
        }
        let blow = Blow {
            times: 2,
            ..Blow::new(foe, self.who, spear, false, "SE-51")
        };
        let loss = self.loss(&se.plain_forecast(&blow));
        loss / 2
    }

    fn go(&self, offer: &Offer) -> i32 {
        let Some(to) = offer.choice.to else {
            return NEVER;
        };
        let left = self
            .dangers
            .iter()
            .filter(|d| offer.provoked & d.foe.bit() != 0);
        // From behind they hit more often.
        let drawn: i32 = left.map(|d| d.melee * 5 / 4).sum();
        self.place(to) - drawn - i32::from(offer.feet) / 5
    }

    /// A door is opened when the way to the foes leads through it.
    fn open(&self, choice: &Choice) -> i32 {
        let Some(door) = choice.to else { return NEVER };
        let (here, there) = match (self.steps_to_goal(self.here), self.steps_to_goal(door)) {
            (Some(a), Some(b)) => (a, b),
            _ if self.offense(self.here) > 0 => return NEVER,
            _ => (self.steps_to_foes(self.here), self.steps_to_foes(door)),
        };
        if there < here {
            self.stay() + 80
        } else {
            NEVER
        }
    }

    /// For who has nothing half as good to fight with.
    fn pick_up(&self, choice: &Choice) -> i32 {
        let gain = choice
            .with
            .map_or(0, |item| gain(&self.se.view, self.who, item));
        match gain >= WORTH_STOOPING {
            true => self.stay() + 12 * gain,
            false => NEVER,
        }
    }

    /// The nearer to death, the more it is worth.
    fn bind(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return NEVER };
        let near = (-self.se.body(ally).hp).clamp(0, 10);
        150 + near * 40 + self.stay()
    }
}
