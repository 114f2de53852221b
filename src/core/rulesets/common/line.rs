//! What the board allows for an attack: line of sight, range, reach and cover.

use crate::{
    battle::{Attack, Rule, View, Why},
    grid::{Cell, Cover, Space, cells_apart},
};

/// An attack that the board allows.
#[derive(Clone, Copy, Debug)]
pub struct LegalAttack {
    /// The attacker's space.
    pub here: Space,
    /// The target's space.
    pub there: Space,
    /// The target's cover.
    pub cover: Cover,
    /// Whether it is a ranged attack beyond the weapon's normal range.
    pub is_long: bool,
}

impl View<'_, '_> {
    /// Checks that neither the attacker nor the target is down.
    pub fn both_up(&self, attack: &Attack, rule: Rule) -> Result<(), Why> {
        Why::new(rule, "the attacker is down").unless(self.body(attack.by).is_up())?;
        Why::new(rule, "the target is down").unless(self.body(attack.at).is_up())
    }

    /// The line of an attack from `from`, or why there is none: no line of sight, a weapon that
    /// can't shoot (rule `shoots`), out of range (rule `range`). Melee reach is checked by
    /// [`LegalAttack::reaches`].
    pub fn line_of(
        &self,
        attack: &Attack,
        from: Cell,
        [shoots, range]: [Rule; 2],
    ) -> Result<LegalAttack, Why> {
        let here = Space::new(from, self.body(attack.by).size);
        let there = self.body(attack.at).space();
        let sight = self.board.sight(here, there);
        Why::new("GR-10", "no line of sight").unless(sight.los)?;
        let mut line = LegalAttack {
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

impl LegalAttack {
    /// Checks that a melee weapon with this reach in feet gets to the target; `None` means that it
    /// is not a melee weapon.
    pub fn reaches(&self, view: &View, reach: Option<u16>, rule: Rule) -> Result<(), Why> {
        match reach {
            None => Err(Why::new(rule, "it is not a melee weapon")),
            Some(feet) if view.board.in_reach(self.here, self.there, feet) => Ok(()),
            Some(feet) => Err(Why::new(rule, self.beyond(view, feet))),
        }
    }

    /// Why a melee weapon with this reach in feet does not get to the target: the height, if that
    /// alone is too much.
    fn beyond(&self, view: &View, feet: u16) -> String {
        let [here, there] = [self.here, self.there].map(|space| view.board.floor(space));
        let rise = (there - here).abs();
        let is_beside = cells_apart(self.here, self.there) <= feet / 5;
        match is_beside && rise > f64::from(feet) {
            true if there < here => format!("out of reach, {rise} ft below"),
            true => format!("out of reach, {rise} ft above"),
            false => format!("out of reach ({feet} ft)"),
        }
    }

    /// The modifier for the target's cover, with its label. `None` without cover.
    pub fn by_cover<T>(&self, half: T, full: T) -> Option<(T, &'static str)> {
        match self.cover {
            Cover::None => None,
            Cover::Half => Some((half, "half cover")),
            Cover::Full => Some((full, "full cover")),
        }
    }
}
