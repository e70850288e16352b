use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::{Vectors, eigen_on, eigenvalues};
use nonius_linalg::{Error, Matrix, Scalar, reference};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::matrices;
use nonius_testkit::orthogonal::{norm, random_symmetric};
use nonius_testkit::spectra::{self, assert_values, eigen_factor as factor};

fn assert_eigen<T: Scalar>(a: &Matrix<T>, what: &str) -> Vec<T> {
    spectra::assert_eigen(&Cpu::default(), a, what)
}

#[test]
fn families() {
    spectra::eigen_suite::<f64, _>(&Cpu::default());
    spectra::eigen_suite::<Dd, _>(&Cpu::default());
    spectra::eigen_suite::<Td, _>(&Cpu::default());
    spectra::eigen_suite::<Qd, _>(&Cpu::default());
}

fn random<T: Scalar>() {
    for n in [0, 1, 2, 3, 8, 31, 32, 33, 34, 64, 65, 66, 100] {
        let a = random_symmetric::<T>(n, n as u64);
        let values = assert_eigen(&a, &format!("random {n}"));
        if n <= 34 {
            let (expected, _) = reference::jacobi::eigen(&a).unwrap();
            assert_values(&values, &expected, 2.0 * factor::<T>(n) * norm(&a), "Jacobi");
        }
    }
}

#[test]
fn random_matrices() {
    at_every_precision!(random);
}

fn second_difference<T: Scalar>(n: usize) -> Matrix<T> {
    Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => T::from_f64(2.0),
        1 => -T::ONE,
        _ => T::ZERO,
    })
}

/// `2 − 2·cos(kπ/(n + 1))`
fn toeplitz<T: Scalar>() {
    for n in [5, 40, 120] {
        let a = second_difference::<T>(n);
        let values = assert_eigen(&a, "Toeplitz");
        let exact = |k: usize| {
            let angle = T::pi(()) * T::from_f64(k as f64) / T::from_f64((n + 1) as f64);
            T::from_f64(2.0) - T::from_f64(2.0) * angle.cos()
        };
        let expected: Vec<T> = (1..=n).map(exact).collect();
        assert_values(&values, &expected, factor::<T>(n) * 4.0, "Toeplitz");
    }
}

#[test]
fn known_values_of_second_differences() {
    at_every_precision!(toeplitz);
}

fn wilkinson<T: Scalar>() {
    let a = spectra::wilkinson::<T>();
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
    if T::LIMBS > 1 {
        assert!((gap - GAP).abs() < OF_GAP, "{gap:e}");
    }
}

#[test]
fn pairs_that_nearly_agree() {
    at_every_precision!(wilkinson);
}

/// Repeated eigenvalues, of a reflection, of a matrix of ones, of a block matrix; and none that is not zero.
fn repeated<T: Scalar>() {
    let n = 45;
    let reflection = spectra::reflection::<T>(n, 3);
    let values = assert_eigen(&reflection, "reflection");
    let expected: Vec<T> = (0..n).map(|i| if i == 0 { -T::ONE } else { T::ONE }).collect();
    assert_values(&values, &expected, 2.0 * factor::<T>(n) * norm(&reflection), "reflection");
    let ones = Matrix::from_fn(n, n, |_, _| T::ONE);
    let values = assert_eigen(&ones, "ones");
    let last = (values[n - 1] - T::from_f64(n as f64)).abs().to_f64();
    assert!(last <= factor::<T>(n) * n as f64);
    let small = random_symmetric::<T>(9, 5);
    let blocks =
        Matrix::from_fn(n, n, |i, j| if i / 9 == j / 9 { small[(i % 9, j % 9)] } else { T::ZERO });
    let values = assert_eigen(&blocks, "blocks");
    for five in values.chunks(5) {
        let spread = (five[4] - five[0]).to_f64();
        assert!(spread <= 2.0 * factor::<T>(n) * norm(&blocks));
    }
}

#[test]
fn repeated_values() {
    at_every_precision!(repeated);
}

/// Eigenvalues of the Hilbert matrix of order 3 are roots of a cubic; of larger ones the sum is known and the product, the determinant.
fn hilbert<T: Scalar>() {
    for n in [3, 10, 20] {
        let a = Matrix::from_fn(n, n, matrices::hilbert::<T>);
        let values = assert_eigen(&a, "hilbert");
        let trace = (0..n).fold(T::ZERO, |sum, i| sum + a[(i, i)]);
        let sum = values.iter().fold(T::ZERO, |sum, &x| sum + x);
        assert!((sum - trace).abs().to_f64() <= n as f64 * factor::<T>(n) * norm(&a));
    }
    let a = Matrix::from_fn(3, 3, matrices::hilbert::<T>);
    for x in eigenvalues(a.view()).unwrap() {
        // det(A − xI) = −x³ + 23/15·x² − 127/720·x + 1/2160
        let ratio = |p: f64, q: f64| T::from_f64(p) / T::from_f64(q);
        let value = ((ratio(23.0, 15.0) - x) * x - ratio(127.0, 720.0)) * x + ratio(1.0, 2160.0);
        assert!(value.abs().to_f64() <= 9.0 * factor::<T>(3), "{value:?}");
    }
}

#[test]
fn hilbert_matrices() {
    at_every_precision!(hilbert);
}

/// Entries of every size; powers of two change nothing.
fn sizes<T: Scalar>() {
    let n = 40;
    let a = random_symmetric::<T>(n, 6);
    let plain = eigenvalues(a.view()).unwrap();
    for shift in [900, -700] {
        let scaled = eigenvalues(a.map(|x| x.ldexp(shift)).view()).unwrap();
        assert!(scaled.iter().zip(&plain).all(|(x, y)| x.ldexp(-shift) == *y), "{shift}");
    }
    let largest = Matrix::from_fn(4, 4, |_, _| T::ONE.ldexp(1023));
    let error = Error::Overflow { operand: "the eigenvalues", column: 3 };
    assert_eq!(eigenvalues(largest.view()).err(), Some(error));
    let mixed =
        Matrix::from_fn(3, 3, |i, j| T::ONE.ldexp([[1000, 0, 0], [0, -1000, 5], [0, 5, 3]][i][j]));
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
