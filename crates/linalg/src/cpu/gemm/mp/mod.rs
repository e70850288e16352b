//! `C ← α·op(A)·op(B) + β·C` for numbers of any precision.

mod direct;
mod entries;

use self::entries::Factors;
use crate::dense::Transpose;
use crate::dense::gemm::{Products, Report};
use crate::mp::{Matrix, MpRef};

/// `op(A)`.
type Operand<'a> = (Transpose, &'a Matrix);

/// `C ← α·op(A)·op(B) + β·C`, for shapes and precisions that fit, with entries.
pub(crate) fn multiply(
    _products: Products,
    a: Operand<'_>,
    b: Operand<'_>,
    [alpha, beta]: [MpRef<'_>; 2],
    c: &mut Matrix,
) -> Report {
    let factors = Factors::new(alpha, beta);
    let (_, k) = a.0.shape(a.1.shape());
    if k == 0 || alpha.head().is_zero() {
        factors.scale(c);
    } else {
        direct::multiply(a, b, &factors, c);
    }
    Report::direct()
}
