//! Lines that are too long to read: comments in sources, and what visitors read first.

use std::path::Path;

use crate::check_words::SOURCES;
use crate::error::{Error, Violation};
use crate::walk;

/// Columns of a comment at most.
const COMMENT: usize = 100;
/// Columns of a line of README and of the guide at most, outside blocks.
const PAGE: usize = 110;
/// Lines of README at most: a screen and a half.
const README_LINES: usize = 120;

/// Looks through every source, README and the pages of the guide.
pub(crate) fn check(root: &Path) -> Result<Vec<Violation>, Error> {
    let mut broken = Vec::new();
    for path in walk::files(root, &|path| walk::has_extension(path, &SOURCES))? {
        let marker = if walk::has_extension(&path, &["py", "sh", "toml"]) { "#" } else { "//" };
        let wide = |line: &str| line.trim_start().starts_with(marker) && columns(line) > COMMENT;
        for (number, line) in walk::read(&path)?.lines().enumerate().filter(|(_, line)| wide(line))
        {
            broken.push(too_wide(root, &path, number, columns(line), COMMENT));
        }
    }
    let readme = root.join("README.md");
    let lines = walk::read(&readme)?.lines().count();
    if lines > README_LINES {
        let message = format!("{lines} lines; at most {README_LINES}: the guide has room");
        broken.push(Violation { place: "README.md".into(), message });
    }
    let pages = walk::files(&root.join("docs/guide"), &|path| walk::has_extension(path, &["md"]))?;
    for path in std::iter::once(readme).chain(pages) {
        for (number, width) in wide_lines(&walk::read(&path)?) {
            broken.push(too_wide(root, &path, number, width, PAGE));
        }
    }
    Ok(broken)
}

/// The lines of a page, from 0, that are wider than [`PAGE`]. Blocks show what programs print.
fn wide_lines(text: &str) -> Vec<(usize, usize)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside;
        } else if !inside && columns(line) > PAGE {
            found.push((number, columns(line)));
        }
    }
    found
}

fn columns(line: &str) -> usize {
    line.chars().count()
}

fn too_wide(root: &Path, path: &Path, number: usize, width: usize, most: usize) -> Violation {
    let place = path.strip_prefix(root).unwrap_or(path).display();
    let message = format!("{width} columns; at most {most}");
    Violation { place: format!("{place}:{}", number + 1), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_comments_and_pages_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("docs/guide/src")).unwrap();
        let comment = |marker: &str, width: usize| format!("{marker}{}", "é".repeat(width));
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("a.rs", &format!("{}\n  {}\n", comment("//", COMMENT), comment("", COMMENT)));
        write("b.sh", &comment("#", COMMENT));
        write("c.rs", &comment("//", COMMENT - 2));
        let long = "x".repeat(PAGE + 1);
        write("README.md", &format!("```\n{long}\n```\n{long}\n{}", "\n".repeat(README_LINES)));
        write("docs/guide/src/p.md", &"x".repeat(PAGE));
        let places: Vec<String> = check(root).unwrap().into_iter().map(|v| v.place).collect();
        assert_eq!(places, ["a.rs:1", "b.sh:1", "README.md", "README.md:4"]);
    }
}
