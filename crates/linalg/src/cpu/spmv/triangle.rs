//! Systems with a triangle by rows, whose diagonal is given by its inverses.

use nonius_num::mp::Mp;

use crate::dense::gemm::Arithmetic;
use crate::reference::spmv::widened;
use crate::sparse::{Csr, Layout};
use crate::{Number, Numbers, Scalar};

/// A triangle without its diagonal, and the inverses of that.
pub struct Triangle<'a, V: Number> {
    /// The entries beside the diagonal.
    pub rest: &'a Csr<V>,
    /// Inverses of the diagonal.
    pub inverses: &'a Numbers<V>,
    /// Whether rows are taken from the last to the first.
    pub backward: bool,
}

impl<V: Number> Triangle<'_, V> {
    /// The rows in the order in which they are solved.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> + use<V> {
        let (n, backward) = (self.inverses.len(), self.backward);
        (0..n).map(move |i| if backward { n - 1 - i } else { i })
    }
}

/// `z ← T⁻¹·r`, where `r` is `z` unless it is given, by the operators.
pub(crate) fn limbs<T: Scalar, V: Scalar>(
    triangle: &Triangle<'_, V>,
    r: Option<&[T]>,
    z: &mut [T],
) {
    let (values, inverses) = (triangle.rest.values().plain(), triangle.inverses.plain());
    for row in triangle.rows() {
        let start = r.map_or(z[row], |r| r[row]);
        let rest = triangle
            .rest
            .row(row)
            .fold(start, |rest, (at, col)| rest - widened::<V, T>(values[at]) * z[col]);
        z[row] = rest * widened::<V, T>(inverses[row]);
    }
}

/// The same: the sum of products of a row is rounded once, or in the arithmetic `ieee` term by term.
pub(crate) fn mp(
    arithmetic: Arithmetic,
    triangle: &Triangle<'_, Mp>,
    r: Option<&Numbers<Mp>>,
    z: &mut Numbers<Mp>,
) {
    let values = triangle.rest.values().as_slice();
    let [mut sum, mut next, mut rest] = [(); 3].map(|()| Mp::zero(z.bits()));
    for row in triangle.rows() {
        let start = r.unwrap_or(z).entry(row);
        if arithmetic == Arithmetic::Ieee {
            rest.set_value(start);
            for (at, col) in triangle.rest.row(row) {
                sum.set_product(values.entry(at), z.entry(col));
                next.set_difference(rest.view(), sum.view());
                core::mem::swap(&mut rest, &mut next);
            }
        } else {
            sum.set_gathered(values.parts(), z.as_slice().parts(), triangle.rest.row(row));
            rest.set_difference(start, sum.view());
        }
        sum.set_product(rest.view(), triangle.inverses.entry(row));
        z.put(row, sum.view());
    }
}
