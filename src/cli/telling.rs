//! Prints statistics: as text, JSON, CSV or a page.

use super::{Failure, Outcome, out, say, say_json};
use fivefoot_core::{
    control::keep::write_whole,
    lab::{csv, file, html, report::Report, text},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    /// As text, only the comparison of the rulesets.
    SideBySide,
    Json,
    Csv,
}

/// Tells reports as they come, and what they come to together.
pub struct Telling<'a> {
    form: Form,
    folder: Option<&'a Path>,
    /// The call, for the page.
    call: String,
    told: Vec<Report>,
}

impl<'a> Telling<'a> {
    /// # Errors
    /// When there can be no such folder.
    pub fn new(form: Form, folder: Option<&'a PathBuf>) -> Result<Self, Failure> {
        if let Some(folder) = folder {
            let failed = |e| Failure::new(format!("{}: cannot be created: {e}", folder.display()));
            fs::create_dir_all(folder).map_err(failed)?;
        }
        if form == Form::Csv {
            say(csv::HEAD);
        }
        let words = std::env::args()
            .skip(1)
            .map(|word| match word.contains(' ') {
                true => format!("\"{word}\""),
                false => word,
            });
        Ok(Self {
            form,
            folder: folder.map(PathBuf::as_path),
            call: format!("fivefoot {}", words.collect::<Vec<_>>().join(" ")),
            told: vec![],
        })
    }

    pub fn tell(&mut self, report: Report) {
        match self.form {
            Form::Text => {
                if !self.told.is_empty() {
                    say("");
                }
                text::report(&report).iter().for_each(say);
            }
            Form::SideBySide => {}
            Form::Json => say_json(file::line(&report)),
            Form::Csv => csv::lines(&report).iter().for_each(say),
        }
        self.told.push(report);
    }

    /// Tells what there is to tell of all: each level's rulesets side by side, and
    /// its page.
    pub fn finish(self) -> Outcome {
        let levels = self
            .told
            .chunk_by(|a, b| a.tally.fought.source == b.tally.fought.source);
        for (n, reports) in levels.enumerate() {
            let several = reports.len() > 1 && self.form == Form::Text;
            if several || self.form == Form::SideBySide {
                if several || n > 0 {
                    say("");
                }
                text::side_by_side(reports).iter().for_each(say);
            }
            if let Some(folder) = self.folder {
                self.write(folder, reports)?;
            }
        }
        if self.form == Form::SideBySide && !self.told.is_empty() {
            say("");
            text::COLUMNS.iter().for_each(say);
        }
        Ok(())
    }

    /// The page, and beside it what it was made from.
    fn write(&self, folder: &Path, reports: &[Report]) -> Outcome {
        let id = &reports[0].tally.fought.level;
        let lines: Vec<_> = reports.iter().map(file::line).collect();
        let page = html::page(reports, &self.call);
        // What tells that a file is one of these.
        let json = (format!("{id}.json"), lines.join("\n") + "\n", file::MARK);
        let page = (format!("{id}.html"), page, html::MARK);
        let written = [json, page].map(|(name, text, mark)| (folder.join(name), text, mark));
        for (path, _, mark) in &written {
            if fs::read(path).is_ok_and(|there| !holds(&there, mark)) {
                let what = format!("{}: already exists and is not a report", path.display());
                return Err(Failure::new(what));
            }
        }
        for (path, text, _) in &written {
            let failed = |e| Failure::new(format!("{}: cannot be written: {e}", path.display()));
            write_whole(path, text.as_bytes()).map_err(failed)?;
            if matches!(self.form, Form::Text | Form::SideBySide) {
                say(format!("written: {}", path.display()));
            }
        }
        Ok(())
    }

    /// Whether nobody reads it and nothing is to be written.
    pub fn is_over(&self) -> bool {
        out::is_unread() && self.folder.is_none()
    }
}

/// Whether a text is at the beginning of a file, or nearly.
fn holds(bytes: &[u8], mark: &str) -> bool {
    let head = &bytes[..bytes.len().min(1000)];
    head.windows(mark.len()).any(|part| part == mark.as_bytes())
}
