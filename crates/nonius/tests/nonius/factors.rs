//! Factors of all numbers, as matrices.

use nonius::dense::{
    CholeskyFactor, Error, LuFactors, QColumns, QrFactors, SolveTriangular, Triangle,
};
use nonius::num::mp::Bits;
use nonius::prelude::*;

/// Entries without a pattern, between -1/2 and 1/2, by a linear congruence.
fn matrix<T: Number>(format: T::Format, rows: usize, cols: usize) -> Matrix<T> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) - 0.5
    };
    let three = T::from_f64(3.0).to_format(format);
    Matrix::from_fn_in(format, rows, cols, |_, _| T::from_f64(next()).to_format(format) / three)
}

/// The largest magnitude of `A − B`, as a double.
fn distance<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    let (rows, cols) = a.shape();
    let entries = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j)));
    entries.map(|(i, j)| (a.at(i, j) - b.at(i, j)).abs().to_f64()).fold(0.0, f64::max)
}

fn product<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    Multiply::new(a, b).device(Device::Cpu).run().unwrap().0
}

struct Factors;

impl Job for Factors {
    type Output = ();

    /// Bounds are multiples of the unit roundoff: entries are below 1/6, and so are those of `L`
    /// below 1 and of `Q`.
    fn run<T: Number>(self, format: T::Format) {
        let u = 0.5_f64.powi(T::precision(format).bits() as i32 - 4);
        for n in [0, 1, 5, 40] {
            let a = matrix::<T>(format, n, n);
            let (found, report) = LuFactors::new(&a).device(Device::Cpu).run().unwrap();
            let rows = found.rows();
            let exchanged = Matrix::from_fn_in(format, n, n, |i, j| a.at(rows[i], j));
            let bound = 10.0 * (n * n) as f64 * u;
            assert!(distance(&product(&found.lower, &found.upper), &exchanged) <= bound);
            assert_eq!(report.precision, T::precision(format));
            let definite = product(&a, &a.transposed());
            let (lower, _) = CholeskyFactor::new(&definite).device(Device::Cpu).run().unwrap();
            assert!(distance(&product(&lower, &lower.transposed()), &definite) <= bound);
            let of_upper = CholeskyFactor::new(&definite).triangle(Triangle::Upper).run();
            assert!(distance(&of_upper.unwrap().0, &lower) <= bound * 1e9);
            let b = product(&lower, &a);
            let x = SolveTriangular::new(Triangle::Lower, &lower, &b).run().unwrap();
            assert!(distance(&product(&lower, &x), &b) <= bound);
        }
        for (m, n) in [(0, 3), (3, 0), (1, 1), (20, 6), (6, 20)] {
            let a = matrix::<T>(format, m, n);
            let k = m.min(n);
            let bound = 20.0 * (m.max(n) * m.max(n)) as f64 * u;
            for (columns, count) in [(QColumns::Reduced, k), (QColumns::Complete, m)] {
                let task = QrFactors::new(&a).columns(columns).device(Device::Cpu);
                let (found, _) = task.run().unwrap();
                let q = found.q.unwrap();
                assert_eq!((q.shape(), found.r.shape()), ((m, count), (count, n)));
                assert!(distance(&product(&q, &found.r), &a) <= bound);
                let identity = Matrix::identity_in(format, count);
                assert!(distance(&product(&q.transposed(), &q), &identity) <= bound);
            }
            let (alone, _) = QrFactors::new(&a).columns(QColumns::None).run().unwrap();
            assert!(alone.q.is_none() && alone.r.shape() == (k, n));
        }
    }
}

#[test]
fn factors_multiply_to_their_matrix() {
    for precision in Precision::FIXED.into_iter().chain([Precision::Mp(Bits::new(192).unwrap())]) {
        Factors.at(precision);
    }
}

#[test]
fn what_has_no_factors_is_refused() {
    let ones = Matrix::from_fn(3, 3, |_, _| Dd::ONE);
    assert!(matches!(LuFactors::new(&ones).run(), Err(Error::Singular { column: 1 })));
    let refused = CholeskyFactor::new(&ones).run().err();
    assert!(matches!(refused, Some(Error::NotPositiveDefinite { index: 1, .. })), "{refused:?}");
    let wide = Matrix::from_fn(2, 3, |_, _| Dd::ONE);
    assert!(matches!(LuFactors::new(&wide).run(), Err(Error::NotSquare { .. })));
    assert!(matches!(CholeskyFactor::new(&wide).run(), Err(Error::NotSquare { .. })));
    let entries = [[2.0, f64::NAN], [1.0, 2.0]];
    let with_nan = Matrix::from_fn(2, 2, |i, j| entries[i][j]);
    assert!(matches!(LuFactors::new(&with_nan).run(), Err(Error::NotFinite { .. })));
    assert!(matches!(QrFactors::new(&with_nan).run(), Err(Error::NotFinite { .. })));
    // Only one triangle is read.
    assert!(CholeskyFactor::new(&with_nan).run().is_ok());
    let refused = CholeskyFactor::new(&with_nan).triangle(Triangle::Upper).run().err();
    assert!(matches!(refused, Some(Error::NotFinite { row: 0, col: 1, .. })), "{refused:?}");
}

/// `Qᵀ` times columns that one power of two makes larger than the range is their power of two times
/// what is in range.
#[test]
fn columns_of_any_size_are_factored() {
    let large = 2.0_f64.powi(1020);
    let a = matrix![[1.0, large, 0.0], [1.0, large, 1e-300]];
    let (found, _) = QrFactors::new(&a).run().unwrap();
    assert!((found.r[(0, 1)].abs() / large - 2.0_f64.sqrt()).abs() < 1e-15);
    assert!(found.r[(1, 1)].abs() <= large * 1e-15);
    assert!((found.r[(0, 2)].abs() / 1e-300 - 0.5_f64.sqrt()).abs() < 1e-15);
}
