use nonius::num::{Fixed, Plain};
use nonius::{Matrix, Number, Qd, Td};

use crate::{Folder, data, nonius};

/// The line through four points that no line goes through.
#[test]
fn least_squares() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1", "0"], &["1", "1"], &["1", "2"], &["1", "3"]]);
    let b = folder.matrix("b.mtx", &[&["1"], &["0"], &["0"], &["1"]]);
    let out = folder.path("x.mtx");
    let arguments = ["solve", &a, &b, "--precision", "qd", "-o", &out, "--json"];
    let report = nonius(arguments).json();
    assert_eq!(
        (&report["method"], &report["rows"], &report["columns"]),
        (&"qr".into(), &4.into(), &2.into())
    );
    // The residual is (1, −1, −1, 1)/2.
    assert_eq!(report["residual_norm"], 1.0);
    assert!(
        (report["relative_residual"].as_f64().unwrap() - 0.5_f64.sqrt()).abs()
            <= 2.0 * f64::UNIT_ROUNDOFF
    );
    assert!(report["correct_digits"].as_f64().unwrap() > 58.0);
    assert!(report["max_error"].is_null());
    let x = folder.read::<Qd>("x.mtx");
    let bound = 100.0 * Qd::UNIT_ROUNDOFF;
    assert!((x[(0, 0)] - Qd::from(0.5)).abs().to_f64() <= bound);
    assert!(x[(1, 0)].abs().to_f64() <= bound);
    let summary = nonius(["solve", &a]).success();
    assert!(
        summary.contains("qr (least squares)") && summary.contains("largest error"),
        "{summary}"
    );
}

#[test]
fn the_shortest_solution() {
    let folder = Folder::new();
    let wide = folder.matrix("wide.mtx", &[&["3", "4"]]);
    let b = folder.matrix("b.mtx", &[&["25"]]);
    let out = folder.path("x.mtx");
    let summary = nonius(["solve", &wide, &b, "-o", &out, "--precision", "td"]).success();
    assert!(summary.contains("qr (the shortest solution)"), "{summary}");
    let x = folder.read::<Td>("x.mtx");
    for (i, expected) in [3.0, 4.0].into_iter().enumerate() {
        let error = (x[(i, 0)] - Td::from(expected)).abs().to_f64();
        assert!(error <= 100.0 * Td::UNIT_ROUNDOFF);
    }
    // The shortest solution for A · ones is not all ones.
    assert!(nonius(["solve", &wide, "--json"]).json()["max_error"].is_null());
}

#[test]
fn systems_without_a_best_solution() {
    let folder = Folder::new();
    let flat = folder.matrix("flat.mtx", &[&["1", "2"], &["2", "4"], &["3", "6"]]);
    assert_eq!(
        nonius(["solve", &flat]).failure(1),
        format!(
            "{flat}: the matrix is rank deficient: to working precision its rank is 1, not 2, and no solution is the best"
        )
    );
    assert_eq!(
        nonius(["solve", &flat, "--method", "lu"]).failure(2),
        format!("{flat}: expected a square matrix for --method lu, found 3 × 2")
    );
}

#[test]
fn inverses() {
    let folder = Folder::new();
    let out = folder.path("x.mtx");
    let hilbert = data("hilbert20.mtx");
    let report = nonius(["inverse", &hilbert, "--precision", "qd", "-o", &out, "--json"]).json();
    assert_eq!(report["method"], "cholesky");
    assert!(report["correct_digits"].as_f64().unwrap() > 30.0);
    // n² entry of the inverse of a Hilbert matrix.
    let first = folder.read::<Qd>("x.mtx")[(0, 0)];
    // To the order times the condition.
    let condition = report["condition_estimate"].as_f64().unwrap();
    let bound = 20.0 * condition * Qd::UNIT_ROUNDOFF * 400.0;
    assert!((first - Qd::from(400.0)).abs().to_f64() <= bound);
    let a = folder.matrix("a.mtx", &[&["0", "2"], &["4", "0"]]);
    let summary = nonius(["inverse", &a, "-o", &out]).success();
    assert!(summary.contains("method                lu"), "{summary}");
    let x = folder.read::<f64>("x.mtx");
    assert_eq!(x, Matrix::from_fn(2, 2, |i, j| [[0.0, 0.25], [0.5, 0.0]][i][j]));
    let singular = folder.matrix("singular.mtx", &[&["1", "1"], &["1", "1"]]);
    let message = nonius(["inverse", &singular]).failure(1);
    assert!(message.contains("the matrix is singular"), "{message}");
    let tall = folder.matrix("tall.mtx", &[&["1"], &["1"]]);
    assert_eq!(
        nonius(["inverse", &tall]).failure(2),
        format!("{tall}: expected a square matrix of at least one row, found 2 × 1")
    );
}

/// Eigenvalues 2 − √2, 2, 2 + √2.
fn values_and_vectors<T: Number + Plain + Fixed>() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "-1", "0"], &["-1", "2", "-1"], &["0", "-1", "2"]]);
    let (values, vectors) = (folder.path("values.mtx"), folder.path("v.mtx"));
    let arguments =
        ["eigen", &a, "-o", &values, "--vectors", &vectors, "--precision", T::NAME, "--json"];
    let report = nonius(arguments).json();
    let bound = 100.0 * T::UNIT_ROUNDOFF;
    for figure in ["relative_residual", "orthogonality"] {
        assert!(report[figure].as_f64().unwrap() <= bound, "{figure}");
    }
    let root = T::sqrt_2(());
    let two = T::from_f64(2.0);
    let values = folder.read::<T>("values.mtx");
    for (i, expected) in [two - root, two, two + root].into_iter().enumerate() {
        assert!((values[(i, 0)] - expected).abs().to_f64() <= bound, "{}", T::NAME);
    }
    // The middle vector is (1, 0, −1)/√2, of either sign.
    let v = folder.read::<T>("v.mtx");
    assert!((v[(0, 1)].abs() - T::frac_1_sqrt_2(())).abs().to_f64() <= bound);
    assert!((v[(0, 1)] + v[(2, 1)]).abs().to_f64() <= bound);
    assert!(v[(1, 1)].abs().to_f64() <= bound);
}

#[test]
fn eigenvalues() {
    values_and_vectors::<f64>();
    values_and_vectors::<Td>();
    values_and_vectors::<Qd>();
    let a = data("bcsstk01.mtx.xz");
    let summary = nonius(["eigen", &a, "--values-only"]).success();
    assert!(summary.contains("largest") && !summary.contains("residual"), "{summary}");
    let report = nonius(["eigen", &a, "--values-only", "--json"]).json();
    assert!(report["orthogonality"].is_null());
    // From the condition number that the Matrix Market states, 8.8e5.
    let ratio = report["largest"].as_f64().unwrap() / report["smallest"].as_f64().unwrap();
    assert!((8.7e5..8.9e5).contains(&ratio), "{ratio:e}");
}

#[test]
fn singular_values() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1", "2"], &["2", "4"], &["3", "6"]]);
    let [values, left, right] = ["s.mtx", "u.mtx", "v.mtx"].map(|name| folder.path(name));
    let arguments = ["svd", &a, "-o", &values, "--left", &left, "--right", &right];
    let summary = nonius(arguments.into_iter().chain(["--precision", "qd"])).success();
    assert!(summary.contains("rank                  1 of 2"), "{summary}");
    let [s, u, v] = ["s.mtx", "u.mtx", "v.mtx"].map(|name| folder.read::<Qd>(name));
    assert_eq!([s.shape(), u.shape(), v.shape()], [(2, 1), (3, 2), (2, 2)]);
    let bound = 1000.0 * Qd::UNIT_ROUNDOFF;
    assert!((s[(0, 0)] * s[(0, 0)] - Qd::from(70.0)).abs().to_f64() <= 10.0 * bound);
    assert!(s[(1, 0)].to_f64() <= bound);
    let back = u[(2, 0)] * s[(0, 0)] * v[(1, 0)] + u[(2, 1)] * s[(1, 0)] * v[(1, 1)];
    assert!((back - Qd::from(6.0)).abs().to_f64() <= bound);
    let report = nonius(["svd", &a, "--values-only", "--json"]).json();
    assert_eq!(report["rank"], 1);
    assert!(report["relative_residual"].is_null());
    // Of a matrix whose smallest value is lost, the condition is the same with and without vectors.
    let path = data("hilbert40.mtx");
    let condition = |more: &[&str]| {
        let report = nonius(["svd", &path, "--json"].iter().chain(more)).json();
        assert!(report["rank"].as_u64().unwrap() < 40, "{report}");
        report["condition"].as_f64().unwrap()
    };
    let [with, without] = [condition(&[]), condition(&["--values-only"])];
    // Of 106 bits and 40 rows.
    let least = 2.0_f64.powi(106) / 40.0;
    assert!((with / without - 1.0).abs() < 1e-12 && with / least < 2.0, "{with:e} {without:e}");
    let summary = nonius(["svd", &path]).success();
    assert!(summary.contains("\ncondition             at least "), "{summary}");
    let zero = folder.matrix("zero.mtx", &[&["0", "0"]]);
    let report = nonius(["svd", &zero, "--json"]).json();
    assert_eq!((&report["rank"], &report["condition"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn inputs_that_do_not_fit() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1", "2"], &["3", "4"]]);
    let message = nonius(["eigen", &a]).failure(2);
    assert!(message.starts_with(&format!("{a}: the matrix is not symmetric")), "{message}");
    let empty = folder.file("empty.mtx", "%%MatrixMarket matrix array real general\n0 0\n");
    for command in ["eigen", "inverse"] {
        assert_eq!(
            nonius([command, &empty]).failure(2),
            format!("{empty}: expected a square matrix of at least one row, found 0 × 0")
        );
    }
    assert_eq!(
        nonius(["svd", &empty]).failure(2),
        format!("{empty}: expected a matrix of at least one row and column, found 0 × 0")
    );
    let large = folder.matrix("large.mtx", &[&["1e308", "1e308"], &["1e308", "1e308"]]);
    let message = nonius(["eigen", &large]).failure(1);
    assert_eq!(
        message,
        format!(
            "{large}: a number exceeds the range of the format in column 2 of the eigenvalues: \
             mp precisions, as mp424, have a wider range of exponents"
        )
    );
    assert_eq!(
        nonius(["svd", &a, "--left", "-", "--right", "-"]).failure(2),
        "--left and --right both go to standard output: give one of them a file"
    );
    let ran = nonius(["eigen", &a, "--values-only", "--vectors", "v.mtx"]);
    assert_eq!(ran.code, 2);
    assert_eq!(folder.names(), ["a.mtx", "empty.mtx", "large.mtx"]);
}
