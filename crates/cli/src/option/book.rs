//! Reading a book.

use std::path::Path;

use nonius::Number;
use nonius::option::book::{self, Row};
use nonius::option::{Contract, Quote};

use crate::failure::Failure;
use crate::input::parse;
use crate::progress::Progress;

/// The contracts of a book.
pub(super) fn read_book<T: Number>(
    format: T::Format,
    path: &Path,
    progress: Progress,
) -> Result<Vec<Row<Contract<T>>>, Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(path, progress, |input| book::read(format, input, folder))
}

/// The quotes of a book.
pub(super) fn read_quotes<T: Number>(
    format: T::Format,
    path: &Path,
    progress: Progress,
) -> Result<Vec<Row<Quote<T>>>, Failure> {
    parse(path, progress, |input| book::read_quotes(format, input))
}
