//! Your levels: folders, packs, and the reasons to refuse one.

use crate::kit;
use fivefoot_core::{
    levels::{
        check_file,
        own::{OwnLevels, place_for},
        pack::{self, MAX_FILES},
    },
    ron_read::Problem,
};
use fivefoot_kit::YARD;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

const TROLLS: &str = r#"( // with a note
    weapons: { "great_club": (like: "mace", damage: "1d10") },
    creatures: { "hill_troll": (like: "ogre", weapons: ["great_club"], size: 1) },
)
// and one at the end
"#;

const CODEX: &str = r#"(codex: {
    "LV-02": (title: "The well", text: "Nobody climbs out of it; see LV-01 and GR-20."),
    "LV-01": (title: "Trolls", text: "They are hungry."),
})"#;

fn folder(test: &str) -> PathBuf {
    kit::folder("own", test)
}

/// The header of a PNG, enough to read its size.
fn png(width: u32, height: u32) -> Vec<u8> {
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    [
        head,
        width.to_be_bytes().to_vec(),
        height.to_be_bytes().to_vec(),
    ]
    .concat()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packed = vec![];
    let mut archive = ZipArchiveWriter::new(&mut packed);
    for (name, bytes) in files {
        let raw = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let (mut entry, config) = archive
            .new_file(raw)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let mut counted = config.wrap(vec![]);
        counted.write_all(bytes).unwrap();
        let (_, descriptor) = counted.finish().unwrap();
        let squeezed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
        entry.write_all(&squeezed).unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    packed
}

fn trolls() -> String {
    YARD.replace("\"goblin\"", "\"hill_troll\"")
}

fn lines(problems: &[Problem]) -> String {
    let lines = problems.iter().map(ToString::to_string);
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn refused(path: &Path, words: &str) {
    let why = lines(&pack::check(path).expect_err("it is refused"));
    assert!(why.contains(words), "{why}");
}

#[test]
fn the_list_follows_changes_in_the_folder() {
    let folder = folder("listed");
    let file = folder.join("yard.ron");
    fs::write(&file, YARD).unwrap();
    fs::write(folder.join("notes.txt"), "none of it").unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    // A built-in level keeps its id, so this file gets another.
    fs::write(folder.join("toll_gate.ron"), YARD).unwrap();
    let mut own = OwnLevels::of([folder.clone(), folder.join("not there")]);
    let ids = |own: &OwnLevels| Vec::from_iter(own.levels().map(|l| l.id.clone()));
    assert_eq!(ids(&own), ["toll_gate-2", "yard"]);
    assert!(own.problems().is_empty());
    let before = own.levels().last().unwrap().clone();
    own.refresh();
    let after = own.levels().last().unwrap().clone();
    assert!(
        std::sync::Arc::ptr_eq(&before, &after),
        "it is not read again"
    );

    fs::write(&file, YARD.replace("\"goblin\"", "\"gobblin\"")).unwrap();
    fs::remove_file(folder.join("toll_gate.ron")).unwrap();
    own.refresh();
    assert_eq!(ids(&own), [""; 0]);
    let [broken] = own.all() else { panic!() };
    let problems = broken.found.as_ref().unwrap_err();
    assert!(lines(problems).contains("yard.ron:11:16: unknown kind `gobblin`"));
    fs::write(&file, YARD).unwrap();
    own.refresh();
    assert_eq!(ids(&own), ["yard"]);
}

#[test]
fn a_new_level_gets_an_unused_file_name() {
    let folder = folder("place");
    let name = |title: &str| {
        let path = place_for(&folder, title);
        path.file_name().unwrap().to_string_lossy().into_owned()
    };
    assert_eq!(name("The old mill!"), "the_old_mill.ron");
    assert_eq!(name("../../etc/passwd"), "etc_passwd.ron");
    assert_eq!(name("…"), "level.ron");
    fs::write(folder.join("the_old_mill.ron"), "").unwrap();
    assert_eq!(name("The old mill"), "the_old_mill-2.ron");
}

#[test]
fn packs_load_kinds_codex_and_picture_from_folder_and_zip() {
    let folder = folder("pack");
    let level = trolls();
    let picture = png(64, 32);
    let files: [(&str, &[u8]); 5] = [
        ("level.ron", level.as_bytes()),
        ("content/trolls.ron", TROLLS.as_bytes()),
        ("codex.ron", CODEX.as_bytes()),
        ("pictures/title.png", &picture),
        ("README.md", b"for a friend"),
    ];
    let outer = files.map(|(name, bytes)| (format!("hills/{name}"), bytes));
    let outer = outer
        .each_ref()
        .map(|(name, bytes)| (name.as_str(), *bytes));
    fs::write(folder.join("hills.zip"), zip(&files)).unwrap();
    fs::write(folder.join("wrapped.zip"), zip(&outer)).unwrap();
    for (name, bytes) in files {
        let file = folder.join("plain").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    for (name, id) in [
        ("hills.zip", "hills"),
        ("wrapped.zip", "wrapped"),
        ("plain", "plain"),
    ] {
        let (pack, hints) =
            pack::check(&folder.join(name)).unwrap_or_else(|p| panic!("{}", lines(&p)));
        assert!(hints.is_empty(), "{name}: {}", lines(&hints));
        let level = &pack.level;
        assert_eq!(level.id, id);
        assert_eq!(
            level.combatants[1].creature.weapons[0].damage.to_string(),
            "1d10"
        );
        let rules: Vec<_> = level.codex.iter().map(|rule| rule.id.as_str()).collect();
        assert_eq!(rules, ["LV-01", "LV-02"]);
        assert_eq!(pack.picture.as_deref(), Some(&picture[..]));
        // A recording stores only the level's text, so the text must contain everything.
        let again = check_file(&format!("{id}.ron"), &level.source);
        let (again, _) = again.unwrap_or_else(|p| panic!("{}", lines(&p)));
        assert_eq!(again.combatants, level.combatants);
        assert_eq!(
            (again.id, again.codex),
            (level.id.clone(), level.codex.clone())
        );
    }
}

#[test]
fn problems_in_a_pack_name_their_file_and_position() {
    let folder = folder("wrong");
    let bad = trolls().replace(
        "side: \"goblins\", at: (7, 1)",
        "side: \"goblin\", at: (7, 9)",
    );
    fs::create_dir_all(folder.join("content")).unwrap();
    fs::write(folder.join("level.ron"), &bad).unwrap();
    fs::write(folder.join("content/trolls.ron"), TROLLS).unwrap();
    let why = lines(&pack::check(&folder).unwrap_err());
    assert!(
        why.contains("level.ron:11:36: unknown side `goblin`"),
        "{why}"
    );
    assert!(
        why.contains("level.ron:11:50: (7, 9) is off the map"),
        "{why}"
    );
    // On the line of the first bracket, the column is counted from the line's start as well.
    let one_line = format!("(titel: \"x\", {}", &bad[1..]);
    fs::write(folder.join("level.ron"), one_line).unwrap();
    let why = lines(&pack::check(&folder).unwrap_err());
    assert!(
        why.contains("level.ron:1:2: unknown field `titel`"),
        "{why}"
    );
    let club = TROLLS.replace("1d10", "ten");
    fs::write(folder.join("content/trolls.ron"), club).unwrap();
    fs::write(
        folder.join("codex.ron"),
        "(codex: {\"SK-01\": (title: \"A\", text: \"B\")})",
    )
    .unwrap();
    let why = lines(&pack::check(&folder).unwrap_err());
    assert!(why.contains("content/trolls.ron:2:"), "{why}");
    assert!(
        why.contains("codex.ron:1:10: unknown rule book `SK`"),
        "{why}"
    );
}

#[test]
fn a_zip_with_escaping_paths_or_huge_content_is_refused() {
    let folder = folder("refused");
    let path = folder.join("pack.zip");
    let level = YARD.as_bytes();
    let put = |files: &[(&str, &[u8])], words: &str| {
        fs::write(&path, zip(files)).unwrap();
        refused(&path, words);
    };
    for name in [
        "../level.ron",
        "content/../../a.ron",
        "/etc/passwd",
        "C:\\a.ron",
        "\\a.ron",
    ] {
        put(
            &[("level.ron", level), (name, b"x")],
            "leads out of the pack",
        );
    }
    put(&[("level.ron", level), ("a/b/c/d/e.txt", b"x")], "too deep");
    for name in ["a:b.ron", "content/C:d.ron"] {
        put(
            &[("level.ron", level), (name, b"x")],
            &format!("`{name}` is no name for a file on every system"),
        );
    }
    put(&[("level.ron", level), ("level.ron", level)], "in it twice");
    put(
        &[("content/a.ron", TROLLS.as_bytes())],
        "there is no level.ron in it",
    );
    let many: Vec<_> = (0..MAX_FILES + 1).map(|n| format!("{n}.txt")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    put(&many, "more than 64 files");
    // 64 MB of zeros compress to 64 kB.
    let bomb = vec![0; 64 << 20];
    put(&[("level.ron", level), ("a.txt", &bomb)], "too large");
    let large = vec![0; 2 << 20];
    let five = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"].map(|name| (name, &large[..]));
    put(&five, "too large");
    put(
        &[
            ("level.ron", level),
            ("pictures/title.png", &png(60_000, 60_000)),
        ],
        "at most 1024 by 1024",
    );
    put(
        &[("level.ron", level), ("pictures/title.png", b"GIF")],
        "not a PNG",
    );
    put(&[("level.ron", b"\xff\xfe")], "not UTF-8");

    // A zip with a forged size, and one that is cut off.
    let mut lie = zip(&[("level.ron", level), ("a.txt", &bomb)]);
    let size = (bomb.len() as u32).to_le_bytes();
    for at in 0..lie.len() - 4 {
        if lie[at..at + 4] == size {
            lie[at..at + 4].copy_from_slice(&9u32.to_le_bytes());
        }
    }
    fs::write(&path, &lie).unwrap();
    refused(&path, "broken or too large");
    fs::write(&path, &lie[..lie.len() / 2]).unwrap();
    refused(&path, "broken");
    fs::write(&path, "no zip").unwrap();
    refused(&path, "broken");
}

#[cfg(unix)]
#[test]
fn a_folder_with_links_is_refused() {
    let folder = folder("links");
    fs::write(folder.join("level.ron"), YARD).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("notes.txt")).unwrap();
    refused(&folder, "is a link");
}

#[test]
fn absurdly_large_levels_are_refused_quickly() {
    let folder = folder("absurd");
    let wide = YARD.replace("\"........\",", &format!("\"{}\",", ".".repeat(30_000)));
    fs::write(folder.join("wide.ron"), wide).unwrap();
    let crowd = YARD.replace("at: (7, 1)", "count: 2000000000");
    fs::write(folder.join("crowd.ron"), crowd).unwrap();
    fs::write(folder.join("deep.ron"), "(a: ".repeat(200_000)).unwrap();
    fs::write(folder.join("long.ron"), " ".repeat(2 << 20)).unwrap();
    let since = std::time::Instant::now();
    let own = OwnLevels::of([folder]);
    assert_eq!((own.all().len(), own.levels().count()), (4, 0));
    assert!(since.elapsed().as_secs() < 20);
}
