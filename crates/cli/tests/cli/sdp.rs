//! `nonius sdp`

use std::fs;

use crate::{Folder, data, nonius};

/// SDPA's first example, of which the optimum is −41.9.
const EXAMPLE: &str = "\"Example 1\n3\n1\n2\n48 -8 20\n\
                       0 1 1 1 -11\n0 1 2 2 23\n1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";

fn example(folder: &Folder) -> String {
    let path = folder.path("example.dat-s");
    fs::write(&path, EXAMPLE).unwrap();
    path
}

fn text<'a>(report: &'a serde_json::Value, member: &str) -> &'a str {
    report[member].as_str().unwrap()
}

#[test]
fn optimum_of_a_problem_of_sdplib() {
    let report = nonius(["sdp", &data("sdplib/truss1.dat-s.xz"), "--json"]).json();
    assert_eq!((text(&report, "phase"), text(&report, "end")), ("pdOPT", "solved"));
    // The digits that a solver with 200 bits found.
    for member in ["primal_objective", "dual_objective"] {
        assert!(text(&report, member).starts_with("-8.9999963152868904968"), "{report}");
    }
    assert!(report["relative_gap"].as_f64().unwrap() <= 1e-20);
    assert!(report["feasibility_primal"].as_f64().unwrap() <= 1e-18);
    assert_eq!(report["dimacs_errors"].as_array().unwrap().len(), 6);
    assert_eq!((&report["constraints"], &report["order"]), (&6.into(), &13.into()));
    assert_eq!(text(&report, "precision"), "dd");
}

#[test]
fn the_table_and_the_summary() {
    let out = nonius(["sdp", &data("sdplib/theta1.dat-s.xz"), "--precision", "f64"]).success();
    assert!(out.starts_with("   #        mu  infeas. P"), "{out}");
    assert!(out.contains("phase                 pdOPT: both problems are solved"), "{out}");
    assert!(out.contains("104 constraints, order 50, 1 dense block\n"), "{out}");
    assert!(nonius(["sdp", &data("sdplib/theta1.dat-s.xz"), "-q"]).success().is_empty());
}

#[test]
fn results_are_written_and_start_other_runs() {
    let folder = Folder::new();
    let problem = example(&folder);
    let [result, x, dual, plot] =
        ["a.result", "x.mtx", "y.mtx", "a.svg"].map(|name| folder.path(name));
    let files = ["-o", &result, "--x", &x, "--dual", &dual, "--plot", &plot];
    let first = nonius(["sdp", &problem, "--json"].into_iter().chain(files)).json();
    let written = fs::read_to_string(&result).unwrap();
    assert!(written.contains("phase.value = pdOPT") && written.contains("xVec ="), "{written}");
    assert!(fs::read_to_string(&plot).unwrap().contains("relative gap"));
    assert!(fs::read_to_string(&x).unwrap().starts_with("%%MatrixMarket matrix array real"));
    let y = fs::read_to_string(&dual).unwrap();
    assert!(y.starts_with("%%MatrixMarket matrix coordinate real symmetric"), "{y}");
    assert!(y.contains("\n2 2 3\n"), "{y}");
    // In more bits from there: fewer iterations than from the beginning.
    let more = ["sdp", &problem, "--precision", "qd", "--json"];
    let cold = nonius(more).json();
    let warm = nonius(more.into_iter().chain(["--initial", &result])).json();
    for report in [&cold, &warm] {
        assert!(
            text(report, "primal_objective").starts_with("-41.89999999999999999999999999999999")
        );
    }
    let count = |report: &serde_json::Value| report["iterations"].as_u64().unwrap();
    assert!(count(&warm) < count(&cold) && count(&first) < count(&cold));
}

#[test]
fn points_of_sdpa() {
    let folder = Folder::new();
    let problem = example(&folder);
    let start = folder.path("example.ini-s");
    fs::write(
        &start,
        "0.0, -4.0, 0.0\n1 1 1 1 11\n1 1 2 2 9\n2 1 1 1 5.9\n2 1 1 2 -1.375\n2 1 2 2 1\n",
    )
    .unwrap();
    let report = nonius(["sdp", &problem, "--initial", &start, "--json"]).json();
    assert_eq!(text(&report, "phase"), "pdOPT");
    let parameters = folder.path("param.sdpa");
    let values = "40\n1e-5\n1e4\n2\n-1e5\n1e5\n0.1\n0.2\n0.9\n1e-5\n";
    fs::write(&parameters, values).unwrap();
    let report = nonius(["sdp", &problem, "--param", &parameters, "--json"]).json();
    let gap = report["relative_gap"].as_f64().unwrap();
    assert!(gap < 1e-5 && gap > 1e-9, "{gap}");
}

#[test]
fn checkpoints_and_runs_that_go_on() {
    let folder = Folder::new();
    let problem = example(&folder);
    let kept = folder.path("kept.ini-s");
    let run = |more: &[&str]| {
        let common = ["sdp", &problem, "--json", "--checkpoint", &kept, "--every", "1e-9"];
        nonius(common.iter().chain(more).copied())
    };
    let ended = run(&["--max-iterations", "12", "--resume"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("12 iterations did not do: relative gap"), "{}", ended.err);
    let object: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&object["end"], &object["exit_code"]), (&"iterations".into(), &1.into()));
    let rest = run(&["--resume"]).json();
    assert_eq!(text(&rest, "phase"), "pdOPT");
    let whole = nonius(["sdp", &problem, "--json"]).json();
    let count = |report: &serde_json::Value| report["iterations"].as_u64().unwrap();
    assert!(count(&rest) + 10 < count(&whole));
}

#[test]
fn what_dd_cannot_do_is_said() {
    let ran = nonius(["sdp", &data("sdplib/gpp100.dat-s.xz")]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("dd allows no further progress: relative gap"), "{}", ran.err);
    assert!(ran.out.contains("pFEAS: the primal point is feasible"), "{}", ran.out);
}

#[test]
fn infeasible_problems_are_answers() {
    let folder = Folder::new();
    let problem = folder.path("infeasible.dat-s");
    fs::write(&problem, "1\n1\n-2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 -1\n").unwrap();
    let report = nonius(["sdp", &problem, "--json"]).json();
    assert_eq!((text(&report, "phase"), text(&report, "end")), ("pINF_dFEAS", "decided"));
}

/// The first digits that two bounds share, and how many digits are said to be proved.
fn proved(report: &serde_json::Value) -> (String, f64) {
    let certificate = &report["certificate"];
    let [lower, upper] = ["lower_bound", "upper_bound"].map(|bound| text(certificate, bound));
    let shared = lower.chars().zip(upper.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a);
    (shared.collect(), certificate["digits"].as_f64().unwrap())
}

#[test]
fn bounds_are_proved() {
    let theta = data("sdplib/theta1.dat-s.xz");
    // Lovász's number of that graph is 23.
    let report = nonius(["sdp", &theta, "--certify", "--json"]).json();
    let bound = |name| text(&report["certificate"], name);
    assert!(bound("lower_bound").starts_with("22.9999999999999999999"), "{report}");
    assert!(bound("upper_bound").starts_with("23.0000000000000000000"), "{report}");
    assert!(proved(&report).1 >= 20.0, "{report}");
    assert_eq!(bound("precision"), "qd");
    let cases = [
        ("control1", "dd", "17.78462671752340475650", 20.0),
        ("control1", "f64", "17.784626", 6.0),
        ("truss1", "td", "-8.9999963152868904968", 28.0),
        ("truss1", "mp128", "-8.9999963152868904968", 22.0),
    ];
    for (name, precision, expected, digits) in cases {
        let problem = data(&format!("sdplib/{name}.dat-s.xz"));
        let report =
            nonius(["sdp", &problem, "--precision", precision, "--certify", "--json"]).json();
        let (shared, found) = proved(&report);
        let count = shared.len().min(expected.len());
        assert_eq!(shared[..count], expected[..count], "{name} {precision}");
        assert!(found >= digits && shared.len() as f64 > digits - 1.0, "{name} {report}");
    }
    let out = nonius(["sdp", &theta, "--precision", "f64", "--certify"]).success();
    assert!(out.contains("\nlower bound           22.99999"), "{out}");
    assert!(out.contains("\nupper bound           23.00000"), "{out}");
    assert!(out.contains("\ndigits proved         7."), "{out}");
}

#[test]
fn what_is_not_proved_is_said() {
    // The dual problem has no interior.
    let ran = nonius(["sdp", &data("sdplib/gpp100.dat-s.xz"), "--certify"]);
    assert_eq!(ran.code, 1);
    let reason = "lower bound           not proved: Y is not positive definite beyond rounding";
    assert!(ran.out.contains(reason), "{}", ran.out);
    assert!(ran.out.contains("upper bound           -44.943550775"), "{}", ran.out);
    assert!(ran.out.contains("digits proved         none (in qd"), "{}", ran.out);
    let folder = Folder::new();
    let problem = folder.path("infeasible.dat-s");
    fs::write(&problem, "1\n1\n-2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 -1\n").unwrap();
    let report = nonius(["sdp", &problem, "--certify", "--json"]).json();
    assert_eq!(text(&report["certificate"], "infeasible"), "primal");
    assert!(report["certificate"]["lower_bound"].is_null());
    let out = nonius(["sdp", &problem, "--certify"]).success();
    assert!(out.contains("proved                the primal problem is infeasible (in "), "{out}");
    assert!(nonius(["sdp", &problem, "--json"]).json()["certificate"].is_null());
}

#[test]
fn bad_input() {
    let folder = Folder::new();
    let problem = example(&folder);
    let cases: [(&[&str], &str); 6] = [
        (&["nowhere.dat-s"], "nowhere.dat-s: cannot be opened"),
        (&[&problem, "--gap", "0"], "expected a positive number"),
        (&[&problem, "--precision", "half"], "unknown precision `half`"),
        (&[&problem, "--device", "cuda"], "CUDA"),
        (&[&problem, "--resume"], "--checkpoint"),
        (&[&problem, "--initial", "nowhere.ini"], "nowhere.ini: cannot be opened"),
    ];
    for (arguments, expected) in cases {
        let ran = nonius(["sdp"].iter().chain(arguments).copied());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
    let broken = folder.path("broken.dat-s");
    fs::write(&broken, EXAMPLE.replace("2 1 2 2 -8", "2 1 2 3 -8")).unwrap();
    let ran = nonius(["sdp", &broken]);
    assert_eq!(ran.code, 2);
    let expected = "broken.dat-s: line 10: expected the number of a column from 1 to 2, found `3`";
    assert!(ran.err.contains(expected), "{}", ran.err);
    let zero = folder.path("zero.dat-s");
    fs::write(&zero, "2\n1\n2\n1 1\n1 1 1 1 1\n").unwrap();
    let ran = nonius(["sdp", &zero]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the matrix of constraint 2 is zero"), "{}", ran.err);
}
