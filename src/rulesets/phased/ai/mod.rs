//! What the quick AI makes of its offers: `mind` weighs attacks and places,
//! `plans` what to declare. Everything is read from what its side knows.

mod evaluation;
mod plans;

use super::{
    acts::{
        AIM, AIM_AT_PLACE, BIND, CALL, CALL_SHOT, CAST, GO, GRAB, LOAD, OPEN, PICK_UP, SHIFT,
        SHOOT, STAND_UP, STRIKE, THROW, THRUST, USE, USE_ON, is_use, strike_speed,
    },
    declare,
    fast::{FLEE, STAND_FAST},
    fighter::{Group, Part},
    ph::Ph,
    reactions::{self, FREE_ATTACK, IMMEDIATE_ATTACK},
    routine::{Routine, Way},
    spells,
    turns::{DELAY, DONE},
};
use crate::{
    battle::{Choice, Id, Offer, PASS},
    rulesets::common::{
        ai::field::Fields,
        gear::{WORTH_STOOPING, gain, price_of_throwing},
    },
};
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use evaluation::Evaluation;
use std::sync::Arc;

/// Never, if there is anything else.
const NEVER: i32 = i32::MIN + 1;
/// What it is worth to make somebody lose a spell.
const SPOILT: i32 = 700;

/// The offer that looks best; the first of equals.
pub fn policy(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    let n = crate::battle::run_system(world, best, (who, offers.clone()));
    offers[n].choice.clone()
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, ph: Ph, mut fields: Local<Fields>) -> usize {
    let legal = || offers.iter().enumerate().filter(|o| o.1.is_legal());
    // The only thing that can be done needs no thought.
    if legal().count() == 1 {
        return legal().next().map_or(0, |o| o.0);
    }
    let mind = Evaluation::new(&ph, who, &mut fields);
    let mut best = (i32::MIN, 0);
    for (n, offer) in legal() {
        let score = score(&mind, &offers, offer);
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}

fn score(mind: &Evaluation, offers: &[Offer], offer: &Offer) -> i32 {
    let (ph, who, choice) = (mind.ph, mind.who, &offer.choice);
    let verb = choice.verb;
    if let Some(score) = plans::score(mind, choice) {
        return score;
    }
    if verb == &PASS {
        return plans::own_spell(mind, offers);
    }
    if verb == &DONE {
        return done(mind, offers);
    }
    let attack = [&STRIKE, &THRUST, &SHOOT, &THROW, &CALL, &CALL_SHOT];
    if attack.contains(&verb) {
        let routine = super::acts::routine(ph, choice).expect("it is an attack");
        let attack = ph
            .blows(&routine)
            .into_iter()
            .next()
            .map(|blow| blow.attack);
        let price = attack.map_or(0, |attack| price_of_throwing(&ph.view, &attack));
        return 30 + mind.attack(&routine) - price;
    }
    if verb == &FREE_ATTACK || verb == &IMMEDIATE_ATTACK {
        let routine = reactions::routine(ph, choice).expect("it is an attack");
        return 1 + mind.attack(&routine);
    }
    if verb == &GRAB {
        // One chance in twenty to disarm it.
        return mind.danger_from(choice.at) / 20;
    }
    if verb == &CAST {
        return immediate(mind, choice);
    }
    if verb == &AIM || verb == &USE_ON || verb == &AIM_AT_PLACE || verb == &USE {
        let spell = choice
            .spell
            .map_or(0, |spell| mind.spell(spell, choice.at, choice.to));
        // What is not under way need not be used for nothing, nor so that a
        // spell under way comes a round later.
        let ability = choice.spell.filter(|_| is_use(choice));
        let Some(ability) = ability else {
            return spell + 10;
        };
        let longer = ph.view.spell(ability).phased.segments;
        let late = ph
            .fighter(who)
            .casting
            .is_some_and(|c| c.segments <= spells::ROUND && c.segments + longer > spells::ROUND);
        return match spell <= 0 || late {
            true => NEVER,
            false => spell + 10,
        };
    }
    let here = ph.body(who).at;
    // A segment more for a spell, or for the routines to come, is worth none
    // of the acts beside them.
    let f = ph.fighter(who);
    let busy = f.casting.is_some() || f.routines > 0;
    if busy && verb != &STAND_UP || verb == &STAND_UP && f.casting.is_some() {
        return NEVER;
    }
    if verb == &GO || verb == &FLEE {
        let to = choice.to.unwrap_or(here);
        mind.place(to) - i32::from(offer.feet) / 5
    } else if verb == &SHIFT {
        mind.place(choice.to.unwrap_or(here)) - 5
    } else if verb == &STAND_FAST {
        mind.place(here)
    } else if verb == &DELAY {
        delay(mind)
    } else if verb == &STAND_UP {
        mind.place(here) + 250
    } else if verb == &OPEN {
        mind.open(choice)
    } else if verb == &BIND {
        mind.place(here) + 200
    } else if verb == &LOAD {
        mind.place(here) + 40
    } else if verb == &PICK_UP && stoops(ph, who, choice) {
        mind.place(here) + 50
    } else if verb == &declare::NO_MORE {
        0
    } else {
        NEVER
    }
}

/// For who has nothing in hand, and nothing half as good to draw.
fn stoops(ph: &Ph, who: Id, choice: &Choice) -> bool {
    let gain = choice.with.map_or(0, |item| gain(&ph.view, who, item));
    ph.gear(who).in_hand().is_none() && gain >= WORTH_STOOPING
}

/// Waiting in one part of the turn is for something better in another.
fn done(mind: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (mind.ph, mind.who);
    match ph.clock.part {
        Part::Melee | Part::Multi | Part::Rest => slower(mind, offers),
        // Who has somewhere to be goes there, unless a shot is very good.
        Part::Missile if mind.has_far_to_go() && !ph.in_melee(who) => 300,
        Part::Missile | Part::Innate => 0,
        _ => mind.place(ph.body(who).at),
    }
}

/// In a tie: what a slower weapon than those of this moment would do.
fn slower(mind: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (mind.ph, mind.who);
    let speeds = offers.iter().filter_map(|o| strike_speed(ph, &o.choice));
    let Some(now) = speeds.max() else { return 0 };
    let mut best = 0;
    for foe in ph
        .foes_seen(who)
        .filter(|&foe| ph.reaches(who, foe).is_ok())
    {
        for item in ph.strike_items(who) {
            let routine = Routine::new(who, foe, item, Way::Strike, "PH-35");
            if ph.speed_of(who, item, Way::Strike) > now && ph.look(&routine).is_ok() {
                best = best.max(25 + mind.attack(&routine));
            }
        }
    }
    best
}

/// Worth it when the foes have yet to come, and nobody shoots (PH-16): who
/// goes to meet them is struck first.
fn delay(mind: &Evaluation) -> i32 {
    let (ph, who) = (mind.ph, mind.who);
    // A spell, or what is left of the round, is better had early.
    let f = ph.fighter(who);
    if f.spent || ph.clock.group == Group::Low || ph.in_melee(who) || ph.clock.part != Part::Other {
        return NEVER;
    }
    match mind.had_better_wait() {
        true => mind.place(ph.body(who).at) + mind.way_here() * 3 / 4 + 60,
        false => NEVER,
    }
}

/// An immediate ward is for the blow that it turns.
fn immediate(mind: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (mind.ph, mind.who);
    let Some(spell) = choice.spell.map(|s| ph.view.spell(s)) else {
        return NEVER;
    };
    let crate::content::Effect::Ward { ac, .. } = spell.effect else {
        return ph.body(who).max_hp - ph.body(who).hp - 4;
    };
    let row = |id: Id| ph.stats(id).row;
    let turned = ph.flights.all().iter().any(|shot| {
        let by = shot.attack.by;
        let (worn, _) = ph.armour_class(who, shot.attack.ranged);
        let total = shot.roll.total();
        shot.attack.at == who && total >= row(by).need(worn) && total < row(by).need(worn - ac)
    });
    if turned { 300 } else { -1 }
}

impl Evaluation<'_, '_, '_> {
    /// What a spell is worth against somebody, or put somewhere: its victims
    /// less its friends.
    fn spell(
        &self,
        id: crate::battle::SpellId,
        at: Option<Id>,
        to: Option<crate::grid::Cell>,
    ) -> i32 {
        let spell = self.ph.view.spell(id);
        match (at, to) {
            // It may yet come into sight.
            (Some(at), _) if spells::can_affect(self.ph, self.who, spell, at).is_err() => {
                self.spell_on(spell, at) / 4
            }
            (Some(at), _) => self.spell_on(spell, at),
            (_, Some(to)) => {
                let caught = spells::caught(self.ph, self.who, spell, to);
                caught.into_iter().map(|id| self.spell_on(spell, id)).sum()
            }
            _ => 0,
        }
    }
}
