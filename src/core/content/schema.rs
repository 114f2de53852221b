//! The fields of level and content files, described once in `assets/fields.json`. The editor shows
//! the descriptions as tips. A test compares them with the tables in `docs/levels.md` and
//! `docs/content.md`, and both with what the readers accept.

use serde::Deserialize;
use std::sync::LazyLock;

/// The fields of one kind of group in a file, such as those of a weapon.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its heading on the page: "Weapons".
    pub section: String,
    /// The page in `docs/` that describes it: "content".
    pub page: String,
    /// The group of a creature that it describes: "skirmish". `None` for all other sections.
    #[serde(default)]
    pub group: Option<String>,
    /// The readers' names for such groups: "a weapon".
    pub things: Vec<String>,
    pub fields: Vec<SchemaField>,
}

/// Fields with one description.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SchemaField {
    pub names: Vec<String>,
    /// What the field is if it is not written; "required" if it must be; empty for nothing.
    pub default: String,
    /// What it means. Backticks mark what is written in files.
    pub meaning: String,
}

/// Every section, in the order of the pages.
pub static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let text = include_str!("../../../assets/fields.json");
    serde_json::from_str(text).expect("assets/fields.json is well formed")
});

/// What a field of a section means, without backticks. `None` if there is no such field.
pub fn meaning(section: &str, field: &str) -> Option<String> {
    let is_it = |known: &SchemaField| known.names.iter().any(|name| name == field);
    find(section, is_it)
}

/// What a field of a creature means: of the section `group`, such as `skirmish`, if it has that
/// field, else of all creatures.
pub fn of_creature(group: Option<&str>, field: &str) -> Option<String> {
    let is_it = |section: &&Section| group.is_some() && section.group.as_deref() == group;
    let own = SECTIONS.iter().find(is_it);
    let own = own.and_then(|section| meaning(&section.section, field));
    own.or_else(|| meaning("Creatures", field))
}

/// What a trait does. Its number is ignored: `ShockBonus(1)` is `ShockBonus`.
pub fn of_trait(name: &str) -> Option<String> {
    let bare = |name: &str| name.split('(').next().map(str::to_owned);
    let is_it = |known: &SchemaField| known.names.iter().any(|known| bare(known) == bare(name));
    find("Traits", is_it)
}

fn find(section: &str, is_it: impl Fn(&SchemaField) -> bool) -> Option<String> {
    let mut sections = SECTIONS.iter();
    let section = sections.find(|known| known.section == section)?;
    let found = section.fields.iter().find(|field| is_it(field))?;
    Some(found.meaning.replace('`', ""))
}
