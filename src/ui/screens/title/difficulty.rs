//! The difficulty of a single battle: which AI controls the enemies, and extra hit points
//! for the player's side.

use crate::{
    control::{Player, Strategist, recording::SideController},
    levels::Level,
    road::Difficulty,
};

/// A short explanation for players.
pub fn about(difficulty: Difficulty) -> &'static str {
    match difficulty {
        Difficulty::Story => "The enemy makes mistakes, and you have twice the hit points.",
        Difficulty::Easy => "The enemy makes mistakes, and you have half as many hit points again.",
        Difficulty::Normal => "The enemy plays well. Both sides are as the level has them.",
        Difficulty::Hard => "The enemy simulates its options before it moves.",
    }
}

/// The AI that plays the enemies, and the handicap of the player's side, in steps of 5% hit points.
fn strength(difficulty: Difficulty) -> (Player, u8) {
    match difficulty {
        Difficulty::Story => (Player::Easy, 20),
        Difficulty::Easy => (Player::Easy, 10),
        Difficulty::Normal => (Player::Quick, 0),
        Difficulty::Hard => (Player::Strategist(Strategist::PLAYOUTS), 0),
    }
}

/// The difficulty at which this AI plays the enemies; of several, the hardest.
pub fn played_by(player: Player) -> Option<Difficulty> {
    let is_it = |one: &Difficulty| strength(*one).0 == player;
    Difficulty::ALL.into_iter().rfind(is_it)
}

/// The controller and handicap of each side at a difficulty. The player has the sides that
/// the level gives to the player; AIs have the others.
pub fn set_up(difficulty: Difficulty, level: &Level) -> (Vec<SideController>, Vec<u8>) {
    let (opponent, bonus) = strength(difficulty);
    let controller = |controller: SideController| match controller {
        SideController::Human => (SideController::Human, bonus),
        SideController::Ai(_) => (SideController::Ai(opponent), 0),
    };
    crate::ui::session::usual(level)
        .into_iter()
        .map(controller)
        .unzip()
}

/// The difficulty with these controllers and handicaps. `None` if they are custom.
pub fn of(level: &Level, controllers: &[SideController], handicaps: &[u8]) -> Option<Difficulty> {
    let is_it = |one: &Difficulty| {
        let (all, points) = set_up(*one, level);
        all == controllers && points == handicaps
    };
    Difficulty::ALL.into_iter().find(is_it)
}
