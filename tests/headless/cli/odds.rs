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
        let told = cli.run(&call);
        assert_eq!(told.code, 0, "{rules}: {told:?}");
        for part in ["mara: ", "% to drop", "mean ", "misses included"] {
            assert!(told.out.contains(part), "{rules}, {part}: {}", told.out);
        }
        let json = cli.run(&[&call[..], &["--json"]].concat());
        for line in json.out.lines() {
            let told: Value = serde_json::from_str(line).unwrap();
            let attack = &told["attack"];
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
    let told = cli.run(&["odds", "level.ron"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(cli.run(&["odds", "pack"]).out, told.out);
    let mut command = cli.command(&["odds", "-"]);
    let file = std::fs::File::open(cli.home.join("level.ron")).unwrap();
    let read = command.stdin(file).output().unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), told.out);
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
    let told = cli.run(&call).out;
    let brief = told.lines().nth(1).unwrap();
    assert!(brief.contains("% to hit if it defends, else "), "{told}");
    assert!(told.contains("if the target uses Total Defense"), "{told}");
}

#[test]
fn impossible_orders_are_refused_with_a_reason() {
    let cli = Cli::new("odds_not");
    cli.write("level.ron", beside());
    let run = |order: &str| cli.run(&["odds", "level.ron", order, "--rules", "Skirmish"]);
    let told = run("mara: attack goblin 3");
    assert!(told.code == 2 && told.err.contains("no unit is called 'goblin 3'"));
    let told = run("mara: strike gobbo with sword");
    assert!(
        told.code == 2 && told.err.contains("no unit is called 'gobbo'"),
        "{told:?}"
    );
    let told = run("mara: strike goblin 1 with spoon");
    assert!(
        told.code == 2 && told.err.contains("\nthe nearest orders:\n  mara: "),
        "{told:?}"
    );
    let told = cli.run(&["odds", "level.ron", "--to", "3"]);
    assert!(
        told.code == 2 && told.err.contains("--to is for a recording"),
        "{told:?}"
    );
}

#[test]
fn odds_work_at_any_step_of_a_recording() {
    let cli = Cli::new("odds_at");
    cli.write("level.ron", beside());
    let record = [
        "sim",
        "level.ron",
        "--rules",
        "Skirmish",
        "--record",
        "a.battle",
    ];
    assert_eq!(cli.run(&record).code, 0);
    let at = |step: &str| cli.run(&["odds", "a.battle", "--to", step]);
    let (first, third) = (at("0"), at("2"));
    assert!(first.code == 0 && third.code == 0, "{first:?} {third:?}");
    assert_ne!(first.out, third.out);
    let over = cli.run(&["odds", "a.battle"]);
    assert!(
        over.code == 1 && over.err.contains("the battle is over"),
        "{over:?}"
    );
    let rules = cli.run(&["odds", "a.battle", "--rules", "Speed"]);
    assert!(
        rules.code == 2 && rules.err.contains("its own rules"),
        "{rules:?}"
    );
}
