//! Fields at several times for ParaView: a file of VTK's unstructured grids (`.vtu`) for each, and
//! a list of them (`.pvd`).
//!
//! Points are where nodes are at the beginning; ParaView's filter *Warp By Vector* moves them by
//! `displacement`. Data of points are `displacement`, `velocity` and `label`; of cells `stress`
//! (`XX YY ZZ XY YZ XZ`), `von_mises`, `plastic_strain`, `temperature`, `label` and `material` (its
//! place in the model, from 0). Units are the model's.
//!
//! After each file the list is replaced as a whole, so that an interrupted run leaves a list of
//! complete files.

mod collection;
mod encoding;
mod error;
mod sink;
mod vtu;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::consistent::{check_mesh, check_snapshot};
use crate::Snapshot;
use crate::model::Model;
use collection::Entry;
use nonius_files::file::{self, FileProblem};

pub use encoding::Encoding;
pub use error::SeriesError;

/// The files of a run.
#[derive(Debug)]
pub struct Series {
    list: PathBuf,
    stem: String,
    encoding: Encoding,
    entries: Vec<Entry>,
    /// Files that may not be on the disk yet.
    unsynced: Vec<PathBuf>,
}

impl Series {
    /// Begins a series with an empty list, which replaces what has its name. Files of fields stand
    /// beside the list: `NAME-0000.vtu` and so on beside `NAME.pvd`. Those of an earlier series are
    /// removed.
    pub fn create(list: &Path, encoding: Encoding) -> Result<Self, SeriesError> {
        let series = Self::with(list, encoding, Vec::new())?;
        series.write_list()?;
        series.remove_others()?;
        Ok(series)
    }

    /// Goes on with a series after a time; files of later times are left out of the list and
    /// removed.
    pub fn resume(list: &Path, encoding: Encoding, after: f64) -> Result<Self, SeriesError> {
        let mut entries = collection::read(list)?;
        entries.retain(|entry| entry.time <= after);
        let series = Self::with(list, encoding, entries)?;
        series.write_list()?;
        series.remove_others()?;
        Ok(series)
    }

    /// Removes files that have the names of this series but are not in the list.
    fn remove_others(&self) -> Result<(), SeriesError> {
        let folder = match self.list.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| SeriesError::from(FileProblem::Write(error).of(&path))
        };
        for entry in fs::read_dir(folder).map_err(failed(folder))? {
            let entry = entry.map_err(failed(folder))?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| self.is_own(name)) else { continue };
            if !self.entries.iter().any(|entry| entry.file == name) {
                fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// Whether a file has a name that [`write`](Self::write) gives.
    fn is_own(&self, name: &str) -> bool {
        let number = name.strip_prefix(&self.stem).and_then(|rest| rest.strip_prefix('-'));
        let number = number.and_then(|rest| rest.strip_suffix(".vtu"));
        number.is_some_and(|n| n.len() >= 4 && n.bytes().all(|digit| digit.is_ascii_digit()))
    }

    fn with(list: &Path, encoding: Encoding, entries: Vec<Entry>) -> Result<Self, SeriesError> {
        let stem = list.file_stem().and_then(|stem| stem.to_str());
        let Some(stem) = stem.map(str::to_owned) else {
            return Err(SeriesError::Name { path: list.to_path_buf() });
        };
        let (list, unsynced) = (list.to_path_buf(), Vec::new());
        Ok(Self { list, stem, encoding, entries, unsynced })
    }

    /// Writes a file of fields and enters it in the list. Returns its path. Both are complete, and
    /// on the disk after [`sync`](Self::sync).
    pub fn write(&mut self, model: &Model, snapshot: &Snapshot) -> Result<PathBuf, SeriesError> {
        check_mesh(&model.mesh)?;
        check_snapshot(&model.mesh, snapshot)?;
        let name = format!("{}-{:04}.vtu", self.stem, self.entries.len());
        let path = self.list.with_file_name(OsString::from(&name));
        file::write_without_sync(&path, |out| {
            vtu::write(out, &model.mesh, snapshot, self.encoding)
        })?;
        self.unsynced.push(path.clone());
        self.entries.push(Entry { time: snapshot.time, file: name });
        let listed = self.write_list();
        if listed.is_err() {
            self.entries.pop();
        }
        listed.map(|()| path)
    }

    /// Waits until the list and all files in it are on the disk.
    pub fn sync(&mut self) -> Result<(), SeriesError> {
        for path in &self.unsynced {
            file::sync(path)?;
        }
        if !self.unsynced.is_empty() {
            file::sync(&self.list)?;
            self.unsynced.clear();
        }
        Ok(())
    }

    /// Times in the list.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        self.entries.iter().map(|entry| entry.time)
    }

    fn write_list(&self) -> Result<(), SeriesError> {
        Ok(file::write_without_sync(&self.list, |out| collection::write(out, &self.entries))?)
    }
}
