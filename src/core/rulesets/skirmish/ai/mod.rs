//! How the quick AI scores Skirmish's offers: attacks, positions and their risks. It reads only
//! what the unit's side knows.
//!
//! - `things`: what changing weapons, reloading and parleys are worth
//! - `bodies`: maneuvers and executions
//! - `acts`: attacks, spells and other actions of the unit's own turn
//! - `timing`: reactions, waiting, swarms, screens
//!
//! The row of an action names its function here.

mod acts;
mod bodies;
mod things;
mod timing;

use super::{
    Skirmish,
    acts::{ACTS, OTHERS, STRIKE, attacks, open_occupancy, screen::SCREEN_FROM},
    numbers,
    query::SkirmishQuery,
    state::Stalk,
    turn::DONE,
};
use crate::{
    battle::{Choice, Few, Harmless, Id, Item, MoveEnd, Offer, PASS},
    content::Spell,
    rulesets::common::{
        act,
        ai::{self, AttackOption, Charge, EndWorth, HURT, Hit, KILL, NEVER, OWN_LIFE, QuickAi},
        attacks::ToHit,
    },
};
use acts::{attack, hit_and_miss};
use timing::SCREENED;

type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Skirmish>;

/// To-hit penalty for shooting with an enemy in reach (SK-11).
const ADJACENT_PENALTY: i32 = 4;

impl QuickAi for Skirmish {
    act::acts!(Skirmish: act::grouped(ACTS), OTHERS);

    type Own = ();
    /// Total Defense, a charge, a spent shield, a grapple; the weapons that are not loaded.
    type Traits = ([bool; 4], Vec<Item>);
    // SK-30: a natural 1 or 20 has no special effect.
    const OUTCOMES: (i32, i32) = (0, 20);

    fn aim(sk: &SkirmishQuery, by: Id, at: Id, option: &mut AttackOption) {
        let (with, ranged) = (option.item, option.ranged);
        if sk.free_to_use(by, with, ranged).is_err() {
            return;
        }
        let plain = sk.unobstructed_forecast(&attack(by, at, with, ranged));
        let (mut hit, mut miss) = hit_and_miss(&plain);
        let mut outcomes = 21 - plain.needs();
        if ranged {
            let is_free = !sk.weapon(with).needs_two_hands_to_shoot();
            option.adjacent_penalty = is_free.then_some(ADJACENT_PENALTY);
            if !sk.is_loaded(by, with) {
                // The weapon must be loaded first.
                (hit, miss) = (hit / 2, miss / 2);
            }
            if sk.is_veiled(at) {
                outcomes += i32::from(numbers::UNSEEN);
                if !sk.is_heard(at, sk.body(by).side) {
                    // The target is heard only from close enough.
                    option.near = option.near.min(numbers::HEARING);
                    option.far = option.far.min(numbers::HEARING);
                }
            }
        }
        option.hits.push(Hit {
            outcomes,
            hit,
            miss,
        });
    }

    fn traits(sk: &SkirmishQuery, id: Id) -> Option<Self::Traits> {
        // A second weapon counts only in its own reach, and whether an unseen unit is heard depends
        // on nearby units.
        if sk.inventory(id).off_hand().is_some() || sk.is_veiled(id) {
            return None;
        }
        let f = sk.fighter(id);
        let all = [f.defending, f.charged, f.shield_spent, sk.in_grapple(id)];
        Some((all, sk.fighter(id).unloaded.clone()))
    }

    fn approach_feet(sk: &SkirmishQuery, enemy: Id) -> Option<u16> {
        // Unaware units are no danger yet.
        let is_unable = sk.view.is_held(enemy) || sk.is_unaware(enemy);
        // A unit that gave up its Main for Total Defense has none on its next turn (SK-17).
        let is_to_come = sk.is_before_turn(sk.body(enemy).side);
        let is_idle = is_unable || is_to_come && sk.fighter(enemy).mains == 0;
        let speed = || sk.free_to_move(enemy).map_or(0, |()| sk.view.speed(enemy));
        (!is_idle).then(speed)
    }

    fn feet_before_shooting(sk: &SkirmishQuery, enemy: Id, item: Item) -> u16 {
        // Nocking a bow takes the Move, or only a Free action if trained (SK-22).
        let is_ready = sk.is_loaded(enemy, item) || sk.is_trained_to_load(enemy);
        let comes = Self::approach_feet(sk, enemy).filter(|_| is_ready);
        comes.unwrap_or(0)
    }

    fn charge(sk: &SkirmishQuery, enemy: Id) -> Option<Charge> {
        // SK-14: a charge takes the whole turn and can't start prone.
        let is_free = !sk.body(enemy).prone && sk.free_to_move(enemy).is_ok();
        is_free.then(|| Charge {
            who: enemy,
            least: 0,
            feet: sk.view.speed(enemy) * 2,
            occupancy: open_occupancy(sk, enemy),
        })
    }

    fn hinder_feet(sk: &SkirmishQuery, enemy: Id) -> Option<u16> {
        sk.hindering_reach(enemy)
    }

    fn unsaved(sk: &SkirmishQuery, _: &Spell, id: Id) -> i32 {
        (sk.save_needs(id, 0) - 1) * 5
    }

    fn stays_out(sk: &SkirmishQuery, enemy: Id) -> Option<Harmless> {
        sk.is_unaware(enemy).then_some(Harmless::Unaware)
    }

    fn score_of_move(eval: &Evaluation, offer: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        let screened = match offer.choice.verb == &SCREEN_FROM {
            true if !eval.is_worth_screening(offer) => return NEVER,
            true => SCREENED,
            false => 0,
        };
        let strikes = eval.can_run_and_attack();
        let then = if strikes { there.offense } else { 0 };
        let price = eval.cost_of_provoking(end.provoked) + i32::from(end.feet) / 5;
        there.place + then + eval.lurking(end.to, false) + screened - price
    }

    /// Enemies that are still unaware may be stalked.
    fn only_attacks(sk: &SkirmishQuery, who: Id) -> bool {
        let mut enemies = sk.view.enemies(sk.body(who).side);
        sk.view.sheet(who).spells.is_empty() && enemies.any(|enemy| !sk.is_unaware(enemy))
    }

    /// A unit that has moved came to attack, one in an enemy's reach attacks where it stands, and
    /// one with neither Main nor Move has nothing left that is worth a turn.
    fn sufficient_offers(sk: &SkirmishQuery, who: Id) -> Option<Few> {
        let (fighter, body) = (sk.fighter(who), sk.body(who));
        let done = Offer::legal(Choice::new(&DONE, who));
        if !fighter.can_move() {
            let is_spent = !timing::has_more(sk, who);
            return is_spent.then(|| Few::only(vec![done]));
        }
        let casts = !sk.view.sheet(who).spells.is_empty();
        let stalks = sk.watch(who).stalk.is_some();
        let is_bound = body.prone || sk.in_grapple(who) || sk.stance(who).swarm.is_some();
        if casts || stalks || is_bound || !ai::only_fights(&sk.view, who) {
            return None;
        }
        let (has_come, is_armed) = (fighter.moves == 0, sk.threat_reach(who).is_some());
        let mut near = sk.attackers_of(who).filter(|&id| !sk.stance(id).hidden);
        let is_engaged = !has_come && is_armed && near.next().is_some();
        if fighter.mains == 0 {
            let is_fit = body.hp * 3 > body.max_hp && !timing::has_more(sk, who);
            return (is_engaged && is_fit).then(|| Few::only(vec![done]));
        }
        if !has_come && !is_engaged {
            return None;
        }
        let mut offers = attacks(sk, who, is_engaged);
        offers.retain(Offer::is_legal);
        let is_meant = |offer: &Offer| match offer.choice.verb == &STRIKE {
            true => is_armed,
            false => has_come,
        };
        if !offers.iter().any(is_meant) {
            return None;
        }
        offers.push(done);
        let unless = Some(&DONE);
        Some(Few { offers, unless })
    }

    fn choose(eval: &Evaluation) -> (Choice, i32) {
        // A unit with neither Main nor Move has nothing left that is worth a turn.
        let (sk, who) = (eval.state, eval.who);
        let idle = eval.offers.iter().find(|o| o.choice.verb == &DONE);
        let spent = || !sk.fighter(who).can_move() && !timing::has_more(sk, who);
        if let Some(done) = idle.filter(|_| spent()) {
            return (done.choice.clone(), NEVER);
        }
        // On the unit's own turn there is always a better action than a rare one.
        let is_reaction = eval.is_reaction();
        ai::best_of(eval, |offer| !offer.rare || is_reaction)
    }
}

impl Evaluation<'_, '_, '_> {
    /// Whether the unit is reacting to something.
    fn is_reaction(&self) -> bool {
        self.offers.iter().any(|o| o.choice.verb == &PASS)
    }

    /// Whether the unit could still attack after a run.
    #[inline]
    fn can_run_and_attack(&self) -> bool {
        let fighter = self.state.fighter(self.who);
        fighter.moves > 0 && fighter.mains > 0
    }

    /// The expected cost of the attacks that an action here provokes.
    pub fn provocation_cost(&self) -> i32 {
        let enemies = self.state.provoked_by(self.who);
        self.cost_of_provoking(enemies.into_iter().fold(0, |set, enemy| set | enemy.bit()))
    }

    /// The score of an attack from the current cell.
    pub fn strike(&self, choice: &Choice) -> i32 {
        self.attack(choice) + self.stay() + 20
    }
}
