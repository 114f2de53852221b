//! Conditions as data: lasting effects on units.

use crate::icons::Icon;

/// A condition that a unit can have for a number of rounds.
///
/// What does not end with a round is no entry here, but state of its own:
///
/// - prone: a posture, which an action ends at a price (`Body::prone`);
/// - fleeing: a stage of morale, with an exit, a rally and a return (`Body::flees`);
/// - bleeding: under Segments and Phased a part of having fallen, ended by a bandage or by healing
///   (`common::bleed`); under Activity a number of hits a round that adds up wound by wound;
/// - surprise: a number of segments, a free round or a lost first round, which decides who takes part
///   and not what a unit can do;
/// - the conditions of Speed: see `speed::numbers::SpeedCondition`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Condition {
    /// The key in files: "slowed".
    pub id: String,
    /// The adjective for a unit with the condition: "slowed".
    pub name: String,
    /// Halves the unit's speed.
    pub half_speed: bool,
    /// The unit cannot act and is helpless.
    pub idle: bool,
    /// Bonus to the unit's attacks, in points of a d20.
    pub to_hit: i32,
    /// How much harder the unit is to hit, in points of a d20.
    pub defense: i32,
    /// A save at the end of each of the unit's rounds can end it early.
    pub save_ends: bool,
    /// The icon of its badge. `None` chooses one by its effect.
    pub icon: Option<Icon>,
}

impl Condition {
    /// Whether the condition is bad for the unit.
    pub fn harms(&self) -> bool {
        self.idle || self.half_speed || self.to_hit < 0 || self.defense < 0
    }

    /// Whether the condition restricts moving or acting.
    pub fn impedes(&self) -> bool {
        self.idle || self.half_speed
    }

    /// The icon of its badge.
    pub fn icon(&self) -> Icon {
        self.icon.unwrap_or(match (self.idle, self.harms()) {
            (true, _) => Icon::Held,
            (false, true) => Icon::Stunned,
            (false, false) => Icon::Spell,
        })
    }

    /// The effect in a few words: "half speed, −2 to hit".
    pub fn effect_text(&self) -> String {
        let better = |n: i32| match n {
            0 => None,
            n if n > 0 => Some(format!("{n} harder to hit")),
            n => Some(format!("{} easier to hit", -n)),
        };
        let parts = [
            self.idle.then(|| "can do nothing".to_owned()),
            self.half_speed.then(|| "half speed".to_owned()),
            (self.to_hit != 0).then(|| format!("{} to hit", crate::words::signed(self.to_hit))),
            better(self.defense),
            self.save_ends.then(|| "a save ends it".to_owned()),
        ];
        match Vec::from_iter(parts.into_iter().flatten()).join(", ") {
            nothing if nothing.is_empty() => "as many points as a spell gives it".to_owned(),
            does => does,
        }
    }
}
