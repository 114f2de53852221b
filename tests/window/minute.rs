//! The two rulesets with one-minute rounds, Segments and Phased, each played by mouse to the
//! result: declarations before each round, spells that take effect later.

use super::kit::game::Game;
use bevy::prelude::{KeyCode, Vec2};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{Cost, EventKind},
    grid::Cell,
    rulesets,
    ui::{
        Command, Options, Screen, Session,
        app_command::{AppCommand, GameCommand},
        screens::title::TitleButton,
    },
};
use fivefoot_kit::brawl;
use std::collections::BTreeMap;

/// Starts the first level from the title screen, under a ruleset chosen by a click.
fn begun(rules: &str, seed: u64) -> Game {
    let mut game = Game::new(Options {
        seed: Some(seed),
        ..Options::default()
    });
    let place = rulesets::ALL.iter().position(|r| r.id == rules);
    let place = place.expect("a ruleset of the game");
    for wanted in [TitleButton::Rules(place), TitleButton::Start] {
        let button = game.find::<TitleButton>(|b| *b == wanted);
        game.click(button.unwrap_or_else(|| panic!("no button {wanted:?}")));
    }
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().game.rules().id, rules);
    game
}

/// The key of the action bar's button with this label, if the action is possible.
fn open_act(game: &Game, label: &str) -> Option<char> {
    let acts = game.preview().acts.iter();
    let mut open = acts.filter(|a| a.why_not.is_none() && a.label == label);
    open.next().map(|a| a.key)
}

/// Clicks the first of these buttons whose action is possible, then chooses a row of its
/// list and a target on the board, as needed.
fn click_act(game: &mut Game, labels: &[&'static str]) -> Option<&'static str> {
    let (label, key) = labels
        .iter()
        .find_map(|label| Some((*label, open_act(game, label)?)))?;
    let answers = game.session().game.answered();
    game.act(key);
    for _ in 0..4 {
        game.until_asked();
        if game.screen() != Screen::Battle || game.session().game.answered() > answers {
            return Some(label);
        }
        if game.preview().menu.is_some() {
            game.click_button(&Command::Reply(0));
            continue;
        }
        // The spell's target is chosen when the spell is ready.
        if game.preview().unaimed.is_some() {
            game.press(KeyCode::Enter);
            continue;
        }
        let units = game.preview().targets.first().copied();
        let unit = units.map(|id| game.session().shown().unit(id).at);
        let cell = unit.or(game.preview().places.first().copied());
        game.click_cell(cell.unwrap_or_else(|| panic!("{label} leads nowhere")));
    }
    panic!("{label} was never done")
}

/// Clicks the reachable cell nearest to the enemies.
fn click_nearer(game: &mut Game) -> bool {
    let session = game.session();
    let Some(own) = game
        .selection()
        .chosen
        .map(|id| session.shown().unit(id).at)
    else {
        return false;
    };
    let apart = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
    let enemies = game.enemies();
    let far = |cell: Cell| {
        let all = enemies.iter().map(|&enemy| apart(cell, enemy));
        all.min().unwrap_or(0)
    };
    let reach = game.preview().reach.iter();
    let reach = reach.filter(|r| r.cost == Cost::Plain);
    let Some(best) = reach.map(|r| r.cell).min_by_key(|&c| (far(c), c)) else {
        return false;
    };
    if far(best) >= far(own) {
        return false;
    }
    game.click_cell(best);
    true
}

/// Plays to the end and returns how often each button of the bar was used. Each unit
/// declares the first possible one of `plans`; on its turn it attacks, releases its spell,
/// moves nearer or ends its turn.
fn play(game: &mut Game, plans: &[&'static str]) -> BTreeMap<&'static str, usize> {
    let mut used = BTreeMap::new();
    for _ in 0..900 {
        game.until_asked();
        if game.screen() != Screen::Battle {
            return used;
        }
        if game.session().is_prompted() {
            game.click_button(&Command::Reply(0));
            continue;
        }
        if game.session().awaits_end_of_turn() {
            game.click_button(&Command::EndTurn);
            continue;
        }
        let answers = game.session().game.answered();
        if let Some(label) = click_act(game, plans) {
            *used.entry(label).or_insert(0) += 1;
        } else if !game.click_enemy() && !click_nearer(game) {
            game.click_button(&Command::Done);
        }
        game.until_asked();
        if game.screen() == Screen::Battle {
            assert!(
                game.session().game.answered() > answers,
                "a click did nothing"
            );
        }
        if game.has_button(&Command::Skip) {
            game.click_button(&Command::Skip);
        }
    }
    panic!("the battle never ended")
}

/// Number of times that any unit used the action of this name.
fn acted(game: &Game, verb: &str) -> usize {
    let told = game.session().known_events();
    let is_it =
        |c: &EventKind| matches!(c, EventKind::Acted { choice } if choice.verb.name == verb);
    told.filter(|e| is_it(&e.what)).count()
}

/// Asserts that the result is shown, and that a click starts the battle again.
fn sees_the_result(game: &mut Game) {
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("rounds") || game.says("1 round"));
    let again = AppCommand::Game(GameCommand::Again { same_dice: false });
    super::kit::shell::click_command(game, &again);
    assert_eq!(game.screen(), Screen::Battle);
}

#[test]
fn a_segments_battle_by_mouse_to_its_end() {
    let mut game = Game::battle(brawl(), rulesets::find("Segments"), 4).at_once();
    let plans = ["Release", "Cast", "Missiles", "Charge", "Attack"];
    let used = play(&mut game, &plans);
    for button in ["Cast", "Missiles"] {
        assert!(used.contains_key(button), "{button}: {used:?}");
    }
    assert!(acted(&game, "shoot") + acted(&game, "attack") > 0);
    sees_the_result(&mut game);
}

#[test]
fn a_phased_battle_by_mouse_to_its_end() {
    let mut game = Game::battle(brawl(), rulesets::find("Phased"), 4).at_once();
    let plans = ["Aim spell", "Charge", "Cast", "Normal turn"];
    let used = play(&mut game, &plans);
    for button in ["Aim spell", "Charge", "Cast", "Normal turn"] {
        assert!(used.contains_key(button), "{button}: {used:?}");
    }
    assert!(acted(&game, "shoot") + acted(&game, "strike") > 0);
    sees_the_result(&mut game);
}

/// Two units far apart, which can only walk.
const ALONE: &str = r#"(
    title: "A walk", map: ["......................"],
    sides: [(id: "party"), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (0, 0)),
        (kind: "goblin", side: "goblins", at: (21, 0)),
    ],
)"#;

/// SE-20: when the player's segment ends without a click, the player still confirms its end
/// with a button of the bar.
#[test]
fn the_end_of_a_segment_is_confirmed_with_a_button() {
    let mut game = Game::battle(fivefoot_kit::level(ALONE), rulesets::find("Segments"), 3);
    for _ in 0..60 {
        game.until_asked();
        if game.session().awaits_end_of_turn() {
            game.wait(5);
            assert!(game.says("All units have acted"));
            game.click_button(&Command::EndTurn);
            assert!(!game.session().awaits_end_of_turn(), "the turn has ended");
            return;
        }
        let who = game.session().question().expect("a question").actors[0];
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let offers = session.offers_of(who);
        let mut legal = offers.iter().filter(|o| o.is_legal());
        // One step at a time, so that the two units stay apart.
        let walk = legal.clone().find(|o| o.choice.to.is_some());
        let act = walk.or_else(|| legal.next()).expect("something to do");
        session
            .give(std::slice::from_ref(&act.choice))
            .expect("legal");
    }
    panic!("no segment ended by itself");
}

/// Before a click declares for the rest, the tooltip shows what each unit would do.
#[test]
fn declaring_the_rest_is_previewed() {
    let mut game = begun("Segments", 2);
    for _ in 0..10 {
        game.until_own_turn();
        if game.preview().common.concat() != [""; 0] {
            break;
        }
        game.click_button(&Command::EndTurn);
        game.click_button(&Command::EndTurn);
    }
    let [lines] = &game.preview().common[..] else {
        panic!("one answer for all: {:?}", game.preview().common);
    };
    let shown = game.session().shown();
    let own: Vec<String> = shown
        .members(game.session().player())
        .filter(|p| p.is_up())
        .map(|p| p.name.clone())
        .collect();
    assert_eq!(lines.len(), own.len(), "{lines:?}");
    let first = lines[0].clone();
    assert!(own.iter().any(|name| first.starts_with(name)), "{first}");
    assert!(!game.says(&first));
    let button = game.find::<SendOnPress<Command>>(|s| s.0 == Command::Common(0));
    // A clicked button shows no tooltip until the pointer has left it.
    game.point(Vec2::new(640.0, 400.0));
    game.point(button.expect("a button for all"));
    assert!(game.says(&first));
    game.click_button(&Command::Common(0));
    game.until_asked();
    let log = super::kit::shell::plain(&mut game);
    let told = log.lines().filter(|l| l.contains(" declares "));
    assert!(told.count() >= own.len(), "each has its own line: {log}");
}
