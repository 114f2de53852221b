//! Every dependency in the game has a licence that allows distribution.

#[path = "../../examples/package/licences.rs"]
mod listed;

#[test]
fn every_crate_may_be_had_under_an_accepted_licence() {
    let crates = listed::built_in();
    assert!(crates.len() > 100, "{}", crates.len());
    let odd = crates.iter().filter(|c| !c.is_accepted());
    assert_eq!(odd.collect::<Vec<_>>(), Vec::<&listed::Crate>::new());
    // The page names each crate and has the text of its licence.
    let page = listed::page(&crates);
    for one in &crates {
        assert!(page.contains(&format!("{} {}: ", one.name, one.version)));
    }
    assert!(page.contains("Permission is hereby granted, free of charge"));
}
