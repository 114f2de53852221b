//! A board that is readable at a glance: few labels that cover no unit, cards that keep their
//! place, arrows for predicted enemy moves, and actions with fixed places in the bar.

use super::kit::{
    game::{Game, resize},
    rounds::{declaring, declaring_at, prediction},
    shell::{against, battle, show, shown},
};
use bevy::{input::ButtonState, prelude::*, ui::UiGlobalTransform};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{
        Attack, CheckRoll, Choice, Event, EventKind, Id, Item, PASS, Roll, RolledAttack, Seen,
        Side, SpellId,
    },
    control::{
        Player,
        recording::SideController,
        simulation::{Action, Prediction},
    },
    grid::Cell,
    levels,
    rulesets::{self, skirmish::acts::defend::DEFEND},
    ui::{
        Command, Options, Screen, Session,
        board::{
            FRAME, MapView,
            intents::{Intent, IntentAim, MAX, intents},
            labels::Label,
        },
        hud::{
            ActBar, InspectCard, LogCard,
            enemy_turn::{Span, held, last_turn, suffered},
            height,
        },
        room::scale_for,
        settings::Settings,
        shown::UnitView,
    },
};
use fivefoot_kit::field;
use std::collections::{BTreeSet, HashSet};

/// The toll gate under Skirmish, on the player's turn.
fn toll_gate() -> Game {
    let level = levels::default_level();
    let mut game = shown(against(Player::Quick, &level, rulesets::ALL[0], 5));
    game.until_own_turn();
    game.wait(3);
    game
}

/// No two units of a side carry the same label, in any level; and a label repeats the
/// number in the unit's name.
#[test]
fn labels_of_units_are_unique_on_their_side() {
    for level in levels::built_in() {
        let units = UnitView::all_of(level, rulesets::ALL[0]);
        let mut seen = HashSet::new();
        for unit in &units {
            let Some(label) = unit.label else { continue };
            let number = label.number.map(|number| format!(" {number}"));
            assert!(number.is_none_or(|number| unit.name.ends_with(&number)));
            let is_new = seen.insert((unit.side, label.to_string()));
            assert!(is_new, "{}: {} has {label} again", level.title, unit.name);
        }
    }
    let units = UnitView::all_of(&levels::default_level(), rulesets::ALL[0]);
    let label = |name: &str| {
        let unit = units.iter().find(|p| p.name == name).expect(name);
        unit.label.map(|label| label.to_string())
    };
    assert_eq!(label("Goblin 1").as_deref(), Some("G1"));
    assert_eq!(label("Goblin archer 1").as_deref(), Some("A1"));
    assert_eq!(label("Goblin chief"), None);
    assert_eq!(label("Mara"), None);
    // Units with their own names that look like numbered ones.
    let lesson = levels::tutorial()
        .iter()
        .find(|level| level.id == "lesson_4");
    let units = UnitView::all_of(lesson.expect("it is built in"), rulesets::ALL[0]);
    let goblins = units.iter().filter(|unit| unit.rank > 0);
    let labels = goblins.filter_map(|unit| unit.label);
    let labels = Vec::from_iter(labels.map(|label| label.to_string()));
    assert_eq!(labels, ["1", "2", "3", "S", "L"]);
    // A unit without a number beside numbered ones of its name.
    let names = ["goblin", "goblin 1", "goblin 2"];
    let units = Vec::from_iter(
        (0..)
            .zip(names)
            .map(|(x, name)| (name, "goblins", (x, 0), 8)),
    );
    let units = [&units[..], &[("ann", "party", (5, 0), 8)]].concat();
    let units = UnitView::all_of(&field(&["......"], &units), rulesets::ALL[0]);
    let labels = units.iter().filter_map(|unit| unit.label);
    let labels = Vec::from_iter(labels.map(|label| label.to_string()));
    assert_eq!(labels, ["G", "1", "2"]);
}

/// What the colours of cells mean is on the screen while no cell is hovered, unless all cost the same.
#[test]
fn the_card_explains_orange_cells() {
    let mut game = toll_gate();
    assert!(game.says("Small orange cells cost more"));
    let units = [("ann", "party", (0, 0), 8), ("gob", "goblins", (9, 0), 8)];
    let mut game = declaring("Phased", &[".........."], &units, 3);
    game.wait(3);
    assert!(!game.preview().range().is_empty());
    assert!(!game.says("Small orange cells cost more"));
}

/// The visible labels, in window pixels.
fn labels(game: &mut Game) -> Vec<Rect> {
    let world = game.app.world_mut();
    let mut labels = world
        .query_filtered::<(&ComputedNode, &UiGlobalTransform, &InheritedVisibility), With<Label>>();
    let seen = labels.iter(world).filter(|label| label.2.get());
    seen.map(|(node, place, _)| Rect::from_center_size(place.translation, node.size()))
        .filter(|rect| rect.width() > 1.0)
        .collect()
}

/// Every reachable cell and every enemy's cell.
fn cells(game: &Game) -> Vec<Cell> {
    let reach = game.preview().reach.iter().map(|reach| reach.cell);
    reach.chain(game.enemies()).collect()
}

#[test]
fn a_hover_shows_two_labels_at_most_and_they_cover_no_unit() {
    let mut game = toll_gate();
    let cells = cells(&game);
    assert!(cells.len() > 20);
    let (mut least, mut most) = (0, 0);
    for cell in cells {
        game.point(game.screen_point(cell));
        game.wait(3);
        let seen = labels(&mut game);
        assert!(seen.len() <= 2, "{cell}: {} labels", seen.len());
        let view = game.app.world().resource::<MapView>().clone();
        for unit in game.session().shown().units.iter().filter(|p| p.is_up()) {
            let token = view.rect(unit.space());
            for label in &seen {
                let hidden = label.intersect(token);
                let share = hidden.width() * hidden.height() / (token.width() * token.height());
                assert!(share < 0.05, "{cell}: {share} of {} hidden", unit.name);
            }
        }
        game.key(KeyCode::AltLeft, ButtonState::Pressed);
        game.wait(3);
        (least, most) = (least.max(seen.len()), most.max(labels(&mut game).len()));
        game.key(KeyCode::AltLeft, ButtonState::Released);
    }
    let before = labels(&mut game).len();
    game.press(KeyCode::AltLeft);
    game.wait(3);
    assert_eq!(labels(&mut game).len(), before, "a tap leaves no labels");
    assert!(least > 0 && most > 2, "{least} and {most} labels");
}

#[test]
fn the_cards_keep_their_place_wherever_the_pointer_is() {
    let mut game = toll_gate();
    for (width, height) in [(1280, 720), (1920, 1080), (2560, 1440)] {
        resize(game.app.world_mut(), width, height);
        game.wait(8);
        let mut seen: Option<[Rect; 2]> = None;
        let mut cells = cells(&game);
        cells.push(Cell::new(9, 8));
        for cell in cells {
            game.point(game.screen_point(cell));
            game.wait(2);
            let now = [game.rect::<InspectCard>(), game.rect::<LogCard>()];
            assert_eq!(*seen.get_or_insert(now), now, "{width}: {cell}");
        }
        let [_, log] = seen.expect("something is pointed at");
        // A line is about 22 layout pixels high.
        let scale = scale_for(Vec2::new(width as f32, height as f32), 1.0);
        assert!(log.height() >= 6.0 * 22.0 * scale, "{width}: {log:?}");
    }
}

#[test]
fn the_card_leaves_space_for_the_log() {
    for rest in [300.0, 560.0, 900.0] {
        for scale in [1.0, 1.5, 2.0] {
            let card = height(rest, scale);
            assert!(card > 0.4 * rest && card < 0.8 * rest, "{rest} {scale}");
        }
    }
}

/// The suggestions take the log's place; the card above stays where it is.
#[test]
fn suggestions_move_no_other_card() {
    let mut game = toll_gate();
    game.app.world_mut().resource_mut::<Settings>().forecast = true;
    game.wait(4);
    let before = game.rect::<InspectCard>();
    game.press(KeyCode::F12);
    game.wait(6);
    assert!(game.says("Suggestions"));
    assert_eq!(game.rect::<InspectCard>(), before);
}

/// Neither turns, orders nor the pointer move the board, under any ruleset and at any size.
#[test]
fn the_board_keeps_its_place_for_the_whole_battle() {
    let mut moved: Vec<String> = vec![];
    for rules in rulesets::ALL {
        for (width, height, text) in [(1280, 720, 100), (1920, 1080, 100), (1280, 720, 150)] {
            let level = levels::default_level();
            let session = against(Player::Quick, &level, rules, 5);
            let mut game = Game::new(Options::default()).at_once();
            let mut settings = game.app.world_mut().resource_mut::<Settings>();
            (settings.text_percent, settings.review, settings.forecast) = (text, true, true);
            resize(game.app.world_mut(), width, height);
            show(&mut game, session);
            game.until_own_turn();
            game.wait(8);
            let place = |game: &Game| game.app.world().resource::<MapView>().area();
            let before = place(&game);
            let mut moments = |game: &mut Game, frames: usize, what: &str| {
                for _ in 0..frames {
                    game.wait(1);
                    let round = game.session().shown().clock.round;
                    let now = place(game);
                    if now != before {
                        let by = (now.min - before.min, now.max - before.max);
                        let about = format!("{} {width} {text}%, round {round}", rules.id);
                        moved.push(format!("{about}, {what}: {by:?}"));
                    }
                }
            };
            for _ in 0..12 {
                if game.screen() != Screen::Battle {
                    break;
                }
                for cell in game.enemies().into_iter().take(2) {
                    game.point(game.screen_point(cell));
                    moments(&mut game, 6, "hover");
                }
                let commands = [
                    Command::Suggest { all: true },
                    Command::EndTurn,
                    Command::EndTurn,
                    Command::Reply(usize::MAX),
                ];
                for command in commands {
                    game.app.world_mut().write_message(command.clone());
                    moments(&mut game, 8, &format!("{command:?}"));
                }
            }
        }
    }
    moved.dedup();
    assert!(moved.is_empty(), "{}", moved.join("\n"));
}

#[test]
fn the_board_takes_half_of_the_window() {
    let mut game = toll_gate();
    for (width, height) in [(1920, 1080), (2560, 1440)] {
        resize(game.app.world_mut(), width, height);
        game.wait(8);
        let view = game.app.world().resource::<MapView>();
        let cell = view.cell_px() as f32;
        let map = (Vec2::new(16.0, 10.0) + 2.0 * FRAME) * cell;
        let share = map.x * map.y / (width * height) as f32;
        assert!(share >= 0.5, "{width}: {share}");
    }
}

#[test]
fn enemy_predictions_are_drawn_as_arrows() {
    let mut game = toll_gate();
    let arrows = |game: &mut Game| -> Vec<Intent> {
        let world = game.app.world_mut();
        let mut arrows = world.query::<&Intent>();
        arrows.iter(world).copied().collect()
    };
    assert!(arrows(&mut game).is_empty());
    let at = game.enemies()[0];
    let id = game.session().shown().on(at).expect("an enemy").id;
    game.point(game.screen_point(at));
    let waits = |game: &mut Game, least: usize| {
        let units = |game: &mut Game| BTreeSet::from_iter(arrows(game).iter().map(|one| one.by));
        game.comes(|game| units(game).len() >= least)
    };
    assert!(waits(&mut game, 1), "the enemy under the cursor");
    assert!(arrows(&mut game).iter().all(|arrow| arrow.by == id));
    // The key shows the arrows of all enemies, wherever the cursor is.
    game.point(Vec2::new(2.0, 2.0));
    game.press(KeyCode::F3);
    assert!(waits(&mut game, 2), "all enemies");
    game.press(KeyCode::F3);
    game.wait(3);
    assert!(arrows(&mut game).is_empty());
}

#[test]
fn only_likely_predictions_with_a_place_are_drawn() {
    let (by, at, cell) = (Id(4), Id(0), Cell::new(3, 2));
    let drawn = intents(
        by,
        &[
            prediction(Action::Attacks(at), 60, Some(cell)),
            prediction(Action::Reacts, 20, None),
            prediction(Action::Moves, 15, Some(cell)),
            prediction(Action::Attacks(Id(1)), 5, None),
        ],
        MAX.0,
    );
    let aims: Vec<(IntentAim, u32)> = drawn.iter().map(|one| (one.aim, one.percent)).collect();
    let from = Some(cell);
    assert_eq!(
        aims,
        [(IntentAim::At(at, from), 60), (IntentAim::To(cell), 15)]
    );
    // A move without a likely place has an arrow only if it has a direction.
    let moves = |heading| Prediction {
        is_place_likely: false,
        heading,
        ..prediction(Action::Moves, 60, from)
    };
    let drawn = intents(by, &[moves(Some("north"))], MAX.0);
    assert_eq!(drawn[0].aim, IntentAim::Toward(cell));
    assert!(intents(by, &[moves(None)], MAX.0).is_empty());
    let charge = Prediction {
        is_charge: true,
        ..prediction(Action::Attacks(at), 60, from)
    };
    let drawn = intents(by, &[charge], MAX.0);
    assert_eq!(drawn[0].aim, IntentAim::Charge(at));
}

/// The nodes of the action bar, in order.
fn bar_nodes(game: &mut Game) -> Vec<Entity> {
    let world = game.app.world_mut();
    let mut bars = world.query_filtered::<Entity, With<ActBar>>();
    let bar = bars.single(world).expect("one bar");
    let mut out = vec![];
    let mut todo = vec![bar];
    while let Some(at) = todo.pop() {
        out.push(at);
        let below = world.get::<Children>(at).into_iter().flatten();
        let below: Vec<Entity> = below.copied().collect();
        todo.extend(below.into_iter().rev());
    }
    out
}

/// The commands of the action bar's buttons, in order.
fn acts(game: &mut Game) -> Vec<Command> {
    let nodes = bar_nodes(game);
    let buttons = nodes
        .iter()
        .filter_map(|&node| game.app.world().get::<SendOnPress<Command>>(node));
    buttons.map(|sends| sends.0.clone()).collect()
}

#[test]
fn the_bar_has_the_same_actions_at_every_window_size() {
    let mut game = toll_gate();
    let own: Vec<Id> = (game.session().shown().members(game.session().player()))
        .filter(|p| p.is_up())
        .map(|p| p.id)
        .collect();
    for who in own {
        let mut seen: Option<Vec<Command>> = None;
        for (width, height) in [(1280, 720), (1920, 1080), (2560, 1440)] {
            resize(game.app.world_mut(), width, height);
            game.send(Command::Choose(who), 8);
            let now = acts(&mut game);
            assert!(now.len() <= ActBar::MAX, "{now:?}");
            assert_eq!(
                now.last(),
                Some(&Command::More),
                "the others are a step away"
            );
            let is_possible = |command: &Command| match command {
                Command::Act(key) => game
                    .preview()
                    .act(*key)
                    .is_some_and(|a| a.why_not.is_none()),
                _ => false,
            };
            assert!(now.iter().any(is_possible), "{now:?}");
            assert_eq!(*seen.get_or_insert(now.clone()), now, "{width}");
        }
    }
}

/// The player's first unit that is up.
fn first_own(game: &Game) -> Id {
    let session = game.session();
    let mut own = session.shown().members(session.player());
    own.find(|unit| unit.is_up()).expect("a unit").id
}

/// Actions stay where they are once they are spent, also after a quick load, which knows nothing of what
/// was shown before. An armed action that has no button takes the last place of the actions.
#[test]
fn actions_keep_their_places_during_a_turn() {
    let mut game = toll_gate();
    let who = first_own(&game);
    game.send(Command::Choose(who), 8);
    let before = acts(&mut game);
    let last = ActBar::MAX - 3;
    let all = &game.preview().acts;
    let mut left = all
        .iter()
        .filter(|act| act.only().is_none() && act.why_not.is_none());
    let left = left.find(|act| !before.contains(&Command::Act(act.key)));
    let left = left.expect("an action without a button").key;
    game.act(left);
    let armed = acts(&mut game);
    assert_eq!(armed[..last], before[..last]);
    assert_eq!(armed[last], Command::Act(left));
    game.press(KeyCode::Escape);
    game.send(Command::Choose(who), 8);
    assert_eq!(acts(&mut game), before);
    let all = &game.preview().acts;
    let defend = all.iter().find(|act| act.label == "Defend");
    let defend = defend.expect("it can defend").key;
    game.act(defend);
    game.until_asked();
    game.send(Command::Choose(who), 8);
    let now = game.preview().act(defend).expect("it is listed");
    assert!(now.why_not.is_some(), "the Main action is spent");
    let after = acts(&mut game);
    assert_eq!(after, before);
    let recording = game.session().recording("spent");
    let loaded = Session::load(&recording).expect("it loads");
    let mut game = shown(loaded);
    game.until_own_turn();
    game.send(Command::Choose(who), 8);
    assert_eq!(acts(&mut game), after);
}

/// Buttons that are wide enough have an icon: those of a battle that has just begun, and those with
/// large text.
#[test]
fn every_button_of_the_bar_has_an_icon() {
    let lesson = levels::tutorial()[2].clone();
    for (level, percent) in [(lesson, 100), (levels::default_level(), 150)] {
        let mut game = Game::new(Options::default());
        game.app.world_mut().resource_mut::<Settings>().text_percent = percent;
        resize(game.app.world_mut(), 1920, 1080);
        game.wait(5);
        show(
            &mut game,
            against(Player::Quick, &level, rulesets::ALL[0], 5),
        );
        game.until_own_turn();
        game.wait(3);
        let nodes = bar_nodes(&mut game);
        let is_picture = |node: &&Entity| game.app.world().get::<ImageNode>(**node).is_some();
        let pictures = nodes.iter().filter(is_picture).count();
        assert_eq!(pictures, acts(&mut game).len(), "{}", level.title);
    }
}

/// The bar has actions of the unit in the ruleset's order, whatever was shown before. While units
/// declare, what is possible comes first.
#[test]
fn the_bar_shows_what_the_unit_can_do() {
    let level = levels::default_level();
    for rules in rulesets::ALL.iter() {
        let mut game = shown(against(Player::Quick, &level, rules, 5));
        game.until_own_turn();
        let session = game.session();
        let own = session.shown().members(session.player());
        let own: Vec<Id> = own.filter(|p| p.is_up()).map(|p| p.id).collect();
        for &who in own.iter().chain(own.iter().rev()) {
            game.send(Command::Choose(who), 8);
            let letter = |command| match command {
                Command::Act(key) => Some(key),
                _ => None,
            };
            let shown: Vec<char> = acts(&mut game).into_iter().filter_map(letter).collect();
            let all = &game.preview().acts;
            let in_order = all.iter().map(|act| act.key);
            let in_order: Vec<char> = in_order.filter(|key| shown.contains(key)).collect();
            assert_eq!(shown, in_order, "{}", rules.id);
            let free = ActBar::MAX - 2;
            let usable = all.iter().filter(|act| !act.is_lacking).count();
            assert_eq!(shown.len(), usable.min(free), "{}", rules.id);
            let possible = all.iter().filter(|act| act.why_not.is_none());
            let left_out = possible.filter(|act| !shown.contains(&act.key)).count();
            let grey = all.iter().filter(|act| act.why_not.is_some());
            let grey = grey.filter(|act| shown.contains(&act.key)).count();
            let is_declaring = game.session().is_declaring();
            assert!(!is_declaring || left_out == 0 || grey == 0, "{}", rules.id);
        }
    }
}

/// A unit that stops on an exit does not leave by itself, so the card of the cell says that it can. The
/// card of a unit elsewhere says that it is about the cell.
#[test]
fn the_card_of_an_exit_says_what_it_is_for() {
    let level = levels::built_in().iter().find(|level| level.id == "mill");
    let level = level.expect("the mill").clone();
    let exit = level.exits[0].cells[0];
    let mut game = Game::battle(level.clone(), None, 3);
    game.until_own_turn();
    game.point(game.screen_point(exit));
    game.wait(3);
    assert!(game.says("units here can leave"), "{:?}", game.words());
    assert!(!game.says("Pointed cell"), "its unit stands there");
    let who = first_own(&game);
    game.send(Command::Choose(who), 3);
    let is_free = |cell: &&Cell| game.session().shown().on(**cell).is_none();
    let free = *level.exits[0].cells.iter().find(is_free).expect("a cell");
    game.point(game.screen_point(free));
    game.wait(3);
    assert!(game.says("Pointed cell: Exit for"), "{:?}", game.words());
}

/// Actions that a unit has no weapon or no target for have no button, but are listed with the
/// reason.
#[test]
fn actions_without_means_have_no_button() {
    let text = r#"(
        title: "Far apart",
        map: ["............", "............", "............"],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "KIND", side: "party", at: (0, 1)),
            (kind: "goblin", side: "goblins", at: (11, 1)),
        ],
    )"#;
    for (kind, has_bow) in [("wat", false), ("tobin", true)] {
        let text = text.replace("KIND", kind);
        let mut game = battle(&text, "Skirmish", 3, Player::Idle);
        game.until_own_turn();
        game.wait(3);
        let shown = acts(&mut game);
        assert_eq!(shown.contains(&Command::Act('h')), has_bow, "{kind}");
        assert!(!shown.contains(&Command::Act('x')), "nobody is unaware");
        game.press(KeyCode::KeyQ);
        assert_eq!(game.says("Nothing to shoot or throw"), !has_bow, "{kind}");
        assert!(game.says("No enemy is unaware") || game.says("Has not stalked an enemy"));
    }
}

/// While enemies act, the card shows the acting unit, although one of your own is selected. After
/// that, it sums up their turn: the mouse rests on the board most of the time. A low window has no
/// room for the summary then.
#[test]
fn the_last_enemy_turn_is_summed_up_wherever_the_mouse_is() {
    let mut game = toll_gate();
    assert!(game.says("Selected"));
    resize(game.app.world_mut(), 1920, 1080);
    for _ in 0..2 {
        game.send(Command::EndTurn, 2);
    }
    game.until("an enemy acts", |game| game.says("Acts now"));
    assert!(game.selection().chosen.is_some());
    game.until_own_turn();
    game.wait(3);
    let cell = game.preview().reach.first().expect("a cell in reach").cell;
    game.point(game.screen_point(cell));
    game.wait(3);
    assert!(game.preview().click.is_move());
    assert!(game.says("Last enemy turn"), "{:?}", game.words());
    let lines = last_turn(game.session());
    assert!(
        lines
            .iter()
            .all(|line| line.contains(": ") || line.ends_with('.')),
        "{lines:?}"
    );
}

/// While a planned round is played, a strip takes the place of actions that nobody can take now.
#[test]
fn a_planned_round_shows_what_has_happened_instead_of_greyed_actions() {
    let controllers = vec![SideController::Human, SideController::Ai(Player::Quick)];
    let level = levels::default_level();
    for rules in rulesets::ALL
        .iter()
        .filter(|rules| rules.planning.declares())
    {
        let session = Session::with_controllers(&level, rules, 5, controllers.clone());
        let mut game = declaring_at(session);
        game.wait(3);
        assert!(!game.says("Round so far"), "{}", rules.id);
        game.send(Command::Suggest { all: true }, 3);
        game.app.world_mut().write_message(Command::EndTurn);
        game.until("the round is played", |game| game.says("Round so far"));
        assert!(!game.session().prompts_turn(), "{}", rules.id);
    }
}

/// Units with lower ids are the player's in the tests of summaries.
const OWN: u16 = 4;

fn began(side: u8) -> EventKind {
    EventKind::TurnBegan { side: Side(side) }
}

fn rolled(serial: u32, by: u16, at: u16) -> EventKind {
    let rolled_attack = RolledAttack {
        serial,
        attack: Attack::new(Id(by), Id(at), Item(0), false, "GR-00"),
        roll: Roll::one(20, 9, vec![]),
        needed: 12,
    };
    EventKind::AttackRolled { rolled_attack }
}

fn resolved(serial: u32, hit: bool) -> EventKind {
    EventKind::AttackResolved {
        serial,
        hit,
        critical: false,
        against: 12,
        needed: Some(12),
        why: "".into(),
    }
}

fn hurt(who: u16, by: u16, points: i32) -> EventKind {
    EventKind::Damaged {
        who: Id(who),
        by: Some(Id(by)),
        points,
        roll: Roll::default(),
    }
}

/// The summary of the enemy turn: each unit and its words. `None` before an enemy turn.
fn summary(events: &[EventKind]) -> Option<Vec<(u16, String)>> {
    summary_of(events, Span::EnemyTurn)
}

fn events_of(events: &[EventKind]) -> Vec<Event> {
    let event = |what: &EventKind| Event {
        rule: "GR-00",
        what: what.clone(),
        seen: Seen::All,
    };
    events.iter().map(event).collect()
}

fn summary_of(events: &[EventKind], span: Span) -> Option<Vec<(u16, String)>> {
    let events = events_of(events);
    let all = suffered(events.iter(), span, Side(0), |id| id.0 < OWN)?;
    Some(all.iter().map(|one| (one.who.0, one.words())).collect())
}

#[track_caller]
fn assert_summary(events: &[EventKind], expected: &[(u16, &str)]) {
    let expected = expected.iter().map(|&(who, words)| (who, words.into()));
    assert_eq!(summary(events), Some(expected.collect()));
}

/// After the enemy turn, a line sums up the damage per unit. It stays the same during the player's
/// turn.
#[test]
fn a_line_sums_up_the_enemy_turn() {
    let events = [
        began(0),
        hurt(0, 5, 9),
        began(1),
        hurt(1, 5, 4),
        hurt(5, 5, 3),
        hurt(1, 5, 2),
        hurt(2, 5, 0),
        began(0),
        hurt(0, 5, 7),
    ];
    assert_eq!(summary(&events[..2]), None, "no enemy turn yet");
    for known in [7, 9] {
        assert_summary(&events[..known], &[(1, "−6"), (2, "not hit")]);
    }
}

/// The summary names an enemy whose action a reaction had taken, if it did nothing else.
#[test]
fn an_enemy_that_has_spent_its_action_held() {
    let acted = |verb: &'static fivefoot::battle::Action, who: u16| EventKind::Acted {
        choice: Choice::new(verb, Id(who)),
    };
    let events = [
        EventKind::RoundBegan { round: 1 },
        began(0),
        acted(&DEFEND, 0),
        acted(&DEFEND, 5),
        acted(&DEFEND, 6),
        acted(&DEFEND, 7),
        EventKind::Fell { who: Id(7) },
        began(1),
        acted(&PASS, 5),
        acted(&DEFEND, 6),
        EventKind::RoundBegan { round: 2 },
        began(0),
        acted(&DEFEND, 8),
        EventKind::RoundBegan { round: 3 },
        began(1),
    ];
    let all = events_of(&events);
    let held_after = |known: usize| {
        let is_own = |id: Id| id.0 < OWN;
        let held = held(
            all[..known].iter(),
            Side(0),
            is_own,
            |verb| verb == &DEFEND,
            |verb| verb == &PASS,
        );
        Vec::from_iter(held.into_keys().map(|id| id.0))
    };
    assert_eq!(held_after(8), [5, 6]);
    assert_eq!(held_after(13), [5]);
    assert!(held_after(15).is_empty(), "a new round gives actions back");
}

/// What the player's units suffer in their own turn has a summary of its own, which begins anew with
/// each of their turns.
#[test]
fn a_line_sums_up_what_the_own_turn_costs() {
    let events = [
        began(0),
        hurt(0, 5, 9),
        began(1),
        hurt(1, 5, 4),
        began(0),
        rolled(0, 5, 2),
        resolved(0, false),
        hurt(0, 5, 7),
        hurt(5, 0, 3),
    ];
    let own = |known: usize| summary_of(&events[..known], Span::OwnTurn);
    for known in [2, 4] {
        assert_eq!(own(known), Some(vec![(0, "−9".into())]));
    }
    assert_eq!(own(5), Some(vec![]));
    assert_eq!(own(9), Some(vec![(2, "not hit".into()), (0, "−7".into())]));
}

/// A unit that withstands a spell of an enemy was attacked.
#[test]
fn a_spell_that_is_withstood_is_summed_up() {
    let spell = |by: u16| EventKind::Acted {
        choice: Choice {
            spell: Some(SpellId(0)),
            ..Choice::new(&fivefoot::rulesets::skirmish::OPPORTUNITY, Id(by)).at(Id(1))
        },
    };
    let events = [began(1), spell(5), began(0)];
    assert_summary(&events[..2], &[]);
    assert_summary(&events, &[(1, "not hit")]);
    let caught = EventKind::Caught {
        spell: SpellId(0),
        who: vec![Id(1), Id(2), Id(6)],
    };
    let events = [began(1), spell(5), caught, hurt(2, 5, 3), began(0)];
    assert_summary(&events, &[(2, "−3"), (1, "not hit")]);
}

/// What the player's units did in reaction is summed up too.
#[test]
fn a_line_sums_up_reactions() {
    let choice = Choice::new(&fivefoot::rulesets::skirmish::OPPORTUNITY, Id(0)).at(Id(5));
    let mut events = [
        began(1),
        EventKind::Acted { choice },
        rolled(0, 0, 5),
        resolved(0, true),
        hurt(5, 0, 9),
        hurt(1, 5, 4),
        hurt(0, 5, 2),
    ];
    assert_summary(&events[..4], &[(0, "reacted")]);
    assert_summary(&events[..5], &[(0, "dealt 9")]);
    assert_summary(&events, &[(0, "−2; dealt 9"), (1, "−4")]);
    // Its own attack missed, which says nothing about the attacks on it.
    events[3] = resolved(0, false);
    assert_summary(&events[..4], &[(0, "own attack missed")]);
}

/// A unit is listed once its attack missed or its damage came, never while the attack continues.
#[test]
fn an_attack_is_summed_up_once_its_result_is_known() {
    let events = [
        began(1),
        rolled(0, 5, 1),
        rolled(1, 5, 2),
        resolved(0, true),
        resolved(1, false),
        hurt(1, 5, 4),
        rolled(2, 5, 3),
        resolved(2, true),
        rolled(3, 5, 0),
        resolved(3, true),
        EventKind::Fell { who: Id(0) },
    ];
    let all = [
        (2, "not hit"),
        (1, "−4"),
        (3, "hit, no damage"),
        (0, "down"),
    ];
    for (known, listed) in [
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (5, 1),
        (6, 2),
        (8, 2),
        (9, 3),
        (11, 4),
    ] {
        assert_summary(&events[..known], &all[..listed]);
    }
    // A hit that is followed by a contest, such as a grapple, is summed up by the contest.
    for (contests, words) in [
        ([false, false], "grapple failed"),
        ([true, false], "grapple succeeded"),
    ] {
        let mut events = vec![began(1)];
        for (serial, passed) in (4..).zip(contests) {
            let check = CheckRoll::by(Id(5), "grapple", Roll::default()).passed(passed);
            let contest = EventKind::Checked(check);
            events.extend([rolled(serial, 5, 1), resolved(serial, true), contest]);
        }
        assert_summary(&events, &[(1, words)]);
    }
    // A hit without damage is listed at the end of the turn at the latest.
    let ended = [&events[..8], &[began(0)]].concat();
    assert_summary(&ended, &all[..3]);
}

/// The level's light tints the map; daylight has no tint.
#[test]
fn a_levels_light_tints_the_map() {
    use fivefoot::ui::board::light::Wash;
    for (id, light) in [
        ("undercroft", Some(levels::Light::Torches)),
        ("toll_gate", None),
    ] {
        let level = levels::built_in().iter().find(|level| level.id == id);
        let level = level.expect(id).clone();
        let mut game = Game::battle(level, Some(rulesets::ALL[0]), 2);
        game.wait(5);
        let world = game.app.world_mut();
        let mut washes = world.query::<&Wash>();
        let found: Vec<levels::Light> = washes.iter(world).map(|wash| wash.0).collect();
        assert_eq!(found, Vec::from_iter(light), "{id}");
    }
}
