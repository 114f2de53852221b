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
    let told = cli.run(&["levels", "--levels", "more"]);
    assert_eq!(told.code, 1, "{told:?}");
    for words in [
        "toll_gate",
        "The yard",
        "Trolls",
        "off.ron has 1 error",
        "unknown kind `gobblin`",
    ] {
        assert!(told.out.contains(words), "{words}: {}", told.out);
    }
    assert!(told.err.contains("1 level cannot be played"), "{told:?}");
    fs::remove_file(cli.home.join("more/off.ron")).unwrap();
    let told = cli.run(&["levels", "--levels", "more", "--json"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(told.out.lines().any(|l| l.contains("\"title\":\"Trolls\"")));
    let author = told
        .out
        .lines()
        .filter(|l| l.contains("\"author\":\"Ann\""));
    assert_eq!(author.count(), 1, "{told:?}");
    let told = cli.run(&["check", "more/trolls"]);
    let about = "more/trolls: Trolls, by Ann, CC0-1.0, needs Fivefoot 0.1.0\n";
    assert!(told.out.starts_with(about), "{told:?}");
    // Every command accepts a pack as a level.
    for args in [
        &["sim", "more/trolls", "--battles", "2"][..],
        &["check", "more"],
    ] {
        let told = cli.run(args);
        assert_eq!(told.code, 0, "{args:?}: {told:?}");
    }
    let told = cli.run(&["levels", "--levels", "nowhere"]);
    assert_eq!(told.code, 2, "{told:?}");
}
