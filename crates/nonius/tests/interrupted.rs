//! What a signal leaves of a file that is being written. Alone in its process, for it ends the
//! writing of all files.

use std::fs;

use nonius::files::{FileProblem, remove_unfinished, write};

#[test]
fn nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.mtx");
    fs::write(&path, "old").unwrap();
    let error = write(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        remove_unfinished();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        Ok(())
    })
    .unwrap_err();
    assert!(matches!(error.problem, FileProblem::Create(_)));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
}
