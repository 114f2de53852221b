//! What to try next: up to two ideas, each with a button.

use crate::{
    battle::Ruleset,
    control::{Player, Strategist, recording::SideController},
    lab::measured::{Hardness, ease},
    levels::{Level, tutorial},
    rulesets,
    ui::{
        Options, Session,
        app_command::{AppCommand, GameCommand},
        art::hud::Panel,
        theme::{self, faded, heading_text, strong_text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, button, card as plain_card, column, fill_width,
            panel_style, rigid, row,
        },
    },
};
use bevy::prelude::*;
use std::sync::Arc;

/// How many ideas are shown.
const MAX: usize = 2;

/// The height of the card with the gap above it, in layout pixels, with a title of two lines;
/// `text` is the text size as a factor of the standard size.
pub fn height(text: f32) -> f32 {
    40.0 + 58.0 * text + theme::GAP
}

/// Something to try.
#[derive(Clone, Debug, PartialEq)]
pub struct Idea {
    pub title: String,
    pub why: String,
    pub does: AppCommand,
}

/// The levels in the order in which the result screen offers them, each with its ruleset: first
/// those for the ruleset of the battle that has ended, each time the easiest first.
fn easiest_first(session: &Session, options: &Options) -> Vec<(Arc<Level>, &'static Ruleset)> {
    let own = session.game.rules();
    let rules_for = |level: &Level| match level.rules {
        Some(_) => Some(options.rules_for(level)),
        None if level.suits(own.id) => Some(own),
        None => rulesets::ALL.into_iter().find(|r| level.suits(r.id)),
    };
    let all = options.levels().into_iter();
    let all = all.filter_map(|level| rules_for(&level).map(|rules| (level, rules)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_cached_key(|(level, rules)| (rules.id != own.id, ease(level, rules.id)));
    all
}

/// The command that starts a level.
fn fight(level: &Level, rules: &Ruleset, controllers: Vec<SideController>) -> AppCommand {
    AppCommand::Game(GameCommand::Fight {
        level: level.id.clone(),
        rules: rules.id,
        controllers,
    })
}

/// The level after this one in the order of difficulty: its title with its difficulty, and the
/// command that starts it.
pub fn next_level(session: &Session, options: &Options) -> Option<(String, AppCommand)> {
    let all = easiest_first(session, options);
    let own = &session.game.level().id;
    let at = all.iter().position(|(level, _)| level.id == *own)?;
    let (next, rules) = all.get(at + 1)?;
    let ai = session
        .game
        .controllers()
        .iter()
        .find_map(|controller| match controller {
            SideController::Ai(player) => Some(*player),
            SideController::Human => None,
        });
    let controller = |controller| match (controller, ai) {
        (SideController::Ai(_), Some(player)) => SideController::Ai(player),
        _ => controller,
    };
    let controllers = crate::ui::session::usual(next).into_iter().map(controller);
    let fight = fight(next, rules, controllers.collect());
    let title = match Hardness::under(next, rules.id) {
        // The level list rates it under the ruleset that is chosen there.
        Some(hardness) => {
            let (title, hardness) = (&next.title, hardness.name());
            format!("{title} ({hardness} with {} rules)", rules.id)
        }
        None => next.title.clone(),
    };
    Some((title, fight))
}

/// After the last lesson about a ruleset: the title of the easiest level for it, and the command
/// that starts it under that ruleset.
pub fn after_lessons(session: &Session, options: &Options) -> Option<(String, AppCommand)> {
    let mut lessons = tutorial().iter();
    let own = lessons.find(|lesson| lesson.id == session.game.level().id)?;
    if lessons.any(|lesson| lesson.rules == own.rules) {
        return None;
    }
    let (easiest, rules) = easiest_first(session, options).into_iter().next()?;
    let fight = fight(&easiest, rules, crate::ui::session::usual(&easiest));
    Some((easiest.title.clone(), fight))
}

/// Ideas for after this battle, best first.
pub fn ideas(session: &Session) -> Vec<Idea> {
    let (game, level) = (&session.game, session.game.level());
    if session.game.humans() != 1 || level.lesson.is_some() {
        return vec![];
    }
    let won = session.over() == Some(Some(session.player()));
    let mut all = vec![];
    if let Some((name, controllers)) = other_opponent(game.controllers(), won) {
        all.push(Idea {
            title: format!("Play against the {name} AI"),
            why: match won {
                true => String::from("it plays better"),
                false => String::from("it makes beginner mistakes"),
            },
            does: fight(level, game.rules(), controllers),
        });
    }
    if let Some(next) = next_ruleset(level, game.rules()) {
        all.push(Idea {
            title: format!("Play it with {} rules", next.id),
            why: String::from("same units, different rules"),
            does: fight(level, next, game.controllers().to_vec()),
        });
    }
    if game.controllers().len() == 2 {
        let controllers = game.controllers().iter().rev().copied().collect();
        all.push(Idea {
            title: String::from("Play the other side"),
            why: String::from("control the units you fought"),
            does: fight(level, game.rules(), controllers),
        });
    }
    all
}

/// The ruleset after this one that suits the level, in a circle.
fn next_ruleset(level: &Level, now: &Ruleset) -> Option<&'static Ruleset> {
    let place = rulesets::ALL.iter().position(|r| r.id == now.id)?;
    let others = rulesets::ALL.into_iter().cycle().skip(place + 1);
    let mut others = others.take(rulesets::ALL.len() - 1);
    others.find(|rules| level.suits(rules.id))
}

/// AIs one step stronger after a win, one step weaker after a loss.
fn other_opponent(
    controllers: &[SideController],
    won: bool,
) -> Option<(&'static str, Vec<SideController>)> {
    let is_ai = |controller: &&SideController| matches!(controller, SideController::Ai(_));
    let now = controllers.iter().find(is_ai)?;
    let (name, other) = match (now, won) {
        (SideController::Ai(Player::Easy), true) => ("quick", Player::Quick),
        (SideController::Ai(Player::Quick), true) => {
            let most = Player::Strategist(Strategist::PLAYOUTS);
            ("strategist", most)
        }
        (SideController::Ai(Player::Quick), false) => ("easy", Player::Easy),
        (SideController::Ai(Player::Strategist(_)), false) => ("quick", Player::Quick),
        _ => return None,
    };
    let controller = |controller: &SideController| match controller {
        SideController::Ai(_) => SideController::Ai(other),
        SideController::Human => SideController::Human,
    };
    Some((name, controllers.iter().map(controller).collect()))
}

pub fn card(place: &mut ChildSpawnerCommands, all: &[Idea]) {
    if all.is_empty() {
        return;
    }
    let node = rigid(plain_card().in_row(theme::GAP).align(AlignItems::Center));
    place.spawn_with((node, panel_style(Panel::Card)), |card| {
        card.spawn(heading_text("Try next"));
        for idea in all.iter().take(MAX).cloned() {
            let node = fill_width(row(0.0))
                .justify(JustifyContent::Start)
                .padding(12.0, 6.0);
            let parts = (button(Panel::Button, node), SendOnPress(idea.does));
            card.spawn_with(parts, |button| {
                button.group(column(0.0), |lines| {
                    lines.spawn(strong_text(idea.title));
                    lines.spawn(faded(idea.why));
                });
            });
        }
    });
}
