//! Vectors times numbers, and vectors times vectors, entry by entry. Numbers are rounded to the
//! bits of the result first.

use nonius_num::Mp;
use nonius_num::mp::{Head, MpRef, stepwise};

use super::lines::Divisor;
use crate::cpu::space::kernels::{self, Line};
use crate::cpu::threads;
use crate::dense::gemm::Arithmetic;
use crate::threads::{Grain, chunks, for_each};
use crate::{Slice, SliceMut};

/// Entries that a thread takes at a time.
const PIECE: usize = 64;

/// `y ← α·x + y`: each entry rounded once, in the arithmetic `ieee` twice.
pub(in crate::cpu) fn axpy(
    arithmetic: Arithmetic,
    alpha: Mp,
    x: Slice<'_, Mp>,
    y: SliceMut<'_, Mp>,
) {
    let alpha = alpha.view().to_mp(y.format());
    let (alpha, ieee) = (alpha.view(), arithmetic == Arithmetic::Ieee);
    pairs(x, y, |x, y| if ieee { stepwise::axpy(alpha, x, y) } else { kernels::axpy(alpha, x, y) });
}

/// `y ← x + β·y`, rounded in the same way.
pub(in crate::cpu) fn xpay(
    arithmetic: Arithmetic,
    x: Slice<'_, Mp>,
    beta: Mp,
    y: SliceMut<'_, Mp>,
) {
    let beta = beta.view().to_mp(y.format());
    let (beta, ieee) = (beta.view(), arithmetic == Arithmetic::Ieee);
    pairs(x, y, |x, y| if ieee { stepwise::xpay(x, beta, y) } else { kernels::xpay(x, beta, y) });
}

/// `x ← by·x`
pub(in crate::cpu) fn scale(x: SliceMut<'_, Mp>, by: Mp) {
    let by = by.view().to_mp(x.format());
    each(x, |_, x, to| to.set_product(by.view(), x));
}

/// `x ← x/by`, within `2u + u²` of itself.
pub(in crate::cpu) fn divide(x: SliceMut<'_, Mp>, by: Mp) {
    let by = by.view().to_mp(x.format());
    let divisor = Divisor::new(by.view(), x.format());
    each(x, |_, x, to| *to = divisor.divide(x));
}

/// `y[i] ← x[i]·y[i]`
pub(in crate::cpu) fn multiply(x: Slice<'_, Mp>, y: SliceMut<'_, Mp>) {
    assert_eq!(x.len(), y.len(), "lengths");
    each(y, |i, y, to| to.set_product(x.entry(i), y));
}

/// Runs `work` on pieces of both vectors.
fn pairs(
    x: Slice<'_, Mp>,
    y: SliceMut<'_, Mp>,
    work: impl Fn(Line<'_>, (&mut [Head], &mut [u64])) + Sync,
) {
    assert_eq!(x.len(), y.len(), "lengths");
    let (grain, words) = (grain(&y), y.format().words());
    if grain == Grain::WHOLE {
        return work(x.parts(), y.into_parts());
    }
    let (heads, significands) = y.into_parts();
    for_each((chunks(heads, PIECE), chunks(significands, PIECE * words)), grain, |piece, y| {
        let first = piece * PIECE;
        work(x.range(first..first + y.0.len()).parts(), y);
    });
}

/// Replaces each number by what `work` makes of its place and value.
fn each(x: SliceMut<'_, Mp>, work: impl Fn(usize, MpRef<'_>, &mut Mp) + Sync) {
    let (grain, bits) = (grain(&x), x.format());
    let (heads, significands) = x.into_parts();
    let parts = (chunks(heads, PIECE), chunks(significands, PIECE * bits.words()));
    for_each(parts, grain, |piece, (heads, significands)| {
        let mut x = SliceMut::<Mp>::from_parts(bits, heads, significands);
        let mut result = Mp::zero(bits);
        for i in 0..x.len() {
            work(piece * PIECE + i, x.as_slice().entry(i), &mut result);
            x.put(i, result.view());
        }
    });
}

/// Whether threads share the entries of a vector.
fn grain(x: &SliceMut<'_, Mp>) -> Grain {
    Grain::shared_if(threads::worth::<Mp>(x.format(), x.len()) > 1)
}
