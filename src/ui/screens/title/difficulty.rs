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

fn opponent(difficulty: Difficulty) -> Player {
    match difficulty {
        Difficulty::Story | Difficulty::Easy => Player::Easy,
        Difficulty::Normal => Player::Quick,
        Difficulty::Hard => Player::Strategist(Strategist::PLAYOUTS),
    }
}

/// The difficulty at which this AI plays the enemies; of several, the hardest.
pub fn played_by(player: Player) -> Option<Difficulty> {
    let is_it = |one: &Difficulty| opponent(*one) == player;
    Difficulty::ALL.into_iter().rfind(is_it)
}

/// The handicap of the player's side, in steps of 5% hit points.
fn bonus(difficulty: Difficulty) -> u8 {
    match difficulty {
        Difficulty::Story => 20,
        Difficulty::Easy => 10,
        Difficulty::Normal | Difficulty::Hard => 0,
    }
}

/// The controller and handicap of each side at a difficulty. The player has the sides that
/// the level gives to the player; AIs have the others.
pub fn set_up(difficulty: Difficulty, level: &Level) -> (Vec<SideController>, Vec<u8>) {
    let controller = |controller: SideController| match controller {
        SideController::Human => (SideController::Human, bonus(difficulty)),
        SideController::Ai(_) => (SideController::Ai(opponent(difficulty)), 0),
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
