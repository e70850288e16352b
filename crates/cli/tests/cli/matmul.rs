use std::fs;

use nonius::dense::Arithmetic;
use nonius::num::{Decimal, Fixed, Plain, Real};
use nonius::{Dd, Matrix, Number, Qd};
use serde_json::Value;

use crate::{Folder, data, nonius};

/// This factor covers terms of second order and the rounding of a bound itself.
const FIRST_ORDER: f64 = 1.0 + 1e-9;

/// The product with its arguments, as an array.
fn product<T: Number + Plain + Fixed>(folder: &Folder, arguments: &[&str]) -> Matrix<T> {
    let out = folder.path("out.mtx");
    let all = ["matmul"].into_iter().chain(arguments.iter().copied());
    nonius(all.chain(["--precision", T::NAME, "-o", &out])).success();
    folder.read("out.mtx")
}

#[test]
fn transposes_and_factors() {
    let folder = Folder::new();
    // 2 × 3 and 3 × 2, and the same transposed.
    let a = folder.matrix("a.mtx", &[&["1", "2", "3"], &["4", "5", "6"]]);
    let at = folder.matrix("at.mtx", &[&["1", "4"], &["2", "5"], &["3", "6"]]);
    let b = folder.matrix("b.mtx", &[&["1", "0"], &["-1", "2"], &["0.5", "3"]]);
    let bt = folder.matrix("bt.mtx", &[&["1", "-1", "0.5"], &["0", "2", "3"]]);
    let c = folder.matrix("c.mtx", &[&["10", "20"], &["30", "40"]]);
    let expected = [0.5, 2.0, 13.0, 28.0];
    let all: [&[&str]; 4] = [
        &[&a, &b],
        &[&at, &b, "--transpose-a"],
        &[&a, &bt, "--transpose-b"],
        &[&at, &bt, "--transpose-a", "--transpose-b"],
    ];
    for arguments in all {
        assert_eq!(product::<f64>(&folder, arguments).as_slice(), expected);
        let more = ["--alpha", "-2", "--beta", "0.5", "--c", &c];
        let arguments: Vec<&str> = arguments.iter().copied().chain(more).collect();
        let scaled = product::<f64>(&folder, &arguments);
        assert_eq!(scaled.as_slice(), [4.0, 11.0, -16.0, -36.0]);
    }
    let added = product::<f64>(&folder, &[&a, &b, "--c", &c]);
    assert_eq!(added.as_slice(), [10.5, 32.0, 33.0, 68.0]);
    let gram = product::<f64>(&folder, &[&a, &a, "--transpose-a"]);
    assert_eq!(gram.as_slice(), [17.0, 22.0, 27.0, 22.0, 29.0, 36.0, 27.0, 36.0, 45.0]);
}

/// The factors are numbers of the precision, not of f64.
#[test]
fn decimal_factors() {
    let folder = Folder::new();
    let one = folder.matrix("one.mtx", &[&["1"]]);
    let out =
        product::<Qd>(&folder, &[&one, &one, "--alpha", "0.1", "--beta", "1e-40", "--c", &one]);
    let tenth = Qd::from_decimal(b"0.1").unwrap() + Qd::from_decimal(b"1e-40").unwrap();
    // One rounding of the product and one of the sum, each at most 4u.
    assert!((out[(0, 0)] - tenth).abs().to_f64() <= 8.0 * Qd::UNIT_ROUNDOFF * 0.1);
    assert!(out[(0, 0)] != Qd::from_f64(0.1));
    assert_eq!(
        nonius(["matmul", &one, &one, "--alpha", "one"]).failure(2),
        "--alpha: expected a finite decimal number in the range of dd, found `one`"
    );
    assert_eq!(
        nonius(["matmul", &one, &one, "--beta", "nan", "--c", &one]).failure(2),
        "--beta: expected a finite decimal number in the range of dd, found `nan`"
    );
}

#[test]
fn shapes() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1", "2", "3"]]);
    let b = folder.matrix("b.mtx", &[&["1", "2"]]);
    assert_eq!(
        nonius(["matmul", &a, &b]).failure(2),
        format!(
            "{a} (1 × 3) cannot be multiplied by {b} (1 × 2): expected as many columns as rows, found 3 and 1"
        )
    );
    assert_eq!(
        nonius(["matmul", &a, &b, "--transpose-b"]).failure(2),
        format!(
            "{a} (1 × 3) cannot be multiplied by {b} (1 × 2, transposed): \
             expected as many columns as rows, found 3 and 2"
        )
    );
    assert_eq!(
        nonius(["matmul", &a, &b, "--transpose-a", "--c", &a]).failure(2),
        format!("{a}: expected the shape of the product, 3 × 2, found 1 × 3")
    );
}

#[test]
fn a_result_that_does_not_fit() {
    let folder = Folder::new();
    let coordinate = |name, sizes| {
        let text = format!("%%MatrixMarket matrix coordinate real general\n{sizes}\n");
        folder.file(name, &text)
    };
    let (a, b) = (coordinate("a.mtx", "900000000000 0 0"), coordinate("b.mtx", "0 900000000000 0"));
    let message = nonius(["matmul", &a, &b]).failure(2);
    let product = format!("{a} · {b}: the product of 900000000000 × 900000000000");
    let expected = format!("{product}: 13.0 YB of memory needed, ");
    assert!(message.starts_with(&expected), "{message}");
    let large = folder.matrix("large.mtx", &[&["1e300"]]);
    let out = folder.path("out.mtx");
    let message = |factor: &str| {
        format!(
            "{factor} · {factor}: a number exceeds the range of the format in column 1 of the product: \
             mp precisions, as mp424, have a wider range of exponents"
        )
    };
    // Whether the product is written or not, and of the matrix added too.
    assert_eq!(nonius(["matmul", &large, &large, "-o", &out]).failure(1), message(&large));
    assert_eq!(nonius(["matmul", &large, &large]).failure(1), message(&large));
    let one = folder.matrix("one.mtx", &[&["1"]]);
    let added = ["matmul", &one, &one, "--beta", "1e300", "--c", &large];
    assert_eq!(nonius(added).failure(1), message(&one));
    // The advice helps.
    nonius(["matmul", &large, &large, "--precision", "mp424"]).success();
    assert!(!folder.names().contains(&"out.mtx".to_string()));
}

/// Columns without entries take neither memory nor time.
#[test]
fn empty_shapes() {
    let folder = Folder::new();
    let array = |name, sizes| {
        folder.file(name, &format!("%%MatrixMarket matrix array real general\n{sizes}\n"))
    };
    let (none, wide) = (array("none.mtx", "0 0"), array("wide.mtx", "0 1000000000000000000"));
    let out = product::<Qd>(&folder, &[&none, &wide]);
    assert_eq!(out.shape(), (0, 1_000_000_000_000_000_000));
    assert_eq!(product::<f64>(&folder, &[&wide, &wide, "--transpose-b"]).shape(), (0, 0));
}

#[test]
fn reports() {
    let a = data("nos4.mtx.xz");
    let out = nonius(["matmul", &a, &a, "--threads", "1"]).success();
    for part in ["nos4.mtx.xz: 100 × 100", "dd: 104 bits", "cpu, 1 thread", "GFLOPS"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let report = nonius(["matmul", &a, &a, "--json"]).json();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(|key| &**key).collect();
    let expected = [
        "seconds",
        "gflops",
        "precision",
        "arithmetic",
        "device",
        "device_reason",
        "out_of_core",
        "engine",
        "bits",
        "moduli",
        "fallback",
        "rows",
        "columns",
        "terms",
    ];
    assert!(
        keys.len() == expected.len() && expected.iter().all(|key| keys.contains(key)),
        "{keys:?}"
    );
    assert!(report["gflops"].as_f64().unwrap() > 0.0);
    for (key, value) in
        [("precision", "dd"), ("arithmetic", "delayed"), ("device", "cpu"), ("engine", "direct")]
    {
        assert_eq!(report[key], value);
    }
    // A hundred rows are no work for a GPU, whether there is one or not.
    assert!(report["device_reason"].as_str().unwrap().contains("to start a GPU"));
    let report = nonius(["matmul", &a, &a, "--json", "--device", "cpu"]).json();
    assert!(report["device_reason"].is_null());
    let ran = nonius(["matmul", &a, &a, "--verbose", "--threads", "2"]);
    assert!(ran.err.starts_with("nonius: the product ran on cpu, 2 threads: an estimated "));
    let ran = nonius(["matmul", &a, &a, "-o", "-"]);
    assert!(ran.err.contains("GFLOPS") && ran.out.starts_with("%%MatrixMarket matrix array"));
    assert_eq!(nonius(["matmul", &a, &a, "--quiet"]).success(), "");
}

#[test]
fn threads_do_not_change_the_result() {
    let folder = Folder::new();
    let a = data("bcsstk01.mtx.xz");
    let one = product::<Dd>(&folder, &[&a, &a, "--threads", "1"]);
    assert!(one == product::<Dd>(&folder, &[&a, &a, "--threads", "3"]));
    assert!(one[(0, 0)] != Dd::ZERO);
}

#[test]
fn engines() {
    let folder = Folder::new();
    let a = data("nos4.mtx.xz");
    let direct = product::<Qd>(&folder, &[&a, &a, "--engine", "direct"]);
    let crt = product::<Qd>(&folder, &[&a, &a, "--engine", "crt"]);
    let normwise = ["--engine", "crt", "--accuracy", "normwise", "--workspace", "1"];
    let normwise = product::<Qd>(&folder, &[&[&a[..], &a], &normwise[..]].concat());
    let dense = folder.path("a.mtx");
    nonius(["convert", &a, "--precision", "qd", "--format", "array", "-o", &dense]).success();
    let entries = folder.read::<Qd>("a.mtx");
    let n = entries.rows();
    let size = |i, k| entries[(i, k)].abs().to_f64();
    let units = Arithmetic::Delayed.error::<Qd>(n) * Qd::UNIT_ROUNDOFF;
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let terms: f64 = (0..n).map(|k| size(i, k) * size(k, j)).sum();
        let bound = units * terms * FIRST_ORDER;
        assert!((crt[(i, j)] - direct[(i, j)]).abs().to_f64() <= 2.0 * bound, "({i}, {j})");
        // Normwise: k·2^(2 − t) times the largest entries of row and column, and a rounding.
        let largest = |line| (0..n).map(|k| size(line, k)).fold(0.0, f64::max);
        let lost = n as f64 * 2_f64.powi(2 - 4 * 53) * largest(i) * largest(j);
        let error = (normwise[(i, j)] - direct[(i, j)]).abs().to_f64();
        assert!(error <= bound + lost + Qd::UNIT_ROUNDOFF * terms, "({i}, {j})");
    }
    let report = nonius(["matmul", &a, &a, "--engine", "crt", "--json"]).json();
    assert_eq!(report["engine"], "crt");
    assert!(report["fallback"].is_null());
    assert!(report["bits"].as_u64() >= Some(106) && report["moduli"].as_u64() >= Some(8));
    let out = nonius(["matmul", &a, &a, "--engine", "crt"]).success();
    assert!(out.contains(" moduli, entries of "), "{out}");

    // Numbers that no integers of a few hundred bits hold beside each other.
    let spread = folder
        .file("spread.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n1e-300\n1e150\n");
    let report = nonius(["matmul", &spread, &spread, "--engine", "crt", "--json"]).json();
    assert_eq!(report["engine"], "direct");
    assert!(report["fallback"].as_str().unwrap().starts_with("exponents spread"), "{report}");

    let message = nonius(["matmul", &a, &a, "--engine", "crt", "--arithmetic", "ieee"]).failure(2);
    assert!(message.contains("ieee arithmetic is for the direct engine"), "{message}");
}

/// Other bits, within the bounds of both.
#[test]
fn arithmetics() {
    let folder = Folder::new();
    let a = data("bcsstk01.mtx.xz");
    let dense = folder.path("a.mtx");
    nonius(["convert", &a, "--precision", "dd", "--format", "array", "-o", &dense]).success();
    let entries = folder.read::<Dd>("a.mtx");
    let delayed = product::<Dd>(&folder, &[&a, &a]);
    for arithmetic in Arithmetic::ALL.into_iter().filter(|&a| a != Arithmetic::Delayed) {
        let other = product::<Dd>(&folder, &[&a, &a, "--arithmetic", arithmetic.name()]);
        let (n, mut differ) = (entries.rows(), false);
        let units = arithmetic.error::<Dd>(n) + Arithmetic::Delayed.error::<Dd>(n);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let terms = (0..n).map(|k| (entries[(i, k)] * entries[(k, j)]).abs().to_f64());
            let bound = units * Dd::UNIT_ROUNDOFF * terms.sum::<f64>() * FIRST_ORDER;
            assert!((other[(i, j)] - delayed[(i, j)]).abs().to_f64() <= bound, "{arithmetic}");
            differ |= other[(i, j)] != delayed[(i, j)];
        }
        assert!(differ, "{arithmetic}");
        let flags = ["--arithmetic", arithmetic.name(), "--json"];
        let report = nonius(["matmul", &a, &a].into_iter().chain(flags)).json();
        assert_eq!(report["arithmetic"], arithmetic.name());
    }
}

/// Numbers of any precision: read, multiplied and written to their last digit.
#[test]
fn any_number_of_bits() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.1", "1e-400"], &["-2", "1e300000"]]);
    let b = folder.matrix("b.mtx", &[&["10", "0"], &["1e400", "2"]]);
    let c = folder.matrix("c.mtx", &[&["0.25", "0"], &["0", "0"]]);
    let out = folder.path("out.mtx");
    let flags = ["--precision", "mp424", "--c", &c, "--alpha", "2", "--json", "-o", &out];
    let report = nonius(["matmul", &a, &b].into_iter().chain(flags)).json();
    for (key, value) in [("precision", "mp424"), ("device", "cpu"), ("engine", "direct")] {
        assert_eq!(report[key], value, "{report}");
    }
    let reason = report["device_reason"].as_str().unwrap();
    assert!(reason.starts_with("an estimated"), "{reason}");
    let text = fs::read_to_string(&out).unwrap();
    let numbers: Vec<&str> = text.lines().skip(3).collect();
    assert_eq!(numbers, ["4.25", "2e300400", "4e-400", "4e300000"]);
    // Exponents that spread by a million bits are left to the direct engine.
    let crt = ["--precision", "mp424", "--engine", "crt", "--json"];
    let report = nonius(["matmul", &a, &b].into_iter().chain(crt)).json();
    assert_eq!((&report["engine"], &report["moduli"]), (&"direct".into(), &0.into()));
    assert!(report["fallback"].as_str().unwrap().starts_with("exponents spread"), "{report}");
    let report = nonius(["matmul", &c, &c].into_iter().chain(crt)).json();
    assert_eq!((&report["engine"], &report["fallback"]), (&"crt".into(), &Value::Null));
    // An entry of the product has twice the bits; no processor's moduli have more than 22.
    let number = |key: &str| report[key].as_u64().unwrap();
    assert!(number("bits") >= 424 && 22 * number("moduli") > 2 * 424, "{report}");
    let summary = nonius(["matmul", &a, &b, "--precision", "mp1000"]).success();
    assert!(summary.contains("mp1000: 1000 bits, 301 digits"), "{summary}");
    let message =
        nonius(["matmul", &a, &b, "--precision", "mp424", "--arithmetic", "ieee"]).failure(2);
    assert_eq!(message, "--arithmetic: ieee arithmetic is for f64, dd, td and qd only, not for mp");
}
