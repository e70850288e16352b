//! Triangular systems whose sums cancel beside zeros.

use nonius_linalg::backend::{Cpu, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::framed::assert_same_bits;

use super::cancelling;
use crate::dense::{TRANSPOSES, result};
use crate::gpu;

/// The order of a block that is solved by substitution, and of all.
const BLOCK: usize = 16;
const ORDER: usize = 40;
const RIGHTS: usize = 33;

/// The first block is the identity, so that its unknowns are right-hand sides; the rows below are
/// of sums that cancel.
#[test]
#[ignore = "needs a GPU"]
fn sums_that_cancel_beside_zeros_have_the_hosts_bits() {
    let gpu = &gpu();
    for bits in [64, 106, 424] {
        let bits = Bits::new(bits).unwrap();
        let [below, first] = cancelling(bits, (ORDER - BLOCK, RIGHTS, BLOCK), 71);
        let lower = Matrix::from_fn_in(bits, ORDER, ORDER, |i, j| match (i, j) {
            _ if i == j => Mp::one(bits),
            _ if i >= BLOCK && j < BLOCK => below.at(i - BLOCK, j),
            _ => Mp::zero(bits),
        });
        let rights = Matrix::from_fn_in(bits, ORDER, RIGHTS, |i, j| {
            if i < BLOCK { first.at(i, j) } else { Mp::zero(bits) }
        });
        let transposed =
            |x: &Matrix| Matrix::from_fn_in(bits, x.cols(), x.rows(), |i, j| x.at(j, i));
        for (side, transpose) in
            [Side::Left, Side::Right].into_iter().flat_map(|side| TRANSPOSES.map(|op| (side, op)))
        {
            // L·X = B, or Xᵀ·Lᵀ = Bᵀ.
            let of_left = side == Side::Left;
            let a = match (of_left, transpose) {
                (true, Transpose::No) | (false, Transpose::Yes) => lower.clone(),
                _ => transposed(&lower),
            };
            let is_lower = of_left == (transpose == Transpose::No);
            let triangle = if is_lower { Triangle::Lower } else { Triangle::Upper };
            let b = if of_left { rights.clone() } else { transposed(&rights) };
            for diagonal in [Diagonal::Unit, Diagonal::NonUnit] {
                let there = super::upload(gpu, &a);
                let found = result(gpu, &b, |b| {
                    gpu.trsm(side, triangle, transpose, diagonal, Mp::ONE, there.as_ref(), b);
                });
                let expected = result(&Cpu::default(), &b, |b| {
                    Cpu::default().trsm(side, triangle, transpose, diagonal, Mp::ONE, a.view(), b);
                });
                let what = format!("{side:?} {transpose:?} {diagonal:?}, {bits} bits");
                assert_same_bits(&found, &expected, &what);
            }
        }
    }
}
