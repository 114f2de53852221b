//! The log: entries that expand to show their dice, and filters.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{declaring_at, rules},
    shell::{at, plain, show},
};
use bevy::{
    prelude::{
        ChildOf, Children, ComputedNode, Display, Entity, KeyCode, Last, Node, Res, ResMut,
        Resource, Text, TextColor, Visibility, With,
    },
    ui::UiGlobalTransform,
};
use fivefoot::{
    battle::{Event, EventKind, Id, Offer},
    control::{Player, recording::SideController},
    grid::Cell,
    levels, rulesets,
    ui::{
        Command, Screen, Selection, Session,
        art::palette,
        board::rulers::Ruler,
        hud::{FadedTop, LogButton, LogCard, MoreBelow, Topic},
        preview::Click,
        selection::{Highlight, PlanChange},
        theme::colour,
    },
};
use std::sync::Arc;

/// Some rounds of the first level, in which the player's units attack when they can.
fn fought() -> Game {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 5);
    for _ in 0..40 {
        game.until_asked();
        if game.screen() != Screen::Battle || game.session().shown().clock.round > 2 {
            break;
        }
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
            continue;
        }
        if game.session().awaits_end_of_turn() {
            game.press(KeyCode::KeyE);
            game.press(KeyCode::Space);
            continue;
        }
        let target = game.enemies().into_iter().find(|&cell| {
            game.point(game.screen_point(cell));
            matches!(game.preview().click, Click::Attack(_))
        });
        match target {
            Some(cell) => game.click_cell(cell),
            None => game.press(KeyCode::KeyN),
        }
    }
    game.until_settled();
    game
}

/// First event of the last line that can be expanded.
fn last_line(game: &mut Game) -> usize {
    let world = game.app.world_mut();
    let mut buttons = world.query::<&LogButton>();
    let lines = buttons.iter(world).filter_map(|b| match b {
        LogButton::Line(n) => Some(*n),
        _ => None,
    });
    lines.max().expect("lines to open")
}

/// Whether the log says that there are newer lines below.
fn has_more_below(game: &mut Game) -> bool {
    let world = game.app.world_mut();
    let mut all = world.query_filtered::<&Node, With<MoreBelow>>();
    all.single(world).expect("one word").display != Display::None
}

/// The log and the heights of its lines, as drawn in this frame.
fn drawn(game: &mut Game) -> (ComputedNode, Vec<f32>) {
    let world = game.app.world_mut();
    let mut logs = world.query_filtered::<(&ComputedNode, &Children), With<LogCard>>();
    let (log, lines) = logs.single(world).expect("one log");
    let heights = lines
        .iter()
        .filter_map(|&line| world.get::<ComputedNode>(line));
    (*log, heights.map(|line| line.size().y).collect())
}

/// Texts are wrapped at no width while the log is hidden.
#[test]
fn a_log_that_was_hidden_is_whole_in_its_first_frame() {
    let level = &levels::built_in()[0];
    let mut game = declaring_at(Session::new(level, rules("Phased"), 5));
    game.wait(6);
    assert!(drawn(&mut game).0.is_empty(), "the orders take its place");
    let shows_log = Command::Plan(PlanChange::ShowLog(true));
    game.app.world_mut().write_message(shows_log);
    game.until("the log is shown", |game| !drawn(game).0.is_empty());
    let (log, first) = drawn(&mut game);
    game.wait(6);
    let (_, later) = drawn(&mut game);
    assert_eq!(first, later);
    let end = (log.content_size().y - log.size().y).max(0.0);
    assert!((log.scroll_position.y - end).abs() < 2.0, "{log:?}");
}

/// The fall of an enemy is good news: only those of the player's units are red.
#[test]
fn only_own_losses_are_red() {
    let level = levels::default_level();
    let mut found = [0; 2];
    for seed in 1..6 {
        let controllers = vec![SideController::Ai(Player::Quick); level.sides.len()];
        let mut session = Session::with_controllers(&level, rules("Skirmish"), seed, controllers);
        while session.awaits_ai() {
            session.think();
        }
        let mut session = session.into_replay();
        session.seek(session.game.length());
        let mut game = at(&fresh_home());
        show(&mut game, session);
        game.wait(3);
        let (shown, player) = (game.session().shown(), game.session().player());
        let units = shown.units.iter();
        let units = Vec::from_iter(units.map(|unit| (unit.name.clone(), unit.side == player)));
        let world = game.app.world_mut();
        let mut texts = world.query::<(&Text, &TextColor)>();
        for (text, ink) in texts.iter(world) {
            let name = text.0.strip_suffix(" falls");
            let Some(&(_, is_own)) = units.iter().find(|unit| Some(&*unit.0) == name) else {
                continue;
            };
            assert_eq!(ink.0 == colour(palette::DANGER), is_own, "{}", text.0);
            found[usize::from(is_own)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

/// Ends turns until there are new lines in the log.
fn until_new_lines(game: &mut Game) {
    let before = plain(game).lines().count();
    for _ in 0..20 {
        game.until_asked();
        if game.screen() != Screen::Battle || plain(game).lines().count() > before {
            break;
        }
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
            continue;
        }
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
        game.press(KeyCode::Space);
    }
    game.wait(3);
}

#[test]
fn an_attack_is_one_entry_that_expands_to_its_dice() {
    let mut game = fought();
    let text = plain(&mut game);
    let attacks = |line: &&str| line.contains(": hits") || line.contains(": misses");
    let line = text.lines().find(attacks).expect("an attack");
    assert!(
        !text.contains("d20"),
        "the dice are behind the lines: {text}"
    );
    let sentence = line.split(" [").next().unwrap_or_default().to_owned();
    assert!(game.says(&sentence));
    // The last line that can be expanded is visible.
    let last = last_line(&mut game);
    game.click_on::<LogButton>("a line", |b| *b == LogButton::Line(last));
    let opened = plain(&mut game);
    assert!(opened.len() > text.len(), "{opened}");
    game.click_on::<LogButton>("the line again", |b| *b == LogButton::Line(last));
    assert_eq!(plain(&mut game), text);
    game.click_on::<LogButton>("dice", |b| *b == LogButton::Dice);
    assert!(plain(&mut game).contains("d20"));
}

#[test]
fn the_log_can_show_only_attacks_moves_or_one_unit() {
    let mut game = fought();
    let all = plain(&mut game).lines().count();
    game.click_on::<LogButton>("moves", |b| *b == LogButton::Topic(Some(Topic::Move)));
    let moves = plain(&mut game);
    assert!(
        !moves.contains(": hits") && !moves.contains(": misses"),
        "{moves}"
    );
    game.click_on::<LogButton>("attacks", |b| *b == LogButton::Topic(Some(Topic::Attack)));
    let attacks = plain(&mut game);
    assert!(attacks.contains(": hits") || attacks.contains(": misses"));
    assert!(attacks.lines().count() < all && moves.lines().count() < all);
    game.click_on::<LogButton>("all", |b| *b == LogButton::Topic(None));
    assert_eq!(plain(&mut game).lines().count(), all);
    // The filter for one unit, chosen by its portrait.
    let (id, name) = {
        let shown = game.session().shown();
        let one = shown.units.iter().find(|p| p.is_there()).expect("somebody");
        (one.id, one.name.to_lowercase())
    };
    game.click_on::<LogButton>("who", |b| *b == LogButton::Who);
    game.click_on::<LogButton>("a portrait", |b| *b == LogButton::Of(Some(id)));
    let own = plain(&mut game);
    let is_heading = |l: &&str| !l.contains(" [");
    assert!(own.lines().count() < all);
    for line in own.lines().filter(|l| !is_heading(l)) {
        assert!(line.to_lowercase().contains(&name), "{line} without {name}");
    }
    game.click_on::<LogButton>("copy", |b| *b == LogButton::Copy);
    assert!(
        game.says("Log copied") || game.says("copy the log"),
        "copying is answered"
    );
}

#[test]
fn undo_removes_log_lines() {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 2);
    game.until_own_turn();
    let before = plain(&mut game);
    let reach = game.preview().reach.iter();
    let to = reach.map(|r| r.cell).next().expect("somewhere to go");
    game.click_cell(to);
    game.until_asked();
    assert_ne!(plain(&mut game), before);
    game.press(KeyCode::KeyU);
    game.wait(3);
    assert_eq!(plain(&mut game), before);
}

/// A move around a wall is as long as its path, not as the way from its start to its end.
#[test]
fn the_length_of_a_move_is_that_of_its_path() {
    let rows = [".....", "##...", "....."];
    let units = [("ann", "party", (0, 0), 9), ("gob", "goblins", (4, 1), 9)];
    let mut game = Game::battle(fivefoot_kit::field(&rows, &units), None, 1).at_once();
    game.until_own_turn();
    let is_step = |e: &&Event| matches!(e.what, EventKind::Moved { .. });
    let before = game.session().known_events().filter(is_step).count();
    game.click_cell(Cell::new(0, 2));
    game.until_asked();
    let steps = game.session().known_events().filter(is_step).count() - before;
    assert!(steps > 2, "{steps} around the wall");
    let text = plain(&mut game);
    let expected = format!("{} ft to the south", 5 * steps);
    assert!(text.contains(&expected), "{text}");
}

/// A move that an attack interrupts says so, and its rest is a line of its own: also if the unit has
/// not moved at all before the attack.
#[test]
fn an_interrupted_move_says_so_and_goes_on() {
    let from = |ann: (i16, i16), gob: (i16, i16)| {
        let units = [("ann", "party", ann, 40), ("gob", "goblins", gob, 9)];
        fivefoot_kit::field(&["...", "...", "...", "...", "..."], &units)
    };
    let later = "Ann moves 20 ft to the south: interrupted after";
    assert_interrupted(&from((0, 0), (1, 0)), later);
    let at_once = "Ann moves 15 ft to the south: interrupted at once";
    assert_interrupted(&from((0, 1), (0, 0)), at_once);
}

/// With some dice, an attack interrupts Ann's move to the south-west corner, which the log says in
/// these words.
fn assert_interrupted(level: &Arc<levels::Level>, expected: &str) {
    for seed in 1..30 {
        let mut game = Game::battle(level.clone(), rulesets::find("Skirmish"), seed).at_once();
        game.until_own_turn();
        let to = Some(Cell::new(0, 4));
        let is_it = |o: &&Offer| o.choice.who == Some(Id(0)) && o.choice.to == to;
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let offers = session.offers_of(Id(0));
        let Some(offer) = offers.iter().find(|o| is_it(o) && o.is_legal()) else {
            continue;
        };
        session
            .give(std::slice::from_ref(&offer.choice))
            .expect("it is legal");
        game.until_asked();
        let text = plain(&mut game);
        if text.contains("Ann moves on") {
            assert!(text.contains(expected), "{text}");
            assert!(!text.contains(" cell"), "{text}");
            return;
        }
    }
    panic!("no attack interrupts the move");
}

/// A prone unit that moves crawls (SK-25: at half its speed). The card names the length as the log will,
/// and the movement that it costs.
#[test]
fn a_prone_unit_crawls() {
    let units = [("ann", "party", (0, 0), 9), ("gob", "goblins", (7, 1), 9)];
    let level = fivefoot_kit::field(&["........"; 2], &units);
    let mut game = Game::battle(level, rulesets::find("Skirmish"), 1).at_once();
    game.until_own_turn();
    game.act('p');
    game.until_own_turn();
    assert!(game.session().shown().unit(Id(0)).is_prone);
    game.point(game.screen_point(Cell::new(2, 0)));
    assert!(game.says("Ann crawls 10 ft"), "{:?}", game.words());
    game.click_cell(Cell::new(2, 0));
    game.until_asked();
    let text = plain(&mut game);
    assert!(text.contains("Ann crawls 10 ft to the east"), "{text}");
}

/// A unit that is shoved is pushed: it does not move by itself.
#[test]
fn a_shoved_unit_is_pushed() {
    let units = [("ann", "party", (0, 0), 9), ("gob", "goblins", (1, 0), 9)];
    let level = fivefoot_kit::field(&["........"; 2], &units);
    for seed in 1..30 {
        let mut game = Game::battle(level.clone(), rulesets::find("Skirmish"), seed).at_once();
        game.until_own_turn();
        let to = Some(Cell::new(2, 0));
        let is_it = |o: &&Offer| o.choice.verb.name == "shove" && o.choice.to == to;
        let acts = game.preview().acts.clone();
        let mut offers = acts.iter().flat_map(|act| &act.offers);
        let Some(offer) = offers.find(|o| is_it(o) && o.is_legal()) else {
            continue;
        };
        let mut session = game.app.world_mut().resource_mut::<Session>();
        session
            .give(std::slice::from_ref(&offer.choice))
            .expect("it is legal");
        game.until_asked();
        if plain(&mut game).contains("Gob is pushed 5 ft to the east") {
            return;
        }
    }
    panic!("no shove succeeds");
}

/// Hovering an entry marks its unit and its cell on the board.
#[test]
fn a_hovered_entry_is_marked_on_the_board() {
    let units = [("ann", "party", (0, 0), 9), ("gob", "goblins", (7, 1), 9)];
    let level = fivefoot_kit::field(&["........"; 2], &units);
    let mut game = Game::battle(level, rulesets::find("Skirmish"), 1).at_once();
    game.until_own_turn();
    let to = Cell::new(2, 0);
    game.click_cell(to);
    game.until_asked();
    game.wait(3);
    let world = game.app.world_mut();
    let mut nodes = world.query_filtered::<(&ComputedNode, &UiGlobalTransform), With<Highlight>>();
    let lines = nodes.iter(world);
    let places = lines.map(|(node, place)| place.translation * node.inverse_scale_factor);
    let last = places.max_by(|a, b| a.y.total_cmp(&b.y)).expect("a line");
    let is_numbered = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut rulers = world.query_filtered::<&Visibility, With<Ruler>>();
        rulers
            .iter(world)
            .any(|seen| *seen == Visibility::Inherited)
    };
    assert_eq!(game.selection().highlighted, Highlight::default());
    assert!(!is_numbered(&mut game));
    game.point(last);
    let now = game.selection().highlighted;
    assert_eq!((now.units, now.cell), (Id(0).bit(), Some(to)));
    // Entries name cells by their column and row.
    game.wait(2);
    assert!(is_numbered(&mut game));
    game.point(game.screen_point(Cell::new(5, 1)));
    assert_eq!(game.selection().highlighted, Highlight::default());
}

/// What the board marked for the line under the pointer, without repetitions.
#[derive(Resource, Default)]
struct Marked(Vec<Highlight>);

/// Lines that scroll under a pointer at rest are not marked, so the numbers do not blink while
/// events play.
#[test]
fn lines_that_pass_a_resting_pointer_are_not_marked() {
    let mut game = fought();
    let world = game.app.world_mut();
    let mut nodes = world.query_filtered::<(&ComputedNode, &UiGlobalTransform), With<Highlight>>();
    let lines = nodes.iter(world);
    let places = lines.map(|(node, place)| place.translation * node.inverse_scale_factor);
    let last = places.max_by(|a, b| a.y.total_cmp(&b.y)).expect("a line");
    game.point(last);
    let note = |selection: Res<Selection>, mut marked: ResMut<Marked>| {
        if marked.0.last() != Some(&selection.highlighted) {
            marked.0.push(selection.highlighted);
        }
    };
    game.app.init_resource::<Marked>().add_systems(Last, note);
    for _ in 0..3 {
        until_new_lines(&mut game);
    }
    let marked = &game.app.world().resource::<Marked>().0;
    assert!(marked.len() <= 2, "{marked:?}");
    assert!(marked[1..].iter().all(|&now| now == Highlight::default()));
}

#[test]
fn a_scrolled_log_shows_that_there_are_new_lines() {
    let mut game = fought();
    assert!(!has_more_below(&mut game), "all of it has been read");
    for _ in 0..3 {
        game.press(KeyCode::PageUp);
    }
    game.wait(2);
    assert!(!has_more_below(&mut game), "nothing has come since");
    until_new_lines(&mut game);
    assert!(has_more_below(&mut game));
    game.click_on::<LogButton>("more below", |b| *b == LogButton::Newest);
    game.wait(3);
    assert!(!has_more_below(&mut game), "it leads to the end");
}

/// A line that is cut off at the upper edge fades there; the first line of all does not.
#[test]
fn the_top_of_a_scrolled_log_fades() {
    let mut game = fought();
    let fades = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut tops = world.query_filtered::<&Node, With<FadedTop>>();
        tops.single(world).expect("one edge").display != Display::None
    };
    assert!(fades(&mut game), "it shows its end");
    for _ in 0..20 {
        game.press(KeyCode::PageUp);
    }
    game.wait(2);
    assert!(!fades(&mut game), "it shows its beginning");
}

/// The details of a line that is opened at the end of the log are in view, and the log still
/// follows new lines.
#[test]
fn an_opened_line_is_in_view_and_the_log_follows_on() {
    let mut game = fought();
    let last = last_line(&mut game);
    game.click_on::<LogButton>("a line", |b| *b == LogButton::Line(last));
    game.wait(6);
    let world = game.app.world_mut();
    let mut lines = world.query::<(&LogButton, &ChildOf)>();
    let line = lines
        .iter(world)
        .find(|(button, _)| **button == LogButton::Line(last));
    let line = line.expect("the line").1.parent();
    let mut cards = world.query_filtered::<Entity, With<LogCard>>();
    let card = cards.single(world).expect("one log");
    let mut nodes = world.query::<(&ComputedNode, &UiGlobalTransform)>();
    let bottom = |node: Entity| {
        let (node, place) = nodes.get(world, node).expect("a node");
        place.translation.y + node.size().y / 2.0
    };
    let [line, card] = [line, card].map(bottom);
    assert!(line <= card + 1.0, "{line} {card}");
    until_new_lines(&mut game);
    assert!(!has_more_below(&mut game));
}

/// A charge is one log entry: the run before the attack does not split it.
#[test]
fn a_charge_and_its_attack_are_one_log_entry() {
    let units = [("ann", "party", (0, 1), 30), ("gob", "goblins", (8, 1), 30)];
    let rows = ["..........."; 3];
    let level = fivefoot_kit::field(&rows, &units);
    let rules = fivefoot::rulesets::find("Activity");
    for seed in 1..12 {
        let mut game = Game::battle(level.clone(), rules, seed).at_once();
        for _ in 0..40 {
            game.until_asked();
            if game.screen() != Screen::Battle || game.session().shown().clock.round > 2 {
                break;
            }
            let charge = game.preview().acts.iter().find(|a| a.label == "Charge");
            let can = charge.is_some_and(|a| a.why_not.is_none());
            match can {
                true => {
                    let gob = game.session().shown().unit(Id(1)).at;
                    game.act('c');
                    match game.preview().menu.is_some() {
                        true => game.press(KeyCode::Enter),
                        false => game.click_cell(gob),
                    }
                }
                false if game.session().is_prompted() => game.press(KeyCode::Escape),
                false => game.press(KeyCode::KeyN),
            }
        }
        if game.screen() != Screen::Battle {
            continue;
        }
        let text = plain(&mut game);
        assert!(
            !text.contains("moves: hits") && !text.contains("moves: misses"),
            "{text}"
        );
        let mut lines = text.lines();
        if lines.any(|l| l.contains("charges") && (l.contains(": hits") || l.contains(": misses")))
        {
            return;
        }
    }
    panic!("nobody ever charges");
}

/// A battle of AIs under Skirmish, in which units take total defense and lie dying.
fn fought_by_ais() -> Game {
    fought_at("bridge", "Skirmish", 3)
}

/// The first rounds of a battle of AIs.
fn fought_at(level: &str, rules: &str, seed: u64) -> Game {
    let all = levels::built_in();
    let level = all.iter().find(|l| l.id == level);
    let level = level.expect("a level of the game");
    let controllers = vec![SideController::Ai(Player::Quick); level.sides.len()];
    let rules = rulesets::find(rules).expect("a ruleset of the game");
    let mut session = Session::with_controllers(level, rules, seed, controllers);
    while session.awaits_ai() && session.shown().clock.round < 6 {
        session.think();
        session.catch_up();
    }
    let mut game = at(&fresh_home()).at_once();
    show(&mut game, session);
    game
}

/// That a dying unit is still dying is no line of its own in each round, but a detail of the line
/// that says that it is dying.
#[test]
fn a_dying_unit_has_one_line() {
    let mut game = fought_by_ais();
    let text = plain(&mut game);
    assert!(text.contains("mortally injured"), "{text}");
    assert!(!text.contains("has lain dying"), "{text}");
    game.click_on::<LogButton>("dice", |b| *b == LogButton::Dice);
    let text = plain(&mut game);
    let mut lines = text.lines().filter(|l| l.contains("has lain dying"));
    assert!(lines.clone().count() > 1, "{text}");
    assert!(lines.all(|l| l.starts_with("    ")), "{text}");
}

#[test]
fn a_reaction_stands_before_the_result_that_it_leads_to() {
    let mut game = fought_by_ais();
    game.click_on::<LogButton>("dice", |b| *b == LogButton::Dice);
    let text = plain(&mut game);
    let mut lines = text.lines();
    let attack = lines.find(|l| l.contains(": total defense, "));
    assert!(attack.is_some(), "{text}");
    let details: Vec<_> = lines.take_while(|l| l.starts_with("    ")).collect();
    let place = |part: &str| details.iter().position(|l| l.contains(part));
    let places = ["d20", "takes total defense", "against AC"].map(place);
    assert!(places.is_sorted() && places[0].is_some(), "{details:?}");
}

/// The results of attacks stand in the log in the order in which they came, also when reactions
/// interrupt an attack.
#[test]
fn results_stand_in_the_order_in_which_they_came() {
    for (level, seed) in [("bridge", 3), ("toll_gate", 2), ("mill", 3), ("mill", 7)] {
        let mut game = fought_at(level, "Skirmish", seed);
        let came = game.session().known_events().filter_map(|e| match &e.what {
            EventKind::AttackResolved { hit: true, .. } => Some("hits"),
            EventKind::AttackResolved { needed: None, .. } => Some("cancelled"),
            EventKind::AttackResolved { .. } => Some("misses"),
            _ => None,
        });
        let came: Vec<_> = came.collect();
        let text = plain(&mut game);
        let results = text.lines().filter_map(|line| line.split_once(": "));
        let words = results.flat_map(|(_, results)| results.split([',', ' ', '[']));
        let told = words.filter(|word| ["hits", "misses", "cancelled"].contains(word));
        assert_eq!(told.collect::<Vec<_>>(), came, "{level} {seed}: {text}");
        assert!(!text.contains("to get past"), "{text}");
    }
}

/// SK-40: the damage of a miss is called Shock.
#[test]
fn the_damage_of_a_miss_is_shock() {
    let mut shocks = 0;
    for seed in 1..20 {
        let mut game = fought_at("mill", "Skirmish", seed);
        let text = plain(&mut game);
        for line in text.lines() {
            let after = line.split_once("misses, ").map_or("", |(_, after)| after);
            let result = after.split(", ").next().unwrap_or_default();
            assert!(!result.contains(" damage"), "{line}");
            shocks += usize::from(after.starts_with("Shock "));
        }
    }
    assert!(shocks > 0, "no attack does Shock");
}

/// The "+" and the rule stand beside the first line of an entry.
#[test]
fn signs_and_rules_stand_beside_the_first_line() {
    let mut game = fought();
    let world = game.app.world_mut();
    let mut heads = world.query::<(&LogButton, &Children, &ComputedNode, &UiGlobalTransform)>();
    let mut parts = world.query::<(&ComputedNode, &UiGlobalTransform)>();
    let top =
        |node: &ComputedNode, place: &UiGlobalTransform| place.translation.y - node.size().y / 2.0;
    let mut lower = 0;
    for (button, children, node, place) in heads.iter(world) {
        if !matches!(button, LogButton::Line(_)) {
            continue;
        }
        let head = top(node, place);
        for part in children.iter() {
            let (node, place) = parts.get(world, *part).expect("a node");
            assert!(top(node, place) - head < 6.0, "{button:?}");
        }
        lower += usize::from(node.size().y > 24.0);
    }
    assert!(lower > 0, "no entry has two lines");
}

/// Units that move at the same time, cell by cell, have one line each.
#[test]
fn a_move_beside_others_is_one_line() {
    let mut game = fought_at("mill", "Phased", 2);
    let text = plain(&mut game);
    let mut together: Vec<&str> = vec![];
    let mut most = 0;
    for line in text.lines() {
        let Some((name, _)) = line.split_once(" moves ") else {
            together.clear();
            continue;
        };
        assert!(!together.contains(&name), "{name} twice: {text}");
        together.push(name);
        most = most.max(together.len());
    }
    assert!(most > 1, "{text}");
}

/// A shot that includes loading is one line, with its result (PH-15).
#[test]
fn a_shot_with_its_reload_is_one_line() {
    let mut shots = 0;
    for seed in 1..6 {
        let text = plain(&mut fought_at("chapel", "Phased", seed));
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let is_shot = pair[0].contains(" shoots at ");
            shots += usize::from(is_shot);
            let is_parted = is_shot && !pair[0].contains(": ") && pair[1].contains(" loads ");
            assert!(!is_parted, "{pair:?}");
        }
    }
    assert!(shots > 0, "nobody shoots");
}
