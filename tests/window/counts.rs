//! The two rulesets with counts, Speed and Activity, each played by mouse from the first
//! declaration to the result, with all prompts in between.

use super::kit::game::Game;
use bevy::prelude::KeyCode;
use fivefoot::{
    battle::{Action, Id},
    grid::Cell,
    rulesets::{activity, speed},
    ui::{ActionPreview, Command, Screen, preview::Picks, ruleset_ui::PortionState},
};
use fivefoot_kit::brawl;
use std::collections::BTreeSet;

/// More prompts than a battle has.
const MAX: usize = 1500;

fn apart(a: Cell, b: Cell) -> i16 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

fn in_hand(game: &Game) -> (Id, Cell) {
    let who = game.selection().chosen.expect("a unit is selected");
    (who, game.session().shown().unit(who).at)
}

/// Cells between the selected unit and the nearest enemy.
fn gap(game: &Game) -> i16 {
    let (_, here) = in_hand(game);
    let far = game.enemies().into_iter().map(|at| apart(here, at));
    far.min().unwrap_or(0)
}

/// The reachable cell nearest to an enemy, if it is nearer than the unit's own.
fn advance(game: &Game) -> Option<Cell> {
    let (_, here) = in_hand(game);
    let near = |cell: Cell| game.enemies().iter().map(|&at| apart(cell, at)).min();
    let reach = game.preview().reach.iter();
    let best = reach.min_by_key(|r| (near(r.cell), r.feet))?.cell;
    (near(best) < near(here)).then_some(best)
}

/// The key of an action's button, if the action is possible now.
fn key_of(preview: &ActionPreview, verb: &'static Action) -> Option<char> {
    let acts = preview.acts.iter();
    let mut open = acts.filter(|a| a.why_not.is_none() && !a.offers.is_empty());
    let act = open.find(|a| a.offers.iter().any(|o| o.choice.verb == verb))?;
    Some(act.key)
}

/// Clicks an action's button, in the bar or in the list of all actions. `false` if the
/// action is not possible.
fn press(game: &mut Game, verb: &'static Action) -> bool {
    let Some(key) = key_of(game.preview(), verb) else {
        return false;
    };
    let command = Command::Act(key);
    if !game.has_button(&command) {
        game.click_button(&Command::More);
    }
    game.click_button(&command);
    true
}

/// Chooses the first row of every list and accepts every number, until nothing is left to
/// choose.
fn settle(game: &mut Game) {
    for _ in 0..6 {
        let Some(menu) = game.preview().menu.clone() else {
            // The spell's target is chosen at its count.
            if game.preview().unaimed.is_some() {
                game.press(KeyCode::Enter);
                game.wait(2);
            }
            return;
        };
        let can = |row: &fivefoot::ui::preview::MenuRow| !matches!(row.picks, Picks::Nothing(_));
        let first = menu.rows.iter().position(can).expect("a way is open");
        game.click_button(&Command::Reply(first));
        game.wait(2);
    }
}

/// Chooses the first spell, with two points more than the minimum.
fn choose_spell(game: &mut Game) {
    let asks_number = |game: &Game| {
        let menu = game.preview().menu.as_ref();
        menu.is_some_and(|m| m.slider.is_some())
    };
    if !asks_number(game) {
        game.click_button(&Command::Reply(0));
        game.wait(2);
    }
    if asks_number(game) {
        game.click_button(&Command::Nudge(1));
        game.click_button(&Command::Nudge(1));
        game.click_button(&Command::Reply(0));
        game.wait(2);
    }
}

/// Aims the armed action at the first marked target.
fn aim(game: &mut Game) {
    let units = game.preview().targets.first().copied();
    let cell = units.map(|id| game.session().shown().unit(id).at);
    let cell = cell.or(game.preview().places.first().copied());
    let cell = cell.expect("something is marked");
    game.click_cell(cell);
    settle(game);
}

/// Gives one answer to the current decision. `declare` makes a declaration, if one is due.
fn answer(game: &mut Game, declare: fn(&mut Game, usize) -> bool, n: usize) {
    if game.session().is_prompted() {
        game.click_button(&Command::Reply(0));
        return;
    }
    if declare(game, n) || game.click_enemy() {
        return;
    }
    for verb in [&activity::targets::CAST_AT, &activity::targets::CAST_TO] {
        if press(game, verb) {
            return aim(game);
        }
    }
    if let Some(cell) = advance(game) {
        game.click_cell(cell);
    } else if game.has_button(&Command::Done) {
        game.click_button(&Command::Done);
    } else {
        let given_up = press(game, &activity::targets::GIVE_UP);
        assert!(given_up, "there is an answer to every question");
    }
}

/// Plays to the result and returns the names of all actions that were used.
fn play(
    mut game: Game,
    declare: fn(&mut Game, usize) -> bool,
    mut look: impl FnMut(&mut Game),
) -> BTreeSet<&'static str> {
    let mut told = BTreeSet::new();
    for n in 0..MAX {
        game.until_asked();
        if game.screen() != Screen::Battle {
            break;
        }
        look(&mut game);
        let before = game.session().game.answered();
        answer(&mut game, declare, n);
        if game.session().question().is_none() && game.has_button(&Command::Skip) {
            game.click_button(&Command::Skip);
        }
        assert!(
            game.screen() != Screen::Battle || game.session().game.answered() > before,
            "nothing was answered to {:?}",
            game.session().question().map(|q| &q.prompt),
        );
        for event in game.session().known_events() {
            if let fivefoot::battle::EventKind::Acted { choice } = &event.what {
                told.insert(choice.verb.name);
            }
        }
    }
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("rounds") || game.says("1 round"));
    told
}

/// Makes a declaration of each kind in turn: attacks, defensive attacks, spells, and full
/// defense for units with an enemy adjacent.
fn declare_speed(game: &mut Game, n: usize) -> bool {
    use speed::declared::{ATTACK, CASTING, DEFENSIVE, FULL_DEFENSE, MOVING};
    if key_of(game.preview(), &MOVING).is_none() {
        return false;
    }
    let beset = gap(game) <= 1;
    let (who, _) = in_hand(game);
    let wanted: Vec<&'static Action> = match n % 5 {
        0 if beset => vec![&FULL_DEFENSE],
        1 => vec![&CASTING, &DEFENSIVE],
        2 => vec![&DEFENSIVE, &ATTACK],
        _ => vec![&ATTACK],
    };
    let done = wanted.into_iter().any(|verb| press(game, verb)) || press(game, &MOVING);
    assert!(done, "something can be declared");
    settle(game);
    let declared = game.session().shown().unit(who).plan.clone();
    assert!(
        declared.contains("count") || game.session().shown().clock.now.name.contains("Count"),
        "the count is shown on the card: {declared:?}"
    );
    true
}

#[test]
fn a_speed_battle_by_mouse_to_its_end() {
    let game = Game::battle(brawl(), Some(&speed::RULESET), 4).at_once();
    assert!(game.session().shown().clock.now.name == "Declarations");
    let (mut stress, mut counts) = (false, BTreeSet::new());
    let told = play(game, declare_speed, |game| {
        stress |= game.says("Stress");
        let track = game.session().shown().clock.track.clone();
        counts.extend(track.iter().map(|stop| stop.label.to_string()));
    });
    assert!(stress, "Stress and wounds are shown");
    assert!(counts.len() > 5, "the count track: {counts:?}");
    for verb in ["strike", "go"] {
        assert!(told.contains(verb), "{verb} among {told:?}");
    }
}

/// Declares up to three actions with their shares: melee with a part of the OB kept for
/// parrying beside an enemy, missiles, a hastened spell, or a move and an attack.
fn declare_activity(game: &mut Game, n: usize) -> bool {
    use activity::declared::{HASTEN, MELEE, MISSILE, MOVE, PARRY, RELOAD, SPELL};
    if key_of(game.preview(), &HASTEN).is_some() {
        let slider = |game: &Game| {
            let menu = game.preview().menu.as_ref().expect("a number is asked for");
            menu.slider.clone().expect("a slider")
        };
        let full = slider(game).now;
        assert_eq!(full, slider(game).most, "a spell is not hastened unasked");
        game.click_button(&Command::Nudge(-1));
        assert!(game.says("hastened −10"), "what hastening costs is shown");
        settle(game);
        return true;
    }
    if game.session().shown().clock.now.name != "Declarations" {
        return false;
    }
    let (who, _) = in_hand(game);
    let round = |game: &Game| {
        let unit = game.session().shown().unit(who);
        unit.round.clone().unwrap_or_default()
    };
    let empty = round(game).parts.is_empty();
    let beset = gap(game) <= 1;
    let wanted: Vec<&'static Action> = match (empty, beset) {
        (true, true) if n % 4 == 1 => vec![&SPELL, &MELEE],
        (true, true) => vec![&MELEE],
        (true, false) if n % 3 == 1 => vec![&SPELL, &MISSILE, &MOVE],
        (true, false) => vec![&MISSILE, &MOVE],
        (false, true) => vec![&PARRY],
        (false, false) => vec![&RELOAD, &MELEE],
    };
    for verb in wanted {
        if !press(game, verb) {
            continue;
        }
        if let Some(menu) = &game.preview().menu
            && menu.slider.is_some()
            && ![&PARRY, &SPELL].contains(&verb)
        {
            let bar = menu.round.clone().expect("the round is shown as a bar");
            let last = bar.parts.last().expect("with what is being chosen");
            assert_eq!(last.state, PortionState::Preview);
            assert!(game.says("% free"));
        }
        if verb == &SPELL {
            choose_spell(game);
        } else {
            settle(game);
        }
        return true;
    }
    game.click_button(&Command::Done);
    true
}

#[test]
fn an_activity_battle_by_mouse_to_its_end() {
    let game = Game::battle(brawl(), Some(&activity::RULESET), 4).at_once();
    assert!(game.session().shown().clock.now.name == "Declarations");
    let (mut counts, mut done, mut kept) = (BTreeSet::new(), false, false);
    let told = play(game, declare_activity, |game| {
        let shown = game.session().shown();
        counts.extend(shown.clock.track.iter().map(|stop| stop.label.to_string()));
        let rounds = shown.units.iter().filter_map(|p| p.round.as_ref());
        let mut parts = rounds.flat_map(|r| &r.parts);
        done |= parts.any(|p| p.state == PortionState::Done && p.comes.starts_with("at "));
        kept |= game.says("Parries melee: DB +") || game.says("OB: parry starts once in melee");
    });
    assert!(counts.len() > 5, "the count track: {counts:?}");
    assert!(done, "actions are shown with their count");
    assert!(kept, "what is kept for parrying is shown");
    for verb in ["strike", "move", "shoot", "cast"] {
        let is_told = told.iter().any(|name| name.starts_with(verb));
        assert!(is_told, "{verb} among {told:?}");
    }
}
