//! `nonius fem`

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Folder, Ran, data, nonius};

/// Two hexahedra in a row along the first axis, of steel, which one end pushes.
pub(crate) const DECK: &str = "\
*HEADING
Two elements
*NODE, NSET=all
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
9, 2, 0, 0
10, 2, 1, 0
11, 2, 0, 1
12, 2, 1, 1
*ELEMENT, TYPE=C3D8R, ELSET=both
1, 1, 2, 3, 4, 5, 6, 7, 8
2, 2, 9, 10, 3, 6, 11, 12, 7
*NSET, NSET=start
1, 4, 5, 8
*SOLID SECTION, ELSET=both, MATERIAL=steel
*MATERIAL, NAME=steel
*DENSITY
7800
*ELASTIC
2e11, 0.3
*AMPLITUDE, NAME=rise
0, 0, 1e-3, 1
*STEP
*DYNAMIC, EXPLICIT
, 1e-2
*BOUNDARY, TYPE=VELOCITY, AMPLITUDE=rise
start, 1, 1, 1
*OUTPUT, FIELD, NUMBER INTERVAL=5
*RESTART, WRITE
*END STEP
";

/// The part of the energies that coarse meshes of generated models may lose or gain.
pub(crate) const BALANCE: f64 = 1e-2;
/// The part of the energies that time steps lose in the smooth motion of [`DECK`].
const SMOOTH_BALANCE: f64 = 1e-6;

/// The deck with a text replaced.
pub(crate) fn changed(from: &str, to: &str) -> String {
    assert!(DECK.contains(from), "{from}");
    DECK.replacen(from, to, 1)
}

/// A run into the folder `out`.
pub(crate) fn run(folder: &Folder, deck: &str, more: &[&str]) -> Ran {
    let out = folder.path("out");
    nonius(["fem", "run", deck, "-o", &out].iter().chain(more))
}

/// What a run has left, by name.
pub(crate) fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

fn assert_same(found: &str, expected: &str) {
    let (found, expected) = (files(found), files(expected));
    for ((name, contents), (other, others)) in found.iter().zip(&expected) {
        assert!(name == other && contents == others, "{name} {other}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn what_a_run_leaves() {
    let folder = Folder::new();
    let deck = folder.file("two.inp", DECK);
    let json = run(&folder, &deck, &["--json"]).json();
    let steps = json["steps"].as_u64().unwrap();
    assert!(steps > 50, "{steps}");
    assert_eq!((&json["nodes"], &json["elements"]), (&12.into(), &2.into()));
    assert_eq!((&json["fields"], &json["time"]), (&6.into(), &0.01.into()));
    assert_eq!((&json["precision"], &json["resumed_at_step"]), (&"f64".into(), &Value::Null));
    assert_eq!(
        json["ignored"],
        Value::Array(vec![format!("{deck}:35: *RESTART is ignored").into()])
    );
    let energies = &json["energies"];
    assert!(energies["kinetic"].as_f64().unwrap() > 0.0, "{energies}");
    assert!(energies["relative_balance"].as_f64().unwrap().abs() < SMOOTH_BALANCE, "{energies}");
    let drift = json["drift_of_forces"].as_f64().unwrap();
    // Each step adds an increment, whose rounding errors are at most 8 units of roundoff.
    assert!(drift < 4.0 * steps as f64 * f64::EPSILON, "{drift}");
    let operations = &json["operations_per_step"];
    assert!(operations["f32"] == 0 && operations["f64"].as_u64() > Some(1000), "{operations}");
    let names: Vec<String> = files(&folder.path("out")).into_iter().map(|file| file.0).collect();
    let expected = [
        "checkpoint",
        "end.png",
        "fields-0000.vtu",
        "fields-0001.vtu",
        "fields-0002.vtu",
        "fields-0003.vtu",
        "fields-0004.vtu",
        "fields-0005.vtu",
        "fields.pvd",
        "history.csv",
        "history.svg",
    ];
    assert_eq!(names, expected);
    let rows = fs::read_to_string(folder.path("out/history.csv")).unwrap();
    assert!(rows.starts_with("time,step,increment,kinetic,internal,"), "{rows}");
    // A head, the start and each step: the rows asked for are closer than steps are.
    assert_eq!(rows.lines().count() as u64, steps + 2);
    let warnings = json["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|w| w.as_str().unwrap().contains("after each step")), "{json}");

    // Whatever the number of threads.
    let other = folder.path("other");
    nonius(["fem", "run", &deck, "-o", &other, "--threads", "1", "--quiet"]).success();
    assert_same(&other, &folder.path("out"));
    for precision in ["f32", "mixed", "f32x2"] {
        let flags = [
            "--precision",
            precision,
            "--field",
            "displacement",
            "--view",
            "-1,0,2",
            "--single-fields",
        ];
        let summary = run(&folder, &deck, &flags).success();
        assert!(summary.contains("two.inp: 12 nodes, 2 elements\n"), "{summary}");
        assert!(summary.contains(&format!("precision             {precision}\n")), "{summary}");
        assert!(summary.contains("*RESTART is ignored"), "{summary}");
        assert_eq!(summary.contains(" % of them in f32\n"), precision == "mixed", "{summary}");
        assert!(!summary.contains("drift of forces"), "{summary}");
    }
    // What is computed in full at every step has nothing to drift from but rounding: some units of
    // f32.
    let json = run(&folder, &deck, &["--precision", "mixed", "--resync", "1", "--json"]).json();
    let drift = json["drift_of_forces"].as_f64().unwrap();
    assert!(drift < 64.0 * f64::from(f32::EPSILON), "{drift:e}");
    let summary = run(&folder, &deck, &["--precision", "mixed", "--resync", "0"]).success();
    assert!(summary.contains("\ndrift of forces       "), "{summary}");
    let json = run(&folder, &deck, &["--precision", "mixed", "--resync", "0", "--json"]).json();
    let drift = json["drift_of_forces"].as_f64().unwrap();
    // Increments have the rounding errors of `f32`, far above those of `f64`.
    let single = 4.0 * steps as f64 * f64::from(f32::EPSILON);
    assert!(drift > 5e3 * f64::EPSILON && drift < single, "{drift:e}");
    let operations = &json["operations_per_step"];
    let [single, double] = ["f32", "f64"].map(|name| operations[name].as_f64().unwrap());
    assert!(single > 0.4 * (single + double), "{operations}");
    let toml = data("fem/gmsh/bar.toml");
    assert_eq!(run(&folder, &toml, &["--quiet"]).success(), "");
}

/// Units that a deck states are in the summary, in the object, and in all files with numbers for
/// people; a deck without units has none.
#[test]
fn units() {
    let folder = Folder::new();
    let stated = "**UNITS, LENGTH=mm, MASS=t, TIME=s, TEMPERATURE=degC\n*NODE";
    let deck = folder.file("two.inp", &changed("*NODE", stated));
    let summary = run(&folder, &deck, &[]).success();
    let units = "units                 mm, t, s, degC; force N, stress MPa, energy mJ\n";
    assert!(summary.contains(units), "{summary}");
    assert!(summary.contains(" until 1e-2 s\n"), "{summary}");
    assert!(summary.contains("\nenergies, mJ          kinetic "), "{summary}");
    let csv = fs::read_to_string(folder.path("out/history.csv")).unwrap();
    let head = "time (s),step,increment (s),kinetic (mJ),internal (mJ),plastic (mJ),hourglass (mJ),viscous (mJ),external (mJ),balance (mJ)\n";
    assert!(csv.starts_with(head), "{csv}");
    let picture = fs::read_to_string(folder.path("out/history.svg")).unwrap();
    for label in ["time (s)", "energy (mJ)"] {
        assert!(picture.contains(label), "{label}");
    }
    // The same columns are needed to go on.
    run(&folder, &deck, &["--resume"]).success();
    let json = run(&folder, &deck, &["--json"]).json();
    let found = ["length", "mass", "time", "temperature", "velocity", "force", "stress", "energy"];
    let found = found.map(|name| json["units"][name].as_str().unwrap());
    assert_eq!(found, ["mm", "t", "s", "degC", "mm/s", "N", "MPa", "mJ"]);
    assert_eq!(json["units"]["density"], "t/mm^3");
    let with = fs::read(folder.path("out/end.png")).unwrap();

    let deck = folder.file("none.inp", DECK);
    let summary = run(&folder, &deck, &[]).success();
    assert!(
        !summary.contains("units") && summary.contains("\nenergies              "),
        "{summary}"
    );
    assert!(fs::read(folder.path("out/end.png")).unwrap() != with);
    let json = run(&folder, &deck, &["--json"]).json();
    assert_eq!(json["units"], Value::Null);
    // In TOML, with units that have no name of their own.
    let toml = fs::read_to_string(data("fem/gmsh/bar.toml")).unwrap();
    let toml = toml.replacen("bar_hex.msh", &data("fem/gmsh/bar_hex.msh"), 1);
    let toml = toml.replacen(
        "[[material]]",
        "[units]\nlength = \"cm\"\nmass = \"g\"\ntime = \"us\"\n\n[[material]]",
        1,
    );
    let summary = run(&folder, &folder.file("bar.toml", &toml), &[]).success();
    let units = "units                 cm, g, us; force g cm/us^2, stress g/(cm us^2), energy g cm^2/us^2\n";
    assert!(summary.contains(units), "{summary}");
}

/// A fixed increment that is too long is said to be, before what it makes of the elements.
#[test]
fn an_increment_beyond_the_stable_one() {
    let folder = Folder::new();
    let json = run(&folder, &folder.file("deck.inp", DECK), &["--json"]).json();
    let stable = 1e-2 / json["steps"].as_f64().unwrap() / 0.9;
    let fixed = |increment: f64| {
        let control = format!(", EXPLICIT, DIRECT USER CONTROL\n{increment:e}, 1e-2");
        folder.file("deck.inp", &changed(", EXPLICIT\n, 1e-2", &control))
    };
    let ran = run(&folder, &fixed(1.5 * stable), &[]);
    let message = ran.err;
    assert_eq!(ran.code, 1, "{message}");
    let (_, said) = message.split_once("the fixed time increment of ").unwrap();
    let (increment, said) = said.split_once(" exceeds the stable one of ").unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let near = |x: f64, y: f64| (x / y - 1.0).abs() < 0.05;
    assert!(near(number(increment), 1.5 * stable), "{message}");
    assert!(near(number(said.split([',', ';']).next().unwrap()), stable), "{message} {stable}");
    assert!(!message.contains("shorter steps or a finer mesh"), "{message}");
    let summary = run(&folder, &fixed(0.8 * stable), &[]).success();
    assert!(!summary.contains("exceeds"), "{summary}");
}

/// What numbers do not allow is another failure than what decks do not say.
#[test]
fn runs_that_fail() {
    let folder = Folder::new();
    let inverted = folder
        .file("inverted.inp", &changed("1, 1, 2, 3, 4, 5, 6, 7, 8", "1, 5, 6, 7, 8, 1, 2, 3, 4"));
    let message = run(&folder, &inverted, &[]).failure(1);
    let expected = "step 0, time 0e0: element 1 (C3D8R) has no volume or has turned inside out";
    assert_eq!(message, format!("{inverted}: {expected}"));

    let deck = folder.file("two.inp", DECK);
    let ran = run(&folder, &deck, &["--balance", "1e-300", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let message = json["error"].as_str().unwrap();
    assert_eq!((ran.code, &json["exit_code"]), (1, &1.into()));
    assert!(message.starts_with(&format!("{deck}: step ")), "{message}");
    assert!(message.contains("energies differ from what was there and came in by"), "{message}");
    assert!(message.contains(" (C3D8R); shorter steps or a finer mesh may help; "), "{message}");
    let checkpoint = folder.path("out/checkpoint");
    assert_eq!(json["checkpoint"]["file"], checkpoint.as_str());
    let step = json["checkpoint"]["step"].as_u64().unwrap();
    assert!(
        message.contains(&format!("the last checkpoint is {checkpoint}, step {step}, time ")),
        "{message}"
    );
    // The bound may be another one from there on.
    let json = run(&folder, &deck, &["--resume", "--json"]).json();
    assert_eq!(json["resumed_at_step"], step);
}

#[test]
fn wrong_arguments() {
    let folder = Folder::new();
    let deck = folder.file("two.inp", DECK);
    for balance in ["0", "-1", "nan", "inf"] {
        let message = run(&folder, &deck, &[&format!("--balance={balance}")]).failure(2);
        assert_eq!(message, "--balance: expected a positive number such as 0.05");
    }
    for [flag, value] in [
        ["--precision", "dd"],
        ["--field", "strain"],
        ["--view", "above"],
        ["--threads", "0"],
        ["--resync", "x"],
        ["--device", "gpu"],
        ["--balance", "x"],
    ] {
        let ran = run(&folder, &deck, &[flag, value]);
        assert!(
            ran.code == 2 && ran.err.contains(&format!("invalid value '{value}' for '{flag}")),
            "{}",
            ran.err
        );
    }
    for precision in ["f32", "f64", "f32x2"] {
        let message = run(&folder, &deck, &["--resync", "3", "--precision", precision]).failure(2);
        assert_eq!(message, format!("--resync is for --precision mixed, not for {precision}"));
    }
    let ran = nonius(["fem", "run", &deck]);
    assert!(ran.code == 2 && ran.err.contains("--output <FOLDER>"), "{}", ran.err);
    assert!(nonius(["fem", "run"]).err.contains("<DECK>"));
    assert_eq!(nonius(["fem"]).code, 2);
    let file = folder.file("file", "");
    let message = nonius(["fem", "run", &deck, "-o", &file]).failure(2);
    assert!(message.starts_with(&format!("{file}: cannot be ")), "{message}");
    assert_eq!(folder.names(), ["file", "two.inp"]);
}

#[test]
fn checkpoints_of_other_runs() {
    let folder = Folder::new();
    let deck = folder.file("two.inp", DECK);
    let checkpoint = folder.path("out/checkpoint");
    let message = run(&folder, &deck, &["--resume"]).failure(2);
    assert!(message.starts_with(&format!("{checkpoint}: cannot be read: ")), "{message}");
    run(&folder, &deck, &["--quiet"]).success();
    let whole = files(&folder.path("out"));
    let resume = |deck: &str, more: &[&str]| {
        let message = run(&folder, deck, &[&["--resume"], more].concat()).failure(2);
        assert!(files(&folder.path("out")) == whole, "{message}");
        message
    };
    assert_eq!(
        resume(&deck, &["--precision", "mixed"]),
        format!("{checkpoint}: a checkpoint of a run in another precision")
    );
    let other = folder.file("other.inp", &changed("7800", "7850"));
    assert_eq!(
        resume(&other, &[]),
        format!("{checkpoint}: a checkpoint of another model or version of Nonius")
    );
    // Of what has ended nothing is left to do.
    let summary = run(&folder, &deck, &["--resume"]).success();
    assert!(summary.contains(", resumed at "), "{summary}");
    assert!(files(&folder.path("out")) == whole);
    let damaged = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &damaged[..damaged.len() - 1]).unwrap();
    let message = run(&folder, &deck, &["--resume"]).failure(2);
    assert_eq!(message, format!("{checkpoint}: its end is missing"));
    fs::write(&checkpoint, "nothing").unwrap();
    let message = run(&folder, &deck, &["--resume"]).failure(2);
    assert_eq!(message, format!("{checkpoint}: expected a checkpoint"));
}

/// A run that is interrupted says where it can go on, and does.
#[cfg(unix)]
#[test]
fn interruption() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let deck = folder.path("bar.inp");
    nonius(["fem", "generate", "bar", "--elements", "100", "4", "4", "-o", &deck]).success();
    let expected = folder.path("at-once");
    nonius(["fem", "run", &deck, "-o", &expected]).success();
    let out = folder.path("out");
    let arguments = ["fem", "run", &deck, "-o", &out, "--json"].map(String::from);
    let child = Command::new(env!("CARGO_BIN_EXE_nonius"))
        .args(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // When this is there, steps are taken.
    while !Path::new(&folder.path("out/history.csv")).exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::of(&arguments, child.wait_with_output().unwrap());
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let message = report["error"].as_str().unwrap();
    assert_eq!(ran.code, 130);
    assert!(message.starts_with("interrupted at step "), "{message}");
    assert!(message.ends_with(&format!(": --resume goes on from {out}/checkpoint")), "{message}");
    assert_eq!(ran.err, format!("nonius: {message}\n"));
    assert!(files(&out).len() < files(&expected).len());
    let json = nonius(["fem", "run", &deck, "-o", &out, "--resume", "--json"]).json();
    assert!(json["resumed_at_step"].as_u64().unwrap() > 0, "{json}");
    assert_same(&out, &expected);
}
