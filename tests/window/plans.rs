//! Plans: declared by a click on the target, drawn, previewed and undone.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{
        BESIDE, DECLARED, begun_against, declaring, declaring_at, expected, give_or_on, rules,
        until_declaring,
    },
    shell::{at, show, walk_cursor},
};
use bevy::prelude::*;
use fivefoot::{
    battle::{EventKind, Id},
    control::{
        Player,
        orders::{Order, Reason},
    },
    grid::Cell,
    ui::{
        Command, Screen, Session,
        board::{Layer, height, plans::FADED, preview::Tint},
        hud::PreviewFrame,
        preview::{Click, PlanPreview, PreviewedMoment, timeline::RoundTimeline},
        settings::Settings,
    },
};
use fivefoot_kit::field;

fn timeline(game: &Game) -> RoundTimeline {
    let preview = game.app.world().resource::<PlanPreview>();
    preview.timeline.clone().expect("the round is previewed")
}

/// Whether the success rates of the plans are known.
fn is_simulated(game: &Game) -> bool {
    let preview = game.app.world().resource::<PlanPreview>();
    preview.simulation.is_some()
}

fn struck(game: &Game, by: Id, at: Id) -> bool {
    game.session().known_events().any(|e| match &e.what {
        EventKind::Acted { choice } => choice.who == Some(by) && choice.at == Some(at),
        EventKind::AttackRolled { rolled_attack } => {
            rolled_attack.attack.by == by && rolled_attack.attack.at == at
        }
        _ => false,
    })
}

/// Only plans of the player's side are drawn.
#[test]
fn a_click_on_an_enemy_makes_a_plan_that_is_drawn_and_carried_out() {
    for id in DECLARED {
        // The enemy may drop her first, so try several seeds.
        let went = (1..7).any(|seed| plans_and_strikes(id, seed));
        assert!(went, "{id}: Ann strikes as planned");
    }
}

/// Before the sides roll, the track shows a plan where it is likeliest, as its label says.
#[test]
fn the_track_shows_a_plan_in_its_likeliest_part_of_the_round() {
    for seed in 1..5 {
        let mut game = declaring("Phased", &BESIDE.0, BESIDE.1, seed);
        let bea = Id(1);
        game.send(Command::Choose(bea), 3);
        game.point(game.screen_point(Cell::new(0, 2)));
        game.in_time("the success rates", |game| is_simulated(game));
        let preview = game.app.world().resource::<PlanPreview>();
        let simulation = preview.simulation.as_ref().expect("it is simulated");
        let likely = simulation.plans[&bea].likeliest().expect("she goes").0;
        let timeline = preview.timeline.as_ref().expect("the round is previewed");
        let act = timeline.acts.iter().rfind(|act| act.who == bea);
        assert_eq!(act.expect("she goes").when, *likely, "{seed}");
    }
}

/// The key that swaps weapons changes the weapon of the attack that a click would declare, from the
/// best on.
#[test]
fn a_planned_attack_takes_the_weapon_that_the_player_chooses() {
    let text = r#"(
        title: "Two blades",
        map: ["......", "......", "......"],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (2, 1), with: (weapons: ["sword", "dagger"])),
            (kind: "bandit", name: "gob", side: "goblins", at: (3, 1), with: (weapons: ["sword"])),
        ],
    )"#;
    let with = |game: &Game| match &game.preview().click {
        Click::Plan(draft) => match draft.intent.plan.order {
            Order::Attack { with, .. } => with,
            _ => None,
        },
        click => panic!("no plan: {click:?}"),
    };
    for id in ["Phased", "Segments"] {
        let session = Session::new(&fivefoot_kit::level(text), rules(id), 3);
        let mut game = declaring_at(session);
        let enemy = game.screen_point(game.cell_of(Id(1)));
        game.point(enemy);
        game.wait(3);
        assert!(game.says("W: swap weapons"), "{id}: {:?}", game.words());
        let first = with(&game);
        let Click::Plan(draft) = &game.preview().click else {
            panic!("{id}: no plan");
        };
        assert_eq!(draft.weapons.first().copied(), first, "{id}");
        let names = game.session().game.names();
        let mut blades: Vec<&str> = draft.weapons.iter().map(|w| names.item(*w)).collect();
        blades.truncate(2);
        blades.sort_unstable();
        assert_eq!(blades, ["dagger", "sword"], "{id}: bare hands come last");
        game.press(KeyCode::KeyW);
        game.wait(3);
        let second = with(&game);
        assert!(second.is_some() && second != first, "{id}: {second:?}");
    }
}

fn plans_and_strikes(id: &str, seed: u64) -> bool {
    let mut game = declaring(id, &BESIDE.0, BESIDE.1, seed);
    assert!(game.session().is_declaring(), "{id}");
    let (ann, bea, gob) = (Id(0), Id(1), Id(2));
    let enemy = game.cell_of(gob);
    game.point(game.screen_point(enemy));
    assert!(
        matches!(&game.preview().click, Click::Plan(_)),
        "{id}: {:?}",
        game.preview().click
    );
    // Under the cursor, the preview shows the plan's result.
    let shown = timeline(&game);
    let action = shown
        .acts
        .iter()
        .find(|d| d.who == ann && d.at == Some(gob));
    assert!(action.is_some(), "{id}: {:?}", shown);
    game.click_cell(enemy);
    let open = game
        .session()
        .question()
        .expect("Bea is asked")
        .actors
        .clone();
    assert_eq!(open, [bea], "{id}: a click declares all of it");
    assert!(game.session().intent(ann).is_some());
    // The plan stays drawn while the next unit declares.
    let drawn = timeline(&game).acts;
    assert!(drawn.iter().any(|d| d.at == Some(gob)), "{id}");
    let side_of = |who: Id| game.session().shown().unit(who).side;
    assert!(drawn.iter().all(|d| side_of(d.who) == side_of(ann)), "{id}");
    game.click_cell(Cell::new(0, 2));
    until_declaring(&mut game);
    assert_eq!(game.cell_of(bea), Cell::new(0, 2), "{id}: Bea goes there");
    struck(&game, ann, gob)
}

/// Two units in a corridor: the one behind can move only after the other.
#[test]
fn the_preview_of_two_units_in_a_corridor_is_right() {
    for id in DECLARED {
        let rows = [".........#.."];
        let units = [
            ("ann", "party", (1, 0), 12),
            ("bea", "party", (0, 0), 12),
            ("gab", "goblins", (11, 0), 12),
        ];
        let mut game = declaring(id, &rows, &units, 2);
        let (ann, bea) = (Id(0), Id(1));
        game.click_cell(Cell::new(4, 0));
        assert_eq!(game.selection().chosen, Some(bea), "{id}");
        game.point(game.screen_point(Cell::new(3, 0)));
        let shown = timeline(&game);
        let end = |who: Id| {
            let own = shown.acts.iter().filter(|d| d.who == who);
            own.filter_map(|d| d.path.last().copied()).next_back()
        };
        let ends = [end(ann), end(bea)];
        assert!(ends.iter().all(Option::is_some), "{id}: {shown:?}");
        let last = shown.frames.last().expect("the round has an end");
        assert_eq!(Some(last.units[ann.index()].at), ends[0], "{id}");
        game.click_cell(Cell::new(3, 0));
        until_declaring(&mut game);
        let came = [ann, bea].map(|who| Some(game.cell_of(who)));
        assert_eq!(came, ends, "{id}: as it was shown");
        assert_eq!(came[0], Some(Cell::new(4, 0)), "{id}: where it was meant");
    }
}

/// If a plan is not possible, the reason is about the attack, not about a missing door.
#[test]
fn the_reason_of_an_impossible_plan_is_about_the_attack() {
    let all = fivefoot::levels::built_in().iter();
    let ring = all.clone().find(|level| level.id == "duel").unwrap();
    let mut game = at(&fresh_home());
    show(&mut game, Session::new(ring, rules("Phased"), 5));
    until_declaring(&mut game);
    game.point(game.screen_point(game.cell_of(Id(3))));
    game.wait(3);
    let failures = timeline(&game).failures;
    assert!(
        failures
            .values()
            .all(|r| !matches!(r, Reason::Refused { .. })),
        "{failures:?}"
    );
}

/// A cell in reach is tinted also where a body lies.
#[test]
fn a_body_does_not_hide_that_its_cell_is_in_reach() {
    let rows = ["..........", ".........."];
    let units = [
        ("ann", "party", (1, 0), 60),
        ("gob", "goblins", (2, 0), 1),
        ("gab", "goblins", (9, 1), 60),
    ];
    let gob = Id(1);
    for id in DECLARED {
        let mut game = declaring(id, &rows, &units, 2);
        for _ in 0..6 {
            let is_up = game.session().shown().unit(gob).is_up();
            if !is_up || game.screen() != Screen::Battle {
                break;
            }
            game.click_cell(game.cell_of(gob));
            until_declaring(&mut game);
        }
        let here = game.cell_of(gob);
        let is_reached = game.preview().range().iter().any(|end| end.cell == here);
        if game.session().shown().unit(gob).is_up() || !is_reached {
            continue;
        }
        let world = game.app.world_mut();
        let mut tints = world.query_filtered::<&Transform, With<Tint>>();
        let is_above = |place: &&Transform| place.translation.z > height::FALLEN;
        assert_eq!(tints.iter(world).filter(is_above).count(), 1, "{id}");
        return;
    }
    panic!("no fallen unit in reach");
}

/// How many marks of plans are faded, and how many are not.
fn plan_marks(game: &mut Game) -> (usize, usize) {
    let world = game.app.world_mut();
    let mut marks = world.query::<(&Layer, &Sprite)>();
    let plans = marks
        .iter(world)
        .filter(|(layer, _)| **layer == Layer::Plans);
    let (faded, full): (Vec<_>, Vec<_>) = plans.partition(|(_, mark)| mark.color.alpha() <= FADED);
    (faded.len(), full.len())
}

#[test]
fn plans_of_other_units_are_faded_while_one_is_hovered() {
    let rows = ["............", "............", ".........#.."];
    let units = [
        ("ann", "party", (0, 0), 12),
        ("bea", "party", (0, 1), 12),
        ("cat", "party", (0, 2), 12),
        ("gab", "goblins", (11, 2), 12),
    ];
    for id in DECLARED {
        let mut game = declaring(id, &rows, &units, 2);
        game.click_cell(Cell::new(3, 0));
        game.click_cell(Cell::new(3, 1));
        assert!(game.session().is_declaring(), "{id}: Cat is asked");
        // Some marks are pale by themselves. Over a cell of the board, the draft is hovered.
        game.point(Vec2::new(2.0, 2.0));
        game.wait(2);
        let (pale, full) = plan_marks(&mut game);
        assert!(full > 0, "{id}: no unit is hovered");
        for cell in [Cell::new(0, 0), Cell::new(3, 1)] {
            game.point(game.screen_point(cell));
            game.wait(2);
            let (faded, full) = plan_marks(&mut game);
            assert!(faded > pale && full > 0, "{id}: {cell:?}: {faded}, {full}");
        }
    }
}

/// While the mouse button is held on a previewed part of the round, the board shows the
/// expected state at that time.
#[test]
fn holding_a_part_of_the_track_shows_the_board_at_that_time() {
    use bevy::input::{ButtonState, mouse::MouseButtonInput};
    let mut game = declaring("Speed", &BESIDE.0, BESIDE.1, 3);
    let ann = Id(0);
    game.click_cell(Cell::new(2, 2));
    game.wait(3);
    let (count, start) = (timeline(&game), game.cell_of(ann));
    let n = count.acts.iter().find(|a| a.who == ann).map(|a| &a.when);
    let n = count.frames.iter().position(|f| Some(&f.when) == n);
    let n = n.expect("a moment at which Ann goes");
    let part = game.find::<PreviewFrame>(|then| then.0 == n);
    game.point(part.expect("a part of the track"));
    let held = |game: &mut Game, state| {
        let world = game.app.world_mut();
        let window = world
            .query_filtered::<Entity, With<bevy::window::PrimaryWindow>>()
            .single(world)
            .expect("one window");
        let button = MouseButton::Left;
        game.send(
            MouseButtonInput {
                button,
                state,
                window,
            },
            3,
        );
    };
    held(&mut game, ButtonState::Pressed);
    assert!(game.says("If no enemy acts"));
    let then = |game: &Game| {
        let looked = game.app.world().resource::<PreviewedMoment>();
        let preview = game.app.world().resource::<PlanPreview>();
        looked.frame(preview).map(|f| f.units[ann.index()].at)
    };
    assert_eq!(then(&game), Some(Cell::new(2, 2)));
    assert_eq!(game.cell_of(ann), start, "nothing has happened");
    // No tooltip covers the board while the pointer is dragged to other parts.
    if let Some(other) = game.find::<PreviewFrame>(|then| then.0 != n) {
        game.point(other);
        assert!(!game.says("Press and drag"));
    }
    held(&mut game, ButtonState::Released);
    assert_eq!(then(&game), None);
    assert!(!game.says("If no enemy acts"));
}

/// A part of the track offers its board only if that looks different from now: attacks that are
/// expected to miss leave nothing to see.
#[test]
fn a_part_without_a_visible_change_offers_no_board() {
    for id in ["Phased", "Speed"] {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        game.click_cell(game.cell_of(Id(2)));
        game.wait(3);
        let frames = timeline(&game).frames;
        for (n, frame) in frames.iter().enumerate() {
            let is_offered = game.find::<PreviewFrame>(|then| then.0 == n).is_some();
            let differs = frame.differs_from(&game.session().shown().units);
            assert!(differs || !is_offered, "{id}: {:?}", frame.when);
        }
    }
}

/// A plan's success rate is simulated in the background and shown as soon as it is known. It
/// disappears when the pointer leaves the plan.
#[test]
fn the_success_rate_of_a_plan_is_shown() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        let tried = |game: &Game| {
            let preview = game.app.world().resource::<PlanPreview>();
            preview.simulation.as_ref()?.plans.get(&Id(0)).cloned()
        };
        game.point(game.screen_point(game.cell_of(Id(2))));
        game.in_time("it is simulated", |game| tried(game).is_some());
        let known = tried(&game).expect("it is simulated");
        assert!(known.succeeded > 0, "{id}: {known:?}");
        assert_eq!(
            known.succeeded < 100,
            !known.failures.is_empty(),
            "{known:?}"
        );
        assert!(
            game.says(&format!("goes ahead: {}%", known.succeeded)),
            "{id}"
        );
        game.point(game.screen_point(Cell::new(0, 0)));
        game.wait(3);
        assert_eq!(tried(&game), None, "{id}");
    }
}

/// After the last declaration, the whole plan is shown until the player confirms it; it can
/// be undone until then. Esc takes no order back: it opens the pause menu.
#[test]
fn the_whole_plan_is_shown_before_the_round_begins() {
    for id in DECLARED {
        for by_enter in [false, true] {
            let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
            game.app.world_mut().resource_mut::<Settings>().review = true;
            game.wait(1);
            let enemy = game.cell_of(Id(2));
            let declare = |game: &mut Game| {
                for _ in 0..4 {
                    if game.session().held().is_some() || !game.session().is_declaring() {
                        return;
                    }
                    let to = match game.selection().chosen {
                        Some(Id(0)) => enemy,
                        _ => Cell::new(0, 1),
                    };
                    game.click_cell(to);
                    game.wait(3);
                }
            };
            declare(&mut game);
            let held = |game: &Game| game.session().held().cloned();
            let last = held(&game).unwrap_or_else(|| panic!("{id}: the last plan is held"));
            assert!(game.says("Begin the round"), "{id}");
            game.press(KeyCode::Escape);
            assert!(game.is_paused(), "{id}");
            game.press(KeyCode::Escape);
            assert!(!game.is_paused(), "{id}");
            assert_eq!(held(&game), Some(last.clone()), "{id}");
            game.point(game.screen_point(Cell::new(6, 2)));
            game.press(KeyCode::KeyU);
            game.wait(3);
            assert_eq!(held(&game), None, "{id}");
            assert!(game.session().is_declaring(), "{id}");
            declare(&mut game);
            assert_eq!(held(&game), Some(last.clone()), "{id}");
            // A second click on the last target, without a move of the mouse, declares nothing.
            let meant = timeline(&game).acts;
            let target = game.selection().cursor.expect("the cell of the last click");
            game.click_cell(target);
            game.wait(3);
            assert_eq!(held(&game), Some(last), "{id}");
            let acts = timeline(&game).acts;
            assert_eq!(acts, meant, "{id}");
            for who in [Id(0), Id(1)] {
                assert!(acts.iter().any(|act| act.who == who), "{id}: {acts:?}");
            }
            game.press(match by_enter {
                true => KeyCode::Enter,
                false => KeyCode::KeyE,
            });
            game.wait(3);
            assert!(held(&game).is_none(), "{id}");
            assert!(!game.session().is_declaring(), "{id}: the round has begun");
        }
    }
}

/// Before the round begins, the game asks about orders that never go ahead in simulated rounds.
#[test]
fn an_order_that_never_goes_ahead_is_asked_about() {
    let rows = [".".repeat(26), ".".repeat(26), ".".repeat(26)];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let units = [
        ("ann", "party", (0, 1), 12),
        ("gob", "goblins", (25, 1), 12),
    ];
    let mut asked = 0;
    for id in DECLARED {
        let mut game = declaring(id, &rows, &units, 2);
        let mut settings = game.app.world_mut().resource_mut::<Settings>();
        (settings.review, settings.warn) = (true, true);
        game.wait(1);
        game.click_cell(game.cell_of(Id(1)));
        game.wait(3);
        if game.session().held().is_none() {
            continue;
        }
        game.until_simulated();
        let preview = game.app.world().resource::<PlanPreview>();
        if preview.success_rate(Id(0)) != Some(0) {
            continue;
        }
        asked += 1;
        game.press(KeyCode::KeyE);
        assert!(game.says("in no simulated round"), "{id}");
        game.press(KeyCode::Escape);
        assert!(game.session().held().is_some(), "{id}");
        game.press(KeyCode::KeyE);
        game.press(KeyCode::Enter);
        game.wait(3);
        let began = game.session().shown().clock.round > 1;
        assert!(!game.session().is_declaring() || began, "{id}");
    }
    assert!(asked > 0);
}

/// PH-02: of units that act at once, the first has chosen its move before the others do. It is drawn
/// like a plan, and another unit that would end there is warned.
#[test]
fn a_move_chosen_among_units_that_act_at_once_is_drawn() {
    let (ann, bea, to) = (Id(0), Id(1), Cell::new(3, 2));
    let units = [
        ("ann", "party", (1, 1), 12),
        ("bea", "party", (1, 3), 12),
        ("gob", "goblins", (11, 1), 12),
    ];
    let level = field(&["............"; 4], &units);
    let waits = |session: &Session| {
        let asked = session.question();
        session.game.chosen(ann).is_some() && asked.is_some_and(|asked| asked.actors.contains(&bea))
    };
    let session = (1..60).find_map(|seed| {
        let mut session = begun_against(Player::Idle, &level, rules("Phased"), seed);
        for _ in 0..20 {
            if waits(&session) {
                return Some(session);
            }
            give_or_on(&mut session, ann, |offer| {
                offer.is_legal() && offer.choice.to == Some(to)
            });
        }
        None
    });
    let mut game = at(&fresh_home());
    show(&mut game, session.expect("they act at once"));
    game.send(Command::Choose(bea), 3);
    game.point(game.screen_point(to));
    game.in_time("the warning", |game| {
        game.says("Ends in the same cell as Ann")
    });
    let act = timeline(&game).acts.into_iter().find(|act| act.who == ann);
    assert_eq!(act.expect("her move").path.last(), Some(&to));
}

/// A flight is declared without a destination, so none is drawn.
#[test]
fn a_flight_is_not_drawn_to_a_cell_that_nobody_chose() {
    let level = field(&BESIDE.0, BESIDE.1);
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let ann = Id(0);
    let offers = session.offers_of(ann);
    let mut offers = offers.iter().filter(|offer| offer.is_legal());
    let flight = offers.find(|offer| offer.choice.verb.name == "declare flight");
    let flight = flight.expect("she can flee").choice.clone();
    assert_eq!(session.order_title(&flight), "Flee", "as on its button");
    session.give(&[flight]).expect("it is on offer");
    session.catch_up();
    let moves = expected(&session, None).acts;
    assert!(moves.iter().all(|act| act.who != ann || act.path.len() < 2));
}

/// The shaft of an arrow ends in its head, so that the ghost behind it shows its face.
#[test]
fn the_arrow_of_a_move_ends_at_its_head() {
    let units = [("ann", "party", (0, 0), 12), ("gob", "goblins", (9, 0), 12)];
    let mut game = declaring("Phased", &[".........."; 3], &units, 3);
    game.point(game.screen_point(Cell::new(1, 0)));
    game.until("the ghost", |game| {
        let preview = game.app.world().resource::<PlanPreview>();
        preview.timeline.is_some()
    });
    game.wait(2);
    let end = game.cell_of(Id(0)).x as f32 + 1.5;
    let world = game.app.world_mut();
    let mut marks = world.query::<(&Layer, &Sprite, &Transform)>();
    let plans = marks.iter(world).filter(|mark| *mark.0 == Layer::Plans);
    let lines = plans.filter_map(|(_, sprite, place)| {
        let size = sprite.custom_size.filter(|size| size.y < 0.1)?;
        Some(place.translation.x + size.x / 2.0)
    });
    let ends: Vec<f32> = lines.collect();
    assert!(!ends.is_empty());
    assert!(ends.iter().all(|&x| x < end - 0.3), "{ends:?}");
}

/// Undoing one unit's plan keeps the plans of the others.
#[test]
fn an_undo_keeps_the_plans_of_other_units() {
    for id in DECLARED {
        let mut units = BESIDE.1.to_vec();
        units.push(("cee", "party", (0, 2), 12));
        let mut game = declaring(id, &BESIDE.0, &units, 3);
        let enemy = game.cell_of(Id(2));
        let declare = |game: &mut Game| {
            let who = game.selection().chosen.expect("a unit declares");
            game.click_cell(match who {
                Id(0) => enemy,
                _ => Cell::new(1, 1),
            });
            game.wait(3);
            who
        };
        let first = declare(&mut game);
        let kept = game.session().intent(first).cloned();
        assert!(kept.is_some(), "{id}");
        let second = declare(&mut game);
        assert!(game.session().intent(second).is_some(), "{id}");
        game.press(KeyCode::KeyU);
        game.wait(3);
        assert!(game.session().intent(second).is_none(), "{id}");
        assert_eq!(game.session().intent(first).cloned(), kept, "{id}");
    }
}

/// If a plan cannot reach its target this round, the card says so.
#[test]
fn the_card_says_if_a_plan_only_gets_nearer() {
    let rows = [".".repeat(26), ".".repeat(26), ".".repeat(26)];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let units = [
        ("ann", "party", (0, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (1, 1), 12),
        ("gab", "goblins", (25, 1), 12),
    ];
    let words = "only gets closer";
    for id in DECLARED {
        let mut game = declaring(id, &rows, &units, 2);
        for (enemy, is_far) in [(Id(3), true), (Id(2), false)] {
            game.point(game.screen_point(game.cell_of(enemy)));
            game.wait(3);
            let is_plan = matches!(&game.preview().click, Click::Plan(_));
            // No reason is given before the rounds are simulated.
            for _ in 0..2_000 {
                let is_judged = ["Won't work", "Main risk"].map(|part| game.says(part));
                assert!(is_simulated(&game) || is_judged == [false; 2], "{id}");
                if is_simulated(&game) || game.says(words) || !is_far || !is_plan {
                    break;
                }
                game.wait(1);
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            let fails = game.says(words) || game.says("Won't work");
            let is_told = fails || game.says("Main risk");
            // Under Phased the far enemy usually comes close enough.
            let rate = game
                .app
                .world()
                .resource::<PlanPreview>()
                .success_rate(Id(0));
            let works = rate.is_some_and(|rate| rate > 50);
            assert_eq!(is_told, is_far && is_plan && !works, "{id}, {enemy:?}");
            // Its chance to hit is not shown as the chance of the plan.
            let click = &game.preview().click;
            let has_attack = matches!(click, Click::Plan(draft) if draft.attack.is_some());
            let is_grey = game.says("if it could attack");
            assert_eq!(is_grey, fails && has_attack, "{id}, {enemy:?}");
        }
    }
}

/// While units declare, Enter gives an order only at the keyboard cursor, not where the pointer
/// happens to rest.
#[test]
fn a_stray_enter_gives_no_order() {
    let units = [("ann", "party", (1, 1), 12), ("gob", "goblins", (8, 1), 9)];
    for id in DECLARED {
        let mut game = declaring(id, &[".........."; 3], &units, 3);
        game.point(game.screen_point(Cell::new(3, 1)));
        assert!(matches!(game.preview().click, Click::Plan(_)), "{id}");
        let answers = game.session().game.answered();
        game.press(KeyCode::Enter);
        assert_eq!(game.session().game.answered(), answers, "{id}");
        walk_cursor(&mut game, Cell::new(2, 1));
        game.press(KeyCode::Enter);
        assert!(game.session().game.answered() > answers, "{id}");
    }
}

/// Where a walk takes the action of an attack, the card says so at once, before any simulation.
#[test]
fn the_card_says_at_once_that_a_walk_leaves_no_time_to_strike() {
    // Too far for the goblin to come within reach in this round.
    let units = [
        ("ann", "party", (0, 1), 12),
        ("gob", "goblins", (24, 0), 12),
    ];
    for id in DECLARED {
        let mut game = declaring(id, &["........................."; 2], &units, 2);
        game.point(game.screen_point(game.cell_of(Id(1))));
        game.wait(3);
        let says = game.says("Can't walk and strike");
        match rules(id).planning.walk_is_action {
            // A simulated plan says how often it goes ahead instead.
            true => assert!(says || is_simulated(&game), "{id}: {:?}", game.words()),
            false => assert!(!says, "{id}"),
        }
    }
}

/// While keys move the cursor, the card says what Enter does, and a click where the mouse rests
/// only takes the cursor there.
#[test]
fn a_click_after_the_keys_only_takes_the_cursor() {
    let mut game = declaring("Phased", &BESIDE.0, BESIDE.1, 2);
    let (ann, bea) = (Id(0), Id(1));
    game.send(Command::Choose(bea), 3);
    let (rests, cell) = (Cell::new(4, 2), Cell::new(1, 2));
    game.point(game.screen_point(rests));
    walk_cursor(&mut game, cell);
    assert!(game.says("Enter: move"), "{:?}", game.words());
    assert!(!game.says("Click: move"));
    game.click_again();
    game.wait(3);
    assert_eq!(game.selection().cursor, Some(rests));
    assert!(game.session().intent(bea).is_none());
    assert!(game.says("Click: move"), "{:?}", game.words());
    game.click_again();
    game.wait(3);
    let to = game
        .session()
        .intent(bea)
        .and_then(|intent| intent.plan.order.cell());
    assert_eq!(to, Some(rests));
    assert!(game.session().intent(ann).is_none());
}

/// A charge is one line to its target, below all units, although the steps of its path lie beside
/// that line. It ends where the target is expected then.
#[test]
fn a_charge_is_drawn_as_one_straight_line() {
    let units = [
        ("ann", "party", (0, 0), 12),
        ("bea", "party", (0, 4), 12),
        ("gob", "goblins", (6, 2), 12),
    ];
    let level = field(&["..........."; 5], &units);
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let offers = session.offers_of(Id(0));
    let mut offers = offers.iter().filter(|offer| offer.is_legal());
    let charge = offers.find(|offer| offer.choice.verb.name == "declare charge");
    let charge = charge.expect("the way is clear").choice.clone();
    session.give(&[charge]).expect("it is on offer");
    session.catch_up();
    let mut game = declaring_at(session);
    game.point(Vec2::new(2.0, 2.0));
    game.until("the charge", |game| {
        let preview = game.app.world().resource::<PlanPreview>();
        let timeline = preview.timeline.as_ref();
        timeline.is_some_and(|timeline| timeline.acts.iter().any(|act| act.is_charge))
    });
    game.wait(2);
    /// The length and the height of each line.
    fn lines(game: &mut Game) -> Vec<(f32, f32)> {
        let world = game.app.world_mut();
        let mut marks = world.query::<(&Layer, &Sprite, &Transform)>();
        let plans = marks.iter(world).filter(|mark| *mark.0 == Layer::Plans);
        let of = |(_, mark, place): (&Layer, &Sprite, &Transform)| {
            let size = mark.custom_size.filter(|size| size.y < 0.1)?;
            Some((size.x, place.translation.z))
        };
        plans.filter_map(of).collect()
    }
    let now = lines(&mut game);
    assert!(
        matches!(now[..], [(_, z)] if z > height::AIM && z < height::STANDING),
        "{now:?}"
    );
    let mut preview = game.app.world_mut().resource_mut::<PlanPreview>();
    let acts = &mut preview.timeline.as_mut().expect("a timeline").acts;
    let charge = acts.iter_mut().find(|act| act.is_charge);
    let charge = charge.expect("the charge");
    assert_eq!(charge.target_at, Some(Cell::new(6, 2)));
    charge.target_at = Some(Cell::new(10, 2));
    game.wait(1);
    let then = lines(&mut game);
    let is_longer = then.iter().any(|line| line.0 > now[0].0 + 3.0);
    assert!(is_longer, "{now:?} {then:?}");
}
