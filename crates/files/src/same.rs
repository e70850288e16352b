//! Names of one file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether two names are of one file, which need not be there yet.
///
/// Links, hard links, detours through folders and, where the file system does not tell them apart,
/// capital and small letters make further names of a file. Devices and pipes are never the same:
/// they take more than one text.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let is_special = |path: &Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_special(a) || is_special(b) {
        return false;
    }
    if let Ok(same) = same_file::is_same_file(a, b) {
        return same;
    }
    let ([a, name_a], [b, name_b]) = (place(a), place(b));
    let is_same_folder = a == b || same_file::is_same_file(&a, &b).unwrap_or(false);
    is_same_folder && (name_a == name_b || folded(&name_a) == folded(&name_b) && ignores_case(&a))
}

/// Links that are followed at most, as by Linux.
const MOST_LINKS: usize = 40;

/// The folder and the name of a file in it; of a link that leads nowhere, of what it names.
pub(crate) fn place(path: &Path) -> [PathBuf; 2] {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder(&path).join(target);
    }
    let folder = folder(&path);
    let folder = fs::canonicalize(&folder).unwrap_or(folder);
    [folder, path.file_name().unwrap_or(OsStr::new("")).into()]
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => ".".into(),
    }
}

fn folded(name: &Path) -> String {
    name.to_string_lossy().to_lowercase()
}

/// Whether the file system of a folder takes capital and small letters for the same.
fn ignores_case(folder: &Path) -> bool {
    let probe = tempfile::Builder::new().prefix(".nonius-case-").rand_bytes(12).tempfile_in(folder);
    let Ok(probe) = probe else { return false };
    let name = probe.path().file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    fs::symlink_metadata(folder.join(name)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn names_of_files_that_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        assert!(is_same_file(&at("a"), &at("./inner/../a")));
        assert!(!is_same_file(&at("a"), &at("b")));
        assert!(!is_same_file(&at("a"), &at("inner/a")));
        assert_eq!(is_same_file(&at("a"), &at("A")), ignores_case(folder.path()));
        assert!(is_same_file(&at("none/a"), &at("none/a")));
        assert!(is_same_file(Path::new("a"), &env::current_dir().unwrap().join("a")));
        // Nothing is left of the trial.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_hard_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "a").unwrap();
        fs::write(at("b"), "a").unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        for (from, to) in
            [("soft", "a"), ("further", "soft"), ("nowhere", "none"), ("loop", "loop")]
        {
            std::os::unix::fs::symlink(to, at(from)).unwrap();
        }
        for name in ["hard", "soft", "further"] {
            assert!(is_same_file(&at("a"), &at(name)), "{name}");
            assert!(!is_same_file(&at("b"), &at(name)), "{name}");
        }
        assert!(is_same_file(&at("none"), &at("nowhere")));
        assert!(!is_same_file(&at("a"), &at("nowhere")));
        assert!(!is_same_file(&at("a"), &at("loop")));
        assert!(!is_same_file(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    /// Every pair of many names, in a folder where some files are there and some are not: what is
    /// written to the one is read from the other just where they are the same.
    #[cfg(unix)]
    #[test]
    fn all_pairs_are_as_the_file_system_has_them() {
        use std::os::unix::fs::symlink;

        const NAMES: [&str; 16] = [
            "a",
            "./a",
            "inner/../a",
            "inner/a",
            "way/a",
            "way/../a",
            "soft",
            "further",
            "hard",
            "inner/hard",
            "none",
            "nowhere",
            "inner/none",
            "way/none",
            "way/nowhere",
            "back/none",
        ];
        for one in NAMES {
            for other in NAMES {
                let folder = tempfile::tempdir().unwrap();
                let at = |name: &str| folder.path().join(name);
                fs::create_dir(at("inner")).unwrap();
                fs::write(at("a"), "a").unwrap();
                fs::write(at("inner/a"), "inner").unwrap();
                fs::hard_link(at("a"), at("hard")).unwrap();
                fs::hard_link(at("a"), at("inner/hard")).unwrap();
                symlink("inner", at("way")).unwrap();
                symlink("a", at("soft")).unwrap();
                symlink("way/../soft", at("further")).unwrap();
                symlink("inner/none", at("nowhere")).unwrap();
                symlink("../none", at("inner/nowhere")).unwrap();
                symlink(".", at("back")).unwrap();
                let found = is_same_file(&at(one), &at(other));
                fs::write(at(one), "written").unwrap();
                let same = fs::read(at(other)).is_ok_and(|text| text == b"written");
                assert_eq!(found, same, "{one} {other}");
            }
        }
    }
}
