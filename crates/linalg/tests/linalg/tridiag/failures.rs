//! Systems without solution leave the others alone.

use nonius_linalg::tridiag::{Cause, Failure, Method, Options, Solvable, solve};
use nonius_num::{Dd, Mp};
use nonius_testkit::tridiag::{Arrays, ORDERS};

fn others_are_solved<T: Solvable>(format: T::Format) {
    for order in ORDERS {
        for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
            let good = Arrays::<T>::in_format(format, (40, 30), order, 0.2);
            let options = Options { method, ..Options::default() };
            let mut right = good.garbage();
            solve(&good.batch(), &options, &mut right).unwrap();
            let mut bad = good.clone();
            let batch = good.batch();
            let nan = T::from_f64(f64::NAN);
            bad.matrix[0].set(batch.index(3, 7), nan);
            bad.matrix[1].set(batch.index(17, 0), T::ZERO);
            bad.right.set(batch.index(20, 29), T::from_f64(f64::INFINITY));
            bad.matrix[2].set(batch.index(39, 28), nan);
            bad.matrix[1].set(batch.index(39, 5), T::from_f64(f64::INFINITY));
            let mut x = good.garbage();
            let report = solve(&bad.batch(), &options, &mut x).unwrap();
            let failure = |system, cause, row| Failure { system, cause, row };
            let mut expected = vec![
                failure(3, Cause::NotFinite, 7),
                failure(17, Cause::Pivot, 0),
                failure(20, Cause::NotFinite, 29),
                failure(39, Cause::NotFinite, 5),
            ];
            if method == Method::Hybrid {
                // The first row is eliminated last of its chunk, from both neighbours: no pivot.
                expected.remove(1);
            }
            assert_eq!(report.failures, expected, "{} {method} {order:?}", good.name());
            for s in (0..40).filter(|s| ![3, 17, 20, 39].contains(s)) {
                for i in 0..30 {
                    let at = batch.index(s, i);
                    let what = format!("{} {method} {order:?} {s} {i}", good.name());
                    assert_eq!(x.at(at), right.at(at), "{what}");
                }
            }
        }
    }
}

#[test]
fn others() {
    others_are_solved::<f32>(());
    others_are_solved::<f64>(());
    others_are_solved::<Dd>(());
    others_are_solved::<Mp>(super::bits(424));
}

/// A matrix without inverse: a row of zeros, in every place.
#[test]
fn rows_of_zeros() {
    for order in ORDERS {
        for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
            for row in 0..20 {
                let mut arrays = Arrays::<f64>::random(2, 20, order, 0.2);
                let at = arrays.batch().index(1, row);
                arrays.matrix.iter_mut().for_each(|diagonal| diagonal.set(at, 0.0));
                let mut x = arrays.garbage();
                let options = Options { method, ..Options::default() };
                let report = solve(&arrays.batch(), &options, &mut x).unwrap();
                let [Failure { system: 1, cause: Cause::Pivot, .. }] = report.failures[..] else {
                    panic!("{method} {order:?} row {row}: {report:?}");
                };
            }
        }
    }
}
