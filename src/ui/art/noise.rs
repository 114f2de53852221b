//! Randomness for drawings: equal seeds give equal numbers on every machine. It is
//! independent of the battle's dice.

/// A hash of some numbers, good enough to scatter stones.
pub fn hash(parts: &[i64]) -> u64 {
    parts
        .iter()
        .fold(0x9E37_79B9_7F4A_7C15, |h, &part| mix(h ^ (part as u64)))
}

/// A stream of random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Scatter(u64);

impl Scatter {
    /// The stream for these seed numbers.
    pub fn new(parts: &[i64]) -> Scatter {
        Scatter(hash(parts))
    }

    /// The next number, at least 0 and less than 1.
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (mix(self.0) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// The next number, at least `low` and less than `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// The finaliser of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
