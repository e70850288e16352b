//! `nonius cg`

use std::fs;

use nonius::Qd;

use crate::{Folder, data, nonius};

/// The relative tolerance of residuals that the program takes by default.
const DEFAULT: f64 = 1e-8;

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Counts in MPFR arithmetic, which roundings after every term reproduce.
#[test]
fn iterations_are_those_of_mpfr() {
    for (name, preconditioner, count) in [
        ("nos4.mtx.xz", "none", 80),
        ("nos4.mtx.xz", "jacobi", 76),
        ("bcsstk01.mtx.xz", "none", 48),
        ("bcsstk01.mtx.xz", "jacobi", 48),
        ("bcsstk03.mtx.xz", "none", 130),
        ("bcsstk03.mtx.xz", "jacobi", 112),
    ] {
        let path = data(name);
        let json = nonius([
            "cg",
            &path,
            "--precision",
            "mp424",
            "--arithmetic",
            "ieee",
            "--preconditioner",
            preconditioner,
            "--json",
        ])
        .json();
        assert_eq!(json["iterations"], count, "{name} {preconditioner}");
        assert_eq!(json["converged"], true);
        assert_eq!(json["arithmetic"], "ieee");
        assert!(number(&json["relative_residual_true"]) <= DEFAULT);
        assert_eq!(json["non_positive_iterations"], 0);
    }
}

/// Numbers in residues take the steps of positional ones, and have their digits.
#[test]
fn residues_have_the_digits_of_positional_numbers() {
    let path = data("bcsstk01.mtx.xz");
    // The 16 largest primes below 2^16, which give 126 bits or so.
    let is_prime = |m: &u32| (3..256).step_by(2).all(|d| !m.is_multiple_of(d));
    let primes: Vec<u32> = (3..1 << 16).rev().step_by(2).filter(is_prime).take(16).collect();
    let own: Vec<String> = primes.iter().map(u32::to_string).collect();
    let asked = "1e-25";
    let solved = |arguments: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("x.mtx").display().to_string();
        let common = ["cg", &path, "--json", "--rtol", asked, "-o", &to];
        let json = nonius(common.iter().chain(arguments)).json();
        assert_eq!(json["arithmetic"], "ieee");
        (json, std::fs::read_to_string(to).unwrap())
    };
    for preconditioner in ["none", "jacobi", "block-jacobi:5", "ic0"] {
        for method in ["cg", "minres", "bicgstab", "gmres"] {
            let both = ["--preconditioner", preconditioner, "--method", method];
            let positional = ["--precision", "mp126", "--arithmetic", "ieee"];
            let (expected, x) = solved(&[both, positional].concat());
            let moduli = own.join(",");
            for residues in [&["--precision", "mp126"][..], &["--moduli", &moduli]] {
                let arguments = [&both[..], &["--storage", "rns"], residues].concat();
                let (json, y) = solved(&arguments);
                assert_eq!(json["iterations"], expected["iterations"], "{arguments:?}");
                assert_eq!((json["storage"].as_str(), &y), (Some("rns"), &x), "{arguments:?}");
                let moduli = if residues[0] == "--moduli" { 16 } else { 9 };
                assert_eq!(json["moduli"], moduli);
            }
        }
    }
    let refined = ["--storage", "rns", "--precision", "mp212", "--refine", "--method", "minres"];
    let (json, _) = solved(&refined);
    assert!(number(&json["relative_residual_true"]) <= asked.parse::<f64>().unwrap(), "{json}");
    for format in ["ell", "jad", "dia", "full"] {
        let arguments = ["--storage", "rns", "--precision", "mp126", "--format", format];
        assert_eq!(solved(&arguments).1, solved(&arguments[..4]).1, "{format}");
    }
}

#[test]
fn what_residues_do_not_take_is_said() {
    let path = data("bcsstk01.mtx.xz");
    for (arguments, expected) in [
        (&["--storage", "rns"][..], "--storage rns is for mp precisions, as mp424, not for dd"),
        (&["--moduli", "5,7"], "--moduli are for --storage rns"),
        (
            &["--storage", "rns", "--moduli", "2147483647,2147483629,15,9"],
            "--moduli: the moduli 15 and 9 have a common divisor",
        ),
        (
            &["--storage", "rns", "--moduli", "2147483647,2147483629,4"],
            "--moduli: the modulus 4 is not an odd number from 3 to 2147483647",
        ),
        (
            &["--storage", "rns", "--moduli", "2147483647,2147483629"],
            "--moduli: these give 29 bits, expected 64 or more",
        ),
        (
            &["--storage", "rns", "--precision", "mp2000"],
            "iterations on numbers in residues take mp precisions of at most 1900 bits",
        ),
        (
            &["--storage", "rns", "--precision", "mp106", "--values", "full"],
            "iterations on numbers in residues take matrices with values in f64",
        ),
        (
            &[
                "--storage",
                "rns",
                "--precision",
                "mp106",
                "--preconditioner",
                "jacobi",
                "--preconditioner-values",
                "full",
            ],
            "iterations on numbers in residues take preconditioners in f64",
        ),
    ] {
        let message = nonius(["cg", &path].iter().chain(arguments)).failure(2);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn all_formats_and_preconditioners() {
    let path = data("nos4.mtx.xz");
    let tolerance = 1e-20;
    let asked = format!("{tolerance:e}");
    let count = |arguments: &[&str]| {
        let common = ["cg", &path, "--json", "--rtol", &asked];
        let json = nonius(common.iter().chain(arguments)).json();
        // The tolerance bounds the residual of the recursion; the true one drifts away from it.
        assert!(number(&json["relative_residual_true"]) <= 2.0 * tolerance);
        json["iterations"].as_u64().unwrap()
    };
    for precision in ["dd", "td", "qd", "mp106"] {
        let rows = count(&["--precision", precision]);
        for format in ["ell", "jad", "dia"] {
            assert!(rows.abs_diff(count(&["--precision", precision, "--format", format])) <= 1);
        }
        assert!(rows.abs_diff(count(&["--precision", precision, "--values", "full"])) <= 1);
        let mut before = rows;
        for name in ["jacobi", "block-jacobi:10", "ic0"] {
            let short = count(&["--precision", precision, "--preconditioner", name]);
            assert!(short < before, "{precision} {name}: {short} of {before}");
            before = short;
            let full = [
                "--precision",
                precision,
                "--preconditioner",
                name,
                "--preconditioner-values",
                "full",
            ];
            assert!(short.abs_diff(count(&full)) <= 1);
        }
    }
}

#[test]
fn solutions_history_and_pictures() {
    let folder = Folder::new();
    let (x, history, plot) = (folder.path("x.mtx"), folder.path("h.csv"), folder.path("h.svg"));
    let path = data("bcsstk01.mtx.xz");
    let said = nonius([
        "cg",
        &path,
        "--precision",
        "qd",
        "--rtol",
        "1e-40",
        "-o",
        &x,
        "--history",
        &history,
        "--plot",
        &plot,
    ])
    .success();
    for line in ["iterations", "relative residual", "preconditioner"] {
        assert!(said.contains(line), "{said}");
    }
    let solution = folder.read::<Qd>("x.mtx");
    assert_eq!(solution.shape(), (48, 1));
    let rows = fs::read_to_string(&history).unwrap();
    assert!(rows.starts_with("precision,iteration,relative_residual\nqd,0,1e0\nqd,1,"), "{rows}");
    let picture = fs::read_to_string(&plot).unwrap();
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(folder.names(), ["h.csv", "h.svg", "x.mtx"]);

    // Its solution is a start from which nothing is left to do.
    let json =
        nonius(["cg", &path, "--precision", "qd", "--x0", &x, "--atol", "1e-30", "--json"]).json();
    assert_eq!((&json["iterations"], &json["converged"]), (&0.into(), &true.into()));

    // Several precisions in one picture.
    let json = nonius([
        "cg",
        &path,
        "--precision",
        "f64,dd,mp212",
        "--plot",
        &plot,
        "--history",
        &history,
        "--json",
    ])
    .json();
    let runs = json["runs"].as_array().unwrap();
    let counts: Vec<u64> = runs.iter().map(|run| run["iterations"].as_u64().unwrap()).collect();
    assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
    let picture = fs::read_to_string(&plot).unwrap();
    for (run, count) in ["f64", "dd", "mp212"].iter().zip(&counts) {
        assert!(picture.contains(&format!("{run}: {count} iterations")));
    }
}

#[test]
fn what_does_not_converge() {
    let path = data("bcsstk01.mtx.xz");
    let arguments = ["cg", &path, "--precision", "f64", "--max-iterations", "20"];
    let ran = nonius(arguments);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no convergence in f64 after 20 iterations"), "{}", ran.err);
    let ran = nonius(arguments.iter().chain(&["--json"]));
    assert_eq!(ran.code, 1);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["converged"], &json["iterations"]), (&false.into(), &20.into()));
    assert!(json["error"].as_str().unwrap().contains("no convergence"));
    // The figures are in both forms.
    let ran = nonius(arguments);
    assert!(ran.out.contains("iterations            20, not converged\n"), "{}", ran.out);
}

#[test]
fn indefinite_matrices() {
    let folder = Folder::new();
    let a = folder.file(
        "a.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 -2\n3 3 3\n",
    );
    let json = nonius(["cg", &a, "--json"]).json();
    assert_eq!(json["converged"], true);
    assert_eq!(json["non_positive_iterations"], 1);
    assert!(
        nonius(["cg", &a])
            .success()
            .contains("A is not positive definite: p · Ap < 0 in 1 iterations")
    );
    let said = nonius(["cg", &a, "--require-spd"]).failure(1);
    assert!(said.contains("not positive definite: p·Ap is"), "{said}");
    let said = nonius(["cg", &a, "--preconditioner", "ic0"]).failure(1);
    assert!(said.contains("pivot -2e0 in row 2"), "{said}");
    // p·Ap = 0 for ones.
    let b = folder
        .file("b.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n");
    assert!(nonius(["cg", &b]).failure(1).contains("p·Ap is 0e0 in iteration 1"));
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::new();
    let head = "%%MatrixMarket matrix coordinate real general\n";
    let file = |name: &str, text: &str| folder.file(name, &format!("{head}{text}"));
    let wide = file("wide.mtx", "2 3 1\n1 1 1\n");
    assert!(nonius(["cg", &wide]).failure(2).contains("expected a square matrix"));
    let lopsided = file("lopsided.mtx", "2 2 3\n1 1 1\n1 2 1\n2 2 1\n");
    assert!(
        nonius(["cg", &lopsided]).failure(2).contains("entry (2, 1) differs from its mirror image")
    );
    let hollow = file("hollow.mtx", "2 2 3\n1 1 1\n1 2 1\n2 1 1\n");
    let said = nonius(["cg", &hollow, "--preconditioner", "jacobi"]).failure(2);
    assert!(said.contains("diagonal entry of row 2 is missing"), "{said}");
    let nan = file("nan.mtx", "2 2 2\n1 1 1\n2 2 nan\n");
    assert!(nonius(["cg", &nan]).failure(2).contains("nan.mtx: line 4"));
    let short = file("short.mtx", "2 2 2\n1 1 1\n");
    assert!(nonius(["cg", &short]).failure(2).contains("expected 2 entries"));
    let good = file("good.mtx", "2 2 2\n1 1 1\n2 2 2\n");
    let rhs = folder.matrix("rhs.mtx", &[&["1"], &["2"], &["3"]]);
    for flag in ["--rhs", "--x0"] {
        let said = nonius(["cg", &good, flag, &rhs]).failure(2);
        assert!(said.contains("rhs.mtx: expected a vector of 2 rows"), "{said}");
    }
    let x = folder.path("x.mtx");
    assert!(
        nonius(["cg", &good, "--precision", "f64,dd", "-o", &x])
            .failure(2)
            .contains("one precision")
    );
    let said = nonius(["cg", &good, "--precision", "mp106", "--arithmetic", "sloppy"]).failure(2);
    assert!(said.contains("--arithmetic sloppy is not for cg"), "{said}");
    assert!(nonius(["cg", &good, "--device", "cuda"]).failure(2).len() > 10);
    let usage = |arguments: [&str; 4]| {
        let ran = nonius(arguments);
        assert_eq!(ran.code, 2);
        ran.err
    };
    assert!(usage(["cg", &good, "--rtol", "-1"]).contains("not negative"));
    assert!(usage(["cg", &good, "--format", "coo"]).contains("csr, ell, jad, dia or full"));
    assert!(usage(["cg", &good, "--preconditioner", "ilu"]).contains("ic0"));
    assert!(usage(["cg", &good, "--precision", "dd,mp1"]).contains("mp1"));
}
