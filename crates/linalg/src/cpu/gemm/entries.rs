//! What becomes of a sum of products: `α`, `β` and its place in `C`.

use core::ops::Range;

use nonius_num::Lane;

use super::operand::{Factors, Operand, Part};
use crate::Scalar;
use crate::cpu::limbs::limbs_of_mut;
use crate::cpu::output::Output;
use crate::reference::gemm::product_entry;
use crate::scalar::Pack;

/// The entries of `C`, and all that they are made of.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a, T: Scalar> {
    pub(super) a: Operand<'a, T>,
    pub(super) b: Operand<'a, T>,
    pub(super) factors: Factors<T>,
    pub(super) part: Part<'a>,
    /// Threads write disjoint rectangles of it.
    pub(super) c: &'a Output<'a, T>,
}

impl<T: Scalar> Entries<'_, T> {
    /// Writes those of the rows from `first` to `end`, `L::LANES` at most, of a column of `C` that
    /// belong to the part; lane `i` of `sum` is the entry of `op(A)·op(B)` for row `first + i`.
    #[inline(always)]
    pub(super) fn write<L: Lane>(
        &self,
        mut sum: T::Pack<L>,
        first: usize,
        end: usize,
        column: usize,
    ) {
        const { assert!(T::LIMBS <= 4 && L::LANES <= 8) };
        let rows = self.part.of(first..end.min(first + L::LANES), column);
        if rows.is_empty() {
            return;
        }
        let lanes = rows.start - first..rows.end - first;
        if !sum.limb(0).all_finite() {
            sum = self.recompute(sum, lanes.clone(), first, column);
        }
        let product = self.factors.times_alpha::<L>(sum);
        // SAFETY: threads have disjoint rectangles, and this piece is the only one of this thread
        // that lives now.
        #[allow(unsafe_code)]
        let c = limbs_of_mut(unsafe { self.c.column(column, rows) });
        if c.len() == L::LANES * T::LIMBS {
            self.combine::<L>(product, c);
        } else {
            let mut buffer = [0.0; 32];
            let limbs = lanes.start * T::LIMBS..lanes.end * T::LIMBS;
            buffer[limbs.clone()].copy_from_slice(c);
            self.combine::<L>(product, &mut buffer[..L::LANES * T::LIMBS]);
            c.copy_from_slice(&buffer[limbs]);
        }
    }

    /// `c ← product + β·c` for a register full of numbers.
    #[inline(always)]
    fn combine<L: Lane>(&self, product: T::Pack<L>, c: &mut [f64]) {
        let result = if self.factors.beta == T::ZERO {
            product
        } else {
            self.factors.add_beta::<L>(product, T::Pack::<L>::load(c))
        };
        result.store(c);
    }

    /// Replaces sums that are not finite, whose lower limbs carry no meaning, by those of the
    /// operators. Lane `i` of `sums` belongs to row `first + i`.
    #[cold]
    #[inline(never)]
    fn recompute<L: Lane>(
        &self,
        sums: T::Pack<L>,
        lanes: Range<usize>,
        first: usize,
        column: usize,
    ) -> T::Pack<L> {
        let (a, b) = (self.a, self.b);
        let mut buffer = [0.0; 32];
        let buffer = &mut buffer[..L::LANES * T::LIMBS];
        sums.store(buffer);
        for (i, sum) in buffer.chunks_exact_mut(T::LIMBS).enumerate() {
            if lanes.contains(&i) && !sum[0].is_finite() {
                let row = first + i;
                let x = product_entry(a.transpose, a.matrix, row, b.transpose, b.matrix, column);
                for (l, limb) in sum.iter_mut().enumerate() {
                    *limb = x.limb(l);
                }
            }
        }
        T::Pack::<L>::load(buffer)
    }
}
