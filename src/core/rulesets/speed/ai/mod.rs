//! How the quick AI scores its offers under Speed. It reads only what its side knows.
//!
//! - `evaluation`: scores of attacks
//! - `plan`: what to declare
//! - `play`: what to do on the unit's count, and how to react

mod evaluation;
pub mod plan;
pub mod play;

use super::{
    acts::{self, CRAWL, GO_PRONE, LEAVE, MOVE, PICK_UP, SURGE},
    injury,
    numbers::Condition,
    query::SpeedQuery,
    state::{Ailment, Hurt},
    turn::DONE,
};
use crate::{
    battle::{Choice, Few, Id, Item, MoveEnd, Offer},
    grid::Range,
    rulesets::{
        common::{
            act,
            ai::{self, AttackOption, EndWorth, Hit, QuickAi},
        },
        speed::Speed,
    },
};
use evaluation::{attack, worth};
use std::{cell::OnceCell, sync::Arc};

/// What a unit knows and weighs while it decides.
type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Speed>;

/// Penalty to shoot with an enemy adjacent, in steps of the d20.
const ADJACENT_PENALTY: i32 = 4;

/// What the quick AI stores for a decision under Speed only.
#[derive(Default)]
pub struct Own {
    /// Whether the decision is a declaration.
    declares: bool,
    /// Whether only moves are offered.
    moves_only: bool,
    /// Cells that the unit can reach this round.
    range: OnceCell<Arc<Range>>,
    /// The score for intimidating each of its enemies, at any distance.
    threats: OnceCell<Vec<(Id, Option<i32>)>>,
}

impl QuickAi for Speed {
    act::acts!(
        Speed: acts::DECLARED,
        act::grouped(&acts::ACTS),
        &injury::CHOICES,
        acts::OTHERS
    );

    type Own = Own;
    /// Stress, Full Defense, lost ability points, injury effects and conditions.
    type Traits = (i32, bool, [i32; 6], Vec<Hurt>, Vec<Ailment>);

    fn own(_: &SpeedQuery, _: Id, offers: &[Offer]) -> Own {
        let is_act = |o: &Offer| o.is_legal() && is_act(&o.choice);
        let declares = |o: &Offer| acts::DECLARED.iter().any(|act| act.action == o.choice.verb);
        Own {
            declares: offers.iter().any(declares),
            moves_only: !offers.iter().any(is_act),
            ..Own::default()
        }
    }

    fn aim(sp: &SpeedQuery, by: Id, at: Id, arm: &mut AttackOption) {
        if sp.wields(by, arm.item).is_err() {
            return;
        }
        let plain = sp.plain(&attack(by, at, arm.item, arm.ranged));
        let outcomes = plain.outcomes();
        let hit = worth(&plain) * 20 / outcomes.max(1);
        arm.hits.push(Hit::new(outcomes, hit));
        if arm.ranged {
            arm.adjacent_penalty = Some(ADJACENT_PENALTY);
        }
    }

    fn traits(sp: &SpeedQuery, id: Id) -> Option<Self::Traits> {
        let f = sp.fighter(id);
        let (hurts, ailments) = (f.hurts.clone(), f.ailments.clone());
        Some((f.stress, f.full_defense, f.lost, hurts, ailments))
    }

    fn approach_feet(sp: &SpeedQuery, enemy: Id) -> Option<u16> {
        let able = sp.can_act(enemy).is_ok() && !sp.body(enemy).flees;
        able.then(|| sp.speed(enemy))
    }

    fn feet_before_shooting(sp: &SpeedQuery, enemy: Id, _: Item) -> u16 {
        sp.speed(enemy)
    }

    fn hinder_feet(sp: &SpeedQuery, enemy: Id) -> Option<u16> {
        sp.can_act(enemy).ok()?;
        let arms = sp.ready_arms(enemy);
        arms.filter_map(|item| sp.reach(enemy, item)).max()
    }

    fn hp_left_and_max(sp: &SpeedQuery, id: Id) -> (i32, i32) {
        let (body, fighter) = (sp.body(id), sp.fighter(id));
        let left = fighter.stress + body.hp.max(1);
        (left, fighter.max_stress + body.max_hp)
    }

    fn is_held(sp: &SpeedQuery, id: Id) -> bool {
        sp.fighter(id).suffers(Condition::Stunned) || sp.view.is_held(id)
    }

    /// A unit that has acted and is in melee ends its turn without scoring its other offers, unless
    /// it has at most a third of its hit points left or can surge.
    fn sufficient_offers(sp: &SpeedQuery, who: Id) -> Option<Few> {
        let (fighter, body) = (sp.fighter(who), sp.body(who));
        if fighter.now.is_none() || !fighter.standard || !body.is_up() {
            return None;
        }
        let mut surges = vec![];
        acts::surges(sp, who, &mut surges);
        let (left, max) = Self::hp_left_and_max(sp, who);
        let mut enemies = sp.view.enemies(body.side);
        let threatens = |enemy: Id| {
            let reach = sp.threat_reach(enemy);
            reach.is_some_and(|feet| sp.view.in_reach(enemy, who, feet))
        };
        let stays = left * 3 > max
            && !surges.iter().any(Offer::is_legal)
            && sp.threat_reach(who).is_some()
            && ai::only_fights(&sp.view, who)
            && enemies.any(threatens);
        stays.then(|| Few::only(vec![Offer::legal(Choice::new(&DONE, who))]))
    }

    fn is_move(eval: &Evaluation, offer: &Offer) -> bool {
        !eval.own.declares && offer.choice.verb == &MOVE
    }

    fn score_of_move(eval: &Evaluation, _: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        play::worth_of_move(eval, end, there)
    }
}

/// Whether the choice is more than a move or an extra that is offered with moves.
fn is_act(choice: &Choice) -> bool {
    ![&MOVE, &CRAWL, &LEAVE, &GO_PRONE, &PICK_UP, &SURGE, &DONE].contains(&choice.verb)
}
