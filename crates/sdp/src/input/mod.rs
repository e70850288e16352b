//! Files of SDPA.
//!
//! Both formats begin with lines of remarks, which start with `"` or `*`. Then follow, each with what else its line has to be passed over, the number of constraints, the number of blocks and their orders, which are negative for diagonal ones; then `c`. Braces, parentheses and commas are blanks.
//!
//! - [`read_sparse`], `.dat-s`: five numbers for an entry, that of the matrix (0 for `F₀`), of the block, of row and column, counted from 1, and the value. One of an entry and its mirror image is given.
//! - [`read_dense`], `.dat`: of each matrix, `F₀` first, each block, row by row; of a diagonal one the diagonal.
//!
//! Values are decimals of any length, and are kept as such. [`read_parameters`] reads `param.sdpa`.

mod dense;
mod error;
mod header;
mod parameters;
mod scanner;
mod sparse;

pub use dense::read_dense;
pub use error::{Fault, ReadError};
pub use parameters::read_parameters;
pub use sparse::read_sparse;

use std::io::Read;

use scanner::Scanner;

/// All bytes of an input, and what a reader makes of them.
fn read<T>(
    mut input: impl Read,
    parse: impl FnOnce(&mut Scanner<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let mut bytes = Vec::new();
    match input.read_to_end(&mut bytes) {
        Ok(_) => parse(&mut Scanner::new(&bytes)),
        Err(error) => Err(Fault::Io(error).at(0)),
    }
}
