//! Prints statistics: as text, JSON, CSV or a page.

use super::{
    Failure, FileNames, Outcome, fail_unless::WinRange, out, say, say_json_line, write_failure,
};
use fivefoot_core::{
    files,
    lab::{csv, file, html, report::Report, text},
    levels::Level,
};
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    /// Text with only the comparison of the rulesets.
    SideBySide,
    Json,
    Csv,
}

impl Form {
    /// `text` unless an option says otherwise.
    pub fn of(json: bool, csv: bool, text: Self) -> Self {
        match (json, csv) {
            (true, _) => Self::Json,
            (_, true) => Self::Csv,
            _ => text,
        }
    }
}

/// Prints reports as they are finished, and a summary at the end.
pub struct ReportPrinter<'a> {
    form: Form,
    folder: Option<&'a Path>,
    /// The command line, shown on the page.
    call: String,
    printed: Vec<Report>,
    lines: file::Writer,
    ranges: &'a [WinRange],
}

impl<'a> ReportPrinter<'a> {
    /// Starts the output, and creates the folder.
    ///
    /// # Errors
    /// If the folder cannot be created or is not writable.
    pub fn new(
        form: Form,
        folder: Option<&'a PathBuf>,
        ranges: &'a [WinRange],
    ) -> Result<Self, Failure> {
        if let Some(folder) = folder {
            let failed = |e| match folder.is_file() {
                true => String::from("is a file; name a folder"),
                false => format!("cannot be created: {e}"),
            };
            let failed = |e| Failure::new(format!("{}: {}", folder.display(), failed(e)));
            fs::create_dir_all(folder).map_err(failed)?;
            files::clear_parts(folder);
            let page = folder.join("page.html");
            files::check_writable(&page).map_err(|e| write_failure(folder, e))?;
        }
        if form == Form::Csv {
            say(csv::HEAD);
        }
        // Paths are not always UTF-8.
        let words = std::env::args_os().skip(1);
        let words = words.map(|word| match word.to_string_lossy() {
            word if word.contains(' ') => format!("\"{word}\""),
            word => word.into_owned(),
        });
        Ok(Self {
            form,
            folder: folder.map(PathBuf::as_path),
            call: format!("fivefoot {}", words.collect::<Vec<_>>().join(" ")),
            printed: vec![],
            lines: file::Writer::default(),
            ranges,
        })
    }

    /// Checks that the level has the sides of all win ranges.
    ///
    /// # Errors
    /// If the level lacks such a side.
    pub fn check_sides(&self, level: &Level) -> Outcome {
        let mut ranges = self.ranges.iter();
        ranges.try_for_each(|range| range.check_side(level))
    }

    /// Prints a report. One without battles, of a run that was stopped before, only tells `sum`
    /// what is missing.
    pub fn print(&mut self, report: Report) {
        if report.battles() == 0 && self.form != Form::Json {
            return;
        }
        match self.form {
            Form::Text => {
                if !self.printed.is_empty() {
                    say("");
                }
                text::report(&report).iter().for_each(say);
            }
            Form::SideBySide => {}
            Form::Json => self.lines.battles(&report).iter().for_each(say_json_line),
            Form::Csv => csv::lines(&report).iter().for_each(say),
        }
        if report.battles() > 0 {
            self.printed.push(report);
        }
    }

    /// Prints the summary: a comparison of each level's rulesets, and its page.
    ///
    /// # Errors
    /// If a page cannot be written, or a win rate is outside its range.
    pub fn finish(self) -> Outcome {
        let printed = &self.printed;
        let levels = printed.chunk_by(|a, b| a.tally.fought.source == b.tally.fought.source);
        let mut names = FileNames::default();
        for (n, reports) in levels.enumerate() {
            let several = reports.len() > 1 && self.form == Form::Text;
            if several || self.form == Form::SideBySide {
                if several || n > 0 {
                    say("");
                }
                text::side_by_side(reports).iter().for_each(say);
            }
            if let Some(folder) = self.folder {
                let name = names.one_for(&reports[0].tally.fought.level);
                self.write(folder, &name, reports)?;
            }
        }
        if self.form == Form::SideBySide && !self.printed.is_empty() {
            say("");
            text::COLUMNS.iter().for_each(say);
        }
        let reports = self.printed.iter();
        let faults = reports.flat_map(|report| self.ranges.iter().map(|r| r.failure(report)));
        let faults: Vec<String> = faults.flatten().collect();
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Failure::lines(1, faults.join("\n"))),
        }
    }

    /// Writes the page, and beside it the data it was made from.
    fn write(&self, folder: &Path, name: &str, reports: &[Report]) -> Outcome {
        let mut writer = file::Writer::default();
        let lines = reports.iter().flat_map(|report| writer.battles(report));
        let lines: Vec<_> = lines.collect();
        let page = html::page(reports, &self.call);
        // The mark shows that a file is one of ours and can be overwritten.
        let json = (format!("{name}.json"), lines.join("\n") + "\n", file::MARK);
        let page = (format!("{name}.html"), page, html::MARK);
        let written = [json, page].map(|(name, text, mark)| (folder.join(name), text, mark));
        for (path, _, mark) in &written {
            let place = files::place(path).map_err(|e| write_failure(path, e))?;
            if place.exists() && !is_report(&place, mark) {
                let what = format!("{}: already exists and is not a report", path.display());
                return Err(Failure::new(what));
            }
        }
        for (path, text, _) in &written {
            files::write(path, text.as_bytes()).map_err(|e| write_failure(path, e))?;
            if matches!(self.form, Form::Text | Form::SideBySide) {
                say(format!("written: {}", path.display()));
            }
        }
        Ok(())
    }

    /// Whether nobody reads the output and nothing is to be written.
    pub fn is_over(&self) -> bool {
        out::is_closed() && self.folder.is_none()
    }
}

/// Whether a mark is near the beginning of a file.
fn is_report(path: &Path, mark: &str) -> bool {
    let mut head = vec![];
    let read = File::open(path).and_then(|file| file.take(1000).read_to_end(&mut head));
    let mut parts = head.windows(mark.len());
    read.is_ok() && parts.any(|part| part == mark.as_bytes())
}
