//! What Skirmish keeps of each combatant, and the events that change it.

use super::alarm::Watch;
use crate::{
    battle::{
        Cue, CueKind, Depth, EventKind, Id, Line, Names, Roster, RulesetEvent, Side, State,
        component_mut, signed,
    },
    rulesets::common::aftermath::Shaken,
};
use bevy::ecs::{component::Component, resource::Resource, world::World};
use serde::Serialize;
use std::sync::Arc;

/// A combatant's round under Skirmish.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Fighter {
    /// Main actions left this round (SK-04).
    pub mains: u8,
    /// Move actions left this round (SK-04).
    pub moves: u8,
    /// Free actions taken this turn.
    pub frees: u8,
    /// Weapons drawn or swapped this turn (SK-21).
    pub draws: u8,
    /// Total defense, until the start of its next turn (SK-17).
    pub defending: bool,
    /// Whose attacks its movement does not draw this round, as a bit set (SK-19).
    pub disengaged: u64,
    /// Charged this round: AC −2 (SK-14).
    pub charged: bool,
    /// The shield has ignored a Shock this round (SK-42).
    pub shield_spent: bool,
    /// Has passed for the rest of the turn.
    pub done: bool,
    /// Broke, and makes for an exit (SK-60).
    pub fleeing: bool,
    /// Mortally injured: rounds since the fall (SK-61).
    pub dying: Option<u8>,
    /// Fled, and comes or came back in this round (SK-60).
    pub returns: Option<u16>,
    /// The last round in which it attacked with bare hands (SK-11).
    pub brawled: Option<u16>,
}

impl Fighter {
    /// As a battle begins.
    pub fn new() -> Self {
        Self {
            mains: 1,
            moves: 1,
            frees: 0,
            draws: 0,
            defending: false,
            disengaged: 0,
            charged: false,
            shield_spent: false,
            done: false,
            fleeing: false,
            dying: None,
            returns: None,
            brawled: None,
        }
    }

    /// A Move is left, or a Main that can be spent as one (SK-04).
    pub fn can_move(&self) -> bool {
        self.moves > 0 || self.mains > 0
    }

    /// What a Move would be paid with: Main actions are kept while they can be.
    pub fn move_price(&self) -> ActionCost {
        if self.moves > 0 {
            ActionCost::Move
        } else {
            ActionCost::MainAsMove
        }
    }
}

impl Default for Fighter {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the battle is in its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// Sides in the order of initiative, for the whole battle (SK-01).
    pub order: Vec<Side>,
    pub turn: Option<Side>,
    /// For each side, the occasions at which morale was checked (SK-60).
    pub shaken: Vec<Shaken>,
    /// Sides that have heard their one call to parley (SK-20).
    pub parleyed: Vec<Side>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ActionCost {
    Main,
    Move,
    /// A Main, spent to get a second Move (SK-04).
    MainAsMove,
    Free,
    /// Drawing or swapping a weapon (SK-21).
    Draw,
}

/// Facts of Skirmish alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum SkirmishEvent {
    Order {
        order: Vec<Side>,
    },
    /// A round begins: everybody has a Main and a Move.
    Refreshed,
    /// A side's turn begins: its total defenses end.
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
    /// Attacks with bare hands: for a while it counts as an attacker (SK-11).
    Brawled {
        who: Id,
    },
    ShieldSpent {
        who: Id,
    },
    /// Shock that something stopped.
    ShockStopped {
        who: Id,
        by: &'static str,
    },
    Done {
        who: Id,
    },
    Shaken {
        side: Side,
        shaken: Shaken,
    },
    Flees {
        who: Id,
    },
    /// A fleeing creature finds no way out and turns.
    FightsOn {
        who: Id,
    },
    Dying {
        who: Id,
        rounds: u8,
    },
    Stabilised {
        who: Id,
    },
    /// It has fled, but will be back in this round.
    WillReturn {
        who: Id,
        round: u16,
    },
    /// It is back, and fights.
    Rallied {
        who: Id,
    },
}

impl SkirmishEvent {
    pub fn event(self) -> EventKind {
        EventKind::Ruleset(Arc::new(self))
    }
}

impl RulesetEvent for SkirmishEvent {
    fn apply(&self, world: &mut World) {
        let all = || world.resource::<Roster>().ids();
        match self {
            Self::Order { order } => {
                let mut clock = world.resource_mut::<Clock>();
                clock.order.clone_from(order);
            }
            Self::Refreshed => {
                for id in all() {
                    let mut f = component_mut::<Fighter>(world, id);
                    (f.mains, f.moves) = (1, 1);
                    (f.disengaged, f.charged, f.shield_spent) = (0, false, false);
                }
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.turn = None;
            }
            Self::TurnOpened { side } => {
                for id in all() {
                    if component_mut::<crate::battle::Body>(world, id).side == *side {
                        let mut f = component_mut::<Fighter>(world, id);
                        (f.defending, f.done, f.frees, f.draws) = (false, false, 0, 0);
                    }
                }
                world.resource_mut::<Clock>().turn = Some(*side);
            }
            Self::Spent { who, action } => {
                let is_main = matches!(action, ActionCost::Main | ActionCost::MainAsMove);
                if let Some(stalk) = &mut component_mut::<Watch>(world, *who).stalk {
                    // To begin a stalk sets it back (SK-56).
                    stalk.busy |= is_main;
                }
                let mut f = component_mut::<Fighter>(world, *who);
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
            Self::Defends { who } => component_mut::<Fighter>(world, *who).defending = true,
            Self::Disengaged { who, from } => {
                let bits = from.iter().fold(0, |set, id| set | id.bit());
                component_mut::<Fighter>(world, *who).disengaged |= bits;
            }
            Self::Charged { who } => component_mut::<Fighter>(world, *who).charged = true,
            Self::Brawled { who } => {
                let round = world.resource::<Clock>().round;
                component_mut::<Fighter>(world, *who).brawled = Some(round);
            }
            Self::ShieldSpent { who } => component_mut::<Fighter>(world, *who).shield_spent = true,
            Self::ShockStopped { .. } => {}
            Self::Done { who } => component_mut::<Fighter>(world, *who).done = true,
            Self::Shaken { side, shaken } => {
                world.resource_mut::<Clock>().shaken[side.index()] = *shaken;
            }
            Self::Flees { who } => component_mut::<Fighter>(world, *who).fleeing = true,
            Self::FightsOn { who } => component_mut::<Fighter>(world, *who).fleeing = false,
            Self::Dying { who, rounds } => {
                component_mut::<Fighter>(world, *who).dying = Some(*rounds);
            }
            Self::Stabilised { who } => component_mut::<Fighter>(world, *who).dying = None,
            Self::WillReturn { who, round } => {
                component_mut::<Fighter>(world, *who).returns = Some(*round);
                component_mut::<crate::battle::Body>(world, *who).state = State::Waiting;
            }
            Self::Rallied { who } => component_mut::<Fighter>(world, *who).fleeing = false,
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        use Depth::*;
        let title = |id: &Id| names.title(*id);
        match self {
            Self::Order { order } => {
                let order: Vec<_> = order.iter().map(|s| names.side_in_line(*s)).collect();
                Line::new(Fact, format!("Order of sides: {}", order.join(", ")))
            }
            Self::Refreshed | Self::TurnOpened { .. } => None,
            Self::Shaken { .. } | Self::Brawled { .. } => None,
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
            Self::Flees { who } => Line::new(Fact, format!("{} breaks and flees", title(who))),
            Self::FightsOn { who } => Line::new(
                Fact,
                format!("{} finds no way out and fights on", title(who)),
            ),
            Self::Dying { who, rounds: 0 } => {
                Line::new(Fact, format!("{} is mortally injured", title(who)))
            }
            Self::Dying { who, rounds } => Line::new(
                Detail,
                format!("{} has lain dying for {rounds} of 6 rounds", title(who)),
            ),
            Self::Stabilised { who } => Line::new(Fact, format!("{} is stabilised", title(who))),
            Self::WillReturn { who, .. } => {
                Line::new(Detail, format!("{} may be back", title(who)))
            }
            Self::Rallied { who } => {
                Line::new(Fact, format!("{} has taken heart again", title(who)))
            }
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Defends { who } => Cue::of(Defense, *who, "total defense"),
            Self::ShockStopped { who, .. } | Self::ShieldSpent { who } => {
                Cue::of(Defense, *who, "no Shock")
            }
            Self::Flees { who } => Cue::of(Bad, *who, "flees"),
            Self::FightsOn { who } => Cue::of(Good, *who, "fights on"),
            Self::Dying { who, .. } => Cue::of(Bad, *who, "dying"),
            Self::Stabilised { who } => Cue::of(Good, *who, "stabilised"),
            Self::Rallied { who } => Cue::of(Good, *who, "up again"),
            _ => None,
        }
    }

    fn data(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
