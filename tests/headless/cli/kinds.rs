//! The command `kinds`.

use crate::kit::{Cli, LEVEL};
use fivefoot_core::rulesets::activity::content::ActivityStats;
use fivefoot_core::rulesets::phased::content::PhasedStats;
use fivefoot_core::rulesets::segments::content::SegmentsStats;
use fivefoot_core::rulesets::skirmish::content::SkirmishStats;
use fivefoot_core::rulesets::speed::content::SpeedStats;
use fivefoot_core::{
    battle::{Battle, Body, DiceBox, level_setup, of_unit},
    content::Content,
    levels,
    rulesets::ALL,
};
use serde_json::Value;
use std::sync::Arc;

/// The numbers of one kind, as JSON.
fn json(cli: &Cli, name: &str) -> Value {
    let output = cli.run(&["kinds", name, "--json"]);
    assert_eq!(output.code, 0, "{output:?}");
    serde_json::from_str(&output.out).unwrap()
}

#[test]
fn every_kind_is_listed_and_described() {
    let cli = Cli::new("kinds");
    let content = Content::built_in();
    let ids = content.creatures.keys().chain(content.weapons.keys());
    let ids: Vec<_> = ids
        .chain(content.armours.keys())
        .chain(content.spells.keys())
        .chain(content.conditions.keys())
        .collect();
    let text = cli.run(&["kinds"]);
    for id in &ids {
        let listed = text
            .out
            .lines()
            .any(|l| l.trim_start().split(' ').next() == Some(id));
        assert!(listed, "{id} is not listed");
    }
    let output = cli.run(&["kinds", "--json"]);
    let lines: Vec<Value> = output
        .out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines.len(), ids.len());
    for (line, id) in lines.iter().zip(&ids) {
        assert_eq!(line["id"], id.as_str());
        if line["what"] == "creature" {
            for rules in ALL {
                assert!(line[rules.id].as_object().unwrap().len() > 5, "{line}");
            }
        }
    }
}

/// `kinds` prints the numbers that a unit of the kind starts a battle with.
#[test]
fn creature_numbers_match_the_battle() {
    let cli = Cli::new("kinds_numbers");
    for kind in ["goblin", "brandt", "ogre", "ghoul"] {
        let numbers = json(&cli, kind);
        let level = LEVEL
            .replace("goblin", kind)
            .replace("(6, 1)", "(6, 1), name: \"x\"");
        let level = level.replace("(6, 1)", "(5, 1)");
        let (level, _) = levels::check_file("a.ron", &level).unwrap();
        let who = level.combatant_named("x").unwrap();
        let creature = level.combatant(who).creature.clone();
        let setup = level_setup(&Arc::new(level));
        for rules in ALL {
            let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(1));
            let hp = of_unit::<Body>(battle.world(), who.into()).max_hp;
            let name = match rules.id {
                "Speed" => "Wound Points",
                _ => "HP",
            };
            assert_eq!(numbers[rules.id][name], hp, "{kind}, {}", rules.id);
        }
        assert_eq!(
            numbers["Skirmish"]["AC"],
            creature.section::<SkirmishStats>().ac_melee
        );
        assert_eq!(
            numbers["Segments"]["hits AC 0 on"],
            creature.section::<SegmentsStats>().to_hit
        );
        assert_eq!(
            numbers["Phased"]["AC"],
            creature.section::<PhasedStats>().ac_melee
        );
        let agility = fivefoot_core::rulesets::speed::content::Ability::Agility as usize;
        let agility = fivefoot_core::rulesets::speed::content::Ability::modifier(
            creature.section::<SpeedStats>().scores[agility],
        );
        let defense = 10
            + agility
            + creature.section::<SpeedStats>().defense
            + creature.section::<SpeedStats>().shield;
        assert_eq!(numbers["Speed"]["Defense"], defense);
        let stats = &creature.section::<ActivityStats>();
        assert_eq!(
            numbers["Activity"]["DB"],
            stats.armour + stats.quickness + stats.shield
        );
    }
    // A goblin with a short sword: half its hit dice and no attribute modifier.
    let goblin = json(&cli, "goblin");
    assert_eq!(goblin["Skirmish"]["short sword"]["hit"], 1);
    assert_eq!(goblin["Skirmish"]["short sword"]["shock"], "2/AC 12");
    assert_eq!(goblin["Activity"]["short sword"]["OB"], 36);
}

#[test]
fn kinds_are_found_by_name_and_in_a_level() {
    let cli = Cli::new("kinds_names");
    for name in ["short_bow", "Short Bow", "short-bow"] {
        assert_eq!(json(&cli, name)["id"], "short_bow");
    }
    let own = "kinds: (creatures: {\"warlord\": (like: \"goblin\", hit_dice: 4)}), title:";
    cli.write(
        "level.ron",
        LEVEL
            .replace("title:", own)
            .replace("\"goblin\", side", "\"warlord\", side"),
    );
    assert_eq!(cli.run(&["kinds", "warlord"]).code, 2);
    let output = cli.run(&["kinds", "warlord", "--level", "level.ron"]);
    output.tells("4 hit dice");
    let output = cli.run(&["kinds", "swrod"]);
    assert!(output.err.contains("did you mean `sword`?"), "{output:?}");
    let output = cli.run(&["kinds", "xyzzy"]);
    assert!(
        output.err.contains("'fivefoot kinds' lists all"),
        "{output:?}"
    );
}
