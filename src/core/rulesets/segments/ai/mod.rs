//! How the quick AI scores its offers. It uses only what its side knows: enemy declarations are
//! secret.
//!
//! - this file: the worth of attacks, the unit's own and its enemies', and other actions of a turn
//! - `plans`: what to declare, and whether to hold
//! - `magic`: the worth of spells, and the risk that they are spoiled

mod magic;
mod plans;

use super::{
    Segments,
    acts::{self, charge_end_at, has_a_charge},
    declare,
    movement::Pace,
    numbers,
    odds::Forecast,
    query::SegmentsQuery,
    state::{AttackSpec, Intent, segment_of},
};
use crate::{
    battle::{Choice, Few, Harmless, Id, MoveEnd, Offer, SpellId},
    content::Spell,
    grid::{Cell, Space},
    rulesets::common::{
        act,
        ai::{self, AttackOption, Charge, EndWorth, Hit, KILL, OWN_LIFE, QuickAi, worth_of_hit},
        attacks::{ToHit, attack_of},
        inventory::{price_of_throwing, worthwhile_gain},
    },
};

/// Worth of spoiling a spell.
const SPOIL: i32 = 450;

type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Segments>;

impl QuickAi for Segments {
    act::acts!(Segments: acts::DECLARED, act::grouped(acts::ACTS), acts::OTHERS);

    type Own = ();
    /// Whether the unit has charged this round, and the worth of hitting it for its spells.
    type Traits = (bool, i32);
    /// Charges are rare (SE-51): an enemy that must move first seldom attacks at once.
    const COMING: i32 = 33;

    fn aim(se: &SegmentsQuery, by: Id, at: Id, option: &mut AttackOption) {
        let spec = |item| {
            let spec = AttackSpec::new(by, at, item, option.ranged, "SE-50");
            let plain = se.unobstructed_forecast(&spec);
            Hit::new(21 - plain.needs(), worth_of(se, at, &plain))
        };
        option.hits = match option.ranged {
            true => vec![spec(option.item); se.missiles(by, option.item)],
            false if se.openers(by).contains(&option.item) => {
                let routine = se.routine(by, option.item);
                // One forecast serves all attacks with a weapon.
                let alike = routine.chunk_by(|a, b| a == b);
                let specs = alike.flat_map(|same| std::iter::repeat_n(spec(same[0]), same.len()));
                specs.collect()
            }
            false => vec![],
        };
        if option.ranged {
            option.adjacent_penalty = None;
        }
    }

    fn traits(se: &SegmentsQuery, id: Id) -> Option<Self::Traits> {
        let charged = se.fighter(id).charged == Some(se.clock.round);
        Some((charged, Self::worth_of_disrupting(se, id)))
    }

    /// SE-53: the other units in the melee may be hit instead. Hits on allies count double against
    /// the missile.
    fn clean(se: &SegmentsQuery, by: Id, at: Id) -> i32 {
        let around = se.melee_around(by, at);
        let all: i32 = around.iter().map(|a| i32::from(a.1)).sum();
        let mine = se.body(by).side;
        let share = |(id, size): &(Id, u16)| {
            let friend = se.body(*id).side == mine;
            i32::from(*size) * if friend { -2 } else { 1 }
        };
        around.iter().map(share).sum::<i32>() * 100 / all.max(1)
    }

    fn approach_feet(se: &SegmentsQuery, enemy: Id) -> Option<u16> {
        (!se.view.is_held(enemy)).then(|| se.view.speed(enemy) * 2)
    }

    fn charge(se: &SegmentsQuery, enemy: Id) -> Option<Charge> {
        // SE-51: once in ten rounds, not while prone, and not out of melee.
        let may = has_a_charge(se, enemy) && !se.body(enemy).prone && !se.is_engaged(enemy);
        may.then(|| Charge {
            who: enemy,
            least: 0,
            feet: se.feet(enemy, Pace::Charge),
            occupancy: se.occupancy(enemy, 0),
        })
    }

    fn charge_end(se: &SegmentsQuery, charge: &Charge, there: Space, reach: u16) -> Option<Cell> {
        let range = se.quiet_range(charge.who, charge.feet);
        charge_end_at(se, charge.who, there, reach, &range)
    }

    fn stays_out(se: &SegmentsQuery, enemy: Id) -> Option<Harmless> {
        se.is_afraid(enemy).then_some(Harmless::Flees)
    }

    fn hinder_feet(se: &SegmentsQuery, enemy: Id) -> Option<u16> {
        (se.is_armed(enemy) && !se.view.is_held(enemy)).then_some(numbers::NEXT_TO)
    }

    fn unsaved(se: &SegmentsQuery, _: &Spell, id: Id) -> i32 {
        (se.stats(id).save - 1) * 5
    }

    /// A hit on a casting unit spoils its spell; a unit that can still cast harmful spells is worth
    /// more than one that cannot.
    fn worth_of_disrupting(se: &SegmentsQuery, id: Id) -> i32 {
        if se.casting(id).is_some() {
            return SPOIL;
        }
        let harms = |&spell: &SpellId| se.view.spell(spell).effect.harms();
        se.spells(id).filter(harms).take(3).count() as i32 * 40
    }

    /// A unit that meant to attack and has an enemy in reach attacks where it stands, and one with
    /// a target for its missiles shoots.
    fn sufficient_offers(se: &SegmentsQuery, who: Id) -> Option<Few> {
        let (fighter, is_engaged) = (se.fighter(who), se.is_engaged(who));
        if !ai::only_fights(&se.view, who) {
            return None;
        }
        let ranged = match fighter.intent? {
            Intent::Attack if is_engaged => false,
            Intent::Missiles if !is_engaged => true,
            _ => return None,
        };
        let mut offers = acts::attacks(se, who, ranged);
        offers.retain(Offer::is_legal);
        offers.push(Offer::legal(Choice::new(&acts::DONE, who)));
        let unless = Some(&acts::DONE);
        (offers.len() > 1).then_some(Few { offers, unless })
    }

    fn score_of_move(eval: &Evaluation, _: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        // Attacks from behind hit more often.
        let provoked = eval.cost_of_provoking(end.provoked) * 5 / 4;
        there.place - provoked - i32::from(end.feet) / 5
    }
}

/// The worth of a hit: damage, a drop, a spoiled spell.
fn worth_of(se: &SegmentsQuery, at: Id, f: &Forecast) -> i32 {
    worth_of_hit(f.hp, &f.damage) + Segments::worth_of_disrupting(se, at)
}

impl Evaluation<'_, '_, '_> {
    /// The worth of all attacks that a choice makes, from the cell where it makes them.
    pub fn attacks(&self, choice: &Choice) -> i32 {
        let Some((specs, from)) = act::attack_of::<Segments>(self.state, choice) else {
            return 0;
        };
        let worth = |spec: &AttackSpec| {
            let forecast = self.state.forecast_from(spec, from).ok();
            forecast.map_or(0, |f| self.worth(spec.attack.at, &f))
        };
        specs.iter().map(worth).sum()
    }

    /// Missiles are worth less for the allies that they may hit.
    pub fn shoot(&self, choice: &Choice) -> i32 {
        let attack = attack_of(choice, true);
        let clean = Segments::clean(self.state, self.who, attack.at);
        let price = price_of_throwing(self.view, &attack);
        self.attacks(choice) * clean / 100 - price + self.stay()
    }

    /// A charge is worth its attacks, less what a set spear could do first.
    pub fn charge(&self, choice: &Choice) -> Option<i32> {
        let (to, at) = (choice.to?, choice.at?);
        // The next charge is ten rounds away: don't spend it on little damage, to leave a position
        // that should be held, or with a weapon that must be drawn first.
        let mut price = 60;
        if self.holds_out() {
            price += 250;
        }
        if choice.with != self.state.inventory(self.who).in_hand() {
            price += 80;
        }
        Some(self.attacks(choice) - price + self.place(to) - self.spear_of(at))
    }

    /// The expected loss to a target's spear, halved because the unit can't know if it is set.
    fn spear_of(&self, enemy: Id) -> i32 {
        let se = self.state;
        let Some(spear) = declare::spear(se, enemy) else {
            return 0;
        };
        let acted = se.clock.round > 0 && se.fighter(enemy).due == 0;
        if acted || !se.can_react(enemy) {
            return 0;
        }
        let f = se.unobstructed_forecast(&AttackSpec::of_set_spear(enemy, self.who, spear));
        (f.mean_damage_x200() * OWN_LIFE / 200 / f.hp.max(1)).min(OWN_LIFE) / 2
    }

    /// Worth it only for a unit whose own weapons are much worse.
    pub fn pick_up(&self, choice: &Choice) -> Option<i32> {
        let gain = worthwhile_gain(self.view, self.who, choice.with?)?;
        Some(12 * gain)
    }

    /// Worth more the closer the ally is to death.
    pub fn bind(&self, choice: &Choice) -> Option<i32> {
        let near = (-self.state.body(choice.at?).hp).clamp(0, 10);
        Some(150 + near * 40)
    }

    /// The worth of an attack in the current position.
    fn worth(&self, at: Id, f: &Forecast) -> i32 {
        f.outcomes() as i32 * worth_of(self.state, at, f) / 20
    }
}
