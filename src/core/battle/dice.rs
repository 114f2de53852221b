//! The battle's dice: one seeded stream that is the same on every machine, or
//! a scripted list that must come out even.

use bevy_ecs::resource::Resource;
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::collections::VecDeque;

/// Where the dice of a battle come from. A forecast gets a box of its own.
#[derive(Resource, Clone, Debug)]
pub struct DiceBox {
    source: Source,
    fault: Option<ScriptMismatch>,
    rolled: u32,
}

/// How a scripted list and the rolls disagreed, the first time they did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptMismatch {
    /// Which die of the script, from 0; as many as it has: it is used up.
    pub nth: usize,
    /// Sides of the die that was rolled.
    pub sides: u16,
    /// Sides and value of the die that the script has in that place.
    pub found: Option<(u16, u16)>,
}

impl std::fmt::Display for ScriptMismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { nth, sides, found } = self;
        match found {
            Some((s, value)) => write!(
                f,
                "die {} of the script is d{s}: {value}, but the battle rolls a d{sides}",
                nth + 1
            ),
            None => write!(
                f,
                "the script has {nth} dice, but the battle rolls another: a d{sides}"
            ),
        }
    }
}

#[derive(Clone, Debug)]
enum Source {
    Seeded(Xoshiro256PlusPlus),
    /// Sides and value of each die, in the order in which they must be rolled.
    Scripted(VecDeque<(u16, u16)>),
    /// Every die shows the middle of its faces. So many sides had the die before, if it
    /// showed the upper of two such.
    Middling {
        before: u16,
    },
    /// Every die shows the upper of its middle faces.
    Steady,
}

impl DiceBox {
    /// The same seed gives the same dice on every run and machine.
    pub fn seeded(seed: u64) -> Self {
        Self::from(Source::Seeded(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    /// Dice as written, `(sides, value)`; a roll that does not fit is a [`fault`](Self::fault).
    pub fn scripted(dice: impl IntoIterator<Item = (u16, u16)>) -> Self {
        Self::from(Source::Scripted(dice.into_iter().collect()))
    }

    /// Dice of which each shows what it is expected to: the middle of its faces,
    /// of two such the upper and the lower in turn, so that 2d6 are 7.
    pub fn middling() -> Self {
        Self::from(Source::Middling { before: 0 })
    }

    /// Dice of which each shows the upper of its middle faces. What one shows does not
    /// depend on how many were rolled before it.
    pub fn steady() -> Self {
        Self::from(Source::Steady)
    }

    fn from(source: Source) -> Self {
        Self {
            source,
            fault: None,
            rolled: 0,
        }
    }

    /// One die: 1 to `sides`, every value equally likely.
    pub fn roll(&mut self, sides: u16) -> u16 {
        self.rolled += 1;
        match &mut self.source {
            Source::Seeded(stream) => even(stream, u32::from(sides)) as u16 + 1,
            Source::Scripted(left) => match left.pop_front() {
                Some((s, value)) if s == sides => value,
                found => {
                    let nth = self.rolled as usize - 1;
                    self.fault
                        .get_or_insert(ScriptMismatch { nth, sides, found });
                    1
                }
            },
            Source::Middling { before } => {
                let is_lower = sides.is_multiple_of(2) && *before == sides;
                *before = if is_lower { 0 } else { sides };
                sides / 2 + u16::from(!is_lower)
            }
            Source::Steady => sides / 2 + 1,
        }
    }

    /// How a scripted list and the rolls disagreed, the first time they did.
    pub fn fault(&self) -> Option<&ScriptMismatch> {
        self.fault.as_ref()
    }

    /// Scripted dice that nobody has rolled yet.
    pub fn left(&self) -> usize {
        match &self.source {
            Source::Seeded(_) | Source::Middling { .. } | Source::Steady => 0,
            Source::Scripted(left) => left.len(),
        }
    }

    /// How many dice have been rolled; undo may cross only what rolled none.
    pub fn rolled(&self) -> u32 {
        self.rolled
    }
}

/// 0 to `n - 1` without bias. The mapping is ours, so that another version of
/// the random crate cannot change a recorded battle.
fn even(stream: &mut Xoshiro256PlusPlus, n: u32) -> u32 {
    let fair = u32::MAX - u32::MAX % n;
    loop {
        let bits = (stream.next_u64() >> 32) as u32;
        if bits < fair {
            return bits % n;
        }
    }
}

/// A generator for those outside the battle: the AI's ties, random play.
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 0 to `n - 1`; `n` at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        even(&mut self.0, n as u32) as usize
    }
}
