use crate::kit::Cli;
use fivefoot_kit::YARD;
use std::fs;

#[test]
fn own_levels_and_packs_are_listed_and_fought() {
    let cli = Cli::new("own_levels");
    fs::create_dir_all(cli.home.join("levels")).unwrap();
    fs::create_dir_all(cli.home.join("more/trolls")).unwrap();
    cli.write("levels/yard.ron", YARD);
    cli.write("more/trolls/level.ron", YARD.replace("The yard", "Trolls"));
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
    // A pack is a level to every command.
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
