//! Events about holding, screening and hiding: surprise and hiding (SK-03), swarms (SK-13), screens
//! (SK-15), held actions (SK-26), traits that work once per battle (SK-71).

use super::{
    Skirmish,
    query::SkirmishQuery,
    state::{Stance, Swarm},
};
use crate::{
    battle::{
        Body, Choice, Cue, CueKind, EventKind, Id, Line, LogLevel, Names, Rule, RulesetEvent, Side,
        State, StepOutcome, Unknown, all_units_mut, members, of_unit_mut,
    },
    grid::Cell,
    rulesets::common::hiding::Hides,
};
use bevy_ecs::world::World;
use serde::Serialize;

/// Events about timing, screens and hiding.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum StanceEvent {
    /// A round begins: held actions are lost, and screeners can answer again.
    RoundOpened,
    /// A side's turn begins: its screens end.
    TurnOpened {
        side: Side,
    },
    /// These units are surprised; their enemies get a free round.
    Surprised {
        who: Vec<Id>,
    },
    /// The free round is over.
    SurpriseEnds,
    /// A side could have been surprised, but all its units are alert.
    Expected {
        side: Side,
    },
    /// A hidden unit shows itself.
    Revealed {
        who: Id,
        at: Cell,
    },
    Holds {
        who: Id,
    },
    /// A unit takes its held action.
    Released {
        who: Id,
    },
    /// A held action is lost, because the unit did not use it.
    HoldLost {
        who: Id,
    },
    Swarms {
        who: Id,
        at: Id,
    },
    /// The swarm of a side makes its one attack.
    SwarmStrikes {
        side: Side,
        at: Id,
    },
    /// A side's swarms end. Those in `unstruck` never attacked.
    SwarmsEnd {
        side: Side,
        unstruck: Vec<Id>,
    },
    Screens {
        who: Id,
        ward: Id,
    },
    /// A screener has answered an attacker, with or without success.
    Answered {
        who: Id,
        by: Id,
    },
    /// The attack hits the screener instead of its ally.
    Intercepts {
        who: Id,
        ward: Id,
    },
    Rerolls {
        who: Id,
    },
    /// Several units react at the same moment; none sees the results of the others.
    Together {
        who: Vec<Id>,
    },
    SpareMain {
        who: Id,
    },
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

impl RulesetEvent for StanceEvent {
    fn apply(&self, world: &mut World) {
        fn stance<'w>(world: &'w mut World, id: &Id) -> &'w mut Stance {
            of_unit_mut::<Stance>(world, *id)
        }
        match self {
            Self::RoundOpened => {
                for w in all_units_mut::<Stance>(world) {
                    (w.holding, w.answered) = (false, 0);
                }
            }
            Self::TurnOpened { side } => {
                let own = members(world, *side).into_iter();
                let bits = own.fold(0, |set, id| set | id.bit());
                for stance in all_units_mut::<Stance>(world) {
                    stance.screened_by &= !bits;
                }
            }
            Self::Surprised { who } => {
                who.iter().for_each(|id| stance(world, id).surprised = true);
            }
            Self::SurpriseEnds => {
                for stance in all_units_mut::<Stance>(world) {
                    stance.surprised = false;
                }
            }
            Self::Expected { .. } | Self::Intercepts { .. } | Self::Together { .. } => {}
            Self::Revealed { who, at } => {
                stance(world, who).hidden = false;
                let body = of_unit_mut::<Body>(world, *who);
                // Sides that did not know of the unit see it appear now.
                if body.state == State::Waiting {
                    (body.state, body.at) = (State::Up, *at);
                }
            }
            Self::Holds { who } => stance(world, who).holding = true,
            Self::Released { who } | Self::HoldLost { who } => stance(world, who).holding = false,
            Self::Swarms { who, at } => {
                let (at, struck) = (*at, false);
                stance(world, who).swarm = Some(Swarm { at, struck });
            }
            Self::SwarmStrikes { side, at } => {
                for id in members(world, *side) {
                    if let Some(swarm) = &mut stance(world, &id).swarm
                        && swarm.at == *at
                    {
                        swarm.struck = true;
                    }
                }
            }
            Self::SwarmsEnd { side, .. } => {
                for id in members(world, *side) {
                    stance(world, &id).swarm = None;
                }
            }
            Self::Screens { who, ward } => stance(world, ward).screened_by |= who.bit(),
            Self::Answered { who, by } => stance(world, who).answered |= by.bit(),
            Self::Rerolls { who } => stance(world, who).rerolled = true,
            Self::SpareMain { who } => {
                stance(world, who).spare_spent = true;
                of_unit_mut::<super::state::Fighter>(world, *who).mains += 1;
            }
        }
    }

    fn without(&self, unknown: Unknown) -> Option<EventKind> {
        let known = match self {
            Self::Surprised { who } => Self::Surprised {
                who: unknown.known(who)?,
            },
            Self::Together { who } => Self::Together {
                who: unknown.known(who).filter(|who| who.len() > 1)?,
            },
            Self::SwarmsEnd { side, unstruck } => Self::SwarmsEnd {
                side: *side,
                unstruck: unknown.known(unstruck)?,
            },
            _ => return None,
        };
        Some(known.into())
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        use LogLevel::*;
        let title = |id: &Id| names.title(*id);
        let list = |ids: &[Id]| {
            let keys: Vec<&str> = ids.iter().map(|id| names.name(*id)).collect();
            keys.join(", ")
        };
        match self {
            Self::RoundOpened | Self::TurnOpened { .. } | Self::SurpriseEnds => None,
            Self::Released { .. } | Self::SwarmStrikes { .. } | Self::Rerolls { .. } => None,
            Self::Surprised { who } => Line::new(
                Heading,
                format!("A free round: caught unaware: {}", list(who)),
            ),
            Self::Expected { side } => {
                let side = crate::battle::capitalised(names.side(*side));
                Line::new(Fact, format!("{side} cannot be surprised"))
            }
            Self::Revealed { who, at } => {
                Line::new(Fact, format!("{} comes out of hiding at {at}", title(who)))
            }
            Self::Holds { who } => {
                Line::new(Detail, format!("{} waits for the right moment", title(who)))
            }
            Self::HoldLost { who } => {
                Line::new(Detail, format!("{}'s held action is lost", title(who)))
            }
            Self::Swarms { who, at } => {
                let at = names.name(*at);
                Line::new(Detail, format!("{} is part of a swarm on {at}", title(who)))
            }
            Self::SwarmsEnd { unstruck, .. } if unstruck.is_empty() => None,
            Self::SwarmsEnd { unstruck, .. } => {
                let on = list(unstruck);
                Line::new(Detail, format!("The swarm on {on} has no effect"))
            }
            Self::Screens { who, ward } => Line::new(
                Detail,
                format!("{} screens {}", title(who), names.name(*ward)),
            ),
            Self::Together { who } => Line::new(Detail, format!("At the same time: {}", list(who))),
            Self::Answered { who, by } => {
                let by = names.name(*by);
                Line::new(Trace, format!("{} stands in the way of {by}", title(who)))
            }
            Self::Intercepts { who, ward } => {
                let ward = names.name(*ward);
                Line::new(
                    Fact,
                    format!("{} takes the attack meant for {ward}", title(who)),
                )
            }
            Self::SpareMain { who } => Line::new(
                Detail,
                format!("{} has another Main this round", title(who)),
            ),
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Revealed { who, .. } => Cue::of(Good, *who, "seen"),
            Self::Intercepts { who, .. } => Cue::of(Defense, *who, "in the way"),
            _ => None,
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
            outcome.tell("SK-03", side, StanceEvent::Revealed { who, at });
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

    /// Whether a side's turn this round is over: what its units have left is lost unless they use
    /// it out of turn.
    pub fn turn_is_over(&self, side: Side) -> bool {
        self.clock.turn != Some(side) && !self.turn_to_come(side)
    }
}
