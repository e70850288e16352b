//! Solutions of linear systems read from decimal text, against MPFR.

use std::path::PathBuf;

use nonius::{Matrix, files};
use nonius_linalg::dense::{Method, Report, solve};
use nonius_num::Qd;
use nonius_oracle::system::{Profile, relative_error};
use nonius_oracle::value::exact;
use rug::Float;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
}

/// The largest relative residual of a reference, far below the u = 2.4e-63 of `qd`.
const OF_REFERENCE: f64 = 1e-80;

/// The relative error of the quad-double solution for ones on the right, and what its report says.
fn solved(name: &str, method: Method, bits: u32) -> (f64, Report) {
    let path = data(name);
    let a = files::read::<Qd>((), &path).unwrap().into_dense().unwrap();
    let n = a.rows();
    let solution = solve(a.view(), Matrix::from_fn(n, 1, |_, _| Qd::ONE).view(), method).unwrap();

    let matrix = Profile::read(&path, bits);
    assert_eq!(matrix.order(), n);
    let ones = vec![Float::with_val(bits, 1); n];
    let reference = matrix.clone().factor().solve(&ones);
    // The reference is one: its residual, relative to the right-hand side, is far below that of any
    // qd solution.
    assert!(relative_error(&matrix.product(&reference), &ones) < OF_REFERENCE);
    let found: Vec<Float> = solution.x.as_slice().iter().map(|&x| exact(x)).collect();
    (relative_error(&found, &reference), solution.report)
}

#[test]
fn bcsstk14_to_45_digits() {
    /// A unit of the 45th decimal.
    const DIGITS_45: f64 = 1e-45;
    let (error, report) = solved("bcsstk14.mtx.xz", Method::Auto, 400);
    println!("bcsstk14: error {error:e}, {report:?}");
    assert!(error <= DIGITS_45, "{error:e}");
    assert_eq!(report.method, Method::Cholesky);
    assert!(
        (1e9..1e11).contains(&report.condition_estimate.to_f64()),
        "{:e}",
        report.condition_estimate
    );
    assert!(report.forward_error_estimate >= error, "{error:e} {report:?}");
    assert!(report.correct_digits() > 45.0);
}

#[test]
fn hilbert_matrices() {
    for (name, digits) in [("hilbert20.mtx", 30.0), ("hilbert40.mtx", 1.0)] {
        for method in [Method::GaussJordan, Method::Lu, Method::Cholesky] {
            let (error, report) = solved(name, method, 1000);
            println!("{name} {method}: error {error:e}, {report:?}");
            assert!(
                report.forward_error_estimate >= error,
                "{name} {method}: {error:e} {report:?}"
            );
            assert!(report.correct_digits() >= digits, "{name} {method}: {report:?}");
        }
    }
    // With a condition of 1e90 no digit of the solution is certain, and the report says so.
    let (error, report) = solved("hilbert60.mtx", Method::Lu, 1000);
    println!("hilbert60.mtx: error {error:e}, {report:?}");
    assert_eq!(report.correct_digits(), 0.0);
    assert!(report.forward_error_estimate >= error, "{error:e} {report:?}");
}
