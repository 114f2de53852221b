//! The messages of `check`: each mistake is reported once, at its position and with a fix.

use crate::kit::{LEVEL, assert_told as expect, changed, told};

#[test]
fn an_unclosed_bracket_is_reported_once_where_it_opens() {
    // Lists, groups and maps, closed at the end of a line or within one.
    let list = "9:12: this `[` is never closed; put `]` where it ends";
    expect(
        &[("exits: [(at: (7, 0))],", "exits: [(at: (7, 0)),")],
        &[list],
    );
    let map = "3:10: this `[` is never closed; put `]` where it ends";
    expect(&[("\"....#...\"],", "\"....#...\",")], &[map]);
    let group = "6:9: this `(` is never closed; put `)` where it ends";
    expect(&[("at: (0, 0)),", "at: (0, 0),")], &[group]);
    let cell = "6:43: this `(` is never closed; put `)` where it ends";
    expect(&[("at: (0, 0)),", "at: (0, 0,")], &[cell]);
    let legend = "2:13: this `{` is never closed; put `}` where it ends";
    expect(&[("title:", "legend: {'q': Wall, title:")], &[legend]);
    let side = "4:13: this `(` is never closed; put `)` where it ends";
    expect(&[("(id: \"party\")", "(id: \"party\"")], &[side]);
    // Earlier mistakes are still reported.
    expect(
        &[
            ("title: \"Small\",", "title = \"Small\","),
            ("at: (0, 0)),", "at: (0, 0),"),
        ],
        &["2:11: expected `:` after `title`, found `=`", group],
    );
}

#[test]
fn an_unclosed_quote_is_reported_once_where_it_opens() {
    let at = |place: &str| format!("{place}: this string is never closed; put `\"` at its end");
    expect(&[("\"Small\"", "\"Small")], &[&at("2:12")]);
    expect(&[("\"Small\"", "Small\"")], &[&at("2:17")]);
    expect(&[("\"goblin\"", "\"goblin")], &[&at("7:16")]);
    expect(&[("side: \"foes\"", "side: \"foes")], &[&at("7:32")]);
    // An unclosed map row, before one that begins with a comma.
    expect(
        &[("\"....+...\", \"....#...\"", "\"....+..., \n\",...#...\"")],
        &[&at("3:23")],
    );
    expect(&[("\"........\",", "\"........,")], &[&at("3:11")]);
    let last = format!("{} \"", LEVEL.trim_end().trim_end_matches(')'));
    assert_eq!(told(&last), [at("10:2")]);
    // Text over several lines is allowed. A missing comma between strings is no unclosed quote.
    expect(&[("title:", "briefing: \"One,\n two.\", title:")], &[]);
    expect(
        &[("title:", "briefing: \"a\n b\", title:"), ("Small", "S\n")],
        &["3:15: there is a line break in the title; delete it"],
    );
    expect(
        &[("\"....+...\", ", "\"....+...\" ")],
        &["3:33: a comma is missing here"],
    );
}

#[test]
fn a_curly_quote_is_reported_once() {
    let at = |place: &str| {
        format!(
            "{place}: expected a value, found the curly quote `“`; text stands in plain quotes: `\"like this\"`"
        )
    };
    expect(&[("\"Small\"", "“Small”")], &[&at("2:12")]);
    expect(
        &[("\"Small\"", "“A very, very (small) place”")],
        &[&at("2:12")],
    );
    expect(&[("\"Small\"", "“Small\"")], &[&at("2:12")]);
    expect(&[("\"Small\"", "“The \"old\" gate”")], &[&at("2:12")]);
    expect(&[("\"goblin\"", "“goblin”")], &[&at("7:16")]);
    expect(
        &[("kind: \"goblin\"", "“kind”: \"goblin\"")],
        &["7:10: the name of a field is written without quotes"],
    );
    let ends = "2:12: this string is never closed; it ends in a curly quote: write `\"`";
    expect(&[("\"Small\"", "\"Small”")], &[ends]);
}

#[test]
fn an_exit_in_a_wall_is_refused() {
    let exit =
        "9:18: this exit is inside something solid: (4, 0); put it on cells where a unit can stand";
    expect(
        &[
            ("........\", \"....+", "....#...\", \"....+"),
            ("(7, 0)", "(4, 0)"),
        ],
        &[exit],
    );
    let place = "2:27: this place is inside something solid: (4, 2); put it on cells where a unit can stand";
    let goal = "objectives: [(side: \"party\", goal: Reach(area: (4, 2)))], title:";
    let found = told(&changed(&[("title:", goal)]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].split(": ").nth(1), place.split(": ").nth(1));
    // An exit with only some cells in a wall is allowed, and so is one in a door, which can be
    // opened.
    expect(&[("(7, 0)", "Rect((4, 0), (4, 2))")], &[]);
    expect(&[("(7, 0)", "(4, 1)")], &[]);
    // Free ground that no unit can reach gets its own message.
    let island = told(&changed(&[
        ("........\", \"....+...", "......#.\", \"....+.##"),
        ("(6, 1)", "(5, 2)"),
    ]));
    assert!(
        island[0].contains("nobody of `party` can get to this exit"),
        "{island:?}"
    );
}

#[test]
fn mistakes_next_to_an_unknown_kind_are_found() {
    expect(
        &[
            ("\"goblin\"", "\"gobblin\""),
            (
                "(6, 1)",
                "(6, 1), hp: 0, with: (skirmish: (hp: 0), sped: 3)",
            ),
        ],
        &[
            "7:16: unknown kind `gobblin`; did you mean `goblin`?",
            "7:57: expected a whole number from 1 to 1000, found 0",
            "7:82: expected a whole number from 1 to 1000, found 0",
            "7:86: unknown field `sped`; did you mean `speed`?",
        ],
    );
}

#[test]
fn a_repeated_cell_is_reported() {
    let twice = "7:53: (7, 1) is here twice; keep one";
    expect(&[("(6, 1)", "[(7, 1), (7, 1)]")], &[twice]);
    expect(&[("(6, 1)", "[(7, 1), Rect((6, 1), (7, 1))]")], &[twice]);
    expect(
        &[("(7, 0)", "[(7, 0), (7, 0)]")],
        &["9:27: (7, 0) is here twice; keep one"],
    );
    // Overlapping areas are allowed.
    expect(&[("(7, 0)", "[(7, 0), Rect((6, 0), (7, 1))]")], &[]);
}

#[test]
fn counts_use_singular_and_plural() {
    let row = "3:37: this row is too short: 1 cell, where the others have 8; add 7 characters";
    expect(
        &[("\"....+...\"", "\"........\""), ("\"....#...\"", "\".\"")],
        &[row],
    );
}

#[test]
fn unused_kinds_and_fields_are_warned_of() {
    // Kinds that the level defines and nothing uses.
    let kinds = "kinds: (
        weapons: {\"hook\": (like: \"dagger\"), \"gaff\": (like: \"spear\")},
        armour: {\"fur\": (ac: 11)},
        spells: {\"spark\": (like: \"fire_bolt\")},
        creatures: {
            \"fisher\": (hit_dice: 1, weapons: [\"gaff\"]),
            \"angler\": (like: \"fisher\"),
            \"goblin\": (like: \"goblin\", morale: 3),
        },
    ),
    title:";
    let help = "leave it out, or name it where it is wanted";
    expect(
        &[("title:", kinds)],
        &[
            &format!("3:19: nobody uses the weapon `hook`; {help}"),
            &format!("4:18: nobody uses the armour or shield `fur`; {help}"),
            &format!("5:18: nobody uses the spell `spark`; {help}"),
            &format!("8:13: nobody uses the creature `angler`; {help}"),
        ],
    );
    let late = |round: u32| {
        format!(
            "last_round: 5, reinforcements: [(round: {round}, combatants: [(kind: \"goblin\", side: \"foes\", at: (7, 2))])], title:"
        )
    };
    expect(&[("title:", &late(5))], &[]);
    expect(
        &[("title:", &late(6))],
        &[
            "2:45: these reinforcements never come: round 6 is after the last round, 5; let them come earlier, or raise `last_round`",
        ],
    );
    let check = "surprise: Check(by: \"party\", how: Stealth), title:";
    expect(&[("title:", check)], &[]);
    let alert = ("(id: \"foes\")", "(id: \"foes\", awareness: Alert)");
    expect(
        &[("title:", check), alert],
        &[
            "2:15: all units that this is against are alert; an alert unit is surprised only by units that are `hidden`",
        ],
    );
    expect(
        &[
            ("title:", check),
            alert,
            ("at: (0, 0)", "at: (0, 0), hidden: true"),
        ],
        &[],
    );
    let segments = "rules: Segments, surprise: Check(by: \"party\", how: Stealth), title:";
    expect(&[("title:", segments), alert], &[]);
}

#[test]
fn a_part_of_the_round_starts_in_lower_case_only_with_a_number() {
    use fivefoot_core::battle::Moment;
    let moment = |name: &str, count| Moment {
        name: name.into(),
        count,
        ..Moment::default()
    };
    assert_eq!(moment("Count −2", Some(-2)).in_line(), "count −2");
    assert_eq!(moment("Segment 4", Some(4)).in_line(), "segment 4");
    assert_eq!(moment("HIGH: missiles", None).in_line(), "HIGH: missiles");
}
