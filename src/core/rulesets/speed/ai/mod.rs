//! How the quick AI scores its offers under Speed. It reads only what its side knows.
//!
//! - this file: scores of attacks
//! - `plan`: what to declare
//! - `play`: what to do on the unit's count, and how to react

pub mod plan;
pub mod play;

use super::{
    Speed,
    acts::{self, weapon_attack},
    injury,
    numbers::SpeedCondition,
    odds::Forecast,
    query::SpeedQuery,
    state::{Ailment, Hurt},
    turn::DONE,
};
use crate::{
    battle::{Attack, Choice, Few, Id, Item, MoveEnd, Offer},
    grid::{Cell, Range, Space},
    rulesets::common::{
        act,
        ai::{self, AttackOption, EndWorth, HURT, Hit, KILL, QuickAi, Target},
    },
};
use std::{cell::OnceCell, sync::Arc};

type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Speed>;

/// Penalty to shoot with an enemy adjacent, in steps of the d20.
const ADJACENT_PENALTY: i32 = 4;

/// Worth of acting one count earlier.
pub const COUNT: i32 = 6;

#[derive(Default)]
pub struct Own {
    /// Cells that the unit can reach this round.
    range: OnceCell<Arc<Range>>,
    /// The score for intimidating each of its enemies, at any distance.
    threats: OnceCell<Vec<(Id, Option<i32>)>>,
}

impl QuickAi for Speed {
    act::acts!(
        Speed: acts::DECLARED,
        act::grouped(acts::ACTS),
        &injury::CHOICES,
        acts::OTHERS
    );

    type Own = Own;
    /// Stress, Full Defense, lost ability points, injury effects and conditions.
    type Traits = (i32, bool, [i32; 6], Vec<Hurt>, Vec<Ailment>);

    fn aim(sp: &SpeedQuery, by: Id, at: Id, option: &mut AttackOption) {
        if sp.wields(by, option.item).is_err() {
            return;
        }
        let plain = sp.plain(&attack(by, at, option.item, option.ranged));
        let outcomes = plain.outcomes();
        let hit = worth(&plain) * 20 / outcomes.max(1);
        option.hits.push(Hit::new(outcomes, hit));
        if option.ranged {
            option.adjacent_penalty = Some(ADJACENT_PENALTY);
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
        let weapons = sp.ready_weapons(enemy);
        weapons.filter_map(|item| sp.reach(enemy, item)).max()
    }

    fn hp_left_and_max(sp: &SpeedQuery, id: Id) -> (i32, i32) {
        let (body, fighter) = (sp.body(id), sp.fighter(id));
        let left = fighter.stress + body.hp.max(1);
        (left, fighter.max_stress + body.max_hp)
    }

    fn is_held(sp: &SpeedQuery, id: Id) -> bool {
        sp.fighter(id).suffers(SpeedCondition::Stunned) || sp.view.is_held(id)
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

    fn score_of_move(eval: &Evaluation, _: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        let offense = |item, thrown| match there.is_exact {
            true => eval.offense_with(end.to, item, thrown),
            false => there.offense,
        };
        let price = eval.cost_of_provoking(end.provoked) + i32::from(end.feet) / 5;
        play::worth_from(eval, end.to, offense) + there.place - price
    }
}

impl Evaluation<'_, '_, '_> {
    /// Worth of the unit's best attack with one weapon from a cell.
    pub fn offense_with(&self, from: Cell, item: Item, thrown: bool) -> i32 {
        let ranged = thrown || self.shoots(item);
        self.best_of(from, |_, option| {
            option.item == item && option.ranged == ranged
        })
    }

    /// Whether a move this round leads to a cell from which the weapon reaches the target.
    /// Closed doors and bodies block the way.
    pub fn can_reach_target(&self, target: &Target, option: &AttackOption) -> bool {
        let board = &self.view.board;
        self.can_get_where(|here| match option.ranged {
            true => {
                board.within(here, target.space, option.far) && board.sight(here, target.space).los
            }
            false => board.in_reach(here, target.space, option.far),
        })
    }

    /// Whether a move this round leads to a place where `will_do` holds.
    pub fn can_get_where(&self, will_do: impl Fn(Space) -> bool) -> bool {
        let range = self.own.range.get_or_init(|| self.state.range(self.who));
        let mut ends = range.cells().filter(|end| end.may_stop);
        ends.any(|end| will_do(self.space(end.cell)))
    }

    /// Whether the weapon cannot be used in melee.
    pub fn shoots(&self, item: Item) -> bool {
        self.view.weapon(item).melee.is_none()
    }
}

pub fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, weapon_attack::STRIKE.rule)
}

/// The worth of an attack: the share of the remaining Stress and Wound Points that it takes.
/// Damage that skips Stress counts more, and taking the last Wound Point counts most.
pub fn worth(f: &Forecast) -> i32 {
    let wounds = f.wounds.max(1);
    let pool = f.stress + wounds;
    // Most Wound Points that the attack can take; 0 for a fallen target if it is not lethal.
    let open = if f.lethal { wounds } else { f.wounds.max(0) };
    let crits = f.critical_outcomes();
    let (least, most) = f.span(false);
    let plain = ((least + most) * 5).min((f.stress + open) * 10);
    let (least, most) = f.span(true);
    let critical = ((least + most) * 5).min(open * 10);
    let hurt = (f.outcomes() - crits) * plain * HURT / pool + crits * critical * HURT / wounds;
    hurt / 200 + f.drop_percent() as i32 * KILL / 100
}
