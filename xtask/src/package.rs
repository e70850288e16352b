//! `package`: every published crate as the registry would get it.

use std::path::Path;

use crate::cargo;
use crate::error::Error;
use crate::house::ROOMS;

/// Packs all published crates without building them again: manifests, files and dependencies.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    let published = ROOMS.iter().filter(|room| room.published && root.join(room.folder).exists());
    let packages: Vec<&str> = published.flat_map(|room| ["-p", room.name]).collect();
    let flags = ["package", "--no-verify", "--allow-dirty", "--quiet"];
    cargo::run(root, &[&flags[..], &packages].concat())
}
