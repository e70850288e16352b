//! The files of a crate's archive: whether all that its sources take is among them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::error::{Error, Violation};
use crate::walk;

/// What every archive has.
const EVERYWHERE: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Macros that take a file into the program.
const OF_A_FILE: [&str; 3] = ["include", "include_bytes", "include_str"];
/// The macro that takes a folder, whose name begins with the crate's.
const OF_A_FOLDER: &str = "include_dir";
const CRATE: &str = "$CARGO_MANIFEST_DIR/";

/// Checks the archive of the crate in a folder, both relative to it.
pub(super) fn check(
    root: &Path,
    folder: &Path,
    archive: &BTreeSet<PathBuf>,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    let home = root.join(folder);
    let mut tell = |place: String, message| broken.push(Violation { place, message });
    for name in EVERYWHERE.into_iter().filter(|name| !archive.contains(Path::new(name))) {
        tell(folder.display().to_string(), format!("the archive has no {name}"));
    }
    let is_source = |path: &Path| walk::has_extension(path, &["rs"]);
    for path in walk::files(&home, &is_source)? {
        let relative = path.strip_prefix(&home).unwrap_or(&path);
        let place = folder.join(relative).display().to_string();
        if !archive.contains(relative) {
            tell(place, "the archive has no such file".into());
            continue;
        }
        let Ok(tokens) = walk::read(&path)?.parse::<TokenStream>() else { continue };
        for taken in taken(tokens) {
            let missing = missing(&home, relative, &taken, archive)?;
            if let Some(message) = missing {
                tell(format!("{place}:{}", taken.line), message);
            }
        }
    }
    Ok(())
}

/// A file or folder that a source takes in.
struct Taken {
    line: usize,
    by: String,
    /// None where the macro's argument is no text.
    name: Option<String>,
}

/// What of a file or folder the archive lacks.
fn missing(
    home: &Path,
    source: &Path,
    taken: &Taken,
    archive: &BTreeSet<PathBuf>,
) -> Result<Option<String>, Error> {
    let by = &taken.by;
    let Some(name) = &taken.name else {
        return Ok(Some(format!("`{by}!` takes one text here, which can be looked for")));
    };
    let found = match name.strip_prefix(CRATE) {
        Some(name) => within(Path::new(""), name),
        None => within(source.parent().unwrap_or(Path::new("")), name),
    };
    let Some(found) = found else {
        return Ok(Some(format!(
            "`{by}!(\"{name}\")` leaves the crate's folder, where the archive ends"
        )));
    };
    let wanted = if *by == OF_A_FOLDER {
        let inside = walk::files(&home.join(&found), &|_| true)?;
        inside.iter().map(|path| path.strip_prefix(home).unwrap_or(path).to_path_buf()).collect()
    } else {
        vec![found]
    };
    let lacking = wanted.iter().find(|path| !archive.contains(*path));
    Ok(lacking.map(|path| format!("the archive has no {}, which `{by}!` takes", path.display())))
}

/// The place of a name in a folder; None outside the crate.
fn within(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut place = folder.to_path_buf();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => place.push(part),
            Component::CurDir => {}
            Component::ParentDir if place.pop() => {}
            _ => return None,
        }
    }
    Some(place)
}

/// All that the macros of a source take in.
fn taken(tokens: TokenStream) -> Vec<Taken> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        match &tokens[i.saturating_sub(2)..i] {
            [TokenTree::Ident(name), TokenTree::Punct(mark)]
                if mark.as_char() == '!' && is_taking(&name.to_string()) =>
            {
                let line = name.span().start().line;
                found.push(Taken { line, by: name.to_string(), name: text(group) });
            }
            _ => found.extend(taken(group.stream())),
        }
    }
    found
}

fn is_taking(name: &str) -> bool {
    OF_A_FILE.contains(&name) || name == OF_A_FOLDER
}

/// The text that is a macro's only argument.
fn text(group: &Group) -> Option<String> {
    syn::parse2::<syn::LitStr>(group.stream()).ok().map(|text| text.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a crate with these files, of which the archive has those without `!`.
    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        let mut archive: BTreeSet<PathBuf> = EVERYWHERE.into_iter().map(PathBuf::from).collect();
        for (name, text) in files {
            let path = root.path().join("crates/num").join(name.trim_end_matches('!'));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            if !name.ends_with('!') {
                archive.insert(name.into());
            }
        }
        let mut broken = Vec::new();
        check(root.path(), Path::new("crates/num"), &archive, &mut broken).unwrap();
        broken.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_sources_take_is_in_the_archive() {
        let source = "fn f() { include_str!(\"../data/./a.csv\"); }\n\
                      static D: Dir = include_dir!(\"$CARGO_MANIFEST_DIR/kernels\");\n\
                      // include_str!(\"nothing\")\n";
        let sound = [("src/lib.rs", source), ("data/a.csv", ""), ("kernels/n/a.cu", "")];
        assert_eq!(told(&sound), [""; 0]);
        let without_data = [sound[0], ("data/a.csv!", ""), sound[2]];
        let message = "the archive has no data/a.csv, which `include_str!` takes";
        assert_eq!(told(&without_data), [format!("crates/num/src/lib.rs:1: {message}")]);
        let without_kernel = [sound[0], sound[1], sound[2], ("kernels/n/b.cu!", "")];
        let message = "the archive has no kernels/n/b.cu, which `include_dir!` takes";
        assert_eq!(told(&without_kernel), [format!("crates/num/src/lib.rs:2: {message}")]);
    }

    #[test]
    fn what_the_archive_cannot_have_is_told() {
        let outside = "#[doc = include_str!(\"../../../README.md\")]\nstruct A;\n";
        let told_of = told(&[("src/lib.rs", outside)]);
        assert!(told_of[0].starts_with("crates/num/src/lib.rs:1: `include_str!(\"../../../README"));
        let no_text = "const A: &[u8] = include_bytes!(concat!(\"a\", \"b\"));\n";
        let told_of = told(&[("src/a.rs", no_text)]);
        assert_eq!(told_of.len(), 1, "{told_of:?}");
        assert!(told_of[0].contains("src/a.rs:1: `include_bytes!` takes one text"), "{told_of:?}");
        let message = "crates/num/src/lost.rs: the archive has no such file";
        assert_eq!(told(&[("src/lost.rs!", "")]), [message]);
    }

    #[test]
    fn every_archive_has_a_readme_and_the_licences() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("crates/num")).unwrap();
        let mut broken = Vec::new();
        let archive = BTreeSet::from([PathBuf::from("LICENSE-MIT")]);
        check(root.path(), Path::new("crates/num"), &archive, &mut broken).unwrap();
        let told: Vec<String> = broken.iter().map(ToString::to_string).collect();
        let expected = ["README.md", "LICENSE-APACHE"];
        assert_eq!(told, expected.map(|name| format!("crates/num: the archive has no {name}")));
    }
}
