//! Products of sparse matrices with vectors.

use super::layout::Layout;
use crate::dense::gemm::Arithmetic;
use crate::mp::{Numbers, Slice, SliceMut};
use crate::{Error, Scalar, cpu};

/// `y ← A·x` for values and vectors of limbs. Values of one limb times vectors of several are products of these; values have otherwise the limbs of the vectors.
///
/// An entry of `y` is within `c·u·Σ|a||x|` of the exact one, with `c` the [error](crate::accumulate::Sum::error) of a sum of as many steps as its row has terms.
/// The bits are the same in all formats but [`Dia`](super::Dia), whose sums carry at other places, on every processor and for any number of threads.
///
/// # Errors
/// [`Error::Shape`].
pub fn spmv<A, V, T>(a: &A, x: &[T], y: &mut [T]) -> Result<(), Error>
where
    A: Layout<Values = Vec<V>>,
    V: Scalar,
    T: Scalar,
{
    let (rows, cols) = a.shape();
    Error::check_length("x", cols, x.len())?;
    Error::check_length("y", rows, y.len())?;
    let mut lines = Vec::new();
    cpu::spmv::limbs(a, x, y, &mut lines);
    Ok(())
}

/// `y ← A·x` for numbers of any bits: those of `y`, to which each entry is rounded once, within `(1 + 2^-61)·u·Σ|a||x|` of the exact one. The
/// bits are the same in all formats and for any number of threads.
///
/// # Errors
/// [`Error::Shape`].
pub fn mp_spmv<A: Layout<Values = Numbers>>(
    a: &A,
    x: Slice<'_>,
    y: SliceMut<'_>,
) -> Result<(), Error> {
    let (rows, cols) = a.shape();
    Error::check_length("x", cols, x.len())?;
    Error::check_length("y", rows, y.len())?;
    cpu::spmv::mp(Arithmetic::Delayed, a, x, y);
    Ok(())
}
