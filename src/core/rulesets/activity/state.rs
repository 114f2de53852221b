//! What Activity stores for each unit and for the battle.

use crate::battle::{Item, SpellId};
use crate::rulesets::common::castings::Castings;
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// An action that takes a share of the round (AC-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    Melee,
    Missile,
    /// A straight run into an attack (AC-21).
    Charge,
    Move,
    Reload(Item),
    Draw(Item),
    /// Puts the held item away and takes another weapon in hand.
    Change(Item),
    /// Drops the held item to the ground.
    LetGo(Item),
    DropProne,
    StandUp,
    ParryMissile,
    Spell {
        spell: SpellId,
        points: i32,
    },
    /// A spell that takes 10% and does not count as an action.
    Instant {
        spell: SpellId,
        points: i32,
    },
    Stanch,
    Herb,
    Perceive,
    ChiSpeed,
    ChiDefense,
    PickUp,
    Door,
}

/// A declared action (AC-09).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PlannedAction {
    #[serde(rename = "deed")]
    pub kind: ActionKind,
    /// Percent of a round; for an action carried over, the part still left.
    pub percent: i32,
    /// Whether the action began in an earlier round (AC-14).
    pub carried: bool,
    /// Penalty to the casting roll for hastening, 0 or less (AC-03).
    pub haste: i32,
}

impl PlannedAction {
    /// An action that begins in this round and is not hastened.
    pub fn new(kind: ActionKind, percent: i32) -> Self {
        Self {
            kind,
            percent,
            carried: false,
            haste: 0,
        }
    }
}

/// An effect that lasts for rounds (AC-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Timed {
    pub what: Lasts,
    /// Ends of round until the effect is over.
    pub rounds: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// Surprised: the unit can do nothing in its first round (AC-09).
    Surprised,
    /// 200% activity (AC-25).
    Swift,
    /// Chi speed succeeded in this round or the previous one, so it is not available again yet.
    ChiSpent,
    /// Loading takes only 10% (AC-24).
    QuickLoad,
}

/// A unit's state under Activity.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Actor {
    /// Initiative of this round (AC-11).
    pub initiative: i32,
    /// Percent of activity in this round: 100, or 200 (AC-25).
    pub capacity: i32,
    pub plan: Vec<PlannedAction>,
    /// A declared spell whose casting time is not declared yet.
    pub naming: Option<(SpellId, i32)>,
    /// OB set aside for parrying (AC-13).
    pub parry: i32,
    /// Whether the unit has finished declaring for this round.
    pub declared: bool,
    /// Index in the plan of the next action.
    pub next: usize,
    /// Percent used this round.
    pub spent: i32,
    /// The last action executed this round.
    pub last: Option<ActionKind>,
    /// An action that continues in the next round, with the percent left.
    pub carry: Option<PlannedAction>,
    /// Feet moved this round (AC-23).
    pub moved: u16,
    /// Whether leftover activity has been used for movement or declined (AC-10).
    pub leftover_done: bool,
    /// Whether the unit has attacked an enemy leaving its reach this round (AC-36).
    pub struck: bool,
    /// Whether the OB set aside for parrying has been used against an attack this round
    /// (AC-13).
    pub parried: bool,
    /// Missiles parried this round by missile parries (AC-22).
    pub missiles_parried: usize,
    /// The melee action was due with no enemy in reach: the unit attacks as soon as one is
    /// (AC-15).
    pub waiting: bool,
    /// Missile weapons that are loaded.
    pub loaded: Vec<Item>,
    /// Power points left.
    pub power: i32,
    pub castings: Castings,
    /// Hits lost to bleeding at the end of each round (AC-33).
    pub bleeding: i32,
    /// Rounds of stun left, including this one.
    pub stunned: i32,
    /// Wound penalties, 0 or less: `penalty` applies to everything, `clumsy` also to maneuvers.
    pub penalty: i32,
    pub clumsy: i32,
    pub lasting: Vec<Timed>,
    /// Whether the other sides do not know of the unit.
    pub hidden: bool,
}

impl Actor {
    pub fn has(&self, what: Lasts) -> bool {
        self.lasting.iter().any(|l| l.what == what)
    }

    /// Whether the unit is stunned or surprised, and so can do nothing now.
    pub fn is_dazed(&self) -> bool {
        self.stunned > 0 || self.has(Lasts::Surprised)
    }

    /// Percent of this round that the plan uses. An action that continues into the next round
    /// uses all that is left.
    pub fn planned(&self) -> i32 {
        let sum: i32 = self.plan.iter().map(|p| p.percent).sum();
        sum.min(self.capacity)
    }

    /// Power points that the rest of the plan leaves.
    pub fn power_left(&self) -> i32 {
        let spells = self.plan.iter().skip(self.next);
        let points = spells.filter_map(|p| Some(p.kind.spell()?.1));
        self.power - points.sum::<i32>()
    }

    /// Number of actions in the plan, not counting instantaneous spells (AC-10).
    pub fn actions(&self) -> usize {
        self.plan.iter().filter(|p| p.kind.is_action()).count()
    }

    /// The next action. `None` if it does not fit into this round.
    pub fn coming(&self) -> Option<&PlannedAction> {
        let next = self.plan.get(self.next)?;
        (self.spent + next.percent <= self.capacity).then_some(next)
    }

    /// The count at which the next action is due (AC-11).
    pub fn count(&self, per_tenth: i32) -> Option<i32> {
        self.coming()?;
        Some(self.initiative - self.fall(self.next, per_tenth)?)
    }

    /// How far below its initiative the unit takes an action of its plan: `per_tenth` counts
    /// for every whole 10% used before it (AC-11). An action from an earlier round takes effect
    /// when its last percent is spent (AC-17). `None` if it does not fit into this round
    /// (AC-14).
    pub fn fall(&self, place: usize, per_tenth: i32) -> Option<i32> {
        let planned = self.plan.get(place)?;
        let before: i32 = self.plan[..place].iter().map(|p| p.percent).sum();
        let own = planned.percent;
        let used = if planned.carried { own } else { before };
        let fits = before + own <= self.capacity;
        fits.then_some(per_tenth * (used / 10))
    }

    /// The unit's current position in its plan.
    pub fn position(&self) -> PlanPosition {
        let upcoming = || self.plan.iter().skip(self.next).map(|p| p.kind);
        PlanPosition {
            current: self.last,
            next: upcoming().next(),
            next_action: upcoming().find(ActionKind::is_action),
            has_begun: self.next > 0 || self.waiting,
        }
    }

    /// Percent that the next action costs even if the unit gives it up, because a parry
    /// depended on it and no other action in the plan pays for that parry (AC-13, AC-22).
    pub fn owed(&self) -> i32 {
        let Some(next) = self.plan.get(self.next) else {
            return 0;
        };
        let besides = |fits: fn(ActionKind) -> bool| {
            let others = self.plan.iter().enumerate().filter(|o| o.0 != self.next);
            others.filter(|o| fits(o.1.kind)).count()
        };
        let owes = match next.kind {
            kind if kind.is_melee() => self.parried && besides(ActionKind::is_melee) == 0,
            ActionKind::ParryMissile => {
                self.missiles_parried > besides(|kind| kind == ActionKind::ParryMissile)
            }
            _ => false,
        };
        let rest = next.percent.min(self.capacity - self.spent);
        if owes { rest } else { 0 }
    }

    /// Whether the unit is done for the round; unused activity is lost.
    pub fn is_over(&self, stage: Stage) -> bool {
        stage == Stage::LeftOver && self.leftover_done
    }

    /// Percent of the round that is neither planned nor used. A unit that waits can give up its
    /// melee for it.
    pub fn left_over(&self) -> i32 {
        let free = self.capacity - self.spent;
        if self.waiting {
            return free - self.owed();
        }
        let overruns = self.plan.len() > self.next;
        if overruns { 0 } else { free }
    }
}

/// A unit's position in its plan, which decides whether it can parry (AC-13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanPosition {
    /// The last action executed this round.
    pub current: Option<ActionKind>,
    /// The next action or instantaneous spell.
    pub next: Option<ActionKind>,
    /// The next action, skipping instantaneous spells (AC-16).
    pub next_action: Option<ActionKind>,
    /// Whether part of the plan is done, or the unit's melee waits (AC-15).
    pub has_begun: bool,
}

impl PlanPosition {
    /// Whether the current or next action is a melee or a missile parry (AC-13).
    pub fn allows_parry(&self) -> bool {
        self.is_at(ActionKind::allows_parry)
    }

    /// Whether the current or next action is of this kind.
    pub fn is_at(&self, kind: fn(ActionKind) -> bool) -> bool {
        self.current.is_some_and(kind) || self.next_action.is_some_and(kind)
    }
}

impl ActionKind {
    pub fn is_action(&self) -> bool {
        !matches!(self, Self::Instant { .. })
    }

    /// Whether the action is a melee attack or a charge.
    pub fn is_melee(self) -> bool {
        matches!(self, Self::Melee | Self::Charge)
    }

    /// The spell that the action casts, and its power points.
    pub fn spell(self) -> Option<(SpellId, i32)> {
        match self {
            Self::Spell { spell, points } | Self::Instant { spell, points } => {
                Some((spell, points))
            }
            _ => None,
        }
    }

    pub fn allows_parry(self) -> bool {
        self.is_melee() || self == Self::ParryMissile
    }

    /// Whether the action can continue in the next round (AC-14).
    pub fn may_overrun(self) -> bool {
        use ActionKind::*;
        matches!(self, Reload(_) | Spell { .. } | Stanch | PickUp)
    }
}

/// The current round and its stage.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    pub stage: Stage,
}

/// The stage of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// Declarations and initiative, until the first count.
    #[default]
    Declaring,
    Count(i32),
    /// Leftover activity can be used for movement (AC-10).
    LeftOver,
}
