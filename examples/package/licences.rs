//! The licences of all crates that are built into the game, read from Cargo and from the crates'
//! own files.

use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::PathBuf,
    process::Command,
};

/// The licences that a built-in crate may have.
const ACCEPTED: [&str; 14] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "BSL-1.0",
    "Unicode-3.0",
    "OFL-1.1",
    // Applies file by file: changed files must be published. No file is changed here, and the page
    // says where to get the source.
    "MPL-2.0",
];

/// A crate that is built into the game.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crate {
    pub name: String,
    pub version: String,
    /// An SPDX expression; empty if the crate declares no licence.
    pub licence: String,
    /// Where to get the source.
    source: String,
    folder: PathBuf,
}

/// All crates that the game links, except its own, sorted by name. Build dependencies are left out.
pub fn built_in() -> Vec<Crate> {
    let root = env!("CARGO_MANIFEST_DIR");
    let call = [
        "metadata",
        "--format-version=1",
        "--locked",
        "--offline",
        "--filter-platform=x86_64-unknown-linux-gnu",
    ];
    let told = Command::new(env!("CARGO"))
        .args(call)
        .current_dir(root)
        .output()
        .expect("cargo runs");
    let why = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "cargo metadata: {why}");
    let told: Value = serde_json::from_slice(&told.stdout).expect("cargo prints JSON");

    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&told["resolve"]["nodes"]) {
        let at_run_time = |dep: &Value| list(&dep["dep_kinds"]).iter().any(|k| k["kind"].is_null());
        let deps = list(&node["deps"]).into_iter().filter(at_run_time);
        let deps = deps.map(|dep| text(&dep["pkg"])).collect();
        needs.insert(text(&node["id"]), deps);
    }
    let game = text(&told["resolve"]["root"]);
    let (mut all, mut ahead) = (BTreeSet::new(), vec![game.clone()]);
    while let Some(id) = ahead.pop() {
        for next in needs.get(&id).into_iter().flatten() {
            if all.insert(next.clone()) {
                ahead.push(next.clone());
            }
        }
    }
    for own in list(&told["workspace_members"]) {
        all.remove(&text(&own));
    }
    let of = |package: &Value| Crate {
        name: text(&package["name"]),
        version: text(&package["version"]),
        // `/` is an old way to write `OR`.
        licence: text(&package["license"]).replace('/', " OR "),
        source: text(&package["repository"]),
        folder: PathBuf::from(text(&package["manifest_path"]))
            .parent()
            .map(PathBuf::from)
            .unwrap_or_default(),
    };
    let packages = list(&told["packages"]);
    let is_built_in = |package: &&Value| all.contains(package["id"].as_str().unwrap_or_default());
    let mut crates: Vec<Crate> = packages.iter().filter(is_built_in).map(of).collect();
    crates.sort();
    crates
}

impl Crate {
    /// Whether the crate is available under an accepted licence.
    pub fn is_accepted(&self) -> bool {
        let accepted = |wanted: &spdx::LicenseReq| ACCEPTED.contains(&wanted.to_string().as_str());
        spdx::Expression::parse(&self.licence).is_ok_and(|all| all.evaluate(accepted))
    }

    /// The licence texts in the crate's folder.
    fn texts(&self) -> Vec<String> {
        let begins = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
        let files = std::fs::read_dir(&self.folder).into_iter().flatten();
        let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
        files.sort();
        let is_licence = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            begins.iter().any(|b| name.to_uppercase().starts_with(b))
        };
        let texts = files.iter().filter(is_licence);
        texts.flat_map(std::fs::read_to_string).collect()
    }
}

/// The text of the licence page: every crate with its licence, then each licence text once.
pub fn page(crates: &[Crate]) -> String {
    let mut out = String::from(
        "Fivefoot is under the MIT licence or the Apache licence 2.0, as you like.\n\
         These crates are built into it:\n\n",
    );
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for one in crates {
        let _ = writeln!(
            out,
            "{} {}: {} {}",
            one.name, one.version, one.licence, one.source
        );
        for text in one.texts() {
            let of = texts.entry(text.trim().to_owned()).or_default();
            if of.last() != Some(&one.name.as_str()) {
                of.push(&one.name);
            }
        }
    }
    for (text, of) in texts {
        let _ = write!(
            out,
            "\n\n{}\n{}:\n\n{text}\n",
            "-".repeat(72),
            of.join(", ")
        );
    }
    out
}
