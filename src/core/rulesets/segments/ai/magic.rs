//! The worth of spells, and the risk that they are spoiled (SE-41).

use super::{Evaluation, NEVER};
use crate::rulesets::segments::content::SegmentsSpell;
use crate::{
    battle::{Choice, Id, SpellId},
    content::SpellArea,
    grid::{Cell, Space, cells_apart},
};

impl Evaluation<'_, '_, '_> {
    pub(super) fn plan_to_cast(&self, spell: SpellId) -> i32 {
        let worth = self.spell_worth(spell);
        if worth <= 0 {
            return NEVER;
        }
        let kept = 100 - self.disrupt_percent(spell);
        worth * kept / 100 + 30
    }

    /// Whether a declared spell is still worth casting in the unit's segment.
    pub fn begin_spell(&self, choice: &Choice) -> i32 {
        let Some(spell) = choice.spell else {
            return NEVER;
        };
        let worth = self.spell_worth(spell);
        if worth <= 0 {
            return self.stay() - 50;
        }
        self.stay() + worth * (100 - self.disrupt_percent(spell)) / 100
    }

    /// The chance in percent that an enemy spoils the spell: every enemy that can attack during the
    /// casting counts, by how it could attack.
    fn disrupt_percent(&self, spell: SpellId) -> i32 {
        let casting = self.view.spell(spell).section::<SegmentsSpell>().casting;
        let share = (casting * 15).min(90);
        let here = self.space(self.here);
        let mut safe = 100;
        for enemy in self.dangers() {
            let far = self.feet_to(enemy.space);
            let fights = enemy.melee > 0;
            let shoots = enemy.ranged > 0 && (6..=enemy.range).contains(&far);
            let hit = match far {
                _ if fights && far <= enemy.reach => 55,
                _ if shoots && self.view.board.sight(enemy.space, here).los => 35,
                _ if fights && far <= enemy.strike => 20,
                _ => 0,
            };
            safe = safe * (10_000 - share * hit) / 10_000;
        }
        100 - safe
    }

    /// The best worth of the spell in the current position.
    fn spell_worth(&self, spell: SpellId) -> i32 {
        let (se, kind) = (self.state, self.view.spell(spell));
        let best = match kind.area {
            SpellArea::One => {
                let fit = |at: &Id| se.can_target(self.who, spell, *at).is_ok();
                let targets = self.view.ids().filter(fit);
                targets.map(|at| self.spell_on(kind, at)).max()
            }
            _ => {
                let aims = se.aims(self.who, spell).into_iter();
                aims.filter_map(|to| self.at_place(spell, to)).max()
            }
        };
        best.unwrap_or(0)
    }

    pub fn aim(&self, choice: &Choice) -> i32 {
        let Some(spell) = choice.spell else {
            return NEVER;
        };
        match (choice.at, choice.to) {
            (Some(at), _) => self.spell_on(self.view.spell(spell), at),
            (_, Some(to)) => self.at_place(spell, to).unwrap_or(NEVER),
            _ => NEVER,
        }
    }

    /// The worth of a spell aimed at a cell. `None` if it is not worth a look: harm is meant for
    /// enemies, help for allies, and a blast must be aimed at a suitable unit or next to one,
    /// everything else directly at one.
    fn at_place(&self, spell: SpellId, to: Cell) -> Option<i32> {
        let (view, kind) = (self.view, self.view.spell(spell));
        let near = match kind.area {
            SpellArea::Blast(_) => 1,
            _ => 0,
        };
        let there = Space::one(to);
        let is_near = |space: Space| cells_apart(space, there) <= near;
        let is_meant = match kind.effect.harms() {
            true => self.dangers().iter().any(|enemy| is_near(enemy.space)),
            false => {
                let mut friends = view.ids().filter(|&id| view.body(id).side == self.side());
                friends.any(|id| is_near(view.body(id).space()))
            }
        };
        is_meant.then(|| self.spell_on_all(kind, self.state.caught(self.who, spell, to)))
    }
}
