//! What matrices beside vectors consist of.

use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::layout::Layout;
use crate::cpu::spmv::{self, triangle};
use crate::dense::gemm::Arithmetic;
use crate::reference::spmv::widened;
use crate::{Number, Numbers, Scalar, Slice, SliceMut};

pub use crate::cpu::spmv::triangle::Triangle;

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

impl<T: Scalar, V: Scalar> Multiplies<T> for V {
    fn widened(self, (): ()) -> T {
        widened(self)
    }

    fn times_vector<A: Layout<Number = V>>(
        _: Arithmetic,
        a: &A,
        x: Slice<'_, T>,
        y: SliceMut<'_, T>,
        lines: &mut Numbers<T>,
    ) {
        spmv::limbs(a, x.cells(), y.plain(), lines.as_mut_vec());
    }

    fn solve_triangle(
        _: Arithmetic,
        triangle: &Triangle<'_, V>,
        r: Option<&Numbers<T>>,
        z: &mut Numbers<T>,
    ) {
        triangle::limbs(triangle, r.map(Numbers::plain), z.plain_mut());
    }
}

impl Multiplies<Mp> for Mp {
    fn widened(self, bits: Bits) -> Mp {
        self.view().to_mp(bits)
    }

    fn times_vector<A: Layout<Number = Mp>>(
        arithmetic: Arithmetic,
        a: &A,
        x: Slice<'_, Mp>,
        y: SliceMut<'_, Mp>,
        _: &mut Numbers<Mp>,
    ) {
        spmv::mp(arithmetic, a, x, y);
    }

    fn solve_triangle(
        arithmetic: Arithmetic,
        triangle: &Triangle<'_, Mp>,
        r: Option<&Numbers<Mp>>,
        z: &mut Numbers<Mp>,
    ) {
        triangle::mp(arithmetic, triangle, r, z);
    }
}
