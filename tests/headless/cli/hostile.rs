//! Untrusted files: which are read or refused, and what the output shows of them.

use crate::kit::{Cli, LEVEL, Output};
use std::{fs, path::Path};

#[track_caller]
fn ok(output: Output) -> String {
    assert_eq!(output.code, 0, "{output:?}");
    output.out
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_read() {
    let cli = Cli::with_level("hostile_kinds");
    let pipe = cli.home.join("pipe.ron");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|done| done.success()), "mkfifo is needed");
    std::os::unix::fs::symlink("/dev/zero", cli.home.join("endless.ron")).unwrap();
    fs::create_dir(cli.home.join("folder.ron")).unwrap();
    for file in ["pipe.ron", "endless.ron", "/dev/zero"] {
        for call in [
            &["check", file][..],
            &["sim", file],
            &["sim", "level.ron", "--compare", file],
            &["compare", file],
            &["replay", file],
            &["sum", file],
            &["verify", file],
            &["sight", file, "--all"],
            &["kinds", "--level", file],
            &["arena", "--positions", file],
            &[
                "measure",
                "forecast",
                "level.ron",
                "--battles",
                "1",
                "--with",
                file,
            ],
            &["measure", "points", file, "--battles", "100"],
            &["measure", "levels", file],
            &[file],
        ] {
            let output = cli.run(call);
            assert_eq!(output.code, 1, "{call:?}: {output:?}");
            let text = output.out + &output.err;
            assert!(
                text.contains("this is not a regular file"),
                "{call:?}: {text}"
            );
        }
    }
    for call in [["replay", "folder.ron"], ["sum", "folder.ron"]] {
        let output = cli.run(&call);
        assert!(output.err.contains("this is a folder"), "{output:?}");
    }
}

#[test]
fn every_command_refuses_files_that_are_too_large() {
    let cli = Cli::new("hostile_size");
    let note = format!("/*{}*/", "x".repeat(1 << 20));
    cli.write("level.ron", format!("{LEVEL}{note}"));
    for call in [
        &["check", "level.ron"][..],
        &["sim", "level.ron"],
        &["verify", "level.ron"],
        &["arena", "--positions", "level.ron"],
        &["level.ron"],
    ] {
        let output = cli.run(call);
        assert_eq!(output.code, 1, "{call:?}: {output:?}");
        let text = output.out + &output.err;
        assert!(text.contains("larger than 1 MB"), "{call:?}: {text}");
    }
    // A sparse file takes no space on the disk.
    let large = fs::File::create(cli.home.join("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    for (call, most) in [("replay", "16 MB"), ("sum", "64 MB")] {
        let output = cli.run(&[call, "large"]);
        output.fails(1, most);
    }
}

/// Content outside the folder is never shown; links that stay inside the folder are checked.
#[test]
#[cfg(unix)]
fn links_out_of_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let cli = Cli::new("hostile_links");
    let secret = cli.write("secret", "(hush: \"hush\")\n");
    let folder = cli.home.join("levels");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.ron"), LEVEL).unwrap();
    symlink(&secret, folder.join("out.ron")).unwrap();
    symlink("a.ron", folder.join("in.ron")).unwrap();
    let pack = cli.home.join("pack");
    fs::create_dir(&pack).unwrap();
    fs::write(pack.join("level.ron"), "(hush: \"hush\")\n").unwrap();
    symlink(&pack, folder.join("packed")).unwrap();
    for call in [
        &["check", "levels"][..],
        &["verify", "levels"],
        &["arena", "--positions", "levels"],
        &["levels", "--levels", "levels"],
        &["levels", "--json", "--levels", "levels"],
    ] {
        let output = cli.run(call);
        assert_eq!(output.code, 1, "{output:?}");
        let text = output.out + &output.err;
        assert!(!text.contains("hush"), "{call:?}: {text}");
        for link in ["out.ron", "packed"] {
            let why = "this link leads out of the folder";
            let is_told = |line: &str| line.contains(link) && line.contains(why);
            assert!(text.lines().any(is_told), "{call:?}: {text}");
        }
    }
    let output = cli.run(&["check", "levels"]);
    assert!(output.err.starts_with("2 errors in 4 files"), "{output:?}");
    // A link that the user names is followed.
    let output = cli.run(&["check", "levels/out.ron"]);
    assert!(output.out.contains("unknown field `hush`"), "{output:?}");
}

/// Text from a file cannot be mistaken for a line of the program's own output.
#[test]
fn text_from_a_file_stays_in_its_line() {
    let cli = Cli::with_level("hostile_lines");
    ok(cli.run(&["sim", "level.ron", "--record", "a.battle"]));
    let text = cli.read("a.battle");
    let order = text.find("order: \"").unwrap() + "order: \"".len();
    let (before, after) = text.split_at(order);
    cli.write(
        "order.battle",
        format!("{before}\\nFORGED\\r\\u{{1b}}[2J{after}"),
    );
    cli.write(
        "rules.battle",
        text.replace("rules: \"Skirmish\"", "rules: \"\\nFORGED\""),
    );
    cli.write("field.battle", text.replace("seed:", "r#\"\nFORGED\"#:"));
    let program = text.find("program: Some(\"").unwrap() + "program: Some(\"".len();
    let (before, after) = text.split_at(program);
    let made = format!("{before}\\nFORGED{after}").replace("seed: 1", "seed: 2");
    cli.write("program.battle", made);
    let part = ok(cli.run(&["sim", "level.ron", "--battles", "2", "--json"]));
    cli.write("rules.json", part.replace("Skirmish", "\\nFORGED"));
    let other = part.replace("\"level\":\"level\"", "\"level\":\"level\\nFORGED\"");
    cli.write("part.json", &part);
    cli.write("other.json", other);
    let odd = LEVEL.replace("\"goblin\"", "\"goblin\", name: \"a\\nFORGED\"");
    let odd = odd.replace("Small", "Small\\nFORGED");
    let odd = odd.replace("title:", "briefing: \"Once.\\nFORGED\", title:");
    let odd = odd.replace("id: \"foes\"", "id: \"foes\", name: \"a\\nFORGED\"");
    cli.write("odd.ron", &odd);
    cli.write("broken.ron", odd.replace("(7, 0)", "(70, 0)"));
    cli.write("named.ron", LEVEL.replace("\"goblin\"", "\"gob\\nFORGED\""));
    let pack = cli.home.join("zip");
    fs::create_dir(&pack).unwrap();
    fs::write(pack.join("level.ron"), LEVEL).unwrap();
    let odd_name = "../zip/x\nFORGED.ron";
    if fs::write(pack.join("x\nFORGED.ron"), LEVEL).is_ok() {
        cli.run(&["check", odd_name]);
    }
    for call in [
        &["replay", "order.battle"][..],
        &["replay", "order.battle", "--json"],
        &["replay", "rules.battle"],
        &["replay", "field.battle"],
        &["replay", "program.battle"],
        &["sum", "rules.json"],
        &["sum", "part.json", "other.json"],
        &["sim", "odd.ron"],
        &["sim", "odd.ron", "--log"],
        &["sim", "odd.ron", "--json"],
        &["sim", "odd.ron", "--battles", "2"],
        &["sim", "odd.ron", "--battles", "2", "--csv"],
        &["sim", "odd.ron", "--battles", "2", "--json"],
        &["sim", "odd.ron", "--ai", "FOES=quick"],
        &["compare", "odd.ron", "--battles", "2"],
        &["arena", "odd.ron", "--battles", "2", "--b", "easy"],
        &["kinds", "--level", "odd.ron"],
        &["check", "odd.ron"],
        &["check", "broken.ron"],
        &["check", "named.ron"],
        &["sim", "named.ron"],
        &["verify", "odd.ron"],
        &["levels", "--levels", "."],
        &["check", "zip"],
        &["odd.ron"],
    ] {
        let output = cli.run(call);
        let text = output.out + &output.err;
        let forged = text.lines().find(|line| line.starts_with("FORGED"));
        assert_eq!(forged, None, "{call:?}: {text}");
        let raw = |c: char| c.is_control() && c != '\n';
        assert!(!text.contains(raw), "{call:?}: {text:?}");
    }
    let output = cli.run(&["replay", "order.battle"]);
    assert!(output.err.contains("'FORGED\\r\\u{1b}[2J"), "{output:?}");
}

#[test]
fn levels_with_the_same_name_get_separate_reports() {
    let cli = Cli::new("hostile_reports");
    for folder in ["a", "b", "c"] {
        fs::create_dir(cli.home.join(folder)).unwrap();
        let level = LEVEL.replace("Small", &format!("Small {folder}"));
        fs::write(cli.home.join(folder).join("x.ron"), level).unwrap();
    }
    fs::rename(cli.home.join("c/x.ron"), cli.home.join("c/X.ron")).unwrap();
    let files = ["a/x.ron", "b/x.ron", "c/X.ron"];
    let more = ["--battles", "2", "--report", "out"];
    let out = ok(cli.run(&[&["sim"], &files[..], &more].concat()));
    for (name, folder) in [("x", "a"), ("x-2", "b"), ("X-3", "c")] {
        let page = cli.read(&format!("out/{name}.html"));
        assert!(page.contains(&format!("Small {folder}")), "{name}");
        assert!(out.contains(&format!("{name}.html")), "{out}");
        let json = cli.read(&format!("out/{name}.json"));
        assert!(json.contains(&format!("Small {folder}")), "{name}");
    }
    assert_eq!(fs::read_dir(cli.home.join("out")).unwrap().count(), 6);
}

/// The level name inside a tally file cannot make `sum --report` write outside its folder.
#[test]
fn a_tally_writes_only_into_the_report_folder() {
    let cli = Cli::with_level("hostile_tally");
    let part = ok(cli.run(&["sim", "level.ron", "--battles", "2", "--json"]));
    let absolute = cli.home.join("gone").display().to_string();
    for name in ["../gone", absolute.as_str(), "..", ""] {
        let forged = part.replace("\"level\":\"level\"", &format!("\"level\":{name:?}"));
        cli.write("part.json", forged);
        let output = cli.run(&["sum", "part.json", "--report", "out"]);
        assert!(!output.err.contains("panicked"), "{output:?}");
        for ending in ["html", "json"] {
            let out = Path::new(&absolute).with_extension(ending);
            assert!(!out.exists(), "{name}: {output:?}");
        }
    }
    let files = fs::read_dir(&cli.home).unwrap().count();
    assert_eq!(files, 3, "the level, the part and the folder of reports");
}

#[test]
fn line_endings_and_a_byte_order_mark_do_not_change_a_level() {
    let cli = Cli::new("hostile_lines_end");
    let crlf = LEVEL.replace('\n', "\r\n");
    let folders = [
        ("lf", LEVEL.into()),
        ("crlf", crlf.clone()),
        ("mark", format!("\u{feff}{crlf}")),
    ];
    for ((folder, text), seeds) in folders.iter().zip(["1..2", "3..4", "5..6"]) {
        fs::create_dir(cli.home.join(folder)).unwrap();
        fs::write(cli.home.join(folder).join("level.ron"), text).unwrap();
        let level = format!("{folder}/level.ron");
        assert_eq!(ok(cli.run(&["check", &level])), "1 file, no errors\n");
        let part = ok(cli.run(&["sim", &level, "--seeds", seeds, "--json"]));
        cli.write(&format!("{folder}.json"), part);
        let battle = format!("{folder}.battle");
        ok(cli.run(&["sim", &level, "--record", &battle]));
    }
    // The counts join as one level, and its recordings are identical to the byte.
    ok(cli.run(&["sum", "lf.json", "crlf.json", "mark.json"]));
    assert_eq!(cli.read("lf.battle"), cli.read("crlf.battle"));
    assert_eq!(cli.read("lf.battle"), cli.read("mark.battle"));
    // The error keeps its line and column.
    let broken = folders[2].1.replace("\"goblin\"", "\"gobblin\"");
    cli.write("broken.ron", broken);
    let output = cli.run(&["check", "broken.ron"]);
    let wanted = "broken.ron:7:16: unknown kind `gobblin`";
    assert!(output.out.starts_with(wanted), "{output:?}");
    let first = format!("\u{feff}(titel: 1, {}", &LEVEL[1..]);
    cli.write("first.ron", first);
    let output = cli.run(&["check", "first.ron"]);
    assert!(output.out.starts_with("first.ron:1:2:"), "{output:?}");
}
