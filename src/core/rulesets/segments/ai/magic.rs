//! The worth of spells, and the risk that they are spoiled (SE-41).

use super::super::{content::SegmentsSpell, spells::offers_to_aim};
use super::Evaluation;
use crate::{
    battle::{Choice, SpellId},
    content::SpellArea,
    grid::{Cell, Space, cells_apart},
};

impl Evaluation<'_, '_, '_> {
    /// The worth of a spell, times the chance that no enemy spoils it. `None` if it gains nothing.
    pub fn undisrupted_worth(&self, choice: &Choice) -> Option<i32> {
        let spell = choice.spell?;
        let offers = offers_to_aim(self.state, self.who, spell);
        let legal = offers.iter().filter(|offer| offer.is_legal());
        let best = legal.filter_map(|offer| self.aim(&offer.choice)).max();
        let worth = best.filter(|&worth| worth > 0)?;
        Some(worth * self.safe_percent(spell) / 100)
    }

    /// The chance in percent that no enemy spoils the spell: every enemy that can attack during the
    /// casting counts, by how it could attack.
    fn safe_percent(&self, spell: SpellId) -> i32 {
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
        safe
    }

    pub fn aim(&self, choice: &Choice) -> Option<i32> {
        let spell = choice.spell?;
        match choice.at {
            Some(at) => Some(self.spell_on(self.view.spell(spell), at)),
            None => self.at_place(spell, choice.to?),
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
