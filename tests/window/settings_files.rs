//! Fuzz test: a settings file with any content is read, or set aside and replaced.

use bolero::check;
use fivefoot::ui::settings::{Settings, store};
use fivefoot_kit::files::{Files, changed};

#[test]
fn settings() {
    let folder = std::env::temp_dir().join(format!("fivefoot-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("settings.ron");
    store::save(&path, &Settings::default()).unwrap();
    let standard = std::fs::read_to_string(&path).unwrap();
    static FILES: Files = Files::new();
    FILES.get_or_init(|| vec![standard]);
    check!().with_iterations(300).for_each(|bytes: &[u8]| {
        std::fs::write(&path, changed(bytes, (&[], ""), &FILES)).unwrap();
        let (settings, told) = store::load(&path);
        // The new file is readable, and the broken one is beside it.
        store::save(&path, &settings).unwrap();
        assert_eq!(store::load(&path), (settings, None));
        let aside = path.with_extension("ron.broken");
        assert_eq!(told.is_some(), std::fs::remove_file(aside).is_ok());
    });
    std::fs::remove_dir_all(folder).unwrap();
}
