//! Fields at several times for ParaView: a file of VTK's unstructured grids (`.vtu`) for each, and a list of them (`.pvd`).
//!
//! Points are where nodes are at the beginning; ParaView's filter *Warp By Vector* moves them by `displacement`. Data of
//! points are `displacement`, `velocity` and `label`; of cells `stress` (`XX YY ZZ XY YZ XZ`), `von_mises`, `plastic_strain`,
//! `temperature`, `label` and `material` (its place in the model, from 0). Units are the model's.
//!
//! After each file the list is replaced as a whole, so that an interrupted run leaves a list of complete files.

mod collection;
mod error;
mod sink;
mod vtu;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::consistent::{check_mesh, check_snapshot};
use super::file;
use crate::Snapshot;
use crate::model::Model;
use collection::Entry;

pub use error::SeriesError;

/// How numbers are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Whether they are compressed by zlib.
    pub compressed: bool,
    /// Whether coordinates and fields are rounded to single precision, which halves the files.
    pub single: bool,
}

/// The files of a run.
#[derive(Debug)]
pub struct Series {
    list: PathBuf,
    stem: String,
    encoding: Encoding,
    entries: Vec<Entry>,
}

impl Series {
    /// Begins a series with an empty list, which replaces what has its name. Files of fields stand beside the list:
    /// `NAME-0000.vtu` and so on beside `NAME.pvd`.
    pub fn create(list: &Path, encoding: Encoding) -> Result<Self, SeriesError> {
        let series = Self::with(list, encoding, Vec::new())?;
        series.write_list()?;
        Ok(series)
    }

    /// Goes on with a series after a time; what the list names of later times is left out of it, and replaced in turn.
    pub fn resume(list: &Path, encoding: Encoding, after: f64) -> Result<Self, SeriesError> {
        let mut entries = collection::read(list)?;
        entries.retain(|entry| entry.time <= after);
        let series = Self::with(list, encoding, entries)?;
        series.write_list()?;
        Ok(series)
    }

    fn with(list: &Path, encoding: Encoding, entries: Vec<Entry>) -> Result<Self, SeriesError> {
        let stem = list.file_stem().and_then(|stem| stem.to_str());
        let Some(stem) = stem.map(str::to_owned) else {
            return Err(SeriesError::Name { path: list.to_path_buf() });
        };
        Ok(Self { list: list.to_path_buf(), stem, encoding, entries })
    }

    /// Writes a file of fields and enters it in the list. Returns its path.
    pub fn write(&mut self, model: &Model, snapshot: &Snapshot) -> Result<PathBuf, SeriesError> {
        check_mesh(&model.mesh)?;
        check_snapshot(&model.mesh, snapshot)?;
        let name = format!("{}-{:04}.vtu", self.stem, self.entries.len());
        let path = self.list.with_file_name(OsString::from(&name));
        file::write(&path, |out| vtu::write(out, &model.mesh, snapshot, self.encoding))?;
        self.entries.push(Entry { time: snapshot.time, file: name });
        let listed = self.write_list();
        if listed.is_err() {
            self.entries.pop();
        }
        listed.map(|()| path)
    }

    /// Times in the list.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        self.entries.iter().map(|entry| entry.time)
    }

    fn write_list(&self) -> Result<(), SeriesError> {
        Ok(file::write(&self.list, |out| collection::write(out, &self.entries))?)
    }
}
