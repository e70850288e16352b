//! What holds for every command: its flags, its object, its silence.

use std::process::Command;

use crate::fem::DECK;
use crate::option::{BOOK, QUOTES};
use crate::sdp::example;
use crate::{Folder, Ran, data, nonius};

/// The words of a command, and arguments by which it succeeds and writes files alone.
pub(crate) type Call = (Vec<&'static str>, Vec<String>);

/// Every command, by small calls.
pub(crate) fn calls(folder: &Folder) -> Vec<Call> {
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    let book = folder.file("book.csv", &BOOK[..BOOK.find("\nput").unwrap() + 1]);
    let deck = folder.file("deck.inp", DECK);
    let problem = example(folder);
    let quotes = folder.file("quotes.csv", QUOTES);
    let [matrix, picture, prices, volatilities, new, run, script, page, schema] =
        ["x.mtx", "x.svg", "x.csv", "y.csv", "new.inp", "run", "x.bash", "x.1", "x.json"]
            .map(|name| folder.path(name));
    let call = |words: &str, arguments: &[&str]| {
        let words = words.split(' ').map(|word| &*word.to_string().leak()).collect();
        (words, arguments.iter().map(ToString::to_string).collect())
    };
    vec![
        call("info", &[]),
        call("convert", &[&a, "-o", &matrix]),
        call("matmul", &[&a, &a]),
        call("solve", &[&a]),
        call("inverse", &[&a]),
        call("determinant", &[&a]),
        call("eigen", &[&a]),
        call("svd", &[&a]),
        call("cg", &[&a]),
        call("tridiag", &["--systems", "2", "--size", "3"]),
        call("option price", &[&book, "--grid", "64x32", "-o", &prices]),
        call("option implied", &[&quotes, "-o", &volatilities]),
        call("option plot", &[&book, "--points", "2", "--grid", "64x32", "-o", &picture]),
        call("fem run", &[&deck, "-o", &run]),
        call("fem generate", &["bar", "--elements", "1", "1", "1", "-o", &new]),
        call("sdp", &[&problem]),
        call("help", &["fem", "generate"]),
        call("completions", &["bash", "-o", &script]),
        call("man", &["solve", "-o", &page]),
        call("schema", &["solve", "-o", &schema]),
    ]
}

fn with((words, arguments): &Call, more: &[&str]) -> Ran {
    let words = words.iter().copied().chain(arguments.iter().map(String::as_str));
    nonius(words.chain(more.iter().copied()))
}

/// The help of the program names all commands, and no other is there.
#[test]
fn all_commands_are_called() {
    let folder = Folder::new();
    let names: Vec<String> = calls(&folder).iter().map(|(words, _)| words.join(" ")).collect();
    let message = nonius(["help", "nothing"]).failure(2);
    let expected = format!("no command is called `nothing`; commands are {}", names.join(", "));
    assert_eq!(message, expected);
}

#[test]
fn json_is_one_object() {
    let folder = Folder::new();
    for call in calls(&folder) {
        // Fails where there is anything beside it on either stream.
        let object = with(&call, &["--json"]).json();
        assert!(!object.as_object().unwrap().is_empty(), "{:?}", call.0);
        assert!(object.get("error").is_none() && object.get("cols").is_none(), "{object}");
        // So it is for a failure, which is told on standard error, too.
        let ran = with(&call, &["--json", "--threads", "1025"]);
        let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, &object["exit_code"]), (2, &2.into()));
        let error = object["error"].as_str().unwrap();
        assert!(error.contains("threads from 1 to 1024"), "{:?}: {error}", call.0);
        assert_eq!(ran.err, format!("nonius: {error}\n"));
    }
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new();
    for call in calls(&folder) {
        for flag in ["--quiet", "-q"] {
            let ran = with(&call, &[flag]);
            assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""), "{:?}", call.0);
        }
    }
}

#[test]
fn flags_are_those_of_every_command() {
    let folder = Folder::new();
    for call in calls(&folder) {
        let name = call.0.join(" ");
        let flags = ["--verbose", "--threads", "2", "--device", "cpu"];
        let ran = with(&call, &flags);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let help = nonius(call.0.iter().copied().chain(["--help"])).success();
        for flag in ["--device", "--threads", "--json", "-q, --quiet", "-v, --verbose"] {
            assert!(help.contains(flag), "{name} {flag}");
        }
        let has_no_work =
            ["convert", "fem generate", "help", "completions", "man", "schema"].contains(&&*name);
        let ran = with(&call, &["--device", "cuda:999"]);
        match &*name {
            "info" => assert_eq!(ran.code, 0, "{}", ran.err),
            _ if has_no_work => {
                let message = ran.failure(2);
                let end = "has no work for a GPU: expected auto or cpu";
                assert!(message.starts_with("--device cuda:999: ") && message.ends_with(end));
            }
            _ => {
                let message = ran.failure(2);
                assert!(message.contains("GPU") || message.contains("CUDA driver"), "{message}");
            }
        }
    }
}

/// Nothing says that a GPU is missing for work that is short.
#[test]
fn short_work_says_nothing_of_gpus() {
    let folder = Folder::new();
    for call in calls(&folder) {
        let name = call.0.join(" ");
        let ran = with(&call, &["--threads", "2"]);
        for line in ran.out.lines().filter(|line| line.starts_with("device ")) {
            assert_eq!(line, "device                cpu, 2 threads", "{name}");
        }
    }
    let a = folder.path("a.mtx");
    let reason = nonius(["solve", &a, "--json"]).json()["device_reason"].clone();
    assert!(reason.as_str().unwrap().contains("to start a GPU"), "{reason}");
    let said = nonius(["solve", &a, "--verbose"]).err;
    assert!(said.contains("the solution ran on cpu") && said.contains("to start a GPU"), "{said}");
    let deck = folder.path("deck.inp");
    let ran = nonius(["fem", "run", &deck, "-o", &folder.path("verbose"), "--verbose"]);
    assert!(ran.err.starts_with("nonius: the run ran on cpu"), "{}", ran.err);
}

/// Colours are for terminals, and for whoever insists.
#[test]
fn colours() {
    let a = data("hilbert20.mtx");
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let output = command.args(arguments).envs(variables.iter().copied()).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let failing = ["solve", "none.mtx"];
    let warned = ["solve", &a, "--precision", "f64"];
    let force = ("CLICOLOR_FORCE", "1");
    for plain in [&[][..], &[("CLICOLOR", "1")], &[force, ("NO_COLOR", "1")]] {
        assert_eq!(run(&failing, plain)[1], "nonius: none.mtx: cannot be opened: no such file\n");
        let summary = &run(&warned, plain)[0];
        assert!(summary.contains("\nwarning               A is too ill-cond"), "{summary}");
        assert!(!summary.contains('\u{1b}'), "{summary}");
    }
    let said = &run(&failing, &[force])[1];
    let expected = "\u{1b}[1m\u{1b}[31mnonius:\u{1b}[0m none.mtx: cannot be opened: no such file\n";
    assert_eq!(said, expected);
    let summary = &run(&warned, &[force])[0];
    assert!(summary.contains("\n\u{1b}[33mwarning             \u{1b}[0m  A is"), "{summary:?}");
    // An object has none.
    let object = &run(&["solve", "none.mtx", "--json"], &[force])[0];
    assert!(!object.contains('\u{1b}'), "{object}");
    assert!(run(&["solve", "--help"], &[force])[0].contains('\u{1b}'));
    assert!(!run(&["solve", "--help"], &[])[0].contains('\u{1b}'));
}
