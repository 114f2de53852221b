//! Renaming kinds and sides of a level changes every reference to them.

use fivefoot_core::levels::{
    check_file,
    edit::{At, Document, new_level, quoted},
};

fn sound(doc: &Document) {
    let read = check_file("a.ron", doc.text());
    assert!(read.is_ok(), "{:?}\n{}", read.err(), doc.text());
}

#[test]
fn a_kind_can_be_copied_renamed_and_removed() {
    let begun = new_level("A", 12, 6);
    let mut doc = Document::new(&begun).unwrap();
    let id = doc.add_kind("goblin").unwrap();
    let entry = At::root().field("combatants").nth(1).field("kind");
    doc.set(&entry, &quoted(&id)).unwrap();
    doc.name_kind(0, "Goblin king").unwrap();
    let kinds = At::root().field("kinds").field("creatures");
    doc.set(&kinds.key("goblin_king").field("hit_dice"), "4")
        .unwrap();
    sound(&doc);
    let written = "    kinds: (
        creatures: {
            \"goblin_king\": (
                like: \"goblin\",
                hit_dice: 4,
            ),
        },
    ),
";
    assert!(doc.text().contains(written), "{}", doc.text());
    assert!(
        doc.text()
            .contains("(kind: \"goblin_king\", side: \"foes\"")
    );
    // A text that is not a valid or a free id becomes the kind's name only.
    doc.name_kind(0, "Goblin").unwrap();
    assert!(doc.text().contains("\"goblin_king\": ("));
    assert!(doc.text().contains("name: \"Goblin\","), "{}", doc.text());
    sound(&doc);
    doc.remove_kind(0).unwrap();
    assert_eq!(doc.text(), begun);
}

#[test]
fn renaming_a_side_changes_every_reference() {
    let mut doc = Document::new(&new_level("foes", 12, 6)).unwrap();
    doc.set(&At::root().field("surprise"), "Caught([\"foes\"])")
        .unwrap();
    doc.set(
        &At::root().field("objectives").nth(0).field("goal"),
        "Defeat([\"foes\"])",
    )
    .unwrap();
    doc.name_side(1, "The grey wolves").unwrap();
    sound(&doc);
    let text = doc.text();
    assert!(text.contains("title: \"foes\""), "a title is no side");
    assert!(
        text.contains("(id: \"grey_wolves\", colour: Vermilion)"),
        "{text}"
    );
    assert_eq!(text.matches("\"grey_wolves\"").count(), 5, "{text}");
    doc.name_side(1, "Wolves of the moor").unwrap();
    sound(&doc);
    assert!(doc.text().contains("name: \"Wolves of the moor\""));
}

#[test]
fn ruleset_fields_go_in_their_place() {
    let mut doc = Document::new(&new_level("A", 12, 6)).unwrap();
    let kind = doc.add_kind("goblin").unwrap();
    let kind = At::root().field("kinds").field("creatures").key(&kind);
    for field in ["fine_haste", "restricted"] {
        doc.set(&At::root().field(field), "true").unwrap();
    }
    doc.set(&kind.field("activity"), "(ob: 40)").unwrap();
    doc.set(&kind.field("speed_rules"), "(stress: 9)").unwrap();
    doc.set(&kind.field("morale"), "5").unwrap();
    sound(&doc);
    let found = |word: &str| doc.text().find(word).expect(word);
    let order = [
        "title:",
        "fine_haste:",
        "restricted:",
        "map:",
        "like:",
        "morale:",
        "activity:",
        "speed_rules:",
    ];
    assert!(order.map(found).is_sorted(), "{}", doc.text());
}
