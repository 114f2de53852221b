//! Why a plan cannot be carried out, or has failed.

use super::{Order, Plan};
use crate::{
    battle::{Body, Id, Item, Map, Names, Rule, Ruleset, State, View, Why, capitalised, of_unit},
    grid::{Cell, cells_apart},
    words::list,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

/// What keeps a unit from carrying out its plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// Its target, an enemy, is down or dead, or has left the battle: the plan is not needed.
    Gone { target: Id, has_left: bool },
    /// An enemy is adjacent to the unit.
    Adjacent { enemy: Id, who: Id },
    /// Its target is out of reach, and an adjacent enemy keeps the unit from following.
    HeldInMelee { target: Id, enemy: Id, who: Id },
    /// It shares a cell with this unit, so it cannot attack. `away` is the button of the only
    /// action that leads away, if moving does not.
    SharesCell {
        with: Id,
        who: Id,
        away: Option<&'static str>,
    },
    /// Its target is this many feet away; 0 if the distance does not matter.
    OutOfReach { target: Id, feet: u16 },
    /// It cannot shoot or throw at its target, because it has no line of sight to it.
    NoSight { target: Id },
    /// Another unit is in the destination cell.
    Occupied { by: Id },
    /// No path leads to the destination.
    NoPath { to: Cell },
    /// The only possible moves lead away from its target.
    LeadsAway,
    /// Its spell cannot be aimed at the target or cell now.
    NoAim { at: Option<Id> },
    /// The area of its spell would include a unit that the spell is not meant for.
    Caught { who: Id },
    /// An enemy may attack on the way, which was not expected, with this percent chance to hit.
    Risk { by: Id, percent: u32 },
    /// The rules do not allow it.
    Refused { target: Option<Id>, why: Why },
    /// The unit fell before it could act.
    Downed { who: Id, by: Option<Id> },
    /// The unit got a condition.
    Condition { name: String, by: Option<Id> },
    /// Something harmful happened to the unit, such as "stunned" or "loses the spell": by
    /// itself (`is_own`) or by an attacker.
    Harmed {
        what: String,
        by: Option<Id>,
        is_own: bool,
    },
    /// A rule stopped an action that the unit had begun.
    Stopped { why: Cow<'static, str>, rule: Rule },
    /// The unit failed a check.
    CheckFailed { what: Cow<'static, str> },
    /// It can attack its target, but not with the weapon of the order.
    NoWeapon { with: Item },
    /// The unit ran out of time in the round.
    OutOfTime { target: Option<Id> },
    /// The unit's movement ended before it arrived.
    Short,
}

/// Stands for any unit in reasons that are grouped.
const ANY: Id = Id(u16::MAX);

impl Reason {
    /// Whether the plan has nothing left to do, because its target is out of the fight.
    pub fn is_unneeded(&self) -> bool {
        matches!(self, Self::Gone { .. })
    }

    /// The reason that a unit is out of the fight, by what `known` shows. `None` if it is up.
    pub fn gone(known: &World, target: Id) -> Option<Self> {
        let there = of_unit::<Body>(known, target);
        let has_left = there.state == State::Fled;
        (!there.is_up()).then_some(Self::Gone { target, has_left })
    }

    /// The reason that an enemy is adjacent to a unit, by what `known` shows. `None` if there
    /// is none.
    pub fn adjacent_enemy(known: &mut World, who: Id) -> Option<Self> {
        let enemy = View::read(known, |view| {
            let own = view.body(who);
            let is_near = |enemy: &Id| cells_apart(own.space(), view.body(*enemy).space()) <= 1;
            view.enemies(own.side).find(is_near)
        })?;
        Some(Self::Adjacent { enemy, who })
    }

    /// The reason that a unit shares a cell in which it cannot attack, by what `known` shows.
    /// `None` if it does not.
    pub fn shares_cell(rules: &Ruleset, known: &mut World, who: Id) -> Option<Self> {
        let with = (rules.planning.shares_cell)(known, who)?;
        let away = (rules.planning.stuck)(known, who).map(|stuck| stuck.1);
        let mut acts = (rules.acts)().into_iter();
        let away = acts.find(|act| Some(act.action) == away);
        let away = away.and_then(|act| act.button).map(|button| button.label);
        Some(Self::SharesCell { with, who, away })
    }

    /// The reason that a unit cannot make the attack of its plan from where it stands, by what
    /// `known` shows: no line of sight for a shot or throw, otherwise the distance.
    pub fn too_far(rules: &Ruleset, known: &World, plan: &Plan, target: Id) -> Self {
        let planning = rules.planning;
        let is_missile = match &plan.order {
            Order::Attack { by: Some(by), .. } => {
                planning.is_attack(by) && Some(*by) != planning.melee()
            }
            _ => false,
        };
        let [here, there] = [plan.who, target].map(|id| of_unit::<Body>(known, id).space());
        let sees = known.resource::<Map>().sight(here, there).los;
        let feet = 5 * cells_apart(here, there);
        match sees || !is_missile {
            true => Self::OutOfReach { target, feet },
            false => Self::NoSight { target },
        }
    }

    /// The reason that another unit is in the destination cell, by what `known` shows. `None`
    /// if it is free.
    pub fn occupied(known: &mut World, who: Id, to: Cell) -> Option<Self> {
        let by = View::read(known, |view| view.on(to)).filter(|&by| by != who)?;
        Some(Self::Occupied { by })
    }

    /// The unit that is responsible, if any.
    pub fn by(&self) -> Option<Id> {
        match self {
            Self::Adjacent { enemy, .. } | Self::HeldInMelee { enemy, .. } => Some(*enemy),
            Self::Occupied { by } | Self::Risk { by, .. } => Some(*by),
            Self::Downed { by, .. } | Self::Condition { by, .. } | Self::Harmed { by, .. } => *by,
            _ => None,
        }
    }

    /// The reason without the responsible unit and the distance, so that similar reasons
    /// compare equal.
    pub fn general(self) -> Self {
        match self {
            Self::Adjacent { who, .. } => Self::Adjacent { enemy: ANY, who },
            Self::HeldInMelee { target, who, .. } => Self::HeldInMelee {
                target,
                enemy: ANY,
                who,
            },
            Self::OutOfReach { target, .. } => Self::OutOfReach { target, feet: 0 },
            Self::Occupied { .. } => Self::Occupied { by: ANY },
            Self::Downed { who, .. } => Self::Downed { who, by: None },
            Self::Condition { name, .. } => Self::Condition { name, by: None },
            Self::Harmed { what, is_own, .. } => Self::Harmed {
                what,
                is_own,
                by: None,
            },
            other => other,
        }
    }

    /// The reason as text: "Goblin 1 is already down".
    pub fn text(&self, names: &Names) -> String {
        let by: Vec<Id> = self.by().into_iter().collect();
        self.text_by(names, &by)
    }

    /// The reason as text if it is only expected: "Goblin 1 will be down by then".
    pub fn expected_text(&self, names: &Names, by: &[Id]) -> String {
        let title = |id: Id| names.title(id);
        match self {
            Self::Gone {
                target,
                has_left: true,
            } => format!("{} will have left the battle", title(*target)),
            Self::Gone { target, .. } => format!("{} will be down by then", title(*target)),
            Self::OutOfReach { target, .. } => {
                format!("{} will be out of reach", title(*target))
            }
            Self::OutOfTime { target: None } => String::from("runs out of time this round"),
            Self::OutOfTime { target: Some(at) } => {
                format!("runs out of time to reach {}", names.name(*at))
            }
            Self::Short => String::from("only gets part of the way"),
            other => other.text_by(names, by),
        }
    }

    /// The reason as text, with these units as the responsible ones: "Mara is in melee with archer
    /// 1 or archer 2".
    pub fn text_by(&self, names: &Names, by: &[Id]) -> String {
        let title = |id: Id| names.title(id);
        let actors = by.iter().map(|&id| names.name(id).to_owned());
        let actors = list(actors, "or");
        let with = |text: String, link: &str| match actors.is_empty() {
            true => text,
            false => format!("{text}{link}{actors}"),
        };
        match self {
            Self::Gone {
                target,
                has_left: true,
            } => format!("{} has left the battle", title(*target)),
            Self::Gone { target, .. } => format!("{} is already down", title(*target)),
            Self::Adjacent { who, .. } => {
                format!("{} is in melee with {actors}", title(*who))
            }
            Self::HeldInMelee { target, who, .. } => {
                let (at, who) = (title(*target), names.name(*who));
                format!("{at} is out of reach, and {who} is in melee with {actors}")
            }
            Self::SharesCell { with, who, away } => {
                let (who, other) = (title(*who), names.name(*with));
                let why = format!("{who} shares a cell with {other}, so it can't attack");
                match away {
                    None => format!("{why}: move one of them"),
                    Some(away) => format!("{why}: in melee, only {away} separates them"),
                }
            }
            Self::NoSight { target } => format!("no line of sight to {}", names.name(*target)),
            Self::OutOfReach { target, feet: 0 } => format!("{} is out of reach", title(*target)),
            Self::OutOfReach { target, feet } => {
                format!("{} is out of reach, {feet} ft away", title(*target))
            }
            Self::Occupied { .. } => format!("{} is there", capitalised(&actors)),
            Self::NoPath { .. } => String::from("no path there now"),
            Self::LeadsAway => String::from("this path only leads away"),
            Self::NoAim { at: Some(at) } => {
                format!("the spell can't target {} now", names.name(*at))
            }
            Self::NoAim { at: None } => String::from("the spell can't be aimed there now"),
            Self::Caught { who } => format!("{} is in the area", title(*who)),
            Self::Risk { percent, .. } => {
                let actors = capitalised(&actors);
                format!("{actors} may attack on the way now ({percent}% to hit)")
            }
            Self::Refused {
                target: Some(at),
                why,
            } => format!("can't target {}: {}", names.name(*at), why.text),
            Self::Refused { target: None, why } => why.text.to_string(),
            Self::Downed { who, .. } => {
                with(format!("{} is downed before acting", title(*who)), ", by ")
            }
            Self::Condition { name, .. } => with(name.clone(), " by "),
            Self::Harmed {
                what, is_own: true, ..
            } => format!("{what} (self-inflicted)"),
            Self::Harmed { what, .. } if actors.is_empty() => what.clone(),
            Self::Harmed { what, .. } => format!("{what} (by {actors})"),
            Self::Stopped { why, .. } => why.to_string(),
            Self::CheckFailed { what } => format!("{what} fails"),
            Self::NoWeapon { with } => format!("no time to use {}", names.item(*with)),
            Self::OutOfTime { target: None } => String::from("ran out of time this round"),
            Self::OutOfTime { target: Some(at) } => {
                format!("ran out of time to reach {}", names.name(*at))
            }
            Self::Short => String::from("only got part of the way"),
        }
    }
}
