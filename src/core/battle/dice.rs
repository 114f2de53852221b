//! The battle's dice: a seeded stream that is the same on every machine, or a script that must
//! match the rolls exactly.

use super::Id;
use bevy_ecs::resource::Resource;
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::collections::VecDeque;

/// The source of a battle's dice. A forecast gets a box of its own.
#[derive(Resource, Clone, Debug)]
pub struct DiceBox {
    source: DiceSource,
    fault: Option<ScriptMismatch>,
    rolled: u32,
}

/// The first mismatch between a dice script and the rolls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptMismatch {
    /// The index of the die in the script, from 0; its length if the script has run out.
    pub nth: usize,
    /// Sides of the die that the battle rolled.
    pub sides: u16,
    /// Sides and value of the die in the script.
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

/// 2^64 divided by the golden ratio, which spreads the seeds of streams far apart.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[derive(Clone, Debug)]
enum DiceSource {
    Seeded(Xoshiro256PlusPlus),
    /// A stream for each unit and number of sides. `roller` is the unit that rolls now.
    PerUnit {
        seed: u64,
        roller: Option<Id>,
        streams: Vec<((Option<Id>, u16), Xoshiro256PlusPlus)>,
    },
    /// Sides and value of each die, in the order of the rolls.
    Scripted(VecDeque<(u16, u16)>),
    /// Every die shows its middle face. Even dice have two, which alternate: `before` is the
    /// number of sides of the previous die if it showed the upper one.
    Middling {
        before: u16,
    },
    /// Every die shows its middle face, the upper one of two.
    Steady,
}

impl DiceBox {
    /// The same seed gives the same dice on every run and machine.
    pub fn seeded(seed: u64) -> Self {
        Self::from(DiceSource::Seeded(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    /// Dice for simulations that are compared with each other ("common random numbers"). Each unit
    /// has a stream of its own for each number of sides, so its nth d20 is the same in all of them,
    /// whatever others roll before it. Their differences then depend less on luck.
    pub fn per_unit(seed: u64) -> Self {
        Self::from(DiceSource::PerUnit {
            seed,
            roller: None,
            streams: vec![],
        })
    }

    /// Names the unit that rolls next, until another is named or the step ends. Only
    /// [`per_unit`](Self::per_unit) dice depend on it.
    pub fn roll_for(&mut self, who: impl Into<Option<Id>>) {
        if let DiceSource::PerUnit { roller, .. } = &mut self.source {
            *roller = who.into();
        }
    }

    /// Dice from a script of `(sides, value)`. A roll that does not match is a
    /// [`fault`](Self::fault).
    pub fn scripted(dice: impl IntoIterator<Item = (u16, u16)>) -> Self {
        Self::from(DiceSource::Scripted(dice.into_iter().collect()))
    }

    /// Dice that show their middle face. Of two middle faces, the upper and the lower alternate,
    /// so that 2d6 total 7.
    pub fn middling() -> Self {
        Self::from(DiceSource::Middling { before: 0 })
    }

    /// Dice that show their middle face, the upper one of two. The result of a die does not
    /// depend on the dice before it.
    pub fn steady() -> Self {
        Self::from(DiceSource::Steady)
    }

    fn from(source: DiceSource) -> Self {
        Self {
            source,
            fault: None,
            rolled: 0,
        }
    }

    /// Rolls one die: 1 to `sides`, all equally likely.
    pub fn roll(&mut self, sides: u16) -> u16 {
        self.rolled += 1;
        match &mut self.source {
            DiceSource::Seeded(stream) => even(stream, u32::from(sides)) as u16 + 1,
            DiceSource::PerUnit {
                seed,
                roller,
                streams,
            } => {
                let key = (*roller, sides);
                let known = streams.iter().position(|stream| stream.0 == key);
                let nth = known.unwrap_or_else(|| {
                    let unit = roller.map_or(0, |who| who.index() as u64 + 1);
                    let stream = (unit << 16 | u64::from(sides)).wrapping_mul(GOLDEN);
                    let stream = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(stream));
                    streams.push((key, stream));
                    streams.len() - 1
                });
                even(&mut streams[nth].1, u32::from(sides)) as u16 + 1
            }
            DiceSource::Scripted(left) => match left.pop_front() {
                Some((s, value)) if s == sides => value,
                found => {
                    let nth = self.rolled as usize - 1;
                    self.fault
                        .get_or_insert(ScriptMismatch { nth, sides, found });
                    1
                }
            },
            DiceSource::Middling { before } => {
                let is_lower = sides.is_multiple_of(2) && *before == sides;
                *before = if is_lower { 0 } else { sides };
                sides / 2 + u16::from(!is_lower)
            }
            DiceSource::Steady => sides / 2 + 1,
        }
    }

    /// The first mismatch between the script and the rolls.
    pub fn fault(&self) -> Option<&ScriptMismatch> {
        self.fault.as_ref()
    }

    /// How many dice of the script are not rolled yet.
    pub fn left(&self) -> usize {
        match &self.source {
            DiceSource::Scripted(left) => left.len(),
            DiceSource::Seeded(_)
            | DiceSource::PerUnit { .. }
            | DiceSource::Middling { .. }
            | DiceSource::Steady => 0,
        }
    }

    /// How many dice have been rolled. Undo is possible only while this does not change.
    pub fn rolled(&self) -> u32 {
        self.rolled
    }
}

/// A number from 0 to `n - 1` without bias. The mapping is implemented here so that a new version
/// of the `rand` crate cannot change a recorded battle.
fn even(stream: &mut Xoshiro256PlusPlus, n: u32) -> u32 {
    let fair = u32::MAX - u32::MAX % n;
    loop {
        let bits = (stream.next_u64() >> 32) as u32;
        if bits < fair {
            return bits % n;
        }
    }
}

/// A random generator for use outside the battle's rules: ties in the AI, random play.
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 to `n - 1`. `n` must be at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        even(&mut self.0, n as u32) as usize
    }
}
