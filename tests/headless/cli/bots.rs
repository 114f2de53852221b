//! Programs that play a side, and battles that `fivefoot serve` runs for a program.

use crate::kit::{Cli, LEVEL, Output};
use fivefoot_kit::{root, sample};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

/// A running `fivefoot serve`.
struct Served {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Served {
    fn start(cli: &Cli) -> Self {
        let mut command = cli.command(&["serve"]);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn().unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Self { child, to, from }
    }

    fn line(&mut self, line: &str) -> Value {
        writeln!(self.to, "{line}").unwrap();
        let mut reply = String::new();
        self.from.read_line(&mut reply).unwrap();
        assert_eq!(reply.matches("\"format\":1").count(), 1, "{reply}");
        serde_json::from_str(&reply).unwrap_or_else(|e| panic!("{e}: {reply}"))
    }

    fn ask(&mut self, command: Value) -> Value {
        self.line(&command.to_string())
    }

    /// The reply to a command that must succeed.
    #[track_caller]
    fn done(&mut self, command: Value) -> Value {
        let reply = self.ask(command.clone());
        assert_eq!(reply["ok"], true, "{command}: {reply}");
        reply
    }

    /// The reply to a command that must be refused with an error that contains `why`.
    #[track_caller]
    fn refused(&mut self, command: Value, why: &str) -> Value {
        let reply = self.ask(command.clone());
        assert_eq!(reply["ok"], false, "{command}: {reply}");
        let error = reply["error"].as_str().unwrap();
        assert!(error.contains(why), "{command}: {error}");
        reply
    }

    /// Closes the input and expects `serve` to exit with success.
    fn end(mut self) {
        drop(self.to);
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn serve_keeps_running_after_errors() {
    let cli = Cli::with_level("serve_errors");
    cli.write("bad.ron", LEVEL.replace("goblin", "gobblin"));
    let mut served = Served::start(&cli);
    assert_eq!(served.line("nonsense")["ok"], false);
    assert_eq!(served.line("[1]")["ok"], false);
    assert_eq!(served.line("{}")["ok"], false);
    served.refused(json!({"do": "ordre"}), "did you mean `order`?");
    served.refused(json!({"do": "new", "lvel": "x"}), "unknown field `lvel`");
    served.refused(json!({"do": "new", "level": "none.ron"}), "none.ron");
    served.refused(json!({"do": "new", "level": "bad.ron"}), "gobblin");
    served.refused(
        json!({"do": "new", "level": "level.ron", "rules": "X"}),
        "no such ruleset",
    );
    served.refused(
        json!({"do": "new", "level": "level.ron", "ai": {"foes": "cmd:sh"}}),
        "there is no AI called",
    );
    served.refused(
        json!({"do": "observe", "battle": 1}),
        "there is no battle 1",
    );
    served.refused(
        json!({"do": "new", "recording": "a.battle", "seed": 3}),
        "a recording has its own level, rules, seed",
    );
    let new = json!({"do": "new", "level": "level.ron", "seed": 3, "id": "a"});
    let begun = served.done(new);
    assert_eq!((&begun["battle"], &begun["id"]), (&json!(1), &json!("a")));
    let side = begun["asked"]["side"].clone();
    assert!(begun["side_titles"][side.as_str().unwrap()].is_string());
    let wrong = json!({"do": "order", "battle": 1, "order": "mara: fly to 3,3"});
    let wrong = served.refused(wrong, "is not among the offers");
    assert!(!wrong["nearest"].as_array().unwrap().is_empty(), "{wrong}");
    let nobody = json!({"do": "order", "battle": 1, "order": "nobody: pass"});
    let nobody = served.refused(nobody, "no unit or side is called 'nobody'");
    assert_eq!(nobody["nearest"], json!([]));
    served.refused(
        json!({"do": "order", "battle": 1, "offer": 9999}),
        "no offer 9999",
    );
    served.refused(json!({"do": "order", "battle": 1}), "`order`");
    served.refused(
        json!({"do": "order", "battle": 1, "offer": -1}),
        "`offer` is a whole number from 0 on, not -1",
    );
    served.refused(
        json!({"do": "order", "battle": 1, "offer": 0, "number": 99_999_999_999_u64}),
        "`number` is a whole number from -2147483648 to 2147483647, not 99999999999",
    );
    served.refused(
        json!({"do": "order", "battle": 1, "order": vec![0; 1000]}),
        "`order` is a text, not [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,…",
    );
    served.refused(
        json!({"do": "order", "battle": 1, "order": "mara: will attack nobody"}),
        "no unit is called 'nobody'",
    );
    served.refused(
        json!({"do": "fork", "battle": 1, "side": "x"}),
        "no side 'x'",
    );
    // The errors have not changed the battle.
    let now = served.done(json!({"do": "observe", "battle": 1}));
    assert_eq!(now["side"], side);
    let fork = served.done(json!({"do": "fork", "battle": 1, "seed": 5}));
    served.refused(
        json!({"do": "save", "battle": fork["battle"], "file": "f"}),
        "a fork",
    );
    served.refused(
        json!({"do": "save", "battle": 1, "file": "level.ron"}),
        "`\"force\": true`",
    );
    served.done(json!({"do": "close", "battle": 1}));
    served.refused(json!({"do": "offers", "battle": 1}), "there is no battle 1");
    served.end();
}

/// Plays a battle through `serve` to its end by picking offers pseudo-randomly from a seed.
fn play(served: &mut Served, rules: &str, seed: u64) -> (Value, usize) {
    let new = json!({"do": "new", "level": "level.ron", "rules": rules, "seed": seed,
        "ai": {"foes": "quick"}, "observe": true, "offers": true});
    let mut now = served.done(new);
    let battle = now["battle"].clone();
    let (mut steps, mut luck) = (0, seed.wrapping_mul(0x9e37_79b9) | 1);
    while now.get("asked").is_some() {
        assert!(steps < 5_000, "{rules}, seed {seed}: it does not end");
        let offers = now["offers"].as_array().unwrap();
        assert!(now["observation"]["units"].is_array(), "{now}");
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let n = (luck >> 33) as usize % offers.len();
        let mut order = json!({"do": "order", "battle": battle, "observe": true, "offers": true});
        match offers[n].get("numbers") {
            Some(numbers) => {
                order["offer"] = n.into();
                order["number"] = numbers[1].clone();
            }
            None => order["order"] = offers[n]["order"].clone(),
        }
        now = served.done(order);
        steps += 1;
    }
    assert_eq!(now["over"], true, "{now}");
    let saved = json!({"do": "save", "battle": battle, "file": format!("{rules}.battle")});
    served.done(saved);
    (now, steps)
}

#[test]
fn served_battles_end_and_replay() {
    let cli = Cli::with_level("serve_plays");
    let mut served = Served::start(&cli);
    for rules in ["Skirmish", "Segments", "Phased", "Speed", "Activity"] {
        for seed in 1..=sample(2, 10) {
            let (_, steps) = play(&mut served, rules, seed);
            assert!(steps > 0, "{rules}: the client is never asked");
        }
        let output = cli.run(&["replay", &format!("{rules}.battle")]);
        assert_eq!(output.code, 0, "{rules}: {output:?}");
        // A loaded battle continues where it was saved, here at its end.
        let loaded = json!({"do": "new", "recording": format!("{rules}.battle")});
        assert_eq!(served.done(loaded)["over"], true);
    }
    served.end();
}

#[test]
fn serve_and_sim_run_the_same_battle() {
    let cli = Cli::new("serve_equals_sim");
    let mut served = Served::start(&cli);
    let ai = json!({"party": "quick", "goblins": "easy"});
    for (rules, seed) in [("Skirmish", 4), ("Phased", 5)] {
        let new =
            json!({"do": "new", "level": "toll_gate", "rules": rules, "seed": seed, "ai": ai});
        let served = served.done(new);
        let seed = seed.to_string();
        let call = [
            "sim",
            "--rules",
            rules,
            "--seed",
            &seed,
            "--ai",
            "goblins=easy",
            "--json",
        ];
        let output = cli.run(&call);
        let result: Value = serde_json::from_str(output.out.lines().last().unwrap()).unwrap();
        assert_eq!(served["winner"], result["winner"], "{rules}");
        assert_eq!(served["why"], result["why"], "{rules}");
    }
    served.end();
}

/// One order per round wins against an enemy that does nothing.
#[test]
fn text_orders_are_carried_out() {
    let cli = Cli::with_level("serve_orders");
    let mut served = Served::start(&cli);
    for rules in ["Skirmish", "Segments", "Phased", "Speed", "Activity"] {
        let new = json!({"do": "new", "level": "level.ron", "rules": rules, "seed": 2,
            "ai": {"foes": "idle"}});
        let mut now = served.done(new);
        let battle = now["battle"].clone();
        let mut orders = 0;
        while now.get("asked").is_some() {
            orders += 1;
            assert!(orders < 60, "{rules}: {now}");
            let order = json!({"do": "order", "battle": battle,
                "order": "mara: will attack goblin"});
            let is_reaction = now["asked"]["reaction"] == true;
            let given = (!is_reaction).then(|| served.done(order));
            let is_done = |given: &Value| !given["answers"].as_array().unwrap().is_empty();
            now = given.filter(is_done).unwrap_or_else(|| {
                // The order has no effect at this decision, so take the last offer.
                let offers = served.done(json!({"do": "offers", "battle": battle}));
                let last = offers["offers"].as_array().unwrap().len() - 1;
                let number = offers["offers"][last]["numbers"][0].clone();
                let pass =
                    json!({"do": "order", "battle": battle, "offer": last, "number": number});
                served.done(pass)
            });
        }
        assert_eq!(now["winner"], "party", "{rules}: {now}");
    }
    served.end();
}

#[test]
fn a_fork_leaves_the_original_unchanged() {
    let cli = Cli::new("serve_fork");
    let mut served = Served::start(&cli);
    let new = json!({"do": "new", "level": "toll_gate", "seed": 7, "ai": {"goblins": "quick"}});
    served.done(new);
    let odds = served.done(json!({"do": "odds", "battle": 1}));
    let win = odds["win"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&win), "{odds}");
    assert!(
        odds["offers"]
            .as_array()
            .unwrap()
            .iter()
            .any(|o| o["score"].is_i64()),
        "{odds}"
    );
    let order = &odds["offers"][0]["order"];
    let one = served.done(json!({"do": "odds", "battle": 1, "order": order}));
    assert!(one["offers"][0]["forecast"].is_object(), "{one}");
    assert!(odds["offers"][0]["forecast"].is_null(), "{odds}");
    let before = served.done(json!({"do": "offers", "battle": 1}));
    let fork = |served: &mut Served| {
        let fork = served.done(json!({"do": "fork", "battle": 1, "seed": 5}))["battle"].clone();
        for _ in 0..5 {
            let given = served.ask(json!({"do": "order", "battle": fork, "offer": 0, "number": 0}));
            if given.get("asked").is_none() {
                break;
            }
        }
        let seen = served.done(json!({"do": "observe", "battle": fork, "side": "party"}));
        assert!(!seen["events"].as_array().unwrap().is_empty());
        seen
    };
    let (mut first, mut second) = (fork(&mut served), fork(&mut served));
    for one in [&mut first, &mut second] {
        one.as_object_mut().unwrap().remove("id");
    }
    assert_eq!(first, second, "equal dice and orders");
    assert_eq!(before, served.done(json!({"do": "offers", "battle": 1})));
    served.end();
}

/// A shell bot that always takes the first offer.
const FIRST: &str = r#"
while read -r line; do
    case "$line" in
        *'"what":"ask"'*) echo '{"offer": 0}' ;;
    esac
done
"#;

#[cfg(unix)]
fn with_bot(cli: &Cli, bot: &str, more: &[&str]) -> Output {
    cli.write("bot.sh", bot);
    let call = [
        "sim",
        "level.ron",
        "--ai",
        "party=cmd:sh bot.sh",
        "--battles",
        "3",
    ];
    cli.run(&[&call[..], more].concat())
}

#[test]
#[cfg(unix)]
fn a_program_plays_a_side() {
    let cli = Cli::with_level("bot_plays");
    let output = with_bot(&cli, FIRST, &["--json"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(
        output.out.matches("\"what\":\"result\"").count(),
        3,
        "{output:?}"
    );
    assert!(output.out.contains("\"cmd:sh bot.sh\""), "{output:?}");
    // The number of threads does not change the output.
    let again = with_bot(&cli, FIRST, &["--json", "--threads", "1"]);
    assert_eq!(output.out, again.out);
    let call = [
        "arena",
        "level.ron",
        "--a",
        "cmd:sh bot.sh",
        "--b",
        "quick",
        "--battles",
        "4",
    ];
    let output = cli.run(&call);
    assert_eq!(output.code, 0, "{output:?}");
    let call = [
        "sim",
        "level.ron",
        "--ai",
        "party=cmd:sh bot.sh",
        "--record",
        "b.battle",
    ];
    assert_eq!(cli.run(&call).code, 0);
    assert_eq!(cli.run(&["replay", "b.battle"]).code, 0);
}

#[test]
#[cfg(unix)]
fn a_failing_program_stops_the_battles_with_a_reason() {
    let cli = Cli::with_level("bot_fails");
    let answers = |answer: &str| FIRST.replace("echo '{\"offer\": 0}'", answer);
    let calls = [
        (
            String::from("exit 3"),
            "ended before the battle did, with exit status: 3",
        ),
        (answers("exit 0"), "ended before the battle did"),
        (answers("echo hello"), "wrote 'hello', which is no answer"),
        (answers("echo '[1]'"), "an answer is an object"),
        (answers("echo '{\"ofer\": 1}'"), "unknown field `ofer`"),
        (
            answers("echo '{\"offer\": 1.5}'"),
            "`offer` is a whole number from 0 on, not 1.5",
        ),
        (
            answers("echo '{\"order\": \"mara: fly\"}'")
                .replace("\"ask\"'*)", "\"ask\"'*|*'\"what\":\"refused\"'*)"),
            "was refused 10 answers to one question",
        ),
        (
            answers("echo '{\"offer\": 0}'; sleep 1")
                .replace("esac", "esac; [ -e slow ] && sleep 30; touch slow"),
            "gave no answer within 0.3 s",
        ),
        (
            answers("head -c 2000000 /dev/zero"),
            "wrote a line of more than",
        ),
    ];
    for (bot, why) in calls {
        let _ = std::fs::remove_file(cli.home.join("slow"));
        let began = Instant::now();
        let output = with_bot(&cli, &bot, &["--bot-time", "0.3", "--threads", "1"]);
        assert_eq!(output.code, 1, "{bot}: {output:?}");
        assert!(output.err.contains(why), "{bot}: {output:?}");
        assert!(output.err.contains("the program `sh bot.sh`"), "{output:?}");
        let places = [1, 2, 3].map(|seed| format!("(in level under Skirmish, seed {seed}, "));
        assert!(
            places.iter().any(|place| output.err.contains(place)),
            "{output:?}"
        );
        assert!(output.err.contains(", for side party"), "{output:?}");
        assert!(began.elapsed() < Duration::from_secs(15), "{bot}: it hangs");
    }
    let none = "arena level.ron --a cmd:no_such_program --b quick --battles 2 --json";
    let output = cli.call(none);
    output.fails(1, "cannot be started");
    assert!(output.out.contains("\"b_share\":null"), "{output:?}");
    assert!(output.out.contains("\"median\":null"), "{output:?}");
    let output = cli.run(&["sim", "level.ron", "--ai", "party=cmd:no_such_program"]);
    output.fails(1, "cannot be started");
    for (name, why) in [("cmd:", "needs a program"), ("cmd:'x", "is not closed")] {
        let output = cli.run(&["sim", "level.ron", "--ai", &format!("party={name}")]);
        output.fails(2, why);
    }
}

/// A shell bot that ends in some battles, depending on the seed that it is given.
const ENDS_SOMETIMES: &str = r#"
while read -r line; do
    case "$line" in
        *'"what":"begin"'*)
            seed=${line##*'"seed":'}
            seed=${seed%%,*}
            bad=$((seed % 4)) ;;
        *'"what":"ask"'*)
            [ "$bad" = 1 ] && exit 5
            echo '{"offer": 0}' ;;
    esac
done
"#;

#[test]
#[cfg(unix)]
fn the_failure_with_the_lowest_seed_counts_on_any_number_of_threads() {
    let cli = Cli::with_level("bot_fails_sometimes");
    cli.write("bot.sh", ENDS_SOMETIMES);
    let arena = "arena level.ron --a quick --b";
    let calls = [
        ("sim level.ron --ai", "party=cmd:sh bot.sh", "tally"),
        (arena, "cmd:sh bot.sh", "arena"),
    ];
    for (call, bot, what) in calls {
        let run = |threads: &str| {
            let mut args: Vec<&str> = call.split(' ').collect();
            args.extend([bot, "--battles", "40", "--json", "--threads", threads]);
            let output = cli.run(&args);
            assert_eq!(output.code, 1, "{output:?}");
            let counted = output
                .out
                .lines()
                .filter(|line| !line.contains("arena_times"));
            (counted.collect::<Vec<_>>().join("\n"), output.err)
        };
        let (out, err) = run("1");
        let seed = err
            .split("seed ")
            .nth(1)
            .and_then(|rest| rest.split(',').next());
        let seed: u64 = seed.and_then(|seed| seed.parse().ok()).expect(&err);
        let mut lines = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let counts = lines.rfind(|line| line["what"] == what).unwrap();
        let fought = if what == "arena" { 2 } else { 1 } * (seed - 1);
        assert_eq!(counts["told"]["battles"], fought, "{err}");
        for threads in ["2", "7"] {
            assert_eq!((&out, &err), (&run(threads).0, &run(threads).1));
        }
    }
}

/// The Python interpreter, or `None` if it is missing or fails the test expression.
fn python(test: &str) -> Option<String> {
    let python = std::env::var("FIVEFOOT_PYTHON").unwrap_or_else(|_| "python3".into());
    let works = Command::new(&python)
        .args(["-c", test])
        .stderr(Stdio::null())
        .status();
    works.is_ok_and(|status| status.success()).then_some(python)
}

#[test]
#[cfg(unix)]
fn the_python_bots_play_all_rulesets() {
    let Some(python) = python("import sys; assert sys.version_info >= (3, 8)") else {
        return;
    };
    let cli = Cli::new("bots_python");
    let folder = root().join("examples/bots");
    let level = root().join("levels/bench/mirror_2v2.ron");
    let bot = |name: &str| format!("cmd:{python} '{}'", folder.join(name).display());
    let (a, b) = (bot("random_bot.py"), bot("greedy_bot.py"));
    let battles = sample(8, 1_000).to_string();
    let level = level.display().to_string();
    let call = [
        "arena",
        &level,
        "--rules",
        "all",
        "--a",
        &a,
        "--b",
        &b,
        "--battles",
        &battles,
        "--json",
    ];
    let output = cli.run(&call);
    assert_eq!(output.code, 0, "{output:?}");
    let lines = output.out.lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let shares: Vec<Value> = lines.filter(|line| line["what"] == "arena").collect();
    for of in &shares {
        let share = of["told"]["b_share"].as_f64().unwrap();
        assert!(share > 0.6, "the greedy bot beats the random one: {of}");
    }
    assert_eq!(shares.len(), 5);
}

/// Skipped where pettingzoo or numpy is not installed.
#[test]
fn the_pettingzoo_environment_passes_its_test() {
    let Some(python) = python("import pettingzoo, numpy") else {
        return;
    };
    let cli = Cli::new("bots_pettingzoo");
    let mut command = Command::new(python);
    command
        .current_dir(&cli.home)
        .arg(root().join("examples/bots/fivefoot_env.py"));
    let program = cli.command(&[]);
    command.env("FIVEFOOT", program.get_program());
    let done = command.output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}
