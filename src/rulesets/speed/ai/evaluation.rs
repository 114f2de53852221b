//! What one who decides sees: its targets and its dangers, and how far it is
//! from everywhere to where it wants to be.

use super::super::{acts::blow, odds::Forecast, sp::Sp};
use crate::{
    battle::{Attack, Id, Item, sent_to},
    grid::{Cell, Cover, Range, Space, cells_apart},
    levels::Goal,
    rulesets::common::ai::field::{Field, Fields},
};
use std::cell::OnceCell;

/// To take a foe's last Wound Point is worth this much; all other worths are
/// measured by it.
pub const KILL: i32 = 1000;
/// To take all that a foe can bear but the last of it.
pub const HURT: i32 = 600;
/// What it is worth to be a count earlier.
pub const COUNT: i32 = 6;
pub const NEVER: i32 = i32::MIN + 1;

/// One of its arms against one foe.
pub struct Arm {
    pub foe: Id,
    pub space: Space,
    pub item: Item,
    pub ranged: bool,
    /// Feet: reach, or normal and long range.
    pub near: u16,
    pub far: u16,
    pub plain: Forecast,
    pub worth: i32,
}

/// A foe as a danger: what its best attacks are worth to it.
pub struct Danger {
    pub foe: Id,
    pub space: Space,
    /// Feet that it can come and strike in a round.
    pub strike: u16,
    pub melee: i32,
    pub ranged: i32,
    pub range: u16,
    /// How many faces of twenty hit with the best of it.
    pub faces: i32,
}

pub struct Evaluation<'a, 'w, 's> {
    pub sp: &'a Sp<'w, 's>,
    pub who: Id,
    pub arms: Vec<Arm>,
    pub dangers: Vec<Danger>,
    /// Nothing but moves is offered now.
    pub moves_only: bool,
    /// Paces to the nearest foe.
    to_foes: Field,
    /// Paces to where an objective sends it, if any does.
    goal: Option<Field>,
    range: OnceCell<Range>,
}

impl<'a, 'w, 's> Evaluation<'a, 'w, 's> {
    pub fn new(sp: &'a Sp<'w, 's>, who: Id, fields: &mut Fields) -> Self {
        let (board, sent) = (&sp.view.board, sent_to(&sp.view, who));
        let foes = sp.view.foes(sp.side(who)).map(|foe| sp.body(foe).space());
        let mut mind = Self {
            sp,
            who,
            arms: vec![],
            dangers: vec![],
            moves_only: false,
            to_foes: fields.nearest_of(board, foes.collect()),
            goal: (!sent.is_empty()).then(|| fields.to(board, &sent)),
            range: OnceCell::new(),
        };
        for foe in sp.view.foes(sp.side(who)) {
            mind.arms.extend(arms(sp, who, foe));
            mind.dangers.push(danger(sp, who, foe));
        }
        mind
    }

    pub fn space(&self, at: Cell) -> Space {
        Space::new(at, self.sp.body(self.who).size)
    }

    pub fn here(&self) -> Cell {
        self.sp.body(self.who).at
    }

    /// The best of its arms from a cell, of one kind if that is declared.
    pub fn offense(&self, from: Cell, with: Option<(Item, bool)>) -> i32 {
        let (board, here) = (&self.sp.view.board, self.space(from));
        let mut best = 0;
        for arm in &self.arms {
            let other = with.is_some_and(|(item, thrown)| {
                arm.item != item || arm.ranged != (thrown || self.shoots(item))
            });
            if other || arm.worth <= best {
                continue;
            }
            let apart = cells_apart(here, arm.space) * 5;
            let near = match arm.ranged {
                true => board.within(here, arm.space, arm.far),
                false => apart <= arm.far && board.in_reach(here, arm.space, arm.far),
            };
            if !near {
                continue;
            }
            let sight = board.sight(here, arm.space);
            if !sight.los {
                continue;
            }
            let mut part = match sight.cover {
                Some(Cover::Half) => 80,
                Some(Cover::Full) => 60,
                _ => 100,
            };
            if arm.ranged && !board.within(here, arm.space, arm.near) {
                part -= 15;
            }
            if arm.ranged && self.sp.is_threatened_at(self.who, here) {
                part -= 30;
            }
            best = best.max(arm.worth * part / 100);
        }
        best
    }

    /// A move of this round leads to where the arm reaches its foe, as things
    /// stand: shut doors and bodies are in the way.
    pub fn can_get_at(&self, arm: &Arm) -> bool {
        let range = self.range.get_or_init(|| self.sp.range(self.who));
        let board = &self.sp.view.board;
        let mut ends = range.cells().filter(|end| end.may_stop);
        ends.any(|end| {
            let here = self.space(end.cell);
            match arm.ranged {
                true => board.within(here, arm.space, arm.far) && board.sight(here, arm.space).los,
                false => board.in_reach(here, arm.space, arm.far),
            }
        })
    }

    /// Its side loses if it falls.
    pub fn is_ward(&self) -> bool {
        let side = self.sp.side(self.who);
        let objectives = self.sp.view.level().objectives.iter();
        let mut own = objectives.filter(|o| side == o.side.into());
        own.any(|o| match &o.goal {
            Goal::Protect(wards) => wards.iter().any(|&w| Id::from(w) == self.who),
            _ => false,
        })
    }

    /// The weapon has no use in the hand.
    pub fn shoots(&self, item: Item) -> bool {
        self.sp.weapon(item).melee.is_none()
    }

    /// What the foes could do to it there until the round is over.
    pub fn danger(&self, at: Cell) -> i32 {
        let (board, here) = (&self.sp.view.board, self.space(at));
        let mut sum = 0;
        for foe in &self.dangers {
            let far = cells_apart(foe.space, here) * 5;
            let melee = if far <= foe.strike { foe.melee } else { 0 };
            let shot = foe.ranged > melee && far <= foe.range && board.sight(foe.space, here).los;
            sum += if shot { foe.ranged } else { melee };
        }
        sum
    }

    /// What ripostes from these foes would cost.
    pub fn opening(&self, foes: u64) -> i32 {
        let drawn = |d: &&Danger| foes & d.foe.bit() != 0;
        self.dangers.iter().filter(drawn).map(|d| d.melee).sum()
    }

    /// How far a cell is from where it wants to be, in steps: where an
    /// objective sends it, or else the nearest foe.
    pub fn way_to_go(&self, at: Cell) -> i32 {
        if let Some(steps) = self.steps_to_goal(at) {
            return i32::from(steps.min(200));
        }
        i32::from(self.steps_to_foes(at).min(200))
    }

    pub fn steps_to_foes(&self, at: Cell) -> u16 {
        self.to_foes.paces(at)
    }

    /// Paces to the place that an objective of its side sends it to, if any.
    pub fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        self.goal.as_ref().map(|field| field.paces(at))
    }

    /// Its side has to stand its ground rather than to seek the foe.
    pub fn keeps(&self) -> bool {
        let (sp, side) = (self.sp, self.sp.side(self.who));
        let objectives = sp.view.level().objectives.iter();
        let mut own = objectives.filter(|o| side == o.side.into());
        own.any(|o| matches!(o.goal, Goal::Survive { .. }))
    }
}

/// The ways in which somebody may attack somebody, with all its arms.
fn arms<'a>(sp: &'a Sp, by: Id, at: Id) -> impl Iterator<Item = Arm> + 'a {
    let items = sp
        .gear(by)
        .at_hand()
        .filter(move |&n| sp.wields(by, n).is_ok());
    let both = items.flat_map(|item| [(item, false), (item, true)]);
    both.filter_map(move |(item, ranged)| {
        let (near, far) = match ranged {
            true => {
                let shot = sp.weapon(item).ranged.as_ref()?;
                let feet = |n: i32| n.clamp(0, 30_000) as u16;
                (feet(shot.normal), feet(shot.long))
            }
            false => {
                let reach = sp.reach(by, item)?;
                (reach, reach)
            }
        };
        let plain = sp.plain(&attack(by, at, item, ranged));
        Some(Arm {
            foe: at,
            space: sp.body(at).space(),
            item,
            ranged,
            near,
            far,
            worth: worth(&plain),
            plain,
        })
    })
}

pub fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack {
        by,
        at,
        with,
        ranged,
        rule: blow::STRIKE.rule,
        extra: vec![],
    }
}

fn danger(sp: &Sp, who: Id, foe: Id) -> Danger {
    let mut danger = Danger {
        foe,
        space: sp.body(foe).space(),
        strike: 0,
        melee: 0,
        ranged: 0,
        range: 0,
        faces: 0,
    };
    if sp.can_act(foe).is_err() || sp.fighter(foe).fleeing {
        return danger;
    }
    for arm in arms(sp, foe, who) {
        if arm.ranged {
            danger.ranged = danger.ranged.max(arm.worth);
            danger.range = danger.range.max(arm.far);
        } else {
            danger.melee = danger.melee.max(arm.worth);
            danger.strike = danger.strike.max(sp.speed(foe) + arm.far);
        }
        danger.faces = danger.faces.max(arm.plain.faces());
    }
    danger
}

/// What an attack is worth: what it takes of the Stress and the Wound Points
/// that are left, more for what goes past the Stress, most for the last of it.
pub fn worth(f: &Forecast) -> i32 {
    let wounds = f.wounds.max(1);
    let pool = f.stress + wounds;
    let crits = f.critical_faces();
    let (least, most) = f.span(false);
    let plain = ((least + most) * 5).min(pool * 10);
    let (least, most) = f.span(true);
    let critical = ((least + most) * 5).min(wounds * 10);
    let hurt = (f.faces() - crits) * plain * HURT / pool + crits * critical * HURT / wounds;
    hurt / 200 + f.drop_percent() as i32 * KILL / 100
}
