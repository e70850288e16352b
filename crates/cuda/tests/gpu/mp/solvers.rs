//! Algorithms as a whole, beside those of the host.

use nonius_linalg::backend::{Cpu, Reading};
use nonius_linalg::dense::{
    Method, Vectors, determinant_on, eigen_on, inverse_on, least_squares_on, solve_on, svd_on,
};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{Number, Size};

use nonius_testkit::orthogonal::random_matrix;

use super::definite;
use crate::gpu;

const PRECISIONS: [u32; 3] = [106, 424, 1000];

/// The largest difference of entries, in units of the roundoff and of the largest entry.
fn distance(x: &Matrix, y: &Matrix) -> f64 {
    assert_eq!(x.shape(), y.shape());
    let largest = |pair: &dyn Fn(usize, usize) -> Mp| {
        let entries = (0..x.cols()).flat_map(|j| (0..x.rows()).map(move |i| (i, j)));
        entries.map(|(i, j)| pair(i, j).size()).fold(Reading::ZERO, Size::max)
    };
    let difference = largest(&|i, j| x.at(i, j) - y.at(i, j));
    let unit = <Mp as Number>::unit_roundoff(x.bits());
    (difference / (largest(&|i, j| y.at(i, j)) * unit)).to_f64()
}

#[test]
#[ignore = "needs a GPU"]
fn systems_are_solved_as_well_as_on_the_host() {
    let gpu = &gpu();
    for (bits, n) in PRECISIONS.into_iter().flat_map(|bits| [1, 37, 150].map(|n| (bits, n))) {
        let bits = Bits::new(bits).unwrap();
        let (a, b) = (definite(bits, n, n, 1), random_matrix::<Mp>(bits, n, 3, 2));
        let symmetric = Matrix::from_fn_in(bits, n, n, |i, j| a.at(i.max(j), i.min(j)));
        for (a, method) in [(&a, Method::Lu), (&symmetric, Method::Cholesky)] {
            let found = solve_on(gpu.clone(), a.view(), b.view(), method).unwrap();
            let host = solve_on(Cpu::default(), a.view(), b.view(), method).unwrap();
            let apart = distance(&found.x, &host.x);
            assert!(apart < 100.0 * n as f64, "{method:?} mp{bits} {n}: {apart}");
        }
        let found = inverse_on(gpu.clone(), a.view()).unwrap();
        let host = inverse_on(Cpu::default(), a.view()).unwrap();
        let apart = distance(&found.x, &host.x);
        assert!(apart < 100.0 * n as f64, "inverse mp{bits} {n}: {apart}");
        let found = determinant_on(gpu, a.view()).unwrap();
        let host = determinant_on(&Cpu::default(), a.view()).unwrap();
        let (x, y) = (found.value.value(), host.value.value());
        let apart = (x - y).size() / y.size();
        let bound = found.error_estimate + host.error_estimate;
        assert!(apart <= bound, "determinant mp{bits} {n}: {apart:e} > {bound:e}");
        // Of a matrix with such a diagonal: a modest condition.
        let units = (bound / <Mp as Number>::unit_roundoff(bits)).to_f64();
        assert!(units < 100.0 * (n * n) as f64, "determinant mp{bits} {n}: {units} units");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn values_are_found_as_well_as_on_the_host() {
    let gpu = &gpu();
    for (bits, n) in PRECISIONS.into_iter().flat_map(|bits| [2, 37, 90].map(|n| (bits, n))) {
        let bits = Bits::new(bits).unwrap();
        let a = definite(bits, n, n, 1);
        let symmetric = Matrix::from_fn_in(bits, n, n, |i, j| a.at(i.max(j), i.min(j)));
        let column = |x: &[Mp]| Matrix::from_fn_in(bits, x.len(), 1, |i, _| x[i]);
        let found = eigen_on(gpu, symmetric.view(), Vectors::Yes).unwrap();
        let host = eigen_on(&Cpu::default(), symmetric.view(), Vectors::Yes).unwrap();
        let apart = distance(&column(&found.values), &column(&host.values));
        assert!(apart < 20.0 * n as f64, "eigenvalues mp{bits} {n}: {apart}");
        let tall = random_matrix::<Mp>(bits, n + 20, n, 2);
        let found = svd_on(gpu, tall.view(), Vectors::Yes).unwrap();
        let host = svd_on(&Cpu::default(), tall.view(), Vectors::Yes).unwrap();
        let apart = distance(&column(&found.values), &column(&host.values));
        assert!(apart < 20.0 * n as f64, "singular values mp{bits} {n}: {apart}");
        let b = random_matrix::<Mp>(bits, n + 20, 2, 3);
        let found = least_squares_on(gpu.clone(), tall.view(), b.view()).unwrap();
        let host = least_squares_on(Cpu::default(), tall.view(), b.view()).unwrap();
        let apart = distance(&found.x, &host.x);
        assert!(apart < 1e4 * n as f64, "least squares mp{bits} {n}: {apart}");
    }
}
