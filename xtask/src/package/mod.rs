//! `package`: every published crate as the registry would get it.
//!
//! The archives are packed and not compiled, without a network, which takes three seconds. What a
//! compiler would miss in an archive is found by reading sources: the files that they include.

mod contents;
mod listing;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cargo;
use crate::error::{Error, Violation};
use crate::workspace::{Member, Workspace};

/// Packs all published crates, and returns what is wrong with them.
pub(crate) fn check(root: &Path) -> Result<Vec<Violation>, Error> {
    let workspace = Workspace::read(root)?;
    let published: Vec<&Member> = workspace.members.iter().filter(|m| m.published).collect();
    let packages: Vec<&str> = published.iter().flat_map(|m| ["-p", &m.name]).collect();
    let flags =
        ["package", "--offline", "--no-verify", "--allow-dirty", "--no-metadata", "--quiet"];
    cargo::run(root, &[&flags[..], &packages].concat())?;
    let mut broken = Vec::new();
    for member in published {
        listing::check(member, &mut broken);
        let archive = files_of_archive(root, &member.name)?;
        contents::check(&workspace.root, &member.folder, &archive, &mut broken)?;
    }
    Ok(broken)
}

/// The files of a crate's archive, relative to the crate's folder.
fn files_of_archive(root: &Path, name: &str) -> Result<BTreeSet<PathBuf>, Error> {
    let list =
        cargo::output(root, &["package", "--list", "--offline", "--allow-dirty", "-p", name])?;
    Ok(String::from_utf8_lossy(&list).lines().map(PathBuf::from).collect())
}
