//! Congruences with vectors: sums over what a triangle has, and products with numbers as short as
//! an `f64`.

use nonius_linalg::mp::{Bits, Matrix, Mp, Numbers};

use super::sums::{dot, gather};
use crate::cpu::fill::fill;
use crate::cpu::kernels::Pair;

/// Numbers that a thread takes at a time.
const NUMBERS_OF_A_THREAD: usize = 256;

/// [`congruence`](crate::cpu::kernels::Kernels::congruence).
pub(super) fn congruence(m: &Matrix, a: &Matrix, q: &[f64], w: &mut [f64]) {
    let (n, bits) = (q.len(), m.bits());
    let least = 1 + NUMBERS_OF_A_THREAD / n.max(1);
    let mut x = Numbers::with_capacity(Bits::FEWEST, n);
    q.iter().for_each(|&q| x.push(Mp::from_f64(Bits::FEWEST, q)));
    let [mut y, mut z] = [(); 2].map(|()| Numbers::zeros(bits, n));
    fill(
        y.as_mut_slice(),
        least,
        || (),
        |(), j, to| {
            dot(to, x.as_slice().range(j..n), m.column(j).range(j..n));
        },
    );
    fill(z.as_mut_slice(), least, || (), |(), i, to| dot(to, a.column(i), y.as_slice()));
    fill(y.as_mut_slice(), least, Vec::new, |pairs: &mut Vec<Pair>, i, to| {
        pairs.clear();
        pairs.extend((0..=i).map(|k| (k * n + i, k)));
        gather(to, m.numbers().as_slice(), z.as_slice(), pairs);
    });
    w.iter_mut().enumerate().for_each(|(i, w)| *w = y.entry(i).to_f64());
}
