//! Volatility surfaces from files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use nonius_files::packed;
use nonius_files::room::read_whole;
use nonius_linalg::Number;

use super::error::Problem;
use super::number::number;
use super::rows::{Row, Rows};
use crate::surface::Surface;

/// The surfaces that a book names, each read once.
pub(super) struct Surfaces<'a, T: Number> {
    format: T::Format,
    folder: &'a Path,
    known: HashMap<PathBuf, Result<Surface<T>, Problem>>,
}

impl<'a, T: Number> Surfaces<'a, T> {
    /// Of files relative to a folder.
    pub(super) fn new(format: T::Format, folder: &'a Path) -> Self {
        Self { format, folder, known: HashMap::new() }
    }

    pub(super) fn of(&mut self, file: &str) -> Result<Surface<T>, Problem> {
        let (path, format) = (self.folder.join(file), self.format);
        self.known.entry(path).or_insert_with_key(|path| read(format, path)).clone()
    }
}

fn read<T: Number>(format: T::Format, path: &Path) -> Result<Surface<T>, Problem> {
    let unreadable =
        |error: io::Error| Problem::File { file: path.to_path_buf(), problem: error.kind() };
    let at = |row, problem| {
        let problem = Box::new(problem);
        Problem::Surface { file: path.to_path_buf(), row, problem }
    };
    let text = packed::open(path).and_then(read_whole).map_err(unreadable)?;
    let mut rows = Rows::new(&text);
    let (mut spots, mut times, mut values) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(Row { line: row, record, is_quoted_well }) = rows.next().map_err(unreadable)? {
        if !is_quoted_well {
            return Err(at(row, Problem::Quotes));
        }
        for cell in record.iter().skip(1) {
            append(format, &mut spots, cell, "a price, finite and above the one before")
                .map_err(|problem| at(row, problem))?;
        }
    }
    while let Some(Row { line: row, record, is_quoted_well }) = rows.next().map_err(unreadable)? {
        if !is_quoted_well {
            return Err(at(row, Problem::Quotes));
        }
        let (expected, found) = (spots.len() + 1, record.len());
        if found != expected {
            return Err(at(row, Problem::Cells { expected, found }));
        }
        append(format, &mut times, &record[0], "a time, finite and above the one before")
            .map_err(|problem| at(row, problem))?;
        for cell in record.iter().skip(1) {
            values.push(number_of(format, cell).map_err(|problem| at(row, problem))?);
        }
    }
    Surface::new(spots, times, values).ok_or_else(|| at(1, Problem::NoVolatility))
}

/// Appends a number that has to increase.
fn append<T: Number>(
    format: T::Format,
    numbers: &mut Vec<T>,
    cell: &[u8],
    needed: &'static str,
) -> Result<(), Problem> {
    let x: T = number_of(format, cell)?;
    if !x.is_finite() || numbers.last().is_some_and(|&before| x <= before) {
        let text = String::from_utf8_lossy(cell).into_owned();
        return Err(Problem::Form { text, needed });
    }
    numbers.push(x);
    Ok(())
}

fn number_of<T: Number>(format: T::Format, cell: &[u8]) -> Result<T, Problem> {
    if cell.is_empty() {
        Err(Problem::Empty)
    } else {
        number(format, &String::from_utf8_lossy(cell))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_read_once() {
        let folder = std::env::temp_dir();
        let file = format!("nonius-surface-{}.csv", std::process::id());
        let mut surfaces = Surfaces::<f64>::new((), &folder);
        fs::write(folder.join(&file), "time,100\n0,0.2\n").unwrap();
        let first = surfaces.of(&file);
        fs::remove_file(folder.join(&file)).unwrap();
        assert!(first.is_ok());
        assert_eq!(surfaces.of(&file), first);
    }
}
