//! The positions in `tests/positions`: each has the margin that it states, and the AIs choose well
//! in enough of them.

use crate::kit::Cli;
use fivefoot_core::control::{
    Player,
    positions::{self, Position},
};
use fivefoot_kit::sample;
use std::path::PathBuf;

fn all() -> Vec<Position> {
    let folder = fivefoot_kit::root().join("tests/positions");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &PathBuf| positions::read(file).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    files.iter().map(read).collect()
}

/// The better order wins more often than the worse one on the same seeds.
#[test]
fn positions_have_their_stated_margins() {
    let wrong: Vec<String> = all()
        .iter()
        .step_by(sample(4, 1))
        .filter_map(wrong_in)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn wrong_in(position: &Position) -> Option<String> {
    let illegal = position.illegal();
    if !illegal.is_empty() {
        return Some(format!("{illegal:?}"));
    }
    let (wise, unwise) = match position.compare(120) {
        Ok(compared) => compared.expect("two are compared"),
        Err(problem) => return Some(format!("{problem:?}")),
    };
    let margin = f32::from(position.margin.expect("a margin"));
    let output = format!(
        "{}: {wise}% to {unwise}% is less than {margin}%",
        position.file
    );
    (wise - unwise < margin).then_some(output)
}

/// The strategist finds good orders that the quick AI misses.
#[test]
fn the_strategist_solves_more_positions() {
    let all = all();
    let well = |player: Player| {
        let chosen = all.iter().map(|position| position.judge(player).unwrap());
        chosen.filter(|chosen| chosen.is_good).count()
    };
    let (quick, strategist) = (well(Player::Quick), well(Player::Strategist(96)));
    let output = format!(
        "of {} the quick AI {quick}, the strategist {strategist}",
        all.len()
    );
    assert!(strategist >= quick + all.len() / 5, "{output}");
    assert!(strategist * 3 >= all.len(), "{output}");
}

/// SK-15: a unit whose fall ends the battle leaves its place to screen no ally that would not be missed,
/// and no unit screens one that flees.
#[test]
fn a_key_unit_screens_no_rat() {
    let text = r#"(
        position: "the adept keeps its place",
        rules: Skirmish,
        map: ["..........", "..........", ".........."],
        sides: [(id: "east", control: Ai, awareness: Alert), (id: "west", control: Ai)],
        combatants: [
            (kind: "cult_adept", name: "adept", side: "east", at: (8, 1), with: (spells: [])),
            (kind: "giant_rat", side: "east", at: (5, 1)),
            (kind: "mara", side: "west", at: (3, 1)),
            (kind: "brandt", side: "west", at: (3, 2)),
        ],
        objectives: [(side: "west", goal: Defeat(["adept"]), text: "Silence the adept")],
        orders: ["giant rat: done"],
        seed: 1,
        wise: ["adept: *"],
        unwise: ["adept: screen giant rat from *"],
        margin: 1,
    )"#;
    let file = Cli::new("key").write("rat.ron", text);
    let position = positions::read(&file).expect("a position");
    let chosen = position.judge(Player::Quick).expect("a choice");
    assert!(chosen.is_good);
}

const POSITION: &str = r#"(
    position: "the weak one first",
    rules: Skirmish,
    map: [".....", "....."],
    combatants: [
        (kind: "hobgoblin", side: "us", at: (0, 0), hp: 2),
        (kind: "bandit", side: "them", at: (1, 0)),
        (kind: "goblin", side: "them", at: (1, 1), hp: 1),
    ],
    surprise: Caught(["them"]),
    wise: ["hobgoblin: strike goblin*"],
    unwise: ["hobgoblin: strike bandit*"],
    margin: 1,
)
"#;

#[test]
fn positions_can_be_checked_and_judged() {
    let cli = Cli::new("positions");
    cli.write("good.ron", POSITION);
    assert_eq!(cli.run(&["check", "good.ron"]).code, 0);
    let output = cli.call("arena --positions good.ron --playouts 60 --b easy");
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.out.contains("the weak one first") && output.out.contains("wins"),
        "{output:?}"
    );
    for (wrong, what) in [
        (
            POSITION.replace("strike goblin*", "dance*"),
            "there is no such offer",
        ),
        (POSITION.replace("margin: 1", "margin: 0"), "from 1 to 100"),
        (POSITION.replace("wise:", "unwise_:"), "unwise_"),
        (
            POSITION.replace("margin: 1", "orders: [\"hobgoblin: fly\"]"),
            "order 1 cannot be given",
        ),
    ] {
        cli.write("wrong.ron", wrong);
        for call in [
            &["check", "wrong.ron"][..],
            &["arena", "--positions", "wrong.ron"],
        ] {
            let output = cli.run(call);
            let all = format!("{}{}", output.out, output.err);
            assert!(
                output.code == 1 && all.contains(what),
                "{call:?} {what}: {output:?}"
            );
        }
    }
    // A level is not a position, and the error says so.
    cli.write("level.ron", "(title: \"A\", map: [\"..\"], combatants: [])");
    let output = cli.run(&["arena", "--positions", "level.ron"]);
    assert!(
        output.out.contains("this is a level, not a position")
            && output.err.contains("1 position failed"),
        "{output:?}"
    );
    let output = cli.run(&["sim", "good.ron"]);
    assert!(
        output.code != 0 && output.err.contains("this is a position, not a level"),
        "{output:?}"
    );
}

/// The line with the counts. The level's text comes before it, and times come after it.
fn arena_line(out: &str) -> &str {
    out.lines().nth(1).unwrap()
}

#[test]
fn arena_reports_shares_and_writes_readable_positions() {
    let cli = Cli::new("arena");
    let level = fivefoot_kit::root().join("levels/bench/mirror_2v2.ron");
    let level = level.to_str().unwrap();
    let fought = |more: &[&str]| {
        let call = ["arena", level, "--b", "easy", "--battles", "8", "--json"];
        cli.run(&[&call[..], more].concat())
    };
    let output = fought(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    let line: serde_json::Value = serde_json::from_str(arena_line(&output.out)).unwrap();
    let line = &line["told"];
    let wins = line["a_wins"].as_u64().unwrap() + line["b_wins"].as_u64().unwrap();
    assert_eq!(wins + line["nobody_wins"].as_u64().unwrap(), 8);
    let shares = |output: &str| {
        let line: serde_json::Value = serde_json::from_str(arena_line(output)).unwrap();
        line["told"]["b_share"].as_f64().unwrap()
    };
    assert_eq!(
        shares(&fought(&["--threads", "1"]).out),
        shares(&output.out)
    );

    // An AI against an idle player gives many positions.
    let call = "measure blunders found --a idle --b quick --battles 1 --seed 7";
    let call: Vec<&str> = call.split(' ').chain([level]).collect();
    let output = cli.run(&call);
    output.tells("wins");
    assert_eq!(cli.run(&["check", "found"]).code, 0);
}
