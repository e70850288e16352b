//! `nonius sdp`: which files go where.

use std::fs;

use crate::sdp::{example, text};
use crate::{Folder, nonius};

#[test]
fn one_output_has_standard_output() {
    let folder = Folder::new();
    let problem = example(&folder);
    let cases = [
        ("--x", "%%MatrixMarket matrix array real general"),
        ("--primal", "%%MatrixMarket matrix coordinate real symmetric"),
        ("--dual", "%%MatrixMarket matrix coordinate real symmetric"),
        ("--plot", "<svg "),
        ("--output", "Nonius "),
    ];
    for (option, expected) in cases {
        let ran = nonius(["sdp", &problem, option, "-"]);
        assert!(ran.out.starts_with(expected), "{option}: {}", ran.out);
        assert!(!ran.out.contains("infeas. P"), "{option}: {}", ran.out);
        assert!(ran.err.contains("pdOPT: both problems are solved"), "{option}: {}", ran.err);
        let refused = nonius(["sdp", &problem, option, "-", "--json"]);
        assert_eq!(refused.code, 2, "{option}");
    }
    let refused = nonius(["sdp", &problem, "--plot", "-", "--x", "-"]).failure(2);
    assert_eq!(refused, "--x and --plot both go to standard output: give one of them a file");
}

#[cfg(unix)]
#[test]
fn no_file_replaces_another() {
    let folder = Folder::new();
    let problem = example(&folder);
    let before = fs::read_to_string(&problem).unwrap();
    let [a, start] = ["a", "start.result"].map(|name| folder.path(name));
    let also_a = folder.path("./a");
    nonius(["sdp", &problem, "-o", &start]).success();
    let parameters =
        folder.file("param.sdpa", "40\n1e-5\n1e4\n2\n-1e5\n1e5\n0.1\n0.2\n0.9\n1e-5\n");
    let also_problem = folder.path("link.dat-s");
    std::os::unix::fs::symlink(&problem, &also_problem).unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["-o", &problem], "PROBLEM and --output are the same file, "),
        (&["--plot", &also_problem], "PROBLEM and --plot are the same file, "),
        (&["--initial", &start, "--checkpoint", &start], "--initial and --checkpoint are the same"),
        (&["--param", &parameters, "--x", &parameters], "--param and --x are the same file, "),
        (&["-o", &a, "--dual", &also_a], "--output and --dual are the same file, "),
        (&["--x", &a, "--primal", &a], "--x and --primal are the same file, "),
        (&["--checkpoint", &a, "--plot", &a], "--plot and --checkpoint are the same file, "),
    ];
    for (arguments, expected) in cases {
        let ran = nonius(["sdp", &problem].iter().chain(arguments).copied());
        let refused = ran.failure(2);
        assert!(refused.starts_with(expected), "{arguments:?}: {refused}");
    }
    assert_eq!(fs::read_to_string(&problem).unwrap(), before);
    let all = nonius(["sdp", &problem, "-q", "-o", "/dev/null", "--x", "/dev/null"]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
}

#[test]
fn results_say_what_was_asked_for() {
    let folder = Folder::new();
    let problem = example(&folder);
    let result = folder.path("a.result");
    let run = |more: &[&str]| {
        let ran = nonius(["sdp", &problem, "-o", &result].iter().chain(more).copied());
        ran.success();
        fs::read_to_string(&result).unwrap()
    };
    assert!(run(&[]).contains("\nmaxIteration =    220\nepsilonStar  = 1.000e-20\n"));
    assert!(run(&["--max-iterations", "77"]).contains("\nmaxIteration =     77\n"));
    let parameters =
        folder.file("param.sdpa", "90\n1e-5\n1e4\n2\n-1e5\n1e5\n0.1\n0.2\n0.9\n1e-6\n");
    let of_both = run(&["--param", &parameters, "--gap", "1e-15"]);
    assert!(of_both.contains("\nmaxIteration =     90\nepsilonStar  = 1.000e-15\n"), "{of_both}");
    assert!(of_both.contains("\nepsilonDash  = 1.000e-06"), "{of_both}");
    let of_all = run(&["--param", &parameters, "--gap", "1e-15", "--feasibility", "1e-12"]);
    assert!(of_all.contains("\nepsilonDash  = 1.000e-12"), "{of_all}");
}

/// Gaps that are near the end of the range of `f64`.
#[test]
fn hundreds_of_digits() {
    let folder = Folder::new();
    let problem = example(&folder);
    let plot = folder.path("a.svg");
    for precision in ["mp1024", "mp2048"] {
        let run = ["sdp", &problem, "--precision", precision, "--plot", &plot, "--json"];
        let report = nonius(run).json();
        assert_eq!(text(&report, "phase"), "pdOPT", "{report}");
        assert!(fs::read_to_string(&plot).unwrap().ends_with("</svg>\n"));
    }
}

#[test]
fn the_head_of_the_table_is_there_once() {
    let folder = Folder::new();
    let problem = example(&folder);
    let start = folder.path("a.result");
    nonius(["sdp", &problem, "--precision", "qd", "-o", &start]).success();
    // Nothing is left for dd to do.
    let more = ["--precision", "auto", "--gap", "1e-50", "--initial", &start];
    let out = nonius(["sdp", &problem].into_iter().chain(more)).success();
    assert!(out.lines().any(|line| line.starts_with("   0 ") && line.ends_with("dd")), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("   0 ")).count(), 1, "{out}");
    assert_eq!(out.matches("infeas. P").count(), 1, "{out}");
}
