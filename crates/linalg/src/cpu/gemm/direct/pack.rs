//! Copies of blocks of `A` and `B` in the order in which the innermost loop reads them.
//!
//! Packing is where transposes end: whatever the operands look like, the panels are the same. Rows
//! and columns beyond the operand's edge are zeros; what the innermost loop makes of them is thrown
//! away.

use core::ops::Range;

use crate::Scalar;
use crate::cpu::gemm::operand::Operand;
use crate::dense::Transpose;

/// Packs `op(A)` into panels of `width` rows: for each `k` all first limbs, then all second limbs,
/// ….
///
/// `to` holds `ceil(rows / width)` panels of `width · ks.len() · LIMBS` numbers.
#[inline(always)]
pub(super) fn rows<T: Scalar>(
    a: Operand<'_, T>,
    rows: Range<usize>,
    ks: Range<usize>,
    width: usize,
    to: &mut [f64],
) {
    let step = width * T::LIMBS;
    for (panel, first) in to.chunks_exact_mut(step * ks.len()).zip(rows.clone().step_by(width)) {
        let count = width.min(rows.end - first);
        if count < width {
            panel.fill(0.0);
        }
        match a.transpose {
            Transpose::No => {
                for (to, k) in panel.chunks_exact_mut(step).zip(ks.clone()) {
                    let from = &a.matrix.col(k)[first..first + count];
                    for (i, x) in from.iter().enumerate() {
                        for l in 0..T::LIMBS {
                            to[l * width + i] = x.limb(l);
                        }
                    }
                }
            }
            Transpose::Yes => {
                for i in 0..count {
                    let from = &a.matrix.col(first + i)[ks.clone()];
                    for (to, x) in panel.chunks_exact_mut(step).zip(from) {
                        for l in 0..T::LIMBS {
                            to[l * width + i] = x.limb(l);
                        }
                    }
                }
            }
        }
    }
}

/// Packs `op(B)` into panels of `width` columns: for each `k` the numbers one after the other, limb
/// by limb.
///
/// `to` holds `ceil(columns / width)` panels of `width · ks.len() · LIMBS` numbers.
#[inline(always)]
pub(super) fn columns<T: Scalar>(
    b: Operand<'_, T>,
    ks: Range<usize>,
    columns: Range<usize>,
    width: usize,
    to: &mut [f64],
) {
    let step = width * T::LIMBS;
    for (panel, first) in to.chunks_exact_mut(step * ks.len()).zip(columns.clone().step_by(width)) {
        let count = width.min(columns.end - first);
        if count < width {
            panel.fill(0.0);
        }
        match b.transpose {
            Transpose::No => {
                for j in 0..count {
                    let from = &b.matrix.col(first + j)[ks.clone()];
                    for (to, x) in panel.chunks_exact_mut(step).zip(from) {
                        for l in 0..T::LIMBS {
                            to[j * T::LIMBS + l] = x.limb(l);
                        }
                    }
                }
            }
            Transpose::Yes => {
                for (to, k) in panel.chunks_exact_mut(step).zip(ks.clone()) {
                    let from = &b.matrix.col(k)[first..first + count];
                    for (to, x) in to.chunks_exact_mut(T::LIMBS).zip(from) {
                        for (l, to) in to.iter_mut().enumerate() {
                            *to = x.limb(l);
                        }
                    }
                }
            }
        }
    }
}
