//! Distinct names for the files that one command writes into a folder.

use std::{collections::BTreeSet, path::Path};

/// The names already given.
#[derive(Default)]
pub struct FileNames(BTreeSet<String>);

impl FileNames {
    /// A unique name without folder and extension: `wanted`, with a number from 2 on
    /// if it is already used. Anything that leads out of the folder is dropped,
    /// because the name may come from a downloaded file.
    pub fn one_for(&mut self, wanted: &str) -> String {
        let last = Path::new(wanted).file_name().unwrap_or_default();
        let name = match last.to_string_lossy() {
            name if name.is_empty() => "level".to_owned(),
            name => name.replace(|c: char| c.is_control() || "\\:".contains(c), "_"),
        };
        // Some file systems ignore case.
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| self.0.insert(name.to_lowercase()));
        free.unwrap_or(name)
    }
}
