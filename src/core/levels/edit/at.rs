//! The way from a file's outermost group to a piece of it.

use crate::ron_read::{Piece, Shape};

/// The way to a piece, from the outermost group on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct At(Vec<Step>);

/// From a piece to one of those in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    Field(String),
    Nth(usize),
    /// The value of a character in a map such as the legend.
    Sign(char),
    /// The value of a name in a map such as that of creatures.
    Key(String),
    /// The group after a word: of `Capture(area: 'x')`.
    Group,
}

impl At {
    pub fn root() -> Self {
        Self::default()
    }

    fn then(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    pub fn field(&self, name: &str) -> Self {
        self.then(Step::Field(name.into()))
    }

    /// The nth entry of a list, from 0.
    pub fn nth(&self, n: usize) -> Self {
        self.then(Step::Nth(n))
    }

    pub fn sign(&self, c: char) -> Self {
        self.then(Step::Sign(c))
    }

    pub fn key(&self, name: &str) -> Self {
        self.then(Step::Key(name.into()))
    }

    pub fn group(&self) -> Self {
        self.then(Step::Group)
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The piece that this one is in, and the last step to it.
    pub(super) fn split(&self) -> Option<(Self, &Step)> {
        let (last, before) = self.0.split_last()?;
        Some((Self(before.to_vec()), last))
    }

    /// The piece that this one is in.
    pub fn parent(&self) -> Self {
        self.split().map_or_else(Self::root, |(before, _)| before)
    }

    /// The place in its list, for an entry of one.
    pub fn index(&self) -> Option<usize> {
        match self.0.last() {
            Some(Step::Nth(n)) => Some(*n),
            _ => None,
        }
    }
}

impl Step {
    /// The place of the piece among those in `piece`.
    pub(super) fn index(&self, piece: &Piece) -> Option<usize> {
        match (self, &piece.shape) {
            (Self::Field(name), Shape::Fields(fields)) => {
                fields.iter().position(|f| f.name == *name)
            }
            (Self::Nth(n), Shape::List(items) | Shape::Tuple(items)) => {
                (*n < items.len()).then_some(*n)
            }
            (Self::Sign(c), Shape::Map(entries)) => {
                let is_it = |(key, _): &(Piece, Piece)| key.shape == Shape::Char(*c);
                entries.iter().position(is_it)
            }
            (Self::Key(name), Shape::Map(entries)) => {
                let is_it = |(key, _): &(Piece, Piece)| key.shape == Shape::Text(name.clone());
                entries.iter().position(is_it)
            }
            _ => None,
        }
    }

    pub(super) fn of<'p>(&self, piece: &'p Piece) -> Option<&'p Piece> {
        if let (Self::Group, Shape::Word(_, Some(group))) = (self, &piece.shape) {
            return Some(group);
        }
        let nth = self.index(piece)?;
        Some(match &piece.shape {
            Shape::Fields(fields) => &fields[nth].value,
            Shape::List(items) | Shape::Tuple(items) => &items[nth],
            Shape::Map(entries) => &entries[nth].1,
            _ => return None,
        })
    }
}
