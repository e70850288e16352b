use nonius_linalg::backend::{Cpu, Reading};
use nonius_linalg::dense::{Vectors, eigen_on, eigenvalues};
use nonius_linalg::{Error, Matrix, reference};
use nonius_testkit::orthogonal::{norm, random_symmetric, scaled};
use nonius_testkit::spectra::{self, assert_values, eigen_factor as factor};
use nonius_testkit::{Sample, affordable, matrices, order};

fn assert_eigen<T: Sample>(a: &Matrix<T>, what: &str) -> Vec<T> {
    spectra::assert_eigen(&Cpu::default(), a, what)
}

fn suite<T: Sample>(format: T::Format) {
    spectra::eigen_suite::<T, _>(&Cpu::default(), format);
}

#[test]
fn families() {
    at_every_precision!(suite);
}

fn random<T: Sample>(format: T::Format) {
    let orders = [0, 1, 2, 3, 8, 31, 32, 33, 34, 64, 65, 66, 100];
    for n in orders.into_iter().filter(|n| affordable::<T>(format, 8 * n * n * n)) {
        let a = random_symmetric::<T>(format, n, n as u64);
        let values = assert_eigen(&a, &format!("random {n}"));
        if n <= 34 {
            let (expected, _) = reference::jacobi::eigen(&a).unwrap();
            let bound = Reading::of(2.0) * factor::<T>(format, n) * norm(&a);
            assert_values(&values, &expected, bound, "Jacobi");
        }
    }
}

#[test]
fn random_matrices() {
    at_every_precision!(random);
}

fn second_difference<T: Sample>(format: T::Format, n: usize) -> Matrix<T> {
    Matrix::from_fn_in(format, n, n, |i, j| match i.abs_diff(j) {
        0 => T::from_f64(2.0),
        1 => -T::ONE,
        _ => T::ZERO,
    })
}

/// `2 − 2·cos(kπ/(n + 1))`
fn toeplitz<T: Sample>(format: T::Format) {
    for n in [5, 40, 120].map(|n| order::<T>(format, 2 * n) / 2) {
        let a = second_difference::<T>(format, n);
        let values = assert_eigen(&a, "Toeplitz");
        let exact = |k: usize| {
            let angle = T::pi(format) * T::from_f64(k as f64) / T::from_f64((n + 1) as f64);
            T::from_f64(2.0) - T::from_f64(2.0) * angle.cos()
        };
        let expected: Vec<T> = (1..=n).map(exact).collect();
        assert_values(&values, &expected, factor::<T>(format, n) * Reading::of(4.0), "Toeplitz");
    }
}

#[test]
fn known_values_of_second_differences() {
    at_every_precision!(toeplitz);
}

fn wilkinson<T: Sample>(format: T::Format) {
    let a = spectra::wilkinson::<T>(format);
    let values = assert_eigen(&a, "W21");
    // Wilkinson, The Algebraic Eigenvalue Problem, p. 309.
    const LARGEST: f64 = 10.746_194_182_903_39;
    const GAP: f64 = 7.159_956_755e-14;
    // Half a unit of the last digit of the gap, which 50 digits give.
    const OF_GAP: f64 = 5e-24;
    // Weyl's theorem: eigenvalues move by at most the backward error, some roundings of the norm.
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON / 2.0;
    let error = (values[20].to_f64() - LARGEST).abs();
    assert!(error < ROUNDINGS * LARGEST, "{error:e}");
    let gap = (values[20] - values[19]).to_f64();
    // In `f64` numbers of this size are a fortieth of the gap apart.
    assert!((0.0..1.375 * GAP).contains(&gap), "{gap:e}");
    if T::precision(format).bits() > 53 {
        assert!((gap - GAP).abs() < OF_GAP, "{gap:e}");
    }
}

#[test]
fn pairs_that_nearly_agree() {
    at_every_precision!(wilkinson);
}

/// Repeated eigenvalues, of a reflection, of a matrix of ones, of a block matrix; and none that is
/// not zero.
fn repeated<T: Sample>(format: T::Format) {
    let n = if affordable::<T>(format, 500_000) { 45 } else { 15 };
    let fifth = n / 5;
    let reflection = spectra::reflection::<T>(format, n, 3);
    let values = assert_eigen(&reflection, "reflection");
    let expected: Vec<T> = (0..n).map(|i| if i == 0 { -T::ONE } else { T::ONE }).collect();
    let bound = Reading::of(2.0) * factor::<T>(format, n) * norm(&reflection);
    assert_values(&values, &expected, bound, "reflection");
    let ones = Matrix::from_fn_in(format, n, n, |_, _| T::ONE);
    let values = assert_eigen(&ones, "ones");
    let last = (values[n - 1] - T::from_f64(n as f64)).magnitude();
    assert!(last <= factor::<T>(format, n) * Reading::of(n as f64));
    let small = random_symmetric::<T>(format, fifth, 5);
    let blocks = Matrix::from_fn_in(format, n, n, |i, j| {
        if i / fifth == j / fifth { small.at(i % fifth, j % fifth) } else { T::ZERO }
    });
    let values = assert_eigen(&blocks, "blocks");
    for five in values.chunks(5) {
        let spread = (five[4] - five[0]).magnitude();
        assert!(spread <= Reading::of(2.0) * factor::<T>(format, n) * norm(&blocks));
    }
}

#[test]
fn repeated_values() {
    at_every_precision!(repeated);
}

/// Eigenvalues of the Hilbert matrix of order 3 are roots of a cubic; of larger ones the sum is
/// known and the product, the determinant.
fn hilbert<T: Sample>(format: T::Format) {
    for n in [3, 10, 20] {
        let a = Matrix::from_fn_in(format, n, n, |i, j| matrices::hilbert::<T>(format, i, j));
        let values = assert_eigen(&a, "hilbert");
        let trace = (0..n).fold(T::ZERO, |sum, i| sum + a.at(i, i));
        let sum = values.iter().fold(T::ZERO, |sum, &x| sum + x);
        let bound = Reading::of(n as f64) * factor::<T>(format, n) * norm(&a);
        assert!((sum - trace).magnitude() <= bound);
    }
    let a = Matrix::from_fn_in(format, 3, 3, |i, j| matrices::hilbert::<T>(format, i, j));
    for x in eigenvalues(a.view()).unwrap() {
        // det(A − xI) = −x³ + 23/15·x² − 127/720·x + 1/2160
        let ratio = |p: f64, q: f64| T::from_f64(p).to_format(format) / T::from_f64(q);
        let value = ((ratio(23.0, 15.0) - x) * x - ratio(127.0, 720.0)) * x + ratio(1.0, 2160.0);
        assert!(value.magnitude() <= Reading::of(9.0) * factor::<T>(format, 3), "{value:?}");
    }
}

#[test]
fn hilbert_matrices() {
    at_every_precision!(hilbert);
}

/// Entries of every size; powers of two change nothing.
fn sizes<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 80) / 2;
    let a = random_symmetric::<T>(format, n, 6);
    let plain = eigenvalues(a.view()).unwrap();
    let (high, low) = (-T::LEAST_EXPONENT - 174, T::LEAST_EXPONENT / 3 * 2);
    for shift in [high, low] {
        let found = eigenvalues(scaled(&a, |_, _| shift).view()).unwrap();
        assert!(found.iter().zip(&plain).all(|(x, y)| x.ldexp(-shift) == *y), "{shift}");
    }
    let largest = Matrix::from_fn_in(format, 4, 4, |_, _| T::extremes()[0].ldexp(2));
    let error = Error::Overflow { operand: "the eigenvalues", column: 3 };
    assert_eq!(eigenvalues(largest.view()).err(), Some(error));
    let mixed = Matrix::from_fn_in(format, 3, 3, |i, j| {
        T::ONE.ldexp([[1000, 0, 0], [0, -1000, 5], [0, 5, 3]][i][j])
    });
    let values = eigenvalues(mixed.view()).unwrap();
    assert_eq!(values[2].to_f64(), 2.0_f64.powi(1000));
}

#[test]
fn entries_of_any_size() {
    at_every_precision!(sizes);
}

#[test]
fn refuses_what_does_not_fit() {
    let a = Matrix::<f64>::zeros(2, 3);
    assert_eq!(eigenvalues(a.view()).err(), Some(Error::NotSquare { rows: 2, cols: 3 }));
    let mut a = Matrix::<f64>::identity(3);
    a[(2, 0)] = 1.0;
    assert_eq!(eigenvalues(a.view()).err(), Some(Error::NotSymmetric { row: 2, col: 0 }));
    for bad in [f64::NAN, f64::INFINITY] {
        a[(2, 0)] = bad;
        let error = Error::NotFinite { operand: "a", row: 2, col: 0 };
        assert_eq!(eigen_on(&Cpu::default(), a.view(), Vectors::Yes).err(), Some(error));
    }
}
