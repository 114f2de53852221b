//! Skirmish's own events: what they change, and their log text.

use super::state::{ActionCost, Clock, Fighter, Watch};
use crate::battle::{
    Cue, CueKind, EventKind, Id, Line, LogLevel, Names, RulesetEvent, Side, Unknown, all_units_mut,
    members, of_unit_mut, signed,
};
use bevy_ecs::world::World;
use serde::Serialize;

/// Events that only Skirmish has.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum SkirmishEvent {
    Order {
        order: Vec<Side>,
    },
    /// A round begins: every unit has a Main and a Move.
    Refreshed,
    /// A side's turn begins: its Total Defenses end.
    TurnOpened {
        side: Side,
    },
    Spent {
        who: Id,
        action: ActionCost,
    },
    Defends {
        who: Id,
    },
    Disengaged {
        who: Id,
        from: Vec<Id>,
    },
    Charged {
        who: Id,
    },
    /// An unarmed attack: for a while the unit counts as a melee attacker (SK-11).
    Brawled {
        who: Id,
    },
    ShieldSpent {
        who: Id,
    },
    /// Shock that was stopped, other than by a shield.
    ShockStopped {
        who: Id,
        by: &'static str,
    },
    Done {
        who: Id,
    },
    Dying {
        who: Id,
        rounds: u8,
    },
    Stabilised {
        who: Id,
    },
}

impl RulesetEvent for SkirmishEvent {
    fn apply(&self, world: &mut World) {
        match self {
            Self::Order { order } => {
                let mut clock = world.resource_mut::<Clock>();
                clock.order.clone_from(order);
            }
            Self::Refreshed => {
                for f in all_units_mut::<Fighter>(world) {
                    (f.mains, f.moves) = (1, 1);
                    (f.disengaged, f.charged, f.shield_spent) = (0, false, false);
                }
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.turn = None;
            }
            Self::TurnOpened { side } => {
                for id in members(world, *side) {
                    let f = of_unit_mut::<Fighter>(world, id);
                    (f.defending, f.done, f.frees, f.draws) = (false, false, 0, 0);
                }
                world.resource_mut::<Clock>().turn = Some(*side);
            }
            Self::Spent { who, action } => {
                let is_main = matches!(action, ActionCost::Main | ActionCost::MainAsMove);
                if let Some(stalk) = &mut of_unit_mut::<Watch>(world, *who).stalk {
                    // Starting a stalk resets this (SK-56).
                    stalk.busy |= is_main;
                }
                let f = of_unit_mut::<Fighter>(world, *who);
                let f = &mut *f;
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
            Self::Defends { who } => of_unit_mut::<Fighter>(world, *who).defending = true,
            Self::Disengaged { who, from } => {
                let bits = from.iter().fold(0, |set, id| set | id.bit());
                of_unit_mut::<Fighter>(world, *who).disengaged |= bits;
            }
            Self::Charged { who } => of_unit_mut::<Fighter>(world, *who).charged = true,
            Self::Brawled { who } => {
                let round = world.resource::<Clock>().round;
                of_unit_mut::<Fighter>(world, *who).brawled = Some(round);
            }
            Self::ShieldSpent { who } => of_unit_mut::<Fighter>(world, *who).shield_spent = true,
            Self::ShockStopped { .. } => {}
            Self::Done { who } => of_unit_mut::<Fighter>(world, *who).done = true,
            Self::Dying { who, rounds } => {
                of_unit_mut::<Fighter>(world, *who).dying = Some(*rounds);
            }
            Self::Stabilised { who } => of_unit_mut::<Fighter>(world, *who).dying = None,
        }
    }

    fn without(&self, unknown: Unknown) -> Option<EventKind> {
        let known = match self {
            Self::Order { order } => {
                let known = order.iter().copied();
                let order = known.filter(|side| !unknown.has_side(*side)).collect();
                Self::Order { order }
            }
            Self::Disengaged { who, from } if !unknown.has(*who) => Self::Disengaged {
                who: *who,
                from: unknown.known(from)?,
            },
            _ => return None,
        };
        Some(known.into())
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        use LogLevel::*;
        let title = |id: &Id| names.title(*id);
        match self {
            Self::Order { order } => {
                let order: Vec<_> = order.iter().map(|s| names.side_in_line(*s)).collect();
                Line::new(Fact, format!("Turn order: {}", order.join(", ")))
            }
            Self::Refreshed | Self::TurnOpened { .. } => None,
            Self::Brawled { .. } => None,
            Self::Spent { who, action } => {
                let what = match action {
                    ActionCost::Main => "the Main action",
                    ActionCost::Move => "the Move action",
                    ActionCost::MainAsMove => "the Main action as a Move",
                    ActionCost::Free => "a Free action",
                    ActionCost::Draw => "the turn's free draw",
                };
                Line::new(Trace, format!("{} spends {what}", title(who)))
            }
            Self::Defends { who } => {
                let ac = signed(2);
                Line::new(
                    Detail,
                    format!("{} has AC {ac} and takes no Shock", title(who)),
                )
            }
            Self::Disengaged { who, from } => {
                let from: Vec<_> = from.iter().map(|id| names.name(*id)).collect();
                Line::new(
                    Detail,
                    format!("{} is disengaged from {}", title(who), from.join(", ")),
                )
            }
            Self::Charged { who } => Line::new(
                Detail,
                format!("{} has AC {} this round", title(who), signed(-2)),
            ),
            Self::ShieldSpent { who } => {
                Line::new(Detail, format!("{}'s shield ignores the Shock", title(who)))
            }
            Self::ShockStopped { who, by } => Line::new(
                Detail,
                format!("Shock against {} is stopped by {by}", names.name(*who)),
            ),
            Self::Done { who } => Line::new(Trace, format!("{} is done for the turn", title(who))),
            Self::Dying { who, rounds: 0 } => {
                Line::new(Fact, format!("{} is mortally injured", title(who)))
            }
            Self::Dying { who, rounds } => Line::new(
                Detail,
                format!("{} has lain dying for {rounds} of 6 rounds", title(who)),
            ),
            Self::Stabilised { who } => Line::new(Fact, format!("{} is stabilised", title(who))),
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Defends { who } => Cue::of(Defense, *who, "total defense"),
            Self::ShockStopped { who, .. } | Self::ShieldSpent { who } => {
                Cue::of(Defense, *who, "no Shock")
            }
            Self::Dying { who, .. } => Cue::of(Bad, *who, "dying"),
            Self::Stabilised { who } => Cue::of(Good, *who, "stabilised"),
            _ => None,
        }
    }
}
