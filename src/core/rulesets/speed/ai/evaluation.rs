//! The worth of attacks to the quick AI.

use super::{
    super::{acts::weapon_attack, odds::Forecast},
    Evaluation,
};
use crate::{
    battle::{Attack, Id, Item},
    grid::{Cell, Space},
    rulesets::common::ai::{AttackOption, HURT, KILL, Target},
};

/// Worth of acting one count earlier.
pub const COUNT: i32 = 6;

impl Evaluation<'_, '_, '_> {
    /// Worth of the unit's best attack with one weapon from a cell.
    pub fn offense_with(&self, from: Cell, item: Item, thrown: bool) -> i32 {
        let ranged = thrown || self.shoots(item);
        self.best_of(from, |_, arm| arm.item == item && arm.ranged == ranged)
    }

    /// Whether a move this round leads to a cell from which the weapon reaches the target.
    /// Closed doors and bodies block the way.
    pub fn can_reach_target(&self, target: &Target, arm: &AttackOption) -> bool {
        let board = &self.view.board;
        self.can_get_where(|here| match arm.ranged {
            true => {
                board.within(here, target.space, arm.far) && board.sight(here, target.space).los
            }
            false => board.in_reach(here, target.space, arm.far),
        })
    }

    /// Whether a move this round leads to a place where `will_do` holds.
    pub fn can_get_where(&self, will_do: impl Fn(Space) -> bool) -> bool {
        let range = self.own.range.get_or_init(|| self.state.range(self.who));
        let mut ends = range.cells().filter(|end| end.may_stop);
        ends.any(|end| will_do(self.space(end.cell)))
    }

    /// Whether the weapon cannot be used in melee.
    pub fn shoots(&self, item: Item) -> bool {
        self.view.weapon(item).melee.is_none()
    }
}

pub fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, weapon_attack::STRIKE.rule)
}

/// The worth of an attack: the share of the remaining Stress and Wound Points that it takes.
/// Damage that skips Stress counts more, and taking the last Wound Point counts most.
pub fn worth(f: &Forecast) -> i32 {
    let wounds = f.wounds.max(1);
    let pool = f.stress + wounds;
    // Most Wound Points that the attack can take; 0 for a fallen target if it is not lethal.
    let open = if f.lethal { wounds } else { f.wounds.max(0) };
    let crits = f.critical_outcomes();
    let (least, most) = f.span(false);
    let plain = ((least + most) * 5).min((f.stress + open) * 10);
    let (least, most) = f.span(true);
    let critical = ((least + most) * 5).min(open * 10);
    let hurt = (f.outcomes() - crits) * plain * HURT / pool + crits * critical * HURT / wounds;
    hurt / 200 + f.drop_percent() as i32 * KILL / 100
}
