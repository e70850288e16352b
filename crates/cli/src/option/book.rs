//! Reading a book.

use std::path::Path;

use nonius::Number;
use nonius::option::book::{self, Row};

use crate::failure::Failure;
use crate::input::{display_name, open};

/// The rows of a book.
pub(super) fn read_book<T: Number>(format: T::Format, path: &Path) -> Result<Vec<Row<T>>, Failure> {
    let (_, input) = open(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let rows = book::read(format, input, folder);
    rows.map_err(|error| Failure::input(format!("{}: {error}", display_name(path))))
}
