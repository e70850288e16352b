use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::{Transpose, eigenvalues, singular_values, svd};
use nonius_linalg::{Error, Matrix, Scalar, reference};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::matrices;
use nonius_testkit::orthogonal::{norm, product, random_matrix};
use nonius_testkit::spectra::{self, assert_values, svd_factor as factor};

fn assert_svd<T: Scalar>(a: &Matrix<T>, what: &str) -> Vec<T> {
    spectra::assert_svd(&Cpu::default(), a, what)
}

#[test]
fn families() {
    spectra::svd_suite::<f64, _>(&Cpu::default());
    spectra::svd_suite::<Dd, _>(&Cpu::default());
    spectra::svd_suite::<Td, _>(&Cpu::default());
    spectra::svd_suite::<Qd, _>(&Cpu::default());
}

fn random<T: Scalar>() {
    let squares = [0, 1, 2, 3, 8, 31, 32, 33, 64, 65, 80].map(|n| (n, n));
    let others = [(5, 1), (1, 5), (40, 17), (17, 40), (70, 66), (4, 0), (0, 4)];
    for (m, n) in squares.into_iter().chain(others) {
        let a = random_matrix::<T>(m, n, (m + n) as u64);
        let values = assert_svd(&a, &format!("random {m} × {n}"));
        if m >= n && m <= 40 {
            let expected = reference::jacobi::singular_values(&a).unwrap();
            let bound = 2.0 * factor::<T>((m, n)) * norm(&a);
            assert_values(&values, &expected, bound, "Jacobi");
        }
    }
}

#[test]
fn random_matrices() {
    at_every_precision!(random);
}

/// Bidiagonal Toeplitz: `B·Bᵀ` is the second difference but for a corner, with the values `2·cos(kπ/(2n + 1))`.
fn known<T: Scalar>() {
    for n in [4, 60] {
        let a = Matrix::from_fn(n, n, |i, j| if j == i || j == i + 1 { T::ONE } else { T::ZERO });
        let values = assert_svd(&a, "bidiagonal");
        let exact = |k: usize| {
            let angle = T::pi(()) * T::from_f64(k as f64) / T::from_f64((2 * n + 1) as f64);
            T::from_f64(2.0) * angle.cos()
        };
        let expected: Vec<T> = (1..=n).map(exact).collect();
        assert_values(&values, &expected, factor::<T>((n, n)) * norm(&a), "bidiagonal");
        // Of a bidiagonal matrix all of them are right relative to themselves.
        for (&x, &y) in values.iter().zip(&expected) {
            let error = ((x - y) / y).abs().to_f64();
            assert!(error <= factor::<T>((n, n)), "{error:e}");
        }
    }
}

#[test]
fn known_values() {
    at_every_precision!(known);
}

/// A bidiagonal matrix whose small values would be lost beside the large ones: relative errors stay small.
fn graded<T: Scalar>() {
    let n = 24;
    let step = 5;
    for turn in [false, true] {
        let exponent = |i: usize| -step * if turn { n - 1 - i } else { i } as i32;
        let a = Matrix::from_fn(n, n, |i, j| match j.checked_sub(i) {
            Some(0) => T::ONE.ldexp(exponent(i)),
            Some(1) => T::from_f64(0.75).ldexp(exponent(i)),
            _ => T::ZERO,
        });
        let values = assert_svd(&a, "graded");
        // Jacobi's method is as good for columns of any size, here those of the transpose (Demmel and Veselić 1992).
        let expected = reference::jacobi::singular_values(&a.transposed());
        for (&x, &y) in values.iter().zip(&expected.unwrap()) {
            let error = ((x - y) / y).abs().to_f64();
            // Each method has relative errors of p(n)·u here.
            assert!(error <= 4.0 * factor::<T>((n, n)), "{} {turn}: {error:e}", T::NAME);
        }
    }
}

#[test]
fn small_values_of_bidiagonal_matrices() {
    at_every_precision!(graded);
}

fn special<T: Scalar>() {
    let n = 40;
    let symmetric = Matrix::from_fn(n, n, |i, j| matrices::hilbert::<T>(i, j));
    let values = assert_svd(&symmetric, "hilbert");
    let mut eigen = eigenvalues(symmetric.view()).unwrap();
    eigen.reverse();
    let magnitudes: Vec<T> = eigen.into_iter().map(|x| x.abs()).collect();
    let bound = 2.0 * factor::<T>((n, n)) * norm(&symmetric);
    assert_values(&values, &magnitudes, bound, "eigenvalues");
    let ones = assert_svd(&Matrix::from_fn(n, 20, |_, _| T::ONE), "ones");
    let bound = factor::<T>((n, 20)) * 30.0;
    assert!((ones[0] * ones[0] - T::from_f64(800.0)).abs().to_f64() <= 60.0 * bound);
    assert!(ones[1].to_f64() <= bound);
    // Zeros on the diagonal of a bidiagonal matrix.
    let gaps = Matrix::from_fn(n, n, |i, j| match j.checked_sub(i) {
        Some(0) if i % 7 != 3 && i != n - 1 => T::ONE,
        Some(1) => T::from_f64(0.5),
        _ => T::ZERO,
    });
    let values = assert_svd(&gaps, "zeros on the diagonal");
    assert!(values[n - 1].to_f64() <= factor::<T>((n, n)) * norm(&gaps));
    let low = product(
        Transpose::No,
        &random_matrix::<T>(50, 6, 1),
        Transpose::No,
        &random_matrix::<T>(6, 50, 2),
    );
    // Six random columns of length 50 are far from dependent: their singular values are above this.
    const REGULAR: f64 = 0.01;
    let values = assert_svd(&low, "low rank");
    assert!(
        values[5].to_f64() > REGULAR && values[6].to_f64() <= factor::<T>((50, 50)) * norm(&low)
    );
}

#[test]
fn special_matrices() {
    at_every_precision!(special);
}

fn sizes<T: Scalar>() {
    let a = random_matrix::<T>(30, 20, 6);
    let plain = singular_values(a.view()).unwrap();
    for shift in [900, -700] {
        let scaled = singular_values(a.map(|x| x.ldexp(shift)).view()).unwrap();
        assert!(scaled.iter().zip(&plain).all(|(x, y)| x.ldexp(-shift) == *y), "{shift}");
    }
    let largest = Matrix::from_fn(4, 4, |_, _| T::ONE.ldexp(1023));
    let error = Error::Overflow { operand: "the singular values", column: 0 };
    assert_eq!(singular_values(largest.view()).err(), Some(error));
}

#[test]
fn entries_of_any_size() {
    at_every_precision!(sizes);
}

#[test]
fn refuses_what_is_not_finite() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut a = Matrix::<f64>::identity(3);
        a[(2, 1)] = bad;
        let error = Error::NotFinite { operand: "a", row: 2, col: 1 };
        assert_eq!(svd(a.view()).err(), Some(error));
    }
}
