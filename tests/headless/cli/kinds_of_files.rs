//! Detecting what kind of file a RON file is, and the errors when another kind is expected.

use crate::kit::{Cli, FAILING, LEVEL};

/// The fields of [`FAILING`], with `proves` misspelt.
const SCENARIO: [&str; 6] = [
    "rules: Skirmish",
    "provse: [\"GR-10\"]",
    "shows: \"Nothing.\"",
    "map: [\"...\"]",
    "combatants: [(kind: \"mara\", side: \"a\", at: (0, 0)), (kind: \"goblin\", side: \"b\", at: (2, 0))]",
    "expect: (sight: [(from: (0, 0), to: (2, 0), los: true)])",
];

#[test]
fn a_scenario_is_recognised_by_its_fields() {
    let cli = Cli::new("fields");
    // On one line or several, with and without a comment before the first bracket.
    for (between, before) in [(", ", ""), (",\n", ""), (",\n\n    ", "// A case.\n\n")] {
        cli.write("a.ron", format!("{before}({})", SCENARIO.join(between)));
        let checked = cli.run(&["check", "a.ron"]);
        let wanted = "unknown field `provse`; did you mean `proves`?";
        assert!(checked.out.contains(wanted), "{checked:?}");
        assert!(checked.err.starts_with("1 error in 1 file"), "{checked:?}");
    }
    // Any field that only scenarios have is enough.
    let level = ["rules: Skirmish", SCENARIO[3], SCENARIO[4]].join(", ");
    for own in [
        "proves: []",
        "shows: \"\"",
        "dice: []",
        "orders: []",
        "expect: ()",
    ] {
        cli.write("a.ron", format!("({level}, {own})"));
        let out = cli.run(&["check", "a.ron"]).out;
        assert!(!out.contains("a level needs"), "{own}: {out}");
        assert!(out.contains("a scenario needs"), "{own}: {out}");
    }
    // Field names inside strings and comments do not count.
    let text =
        "// proves: [], orders: []\n    briefing: \"(\\nproves: [],\\norders: [],\\n)\", title:";
    cli.write("a.ron", LEVEL.replacen("title:", text, 1));
    let checked = cli.run(&["check", "a.ron"]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

#[test]
fn the_wrong_kind_of_file_is_named_with_the_right_command() {
    let cli = Cli::with_level("instead");
    cli.write("scenario.ron", FAILING);
    cli.write("content.ron", "(weapons: {\"axe\": (like: \"sword\")})");
    cli.write("run.ron", "(version: 1, road: \"\", acts: [])");
    let record = ["sim", "level.ron", "--record", "a.battle"];
    assert_eq!(cli.run(&record).code, 0);
    let recording = "this is a recording, not a level; `fivefoot replay a.battle` runs it";
    let scenario = "this is a scenario, not a level; `fivefoot verify scenario.ron` runs it";
    let calls: [(&[&str], &str); 14] = [
        (&["sim", "a.battle"], recording),
        (&["sight", "a.battle", "0,0", "1,0"], recording),
        (&["kinds", "--level", "a.battle"], recording),
        (&["./a.battle"], "this is a recording, not a level"),
        (&["sim", "scenario.ron"], scenario),
        (&["./scenario.ron"], "this is a scenario, not a level"),
        (
            &["sim", "content.ron"],
            "this is content, not a level; `fivefoot check content.ron` checks it",
        ),
        (
            &["verify", "level.ron"],
            "this is a level, not a scenario; `fivefoot sim level.ron` fights it",
        ),
        (
            &["verify", "a.battle"],
            "this is a recording, not a scenario; `fivefoot replay a.battle` runs it",
        ),
        (
            &["replay", "level.ron"],
            "this is a level, not a recording; `fivefoot sim level.ron` fights it",
        ),
        (
            &["road", "level.ron"],
            "this is a level, not a run of the Road; `fivefoot sim level.ron` fights it",
        ),
        (
            &["sum", "level.ron"],
            "this is a level, not statistics; `fivefoot sim level.ron` fights it",
        ),
        (
            &["replay", "run.ron"],
            "this is a run of the Road, not a recording; `fivefoot road run.ron` tells it",
        ),
        (
            &["check", "a.battle"],
            "a.battle:1:1: this is a recording; `fivefoot replay a.battle` runs it",
        ),
    ];
    for (call, what) in calls {
        let done = cli.run(call);
        assert_eq!(done.code, 1, "{call:?}: {done:?}");
        let text = format!("{}{}", done.out, done.err);
        assert!(text.contains(what), "{call:?}: {text}");
        assert_eq!(text.matches(":1:1").count(), 1, "{call:?}: {text}");
    }
    // A file of no known kind gets the errors of the kind that was expected.
    cli.write("odd.ron", "(a: 1)");
    assert!(cli.run(&["sim", "odd.ron"]).err.contains("a level needs"));
    assert!(
        cli.run(&["verify", "odd.ron"])
            .out
            .contains("a scenario needs")
    );
    assert!(
        cli.run(&["replay", "odd.ron"])
            .err
            .contains("not a recording")
    );
    // A syntax error is reported like those of other files.
    cli.write("cut.battle", &cli.read("a.battle")[..200]);
    let cut = cli.run(&["replay", "cut.battle"]);
    assert!(cut.err.contains("is never closed; put"), "{cut:?}");
}

/// A scenario in which a goblin hits Alice and she can react.
const STRUCK: &str = r#"(
    rules: Skirmish, proves: ["SK-10"], shows: "A blow.",
    map: ["..."],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (0, 0), with: (skirmish: (ac: 10))),
        (kind: "goblin", side: "goblins", at: (1, 0), with: (skirmish: (attack: 1))),
    ],
    dice: ["d8: 1", "d8: 8", "d20: 9", "d6: 1"],
    orders: [
        "goblin: strike alice with short sword",
    ],
    expect: (log: ["no such line"]),
)"#;

#[test]
fn check_reports_a_prompt_left_open_at_the_end() {
    let cli = Cli::new("open_end");
    cli.write("a.ron", STRUCK);
    let checked = cli.run(&["check", "a.ron"]);
    assert_eq!(checked.code, 1, "{checked:?}");
    let wanted = "a.ron:10:9: after the last order alice is asked (Goblin hits Alice with 10 against AC 10: about 4 damage); answer it with one of `alice: pass`,";
    assert!(checked.out.starts_with(wanted), "{}", checked.out);
    assert!(checked.err.starts_with("1 error in 1 file"), "{checked:?}");
    // `check` does not test the result; `verify` does.
    let answered = "short sword\", \"alice: total defense\",";
    cli.write("a.ron", STRUCK.replacen("short sword\",", answered, 1));
    let checked = cli.run(&["check", "a.ron"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let verified = cli.run(&["verify", "a.ron"]);
    assert!(
        verified.code == 1 && verified.out.contains("no such line"),
        "{verified:?}"
    );
    // `check` does not report illegal orders either.
    cli.write("a.ron", STRUCK.replacen("strike alice", "strike goblin", 1));
    assert_eq!(cli.run(&["check", "a.ron"]).code, 0);
}
