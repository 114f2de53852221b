//! What attacks are worth.

use super::{
    super::{acts::blow, odds::Forecast, sp::Sp},
    Evaluation,
};
use crate::{
    battle::{Attack, Id, Item},
    rulesets::common::ai::{Arm, HURT, Hit, KILL, Target},
};

/// What it is worth to be a count earlier.
pub const COUNT: i32 = 6;
/// Faces of the d20 that it costs to shoot with a foe at hand.
const BESET: i32 = 4;

impl Evaluation<'_, '_, '_> {
    /// What the best attack with one arm is worth from a cell.
    pub fn offense_with(&self, from: crate::grid::Cell, item: Item, thrown: bool) -> i32 {
        let ranged = thrown || self.shoots(item);
        self.best_of(from, |_, arm| arm.item == item && arm.ranged == ranged)
    }

    /// A move of this round leads to where the arm reaches its foe, as things
    /// stand: shut doors and bodies are in the way.
    pub fn can_get_at(&self, target: &Target, arm: &Arm) -> bool {
        let range = self.own.range.get_or_init(|| self.state.range(self.who));
        let board = &self.state.view.board;
        let mut ends = range.cells().filter(|end| end.may_stop);
        ends.any(|end| {
            let here = self.space(end.cell);
            match arm.ranged {
                true => {
                    board.within(here, target.space, arm.far) && board.sight(here, target.space).los
                }
                false => board.in_reach(here, target.space, arm.far),
            }
        })
    }

    /// The weapon has no use in the hand.
    pub fn shoots(&self, item: Item) -> bool {
        self.state.weapon(item).melee.is_none()
    }
}

/// What comes of an attack in the open.
pub fn aim(sp: &Sp, by: Id, at: Id, arm: &mut Arm) {
    if sp.wields(by, arm.item).is_err() {
        return;
    }
    let plain = sp.plain(&attack(by, at, arm.item, arm.ranged));
    let faces = plain.faces();
    arm.blows.push(Hit {
        faces,
        hit: worth(&plain) * 20 / faces.max(1),
        miss: 0,
    });
    if arm.ranged {
        arm.beset = Some(BESET);
    }
}

pub fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, blow::STRIKE.rule)
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
