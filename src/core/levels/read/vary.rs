//! Variations of a level: a number of a kind changed by some amount, for authors who
//! try out changes.

use super::whole;
use crate::content::{Content, Creature, CreatureEntry, Layered};
use crate::levels::Level;
use crate::ron_read::{self, ByteRange, Problem, Reader};
use std::sync::Arc;

/// A change of one number of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The kind's id.
    pub kind: String,
    /// The group of fields that contains the number, if it is in one.
    pub group: Option<&'static str>,
    pub field: &'static str,
    pub by: i32,
}

impl Level {
    /// The level with changed numbers for all units of some kinds, applied after the
    /// kind's own values and the units' own changes.
    ///
    /// # Errors
    /// The problems of reading the changed level: a number may leave its range.
    pub fn varied(&self, changes: &[Change]) -> Result<Self, Vec<Problem>> {
        let file = format!("{}.ron", self.id);
        let read = ron_read::read(&file, &self.source, |r, root| {
            Some(whole(r, root, &self.id, changes)?.level)
        });
        read.map(|(varied, _)| Self {
            source: self.source.clone(),
            ..varied
        })
    }
}

impl Change {
    /// The creature's current value of the number.
    pub fn now(&self, creature: &Creature) -> Option<i32> {
        let all = creature.numbers();
        let mut all = all.iter();
        let found = all.find(|n| (n.0, n.1) == (self.group, self.field));
        found.map(|n| n.2)
    }

    /// The entry of a unit whose value is `n`.
    fn entry(
        &self,
        r: &mut Reader,
        at: ByteRange,
        n: i32,
        content: &Content,
    ) -> Option<CreatureEntry> {
        let field = format!("{}: {n}", self.field);
        let text = match self.group {
            Some(group) => format!("({group}: ({field}))"),
            None => format!("({field})"),
        };
        let read = ron_read::read("", &text, |r, root| {
            let mut f = r.fields(root, "a change of kind")?;
            let entry = CreatureEntry::read(r, &mut f, content);
            f.finish(r);
            Some(entry)
        });
        match read {
            Ok((entry, _)) => Some(entry),
            Err(problems) => {
                let problem = &problems[0];
                let (kind, field, by) = (&self.kind, self.field, self.by);
                let what = format!("`{kind}: {field} {by:+}`: {}", problem.what);
                r.problem(at, what, problem.help.clone());
                None
            }
        }
    }
}

/// Applies changes to a unit whose own deviations from its kind are `written`.
pub(super) fn vary(
    r: &mut Reader,
    at: ByteRange,
    content: &Content,
    mut creature: Arc<Creature>,
    mut written: CreatureEntry,
    changes: &[Change],
) -> Option<Arc<Creature>> {
    let kind = creature.id.clone();
    for change in changes.iter().filter(|c| c.kind == kind) {
        let Some(n) = change.now(&creature) else {
            let what = format!("`{}` has no number `{}`", change.kind, change.field);
            r.problem(at, what, "");
            return None;
        };
        let entry = change.entry(r, at, n.saturating_add(change.by), content)?;
        written = entry.over(&written);
        creature = content.changed(r, at, &change.kind, written.clone())?;
    }
    Some(creature)
}
