//! Numbers of any bits.

use nonius_num::mp::{Bits, Mp, gathered_dot, stepwise};

use super::BAND;
use super::multiplies::Multiplies;
use super::triangle::Triangle;
use crate::dense::gemm::Arithmetic;
use crate::sparse::Layout;
use crate::threads::{Grain, chunks, for_each};
use crate::{Number, Numbers, Slice, SliceMut};

/// Words of values times words of vectors that are worth sharing among threads: some 100 µs.
const PARALLEL: usize = 1 << 14;

impl Multiplies<Mp> for Mp {
    fn widened(self, bits: Bits) -> Mp {
        self.in_bits(bits)
    }

    fn times_vector<A: Layout<Number = Mp>>(
        arithmetic: Arithmetic,
        a: &A,
        x: Slice<'_, Mp>,
        y: SliceMut<'_, Mp>,
        _: &mut Numbers<Mp>,
    ) {
        assert_eq!((y.len(), x.len()), a.shape(), "lengths");
        let bits = y.as_slice().bits();
        let (line_of_row, words) = (a.line_of_row(), bits.words());
        let value_bits = a.values().bits();
        let (values, x) = (a.values().as_slice().parts(), x.parts());
        let (heads, significands) = y.into_parts();
        let row = |row: usize, to: &mut [u64]| {
            let line = line_of_row.map_or(row, |lines| lines[row] as usize);
            let terms = (0..a.steps(line, 1)).filter_map(|k| a.term(line, k));
            if arithmetic == Arithmetic::Ieee {
                stepwise::dot(bits, (value_bits, values.0, values.1), x, terms, to)
            } else {
                gathered_dot(bits, values, x, terms, to)
            }
        };
        let band = |index: usize, (heads, significands): (&mut [_], &mut [u64])| {
            let numbers = heads.iter_mut().zip(significands.chunks_exact_mut(words));
            for (i, (head, to)) in numbers.enumerate() {
                *head = row(index * BAND + i, to);
            }
        };
        let grain = Grain::shared_if(a.entries() * words >= PARALLEL);
        for_each((chunks(heads, BAND), chunks(significands, BAND * words)), grain, band);
    }

    /// The sum of products of a row is rounded once, or in the arithmetic `ieee` term by term.
    fn solve_triangle(
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
}
