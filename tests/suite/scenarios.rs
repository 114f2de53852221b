//! Scenarios: every file passes, and every rule of the core is proven.

use fivefoot::control::scenario;
use std::path::{Path, PathBuf};

#[test]
fn every_scenario_passes() {
    let report = scenario::verify(&files());
    assert!(report.passed > 0, "no scenarios were found");
    assert!(report.failed == 0, "\n{report}");
}

/// The rules that must be proven by now.
const CORE: [&str; 34] = [
    "SK-01", "SK-02", "SK-04", "SK-06", "SK-10", "SK-11", "SK-14", "SK-17", "SK-18", "SK-19",
    "SK-24", "SK-25", "SK-30", "SK-31", "SK-32", "SK-40", "SK-41", "SK-42", "SK-60", "SK-61",
    "GR-03", "GR-10", "GR-11", "GR-12", "GR-13", "GR-20", "GR-21", "GR-22", "GR-23", "GR-30",
    "GR-31", "GR-32", "GR-33", "GR-40",
];

#[test]
fn every_rule_of_the_core_is_proven() {
    let report = scenario::verify(&files());
    let proven: Vec<&str> = report
        .verdicts
        .iter()
        .filter(|verdict| verdict.passed())
        .flat_map(|verdict| verdict.proves.iter().map(String::as_str))
        .collect();
    let missing: Vec<&&str> = CORE.iter().filter(|rule| !proven.contains(rule)).collect();
    assert!(missing.is_empty(), "not proven: {missing:?}");
}

/// Every scenario file, in order.
fn files() -> Vec<PathBuf> {
    let mut found = vec![];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    collect(&root, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "ron") {
            found.push(path);
        }
    }
}
