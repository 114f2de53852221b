//! What waiting, snap attacks, Total Defense, swarms, screens, rerolls and the spare Main are worth
//! (SK-12, SK-13, SK-15, SK-17, SK-26, SK-71).

use super::super::{
    acts::{
        snap,
        swarm::{self, SWARM},
    },
    odds::SWARM_RULE,
};
use super::{
    Evaluation, OWN_LIFE, SkirmishQuery,
    acts::{attack, hit_and_miss, value},
};
use crate::{
    battle::{Choice, Id, Offer, RolledAttack, Side},
    content::Trait,
    grid::cells_apart,
    levels::CombatantIx,
};

/// Minimum worth of an attack for which a unit uses its spare Main.
const SPARE: i32 = 200;
/// A unit that hits with more than this many d20 results, out of 20, needs no swarm.
const HARD_TO_HIT: u32 = 7;
/// Worth of screening an ally that would fall more easily.
pub(super) const SCREENED: i32 = 45;

/// Whether a unit has something left to do without Main and Move.
pub(super) fn has_more(sk: &SkirmishQuery, who: Id) -> bool {
    let stance = sk.stance(who);
    let spare = sk.view.creature(who).has(Trait::SpareMain) && !stance.spare_spent;
    spare || stance.swarm.is_some_and(|s| !s.struck)
}

impl Evaluation<'_, '_, '_> {
    /// The worth of keeping the Main, more if the unit's turn is still to come this round.
    pub(super) fn main_later(&self) -> i32 {
        match self.state.turn_to_come(self.side()) {
            true => self.offense(self.here).max(150),
            false => 20,
        }
    }

    /// The score of a snap attack: its own worth, and the enemy's action that it may prevent.
    pub fn snap(&self, offer: &Offer) -> Option<i32> {
        let sk = self.state;
        let attack = snap::attack(&offer.choice);
        let forecast = sk.forecast(&attack).ok()?;
        let enemy = attack.at;
        let is_ours = |id| sk.body(id).side == self.side();
        let attacks = sk.pending_attacks.all().iter();
        let against_us = attacks.filter(|s| s.attack.by == enemy && is_ours(s.attack.at));
        let harm: i32 = against_us.map(|attack| self.loss_to(attack)).sum();
        // The target of a rare offer is not acting right now.
        let spoils = !sk.view.sheet(enemy).spells.is_empty() && harm == 0 && !offer.rare;
        let threat = match harm > 0 || offer.rare {
            true => harm,
            false => self.cost_of_provoking(enemy.bit()),
        };
        let drop = forecast.drop().percent() as i32;
        let spoiled = i32::from(spoils) * forecast.hit().percent() as i32 * 2;
        Some(value(&forecast) + threat * drop / 100 + spoiled - self.main_later())
    }

    /// The cost to the target of an attack that is already rolled.
    fn loss_to(&self, rolled_attack: &RolledAttack) -> i32 {
        let Ok(forecast) = self.state.forecast(&rolled_attack.attack) else {
            return 0;
        };
        let hp = self.state.body(rolled_attack.attack.at).hp.max(1);
        if rolled_attack.roll.total() >= forecast.ac {
            let mean = forecast.damage.mean_x10().min(hp * 10);
            mean * OWN_LIFE / 10 / hp + forecast.damage.at_least(hp).percent() as i32 * 8
        } else {
            forecast.shock.points().min(hp) * OWN_LIFE / hp
        }
    }

    /// The score of Total Defense: whether preventing the hit or the Shock is worth the Main.
    pub fn defend(&self) -> i32 {
        let sk = self.state;
        let hp = sk.body(self.who).hp;
        let mut saved = 0;
        let attacks = sk.pending_attacks.all().iter();
        for rolled_attack in attacks.filter(|s| s.attack.at == self.who) {
            let Ok(f) = sk.forecast(&rolled_attack.attack) else {
                continue;
            };
            saved += match rolled_attack.roll.total() - f.ac {
                2.. => 0,
                0..2 => {
                    let mean = f.damage.mean_x10() * OWN_LIFE / 10 / hp.max(1);
                    mean + f.damage.at_least(hp).percent() as i32 * 8
                }
                ..0 => f.shock.points() * OWN_LIFE / hp.max(1),
            };
        }
        if saved > 0 {
            return saved - self.main_later();
        }
        if self.is_reaction() {
            return -1;
        }
        // Before any attack it gains nothing: the reaction to a roll is early enough.
        self.stay() - 1
    }

    /// The score of rolling a die again: the worth of another roll, if that is not small.
    pub fn reroll(&self, choice: &Choice) -> Option<i32> {
        // For a check, only the chance is known.
        if let Some(percent) = choice.number {
            return Some(percent * 4 - 100);
        }
        let mut last = self.state.pending_attacks.all().iter().rev();
        let last = last.find(|s| s.attack.by == self.who && Some(s.attack.at) == choice.at)?;
        let f = self.state.forecast(&last.attack).ok()?;
        Some(f.hit().favourable as i32 * hit_and_miss(&f).0 / 20 - 100)
    }

    /// The score of taking the held action: as soon as the unit can attack.
    pub fn act_now(&self) -> i32 {
        match self.offense(self.here) {
            0 => -1,
            offense => offense,
        }
    }

    /// The worth of holding: like ending the turn with a Main left, and better if an enemy may yet
    /// come.
    pub fn wait(&self) -> Option<i32> {
        let here = self.here;
        let is_free = self.can_run_and_attack() && self.enemies_to_come();
        let is_wise = is_free && self.danger(here) != 0 && self.offense(here) <= 0;
        is_wise.then(|| self.danger(here) / 10 + 1)
    }

    /// Whether an enemy's turn is still to come this round.
    fn enemies_to_come(&self) -> bool {
        let sk = self.state;
        let place = |side: Side| sk.clock.order.iter().position(|&s| s == side);
        let own = place(self.side());
        let mut later = self.view.roster.sides().filter(|&side| place(side) > own);
        later.any(|side| self.view.standing(side).next().is_some())
    }

    /// The worth of joining a swarm: only for units that seldom hit the enemy alone. The swarm's
    /// gain over separate attacks is shared among its members.
    pub fn swarm(&self, choice: &Choice) -> Option<i32> {
        let at = choice.at?;
        let mut attack = attack(self.who, at, choice.with?, choice.verb != &SWARM);
        let alone = self.state.forecast(&attack).ok()?;
        if alone.hit().favourable > HARD_TO_HIT {
            return None;
        }
        let (joined, apart) = self.helpers(at);
        let others = (joined + apart.len()).min(3);
        if others == 0 {
            return None;
        }
        let alone = value(&alone);
        (attack.rule, attack.extra) = (SWARM_RULE, swarm::bonus(others));
        let together = self.worth_of_attack(&attack);
        let all_apart = alone + apart.iter().take(others).sum::<i32>();
        if together * 20 <= all_apart * 23 {
            return None;
        }
        let share = (together - all_apart) / (others as i32 + 1);
        Some(alone + share + 20)
    }

    /// How many allies have joined the swarm on an enemy, and the worth of the attacks of those
    /// that could join from where they stand.
    fn helpers(&self, at: Id) -> (usize, Vec<i32>) {
        let sk = self.state;
        let (mut joined, mut apart) = (0, vec![]);
        let in_turn = sk.clock.turn == Some(self.side());
        let allies = self.view.standing(self.side());
        for id in allies.filter(|&id| id != self.who) {
            if sk.stance(id).swarm.is_some_and(|s| s.at == at && !s.struck) {
                joined += 1;
                continue;
            }
            // Outside the side's turn, no ally can be counted on to join (SK-26).
            if in_turn && swarm::could_join(sk, id) {
                let attacks = sk.ready_attacks(id, at, "SK-10");
                let worths = attacks.filter_map(|attack| Some(value(&sk.forecast(&attack).ok()?)));
                apart.extend(worths.max());
            }
        }
        apart.sort_unstable();
        (joined, apart)
    }

    /// The worth of making the swarm's attack: only when no ally is left that could join.
    pub fn lead(&self, choice: &Choice) -> Option<i32> {
        let attack = swarm::attack(self.state, choice)?;
        let (joined, apart) = self.helpers(attack.at);
        let is_complete = joined >= 3 || apart.is_empty();
        is_complete.then(|| self.worth_of_attack(&attack) + 1000)
    }

    /// The worth of the spare Main: good when the Main is spent and an attack is worthwhile.
    pub fn spare(&self) -> Option<i32> {
        let offense = self.offense(self.here);
        (self.state.fighter(self.who).mains == 0 && offense >= SPARE).then_some(offense)
    }

    /// The worth of screening an ally from where the unit stands, with a Move that it does not need
    /// otherwise.
    pub fn screen(&self, offer: &Offer) -> Option<i32> {
        if !self.is_worth_screening(offer) {
            return None;
        }
        let then = match self.state.fighter(self.who).mains {
            0 => 0,
            _ => self.offense(self.here),
        };
        Some(then + SCREENED)
    }

    /// Whether a screen protects an ally that is in danger, stays in the battle and would fall much
    /// sooner. A key unit screens only another one: its own fall costs more.
    pub(super) fn is_worth_screening(&self, offer: &Offer) -> bool {
        let sk = self.state;
        let Some(ward) = offer.choice.at else {
            return false;
        };
        let is_key = |id: Id| sk.view.level().is_key(CombatantIx(id.0));
        if sk.body(ward).flees || is_key(self.who) && !is_key(ward) {
            return false;
        }
        let there = sk.body(ward).space();
        // A screener behind its ally stops no missiles (SK-16).
        let place = self.space(offer.choice.to.unwrap_or(self.here));
        let in_danger = || {
            self.dangers().iter().any(|d| {
                let apart = cells_apart(d.space, there) * 5;
                let between = cells_apart(d.space, place) * 5 <= apart;
                apart <= d.strike || apart <= d.range && between
            })
        };
        let prey = self.toughness(ward) * 3 < self.toughness(self.who) * 2;
        let known = sk.stance(ward).screened_by & self.who.bit() != 0;
        sk.fighter(self.who).moves > 0 && !known && prey && in_danger()
    }

    /// How long a unit survives attacks: its hit points, divided by how often attacks hit.
    fn toughness(&self, id: Id) -> i32 {
        let (ac, _) = self.state.armour_class(id, false);
        self.state.body(id).hp.max(0) * 20 / (22 - ac).max(2)
    }
}
