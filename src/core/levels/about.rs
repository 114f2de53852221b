//! Author, version, licence and requirements of a level, for players and for tools
//! that list levels.

use crate::ron_read::{Fields, Piece, Reader};
use serde_json::{Value, json};
use std::{fmt, str::FromStr};

/// What a level says about itself. Every text is empty if the level does not say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The author.
    pub author: String,
    /// The level's own version, in any form.
    pub version: String,
    /// An SPDX expression or other text: "CC-BY-4.0".
    pub licence: String,
    /// Where the level comes from, such as the address of its page.
    pub source: String,
    /// The lowest version of the game that can play it.
    pub needs: Option<Release>,
}

/// A version of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Release([u32; 3]);

impl Release {
    /// The version of this program.
    pub fn this() -> Self {
        env!("CARGO_PKG_VERSION").parse().unwrap_or(Self([0; 3]))
    }
}

/// Accepts `0.2` and `0.2.0`.
impl FromStr for Release {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut numbers = [0; 3];
        let mut parts = text.split('.');
        for (n, number) in numbers.iter_mut().enumerate() {
            *number = match parts.next() {
                Some(part) if part.bytes().all(|b| b.is_ascii_digit()) => {
                    part.parse().map_err(|_| ())?
                }
                None if n == 2 => 0,
                _ => return Err(()),
            };
        }
        parts.next().map_or(Ok(Self(numbers)), |_| Err(()))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl About {
    pub(super) fn read(r: &mut Reader, f: &mut Fields) -> Self {
        let mut words = |field| {
            let text = f.optional(r, field, Reader::filled_text);
            let text = text.unwrap_or_default();
            crate::words::unwrapped(&text)
        };
        Self {
            author: words("author"),
            version: words("version"),
            licence: words("licence"),
            source: words("source"),
            needs: f.optional(r, "needs", needed),
        }
    }

    /// Whether the level says nothing about itself.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the fields to a JSON object; `null` for those that the level does not
    /// give.
    pub fn put_into(&self, object: &mut Value) {
        let words = |text: &str| match text {
            "" => Value::Null,
            text => text.into(),
        };
        object["author"] = words(&self.author);
        object["version"] = words(&self.version);
        object["licence"] = words(&self.licence);
        object["source"] = words(&self.source);
        object["needs"] = json!(self.needs.map(|needs| needs.to_string()));
    }
}

/// Reads the lowest version that can play the level. A later version than this
/// program's is an error.
fn needed(r: &mut Reader, piece: &Piece) -> Option<Release> {
    let text = r.text(piece)?;
    let Ok(release) = text.parse::<Release>() else {
        let help = "write it as \"0.1.0\"";
        let what = format!("`{text}` is no version of the game");
        r.problem(piece.at, what, help);
        return None;
    };
    let this = Release::this();
    if release > this {
        let what = format!("this level needs Fivefoot {release} or later, this is {this}");
        r.problem(piece.at, what, "install a later version of the game");
    }
    Some(release)
}

/// One line, such as
/// `by Ann, version 1.2, CC-BY-4.0, from example.org/ferry, needs Fivefoot 0.1.0`.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = [
            ("by ", self.author.as_str()),
            ("version ", &self.version),
            ("", &self.licence),
            ("from ", &self.source),
        ];
        let said = said.iter().filter(|(_, text)| !text.is_empty());
        let mut said: Vec<String> = said.map(|(what, text)| format!("{what}{text}")).collect();
        said.extend(self.needs.map(|needs| format!("needs Fivefoot {needs}")));
        f.write_str(&said.join(", "))
    }
}
