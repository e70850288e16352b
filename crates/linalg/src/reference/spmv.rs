//! Products of sparse matrices with vectors: a row's terms from the first column to the last, by
//! the operators.

use nonius_num::Real;

use crate::Scalar;
use crate::sparse::Layout;

/// The product of a line of the matrix with `x`.
pub fn line<A, V, T>(a: &A, line: usize, x: &[T]) -> T
where
    A: Layout<Number = V>,
    V: Scalar,
    T: Scalar,
{
    let terms = a.terms(line);
    terms.fold(T::ZERO, |sum, (at, col)| sum + widened::<V, T>(a.values()[at]) * x[col])
}

/// `y ← A·x`. Panics where the shapes do not fit.
pub fn spmv<A, V, T>(a: &A, x: &[T], y: &mut [T])
where
    A: Layout<Number = V>,
    V: Scalar,
    T: Scalar,
{
    for (row, y) in y.iter_mut().enumerate() {
        *y = line(a, a.line_of_row().map_or(row, |lines| lines[row] as usize), x);
    }
}

/// The same number with at least as many limbs; the rest are zero.
pub(crate) fn widened<V: Scalar, T: Scalar>(value: V) -> T {
    if V::LIMBS == 1 {
        <T as Real>::from_f64(value.limb(0))
    } else {
        T::from_limbs(|limb| if limb < V::LIMBS { value.limb(limb) } else { 0.0 })
    }
}
