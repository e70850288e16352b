//! Triangular systems and inverses of triangles, by halves: products of matrices do most of the work.
//!
//! **Error.** For a lower triangular `L` of order `n` the result of [`solve_lower`] satisfies `|L·Y − B| <= (2.1·n + 8)·u·|L||Y|`, entrywise, `u = 2^-bits`; so does
//! [`inverse_lower`] with `B = I`. An entry is what is left of `b_ij` after sums of products `l_ik·y_kj` are subtracted, times a reciprocal. A sum of `k`
//! terms errs by at most `(k + 3)·u` times its magnitudes ([`gemm`]), a difference by `u` times itself, which what is left to subtract bounds,
//! the quotient by two roundings. There are no more sums than terms. (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 8.5, with sums in any
//! order.) What falls below the range of exponents adds at most `(n + 8)·2^-(2^28)·max(1, |L|)`.

use nonius_num::mp::{Dot, Mp, MpRef};

use super::{Matrix, Slice, gemm};
use crate::Error;
use crate::dense::Transpose;
use crate::dense::gemm::Products;
use crate::threads::{Grain, for_each_with};

/// Orders up to which entries are found one by one.
pub const WIDTH: usize = 32;

/// The first half, a multiple of [`WIDTH`].
pub(super) fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(WIDTH)
}

/// `C − A·B`
pub(super) fn subtract_product(a: &Matrix, b: &Matrix, c: &mut Matrix) -> Result<(), Error> {
    let one = Mp::one(c.bits());
    let (minus, no) = (one.view().negated(), Transpose::No);
    gemm(Products::default(), no, no, minus, a, b, one.view(), c).map(|_| ())
}

/// `b − Σ x_k·y_k`, the sum and the difference rounded once each.
pub(super) fn remainder(b: MpRef<'_>, x: Slice<'_>, y: Slice<'_>, dot: &mut Dot) -> Mp {
    let mut sum = Mp::zero(b.bits());
    sum.set_dot(dot, (x.heads(), x.words()), (y.heads(), y.words()));
    b - sum.view()
}

/// `Y` with `L·Y = B`, for the lower triangle `L` of a matrix and the reciprocals of its diagonal; without reciprocals the diagonal is ones.
pub fn solve_lower(l: &Matrix, reciprocals: Option<&[Mp]>, mut b: Matrix) -> Result<Matrix, Error> {
    let (n, m) = b.shape();
    if n <= WIDTH {
        substitute(l, reciprocals, &mut b);
        return Ok(b);
    }
    let h = half(n);
    let top =
        solve_lower(&l.block(0..h, 0..h), reciprocals.map(|all| &all[..h]), b.block(0..h, 0..m))?;
    let mut rest = b.block(h..n, 0..m);
    subtract_product(&l.block(h..n, 0..h), &top, &mut rest)?;
    let rest = solve_lower(&l.block(h..n, h..n), reciprocals.map(|all| &all[h..]), rest)?;
    b.set_block(0, 0, &top);
    b.set_block(h, 0, &rest);
    Ok(b)
}

/// The inverse of the lower triangle of a matrix, as [`solve_lower`] finds it.
pub fn inverse_lower(l: &Matrix, reciprocals: Option<&[Mp]>) -> Result<Matrix, Error> {
    let (n, bits) = (l.rows(), l.bits());
    let mut y = Matrix::identity(bits, n);
    if n <= WIDTH {
        substitute(l, reciprocals, &mut y);
        return Ok(y);
    }
    let h = half(n);
    let (first, last) = (reciprocals.map(|all| &all[..h]), reciprocals.map(|all| &all[h..]));
    let top = inverse_lower(&l.block(0..h, 0..h), first)?;
    let low = l.block(h..n, h..n);
    let mut left = Matrix::try_zeros(bits, n - h, h)?;
    subtract_product(&l.block(h..n, 0..h), &top, &mut left)?;
    y.set_block(0, 0, &top);
    y.set_block(h, 0, &solve_lower(&low, last, left)?);
    y.set_block(h, h, &inverse_lower(&low, last)?);
    Ok(y)
}

fn substitute(l: &Matrix, reciprocals: Option<&[Mp]>, b: &mut Matrix) {
    let (n, bits) = (l.rows(), l.bits());
    if n == 0 {
        return;
    }
    let rows = l.transposed();
    for_each_with(
        &mut b.numbers_mut().pieces(n)[..],
        Grain::ANY,
        || Dot::new(bits),
        |dot, _, column| {
            for i in 0..n {
                let found = column.as_slice();
                let rest = remainder(found.at(i), rows.col(i).range(0..i), found.range(0..i), dot);
                match reciprocals {
                    Some(all) => column.set(i, (rest.view() * all[i].view()).view()),
                    None => column.set(i, rest.view()),
                }
            }
        },
    );
}
