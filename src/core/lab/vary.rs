//! Parses variations that an author tries out: `goblin: hp +2`.

use super::{Other, Rival, Series};
use crate::{
    battle::Ruleset,
    levels::{Change, Level},
    ron_read::suggestion,
};
use std::{collections::BTreeSet, str::FromStr, sync::Arc};

/// Kinds, and the changes to their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// The text as written.
    text: String,
    /// `None`: each kind of the level on its own.
    kinds: Option<Vec<String>>,
    /// Fields, by their names in files, and the change of each.
    changes: Vec<(String, i32)>,
    /// Also try the reverse.
    both: bool,
}

/// The most by which a number can be changed.
const MAX: u64 = 1000;

const FORM: &str = "write `KIND: FIELD +N`, such as `goblin: hp +2`; `+-2` tries both, \
    `all` in the place of KIND each kind by itself";

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let off = || FORM.to_owned();
        let (kinds, changes) = text.split_once(':').ok_or_else(off)?;
        let words = |text: &str| -> Vec<String> {
            let words = text.split(',').map(|w| w.trim().to_owned());
            words.collect()
        };
        let kinds = words(kinds);
        let mut both = false;
        let changes = words(changes).into_iter().map(|change| {
            let (field, by) = change.rsplit_once(' ').ok_or_else(off)?;
            let halves = ["+-", "±", "-+"].iter().find_map(|m| by.strip_prefix(m));
            both |= halves.is_some();
            let by = halves.unwrap_or(by).replace('−', "-");
            if halves.is_none() && !by.starts_with(['+', '-']) {
                return Err(off());
            }
            let by: i64 = by.parse().map_err(|_| off())?;
            match by.unsigned_abs() {
                1..=MAX => Ok((field.trim().to_owned(), by as i32)),
                _ => Err(format!("a number changes by 1 to {MAX}, up or down")),
            }
        });
        let changes = changes.collect::<Result<Vec<_>, String>>()?;
        if kinds.iter().any(String::is_empty) || changes.is_empty() {
            return Err(off());
        }
        Ok(Self {
            text: text.trim().to_owned(),
            kinds: (kinds != ["all"]).then_some(kinds),
            changes,
            both,
        })
    }
}

impl std::fmt::Display for Vary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A variation and the level with it applied.
pub struct Varied {
    pub text: String,
    pub level: Arc<Level>,
}

impl Vary {
    /// The variations of a level under a ruleset. A field name refers to the
    /// ruleset's own fields first.
    ///
    /// # Errors
    /// A message if a kind is not in the level, has no such field, or a number leaves
    /// its range.
    pub fn on(&self, level: &Level, rules: &Ruleset) -> Result<Vec<Varied>, String> {
        let kinds = level.combatants.iter().map(|c| c.creature.id.as_str());
        let there: BTreeSet<&str> = kinds.collect();
        let groups: Vec<Vec<&str>> = match &self.kinds {
            None => there.iter().map(|kind| vec![*kind]).collect(),
            Some(kinds) => vec![kinds.iter().map(String::as_str).collect()],
        };
        let mut found = vec![];
        for kinds in groups {
            for sign in [1, -1].into_iter().take(1 + usize::from(self.both)) {
                let mut changes = vec![];
                for kind in &kinds {
                    if !there.contains(kind) {
                        let help = suggestion(kind, there.iter().copied());
                        let what = format!("{} has no kind `{kind}`; {help}", level.id);
                        return Err(what);
                    }
                    for (name, by) in &self.changes {
                        changes.push(change(level, rules, kind, meant(name, rules), by * sign)?);
                    }
                }
                let listed = self.changes.iter();
                let listed =
                    listed.map(|(name, by)| format!("{} {:+}", meant(name, rules), by * sign));
                let listed = listed.collect::<Vec<_>>().join(", ");
                let text = format!("{}: {listed}", kinds.join(", "));
                let varied = level.varied(&changes);
                let varied = varied.map_err(|problems| problems[0].to_string())?;
                found.push(Varied {
                    text,
                    level: Arc::new(varied).with_handicaps(&level.handicaps()),
                });
            }
        }
        Ok(found)
    }
}

/// In every ruleset, `hp` can stand for its own measure of hit points.
fn meant<'a>(name: &'a str, rules: &Ruleset) -> &'a str {
    match name {
        "hp" => rules.hit_points_field,
        _ => name,
    }
}

/// The number of a kind that a field name refers to: the ruleset's own fields before
/// those that all rulesets share.
fn change(
    level: &Level,
    rules: &Ruleset,
    kind: &str,
    name: &str,
    by: i32,
) -> Result<Change, String> {
    let own: Vec<&str> = rules.sections.creature.iter().map(|s| s.key()).collect();
    let of_kind = level.combatants.iter().filter(|c| c.creature.id == kind);
    let numbers: Vec<_> = of_kind.flat_map(|c| c.creature.numbers()).collect();
    let counts = |group: Option<&str>| match group {
        Some("attributes" | "skills") | None => true,
        Some(section) => own.contains(&section),
    };
    let (wanted, field) = match name.split_once('.') {
        Some((group, field)) => (Some(group), field),
        None => (None, name),
    };
    let fits = |n: &&(Option<&'static str>, &'static str, i32)| {
        n.1 == field && counts(n.0) && wanted.is_none_or(|group| n.0 == Some(group))
    };
    let mut found: Vec<_> = numbers.iter().filter(fits).collect();
    found.sort_by_key(|n| !n.0.is_some_and(|group| own.contains(&group)));
    if let Some((group, field, _)) = found.first() {
        return Ok(Change {
            kind: kind.to_owned(),
            group: *group,
            field,
            by,
        });
    }
    let own = numbers.iter().filter(|n| counts(n.0));
    let known: BTreeSet<&str> = own.map(|n| n.1).collect();
    let known: Vec<&str> = known.into_iter().collect();
    let hp = match rules.hit_points_field {
        "hp" => String::new(),
        own => format!("; `hp` means {own} here"),
    };
    Err(format!(
        "under {} a {kind} has no number `{name}`; it has {}{hp}",
        rules.id,
        known.join(", ")
    ))
}

impl Rival {
    /// A comparison series with a varied level.
    pub fn varied(varied: Varied, main: &Series) -> Self {
        Self {
            other: Other::Varied(varied.text),
            series: Series::new(&varied.level, main.rules, main.players.clone()),
        }
    }
}
