//! Creatures, weapons, armour, spells.

use fivefoot::content::{BUILT_IN, Content, check_file};

#[test]
fn everything_built_in_checks_clean() {
    let mut content = Content::default();
    for (file, text) in BUILT_IN {
        match check_file(file, text, &content) {
            Ok((more, _)) => content = more,
            Err(problems) => {
                let lines: Vec<_> = problems.iter().map(|p| p.to_string()).collect();
                panic!("{}", lines.join("\n"));
            }
        }
    }
    for c in content.creatures.values() {
        println!("{:16} {:?}", c.id, c.skirmish);
    }
}
