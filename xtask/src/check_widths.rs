//! `check-widths`: comments that are too wide to read.

use std::path::Path;

use crate::check_words::SOURCES;
use crate::error::{Error, Violation};
use crate::walk;

/// Columns of a comment at most.
const COMMENT: usize = 100;

/// Looks through every source under `root`.
pub(crate) fn check(root: &Path) -> Result<Vec<Violation>, Error> {
    let mut broken = Vec::new();
    for path in walk::files(root, &|path| walk::has_extension(path, &SOURCES))? {
        let marker = if walk::has_extension(&path, &["py", "sh", "toml"]) { "#" } else { "//" };
        for (number, line) in walk::read(&path)?.lines().enumerate() {
            let width = line.chars().count();
            if line.trim_start().starts_with(marker) && width > COMMENT {
                let place = path.strip_prefix(root).unwrap_or(&path).display();
                let message = format!("{width} columns; at most {COMMENT}");
                broken.push(Violation { place: format!("{place}:{}", number + 1), message });
            }
        }
    }
    Ok(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_comments_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let wide = "é".repeat(COMMENT);
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("a.rs", &format!("//{wide}\n  {wide}\n"));
        write("b.sh", &format!("\n#{wide}"));
        write("c.rs", &format!("//{}", "é".repeat(COMMENT - 2)));
        let places: Vec<String> = check(root).unwrap().into_iter().map(|v| v.place).collect();
        assert_eq!(places, ["a.rs:1", "b.sh:2"]);
    }
}
