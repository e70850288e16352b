//! `nonius sdp`: runs that end before they are done, and go on.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::sdp::{example, text};
use crate::{Folder, Ran, data, nonius};

fn count(report: &Value) -> u64 {
    report["iterations"].as_u64().unwrap()
}

/// What a checkpoint says in its third and fourth lines.
fn left(checkpoint: &str) -> [String; 2] {
    let text = fs::read_to_string(checkpoint).unwrap();
    let line = |k: usize, label| text.lines().nth(k).unwrap().strip_prefix(label).unwrap().into();
    [line(2, "* iterations = "), line(3, "* precision = ")]
}

#[test]
fn checkpoints_and_runs_that_go_on() {
    let folder = Folder::new();
    let problem = example(&folder);
    let kept = folder.path("kept");
    let run = |more: &[&str]| {
        nonius(["sdp", &problem, "--json", "--checkpoint", &kept].iter().chain(more).copied())
    };
    // No time for a checkpoint but at the end.
    let ended = run(&["--max-iterations", "12", "--resume"]);
    assert_eq!(ended.code, 1);
    let note = "kept: there is no checkpoint: the run begins anew\n";
    assert!(ended.err.contains(note), "{}", ended.err);
    assert!(
        ended.err.contains("12 iterations were not enough: the best point has a relative gap"),
        "{}",
        ended.err
    );
    let object: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&object["end"], &object["exit_code"]), (&"iterations".into(), &1.into()));
    let left_in = left(&kept);
    assert_eq!(left_in[0], "12");
    // All iterations count.
    let none = run(&["--resume", "--max-iterations", "12"]);
    assert_eq!(none.code, 1);
    assert_eq!(count(&serde_json::from_str(&none.out).unwrap()), 12);
    let start = fs::read_to_string(&kept).unwrap();
    let rest = run(&["--resume"]).json();
    assert_eq!(text(&rest, "phase"), "pdOPT");
    let whole = nonius(["sdp", &problem, "--json"]).json();
    assert!(count(&rest).abs_diff(count(&whole)) <= 2, "{rest} {whole}");
    // The end is kept, too.
    assert_eq!(left(&kept), [count(&rest).to_string(), "dd".into()]);
    // A point of any name starts other runs.
    let warm = nonius(["sdp", &problem, "--json", "--initial", &kept]).json();
    assert!(count(&warm) < 5, "{warm}");
    // In the stage in which it was left, and under the next number.
    fs::write(&kept, start).unwrap();
    let out = nonius(["sdp", &problem, "--resume", "--checkpoint", &kept]).success();
    let mut rows = out.lines().skip(1);
    let first = rows.next().unwrap();
    assert!(first.starts_with("  12 ") && first.ends_with(&format!(" {}", left_in[1])), "{out}");
    assert!(rows.next().unwrap().starts_with("  13 "), "{out}");
    assert_eq!(out.matches("infeas. P").count(), 1, "{out}");
}

#[test]
fn checkpoints_that_are_none() {
    let folder = Folder::new();
    let problem = example(&folder);
    let kept = folder.path("kept");
    nonius(["sdp", &problem, "--checkpoint", &kept]).success();
    let text = fs::read_to_string(&kept).unwrap();
    let resume = |problem: &str| nonius(["sdp", problem, "--checkpoint", &kept, "--resume"]);
    let other =
        folder.file("b.dat-s", &fs::read_to_string(&problem).unwrap().replace("-11", "-12"));
    let refused = resume(&other).failure(2);
    let expected =
        "kept: line 2: expected a checkpoint of this problem, found one of another problem";
    assert!(refused.ends_with(expected), "{refused}");
    let cases = [
        (String::new(), "kept: line 1: expected the first line of a checkpoint, found nothing"),
        (
            text.replace("* iterations = ", "* iterations = many "),
            "kept: line 12: expected the length and the CRC-32 of the file, found others: the file is damaged",
        ),
        (
            text[..text.find("\n2 1 ").unwrap()].into(),
            "the CRC-32 of the file, with which it ends: the file is cut short or damaged",
        ),
    ];
    for (content, expected) in cases {
        fs::write(&kept, content).unwrap();
        let refused = resume(&problem).failure(2);
        assert!(refused.contains(expected), "{refused}");
    }
    // As the beginning of another run, too, and so are results.
    let result = folder.path("result");
    nonius(["sdp", &problem, "-o", &result]).success();
    for (file, digit) in [(&kept, "2 1 1 1 "), (&result, "yMat = ")] {
        let whole = if file == &kept { text.clone() } else { fs::read_to_string(file).unwrap() };
        let begin = |content: &str| {
            fs::write(file, content).unwrap();
            nonius(["sdp", &problem, "--initial", file])
        };
        assert!(begin(&whole).success().contains("pdOPT"));
        let place = whole.find(digit).unwrap();
        let refused = begin(&whole[..place]).failure(2);
        assert!(refused.contains("the file is cut short or damaged"), "{refused}");
        let damaged = whole[place..].replacen('5', "6", 1);
        let refused = begin(&[&whole[..place], &damaged].concat()).failure(2);
        assert!(refused.contains("found others: the file is damaged"), "{refused}");
    }
    fs::remove_file(&kept).unwrap();
    fs::create_dir(&kept).unwrap();
    let refused = resume(&problem).failure(2);
    assert!(refused.contains("kept: "), "{refused}");
}

/// Onto a full disk.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_loses_nothing_else() {
    let folder = Folder::new();
    let problem = example(&folder);
    let [result, x] = ["a.result", "x.mtx"].map(|name| folder.path(name));
    let kept = ["--checkpoint", "/dev/full", "--every", "1e-9"];
    let files = ["-o", &result, "--json"];
    let ran = nonius(["sdp", &problem].into_iter().chain(kept).chain(files));
    assert_eq!(ran.code, 2, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((text(&report, "phase"), &report["exit_code"]), ("pdOPT", &2.into()));
    assert!(text(&report, "error").contains("/dev/full: "), "{report}");
    assert!(fs::read_to_string(&result).unwrap().contains("phase.value = pdOPT"));
    assert_eq!(ran.err.matches("the run goes on without that checkpoint").count(), 1);
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
    let ran = nonius(["sdp", &problem, "-o", "/dev/full", "--x", &x, "--certify"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("/dev/full: "), "{}", ran.err);
    assert!(ran.out.contains("\nlower bound           -41.9"), "{}", ran.out);
    assert!(fs::read_to_string(&x).unwrap().starts_with("%%MatrixMarket"));
}

/// A run that is interrupted says how far it came and leaves where to go on.
#[cfg(unix)]
#[test]
fn interruption() {
    let folder = Folder::new();
    let problem = data("sdplib/theta1.dat-s.xz");
    let [kept, result] = ["kept", "a.result"].map(|name| folder.path(name));
    let more = ["--precision", "mp848", "--certify", "--every", "1e-9", "--json", "-o", &result];
    let arguments = ["sdp", &problem, "--checkpoint", &kept].into_iter().chain(more);
    let arguments: Vec<String> = arguments.map(String::from).collect();
    let child = Command::new(env!("CARGO_BIN_EXE_nonius"))
        .args(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // When this is there, iterations are done.
    while !Path::new(&kept).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::of(&arguments, child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((text(&report, "end"), &report["exit_code"]), ("interrupted", &130.into()));
    assert!(
        text(&report, "error")
            .contains("theta1.dat-s.xz: interrupted: the best point has a relative gap")
    );
    assert!(report["relative_gap"].is_number() && report["certificate"].is_null(), "{report}");
    assert!(!text(&report, "phase").is_empty() && !text(&report, "primal_objective").is_empty());
    assert!(fs::read_to_string(&result).unwrap().contains("xVec ="));
    assert_eq!(left(&kept)[0], count(&report).to_string());
    let resumed = nonius(["sdp", &problem, "--checkpoint", &kept, "--resume", "--json"]).json();
    assert_eq!(text(&resumed, "phase"), "pdOPT");
    assert!(count(&resumed) > count(&report) || left(&kept)[1] != "f64", "{resumed}");
}
