//! `check`: which files it reads, how fast, and how it reports errors.

use crate::kit::{Cli, LEVEL};
use fivefoot_core::rulesets::skirmish::content::SkirmishStats;
use fivefoot_core::{content::Content, levels, ron_read::Problem};
use std::{fmt::Write, fs};

/// CPU seconds of this thread, so that other load on the machine does not count.
fn worked() -> f64 {
    let output = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = output.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanos.unwrap_or_default() / 1e9
}

/// Checks a level within `seconds` of CPU time and returns its errors, or its warnings if there are
/// none.
#[track_caller]
fn soon(text: &str, seconds: f64) -> Vec<Problem> {
    let before = worked();
    let read = levels::check_file("level.ron", text);
    let took = worked() - before;
    assert!(took < seconds, "it took {took:.2} s");
    match read {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    }
}

fn wide(more: &str) -> String {
    let rows = vec![format!("\"{}\"", ".".repeat(200)); 200].join(",");
    let rows = format!("map: [{rows}]");
    let level = LEVEL.replace(r##"map: ["........", "....+...", "....#..."]"##, &rows);
    assert!(level.len() > 40_000);
    level.replace("exits: [(at: (7, 0))]", more)
}

const ALL: &str = "Rect((0, 0), (199, 199))";

/// `check` takes time proportional to the size of the file. Each of these files takes far longer if
/// the work grows with the square of the size; the bounds leave room for an unoptimised build.
#[test]
fn check_time_grows_with_file_size() {
    let start = format!("id: \"foes\", start: [{}]", [ALL; 20].join(","));
    let rects = wide("exits: [(at: (7, 0))]").replace("id: \"foes\"", &start);
    assert_eq!(soon(&rects, 3.0), []);
    let exits = vec![format!("(at: {ALL})"); 40].join(",");
    assert_eq!(soon(&wide(&format!("exits: [{exits}]")), 3.0), []);
    // Exits and a goal cell that none of 60 units can reach.
    let mut many = String::from("exits: [");
    for _ in 0..8 {
        many += "(at: 'x'),";
    }
    many += "], reinforcements: [(round: 2, combatants: [";
    for n in 0..60 {
        write!(
            many,
            "(kind: \"goblin\", side: \"foes\", at: ({}, {})),",
            n % 9,
            9 + n / 9
        )
        .unwrap();
    }
    many += "])], objectives: [(side: \"foes\", goal: Reach(area: 'x'))]";
    let walled = format!("\"{}#x\"", ".".repeat(198));
    let walled = wide(&many).replace(&format!("\"{}\"", ".".repeat(200)), &walled);
    let walled = walled.replace("title:", "legend: {'x': Open}, title:");
    assert_eq!(soon(&walled, 3.0).len(), 17);

    let long = "g".repeat(5_000_000);
    let [one] = &soon(&LEVEL.replace("goblin", &long), 3.0)[..] else {
        panic!()
    };
    let output = one.to_string();
    assert!(
        output.contains("unknown kind `ggg") && output.contains("ggg…ggg"),
        "{output}"
    );
    assert!(output.len() < 600, "{} bytes", output.len());
    // One line with 2,000 mistakes, each with its own column.
    let unknown = "(kind: \"gobblin\", side: \"foes\", at: (6, 1)), ".repeat(2000);
    let odd = LEVEL.replace("(kind: \"goblin\", side: \"foes\", at: (6, 1)),", &unknown);
    assert!(soon(&odd, 3.0).len() >= 2000);
    let mut fields = String::from("(");
    for n in 0..20_000 {
        write!(fields, "a{n}: 1, ").unwrap();
    }
    assert!(soon(&(fields + ")"), 3.0).len() >= 20_000);
}

#[test]
fn a_long_chain_of_likes_is_not_a_cycle() {
    let chain = |links: usize, last: &str| {
        let mut text = String::from("(creatures: {");
        for n in 0..links {
            write!(text, "\"k{n}\": (like: \"k{}\"), ", n + 1).unwrap();
        }
        write!(text, "\"k{links}\": {last}}})").unwrap();
        let before = worked();
        let read = fivefoot_core::content::check_file("a.ron", &text, Content::built_in());
        assert!(worked() - before < 2.0);
        read.map(|(content, _)| content)
    };
    for links in [30, 31, 2000] {
        let content = chain(links, "(hit_dice: 3)").unwrap();
        assert_eq!(
            content
                .creature("k0")
                .unwrap()
                .section::<SkirmishStats>()
                .attack_bonus,
            3
        );
        let ring = chain(links, "(like: \"k0\")").unwrap_err();
        assert_eq!(ring.len(), 1, "{ring:?}");
        assert!(ring[0].what.contains("cannot be made before it"));
    }
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_checked() {
    let cli = Cli::new("unreadable");
    cli.write("a.ron", b"(\n  title: \"caf\xe9\",\n)");
    cli.write("b.ron", LEVEL.replace("goblin", "gobblin"));
    cli.write("c.ron", LEVEL);
    cli.write("d.ron", b"\xff\xfe(\0");
    fs::create_dir(cli.home.join("e.ron")).unwrap();
    let output = cli.run(&["check", ".", "gone.ron"]);
    assert_eq!(output.code, 1);
    assert!(output.err.starts_with("4 errors in 5 files"), "{output:?}");
    for wanted in [
        "./a.ron:2:14: this is not UTF-8; save the file as UTF-8",
        "./b.ron:7:16: unknown kind `gobblin`",
        "./d.ron:1:1: this is not UTF-8",
        "gone.ron:1:1: there is no such file",
    ] {
        assert!(output.out.contains(wanted), "{wanted}\n{}", output.out);
    }
    for call in [
        &["sim", "a.ron"][..],
        &["replay", "a.ron"],
        &["sight", "a.ron", "--all"],
    ] {
        let output = cli.run(call);
        assert_eq!(output.code, 1);
        assert!(
            output.err.starts_with("a.ron:2:14: this is not UTF-8"),
            "{output:?}"
        );
    }
    let output = cli.run(&["verify", "gone.ron", "c.ron"]);
    assert!(
        output.code == 1 && output.out.contains("gone.ron:1:1"),
        "{output:?}"
    );
}

#[test]
#[cfg(unix)]
fn links_and_pipes_in_a_folder_are_handled() {
    use std::os::unix::fs::symlink;
    let cli = Cli::new("odd_folder");
    let inner = cli.home.join("levels");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("a.ron"), LEVEL).unwrap();
    symlink(&cli.home, inner.join("round")).unwrap();
    symlink("/nowhere", inner.join("dangling.ron")).unwrap();
    let _ = std::process::Command::new("mkfifo")
        .arg(inner.join("pipe.ron"))
        .status();
    let output = cli.run(&["check", "."]);
    assert!(
        output
            .out
            .contains("dangling.ron:1:1: this link points to nothing"),
        "{output:?}"
    );
    assert!(
        !output.out.contains("a.ron") && !output.out.contains("round"),
        "{output:?}"
    );
    assert_eq!(
        output.out.contains("pipe.ron:1:1: is not a file"),
        inner.join("pipe.ron").exists()
    );
    fs::create_dir(cli.home.join("empty")).unwrap();
    let output = cli.run(&["check", "empty"]);
    assert!(
        output.code == 1 && output.out.contains("empty:1:1: contains no .ron files"),
        "{output:?}"
    );
}

#[test]
fn errors_show_the_line_with_a_marker() {
    let cli = Cli::new("excerpt");
    cli.write("a.ron", LEVEL.replace("\"goblin\"", "\"gobblin\""));
    let wanted = "\
a.ron:7:16: unknown kind `gobblin`; did you mean `goblin`?
 7 |         (kind: \"gobblin\", side: \"foes\", at: (6, 1)),
   |                ^^^^^^^^^
";
    assert_eq!(cli.run(&["check", "a.ron"]).out, wanted);
    assert_eq!(cli.run(&["sim", "a.ron"]).err, wanted);
    // Tabs and wide characters before the marker, and a line that is cut around it.
    let tabs = LEVEL.replace(
        "        (kind: \"goblin\"",
        "\t/* 漢字 */ (kind: \"gobblin\"",
    );
    cli.write("b.ron", tabs);
    let output = cli.run(&["check", "b.ron"]).out;
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(
        lines[1],
        " 7 |     /* 漢字 */ (kind: \"gobblin\", side: \"foes\", at: (6, 1)),"
    );
    assert_eq!(lines[2], "   |                       ^^^^^^^^^");
    let far = LEVEL.replace(
        "(kind: \"goblin\"",
        &format!("/*{}*/ (kind: \"gobblin\"", "x".repeat(3000)),
    );
    cli.write("c.ron", far);
    let output = cli.run(&["check", "c.ron"]).out;
    assert!(output.lines().all(|l| l.chars().count() < 120), "{output}");
    let (line, mark) = (
        output.lines().nth(1).unwrap(),
        output.lines().nth(2).unwrap(),
    );
    let at = mark.find('^').unwrap();
    let marked: String = line.chars().skip(at).take(9).collect();
    assert_eq!(marked, "\"gobblin\"");
}

#[test]
fn strict_turns_warnings_into_errors() {
    let cli = Cli::new("strict");
    let level = LEVEL.replace("title:", "legend: {'q': Wall}, title:");
    cli.write("a.ron", level);
    let output = cli.run(&["check", "a.ron"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let first = "a.ron:2:14: warning: 'q' is in the legend, and in no row of the map; ";
    assert!(output.out.starts_with(first), "{}", output.out);
    assert!(
        output.out.ends_with("1 file, no errors, 1 warning\n"),
        "{}",
        output.out
    );
    let output = cli.run(&["check", "--strict", "a.ron"]);
    assert_eq!(
        (output.code, output.err.as_str()),
        (1, "1 file, 1 warning (--strict)\n")
    );
    // The built-in levels and content have no warnings.
    let root = fivefoot_kit::root().display();
    let output = cli.run(&[
        "check",
        "--strict",
        &format!("{root}/levels"),
        &format!("{root}/assets"),
    ]);
    assert_eq!(output.code, 0, "{output:?}");
}
