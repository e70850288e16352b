//! Outputs of every command: which names are refused, what goes to standard output, and what
//! becomes of failures.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::fem::DECK;
use crate::option::{BOOK, QUOTES};
use crate::sdp::example;
use crate::{Folder, Ran, nonius, nonius_with_input};

/// A command with small input, and all that it can write.
struct Case {
    command: Vec<String>,
    /// The arguments that name inputs, and the files.
    inputs: Vec<(&'static str, String)>,
    /// Flags, how what they write begins, and the ending that promises just that.
    outputs: Vec<(&'static str, &'static [u8], &'static str)>,
}

const MATRIX: &[u8] = b"%%MatrixMarket matrix ";
const PICTURE: &[u8] = b"<svg ";

fn case(
    command: &[&str],
    inputs: &[(&'static str, &str)],
    outputs: &[(&'static str, &'static [u8], &'static str)],
) -> Case {
    Case {
        command: command.iter().map(ToString::to_string).collect(),
        inputs: inputs.iter().map(|&(name, path)| (name, path.to_string())).collect(),
        outputs: outputs.to_vec(),
    }
}

/// Every command that writes files of which the user chooses the names.
fn cases(folder: &Folder) -> Vec<Case> {
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    let b = folder.matrix("b.mtx", &[&["1"], &["2"]]);
    let book = folder.file("book.csv", &BOOK[..BOOK.find("\nput").unwrap() + 1]);
    let quotes = folder.file("quotes.csv", QUOTES);
    let problem = example(folder);
    let matrix = ("--output", MATRIX, "mtx");
    vec![
        case(&["convert", &a], &[("INPUT", &a)], &[matrix]),
        case(&["matmul", &a, &b], &[("A", &a), ("B", &b)], &[matrix]),
        case(&["solve", &a, &b], &[("A", &a), ("B", &b)], &[matrix]),
        case(&["solve", &a, "--digits", "5"], &[("A", &a)], &[matrix]),
        case(&["inverse", &a], &[("A", &a)], &[matrix]),
        case(&["determinant", &a], &[("A", &a)], &[matrix]),
        case(&["determinant", &a, "--digits", "5"], &[("A", &a)], &[matrix]),
        case(&["eigen", &a], &[("A", &a)], &[matrix, ("--vectors", MATRIX, "mtx")]),
        case(
            &["svd", &a],
            &[("A", &a)],
            &[matrix, ("--left", MATRIX, "mtx"), ("--right", MATRIX, "mtx")],
        ),
        case(
            &["cg", &a, "--rhs", &b],
            &[("A", &a), ("--rhs", &b)],
            &[matrix, ("--history", b"precision,", "csv"), ("--plot", PICTURE, "svg")],
        ),
        case(
            &["tridiag", "--systems", "2", "--size", "3"],
            &[],
            &[("--output", b"\x93NUMPY", "npy")],
        ),
        case(
            &["option", "price", &book, "--grid", "64x32"],
            &[("BOOK", &book)],
            &[("--output", b"row,price,", "csv"), ("--boundary", b"row,time,", "csv")],
        ),
        case(
            &["option", "implied", &quotes],
            &[("QUOTES", &quotes)],
            &[("--output", b"row,volatility,", "csv")],
        ),
        case(
            &["option", "plot", &book, "--points", "2", "--grid", "64x32"],
            &[("BOOK", &book)],
            &[("--output", PICTURE, "svg")],
        ),
        case(
            &["fem", "generate", "bar", "--elements", "1", "1", "1"],
            &[],
            &[("--output", b"*HEADING", "inp")],
        ),
        case(
            &["sdp", &problem],
            &[("PROBLEM", &problem)],
            &[
                ("--output", b"Nonius ", ""),
                ("--x", MATRIX, "mtx"),
                ("--primal", MATRIX, "mtx"),
                ("--dual", MATRIX, "mtx"),
                ("--plot", PICTURE, "svg"),
                ("--checkpoint", b"\"", ""),
            ],
        ),
    ]
}

impl Case {
    /// Runs with these arguments, and an output where the command wants one.
    fn with(&self, further: &[&str]) -> Ran {
        nonius(self.arguments(further))
    }

    fn arguments(&self, further: &[&str]) -> Vec<String> {
        let mut all = self.command.clone();
        all.extend(further.iter().map(ToString::to_string));
        let must_write = ["generate", "plot"].iter().any(|name| self.command[1] == *name);
        if must_write && !further.contains(&"--output") {
            all.extend(["--output".to_string(), "/dev/null".to_string()]);
        }
        all
    }
}

#[test]
fn outputs_are_files_of_their_own() {
    let folder = Folder::new();
    for case in cases(&folder) {
        let before = folder.names();
        for (i, &(first, ..)) in case.outputs.iter().enumerate() {
            for &(second, ..) in &case.outputs[i + 1..] {
                let (one, detour) = (folder.path("one"), folder.path("./one"));
                let refused = case.with(&[first, &one, second, &detour]).failure(2);
                assert_eq!(refused, format!("{first} and {second} are the same file, {detour}"));
                assert_eq!(folder.names(), before, "{first} {second}");
                if first == "--checkpoint" || second == "--checkpoint" {
                    continue;
                }
                let refused = case.with(&[first, "-", second, "-"]).failure(2);
                assert_eq!(
                    refused,
                    format!(
                        "{first} and {second} both go to standard output: give one of them a file"
                    )
                );
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_seen_through() {
    let folder = Folder::new();
    let file = folder.file("file", "kept");
    let [soft, hard, nowhere, none] =
        ["soft", "hard", "nowhere", "none"].map(|name| folder.path(name));
    std::os::unix::fs::symlink(&file, &soft).unwrap();
    std::os::unix::fs::symlink("none", &nowhere).unwrap();
    fs::hard_link(&file, &hard).unwrap();
    for case in cases(&folder).iter().filter(|case| case.outputs.len() > 1) {
        let (first, second) = (case.outputs[0].0, case.outputs[1].0);
        for [one, other] in [[&file, &soft], [&hard, &file], [&none, &nowhere]] {
            let refused = case.with(&[first, one, second, other]).failure(2);
            assert_eq!(refused, format!("{first} and {second} are the same file, {other}"));
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
    }
}

#[test]
fn inputs_are_kept() {
    let folder = Folder::new();
    for case in cases(&folder) {
        for (name, input) in &case.inputs {
            let before = fs::read(input).unwrap();
            for (flag, ..) in &case.outputs {
                let refused = case.with(&[flag, input]).failure(2);
                assert_eq!(refused, format!("{name} and {flag} are the same file, {input}"));
            }
            assert_eq!(fs::read(input).unwrap(), before, "{input}");
        }
    }
}

#[test]
fn what_cannot_be_created_is_refused_before_any_work() {
    let folder = Folder::new();
    let nowhere = folder.path("none/out");
    let itself = folder.path("");
    for case in cases(&folder) {
        let before = folder.names();
        for (flag, ..) in &case.outputs {
            let refused = case.with(&[flag, &nowhere]).failure(2);
            let reason = "cannot be created: no such folder";
            assert_eq!(refused, format!("{nowhere}: {reason}"), "{flag}");
            let refused = case.with(&[flag, &itself]).failure(2);
            assert_eq!(refused, format!("{itself}: cannot be created: it is a folder"), "{flag}");
        }
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn names_promise_what_is_written() {
    let folder = Folder::new();
    for case in cases(&folder) {
        let before = folder.names();
        for (flag, _, own) in &case.outputs {
            let others: &[&str] = match *own {
                "mtx" => &["mtx", "npy", "npz", "csv"],
                "npy" => &["npy", "npz", "csv"],
                own => &[own],
            };
            for ending in ["png", "pdf", "npy", "npz", "mtx", "csv", "svg", "inp", "gz", "MAT"] {
                let path = folder.path(&format!("x.{ending}"));
                let (is_picture, lower) = (*own == "svg", ending.to_lowercase());
                let start = if is_picture {
                    format!("{path}: expected a name that ends in .svg or .png: {flag} writes a")
                } else {
                    format!("{path}: expected a name without .{lower}: {flag} writes ")
                };
                if !(others.contains(&ending) || is_picture && ending == "png") {
                    let refused = case.with(&[flag, &path]).failure(2);
                    assert!(refused.starts_with(&start), "{refused}");
                }
            }
        }
        assert_eq!(folder.names(), before);
    }
}

/// `--plot` and `option plot` write what the ending of the name says, and never guess.
#[test]
fn pictures_are_svg_or_png() {
    let folder = Folder::new();
    for case in cases(&folder) {
        for (flag, ..) in case.outputs.iter().filter(|(_, _, own)| *own == "svg") {
            let png = folder.path("x.PNG");
            assert_eq!(case.with(&[flag, &png]).code, 0);
            assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
            fs::remove_file(&png).unwrap();
            let none = folder.path("picture");
            let refused = case.with(&[flag, &none]).failure(2);
            let sentence = "expected a name that ends in .svg or .png";
            assert_eq!(refused, format!("{none}: {sentence}: {flag} writes a picture"));
        }
    }
}

#[test]
fn each_output_goes_to_standard_output() {
    let folder = Folder::new();
    for case in cases(&folder) {
        for &(flag, begin, own) in &case.outputs {
            if flag == "--checkpoint" {
                let refused = case.with(&[flag, "-"]).failure(2);
                assert_eq!(refused, "--checkpoint takes a file, not standard output");
                continue;
            }
            // Prices that are not within a tolerance have none with a grid: all runs succeed.
            let path = folder.path(&format!("again.{own}"));
            let mut further = vec![flag, "-"];
            let prices = folder.path("prices.csv");
            if flag == "--boundary" {
                further.extend(["--output", &prices]);
            }
            let output = Command::new(env!("CARGO_BIN_EXE_nonius"))
                .args(case.arguments(&further))
                .output()
                .unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{:?} {flag}: {err}", case.command);
            assert!(output.stdout.starts_with(begin), "{:?} {flag}", case.command);
            // Nothing but the file: it is the one that would be on the disk.
            if case.command[0] != "sdp" && !own.is_empty() {
                further[1] = &path;
                assert_eq!(case.with(&further).code, 0);
                assert_eq!(fs::read(&path).unwrap(), output.stdout, "{:?} {flag}", case.command);
            }
            let mut json = further.clone();
            json[1] = "-";
            json.push("--json");
            let ran = case.with(&json);
            let sentence = format!("--json needs standard output for itself: give {flag} a file");
            assert_eq!((ran.code, ran.err), (2, format!("nonius: {sentence}\n")));
            assert!(ran.out.contains(&sentence), "{}", ran.out);
        }
    }
}

/// `/dev/stdout` may be a file with more in it, which nobody wants replaced.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_by_another_name_is_appended_to() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2"]]);
    let log = folder.file("log", "before\n");
    let out = File::options().append(true).open(&log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
    let status = command.args(["convert", &a, "-q", "-o", "/dev/stdout"]).stdout(out).status();
    assert!(status.unwrap().success());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("before\n%%MatrixMarket"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_told() {
    let folder = Folder::new();
    for case in cases(&folder) {
        for (flag, ..) in &case.outputs {
            if *flag == "--checkpoint" {
                continue;
            }
            let run = |path: &str, out: Stdio| {
                let mut further = vec![*flag, path, "--quiet"];
                if *flag == "--boundary" {
                    further.extend(["--output", "/dev/null"]);
                }
                let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
                command.args(case.arguments(&further)).stdout(out);
                let output = command.output().unwrap();
                (output.status.code(), String::from_utf8(output.stderr).unwrap())
            };
            let full = File::options().write(true).open("/dev/full").unwrap();
            let (code, err) = run("-", full.into());
            let reason = "no space left on the device";
            let expected = format!("nonius: standard output cannot be written: {reason}\n");
            assert_eq!((code, err), (Some(2), expected), "{:?} {flag}", case.command);
            let (code, err) = run("/dev/full", Stdio::null());
            let expected = format!("nonius: /dev/full: writing failed: {reason}\n");
            assert_eq!((code, err), (Some(2), expected), "{:?} {flag}", case.command);
        }
    }
}

/// Commands without such outputs say that their report is lost.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_told() {
    let folder = Folder::new();
    let deck = folder.file("deck.inp", DECK);
    let out = folder.path("out");
    for command in [&["info"][..], &["info", "--json"], &["fem", "run", &deck, "-o", &out]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_nonius"));
        let output = program.args(command).stdout(full).output().unwrap();
        let reason = "no space left on the device";
        let expected = format!("nonius: standard output cannot be written: {reason}\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        assert_eq!(output.status.code(), Some(2));
    }
    assert!(folder.names().contains(&"out".to_string()));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new();
    for case in cases(&folder) {
        for (flag, ..) in &case.outputs {
            if *flag == "--checkpoint" {
                continue;
            }
            let mut further = vec![*flag, "-", "--quiet"];
            if *flag == "--boundary" {
                further.extend(["--output", "/dev/null"]);
            }
            let mut child = Command::new(env!("CARGO_BIN_EXE_nonius"))
                .args(case.arguments(&further))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{flag}");
        }
    }
}

/// What a terminal could take for a command.
const CONTROLS: &str = "\u{1b}[31m\u{7}\n\u{9b}x\u{202e}";

/// One line of printable characters.
fn assert_printable(text: &str) {
    let line = text.strip_suffix('\n').expect("messages end their line");
    let unsafe_one = |c: char| c.is_control() || c == '\u{202e}';
    assert!(!line.contains(unsafe_one), "{line:?}");
}

#[test]
fn names_with_control_characters_are_escaped() {
    let folder = Folder::new();
    let strange = folder.path(&format!("none{CONTROLS}"));
    let escaped = "\\u{1b}[31m\\u{7}\\n\\u{9b}x\\u{202e}";
    for case in cases(&folder) {
        for (_, input) in &case.inputs {
            let command: Vec<String> = case
                .arguments(&[])
                .into_iter()
                .map(|word| if word == *input { strange.clone() } else { word })
                .collect();
            let ran = nonius(command);
            assert_eq!(ran.code, 2);
            assert_printable(&ran.err);
            assert!(ran.err.contains(escaped), "{}", ran.err);
        }
        for (flag, ..) in &case.outputs {
            let path = folder.path(&format!("{CONTROLS}/x"));
            let ran = case.with(&[flag, &path]);
            assert_eq!(ran.code, 2);
            assert_printable(&ran.err);
            assert!(ran.err.contains(escaped), "{}", ran.err);
        }
    }
    // Decks and what is wrong with arguments.
    let ran = nonius(["fem", "run", &strange, "-o", &folder.path("out")]);
    assert_printable(&ran.err);
    let ran = nonius(["solve", "a.mtx", "--precision", "\u{1b}[31m\u{7}red"]);
    assert_eq!(ran.code, 2);
    // clap leaves them out itself where nobody sees colours.
    assert!(ran.err.contains("red'"), "{:?}", ran.err);
    ran.err.split_inclusive('\n').for_each(assert_printable);
}

#[test]
fn summaries_and_pictures_escape_names() {
    let folder = Folder::new();
    let name = format!("a{CONTROLS}.mtx");
    let a = folder.matrix(&name, &[&["2", "1"], &["1", "3"]]);
    let picture = folder.path("a.svg");
    let summary = nonius(["cg", &a, "--plot", &picture]).success();
    for text in [summary, fs::read_to_string(&picture).unwrap()] {
        assert!(text.contains("\\u{1b}[31m"), "{text:?}");
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{text:?}");
    }
}

#[test]
fn words_of_files_are_escaped() {
    let folder = Folder::new();
    let text = |text: &str| text.replace('@', "\u{1b}[31m\u{7}\u{9b}\u{202e}");
    let out = folder.path("out");
    let matrix = |name: &str, contents: &str| folder.file(name, &text(contents));
    let files: [(&[&str], String); 12] = [
        (&["convert"], matrix("1.mtx", "%%MatrixMarket@ matrix array real general\n1 1\n1\n")),
        (&["convert"], matrix("2.mtx", "%%MatrixMarket matrix array real@ general\n1 1\n1\n")),
        (&["convert"], matrix("3.mtx", "%%MatrixMarket matrix array real general\n1@ 1\n1\n")),
        (&["convert"], matrix("4.mtx", "%%MatrixMarket matrix array real general\n1 1\n@\n")),
        (&["option", "price"], matrix("1.csv", &BOOK.replace("american", "@"))),
        (&["option", "price"], matrix("2.csv", &BOOK.replace("strike", "@"))),
        (&["option", "price"], matrix("3.csv", &BOOK.replace(",0.2,", ",surface:@,"))),
        (&["sdp"], matrix("1.dat-s", "x@\n1\n1\n1\n1 1 1 1 1\n")),
        (&["sdp"], matrix("2.dat-s", "1\n1\n1\n1\n1 1 1 1 @\n")),
        (&["fem", "run", "-o", &out], matrix("1.inp", &DECK.replace("7800", "@"))),
        (&["fem", "run", "-o", &out], matrix("2.inp", &DECK.replace("*DENSITY", "*DENSITY@"))),
        (&["fem", "run", "-o", &out], matrix("1.toml", "mesh = \"@\"\n\"@\" = 1\n")),
    ];
    for (command, path) in files {
        let ran = nonius(command.iter().copied().chain([path.as_str()]));
        assert!(ran.code == 1 || ran.code == 2, "{path}: {} {}", ran.code, ran.out);
        // A summary may stand before the message.
        ran.err.split_inclusive('\n').for_each(assert_printable);
    }
}

/// Sizes that no machine has, in headers of a few bytes.
#[test]
fn sizes_are_compared_with_the_memory_before_it_is_taken() {
    let folder = Folder::new();
    let general = "%%MatrixMarket matrix coordinate real general\n";
    let huge = folder.file("huge.mtx", &format!("{general}1000000000000 1000000000000 1\n1 1 1\n"));
    let sentence = |what: &str, needed: &str| format!("{what}: {needed} of memory needed, ");
    let dense = "a dense matrix of 1000000000000 × 1000000000000";
    for command in ["solve", "inverse", "determinant", "eigen", "svd"] {
        let refused = nonius([command, &huge, "--precision", "f64"]).failure(2);
        let expected = format!("{huge}: {}", sentence(dense, "8.00 YB"));
        assert!(refused.starts_with(&expected), "{refused}");
        assert!(refused.ends_with(" free"), "{refused}");
    }
    for arguments in [
        &["matmul", &huge, &huge, "--precision", "f64"][..],
        &["convert", &huge, "--format", "array", "--precision", "f64"],
        &["matmul", &huge, &huge, "--precision", "mp424"],
        &["solve", &huge, "--digits", "5"],
        &["determinant", &huge, "--digits", "5"],
    ] {
        let refused = nonius(arguments).failure(2);
        assert!(refused.starts_with(&format!("{huge}: {dense}: ")), "{refused}");
    }
    // An array file is refused where it has fewer numbers than it says, or has no room for more.
    let array = "%%MatrixMarket matrix array real general\n1000000000000 1000000000000\n1\n";
    let array = folder.file("array.mtx", array);
    assert_eq!(nonius(["convert", &array]).code, 2);

    // Small factors of a product that is large, and a system with many unknowns and right-hand
    // sides.
    let tall = folder.file("tall.mtx", &format!("{general}10000000 1 1\n1 1 1\n"));
    let wide = folder.file("wide.mtx", &format!("{general}1 10000000 1\n1 1 1\n"));
    let refused = nonius(["matmul", &tall, &wide, "--precision", "f64"]).failure(2);
    let product = format!("{tall} · {wide}: the product of 10000000 × 10000000");
    assert!(refused.starts_with(&sentence(&product, "800 TB")), "{refused}");
    let refused = nonius(["solve", &wide, &wide, "--precision", "f64"]).failure(2);
    let expected = format!("{wide}: {}", sentence("factors and the solution", "800 TB"));
    assert!(refused.starts_with(&expected), "{refused}");
}

#[test]
fn a_folder_is_no_stream() {
    let folder = Folder::new();
    let deck = folder.file("deck.inp", DECK);
    let refused = nonius(["fem", "run", &deck, "-o", "-"]).failure(2);
    assert_eq!(refused, "--output takes a folder, not standard output");
    let file = folder.file("file", "kept");
    let refused = nonius(["fem", "run", &deck, "-o", &file]).failure(2);
    assert!(refused.starts_with(&format!("{file}: ")), "{refused}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[test]
fn an_input_from_standard_input_serves_once() {
    for command in [&["matmul", "-", "-"][..], &["solve", "-", "-"], &["cg", "-", "--x0", "-"]] {
        let refused = nonius_with_input(command, Stdio::null()).failure(2);
        assert_eq!(refused, "expected at most one file from standard input");
    }
}
