//! How hard a single battle is, by name: who plays the enemies, and extra hit points for the
//! player's side.

use crate::{
    control::{Player, Strategist, recording::Seat},
    levels::Level,
};

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

    /// What it means, for players.
    pub fn about(self) -> &'static str {
        match self {
            Self::Story => "The enemy makes mistakes, and you have twice the hit points.",
            Self::Easy => "The enemy makes mistakes, and you have half as many hit points again.",
            Self::Normal => "The enemy plays well. Both sides are as the level has them.",
            Self::Hard => "The enemy simulates its options before it moves.",
        }
    }

    fn opponent(self) -> Player {
        match self {
            Self::Story | Self::Easy => Player::Easy,
            Self::Normal => Player::Quick,
            Self::Hard => Player::Strategist(Strategist::PLAYOUTS),
        }
    }

    /// The handicap of the player's side, in points.
    fn bonus(self) -> u8 {
        match self {
            Self::Story => 20,
            Self::Easy => 10,
            Self::Normal | Self::Hard => 0,
        }
    }

    /// The seats and handicaps of a level's sides: the sides that the level gives to the
    /// player, against AIs.
    pub fn seated(self, level: &Level) -> (Vec<Seat>, Vec<u8>) {
        let seat = |seat: Seat| match seat {
            Seat::Human => (Seat::Human, self.bonus()),
            Seat::Ai(_) => (Seat::Ai(self.opponent()), 0),
        };
        crate::ui::session::usual(level)
            .into_iter()
            .map(seat)
            .unzip()
    }

    /// The difficulty that these seats and handicaps are; none: they are custom.
    pub fn of(level: &Level, seats: &[Seat], handicaps: &[u8]) -> Option<Self> {
        let is_it = |one: &Self| {
            let (all, points) = one.seated(level);
            all == seats && points == handicaps
        };
        Self::ALL.into_iter().find(is_it)
    }
}
