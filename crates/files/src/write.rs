//! Files that appear complete or not at all.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::same;

/// Why a file is not written.
#[derive(Debug)]
pub enum Unwritten<E = io::Error> {
    /// It cannot be created or put in place.
    Create(io::Error),
    /// Its contents cannot be written.
    Contents(E),
}

/// Writes a file by `contents`, which appears under its name only when it is complete and on the
/// disk.
///
/// Where `path` is a link, the file that it leads to is replaced. Permissions of a file that is
/// replaced are kept. A device or pipe, where nothing can be put in place, is written directly.
///
/// # Errors
/// What hinders it; whatever had the name is as it was.
pub fn write<E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), Unwritten<E>> {
    write_and(path, contents, File::sync_all)
}

/// Writes a file as [`write`](fn@write) does, but does not wait until it is on the disk: a loss of
/// power may leave its name without contents. [`sync`] waits, later and for several files.
///
/// # Errors
/// What hinders it; whatever had the name is as it was.
pub fn write_without_sync<E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), Unwritten<E>> {
    write_and(path, contents, |_| Ok(()))
}

/// Waits until a file is on the disk.
///
/// # Errors
/// What hinders it.
pub fn sync(path: &Path) -> io::Result<()> {
    // To synchronise is to write, on some systems.
    File::options().append(true).open(path)?.sync_all()
}

fn write_and<E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> Result<(), E>,
    wait: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), Unwritten<E>> {
    if is_written_in_place(path) {
        let mut file = File::options().write(true).open(path).map_err(Unwritten::Create)?;
        return contents(&mut file).map_err(Unwritten::Contents);
    }
    let target = target(path).map_err(Unwritten::Create)?;
    let (mut file, _registered) = begin(&target).map_err(Unwritten::Create)?;
    contents(file.as_file_mut()).map_err(Unwritten::Contents)?;
    wait(file.as_file()).map_err(|error| Unwritten::Contents(error.into()))?;
    file.persist(&target).map(drop).map_err(|error| Unwritten::Create(error.error))
}

/// Fails where [`write`](fn@write) would fail to create its file: worth knowing before a long
/// computation.
///
/// # Errors
/// What hinders it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    // To open a pipe is to wait for its reader.
    if is_written_in_place(path) {
        return Ok(());
    }
    temporary(&target(path)?).map(drop)
}

/// Removes what calls of [`write`](fn@write) that are still running have written so far, and lets
/// no further one begin.
///
/// It is for a program that is about to be ended by a signal.
pub fn remove_unfinished() {
    let mut registry = registry();
    registry.is_closed = true;
    for path in registry.paths.drain(..) {
        // A second error has nobody left to hear it.
        let _ = std::fs::remove_file(path);
    }
}

/// Files that are being written, under their temporary names.
struct Registry {
    paths: Vec<PathBuf>,
    is_closed: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { paths: Vec::new(), is_closed: false });

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a path in the registry while it lives.
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        registry().paths.retain(|path| *path != self.0);
    }
}

/// A temporary file, which no signal finds outside the registry.
fn begin(target: &Path) -> io::Result<(NamedTempFile, Registered)> {
    let mut registry = registry();
    if registry.is_closed {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let file = temporary(target)?;
    let path = file.path().to_path_buf();
    registry.paths.push(path.clone());
    Ok((file, Registered(path)))
}

/// Whether `path` is there and is neither a file nor a directory.
fn is_written_in_place(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The file that is to be replaced: where `path` is a link, what it leads to.
fn target(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let [folder, name] = same::place(path);
            Ok(folder.join(name))
        }
        found => found,
    }
}

/// A file in the folder of `target`, removed again unless it is put in place.
fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    let existing = match target.metadata() {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Renaming would replace it all the same.
        Ok(found) if found.permissions().readonly() => {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(found) => Some(found.permissions()),
        Err(_) => None,
    };
    let folder = match (target.file_name(), target.parent()) {
        (None, _) | (_, None) => return Err(io::ErrorKind::IsADirectory.into()),
        (_, Some(parent)) if parent.as_os_str().is_empty() => Path::new("."),
        (_, Some(parent)) => parent,
    };
    let mut builder = tempfile::Builder::new();
    // With the permissions of any new file, not those of a secret.
    let file =
        builder.prefix(".nonius-").suffix(".tmp").make_in(folder, |path| File::create_new(path))?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}
