//! What vectors of numbers of any bits are computed by.

use nonius_num::mp::{Head, Mp, MpRef, stepwise};

use super::kernels::{self, Line};
use crate::backend::Reading;
use crate::dense::gemm::Arithmetic;
use crate::threads::{Grain, chunks, for_each};
use crate::{Numbers, Slice, SliceMut};

/// Entries whose products are summed before they are rounded.
pub const MP_BLOCK: usize = 1024;
/// Words of a vector that are worth sharing among threads: some 50 µs.
const PARALLEL: usize = 1 << 14;

/// Runs `work` on pieces of both vectors.
fn pieces(
    x: Slice<'_, Mp>,
    y: SliceMut<'_, Mp>,
    work: impl Fn(Line<'_>, (&mut [Head], &mut [u64])) + Sync,
) {
    assert_eq!(x.len(), y.len(), "lengths");
    let words = x.bits().words();
    if x.words().len() < PARALLEL || rayon::current_num_threads() == 1 {
        return work(x.parts(), y.into_parts());
    }
    let (heads, significands) = y.into_parts();
    let to = (chunks(heads, MP_BLOCK), chunks(significands, MP_BLOCK * words));
    for_each(to, Grain::ANY, |block, to| {
        let first = block * MP_BLOCK;
        work(x.range(first..first + to.0.len()).parts(), to);
    });
}

/// `Σ x[i]·y[i]`; `sums` is memory for those of blocks.
pub(in crate::cpu) fn sum_products(
    arithmetic: Arithmetic,
    x: Slice<'_, Mp>,
    y: Slice<'_, Mp>,
    sums: &mut Numbers<Mp>,
) -> Mp {
    assert_eq!(x.len(), y.len(), "lengths");
    let bits = sums.bits();
    let blocks = x.len().div_ceil(MP_BLOCK);
    while sums.len() < blocks {
        sums.push(Mp::ZERO);
    }
    let block = |block: usize, (head, to): (&mut Head, &mut [u64])| {
        let range = block * MP_BLOCK..x.len().min((block + 1) * MP_BLOCK);
        let (x, y) = (x.range(range.clone()).parts(), y.range(range).parts());
        *head = if arithmetic == Arithmetic::Ieee {
            stepwise::strided_dot(bits, x, y, to)
        } else {
            kernels::dot(bits, x, y, to)
        };
    };
    let (heads, significands) = sums.as_mut_slice().split_at(blocks).0.into_parts();
    let grain = Grain::shared_if(x.words().len() >= PARALLEL);
    for_each((heads, chunks(significands, bits.words())), grain, block);
    let mut count = blocks;
    while count > 1 {
        for i in 0..count / 2 {
            sums.set(i, sums.entry(2 * i) + sums.entry(2 * i + 1));
        }
        if !count.is_multiple_of(2) {
            sums.copy_within(count - 1, count / 2);
        }
        count = count.div_ceil(2);
    }
    if blocks == 0 { Mp::zero(bits) } else { sums.at(0) }
}

/// `y ← y + α·x`.
pub(in crate::cpu) fn axpy(
    arithmetic: Arithmetic,
    alpha: Mp,
    x: Slice<'_, Mp>,
    y: SliceMut<'_, Mp>,
) {
    let (alpha, ieee) = (alpha.view(), arithmetic == Arithmetic::Ieee);
    pieces(
        x,
        y,
        |x, y| {
            if ieee { stepwise::axpy(alpha, x, y) } else { kernels::axpy(alpha, x, y) }
        },
    );
}

/// `y ← x + β·y`.
pub(in crate::cpu) fn xpay(
    arithmetic: Arithmetic,
    x: Slice<'_, Mp>,
    beta: Mp,
    y: SliceMut<'_, Mp>,
) {
    let (beta, ieee) = (beta.view(), arithmetic == Arithmetic::Ieee);
    pieces(x, y, |x, y| if ieee { stepwise::xpay(x, beta, y) } else { kernels::xpay(x, beta, y) });
}

/// `x ← α·x`.
pub(in crate::cpu) fn scale(alpha: Mp, mut x: SliceMut<'_, Mp>) {
    let mut product = Mp::zero(x.format());
    for i in 0..x.len() {
        product.set_product(alpha.view(), x.as_slice().entry(i));
        x.put(i, product.view());
    }
}

/// `y[i] ← x[i]·y[i]`.
pub(in crate::cpu) fn multiply(x: Slice<'_, Mp>, mut y: SliceMut<'_, Mp>) {
    assert_eq!(x.len(), y.len(), "lengths");
    let mut product = Mp::zero(y.format());
    for i in 0..x.len() {
        product.set_product(x.entry(i), y.as_slice().entry(i));
        y.put(i, product.view());
    }
}

/// `to ← 2^−exponent·x`, each entry rounded.
pub(in crate::cpu) fn round(x: Slice<'_, Mp>, exponent: i64, to: &mut [f64]) {
    for (i, to) in to.iter_mut().enumerate() {
        let x = x.entry(i);
        *to = MpRef::new(x.bits(), x.head().shifted(-exponent), x.words()).to_f64();
    }
}

/// `to ← 2^exponent·x`, each entry rounded.
pub(in crate::cpu) fn widen(x: &[f64], exponent: i64, mut to: SliceMut<'_, Mp>) {
    let bits = to.format();
    let mut number = Mp::zero(bits);
    for (i, &x) in x.iter().enumerate() {
        let Reading { significand, exponent: own } = Reading::of(x);
        if significand.is_finite() {
            let integer = [(significand.abs() * 2.0_f64.powi(53)) as u64];
            number.set_rounded(x.is_sign_negative(), &integer, own - 53 + exponent, false);
        } else {
            number.set_value(Mp::from_f64(bits, x).view());
        }
        to.put(i, number.view());
    }
}
