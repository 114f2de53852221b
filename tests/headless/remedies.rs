//! The messages of `check` for mistakes of level authors: the position and the fix.

use crate::kit::{Cli, LEVEL, assert_told as expect, changed, scenario_problems, told};

/// Errors and warnings in a pack look like those in a single file, with the line quoted.
#[test]
fn a_pack_and_a_file_are_reported_alike() {
    let cli = Cli::new("pack_and_file");
    let odd = changed(&[("title:", "legend: {'q': Wall}, title:")]);
    cli.write("a.ron", &odd);
    std::fs::create_dir_all(cli.home.join("pack/content")).unwrap();
    cli.write("pack/level.ron", &odd);
    let kinds = "(\n  creatures: {\"rat\": (like: \"goblin\")},\n)";
    cli.write("pack/content/rats.ron", kinds);
    let checked = cli.run(&["check", "a.ron", "pack"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let own = |file: &str| {
        format!(
            "{file}:2:14: warning: 'q' is in the legend, and in no row of the map; \
             leave it out, or put it on the map\n \
             2 |     legend: {{'q': Wall}}, title: \"Small\",\n   |              ^^^\n"
        )
    };
    let wanted = own("a.ron") + &own("pack/level.ron") + "2 files, no errors, 2 warnings\n";
    assert_eq!(checked.out, wanted);
    // The errors of `sim` look like those of `check`.
    cli.write("pack/content/rats.ron", kinds.replace("goblin", "gobblin"));
    let error = "pack/content/rats.ron:2:29: unknown creature `gobblin`; did you mean `goblin`?\n \
                 2 |   creatures: {\"rat\": (like: \"gobblin\")},\n   |                             ^^^^^^^^^\n";
    assert_eq!(cli.run(&["check", "pack"]).out, error);
    assert_eq!(cli.run(&["sim", "pack"]).err, error);
}

/// Messages write cells as the file does, counted from 0.
#[test]
fn messages_write_cells_as_the_file_does() {
    let known = "known are ` `, `#`, `+`, `,`, `.`, `/`, `=`, `o`, `~`";
    expect(
        &[("\"....+...\"", "\"..?.+.??\"")],
        &[&format!(
            "3:26: unknown legend character '?' at (2, 1), and 2 more; say what it means: \
             `legend: {{'?': Open}}`; {known}"
        )],
    );
    expect(
        &[("(6, 1)", "(8, 1)")],
        &["7:44: (8, 1) is off the map; columns run from 0 to 7, rows from 0 to 2"],
    );
    expect(
        &[("(6, 1)", "(99999999, 1)")],
        &["7:45: expected a whole number from 0 to 7, found 99999999"],
    );
    expect(
        &[("(6, 1)", "(0, 0)")],
        &["7:44: `goblin` and `mara` are both in (0, 0); move one of them"],
    );
}

/// A legend's key that cannot be read is reported, and its characters on the map are not.
#[test]
fn a_character_with_an_unreadable_key_is_reported_once() {
    let row = ("\"....+...\"", "\"..h.+...\"");
    expect(
        &[row, ("title:", "legend: {\"h\": Open}, title:")],
        &["2:14: expected a single character in single quotes, found \"h\"; write `'h'`"],
    );
    expect(
        &[row, ("title:", "legend: {'hh': Open}, title:")],
        &[
            "2:14: single quotes hold one character, such as '#'; a legend has an entry for each \
           character; other text stands in double quotes",
        ],
    );
}

#[test]
fn invisible_characters_in_a_row_are_named() {
    let tab = "3:24: there is a tab in the map at (0, 1); a tab counts as one cell; \
               write `.` for floor, `#` or a blank for a wall";
    expect(&[("\"....+...\"", "\"\t...+...\"")], &[tab]);
    let unseen = |c: &str| {
        format!(
            "3:24: there is an invisible character, '{c}', in the map at (0, 1); \
             delete it, or write a plain blank for a wall"
        )
    };
    let blank = ("\"....+...\"", "\"\u{a0}...+...\"");
    expect(&[blank], &[&unseen("\\u{a0}")]);
    let zero = ("\"....+...\"", "\"\u{200b}...+...\"");
    expect(&[zero], &[&unseen("\\u{200b}")]);
}

/// Another file format is named, and so is a missing bracket.
#[test]
fn a_file_in_another_format_is_named() {
    let group = "a file is one group in RON, `(name: value, …)`";
    let yaml = "title: Small\nmap:\n  - \"....\"\n";
    assert_eq!(
        told(yaml),
        [
            "1:1: expected `(`, found `title:`; put `(` before the first field and `)` after the \
             last; YAML is not read"
        ]
    );
    assert_eq!(
        told(&format!("---\n{yaml}")),
        [format!("1:1: this is YAML, not RON; {group}")]
    );
    let open = LEVEL
        .trim_start_matches('(')
        .trim_end()
        .trim_end_matches(')');
    assert!(told(open)[0].starts_with("2:5: expected `(`, found `title:`; put `(` before"));
    for text in [
        "<level title=\"Small\"/>",
        "<?xml version=\"1.0\"?>\n<level/>",
    ] {
        assert_eq!(
            told(text),
            [format!("1:1: this is XML or HTML, not RON; {group}")]
        );
    }
    for text in [
        "{\"title\": \"Small\"}",
        "{\n  \"title\": \"Small\"\n}",
        "{}",
    ] {
        let json = "1:1: this is JSON, not RON; \
                    write `(name: value)` where JSON has `{\"name\": value}`";
        assert_eq!(told(text), [json]);
    }
    assert_eq!(
        told("title = \"Small\"\n"),
        [
            "1:1: expected `(`, found `title =`; a file is one group `(name: value, …)`; TOML is \
             not read"
        ]
    );
    assert_eq!(
        told("# A level\n(title: \"Small\")"),
        [
            "1:1: expected `(`, found `#`; a comment begins with `//`, and a file is one group \
             `(name: value, …)`"
        ]
    );
    let nothing = "there is nothing in this file; a file is one group `(name: value, …)`; \
                   docs/levels.md has a whole level";
    assert_eq!(told(""), [format!("1:1: {nothing}")]);
    assert_eq!(told(" \n\n"), [format!("3:1: {nothing}")]);
}

/// A comment in a file whose lines end with CR only has no end.
#[test]
fn line_ends_of_cr_only_are_named() {
    let text = format!("// A level.\r{}", LEVEL.replace('\n', "\r"));
    let wanted = "1:1: lines end with CR only; save the file with LF or CRLF as line ends";
    assert_eq!(told(&text), [wanted]);
}

#[test]
fn a_single_backslash_is_marked() {
    expect(
        &[("\"Small\"", "\"Sm\\qall\"")],
        &["2:15: this cannot be read: Unknown escape character; write `\\\\` for a backslash"],
    );
}

/// Only creatures have their section for Speed under another name than `speed`.
#[test]
fn a_speed_section_of_a_creature_is_told_its_name() {
    expect(
        &[("at: (6, 1)", "at: (6, 1), with: (speed: (stress: 6))")],
        &[
            "7:66: the `speed` of a creature is a number, in feet; what it has under Speed is in \
           `speed_rules: (…)`",
        ],
    );
}

/// A field that a scenario and a level share is one of the known fields once.
#[test]
fn known_names_are_listed_once() {
    use fivefoot_core::ron_read::known;
    let listed = known(["rules", "shows", "rules"]);
    assert_eq!(listed, "known are `rules`, `shows`");
}

/// The message marks the extra closing bracket, not the bracket that seems unclosed.
#[test]
fn an_extra_bracket_is_reported_at_its_position() {
    let surplus = |at: &str, c: char| format!("{at}: this `{c}` is one too many; leave it out");
    expect(&[("(6, 1)),", "(6, 1))),")], &[&surplus("7:51", ')')]);
    expect(&[("\"Small\",", "\"Small\"),")], &[&surplus("2:19", ')')]);
    expect(&[("(7, 0))],", "(7, 0))]],")], &[&surplus("9:26", ']')]);
    expect(
        &[("(7, 0))],\n)", "(7, 0))],\n))")],
        &[&surplus("10:2", ')')],
    );
    expect(
        &[("(id: \"foes\")]", "(id: \"foes\")}]")],
        &[&surplus("4:40", '}')],
    );
    // An opening bracket that takes the end of another's.
    let opening = |at: &str| format!("{at}: this `(` is one too many; leave it out");
    expect(&[("\"Small\",", "\"Small\", (")], &[&opening("2:21")]);
    expect(&[("\"Small\"", "(\"Small\"")], &[&opening("2:12")]);
    // A missing bracket is reported where its pair opens.
    expect(
        &[("(7, 0))],", "(7, 0)],")],
        &["9:13: this `(` is never closed; put `)` where it ends"],
    );
}

/// An invalid name is reported where it is defined, not where it is used.
#[test]
fn an_invalid_name_is_reported_once() {
    let id = "use lower-case letters, digits and underscores, a letter first";
    let side = ("(id: \"foes\")", "(id: \"Foes\")");
    let used = ("side: \"foes\"", "side: \"Foes\"");
    let goals = (
        "title:",
        "objectives: [(side: \"party\", goal: Defeat([\"Foes\"]))], surprise: Caught([\"Foes\"]), title:",
    );
    let told_once = format!("4:33: \"Foes\" cannot be an id; {id}");
    expect(&[side, used], &[&told_once]);
    expect(&[side, used, goals], &[&told_once]);
    let other = ("side: \"foes\"", "side: \"fos\"");
    expect(
        &[side, other],
        &[&told_once, "7:32: unknown side `fos`; known are `party`"],
    );
    // The reference is correct, or the copy of a side still has the other's id.
    expect(&[side], &[&told_once]);
    expect(
        &[("(id: \"foes\")", "(id: \"party\")")],
        &["4:33: the side `party` is here twice; keep one, or give this one another `id`"],
    );
    // A side whose id cannot be read may be the one that is used, so only the id is reported.
    let map = ("(id: \"foes\")", "{\"id\": \"foes\"}");
    let shape = "4:28: expected a side as `(name: value, …)`, found a map `{…}`; \
                 write `(` and `)` instead of `{` and `}`";
    expect(&[map], &[shape]);
    // The names of a kind, a weapon and a combatant.
    let kinds = "kinds: (
        weapons: {\"Big Axe\": (like: \"sword\")},
        creatures: {\"Goblin King\": (like: \"goblin\", weapons: [\"Big Axe\"])},
    ), title:";
    expect(
        &[
            ("title:", kinds),
            ("\"goblin\", side", "\"Goblin King\", side"),
        ],
        &[
            &format!("3:19: \"Big Axe\" cannot be an id; {id}"),
            &format!("4:21: \"Goblin King\" cannot be an id; {id}"),
        ],
    );
    expect(
        &[
            ("kind: \"goblin\"", "kind: \"goblin\", name: \"Snag\""),
            (
                "title:",
                "objectives: [(side: \"party\", goal: Defeat([\"Snag\"]))], title:",
            ),
        ],
        &[
            "7:32: \"Snag\" cannot be a name; use up to 30 lower-case letters, digits and single \
             blanks, a letter first",
        ],
    );
    // Also in scenarios, where using a side's name defines it.
    let scenario = r#"(
    rules: Skirmish, proves: ["SK-02"], shows: "A mistake.",
    map: ["....."],
    combatants: [
        (kind: "mara", name: "alice", side: "Party", at: (0, 0)),
        (kind: "mara", name: "bob", side: "Party", at: (1, 0)),
        (kind: "goblin", side: "goblins", at: (3, 0)),
    ],
    orders: ["Party: end turn"],
    expect: (battle: Won("Party")),
)"#;
    assert_eq!(
        scenario_problems(scenario),
        [format!("a.ron:5:45: \"Party\" cannot be an id; {id}")]
    );
}

/// Rounds after the last one are warned of, because the battle is over before.
#[test]
fn rounds_after_the_last_are_warned_of() {
    let late = "reinforcements: [(round: 101, combatants: [(kind: \"goblin\", side: \"foes\", at: (7, 2))])], title:";
    let set = "set `last_round`, which is 100 without it";
    expect(
        &[("title:", late)],
        &[&format!(
            "2:30: these reinforcements never come: round 101 is after the last round, 100; let \
             them come earlier, or {set}"
        )],
    );
    expect(&[("title:", &late.replace("101", "100"))], &[]);
    expect(&[("title:", &format!("last_round: 101, {late}"))], &[]);
    let goal = "objectives: [(side: \"party\", goal: Survive(rounds: 120))], title:";
    expect(
        &[("title:", goal)],
        &[&format!(
            "2:40: this takes 120 rounds, and the last round is 100; ask for fewer rounds, or {set}"
        )],
    );
    expect(&[("title:", &format!("last_round: 120, {goal}"))], &[]);
    expect(
        &[("(id: \"foes\")", "(id: \"foes\", fled_return: 100)")],
        &[&format!(
            "4:33: members of `foes` who flee never come back: 100 rounds later is after the last \
             round, 100; lower `fled_return`, or {set}"
        )],
    );
    let lesson = "rules: Skirmish, lesson: (steps: [(text: \"Wait.\", until: Round(200))]), title:";
    expect(
        &[("title:", lesson)],
        &[&format!(
            "2:68: round 200 never begins: the last round is 100; wait for an earlier one, or {set}"
        )],
    );
}

#[test]
fn protecting_a_unit_that_must_be_defeated_is_warned_of() {
    let goals = |goals: &str| format!("objectives: [{goals}], title:");
    let help = "name with `Defeat([…])` the units it must defeat, and leave this one out";
    // Without further objectives, a side must also defeat all other sides.
    let only = goals("(side: \"party\", goal: Protect([\"goblin\"]))");
    let torn = |at: &str| {
        format!("{at}: `party` has to protect `goblin`, and to defeat it as well; {help}")
    };
    expect(&[("title:", &only)], &[&torn("2:40")]);
    let both = goals(
        "(side: \"party\", goal: Defeat([\"foes\"])), (side: \"party\", goal: Protect([\"goblin\"]))",
    );
    expect(&[("title:", &both)], &[&torn("2:81")]);
    let own = goals("(side: \"party\", goal: Protect([\"mara\"]))");
    expect(&[("title:", &own)], &[]);
    let other = goals(
        "(side: \"party\", goal: Reach(area: (7, 0))), (side: \"party\", goal: Protect([\"goblin\"]))",
    );
    expect(&[("title:", &other)], &[]);
}

#[test]
fn a_unit_that_can_do_nothing_is_warned_of() {
    let late = |at: &str, more: &str| {
        format!(
            "reinforcements: [(round: 3, combatants: [(kind: \"goblin\", side: \"foes\", at: {at}{more})])], title:"
        )
    };
    let map = (
        "\"........\", \"....+...\", \"....#...\"",
        "\"......#.\", \"....+.##\", \"....#...\"",
    );
    let exit = ("at: (7, 0))]", "at: (0, 2))]");
    let first = ("(6, 1)", "(5, 1)");
    let shut_in = "`goblin 2` is shut in: it cannot get to any enemy, nor attack one; \
                   open a way, for example with a door, or move it";
    expect(
        &[map, exit, first, ("title:", &late("(7, 0)", ""))],
        &[&format!("2:81: {shut_in}")],
    );
    // A door lets it out, and a bow lets it attack through a window.
    let door = (map.0, "\"......+.\", \"....+.##\", \"....#...\"");
    expect(&[door, exit, first, ("title:", &late("(7, 0)", ""))], &[]);
    let bow = ", with: (weapons: [\"short_bow\"])";
    let window = (map.0, "\"......w.\", \"....+.##\", \"....#...\"");
    let legend = ("title:", "legend: {'w': Window(X)}, title:");
    expect(
        &[
            window,
            exit,
            first,
            legend,
            ("title:", &late("(7, 0)", bow)),
        ],
        &[],
    );
    expect(
        &[map, exit, first, ("title:", &late("(7, 0)", bow))],
        &[&format!("2:81: {shut_in}")],
    );
    // A unit that never moves can attack units that come to it, if it has a weapon.
    let still = |more: &str| format!("at: (6, 1), with: (speed: 0{more})");
    expect(&[("at: (6, 1)", &still(""))], &[]);
    expect(&[("at: (6, 1)", &still(", weapons: [\"short_bow\"]"))], &[]);
    expect(
        &[("at: (6, 1)", &still(", weapons: []"))],
        &["7:44: `goblin` can neither move nor harm an enemy; \
             give it `speed` or a weapon, or put it beside an enemy"],
    );
    // Two units that never move can only attack each other at range.
    let sword = ", weapons: [\"sword\"]";
    let other = format!("at: (0, 0), with: (speed: 0{sword})");
    let both = [("at: (6, 1)", &*still(sword)), ("at: (0, 0)", &other)];
    assert_eq!(told(&changed(&both)).len(), 2);
    // A side that only has to survive can be anywhere, and so can a unit it protects.
    let goal = "objectives: [(side: \"foes\", goal: Survive(rounds: 5))], title:";
    let cell = "(5, 1)), (kind: \"goblin\", side: \"foes\", at: (7, 0)),";
    expect(&[map, exit, ("(6, 1)),", cell), ("title:", goal)], &[]);
}

/// A reach ends at a height difference (GR-40), so the edge of a pit is not near its floor; and
/// no enemy jumps into it.
#[test]
fn a_unit_in_a_pit_is_shut_in() {
    let shut_in = |floor: &str| {
        let pit = r#"(title: "Pit", map: ["........", "...v....", "........"],
            legend: {'v': FLOOR}, sides: [(id: "a"), (id: "b")],
            kinds: (creatures: {"brute": (hit_dice: 2, weapons: ["sword"], morale: Fearless)}),
            combatants: [
                (kind: "brute", side: "a", at: (3, 1)), (kind: "brute", side: "b", at: (7, 1)),
            ])"#;
        let told = told(&pit.replace("FLOOR", floor));
        told.iter()
            .filter(|line| line.contains("is shut in"))
            .count()
    };
    assert_eq!(shut_in("(floor: -15)"), 1);
    assert_eq!(shut_in("(floor: -15, climbable: true)"), 0);
    assert_eq!(shut_in("(floor: -5)"), 0);
}

/// A unit with speed 0 reaches no goal.
#[test]
fn units_that_cannot_move_reach_no_place() {
    let still = ("at: (0, 0)", "at: (0, 0), with: (speed: 0)");
    let goal = (
        "title:",
        "objectives: [(side: \"party\", goal: Reach(area: (3, 0)))], title:",
    );
    let told = told(&changed(&[still, goal]));
    assert!(
        told[0].contains("nobody of `party` can get there"),
        "{told:?}"
    );
    assert_eq!(told.len(), 1);
    // A side that never moves needs no exit.
    expect(&[still], &[]);
}

/// One small mistake gives one error, with the correct text.
#[test]
fn a_small_mistake_is_reported_once_with_the_fix() {
    let quotes = "text stands in double quotes";
    expect(
        &[("title: \"Small\"", "title \"Small\"")],
        &["2:10: a colon is missing after `title`"],
    );
    expect(
        &[("\"Small\"", "'Small'")],
        &[&format!(
            "2:12: single quotes hold one character, such as '#'; {quotes}"
        )],
    );
    expect(
        &[("kind: \"goblin\"", "kind: goblin")],
        &["7:16: expected text in double quotes, found `goblin`; write `\"goblin\"`"],
    );
    let units = ("combatants: [", "combatants: {");
    expect(
        &[units, ("    ],\n    exits", "    },\n    exits")],
        &["5:17: `{…}` has keys and values, `key: value`; write a list with `[` and `]`"],
    );
    expect(
        &[("\"Small\",", "\"Small\";")],
        &["2:19: expected `,`, found `;`; write `,`"],
    );
    let level = format!("Level{LEVEL}");
    let found = "1:1: expected a level as `(name: value, …)`, found `Level(…)`; leave `Level` out";
    assert_eq!(told(&level), [found]);
    let goals = "objectives: [(side: \"party\", goal: Defeat(\"goblin\")), (side: \"party\", goal: Survive(8)), (side: \"party\", goal: Reach(area: (1, 1), who: [\"goblin\"], count: 4))], title:";
    expect(
        &[("title:", goals)],
        &[
            "2:47: expected a list `[…]`, found \"goblin\"; write `[\"goblin\"]`",
            "2:88: expected `Survive(rounds: 8)`, found `(…)`; give each value its name",
            "2:116: `goblin` is not of `party`, and cannot reach a place for it; \
             name members of the side in `who`",
            "2:160: only 1 unit can reach it; lower `count`",
        ],
    );
    expect(
        &[("exits: [(at: (7, 0))]", "exits: [at: (7, 0)]")],
        &[
            "9:13: expected an exit as `(name: value, …)`, found `at`",
            "9:15: expected `,`, found `:`; put the text in double quotes, or `(name: value)` in brackets",
        ],
    );
    expect(
        &[(
            "title:",
            "reinforcements: [(round: 2, combatants: [])], title:",
        )],
        &["2:45: nobody comes in with these; leave this entry out"],
    );
}
