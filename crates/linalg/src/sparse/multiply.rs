//! Products of sparse matrices with vectors.

use super::layout::Layout;
use crate::cpu::spmv::Multiplies;
use crate::dense::gemm::Arithmetic;
use crate::{Error, Number, Numbers, Slice, SliceMut};

/// Multiplies a sparse matrix with a vector: `y ← A·x`.
///
/// **Limbs.** Values have one limb, or the limbs of the vectors. An entry of `y` is within
/// `c·u·Σ|a||x|` of the exact one, with `c` the [error](crate::accumulate::Sum::error) of a sum of
/// as many steps as its row has terms. The bits are the same in all formats but
/// [`Dia`](super::Dia), whose sums carry at other places. They are the same on every processor and
/// for any number of threads.
///
/// **Any bits.** Each entry is rounded once, to the bits of `y`, within `(1 + 2^-61)·u·Σ|a||x|` of
/// the exact one. The bits are the same in all formats and for any number of threads.
///
/// # Errors
/// [`Error::Shape`].
pub fn spmv<'x, 'y, A: Layout<Number: Multiplies<T>>, T: Number>(
    a: &A,
    x: impl Into<Slice<'x, T>>,
    y: impl Into<SliceMut<'y, T>>,
) -> Result<(), Error> {
    let (x, y) = (x.into(), y.into());
    let (rows, cols) = a.shape();
    Error::check_length("x", cols, x.len())?;
    Error::check_length("y", rows, y.len())?;
    let mut lines = Numbers::new(y.format());
    A::Number::times_vector(Arithmetic::Delayed, a, x, y, &mut lines);
    Ok(())
}
