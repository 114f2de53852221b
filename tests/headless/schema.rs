//! The description of fields (`assets/fields.json`) against the readers and the documentation.

use fivefoot_core::{
    content::{
        self, Content,
        schema::{self, SECTIONS, Section},
    },
    levels,
};
use std::collections::BTreeMap;

/// A content file and a level that have every kind of group.
const CONTENT: &str = "(
    weapons: {\"a\": (
        melee: (), ranged: (), phased: (thrust: ()), segments: (), speed: (), activity: (),
    )},
    armour: {\"a\": (speed: ())},
    conditions: {\"a\": ()},
    spells: {\"a\": (
        effect: Ward(), phased: (), segments: (), speed: (), activity: (),
    ), \"b\": (effect: Hold()), \"c\": (effect: Lasts())},
    creatures: {\"a\": (
        attributes: (), skills: (), weapons: [(weapon: \"sword\")],
        skirmish: (), segments: (), phased: (), speed_rules: (), activity: (), demo: (),
    )},
)";
const LEVEL: &str = "(
    title: \"A\", map: [\"ab\"], legend: {'a': (floor: 0)}, sides: [(id: \"a\")],
    combatants: [(kind: \"goblin\", side: \"a\")], objectives: [(side: \"a\", goal: Defeat)],
)";

/// Groups that are described in the row of the field that they belong to.
const WITHIN: [&str; 4] = [
    "a ward",
    "a hold",
    "a condition that lasts",
    "a weapon with its count",
];
/// Fields that have a text of their own instead of a row: the base of any entry, and what an
/// objective is.
const IN_TEXT: [&str; 4] = ["like", "side", "goal", "text"];

#[test]
fn every_field_is_described_and_nothing_else() {
    let mut known = content::known_fields(CONTENT, Content::built_in());
    known.extend(levels::known_fields(LEVEL));
    let described: Vec<&str> = SECTIONS
        .iter()
        .flat_map(|s| s.things.iter().map(String::as_str))
        .collect();
    let unknown: Vec<_> = described
        .iter()
        .filter(|t| !known.contains_key(*t))
        .collect();
    assert_eq!(
        unknown,
        Vec::<&&str>::new(),
        "the readers know no such groups"
    );
    for section in SECTIONS.iter().filter(|section| !section.things.is_empty()) {
        let mut names: Vec<&str> = section
            .fields
            .iter()
            .flat_map(|f| f.names.iter().map(String::as_str))
            .collect();
        let read = section
            .things
            .iter()
            .flat_map(|thing| known[thing.as_str()].clone());
        let text = |name: &&str| section.section == "Objectives" || *name == "like";
        let mut read: Vec<&str> = read
            .filter(|name| names.contains(name) || !(IN_TEXT.contains(name) && text(name)))
            .collect();
        names.sort_unstable();
        read.sort_unstable();
        read.dedup();
        assert_eq!(names, read, "fields of {:?}", section.things);
    }
    let missing: Vec<_> = known
        .keys()
        .filter(|thing| !described.contains(thing) && !WITHIN.contains(thing))
        .collect();
    assert_eq!(missing, Vec::<&&str>::new(), "groups without a description");
}

#[test]
fn the_pages_say_the_same() {
    let pages = BTreeMap::from([
        ("levels", include_str!("../../docs/levels.md")),
        ("content", include_str!("../../docs/content.md")),
    ]);
    for section in SECTIONS.iter() {
        for row in rows(section) {
            let page = pages[section.page.as_str()];
            assert!(page.contains(&row), "docs/{}.md lacks: {row}", section.page);
        }
    }
    // No page has a row that is not described.
    for (page, text) in pages {
        let tables = ["| field |", "| trait |"];
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if tables.iter().any(|head| line.starts_with(head)) {
                let of_page = SECTIONS.iter().filter(|section| section.page == page);
                let all: Vec<String> = of_page.flat_map(rows).collect();
                for row in lines.by_ref().skip(1).take_while(|l| l.starts_with('|')) {
                    let is_known = all.iter().any(|known| known == row);
                    assert!(is_known, "assets/fields.json lacks: {row}");
                }
            }
        }
    }
}

/// The rows of a section's table.
fn rows(section: &Section) -> Vec<String> {
    let has_default = !["Traits", "Attributes and skills"].contains(&section.section.as_str())
        && section.things != ["a set of kinds"];
    let row = |field: &schema::SchemaField| {
        let names: Vec<String> = field.names.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        match (has_default, field.default.as_str()) {
            (false, _) => format!("| {names} | {} |", field.meaning),
            (true, "") => format!("| {names} | | {} |", field.meaning),
            (true, default) => format!("| {names} | {default} | {} |", field.meaning),
        }
    };
    section.fields.iter().map(row).collect()
}

#[test]
fn a_field_is_looked_up_in_its_section_first() {
    let leader = schema::meaning("Combatants", "leader").unwrap();
    assert!(leader.contains("lose morale"), "{leader}");
    assert!(schema::of_creature(None, "morale").is_some());
    let own = |group| schema::of_creature(Some(group), "hp").unwrap();
    assert_eq!(own("skirmish"), "hit points");
    let stress = schema::of_creature(Some("speed_rules"), "stress").unwrap();
    assert!(stress.starts_with("Stress"), "{stress}");
    assert_eq!(schema::meaning("Combatants", "no such field"), None);
    assert!(schema::of_trait("ShockBonus(1)").unwrap().contains("more"));
    assert!(
        schema::of_trait("Minion")
            .unwrap()
            .starts_with("dies at 0 HP")
    );
}
