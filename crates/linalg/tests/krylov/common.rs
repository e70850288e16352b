//! Systems for tests.

use nonius_linalg::Scalar;
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_linalg::sparse::{Coo, Csr, Triplet};
use nonius_testkit::Random;

/// The five-point Laplacian on `m × m` points, its rows and columns scaled by powers of two so that its condition is large.
pub(crate) fn laplacian(m: usize, spread: i32) -> Csr<Vec<f64>> {
    let mut random = Random::new(1);
    let scale: Vec<f64> = (0..m * m)
        .map(|_| 2.0_f64.powi(random.below(2 * spread as usize + 1) as i32 - spread))
        .collect();
    let mut triplets = Vec::new();
    let mut put = |row: usize, col: usize, value: f64| {
        triplets.push(Triplet { row, col, value: value * scale[row] * scale[col] });
    };
    for i in 0..m {
        for j in 0..m {
            let row = i * m + j;
            put(row, row, 4.0);
            for (there, other) in [
                (i > 0, row.wrapping_sub(m)),
                (i + 1 < m, row + m),
                (j > 0, row.wrapping_sub(1)),
                (j + 1 < m, row + 1),
            ] {
                if there {
                    put(row, other, -1.0);
                }
            }
        }
    }
    matrix(m * m, triplets)
}

pub(crate) fn matrix(n: usize, triplets: Vec<Triplet<f64>>) -> Csr<Vec<f64>> {
    Csr::from_coo((), Coo::new(n, n, triplets).unwrap()).unwrap()
}

pub(crate) fn diagonal(entries: &[f64]) -> Csr<Vec<f64>> {
    let place = |(i, &value): (usize, &f64)| Triplet { row: i, col: i, value };
    matrix(entries.len(), entries.iter().enumerate().map(place).collect())
}

/// `A·(1, 2, 3, …)`, exact for few bits: the operators on integers.
pub(crate) fn right_side<T: Scalar>(a: &Csr<Vec<f64>>) -> Vec<T> {
    let n = nonius_linalg::sparse::Layout::shape(a).0;
    let x: Vec<T> = (0..n).map(|i| T::from_f64((i + 1) as f64)).collect();
    let mut b = vec![T::ZERO; n];
    nonius_linalg::sparse::spmv(a, &x, &mut b).unwrap();
    b
}

/// The same numbers in so many bits.
pub(crate) fn to_mp(bits: Bits, x: &[f64]) -> Numbers {
    let mut to = Numbers::zeros(bits, x.len());
    x.iter().enumerate().for_each(|(i, &x)| to.set(i, Mp::from_f64(bits, x).view()));
    to
}
