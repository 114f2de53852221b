//! Import of maps from other tools, and export to Tiled. The maps in `tests/maps` are handmade in
//! the formats that those tools write.

use crate::kit::{Cli, Output};
use base64::{Engine, engine::general_purpose::STANDARD};
use fivefoot_core::{
    grid::Cell,
    levels::{self, Level, check_file},
};
use fivefoot_kit::root;
use serde_json::{Value, json};
use std::io::Write;

fn map(name: &str) -> String {
    let path = root().join("tests/maps").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Imports a file from the test's folder into `out.ron`.
fn import(cli: &Cli, file: &str, more: &[&str]) -> Output {
    let call = ["import", file, "--out", "out.ron", "--force"];
    cli.run(&[&call[..], more].concat())
}

fn level(cli: &Cli) -> Level {
    check_file("out.ron", &cli.read("out.ron")).unwrap().0
}

/// The map rows that the level would be saved with.
fn rows(level: &Level) -> Vec<String> {
    levels::Rows::of(&level.board()).rows
}

#[test]
fn maps_of_four_tools_are_checked_and_played() {
    let cli = Cli::new("import_played");
    for name in ["cave.txt", "keep.tsv", "crypt.json", "cellar.tmx"] {
        cli.write(name, map(name));
        let output = import(&cli, name, &[]);
        assert_eq!(output.code, 0, "{name}: {output:?}");
        assert_eq!(cli.run(&["check", "--strict", "out.ron"]).code, 0, "{name}");
        let output = cli.call("sim out.ron --rules all --battles 2 --json");
        assert_eq!(output.code, 0, "{name}: {output:?}");
        assert_eq!(
            output.out.matches("\"what\":\"result\"").count(),
            10,
            "{name}"
        );
    }
}

#[test]
fn a_text_map_becomes_a_level() {
    let cli = Cli::new("import_text");
    cli.write("cave.txt", map("cave.txt"));
    let output = import(&cli, "cave.txt", &[]);
    assert!(
        output.err.contains("cave.txt:7:21: 'g' is taken as floor"),
        "{output:?}"
    );
    assert!(
        output.err.contains("cave.txt:8:6: '^' is taken as floor"),
        "{output:?}"
    );
    let own = level(&cli);
    assert_eq!(own.title, "Cave");
    assert_eq!(rows(&own)[2], "#......+........,,.....#");
    assert_eq!(rows(&own)[6], "####....+..~~~~........#");
    let party = own.combatants.iter().find(|c| c.name == "mara").unwrap();
    assert!(
        party.cell.x < 7 && party.cell.y < 5,
        "by the stairs up: {:?}",
        party.cell
    );
    let goblin = own
        .combatants
        .iter()
        .find(|c| c.name == "goblin chief")
        .unwrap();
    assert!(goblin.cell.x > 15, "by the stairs down: {:?}", goblin.cell);

    let legend = [
        "--legend",
        "g=unit goblin foes",
        "--legend",
        "<=unit mara heroes",
        "--legend",
        "^=(floor: -10)",
        "--legend",
        ">=exit foes",
    ];
    let output = import(&cli, "cave.txt", &legend);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
    let own = level(&cli);
    assert_eq!(own.combatants.len(), 3);
    assert_eq!(own.combatants[0].cell, Cell::new(2, 2));
    assert_eq!(own.sides[0].id, "heroes");
    assert_eq!(own.board().ground(Cell::new(5, 7)).unwrap().floor, -10);
    assert_eq!(own.exits.len(), 1);

    let squads = [
        "--squad",
        "ogre",
        "--squad",
        "watchman:3",
        "--title",
        "Ogre hunt",
    ];
    assert_eq!(import(&cli, "cave.txt", &squads).code, 0);
    let own = level(&cli);
    assert_eq!((own.title.as_str(), own.combatants.len()), ("Ogre hunt", 4));
}

/// A squad that needs more cells than a starting area usually has gets them: an ogre needs 4, and
/// some are lost between ogres.
#[test]
fn a_large_squad_has_room_to_start() {
    let cli = Cli::new("import_large_squad");
    let row = format!("#{}#\n", ".".repeat(38));
    let wall = "#".repeat(40);
    cli.write("hall.txt", format!("{wall}\n{}{wall}\n", row.repeat(20)));
    let call = ["--squad", "ogre:16,goblin", "--squad", "goblin"];
    let output = import(&cli, "hall.txt", &call);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
    assert_eq!(level(&cli).combatants.len(), 18);
}

/// A room with the first side's start `@` and two more marks.
const ROOM: &str = "\
################
#..............#
#.@............#
#......+.......#
#...X.......Y..#
#..............#
################
";

/// The call with these entries of the legend.
fn legend<'e>(entries: &[&'e str]) -> Vec<&'e str> {
    entries
        .iter()
        .flat_map(|entry| ["--legend", *entry])
        .collect()
}

#[test]
fn exits_without_units_keep_their_sides() {
    let cli = Cli::new("import_exits");
    cli.write("m.txt", ROOM);
    let exits = |entries: &[&str]| {
        let output = import(&cli, "m.txt", &legend(entries));
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
        let text = cli.read("out.ron");
        text.split_once("exits: [").unwrap().1.to_owned()
    };
    let both = exits(&["@=start party", "X=exit party", "Y=exit"]);
    assert!(
        both.contains("(at: [(4, 4), (12, 4)], sides: [\"party\"])"),
        "{both}"
    );
    assert!(
        both.contains("(at: [(12, 4)], sides: [\"goblins\"])"),
        "{both}"
    );
    let one = exits(&["X=exit goblins", "Y=Open"]);
    assert!(
        one.contains("(at: [(4, 4)], sides: [\"goblins\"])"),
        "{one}"
    );
    let output = import(&cli, "m.txt", &legend(&["X=exit partyy", "Y=Open"]));
    output.fails(
        1,
        "m.txt:cell 4,4: unknown side `partyy`; did you mean `party`?",
    );
}

#[test]
fn starts_without_units_keep_their_sides() {
    let cli = Cli::new("import_starts");
    cli.write("m.txt", ROOM);
    // The sides' ids, each with the cell of its first unit.
    let sides = |entries: &[&str]| {
        let output = import(&cli, "m.txt", &legend(entries));
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
        let level = level(&cli);
        let first = |n: usize| {
            let mut units = level.combatants.iter();
            let unit = units.find(|unit| usize::from(unit.side.0) == n).unwrap();
            (level.sides[n].id.clone(), unit.cell)
        };
        [first(0), first(1)]
    };
    let side = |id: &str, x, y| (id.to_owned(), Cell::new(x, y));
    assert_eq!(
        sides(&["@=Open", "X=start goblins", "Y=start party"]),
        [side("party", 12, 4), side("goblins", 4, 4)]
    );
    assert_eq!(
        sides(&["@=Open", "X=start heroes", "Y=start foes"]),
        [side("heroes", 4, 4), side("foes", 12, 4)]
    );
    // The start `@` is of the first side.
    assert_eq!(
        sides(&["X=start party", "Y=start goblins"]),
        [side("party", 2, 2), side("goblins", 12, 4)]
    );
    assert_eq!(
        sides(&["X=start foes", "Y=Open"]),
        [side("party", 2, 2), side("foes", 4, 4)]
    );
    let third = ["@=start guards", "X=start heroes", "Y=start foes"];
    import(&cli, "m.txt", &legend(&third)).fails(1, "the side `foes` has no squad");
    // The third of three squads has the usual id `side_3`.
    let mut call = legend(&["X=start side_3", "Y=Open"]);
    for squad in ["mara", "goblin", "goblin_archer"] {
        call.extend(["--squad", squad]);
    }
    let output = import(&cli, "m.txt", &call);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
    let three = level(&cli);
    let ids = three.sides.iter().map(|side| side.id.as_str());
    assert_eq!(Vec::from_iter(ids), ["party", "goblins", "side_3"]);
    assert_eq!(three.combatants[2].cell, Cell::new(4, 4));
    // Objects of Tiled.
    let starts = map("cellar.tmx").replace("type=\"unit\"", "type=\"start\"");
    cli.write("cellar.tmx", starts);
    assert_eq!(import(&cli, "cellar.tmx", &[]).code, 0);
    let own = level(&cli);
    assert_eq!(own.combatants[0].cell, Cell::new(2, 2));
    assert_eq!(
        (own.sides[1].id.as_str(), own.exits[0].cells.len()),
        ("goblins", 10)
    );
}

#[test]
fn a_donjon_table_becomes_a_level() {
    let cli = Cli::new("import_donjon");
    cli.write("keep.tsv", map("keep.tsv"));
    let output = import(&cli, "keep.tsv", &[]);
    for note in [
        "keep.tsv:6:37: a portcullis is taken as a closed door",
        "keep.tsv:13:6: a secret door is taken as a closed door",
        "the code 'ZZ' is taken as floor",
        "stairs are taken as floor",
    ] {
        assert!(output.err.contains(note), "{note}: {output:?}");
    }
    let own = level(&cli);
    let doors = own.board().doors().count();
    assert_eq!(doors, 7);
    assert_eq!((own.board().width(), own.board().height()), (31, 23));
    // The direction of a door can be left out.
    let bare = map("keep.tsv").replace("DPR", "DP").replace("DR", "D");
    cli.write("keep.tsv", bare);
    let again = import(&cli, "keep.tsv", &[]);
    assert!(!again.err.contains("'D"), "{again:?}");
    assert_eq!(level(&cli).board().doors().count(), 7);
}

#[test]
fn a_one_page_dungeon_becomes_a_level() {
    let cli = Cli::new("import_one_page");
    cli.write("crypt.json", map("crypt.json"));
    let output = import(&cli, "crypt.json", &[]);
    assert!(
        output
            .err
            .contains("note 1 is not taken over: A cracked altar."),
        "{output:?}"
    );
    assert!(
        output
            .err
            .contains("a secret door is taken as a closed door"),
        "{output:?}"
    );
    let own = level(&cli);
    assert_eq!(own.title, "Crypt of the Pale Lord");
    assert!(own.briefing.starts_with("An old crypt"));
    let all = rows(&own).concat();
    let count = |c| all.chars().filter(|other| *other == c).count();
    // 4 columns, 3 doors (a door, a portcullis, a secret door) and 4 cells of a pool.
    assert_eq!(
        (count('o'), count('+'), count('~')),
        (4, 3, 4),
        "{:#?}",
        rows(&own)
    );
    // The corners of the round room are walls.
    assert_eq!(
        own.board().ground(Cell::new(7, 8)).unwrap().feature,
        fivefoot_core::grid::Feature::Wall
    );
}

#[test]
fn a_tiled_map_becomes_a_level() {
    let cli = Cli::new("import_tiled");
    cli.write("cellar.tmx", map("cellar.tmx"));
    let output = import(&cli, "cellar.tmx", &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .err
            .contains("object 6: 'chest' of the class 'loot' is not taken over"),
        "{output:?}"
    );
    let own = level(&cli);
    assert_eq!(
        (own.title.as_str(), own.briefing.as_str()),
        ("The cellar", "Rats, and worse.")
    );
    assert_eq!(rows(&own)[6], "#.........+........#");
    let board = own.board();
    let ground = board.ground(Cell::new(13, 4)).unwrap();
    assert_eq!((ground.floor, ground.rough), (5, true));
    let [mara, brandt, snag, goblin] = &own.combatants[..] else {
        panic!("{:?}", own.combatants)
    };
    assert_eq!((mara.name.as_str(), mara.cell), ("mara", Cell::new(2, 2)));
    assert!(brandt.wounds > 0 && snag.leader);
    assert_eq!(
        (snag.name.as_str(), goblin.cell),
        ("old snag", Cell::new(17, 3))
    );
    // Tiles without a `ground` property or class.
    cli.write("bare.tmx", map("cellar.tmx").replace(" type=\"wall\"", ""));
    let output = import(&cli, "bare.tmx", &[]);
    let note = "cell 0,0: tile 1 of the tileset 'dungeon' has no `ground`";
    assert!(output.err.contains(note), "{output:?}");
    let output = import(&cli, "bare.tmx", &["--legend", "1=Wall"]);
    assert!(!output.err.contains("tile 1 of"), "{output:?}");
    assert_eq!(rows(&level(&cli))[6], "#.........+........#");
    // A cell whose tile is not a number.
    let damaged = map("cellar.tmx").replace("2,1,1,1,5,", "2,1,x,1,5,");
    cli.write("damaged.tmx", damaged);
    let why = "the layer 'ground' has \"x\" at cell 2,4, not a tile's number";
    import(&cli, "damaged.tmx", &[]).fails(1, why);
    // Tiles with a class that is none of the known ones; capital letters make no difference.
    for (class, why) in [("Wall", None), ("wal", Some("unknown class `wal`"))] {
        let class = format!(" type=\"{class}\"");
        let text = map("cellar.tmx").replace(" type=\"wall\"", &class);
        cli.write("class.tmx", text);
        let output = import(&cli, "class.tmx", &[]);
        assert_eq!(
            output.err.contains("tile 1 of"),
            why.is_some(),
            "{output:?}"
        );
        assert!(output.err.contains(why.unwrap_or_default()), "{output:?}");
    }
}

/// Exports `level.ron` to Tiled and imports it again into `out.ron`. Returns the output of the
/// import.
fn there_and_back(cli: &Cli) -> Output {
    let output = cli.call("export level.ron --tiled --out level.tmj --force");
    assert_eq!(output.code, 0, "{output:?}");
    import(cli, "level.tmj", &[])
}

#[test]
fn every_level_survives_a_round_trip_through_tiled() {
    let cli = Cli::new("import_round_trip");
    let all = levels::BUILT_IN.iter().chain(&levels::TUTORIAL);
    for (name, text) in all {
        cli.write("level.ron", text);
        let output = there_and_back(&cli);
        assert_eq!(
            (output.code, output.err.as_str()),
            (0, ""),
            "{name}: {output:?}"
        );
        let (before, after) = (check_file("out.ron", text).unwrap().0, level(&cli));
        assert_eq!(before.combatants, after.combatants, "{name}");
        assert_eq!(before.sides, after.sides, "{name}");
        assert_eq!(before.objectives, after.objectives, "{name}");
        assert_eq!(before.exits, after.exits, "{name}");
        assert_eq!(
            (
                &before.title,
                &before.briefing,
                before.last_round,
                before.rules
            ),
            (&after.title, &after.briefing, after.last_round, after.rules),
            "{name}"
        );
        assert_eq!(before.lesson.is_some(), after.lesson.is_some(), "{name}");
        for cell in before.board().cells() {
            let of = |level: &Level| (level.board().ground(cell).cloned(), level.board().fog(cell));
            assert_eq!(of(&before), of(&after), "{name}, {cell}");
        }
        // The original and the imported level play identical battles.
        let sim = |file| {
            let output = cli.run(&["sim", file, "--seed", "5", "--json"]);
            output
                .out
                .lines()
                .rev()
                .skip(1)
                .map(String::from)
                .collect::<Vec<_>>()
        };
        assert_eq!(sim("level.ron"), sim("out.ron"), "{name}");
    }
}

#[test]
fn the_tileset_image_is_a_png() {
    let cli = Cli::with_level("import_png");
    there_and_back(&cli);
    let png = std::fs::read(cli.home.join("level.png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    // The map uses three characters, so the image has three tiles of 32 pixels.
    assert_eq!(&png[16..24], &[0, 0, 0, 96, 0, 0, 0, 32]);
    let output = cli.run(&["export", "level.ron", "--tiled", "--out", "level.tmj"]);
    output.fails(1, "--force overwrites it");
}

#[test]
fn every_tile_encoding_is_read() {
    let cli = Cli::with_level("import_packed");
    there_and_back(&cli);
    let plain = cli.read("out.ron");
    let map: Value = serde_json::from_str(&cli.read("level.tmj")).unwrap();
    let data = map["layers"][0]["data"].as_array().unwrap();
    let bytes = data
        .iter()
        .flat_map(|n| (n.as_u64().unwrap() as u32).to_le_bytes());
    let bytes: Vec<u8> = bytes.collect();
    let mut zlib = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::default());
    zlib.write_all(&bytes).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    gzip.write_all(&bytes).unwrap();
    let packed = [
        ("", bytes),
        ("zlib", zlib.finish().unwrap()),
        ("gzip", gzip.finish().unwrap()),
    ];
    for (how, bytes) in packed {
        let mut map = map.clone();
        map["layers"][0]["data"] = STANDARD.encode(bytes).into();
        map["layers"][0]["encoding"] = "base64".into();
        map["layers"][0]["compression"] = how.into();
        cli.write("packed.tmj", map.to_string());
        let output = import(&cli, "packed.tmj", &[]);
        assert_eq!(output.code, 0, "{how}: {output:?}");
        assert_eq!(cli.read("out.ron"), plain, "{how}");
    }
    let refused = [
        (json!("zstd"), "compression", "choose CSV or zlib"),
        (json!("!"), "data", "is not base64"),
        (json!("AAAA"), "data", "has 0 tiles"),
        (json!([1, "x"]), "data", "has \"x\" at cell 1,0"),
    ];
    for (value, key, why) in refused {
        let mut map = map.clone();
        map["layers"][0]["data"] = "AAAA".into();
        map["layers"][0][key] = value;
        cli.write("packed.tmj", map.to_string());
        let output = import(&cli, "packed.tmj", &[]);
        output.fails(1, why);
    }
    // Tilesets in separate files.
    let mut map = map;
    let set = map["tilesets"][0].take();
    cli.write("ground.tsj", set.to_string());
    map["tilesets"][0] = json!({"firstgid": 1, "source": "ground.tsj"});
    cli.write("packed.tmj", map.to_string());
    assert_eq!(import(&cli, "packed.tmj", &[]).code, 0);
    assert_eq!(cli.read("out.ron"), plain);
    map["tilesets"][0] = json!({"firstgid": 1, "source": "none.tsx"});
    cli.write("packed.tmj", map.to_string());
    let output = import(&cli, "packed.tmj", &[]);
    output.fails(1, "none.tsx");
}

#[test]
fn invalid_maps_are_refused_with_a_position() {
    let cli = Cli::new("import_refused");
    let rect = |x: f64, w: f64| json!({"rects": [{"x": x, "y": 0, "w": w, "h": 3}, {"x": 0, "y": 0, "w": 9, "h": 9}]});
    let tiled = |change: &dyn Fn(&mut Value)| {
        let mut map = json!({"type": "map", "orientation": "orthogonal", "infinite": false,
            "width": 3, "height": 1, "tilewidth": 16, "tileheight": 16, "tilesets": [],
            "layers": [{"type": "tilelayer", "name": "a", "data": [0, 0, 0]}]});
        change(&mut map);
        map.to_string()
    };
    let long = "#".repeat(300);
    let files: [(&str, String, &str); 15] = [
        ("a.txt", String::new(), "1:1: there is no map"),
        ("a.txt", long, "this map has 1 of 300"),
        ("a.txt", "###\n###\n".into(), "no unit can stand"),
        (
            "a.txt",
            "#####\n#...#\n#####".into(),
            "`party` has 2 cells to start in and needs 4",
        ),
        ("a.tsv", "F F F".into(), "no tab-separated codes"),
        ("a.json", "{".into(), "1:1: this is not JSON"),
        ("a.json", "{}".into(), "neither a map of Tiled"),
        ("a.json", rect(1e12, 3.0).to_string(), "at most 200"),
        ("a.json", rect(0.0, 1e12).to_string(), "by 3 cells"),
        ("a.json", json!({"rects": []}).to_string(), "no rooms"),
        ("a.tmx", "<map".into(), "not a map of Tiled"),
        ("a.tmx", "<svg/>".into(), "not a map of Tiled, but `svg`"),
        (
            "a.tmj",
            tiled(&|m| m["infinite"] = true.into()),
            "the map is infinite",
        ),
        (
            "a.tmj",
            tiled(&|m| m["width"] = 4_000_000_000_u64.into()),
            "a level has 1 to 200",
        ),
        (
            "a.tmj",
            tiled(&|m| m["orientation"] = "isometric".into()),
            "only orthogonal",
        ),
    ];
    for (name, text, why) in files {
        cli.write(name, &text);
        let output = import(&cli, name, &[]);
        assert_eq!(output.code, 1, "{name} {text:.60}: {output:?}");
        assert!(
            output.err.starts_with(name) && output.err.contains(why),
            "{text:.60}: {output:?}"
        );
    }
    cli.write("a.PNG", b"\x89PNG\r\n\x1a\n");
    import(&cli, "a.PNG", &[]).fails(1, "a.PNG:1:1: this is a picture; import reads text");
    // Files of the game itself.
    for (text, why) in [
        ("(map: [])", "a.ron:1:1: this is a level already"),
        ("(proves: [])", "a.ron:1:1: this is a scenario already"),
    ] {
        cli.write("a.ron", text);
        import(&cli, "a.ron", &[]).fails(1, why);
    }
    cli.write("a.txt", map("cave.txt"));
    for (legend, why) in [
        ("x", "write a character"),
        ("x=Wal", "did you mean `Wall`"),
        ("x=unit goblin", "a kind and a side"),
        ("x=exit gob lins", "a side is one id"),
        ("x=start Party Two", "a side is one id"),
    ] {
        let output = import(&cli, "a.txt", &["--legend", legend]);
        output.fails(2, why);
    }
    let output = import(&cli, "a.txt", &["--legend", "g=unit goblin foes"]);
    output.fails(1, "all units are of the side 'foes'");
    let output = import(&cli, "a.txt", &["--squad", "gobblin:2"]);
    output.fails(2, "unknown kind `gobblin`; did you mean `goblin`?");
    let output = import(&cli, "a.txt", &["--legend", "g=unit gobblin foes"]);
    output.fails(
        1,
        "a.txt:cell 20,6: unknown kind `gobblin`; did you mean `goblin`?",
    );
    // What only `check` finds is placed in the map, because there is no file of the level.
    let call = ["--legend", "<=start The_Party"];
    import(&cli, "a.txt", &call).fails(1, "a.txt: \"The_Party\" cannot be an id");
}
