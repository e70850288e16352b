use nonius::num::{Fixed, Plain};
use nonius::{Dd, Number, Qd, Td};

use crate::{Folder, data, nonius};

#[test]
fn a_structural_matrix_in_qd() {
    let report = nonius(["solve", &data("bcsstk01.mtx.xz"), "--precision", "qd", "--json"]).json();
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key}"));
    assert_eq!(report["precision"], "qd");
    assert_eq!(report["device"], "cpu");
    assert_eq!(report["method"], "cholesky");
    assert_eq!((number("rows"), number("right_hand_sides")), (48.0, 1.0));
    assert!(number("seconds") > 0.0 && number("gflops") > 0.0);
    // Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.4: the backward error of
    // Cholesky is at most about 3n·n·u in norm; in practice it is a small multiple of u.
    let u = Qd::UNIT_ROUNDOFF;
    assert!(number("relative_residual") <= 3.0 * 48.0 * 48.0 * u);
    // The condition number in the 2-norm is 8.8e5; in the 1-norm it is at most 48 times that.
    assert!((8.8e5 / 48.0..8.8e5 * 48.0).contains(&number("condition_estimate")));
    assert!(number("max_error") <= number("condition_estimate") * 3.0 * 48.0 * 48.0 * u);
    assert!(number("correct_digits") >= 50.0);
}

/// Solves for a known solution by each method.
fn by_every_method<T: Number + Plain + Fixed>() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["4", "1", "0"], &["1", "3", "-1"], &["0", "-1", "2"]]);
    // X = [1 0.5; -2 0; 3 1/4]
    let b = folder.matrix("b.mtx", &[&["2", "2"], &["-8", "0.25"], &["8", "0.5"]]);
    let expected = [1.0, -2.0, 3.0, 0.5, 0.0, 0.25];
    for method in ["auto", "gauss-jordan", "lu", "cholesky"] {
        let out = folder.path("x.mtx");
        let arguments = ["solve", &a, &b, "--method", method, "--precision", T::NAME, "-o", &out];
        let summary = nonius(arguments).success();
        assert!(summary.contains("relative residual"), "{summary}");
        let x = folder.read::<T>("x.mtx");
        assert_eq!(x.shape(), (3, 2));
        for (&x, expected) in x.as_slice().iter().zip(expected) {
            // A is diagonally dominant, its condition number below 8; n = 3.
            let error = (x - T::from_f64(expected)).abs().to_f64();
            assert!(error <= 8.0 * 27.0 * T::UNIT_ROUNDOFF, "{method} {}: {error}", T::NAME);
        }
    }
}

#[test]
fn methods_and_precisions() {
    by_every_method::<f64>();
    by_every_method::<Td>();
    by_every_method::<Qd>();
}

#[test]
fn right_hand_sides() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    let b = folder.matrix("b.mtx", &[&["3"], &["4"]]);
    let ones = nonius(["solve", &a]).success();
    assert!(ones.contains("A · ones") && ones.contains("largest error"), "{ones}");
    for arguments in [["solve", &a, "--rhs", &b].to_vec(), ["solve", &a, &b].to_vec()] {
        let given = nonius(arguments).success();
        assert!(given.contains("b.mtx: 2 × 1") && !given.contains("largest error"), "{given}");
    }
    let report = nonius(["solve", &a, &b, "--json"]).json();
    assert!(report["max_error"].is_null());
}

#[test]
fn hilbert() {
    let solve = |name: &str| nonius(["solve", &data(name), "--precision", "qd", "--json"]).json();
    let error = |report: &serde_json::Value| report["max_error"].as_f64().unwrap();
    // Condition number 2.5e28: about 34 of 62 digits remain.
    let report = solve("hilbert20.mtx");
    assert!(error(&report) < Qd::UNIT_ROUNDOFF * 2.5e28 * 400.0);
    assert!(report["correct_digits"].as_f64().unwrap() > 30.0);
    // Condition number 4e58: a few digits remain.
    let report = solve("hilbert40.mtx");
    assert!(report["condition_estimate"].as_f64().unwrap() > 1e57);
    assert!(report["correct_digits"].as_f64().unwrap() < 6.0);
    // Condition number 7e88: beyond qd, and said so.
    let out = nonius(["solve", &data("hilbert60.mtx"), "--precision", "qd"]).success();
    assert!(out.contains("about 0 of 62") && out.contains("too ill-conditioned for qd"), "{out}");
    let out = nonius(["solve", &data("hilbert20.mtx"), "--precision", "f64"]).success();
    assert!(out.contains("try --precision dd"), "{out}");
    // An exact zero on the diagonal of the factors: a condition beyond all numbers.
    let folder = Folder::new();
    let singular = folder.matrix("s.mtx", &[&["1", "1"], &["1", "1"]]);
    let out = nonius(["determinant", &singular, "--precision", "mp424"]).success();
    assert!(out.contains("condition estimate    infinite\n"), "{out}");
}

#[test]
fn numerical_failures() {
    let folder = Folder::new();
    let singular =
        folder.matrix("singular.mtx", &[&["1", "2", "3"], &["2", "4", "6"], &["0", "0", "1"]]);
    for method in ["auto", "gauss-jordan", "lu"] {
        let message = nonius(["solve", &singular, "--method", method]).failure(1);
        assert_eq!(
            message,
            format!("{singular}: the matrix is singular: no nonzero pivot in column 2")
        );
    }
    let indefinite = folder.matrix("indefinite.mtx", &[&["1", "2"], &["2", "1"]]);
    let message = nonius(["solve", &indefinite, "--method", "cholesky"]).failure(1);
    assert_eq!(
        message,
        format!("{indefinite}: the matrix is not positive definite: pivot -3e0 in row 2")
    );
    let out = nonius(["solve", &indefinite]).success();
    assert!(out.contains("lu (not Cholesky: the matrix is not positive definite"), "{out}");
    let ran = nonius(["solve", &indefinite, "--method", "cholesky", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, report["exit_code"].as_i64()), (1, Some(1)));
}

#[test]
fn the_ends_of_the_range() {
    let folder = Folder::new();
    let large = folder.matrix("large.mtx", &[&["1e308", "1e308"], &["1e308", "-1e308"]]);
    assert_eq!(
        nonius(["solve", &large]).failure(1),
        format!(
            "{large}: a number exceeds the range of the format in column 1 of A · ones: \
             mp precisions, as mp424, have a wider range of exponents"
        )
    );
    // The inverse is beyond the range of f64; the condition is that of the balanced matrix.
    let small = folder.matrix("small.mtx", &[&["1e-320"]]);
    let report = nonius(["solve", &small, "--json"]).json();
    let condition = report["condition_estimate"].as_f64().unwrap();
    assert!((condition - 1.0).abs() <= f64::EPSILON, "{condition}");
}

#[test]
fn inputs_that_do_not_fit() {
    let folder = Folder::new();
    let wide = folder.matrix("wide.mtx", &[&["1", "2"]]);
    let empty = folder.file("empty.mtx", "%%MatrixMarket matrix array real general\n0 0\n");
    assert_eq!(
        nonius(["solve", &empty]).failure(2),
        format!("{empty}: expected a matrix of at least one row and column, found 0 × 0")
    );
    let a = folder.matrix("a.mtx", &[&["1", "2"], &["0.5", "3"]]);
    assert_eq!(
        nonius(["solve", &a, &wide]).failure(2),
        format!("{wide}: expected 2 rows, as {a} has, found 1")
    );
    let message = nonius(["solve", &a, "--method", "cholesky"]).failure(2);
    assert!(message.starts_with(&format!("{a}: the matrix is not symmetric")), "{message}");
}

/// Large enough that factorisations multiply matrices.
#[test]
fn arithmetics() {
    let (a, device) = (data("bcsstk14.mtx.xz"), ["--device", "cpu"]);
    for arithmetic in ["ieee", "ieee-sloppy", "cray", "sloppy"] {
        let flags = ["--precision", "dd", "--arithmetic", arithmetic, "--json"];
        let report = nonius(["solve", &a].into_iter().chain(device).chain(flags)).json();
        assert_eq!(report["arithmetic"], arithmetic);
        // Higham, theorem 10.4, as above; far above what is found, far below what f64 gives.
        let bound = 3.0 * 1806.0 * 1806.0 * Dd::UNIT_ROUNDOFF;
        assert!(report["relative_residual"].as_f64().unwrap() <= bound);
    }
}

/// Rows and columns of other sizes make a condition that the digits do not suffer from.
#[test]
fn a_large_condition_beside_digits() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1e200", "0"], &["0", "1e-200"]]);
    let out = nonius(["solve", &a, "--precision", "mp128"]).success();
    let line = "condition estimate    at least 1.0e400; far less with rows and columns scaled, as solved\n";
    assert!(out.contains(line) && out.contains("about 37 of 38\n"), "{out}");
    let out = nonius(["solve", &data("hilbert40.mtx"), "--precision", "f64"]).success();
    assert!(out.contains("at least") && !out.contains("scaled"), "{out}");
}
