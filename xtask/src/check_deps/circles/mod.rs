//! Circles: files of a crate that import one another.
//!
//! A file imports another where its code names something that the other defines, by a path or by
//! `use`. A name that a module hands on (`pub use`) leads to the file that defines it. The `mod`
//! lines of parents, what they hand on, and tests do not count.

mod modules;
mod resolve;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use self::modules::{Module, Name};
use crate::error::{Error, Violation};
use crate::workspace::Member;

/// Files, what each imports, and the names by which it does.
type Imports = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

/// Checks the sources of one crate.
pub(super) fn check(
    root: &Path,
    member: &Member,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    for file in ["src/lib.rs", "src/main.rs"] {
        let file = root.join(&member.folder).join(file);
        if file.exists() {
            let mut modules = BTreeMap::new();
            modules::read(root, &file, &mut modules, broken)?;
            let imports = imports(&modules);
            broken.extend(circles(&imports).iter().map(|circle| violation(&imports, circle)));
        }
    }
    Ok(())
}

fn imports(modules: &BTreeMap<Name, Module>) -> Imports {
    let mut imports = Imports::new();
    for (name, module) in modules {
        let from = imports.entry(module.file.clone()).or_default();
        for path in &module.named {
            let Some(home) = resolve::resolve(modules, name, path) else { continue };
            if home.file != module.file {
                let names = from.entry(home.file.clone()).or_default();
                names.insert(path.last().cloned().unwrap_or_default());
            }
        }
    }
    imports
}

/// Sets of two files or more, each of which leads to all others of its set.
fn circles(imports: &Imports) -> Vec<Vec<&Path>> {
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        imports.keys().map(|file| (file.as_path(), reached(imports, file))).collect();
    let mut circles: Vec<Vec<&Path>> = Vec::new();
    for (&file, files) in &reached {
        let known = circles.iter().any(|circle| circle.contains(&file));
        if !known && files.contains(file) {
            let back = |other: &&Path| reached.get(other).is_some_and(|all| all.contains(file));
            circles.push(files.iter().copied().filter(back).collect());
        }
    }
    circles
}

/// All that a file leads to, itself where it is in a circle.
fn reached<'a>(imports: &'a Imports, file: &Path) -> BTreeSet<&'a Path> {
    let mut found = BTreeSet::new();
    let mut left = vec![file];
    while let Some(file) = left.pop() {
        for next in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next.as_path()) {
                left.push(next);
            }
        }
    }
    found
}

fn violation(imports: &Imports, circle: &[&Path]) -> Violation {
    let mut arrows = Vec::new();
    for &file in circle {
        for (other, names) in &imports[file] {
            if circle.contains(&other.as_path()) {
                let names = names.iter().cloned().collect::<Vec<_>>().join(", ");
                arrows.push(format!(
                    "\n    {} takes {names} of {}",
                    file.display(),
                    other.display()
                ));
            }
        }
    }
    let message =
        format!("{} files import one another in a circle:{}", circle.len(), arrows.concat());
    Violation { place: circle[0].display().to_string(), message }
}
