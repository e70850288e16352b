//! `nonius solve --digits`

use nonius::Qd;

use crate::{Folder, data, nonius};

/// Half a unit of the 40th digit, and of the 50th.
const DIGITS_40: f64 = 0.5e-40;
const DIGITS_50: f64 = 0.5e-50;

#[test]
fn digits_that_are_asked_for_are_proved() {
    let folder = Folder::new();
    let out = folder.path("x.mtx");
    let name = data("hilbert20.mtx");
    let report = nonius(["solve", &name, "--digits", "40", "--json", "-o", &out]).json();
    assert!(report["digits_certified"].as_u64().is_none_or(|digits| digits >= 40), "{report}");
    assert!(report["error_bound"].as_f64().unwrap() <= DIGITS_40);
    assert!(report["condition_estimate"].as_f64().unwrap() > 1e27);
    let route = report["route"].as_array().unwrap();
    assert!(route.len() > 1 && route[0]["precision"] == "f64" && route[1]["precision"] == "mp128");
    assert!(route.iter().all(|stage| stage["method"] == "inverse"), "{report}");
    assert!(route.iter().all(|stage| stage["seconds"].as_f64().unwrap() >= 0.0));
    assert!(route.iter().any(|stage| stage["steps"].as_u64().unwrap() > 0));
    // The solution is known: ones.
    for &x in folder.read::<Qd>("x.mtx").as_slice() {
        assert!((x - Qd::ONE).abs().to_f64() <= DIGITS_40);
    }
}

#[test]
fn decimals_are_those_of_the_file() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.1", "0.2"], &["0.7", "-0.3"]]);
    let b = folder.matrix("b.mtx", &[&["1"], &["0.55"]]);
    let out = folder.path("x.mtx");
    let summary = nonius(["solve", &a, &b, "--digits", "50", "-o", &out]).success();
    assert!(summary.contains("proved in every entry, 50 asked for"), "{summary}");
    // The determinant is −0.17, x = (−0.3 − 0.11, 0.055 − 0.7)/−0.17.
    let x = folder.read::<Qd>("x.mtx");
    for (row, numerator) in [41.0, 64.5].into_iter().enumerate() {
        let exact = Qd::from(numerator) / Qd::from(17.0);
        assert!(((x[(row, 0)] - exact) / exact).abs().to_f64() <= DIGITS_50);
    }
}

#[test]
fn integers_and_zeros() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["3", "1"], &["6", "5"]]);
    let b = folder.matrix("b.mtx", &[&["3"], &["6"]]);
    let report = nonius(["solve", &a, &b, "--digits", "20", "--json"]).json();
    assert!(report["exact"] == true && report["digits_certified"].is_null(), "{report}");
    let b = folder.matrix("c.mtx", &[&["1"], &["2"]]);
    let report = nonius(["solve", &a, &b, "--digits", "20", "--json"]).json();
    assert!(report["digits_certified"].as_u64().unwrap() >= 20, "{report}");
    // Decimals are integers times a power of ten, and so is a zero among them proved.
    let a = folder.matrix("d.mtx", &[&["0.3", "0.1"], &["0.6", "0.5"]]);
    let report = nonius(["solve", &a, &b, "--digits", "20", "--json"]).json();
    assert!(report["digits_certified"].as_u64().unwrap() >= 20, "{report}");
    // Where these would be too long no zero is.
    let a = folder.matrix("e.mtx", &[&["0.3", "0.1"], &["0.6", "5e-400"]]);
    let message = nonius(["solve", &a, &b, "--digits", "20"]).failure(1);
    assert!(message.contains("entry (2, 1) of the solution may be zero"), "{message}");
    let report =
        nonius(["solve", &a, &b, "--digits", "20", "--digits-in", "norm", "--json"]).json();
    assert!(report["digits_certified"].as_u64().unwrap() >= 20 && report["digits_in"] == "norm");
}

#[test]
fn triangles_are_solved_by_substitution() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.1", "0.2"], &["0", "-0.3"]]);
    let b = folder.matrix("b.mtx", &[&["1"], &["0.55"]]);
    let report = nonius(["solve", &a, &b, "--digits", "50", "--json"]).json();
    assert_eq!(report["route"][0]["method"], "substitution", "{report}");
    assert!(report["digits_certified"].as_u64().unwrap() >= 50, "{report}");
    let summary = nonius(["solve", &a, &b, "--digits", "50"]).success();
    assert!(summary.contains("substitution in mp"), "{summary}");
    let a = folder.matrix("c.mtx", &[&["0.1", "0"], &["7", "0"]]);
    nonius(["solve", &a, &b, "--digits", "50"]).failure(1);
    let a = folder.matrix("d.mtx", &[&["0", "0.1"], &["0", "7"]]);
    nonius(["solve", &a, &b, "--digits", "50"]).failure(1);
    let a = folder.matrix("e.mtx", &[&["0.1", "2", "3"], &["0", "0", "1"], &["0", "0", "4"]]);
    let message = nonius(["solve", &a, "--digits", "50"]).failure(1);
    assert!(message.contains("triangular, and entry (2, 2) of its diagonal is zero"), "{message}");
}

#[test]
fn definite_matrices_take_cholesky_factors() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.3", "0.1"], &["0.1", "0.2"]]);
    let report = nonius(["solve", &a, "--digits", "30", "--json"]).json();
    assert_eq!(report["route"][0]["method"], "cholesky", "{report}");
    assert!(report["exact"] == true, "{report}");
}

#[test]
fn what_has_no_solution_is_refused() {
    let folder = Folder::new();
    let rows: [&[&str]; 3] = [&["1", "2", "3"], &["4", "5", "6"], &["7", "8", "9"]];
    let a = folder.matrix("a.mtx", &rows);
    let message = nonius(["solve", &a, "--digits", "10"]).failure(1);
    assert!(message.contains("singular: its rank is 2 of 3"), "{message}");
    let ran = nonius(["solve", &a, "--digits", "10", "--json"]);
    let known: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(ran.code == 1 && known["exit_code"] == 1 && known["rank"] == 2, "{known}");
    assert!(known["route"][0]["precision"] == "f64" && known["error"].is_string(), "{known}");
    assert!(known["numerical_rank"].is_null() && known["bits_needed"].is_null(), "{known}");
    let few = ["solve", &a, "--digits", "10", "--max-precision", "mp128"];
    let message = nonius(few).failure(1);
    let claim = "its rank is 2 of 3, as found modulo two primes of 60 and 61 bits: certainly not less, and more only by an incredible coincidence";
    assert!(message.contains(claim), "{message}");
    let decimals = folder.matrix("c.mtx", &[&["0.1", "0.2"], &["0.3", "0.6"]]);
    let message = nonius(["solve", &decimals, "--digits", "10"]).failure(1);
    assert!(message.contains("singular: its rank is 1 of 2"), "{message}");
    let decimals = folder.matrix("d.mtx", &[&["1e-400", "2e-400"], &["0.3", "0.6"]]);
    let limited = ["solve", &decimals, "--digits", "10", "--max-precision", "mp512"];
    let message = nonius(limited).failure(1);
    assert!(message.contains("singular to mp512, the limit"), "{message}");
    assert!(message.contains("its numerical rank is 1 of 2: with rows and columns"), "{message}");
    assert!(message.contains("bits or more are needed (tried f64 to mp512)"), "{message}");
    let ran = nonius(limited.into_iter().chain(["--json"]));
    let known: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(known["numerical_rank"] == 1 && known["rank"].is_null(), "{known}");
    // Entries and pivots are at most 2: 5u times each pivot, as much for the rounding of what is
    // given, and as much again for what is left (`NumericalRank`).
    let most = 64.0 * 2.0_f64.powi(-512);
    assert!((0.0..most).contains(&known["rank_tolerance"].as_f64().unwrap()), "{known}");
    assert!(known["bits_needed"].as_u64().unwrap() > 512, "{known}");
    let zero = folder.matrix("e.mtx", &[&["1", "0"], &["2", "0"]]);
    let message = nonius(["solve", &zero, "--digits", "10"]).failure(1);
    assert!(message.contains("singular: column 2 has no entry other than zero"), "{message}");
    let ran = nonius(["solve", &zero, "--digits", "10", "--json"]);
    let known: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(known["zero_column"] == 2 && known["zero_row"].is_null(), "{known}");
    let out = folder.path("x.mtx");
    nonius(["solve", &a, "--digits", "10", "-o", &out]).failure(1);
    assert_eq!(folder.names(), ["a.mtx", "c.mtx", "d.mtx", "e.mtx"]);
    let flat = folder.matrix("flat.mtx", &[&["1", "2"]]);
    let message = nonius(["solve", &flat, "--digits", "10"]).failure(2);
    assert_eq!(
        message,
        format!(
            "{flat}: expected a square matrix of at least one row for --digits, found 1 × 2: \
             without --digits, X is the shortest solution"
        )
    );
    let tall = folder.matrix("tall.mtx", &[&["1"], &["2"]]);
    let message = nonius(["solve", &tall, "--digits", "10"]).failure(2);
    assert!(
        message.ends_with("found 2 × 1: without --digits, X minimises the residual"),
        "{message}"
    );
    let message = nonius(["solve", &a, &flat, "--digits", "10"]).failure(2);
    assert!(message.contains("expected 3 rows"), "{message}");
    let message = nonius(["solve", &a, "--digits", "100000"]).failure(2);
    assert!(message.contains("expected at most 1000 digits"), "{message}");
}

/// A limit that is too low is followed by one that does.
#[test]
fn advice_on_bits() {
    let a = data("hilbert40.mtx");
    let run =
        |limit: &str| nonius(["solve", &a, "--digits", "30", "--json", "--max-precision", limit]);
    for limit in ["mp128", "mp192", "mp256", "mp296"] {
        let ran = run(limit);
        let known: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let needed = known["bits_needed"].as_u64().unwrap();
        assert_eq!(ran.code, 1, "{known}");
        let message = known["error"].as_str().unwrap();
        let advice = format!("; about {needed} bits or more are needed (tried f64 to {limit})");
        assert!(message.ends_with(&advice), "{message}");
        assert_eq!(run(&format!("mp{needed}")).code, 0, "{limit} {needed}");
    }
    let message = nonius(["solve", &a, "--digits", "30", "--max-precision", "mp256"]).failure(1);
    let cause = ": --max-precision rounds the numbers when they are read, to too few bits for the digits asked for; ";
    assert!(message.contains(cause), "{message}");
    // Where products with inverses end and twice as many bits are too many, elimination is left.
    assert_eq!(run("mp512").json()["exact"], true);
}

#[test]
fn flags_that_do_not_go_together() {
    for flag in [["--precision", "qd"], ["--method", "lu"], ["--engine", "crt"]] {
        let ran = nonius(["solve", "a", "--digits", "10", flag[0], flag[1]]);
        assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
    }
    let ran = nonius(["solve", "a", "--digits-in", "norm"]);
    assert!(ran.code == 2 && ran.err.contains("--digits"), "{}", ran.err);
    let ran = nonius(["solve", "a", "--digits", "10", "--digits-in", "both"]);
    assert!(ran.code == 2 && ran.err.contains("expected entry or norm"), "{}", ran.err);
}
