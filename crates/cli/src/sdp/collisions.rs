//! Files that arguments name twice.

use std::fs;
use std::path::{Path, PathBuf};

use super::Arguments;
use crate::failure::Failure;
use crate::input::{display_name, is_standard};

/// Refuses outputs that would replace an input or one another.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { problem, initial, param, output, x, primal, dual, plot, checkpoint, .. } =
        arguments;
    let inputs = [("PROBLEM", Some(problem)), ("--initial", initial.as_ref())];
    let inputs = inputs.into_iter().chain([("--param", param.as_ref())]);
    let outputs = [
        ("--output", output),
        ("--x", x),
        ("--primal", primal),
        ("--dual", dual),
        ("--plot", plot),
        ("--checkpoint", checkpoint),
    ];
    let named = |(name, path): (&'static str, Option<&PathBuf>)| Some((name, path?.clone()));
    let mut others: Vec<(&str, PathBuf)> =
        inputs.filter_map(named).filter(|(_, path)| !is_standard(path)).collect();
    for (name, path) in outputs {
        let Some(path) = path else { continue };
        if let Some((other, _)) = others.iter().find(|(_, other)| is_same(path, other)) {
            return Err(Failure::input(if is_standard(path) {
                format!("{other} and {name} both go to standard output: give one of them a file")
            } else {
                format!("{other} and {name} are the same file, {}", display_name(path))
            }));
        }
        others.push((name, path.clone()));
    }
    Ok(())
}

/// Whether two names are of one file, which need not be there yet. Devices and pipes take more than one text.
fn is_same(a: &Path, b: &Path) -> bool {
    if is_standard(a) || is_standard(b) {
        return is_standard(a) && is_standard(b);
    }
    let is_special = fs::metadata(a).is_ok_and(|found| !found.is_file());
    !is_special && whole(a) == whole(b)
}

/// The whole path, without links as far as it exists.
fn whole(path: &Path) -> PathBuf {
    if let Ok(whole) = fs::canonicalize(path) {
        return whole;
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
