//! Reading a history.

use std::fs::File;
use std::io;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};
use nonius_files::file::FileProblem;

use super::columns::{column_names, name_and_unit, numbers};
use super::{HistoryError, probe_names};
use crate::HistoryRow;
use crate::model::Model;

/// A history that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of columns.
    pub names: Vec<String>,
    /// Columns, in the order of names and all of the same length.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a file of comma-separated numbers below names. A last row that an interruption cut off
    /// is left out.
    pub fn read(path: &Path) -> Result<Self, HistoryError> {
        let mut rows = Rows::open(path)?;
        let names = rows.names()?;
        let mut columns = vec![Vec::new(); names.len()];
        while let Some(row) = rows.next_row()? {
            for (column, x) in columns.iter_mut().zip(row) {
                column.push(x);
            }
        }
        Ok(Self { names, columns })
    }

    /// The table that a file of these rows has.
    pub fn of_rows(model: &Model, rows: &[HistoryRow]) -> Self {
        let names = column_names(model.units.as_ref()).chain(probe_names(model));
        let names: Vec<String> = names.collect();
        let mut columns = vec![Vec::with_capacity(rows.len()); names.len()];
        for row in rows {
            let numbers = [row.time, row.step as f64].into_iter().chain(numbers(row));
            for (column, x) in columns.iter_mut().zip(numbers) {
                column.push(x);
            }
        }
        Self { names, columns }
    }

    /// Names of columns without their units.
    pub fn bare_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| name_and_unit(name).0)
    }

    /// The column of a name, which may be without its unit.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let place = self.place(name)?;
        self.columns.get(place).map(Vec::as_slice)
    }

    /// The unit of a column, where the file says it.
    pub fn unit(&self, name: &str) -> Option<&str> {
        name_and_unit(&self.names[self.place(name)?]).1
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name || name_and_unit(known).0 == name)
    }
}

/// The rows of a file, one after the other.
pub(super) struct Rows<'a> {
    path: &'a Path,
    reader: csv::Reader<File>,
    record: ByteRecord,
    columns: usize,
    /// Whether the last line of the file has an end.
    ended: bool,
    length: u64,
    /// Where what was read ends.
    end: u64,
}

impl<'a> Rows<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, HistoryError> {
        let failed = |error| FileProblem::Read(error).of(path);
        let mut file = File::open(path).map_err(failed)?;
        let (length, ended) = ending(&mut file).map_err(failed)?;
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file);
        Ok(Self { path, reader, record: ByteRecord::new(), columns: 0, ended, length, end: 0 })
    }

    /// The first line.
    pub(super) fn names(&mut self) -> Result<Vec<String>, HistoryError> {
        if !self.advance()? {
            return Err(self.wrong());
        }
        self.columns = self.record.len();
        let names: Option<Vec<String>> = self
            .record
            .iter()
            .map(|name| std::str::from_utf8(name).ok().map(str::to_owned))
            .collect();
        names.ok_or_else(|| self.wrong())
    }

    /// The next row; none where the file ends, or where its last line does not.
    pub(super) fn next_row(&mut self) -> Result<Option<Vec<f64>>, HistoryError> {
        let before = self.end;
        if !self.advance()? {
            return Ok(None);
        }
        if self.end == self.length && !self.ended {
            self.end = before;
            return Ok(None);
        }
        let number = |cell: &[u8]| std::str::from_utf8(cell).ok()?.parse().ok();
        let row: Option<Vec<f64>> = self.record.iter().map(number).collect();
        match row.filter(|row| row.len() == self.columns) {
            Some(row) => Ok(Some(row)),
            None => Err(self.wrong()),
        }
    }

    /// Where the last row that was read ends, in bytes.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    fn advance(&mut self) -> Result<bool, HistoryError> {
        let found = self.reader.read_byte_record(&mut self.record);
        let found = found.map_err(|error| FileProblem::Read(error.into()).of(self.path))?;
        self.end = self.reader.position().byte();
        Ok(found)
    }

    fn wrong(&self) -> HistoryError {
        let line = self.record.position().map_or(1, csv::Position::line);
        HistoryError::Row { path: self.path.to_path_buf(), line }
    }
}

/// The length of a file, and whether its last line has an end. Leaves the file at its beginning.
fn ending(file: &mut File) -> io::Result<(u64, bool)> {
    use std::io::{Read, Seek, SeekFrom};
    let length = file.seek(SeekFrom::End(0))?;
    let mut last = [0];
    if length > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    file.rewind()?;
    Ok((length, last == *b"\n"))
}
