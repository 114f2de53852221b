//! Hints: the best orders, opened by a key or a click on the win probability, and the effect
//! of the order under the cursor.

use super::kit::{
    game::{Game, fresh_home},
    shell::{at, common_or_first, show},
};
use bevy::{input::ButtonState, prelude::*, ui::UiGlobalTransform};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{Choice, Id},
    control::forecast::OrderAdvice,
    grid::Cell,
    rulesets::{ALL, skirmish::acts::defend::DEFEND},
    ui::{
        Command, Session,
        hud::{ForecastBar, SidePanelCard},
        selection::SidePanel,
        session::Hint,
        settings::Settings,
    },
};
use fivefoot_kit::field;
use std::time::Duration;

/// Ann's turn; an enemy with few hit points is adjacent.
fn begun() -> Game {
    let units = [
        ("ann", "party", (2, 1), 12),
        ("gob", "goblins", (3, 1), 1),
        ("gab", "goblins", (9, 1), 6),
    ];
    let level = field(&["...........", "...........", "..........."], &units);
    let mut game = at(&fresh_home());
    game.app.world_mut().resource_mut::<Settings>().forecast = true;
    show(&mut game, Session::new(&level, ALL[0], 2));
    game.until_own_turn();
    game
}

/// Opens the suggestions and waits until the first ones are there.
fn opened() -> Game {
    let mut game = begun();
    game.press(KeyCode::F12);
    until_told(&mut game, "Computer's choice");
    game
}

fn until_told(game: &mut Game, words: &str) {
    game.in_time(words, |game| game.says(words));
}

/// Waits until the list is complete: rows can change places until all playouts are done.
fn until_refined(game: &mut Game) {
    until_told(game, "Computer's choice");
    game.in_time("nothing is left to play", |game| {
        !game.says("Still simulating")
    });
}

/// The orders of each suggestion, as they are listed.
fn listed(game: &mut Game) -> Vec<Vec<Choice>> {
    let mut buttons = game.app.world_mut().query::<&SendOnPress<Command>>();
    let found = buttons.iter(game.app.world());
    let found = found.filter_map(|sends| match &sends.0 {
        Command::Do(orders) => Some(orders.clone()),
        _ => None,
    });
    found.collect()
}

fn is_at(sends: &SendOnPress<Command>, who: Id) -> bool {
    matches!(&sends.0, Command::Show(choice) if choice.at == Some(who))
}

fn shows(game: &mut Game, who: Id) -> bool {
    game.find::<SendOnPress<Command>>(|sends| is_at(sends, who))
        .is_some()
}

/// Number of suggestions.
fn rows(game: &mut Game) -> usize {
    game.count::<SendOnPress<Command>>(|sends| matches!(sends.0, Command::Do(_)))
}

/// Whether a row suggests what a click on the board would do now.
fn shows_on_board(game: &mut Game, who: Id) -> bool {
    let [order] = game.preview().click.orders() else {
        return false;
    };
    let order = order.clone();
    game.find::<SendOnPress<Command>>(|sends| {
        is_at(sends, who) && sends.0 == Command::Show(order.clone())
    })
    .is_some()
}

#[test]
fn a_click_on_the_win_probability_lists_the_best_orders() {
    let mut game = begun();
    let is_there = |game: &mut Game| game.find::<SidePanelCard>(|_| true).is_some();
    assert!(!is_there(&mut game));
    game.click_on::<ForecastBar>("the forecast", |_| true);
    assert_eq!(game.selection().side_panel, Some(SidePanel::Hint));
    assert!(is_there(&mut game) && game.says("Suggestions"));
    until_refined(&mut game);
    // One row is the best; the others say what they cost against it. The only win chance is that
    // of the top bar, which comes from other playouts.
    assert!(game.says("compared with the best"));
    let all = game.words();
    assert_eq!(all.iter().filter(|words| *words == "best").count(), 1);
    let is_cost = |words: &&String| *words == "equal" || words.starts_with('−');
    let costs = all.iter().filter(is_cost).count();
    assert!(costs + 1 >= rows(&mut game), "{all:?}");
    assert_eq!(game.says("Nothing better found"), rows(&mut game) == 1);
    // The weak enemy is among the best targets; a click on the row selects the cell.
    let gob = game.session().shown().unit(Id(1)).at;
    assert!(shows(&mut game, Id(1)));
    game.click_on::<SendOnPress<Command>>("the row", |sends| is_at(sends, Id(1)));
    assert_eq!(game.selection().cursor, Some(gob));
    assert_eq!(game.selection().chosen, Some(Id(0)));
    // A click there would do what the row says.
    assert!(shows_on_board(&mut game, Id(1)));
    // The order under the cursor is rated too.
    game.press(KeyCode::Escape);
    let far = fivefoot::grid::Cell::new(0, 0);
    game.point(game.screen_point(far));
    assert!(!game.preview().click.orders().is_empty());
    until_told(&mut game, "Under the cursor");
    game.press(KeyCode::F12);
    assert!(!is_there(&mut game));
}

/// Esc closes the suggestions; only another Esc pauses.
#[test]
fn esc_closes_the_suggestions() {
    let mut game = begun();
    game.press(KeyCode::F12);
    assert_eq!(game.selection().side_panel, Some(SidePanel::Hint));
    game.press(KeyCode::Escape);
    assert_eq!(game.selection().side_panel, None);
    assert!(!game.says("Resume"), "{:?}", game.words());
    game.press(KeyCode::Escape);
    game.wait(2);
    assert!(game.says("Resume"), "{:?}", game.words());
}

/// The board goes back to what it showed as soon as the pointer leaves the suggestion.
#[test]
fn a_suggestion_is_shown_on_the_board_while_the_pointer_is_on_it() {
    let mut game = opened();
    until_refined(&mut game);
    let selected = |game: &Game| {
        let now = game.selection();
        (now.chosen, now.cursor, now.armed, now.pinned)
    };
    let before = selected(&game);
    let gob = game.session().shown().unit(Id(1)).at;
    let row = game.find::<SendOnPress<Command>>(|sends| is_at(sends, Id(1)));
    let (row, corner) = (row.expect("its row"), Vec2::splat(2.0));
    game.point(row);
    assert_eq!(game.selection().cursor, Some(gob));
    assert!(shows_on_board(&mut game, Id(1)));
    game.point(corner);
    assert_eq!(selected(&game), before);
    // A click shows it for good.
    game.click(row);
    game.point(corner);
    assert_eq!(game.selection().cursor, Some(gob));
    assert!(shows_on_board(&mut game, Id(1)));
}

#[test]
fn tooltips_of_the_panel_are_beside_it() {
    let mut game = opened();
    let world = game.app.world_mut();
    let mut texts = world.query::<(&Text, &UiGlobalTransform)>();
    let named = texts
        .iter(world)
        .filter(|(text, _)| text.0 == "Suggestions");
    // The button in the top bar has the same word.
    let places = named.map(|(_, place)| place.translation);
    let heading = places.max_by(|a, b| a.y.total_cmp(&b.y));
    game.point(heading.expect("the heading"));
    game.wait(2);
    let world = game.app.world_mut();
    let mut nodes = world.query::<(&Text, &ComputedNode, &UiGlobalTransform)>();
    let tip = nodes
        .iter(world)
        .find(|(text, ..)| text.0.starts_with("After each order"));
    let (_, node, place) = tip.expect("the tooltip");
    let right = place.translation.x + node.size().x / 2.0;
    assert!(right < game.rect::<SidePanelCard>().min.x);
}

/// A row must not move away from under the pointer.
#[test]
fn suggestions_keep_their_places_while_the_pointer_is_on_the_panel() {
    let mut game = opened();
    let panel = game.find::<SidePanelCard>(|_| true).expect("the panel");
    game.point(panel);
    let before = listed(&mut game);
    until_refined(&mut game);
    assert_eq!(listed(&mut game), before);
    let best = game.session().best_hint();
    assert_eq!(best.as_ref(), before.first(), "the key does the first one");
}

/// A button that says so opens the hints, not only a key.
#[test]
fn a_button_of_the_top_bar_opens_and_closes_the_hints() {
    let mut game = begun();
    let hints = Command::Hint;
    for aside in [Some(SidePanel::Hint), None] {
        let world = game.app.world_mut();
        let mut buttons = world.query::<(&SendOnPress<Command>, &Children)>();
        let texts = buttons.iter(world).filter(|(sends, _)| sends.0 == hints);
        let mut texts = texts.flat_map(|(_, children)| children.iter());
        let is_named = |text: &Entity| {
            let text = world.get::<Text>(*text);
            text.is_some_and(|text| text.0 == "Suggestions")
        };
        let button = texts.find(is_named);
        let place = world.get::<UiGlobalTransform>(button.expect("a button"));
        let place = place.expect("it is laid out").translation;
        game.click(place);
        assert_eq!(game.selection().side_panel, aside);
    }
}

/// While enemies act, the log takes the place of the suggestions; on the next turn they are back.
#[test]
fn suggestions_make_room_for_the_log_while_enemies_act() {
    let mut game = begun();
    let is_there = |game: &mut Game| game.find::<SidePanelCard>(|_| true).is_some();
    game.press(KeyCode::F12);
    game.wait(2);
    assert!(is_there(&mut game));
    let round = game.session().shown().clock.round;
    game.press(KeyCode::KeyE);
    game.press(KeyCode::Enter);
    game.until("the enemy turn", |game| game.says("Enemy turn so far"));
    game.wait(2);
    assert!(!is_there(&mut game));
    game.until_own_turn();
    assert!(game.session().shown().clock.round > round);
    game.in_time("the suggestions", is_there);
}

#[test]
fn without_forecasts_there_are_no_hints() {
    let mut game = begun();
    game.app.world_mut().resource_mut::<Settings>().forecast = false;
    game.wait(2);
    let button = game
        .words()
        .into_iter()
        .find(|words| words == "Suggestions");
    assert_eq!(button, None);
    game.press(KeyCode::F12);
    assert_eq!(game.selection().side_panel, None);
    assert!(game.says("Forecasts are off"));
}

/// There are hints for every kind of decision of every ruleset, and none if there is nothing
/// to choose.
/// A suggested move around a wall is as long as its path, as on the board.
#[test]
fn a_suggested_move_is_as_long_as_its_path() {
    let units = [
        ("ann", "party", (1, 0), 12),
        ("gob", "goblins", (10, 2), 12),
    ];
    let level = field(&["..#........", "..#........", "..........."], &units);
    let mut game = at(&fresh_home());
    show(&mut game, Session::new(&level, ALL[0], 2));
    game.until_own_turn();
    let session = game.session();
    let way = session.queries.way(Id(0), &[], Cell::new(3, 0));
    let way = way.expect("a way around the wall");
    let length = Cell::length(&way.path);
    assert!(length > 10, "{way:?}");
    let advice = advice(way.orders[0].clone(), vec![]);
    let words = session.suggestion(&advice);
    assert!(
        words.contains(&format!(" {length} ft to the east")),
        "{words}"
    );
}

/// That a unit with nothing left is done is no suggestion, and its card offers no click.
#[test]
fn a_unit_with_nothing_left_is_not_suggested() {
    let units = [
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (2, 0), 12),
        ("gob", "goblins", (10, 1), 12),
    ];
    let level = field(&["...........", "...........", "..........."], &units);
    let mut game = at(&fresh_home());
    game.app.world_mut().resource_mut::<Settings>().forecast = true;
    show(&mut game, Session::new(&level, ALL[0], 2));
    let ann = Id(0);
    game.until_own_turn();
    let way = game.session().queries.way(ann, &[], Cell::new(3, 1));
    let run = way.expect("a way").orders;
    for order in [run, vec![Choice::new(&DEFEND, ann)]] {
        let mut session = game.app.world_mut().resource_mut::<Session>();
        session.give(&order).expect("it is legal");
        game.until_own_turn();
    }
    game.send(Command::Choose(ann), 3);
    game.point(Vec2::ONE);
    assert!(game.says("Nothing left to do"), "{:?}", game.words());
    game.press(KeyCode::F12);
    game.in_time("suggestions", |game| rows(game) > 0);
    let all = listed(&mut game);
    let waits = |order: &Choice| order.who == Some(ann) && order.verb.name == "done";
    assert!(!all.iter().flatten().any(waits), "{all:?}");
}

#[test]
fn there_are_hints_under_every_ruleset() {
    let units = [
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (2, 0), 12),
        ("gob", "goblins", (4, 1), 12),
    ];
    let level = field(&["........", "........", "........"], &units);
    for rules in ALL {
        let mut session = Session::new(&level, rules, 5);
        let mut told = 0;
        for _ in 0..200 {
            session.catch_up();
            if session.over().is_some() {
                break;
            }
            if session.awaits_ai() {
                session.think();
            } else if session.question().is_some() {
                told += usize::from(told < 4 && is_told(&mut session));
                let choice = common_or_first(&mut session);
                session.give(&[choice]).expect("it is legal");
            }
            session.end_turn();
        }
        assert!(told > 0, "{}: there never was a hint", rules.id);
        if session.over().is_some() {
            session.catch_up();
            assert_eq!(session.hint(&[], None, false), None, "{}", rules.id);
        }
    }
}

/// Waits for the first numbers; `false` if there is nothing to choose.
fn is_told(session: &mut Session) -> bool {
    for _ in 0..20_000 {
        match session.hint(&[], None, false) {
            None => return false,
            Some(Hint { progress, best, .. }) if progress > 0.0 => {
                assert!(best.len() <= 3);
                return true;
            }
            Some(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    panic!("it never came to anything");
}

/// A suggestion is done by its button, or by a key that takes the best one.
#[test]
fn a_suggestion_is_done_by_its_button_or_by_a_key() {
    let mut game = begun();
    // The first press opens the suggestions.
    shift_enter(&mut game);
    assert_eq!(game.selection().side_panel, Some(SidePanel::Hint));
    assert_eq!(game.session().game.answered(), 0);
    until_told(&mut game, "Computer's choice");
    let best = game.session().best_hint().expect("it is known");
    shift_enter(&mut game);
    game.wait(2);
    assert!(game.says(" anyway?") || game.session().game.answered() > 0);
    if game.says(" anyway?") {
        game.press(KeyCode::Enter);
    }
    let given = game.session().game.answers().first().cloned();
    assert_eq!(given.as_ref(), best.first());

    let mut game = opened();
    until_refined(&mut game);
    let wanted = listed(&mut game).first().cloned().expect("a button");
    game.app.world_mut().resource_mut::<Settings>().warn = false;
    game.click_on::<SendOnPress<Command>>("the button", |sends| {
        sends.0 == Command::Do(wanted.clone())
    });
    let given = game.session().game.answers().first().cloned();
    assert_eq!(given.as_ref(), wanted.first());
}

/// A move and the attack after it are one suggestion, which is named by the attack, and its button
/// does both.
#[test]
fn a_move_and_an_attack_are_one_suggestion() {
    let units = [("ann", "party", (1, 0), 12), ("gob", "goblins", (3, 0), 12)];
    let level = field(&["..........."], &units);
    let mut game = at(&fresh_home());
    show(&mut game, Session::new(&level, ALL[0], 2));
    game.until_own_turn();
    let session = game.session();
    let way = session.queries.way(Id(0), &[], Cell::new(2, 0));
    let way = way.expect("a way to the enemy");
    let shot = way.shots.first().expect("it attacks from there");
    let melee = session.game.rules().planning.melee();
    let strike = Choice::new(melee.expect("an attack"), Id(0))
        .at(Id(1))
        .with(shot.with);
    let advice = advice(way.orders[0].clone(), vec![strike.clone()]);
    let words = session.suggestion(&advice);
    assert!(words.starts_with("Ann strikes at gob"), "{words}");
    assert!(words.ends_with("(first moves 5 ft to the east)"), "{words}");
    game.app.world_mut().resource_mut::<Settings>().warn = false;
    game.send(Command::Do(advice.orders()), 3);
    let given = game.session().game.answers();
    assert_eq!(given.get(..2), Some(&[way.orders[0].clone(), strike][..]));
}

/// An order without a rating, and what the unit does with it.
fn advice(choice: Choice, plan: Vec<Choice>) -> OrderAdvice {
    OrderAdvice {
        choice,
        plan,
        reason: None,
        gain: 0.0,
        error: 0.0,
        playouts: 0,
        is_quick: false,
    }
}

fn shift_enter(game: &mut Game) {
    game.key(KeyCode::ShiftLeft, ButtonState::Pressed);
    game.press(KeyCode::Enter);
    game.key(KeyCode::ShiftLeft, ButtonState::Released);
}
