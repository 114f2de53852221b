//! What spells are worth, and the risk that they are spoiled (SE-41).

use super::{Evaluation, KILL, NEVER, OWN_LIFE};
use crate::{
    battle::{Choice, Id, SpellId, State},
    content::{Area, Dice, Effect, Save},
    grid::{Cell, Space, cells_apart},
};

impl Evaluation<'_, '_, '_> {
    pub(super) fn plan_to_cast(&self, spell: SpellId) -> i32 {
        let worth = self.spell_worth(spell);
        if worth <= 0 {
            return NEVER;
        }
        let kept = 100 - self.spoil_percent(spell);
        worth * kept / 100 + 30
    }

    /// In its segment: still worth it, or better let be?
    pub(super) fn begin_spell(&self, choice: &Choice) -> i32 {
        let Some(spell) = choice.spell else {
            return NEVER;
        };
        let worth = self.spell_worth(spell);
        if worth <= 0 {
            return self.stay() - 50;
        }
        self.stay() + worth * (100 - self.spoil_percent(spell)) / 100
    }

    /// How likely it is that somebody spoils it: every foe that may act while
    /// it is cast, by its chance to hurt.
    fn spoil_percent(&self, spell: SpellId) -> i32 {
        let se = self.se;
        let casting = se.view.spell(spell).segments.casting;
        let share = (casting * 15).min(90);
        let here = Space::new(self.here, se.body(self.who).size);
        let mut safe = 100;
        for foe in &self.dangers {
            let far = cells_apart(foe.space, here) * 5;
            let strikes = far <= foe.reach && foe.melee > 0;
            let charges = far <= foe.speed * 2 + foe.reach && foe.melee > 0;
            let shoots = foe.ranged > 0
                && far <= foe.range
                && far > 5
                && se.view.board.sight(foe.space, here).los;
            let hit = if strikes {
                55
            } else if shoots {
                35
            } else if charges {
                20
            } else {
                0
            };
            safe = safe * (10_000 - share * hit) / 10_000;
        }
        100 - safe
    }

    /// The best that a spell could do as things stand.
    fn spell_worth(&self, spell: SpellId) -> i32 {
        let kind = self.se.view.spell(spell);
        if kind.area == Area::One {
            let all = self.se.view.ids();
            let fit = all.filter(|&at| self.se.can_target(self.who, spell, at).is_ok());
            return fit.map(|at| self.at_one(spell, at)).max().unwrap_or(0);
        }
        let aims = self.se.aims(self.who, spell);
        let near = aims
            .into_iter()
            .filter(|&to| self.is_worth_a_look(spell, to));
        near.map(|to| self.at_place(spell, to)).max().unwrap_or(0)
    }

    pub(super) fn aim(&self, choice: &Choice) -> i32 {
        let Some(spell) = choice.spell else {
            return NEVER;
        };
        match (choice.at, choice.to) {
            (Some(at), _) => self.at_one(spell, at),
            (_, Some(to)) if self.is_worth_a_look(spell, to) => self.at_place(spell, to),
            _ => NEVER,
        }
    }

    /// A blast is laid on a foe or next to one, everything else points at one.
    fn is_worth_a_look(&self, spell: SpellId, to: Cell) -> bool {
        let near = match self.se.view.spell(spell).area {
            Area::Blast(_) => 1,
            _ => 0,
        };
        let there = Space::one(to);
        let is_near = |foe: &super::Danger| cells_apart(foe.space, there) <= near;
        self.dangers.iter().any(is_near)
    }

    fn at_place(&self, spell: SpellId, to: Cell) -> i32 {
        let cells = self.se.area(self.who, spell, to);
        let caught = self.se.caught(self.who, spell, &cells);
        caught.into_iter().map(|at| self.at_one(spell, at)).sum()
    }

    /// What a spell does to one, friend or foe.
    fn at_one(&self, spell: SpellId, at: Id) -> i32 {
        let se = self.se;
        let kind = se.view.spell(spell);
        let body = se.body(at);
        let friend = body.side == se.body(self.who).side;
        // Nobody needs to be struck when down; a fallen friend may die of it.
        if !body.is_up() && matches!(kind.effect, Effect::Damage(_)) {
            return if friend { -KILL } else { 0 };
        }
        let fails = match kind.save {
            Save::None => 20,
            _ => (se.stats(at).save - 1).clamp(0, 20),
        };
        match kind.effect {
            Effect::Damage(dice) => {
                let full = harm(dice, body.hp);
                let rest = match kind.save {
                    Save::None => full,
                    Save::Half => harm_of(dice.twice_mean() / 4, body.hp),
                    Save::Negates => 0,
                };
                let worth = (full * fails + rest * (20 - fails)) / 20;
                if friend { -worth * 5 / 4 } else { worth }
            }
            Effect::Hold { rounds } => {
                if se.is_helpless(at) {
                    return 0;
                }
                let danger = self.dangers.iter().find(|d| d.foe == at);
                let threat = danger.map_or(100, |d| d.melee.max(d.ranged));
                (250 + threat * rounds.min(3) / 2) * fails / 20
            }
            Effect::Ward { .. } => {
                let warded = se.fighter(at).ward.is_some();
                let near = self.danger(body.at) > 100;
                if warded {
                    0
                } else {
                    60 + if near { 80 } else { 0 }
                }
            }
            Effect::Heal(dice) => {
                let lost = (body.max_hp - body.hp).min(dice.twice_mean() / 2);
                let down = if body.state == State::Down { 350 } else { 0 };
                down + lost * OWN_LIFE / 3 / body.max_hp.max(1)
            }
        }
    }
}

/// What dice do to somebody with so many hit points.
fn harm(dice: Dice, hp: i32) -> i32 {
    let mean = dice.twice_mean() / 2;
    let sure = dice.min() >= hp;
    harm_of(mean, hp) + if sure { KILL / 2 } else { 0 }
}

fn harm_of(points: i32, hp: i32) -> i32 {
    let hp = hp.max(1);
    let hurt = points.min(hp) * 600 / hp;
    hurt + if points >= hp { KILL / 2 } else { 0 }
}
