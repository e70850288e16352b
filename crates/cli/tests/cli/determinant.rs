//! `nonius determinant`

use std::fs;

use crate::{Folder, data, nonius};

#[test]
fn at_a_precision() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["7", "0.5"]]);
    let report = nonius(["determinant", &a, "--precision", "f64", "--json"]).json();
    assert_eq!((&report["determinant"], &report["sign"]), (&"-6".into(), &(-1).into()));
    assert!(report["correct_digits"].as_f64().unwrap() > 12.0 && report["rows"] == 2);
    let out = folder.path("d.mtx");
    let summary = nonius(["determinant", &a, "-o", &out]).success();
    assert!(summary.contains("determinant           -6\n"), "{summary}");
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.ends_with("\n1 1\n-6\n"), "{text}");
    // Beyond the range of f64.
    let rows: [&[&str]; 3] = [&["1e200", "0", "0"], &["0", "1e200", "0"], &["0", "0", "-3e200"]];
    let a = folder.matrix("b.mtx", &rows);
    let report = nonius(["determinant", &a, "--precision", "qd", "--json"]).json();
    let text = report["determinant"].as_str().unwrap();
    assert!(text.starts_with('-') && (text.ends_with("e599") || text.ends_with("e600")), "{text}");
    // Beyond the range of every number.
    let x = "1e50000000";
    let rows: [&[&str]; 4] =
        [&[x, "0", "0", "0"], &["0", x, "0", "0"], &["0", "0", x, "0"], &["0", "0", "0", x]];
    let huge = folder.matrix("huge.mtx", &rows);
    let message = nonius(["determinant", &huge, "--precision", "mp424"]).failure(1);
    let start = format!("{huge}: the determinant is about 2^664385619, beyond the range");
    assert!(message.starts_with(&start) && message.contains(": scale A: "), "{message}");
    let singular = folder.matrix("c.mtx", &[&["1", "2"], &["2", "4"]]);
    let report = nonius(["determinant", &singular, "--json"]).json();
    assert!(report["determinant"] == "0" && report["sign"] == 0, "{report}");
    assert!(report["condition_estimate"].is_null());
    let flat = folder.matrix("flat.mtx", &[&["1", "2"]]);
    let message = nonius(["determinant", &flat]).failure(2);
    assert!(message.contains("expected a square matrix"), "{message}");
}

#[test]
fn with_proved_digits() {
    let folder = Folder::new();
    // 0.1·(−0.2) − 0.3·0.7, exactly.
    let a = folder.matrix("a.mtx", &[&["0.1", "0.3"], &["0.7", "-0.2"]]);
    let report = nonius(["determinant", &a, "--digits", "30", "--json"]).json();
    assert_eq!((&report["determinant"], &report["sign"]), (&"-0.23".into(), &(-1).into()));
    assert!(report["exact"] == true && report["digits_certified"].is_null(), "{report}");
    assert!(report["error_bound"] == 0.0 && report["route"][0]["precision"].is_string());
    let out = folder.path("d.mtx");
    let summary = nonius(["determinant", &a, "--digits", "30", "-o", &out]).success();
    assert!(summary.contains("all: the determinant is exact"), "{summary}");
    assert!(fs::read_to_string(&out).unwrap().ends_with("\n1 1\n-0.23\n"));
    // Decimals of 80 digits next to 1/(i + j + 1), whose determinant is 4.2061789567e-226.
    let hilbert = data("hilbert20.mtx");
    let report = nonius(["determinant", &hilbert, "--digits", "40", "--json"]).json();
    let text = report["determinant"].as_str().unwrap();
    assert!(text.starts_with("4.2061789566") && text.ends_with("e-226"), "{text}");
    assert!(report["digits_certified"].as_u64().unwrap() >= 40, "{report}");
    // Half a unit of the 40th digit.
    const DIGITS_40: f64 = 0.5e-40;
    assert!(report["error_bound"].as_f64().unwrap() <= DIGITS_40);
    let condition = report["condition_estimate"].as_f64().unwrap();
    assert!((1e28..1e29).contains(&condition), "{condition:e}");
    let zero = folder.matrix("z.mtx", &[&["1", "0"], &["2", "0"]]);
    let report = nonius(["determinant", &zero, "--digits", "9", "--json"]).json();
    assert!(report["determinant"] == "0" && report["exact"] == true && report["sign"] == 0);
}

#[test]
fn what_is_refused() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.1", "1e-400"], &["0.3", "0.3"]]);
    let limited = ["determinant", &a, "--digits", "200", "--max-precision", "mp512"];
    let message = nonius(limited).failure(1);
    assert!(message.contains("512"), "{message}");
    let flat = folder.matrix("flat.mtx", &[&["1", "2"]]);
    let message = nonius(["determinant", &flat, "--digits", "10"]).failure(2);
    assert!(message.contains("expected a square matrix"), "{message}");
    let message = nonius(["determinant", &a, "--digits", "100000"]).failure(2);
    assert!(message.contains("expected at most 1000 digits"), "{message}");
    let ran = nonius(["determinant", &a, "--digits", "10", "--precision", "qd"]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
    let ran = nonius(["determinant", &a, "--max-precision", "mp512"]);
    assert!(ran.code == 2 && ran.err.contains("--digits"), "{}", ran.err);
}
