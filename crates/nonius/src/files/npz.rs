//! Matrices in archives of arrays of NumPy, `.npz`.

use std::io::{Read, Write};

use nonius_linalg::sparse::matrix_market::{Dense, Entry, Stored, WriteError};

use super::archive::{self, Archive};
use super::array::{self, ArrayProblem};
use super::sparse;

/// The array in a new archive where no name says another, as NumPy calls its first one.
const FIRST: &str = "arr_0";

/// Reads the matrix of an archive: the array of that name, the sole array, or the sparse matrix
/// that the arrays are together.
pub(super) fn read<T: Entry>(
    format: T::ReadAs,
    wanted: Option<&str>,
    input: impl Read,
) -> Result<Stored<T>, ArrayProblem> {
    let mut archive = Archive::read(input)?;
    if wanted.is_none() && sparse::is_sparse(&archive.names()) {
        return sparse::read(format, &mut archive);
    }
    let name = archive.chosen(wanted)?;
    archive.array(&name, |mut input| array::read(format, &mut input))
}

/// Writes an archive of one dense matrix.
pub(super) fn write_dense(
    out: &mut dyn Write,
    name: Option<&str>,
    a: &impl Dense,
) -> Result<(), WriteError> {
    let mut contents = |out: &mut dyn Write| array::write(out, a);
    archive::write(out, &mut [(name.unwrap_or(FIRST), &mut contents)])
}
