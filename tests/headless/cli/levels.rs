use crate::kit::Cli;
use fivefoot_kit::YARD;
use std::fs;

#[test]
fn your_levels_and_packs_are_listed_and_playable() {
    let cli = Cli::new("own_levels");
    fs::create_dir_all(cli.home.join("levels")).unwrap();
    fs::create_dir_all(cli.home.join("more/trolls")).unwrap();
    cli.write("levels/yard.ron", YARD);
    let trolls = YARD.replace("The yard", "Trolls");
    let about = "title: \"Trolls\", author: \"Ann\", licence: \"CC0-1.0\", needs: \"0.1\"";
    let trolls = trolls.replace("title: \"Trolls\"", about);
    cli.write("more/trolls/level.ron", trolls);
    cli.write("more/off.ron", YARD.replace("\"goblin\"", "\"gobblin\""));
    let output = cli.run(&["levels", "--levels", "more"]);
    assert_eq!(output.code, 1, "{output:?}");
    for words in [
        "toll_gate",
        "; gentle: won ",
        "The yard",
        "Trolls",
        "off.ron has 1 error",
        "unknown kind `gobblin`",
    ] {
        assert!(output.out.contains(words), "{words}: {}", output.out);
    }
    assert!(
        output.err.contains("1 level cannot be played"),
        "{output:?}"
    );
    fs::remove_file(cli.home.join("more/off.ron")).unwrap();
    let output = cli.run(&["levels", "--levels", "more", "--json"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .out
            .lines()
            .any(|l| l.contains("\"title\":\"Trolls\""))
    );
    let author = output
        .out
        .lines()
        .filter(|l| l.contains("\"author\":\"Ann\""));
    assert_eq!(author.count(), 1, "{output:?}");
    let output = cli.run(&["check", "more/trolls"]);
    let about = "more/trolls: Trolls, by Ann, CC0-1.0, needs Fivefoot 0.1.0\n";
    assert!(output.out.starts_with(about), "{output:?}");
    // Every command accepts a pack as a level.
    for args in [
        &["sim", "more/trolls", "--battles", "2"][..],
        &["check", "more"],
    ] {
        let output = cli.run(args);
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
    }
    let output = cli.run(&["levels", "--levels", "nowhere"]);
    assert_eq!(output.code, 2, "{output:?}");
}

/// A folder with the files of a pack is none if its level's name has a capital letter.
#[test]
#[cfg(target_os = "linux")]
fn a_pack_with_a_misnamed_level_is_warned_of() {
    let cli = Cli::new("misnamed_level");
    fs::create_dir_all(cli.home.join("trolls/content")).unwrap();
    cli.write("trolls/Level.ron", YARD);
    let checked = cli.run(&["check", "trolls"]);
    let wanted = "warning: the level of a pack is called `level.ron`; rename this file";
    assert!(
        checked.code == 0 && checked.out.contains(wanted),
        "{checked:?}"
    );
    let fought = cli.run(&["sim", "trolls"]);
    fought.fails(1, "there is no level.ron in it; rename `Level.ron`");
}
