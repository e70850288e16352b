//! Compressed input, and files that are written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use nonius::files::matrix_market::{Style, WriteError, write_dense};
use nonius::files::{check_writable, read, read_from, write};
use nonius::num::Ring;
use nonius::{Matrix, Qd};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

const SMALL: &[u8] = b"%%MatrixMarket matrix array real general\n1 2\n0.5\n-3\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn message(bytes: &[u8]) -> String {
    read_from::<f64>((), Path::new("a.mtx"), bytes).unwrap_err().to_string()
}

#[test]
fn xz() {
    let stored = read::<Qd>((), &data("bcsstk14.mtx.xz")).unwrap();
    assert_eq!(stored.header().entries, 32_630);
    let coo = stored.into_coo().unwrap();
    assert_eq!(coo.shape(), (1806, 1806));
    // The collection counts 63 454 nonzeros.
    assert_eq!(coo.values().len(), 63_454);
    assert_eq!(coo.values()[0], "1931606.408315".parse::<Qd>().unwrap());

    let packed = fs::read(data("nos4.mtx.xz")).unwrap();
    assert_eq!(
        message(&packed[..packed.len() / 2]),
        "a.mtx: reading failed: failed to fill whole buffer"
    );
    let mut broken = packed.clone();
    broken[packed.len() / 2] ^= 0xff;
    assert!(message(&broken).starts_with("a.mtx: "));
}

#[test]
fn gzip_and_plain() {
    for bytes in [SMALL.to_vec(), gzip(SMALL), [gzip(&SMALL[..20]), gzip(&SMALL[20..])].concat()] {
        let a = read_from::<f64>((), Path::new("a"), &bytes[..]).unwrap().into_dense().unwrap();
        assert_eq!(a.as_slice(), [0.5, -3.0]);
    }
    let packed = gzip(SMALL);
    assert_eq!(
        message(&packed[..packed.len() - 9]),
        "a.mtx: reading failed: incomplete deflate stream"
    );
    assert_eq!(
        message(&gzip(b"1 2 3\n")),
        "a.mtx: line 1: expected the banner `%%MatrixMarket`, found `1`"
    );
    assert_eq!(message(b"%%"), "a.mtx: line 1: expected the banner `%%MatrixMarket`, found `%%`");
}

#[test]
fn a_file_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.mtx");
    let error = read::<f64>((), &path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}: cannot be opened: No such file or directory (os error 2)", path.display())
    );
    let error = read::<f64>((), folder.path()).unwrap_err();
    assert!(error.to_string().contains("Is a directory"), "{error}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.mtx");
    write(&path, |mut out| {
        assert!(!path.exists(), "the name is taken before the file is complete");
        write_dense(&mut out, &Matrix::<Qd>::identity(2), &Style::default())
    })
    .unwrap();
    let written = fs::read(&path).unwrap();
    assert_eq!(read::<Qd>((), &path).unwrap().into_dense().unwrap(), Matrix::identity(2));

    let error = write(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(WriteError::NotFinite { row: 0, col: 1 })
    })
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: the entry in row 1, column 2 is not finite, and files of matrices have finite numbers",
            path.display()
        )
    );
    assert_eq!(fs::read(&path).unwrap(), written);
    assert_eq!(names(folder.path()), ["out.mtx"]);
}

#[test]
fn what_cannot_be_created() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none/out.mtx");
    let error = check_writable(&nowhere).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}: cannot be created: No such file or directory (os error 2)", nowhere.display())
    );
    assert!(check_writable(folder.path()).is_err());
    assert!(check_writable(Path::new("/")).is_err());
    let free = folder.path().join("out.mtx");
    check_writable(&free).unwrap();
    assert!(names(folder.path()).is_empty());

    let protected = folder.path().join("protected.mtx");
    fs::write(&protected, "keep").unwrap();
    let mut permissions = fs::metadata(&protected).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&protected, permissions).unwrap();
    assert!(check_writable(&protected).is_err());
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file.mtx"), folder.path().join("link.mtx"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    let contents = |mut out: &mut dyn Write| {
        write_dense(&mut out, &Matrix::<f64>::identity(1), &Style::default())
    };
    write(&link, contents).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(read::<f64>((), &file).unwrap().into_dense().unwrap()[(0, 0)], f64::ONE);

    let fresh = folder.path().join("fresh.mtx");
    write(&fresh, contents).unwrap();
    let probe = folder.path().join("probe");
    fs::write(&probe, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&fresh), mode(&probe));

    write(Path::new("/dev/null"), contents).unwrap();
    if Path::new("/dev/full").exists() {
        let error = write(Path::new("/dev/full"), contents).unwrap_err().to_string();
        assert!(error.starts_with("/dev/full: writing failed: "), "{error}");
    }
}
