//! Help for writing scenarios: absent rules, several texts in one line, prompts without an order,
//! suggestions, and added orders.

use crate::kit::{Cli, problems_of, scenario_problems};
use fivefoot_core::control::scenario::{fill_text, verify_text};

/// A scenario in which a goblin attacks Alice, who can react, and Bob stands next to her.
fn struck(proves: &str, orders: &str, expect: &str) -> String {
    format!(
        r#"(
    rules: Skirmish, proves: [{proves}], shows: "A case.",
    map: ["......"],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0), with: (skirmish: (ac: 10))),
        (kind: "tobin", name: "bob", side: "party", at: (0, 0)),
        (kind: "goblin", side: "goblins", at: (2, 0), with: (skirmish: (attack: 1, hp: 20))),
    ],
    dice: ["d8: 1", "d8: 8", "d20: 9"],
    orders: [{orders}],
    expect: ({expect}),
)"#
    )
}

#[track_caller]
fn wrong(text: &str, wanted: &[&str]) {
    assert_eq!(scenario_problems(text), wanted);
}

const STRIKE: &str = r#""goblin: strike alice with short sword", "alice: total defense""#;

/// `Absent` after a required line proves that a rule does not apply: the log has no line of it from
/// there on.
#[test]
fn absent_proves_that_a_rule_does_not_apply() {
    let log = |absent: &str| format!("log: [\"SK-10: goblin strikes\", {absent}]");
    // The attack misses, so there is no damage (SK-32).
    let absent = log("Absent(\"SK-32\")");
    wrong(&struck("\"SK-32\"", STRIKE, &absent), &[]);
    let words = log("Absent(\"SK-32: takes\")");
    wrong(&struck("\"SK-32\"", STRIKE, &words), &[]);
    // If the log has the line, the error quotes it.
    let there = log("Absent(\"SK-17: takes total defense\")");
    wrong(
        &struck("\"SK-17\"", STRIKE, &there),
        &["a.ron:11:52: the log has `Alice takes total defense`, which must not be there"],
    );
    // A rule id alone matches all lines of the rule.
    let there = log("Absent(\"SK-17\")");
    wrong(
        &struck("\"SK-17\"", STRIKE, &there),
        &["a.ron:11:52: the log has `Alice takes total defense`, which must not be there"],
    );
    // The check ends at the next required line.
    let before = "log: [\"SK-10: goblin strikes\", Absent(\"SK-30\"), \"SK-17\"]";
    wrong(&struck("\"SK-30\"", STRIKE, before), &[]);
    // An absent line proves only its own rule.
    wrong(
        &struck("\"SK-24\"", STRIKE, &absent),
        &[
            "a.ron:2:31: SK-24 is shown nowhere; no event, expected reason or expected question has this rule",
        ],
    );
}

#[test]
fn absent_needs_a_rule_and_a_line_before_it() {
    let expect = r#"log: [Absent("SK-32"), "SK-10: goblin strikes", Absent("total defense"),
        Absent("SK-99"), Absent("PH-01"), Absnt("SK-32")]"#;
    wrong(
        &struck("\"SK-10\"", STRIKE, expect),
        &[
            "a.ron:11:20: nothing says when this does not happen; put a line before it that the log must have",
            "a.ron:11:69: `Absent` needs the rule that does not apply; write `Absent(\"SK-17\")` or `Absent(\"SK-17: alice takes\")`",
            "a.ron:12:16: unknown rule `SK-99`; did you mean `SK-19`?",
            "a.ron:12:33: PH-01 is a rule of another ruleset; use rules of `SK` and `GR` here",
            "a.ron:12:43: unknown line `Absnt`; did you mean `Absent`?",
        ],
    );
}

/// A list of texts matches one line that contains all of them.
#[test]
fn a_list_of_texts_matches_one_line() {
    let expect = |log: &str| format!("log: [{log}]");
    let good = expect(r#"["SK-10: goblin", "alice", "short sword"], "SK-17""#);
    wrong(&struck("\"SK-10\"", STRIKE, &good), &[]);
    let bad = expect(r#"["SK-10: goblin", "alice", "long sword"]"#);
    wrong(
        &struck("\"SK-10\"", STRIKE, &bad),
        &[
            "a.ron:11:20: the log has no line `SK-10: goblin` … `alice` … `long sword`; `Goblin strikes at Alice with short sword` has no `long sword` in it",
        ],
    );
    // A text that looks like a rule id must be an existing rule.
    let rules = expect(
        r#""SK17: alice", "SK-171: alice", "PH-01: alice", "Goblin against Alice, short sword: d20""#,
    );
    wrong(
        &struck("\"SK-10\"", STRIKE, &rules),
        &[
            "a.ron:11:20: unknown rule `SK17`; did you mean `SK-17`?",
            "a.ron:11:35: unknown rule `SK-171`; did you mean `SK-11`?",
            "a.ron:11:52: PH-01 is a rule of another ruleset; use rules of `SK` and `GR` here",
        ],
    );
    // Also in `Not` and `never`, where a line may contain only some of the texts.
    let not = r#"log: [Not(["goblin strikes", "bob"])], never: [["total defense", "bob"], ["takes", "total"]]"#;
    wrong(
        &struck("\"SK-10\"", STRIKE, not),
        &["a.ron:11:87: the log has `Alice takes total defense`, which must not be there"],
    );
    wrong(
        &struck("\"SK-10\"", STRIKE, "log: [[]]"),
        &[
            "a.ron:11:20: expected a line of the log in double quotes, a list of texts that one line has, `Not(\"…\")` or `Absent(\"…\")`, found a list `[…]`",
        ],
    );
}

/// The error for an order without a unit names the units that are asked, in `check` as well.
#[test]
fn the_error_for_an_order_without_a_unit_names_who_is_asked() {
    let running = "battle: Running";
    let first = struck("\"SK-02\"", "\"end turn\"", running);
    let wanted = "a.ron:10:14: `end turn` does not say who; goblin is asked (Your turn): write `goblins: end turn`";
    wrong(&first, &[wanted]);
    let orders = r#""goblin: strike alice with short sword", "total  Defense", "done""#;
    wrong(
        &struck("\"SK-02\"", orders, running),
        &[
            "a.ron:10:55: `total Defense` does not say who; alice is asked (Goblin hits Alice with 10 against AC 10: about 4 damage): write `alice: total defense`",
            "a.ron:10:73: `done` does not say who; an order begins with a name, as `alice: done`, or with a side, as `party: end turn`",
        ],
    );
    wrong(
        &struck("\"SK-02\"", "\"dance\"", running),
        &[
            "a.ron:10:14: `dance` does not say who; goblin is asked (Your turn); begin the order with a name, as `alice: done`",
        ],
    );
    wrong(
        &struck("\"SK-02\"", "\"goblin end turn\"", running),
        &["a.ron:10:14: `goblin end turn` does not say who; put a colon after `goblin`"],
    );
    let cli = Cli::new("nameless_order");
    cli.write("a.ron", first);
    let checked = cli.run(&["check", "a.ron"]);
    assert!(checked.out.starts_with(wanted), "{checked:?}");
}

/// The error for a wrong preposition names the right one, in every ruleset.
#[test]
fn the_error_for_a_wrong_preposition_names_the_right_one() {
    let told = |rules: &str, order: &str| -> Vec<String> {
        let text = format!(
            r#"(
    rules: {rules}, proves: ["GR-01"], shows: "A mistake.",
    map: ["........"],
    kinds: (spells: {{
        "blast": (like: "flame_burst"),
        "bolt": (like: "fire_bolt"),
    }}),
    combatants: [
        (kind: "ysolde", name: "alice", side: "party", at: (0, 0), with: (
            spells: ["blast", "bolt"], weapons: ["sword", "dagger", "long_bow"],
        )),
        (kind: "goblin", side: "goblins", at: (3, 0)),
    ],
    orders: ["alice: {order}"],
    expect: (battle: Running),
)"#
        );
        scenario_problems(&text)
    };
    let cases = [
        (
            "Segments",
            "release blast at 6,0",
            "release blast towards 6,0",
        ),
        (
            "Segments",
            "release blast on 6,0",
            "release blast towards 6,0",
        ),
        (
            "Segments",
            "release bolt towards goblin",
            "release bolt at goblin",
        ),
        ("Skirmish", "cast blast at 6,0", "cast blast over 6,0"),
        ("Skirmish", "cast bolt on goblin", "cast bolt at goblin"),
        (
            "Skirmish",
            "strike at goblin with sword",
            "strike goblin with sword",
        ),
        (
            "Skirmish",
            "shoot goblin with long bow",
            "shoot at goblin with long bow",
        ),
        ("Skirmish", "run 2,0", "run to 2,0"),
        ("Skirmish", "run at 2,0 by 1,0 2,0", "run to 2,0 by 1,0 2,0"),
        ("Phased", "aim blast towards 5,0", "aim blast at 5,0"),
        ("Activity", "cast blast over 5,0", "cast blast towards 5,0"),
        (
            "Activity",
            "stanch the blood alice",
            "stanch the blood of alice",
        ),
        ("Speed", "use bolt goblin", "use bolt on goblin"),
    ];
    for (rules, order, meant) in cases {
        let found = told(rules, order);
        let wanted = format!(
            "a.ron:14:14: no order of {rules} reads {order:?}; did you mean `alice: {meant}`?"
        );
        assert_eq!(found, [wanted]);
    }
    // Here the name is wrong, not the preposition.
    assert_eq!(
        told("Skirmish", "strike gobln with sword"),
        ["a.ron:14:14: unknown combatant `gobln`; did you mean `goblin`?"]
    );
}

/// `--fill` adds a passing order for every unit that is asked and has no order, and prints all
/// orders.
#[test]
fn fill_adds_orders_for_units_that_are_asked() {
    let only = struck(
        "\"SK-10\"",
        r#""goblin: strike alice with short sword""#,
        "never: [\"zzz\"]",
    );
    assert_eq!(verify_text("a.ron", &only).problems.len(), 1);
    let filled = fill_text(
        "a.ron",
        &only.replace("\"d20: 9\"", "\"d20: 9\", \"d6: 1\""),
    );
    assert_eq!(problems_of(&filled), [""; 0]);
    assert_eq!(
        filled.orders.unwrap(),
        "    orders: [\"goblin: strike alice with short sword\",\n        \"alice: pass\",\n    ],"
    );
    // Now the attack hits, and a die is missing.
    assert_eq!(
        problems_of(&fill_text("a.ron", &only)),
        [
            "a.ron:10:14: `alice: pass`, added after the last order, rolls a d6 that `dice` does not have: damage to alice (SK-32); add `\"d6: …\"` to the end of `dice`",
        ]
    );
    // Orders are added before an order of another unit; comments and layout stay.
    let orders = "\n        // Bob first.\n        \"bob: run to 0,0 by 1,0 0,0\", // there and back\n        Asked(\"goblin\"),\n    ";
    let orders = orders.replace("bob: run to 0,0 by 1,0 0,0", "bob: go prone");
    let text = struck(
        "\"SK-02\"",
        &orders,
        "states: [(who: \"bob\", prone: true)]",
    );
    let text = text.replace(", \"d20: 9\"", "");
    let filled = fill_text("a.ron", &text);
    assert_eq!(problems_of(&filled), [""; 0]);
    assert_eq!(
        filled.orders.unwrap(),
        "    orders: [\n        // Bob first.\n        \"goblins: end turn\",\n        \"bob: go prone\", // there and back\n        \"party: end turn\",\n        Asked(\"goblin\"),\n    ],"
    );
    // Nothing is added to a complete scenario, or without `--fill`.
    let whole = struck("\"SK-10\"", STRIKE, "battle: Running");
    let filled = fill_text("a.ron", &whole);
    assert!(filled.passed());
    assert_eq!(filled.orders.unwrap(), format!("    orders: [{STRIKE}],"));
    assert_eq!(verify_text("a.ron", &whole).orders, None);
    // An order that is never possible gives the same error as without `--fill`.
    let never = struck(
        "\"SK-10\"",
        "\"goblin: strike bob with short sword\"",
        "battle: Running",
    );
    let told = problems_of(&fill_text("a.ron", &never));
    assert!(told[0].starts_with("a.ron:10:14: order 1 `goblin: strike bob with short sword` "));
    assert_eq!(told, scenario_problems(&never));
}

/// With the added orders a scenario passes on its own. Tried in every ruleset, with scenarios whose
/// passing orders were removed.
#[test]
fn the_added_orders_complete_the_scenario() {
    const NOTHING: [&str; 5] = ["pass", "done", "end turn", "stay", "declared"];
    let mut tried = 0;
    for (file, text) in fivefoot_kit::files::beneath("tests/scenarios", "ron") {
        let is_nothing = |line: &&str| {
            let order = line
                .trim()
                .trim_start_matches('"')
                .split('"')
                .next()
                .unwrap_or_default();
            let act = order.split_once(": ").map_or("", |(_, act)| act);
            NOTHING.contains(&act)
        };
        let Some(last) = text.lines().rfind(is_nothing) else {
            continue;
        };
        if last.matches('"').count() != 2 {
            continue;
        }
        let less = text.replacen(&format!("{last}\n"), "", 1);
        let filled = fill_text(&file, &less);
        let Some(orders) = filled.orders.clone().filter(|_| filled.passed()) else {
            continue;
        };
        let (Some(from), Some(to)) = (less.find("    orders: ["), less.find("    expect:")) else {
            continue;
        };
        let whole = format!("{}{orders}\n\n{}", &less[..from], &less[to..]);
        let verdict = verify_text(&file, &whole);
        assert!(verdict.passed(), "{verdict}\n{whole}");
        tried += 1;
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn verify_fill_prints_the_added_orders() {
    let cli = Cli::new("fill");
    let text = struck(
        "\"SK-10\"",
        r#""goblin: strike alice with short sword""#,
        "never: [\"zzz\"]",
    );
    cli.write("a.ron", text.replace("\"d20: 9\"", "\"d20: 9\", \"d6: 1\""));
    assert_eq!(cli.run(&["verify", "a.ron"]).code, 1);
    let filled = cli.run(&["verify", "--fill", "a.ron"]);
    let (first, rest) = filled.out.split_once('\n').unwrap();
    assert!(first.starts_with("passed  a.ron  SK-10  ("), "{first}");
    let orders = "        all orders, with those that were added:\n    \
                  orders: [\"goblin: strike alice with short sword\",\n        \
                  \"alice: pass\",\n    ],\n1 passed, 0 failed\n";
    assert!(filled.code == 0 && rest == orders, "{filled:?}");
}
