//! `nonius sdp`

use std::fs;

use crate::{Folder, data, nonius};

/// The relative gap that the program asks of `dd` by default.
const GAP_OF_DD: f64 = 1e-20;

/// SDPA's first example, of which the optimum is −41.9.
const EXAMPLE: &str = "\"Example 1\n3\n1\n2\n48 -8 20\n\
                       0 1 1 1 -11\n0 1 2 2 23\n1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";

pub(crate) fn example(folder: &Folder) -> String {
    let path = folder.path("example.dat-s");
    fs::write(&path, EXAMPLE).unwrap();
    path
}

pub(crate) fn text<'a>(report: &'a serde_json::Value, member: &str) -> &'a str {
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
    assert!(report["relative_gap"].as_f64().unwrap() <= GAP_OF_DD);
    assert!(report["feasibility_primal"].as_f64().unwrap() <= 100.0 * GAP_OF_DD);
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
    // The file asks for this gap. The last step gains a few digits more, never those of the
    // default.
    let asked = 1e-5;
    assert!(gap < asked && gap > 1e-4 * asked, "{gap}");
}

#[test]
fn what_dd_cannot_do_is_said() {
    let ran = nonius(["sdp", &data("sdplib/gpp100.dat-s.xz")]);
    assert_eq!(ran.code, 1);
    let reason = "dd allows no further progress, as the dual problem has little or no interior: the best point has a relative gap";
    assert!(ran.err.contains(reason), "{}", ran.err);
    assert!(ran.out.contains("pdFEAS: both points are feasible"), "{}", ran.out);
    // What is shown is not of the last iteration.
    let count = ran.out.lines().find_map(|line| line.strip_prefix("iterations            "));
    let line = format!("\npoint                 the best of {} iterations\n", count.unwrap());
    assert!(ran.out.contains(&line), "{}", ran.out);
}

#[test]
fn infeasible_problems_are_answers() {
    let folder = Folder::new();
    let problem = folder.path("infeasible.dat-s");
    fs::write(&problem, "1\n1\n-2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 -1\n").unwrap();
    let report = nonius(["sdp", &problem, "--json"]).json();
    assert_eq!((text(&report, "phase"), text(&report, "end")), ("pINF_dFEAS", "decided"));
    assert!(report["reason"].is_null() && report["relative_gap"].is_number(), "{report}");
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
    assert!(bound("lower_bound").starts_with("22.999999999999999999"), "{report}");
    assert!(bound("upper_bound").starts_with("23.000000000000000000"), "{report}");
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

/// `min x₁ + x₂` where `x₁·x₂ ≥ 1` and `3·x₁ + 7·x₂ = 10`, which has the optimum 2; no number but
/// those of the equality has a quotient by 3 or 7 that is finite.
const EQUALITY: &str = "2\n2\n2 -2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n\
                        1 2 1 1 3\n2 2 1 1 7\n0 2 1 1 10\n1 2 2 2 -3\n2 2 2 2 -7\n0 2 2 2 -10.0\n";

#[test]
fn equality_constraints() {
    let folder = Folder::new();
    let [problem, result, kept, x] =
        ["a.dat-s", "a.result", "kept.ini-s", "x.mtx"].map(|name| folder.path(name));
    fs::write(&problem, EQUALITY).unwrap();
    let near = |text: &str| {
        let digits = "2.00000000000000000000";
        text.starts_with(digits) || text == "2.0" || text.starts_with("1.99999999999999999999")
    };
    let options = ["--certify", "-o", &result, "--x", &x, "--checkpoint", &kept, "--every", "1e-9"];
    let report = nonius(["sdp", &problem, "--json"].into_iter().chain(options)).json();
    assert_eq!(text(&report, "phase"), "pdOPT");
    assert_eq!(
        (&report["equalities_eliminated"], &report["equalities_left"]),
        (&1.into(), &0.into())
    );
    assert!(near(text(&report, "primal_objective")), "{report}");
    assert!(near(text(&report, "dual_objective")), "{report}");
    let bound = |name| text(&report["certificate"], name);
    assert!(bound("lower_bound").starts_with("1.9999999999999999999"), "{report}");
    assert!(bound("upper_bound").starts_with("2.0000000000000000000"), "{report}");
    assert!(report["certificate"]["digits"].as_f64().unwrap() >= 19.0, "{report}");
    let written = fs::read_to_string(&x).unwrap();
    // Objectives grow with the square of the distance: the root of the gap bounds the distance.
    let of_point = GAP_OF_DD.sqrt();
    let numbers = written.lines().filter_map(|line| line.parse::<f64>().ok());
    assert!(numbers.clone().count() == 2 && numbers.clone().all(|x| (x - 1.0).abs() < of_point));
    // Points are those of the problem that was given.
    let count = |report: &serde_json::Value| report["iterations"].as_u64().unwrap();
    let more = ["sdp", &problem, "--precision", "mp256", "--json"];
    let cold = nonius(more).json();
    let checkpoint = ["--checkpoint", kept.as_str(), "--resume"];
    let resumed = nonius(more.into_iter().chain(checkpoint)).json();
    let warm = nonius(more.into_iter().chain(["--initial", &result])).json();
    for report in [&cold, &resumed, &warm] {
        assert!(near(text(report, "primal_objective")), "{report}");
    }
    assert!(count(&resumed) <= count(&cold) + 2 && count(&warm) < count(&cold));
    // The table and the summary are of that problem, too.
    let out = nonius(["sdp", &problem, "--precision", "f64"]).success();
    assert!(out.contains("2 constraints, order 4, 1 dense block and 1 diagonal block"), "{out}");
    assert!(out.contains("\nequalities            1 eliminated\n"), "{out}");
    let last = out.lines().rfind(|line| line.ends_with("f64") && line.contains("e0")).unwrap();
    assert!(last.contains("2.0000000") || last.contains("1.9999999"), "{last}");
}

#[test]
fn equality_constraints_that_leave_no_variable() {
    let folder = Folder::new();
    let problem = folder.path("a.dat-s");
    // `x₁ + x₂ = 2`, too: `x` is `(1, 1)`.
    let more = "1 2 3 3 1\n2 2 3 3 1\n0 2 3 3 2\n1 2 4 4 -1\n2 2 4 4 -1\n0 2 4 4 -2\n";
    fs::write(&problem, EQUALITY.replace("2 -2", "2 -4") + more).unwrap();
    let report = nonius(["sdp", &problem, "--json"]).json();
    assert_eq!((text(&report, "phase"), text(&report, "primal_objective")), ("pdOPT", "2"));
    // `x = 1/2` where `x ≥ 1`.
    let content = "1\n2\n2 -2\n5\n0 1 1 2 -1\n0 1 2 2 -1\n1 1 1 1 1\n\
                   1 2 1 1 1\n0 2 1 1 0.5\n1 2 2 2 -1\n0 2 2 2 -0.5\n";
    fs::write(&problem, content).unwrap();
    let report = nonius(["sdp", &problem, "--certify", "--json"]).json();
    assert_eq!(text(&report, "phase"), "pINF_dFEAS");
    assert_eq!(text(&report["certificate"], "infeasible"), "primal");
}

#[test]
fn equality_constraints_that_no_point_meets() {
    let folder = Folder::new();
    let problem = folder.path("a.dat-s");
    let cases = [
        (
            "1\n2\n-1 -2\n1\n1 1 1 1 1\n0 2 1 1 1\n0 2 2 2 -1\n",
            "pINF_dFEAS",
            "primal",
            "row 1 of block 2 and row 2 of block 2 are an equality constraint that no x meets: the primal problem is infeasible",
        ),
        (
            "2\n2\n-1 -2\n1 1\n1 1 1 1 1\n2 1 1 1 -1\n1 2 1 1 2\n2 2 1 1 -2\n1 2 2 2 -2\n2 2 2 2 2\n",
            "pFEAS_dINF",
            "dual",
            "without what the equality constraints determine the matrix of constraint 2 is zero and its right-hand side is not: the dual problem is infeasible",
        ),
        (
            "2\n1\n2\n1 1\n1 1 1 1 1\n",
            "pFEAS_dINF",
            "dual",
            "the matrix of constraint 2 is zero and its right-hand side is not: the dual problem is infeasible",
        ),
    ];
    let result = folder.path("a.result");
    for (content, phase, side, expected) in cases {
        fs::write(&problem, content).unwrap();
        let out = nonius(["sdp", &problem, "--certify"]).success();
        let line = format!("phase                 {phase}: the {side} problem is infeasible\n");
        assert!(out.contains(&line), "{out}");
        assert!(out.contains(&format!("\nreason                {expected}\n")), "{out}");
        let line = format!("\nproved                the {side} problem is infeasible (exactly)\n");
        assert!(out.contains(&line), "{out}");
        let report = nonius(["sdp", &problem, "--json", "--certify"]).json();
        assert_eq!((text(&report, "phase"), text(&report, "end")), (phase, "decided"));
        assert_eq!(text(&report, "reason"), expected);
        assert_eq!(text(&report["certificate"], "infeasible"), side);
        // There is no point, and so there are no figures of one.
        assert!(report["primal_objective"].is_null() && report["precision"].is_null(), "{report}");
        let ran = nonius(["sdp", &problem, "-q", "-o", &result]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""));
        assert!(ran.err.contains("nothing is written to "), "{}", ran.err);
        assert!(fs::metadata(&result).is_err());
    }
}

#[test]
fn bad_input() {
    let folder = Folder::new();
    let problem = example(&folder);
    let cases: [(&[&str], &str); 10] = [
        (&["nowhere.dat-s"], "nowhere.dat-s: cannot be opened"),
        (&[&problem, "--gap", "0"], "expected a gap from 1e-300 to 1"),
        (&[&problem, "--gap", "1e-400"], "expected a gap from 1e-300 to 1"),
        (&[&problem, "--gap", "1.5"], "expected a gap from 1e-300 to 1"),
        (&[&problem, "--feasibility", "1e-310"], "expected a number not below 1e-300"),
        (&[&problem, "--start", "0"], "expected a positive number"),
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
}
