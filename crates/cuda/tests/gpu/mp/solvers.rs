//! Algorithms as a whole, beside those of the host.

use nonius_linalg::backend::{Cpu, Judge, Memory, Reading};
use nonius_linalg::dense::{
    Method, Vectors, determinant_on, eigen_on, inverse_on, least_squares_on, solve_on, svd_on,
};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{Number, Size};
use nonius_num::Real;

use super::{definite, random};
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
        let (a, b) = (definite(bits, n, n, 1), random(bits, n, 3, 2));
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
        let found = determinant_on(gpu, a.view()).unwrap().value.value();
        let host = determinant_on(&Cpu::default(), a.view()).unwrap().value.value();
        let apart = ((found - host).size() / host.size()).to_f64();
        assert!(apart < 1e-25, "determinant mp{bits} {n}: {apart}");
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
        let tall = random(bits, n + 20, n, 2);
        let found = svd_on(gpu, tall.view(), Vectors::Yes).unwrap();
        let host = svd_on(&Cpu::default(), tall.view(), Vectors::Yes).unwrap();
        let apart = distance(&column(&found.values), &column(&host.values));
        assert!(apart < 20.0 * n as f64, "singular values mp{bits} {n}: {apart}");
        let b = random(bits, n + 20, 2, 3);
        let found = least_squares_on(gpu.clone(), tall.view(), b.view()).unwrap();
        let host = least_squares_on(Cpu::default(), tall.view(), b.view()).unwrap();
        let apart = distance(&found.x, &host.x);
        assert!(apart < 1e4 * n as f64, "least squares mp{bits} {n}: {apart}");
    }
}

/// Residuals of numbers of any exponent, with and without right-hand sides.
#[test]
#[ignore = "needs a GPU"]
fn residuals_are_those_of_the_host() {
    let gpu = &gpu();
    for (bits, scale) in [(106, 0), (424, 3000), (1000, -9000)] {
        let bits = Bits::new(bits).unwrap();
        let n = 60;
        let (mut a, x) = (random(bits, n, n, 1), random(bits, n, 4, 2));
        (0..n).for_each(|j| (0..n).for_each(|i| a.set(i, j, a.at(i, j).ldexp(scale))));
        let wide = Bits::new(2 * bits.get()).unwrap();
        let product = |i: usize, j: usize| {
            (0..n).fold(Mp::zero(wide), |sum, k| {
                sum + a.at(i, k).to_format(wide) * x.at(k, j).to_format(wide)
            })
        };
        let b = Matrix::from_fn_in(bits, n, 4, product);
        let [there_a, there_x, there_b] = [&a, &x, &b].map(|x| gpu.upload(x.view()));
        let found = gpu
            .largest_residuals(there_a.as_ref(), there_x.as_ref(), Some(there_b.as_ref()))
            .unwrap()
            .expect("residues");
        for (j, found) in found.into_iter().enumerate() {
            let residual = |i| (b.at(i, j).to_format(wide) - product(i, j)).size();
            let expected = (0..n).map(residual).fold(Reading::ZERO, Size::max);
            let ratio = (found / expected).to_f64();
            assert!((ratio - 1.0).abs() < 1e-5, "mp{bits} column {j}: {ratio}");
        }
    }
}
