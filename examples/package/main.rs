//! Writes the files that `./package` ships with the program: manual pages, shell
//! completions, icons, and the licences of all crates.
//!
//! `cargo run --example package -- FOLDER`

mod licences;

use clap_complete::Shell;
use fivefoot::{cli, ui::art::emblem::emblem};
use std::{fs, io, path::Path};

/// Widths of the square icons, in pixels.
const ICONS: [u32; 5] = [32, 48, 64, 128, 256];

fn main() -> io::Result<()> {
    let to = std::env::args_os().nth(1);
    let to = to.ok_or_else(|| io::Error::other("give the folder to write to"))?;
    let to = Path::new(&to);
    manual(&to.join("share/man/man1"))?;
    completions(to)?;
    for px in ICONS {
        let folder = to.join(format!("share/icons/hicolor/{px}x{px}/apps"));
        fs::create_dir_all(&folder)?;
        let png = emblem(px).encode_png().map_err(io::Error::other)?;
        fs::write(folder.join("fivefoot.png"), png)?;
    }
    let docs = to.join("share/doc/fivefoot");
    fs::create_dir_all(&docs)?;
    let crates = licences::built_in();
    if let Some(odd) = crates.iter().find(|c| !c.is_accepted()) {
        return Err(io::Error::other(format!(
            "the licence is not on the accepted list: {odd:?}"
        )));
    }
    fs::write(docs.join("licences.txt"), licences::page(&crates))
}

/// Writes a manual page for the program and one for each of its commands.
fn manual(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(cli::command(), folder)
}

fn completions(to: &Path) -> io::Result<()> {
    let places = [
        (Shell::Bash, "share/bash-completion/completions"),
        (Shell::Zsh, "share/zsh/vendor-completions"),
        (Shell::Fish, "share/fish/vendor_completions.d"),
    ];
    for (shell, place) in places {
        let folder = to.join(place);
        fs::create_dir_all(&folder)?;
        let path = clap_complete::generate_to(shell, &mut cli::command(), "fivefoot", &folder)?;
        if shell == Shell::Bash {
            // Bash looks for the file under the program's name.
            fs::rename(path, folder.join("fivefoot"))?;
        }
    }
    Ok(())
}
