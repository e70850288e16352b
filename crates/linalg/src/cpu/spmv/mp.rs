//! Numbers of any bits.

use nonius_num::Lane;
use nonius_num::mp::{Bits, Head, Mp, gathered_dot, stepwise};

use super::BAND;
use super::multiplies::Multiplies;
use super::triangle::Triangle;
use crate::cpu::simd::{Kernel, dispatch_words};
use crate::cpu::space::kernels::Line;
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
        let words = y.as_slice().bits().words();
        let rows = Rows { arithmetic, a, x: x.parts(), bits: y.as_slice().bits() };
        let (heads, significands) = y.into_parts();
        let band = |index: usize, (heads, significands): (&mut [_], &mut [u64])| {
            dispatch_words(Band { rows, first: index * BAND, heads, significands });
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

/// Products of the rows of `a` with the vector `x`, in an arithmetic, to `bits` bits.
struct Rows<'a, A> {
    arithmetic: Arithmetic,
    a: &'a A,
    x: Line<'a>,
    bits: Bits,
}

impl<A> Clone for Rows<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Rows<'_, A> {}

impl<A: Layout<Number = Mp>> Rows<'_, A> {
    #[inline(always)]
    fn product(&self, line: usize, to: &mut [u64]) -> Head {
        let values = self.a.values();
        let (heads, words) = values.as_slice().parts();
        let terms = self.a.terms(line);
        if self.arithmetic == Arithmetic::Ieee {
            stepwise::dot(self.bits, (values.bits(), heads, words), self.x, terms, to)
        } else {
            gathered_dot(self.bits, (heads, words), self.x, terms, to)
        }
    }
}

/// The products of some rows, by the instructions of the processor that is found.
struct Band<'a, A> {
    rows: Rows<'a, A>,
    first: usize,
    heads: &'a mut [Head],
    significands: &'a mut [u64],
}

impl<A: Layout<Number = Mp>> Kernel for Band<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Self { rows, first, heads, significands } = self;
        let line_of_row = rows.a.line_of_row();
        let numbers = significands.chunks_exact_mut(rows.bits.words());
        for (i, (head, to)) in heads.iter_mut().zip(numbers).enumerate() {
            let line = line_of_row.map_or(first + i, |lines| lines[first + i] as usize);
            *head = rows.product(line, to);
        }
    }
}
