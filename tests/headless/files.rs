//! What the documents name is there.

use fivefoot_kit::files::beneath;

/// Every type that the glossary names is there.
#[test]
fn the_glossary_names_what_is_there() {
    let pages = beneath("docs", "md");
    let page = pages.iter().find(|p| p.0.ends_with("glossary.md"));
    let (_, page) = page.expect("there is a glossary");
    let code: String = beneath("src", "rs").into_iter().map(|f| f.1).collect();
    let is_type = |word: &&str| {
        word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric)
    };
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_type).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        let is_there = ["struct", "enum", "trait", "type"].iter().any(|kind| {
            let head = format!("{kind} {name}");
            let mut found = code.match_indices(&head);
            found.any(|(at, _)| !code[at + head.len()..].starts_with(char::is_alphanumeric))
        });
        assert!(is_there, "docs/glossary.md: there is no {name}");
    }
}
