//! Reading a book.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nonius::Number;
use nonius::option::book::{self, Row};

use crate::failure::Failure;
use crate::input::{display_name, is_standard};

/// The rows of a book.
pub(super) fn read_book<T: Number>(format: T::Format, path: &Path) -> Result<Vec<Row<T>>, Failure> {
    let name = display_name(path);
    let input: Box<dyn Read> = if is_standard(path) {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path);
        Box::new(
            file.map_err(|error| Failure::input(format!("{name}: cannot be opened: {error}")))?,
        )
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    book::read(format, input, folder).map_err(|error| Failure::input(format!("{name}: {error}")))
}
