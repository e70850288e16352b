//! What matrices beside vectors consist of.

use super::triangle::Triangle;
use crate::dense::gemm::Arithmetic;
use crate::sparse::Layout;
use crate::{Number, Numbers, Slice, SliceMut};

/// Numbers of matrices that are multiplied with vectors of `T`: of one limb or as many as the
/// vectors have; or of any bits, where these have any.
pub trait Multiplies<T: Number>: Number {
    /// The number among those of vectors, which has at least as many limbs or bits.
    fn widened(self, format: T::Format) -> T;

    /// `y ← A·x`; `lines` is memory for formats whose lines are not rows.
    ///
    /// Panics where the shapes do not fit.
    fn times_vector<A: Layout<Number = Self>>(
        arithmetic: Arithmetic,
        a: &A,
        x: Slice<'_, T>,
        y: SliceMut<'_, T>,
        lines: &mut Numbers<T>,
    );

    /// `z ← T⁻¹·r` for a triangle, where `r` is `z` unless it is given.
    fn solve_triangle(
        arithmetic: Arithmetic,
        triangle: &Triangle<'_, Self>,
        r: Option<&Numbers<T>>,
        z: &mut Numbers<T>,
    );
}
