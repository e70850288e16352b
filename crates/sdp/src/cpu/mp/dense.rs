//! Dense matrices: products, symmetric parts, systems with Cholesky factors, and congruences with vectors.

use nonius_linalg::cpu::gemm::gemm;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Matrix, Numbers, SliceMut};
use nonius_linalg::threads::{Grain, for_each};
use nonius_num::mp::{Bits, Mp, MpRef};

use super::sums::{Pair, fill, write};

/// Unknowns that are found one by one.
const WIDTH: usize = 32;
/// Numbers that a thread takes at a time.
const NUMBERS_OF_A_THREAD: usize = 256;

/// `C ← α·op(A)·B + β·C`; `C` is not read where `β = 0`.
pub(super) fn multiply(
    products: Products,
    alpha: MpRef<'_>,
    a: (Transpose, &Matrix),
    b: &Matrix,
    beta: MpRef<'_>,
    c: &mut Matrix,
) {
    let [alpha, beta] = [alpha, beta].map(|x| x.to_mp(x.bits()));
    gemm(products, a.0, Transpose::No, alpha, a.1.view(), b.view(), beta, c.view_mut());
}

/// `x ← α·x`
pub(super) fn scale(alpha: MpRef<'_>, x: SliceMut<'_>) {
    let bits = alpha.bits();
    for_each(&mut x.pieces(NUMBERS_OF_A_THREAD)[..], Grain::ANY, |_, x| {
        let mut product = Mp::zero(bits);
        for i in 0..x.len() {
            product.set_product(alpha, x.as_slice().entry(i));
            x.put(i, product.view());
        }
    });
}

/// `A ← (A + Aᵀ)/2`
pub(super) fn symmetrize(a: &mut Matrix) {
    let (n, from) = (a.rows(), a.clone());
    let grain = Grain::AtLeast(1 + NUMBERS_OF_A_THREAD / n.max(1));
    for_each(&mut a.numbers_mut().pieces(n.max(1))[..], grain, |j, column| {
        for i in 0..n {
            let mean = (from.entry(i, j) + from.entry(j, i)).ldexp(-1);
            column.put(i, mean.view());
        }
    });
}

/// Solves `L·y = x` or `Lᵀ·y = x`, `y` in the place of `x`: what is known beforehand is subtracted from [`WIDTH`] unknowns at a time. `L` has as many columns as `x` has numbers, and may have rows below,
/// which are not read.
///
/// **Error.** `|L·y − x| <= 6·u·|L||y|`, entrywise: two sums, two differences and a quotient by a
/// reciprocal, as in [triangular systems](nonius_linalg::dense::trsm).
pub(super) fn substitute(l: &Matrix, transpose: Transpose, x: &mut Numbers) {
    let (m, rows, bits, reciprocals) = (l.cols(), l.rows(), l.bits(), reciprocals(l));
    let mut rest = Mp::zero(bits);
    for block in 0..m.div_ceil(WIDTH) {
        let block = if transpose == Transpose::No { block } else { m.div_ceil(WIDTH) - 1 - block };
        let unknowns = block * WIDTH..m.min((block + 1) * WIDTH);
        let terms = |pairs: &mut Vec<Pair>, i: usize, range: core::ops::Range<usize>| {
            let place =
                |k: usize| if transpose == Transpose::No { k * rows + i } else { i * rows + k };
            pairs.clear();
            pairs.extend(range.map(|k| (place(k), k)));
        };
        let known = if transpose == Transpose::No { 0..unknowns.start } else { unknowns.end..m };
        // Of the known ones, and of the unknowns that are found one by one.
        let mut sums = Numbers::zeros(bits, unknowns.len() + 1);
        let (before, last) = sums.as_mut_slice().split_at(unknowns.len());
        let mut own = last;
        let mut before = before;
        fill(
            before.reborrow(),
            1 + NUMBERS_OF_A_THREAD / (1 + known.len()),
            Vec::new,
            |pairs, i, to| {
                terms(pairs, unknowns.start + i, known.clone());
                to.gather(l.numbers().as_slice(), x.as_slice(), pairs)
            },
        );
        let mut pairs = Vec::new();
        for step in 0..unknowns.len() {
            let i = match transpose {
                Transpose::No => unknowns.start + step,
                Transpose::Yes => unknowns.end - 1 - step,
            };
            let found =
                if transpose == Transpose::No { unknowns.start..i } else { i + 1..unknowns.end };
            terms(&mut pairs, i, found);
            write(&mut own, 0, |to| to.gather(l.numbers().as_slice(), x.as_slice(), &pairs));
            rest.set_difference(x.entry(i), before.as_slice().entry(i - unknowns.start));
            let rest = rest.view() - own.as_slice().entry(0);
            x.put(i, (rest.view() * reciprocals[i].view()).view());
        }
    }
}

/// Of the diagonal.
fn reciprocals(l: &Matrix) -> Vec<Mp> {
    (0..l.cols()).map(|i| Mp::ONE.view() / l.entry(i, i)).collect()
}

/// `w ← M·A·Mᵀ·q` for a lower triangular `M` and a symmetric `A`, rounded to `f64` at the end.
pub(super) fn congruence(m: &Matrix, a: &Matrix, q: &[f64], w: &mut [f64]) {
    if q.iter().all(|&x| x == 0.0) {
        return w.fill(0.0);
    }
    let (n, bits) = (q.len(), m.bits());
    let least = 1 + NUMBERS_OF_A_THREAD / n;
    let short = Bits::new(Bits::LEAST).unwrap_or(bits);
    let mut x = Numbers::zeros(short, n);
    q.iter().enumerate().for_each(|(i, &q)| x.put(i, Mp::from_f64(short, q).view()));
    let [mut y, mut z] = [Numbers::zeros(bits, n), Numbers::zeros(bits, n)];
    fill(
        y.as_mut_slice(),
        least,
        || (),
        |(), j, to| to.dot(x.as_slice().range(j..n), m.column(j).range(j..n)),
    );
    fill(z.as_mut_slice(), least, || (), |(), i, to| to.dot(a.column(i), y.as_slice()));
    fill(y.as_mut_slice(), least, Vec::new, |pairs: &mut Vec<Pair>, i, to| {
        pairs.clear();
        pairs.extend((0..=i).map(|k| (k * n + i, k)));
        to.gather(m.numbers().as_slice(), z.as_slice(), pairs)
    });
    w.iter_mut().enumerate().for_each(|(i, w)| *w = y.entry(i).to_f64());
}
