//! Events about holding, screening and hiding: surprise and hiding (SK-03), swarms (SK-13), screens
//! (SK-15), held actions (SK-26), traits that work once per battle (SK-71).

use super::{
    Skirmish,
    query::SkirmishQuery,
    state::{Stance, Swarm},
};
use crate::{
    battle::{
        Body, Choice, Id, Rule, Side, StepOutcome, all_units_mut, events, members, of_unit_mut,
    },
    grid::Cell,
    rulesets::common::hiding::Hides,
};
use bevy_ecs::world::World;

events! {
    /// Events about timing, screens and hiding.
    pub enum StanceEvent: RulesetEvent |world, names, unknown| {
        /// A round begins: held actions are lost, and screeners can answer again.
        RoundOpened
            log(silent)
            apply {
                for stance in all_units_mut::<Stance>(world) {
                    (stance.holding, stance.answered) = (false, 0);
                }
            };

        /// A side's turn begins: its screens end.
        TurnOpened { side: Side }
            log(silent)
            apply {
                let own = members(world, *side).into_iter();
                let bits = own.fold(0, |set, id| set | id.bit());
                for stance in all_units_mut::<Stance>(world) {
                    stance.screened_by &= !bits;
                }
            };

        /// These units are surprised; their enemies get a free round.
        Surprised { who: Vec<Id> }
            log(Heading "A free round: caught unaware: {who}")
            apply { who.iter().for_each(|id| stance(world, id).surprised = true) }
            known(Self::Surprised { who: unknown.known(who)? });

        /// The free round is over.
        SurpriseEnds
            log(silent)
            apply {
                for stance in all_units_mut::<Stance>(world) {
                    stance.surprised = false;
                }
            };

        /// A side could have been surprised, but all its units are alert.
        Expected { side: Side } log(Fact "{side} cannot be surprised");

        /// A hidden unit shows itself.
        Revealed { who: Id, at: Cell }
            log(Fact "{who} comes out of hiding")
            cue(Good, who, "seen")
            apply {
                stance(world, who).hidden = false;
                of_unit_mut::<Body>(world, *who).appear(*at);
            };

        Holds { who: Id }
            log(Detail "{who} waits for the right moment")
            apply { stance(world, who).holding = true };

        /// A unit takes its held action.
        Released { who: Id } log(silent) apply { stance(world, who).holding = false };

        /// A held action is lost, because the unit did not use it.
        HoldLost { who: Id }
            log(Detail "{who}'s held action is lost") apply { stance(world, who).holding = false };

        Swarms { who: Id, at: Id }
            log(Detail "{who} is part of a swarm on {at}")
            apply { stance(world, who).swarm = Some(Swarm { at: *at, struck: false }) };

        /// The swarm of a side makes its one attack.
        SwarmStrikes { side: Side, at: Id }
            log(silent)
            apply {
                for id in members(world, *side) {
                    if let Some(swarm) = &mut stance(world, &id).swarm
                        && swarm.at == *at
                    {
                        swarm.struck = true;
                    }
                }
            };

        /// A side's swarms end. Those in `unstruck` never attacked.
        SwarmsEnd { side: Side, unstruck: Vec<Id> }
            log(if (unstruck.is_empty()) { silent }
                else { Detail "The swarm on {unstruck} has no effect" })
            apply {
                for id in members(world, *side) {
                    stance(world, &id).swarm = None;
                }
            }
            known(Self::SwarmsEnd { side: *side, unstruck: unknown.known(unstruck)? });

        Screens { who: Id, ward: Id }
            log(Detail "{who} screens {ward}")
            apply { stance(world, ward).screened_by |= who.bit() };

        /// A screener has answered an attacker, with or without success.
        Answered { who: Id, by: Id }
            log(Trace "{who} stands in the way of {by}")
            apply { stance(world, who).answered |= by.bit() };

        /// The attack hits the screener instead of its ally.
        Intercepts { who: Id, ward: Id }
            log(Fact "{who} takes the attack meant for {ward}")
            cue(Defense, who, "in the way");

        Rerolls { who: Id } log(silent) apply { stance(world, who).rerolled = true };

        /// Several units react at the same moment; none sees the results of the others.
        Together { who: Vec<Id> }
            log(Detail "At the same time: {who}")
            known(Self::Together { who: unknown.known(who).filter(|who| who.len() > 1)? });

        SpareMain { who: Id }
            log(Detail "{who} has another Main this round")
            apply {
                stance(world, who).spare_spent = true;
                of_unit_mut::<super::state::Fighter>(world, *who).mains += 1;
            };
    }
}

fn stance<'w>(world: &'w mut World, who: &Id) -> &'w mut Stance {
    of_unit_mut::<Stance>(world, *who)
}

impl StanceEvent {
    /// SK-05: logs that several units react at the same moment.
    pub fn at_once<'a>(choices: impl Iterator<Item = &'a Choice>, outcome: &mut StepOutcome) {
        let who: Vec<Id> = choices.filter_map(|choice| choice.who).collect();
        if who.len() > 1 {
            outcome.emit("SK-05", Self::Together { who });
        }
    }
}

/// SK-03: only its own side knows where a hidden unit is.
impl Hides for Skirmish {
    const FOUND: Rule = "SK-03";

    fn is_hidden(sk: &SkirmishQuery, who: Id) -> bool {
        sk.stance(who).hidden
    }

    fn reveal(sk: &SkirmishQuery, who: Id, outcome: &mut StepOutcome) {
        sk.reveal(who, outcome);
    }
}

impl SkirmishQuery<'_, '_> {
    /// Whether a unit can react: it can act and is not surprised. A hidden unit that reacts is
    /// revealed first (SK-03).
    pub fn can_react(&self, id: Id) -> bool {
        self.can_act(id) && !self.stance(id).surprised
    }

    /// Whether a unit holds an action that it can take now (SK-26).
    pub fn waits(&self, id: Id) -> bool {
        self.stance(id).holding && self.can_react(id) && !self.body(id).flees
    }

    /// The standing enemies that a side knows of, in id order: all but hidden ones.
    pub fn known_enemies(&self, of: Side) -> impl Iterator<Item = Id> {
        self.view.enemies(of).filter(|&id| !self.stance(id).hidden)
    }

    /// Reveals a hidden unit that is about to act (SK-03).
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        if self.stance(who).hidden {
            let &Body { at, side, .. } = self.body(who);
            outcome.emit_reveal("SK-03", side, StanceEvent::Revealed { who, at });
        }
    }

    /// Whether a side's turn is still to come this round.
    pub fn turn_to_come(&self, side: Side) -> bool {
        let place = |s: Side| self.clock.order.iter().position(|&o| o == s);
        match (self.clock.turn.and_then(place), place(side)) {
            (Some(now), Some(own)) => own > now,
            _ => true,
        }
    }

    /// Whether no other side, as far as this side knows, has a turn after it this round.
    pub fn is_last(&self, side: Side) -> bool {
        let order = self.clock.order.iter().skip_while(|&&s| s != side);
        !order.skip(1).any(|&other| self.is_seen(other))
    }

    /// Whether other sides see at least one unit of a side.
    pub fn is_seen(&self, side: Side) -> bool {
        self.view.standing(side).any(|id| !self.stance(id).hidden)
    }

    /// Whether a side's turn this round has not begun.
    pub fn is_before_turn(&self, side: Side) -> bool {
        self.clock.turn != Some(side) && self.turn_to_come(side)
    }

    /// Whether a side's turn this round is over: what its units have left is lost unless they use
    /// it out of turn.
    pub fn turn_is_over(&self, side: Side) -> bool {
        self.clock.turn != Some(side) && !self.turn_to_come(side)
    }
}
