//! Files to begin with: real ones, and hostile ones written by hand.

use std::fs;
use std::path::{Path, PathBuf};

use nonius_fuzz::Target;

/// The contents of its corpus, in the order of the files' names.
pub(crate) fn files(target: &Target) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("corpus").join(target.name);
    let entries = fs::read_dir(folder).expect("each reader has a corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.extend(target.data.iter().map(|name| root.join("../../data").join(name)));
    paths.iter().map(|path| fs::read(path).expect("a file of the corpus")).collect()
}
