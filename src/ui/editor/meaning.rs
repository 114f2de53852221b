//! Descriptions of level fields, taken from the pages in `docs/` for people who write
//! levels by hand.

/// The page on levels and the page on content.
const LEVELS: &str = include_str!("../../../docs/levels.md");
const CONTENT: &str = include_str!("../../../docs/content.md");

/// The description of a field that a combatant of a level can have.
pub fn of_combatant(field: &str) -> Option<String> {
    in_section(LEVELS, "## Combatants", field)
}

/// The description of a creature's field: in the section of the ruleset `group` if it
/// is there, otherwise among the fields of all creatures.
pub fn of_creature(group: Option<&str>, field: &str) -> Option<String> {
    let own = group.and_then(|group| {
        let heading = format!("### Creatures under {}", crate::battle::capitalised(group));
        in_section(CONTENT, &heading, field)
    });
    own.or_else(|| in_section(CONTENT, "## Creatures", field))
}

/// The description of a trait. A value is ignored: `ShockBonus(1)` finds
/// `ShockBonus`.
pub fn of_trait(name: &str) -> Option<String> {
    let bare = name.split('(').next()?;
    let rows = CONTENT.lines().skip_while(|line| *line != "### Traits");
    let mut rows = rows.filter_map(|row| row.strip_prefix("| `"));
    let is_it = |row: &&str| {
        row.strip_prefix(bare)
            .is_some_and(|r| r.starts_with(['`', '(']))
    };
    let row = rows.find(is_it)?;
    Some(row.split(" | ").nth(1)?.trim_end_matches(['|', ' ']).into())
}

/// The last column of a field's table row in the section with this heading.
fn in_section(page: &str, heading: &str, field: &str) -> Option<String> {
    let mut lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let level = heading.split(' ').next()?;
    let is_end = |line: &&str| {
        let marks = line.split(' ').next().unwrap_or_default();
        !marks.is_empty() && marks.chars().all(|c| c == '#') && marks.len() <= level.len()
    };
    let rows = lines.by_ref().take_while(|line| !is_end(line));
    for row in rows.filter(|row| row.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let names = cells.first()?;
        let is_it = names
            .split(", ")
            .any(|name| name.trim_matches('`') == field);
        if is_it {
            let words = cells.last()?.replace('`', "");
            return (cells.len() > 1).then_some(words);
        }
    }
    None
}
