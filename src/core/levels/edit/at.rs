//! The path from the outermost group of a file to a piece of it.

use crate::ron_read::{Piece, ValueShape};

/// The path to a piece, starting at the outermost group.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct At(Vec<PieceStep>);

/// A step from a piece to a piece directly inside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum PieceStep {
    Field(String),
    Nth(usize),
    /// The value of a character in a map such as the legend.
    CharKey(char),
    /// The value of a key in a map such as that of the creatures.
    Key(String),
    /// The group after a word: the brackets of `Capture(area: 'x')`.
    Group,
}

impl At {
    pub fn root() -> Self {
        Self::default()
    }

    fn then(&self, step: PieceStep) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    pub fn field(&self, name: &str) -> Self {
        self.then(PieceStep::Field(name.into()))
    }

    /// The nth entry of a list, from 0.
    pub fn nth(&self, n: usize) -> Self {
        self.then(PieceStep::Nth(n))
    }

    /// The value of a character in a map such as the legend.
    pub fn char_key(&self, c: char) -> Self {
        self.then(PieceStep::CharKey(c))
    }

    pub fn key(&self, name: &str) -> Self {
        self.then(PieceStep::Key(name.into()))
    }

    pub fn group(&self) -> Self {
        self.then(PieceStep::Group)
    }

    pub(super) fn steps(&self) -> &[PieceStep] {
        &self.0
    }

    /// The path to the enclosing piece, and the last step. `None` for the root.
    pub(super) fn split(&self) -> Option<(Self, &PieceStep)> {
        let (last, before) = self.0.split_last()?;
        Some((Self(before.to_vec()), last))
    }

    /// The path to the enclosing piece. The root is its own parent.
    pub fn parent(&self) -> Self {
        self.split().map_or_else(Self::root, |(before, _)| before)
    }

    /// The index in its list. `None` if the piece is not a list entry.
    pub fn index(&self) -> Option<usize> {
        match self.0.last() {
            Some(PieceStep::Nth(n)) => Some(*n),
            _ => None,
        }
    }
}

impl PieceStep {
    /// The index of the piece among those directly inside `piece`.
    pub(super) fn index(&self, piece: &Piece) -> Option<usize> {
        match (self, &piece.shape) {
            (Self::Field(name), ValueShape::Fields(fields)) => {
                fields.iter().position(|f| f.name == *name)
            }
            (Self::Nth(n), ValueShape::List(items) | ValueShape::Tuple(items)) => {
                (*n < items.len()).then_some(*n)
            }
            (Self::CharKey(c), ValueShape::Map(entries)) => {
                let is_it = |(key, _): &(Piece, Piece)| key.shape == ValueShape::Char(*c);
                entries.iter().position(is_it)
            }
            (Self::Key(name), ValueShape::Map(entries)) => {
                let is_it = |(key, _): &(Piece, Piece)| key.shape == ValueShape::Text(name.clone());
                entries.iter().position(is_it)
            }
            _ => None,
        }
    }

    pub(super) fn of<'p>(&self, piece: &'p Piece) -> Option<&'p Piece> {
        if let (Self::Group, ValueShape::Word(_, Some(group))) = (self, &piece.shape) {
            return Some(group);
        }
        let nth = self.index(piece)?;
        Some(match &piece.shape {
            ValueShape::Fields(fields) => &fields[nth].value,
            ValueShape::List(items) | ValueShape::Tuple(items) => &items[nth],
            ValueShape::Map(entries) => &entries[nth].1,
            _ => return None,
        })
    }
}
