//! Files to begin with: real ones, and hostile ones written by hand.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Target;

impl Target {
    /// The contents of its corpus, in the order of the files' names.
    ///
    /// # Panics
    /// Where the corpus cannot be read.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = root.join("corpus").join(self.name);
        let entries = fs::read_dir(folder).expect("each reader has a corpus");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.extend(self.data.iter().map(|name| root.join("../../data").join(name)));
        paths.iter().map(|path| fs::read(path).expect("a file of the corpus")).collect()
    }
}
