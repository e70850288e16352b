//! Reading a book.

use std::path::Path;

use nonius::Number;
use nonius::option::book::{self, BookError, Row};
use nonius::option::{Contract, Quote};

use crate::failure::Failure;
use crate::input::{display_name, open};

/// The contracts of a book.
pub(super) fn read_book<T: Number>(
    format: T::Format,
    path: &Path,
) -> Result<Vec<Row<Contract<T>>>, Failure> {
    let (_, input) = open(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    named(path, book::read(format, input, folder))
}

/// The quotes of a book.
pub(super) fn read_quotes<T: Number>(
    format: T::Format,
    path: &Path,
) -> Result<Vec<Row<Quote<T>>>, Failure> {
    let (_, input) = open(path)?;
    named(path, book::read_quotes(format, input))
}

fn named<R>(path: &Path, rows: Result<R, BookError>) -> Result<R, Failure> {
    rows.map_err(|error| Failure::input(format!("{}: {error}", display_name(path))))
}
