//! A level with a little more or less of something: what an author tries.

use super::{Purpose, level};
use crate::content::{Content, Creature, CreatureEntry};
use crate::levels::Level;
use crate::ron_read::{self, Place, Problem, Reader};
use std::sync::Arc;

/// One number of one kind, so much more or less than it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The kind's id.
    pub kind: String,
    /// The group of an entry's fields in which it stands, if it is in one.
    pub group: Option<&'static str>,
    pub field: &'static str,
    pub by: i32,
}

impl Level {
    /// The same level in which all of some kinds have more or less of something,
    /// beyond what they have by their kind and their own changes.
    ///
    /// # Errors
    /// What the file's reader says of it: a number may go too far.
    pub fn varied(&self, changes: &[Change]) -> Result<Self, Vec<Problem>> {
        let file = format!("{}.ron", self.id);
        let read = ron_read::read(&file, &self.source, |r, root| {
            let mut f = r.fields(root, "a level")?;
            let draft = level(r, &mut f, &self.id, Purpose::Play, changes);
            f.finish(r);
            Some(draft?.level)
        });
        read.map(|(varied, _)| Self {
            source: self.source.clone(),
            ..varied
        })
    }
}

impl Change {
    /// What this kind has of it.
    pub fn now(&self, creature: &Creature) -> Option<i32> {
        let all = creature.numbers();
        let mut found = all
            .iter()
            .filter(|n| (n.0, n.1) == (self.group, self.field));
        found.next().map(|n| n.2)
    }

    /// As the entry of somebody who has `n` of it.
    fn entry(&self, r: &mut Reader, at: Place, n: i32, content: &Content) -> Option<CreatureEntry> {
        let field = format!("{}: {n}", self.field);
        let text = match self.group {
            Some(group) => format!("({group}: ({field}))"),
            None => format!("({field})"),
        };
        let read = ron_read::read("", &text, |r, root| {
            let mut f = r.fields(root, "a change of kind")?;
            let entry = CreatureEntry::read_from(r, &mut f, content);
            f.finish(r);
            Some(entry)
        });
        match read {
            Ok((entry, _)) => Some(entry),
            Err(problems) => {
                let problem = &problems[0];
                let Self {
                    kind, field, by, ..
                } = self;
                let what = format!("`{kind}: {field} {by:+}`: {}", problem.what);
                r.problem(at, what, problem.help.clone());
                None
            }
        }
    }
}

/// Somebody of whom `written` is told beyond their kind, with these changes.
pub(super) fn vary(
    r: &mut Reader,
    at: Place,
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
        written = entry.above(&written);
        creature = content.changed(r, at, &change.kind, written.clone())?;
    }
    Some(creature)
}
