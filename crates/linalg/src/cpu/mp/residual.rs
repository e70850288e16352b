//! `r ← r − A·x` in higher precision.
//!
//! **Error.** Let `p` be the greatest precision of the operands. For few columns an entry is one
//! sum of products, the right-hand side among them. It carries 64 bits more than `p` and is rounded
//! to `p` bits once. For many columns the product has these 64 bits more, where numbers can have
//! them: before it is rounded, an entry is within `(k + 3)·2^-(p+64)·|A||X|` for `k` terms
//! ([`gemm`](crate::dense::gemm)). Then entries get the precision of `r`. A zero is +0.

use nonius_num::Mp;
use nonius_num::mp::{Bits, Dot, MpRef};

use crate::backend::Reading;
use crate::cpu::gemm::gemm;
use crate::dense::Transpose;
use crate::dense::gemm::Products;
use crate::threads::{Grain, for_each_with, map};
use crate::{MatMut, MatRef, Matrix, Number, Numbers};

/// Columns from which on a product of matrices is faster.
const COLUMNS: usize = 8;

/// `R ← R − A·X`; see the [module](self).
pub(in crate::cpu) fn residual(a: MatRef<'_, Mp>, x: MatRef<'_, Mp>, mut r: MatMut<'_, Mp>) {
    let bits = a.format().max(x.format()).max(r.format());
    match Bits::new(bits.get() + 64) {
        Ok(wide) if x.cols() >= COLUMNS => {
            let found = by_product(wide, a, x, r.as_ref());
            write(&mut r, |i, j| found.entry(i, j));
        }
        _ => {
            let rows = by_sums(bits, a, x, r.as_ref());
            write(&mut r, |i, j| rows.entry(j, i));
        }
    }
}

fn write<'a>(r: &mut MatMut<'_, Mp>, entry: impl Fn(usize, usize) -> MpRef<'a>) {
    for j in 0..r.cols() {
        for i in 0..r.rows() {
            let x = entry(i, j);
            r.put(i, j, if x.head().is_zero() { Mp::ZERO.view() } else { x });
        }
    }
}

/// The largest magnitude in each column of `B − A·X`.
pub(in crate::cpu) fn largest(
    a: MatRef<'_, Mp>,
    x: MatRef<'_, Mp>,
    b: MatRef<'_, Mp>,
) -> Vec<Reading> {
    let mut r = b.to_matrix();
    residual(a, x, r.view_mut());
    map(r.cols(), Grain::ANY, |j| {
        let larger = |most: Mp, x: Mp| if x.abs() > most { x.abs() } else { most };
        r.column(j).iter().fold(Mp::ZERO, larger).leading()
    })
}

/// `R − A·X` with `wide` bits.
fn by_product(wide: Bits, a: MatRef<'_, Mp>, x: MatRef<'_, Mp>, r: MatRef<'_, Mp>) -> Matrix<Mp> {
    let [a, x, mut r] = [a, x, r].map(|m| m.to_matrix().with_bits(wide));
    let (no, one) = (Transpose::No, Mp::ONE);
    gemm(Products::default(), no, no, -one, a.view(), x.view(), one, r.view_mut());
    r
}

/// The transpose of `R − A·X` with `bits` bits, no fewer than those of the operands.
fn by_sums(bits: Bits, a: MatRef<'_, Mp>, x: MatRef<'_, Mp>, r: MatRef<'_, Mp>) -> Matrix<Mp> {
    let k = a.cols();
    // The right-hand side is the term before the others, with the factor −1 among the unknowns.
    let columns: Vec<Numbers<Mp>> = (0..x.cols())
        .map(|j| {
            let mut column = Numbers::with_capacity(x.format(), k + 1);
            column.push(-Mp::ONE);
            column.extend(x.column(j));
            column
        })
        .collect();
    let mut found = Matrix::<Mp>::zeros_in(bits, r.cols(), r.rows());
    for_each_with(
        &mut found.numbers_mut().pieces(columns.len().max(1))[..],
        Grain::ANY,
        || (Dot::new(bits), Numbers::<Mp>::zeros(bits, k + 1)),
        |(dot, row), i, to| {
            (0..k).for_each(|j| row.put(j + 1, a.entry(i, j)));
            for (j, column) in columns.iter().enumerate() {
                row.put(0, r.entry(i, j));
                let mut sum = Mp::zero(bits);
                sum.set_dot(dot, row.as_slice().parts(), column.as_slice().parts());
                to.put(j, (-sum).view());
            }
        },
    );
    found
}
