//! Files that are written whole or not at all, whatever the writer does.

use std::fs::{self, File};
use std::io::{self, Write};

use nonius_files::write::{Unwritten, check_writable, write};

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_failure_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    for before in [None, Some("old")] {
        if let Some(text) = before {
            fs::write(&path, text).unwrap();
        }
        let failed = write(&path, |out| -> io::Result<()> {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk broke"))
        });
        assert!(matches!(failed, Err(Unwritten::Contents(_))));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), before);
    }
    write(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn many_writers_of_one_name_leave_one_of_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    std::thread::scope(|scope| {
        for i in 0..8_u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    write(path, |out| out.write_all(&vec![b'a' + i; 10_000])).unwrap();
                    let text = fs::read(path).unwrap();
                    assert!(text.len() == 10_000 && text.iter().all(|&b| b == text[0]));
                }
            });
        }
    });
    assert_eq!(names(folder.path()), ["out"]);
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let [file, link, dangling, none] =
        ["file", "link", "dangling", "none"].map(|name| folder.path().join(name));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    write(&link, |out| out.write_all(b"new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);

    // A link that leads nowhere yet leads to the new file.
    symlink("none", &dangling).unwrap();
    write(&dangling, |out| out.write_all(b"new")).unwrap();
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&none).unwrap(), "new");

    write(std::path::Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
    assert!(check_writable(folder.path()).is_err());
    assert!(check_writable(&folder.path().join("no/where")).is_err());
    assert!(check_writable(std::path::Path::new("/")).is_err());
}

/// What is written to a pipe comes out of it: nothing is put in its place.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let path = path.clone();
        move || io::read_to_string(File::open(path).unwrap()).unwrap()
    });
    write(&path, |out| out.write_all(b"through")).unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert_eq!(names(folder.path()), ["pipe"]);
}
