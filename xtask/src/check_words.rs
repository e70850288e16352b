//! `check-words`: marks of unfinished work in sources, and files grown long.

use std::path::Path;

use crate::error::{Error, Violation};
use crate::walk;

/// A file of more lines asks to be looked at.
const MANY_LINES: usize = 500;

/// Kinds of files that are sources.
pub(crate) const SOURCES: [&str; 8] = ["rs", "cu", "cuh", "h", "cpp", "py", "sh", "toml"];

/// What must not stand in a source. Each is written in two parts, so that this file passes its own
/// check.
const MARKS: [&str; 6] = [
    concat!("to", "do!"),
    concat!("unimplemented", "!"),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("dbg", "!("),
    concat!("#[ig", "nore"),
];

/// What stands over tests that only a machine with a GPU can run: they count as not run elsewhere.
const NEEDS_A_GPU: &str = concat!("#[ig", "nore = \"needs a GPU\"]");

/// What [`check`] finds.
pub(crate) struct Found {
    pub(crate) broken: Vec<Violation>,
    pub(crate) long_files: Vec<String>,
}

/// Looks through every source under `root`.
pub(crate) fn check(root: &Path) -> Result<Found, Error> {
    let mut found = Found { broken: Vec::new(), long_files: Vec::new() };
    for path in walk::files(root, &|path| walk::has_extension(path, &SOURCES))? {
        let text = walk::read(&path)?;
        let place = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        for (number, mark) in marks(&text) {
            found.broken.push(Violation {
                place: format!("{place}:{number}"),
                message: format!("`{mark}`: finish it or leave it out"),
            });
        }
        let lines = text.lines().count();
        if lines > MANY_LINES {
            found.long_files.push(format!("{place} has {lines} lines; can it be two files?"));
        }
    }
    Ok(found)
}

/// Every mark with its line, counted from 1.
fn marks(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    text.lines().enumerate().flat_map(|(i, line)| {
        let line = line.replace(NEEDS_A_GPU, "");
        let found = MARKS.into_iter().filter(move |mark| line.contains(mark));
        found.map(move |mark| (i + 1, mark))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_is_found_on_its_line() {
        for mark in MARKS {
            let text = format!("fn f() {{}}\n// {mark}\n");
            assert_eq!(marks(&text).collect::<Vec<_>>(), [(2, mark)]);
        }
        assert_eq!(marks("let method = today; // ignored, fixed").count(), 0);
        assert_eq!(marks(NEEDS_A_GPU).count(), 0);
    }

    #[test]
    fn files_are_found_by_kind_and_long_ones_noted() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/target")).unwrap();
        let bad = MARKS[3];
        for name in ["a/x.cuh", "a/x.txt", "a/target/x.rs"] {
            std::fs::write(root.join(name), bad).unwrap();
        }
        std::fs::write(root.join("long.rs"), "\n".repeat(MANY_LINES + 1)).unwrap();
        let found = check(root).unwrap();
        assert_eq!(found.broken.len(), 1);
        assert_eq!(found.broken[0].place, "a/x.cuh:1");
        assert_eq!(found.long_files.len(), 1);
    }
}
