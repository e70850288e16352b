//! Matrix Market text: the exchange format of the NIST Matrix Market and of the SuiteSparse
//! collection.
//!
//! A file opens with `%%MatrixMarket matrix FORMAT FIELD SYMMETRY`, then a line of sizes, then the
//! entries. Read and written are
//!
//! - *coordinate* files, a line `row column value` for each entry, counted from 1, and *array*
//!   files, a line for each value, column by column;
//! - the fields `real`, `integer` and (coordinate only) `pattern`, whose entries are all 1;
//! - `general`, `symmetric` and `skew-symmetric` matrices; of the latter two a file holds the lower
//!   triangle.
//!
//! Every decimal is rounded once, to nearest, into the element type or the number of bits that is
//! asked for: `0.1` read as quad-double is the quad-double nearest to 1/10. Values written in full
//! read back as the same number.
//!
//! What the format leaves open is settled like this:
//!
//! - An entry listed more than once in a coordinate file is the sum of its values, as in SciPy,
//!   MATLAB, Julia and Eigen.
//! - Of a symmetric or skew-symmetric matrix, an entry above the diagonal is refused: the standard
//!   has files list the lower triangle only. `complex` and `hermitian` matrices are refused.
//! - Blank lines and comments (first character `%`) may stand anywhere after the banner; lines may
//!   end in CR LF.
//! - An array file has one value on a line. A file with a matrix row on each line is refused, for
//!   it would be read transposed.
//! - Exponents may be marked `e`, `E`, or as Fortran does, `d`, `D`.
//! - NaN, infinities, and numbers beyond the range of the element type are refused; numbers below
//!   it become zero.
//!
//! Source: R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market Exchange Formats: Initial
//! Design", NISTIR 5935, 1996.

mod banner;
mod entry;
mod error;
mod header;
mod lines;
mod list;
mod pieces;
mod read;
mod write;

pub use banner::{Field, Format, Symmetry};
pub use entry::{Dense, Entry};
pub use error::{Problem, ReadError, WriteError};
pub use header::Header;
pub use list::List;
pub use read::{Stored, read, read_as};
pub use write::{Style, write_coordinate, write_dense};
