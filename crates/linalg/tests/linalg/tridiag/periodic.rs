//! Rings.

use nonius_linalg::Error;
use nonius_linalg::backend::Reading;
use nonius_linalg::tridiag::{
    Batch, Cause, Failure, Method, Options, Order, Solvable, residual, solve,
};
use nonius_num::{Dd, Mp, Qd};
use nonius_testkit::tridiag::{Arrays, ORDERS};

fn rings<T: Solvable>(format: T::Format, sizes: &[usize]) {
    for order in ORDERS {
        for &size in sizes {
            let arrays = Arrays::<T>::in_format(format, (11, size), order, 0.1).closed();
            let batch = arrays.batch();
            for (method, pivoting) in [
                (Method::Auto, false),
                (Method::Pcr, false),
                (Method::Hybrid, false),
                (Method::Thomas, true),
            ] {
                let mut x = arrays.garbage();
                let options = Options { method, periodic: true, pivoting };
                assert_eq!(solve(&batch, &options, &mut x).unwrap().failures, []);
                let found = residual(&batch, true, &x).unwrap();
                let roundings = T::Size::from(16.0 * ((size as f64).log2() + 4.0));
                let bound: Reading = (roundings * arrays.unit_roundoff()).into();
                let what = format!("{} {method} {order:?} n = {size}", arrays.name());
                assert!(found.backward_error <= bound, "{what}: {found:?} above {bound:e}");
            }
        }
    }
}

#[test]
fn all_numbers() {
    rings::<f32>((), &[3, 4, 33, 100]);
    rings::<f64>((), &[3, 4, 8, 65, 300]);
    rings::<Dd>((), &[3, 5, 40]);
    rings::<Qd>((), &[3, 17]);
    [106, 424, 1000, 2048]
        .map(super::bits)
        .into_iter()
        .for_each(|bits| rings::<Mp>(bits, &[3, 17, 150]));
}

/// Second differences round a ring have no inverse: constants vanish.
#[test]
fn singular_rings() {
    let (beside, diagonal) = ([1.0; 4], [-2.0; 4]);
    let right = [1.0, -1.0, 2.0, -2.0];
    let batch = Batch::new(1, 4, Order::Contiguous, [&beside, &diagonal, &beside], &right).unwrap();
    let options = Options { periodic: true, ..Options::default() };
    let report = solve(&batch, &options, &mut [0.0; 4]).unwrap();
    assert_eq!(report.failures, [Failure { system: 0, cause: Cause::Pivot, row: 3 }]);
}

/// What is not finite is named once.
#[test]
fn failures_of_rings() {
    let mut arrays = Arrays::<f64>::random(5, 9, Order::Interleaved, 0.5).closed();
    let at = arrays.batch().index(2, 4);
    arrays.matrix[1].set(at, f64::NAN);
    let options = Options { periodic: true, ..Options::default() };
    let report = solve(&arrays.batch(), &options, &mut arrays.garbage()).unwrap();
    assert_eq!(report.failures, [Failure { system: 2, cause: Cause::NotFinite, row: 4 }]);
}

#[test]
fn too_small() {
    let batch = Batch::new(1, 2, Order::Contiguous, [&[1.0; 2]; 3], &[1.0; 2]).unwrap();
    let options = Options { periodic: true, ..Options::default() };
    let error = solve(&batch, &options, &mut [0.0; 2]).unwrap_err();
    assert!(matches!(error, Error::TooSmall { least: 3, found: 2, .. }), "{error}");
}
