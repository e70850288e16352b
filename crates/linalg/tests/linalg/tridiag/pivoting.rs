//! Rows exchanged.

use nonius_linalg::Error;
use nonius_linalg::tridiag::{Cause, Failure, Method, Options, Order, Solvable, residual, solve};
use nonius_num::{Dd, Mp, Qd};
use nonius_testkit::tridiag::{Arrays, ORDERS};

fn small_residuals<T: Solvable>(format: T::Format) {
    for order in ORDERS {
        for size in [1, 2, 3, 10, 100] {
            let arrays = Arrays::<T>::in_format(format, (21, size), order, 0.1).weakened();
            let mut x = arrays.garbage();
            let options = Options { pivoting: true, ..Options::default() };
            let report = solve(&arrays.batch(), &options, &mut x).unwrap();
            assert_eq!(report.method, Method::Thomas);
            // A single equation may well be 0·x = b, and an odd number with zeros all along the
            // diagonal has no inverse.
            let zero = |s| size == 1 && arrays.matrix[1].at(s) == T::ZERO;
            for failure in &report.failures {
                assert!(size <= 3 && failure.cause == Cause::Pivot, "{failure:?}");
                assert!(size > 1 || zero(failure.system));
            }
            // Backward stable for the matrix as a whole; by rows where scales are alike, which
            // those of random rows are up to a factor.
            let found = residual(&arrays.batch(), false, &x).unwrap();
            let bound = (T::Size::from(1e3) * arrays.unit_roundoff()).into();
            let what = format!("{} {order:?} n = {size}", arrays.name());
            assert!(found.backward_error <= bound, "{what}: {found:?}");
        }
    }
}

#[test]
fn all_numbers() {
    small_residuals::<f32>(());
    small_residuals::<f64>(());
    small_residuals::<Dd>(());
    small_residuals::<Qd>(());
    [106, 424, 1000, 2048].map(super::bits).into_iter().for_each(small_residuals::<Mp>);
}

/// Without pivoting a zero on the diagonal ends a system that has a solution.
#[test]
fn a_zero_on_the_diagonal() {
    let mut arrays = Arrays::<f64>::random(2, 6, Order::Contiguous, 0.5);
    arrays.matrix[1].set(6, 0.0);
    arrays.matrix[0].set(7, 1.0);
    let mut x = arrays.garbage();
    let report = solve(&arrays.batch(), &Options::default(), &mut x).unwrap();
    assert_eq!(report.failures, [Failure { system: 1, cause: Cause::Pivot, row: 0 }]);
    let options = Options { pivoting: true, ..Options::default() };
    assert_eq!(solve(&arrays.batch(), &options, &mut x).unwrap().failures, []);
    // Elimination rounds each row of three entries a few times.
    let bound = 8.0 * f64::EPSILON / 2.0;
    assert!(residual(&arrays.batch(), false, &x).unwrap().backward_error < bound);
}

#[test]
fn which_methods_pivot() {
    let arrays = Arrays::<f64>::random(1, 6, Order::Contiguous, 0.5);
    for method in [Method::Pcr, Method::Hybrid] {
        let options = Options { method, pivoting: true, periodic: false };
        let error = solve(&arrays.batch(), &options, &mut arrays.garbage()).unwrap_err();
        assert_eq!(error, Error::NoPivoting { method });
        assert!(error.to_string().contains("take thomas"), "{error}");
    }
}
