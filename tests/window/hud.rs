//! Text on cards: smaller sizes and ellipses on narrow ones, all units of a cell.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{BESIDE, begun, cell_of, declaring, give_or_on, rules},
    shell::{at, show},
};
use bevy::{prelude::*, text::TextLayoutInfo};
use fivefoot::{
    battle::{Body, Id, Side, State},
    grid::Cell,
    levels,
    ui::{
        Command, Session,
        art::palette,
        board::MapView,
        hud::{
            ActBar, PlanStrip,
            menu::{ACTING, OTHER, cost, shared},
            party::NameType,
        },
        preview::{MenuRow, Picks},
        ruleset_ui::words::hp_left,
        theme::{TextStyle, text},
        widgets::{SendOnPress, TipCard},
    },
};
use fivefoot_kit::{field, level};

#[test]
fn a_name_is_shrunk_before_it_is_cut() {
    let shown = |name: &str, width: f32, scale: f32| {
        let face = if width > 120.0 { 32.0 } else { 20.0 };
        let names = NameType::of(name.chars().count(), width, face, scale);
        (names.shown(name), names.cut, names.has_face)
    };
    let whole = |name: &str| name.to_owned();
    assert_eq!(
        shown("Brandt", 126.0, 1.0),
        (whole("Brandt"), (TextStyle::Strong, 1.0), true)
    );
    assert_eq!(
        shown("Ysolde", 84.0, 1.0),
        (whole("Ysolde"), (TextStyle::Label, 1.0), true)
    );
    // Enlarged type shrinks before the portrait is dropped.
    let (name, (_, factor), has_face) = shown("Ysolde", 110.0, 1.75);
    assert_eq!((name, has_face), (whole("Ysolde"), true));
    assert!((1.0 / 1.75..1.0).contains(&factor), "{factor}");
    let (name, (_, factor), has_face) = shown("Shieldman 2", 100.0, 1.5);
    assert_eq!((name, has_face), (whole("Shieldman 2"), false));
    assert!((1.0 / 1.5..1.0).contains(&factor), "{factor}");
    let (name, ..) = shown("Bartholomew the Bold", 84.0, 1.0);
    assert!(name.ends_with('…') && name.starts_with("Bart"), "{name}");
}

#[test]
fn text_without_room_ends_with_an_ellipsis_or_its_number() {
    let wrapped = |words: &str, room: &str, lines| {
        let width = TextStyle::Small.width(room) + 0.1;
        TextStyle::Small.wrapped(words, width, lines)
    };
    assert_eq!(wrapped("hedge mage", "hedge mage", 1), "hedge mage");
    assert_eq!(wrapped("hedge mage", "hedge m", 2), "hedge mage");
    assert_eq!(wrapped("hedge mage", "hedge…", 1), "hedge…");
    assert_eq!(wrapped("shieldman", "shieldman", 2), "shieldman");
    assert_eq!(wrapped("shieldman", "shield…", 2), "shield…");
    let likely = "shoots at Sexton 60%";
    assert_eq!(wrapped(likely, "shoots at Se… 60%", 1), "shoots at Se… 60%");
    assert_eq!(
        wrapped("Strike → Goblin archer 12", "Strike → Goblin", 2),
        "Strike → Goblin archer 12"
    );
}

/// Enlarged type shrinks until each word fits, but not below the standard size.
#[test]
fn large_type_shrinks_for_a_long_word() {
    let style = TextStyle::Small;
    let width = style.width("shieldman");
    let scale = |times: f32| style.fitting_scale("old shieldman", times * width, 1.5);
    assert_eq!(scale(2.0), 1.5);
    assert!((scale(1.2) - 1.2).abs() < 0.01);
    let room = 1.2 * width / scale(1.2);
    assert_eq!(style.wrapped("old shieldman", room, 2), "old shieldman");
    assert_eq!(scale(0.5), 1.0);
}

/// A line that is too long keeps its target and its chance.
#[test]
fn a_line_without_room_loses_its_beginning() {
    let fitted = |parts, room: &str| {
        let width = TextStyle::Small.width(room) + 0.1;
        TextStyle::Small.fitted_before(parts, width)
    };
    let likely = ["shoots at", "Sexton 60%"];
    let whole = "shoots at Sexton 60%";
    assert_eq!(fitted(likely, whole), whole);
    let cut = "sh… Sexton 60%";
    assert_eq!(fitted(likely, cut), cut);
    assert_eq!(fitted(likely, "sho… 60%"), "sho… 60%");
    assert_eq!(fitted(["stays put", ""], "stays…"), "stays…");
}

/// The number at the end of a sentence must not seem to belong to what stands before it.
#[test]
fn a_sentence_without_room_ends_after_a_whole_word() {
    let line = "last round: moved 45 ft, hit 6, took 19";
    let wrapped = |room: &str, lines| {
        let width = TextStyle::Small.width(room) + 0.1;
        TextStyle::Small.wrapped_at_words(line, width, lines)
    };
    assert_eq!(wrapped(line, 1), line);
    assert_eq!(
        wrapped("last round: moved 45 ft, hit 6, took…", 1),
        "last round: moved 45 ft, hit 6, took…"
    );
    assert_eq!(wrapped("last round: moved 45", 2), line);
    assert_eq!(wrapped("last round: mov…", 1), "last round:…");
}

/// The card names the traits that count in the ruleset, each with its rule in the tooltip.
#[test]
fn the_card_names_the_traits_of_a_unit() {
    let text = r#"(
        title: "Traits",
        map: ["......", "......"],
        sides: [(id: "party"), (id: "foes", control: Ai)],
        combatants: [
            (kind: "lin", side: "party", at: (0, 0), with: (traits: [Minion, Reroll, SpareMain])),
            (kind: "goblin", side: "foes", at: (5, 0)),
        ],
    )"#;
    let all = [
        (
            "Skirmish",
            "minion (SK-61), one reroll per battle (SK-71), one extra action per battle (SK-71)",
        ),
        ("Segments", "minion (SE-54)"),
        (
            "Phased",
            "minion (PH-60), quick hands: reaction +2 for shots (PH-03)",
        ),
        (
            "Speed",
            "minion (SP-24), one extra action per battle (SP-22)",
        ),
    ];
    for (id, words) in all {
        let session = Session::new(&level(text), rules(id), 1);
        let traits = session.queries.traits(Id(0)).into_iter();
        let traits = traits.map(|one| format!("{} ({})", one.text, one.rule));
        assert_eq!(traits.collect::<Vec<_>>().join(", "), words, "{id}");
    }
}

/// PH-52: a unit squeezes into the cell of an ally.
#[test]
fn the_card_names_all_units_in_a_cell() {
    let units = [
        ("ann", "party", (1, 1), 9),
        ("ben", "party", (1, 3), 9),
        ("gob", "goblins", (11, 1), 9),
    ];
    let level = field(&["............"; 4], &units);
    let mut session = begun(&level, rules("Phased"), 1);
    let (ann, ben) = (Id(0), Id(1));
    let here = cell_of(&session, ann);
    for _ in 0..60 {
        if cell_of(&session, ben) == here {
            break;
        }
        give_or_on(&mut session, ben, |offer| offer.choice.to == Some(here));
    }
    assert_eq!(cell_of(&session, ben), here);
    let mut game = at(&fresh_home());
    show(&mut game, session);
    game.point(game.screen_point(here));
    assert!(game.says("Also here: Ben"), "{:?}", game.words());
    // Each has a quarter of the cell, and the pointer tells them apart.
    let cell_px = game.app.world().resource::<MapView>().cell_px();
    game.point(game.screen_point(here) + 0.3 * cell_px as f32);
    assert!(game.says("Also here: Ann"), "{:?}", game.words());
}

/// A text whose width is close to that of its box is as high as its lines.
#[test]
fn a_text_that_just_fits_leaves_no_blank_line() {
    let mut game = at(&fresh_home());
    let words = || {
        text(
            "Bandit 2 reaches for battle axe at 8,4",
            TextStyle::Body,
            palette::INK,
        )
    };
    let sized = |width: Val| Node {
        position_type: PositionType::Absolute,
        left: px(0.3),
        width,
        ..default()
    };
    let world = game.app.world_mut();
    let free = world.spawn(sized(Val::Auto)).id();
    world.spawn((words(), ChildOf(free)));
    game.wait(3);
    let world = game.app.world_mut();
    let node = world.get::<ComputedNode>(free).expect("a node");
    let width = node.size().x * node.inverse_scale_factor;
    let texts: Vec<Entity> = (-12..=12)
        .map(|tenth| {
            let around = world.spawn(sized(px(width + 0.1 * tenth as f32))).id();
            world.spawn((words(), ChildOf(around))).id()
        })
        .collect();
    game.wait(6);
    let world = game.app.world();
    let blanks: Vec<_> = texts
        .iter()
        .map(|&text| {
            let lines = world.get::<TextLayoutInfo>(text).expect("its lines");
            let node = world.get::<ComputedNode>(text).expect("a node");
            (
                node.size().x,
                node.size().y * node.inverse_scale_factor - lines.size.y,
            )
        })
        .filter(|(_, blank)| blank.abs() > 1.0)
        .collect();
    assert!(blanks.is_empty(), "{blanks:?}");
}

/// A click on "Skip" that comes late hits no "Undo".
#[test]
fn skip_is_left_of_the_place_of_undo() {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 5);
    game.until_own_turn();
    let sends = |command: Command| move |sends: &SendOnPress<Command>| sends.0 == command;
    game.until("Undo", |game| game.has_button(&Command::Undo));
    let undo = game.find(sends(Command::Undo)).expect("Undo");
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    game.until("the enemies act", |game| game.has_button(&Command::Skip));
    let skip = game.find(sends(Command::Skip)).expect("Skip");
    assert!(skip.x + 40.0 < undo.x, "{skip} {undo}");
}

/// The buttons of the lower row are beside and below others, and above both rows lies the strip.
#[test]
fn the_tooltip_of_an_action_covers_no_button() {
    let mut game = declaring("Phased", &BESIDE.0, BESIDE.1, 3);
    let sends = |sends: &SendOnPress<Command>| sends.0 == Command::More;
    let place = game.find(sends).expect("a button for all actions");
    game.point(place);
    game.wait(3);
    let tip = game.rect::<TipCard>();
    assert!(tip.max.y <= game.rect::<PlanStrip>().min.y, "{tip:?}");
    assert!(tip.max.y <= game.rect::<ActBar>().min.y, "{tip:?}");
    assert!(tip.min.y >= 0.0, "{tip:?}");
}

#[test]
fn hit_points_below_0_are_shown_only_until_a_unit_is_dead() {
    let body = |state, hp| Body {
        side: Side(0),
        at: Cell::new(0, 0),
        size: 1,
        state,
        hp,
        max_hp: 7,
        prone: false,
        flees: false,
        returns: None,
    };
    assert_eq!(hp_left(&body(State::Up, 5)), 5);
    assert_eq!(hp_left(&body(State::Down, -4)), -4);
    assert_eq!(hp_left(&body(State::Dead, -12)), 0);
}

#[test]
fn a_card_covers_other_units_rather_than_the_acting_one() {
    let card = Rect::new(0.0, 0.0, 100.0, 100.0);
    let unit = Rect::new(90.0, 90.0, 130.0, 130.0);
    let acting = cost(card, &[(unit, ACTING)]);
    let others = cost(card, &[(unit, OTHER); 12]);
    assert!(acting > others && others > 0);
    let beside = Rect::new(100.0, 0.0, 140.0, 40.0);
    assert_eq!(cost(card, &[(beside, ACTING)]), 0);
}

#[test]
fn lines_of_all_rows_are_printed_once() {
    let row = |lines: &[&str]| MenuRow {
        label: String::new(),
        lines: lines.iter().map(|&line| line.into()).collect(),
        brief: String::new(),
        forfeits: None,
        in_brief: 0,
        percent: None,
        is_drop_first: false,
        picks: Picks::Nothing(String::new()),
        is_pass: false,
    };
    let rows = [row(&["hits: 60%", "falls 10 ft"]), row(&["hits: 60%"])];
    assert_eq!(shared(&rows), ["hits: 60%"]);
    assert!(shared(&rows[..1]).is_empty());
}
