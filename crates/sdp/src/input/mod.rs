//! Files of SDPA.
//!
//! Both formats of problems begin with lines of remarks, which start with `"` or `*`, after blanks
//! or not. Then follow, each with what else its line has to be passed over, the number of
//! constraints, the number of blocks and their orders, which are negative for diagonal ones; then
//! `c`, after which its line may have a label, `= c`. Braces, parentheses and commas are blanks.
//!
//! - [`read_sparse`], `.dat-s`: five numbers for an entry, that of the matrix (0 for `F₀`), of the
//!   block, of row and column, counted from 1, and the value. One of an entry and its mirror image
//!   is given.
//! - [`read_dense`], `.dat`: of each matrix, `F₀` first, each block, row by row; of a diagonal one
//!   the diagonal.
//!
//! Values are decimals of up to 65536 bytes, and are kept as such. [`read_parameters`] reads
//! `param.sdpa`.
//!
//! Points of a problem are `x`, `X` and `Y`, rounded as they are read:
//!
//! - [`read_sparse_point`], `.ini-s`: after remarks `x`, then five numbers for an entry as above,
//!   with 1 for `X` and 2 for `Y`.
//! - [`read_dense_point`], `.ini`: after remarks `x`, then the blocks of `X` and those of `Y`, as
//!   above.
//! - [`read_result`], what SDPA writes: the same after `xVec =`, `xMat =` and `yMat =`.
//!
//! A fault has its line and says what was expected there:
//!
//! ```
//! use nonius_sdp::input::read_sparse;
//!
//! let error = read_sparse("1\n1\n2\n1\n1 1 1 3 5\n".as_bytes()).unwrap_err();
//! assert_eq!(error.line, 5);
//! assert!(error.to_string().starts_with("line 5: expected the number of a column from 1 to 2"));
//! ```

mod dense;
mod dense_point;
mod error;
mod header;
mod parameters;
mod place;
mod point;
mod result;
mod scanner;
mod sparse;
mod sparse_point;

pub use dense::read_dense;
pub use dense_point::read_dense_point;
pub use error::{Fault, MatrixName, ReadError};
pub use parameters::read_parameters;
pub use result::read_result;
pub use sparse::read_sparse;
pub use sparse_point::read_sparse_point;

use std::io::Read;

use nonius_files::room::read_whole;

use scanner::Scanner;

/// All bytes of an input, and what a reader makes of them.
fn read<T>(
    input: impl Read,
    parse: impl FnOnce(&mut Scanner<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    match read_whole(input) {
        Ok(bytes) => parse(&mut Scanner::new(&bytes)),
        Err(error) => Err(Fault::Io(error).at(0)),
    }
}
