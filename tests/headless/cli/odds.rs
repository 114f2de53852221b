//! The command `odds`: forecasts of an order.

use crate::kit::{Cli, LEVEL};
use serde_json::Value;

/// A level in which Mara can attack one goblin at once, and another is far away.
fn beside() -> String {
    let goblin = r#"(kind: "goblin", side: "foes", at: (6, 1)),"#;
    let both = r#"(kind: "goblin", side: "foes", at: (1, 0)),
        (kind: "goblin", side: "foes", at: (6, 1)),"#;
    LEVEL.replace(goblin, both)
}

#[test]
fn an_attack_forecast_lists_its_parts() {
    let cli = Cli::new("odds");
    cli.write("level.ron", beside());
    for rules in ["Skirmish", "Segments", "Phased", "Speed", "Activity"] {
        let call = [
            "odds",
            "level.ron",
            "mara: attack goblin 1",
            "--rules",
            rules,
        ];
        let output = cli.run(&call);
        assert_eq!(output.code, 0, "{rules}: {output:?}");
        for part in ["mara: ", "% to drop", "mean ", "misses included"] {
            assert!(output.out.contains(part), "{rules}, {part}: {}", output.out);
        }
        let json = cli.run(&[&call[..], &["--json"]].concat());
        for line in json.out.lines() {
            let output: Value = serde_json::from_str(line).unwrap();
            let attack = &output["attack"];
            assert_eq!(attack["at"], "goblin 1", "{rules}: {line}");
            let bars = attack["damage"]["outcomes"].as_array().unwrap();
            let sum: f64 = bars.iter().map(|b| b["chance"].as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{rules}: {line}");
            // An f32 has at most nine digits.
            let mean = attack["damage"]["mean"].to_string();
            assert!(mean.len() <= 12, "{rules}: {line}");
            let drops: f64 = bars.iter().map(|b| b["drops"].as_f64().unwrap()).sum();
            let drop_chance = attack["drop_chance"].as_f64().unwrap();
            assert!(
                (drops * 100.0 - drop_chance).abs() <= 0.51,
                "{rules}: {line}"
            );
        }
    }
}

#[test]
fn odds_take_packs_and_standard_input() {
    let cli = Cli::new("odds_pack");
    cli.write("level.ron", beside());
    std::fs::create_dir(cli.home.join("pack")).unwrap();
    cli.write("pack/level.ron", beside());
    let output = cli.run(&["odds", "level.ron"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(cli.run(&["odds", "pack"]).out, output.out);
    let mut command = cli.command(&["odds", "-"]);
    let file = std::fs::File::open(cli.home.join("level.ron")).unwrap();
    let read = command.stdin(file).output().unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), output.out);
}

#[test]
fn a_likely_defense_is_included_first() {
    let cli = Cli::new("odds_defended");
    cli.write("level.ron", beside());
    let call = [
        "odds",
        "level.ron",
        "mara: attack goblin 1",
        "--rules",
        "Skirmish",
    ];
    let output = cli.run(&call).out;
    let brief = output.lines().nth(1).unwrap();
    assert!(brief.contains("% to hit if it defends, else "), "{output}");
    assert!(
        output.contains("if the target uses Total Defense"),
        "{output}"
    );
}

#[test]
fn impossible_orders_are_refused_with_a_reason() {
    let cli = Cli::new("odds_not");
    cli.write("level.ron", beside());
    let run = |order: &str| cli.run(&["odds", "level.ron", order, "--rules", "Skirmish"]);
    let output = run("mara: attack goblin 3");
    assert!(output.code == 2 && output.err.contains("no unit is called 'goblin 3'"));
    let output = run("mara: attack mara");
    output.fails(1, "mara cannot attack mara: no unit attacks itself");
    let ally = r#"(kind: "brandt", side: "party", at: (0, 1)),
        (kind: "mara","#;
    cli.write("ally.ron", beside().replace(r#"(kind: "mara","#, ally));
    for rules in ["Skirmish", "Segments", "Phased", "Speed", "Activity"] {
        let call = ["odds", "ally.ron", "mara: attack brandt", "--rules", rules];
        let output = cli.run(&[&call[..], &["--json"]].concat());
        output.fails(1, "mara cannot attack brandt: they are on the same side");
    }
    let output = run("mara: strike gobbo with sword");
    output.fails(2, "no unit is called 'gobbo'");
    let output = run("mara: strike goblin 1 with spoon");
    output.fails(2, "\nthe nearest orders:\n  `mara: ");
    run("nobody: pass").fails(2, "no unit or side is called 'nobody'");
    let output = run("PARTY: fly");
    assert!(
        output.code == 2 && !output.err.contains("is called"),
        "{output:?}"
    );
    let output = cli.run(&["odds", "level.ron", "--to", "3"]);
    output.fails(2, "--to is for a recording");
}

/// `replay --to` ends with the decision that is open then.
#[test]
fn replay_names_the_side_that_has_to_answer() {
    let cli = Cli::with_level("replay_open");
    let recorded = cli.call("sim level.ron --rules Skirmish --record a.battle");
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let output = cli.call("replay a.battle --to 0").out;
    let last = output.lines().last().unwrap();
    assert!(last.starts_with("Waiting for the "), "{last}");
}

#[test]
fn odds_work_at_any_step_of_a_recording() {
    let cli = Cli::new("odds_at");
    cli.write("level.ron", beside());
    assert_eq!(
        cli.call("sim level.ron --rules Skirmish --record a.battle")
            .code,
        0
    );
    let at = |step: &str| cli.run(&["odds", "a.battle", "--to", step]);
    let (first, third) = (at("0"), at("2"));
    assert!(first.code == 0 && third.code == 0, "{first:?} {third:?}");
    assert_ne!(first.out, third.out);
    let over = cli.run(&["odds", "a.battle"]);
    over.fails(1, "the battle is over");
    let rules = cli.run(&["odds", "a.battle", "--rules", "Speed"]);
    rules.fails(2, "its own rules");
}
