//! Previews before a click: possible attacks at the end of a move, enemies' abilities,
//! overlays by keys, warnings, and the open choices of an action.

use super::kit::{
    game::{Game, resize},
    levels::level,
    rounds::{DECLARED, declaring},
    shell::battle,
};
use bevy::{input::ButtonState, prelude::*};
use fivefoot::{
    battle::{
        Action, AttackForecast, Choice, Cost, Harmless, Id, Item, Offer, PASS, Ruleset, SpellId,
        State,
    },
    control::{Player, exchange::Exchange},
    grid::Cell,
    levels::{self},
    rulesets,
    ui::{
        Command, Selection, Session,
        art::palette,
        board::{Layer, Overlays},
        hud::ChartRow,
        preview::{Click, Open, open},
        selection::{Overlay, PartialChoice},
        settings::Settings,
        theme::colour,
    },
};

const MARA: Id = Id(0);
const GOBLIN: Id = Id(2);
const ARCHER: Id = Id(3);

/// The player's turn with Mara selected.
fn game(rules: &'static Ruleset) -> Game {
    for seed in 1..40 {
        let mut game = Game::battle(level(), Some(rules), seed);
        game.until_own_turn();
        let here = game.session().shown().unit(MARA).at;
        if game.session().is_players_turn() && here == Cell::new(2, 3) {
            game.click_button(&Command::Choose(MARA));
            game.wait(2);
            return game;
        }
    }
    panic!("the party is never asked first under {}", rules.id);
}

fn skirmish() -> Game {
    game(rulesets::ALL[0])
}

/// First aid is for the ally that lies below an enemy, so the card and the arrows are about it.
#[test]
fn the_target_of_a_click_comes_before_the_unit_above_it() {
    let game = skirmish();
    let mut shown = game.session().shown().clone();
    let (ally, cell) = (Id(1), shown.unit(GOBLIN).at);
    (shown.units[1].at, shown.units[1].state) = (cell, State::Down);
    let mut selection = game.selection().clone();
    selection.cursor = Some(cell);
    let mut preview = game.preview().clone();
    preview.click = Click::Nothing;
    assert_eq!(preview.pointed(&selection, &shown), Some(GOBLIN));
    preview.click = Click::Act {
        choice: Choice::new(&PASS, MARA).at(ally),
        label: "aid".into(),
        seen: Default::default(),
    };
    assert_eq!(preview.pointed(&selection, &shown), Some(ally));
}

/// An enemy that must walk up first is no less of a danger.
#[test]
fn a_move_preview_shows_attacks_after_an_enemys_move() {
    let mut game = skirmish();
    let session = game.session();
    let mut ends = game.preview().reach.iter().map(|end| end.cell);
    let end = ends.find(|&cell| {
        let all = session.queries.exchanges(MARA, cell, &[GOBLIN]);
        all.iter().any(|e| e.takes.is_none() && e.comes.is_some())
    });
    let end = end.expect("a cell that the goblin only reaches with a move");
    game.point(game.screen_point(end));
    assert!(game.says("* after it has moved"));
}

/// SK-56: the preview says that an enemy is unaware, and not that the unit is out of its reach.
#[test]
fn a_move_preview_says_which_enemy_is_unaware() {
    let mill = fivefoot_kit::level(include_str!("../../levels/mill.ron"));
    let mut game = Game::battle(mill, Some(rulesets::ALL[0]), 1);
    game.until_own_turn();
    let who = game.session().question().expect("it is asked").actors[0];
    game.send(Command::Choose(who), 2);
    let session = game.session();
    let enemies = session.known_enemies();
    let mut ends = game.preview().reach.iter().map(|end| end.cell);
    let is_unaware = |e: &Exchange| e.harmless == Some(Harmless::Unaware);
    let end = ends.find(|&cell| {
        let all = session.queries.exchanges(who, cell, &enemies);
        !all.is_empty() && all.iter().all(is_unaware)
    });
    game.point(game.screen_point(end.expect("a cell near an unaware enemy")));
    let words = game.words();
    assert!(words.iter().any(|words| words == "unaware"), "{words:?}");
    assert!(!game.says("out of its reach"));
}

/// While units declare, an enemy in a closed room is out of sight, and not out of reach.
#[test]
fn an_enemy_in_a_closed_room_is_out_of_sight() {
    let units = [("ann", "party", (1, 1), 12), ("gob", "goblins", (5, 1), 12)];
    let mut game = declaring("Phased", &["...#..."; 3], &units, 3);
    game.point(game.screen_point(game.cell_of(Id(1))));
    let Click::NoAttack(why) = &game.preview().click else {
        panic!("{:?}", game.preview().click);
    };
    assert_eq!(why, "No line of sight");
}

/// Ann is selected, and the pointer is on an enemy that only a charge can reach.
fn out_of_reach() -> Game {
    let text = r#"(
        title: "A long run", map: ["..........", "..........", ".........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "goblin", name: "ann", side: "party", at: (0, 1)),
            (kind: "goblin", name: "gob", side: "goblins", at: (8, 1)),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 1, Player::Idle);
    game.until_own_turn();
    game.app.world_mut().write_message(Command::Choose(Id(0)));
    game.wait(2);
    game.point(game.screen_point(game.cell_of(Id(1))));
    game
}

/// The enemy under the pointer is out of reach, and a charge at it shows the same chance before and
/// after it is chosen.
#[test]
fn a_charge_has_one_chance() {
    let mut game = out_of_reach();
    let Click::NoAttack(why) = game.preview().click.clone() else {
        panic!("{:?}", game.preview().click);
    };
    game.press(KeyCode::KeyC);
    game.wait(2);
    let (number, unit) = game.preview().attacks[0].lead();
    let name = &game.session().shown().unit(Id(1)).name;
    let lines = [
        format!("{name} is out of reach"),
        format!("Charge (C): {number} {unit}"),
    ];
    assert_eq!(why.to_lowercase(), lines.join("\n").to_lowercase());
}

/// SK-32: Wat's fists are stronger than his cudgel, so a click uses them. His card lists them, and that
/// of the target says why.
#[test]
fn bare_hands_that_are_stronger_are_listed_and_explained() {
    let text = r#"(
        title: "The wrestler", map: ["....."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "wat", side: "party", at: (1, 0)),
            (kind: "goblin", side: "goblins", at: (2, 0), with: (skirmish: (ac: 15))),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 1, Player::Idle);
    resize(game.app.world_mut(), 1920, 1080);
    game.until_own_turn();
    game.app.world_mut().write_message(Command::Choose(Id(0)));
    game.wait(2);
    let lines = game.session().queries.figures(Id(0));
    assert!(
        lines.contains(&String::from("Fists 1d2, Brawl +2")),
        "{lines:?}"
    );
    game.point(game.screen_point(game.cell_of(Id(1))));
    assert!(game.says("Wat, fists") && game.says("Better than cudgel: "));
}

/// The large number counts the target's defense, and the sum below it explains that number.
#[test]
fn the_sum_of_an_attack_names_its_case() {
    let units = [("ann", "party", (1, 1), 12), ("gob", "goblins", (2, 1), 12)];
    let field = fivefoot_kit::field(&["....."; 3], &units);
    let mut game = Game::battle(field, Some(rulesets::ALL[0]), 1);
    resize(game.app.world_mut(), 1920, 1080);
    game.until_own_turn();
    game.send(Command::Choose(Id(0)), 2);
    game.point(game.screen_point(game.cell_of(Id(1))));
    assert!(game.says("if it defends"), "{:?}", game.words());
    let left = game.preview().attacks[0].answered.clone();
    let left = left.expect("it can defend");
    assert!(game.says("If it defends: against AC"));
    assert!(game.says(&left.needs) && left.against_modifiers.len() == 1);
    // The other case has one small line, as it differs by the 10 points of Total Defense; without a
    // difference it has none. Where a miss can drop the target too, the line says so.
    let attack = game.preview().attacks[0].clone();
    let otherwise = attack.otherwise().expect("it differs");
    assert!(game.says(&otherwise), "{:?}", game.words());
    let with = |percent: u32, drop_percent: u32| AttackForecast {
        percent,
        drop_percent,
        ..attack.clone()
    };
    assert_eq!(with(left.percent, left.drop_percent).otherwise(), None);
    let even_by_a_miss = String::from("else 100% to drop: even a miss can");
    assert_eq!(with(65, 100).otherwise(), Some(even_by_a_miss));
    // The label on the board leads with the same chance as the card.
    let percent = game.preview().attacks[0].likely_percent();
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    game.wait(3);
    assert!(game.says(&format!("you hit {percent}%")));
}

/// PH-27: the card says how much of the target is covered; the label only has the badge.
#[test]
fn the_cover_of_a_target_has_one_name() {
    let units = [("ann", "party", (1, 0), 12), ("gob", "goblins", (2, 1), 12)];
    let mut game = declaring("Phased", &["..#..", ".....", "....."], &units, 3);
    game.point(game.screen_point(game.cell_of(Id(1))));
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    game.wait(3);
    assert!(game.says("% cover"), "{:?}", game.words());
    assert!(!game.says("half cover"));
}

fn overlays(game: &Game) -> Overlays {
    *game.app.world().resource::<Overlays>()
}

#[test]
fn a_move_preview_shows_possible_attacks_both_ways() {
    let mut game = skirmish();
    let reach = game.preview().reach.clone();
    let end = reach
        .iter()
        .find(|r| r.cost == Cost::Plain && r.cell == Cell::new(4, 4))
        .expect("the cell behind the goblin is in reach");
    game.point(game.screen_point(end.cell));
    let Click::Move(way) = &game.preview().click else {
        panic!("{:?}", game.preview().click);
    };
    let orders = way.orders.clone();
    let all = game.preview().exchanges.clone();
    let of = |id| all.iter().find(|e| e.enemy == id).expect("it is listed");
    let (near, far) = (of(GOBLIN), of(ARCHER));
    let taken = near.takes.expect("the goblin could strike there");
    let given = near.gives.expect("and be struck");
    assert!(far.takes.is_some(), "the archer could shoot there");
    // The board shows the numbers only while a key is held.
    assert!(!game.says(&format!("you hit {}%", given.percent)));
    assert!(game.says("From there"), "the card has them");
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    assert!(game.says(&format!("you hit {}%", given.percent)));
    assert!(game.says(&format!("hits you {}%", taken.percent)));
    assert!(game.says("From there"));

    // The forecast is right once she stands there.
    let mut session = game.app.world_mut().resource_mut::<fivefoot::ui::Session>();
    session.give(&orders).expect("a way is legal");
    session.catch_up();
    if session.shown().unit(MARA).at == end.cell {
        let now = session.queries.attacks(GOBLIN, MARA);
        assert_eq!(now[0].percent, taken.percent);
        let own = session.queries.attacks(MARA, GOBLIN);
        // The table shows the number that the card of the attack puts first.
        assert_eq!(own[0].likely_percent(), given.percent);
    }
}

/// A planned order says who could attack the unit where it ends, as a move does.
#[test]
fn the_card_of_a_plan_has_the_danger_after_it() {
    let units = [("ann", "party", (1, 1), 30), ("gob", "goblins", (5, 1), 30)];
    for id in DECLARED {
        let mut game = declaring(id, &["......."; 3], &units, 3);
        assert!(!game.says("From there"), "{id}: there is no plan yet");
        game.send(Command::Choose(Id(0)), 2);
        game.point(game.screen_point(Cell::new(3, 1)));
        let is_told = game.comes(|game| game.says("From there"));
        assert!(is_told && game.says("hits you"), "{id}: {:?}", game.words());
        assert!(!game.words().iter().any(|words| words == "you hit"), "{id}");
    }
}

/// The card of a planned attack names every other enemy that could attack the unit there.
#[test]
fn the_card_of_a_planned_attack_names_all_dangers() {
    let units = [
        ("ann", "party", (1, 1), 30),
        ("gob", "goblins", (2, 1), 30),
        ("bog", "goblins", (5, 0), 30),
        ("dob", "goblins", (5, 1), 30),
        ("fog", "goblins", (5, 2), 30),
    ];
    let mut game = declaring("Phased", &["......."; 3], &units, 3);
    resize(game.app.world_mut(), 1920, 1080);
    game.app.world_mut().write_message(Command::Choose(Id(0)));
    game.wait(2);
    game.point(game.screen_point(Cell::new(2, 1)));
    let line = (0..400).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(2));
        game.wait(2);
        let mut words = game.words().into_iter();
        words.find(|words| words.starts_with("Hits you there"))
    });
    let line = line.expect("others could attack her");
    for id in [Id(2), Id(3), Id(4)] {
        let name = &game.session().shown().unit(id).name;
        assert!(line.contains(name.as_str()), "{name}: {line}");
    }
}

/// A unit that has used its Main action gives that as the reason, not that its target is out of reach.
#[test]
fn after_its_action_a_unit_is_not_said_to_be_out_of_reach() {
    let mut game = skirmish();
    game.point(game.screen_point(Cell::new(3, 3)));
    let Click::Attack(attack) = game.preview().click.clone() else {
        panic!("{:?}", game.preview().click);
    };
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session
        .give(&[attack.choice])
        .expect("the attack is offered");
    session.catch_up();
    game.until_own_turn();
    game.click_button(&Command::Choose(MARA));
    game.wait(2);
    let (mara, at) = {
        let shown = game.session().shown();
        (shown.unit(MARA).clone(), shown.unit(ARCHER).at)
    };
    assert_eq!(mara.spent_action(), Some("Main"));
    game.point(game.screen_point(at));
    let click = &game.preview().click;
    assert!(
        matches!(click, Click::No(why) if why.contains("spent")),
        "{click:?}"
    );
}

#[test]
fn an_enemys_card_has_both_forecasts_under_every_ruleset() {
    for rules in rulesets::ALL {
        let mut game = game(rules);
        if game.session().queries.rules.planning.attacks.is_empty() {
            continue;
        }
        game.point(game.screen_point(Cell::new(3, 3)));
        let preview = game.preview();
        let answer = preview
            .answer
            .clone()
            .unwrap_or_else(|| panic!("{}: no answer from the goblin", rules.id));
        assert_eq!((answer.attack.by, answer.attack.at), (GOBLIN, MARA));
        let all: f32 = answer.spread.bars.iter().map(|b| b.chance).sum();
        assert!((all - 1.0).abs() < 1e-3, "{}: {all}", rules.id);
        let drops: f32 = answer.spread.bars.iter().map(|b| b.drops).sum();
        let hits: f32 = answer
            .spread
            .bars
            .iter()
            .filter(|b| b.points > 0)
            .map(|b| b.chance)
            .sum();
        assert!(drops <= hits + 1e-4, "{}", rules.id);
        let single = answer.attack.notes.is_empty();
        let told = answer.attack.drop_percent as f32 / 100.0;
        assert!(
            !single || (drops - told).abs() < 0.011,
            "{}: {drops} against {told}",
            rules.id
        );
        assert!(game.says("Enemy"), "{}", rules.id);
        // A pinned card lists the modifiers.
        game.click_with(game.screen_point(Cell::new(3, 3)), MouseButton::Middle);
        game.wait(2);
        let rule = answer.attack.modifiers.first().map(|m| m.rule);
        let spans: Vec<String> = {
            let world = game.app.world_mut();
            let mut spans = world.query::<&TextSpan>();
            spans.iter(world).map(|s| s.0.clone()).collect()
        };
        // For a plan, the attack back has one line without its modifiers.
        let is_plan = matches!(game.preview().click, Click::Plan(_));
        if let Some(rule) = rule.filter(|_| !is_plan) {
            assert!(spans.iter().any(|s| s == rule), "{}: {rule}", rules.id);
        }
        // A plan with its mean damage in the headline has no room for that line.
        let is_told = match &game.preview().click {
            Click::Plan(draft) => draft.attack.as_ref().is_some_and(|b| b.mean.is_some()),
            _ => false,
        };
        assert!(
            is_told || game.says("average") || game.find::<ChartRow>(|_| true).is_some(),
            "{}: the damage is in words or a chart",
            rules.id
        );
        let mut words = game.words().into_iter();
        let average = words.find(|words| words.starts_with("damage, average"));
        let counts = average
            .as_ref()
            .is_none_or(|words| words.ends_with("with misses"));
        assert!(counts, "{}: the average counts misses", rules.id);
        // Without a chart, the mean of a planned attack has no line of its own.
        let has_chart = game.find::<ChartRow>(|_| true).is_some();
        assert!(!is_plan || has_chart || average.is_none(), "{}", rules.id);
    }
}

#[test]
fn a_cell_out_of_reach_says_why() {
    let mut game = skirmish();
    game.point(game.screen_point(Cell::new(19, 1)));
    assert!(matches!(&game.preview().click, Click::No(why) if why.starts_with("Too far: ")));
    assert!(game.says("Too far: "), "{:?}", game.words());
    game.point(game.screen_point(Cell::new(18, 6)));
    assert!(game.says("No path leads there"));
    game.point(game.screen_point(Cell::new(17, 5)));
    assert!(game.says("Nobody can stand there"));
    // A click needs no toast: the board says it there.
    game.click(game.screen_point(Cell::new(17, 5)));
    assert!(game.selection().refused);
    assert_eq!(game.selection().toast, None);
}

/// After the keys, a click on an enemy where the mouse rests only takes the cursor there. It says why a
/// click there does nothing, as any other click does.
#[test]
fn a_click_after_the_keys_says_why_it_does_nothing() {
    let mut game = out_of_reach();
    let Click::NoAttack(why) = game.preview().click.clone() else {
        panic!("{:?}", game.preview().click);
    };
    game.press(KeyCode::Tab);
    assert!(game.selection().by_keys);
    game.click_again();
    game.wait(2);
    let toast = game.selection().toast.as_ref().map(|toast| &toast.text);
    assert_eq!(toast, Some(&why));
}

/// The reason is red only after a click, until the mouse leaves the cell.
#[test]
fn a_reason_is_red_only_after_a_click() {
    let mut game = skirmish();
    let why = "No path leads there";
    let is_red = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut spans = world.query::<(&TextSpan, &TextColor)>();
        let red = colour(palette::DANGER);
        let found = |(span, ink): (&TextSpan, &TextColor)| span.0 == why && ink.0 == red;
        spans.iter(world).any(found)
    };
    let cell = Cell::new(18, 6);
    game.point(game.screen_point(cell));
    game.wait(3);
    assert!(game.says(why) && !is_red(&mut game), "the mouse only rests");
    game.click_cell(cell);
    game.wait(3);
    assert!(is_red(&mut game));
    game.point(game.screen_point(Cell::new(17, 5)));
    game.point(game.screen_point(cell));
    game.wait(3);
    assert!(game.says(why) && !is_red(&mut game));
}

#[test]
fn overlays_toggle_by_key_and_by_click() {
    let mut game = skirmish();
    for overlay in Overlay::ALL {
        assert!(!overlays(&game).has(overlay));
        // The overlay's button is in the list of all actions.
        game.press(KeyCode::KeyQ);
        game.click_button(&Command::Overlay(overlay));
        assert!(overlays(&game).has(overlay), "{overlay:?} by click");
        game.press(KeyCode::KeyQ);
        game.wait(2);
        game.click_button(&Command::Overlay(overlay));
        assert!(!overlays(&game).has(overlay));
    }
    // A tap on the key toggles the overlay; holding the key shows it while it is held.
    game.press(KeyCode::F3);
    assert!(overlays(&game).has(Overlay::Threats));
    game.press(KeyCode::F3);
    assert!(!overlays(&game).has(Overlay::Threats));
    game.key(KeyCode::F4, ButtonState::Pressed);
    game.wait(15);
    assert!(overlays(&game).has(Overlay::Cover));
    assert!(game.says("in the open"), "the cover of the foes");
    game.key(KeyCode::F4, ButtonState::Released);
    game.wait(2);
    assert!(!overlays(&game).has(Overlay::Cover));
}

/// A closed door that is out of reach says with which key the unit opens it.
#[test]
fn a_closed_door_says_how_to_open_it() {
    let mut game = Game::battle(levels::default_level(), Some(rulesets::ALL[0]), 2);
    game.until_own_turn();
    game.point(game.screen_point(Cell::new(3, 5)));
    let click = game.preview().click.clone();
    let Click::No(why) = &click else {
        panic!("{click:?}");
    };
    assert!(why.contains("press O"), "{why}");
}

/// While enemies act, the cover overlay shows the cover of the player's units.
#[test]
fn the_cover_of_your_units_is_shown_on_the_enemys_turn() {
    let is_shown = |seed| {
        let mut game = Game::battle(level(), Some(rulesets::ALL[0]), seed);
        game.press(KeyCode::F4);
        (0..60).any(|_| {
            game.wait(1);
            if game.session().is_players_turn() {
                return false;
            }
            let shown = game.session().shown();
            let own = shown.members(game.session().player());
            let own = own.filter(|unit| unit.is_up()).count();
            let world = game.app.world_mut();
            let mut marks = world.query::<&Layer>();
            let labels = marks.iter(world).filter(|layer| **layer == Layer::Standing);
            labels.count() == own
        })
    };
    assert!((1..=10).any(is_shown));
}

#[test]
fn the_line_of_sight_overlay_matches_the_grid() {
    let mut game = skirmish();
    // Before a cell is pointed at, there is a line to each enemy.
    game.point(Vec2::ONE);
    game.press(KeyCode::F2);
    game.wait(1);
    let enemies = game.session().known_enemies().len();
    let world = game.app.world_mut();
    let mut marks = world.query::<&Layer>();
    let lines = marks.iter(world).filter(|layer| **layer == Layer::Sight);
    assert_eq!(lines.count(), enemies);
    // From (2, 3) over the low wall at (10, 3) to the archer at (14, 3).
    game.point(game.screen_point(Cell::new(14, 3)));
    let shown = game.session().shown();
    let (own, enemy) = (shown.unit(MARA).space(), shown.unit(ARCHER).space());
    let proof = shown.board.proof(own, enemy);
    assert!(proof.sight.los);
    let corners = format!("{} of 8 corners seen", proof.sight.corners);
    assert!(game.says(&corners), "{:?}", game.words());
    assert!(game.says("GR-21"));
    if !proof.blocking.is_empty() {
        assert!(game.says("a low wall"));
    }
    game.point(game.screen_point(Cell::new(18, 6)));
    assert!(game.says("No line of sight: a wall"), "{:?}", game.words());
}

/// A reachable cell whose path provokes an attack.
fn dangerous(game: &mut Game) -> Cell {
    let reach = game.preview().reach.clone();
    for end in reach {
        game.point(game.screen_point(end.cell));
        if let Click::Move(way) = &game.preview().click
            && !way.provoked.is_empty()
        {
            return end.cell;
        }
    }
    panic!("no way draws an attack");
}

fn events(game: &Game) -> usize {
    game.session().shown().events
}

#[test]
fn a_likely_mistake_asks_first() {
    let mut game = skirmish();
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let cell = dangerous(&mut game);
    let before = events(&game);
    game.click_cell(cell);
    assert!(game.says(" anyway?") && !game.says("Do it anyway?"));
    let goblin = game.session().shown().unit(GOBLIN).name.clone();
    assert!(game.says(&format!("{goblin} may attack (")));
    // The end-turn key does not answer the question, and a toast says so.
    game.press(KeyCode::KeyE);
    assert!(game.says("Answer the question first"));
    // Esc cancels; nothing has happened.
    game.press(KeyCode::Escape);
    game.wait(4);
    assert!(!game.says(" anyway?"));
    assert_eq!(events(&game), before);

    // A click elsewhere cancels too.
    game.click_cell(cell);
    game.click_cell(Cell::new(12, 0));
    assert!(game.app.world().resource::<Selection>().warning.is_none());
    assert_eq!(events(&game), before);

    // Tick "don't ask again", then confirm.
    game.click_cell(cell);
    game.click_button(&Command::DontAskAgain);
    game.click_button(&Command::Confirm(true));
    game.wait(4);
    assert!(events(&game) > before || !game.session().is_caught_up());
    assert!(!game.app.world().resource::<Settings>().warn);
}

/// PH-40: a question about the attacks on a fleeing unit comes when it declares, not again when it
/// flees.
#[test]
fn a_declared_flight_is_asked_about_once() {
    let units = [("ann", "party", (2, 1), 30), ("gob", "goblins", (3, 1), 30)];
    let mut game = declaring("Phased", &["............"; 3], &units, 3).at_once();
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    game.press(KeyCode::KeyF);
    game.wait(2);
    let mut asked = 0;
    if game.says("Flee anyway?") {
        asked += 1;
        game.press(KeyCode::Enter);
        game.wait(2);
    }
    if game.session().is_declaring() {
        game.press(KeyCode::KeyE);
    }
    game.until_settled();
    assert!(!game.session().is_declaring() && game.session().is_players_turn());
    let cell = dangerous(&mut game);
    let before = game.session().game.answered();
    game.click_cell(cell);
    game.wait(2);
    if game.selection().warning.is_some() {
        asked += 1;
        game.press(KeyCode::Enter);
        game.wait(2);
    }
    assert_eq!(asked, 1);
    assert!(game.session().game.answered() > before);
}

/// Under Segments, a missile into a melee can hit an ally (SE-53): the game asks before the
/// shot, but not before declining it.
#[test]
fn a_shot_into_a_melee_asks_first() {
    let text = r#"(
        title: "Into a melee",
        map: [".........", "........."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "tobin", side: "party", at: (0, 0)),
            (kind: "mara", side: "party", at: (6, 0)),
            (kind: "goblin", side: "goblins", at: (7, 0)),
        ],
    )"#;
    let mut game = battle(text, "Segments", 3, Player::Idle);
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let archer = Id(0);
    for _ in 0..40 {
        game.until_own_turn();
        let asked = game.session().question().expect("it is asked").clone();
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let is_time = asked.actors.contains(&archer) && !session.is_declaring();
        let shoots = |offer: &Offer| offer.is_legal() && offer.choice.verb.name == "shoot";
        if is_time && session.offers_of(archer).iter().any(shoots) {
            break;
        }
        let who = asked.actors[0];
        let offers = session.offers_of(who);
        let missiles = offers
            .iter()
            .find(|o| o.choice.verb.name == "declare missiles");
        let choice = match missiles.filter(|o| o.is_legal() && who == archer) {
            Some(offer) => offer.choice.clone(),
            None => session.pass_choice(who).expect("a way to do nothing"),
        };
        session.give(&[choice]).expect("it is on offer");
        game.wait(2);
    }
    game.app
        .world_mut()
        .resource_mut::<Selection>()
        .choose(archer);
    game.wait(2);
    let before = events(&game);
    game.click_cell(Cell::new(7, 0));
    assert!(
        game.says("It may fly at Mara instead: "),
        "{:?}",
        game.words()
    );
    assert_eq!(events(&game), before);
    game.press(KeyCode::Escape);
    game.wait(4);
    game.press(KeyCode::KeyN);
    assert!(!game.says("could attack"), "not to shoot is no mistake");
}

/// PH-06: a surprised enemy does not attack before the next round, and the card says so.
#[test]
fn a_surprised_enemy_attacks_next_round() {
    for (awareness, is_later) in [("Unaware", true), ("Alert", false)] {
        let text = format!(
            r#"(
            title: "An ambush",
            map: [".........", "........."],
            sides: [(id: "party", awareness: Alert), (id: "goblins", awareness: {awareness})],
            combatants: [
                (kind: "tobin", side: "party", at: (0, 0)),
                (kind: "goblin", side: "goblins", at: (1, 0)),
            ],
        )"#
        );
        let mut game = battle(&text, "Phased", 3, Player::Idle);
        game.until_own_turn();
        assert!(game.session().is_declaring());
        game.point(game.screen_point(Cell::new(1, 0)));
        let answer = game.preview().answer.clone().expect("an attack");
        assert_eq!(answer.is_later, is_later, "{awareness}");
        let says = game.says("against Tobin next round");
        assert_eq!(says, is_later, "{:?}", game.words());
    }
}

/// In a moment for shots alone, no cell is of use, and the card does not say to click one.
#[test]
fn a_turn_without_a_move_hints_at_enemies_only() {
    let text = r#"(
        title: "A shot",
        map: [".........", "........."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "tobin", side: "party", at: (0, 0)),
            (kind: "goblin", side: "goblins", at: (7, 0)),
        ],
    )"#;
    for seed in 1..20 {
        let mut game = battle(text, "Phased", seed, Player::Idle);
        game.until_own_turn();
        if !game.session().is_declaring() {
            continue;
        }
        game.act('j');
        game.until_own_turn();
        let preview = game.preview();
        let is_shot = preview.reach.is_empty() && !preview.acts.is_empty();
        if is_shot && !game.session().is_declaring() {
            let words = game.words();
            assert!(
                game.says("Click an enemy, or use the buttons."),
                "{words:?}"
            );
            return;
        }
    }
    panic!("no turn for shots alone");
}

/// Two of the player's units act at the same count: after the moves, each attacks or skips.
/// Then no cell is marked for a move, and there is a button to skip.
#[test]
fn at_a_shared_count_only_possible_actions_are_shown() {
    const LEVEL: &str = r#"(
        title: "One count",
        speed: (shared: true),
        map: [".....", ".....", "....."],
        sides: [(id: "party"), (id: "foes", control: Ai)],
        combatants: [
            (kind: "mara", name: "ann", side: "party", at: (1, 0)),
            (kind: "mara", name: "ben", side: "party", at: (1, 2)),
            (kind: "ogre", side: "foes", at: (2, 0)),
        ],
    )"#;
    let rules = &rulesets::speed::RULESET;
    let mut game = Game::battle(fivefoot_kit::level(LEVEL), Some(rules), 3);
    for _ in 0..40 {
        game.until_asked();
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let asked = session.question().expect("the player is asked").clone();
        if asked.prompt.ends_with("together with others") {
            game.wait(5);
            assert_eq!(game.selection().chosen, asked.actors.first().copied());
            assert_eq!(game.preview().reach, [], "{}", asked.prompt);
            assert!(game.preview().done.is_some(), "nobody is made to strike");
            return;
        }
        let offers = session.offers_of(asked.actors[0]);
        let legal: Vec<_> = offers.iter().filter(|o| o.is_legal()).collect();
        let wanted = |word: &str| legal.iter().find(|o| o.choice.verb.name.starts_with(word));
        let offer = wanted("declare an attack").or(wanted("attack"));
        let offer = offer.or(wanted("done")).or(legal.last());
        let choice = offer.expect("something may be said").choice.clone();
        session.give(&[choice]).expect("it is legal");
    }
    panic!("no count is shared");
}

#[test]
fn a_click_applies_to_the_action_armed_in_the_same_frame() {
    let mut game = skirmish();
    let goblin = game.session().shown().unit(GOBLIN).at;
    game.point(game.screen_point(goblin));
    game.wait(2);
    assert!(matches!(game.preview().click, Click::Attack(_)));
    // Key and click come in the same frame: the click aims the shove, and is not the attack
    // from the preview of the frame before.
    let answered = game.session().game.answered();
    let world = game.app.world_mut();
    world.write_message(Command::Act('b'));
    world.write_message(Command::Go);
    game.wait(2);
    assert_eq!(game.session().game.answered(), answered);
    assert_eq!(game.selection().armed, Some('b'));
    assert_eq!(game.selection().partial_choice().at, Some(GOBLIN));
}

fn offers(choices: impl IntoIterator<Item = Choice>) -> Vec<Offer> {
    choices.into_iter().map(Offer::legal).collect()
}

fn choice() -> Choice {
    Choice::new(&PASS, Id(0))
}

#[test]
fn the_spell_is_chosen_first_then_the_target_then_the_rest() {
    let ways = offers([
        choice().spell(SpellId(0)).at(Id(1)),
        choice().spell(SpellId(1)).at(Id(1)).with(Item(0)),
        choice().spell(SpellId(1)).at(Id(1)).with(Item(1)),
        choice().spell(SpellId(1)).at(Id(2)),
    ]);
    let mut partial = PartialChoice::default();
    let spells = vec![SpellId(0), SpellId(1)];
    assert_eq!(open(&ways, &partial), Some(Open::Spell(spells)));
    partial.spell = Some(SpellId(1));
    let aim = Open::Aim {
        units: vec![Id(1), Id(2)],
        places: vec![],
    };
    assert_eq!(open(&ways, &partial), Some(aim));
    partial.at = Some(Id(1));
    assert_eq!(open(&ways, &partial), Some(Open::Way(ways[1..3].to_vec())));
    partial.with = Some(Item(1));
    let last = ways[2].choice.clone();
    assert_eq!(open(&ways, &partial), Some(Open::Nothing(last)));
    partial.with = Some(Item(2));
    assert_eq!(open(&ways, &partial), None);
}

#[test]
fn even_a_single_target_must_be_chosen() {
    let ways = offers([choice().at(Id(3))]);
    let aim = Open::Aim {
        units: vec![Id(3)],
        places: vec![],
    };
    assert_eq!(open(&ways, &PartialChoice::default()), Some(aim));
}

#[test]
fn many_cells_are_chosen_on_the_board_few_cells_for_a_target_in_a_list() {
    static PUSH: Action = Action::new("push", "push {at} to {to}", "", "GR-01").moving_target();
    let cell = |n| {
        let push = Choice::new(&PUSH, Id(0));
        push.at(Id(1)).to(Cell::new(n, 0))
    };
    let partial = PartialChoice {
        at: Some(Id(1)),
        ..PartialChoice::default()
    };
    let few = open(&offers((0..3).map(cell)), &partial);
    assert!(matches!(few, Some(Open::Way(ways)) if ways.len() == 3));
    let many = open(&offers((0..30).map(cell)), &partial);
    assert!(matches!(many, Some(Open::Aim { places, .. }) if places.len() == 30));
}

/// Where a unit goes to protect an ally is chosen like a move, and its own cell is where it stays.
#[test]
fn the_cell_to_go_to_is_chosen_on_the_board() {
    let stays = choice().at(Id(1));
    let cells = [Cell::new(0, 0), Cell::new(1, 0)];
    let goes = cells.map(|cell| choice().at(Id(1)).to(cell));
    let partial = PartialChoice::default().aimed(&stays);
    let ways = offers([stays].into_iter().chain(goes));
    let aim = Open::Aim {
        units: vec![Id(0)],
        places: cells.to_vec(),
    };
    assert_eq!(open(&ways, &partial), Some(aim));
}

#[test]
fn a_number_is_chosen_last() {
    let ways = vec![Offer::legal(choice().at(Id(1))).ranging(60, 100)];
    let partial = PartialChoice::default().aimed(&ways[0].choice);
    assert!(matches!(open(&ways, &partial), Some(Open::Number(_))));
}

/// A unit with a throwing axe moves and attacks an enemy close by, because that is likelier
/// to hit; it throws the axe if the player chooses the throw.
#[test]
fn an_enemy_close_by_is_attacked_in_melee_rather_than_by_a_throw() {
    let text = r#"(
        title: "Close by",
        map: [".......", ".......", "......."],
        sides: [(id: "party"), (id: "bandits", control: Ai)],
        combatants: [
            (kind: "mara", side: "party", at: (1, 1)),
            (kind: "bandit", side: "bandits", at: (3, 1)),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 1, Player::Idle);
    game.until_own_turn();
    let enemy = game.screen_point(Cell::new(3, 1));
    game.point(enemy);
    let click = game.preview().click.clone();
    assert!(matches!(&click, Click::Advance(_)), "{click:?}");
    game.press(KeyCode::KeyT);
    game.point(enemy);
    let click = game.preview().click.clone();
    let throws = matches!(&click, Click::Attack(attack) if attack.weapon.contains("axe"));
    assert!(throws, "{click:?}");
}

/// The held weapon is not thrown at an enemy that the unit can reach and hit as well, whether the
/// enemy is far or one step away.
#[test]
fn an_enemy_in_reach_of_a_move_is_not_attacked_by_throwing_the_held_weapon() {
    for x in [6, 3] {
        let text = r#"(
            title: "Spear",
            map: [".........", ".........", "........."],
            sides: [(id: "party"), (id: "bandits", control: Ai)],
            combatants: [
                (kind: "watchman", side: "party", at: (1, 1)),
                (kind: "bandit", side: "bandits", at: (X, 1)),
            ],
        )"#;
        let text = text.replace('X', &x.to_string());
        let mut game = battle(&text, "Skirmish", 1, Player::Idle);
        game.until_own_turn();
        let enemy = game.screen_point(Cell::new(x, 1));
        game.point(enemy);
        let click = game.preview().click.clone();
        assert!(matches!(&click, Click::Advance(_)), "{click:?}");
    }
}
