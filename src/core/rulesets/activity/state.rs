//! What Activity keeps of each combatant, and of the battle.

use crate::battle::{Id, Item, SpellId};
use bevy_ecs::{component::Component, resource::Resource};
use serde::Serialize;

/// What a share of the round is spent on (AC-01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    Melee,
    Missile,
    /// A straight run into an attack (AC-21).
    Charge,
    Move,
    Reload(Item),
    Draw(Item),
    /// What is in hand away, another weapon in hand.
    Change(Item),
    /// What is in hand falls to the ground.
    LetGo(Item),
    DropProne,
    StandUp,
    ParryMissile,
    Spell {
        spell: SpellId,
        points: i32,
    },
    /// A spell that takes 10% and is no action of its own.
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

/// An action as it was declared (AC-09).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Planned {
    pub deed: Deed,
    /// Of a round. Of an action that goes on from the round before: what of it
    /// is left.
    pub percent: i32,
    /// It was begun in an earlier round (AC-14).
    pub carried: bool,
    /// What hastening takes from the casting roll, 0 or less (AC-03).
    pub haste: i32,
}

impl Planned {
    /// Begun in this round, and not hastened.
    pub fn new(deed: Deed, percent: i32) -> Self {
        Self {
            deed,
            percent,
            carried: false,
            haste: 0,
        }
    }
}

/// Something that lasts for rounds (AC-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Timed {
    pub what: Lasts,
    /// Ends of round until it is over.
    pub rounds: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// Was caught unaware: can do nothing in its first round (AC-09).
    Surprised,
    /// 200% activity (AC-25).
    Swift,
    /// Chi speed was made in this round or the one before: not again yet.
    ChiSpent,
    /// Loads in no time to speak of (AC-24).
    QuickLoad,
}

/// A combatant under Activity.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Actor {
    /// Rolled for this round (AC-11).
    pub initiative: i32,
    /// Percent of activity in this round: 100, or 200 (AC-25).
    pub capacity: i32,
    pub plan: Vec<Planned>,
    /// A spell whose time is still to be declared.
    pub naming: Option<(SpellId, i32)>,
    /// OB set aside for parrying (AC-13).
    pub parry: i32,
    /// Has declared all that it will this round.
    pub declared: bool,
    /// The place in the plan of the action that comes next.
    pub next: usize,
    /// Percent used this round.
    pub spent: i32,
    /// The action just executed this round.
    pub last: Option<Deed>,
    /// An action that runs over into the next round, and what of it is left.
    pub carry: Option<Planned>,
    /// Feet moved this round (AC-23).
    pub moved: u16,
    /// What of the round is left over has been moved, or not wanted (AC-10).
    pub settled: bool,
    /// Has struck at somebody who left its reach this round (AC-36).
    pub struck: bool,
    /// The OB that it keeps has met a blow this round (AC-13).
    pub parried: bool,
    /// Missiles that its missile parries have met this round (AC-22).
    pub missiles_parried: usize,
    /// The count of its melee has come with nobody in reach: it strikes as soon
    /// as somebody is (AC-15).
    pub waiting: bool,
    /// The missile weapons that are loaded.
    pub loaded: Vec<Item>,
    /// Power points left.
    pub power: i32,
    /// Castings of each spell so far.
    pub cast: Vec<(SpellId, i32)>,
    /// Hits that it bleeds at the end of each round (AC-33).
    pub bleeding: i32,
    /// Rounds of stun left, this one included.
    pub stunned: i32,
    /// Penalties of its wounds, 0 or less: to everything, to maneuvers besides.
    pub penalty: i32,
    pub clumsy: i32,
    pub lasting: Vec<Timed>,
    /// Not seen by the other sides.
    pub hidden: bool,
}

impl Actor {
    pub fn new(power: i32, loaded: Vec<Item>, hidden: bool) -> Self {
        Self {
            initiative: 0,
            capacity: 100,
            plan: vec![],
            naming: None,
            parry: 0,
            declared: false,
            next: 0,
            spent: 0,
            last: None,
            carry: None,
            moved: 0,
            settled: false,
            struck: false,
            parried: false,
            missiles_parried: 0,
            waiting: false,
            loaded,
            power,
            cast: vec![],
            bleeding: 0,
            stunned: 0,
            penalty: 0,
            clumsy: 0,
            lasting: vec![],
            hidden,
        }
    }

    pub fn has(&self, what: Lasts) -> bool {
        self.lasting.iter().any(|l| l.what == what)
    }

    /// Stunned or caught unaware: it can do nothing now.
    pub fn is_dazed(&self) -> bool {
        self.stunned > 0 || self.has(Lasts::Surprised)
    }

    /// Percent of this round that the plan takes up so far; an action that runs
    /// over takes all that was left.
    pub fn planned(&self) -> i32 {
        let sum: i32 = self.plan.iter().map(|p| p.percent).sum();
        sum.min(self.capacity)
    }

    /// Power points that the plan is going to take.
    pub fn pledged(&self) -> i32 {
        let points = |p: &Planned| match p.deed {
            Deed::Spell { points, .. } | Deed::Instant { points, .. } => points,
            _ => 0,
        };
        self.plan.iter().skip(self.next).map(points).sum()
    }

    /// Actions in the plan: instantaneous spells are none (AC-10).
    pub fn actions(&self) -> usize {
        self.plan.iter().filter(|p| p.deed.is_action()).count()
    }

    /// The action that comes next, if it will come this round.
    pub fn coming(&self) -> Option<&Planned> {
        let next = self.plan.get(self.next)?;
        (self.spent + next.percent <= self.capacity).then_some(next)
    }

    /// AC-11: the count at which its next action comes.
    pub fn count(&self, per_tenth: i32) -> Option<i32> {
        self.coming()?;
        Some(self.initiative - self.fall(self.next, per_tenth)?)
    }

    /// AC-11: how far below the initiative an action of the plan comes, by its
    /// place in it. `per_tenth`: how far a count falls for every whole 10%
    /// used. An action that was begun in an earlier round comes when its last
    /// percent is spent (AC-17). None: not in this round (AC-14).
    pub fn fall(&self, place: usize, per_tenth: i32) -> Option<i32> {
        let planned = self.plan.get(place)?;
        let before: i32 = self.plan[..place].iter().map(|p| p.percent).sum();
        let used = if planned.carried {
            planned.percent
        } else {
            before
        };
        let fits = before + planned.percent <= self.capacity;
        fits.then_some(per_tenth * (used / 10))
    }

    /// Where it is in its plan now.
    pub fn position(&self) -> PlanPosition {
        let upcoming = || self.plan.iter().skip(self.next).map(|p| p.deed);
        PlanPosition {
            current: self.last,
            next: upcoming().next(),
            next_action: upcoming().find(Deed::is_action),
            has_begun: self.next > 0 || self.waiting,
        }
    }

    /// AC-13, AC-22: what the action that comes next costs although it is given
    /// up, in percent: it has been parried with, and nothing else in the plan
    /// pays for that.
    pub fn owed(&self) -> i32 {
        let Some(next) = self.plan.get(self.next) else {
            return 0;
        };
        let besides = |fits: fn(Deed) -> bool| {
            let others = self.plan.iter().enumerate().filter(|o| o.0 != self.next);
            others.filter(|o| fits(o.1.deed)).count()
        };
        let owes = match next.deed {
            deed if deed.is_melee() => self.parried && besides(Deed::is_melee) == 0,
            Deed::ParryMissile => {
                self.missiles_parried > besides(|deed| deed == Deed::ParryMissile)
            }
            _ => false,
        };
        if owes {
            next.percent.min(self.capacity - self.spent)
        } else {
            0
        }
    }

    /// What it has not used of the round is lost.
    pub fn is_over(&self, stage: Stage) -> bool {
        stage == Stage::LeftOver && self.settled
    }

    /// What of the round nobody has planned or used. Who waits may give up its
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

/// Where a unit is in its plan: what decides whether it may parry (AC-13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanPosition {
    /// The action just executed this round.
    pub current: Option<Deed>,
    /// What comes next, an instantaneous spell included.
    pub next: Option<Deed>,
    /// The next action. Instantaneous spells are none (AC-16).
    pub next_action: Option<Deed>,
    /// Something of the plan is done already, or its melee waits (AC-15).
    pub has_begun: bool,
}

impl PlanPosition {
    /// AC-13: the current or the next action is a melee or a missile parry.
    pub fn allows_parry(&self) -> bool {
        self.is_at(Deed::allows_parry)
    }

    /// The current or the next action is of this kind.
    pub fn is_at(&self, kind: fn(Deed) -> bool) -> bool {
        self.current.is_some_and(kind) || self.next_action.is_some_and(kind)
    }
}

impl Deed {
    pub fn is_action(&self) -> bool {
        !matches!(self, Self::Instant { .. })
    }

    /// Comes to a blow.
    pub fn is_melee(self) -> bool {
        matches!(self, Self::Melee | Self::Charge)
    }

    pub fn allows_parry(self) -> bool {
        self.is_melee() || self == Self::ParryMissile
    }

    /// May run over into the next round (AC-14).
    pub fn may_overrun(self) -> bool {
        use Deed::*;
        matches!(self, Reload(_) | Spell { .. } | Stanch | PickUp)
    }
}

/// Where the battle is, and what each side has been through.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    pub stage: Stage,
}

/// What a round has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// Until the first count: declarations, initiative.
    #[default]
    Declaring,
    Count(i32),
    /// What activity is left may be moved (AC-10).
    LeftOver,
}

/// Whose turn it is at a count: all of them at once.
pub type Group = Vec<Id>;
