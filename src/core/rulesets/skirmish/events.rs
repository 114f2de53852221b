//! Skirmish's own events.

use super::state::{ActionCost, Alertness, Clock, Fighter};
use crate::battle::{
    Id, LogField, Names, Side, all_units_mut, events, members, of_unit_mut, signed,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

events! {
    /// Events that only Skirmish has.
    pub enum SkirmishEvent: RulesetEvent |world, names, unknown| {
        Order { order: Vec<Side> }
            log(Fact "Turn order: {order}")
            apply { world.resource_mut::<Clock>().order.clone_from(order) }
            known(Self::Order {
                order: order.iter().copied().filter(|side| !unknown.has_side(*side)).collect(),
            });

        /// A round begins: every unit has a Main and a Move.
        Refreshed
            log(silent)
            apply {
                for f in all_units_mut::<Fighter>(world) {
                    (f.mains, f.moves) = (1, 1);
                    (f.disengaged, f.charged, f.shield_spent) = (0, false, false);
                }
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.turn = None;
            };

        /// A side's turn begins: its Total Defenses end.
        TurnOpened { side: Side }
            log(silent)
            apply {
                for id in members(world, *side) {
                    let f = fighter(world, &id);
                    (f.defending, f.done, f.frees, f.draws) = (false, false, 0, 0);
                }
                world.resource_mut::<Clock>().turn = Some(*side);
            };

        Spent { who: Id, action: ActionCost }
            log(Trace "{who} spends {action}") apply { spend(world, who, *action) };

        Defends { who: Id }
            log(Detail "{who} has AC {more} and takes no Shock", more = signed(2))
            cue(Defense, who, "total defense")
            apply { fighter(world, who).defending = true };

        Disengaged { who: Id, from: Vec<Id> }
            log(Detail "{who} is disengaged from {from}")
            apply {
                let bits = from.iter().fold(0, |set, id| set | id.bit());
                fighter(world, who).disengaged |= bits;
            }
            known(Self::Disengaged {
                who: (!unknown.has(*who)).then_some(*who)?,
                from: unknown.known(from)?,
            });

        /// An attack of opportunity felled a unit before its action took effect (SK-06).
        Interrupted { who: Id }
            log(Fact "{who} is interrupted: the action has no effect")
            cue(Stop, who, "interrupted");

        Charged { who: Id }
            log(Detail "{who} has AC {less} this round", less = signed(-2))
            apply { fighter(world, who).charged = true };

        /// An unarmed attack: for a while the unit counts as a melee attacker (SK-11).
        Brawled { who: Id }
            log(silent)
            apply { fighter(world, who).brawled = Some(world.resource::<Clock>().round) };

        ShieldSpent { who: Id }
            log(Detail "{who}'s shield ignores the Shock")
            cue(Defense, who, "no Shock")
            apply { fighter(world, who).shield_spent = true };

        /// Shock that was stopped, other than by a shield.
        ShockStopped { who: Id, by: &'static str }
            log(Detail "Shock against {who} is stopped by {by}")
            cue(Defense, who, "no Shock");

        Done { who: Id }
            log(Trace "{who} is done for the turn") apply { fighter(world, who).done = true };

        Dying { who: Id, rounds: u8 }
            log(if (*rounds == 0) { Fact "{who} is mortally injured" }
                else { Detail "{who} has lain dying for {rounds} of 6 rounds" })
            cue(Bad, who, "dying")
            apply { fighter(world, who).dying = Some(*rounds) };

        Stabilised { who: Id }
            log(Fact "{who} is stabilised")
            cue(Good, who, "stabilised")
            apply { fighter(world, who).dying = None };
    }
}

fn fighter<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    of_unit_mut::<Fighter>(world, *who)
}

fn spend(world: &mut World, who: &Id, action: ActionCost) {
    let is_main = matches!(action, ActionCost::Main | ActionCost::MainAsMove);
    if let Some(stalk) = &mut of_unit_mut::<Alertness>(world, *who).stalk {
        // Starting a stalk resets this (SK-56).
        stalk.busy |= is_main;
    }
    let f = fighter(world, who);
    let purse = match action {
        ActionCost::Main | ActionCost::MainAsMove => &mut f.mains,
        ActionCost::Move => &mut f.moves,
        ActionCost::Free => {
            f.frees += 1;
            return;
        }
        ActionCost::Draw => {
            f.draws += 1;
            return;
        }
    };
    *purse = purse.checked_sub(1).expect("an action is spent once");
}

impl LogField for ActionCost {
    fn in_log<'a>(&'a self, _: &'a Names) -> Cow<'a, str> {
        let what = match self {
            Self::Main => "the Main action",
            Self::Move => "the Move action",
            Self::MainAsMove => "the Main action as a Move",
            Self::Free => "a Free action",
            Self::Draw => "the turn's free draw",
        };
        what.into()
    }
}
