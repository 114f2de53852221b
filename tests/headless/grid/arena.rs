//! Shortest paths on a published benchmark map have the published lengths.

use super::kit::{c, plain};
use fivefoot_core::grid::*;

/// The host platform, as rustc names it.
fn host() -> String {
    let output = std::process::Command::new("rustc")
        .arg("-vV")
        .output()
        .unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

/// The map and the problems that the `movingai` crate ships for its own tests.
fn arena() -> (movingai::MovingAiMap, Vec<movingai::SceneRecord>) {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let metadata = std::process::Command::new(cargo)
        .args([
            "metadata",
            "--offline",
            // Packages for other platforms may be missing offline.
            "--filter-platform",
            &host(),
            "--format-version",
            "1",
            "--manifest-path",
            manifest,
        ])
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|package| package["name"] == "movingai")
        .unwrap();
    let folder =
        std::path::Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("tests");
    let map = movingai::parser::parse_map_file(&folder.join("arena.map")).unwrap();
    (
        map,
        movingai::parser::parse_scen_file(&folder.join("arena.map.scen")).unwrap(),
    )
}

#[test]
fn shortest_paths_have_their_published_lengths() {
    use movingai::Map2D;
    let (map, scenes) = arena();
    let mut board = Board::new(map.width() as u16, map.height() as u16);
    for cell in board.cells() {
        if !map.is_traversable((cell.x as usize, cell.y as usize)) {
            board.set(cell, CellGround::of(Feature::Wall));
        }
    }
    let walk = plain(&board);
    assert!(scenes.len() > 100);
    for scene in scenes {
        let cell = |(x, y): (usize, usize)| c(x as i16, y as i16);
        let (from, to) = (cell(scene.start_pos), cell(scene.goal_pos));
        // The benchmark uses true diagonal lengths; costs here are in millionths of a side.
        let steps = |at: &Cell| {
            let steps = at.neighbours().filter_map(|next| {
                let step = walk.step(*at, next).ok()?;
                Some((
                    next,
                    if step.diagonal {
                        1_414_213u64
                    } else {
                        1_000_000
                    },
                ))
            });
            steps.collect::<Vec<_>>()
        };
        let (path, length) = pathfinding::prelude::dijkstra(&from, steps, |at| *at == to).unwrap();
        assert!(
            (length as f64 / 1e6 - scene.optimal_length).abs() < 1e-3,
            "{from} to {to}"
        );
        // The range has the lowest number of steps, and its path has that cost.
        let feet = walk.range(from, u16::MAX).get(to).unwrap().feet;
        assert!(usize::from(feet / 5) < path.len(), "{from} to {to}");
        assert_eq!(
            walk.price(&walk.path(from, to).unwrap()).unwrap().feet,
            feet
        );
    }
}
