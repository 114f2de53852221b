//! Files of the public project: workflows, issue forms, and `./play` on every platform.

use fivefoot_kit::root;
use std::{fs, path::PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// The single document of a YAML file.
fn yaml(name: &str, text: &str) -> Yaml {
    let mut all = YamlLoader::load_from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(all.len(), 1, "{name}");
    all.remove(0)
}

fn github(folder: &str) -> Vec<(String, Yaml)> {
    let folder = root().join(".github").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let files = files.into_iter().map(|path| {
        let name = path.display().to_string();
        let yaml = yaml(&name, &fs::read_to_string(path).unwrap());
        (name, yaml)
    });
    files.collect()
}

fn keys(of: &Yaml) -> Vec<&str> {
    let hash = of.as_hash().into_iter().flat_map(|hash| hash.keys());
    hash.map(|key| key.as_str().unwrap()).collect()
}

/// All names after `prefix.` inside `${{ … }}`.
fn used<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let inside = text
        .split("${{")
        .skip(1)
        .filter_map(|part| part.split("}}").next());
    let named = inside.filter_map(|part| part.trim().strip_prefix(prefix));
    named.map(|name| name.trim_start_matches('.')).collect()
}

fn check_job(name: &str, job: &Yaml, jobs: &[&str]) {
    let known = [
        "name",
        "needs",
        "runs-on",
        "strategy",
        "timeout-minutes",
        "env",
        "defaults",
        "steps",
        "if",
        "permissions",
    ];
    for key in keys(job) {
        assert!(known.contains(&key), "{name}: {key}");
    }
    assert!(job["runs-on"].as_str().is_some(), "{name} runs on nothing");
    let needs = match &job["needs"] {
        Yaml::Array(all) => all.iter().filter_map(Yaml::as_str).collect(),
        one => Vec::from_iter(one.as_str()),
    };
    for needed in needs {
        assert!(jobs.contains(&needed), "{name} needs {needed}");
    }
    let matrix = &job["strategy"]["matrix"];
    let mut given = keys(matrix);
    let included = matrix["include"].as_vec().into_iter().flatten();
    included.for_each(|one| given.extend(keys(one)));
    let steps = job["steps"]
        .as_vec()
        .unwrap_or_else(|| panic!("{name} has no steps"));
    let mut texts = vec![job["runs-on"].as_str().unwrap().to_owned()];
    for step in steps {
        let known = [
            "name",
            "uses",
            "with",
            "run",
            "env",
            "if",
            "shell",
            "working-directory",
        ];
        for key in keys(step) {
            assert!(known.contains(&key), "{name}: {key}");
        }
        let (uses, run) = (step["uses"].as_str(), step["run"].as_str());
        assert!(
            uses.is_some() != run.is_some(),
            "{name}: a step uses or runs something"
        );
        if let Some(action) = uses {
            assert!(action.contains("@v"), "{name}: {action} has no version");
        }
        let run = run.unwrap_or_default();
        // Scripts of this repository exist.
        for word in run.split_whitespace() {
            let script = word
                .strip_prefix("./")
                .or(word.starts_with(".ci/").then_some(word));
            if let Some(script) = script {
                assert!(root().join(script).exists(), "{name} runs {script}");
            }
        }
        let with = step["with"]
            .as_hash()
            .into_iter()
            .flat_map(|hash| hash.values());
        texts.extend(with.filter_map(|text| text.as_str().map(str::to_owned)));
        texts.push(run.to_owned());
    }
    for text in &texts {
        for key in used(text, "matrix") {
            assert!(given.contains(&key), "{name}: matrix.{key} in {text}");
        }
    }
}

fn check_workflow(name: &str, workflow: &Yaml) {
    for key in keys(workflow) {
        let known = ["name", "on", "permissions", "concurrency", "env", "jobs"];
        assert!(known.contains(&key), "{name}: {key}");
    }
    let jobs = keys(&workflow["jobs"]);
    assert!(!jobs.is_empty(), "{name} has no jobs");
    for job in &jobs {
        let place = format!("{name}: {job}");
        check_job(&place, &workflow["jobs"][*job], &jobs);
    }
}

#[test]
fn workflows_are_valid() {
    let all = github("workflows");
    assert_eq!(all.len(), 3);
    for (name, workflow) in &all {
        check_workflow(name, workflow);
        let events = keys(&workflow["on"]);
        let known = ["push", "pull_request", "schedule", "workflow_dispatch"];
        assert!(
            !events.is_empty() && events.iter().all(|e| known.contains(e)),
            "{name}"
        );
        assert!(
            !workflow["permissions"].is_badvalue(),
            "{name} may do anything"
        );
        for job in keys(&workflow["jobs"]) {
            let minutes = workflow["jobs"][job]["timeout-minutes"].as_i64();
            assert!(
                minutes.is_some_and(|n| n <= 360),
                "{name}: {job} may run for ever"
            );
        }
    }
}

#[test]
fn issue_forms_are_valid() {
    for (name, form) in github("ISSUE_TEMPLATE") {
        if name.ends_with("config.yml") {
            assert!(form["blank_issues_enabled"].as_bool().is_some(), "{name}");
            continue;
        }
        assert!(form["name"].as_str().is_some() && form["description"].as_str().is_some());
        let mut ids = vec![];
        for field in form["body"].as_vec().unwrap() {
            assert!(
                ["textarea", "input"].contains(&field["type"].as_str().unwrap()),
                "{name}"
            );
            assert!(field["attributes"]["label"].as_str().is_some(), "{name}");
            let id = field["id"].as_str().unwrap();
            assert!(!ids.contains(&id), "{name}: {id} twice");
            ids.push(id);
        }
        // The bug form asks for a recording.
        assert!(
            !name.ends_with("bug.yml") || ids.contains(&"recording"),
            "{name}"
        );
    }
}

#[test]
fn the_yaml_in_the_docs_is_valid() {
    let (mut workflows, mut blocks_read) = (0, 0);
    for page in ["ci.md", "many-machines.md"] {
        let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
        let blocks = text.split("\n```yaml\n").skip(1);
        for block in blocks.filter_map(|block| block.split("\n```").next()) {
            let yaml = yaml(page, block);
            blocks_read += 1;
            if !yaml["jobs"].is_badvalue() {
                check_workflow(page, &yaml);
                workflows += 1;
            }
        }
    }
    assert_eq!((blocks_read, workflows), (4, 1));
}

/// Runs `./play` with a fake `cargo` that prints its arguments.
#[cfg(unix)]
mod play {
    use crate::kit::Output;
    use fivefoot_kit::root;
    use std::{
        fs,
        os::unix::{fs::PermissionsExt, net::UnixListener},
        path::PathBuf,
        process::Command,
    };

    fn folder(test: &str, system: &str) -> PathBuf {
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("play")
            .join(test);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(home.join("target/debug")).unwrap();
        for (program, text) in [
            ("cargo", "echo cargo \"$@\""),
            ("uname", &format!("echo {system}")),
            ("dpkg-query", "echo install ok installed"),
            ("target/debug/fivefoot", "echo fivefoot \"$@\""),
        ] {
            let path = home.join(program);
            fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        home
    }

    fn played(home: &PathBuf, variables: &[(&str, &str)], words: &[&str]) -> Output {
        let mut command = Command::new(root().join("play"));
        let path = std::env::var("PATH").unwrap();
        command.args(words).current_dir(home);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command.env("PATH", format!("{}:{path}", home.display()));
        command
            .env("CARGO_TARGET_DIR", home.join("target"))
            .env("XDG_RUNTIME_DIR", home);
        let done = command.envs(variables.iter().copied()).output().unwrap();
        Output {
            code: done.status.code().unwrap(),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }

    fn has_window(output: &Output) -> bool {
        assert!(
            output.code == 0 && output.out.contains("cargo build --locked"),
            "{output:?}"
        );
        !output.out.contains("--no-default-features")
    }

    #[test]
    fn the_window_is_built_if_a_display_can_answer() {
        let home = folder("displays", "Linux");
        let _socket = UnixListener::bind(home.join("wayland-7")).unwrap();
        let played = |variables: &[(&str, &str)]| played(&home, variables, &["a.ron"]);
        let none = played(&[]);
        assert!(
            !has_window(&none) && none.err.contains("No display answers"),
            "{none:?}"
        );
        let wayland = played(&[("WAYLAND_DISPLAY", "wayland-7")]);
        assert!(
            has_window(&wayland) && wayland.err.is_empty(),
            "{wayland:?}"
        );
        assert!(wayland.out.ends_with("fivefoot a.ron\n"), "{wayland:?}");
        let path = home.join("wayland-7").display().to_string();
        assert!(has_window(&played(&[("WAYLAND_DISPLAY", &path)])));
        assert!(!has_window(&played(&[("WAYLAND_DISPLAY", "wayland-8")])));
        // No such display exists on this machine; displays on other machines are assumed to work.
        let gone = played(&[("DISPLAY", ":4321.0")]);
        assert!(
            !has_window(&gone) && gone.err.contains("DISPLAY: :4321.0"),
            "{gone:?}"
        );
        assert!(has_window(&played(&[("DISPLAY", "far:0")])));
    }

    #[test]
    fn macos_builds_the_window_unless_told_headless() {
        let home = folder("macos", "Darwin");
        assert!(has_window(&played(&home, &[], &[])));
        let output = played(
            &home,
            &[("DISPLAY", "far:0")],
            &["--headless", "sim", "b.ron"],
        );
        assert!(!has_window(&output) && output.err.is_empty(), "{output:?}");
        assert!(output.out.ends_with("fivefoot sim b.ron\n"), "{output:?}");
    }
}
