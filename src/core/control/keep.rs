//! Files that are kept: written whole or not at all, and over nothing that was
//! not meant.

use super::recording::Recording;
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Error, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
};

/// Writes beside the file first, then puts it in its place: a crash leaves
/// either the old file or the new one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (beside, mut file) = open_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let done = written.and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        let _ = fs::remove_file(&beside);
    }
    done
}

/// A new file in the same folder, which nobody else had there: no link is
/// followed, and nothing written over.
fn open_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    if path.file_name().is_none() {
        return Err(Error::new(ErrorKind::InvalidInput, "this names no file"));
    }
    for n in 0..1000 {
        let name: OsString = format!(".fivefoot-{}-{n}.part", process::id()).into();
        let beside = path.with_file_name(name);
        match File::create_new(&beside) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((beside, opened?)),
        }
    }
    Err(Error::from(ErrorKind::AlreadyExists))
}

/// Where a recording may be put that the user wants at `path`: the end of a link
/// for a link. Not over a folder, a device or a pipe, and only by `force` over a
/// file that is no recording.
pub fn place_for_recording(path: &Path, force: bool) -> Result<PathBuf, String> {
    let cannot = |e: Error| format!("cannot be written: {e}");
    let place = match fs::symlink_metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(path.to_owned()),
        Err(e) => return Err(cannot(e)),
        Ok(there) if there.is_symlink() => {
            fs::canonicalize(path).map_err(|_| "this link leads nowhere".to_string())?
        }
        Ok(_) => path.to_owned(),
    };
    let there = fs::metadata(&place).map_err(cannot)?;
    if there.is_dir() {
        return Err("this is a folder".into());
    }
    if !there.is_file() {
        return Err("this is no file: devices and pipes are not replaced".into());
    }
    if !force && !is_recording(&place) {
        let what = "this is there already, and no recording; --force writes over it";
        return Err(what.into());
    }
    Ok(place)
}

fn is_recording(path: &Path) -> bool {
    let text = crate::ron_read::file_text(path);
    text.is_ok_and(|text| ron::from_str::<Recording>(&text).is_ok())
}
