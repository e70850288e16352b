//! What is refused before any work is done.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{Folder, data, nonius};

/// What is said about wrong usage, in one sentence.
fn usage<const N: usize>(arguments: [&str; N]) -> String {
    nonius(arguments).failure(2)
}

#[test]
fn help_for_everything() {
    let help = nonius(["--help"]).success();
    for command in ["convert", "matmul", "solve", "cg"] {
        assert!(help.contains(&format!("  {command} ")), "{command}");
        let help = nonius([command, "--help"]).success();
        assert!(help.contains("--precision") && help.contains("-o, --output"), "{command}");
    }
    let variables = [
        "NONIUS_NVRTC",
        "NONIUS_CACHE_DIR",
        "NONIUS_CUBLASLT",
        "NONIUS_CUSOLVER",
        "NONIUS_CUBLAS",
        "NONIUS_BYTE_PRODUCTS",
        "NONIUS_RESIDUES",
        "CUDA_HOME",
        "CUDA_VISIBLE_DEVICES",
        "NO_COLOR",
    ]
    .map(|name| format!("\n  {name} "));
    let statuses = ["0", "1", "2", "130"].map(|status| format!("\n  {status:<3}  "));
    for line in variables.iter().chain(&statuses) {
        assert!(help.contains(line), "{line:?} is not in\n{help}");
    }
    assert_eq!(nonius(["--version"]).success(), format!("nonius {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unknown_values() {
    assert_eq!(
        usage(["matmul", "a", "b", "--precision", "mp63"]),
        "invalid value 'mp63' for '--precision <PRECISION>': unknown precision `mp63`: \
         expected f64, dd, td, qd or mp followed by bits from 64 to 4096; see `nonius matmul --help`"
    );
    assert_eq!(
        usage(["info", "--device", "tpu"]),
        "invalid value 'tpu' for '--device <DEVICE>': unknown device `tpu`: \
         expected auto, cpu, cuda, cuda:0, cuda:1, … or cuda:all; see `nonius info --help`"
    );
    assert_eq!(
        usage(["matmul", "a", "b", "--arithmetic", "exact"]),
        "invalid value 'exact' for '--arithmetic <ARITHMETIC>': no arithmetic is called \"exact\"; \
         known are delayed ieee ieee-sloppy cray sloppy; see `nonius matmul --help`"
    );
    for count in ["0", "1025", "two", "-1"] {
        let threads = format!("--threads={count}");
        assert_eq!(
            usage(["info", &threads]),
            format!(
                "invalid value '{count}' for '--threads <N>': \
                 expected a number of threads from 1 to 1024; see `nonius info --help`"
            )
        );
    }
    assert!(usage(["solve", "a", "--method", "qr"]).contains("--method"));
    for flag in ["--engine", "--accuracy", "--workspace"] {
        assert!(usage(["matmul", "a", "a", flag, "fast"]).contains(flag));
    }
    assert_eq!(
        usage(["convert", "a", "--format", "dense"]),
        "invalid value 'dense' for '--format <FORMAT>': expected coordinate or array; \
         see `nonius convert --help`"
    );
    assert!(usage(["matmul", "a", "b", "--beta", "2"]).contains("required"));
    assert!(usage(["solve", "a", "b", "--rhs", "c"]).contains("cannot be used with"));
    assert!(usage(["inverted", "a"]).starts_with("there is no command `inverted`: it may be `"));
    assert!(usage(["inverted", "a"]).contains("`inverse`"));
    assert_eq!(usage(["xyz"]), "there is no command `xyz`; see `nonius --help`");
    assert_eq!(
        usage(["generate", "bar"]),
        "there is no command `generate`: it may be `nonius fem generate`; see `nonius --help`"
    );
    assert_eq!(
        usage(["matmul", "a"]),
        "the following required arguments were not provided: <B>; see `nonius matmul --help`"
    );
    let said = usage(["fem", "run", "a", "--outptu", "b"]);
    assert!(
        said.contains("'--output'") && said.ends_with("; see `nonius fem run --help`"),
        "{said}"
    );
    // Without a command the help is what helps.
    for group in [&[][..], &["fem"], &["option"]] {
        let ran = nonius(group);
        assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains("Usage: nonius"));
    }
}

/// Before a file is opened.
#[test]
fn cheap_arithmetic_is_for_dd() {
    for (precision, cheap) in [("f64", "sloppy"), ("td", "cray"), ("qd", "ieee-sloppy")] {
        for command in [vec!["matmul", "none.mtx", "none.mtx"], vec!["solve", "none.mtx"]] {
            let flags = ["--arithmetic", cheap, "--precision", precision];
            assert_eq!(
                nonius(command.into_iter().chain(flags)).failure(2),
                format!("--arithmetic: {cheap} arithmetic is for dd only, not for {precision}")
            );
        }
    }
}

#[test]
fn json_says_what_was_wrong() {
    let ran = nonius(["solve", "a", "--method", "qr", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &report["exit_code"]), (2, &2.into()));
    assert!(report["error"].as_str().unwrap().starts_with("invalid value 'qr'"));
    for (arguments, part) in [
        (&["solve", "none.mtx"][..], "none.mtx: cannot be opened: no such file"),
        // What clap says on several lines.
        (&["matmul", "a"], "arguments were not provided: <B>; see `nonius matmul --help`"),
        (&["generate"], "it may be `nonius fem generate`; see `nonius --help`"),
    ] {
        let ran = nonius(arguments.iter().chain(&["--json"]));
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let error = report["error"].as_str().unwrap();
        assert!(error.ends_with(part), "{error}");
        assert_eq!(ran.err, format!("nonius: {error}\n"));
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    assert_eq!(
        nonius(["matmul", "none.mtx", "none.mtx"]).failure(2),
        "none.mtx: cannot be opened: no such file"
    );
    let path = folder.path("");
    assert_eq!(
        nonius(["convert", &path]).failure(2),
        format!("{path}: reading failed: it is a folder")
    );
    let empty = folder.file("empty.mtx", "");
    assert_eq!(
        nonius(["solve", &empty]).failure(2),
        format!("{empty}: the file is empty: expected the banner `%%MatrixMarket matrix ...`")
    );
    let wrong = folder.matrix("wrong.mtx", &[&["1", "2"], &["x", "4"]]);
    for arguments in
        [vec!["convert", &wrong], vec!["solve", &wrong], vec!["matmul", &wrong, &wrong]]
    {
        assert_eq!(
            nonius(arguments).failure(2),
            format!("{wrong}: line 4: expected a decimal number, found `x`")
        );
    }
    let beyond = folder.matrix("beyond.mtx", &[&["1e400"]]);
    assert_eq!(
        nonius(["convert", &beyond]).failure(2),
        format!("{beyond}: line 3: expected a number within the range of qd, found `1e400`")
    );
    let huge = folder.file(
        "huge.mtx",
        "%%MatrixMarket matrix coordinate real general\n9000000000 9000000000 1\n1 1 1\n",
    );
    let message = nonius(["solve", &huge]).failure(2);
    let expected =
        format!("{huge}: a dense matrix of 9000000000 × 9000000000: 1.30 ZB of memory needed, ");
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn files_that_cannot_be_written() {
    let folder = Folder::new();
    let a = data("nos4.mtx.xz");
    let nowhere = folder.path("none/out.mtx");
    for command in [vec!["convert", &a], vec!["solve", &a], vec!["matmul", &a, &a]] {
        let message = nonius(command.into_iter().chain(["-o", &nowhere])).failure(2);
        assert_eq!(message, format!("{nowhere}: cannot be created: no such folder"));
    }
    let path = folder.path("out.mtx.gz");
    assert_eq!(
        nonius(["convert", &a, "-o", &path]).failure(2),
        format!(
            "{path}: expected a name without .gz: --output writes a matrix (.mtx, .npy, .npz or .csv), uncompressed"
        )
    );
    assert!(folder.names().is_empty());
    // The matrix and the report cannot share standard output.
    for command in [vec!["convert", &a], vec!["solve", &a, "-o", "-"]] {
        let ran = nonius(command.into_iter().chain(["--json"]));
        assert_eq!(ran.code, 2);
        assert!(ran.out.contains("--json needs standard output for itself"));
    }
}

/// A reader that goes away early is no failure.
#[test]
fn a_closed_pipe() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nonius"))
        .args(["convert", &data("bcsstk14.mtx.xz"), "--format", "array"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// A run that is interrupted says so and leaves no file.
#[cfg(unix)]
#[test]
fn interruption() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_nonius"))
        .args(["solve", "-", "-o", &folder.path("out.mtx")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a pipe holds: when it is written, the program is reading.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"%%MatrixMarket matrix array real general\n").unwrap();
    input.write_all(&b"% comment\n".repeat(100_000)).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "nonius: interrupted\n");
    assert!(folder.names().is_empty());
}
