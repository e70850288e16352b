//! `nonius cg`

use std::fs;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use nonius::Qd;
use serde_json::Value;

use crate::{Folder, data, nonius};

/// The relative tolerance of residuals that the program takes by default.
const DEFAULT: f64 = 1e-8;

fn number(value: &Value) -> f64 {
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
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["converged"], &json["iterations"]), (&false.into(), &20.into()));
    assert!(json["error"].as_str().unwrap().contains("no convergence"));
    // The figures are in both forms.
    let ran = nonius(arguments);
    assert!(ran.out.contains("iterations            20, not converged\n"), "{}", ran.out);
}

/// The residual that decides is the one that a failure tells.
#[test]
fn failures_tell_the_residual_that_decides() {
    let path = data("bcsstk03.mtx.xz");
    let run = |more: &[&str]| {
        let arguments = ["cg", &path, "--precision", "f64", "--preconditioner", "jacobi", "--json"];
        let ran = nonius(arguments.iter().chain(more));
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        let number = |name: &str| json[name].as_f64().unwrap();
        let [real, recursive] =
            ["relative_residual_true", "relative_residual_recursive"].map(number);
        (ran.code, real, recursive, json["error"].as_str().map(str::to_owned))
    };
    // Below what rounding in `f64` allows, only the recursive residual falls.
    let (code, real, recursive, error) =
        run(&["--rtol", "1e-25", "--residual", "true", "--max-iterations", "1500"]);
    let error = error.unwrap();
    assert!(code == 1 && recursive < 1e-3 * real, "{error}");
    assert!(error.ends_with(&format!(": the true relative residual is {real:.1e}")), "{error}");
    let (code, real, recursive, _) = run(&["--rtol", "1e-25"]);
    assert!(code == 0 && real > 1e3 * recursive, "{real} {recursive}");
    let summary = |more: &[&str]| {
        let arguments = ["cg", &path, "--precision", "f64", "--preconditioner", "jacobi"];
        nonius(arguments.iter().chain(more)).success()
    };
    let warning = "warning               the true residual is above 1e-25, by rounding: take more bits than f64, or --residual true\n";
    let said = summary(&["--rtol", "1e-25"]);
    assert!(said.contains(warning), "{said}");
    let said = summary(&["--rtol", "1e-4"]);
    assert!(!said.contains("warning"), "{said}");
}

/// A precision whose numbers do not allow a solution does not keep the others from theirs.
#[test]
fn one_precision_of_several_breaks_down() {
    let folder = Folder::new();
    // In `f64` the rounded matrix is singular.
    let a = folder.file(
        "a.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 1\n2 2 1.00000000000000000001\n",
    );
    let b = folder.matrix("b.mtx", &[&["1"], &["-1"]]);
    let history = folder.path("h.csv");
    let arguments = [
        "cg",
        &a,
        "--rhs",
        &b,
        "--values",
        "full",
        "--precision",
        "f64,dd,qd",
        "--history",
        &history,
    ];
    let ran = nonius(arguments);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("broke down") && ran.err.ends_with(" (in f64)\n"), "{}", ran.err);
    let precisions: Vec<&str> =
        ran.out.lines().filter(|line| line.starts_with("precision ")).collect();
    assert_eq!(precisions.len(), 3, "{}", ran.out);
    assert!(ran.out.contains("\nnot solved            "), "{}", ran.out);
    assert_eq!(ran.out.matches(", converged\n").count(), 2, "{}", ran.out);
    assert!(!ran.out.contains("not written"), "{}", ran.out);
    let rows = fs::read_to_string(&history).unwrap();
    assert!(!rows.contains("f64,") && rows.contains("dd,1,") && rows.contains("qd,1,"), "{rows}");
    let ran = nonius(arguments.iter().chain(&["--json"]));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &json["exit_code"]), (1, &1.into()));
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    assert_eq!(runs[0]["precision"], "f64");
    assert!(runs[0]["error"].as_str().unwrap().contains("broke down"), "{json}");
    assert!(runs[1..].iter().all(|run| run["converged"] == true), "{json}");

    // What is wrong with the input is wrong in each precision.
    let ran = nonius(["cg", &a, "--rhs", &a, "--precision", "f64,dd"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    // Where all fail, the first failure is told.
    let zero = folder.file(
        "zero.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n",
    );
    let ran = nonius(["cg", &zero, "--precision", "f64,dd", "--history", &folder.path("none.csv")]);
    assert!(ran.code == 1 && ran.err.ends_with(" (in f64)\n"), "{}", ran.err);
    assert!(!folder.names().contains(&"none.csv".to_string()));
}

/// A run that nothing but a signal ends, some time after its start; its report where the signal
/// came while it iterated.
#[cfg(unix)]
fn interrupted(signal: &str, arguments: &[&str]) -> (Value, String) {
    for attempt in 0..8 {
        let child = Command::new(env!("CARGO_BIN_EXE_nonius"))
            .arg("cg")
            .args(arguments)
            .args(["--json", "--max-iterations", "100000000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(100 << attempt));
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{message}");
        // Before the iterations it ends at once.
        if message != "nonius: interrupted\n" {
            return (serde_json::from_slice(&output.stdout).unwrap(), message);
        }
    }
    panic!("the iterations never began");
}

/// What a run came to before a signal is left, and said to be unfinished.
#[cfg(unix)]
#[test]
fn interruption() {
    let folder = Folder::new();
    let (x, history, plot) = (folder.path("x.mtx"), folder.path("h.csv"), folder.path("h.png"));
    let path = data("bcsstk20.mtx.xz");
    // Restarts after two iterations gain next to nothing: it does not converge for hours.
    let slow = ["--method", "gmres", "--restart", "2"];
    for (signal, refine) in [("-INT", false), ("-TERM", true)] {
        let mut arguments = vec![&*path, "-o", &x, "--history", &history, "--plot", &plot];
        arguments.extend(slow);
        arguments.extend(refine.then_some("--refine=1e-14"));
        let (json, message) = interrupted(signal, &arguments);
        assert!(message.contains(": interrupted in dd after "), "{message}");
        let expected = format!("nonius: {}\n", json["error"].as_str().unwrap());
        assert_eq!((message, &json["exit_code"]), (expected, &130.into()));
        assert_eq!((&json["interrupted"], &json["converged"]), (&true.into(), &false.into()));
        let rows = fs::read_to_string(&history).unwrap();
        let iterations = json["iterations"].as_u64().unwrap() as usize;
        assert_eq!(rows.lines().count(), iterations + 2);
        let name = if refine { "inner_iterations" } else { "iterations" };
        assert!(json[name].as_u64().unwrap() > 0, "{json}");
        // The solution that is left has the residual that the report tells.
        let again = nonius(["cg", &path, "--x0", &x, "--max-iterations", "0", "--json"]);
        let again: Value = serde_json::from_str(&again.out).unwrap();
        let [left, told] = [&again["first_residual"], &json["first_residual"]]
            .map(|value| value.as_f64().unwrap());
        let relative = json["relative_residual_true"].as_f64().unwrap();
        assert!((left / told / relative - 1.0).abs() < 1e-6, "{again} {json}");
        assert_eq!(folder.names(), ["h.csv", "h.png", "x.mtx"]);
        folder.names().iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
    }
    // Precisions behind the one that a signal ends do not begin.
    let mut arguments = vec![&*path, "--precision", "f64,dd", "--history", &history];
    arguments.extend(slow);
    let (json, message) = interrupted("-INT", &arguments);
    assert!(message.contains(": interrupted in f64 after "), "{message}");
    assert_eq!(json["runs"].as_array().unwrap().len(), 1);
    assert_eq!(folder.names(), ["h.csv"]);
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
            .contains("A is not positive definite: p · Ap < 0 in 1 iteration, first in 2\n")
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
