//! Scenarios: every file passes, every rule has one, docs/scenarios.md is correct, and every
//! mistake is reported.

use crate::kit::scenario_problems;
use fivefoot_core::{
    content::codex::Codex,
    control::scenario::{ScenarioResult, verify_text},
    rulesets,
};
use fivefoot_kit::files::{beneath, code_blocks};
use std::{collections::BTreeSet, sync::LazyLock};

/// All scenario files, run once for all tests.
static RUN: LazyLock<Vec<ScenarioResult>> = LazyLock::new(|| {
    let files = beneath("tests/scenarios", "ron");
    files
        .iter()
        .map(|(file, text)| verify_text(file, text))
        .collect()
});

#[test]
fn every_scenario_passes() {
    let failed = RUN.iter().filter(|v| !v.passed());
    let failed: Vec<String> = failed.map(ToString::to_string).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
    assert!(!RUN.is_empty());
}

#[test]
fn every_rule_of_the_codex_is_proven() {
    let proven: BTreeSet<&str> = RUN
        .iter()
        .flat_map(|v| &v.proves)
        .map(String::as_str)
        .collect();
    let rules = Codex::built_in().rules().map(|rule| rule.id.as_str());
    // OP rules describe the AI, so no scenario covers them.
    let rules = rules.filter(|id| !id.starts_with("OP-"));
    let missing: Vec<&str> = rules.filter(|id| !proven.contains(id)).collect();
    assert!(missing.is_empty(), "not proven: {missing:?}");
}

/// The last example of docs/scenarios.md is a complete scenario, and the page names every probe of
/// the rulesets.
#[test]
fn docs_scenarios_md_is_correct() {
    let page = include_str!("../../docs/scenarios.md");
    let (line, example) = code_blocks(page).pop().unwrap();
    let verdict = verify_text(&format!("docs/scenarios.md+{line}"), &example);
    assert!(verdict.passed(), "\n{verdict}");
    for rules in rulesets::ALL {
        for probe in rules.probes {
            let name = format!("`{}`", probe.name);
            assert!(page.contains(&name), "the page does not tell of {name}");
        }
    }
}

/// `proves` reports an unknown rule, a rule of another ruleset, and a rule that the battle does not
/// show.
#[test]
fn proved_rules_must_exist_and_occur() {
    let proving = |rules: &str| -> Vec<String> {
        let text = format!(
            r#"(
    rules: Skirmish, proves: [{rules}], shows: "A mistake.",
    map: ["......"],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0)),
        (kind: "goblin", side: "goblins", at: (3, 0), with: (weapons: [])),
    ],
    dice: ["d8: 8", "d8: 1"],
    orders: [
        Path(who: "alice", to: (2, 0), reach: true),
        NotOffered("alice: stand up", "already standing"),
    ],
    expect: (battle: Running),
)"#
        );
        scenario_problems(&text)
    };
    assert_eq!(
        proving(r#""SK-71", "SK-92", "PH-01", "gr-01", "SK-1""#),
        [
            "a.ron:2:40: unknown rule `SK-92`; did you mean `SK-02`?",
            "a.ron:2:49: PH-01 is a rule of another ruleset; use rules of `SK` and `GR` here",
            "a.ron:2:58: unknown rule `gr-01`; did you mean `GR-01`?",
            "a.ron:2:67: unknown rule `SK-1`; did you mean `SK-01`?",
        ]
    );
    assert_eq!(proving(r#""GR-30", "SK-02", "SK-24""#), [""; 0]);
    assert_eq!(
        proving(r#""SK-17", "GR-33", "SK-02""#),
        [
            "a.ron:2:31: SK-17 is shown nowhere; no event, expected reason or expected question has this rule",
            "a.ron:2:40: GR-33 is shown nowhere; no event, expected reason or expected question has this rule",
        ]
    );
}

/// Under Speed a hit can cost Stress, which is not damage, or cause an injury with more rolls. A
/// missing die is reported at its own order, with its purpose.
#[test]
fn a_missing_die_is_reported_at_its_order() {
    let problems = |dice: &str| -> Vec<String> {
        let text = format!(
            r#"(
    rules: Speed, proves: ["SP-22"], shows: "A mistake.",
    map: ["......"],
    kinds: (weapons: {{"hammer": (melee: (), damage: "1d8", speed: (speed: 0, types: [Blunt]))}}),
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0), with: (weapons: ["hammer"])),
        (kind: "goblin", name: "goblin", side: "goblins", at: (2, 0), with: (morale: Fearless, speed_rules: (stress: 30, wounds: 60))),
    ],
    dice: [{dice}],
    orders: [
        "goblin: move", "alice: attack with hammer",
        "alice: strike goblin with hammer", "alice: done", "goblin: done",
        "goblin: move", "alice: attack with hammer",
        "alice: strike goblin with hammer",
    ],
    expect: (battle: Running),
)"#
        );
        scenario_problems(&text)
    };
    let first = r#""d12: 1", "d12: 12", "d20: 15", "d8: 3""#;
    assert_eq!(
        problems(first),
        [
            "a.ron:14:9: order 8 `alice: strike goblin with hammer` rolls a d20 that `dice` does not have: Alice against goblin, hammer (SP-04); add `\"d20: …\"` to the end of `dice`"
        ]
    );
    assert_eq!(
        problems(&format!(r#"{first}, "d20: 15", "d6: 3""#)),
        [
            "a.ron:9:64: die 6 is a d6, but order 8 `alice: strike goblin with hammer` rolls a d8: damage to goblin (SP-22)"
        ]
    );
    // A broken thigh also rolls for the loss of Agility.
    assert_eq!(
        problems(&format!(
            r#"{first}, "d20: 20", "d8: 8", "d100: 1", "d20: 4""#
        )),
        [
            "a.ron:14:9: order 8 `alice: strike goblin with hammer` rolls a d10 that `dice` does not have: Goblin loses 1 Agility (d10 1) (SP-27); add `\"d10: …\"` to the end of `dice`"
        ]
    );
}

/// Actions that no order can give: fleeing units act on their own.
const NO_ORDERS: [(&str, &str); 1] = [("Speed", "flee")];

/// For each ruleset, docs/scenarios.md shows an order for every action, and every order it shows
/// can be read.
#[test]
fn docs_scenarios_md_shows_every_order() {
    let page = include_str!("../../docs/scenarios.md");
    for rules in rulesets::ALL {
        let heading = format!("\n### In {}\n", rules.id);
        let (_, section) = page.split_once(&heading).expect(&heading);
        let section = section.split("\n#").next().unwrap_or_default();
        let quoted = section.split("`\"").skip(1);
        let orders: Vec<&str> = quoted
            .filter_map(|q| q.split_once("\"`"))
            .map(|q| q.0)
            .collect();
        let actions = || {
            orders
                .iter()
                .map(|o| o.split_once(": ").map_or(*o, |o| o.1))
        };
        let verbs = rules.order_verbs();
        for verb in &verbs {
            let shown = actions().any(|action| verb.fits(action));
            let ordered = !NO_ORDERS.contains(&(rules.id, verb.order_text));
            assert_eq!(shown, ordered, "{}: `{}`", rules.id, verb.order_text);
        }
        for order in actions() {
            // A custom path (`by …`) comes after the order itself.
            let plain = order.split(" by ").next().unwrap_or(order);
            let known = verbs.iter().any(|verb| verb.fits(plain));
            assert!(known, "{}: nothing reads like `{order}`", rules.id);
        }
    }
}

/// The problems of a scenario with a goblin next to Alice, who has AC 10.
fn small(dice: &str, orders: &str, expect: &str) -> Vec<String> {
    let text = format!(
        r#"(
    rules: Skirmish, proves: ["SK-01"], shows: "A mistake.",
    map: ["......"],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0), with: (skirmish: (ac: 10))),
        (kind: "goblin", side: "goblins", at: (2, 0), with: (skirmish: (attack: 1, hp: 20))),
    ],
    dice: [{dice}],
    orders: [{orders}],
    expect: ({expect}),
)"#
    );
    scenario_problems(&text)
}

const STRIKE: &str = r#""goblin: strike alice with short sword""#;

#[test]
fn mistakes_are_reported_at_their_position() {
    let dice = r#""d8: 9", "d20 11", "2d6: 1""#;
    let orders =
        r#""goblin: strik alice", "goblni: done", Ofered("alice: pass"), "party: end tern""#;
    let expect = r#"logg: [], states: [(who: "alce", mian: 0)], battle: Won("goblin")"#;
    assert_eq!(
        small(dice, orders, expect),
        [
            "a.ron:8:12: a d8 never shows 9; write a number from 1 to 8",
            "a.ron:8:21: \"d20 11\" is no die; write the size and what comes up, as `d20: 14`, or `2d6: 3 5` for two",
            "a.ron:8:31: \"2d6: 1\" is no die; write the size and what comes up, as `d20: 14`, or `2d6: 3 5` for two",
            "a.ron:9:14: no order of Skirmish reads \"strik alice\"; orders read `strike {at} with {with}`",
            "a.ron:9:37: unknown combatant `goblni`; did you mean `goblin`?",
            "a.ron:9:53: unknown claim `Ofered`; did you mean `Offered`?",
            "a.ron:9:76: no order of Skirmish reads \"end tern\"; orders read `end turn`",
            "a.ron:10:14: unknown field `logg`; did you mean `log`?",
            "a.ron:10:39: unknown combatant `alce`; did you mean `alice`?",
            "a.ron:10:47: unknown field `mian`; did you mean `main`?",
            "a.ron:10:70: unknown side `goblin`; did you mean `goblins`?",
        ]
    );
    let nothing = small(r#""d8: 1", "d8: 2""#, "", "");
    assert_eq!(
        nothing,
        [
            "a.ron:10:13: nothing is expected of this; say in `expect` what must be in the log, or true at the end"
        ]
    );
}

/// Unknown names in orders are errors, in claims as well: a `NotOffered` for an impossible order
/// proves nothing.
#[test]
fn names_in_orders_must_exist() {
    let orders = r#""end turn", "gobblin: done", "alice: strike gobln with sword",
        NotOffered("alice: strike goblin with swrod"), Offered("alice: cast fire bolt at goblin"),
        "alice: run to 6,0", NotOffered("alice: run to 3,0 by 2,0 3,1"), "alice: draw", "goblins: done""#;
    assert_eq!(
        small(r#""d8: 1", "d8: 8""#, orders, "battle: Running"),
        [
            "a.ron:9:14: `end turn` does not say who; an order begins with a name, as `alice: done`, or with a side, as `party: end turn`",
            "a.ron:9:26: unknown combatant `gobblin`; did you mean `goblin`?",
            "a.ron:9:43: unknown combatant `gobln`; did you mean `goblin`?",
            "a.ron:10:20: unknown weapon `swrod`; did you mean `sword`?",
            "a.ron:10:64: unknown spell `fire bolt`",
            "a.ron:11:9: unknown cell `6,0`",
            "a.ron:11:41: unknown cell `3,1`",
            "a.ron:11:74: no order of Skirmish reads \"draw\"; orders read `draw {with}`, `draw {with} with the off hand`",
        ]
    );
}

/// References to a unit with an unreadable kind or name are not checked; everything else is.
#[test]
fn an_unknown_kind_hides_no_other_mistake() {
    let problems = |goblin: &str| -> Vec<String> {
        let text = format!(
            r#"(
    rules: Skirmish, shows: "A mistake.",
    map: ["......"],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0)),
        ({goblin}, side: "goblins", at: (2, 0)),
    ],
    orders: [
        "alice: strik goblin", "goblin: cast fire bolt at alice", "alice: cast fire bolt at goblin",
        "alice: strike goblin with swrod", "alice: run to 9,9", "bob: done", Offred("alice: done"),
    ],
    expect: (states: [(who: "alice", mian: 0), (who: "gobln", hp: 1)]),
)"#
        );
        let verdict = verify_text("a.ron", &text);
        let mut whats: Vec<_> = verdict.problems.iter().map(|p| p.what.clone()).collect();
        assert_eq!(whats.remove(0), "a scenario needs the field `proves`");
        whats
    };
    let [shape, hers, swrod, cell, bob, offred, mian, gobln] = [
        "no order of Skirmish reads \"strik goblin\"",
        "unknown spell `fire bolt`",
        "unknown weapon `swrod`",
        "unknown cell `9,9`",
        "unknown combatant `bob`",
        "unknown claim `Offred`",
        "unknown field `mian`",
        "unknown combatant `gobln`",
    ];
    assert_eq!(
        problems(r#"kind: "goblin""#),
        [shape, hers, hers, swrod, cell, bob, offred, mian, gobln]
    );
    // An unknown kind could have any spells and weapons.
    assert_eq!(
        problems(r#"name: "goblin", kind: "gobblin", hp: 0"#),
        [
            "unknown kind `gobblin`",
            "expected a whole number from 1 to 1000, found 0",
            shape,
            hers,
            cell,
            bob,
            offred,
            mian,
            gobln
        ]
    );
    // The order may mean the unit with the unreadable name.
    assert_eq!(
        problems(r#"name: "Gobln", kind: "goblin""#),
        [
            "\"Gobln\" cannot be a name",
            shape,
            hers,
            hers,
            swrod,
            cell,
            offred,
            mian
        ]
    );
}

/// `NotOffered` for a unit that is not asked proves nothing, so it is an error.
#[test]
fn not_offered_needs_a_unit_that_is_asked() {
    let dice = r#""d8: 1", "d8: 8", "d20: 9""#;
    let running = "battle: Running";
    let orders = format!(
        r#"NotOffered("alice: stand up"), NotOffered("party: end turn"),
        NotOffered("goblin: stand up"), {STRIKE},
        NotOffered("goblin: done"), NotOffered("alice: done"), NotOffered("alice: done", "why"),
        NotOffered("goblin: done", "why"), "alice: total defense""#
    );
    assert_eq!(
        small(dice, &orders, running),
        [
            "a.ron:9:14: `alice: stand up` is not offered, but nobody asks alice now: goblin is asked (Your turn)",
            "a.ron:9:45: `party: end turn` is not offered, but nobody asks party now: goblin is asked (Your turn)",
            "a.ron:11:9: `goblin: done` is not offered, but nobody asks goblin now: alice is asked (Goblin hits Alice with 10 against AC 10: about 4 damage)",
            "a.ron:11:64: `alice: done` is not listed at all, so no reason is shown",
            "a.ron:12:9: `goblin: done` is not offered, but nobody asks goblin now: alice is asked (Goblin hits Alice with 10 against AC 10: about 4 damage)",
        ]
    );
}

/// Simultaneous actions take effect only when both units have chosen, so a scenario cannot end in
/// between.
#[test]
fn a_scenario_cannot_end_between_secret_choices() {
    let told = |last: &str, dice: &str| -> Vec<String> {
        let text = format!(
            r#"(
    rules: Speed, proves: ["SP-03"], shows: "A mistake.",
    map: ["...."],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (1, 0)),
        (kind: "mara", name: "bob", side: "others", at: (2, 0)),
    ],
    dice: ["d12: 5", "d12: 5"{dice}],
    orders: [
        "bob: attack with sword", "alice: attack with sword", "alice: done", "bob: done",
        "alice: strike bob with sword"{last},
    ],
    expect: (battle: Running),
)"#
        );
        scenario_problems(&text)
    };
    let wanted = "a.ron:11:9: after the last order bob is asked (Bob acts at 9, together with others); answer it with one of `bob: pass`, `bob: strike alice with sword`";
    assert_eq!(told("", ""), [wanted]);
    assert_eq!(told(r#", "bob: pass""#, r#", "d20: 2""#), [""; 0]);
}

/// The error for a number that no offer accepts gives the allowed range.
#[test]
fn the_error_for_a_number_gives_its_range() {
    let text = r#"(
    rules: Activity, proves: ["AC-02"], shows: "A mistake.",
    map: ["...."],
    combatants: [
        (kind: "mara", name: "alice", side: "party", at: (0, 0)),
        (kind: "goblin", side: "goblins", at: (1, 0)),
    ],
    orders: ["goblin: plan melee at 101%"],
    expect: (battle: Running),
)"#;
    let problem = scenario_problems(text).remove(0);
    let range =
        "order 1 `goblin: plan melee at 101%` cannot be given: the number goes from 60 to 100";
    assert!(
        problem.starts_with(&format!("a.ron:8:14: {range}")),
        "{problem}"
    );
    // Offers of the same action come first, with their range.
    let near = "the nearest offers are `goblin: plan melee at ?%` (from 60 to 100), ";
    assert!(problem.contains(near), "{problem}");
}

/// The text of a scenario without its last die, and the sides of that die. `None` if the last entry
/// has several dice.
fn without_last_die(text: &str) -> Option<(String, String)> {
    let list = text.find("dice: [")?;
    let end = list + text[list..].find("\n    orders")?;
    let code = text[list..end]
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let last = code
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .last()?;
    let sides = last.split(':').next()?.strip_prefix('d')?.to_owned();
    let at = list + text[list..end].rfind(&format!("\"{last}\""))?;
    let mut less = text.to_owned();
    less.replace_range(at..at + last.len() + 2, "");
    let comma = less[at..].find(|c: char| !c.is_whitespace())? + at;
    if less[comma..].starts_with(',') {
        less.remove(comma);
    }
    Some((less, sides))
}

/// A missing die is reported with its size at the roll that needs it, whether for Stress, an injury
/// or anything else.
#[test]
fn a_missing_die_is_reported_at_its_roll() {
    let mut tried = 0;
    for (file, text) in beneath("tests/scenarios/speed", "ron") {
        let Some((text, sides)) = without_last_die(&text) else {
            continue;
        };
        tried += 1;
        let verdict = verify_text(&file, &text);
        let problem = verdict
            .problems
            .first()
            .map(|p| p.what.as_str())
            .unwrap_or_default();
        let wanted = format!(" rolls a d{sides} that `dice` does not have");
        assert!(problem.contains(&wanted), "{file}: {problem}");
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn all_dice_must_be_used() {
    let running = "battle: Running";
    let problems = small(r#""d8: 1""#, "", running);
    assert_eq!(
        problems,
        [
            "a.ron:1:1: the start of the battle rolls a d8 that `dice` does not have: The goblins, initiative (SK-01); add `\"d8: …\"` to the end of `dice`"
        ]
    );
    let problems = small(r#""d8: 1", "d8: 8", "d6: 2""#, STRIKE, running);
    assert_eq!(
        problems,
        [
            "a.ron:8:30: die 3 is a d6, but order 1 `goblin: strike alice with short sword` rolls a d20: Goblin against Alice, short sword (SK-10)"
        ]
    );
    let orders = format!(r#"{STRIKE}, "alice: pass""#);
    let problems = small(r#""d8: 1", "d8: 8", "d20: 19""#, &orders, running);
    assert_eq!(
        problems,
        [
            "a.ron:9:55: order 2 `alice: pass` rolls a d6 that `dice` does not have: damage to alice (SK-32); add `\"d6: …\"` to the end of `dice`"
        ]
    );
    let problems = small(r#""d8: 1", "d8: 8", "2d6: 1 1""#, "", running);
    assert_eq!(
        problems,
        ["a.ron:8:30: this die and 1 more are never rolled"]
    );
}

#[test]
fn the_error_for_an_order_lists_the_nearest_offers() {
    let dice = r#""d8: 1", "d8: 8", "d20: 19""#;
    let running = "battle: Running";
    let problems = small(dice, r#""alice: strike goblin with sword""#, running);
    assert_eq!(problems.len(), 1);
    let start = "a.ron:9:14: order 1 `alice: strike goblin with sword` is not offered now; goblin is asked (Your turn); the nearest offers are `goblin: strike alice with";
    assert!(problems[0].starts_with(start), "{}", problems[0]);

    let problems = small(dice, &format!(r#"{STRIKE}, "goblin: run to 3,0""#), running);
    assert_eq!(
        problems,
        [
            "a.ron:9:55: order 2 `goblin: run to 3,0` is not offered now; alice is asked (Goblin hits Alice with 20 against AC 10: about 4 damage); the nearest offers are `alice: pass`, `alice: total defense`, `alice: snap at goblin with fists`, `alice: snap at goblin with sword`"
        ]
    );
    let problems = small(dice, STRIKE, running);
    assert_eq!(
        problems,
        [
            "a.ron:9:14: after the last order alice is asked (Goblin hits Alice with 20 against AC 10: about 4 damage); answer it with one of `alice: pass`, `alice: total defense`, `alice: snap at goblin with fists`, `alice: snap at goblin with sword`"
        ]
    );
}

#[test]
fn failed_expectations_are_reported() {
    let dice = r#""d8: 1", "d8: 8", "d20: 9""#;
    let orders = format!(
        r#"{STRIKE}, Asked("goblin"), NotAsked("alice"), Offered("alice: done"),
        NotOffered("alice: pass"), "alice: total defense",
        NotOffered("goblin: total defense", "not in the mood"),
        NotOffered("goblin: ask as usual", "at all"),
        Battle(Drawn)"#
    );
    let expect = r#"
        log: ["SK-10: goblin strikes", "SK-31: takes total defense", "never read"],
        never: ["SK-02: the goblins' turn"],
        states: [(who: "alice", hp: 9), (who: "alice", defending: false), (who: "goblin", in_hand: "axe")],
        sight: [(from: "alice", to: "goblin", los: true, cover: Half), (from: (0, 0), to: (5, 0), corners: 7)],
        paths: [(who: "alice", to: (0, 0), feet: 10), (who: "alice", to: (3, 0), feet: 10), (who: "alice", to: (0, 0), provokes: [])],
        battle: Won("party")"#;
    assert_eq!(
        small(dice, &orders, expect),
        [
            "a.ron:9:55: goblin is not asked: alice is asked (Goblin hits Alice with 10 against AC 10: about 4 damage)",
            "a.ron:9:72: alice is asked",
            "a.ron:9:91: `alice: done` is not offered; the nearest offers are `alice: pass`, `alice: total defense`, `alice: snap at goblin with fists`, `alice: snap at goblin with sword`",
            "a.ron:10:9: `alice: pass` is offered",
            "a.ron:11:9: `goblin: total defense` is not offered for another reason: the Main action is spent (SK-04)",
            "a.ron:12:9: `goblin: ask as usual` is not listed at all, so no reason is shown",
            "a.ron:13:9: the battle is still running, expected over, and nobody won",
            "a.ron:15:40: the log has no line `SK-31: takes total defense` after `SK-10: goblin strikes`; the line is there, but by SK-17",
            "a.ron:16:17: the log has `The goblins' turn`, which must not be there",
            "a.ron:17:18: alice: `hp` is 10, expected 9",
            "a.ron:17:41: alice: `defending` is true, expected false",
            "a.ron:17:75: goblin: `in_hand` is \"short sword\", expected \"axe\"",
            "a.ron:18:17: (1, 0) to (2, 0): `cover` is None, expected Half",
            "a.ron:18:72: (0, 0) to (5, 0): `corners` is 8, expected 7",
            "a.ron:19:17: alice to (0, 0): `feet` is 5, expected 10",
            "a.ron:19:55: alice to (3, 0): it does not get there with one move",
            "a.ron:19:93: alice to (0, 0): `provokes` is [goblin], expected []",
            "a.ron:20:17: the battle is still running, expected over, won by the party",
        ]
    );
    let expect = r#"log: [Not("strikes"), "takes total defense", "the goblins' turn"]"#;
    let problems = small(
        dice,
        &format!(r#"{STRIKE}, "alice: total defense""#),
        expect,
    );
    assert_eq!(
        problems,
        [
            "a.ron:10:24: the log has `Goblin strikes at Alice with short sword`, which must not be there"
        ]
    );
    let expect = r#"log: ["takes total defense", "the goblins' turn"]"#;
    let problems = small(
        dice,
        &format!(r#"{STRIKE}, "alice: total defense""#),
        expect,
    );
    assert_eq!(
        problems,
        [
            "a.ron:10:43: the log has no line `the goblins' turn` after `takes total defense`; it is there, but too early"
        ]
    );
}
