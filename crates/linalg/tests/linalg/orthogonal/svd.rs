use nonius_linalg::backend::{Cpu, Reading};
use nonius_linalg::dense::{Transpose, eigenvalues, singular_values, svd};
use nonius_linalg::{Error, Matrix, reference};
use nonius_testkit::orthogonal::{norm, product, random_matrix, scaled};
use nonius_testkit::spectra::{self, assert_values, svd_factor as factor};
use nonius_testkit::{Sample, affordable, matrices, order};

fn assert_svd<T: Sample>(a: &Matrix<T>, what: &str) -> Vec<T> {
    spectra::assert_svd(&Cpu::default(), a, what)
}

fn suite<T: Sample>(format: T::Format) {
    spectra::svd_suite::<T, _>(&Cpu::default(), format);
}

#[test]
fn families() {
    at_every_precision!(suite);
}

fn random<T: Sample>(format: T::Format) {
    let squares = [0, 1, 2, 3, 8, 31, 32, 33, 64, 65, 80].map(|n| (n, n));
    let others = [(5, 1), (1, 5), (40, 17), (17, 40), (70, 66), (4, 0), (0, 4)];
    let has_time = |&(m, n): &(usize, usize)| affordable::<T>(format, 16 * m * n * m.min(n));
    for (m, n) in squares.into_iter().chain(others).filter(has_time) {
        let a = random_matrix::<T>(format, m, n, (m + n) as u64);
        let values = assert_svd(&a, &format!("random {m} × {n}"));
        if m >= n && m <= 40 {
            let expected = reference::jacobi::singular_values(&a).unwrap();
            let bound = Reading::of(2.0) * factor::<T>(format, (m, n)) * norm(&a);
            assert_values(&values, &expected, bound, "Jacobi");
        }
    }
}

#[test]
fn random_matrices() {
    at_every_precision!(random);
}

/// Bidiagonal Toeplitz: `B·Bᵀ` is the second difference but for a corner, with the values
/// `2·cos(kπ/(2n + 1))`.
fn known<T: Sample>(format: T::Format) {
    for n in [4, order::<T>(format, 120) / 2] {
        let a =
            Matrix::from_fn_in(
                format,
                n,
                n,
                |i, j| if j == i || j == i + 1 { T::ONE } else { T::ZERO },
            );
        let values = assert_svd(&a, "bidiagonal");
        let exact = |k: usize| {
            let angle = T::pi(format) * T::from_f64(k as f64) / T::from_f64((2 * n + 1) as f64);
            T::from_f64(2.0) * angle.cos()
        };
        let expected: Vec<T> = (1..=n).map(exact).collect();
        assert_values(&values, &expected, factor::<T>(format, (n, n)) * norm(&a), "bidiagonal");
        // Of a bidiagonal matrix all of them are right relative to themselves.
        for (&x, &y) in values.iter().zip(&expected) {
            let error = ((x - y) / y).magnitude();
            assert!(error <= factor::<T>(format, (n, n)), "{error:e}");
        }
    }
}

#[test]
fn known_values() {
    at_every_precision!(known);
}

/// A bidiagonal matrix whose small values would be lost beside the large ones: relative errors stay
/// small.
fn graded<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 48) / 2;
    let step = 5;
    for turn in [false, true] {
        let exponent = |i: usize| -step * if turn { n - 1 - i } else { i } as i32;
        let a = Matrix::from_fn_in(format, n, n, |i, j| match j.checked_sub(i) {
            Some(0) => T::ONE.ldexp(exponent(i)),
            Some(1) => T::from_f64(0.75).ldexp(exponent(i)),
            _ => T::ZERO,
        });
        let values = assert_svd(&a, "graded");
        // Jacobi's method is as good for columns of any size, here those of the transpose (Demmel
        // and Veselić 1992).
        let expected = reference::jacobi::singular_values(&a.transposed());
        for (&x, &y) in values.iter().zip(&expected.unwrap()) {
            let error = ((x - y) / y).magnitude();
            // Each method has relative errors of p(n)·u here.
            let bound = Reading::of(4.0) * factor::<T>(format, (n, n));
            assert!(error <= bound, "{} {turn}: {error:e}", T::name(format));
        }
    }
}

#[test]
fn small_values_of_bidiagonal_matrices() {
    at_every_precision!(graded);
}

fn special<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 80) / 2;
    let symmetric = Matrix::from_fn_in(format, n, n, |i, j| matrices::hilbert::<T>(format, i, j));
    let values = assert_svd(&symmetric, "hilbert");
    let mut eigen = eigenvalues(symmetric.view()).unwrap();
    eigen.reverse();
    let magnitudes: Vec<T> = eigen.into_iter().map(|x| x.abs()).collect();
    let bound = Reading::of(2.0) * factor::<T>(format, (n, n)) * norm(&symmetric);
    assert_values(&values, &magnitudes, bound, "eigenvalues");
    let ones = assert_svd(&Matrix::from_fn_in(format, n, n / 2, |_, _| T::ONE), "ones");
    let bound = factor::<T>(format, (n, n / 2)) * Reading::of(30.0);
    let square = T::from_f64((n * (n / 2)) as f64);
    assert!((ones[0] * ones[0] - square).magnitude() <= Reading::of(60.0) * bound);
    assert!(ones[1].magnitude() <= bound);
    // Zeros on the diagonal of a bidiagonal matrix.
    let gaps = Matrix::from_fn_in(format, n, n, |i, j| match j.checked_sub(i) {
        Some(0) if i % 7 != 3 && i != n - 1 => T::ONE,
        Some(1) => T::from_f64(0.5),
        _ => T::ZERO,
    });
    let values = assert_svd(&gaps, "zeros on the diagonal");
    assert!(values[n - 1].magnitude() <= factor::<T>(format, (n, n)) * norm(&gaps));
    let low = product(
        Transpose::No,
        &random_matrix::<T>(format, n + 10, 6, 1),
        Transpose::No,
        &random_matrix::<T>(format, 6, n + 10, 2),
    );
    // Six random columns of length n + 10 are far from dependent: their singular values are above
    // this.
    const REGULAR: f64 = 0.01;
    let values = assert_svd(&low, "low rank");
    assert!(
        values[5].to_f64() > REGULAR
            && values[6].magnitude() <= factor::<T>(format, low.shape()) * norm(&low)
    );
}

#[test]
fn special_matrices() {
    at_every_precision!(special);
}

fn sizes<T: Sample>(format: T::Format) {
    let a = random_matrix::<T>(format, 30, 20, 6);
    let plain = singular_values(a.view()).unwrap();
    let (high, low) = (-T::LEAST_EXPONENT - 174, T::LEAST_EXPONENT / 3 * 2);
    for shift in [high, low] {
        let found = singular_values(scaled(&a, |_, _| shift).view()).unwrap();
        assert!(found.iter().zip(&plain).all(|(x, y)| x.ldexp(-shift) == *y), "{shift}");
    }
    let largest = Matrix::from_fn_in(format, 4, 4, |_, _| T::extremes()[0].ldexp(2));
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
