//! Unpacks zips in memory, never to disk.

use super::files::{Files, MAX_FILES, check_name, is_litter, too_large};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{CompressionMethod, ZipArchive};
use std::io::{copy, sink};

/// Unpacks all files of a zip.
pub fn unpack(packed: &[u8], files: &mut Files) -> Result<(), String> {
    let broken = |e: rawzip::Error| format!("this zip is broken: {e}");
    let archive = ZipArchive::from_slice(packed).map_err(broken)?;
    let mut entries = archive.entries();
    let mut met = 0;
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        met += 1;
        if met > 4 * MAX_FILES {
            return Err(format!("there are more than {MAX_FILES} files in it"));
        }
        let path = entry.file_path();
        let name = std::str::from_utf8(path.as_bytes());
        let name = name.map_err(|_| "a file's name is no UTF-8")?;
        check_name(name.trim_end_matches('/'))?;
        if entry.is_dir() || is_litter(name) {
            continue;
        }
        // Zips made on Unix store the file mode in the upper half; KIND is its file type.
        const KIND: u32 = 0o170_000;
        const LINK: u32 = 0o120_000;
        if entry.external_attributes() >> 16 & KIND == LINK {
            let why = format!("`{name}` is a link; a pack has its files in itself");
            return Err(why);
        }
        if entry.flags().is_encrypted() {
            return Err(format!("`{name}` is locked with a password"));
        }
        if entry.uncompressed_size_hint() > files.room() as u64 {
            return Err(too_large(name));
        }
        let found = archive.get_entry(entry.wayfinder()).map_err(broken)?;
        // The size that an entry declares may be wrong.
        let bytes = match entry.compression_method() {
            CompressionMethod::STORE if found.data().len() > files.room() => Err(too_large(name)),
            CompressionMethod::STORE => Ok(found.data().to_vec()),
            CompressionMethod::DEFLATE => decompress_to_vec_with_limit(found.data(), files.room())
                .map_err(|_| format!("`{name}` is broken or too large")),
            _ => Err(format!(
                "`{name}` is packed in a way that is not known here"
            )),
        }?;
        let mut checked = found.verifying_reader(&bytes[..]);
        copy(&mut checked, &mut sink()).map_err(|_| format!("`{name}` is broken"))?;
        files.add(name, bytes)?;
    }
    Ok(())
}
