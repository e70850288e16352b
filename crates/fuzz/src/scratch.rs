//! Files for readers that take names.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Calls with a folder that belongs to this thread.
pub(crate) fn in_folder<T>(call: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| tempfile::tempdir().expect("a folder for tests"));
        call(folder.path())
    })
}

/// Calls with a folder that has a file of these bytes.
pub(crate) fn with_file<T>(name: &str, bytes: &[u8], call: impl FnOnce(&Path) -> T) -> T {
    in_folder(|folder| {
        fs::write(folder.join(name), bytes).expect("a file for tests");
        call(folder)
    })
}
