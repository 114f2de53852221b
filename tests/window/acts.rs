//! Actions that need more than one click on a target: spells, items, custom paths, the
//! list of all actions, the choice of ruleset on the title screen.

use super::kit::{
    game::Game,
    rounds::{point, rules},
    shell::against,
};
use bevy::prelude::{KeyCode, World};
use fivefoot::{
    battle::{Choice, EventKind, Id, LETTERS, OddsLine, PASS, Ruleset, of_unit, of_unit_mut},
    control::Player,
    grid::Cell,
    levels,
    rulesets::{
        self,
        skirmish::{
            acts::{AID, BREAK_FREE},
            state::{Fighter, GrappleState},
        },
    },
    ui::{
        ActionPreview, Command, Options, Screen, Selection, Session,
        board::labels::Label,
        places::{BoardArea, ListPlace},
        preview::{ActButton, Click, Picks, no_effect},
        ruleset_ui,
        screens::title::TitleButton,
        widgets::SendOnPress,
    },
};
use fivefoot_kit::level;
use std::collections::{BTreeMap, BTreeSet};

/// The first level, at the start of the player's first turn.
fn game(seed: u64) -> Game {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, seed);
    game.until_own_turn();
    game
}

/// The player's units, in order.
fn members(game: &Game) -> Vec<Id> {
    let session = game.session();
    let own = session.shown().members(session.player());
    own.filter(|p| p.is_up()).map(|p| p.id).collect()
}

/// Selects the player's first unit that can cast spells.
fn take_caster(game: &mut Game) {
    for id in members(game) {
        game.click_button(&Command::Choose(id));
        if game.preview().acts.iter().any(|a| a.label == "Cast") {
            return;
        }
    }
    panic!("nobody knows a spell");
}

fn key_of(game: &Game, label: &str) -> char {
    let act = game.preview().acts.iter().find(|a| a.label == label);
    act.unwrap_or_else(|| panic!("no button {label}")).key
}

/// The index of the row of the open list that contains this text.
fn row(game: &Game, says: &str) -> usize {
    let menu = game.preview().menu.as_ref().expect("a list is open");
    let found = menu.rows.iter().position(|r| r.label.contains(says));
    found.unwrap_or_else(|| panic!("no row {says} in {menu:?}"))
}

fn acted(game: &Game, verb: &str) -> usize {
    let told = game.session().known_events();
    told.filter(|e| matches!(&e.what, EventKind::Acted { choice } if choice.verb.name == verb))
        .count()
}

#[test]
fn a_spell_is_picked_from_a_list_aimed_and_cast() {
    let mut game = game(2);
    take_caster(&mut game);
    let cast = key_of(&game, "Cast");
    game.act(cast);
    let bolt = row(&game, "Fire bolt");
    assert!(game.says("one target, range 60 ft"), "its effect is shown");
    // The list leaves the board free.
    let (list, board) = (game.rect::<ListPlace>(), game.rect::<BoardArea>());
    assert!(list.min.x >= board.max.x, "{list:?} {board:?}");
    game.click_button(&Command::Reply(bolt));
    let target = *game.preview().targets.first().expect("a unit in range");
    let cell = game.session().shown().unit(target).at;
    game.point(game.screen_point(cell));
    let Click::Act { seen, .. } = &game.preview().click else {
        panic!("{:?}", game.preview().click);
    };
    assert_eq!(seen.odds[0].who, Some(target));
    let words = seen.odds[0].text.clone();
    assert!(game.says(&words), "the odds are shown first");
    game.click_cell(cell);
    game.until("the spell", |game| acted(game, "cast") == 1);
}

#[test]
fn an_area_spell_shows_its_cells_and_the_units_in_it() {
    let mut game = game(2);
    take_caster(&mut game);
    let cast = key_of(&game, "Cast");
    game.act(cast);
    let menu = game.preview().menu.clone().expect("a list of spells");
    for n in 0..menu.rows.len() {
        game.click_button(&Command::Reply(n));
        if let Some(&place) = game.preview().places.first() {
            game.point(game.screen_point(place));
            let Click::Act { seen, choice, .. } = &game.preview().click else {
                panic!("{:?}", game.preview().click);
            };
            assert_eq!(choice.to, Some(place));
            assert!(seen.area.len() > 1, "{seen:?}");
            let caught = |id: Id| game.session().shown().unit(id).space();
            // Rows without a unit are about the spell itself.
            let about: Vec<Id> = seen.odds.iter().filter_map(|odds| odds.who).collect();
            for &who in &about {
                let mut space = caught(who).cells();
                assert!(space.any(|cell| seen.area.contains(&cell)));
            }
            assert!(!about.is_empty(), "an empty area is not offered");
            // Every unit has its chance beside it.
            let has_chance = |odds: &&OddsLine| odds.who.is_some() && odds.percent.is_some();
            let chances = seen.odds.iter().filter(has_chance).count();
            assert!(game.count::<Label>(|_| true) >= chances);
            return;
        }
        // Escape goes back one step, to the list.
        game.press(KeyCode::Escape);
        assert!(game.preview().menu.is_some());
    }
    panic!("no spell of an area in {menu:?}");
}

/// A session in which Mara, who has the turn, is held, and one that holds her.
fn held() -> (Session, Id) {
    let level = level(
        r#"(
            title: "Held", map: ["..", ".."],
            sides: [(id: "party"), (id: "brutes", awareness: Alert)],
            combatants: [
                (kind: "mara", side: "party", at: (0, 0), with: (skirmish: (hp: 90, ac: 10))),
                (kind: "wat", side: "brutes", at: [(1, 0), (0, 1)], with: (weapons: [], morale: Fearless)),
            ],
        )"#,
    );
    for seed in 1..60 {
        let mut session = against(Player::Random, &level, rules("Skirmish"), seed);
        for _ in 0..60 {
            session.catch_up();
            if session.game.is_over() {
                break;
            }
            let Some(question) = session.question().cloned() else {
                match session.awaits_ai() {
                    true => session.think(),
                    false => session.end_turn(),
                }
                continue;
            };
            let who = question.actors[0];
            if question.reaction {
                let pass = Choice::new(&PASS, who);
                session.give(&[pass]).expect("it is offered");
                continue;
            }
            let read = |world: &mut World| of_unit::<GrappleState>(world, who).held_by;
            let held_by = session.queries.ask(read);
            if let Some(holder) = (1..3).map(Id).find(|id| held_by & id.bit() != 0) {
                return (session, holder);
            }
            session.end_turn();
        }
    }
    panic!("nobody ever holds her");
}

/// SK-51: while a unit is held, breaking free has a button in the bar, and comes before a grapple in
/// its list and where the holder is clicked.
#[test]
fn a_held_unit_can_break_free_from_the_bar() {
    let (mut session, holder) = held();
    let selection = Selection {
        chosen: Some(Id(0)),
        ..Selection::default()
    };
    let preview = ActionPreview::of(&mut session, &selection);
    let act = preview.acts.iter().find(|act| act.is_needed);
    let act = act.expect("a button that frees her");
    assert_eq!(act.label, "Break free");
    assert_eq!(act.offers[0].choice.verb, &BREAK_FREE);
    let cell = session.shown().unit(holder).at;
    let selection = Selection {
        armed: Some(act.key),
        ..point(Id(0), cell)
    };
    let preview = ActionPreview::of(&mut session, &selection);
    let choice = preview.click.choice().expect("a click does something");
    assert_eq!(choice.verb, &BREAK_FREE);
}

/// A caster whose only spell is a cone, an ally beside it, and a goblin in this column. The board once
/// the key of the spell has been pressed.
fn breath(goblin: i16) -> Game {
    let text = format!(
        r#"(
            title: "Frost", map: ["....................", "...................."],
            sides: [(id: "party"), (id: "goblins", awareness: Alert)],
            combatants: [
                (kind: "ysolde", side: "party", at: (2, 0), with: (spells: ["frost_breath"])),
                (kind: "lin", side: "party", at: (0, 0)),
                (kind: "goblin", side: "goblins", at: ({goblin}, 0)),
            ],
        )"#
    );
    let mut game = Game::battle(level(&text), Some(rules("Skirmish")), 1);
    game.until_own_turn();
    take_caster(&mut game);
    let cast = key_of(&game, "Cast");
    game.send(Command::Act(cast), 3);
    game
}

/// A harmful spell is not aimed by itself where it catches no enemy.
#[test]
fn an_area_spell_is_first_aimed_at_an_enemy() {
    let caught = |game: &Game| match &game.preview().click {
        Click::Act { seen, .. } => seen.odds.iter().filter_map(|odds| odds.who).collect(),
        _ => vec![],
    };
    assert_eq!(caught(&breath(4)).first(), Some(&Id(2)));
    assert!(caught(&breath(19)).is_empty());
}

/// While a spell waits for its target, a number chooses another one from the list.
#[test]
fn a_number_chooses_another_spell() {
    let mut game = game(2);
    take_caster(&mut game);
    let (caster, cast) = (game.selection().chosen, key_of(&game, "Cast"));
    game.act(cast);
    let bolt = row(&game, "Fire bolt");
    game.click_button(&Command::Reply(bolt));
    assert!(game.preview().menu.is_none());
    let first = game.selection().partial_choice().spell;
    let keys = [KeyCode::Digit1, KeyCode::Digit2];
    game.press(keys[1 - bolt.min(1)]);
    game.wait(3);
    assert_eq!(game.selection().chosen, caster);
    assert_ne!(game.selection().partial_choice().spell, first);
}

/// A spell that can't be cast says what it does, and why its nearest target is none.
#[test]
fn a_blocked_spell_names_the_reason_of_its_nearest_target() {
    let level = level(
        r#"(
            title: "Darkness", map: ["...d............................"], legend: {'d': (fog: 90)},
            sides: [(id: "party"), (id: "goblins", awareness: Unaware)],
            combatants: [
                (kind: "ysolde", side: "party", at: (0, 0), with: (spells: ["fire_bolt", "flame_burst", "frost_breath"])),
                (kind: "goblin", side: "goblins", at: [(30, 0), (3, 0)]),
            ],
        )"#,
    );
    let mut game = Game::battle(level, Some(rules("Skirmish")), 1);
    game.until_own_turn();
    take_caster(&mut game);
    let cast = key_of(&game, "Cast");
    game.act(cast);
    let bolt = row(&game, "Fire bolt");
    let row = &game.preview().menu.as_ref().expect("a list").rows[bolt];
    let Picks::Nothing(why) = &row.picks else {
        panic!("{row:?}");
    };
    assert!(!why.contains("60 ft"), "{why}");
    assert!(row.lines[0].contains("damage"), "{row:?}");
}

/// SK-61: first aid without a chance is shown as an action without effect.
#[test]
fn an_action_that_cannot_succeed_has_no_effect() {
    let level = level(
        r#"(
            title: "First aid", map: ["......"],
            sides: [(id: "party"), (id: "goblins", awareness: Alert)],
            combatants: [
                (kind: "mara", side: "party", at: (0, 0)),
                (kind: "anselm", side: "party", at: (1, 0)),
                (kind: "goblin", side: "goblins", at: (5, 0)),
            ],
        )"#,
    );
    let why = |rounds: u8| {
        let session = against(Player::Idle, &level, rules("Skirmish"), 1);
        let dies = |world: &mut World| of_unit_mut::<Fighter>(world, Id(0)).dying = Some(rounds);
        session.queries.ask(dies);
        no_effect(&session, &Choice::new(&AID, Id(1)).at(Id(0)))
    };
    assert_eq!(why(0), None);
    assert!(why(20).is_some());
}

#[test]
fn an_item_is_dropped_from_a_list_and_picked_up_again() {
    let mut game = game(2);
    let things = key_of(&game, "Items");
    game.act(things);
    let drop = row(&game, "Drop");
    game.click_button(&Command::Reply(drop));
    game.until("it lies there", |game| {
        !game.session().shown().ground.is_empty()
    });
    game.until_asked();
    let (cell, _) = game.session().shown().ground[0];
    assert!(game.session().shown().board.contains(cell));
    game.point(game.screen_point(cell));
    game.wait(3);
    assert!(game.says("On the ground: "), "{:?}", game.words());
    game.act(things);
    let pick_up = row(&game, "Pick up");
    game.click_button(&Command::Reply(pick_up));
    game.until("it is taken up", |game| {
        game.session().shown().ground.is_empty()
    });
}

/// A reachable cell, and a waypoint that makes the path to it a detour.
fn detour(game: &Game) -> (Cell, Cell) {
    let reach = &game.preview().reach;
    let plain = reach.iter().filter(|r| r.feet == 10);
    let via = plain.min_by_key(|r| (r.cell.y, r.cell.x)).expect("a cell");
    let away = |c: Cell| (c.x - via.cell.x).abs().max((c.y - via.cell.y).abs());
    let end = reach
        .iter()
        .filter(|r| r.feet <= 15 && (2..=3).contains(&away(r.cell)))
        .max_by_key(|r| (away(r.cell), r.cell.y, r.cell.x));
    (via.cell, end.expect("another cell").cell)
}

#[test]
fn a_custom_path_is_plotted_with_shift_and_taken() {
    let mut game = game(2);
    let who = game.selection().chosen.expect("a unit is selected");
    let (via, end) = detour(&game);
    game.click_cell_with(KeyCode::ShiftLeft, via);
    assert_eq!(game.selection().waypoints, [via]);
    game.point(game.screen_point(end));
    let Click::Move(way) = game.preview().click.clone() else {
        panic!("{:?}", game.preview().click);
    };
    assert!(way.path.contains(&via) && way.path.last() == Some(&end));
    let price = format!("{} ft", way.feet);
    assert!(game.says(&price), "the price is shown first");
    let before = game.session().shown().events;
    game.click_cell(end);
    game.until("the walk", |game| {
        game.session().shown().unit(who).at == end
    });
    game.until_asked();
    let moved = game.session().known_events().filter_map(|e| match &e.what {
        EventKind::Moved { to, feet, .. } => Some((*to, *feet)),
        _ => None,
    });
    let steps: Vec<(Cell, u16)> = moved.collect();
    assert!(game.session().shown().events > before);
    assert_eq!(steps.iter().map(|s| s.0).collect::<Vec<_>>(), way.path[1..]);
    assert_eq!(steps.iter().map(|s| s.1).sum::<u16>(), way.feet);
    // One undo takes the whole path back, even if it took several orders.
    game.press(KeyCode::KeyU);
    assert_ne!(game.session().shown().unit(who).at, end);
}

#[test]
fn a_custom_path_is_plotted_by_keys() {
    let mut game = game(2);
    let (via, _) = detour(&game);
    super::kit::shell::walk_cursor(&mut game, via);
    game.press(KeyCode::KeyV);
    assert_eq!(game.selection().waypoints, [via]);
    game.press(KeyCode::Escape);
    assert!(game.selection().waypoints.is_empty(), "one step back");
    assert!(!game.is_paused());
}

#[test]
fn every_action_is_listed_with_the_reason_if_it_is_blocked() {
    let mut game = game(2);
    let who = game.selection().chosen.expect("a unit is selected");
    let title = format!("{}: all actions", game.session().shown().unit(who).name);
    game.press(KeyCode::KeyQ);
    assert!(game.says(&title));
    // What an AI would consider comes first and is named, as far as it has a button.
    let considered = game.session().considered(who);
    let acts = game.preview().acts.clone();
    let is_of =
        |act: &ActButton, choice: &Choice| act.offers.iter().any(|o| o.choice.verb == choice.verb);
    for act in &acts {
        if let Some(choice) = considered.iter().find(|choice| is_of(act, choice)) {
            let order = game.session().order_text(choice);
            assert!(game.says(&format!("Makes sense now: {order}")), "{order}");
        }
    }
    for act in &acts {
        assert!(game.says(&act.label), "{}", act.label);
        if let Some(why) = &act.why_not {
            let why = fivefoot::battle::capitalised(&why.text);
            assert!(game.says(&why), "{why}");
        }
    }
    game.press(KeyCode::Escape);
    assert!(!game.says(&title) && !game.is_paused());
}

/// Labels that share a button without being a group: their actions exclude each other, belong to
/// different parts of a round, or differ by what they are aimed at.
const SHARING: [&[&str]; 11] = [
    &["Door", "Open", "Close"],
    &["Prone", "Stand up"],
    &["Strike", "Attack", "Melee"],
    &["Shoot", "Missiles", "Missile"],
    &["Cast", "Release"],
    &["Cast", "Aim spell", "Power"],
    &["Cast", "Hasten"],
    &["Stalk", "Execute"],
    &["Set weapon", "Thrust", "Meet"],
    &["Safe attack", "Riposte"],
    &["Surge", "Douse"],
];

/// An action with the letter of another one would join its button unseen.
#[test]
fn actions_share_a_button_only_on_purpose() {
    for &rules in rulesets::ALL.iter() {
        for button in ruleset_ui::buttons(rules) {
            let labels: BTreeSet<&str> = button.acts.iter().map(|(_, act)| act.label).collect();
            let is_group = button.acts.iter().all(|(_, act)| act.group);
            let shares =
                |known: &&[&str]| labels.iter().all(|label| known.iter().any(|k| k == label));
            let is_meant = labels.len() == 1 || is_group || SHARING.iter().any(shares);
            assert!(is_meant, "{}: '{}' is {labels:?}", rules.id, button.key);
        }
    }
}

/// Every action of every ruleset is available in the window: by a button, by a click on a
/// cell, or as the end of a turn. Every letter is one of the bar.
#[test]
fn every_action_is_available_in_the_window() {
    for &rules in rulesets::ALL.iter() {
        let (buttons, walks) = (ruleset_ui::buttons(rules), rules.planning.walks);
        for key in buttons.iter().map(|b| b.key).filter(char::is_ascii) {
            let is_free = !fivefoot::ui::input::TAKEN.contains(key);
            assert!(is_free && LETTERS.contains(key), "{}: '{key}'", rules.id);
        }
        for verb in rules.verbs() {
            let ends = rules.planning.end_turn == Some(verb) || rules.planning.done.contains(&verb);
            let is_walk = walks.contains(&verb);
            let is_pass = verb == &fivefoot::battle::PASS;
            let has = buttons.iter().any(|b| b.button_of(verb).is_some());
            assert!(has || ends || is_walk || is_pass, "{}", verb.name);
        }
    }
}

/// Actions whose buttons have no key: reactions, choices of a side or in a panel, and moves
/// by a click on a cell.
const WITHOUT_A_KEY: [(&str, &[&str]); 5] = [
    (
        "Skirmish",
        &[
            "snap attack",
            "snap shot",
            "snap throw",
            "attack of opportunity",
            "roll again",
            "roll a check again",
            "act now",
        ],
    ),
    (
        "Segments",
        &["declare the rest", "strike at the back", "meet the charge"],
    ),
    (
        "Phased",
        &[
            "take position",
            "declare no more",
            "free attack",
            "immediate attack",
        ],
    ),
    (
        "Speed",
        &[
            "flee",
            "crawl",
            "blunt injury",
            "piercing injury",
            "slashing injury",
            "chopping injury",
            "fire injury",
            "cold injury",
            "electric injury",
            "sonic injury",
            "acid injury",
            "holy injury",
            "unholy injury",
        ],
    ),
    ("Activity", &["attack of opportunity"]),
];

/// Every action that a unit takes on its own turn has a letter.
#[test]
fn every_action_has_a_key() {
    let without = rulesets::ALL.map(|rules| {
        let buttons = ruleset_ui::buttons(rules);
        let all = buttons.iter().filter(|button| !button.key.is_ascii());
        let verbs: Vec<&str> = all.map(|button| button.acts[0].0.name).collect();
        (rules.id, verbs)
    });
    let wanted = WITHOUT_A_KEY.map(|(rules, verbs)| (rules, verbs.to_vec()));
    assert_eq!(without, wanted);
}

#[test]
fn the_ruleset_is_chosen_on_the_title_screen() {
    let mut game = Game::new(Options {
        seed: Some(4),
        ..Options::default()
    });
    let last: &Ruleset = rulesets::ALL[rulesets::ALL.len() - 1];
    if rulesets::ALL.len() > 1 {
        let place = game.find::<TitleButton>(|b| *b == TitleButton::Rules(rulesets::ALL.len() - 1));
        game.click(place.expect("a button for each ruleset"));
    }
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().game.rules().id, last.id);
}

/// The rows of a list are the offers, each with its effect.
#[test]
fn rows_of_a_list_are_offers() {
    let mut game = game(2);
    let things = key_of(&game, "Items");
    game.act(things);
    let menu = game.preview().menu.clone().expect("a list of things");
    let act = game.preview().acts.iter().find(|a| a.key == things);
    let offers: Vec<_> = act.expect("it is there").choices().cloned().collect();
    let given = menu.rows.iter().map(|row| match &row.picks {
        Picks::Give(choice) => choice.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(given.collect::<Vec<_>>(), offers);
}

#[test]
fn a_shove_is_aimed_and_its_direction_chosen_from_a_list_with_odds() {
    let units = [("ann", "party", (1, 2), 9), ("gob", "goblins", (2, 2), 9)];
    let rows = ["....."; 5];
    let level = fivefoot_kit::field(&rows, &units);
    let mut game = Game::battle(level, None, 1);
    game.until_own_turn();
    let shove = key_of(&game, "Shove");
    game.act(shove);
    let gob = game.session().shown().unit(Id(1)).at;
    game.point(game.screen_point(gob));
    assert!(matches!(game.preview().click, Click::Aim { .. }));
    assert!(game.says("knocked prone"), "the odds are shown first");
    game.click_cell(gob);
    let down = row(&game, "down");
    let menu = game.preview().menu.clone().expect("a list of ways");
    assert!(menu.rows.len() > 2, "{menu:?}");
    assert!(menu.rows[down].lines.iter().any(|l| l.contains("check")));
    // The board marks the cells of the list, and that of the row under the pointer.
    assert!(!game.preview().places.is_empty());
    for (n, row) in menu.rows.iter().enumerate() {
        let choice = row.choice().expect("a complete choice");
        assert_eq!(row.mentions().cell, choice.to);
        // Counted from the target, which moves one cell.
        assert_eq!(
            row.label.contains(" 5 ft to the "),
            n != down,
            "{}",
            row.label
        );
    }
    let shown = menu
        .rows
        .iter()
        .position(|row| row.mentions().cell.is_some());
    let reply = Command::Reply(shown.expect("a cell to shove to"));
    let sends = |sends: &SendOnPress<Command>| sends.0 == reply;
    let place = game.find(sends).expect("a button");
    game.point(place);
    game.wait(2);
    let mentioned = game.selection().highlighted;
    assert_eq!(mentioned, menu.rows[shown.unwrap_or_default()].mentions());
    game.click_button(&Command::Reply(down));
    game.until("the shove", |game| acted(game, "shove down") == 1);
}

/// An action has the same letter and the same place in the bar under every ruleset.
#[test]
fn an_action_has_the_same_key_and_place_under_all_rulesets() {
    let mut letters: BTreeMap<&str, (char, &str)> = BTreeMap::new();
    for &rules in rulesets::ALL.iter() {
        let buttons = ruleset_ui::buttons(rules);
        let keyed = || buttons.iter().filter(|button| button.key.is_ascii());
        let places: Vec<usize> = keyed()
            .map(|button| LETTERS.find(button.key).expect("a letter of the bar"))
            .collect();
        assert!(places.is_sorted(), "{}: {places:?}", rules.id);
        for button in keyed() {
            for (_, act) in &button.acts {
                let known = letters.entry(act.label).or_insert((button.key, rules.id));
                assert_eq!(
                    known.0, button.key,
                    "{} under {} and {}",
                    act.label, known.1, rules.id
                );
            }
        }
    }
}
