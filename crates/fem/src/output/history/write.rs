//! Writing a history row by row.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use csv::{Terminator, WriterBuilder};
use nonius_files::file::{self, FileProblem};

use super::HistoryError;
use super::columns::{column_names, numbers};
use super::table::Rows;
use crate::HistoryRow;
use crate::model::Units;
use crate::output::Inconsistent;

/// A history that is being written.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    file: File,
    probes: usize,
}

impl History {
    /// Begins a history, which replaces what has its name. `probes` are the
    /// [names](super::probe_names) of columns beside [`COLUMNS`](super::COLUMNS).
    pub fn create(
        path: &Path,
        units: Option<&Units>,
        probes: &[String],
    ) -> Result<Self, HistoryError> {
        let names = column_names(units).chain(probes.iter().cloned());
        let line = line(names).map_err(|error| FileProblem::Write(error).of(path))?;
        file::write(path, |out| out.write_all(&line))?;
        Self::open(path, probes.len())
    }

    /// Goes on with a history after a step: rows of later steps, and a row that an interruption cut
    /// off, are removed.
    pub fn resume(
        path: &Path,
        units: Option<&Units>,
        probes: &[String],
        step: u64,
    ) -> Result<Self, HistoryError> {
        let mut rows = Rows::open(path)?;
        let names = rows.names()?;
        let expected: Vec<String> = column_names(units).chain(probes.iter().cloned()).collect();
        if names != expected {
            let same = names.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            return Err(HistoryError::Columns { path: path.to_path_buf(), column: same + 1 });
        }
        let mut end = rows.end();
        while let Some(row) = rows.next_row()? {
            // Steps are whole numbers far below 2^53.
            if row.get(1).is_none_or(|&found| found > step as f64) {
                break;
            }
            end = rows.end();
        }
        let history = Self::open(path, probes.len())?;
        history.file.set_len(end).map_err(|error| FileProblem::Write(error).of(path))?;
        Ok(history)
    }

    fn open(path: &Path, probes: usize) -> Result<Self, HistoryError> {
        let file = File::options().append(true).open(path);
        let file = file.map_err(|error| FileProblem::Create(error).of(path))?;
        Ok(Self { path: path.to_path_buf(), file, probes })
    }

    /// Waits until all rows are on the disk.
    pub fn sync(&self) -> Result<(), HistoryError> {
        self.file.sync_data().map_err(|error| FileProblem::Write(error).of(&self.path).into())
    }

    /// Appends a row, which is in the file when this returns.
    pub fn append(&mut self, row: &HistoryRow) -> Result<(), HistoryError> {
        if row.probes.len() != self.probes {
            let (expected, found) = (self.probes, row.probes.len());
            return Err(Inconsistent::Length { list: "values of probes", expected, found }.into());
        }
        let numbers = numbers(row).map(|x| format!("{x:?}"));
        let cells = [format!("{:?}", row.time), row.step.to_string()].into_iter().chain(numbers);
        // One call for the whole row.
        line(cells)
            .and_then(|line| self.file.write_all(&line))
            .map_err(|error| FileProblem::Write(error).of(&self.path).into())
    }
}

fn line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> std::io::Result<Vec<u8>> {
    let mut writer =
        WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(cells)?;
    writer.into_inner().map_err(|error| error.into_error())
}
