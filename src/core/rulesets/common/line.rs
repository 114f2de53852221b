//! What the board has to say of an attack: sight, range, reach and cover.

use crate::{
    battle::{Attack, Rule, View, Why},
    grid::{Cell, Cover, Space},
};

/// An attack that can be made as far as the board goes.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Where it comes from.
    pub here: Space,
    /// Its target.
    pub there: Space,
    /// The target's cover.
    pub cover: Cover,
    /// Shot or thrown beyond the weapon's normal range.
    pub is_long: bool,
}

impl View<'_, '_> {
    /// Neither who attacks nor their target is down.
    pub fn both_up(&self, attack: &Attack, rule: Rule) -> Result<(), Why> {
        if !self.body(attack.by).is_up() {
            return Err(Why::new(rule, "the attacker is down"));
        }
        if !self.body(attack.at).is_up() {
            return Err(Why::new(rule, "the target is down"));
        }
        Ok(())
    }

    /// The line of an attack if the attacker stood at `from`, or why it cannot
    /// be made: no line of sight, no weapon for shots (by the rule `shoots`), too
    /// far for it (`range`). Whether a blow reaches, [`Line::reaches`] says.
    pub fn line_of(
        &self,
        attack: &Attack,
        from: Cell,
        [shoots, range]: [Rule; 2],
    ) -> Result<Line, Why> {
        let here = Space::new(from, self.body(attack.by).size);
        let there = self.body(attack.at).space();
        let sight = self.board.sight(here, there);
        if !sight.los {
            return Err(Why::new("GR-10", "no line of sight"));
        }
        let mut line = Line {
            here,
            there,
            cover: sight.cover.unwrap_or(Cover::None),
            is_long: false,
        };
        if attack.ranged {
            let Some(shot) = &self.weapon(attack.with).ranged else {
                return Err(Why::new(shoots, "it cannot be shot or thrown"));
            };
            let feet = |n: i32| self.board.within(here, there, n.clamp(0, 30_000) as u16);
            if !feet(shot.long) {
                return Err(Why::new(range, format!("beyond {} ft", shot.long)));
            }
            line.is_long = !feet(shot.normal);
        }
        Ok(line)
    }
}

impl Line {
    /// Whether a weapon of this many feet gets there; none is not for melee.
    pub fn reaches(&self, view: &View, reach: Option<u16>, rule: Rule) -> Result<(), Why> {
        match reach {
            None => Err(Why::new(rule, "it is not a melee weapon")),
            Some(feet) if view.board.in_reach(self.here, self.there, feet) => Ok(()),
            Some(feet) => Err(Why::new(rule, format!("out of reach ({feet} ft)"))),
        }
    }

    /// What the target's cover adds to the die.
    pub fn by_cover<T>(&self, half: T, full: T) -> Option<(T, &'static str)> {
        match self.cover {
            Cover::None => None,
            Cover::Half => Some((half, "half cover")),
            Cover::Full => Some((full, "full cover")),
        }
    }
}
