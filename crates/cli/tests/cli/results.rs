//! Results that no file takes are shown where they are small, and named where they are not.

use crate::sdp::example;
use crate::{Folder, data, nonius, tridiag};

/// How to get what is not shown.
const NOT_WRITTEN: &str = "not written: give -o FILE, or -o - for standard output";

/// The lines of a summary below a label, up to the next one.
fn below(summary: &str, label: &str) -> Vec<String> {
    let mut lines = summary.lines().skip_while(|line| *line != label);
    assert!(lines.next().is_some(), "{label} is not in\n{summary}");
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string()).collect()
}

#[test]
fn small_results_are_shown() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "0"], &["0", "-4"]]);
    let b = folder.matrix("b.mtx", &[&["3", "1"], &["1", "2"]]);
    let tall = folder.matrix("tall.mtx", &[&["2"], &["2"]]);
    let f64 = ["--precision", "f64"];
    for (arguments, label, expected) in [
        (&["solve", &a, &b][..], "solution", &["1.5   0.5", "-0.25  -0.5"][..]),
        (&["solve", &tall, &a], "solution", &["0.5  -1"]),
        (&["matmul", &a, &b], "product", &["6   2", "-4  -8"]),
        (&["inverse", &a], "inverse", &["0.5   0", "0    -0.25"]),
        (&["eigen", &a], "eigenvalues", &["-4", "2"]),
        (&["svd", &a], "singular values", &["4", "2"]),
        (&["cg", &a, "--method", "minres"], "solution", &["0.5", "-0.25"]),
    ] {
        let summary = nonius(arguments.iter().chain(&f64)).success();
        let expected: Vec<Vec<&str>> =
            expected.iter().map(|line| line.split_whitespace().collect()).collect();
        let found = below(&summary, label);
        let found: Vec<Vec<&str>> =
            found.iter().map(|line| line.split_whitespace().collect()).collect();
        // Roundings apart.
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            let [found, expected] = [found, expected].map(|text| text.parse::<f64>().unwrap());
            assert!((found - expected).abs() <= 8.0 * f64::EPSILON, "{arguments:?}\n{summary}");
        }
        let shape = |rows: &[Vec<&str>]| (rows.len(), rows[0].len());
        assert_eq!(shape(&found), shape(&expected), "{summary}");
        // Not where a file has them, and not where nobody wants to hear of them.
        let file = folder.path("x.mtx");
        let summary = nonius(arguments.iter().chain(&f64).chain(&["-o", &file])).success();
        assert!(!summary.contains(label) && !summary.contains(NOT_WRITTEN), "{summary}");
        assert_eq!(nonius(arguments.iter().chain(&f64).chain(&["-q"])).success(), "");
    }
    let summary = nonius(["solve", &a, &b, "--digits", "5"]).success();
    assert_eq!(below(&summary, "solution"), ["1.5    0.5", "-0.25  -0.5"]);
}

#[test]
fn every_digit_is_shown() {
    let folder = Folder::new();
    let third = folder.matrix("third.mtx", &[&["3"]]);
    let one = folder.matrix("one.mtx", &[&["1"]]);
    for (precision, digits) in [("f64", 15), ("qd", 62), ("mp1000", 301)] {
        let summary = nonius(["solve", &third, &one, "--precision", precision]).success();
        let count = below(&summary, "solution")[0].bytes().filter(|&digit| digit == b'3').count();
        // A text that reads back as the same number has a few digits more.
        assert!((digits..digits + 5).contains(&count), "{precision}: {summary}");
    }
    // Lines that nobody reads are not.
    let summary = nonius(["solve", &third, &one, "--precision", "mp4096"]).success();
    assert!(summary.contains(&format!("solution              {NOT_WRITTEN}\n")), "{summary}");
}

#[test]
fn large_results_are_named() {
    let a = data("bcsstk01.mtx.xz");
    for (command, label) in [
        ("solve", "solution"),
        ("inverse", "inverse"),
        ("eigen", "eigenvalues"),
        ("svd", "singular values"),
        ("cg", "solution"),
    ] {
        let summary = nonius([command, &a]).success();
        assert!(summary.contains(&format!("\n{label:<20}  {NOT_WRITTEN}\n")), "{summary}");
    }
    let summary = nonius(["matmul", &a, &a]).success();
    assert!(summary.contains(&format!("\nproduct               {NOT_WRITTEN}\n")), "{summary}");
    let summary = nonius(["tridiag", "--systems", "5", "--size", "3"]).success();
    assert!(summary.contains(&format!("\nsolutions             {NOT_WRITTEN}\n")), "{summary}");
    let summary = nonius(["sdp", &data("sdplib/theta1.dat-s.xz"), "--precision", "f64"]).success();
    assert!(summary.contains(&format!("\nx, X and Y            {NOT_WRITTEN}\n")), "{summary}");
    // Of several precisions no file takes a solution.
    let summary = nonius(["cg", &a, "--precision", "dd,qd"]).success();
    assert!(!summary.contains("-o FILE"), "{summary}");
}

#[test]
fn vectors_are_named() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    let file = folder.path("v.mtx");
    let summary = nonius(["eigen", &a]).success();
    assert!(summary.contains("\neigenvectors          not written: give --vectors FILE\n"));
    for quiet in [&["eigen", &a, "--vectors", &file][..], &["eigen", &a, "--values-only"]] {
        assert!(!nonius(quiet).success().contains("eigenvectors"));
    }
    let summary = nonius(["svd", &a]).success();
    let line = "\nsingular vectors      not written: give --left FILE and --right FILE\n";
    assert!(summary.contains(line), "{summary}");
    let summary = nonius(["svd", &a, "--left", &file]).success();
    assert!(summary.contains("\nsingular vectors      not written: give --right FILE\n"));
    assert!(!nonius(["svd", &a, "--values-only"]).success().contains("singular vectors"));
}

#[test]
fn unknowns_and_points_are_shown() {
    let folder = Folder::new();
    for fortran in [false, true] {
        let paths = tridiag::systems(&folder, fortran);
        let summary = nonius(tridiag::arguments(&paths, &["--precision", "qd"])).success();
        let rows = below(&summary, "solutions");
        let rows: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| row.split_whitespace().map(|x| x.parse().unwrap()).collect())
            .collect();
        // A column for each system.
        let expected = [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]];
        assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == 2), "{summary}");
        for (x, y) in rows.iter().flatten().zip(expected.iter().flatten()) {
            assert!((x - y).abs() <= 4.0 * f64::EPSILON, "{summary}");
        }
    }
    let problem = example(&folder);
    let summary = nonius(["sdp", &problem]).success();
    assert_eq!(below(&summary, "x").len(), 3, "{summary}");
    let result = folder.path("result");
    assert!(!nonius(["sdp", &problem, "-o", &result]).success().contains("\nx\n"));
}
