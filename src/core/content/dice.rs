//! Dice in text form: "1d6+1".

use std::fmt;
use std::str::FromStr;

/// A sum of equal dice and a constant, such as 2d6+1: `count` dice of `sides` sides. This type
/// does not roll them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Dice {
    /// The number of dice, 0 to 100. If 0, the result is `plus`.
    pub count: u8,
    /// Sides of each die, 1 to 1000; 0 only if `count` is 0.
    pub sides: u16,
    /// Added once to the sum.
    pub plus: i16,
}

impl Dice {
    pub const fn new(count: u8, sides: u16, plus: i16) -> Self {
        Self { count, sides, plus }
    }

    /// The lowest possible result.
    pub fn min(self) -> i32 {
        i32::from(self.count) + i32::from(self.plus)
    }

    /// The highest possible result.
    pub fn max(self) -> i32 {
        i32::from(self.count) * i32::from(self.sides) + i32::from(self.plus)
    }

    /// Twice the mean, which is always an integer.
    pub fn twice_mean(self) -> i32 {
        self.min() + self.max()
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return write!(f, "{}", self.plus);
        }
        write!(f, "{}d{}", self.count, self.sides)?;
        if self.plus != 0 {
            write!(f, "{:+}", self.plus)?;
        }
        Ok(())
    }
}

impl FromStr for Dice {
    type Err = &'static str;

    /// Reads "1d6", "d6", "2d8+1", "1d4-1" or just "3".
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "dice such as \"1d6\" or \"2d4+1\", up to \"100d1000+1000\"";
        let number = |digits: &str, most: i32| -> Result<i32, Self::Err> {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let value = digits.parse().ok().filter(|n| plain && *n <= most);
            value.ok_or(SHAPE)
        };
        let (dice, plus) = match text.find(['+', '-']) {
            Some(at) => {
                let n = number(&text[at + 1..], 1000)? as i16;
                let sign = if text[at..].starts_with('-') { -1 } else { 1 };
                (&text[..at], n * sign)
            }
            None => (text, 0),
        };
        match dice.split_once('d') {
            Some((count, sides)) => {
                let count = if count.is_empty() {
                    1
                } else {
                    number(count, 100)?
                };
                let sides = number(sides, 1000)?;
                if count == 0 || sides == 0 {
                    return Err(SHAPE);
                }
                Ok(Self::new(count as u8, sides as u16, plus))
            }
            None if plus == 0 => Ok(Self::new(0, 0, number(dice, 1000)? as i16)),
            None => Err(SHAPE),
        }
    }
}
