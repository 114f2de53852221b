//! How the quick AI scores its offers. It reads only what its side knows.
//!
//! - `evaluation`: the worth of attacks
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
    battle::{Choice, Id, Item, MoveEnd, Offer},
    grid::Range,
    rulesets::{
        common::{
            act,
            ai::{self, Arm, QuickAi},
        },
        speed::Speed,
    },
};
use std::{cell::OnceCell, sync::Arc};

/// What a unit knows and weighs while it decides.
type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Speed>;

/// What only this ruleset stores for a decision.
pub struct Own {
    /// Whether the decision is a declaration.
    declares: bool,
    /// Whether only moves are offered.
    moves_only: bool,
    /// Cells that the unit can reach this round.
    range: OnceCell<Arc<Range>>,
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
            range: OnceCell::new(),
        }
    }

    fn aim(sp: &SpeedQuery, by: Id, at: Id, arm: &mut Arm) {
        evaluation::aim(sp, by, at, arm);
    }

    fn traits(sp: &SpeedQuery, id: Id) -> Option<Self::Traits> {
        let f = sp.fighter(id);
        let (hurts, ailments) = (f.hurts.clone(), f.ailments.clone());
        Some((f.stress, f.full_defense, f.lost, hurts, ailments))
    }

    fn comes(sp: &SpeedQuery, enemy: Id) -> Option<u16> {
        let able = sp.can_act(enemy).is_ok() && !sp.body(enemy).flees;
        able.then(|| sp.speed(enemy))
    }

    fn comes_to_shoot(sp: &SpeedQuery, enemy: Id, _: Item) -> u16 {
        sp.speed(enemy)
    }

    fn hinders(sp: &SpeedQuery, enemy: Id) -> Option<u16> {
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

    fn score_at_most<'m>(
        eval: &'m Evaluation,
        offer: &'m Offer,
    ) -> Option<impl Fn(MoveEnd) -> i32 + 'm> {
        let is_move = !eval.own.declares && offer.choice.verb == &MOVE;
        is_move.then_some(|end| play::stride_at_most(eval, end))
    }

    fn score_to_beat(eval: &Evaluation, _: &Offer, end: MoveEnd, beat: i32) -> Option<i32> {
        play::stride(eval, end, beat)
    }
}

/// Whether the choice is more than a move or an extra that is offered with moves.
fn is_act(choice: &Choice) -> bool {
    ![&MOVE, &CRAWL, &LEAVE, &GO_PRONE, &PICK_UP, &SURGE, &DONE].contains(&choice.verb)
}
