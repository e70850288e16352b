//! Products.

use super::scale::{Sums, check_finite, check_range, sums_in_range};
use crate::backend::{Resident, View};
use crate::dense::Transpose;
use crate::dense::gemm::gemm_on;
use crate::{Error, Number};

/// `op(A)·op(B)`.
///
/// # Errors
/// [`Error::Shape`], [`Error::Precision`], [`Error::NoArithmetic`] as
/// [`gemm_on`](crate::dense::gemm::gemm_on); [`Error::Overflow`] where the result leaves the range
/// of the numbers, [`Error::NotFinite`] where an entry that is infinite or NaN makes one of the
/// result that; [`Error::Device`].
pub fn multiply<T: Number, B: Resident<T>>(
    backend: &B,
    transpose_a: Transpose,
    a: B::Ref<'_>,
    transpose_b: Transpose,
    b: B::Ref<'_>,
) -> Result<B::Matrix, Error> {
    let ((m, _), (_, n)) = (transpose_a.shape(a.shape()), transpose_b.shape(b.shape()));
    let mut c = backend.zeros(a.format(), m, n);
    let to = backend.view_mut(&mut c);
    gemm_on(backend, transpose_a, transpose_b, T::ONE, a, b, T::ZERO, to)?;
    if let Sums::Infinite(_) = sums_in_range(backend, Transpose::Yes, backend.view(&c))? {
        check_finite(backend, "a", a)?;
        check_finite(backend, "b", b)?;
        check_range(backend, "the product", backend.view(&c))?;
    }
    Ok(c)
}
