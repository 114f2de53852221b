//! Levels: the shipped ones have no problems, and every mistake in a level file is reported.

mod lessons;

use crate::kit::{assert_problems as expect, told};
use fivefoot_core::content::{Skill, Trait};
use fivefoot_core::grid::{Cell, Feature};
use fivefoot_core::levels::{
    Approach, Awareness, Control, Diagonals, Goal, Level, Rules, SideIx, Surprise, built_in,
    check_file,
};
use fivefoot_core::rulesets::skirmish::content::SkirmishStats;
use fivefoot_kit::{
    files::{assert_no_panic, beneath, code_blocks},
    level,
};

/// A small level with added fields and some texts replaced.
fn small(more: &str, changes: &[(&str, &str)]) -> String {
    let mut text = SMALL.replace("    // more\n", more);
    for (old, new) in changes {
        assert!(text.contains(old), "{old} is not in the level");
        text = text.replace(old, new);
    }
    text
}

const SMALL: &str = r##"(
    title: "Small",
    map: [
        "....#...",
        "....+...",
        "....#.,~",
    ],
    sides: [(id: "party"), (id: "foes")],
    combatants: [
        (kind: "mara", side: "party", at: (0, 0)),
        (kind: "goblin", side: "foes", at: (6, 1)),
    ],
    exits: [(at: (7, 0))],
    // more
)
"##;

/// Asserts that the small level with some texts replaced has exactly these errors or warnings.
#[track_caller]
fn replaced(changes: &[(&str, &str)], wanted: &[&str]) {
    expect(&small("", changes), wanted);
}

/// Asserts that the small level with added fields has exactly these errors or warnings.
#[track_caller]
fn added(more: &str, wanted: &[&str]) {
    expect(&small(more, &[]), wanted);
}

#[test]
fn shipped_levels_have_no_problems() {
    let files = beneath("levels", "ron");
    assert!(files.len() >= 4);
    for (file, text) in files {
        let wrong = match check_file(&file, &text) {
            Ok((_, hints)) => hints,
            Err(problems) => problems,
        };
        let lines: Vec<_> = wrong.iter().map(|p| p.to_string()).collect();
        assert!(wrong.is_empty(), "{}", lines.join("\n"));
    }
}

#[test]
fn shipped_levels_fit_a_small_window() {
    for level in built_in() {
        let (w, h) = (level.board().width(), level.board().height());
        assert!(
            (14..=20).contains(&w) && h <= 12,
            "{} is {w} by {h}",
            level.id
        );
    }
    let toll_gate = &built_in()[0];
    assert_eq!(toll_gate.id, "toll_gate");
    assert_eq!(toll_gate.combatants.len(), 11);
}

#[test]
fn every_shipped_level_teaches_something_different() {
    assert!(built_in().len() >= 14);
    let told: std::collections::BTreeSet<&str> = built_in()
        .iter()
        .map(|level| level.teaches.as_str())
        .collect();
    assert_eq!(
        told.len(),
        built_in().len(),
        "each has a sentence of its own"
    );
    assert!(told.iter().all(|words| (20..120).contains(&words.len())));
}

#[test]
fn notes_are_read_and_checked() {
    let made = level(&small(
        "    notes: [(text: \"Too open?\", at: (1, 1)), (text: \"Test it.\")],\n",
        &[],
    ));
    let notes: Vec<_> = made.notes.iter().map(|n| (&*n.text, n.at)).collect();
    let at = Some(Cell::new(1, 1));
    assert_eq!(notes, [("Too open?", at), ("Test it.", None)]);
    let text = small(
        "    notes: [(text: \"\"), (txt: \"\", at: (99, 0))],\n",
        &[],
    );
    assert_eq!(told(&text).len(), 3, "{:?}", told(&text));
}

#[test]
fn suitable_rulesets_are_read_and_checked() {
    let text = small(
        "    suits: [Skirmish, Speed],\n    teaches: \"Doors.\",\n",
        &[],
    );
    let made = level(&text);
    assert!(made.suits("Speed") && !made.suits("Phased"));
    assert_eq!(made.teaches, "Doors.");
    let text = small("    rules: Speed,\n", &[]);
    let made = level(&text);
    assert!(made.suits("Speed") && !made.suits("Skirmish"));
    added(
        "    suits: [Skirmish, Skirmish, Sped],\n",
        &[
            "14:23: `Skirmish` is here twice; keep one",
            "14:33: unknown ruleset `Sped`; did you mean `Speed`?",
        ],
    );
    let text = small("    suits: [Speed],\n    rules: Speed,\n", &[]);
    assert!(told(&text)[0].contains("do not go together"));
}

#[test]
fn a_side_can_have_a_hit_point_bonus_under_some_rulesets() {
    let sturdy = [(
        "(id: \"foes\")",
        "(id: \"foes\", sturdier: (Segments: 10, Speed: 40))",
    )];
    let made = level(&small("", &sturdy));
    let enemies = made.side(SideIx(1));
    let steps = fivefoot_core::rulesets::ALL.map(|rules| enemies.steps(rules.id));
    assert_eq!(steps, [0, 10, 0, 40, 0]);
    let bears = |level: &std::sync::Arc<Level>, rules| {
        use fivefoot_core::battle::{Battle, Body, DiceBox, Id, level_setup, of_unit};
        let battle = Battle::new(level_setup(level), rules, DiceBox::seeded(1));
        of_unit::<Body>(battle.world(), Id(1)).max_hp
    };
    let plain = level(&small("", &[]));
    for (rules, more) in std::iter::zip(fivefoot_core::rulesets::ALL, steps) {
        let (with, without) = (bears(&made, rules), bears(&plain, rules));
        let added = fivefoot_core::battle::handicap::added(without, more);
        assert_eq!(with, without + added, "{}", rules.id);
        // The player's handicap is added to it.
        let both = made.with_handicaps(&[0, 4]);
        let added = fivefoot_core::battle::handicap::added(without, more + 4);
        assert_eq!(bears(&both, rules), without + added, "{}", rules.id);
    }
    let wrong = [(
        "(id: \"foes\")",
        "(id: \"foes\", sturdier: (Sped: 10, Speed: 41))",
    )];
    assert_eq!(told(&small("", &wrong)).len(), 2);
}

#[test]
fn the_bench_level_is_as_documented() {
    let files = beneath("levels/bench", "ron");
    let (file, text) = files
        .iter()
        .find(|(f, _)| f.ends_with("open_4v4.ron"))
        .unwrap();
    let (level, _) = check_file(file, text).unwrap();
    let board = level.board();
    assert_eq!((board.width(), board.height()), (20, 20));
    let wall = |c: &Cell| board.ground(*c).unwrap().feature == Feature::Wall;
    assert_eq!(board.cells().filter(wall).count(), 24);
    for (side, column) in [(0, 0), (1, 19)] {
        let members: Vec<_> = level
            .combatants
            .iter()
            .filter(|c| c.side == SideIx(side))
            .collect();
        assert_eq!(members.len(), 4);
        assert!(members.iter().all(|c| c.cell.x == column));
    }
}

#[test]
fn all_level_fields_are_read() {
    let text = small(
        r#"
    briefing: "Go.",
    rules: Skirmish,
    diagonals: FiveTen,
    surprise: Check(by: "party", how: Stealth),
    reinforcements: [(round: 3, combatants: [(kind: "goblin", side: "foes", at: (7, 0))])],
    objectives: [(side: "party", goal: Reach(area: (7, 0)), text: "Out")],
    last_round: 12,
"#,
        &[
            (
                "(id: \"party\")",
                "(id: \"party\", start: Rect((0, 0), (1, 2)), awareness: Alert)",
            ),
            (
                "(kind: \"mara\", side: \"party\", at: (0, 0))",
                "(kind: \"mara\", side: \"party\", hp: 1, prone: true, stalks: \"goblin 2\")",
            ),
            (
                "at: (6, 1)",
                "at: (6, 1), awareness: Unaware, hidden: true, leader: true, with: (skirmish: (hp: 19), traits: [Minion])",
            ),
        ],
    );
    let level = level(&text);
    assert_eq!(
        (level.id.as_str(), level.rules),
        ("level", Some(Rules("Skirmish")))
    );
    assert_eq!(
        (level.diagonals, level.last_round),
        (Diagonals::FiveTen, Some(12))
    );
    let board = level.board();
    assert_eq!(
        board.ground(Cell::new(4, 1)).unwrap().feature,
        Feature::Door { open: false }
    );
    assert!(board.ground(Cell::new(6, 2)).unwrap().rough);
    assert!(board.ground(Cell::new(7, 2)).unwrap().water);

    let party = level.side(SideIx(0));
    assert_eq!(
        (party.name.as_str(), party.control),
        ("The party", Control::Player)
    );
    assert_eq!(level.side(SideIx(1)).control, Control::Ai);
    let names: Vec<_> = level.combatants.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["mara", "goblin 2", "goblin"]);
    let [mara, first, second] = &level.combatants[..] else {
        panic!()
    };
    assert_eq!(
        (mara.cell, mara.wounds, mara.awareness),
        (
            Cell::new(0, 0),
            mara.creature.section::<SkirmishStats>().hp - 1,
            Awareness::Alert
        )
    );
    assert!(mara.prone && mara.stalks == level.combatant_named("goblin 2"));
    assert!(first.hidden && first.leader && first.creature.has(Trait::Minion));
    assert_eq!(
        (
            first.creature.section::<SkirmishStats>().hp,
            second.creature.section::<SkirmishStats>().hp == 19
        ),
        (19, false)
    );
    assert_eq!(
        (first.arrives, second.arrives, first.number),
        (None, Some(3), 2)
    );

    let against = vec![SideIx(1)];
    let check = Surprise::Check {
        by: SideIx(0),
        how: Approach::Stealth,
        against,
    };
    assert_eq!(level.surprise, check);
    let [out, all] = &level.objectives[..] else {
        panic!()
    };
    let mara = level.combatant_named("mara").unwrap();
    let area = vec![Cell::new(7, 0)];
    assert_eq!(
        out.goal,
        Goal::Reach {
            who: vec![mara],
            count: 1,
            area
        }
    );
    // The other side has no objective, so it must defeat the party.
    assert_eq!(all.goal, Goal::Defeat(vec![mara]));
    assert_eq!(level.exits[0].sides, [SideIx(0), SideIx(1)]);
}

#[test]
fn a_level_can_define_kinds() {
    let text = small(
        r#"
    kinds: (
        creatures: {
            "warlord": (like: "watchman", hit_dice: 3, weapons: ["cleaver"], armour: None, shield: None),
            "mara": (like: "mara", skills: (talk: 2)),
        },
        weapons: { "cleaver": (like: "hand_axe", ranged: None, damage: "1d8") },
    ),
"#,
        &[("kind: \"goblin\"", "kind: \"warlord\"")],
    );
    let level = level(&text);
    let [mara, warlord] = &level.combatants[..] else {
        panic!()
    };
    assert_eq!(mara.creature.skill(Skill::Talk), Some(2));
    assert_eq!(mara.creature.skill(Skill::Stab), Some(1));
    assert_eq!(warlord.name, "warlord");
    assert_eq!(warlord.creature.section::<SkirmishStats>().attack_bonus, 3);
    assert_eq!(warlord.creature.section::<SkirmishStats>().ac_melee, 10);
    assert_eq!(warlord.creature.weapons[0].damage.to_string(), "1d8");
}

#[test]
fn all_errors_are_reported_at_once() {
    let text = small(
        "    objectivs: [],\n",
        &[
            ("title:", "titel:"),
            ("\"....+...\"", "\"....+..?\""),
            ("kind: \"goblin\"", "kind: \"gobblin\""),
            ("side: \"foes\"", "side: \"foe\""),
            ("at: (7, 0)", "at: (8, 0)"),
        ],
    );
    expect(
        &text,
        &[
            "2:5: unknown field `titel`; did you mean `title`?",
            "5:17: unknown legend character '?' at (7, 1); say what it means: \
             `legend: {'?': Open}`; known are ` `, `#`, `+`, `,`, `.`, `/`, `=`, `o`, `~`",
            "11:16: unknown kind `gobblin`; did you mean `goblin`?",
            "11:33: unknown side `foe`; did you mean `foes`?",
            "13:18: (8, 0) is off the map; columns run from 0 to 7, rows from 0 to 2",
            "14:5: unknown field `objectivs`; did you mean `objectives`?",
        ],
    );
}

#[test]
fn small_mistakes_have_a_position_and_hide_no_others() {
    // After a forgotten comma, `=` for `:` or a name in quotes, the rest is still read.
    replaced(
        &[
            ("title: \"Small\",", "title: \"Small\""),
            ("at: (0, 0)", "at = (0, 0)"),
            ("(kind: \"goblin\"", "(\"kind\": \"goblim\""),
        ],
        &[
            "2:19: a comma is missing here",
            "10:42: expected `:` after `at`, found `=`",
            "11:10: the name of a field is written without quotes",
            "11:18: unknown kind `goblim`; did you mean `goblin`?",
        ],
    );
    // A missing or extra bracket is the only error reported, because the rest is uncertain.
    replaced(
        &[("at: (6, 1)),", "at: (6, 1),")],
        &["11:9: this `(` is never closed; put `)` where it ends"],
    );
    replaced(
        &[("at: (6, 1)),", "at: (6, 1))),")],
        &["11:51: this `)` is one too many; leave it out"],
    );
    let string = small("", &[("\"Small\"", "\"Small")]);
    assert!(
        told(&string)[0].starts_with("2:12: "),
        "{:?}",
        told(&string)
    );
    let ends = &SMALL[..SMALL.find("(kind").unwrap()];
    expect(
        ends,
        &["9:17: this `[` is never closed; put `]` where it ends"],
    );
    let nothing = "there is nothing in this file; \
                   a file is one group `(name: value, …)`; docs/levels.md has a whole level";
    expect("", &[&format!("1:1: {nothing}")]);
    expect("// only this", &[&format!("1:13: {nothing}")]);
    expect(
        "[1, 2]",
        &["1:1: expected a level as `(name: value, …)`, found a list `[…]`"],
    );
    expect(
        &format!("{SMALL} 7"),
        &["16:2: `7` follows the bracket that ends the file; \
           delete what follows, or move that bracket to the end"],
    );
    let deep = "(a: ".repeat(100_000);
    assert!(told(&deep)[0].contains("too many brackets"));
}

#[test]
fn maps_with_mistakes_are_refused() {
    replaced(
        &[("\"....#...\"", "\"....#..\"")],
        &["4:17: this row is too short: 7 cells, where the others have 8; add 1 character"],
    );
    replaced(
        &[("\"....#.,~\"", "\"....#.,~..\"")],
        &["6:18: this row is too long: 10 cells, where the others have 8; leave 2 characters out"],
    );
    let legend =
        "    legend: {'x': Wal, 'y': (flor: 3, feature: Window(Z)), \"z\": Open, 'y': Open},\n";
    added(
        legend,
        &[
            "14:19: unknown feature `Wal`; did you mean `Wall`?",
            "14:30: unknown field `flor`; did you mean `floor`?",
            "14:55: unknown axis `Z`; did you mean `X`?",
            "14:60: expected a single character in single quotes, found \"z\"; write `'z'`",
            "14:71: 'y' is in the legend twice; keep one",
        ],
    );
    let boxes = "    legend: {'x': Blocks([(from: (0, 0, 0), to: (5, 5, 0))])},\n";
    assert!(told(&small(boxes, &[]))[0].starts_with("14:27: this box is flat"));
    replaced(
        &[("\"....#...\"", "7")],
        &["4:9: expected text in double quotes, found 7"],
    );
}

#[test]
fn taken_or_solid_places_are_refused() {
    replaced(
        &[("at: (6, 1)", "at: (4, 1)")],
        &[
            "11:44: `goblin` cannot stand in (4, 1): something solid is there; move it to a free cell",
        ],
    );
    replaced(
        &[("\"goblin\"", "\"ogre\""), ("(6, 1)", "(7, 1)")],
        &[
            "11:42: `ogre` takes 2 by 2 cells and would leave the map; its cell is the north-west one",
        ],
    );
    replaced(
        &[(", at: (6, 1)", "")],
        &["11:9: `goblin` has no place; write `at: (column, row)`, or give `foes` a `start`"],
    );
    let full = small(
        "",
        &[
            ("(id: \"foes\")", "(id: \"foes\", start: (6, 1))"),
            ("at: (6, 1)", "count: 2"),
        ],
    );
    expect(
        &full,
        &["11:9: no room for `goblin 2` in the start area of `foes`; make it larger"],
    );
    // The units of one entry are reported together.
    let two = full.replace("count: 2", "count: 4");
    expect(
        &two,
        &["11:9: no room for `goblin 2` and 2 more in the start area of `foes`; make it larger"],
    );
    replaced(
        &[("at: (6, 1)", "at: 'g'")],
        &["11:44: no row of the map has 'g'; write it into one, with `legend: {'g': Open}`"],
    );
}

#[test]
fn mistakes_in_units_and_sides_are_refused() {
    replaced(
        &[("(id: \"foes\")", "(id: \"foes\"), (id: \"third\")")],
        &["8:47: the side `third` has no members; give a combatant `side: \"third\"`"],
    );
    replaced(
        &[
            (", (id: \"foes\")", ""),
            ("side: \"foes\"", "side: \"party\""),
        ],
        &[
            "1:1: there is only one side; a battle needs two",
            "8:12: a battle has 2 to 7 sides, and this one has 1; add one as `(id: \"foes\")`",
        ],
    );
    let names = small("", &[("\"goblin\",", "\"goblin\", name: \"Mara\",")]);
    assert!(
        told(&names)[0].starts_with("11:32: \"Mara\" cannot be a name; use up to 30 lower-case")
    );
    replaced(
        &[("\"goblin\",", "\"goblin\", name: \"mara\",")],
        &["11:32: two combatants are called `mara`; give one another `name`"],
    );
    replaced(
        &[(
            "at: (6, 1)",
            "at: (6, 1), hp: 99, with: (skirmish: (hp: 7))",
        )],
        &[
            "11:56: 99 HP are more than it has unhurt; it has 7; `with: (skirmish: (hp: 99))` gives it more",
        ],
    );
    replaced(
        &[(
            "at: (6, 1)",
            "at: (6, 1), with: (shield: \"mail\", sped: 20)",
        )],
        &[
            "11:67: `mail` is no shield; write `armour:`",
            "11:75: unknown field `sped`; did you mean `speed`?",
        ],
    );
    let hands = small(
        "",
        &[(
            "at: (6, 1)",
            "at: (6, 1), with: (weapons: [\"halberd\"], shield: \"buckler\")",
        )],
    );
    assert!(told(&hands)[0].starts_with("11:58: `goblin` holds more than two hands can"));
    replaced(
        &[("at: (6, 1)", "at: (6, 1), stalks: \"marra\"")],
        &["11:60: unknown combatant `marra`; did you mean `mara`?"],
    );
    replaced(
        &[("at: (6, 1)", "at: (6, 1), stalks: \"mara\"")],
        &["11:60: `mara` is not unaware; only a unit with `awareness: Unaware` can be stalked"],
    );
}

#[test]
fn goals_that_cannot_be_met_are_reported() {
    let walled = small(
        "    objectives: [(side: \"party\", goal: Reach(area: (5, 0)))],\n",
        &[
            ("\"....+...\"", "\"....#...\""),
            ("at: (7, 0)", "at: (7, 0), sides: [\"foes\"]"),
        ],
    );
    expect(
        &walled,
        &["14:40: nobody of `party` can get there; \
           walls, pits and ledges over 5 ft stop units that cannot climb"],
    );
    replaced(
        &[("\"....+...\"", "\"....#...\"")],
        &[
            "13:18: nobody of `party` can get to this exit; name the sides that can with `sides: […]`",
        ],
    );
    let goals = r#"
    objectives: [
        (side: "party", goal: Defet),
        (side: "party", goal: Protect(["goblin 7"])),
        (side: "party", goal: Survive(round: 3)),
        (side: "party", goal: Survive(rounds: 9)),
        (side: "party", goal: Defeat(["mara"])),
        (side: "party", goal: Reach(area: 'q', count: 3)),
        (side: "party", goal: Survive(rounds: 3), vital: true),
    ],
    last_round: 5,
"#;
    added(
        goals,
        &[
            "16:31: unknown goal `Defet`; did you mean `Defeat`?",
            "17:40: unknown combatant or side `goblin 7`; did you mean `goblin`?",
            "18:39: unknown field `round`; did you mean `rounds`?",
            "19:31: this takes 9 rounds, and the last round is 5; ask for fewer rounds, or raise `last_round`",
            "20:39: a side cannot be asked to defeat its own members; name enemies only",
            "21:43: no row of the map has 'q'; write it into one, with `legend: {'q': Open}`",
            "21:55: only 1 unit can reach it; lower `count`",
            "22:58: only `Protect` and `Reach` can be lost while their side fights on; leave `vital` out",
        ],
    );
    added(
        "    surprise: Caught([\"party\", \"foes\"]),\n",
        &["14:22: some side has to surprise the others; leave a side out"],
    );
}

#[test]
fn likely_oversights_are_warnings() {
    replaced(
        &[("    exits: [(at: (7, 0))],\n", "")],
        &[
            "1:1: there are no exits, so `goblin` and others cannot flee; \
           add `exits` if units should be able to flee",
        ],
    );
    // An exit for other sides only.
    replaced(
        &[("(at: (7, 0))", "(at: (0, 0), sides: [\"party\"])")],
        &["8:33: no exit is for `foes`, so `goblin` cannot flee; \
           add an exit with `sides: [\"foes\"]` if it should be able to"],
    );
    // Several leaders, and one colour for two sides, also where one of them is the default.
    replaced(
        &[("at: (6, 1)", "at: [(6, 1), (7, 1)], leader: true")],
        &["11:70: all 2 units of this entry lead; give the leader an entry of its own"],
    );
    replaced(
        &[("(id: \"foes\")", "(id: \"foes\", colour: Blue)")],
        &["8:49: `party` and `foes` have the same colour; give one of them another `colour`"],
    );
    replaced(
        &[("\"Small\"", "\"Sm\u{1b}all\"")],
        &["2:15: there is an invisible character, '\\u{1b}', in the title; delete it"],
    );
    replaced(
        &[("\"Small\"", "\"Small\\nhouse\"")],
        &["2:12: there is a line break in the title; delete it"],
    );
    added(
        "    rules: Demo,\n    pack: (),\n",
        &[
            "14:12: `Demo` is not offered to players; name another ruleset, or leave `rules` out",
            "15:11: `pack` is empty; leave `pack` out",
        ],
    );
    // Heroes never flee, so they need none.
    replaced(&[("(at: (7, 0))", "(at: (7, 0), sides: [\"foes\"])")], &[]);
}

#[test]
fn author_licence_and_version_are_read() {
    let about = level(&small("", &[])).about.clone();
    assert!(about.is_empty() && about.to_string().is_empty());
    let more = "author: \"Ann\\n Miller\", version: \"1.2-rc\", licence: \"CC-BY-4.0\",\n\
                source: \"example.org/ferry\", needs: \"0.1\",\n";
    let about = level(&small(more, &[])).about.clone();
    assert_eq!(
        about.to_string(),
        "by Ann Miller, version 1.2-rc, CC-BY-4.0, from example.org/ferry, needs Fivefoot 0.1.0"
    );
    let this = env!("CARGO_PKG_VERSION");
    level(&small(&format!("needs: {this:?},\n"), &[]));
    added(
        "needs: \"99.0\",\n",
        &[&format!(
            "14:8: this level needs Fivefoot 99.0.0 or later, this is {this}; install a later version \
             of the game"
        )],
    );
    for off in ["1", "1.2.3.4", "1.x", "", "+1.2", "1.2-rc"] {
        let told = told(&small(&format!("needs: {off:?},\n"), &[]));
        assert!(
            told[0].contains("is no version of the game"),
            "{off}: {told:?}"
        );
    }
    added(
        "author: \"\",\n",
        &["14:9: this text is empty; write something in it"],
    );
}

#[test]
fn no_input_makes_the_reader_panic() {
    for (file, text) in beneath("levels", "ron") {
        assert_no_panic(&file, &text, |text| drop(check_file(&file, text)));
    }
}

#[test]
fn the_examples_in_the_docs_are_valid_levels() {
    let pages = [
        ("docs/levels.md", include_str!("../../docs/levels.md")),
        ("docs/lessons.md", include_str!("../../docs/lessons.md")),
    ];
    let blocks = pages.map(|(file, page)| code_blocks(page).into_iter().map(move |b| (file, b)));
    let mut whole = 0;
    for (file, (line, block)) in blocks.into_iter().flatten() {
        // A whole level is checked as it is; single fields are put into a level.
        let is_whole = block.lines().any(|l| l.starts_with('('));
        whole += usize::from(is_whole);
        let text = if is_whole {
            block.clone()
        } else {
            around(&block)
        };
        if let Err(problems) = check_file(file, &text) {
            let lines: Vec<_> = problems.iter().map(|p| p.to_string()).collect();
            panic!(
                "the example of {file} at line {line}:\n{}\n{text}",
                lines.join("\n")
            );
        }
    }
    assert!(whole >= 1);
}

/// A level with the example's fields, and defaults for the fields that it leaves out.
fn around(fields: &str) -> String {
    let map = r#"map: [
        "..........", "..........", "..x....y..", "..........", "..........",
        "..........", "..........", "..........", "..........", "..........",
    ],"#;
    let all = [
        ("title:", "title: \"Example\","),
        ("map:", map),
        ("legend:", "legend: {'x': Open, 'y': Open},"),
        ("sides:", "sides: [(id: \"party\"), (id: \"goblins\")],"),
        (
            "combatants:",
            "combatants: [(kind: \"mara\", side: \"party\", at: (1, 1)), \
             (kind: \"sergeant\", name: \"captain\", side: \"goblins\", at: (7, 2)), \
             (kind: \"goblin\", side: \"goblins\", at: [(5, 1), (5, 2), (5, 3)])],",
        ),
    ];
    let mut text = String::from("(\n");
    for (name, given) in all {
        let has = fields.lines().any(|l| l.trim_start().starts_with(name));
        text.push_str(if has { "" } else { given });
    }
    if fields.starts_with("legend:") {
        text = text.replace("..x....y..", "..........");
    }
    format!("{text}\n{fields}\n)")
}

/// Every level was measured as it is; the first is won by who makes a beginner's mistakes.
#[test]
fn levels_are_ordered_by_what_was_measured() {
    use fivefoot_core::lab::measured::{self, Hardness, by_difficulty};
    for level in built_in() {
        let known = measured::of(level);
        let known = known.unwrap_or_else(|| {
            let again = "fivefoot-measure levels assets/levels.json";
            panic!("{} has changed: measure it with `{again}`", level.id)
        });
        let suited: Vec<&str> = measured::rulesets_of(level).map(|r| r.id).collect();
        assert_eq!(known.rules.len(), suited.len(), "{}", level.id);
        for rules in suited {
            let of = known.rules[rules];
            assert!(of.rounds >= 1.0 && (0.0..=100.0).contains(&of.won));
        }
    }
    let all = by_difficulty();
    assert_eq!(all.len(), built_in().len());
    let rules = fivefoot_core::rulesets::ALL[0].id;
    assert!(all.is_sorted_by_key(|level| Hardness::under(level, rules)));
    let won = |level: &Level| measured::under(level, rules).map(|of| of.won);
    assert!(all.is_sorted_by(|one, next| won(one) >= won(next)));
    assert_eq!(all[0].id, "hen_house");
    for rules in measured::rulesets_of(&all[0]) {
        let won = (1..=20).filter(|&seed| measured::fight(&all[0], rules, seed).0);
        assert!(won.count() >= 16, "{}", rules.id);
    }
}
