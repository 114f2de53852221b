//! The code of a run: all settings of a run in a short text to share.

use crate::{battle::Ruleset, rulesets};

/// The difficulty of a run or a single battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Difficulty {
    Story,
    Easy,
    #[default]
    Normal,
    Hard,
}

impl Difficulty {
    pub const ALL: [Self; 4] = [Self::Story, Self::Easy, Self::Normal, Self::Hard];

    pub fn name(self) -> &'static str {
        match self {
            Self::Story => "Story",
            Self::Easy => "Easy",
            Self::Normal => "Normal",
            Self::Hard => "Hard",
        }
    }

    /// The difficulty of this name, ignoring case.
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |one: &Self| one.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(is_it)
    }

    /// A short explanation for players.
    pub fn about(self) -> &'static str {
        match self {
            Self::Story => "You win nine battles of ten; four retreats.",
            Self::Easy => "You should win most battles; three retreats.",
            Self::Normal => "Three battles of four on the safe way; two retreats.",
            Self::Hard => "Two battles of three on the safe way; one retreat.",
        }
    }

    /// Target chance to win for each way of a fork, in percent, before the ruleset's
    /// correction. The safest way comes first.
    pub fn odds(self) -> [u8; 3] {
        match self {
            Self::Story => [92, 80, 70],
            Self::Easy => [85, 70, 60],
            Self::Normal => [80, 60, 70],
            Self::Hard => [73, 53, 63],
        }
    }

    /// Battles that can be lost without ending the run.
    pub fn retreats(self) -> u8 {
        match self {
            Self::Story => 4,
            Self::Easy => 3,
            Self::Normal => 2,
            Self::Hard => 1,
        }
    }
}

/// The settings of a run. Equal settings give equal runs.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The seed; less than [`Settings::SEEDS`].
    pub seed: u32,
    pub rules: &'static Ruleset,
    pub difficulty: Difficulty,
    /// Whether units that die come back with a wound.
    pub keeps_dead: bool,
    /// Number of battles in the run, within [`Settings::BATTLES`].
    pub battles: u8,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Settings {}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.code())
    }
}

/// The first part of a code. A word encodes six bits, so that codes are easy to read out
/// and to tell apart.
const WORDS: [&str; 64] = [
    "ACRE", "BANK", "BARN", "BECK", "BEND", "BRAE", "BURN", "CAMP", "CAVE", "COVE", "CRAG", "DALE",
    "DEEP", "DELL", "DIKE", "DOWN", "EDGE", "FARM", "FELL", "FORD", "FORT", "GATE", "GLEN", "HALL",
    "HEAD", "HILL", "HOLM", "HOLT", "ISLE", "KEEP", "KNOT", "LAKE", "LANE", "LAWN", "LOCH", "MEAD",
    "MERE", "MILL", "MIRE", "MOOR", "MOSS", "NESS", "PARK", "PASS", "PATH", "PEAK", "PIKE", "POND",
    "PORT", "QUAY", "REED", "REEF", "RILL", "ROCK", "SAND", "SCAR", "SHAW", "TARN", "TORR", "VALE",
    "WALL", "WEIR", "WELL", "WOLD",
];

/// Digits and letters that are not easily confused (Crockford's base 32).
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Letters of a code after the word.
const LENGTH: usize = 6;
/// Multiplier that gives neighbouring seeds very different codes. It is odd, so that the
/// multiplication can be undone.
const SPREAD: u32 = 0x9e37_79b1;
/// The inverse of `SPREAD`, modulo 2^32.
const GATHER: u32 = inverse(SPREAD);

const fn inverse(of: u32) -> u32 {
    let (mut found, mut n) = (1_u32, 0);
    while n < 5 {
        found = found.wrapping_mul(2_u32.wrapping_sub(of.wrapping_mul(found)));
        n += 1;
    }
    found
}

impl Settings {
    /// Upper limit of seeds, exclusive.
    pub const SEEDS: u32 = 1 << 24;
    /// Minimum and maximum number of battles in a run.
    pub const BATTLES: (u8, u8) = (8, 10);

    /// The default settings for a seed: nine battles on Normal.
    pub fn new(seed: u32, rules: &'static Ruleset) -> Self {
        Self {
            seed: seed % Self::SEEDS,
            rules,
            difficulty: Difficulty::Normal,
            keeps_dead: false,
            battles: 9,
        }
    }

    fn bits(&self) -> u32 {
        let rules = rulesets::ALL.iter().position(|r| r.id == self.rules.id);
        let difficulty = Difficulty::ALL.iter().position(|d| *d == self.difficulty);
        let small = [
            (rules.unwrap_or(0) as u32, 3),
            (difficulty.unwrap_or(0) as u32, 2),
            (u32::from(self.keeps_dead), 1),
            (u32::from(self.battles - Self::BATTLES.0), 2),
        ];
        let add = |bits: u32, (value, width): (u32, u32)| bits << width | value;
        small.into_iter().fold(self.seed, add)
    }

    /// The code to share: `MOOR-7K2F-19`.
    pub fn code(&self) -> String {
        let spread = self.bits().wrapping_mul(SPREAD);
        let all = u64::from(spread) << 4 | u64::from(check(spread));
        let letter = |n: usize| LETTERS[(all >> (5 * n) & 31) as usize] as char;
        let tail: String = (0..LENGTH).rev().map(letter).collect();
        let word = WORDS[(all >> (5 * LENGTH)) as usize];
        format!("{word}-{}-{}", &tail[..4], &tail[4..])
    }

    /// Parses a code. Case, spaces and hyphens do not matter.
    ///
    /// # Errors
    /// What is wrong with the code, for players.
    pub fn of_code(code: &str) -> Result<Self, String> {
        let kept = |c: &char| c.is_alphanumeric();
        let text: String = code.chars().filter(kept).collect();
        let text = text.to_uppercase();
        let wrong = |why: &str| Err(format!("'{}': {why}", crate::words::shown_line(code)));
        if text.chars().count() != 4 + LENGTH || !text.is_ascii() {
            return wrong("a run code looks like MOOR-7K2F-19");
        }
        let (word, tail) = text.split_at(4);
        let Some(word) = WORDS.iter().position(|known| *known == word) else {
            return wrong("no run code begins with this word");
        };
        let mut all = word as u64;
        for letter in tail.bytes() {
            let letter = match letter {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                letter => letter,
            };
            let Some(value) = LETTERS.iter().position(|known| *known == letter) else {
                return wrong("run codes have no letter U");
            };
            all = all << 5 | value as u64;
        }
        let spread = (all >> 4) as u32;
        if all & 15 != u64::from(check(spread)) {
            return wrong("a letter of this run code is wrong");
        }
        let bits = spread.wrapping_mul(GATHER);
        let rules = rulesets::ALL.get((bits >> 5 & 7) as usize);
        let (Some(rules), extra @ 0..=2) = (rules, bits & 3) else {
            return wrong("this run code is of another version of the game");
        };
        Ok(Self {
            seed: bits >> 8,
            rules,
            difficulty: Difficulty::ALL[(bits >> 3 & 3) as usize],
            keeps_dead: bits >> 2 & 1 == 1,
            battles: Self::BATTLES.0 + extra as u8,
        })
    }

    /// A pseudo-random number from the settings, the stop, the way and the purpose `what`.
    pub fn draw(&self, stop: usize, way: usize, what: u64) -> u64 {
        let mut x = u64::from(self.bits());
        for part in [stop as u64, way as u64, what] {
            // SplitMix64.
            x = x.wrapping_add(part).wrapping_add(0x9e37_79b9_7f4a_7c15);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^= x >> 31;
        }
        x
    }
}

/// A four-bit checksum that detects most mistyped letters.
fn check(bits: u32) -> u32 {
    (bits ^ bits >> 7 ^ bits >> 13 ^ bits >> 22).wrapping_mul(0x85eb_ca6b) >> 28
}
