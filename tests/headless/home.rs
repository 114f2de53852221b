//! Writing the user's files safely.

use fivefoot_core::home::write;
use std::fs;

#[test]
fn files_are_written_completely_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("fivefoot-home-{}", std::process::id()));
    let path = folder.join("deep").join("a.ron");
    write(&path, "one").unwrap();
    write(&path, "two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    let files = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(files, 1, "nothing is left lying about");
    let why = write(&path.join("below a file"), "three").unwrap_err();
    assert!(why.contains("a.ron"), "{why}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    fs::remove_dir_all(folder).unwrap();
}
