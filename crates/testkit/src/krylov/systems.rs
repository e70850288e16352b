//! Sparse systems for tests.

use nonius_linalg::Scalar;
use nonius_linalg::sparse::{Coo, Csr, Layout, Triplet, spmv};

use crate::Random;

/// The square matrix of these entries.
///
/// # Panics
/// For entries outside.
pub fn matrix(n: usize, triplets: Vec<Triplet<f64>>) -> Csr<f64> {
    let coo = Coo::new(n, n, triplets).unwrap_or_else(|| panic!("an entry outside"));
    Csr::from_coo(coo).unwrap_or_else(|error| panic!("{error}"))
}

/// A diagonal matrix.
pub fn diagonal(entries: &[f64]) -> Csr<f64> {
    let place = |(i, &value): (usize, &f64)| Triplet { row: i, col: i, value };
    matrix(entries.len(), entries.iter().enumerate().map(place).collect())
}

/// The five-point stencil on `m × m` points: `centre` on the diagonal, −1 towards two neighbours,
/// `−1 − wind` towards the other two.
fn stencil(m: usize, centre: f64, wind: f64, scale: impl Fn(usize) -> f64) -> Csr<f64> {
    let mut triplets = Vec::new();
    for i in 0..m {
        for j in 0..m {
            let row = i * m + j;
            let mut put = |there: bool, col: usize, value: f64| {
                if there {
                    triplets.push(Triplet { row, col, value: value * scale(row) * scale(col) });
                }
            };
            put(true, row, centre);
            put(i > 0, row.wrapping_sub(m), -1.0 - wind);
            put(i + 1 < m, row + m, -1.0);
            put(j > 0, row.wrapping_sub(1), -1.0 - wind);
            put(j + 1 < m, row + 1, -1.0);
        }
    }
    matrix(m * m, triplets)
}

/// The five-point Laplacian on `m × m` points, its rows and columns scaled by powers of two up to
/// `2^±spread`: symmetric and positive definite.
pub fn laplacian(m: usize, spread: u32) -> Csr<f64> {
    let mut random = Random::new(1);
    let scale: Vec<f64> = (0..m * m)
        .map(|_| 2.0_f64.powi(random.below(2 * spread as usize + 1) as i32 - spread as i32))
        .collect();
    stencil(m, 4.0, 0.0, |i| scale[i])
}

/// The Laplacian less a multiple of the identity: symmetric and indefinite for shifts between its
/// eigenvalues, from 0 to 8.
pub fn shifted(m: usize, shift: f64) -> Csr<f64> {
    stencil(m, 4.0 - shift, 0.0, |_| 1.0)
}

/// Diffusion and convection, upstream differences: nonsymmetric, its symmetric part positive
/// definite.
pub fn convection(m: usize, wind: f64) -> Csr<f64> {
    stencil(m, 4.0 + 2.0 * wind, wind, |_| 1.0)
}

/// `A·(1, 2, 3, …)`, exact for few bits: the operators on integers.
///
/// # Panics
/// For a matrix that is not square.
pub fn right_side<T: Scalar>(a: &Csr<f64>) -> Vec<T> {
    let n = a.shape().0;
    let x: Vec<T> = (0..n).map(|i| T::from_f64((i + 1) as f64)).collect();
    let mut b = vec![T::ZERO; n];
    spmv(a, &x, &mut b).unwrap_or_else(|error| panic!("{error}"));
    b
}
