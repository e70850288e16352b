//! Eigenvalues and singular values, counted without rounding; residuals and orthogonality.

use nonius_linalg::dense::{eigen, svd};
use nonius_linalg::{Matrix, Scalar};
use nonius_testkit::spectra::{eigen_factor, svd_factor};
use nonius_testkit::{Random, Sample, random_cases};

use crate::random::exact::{self, Exact, Rows, count_above};
use crate::random::inputs::{at_any_precision, matrix, symmetric};

#[test]
fn random_eigenvalues_are_within_their_bound() {
    random_cases("eigenvalues", 1000, |random| at_any_precision!(random, eigenvalues));
}

/// `‖A‖_F` times a factor, or more by a little; a bound of what is lost at the end of the range is
/// added.
fn bound(a: &Rows, factor: f64) -> Exact {
    let squares = a.iter().map(|row| exact::dot(row, row));
    let norm = squares.fold(Exact::zero(), |sum, x| sum + x).log2() / 2.0;
    if norm == f64::NEG_INFINITY {
        return Exact::power(-1072);
    }
    let (whole, part) = ((norm + factor.log2()).floor(), (norm + factor.log2()).rem_euclid(1.0));
    &Exact::of_f64(part.exp2() * 1.001) * &Exact::power(whole as i64) + Exact::power(-1072)
}

fn eigenvalues<T: Scalar + Sample>(random: &mut Random) {
    let n = random.below(6);
    let a = symmetric::<T>(random, n);
    let rows = exact::rows(&a);
    let found = eigen(a.view()).unwrap_or_else(|error| panic!("{error}: {a:?}"));
    let bound = bound(&rows, eigen_factor::<T>((), n).to_f64());
    assert!(found.values.windows(2).all(|pair| pair[0] <= pair[1]));
    for (k, &value) in found.values.iter().enumerate() {
        let value = Exact::of(value);
        let (low, high) = (&value - &bound, value + bound.clone());
        assert!(
            count_above(&rows, &low) >= n - k && count_above(&rows, &high) < n - k,
            "{}: eigenvalue {k} of {a:?}",
            T::NAME
        );
    }
    let v = exact::rows(&found.vectors.unwrap());
    let columns = exact::transposed(&v, n);
    is_orthonormal::<T>(&columns, eigen_factor::<T>((), n).to_f64(), &a);
    let image = exact::product(&rows, &columns);
    for (j, value) in found.values.iter().enumerate() {
        for i in 0..n {
            let error = &image[i][j] - &(&v[i][j] * &Exact::of(*value));
            assert!(!bound.less(&error.abs()), "{}: vector {j} of {a:?}", T::NAME);
        }
    }
}

fn is_orthonormal<T: Scalar + Sample>(columns: &Rows, factor: f64, a: &Matrix<T>) {
    let gram = exact::product(columns, columns);
    for (i, row) in gram.into_iter().enumerate() {
        for (j, x) in row.into_iter().enumerate() {
            let error = if i == j { &x - &Exact::one() } else { x };
            let what = T::NAME;
            assert!(error.log2() <= factor.log2(), "{what}: orthogonality ({i}, {j}): {a:?}");
        }
    }
}

#[test]
fn random_singular_values_are_within_their_bound() {
    random_cases("singular values", 1000, |random| at_any_precision!(random, singular_values));
}

fn singular_values<T: Scalar + Sample>(random: &mut Random) {
    let (m, n) = (random.below(6), random.below(6));
    let k = m.min(n);
    let a = matrix::<T>(random, m, n);
    let rows = exact::rows(&a);
    let found = svd(a.view()).unwrap_or_else(|error| panic!("{error}: {a:?}"));
    let factor = svd_factor::<T>((), (m, n)).to_f64();
    let bound = bound(&rows, factor);
    let gram = if m >= n {
        let columns = exact::transposed(&rows, n);
        exact::product(&columns, &columns)
    } else {
        exact::product(&rows, &rows)
    };
    assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]));
    for (j, &value) in found.values.iter().enumerate() {
        let value = Exact::of(value);
        let (low, high) = (&value - &bound, value + bound.clone());
        // Squares are eigenvalues; all are above what is negative.
        let above_low = if low.sign() <= 0 { k } else { count_above(&gram, &(&low * &low)) };
        assert!(
            above_low > j && count_above(&gram, &(&high * &high)) <= j,
            "{}: singular value {j} of {a:?}",
            T::NAME
        );
    }
    let (u, v) = found.vectors.unwrap();
    let [u, v] = [&u, &v].map(exact::rows);
    let (left, right) = (exact::transposed(&u, k), exact::transposed(&v, k));
    is_orthonormal::<T>(&left, factor, &a);
    is_orthonormal::<T>(&right, factor, &a);
    let image = exact::product(&rows, &right);
    for (j, value) in found.values.iter().enumerate() {
        for i in 0..m {
            let error = &image[i][j] - &(&u[i][j] * &Exact::of(*value));
            assert!(!bound.less(&error.abs()), "{}: vector {j} of {a:?}", T::NAME);
        }
    }
}
