//! JSON lines match docs/json.md and docs/json-events.md.

use crate::kit::{Cli, FAILING, LEVEL};
use fivefoot_core::version::JSON_FORMAT;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A documented key: its types, and whether it is optional.
#[derive(Clone, Debug)]
struct Key {
    types: Vec<String>,
    optional: bool,
}

type Keys = BTreeMap<String, Key>;

fn key(name: &str, types: &str) -> (String, Key) {
    let types = types.split(" or ").map(|t| t.trim().to_owned()).collect();
    let optional = name.ends_with('?');
    (
        name.trim_end_matches('?').to_owned(),
        Key { types, optional },
    )
}

fn page(name: &str) -> String {
    fs::read_to_string(fivefoot_kit::root().join("docs").join(name)).unwrap()
}

/// The cells of a table row that starts with inline code, otherwise `None`.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix("| `")?;
    let cells: Vec<&str> = row
        .trim_end_matches('|')
        .split('|')
        .map(str::trim)
        .collect();
    Some(cells)
}

/// The documented keys of every kind of line except events, by `what`. The keys of a tally's `output`
/// object are under `output`.
fn documented() -> BTreeMap<String, Keys> {
    let mut kinds: BTreeMap<String, Keys> = BTreeMap::new();
    let mut open: Vec<String> = vec![];
    let mut had_table = false;
    for line in page("json.md").lines() {
        if let Some(kind) = line.strip_prefix("### `") {
            // A kind without a table of its own uses the next table.
            if had_table {
                open.clear();
                had_table = false;
            }
            open.push(kind.trim_end_matches('`').to_owned());
        } else if line.starts_with("| key in `told`") {
            open = vec!["told".into()];
        } else if let Some(cells) = cells(line) {
            had_table = true;
            let (name, key) = key(cells[0].trim_end_matches('`'), cells[1]);
            for kind in &open {
                kinds
                    .entry(kind.clone())
                    .or_default()
                    .insert(name.clone(), key.clone());
            }
        }
    }
    kinds
}

fn events() -> (Keys, BTreeMap<String, Keys>) {
    let text = page("json-events.md");
    let (common, table) = text.split_once("| kind | fields |").unwrap();
    let common = common.lines().filter_map(cells);
    let common = common
        .map(|cells| key(cells[0].trim_end_matches('`'), cells[1]))
        .collect();
    let kinds = table.lines().filter_map(cells).map(|cells| {
        let fields = cells[1].split("; ").filter(|field| !field.is_empty());
        let fields = fields.map(|field| {
            let (name, types) = field.split_once("`: ").unwrap();
            key(name.trim_start_matches('`'), types)
        });
        (cells[0].trim_end_matches('`').to_owned(), fields.collect())
    });
    (common, kinds.collect())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The differences between an object and its documented keys.
fn faults(object: &Value, keys: &Keys) -> Vec<String> {
    let mut faults = vec![];
    let object = object.as_object().unwrap();
    for (name, value) in object {
        let is = type_of(value);
        match keys.get(name) {
            None => faults.push(format!("`{name}` is not documented")),
            Some(key) if !key.types.iter().any(|t| t == is) => {
                faults.push(format!("`{name}` is {is}, not {}", key.types.join(" or ")));
            }
            Some(_) => {}
        }
    }
    for (name, key) in keys.iter().filter(|(_, key)| !key.optional) {
        if !object.contains_key(name) {
            faults.push(format!("`{name}` is not there ({key:?})"));
        }
    }
    faults
}

fn with_common(keys: &Keys) -> Keys {
    let mut keys = keys.clone();
    keys.extend([key("format", "number"), key("what", "text")]);
    keys
}

#[test]
fn every_line_matches_the_docs() {
    let cli = Cli::new("json_lines");
    cli.write(
        "level.ron",
        LEVEL.replace("title:", "author: \"Ann\", needs: \"0.1\", title:"),
    );
    cli.write("bad.ron", LEVEL.replace("goblin", "gobblin"));
    cli.write("failing.ron", FAILING);
    let levels = cli.home.join("levels");
    fs::create_dir(&levels).unwrap();
    cli.write("levels/own.ron", LEVEL);
    cli.write("levels/broken.ron", "(");
    let position = fivefoot_kit::root().join("tests/positions/segments_exit_leave_not_fight.ron");
    let position = position.to_str().unwrap();
    assert_eq!(
        cli.call("sim level.ron --ai party=easy --record a.battle")
            .code,
        0
    );
    let changed = cli.read("a.battle").replace("seed: 1,", "seed: 2,");
    cli.write("changed.battle", changed);
    let calls: [&[&str]; 22] = [
        &["replay", "changed.battle", "--json"],
        &["review", "a.battle", "--playouts", "10", "--json"],
        &[
            "sim",
            "level.ron",
            "--battles",
            "4",
            "--rules",
            "all",
            "--json",
            "--vary",
            "goblin: hp +1",
        ],
        &["compare", "level.ron", "--battles", "4", "--json"],
        &[
            "arena",
            "level.ron",
            "--battles",
            "2",
            "--b",
            "easy",
            "--json",
        ],
        &[
            "arena",
            "--positions",
            position,
            "--b",
            "easy",
            "--json",
            "--playouts",
            "2",
        ],
        &["arena", "--positions", position, "--b", "easy", "--json"],
        &["arena", "--positions", "failing.ron", "gone.ron", "--json"],
        &[
            "measure",
            "forecast",
            "level.ron",
            "--battles",
            "2",
            "--json",
        ],
        &["kinds", "--json"],
        &["road", "--battles", "1", "--json"],
        &["road", "--battles", "1", "--runs", "2", "--json"],
        &["levels", "--levels", "levels", "--json"],
        &["sight", "level.ron", "0,0", "6,1", "--json"],
        &["sight", "level.ron", "5,2", "3,1", "--json"],
        &["sight", "level.ron", "--all"],
        &["odds", "level.ron", "--rules", "Skirmish", "--json"],
        &["odds", "level.ron", "--rules", "Speed", "--json"],
        &["odds", "level.ron", "mara: attack goblin", "--json"],
        &[
            "check",
            "level.ron",
            "bad.ron",
            "failing.ron",
            "--format",
            "json",
        ],
        &["verify", "failing.ron", "bad.ron", "--format", "json"],
        &["verify", "failing.ron", "--format", "json", "--fill"],
    ];
    let kinds = documented();
    let (_, events) = events();
    let mut met = BTreeSet::new();
    for call in calls {
        let output = cli.run(call);
        assert!(!output.out.is_empty(), "{call:?}: {output:?}");
        for line in output.out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            assert_eq!(object["format"], JSON_FORMAT, "{line}");
            let what = object["what"].as_str().unwrap();
            if call[0] == "replay" && events.contains_key(what) {
                continue;
            }
            let keys = kinds
                .get(what)
                .unwrap_or_else(|| panic!("{what} is not documented"));
            let faults = faults(&object, &with_common(keys));
            assert!(faults.is_empty(), "{what} of {call:?}: {faults:?}\n{line}");
            if what == "tally" {
                let faults = self::faults(&object["told"], &kinds["told"]);
                assert!(faults.is_empty(), "told: {faults:?}");
                met.insert("told".to_owned());
            }
            met.insert(what.to_owned());
        }
    }
    let unmet: Vec<_> = kinds.keys().filter(|kind| !met.contains(*kind)).collect();
    assert!(
        unmet.is_empty(),
        "documented, and printed by nothing: {unmet:?}"
    );
}

/// Every event in battles on five levels under all rulesets matches the documentation.
#[test]
fn every_event_matches_the_docs() {
    let cli = Cli::new("json_events");
    let (common, kinds) = events();
    let mut met = BTreeSet::new();
    let result = documented()["result"].clone();
    for level in ["toll_gate", "undercroft", "marsh", "gaol", "muster"] {
        let path = fivefoot_kit::root().join(format!("levels/{level}.ron"));
        let path = path.to_str().unwrap();
        let output = cli.run(&["sim", path, "--rules", "all", "--json", "--seed", "3"]);
        assert_eq!(output.code, 0, "{output:?}");
        for line in output.out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let what = object["what"].as_str().unwrap();
            let keys = if what == "result" {
                with_common(&result)
            } else {
                let Some(own) = kinds.get(what) else {
                    panic!("the event {what} is not documented: {line}");
                };
                let mut keys = common.clone();
                keys.extend(own.clone());
                met.insert(what.to_owned());
                keys
            };
            let faults = faults(&object, &keys);
            assert!(faults.is_empty(), "{what}: {faults:?}\n{line}");
        }
    }
    // Most documented kinds occur; the rest are rare.
    assert!(
        met.len() * 3 > kinds.len() * 2,
        "{} of {}",
        met.len(),
        kinds.len()
    );
}
