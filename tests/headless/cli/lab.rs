//! The laboratory: counts of many battles, joined, compared and written as reports.

use crate::kit::{Cli, LEVEL};
use fivefoot_core::{
    battle::{Battle, DiceBox},
    control::{Controllers, Player, play, statistics::statistics},
    lab::{BattleRunner, Experiment, Series, interval::Estimate},
    levels, rulesets,
};
use serde_json::Value;

/// The output without the results of single battles.
fn without_results(out: &str) -> String {
    let is_counted = |line: &&str| !line.contains("\"what\":\"result\"");
    let lines = out.lines().filter(is_counted);
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// The tally lines of the output.
fn tallies(out: &str) -> Vec<Value> {
    let values = out.lines().map(|l| serde_json::from_str(l).unwrap());
    values.filter(|v: &Value| v["what"] == "tally").collect()
}

#[test]
fn a_series_reports_winners_reasons_and_actions() {
    let cli = Cli::with_level("lab_text");
    let out = cli
        .run(&["sim", "level.ron", "--battles", "30", "--rules", "all"])
        .ok();
    for output in [
        "Small · Skirmish · 30 battles, seeds 1 to 30",
        "  party wins ",
        "  No enemy is left on the field (",
        "rounds on average, ",
        "  acts of party in a battle: ",
        "  reactions of ",
        "Small under each ruleset",
    ] {
        assert!(out.contains(output), "{output:?} is not in:\n{out}");
    }
    let table = out.split("under each ruleset").nth(1).unwrap();
    for rules in rulesets::ALL {
        assert!(table.contains(rules.id), "{table}");
    }
}

/// An objective can be met while enemies stand, and by several sides at one moment: then nobody wins.
#[test]
fn a_series_says_how_objectives_were_met() {
    let cli = Cli::new("lab_objectives");
    let one = "(side: \"party\", goal: Survive(rounds: 1))";
    let both = format!("{one}, {}", one.replace("party", "foes"));
    for (objectives, words) in [
        (one, "Stand for one round (2 with enemies still standing)"),
        (
            both.as_str(),
            "Done at one moment: The party: Stand for one round;",
        ),
    ] {
        let level = LEVEL.replace("title:", &format!("objectives: [{objectives}], title:"));
        cli.write("level.ron", level);
        let call = "sim level.ron --battles 2 --rules Phased";
        cli.call(call).tells(words);
    }
    let compared = cli.call("compare level.ron --battles 2");
    compared.tells("their objectives, or fell, at one moment");
}

/// A tally is consistent and matches the statistics of each battle.
#[test]
fn a_tally_adds_up() {
    let level = levels::default_level();
    for rules in rulesets::ALL {
        let players = vec![Player::Quick; 2];
        let main = Series::new(&level, rules, players.clone());
        let setup = main.setup.clone();
        let experiment = Experiment::new(main);
        let (mut tally, mut bench) = (experiment.blank(), BattleRunner::new(&experiment));
        let mut sums = vec![(0, 0, 0, 0, 0); level.combatants.len()];
        for seed in 1..=5 {
            bench.fight(seed, &mut tally, || false).unwrap();
            // Run again in a new world: reusing the bench's world makes no difference.
            let mut controllers = Controllers::new(&players, &setup, rules, seed);
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            play(&mut battle, &mut controllers, 100_000);
            for (sum, statistics) in sums.iter_mut().zip(statistics(&battle)) {
                sum.0 += i64::from(statistics.dealt);
                sum.1 += i64::from(statistics.taken);
                sum.2 += u64::from(statistics.attacks);
                sum.3 += u64::from(statistics.hits);
                sum.4 += u64::from(statistics.felled);
            }
        }
        let n = tally.battles();
        assert_eq!((n, tally.seeds.count()), (5, 5));
        assert_eq!(tally.all_rounds().values().sum::<u64>(), n);
        let why = tally.why.iter().flat_map(|w| w.values());
        assert_eq!(why.map(|m| m.all()).sum::<u64>(), n);
        assert_eq!(tally.first.iter().flatten().sum::<u64>(), n);
        let swing = &tally.swing;
        assert!(swing.kept + swing.lost <= swing.ahead && swing.ahead <= n);
        let margins = [swing.margin[0].sum, swing.margin[1].sum];
        assert!(margins[0] == -margins[1] && margins[0] != 0, "{margins:?}");
        for (tally, sum) in tally.units.iter().zip(sums) {
            let p = tally;
            let counted = (p.dealt.sum, p.taken.sum, p.attacks, p.hits, p.felled);
            assert_eq!(counted, sum, "{} under {}", p.name, rules.id);
            assert_eq!(p.standing + p.down + p.dead + p.fled, n);
            assert!(p.fallen() <= n && !p.acts.is_empty());
        }
        assert!(tally.falls.all() > 0 && tally.stood.all() > tally.falls.all());
        assert!(tally.shots.all() > 0, "{}", rules.id);
        let reactions = tally.units.iter().any(|p| !p.reactions.is_empty());
        assert!(reactions || rules.id == "Segments", "{}", rules.id);
    }
}

/// Ten shares joined in any order equal the whole series byte for byte, comparisons included, under
/// every ruleset.
#[test]
fn ten_shares_equal_the_whole() {
    let cli = Cli::with_level("lab_shares");
    cli.write("other.ron", LEVEL.replace("at: (6, 1)", "at: (7, 1)"));
    let fought = |seeds: &str| {
        let call = [
            "sim",
            "level.ron",
            "--rules",
            "all",
            "--json",
            "--seeds",
            seeds,
        ];
        let beside = ["--compare", "other.ron", "--vary", "all: speed +-5"];
        cli.run(&[&call[..], &beside].concat()).ok()
    };
    let whole = fought("1..30");
    cli.write("whole.json", &whole);
    let mut files = vec![];
    for n in 0..10 {
        let file = format!("{n}.json");
        cli.write(&file, fought(&format!("{}..{}", 3 * n + 1, 3 * n + 3)));
        files.push(file);
    }
    files.swap(0, 7);
    files.reverse();
    let mut call = vec!["sum", "--json"];
    call.extend(files.iter().map(String::as_str));
    let sum = cli.run(&call).ok();
    assert_eq!(sum, without_results(&whole));
    // The texts of both levels are written once.
    assert_eq!(sum.lines().count(), 2 + 5);
    assert_eq!(sum.matches("....+...").count(), 2);
    assert_eq!(sum, cli.run(&["sum", "--json", "whole.json"]).ok());
    // What `sum` prints can be summed.
    cli.write(
        "part.json",
        cli.run(&["sum", "--json", &files[0], &files[1]]).ok(),
    );
    let mut call = vec!["sum", "--json", "part.json"];
    call.extend(files[2..].iter().map(String::as_str));
    assert_eq!(sum, cli.run(&call).ok());
    // A share of one seed works as well.
    let one = cli
        .run(&["sim", "level.ron", "--json", "--seeds", "5..5"])
        .ok();
    assert_eq!((one.lines().count(), tallies(&one).len()), (3, 1));
    // As text, `sum` prints the report of `sim`, and how well the parts' intervals held.
    call.remove(1);
    let text = cli.run(&call).ok();
    assert!(
        text.contains("Small · Speed · 30 battles, seeds 1 to 30"),
        "{text}"
    );
    assert!(
        text.contains("of the intervals of the 9 parts contain"),
        "{text}"
    );
}

#[test]
fn parts_of_different_series_are_not_joined() {
    let cli = Cli::with_level("lab_unlike");
    let fought = |file: &str, more: &[&str]| {
        let call = ["sim", "level.ron", "--json", "--seeds"];
        cli.write(file, cli.run(&[&call[..], more].concat()).ok());
    };
    fought("a.json", &["1..3"]);
    fought("b.json", &["3..5"]);
    fought("rules.json", &["4..6", "--rules", "Speed"]);
    fought("all.json", &["4..6", "--rules", "all"]);
    fought("handicap.json", &["4..6", "--handicap", "foes=3"]);
    fought("ai.json", &["4..6", "--ai", "foes=easy"]);
    fought("beside.json", &["4..6", "--vary", "goblin: hp +1"]);
    let plain = cli.read("b.json");
    let version = format!("\"program\":\"{}\"", fivefoot_core::version::VERSION);
    assert!(plain.contains(&version));
    cli.write(
        "version.json",
        plain.replace(&version, "\"program\":\"0.0\""),
    );
    cli.write("cut.json", &plain[..plain.len() - 40]);
    cli.write("none.json", plain.lines().next().unwrap());
    cli.write("text.json", "Small");
    let wrong = plain.replace("\"wins\":[", "\"wins\":[1,");
    cli.write("shape.json", wrong);
    let huge = plain.replace("\"answers\":", "\"answers\":9999999999999999");
    cli.write("huge.json", huge);
    cli.write("level.ron", LEVEL.replace("(6, 1)", "(6, 2)"));
    fought("level.json", &["4..6"]);
    for (file, what) in [
        (
            "b.json",
            "seed 3 of level under Skirmish is in an earlier part too",
        ),
        (
            "rules.json",
            "it is of level under Speed, not level under Skirmish",
        ),
        ("all.json", "it has 5 tallies where the first file has 1"),
        ("handicap.json", "it is of handicaps 0, 3, not 0"),
        ("ai.json", "it is played by quick, easy, not quick, quick"),
        ("beside.json", "it is beside goblin: hp +1, not nothing"),
        ("version.json", "it is counted by version 0.0, not "),
        ("level.json", "it is of another state of the level level"),
        ("cut.json", "it may have been cut short"),
        ("none.json", "there is no tally in it"),
        ("text.json", "not a line of JSON"),
        ("shape.json", "it does not fit its level"),
        ("huge.json", "numbers are too large"),
    ] {
        let output = cli.run(&["sum", "a.json", file]);
        assert!(
            output.code == 1 && output.err.starts_with(file) && output.err.contains(what),
            "{file}: {output:?}"
        );
    }
    assert_eq!(cli.run(&["sum", "nowhere.json"]).code, 1);
}

#[test]
fn sim_stops_once_the_win_rates_are_known() {
    let cli = Cli::with_level("lab_within");
    let fought = |more: &[&str]| {
        let call = ["sim", "level.ron", "--json", "--within", "8%"];
        cli.run(&[&call[..], more].concat()).ok()
    };
    let out = fought(&[]);
    assert_eq!(out, fought(&["--threads", "1"]));
    assert_eq!(out, fought(&["--threads", "5"]));
    let output = &tallies(&out)[0]["told"];
    let battles = output["battles"].as_u64().unwrap();
    assert!(
        battles.is_multiple_of(100) && (100..=200).contains(&battles),
        "{output}"
    );
    for side in output["wins"].as_array().unwrap() {
        let width = side["high"].as_f64().unwrap() - side["low"].as_f64().unwrap();
        assert!(width <= 0.16, "{side}");
    }
    // `--battles` is an upper limit.
    let few = fought(&["--battles", "20"]);
    assert_eq!(tallies(&few)[0]["told"]["battles"], 20);
}

#[test]
fn levels_are_compared_on_the_same_seeds() {
    let cli = Cli::with_level("lab_compare");
    let strong = "kind: \"goblin\", with: (skirmish: (hp: 60, attack: 9))";
    cli.write("strong.ron", LEVEL.replace("kind: \"goblin\"", strong));
    let call = ["sim", "level.ron", "--battles", "60", "--json"];
    let out = cli
        .run(
            &[
                &call[..],
                &["--compare", "level.ron", "--compare", "strong.ron"],
            ]
            .concat(),
        )
        .ok();
    let beside = &tallies(&out)[0]["told"]["beside"];
    assert_eq!(beside[0]["difference"]["share"], 0.0);
    assert_eq!(beside[0]["is_telling"], false);
    assert!(
        beside[1]["difference"]["high"].as_f64().unwrap() < -0.1,
        "{beside}"
    );
    assert_eq!(beside[1]["is_telling"], true);
    let out = cli
        .call("sim level.ron --battles 60 --compare strong.ron")
        .ok();
    assert!(
        out.contains("with strong: party wins ") && out.contains("much harder for party"),
        "{out}"
    );
}

#[test]
fn vary_compares_changed_numbers() {
    let cli = Cli::with_level("lab_vary");
    let tried = |vary: &[&str]| {
        let mut call = vec!["sim", "level.ron", "--battles", "40", "--json"];
        vary.iter().for_each(|v| call.extend(["--vary", v]));
        let out = cli.run(&call).ok();
        let beside = tallies(&out)[0]["told"]["beside"]
            .as_array()
            .unwrap()
            .clone();
        let output = beside.iter().map(|b| {
            let share = b["difference"]["share"].as_f64().unwrap();
            (b["with"].as_str().unwrap().to_owned(), share)
        });
        output.collect::<Vec<_>>()
    };
    let all = tried(&["goblin: hp +40, attack +9", "mara: hp +40"]);
    assert_eq!(all[0].0, "goblin: hp +40, attack +9");
    assert!(all[0].1 < -0.3 && all[1].1 >= 0.0, "{all:?}");
    let all = tried(&["all: attack +-2"]);
    let names: Vec<_> = all.iter().map(|a| a.0.as_str()).collect();
    let wanted = [
        "goblin: attack +2",
        "goblin: attack -2",
        "mara: attack +2",
        "mara: attack -2",
    ];
    assert_eq!(names, wanted);
    // Changes apply on top of the level's own, and to several kinds together.
    let own = "kind: \"goblin\", with: (skirmish: (hp: 9))";
    cli.write("level.ron", LEVEL.replace("kind: \"goblin\"", own));
    let (level, _) = levels::check_file("level.ron", &cli.read("level.ron")).unwrap();
    let vary = "goblin, mara: hp +3"
        .parse::<fivefoot_core::lab::vary::Vary>()
        .unwrap();
    let varied = vary.on(&level, rulesets::ALL[0]).unwrap();
    let hp = |level: &levels::Level, n: usize| {
        (rulesets::ALL[0].hit_points)(&level.combatants[n].creature)
    };
    assert_eq!(hp(&varied[0].level, 1), 12);
    assert_eq!(hp(&varied[0].level, 0), hp(&level, 0) + 3);
}

/// `hp` varies each ruleset's own measure of hit points, and the report uses the ruleset's name for
/// it.
#[test]
fn hp_stands_for_each_rulesets_own_measure() {
    let level = levels::default_level();
    let vary = "goblin_chief: hp +3".parse::<fivefoot_core::lab::vary::Vary>();
    let vary = vary.unwrap();
    for (rules, name) in rulesets::ALL
        .into_iter()
        .zip(["hp", "hp", "hp", "wounds", "hits"])
    {
        let bears = |level: &levels::Level| {
            let mut all = level.combatants.iter();
            let chief = all.find(|c| c.creature.id == "goblin_chief").unwrap();
            (rules.hit_points)(&chief.creature)
        };
        let varied = vary.on(&level, rules).unwrap();
        assert_eq!(varied[0].text, format!("goblin_chief: {name} +3"));
        assert_eq!(bears(&varied[0].level), bears(&level) + 3, "{}", rules.id);
    }
}

/// Every number of a creature can be varied by the given amount.
#[test]
fn every_number_can_be_varied() {
    let level = levels::default_level();
    let mut tried = 0;
    for rules in rulesets::ALL {
        for kind in ["mara", "goblin_chief"] {
            let creature = |level: &levels::Level| {
                let mut all = level.combatants.iter();
                all.find(|c| c.creature.id == kind)
                    .unwrap()
                    .creature
                    .clone()
            };
            let numbers = creature(&level).numbers();
            for &(group, field, n) in &numbers {
                let own = |group: &str| rules.sections.creature.iter().any(|s| s.key() == group);
                let is_common = group.is_none_or(|g| ["attributes", "skills"].contains(&g));
                // A ruleset's own field hides a common field of that name.
                let shadows = |n: &&(Option<&str>, &str, i32)| n.1 == field && n.0.is_some_and(own);
                let is_hidden = group.is_none() && numbers.iter().any(|n| shadows(&n));
                if is_hidden || !(is_common || group.is_some_and(own)) {
                    continue;
                }
                let name = group.map_or(field.to_owned(), |g| format!("{g}.{field}"));
                let by = if field == "speed" && is_common { 5 } else { 1 };
                let vary = format!("{kind}: {name} +{by}");
                let vary = vary.parse::<fivefoot_core::lab::vary::Vary>().unwrap();
                let Ok(varied) = vary.on(&level, rules) else {
                    panic!("{kind}: {name} under {}", rules.id);
                };
                let numbers = creature(&varied[0].level).numbers();
                let now = numbers.iter().find(|m| (m.0, m.1) == (group, field));
                assert_eq!(now.map(|m| m.2), Some(n + by), "{kind}: {name}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn bad_arguments_are_reported() {
    let cli = Cli::with_level("lab_usage");
    let sides = LEVEL.replace("\"foes\"", "\"gobs\"");
    cli.write("sides.ron", sides);
    for (call, what) in [
        (&["--seeds", "5..1"][..], "comes after the last"),
        (&["--seeds", "5"], "such as 1..5000"),
        (
            &["--seeds", "1..5", "--battles", "3"],
            "cannot be used with",
        ),
        (&["--within", "0%"], "from 0.1 to 50"),
        (&["--within", "soon"], "such as 3%"),
        (&["--vary", "goblin"], "such as `goblin: hp +2`"),
        (&["--vary", "goblin: hp 2"], "such as `goblin: hp +2`"),
        (&["--vary", "goblin: hp +0"], "by 1 to 1000, up or down"),
        (&["--vary", "goblin: hp +99999"], "by 1 to 1000, up or down"),
        (&["--vary", "goblim: hp +2"], "did you mean `goblin`?"),
        (&["--vary", "goblin: hb +2"], "has no number `hb`; it has "),
        (&["--vary", "goblin: hp -99"], "from 1 to 1000"),
        (&["--vary", "goblin: speed +2"], "no whole number of cells"),
        (
            &["--rules", "Speed", "--vary", "goblin: hits +2"],
            "under Speed a goblin has no number `hits`; it has ",
        ),
        (
            &["--rules", "Activity", "--vary", "goblin: vigour +2"],
            "; `hp` means hits here",
        ),
        (
            &["--rules", "Activity", "--vary", "goblin: skirmish.hp +2"],
            "under Activity a goblin has no number `skirmish.hp`",
        ),
        (&["--compare", "sides.ron"], "they must be equal"),
        (&["--csv", "--json"], "cannot be used with"),
        (&["--log", "--csv"], "cannot be used with"),
    ] {
        let output = cli.run(&[&["sim", "level.ron"], call].concat());
        output.fails(2, what);
        assert_eq!(output.out, "", "{call:?}");
    }
    // An error in a file is not a usage error.
    cli.write("bad.ron", LEVEL.replace("goblin", "gobblin"));
    assert_eq!(
        cli.run(&["sim", "level.ron", "--compare", "bad.ron"]).code,
        1
    );
}

#[test]
fn every_csv_line_has_a_number() {
    let cli = Cli::with_level("lab_csv");
    let call = [
        "sim",
        "level.ron",
        "--battles",
        "20",
        "--csv",
        "--vary",
        "goblin: hp +1, attack +1",
    ];
    let out = cli.run(&call).ok();
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some(fivefoot_core::lab::csv::HEAD));
    let mut wins = 0.0;
    let mut n = 0;
    for line in lines {
        // A field with a comma is quoted, such as a cell or a variation.
        let parts = line.split('"').enumerate();
        let plain = parts.map(|(n, part)| match n % 2 {
            0 => part.to_owned(),
            _ => part.replace(',', ";"),
        });
        let plain: String = plain.collect();
        let fields: Vec<&str> = plain.split(',').collect();
        assert_eq!(fields.len(), 10, "{line}");
        let value: f64 = fields[7].parse().unwrap();
        if (fields[3], fields[5]) == ("side", "wins") {
            wins += value;
        }
        n += 1;
    }
    assert!((wins - 1.0).abs() < 1e-9 && n > 50, "{n} lines, {wins}");
}

#[test]
fn compare_shows_rulesets_side_by_side() {
    let cli = Cli::with_level("lab_beside");
    let out = cli.run(&["compare", "level.ron", "--battles", "10"]).ok();
    assert!(out.starts_with("Small under each ruleset\n"), "{out}");
    for rules in rulesets::ALL {
        let row = out.lines().find(|l| l.trim_start().starts_with(rules.id));
        assert!(row.is_some_and(|row| row.contains(" 10 ")), "{out}");
    }
    assert!(out.contains("first move  wins of the first side"), "{out}");
    let json = cli
        .run(&["compare", "level.ron", "--battles", "10", "--json"])
        .ok();
    let all = tallies(&json);
    let seconds = all.iter().map(|t| {
        let output = &t["told"];
        output["seconds"].as_f64().unwrap() / output["rounds"]["mean"].as_f64().unwrap()
    });
    let seconds: Vec<_> = seconds.map(f64::round).collect();
    assert_eq!(seconds, [6.0, 60.0, 60.0, 6.0, 10.0]);
    cli.write("own.ron", LEVEL.replace("title:", "rules: Speed, title:"));
    let own = cli.run(&["compare", "own.ron", "--battles", "3"]).ok();
    assert!(own.contains("Speed") && !own.contains("Phased"), "{own}");
}

/// Of 60 parts' confidence intervals, about as many as they claim contain the win rate of the whole
/// run.
#[test]
fn confidence_intervals_contain_the_long_run_rate() {
    let even = LEVEL.replace("mara", "goblin");
    let (level, _) = levels::check_file("even.ron", &even).unwrap();
    let level = std::sync::Arc::new(level);
    let rules = rulesets::find("Demo").unwrap();
    let experiment = Experiment::new(Series::new(&level, rules, vec![Player::Quick; 2]));
    let mut bench = BattleRunner::new(&experiment);
    let mut whole = experiment.blank();
    let mut shares = vec![];
    for part in 0..60 {
        let mut tally = experiment.blank();
        for seed in 20 * part..20 * (part + 1) {
            bench.fight(seed, &mut tally, || false).unwrap();
        }
        shares.push(Estimate::proportion(tally.wins[0], tally.battles()));
        whole.join(&tally).unwrap();
    }
    let truth = whole.wins[0] as f64 / whole.battles() as f64;
    let held = shares.iter().filter(|s| s.low <= truth && truth <= s.high);
    let held = held.count();
    assert!((0.2..0.8).contains(&truth), "{truth}");
    assert!((50..=60).contains(&held), "{held} of 60 hold {truth}");
}

/// A report page is self-contained, complete and deterministic. Its JSON file produces an identical
/// page.
#[test]
fn a_report_page_is_self_contained() {
    let cli = Cli::with_level("lab_page");
    let odd = LEVEL.replace("title: \"Small\"", "title: \"<b>Small & \\\"odd\\\"</b>\"");
    cli.write("odd.ron", odd);
    let call = [
        "sim",
        "odd.ron",
        "--rules",
        "all",
        "--battles",
        "6",
        "--report",
        "out",
        "--compare",
        "level.ron",
        "--vary",
        "goblin: skill +-1",
    ];
    let out = cli.run(&call).ok();
    assert!(out.contains("written: out/odd.html"), "{out}");
    let page = cli.read("out/odd.html");
    for output in [
        "<!DOCTYPE html>",
        "&lt;b&gt;Small &amp; &quot;odd&quot;&lt;/b&gt;",
        "6 battles, seeds 1 to 6",
        "How they won",
        "Where it happened",
        "Beside level",
        "goblin: skill ±1",
        "Activity in full",
        "class=\"heat h2\"",
    ] {
        assert!(page.contains(output), "{output}");
    }
    for foreign in [
        "<script", "src=", "http", "url(//", "@import", "<b>Small", "NaN", "inf\"",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Every element is closed, and every id is unique.
    for element in ["svg", "section", "details", "g", "text", "table", "div"] {
        let opened = page.matches(&format!("<{element} ")).count()
            + page.matches(&format!("<{element}>")).count();
        assert_eq!(
            opened,
            page.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
    let ids: Vec<&str> = page
        .split(" id=\"")
        .skip(1)
        .map(|s| s.split('"').next().unwrap())
        .collect();
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len());
    assert_eq!(cli.run(&call).ok(), out);
    assert_eq!(cli.read("out/odd.html"), page);
    let json = cli.read("out/odd.json");
    cli.run(&["sum", "out/odd.json", "--report", "again"]).ok();
    assert_eq!(cli.read("again/odd.json"), json);
    let plain = |page: &str| {
        let lines = page.lines().filter(|l| !l.contains("<code>"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(plain(&cli.read("again/odd.html")), plain(&page));
}

#[test]
fn a_report_overwrites_only_reports() {
    let cli = Cli::with_level("lab_page_place");
    std::fs::create_dir(cli.home.join("out")).unwrap();
    cli.write("out/level.html", "my own page");
    cli.write("file", "no folder");
    let call = ["sim", "level.ron", "--battles", "2", "--report"];
    let output = cli.run(&[&call[..], &["out"]].concat());
    output.fails(1, "out/level.html: already exists");
    assert_eq!(cli.read("out/level.html"), "my own page");
    let output = cli.run(&[&call[..], &["file"]].concat());
    output.fails(1, "file: is a file; name a folder");
    assert_eq!(output.out, "", "before a battle is fought");
}

/// A field that only some rulesets have can still be varied.
#[test]
fn rulesets_without_a_varied_field_skip_it() {
    let cli = Cli::with_level("lab_left_out");
    let call = [
        "sim",
        "level.ron",
        "--rules",
        "all",
        "--battles",
        "2",
        "--json",
    ];
    let output = cli.run(&[&call[..], &["--vary", "goblin: stress +1"]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    let left_out = "'goblin: stress +1' is skipped under Skirmish, Segments, Phased, Activity: \
        under Skirmish a goblin has no number `stress`";
    assert!(output.err.contains(left_out), "{output:?}");
    let beside = tallies(&output.out);
    let beside = beside
        .iter()
        .map(|t| t["tally"]["beside"].as_array().unwrap().len());
    assert_eq!(beside.collect::<Vec<_>>(), [0, 0, 0, 1, 0]);
}
