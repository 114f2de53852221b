//! Packs: a level with its extra files (content, a codex, pictures) as one folder or
//! zip that can be shared. Packs contain only data; files that are too large, too
//! many or lead outside are rejected.

mod files;
mod zip;

pub use files::{Files, MAX_BYTES, MAX_FILES};

use super::{Level, id_of, read};
use crate::{
    content::{self, Content, codex::Codex},
    ron_read::{self, Outcome, Problem},
};
use std::{ffi::OsStr, path::Path, sync::Arc};

/// The pack's level file.
pub const LEVEL: &str = "level.ron";
/// The pack's codex file.
const CODEX: &str = "codex.ron";
/// The picture that the title screen shows.
const PICTURE: &str = "pictures/title.png";
/// The greatest width and height of a picture in pixels.
pub const MAX_PIXELS: u32 = 1024;

/// A level and the pictures that came with it.
#[derive(Clone, Debug)]
pub struct Pack {
    pub level: Arc<Level>,
    /// The picture for the title screen: a PNG file of at most [`MAX_PIXELS`] in
    /// each direction, according to its header.
    pub picture: Option<Arc<[u8]>>,
}

/// Whether a path may be a pack: a zip, or a folder that contains a level.
pub fn is_pack(path: &Path) -> bool {
    let extension = path.extension();
    let is_zip = extension.is_some_and(|e| e.eq_ignore_ascii_case("zip"));
    is_zip && path.is_file() || path.join(LEVEL).is_file()
}

/// Whether a file would make its folder a pack, if its name had no capital letters: the folder
/// has other files of a pack.
pub fn is_misnamed_level(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let others = ["content", "pictures", CODEX];
    name.is_some_and(is_nearly_level) && others.iter().any(|it| path.with_file_name(it).exists())
}

/// Whether a name is that of a pack's level but for capital letters.
fn is_nearly_level(name: &str) -> bool {
    name != LEVEL && name.eq_ignore_ascii_case(LEVEL)
}

/// Reads a pack and checks its content.
pub fn check(path: &Path) -> Outcome<Pack> {
    let name = path.display().to_string();
    match Files::read(path) {
        Ok(files) => of_files(&name, &files),
        Err(why) => Err(vec![Problem::of_file(&name, why, "")]),
    }
}

/// Builds a pack from its files; `name` is that of the folder or zip.
pub fn of_files(name: &str, files: &Files) -> Outcome<Pack> {
    let (mut wrong, mut odd) = (vec![], vec![]);
    let mut content = Content::built_in().as_ref().clone();
    let (mut kinds, mut picture) = (vec![], None);
    let (mut level, mut codex) = (None, None);
    for (file, bytes) in files.iter() {
        let place = format!("{name}/{file}");
        if file == PICTURE {
            match picture_fault(bytes) {
                None => picture = Some(bytes.clone()),
                Some(why) => wrong.push(Problem::of_file(&place, why, "")),
            }
            continue;
        }
        let is_text = file == LEVEL || file == CODEX || is_content(file);
        if !is_text {
            if !is_note(file) {
                let help = "a pack has level.ron, codex.ron, content/*.ron and pictures/title.png";
                odd.push(Problem::of_file(&place, "nothing reads this file", help));
            }
            continue;
        }
        let Ok(text) = crate::files::text(bytes.to_vec()) else {
            let help = "save the file as UTF-8";
            wrong.push(Problem::of_file(&place, "this is not UTF-8", help));
            continue;
        };
        match file {
            LEVEL => level = Some((place, text)),
            CODEX => match Codex::built_in().check_own(&place, &text) {
                Ok(_) => codex = Some(text),
                Err(problems) => wrong.extend(problems),
            },
            _ => match content::check_file(&place, &text, &content) {
                Ok((more, hints)) => {
                    (content, odd) = (more, [odd, hints].concat());
                    kinds.push(text);
                }
                Err(problems) => wrong.extend(problems),
            },
        }
    }
    let Some((place, text)) = level else {
        let mut names = files.iter().map(|(file, _)| file);
        let help = match names.find(|file| is_nearly_level(file)) {
            Some(near) => format!("rename `{near}`"),
            None => String::from("it is the level of the pack"),
        };
        let what = format!("there is no {LEVEL} in it");
        wrong.push(Problem::of_file(name, what, help));
        return Err(wrong);
    };
    // A broken content file would cause misleading follow-up errors.
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let (level, hints) = whole(name, &place, &text, &kinds, codex.as_deref())?;
    odd.extend(hints);
    let level = Arc::new(level);
    Ok((Pack { level, picture }, odd))
}

/// Reads the level with the other files inserted into its text, as recordings store
/// it. Problems are reported at their place in the original file.
fn whole(
    name: &str,
    place: &str,
    text: &str,
    kinds: &[String],
    codex: Option<&str>,
) -> Outcome<Level> {
    let body = |text: &str| ron_read::inside(text).map(|inside| format!("({inside}"));
    let kinds: Vec<String> = kinds.iter().filter_map(|text| body(text)).collect();
    let codex = codex.and_then(body);
    let own_id = |outcome: Outcome<Level>| -> Outcome<Level> {
        let (mut level, hints) = outcome?;
        level.id = id_of(name);
        Ok((level, hints))
    };
    let inside = ron_read::inside(text);
    let Some(inside) = inside.filter(|_| !kinds.is_empty() || codex.is_some()) else {
        return own_id(read::check_file(place, text));
    };
    let mut more = String::from("\npack: (\n");
    if !kinds.is_empty() {
        more += &format!("kinds: [\n{},\n],\n", kinds.join(",\n"));
    }
    if let Some(codex) = codex {
        more += &format!("codex: {codex},\n");
    }
    more += "),\n";
    let at = inside.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = text.split_at(at);
    let shift = Shift::of(before, &more);
    let merged = format!("{before}{more}{after}");
    match own_id(read::check_file(place, &merged)) {
        Ok((level, hints)) => Ok((level, shift.back(hints))),
        Err(problems) => Err(shift.back(problems)),
    }
}

/// Maps places back to the text before the insertion.
struct Shift {
    /// The last line before the insertion, from 1, and its number of characters.
    line: u32,
    col: u32,
    /// The number of inserted lines.
    lines: u32,
}

impl Shift {
    fn of(before: &str, more: &str) -> Self {
        let last = before.rsplit('\n').next().unwrap_or_default();
        Self {
            line: before.matches('\n').count() as u32 + 1,
            col: last.chars().count() as u32,
            lines: more.matches('\n').count() as u32,
        }
    }

    fn back(&self, mut problems: Vec<Problem>) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|p| p.line > self.line) {
            let line = problem.line.saturating_sub(self.lines);
            if line <= self.line {
                problem.col += self.col;
            }
            problem.line = line.max(self.line);
        }
        problems
    }
}

fn is_content(file: &str) -> bool {
    let file = file.strip_prefix("content/");
    file.is_some_and(|file| file.ends_with(".ron") && !file.contains('/'))
}

/// Whether a file is documentation for people.
fn is_note(file: &str) -> bool {
    let end = file.rsplit(['.', '/']).next().unwrap_or_default();
    let name = file.rsplit('/').next().unwrap_or_default();
    ["md", "txt"].contains(&end) || name.starts_with("LICENSE")
}

/// Why a file cannot be shown as a picture. Checks only its header: a small file can
/// claim to be a picture that fills the memory.
fn picture_fault(bytes: &[u8]) -> Option<String> {
    const SIGN: [u8; 16] = *b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(four))
    };
    let size = || Some((number(16)?, number(20)?));
    let size = bytes.starts_with(&SIGN).then(size).flatten();
    let Some((width, height)) = size else {
        return Some("this is not a PNG file".into());
    };
    let fits = |n: u32| (1..=MAX_PIXELS).contains(&n);
    (!fits(width) || !fits(height)).then(|| {
        format!(
            "a picture has at most {MAX_PIXELS} by {MAX_PIXELS} pixels, not {width} by {height}"
        )
    })
}
