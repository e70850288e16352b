//! `nonius fem`

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Folder, Ran, data, nonius, nonius_with_input};

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
const BALANCE: f64 = 1e-2;
/// The part of the energies that time steps lose in the smooth motion of [`DECK`].
const SMOOTH_BALANCE: f64 = 1e-6;

/// The deck with a text replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(DECK.contains(from), "{from}");
    DECK.replacen(from, to, 1)
}

/// A run into the folder `out`.
fn run(folder: &Folder, deck: &str, more: &[&str]) -> Ran {
    let out = folder.path("out");
    nonius(["fem", "run", deck, "-o", &out].iter().chain(more))
}

/// What a run has left, by name.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
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
fn decks_of_any_size() {
    let folder = Folder::new();
    let deck = folder.path("deck.inp");
    let generate = |shape: &str, more: &[&str]| {
        nonius(["fem", "generate", shape, "-o", &deck].iter().chain(more))
    };
    for (shape, kind, elements, nodes, count) in [
        ("bar", "c3d8r", ["10", "2", "2"], 99, 40),
        ("cantilever", "c3d8", ["8", "1", "1"], 36, 8),
        ("box", "c3d4", ["2", "2", "2"], 27, 48),
        ("taylor", "c3d8r", ["2", "1", "3"], 4 * 14, 3 * 8),
    ] {
        let json = generate(
            shape,
            &["--kind", kind, "--json", "--elements"]
                .iter()
                .chain(&elements)
                .copied()
                .collect::<Vec<_>>(),
        )
        .json();
        assert_eq!((&json["nodes"], &json["elements"]), (&nodes.into(), &count.into()), "{shape}");
        assert_eq!(json["kind"], kind.to_uppercase());
        let out = folder.path(shape);
        let json = nonius(["fem", "run", &deck, "-o", &out, "--json"]).json();
        assert_eq!((&json["nodes"], &json["elements"]), (&nodes.into(), &count.into()), "{shape}");
        assert!(json["energies"]["relative_balance"].as_f64().unwrap().abs() < BALANCE, "{json}");
    }
    let summary = generate("bar", &["--elements", "4", "1", "1"]).success();
    assert!(summary.ends_with("deck.inp: 20 nodes, 4 elements of type C3D8R\n"), "{summary}");
    assert_eq!(generate("bar", &["--elements", "4", "1", "1", "--quiet"]).success(), "");
    let printed = nonius(["fem", "generate", "bar", "--elements", "4", "1", "1", "-o", "-"]);
    assert!(printed.err.contains("standard output: 20 nodes"), "{}", printed.err);
    assert_eq!(printed.success(), fs::read_to_string(&deck).unwrap());

    let usage = |more: &[&str], expected: &str| {
        let ran = generate("bar", more);
        assert!(ran.code == 2 && ran.err.contains(expected), "{}", ran.err);
    };
    usage(&[], "--elements");
    usage(&["--elements", "0", "1", "1"], "expected a number from 1 to 4096");
    usage(&["--elements", "1", "1"], "3 values required");
    usage(&["--elements", "1", "1", "1", "--kind", "c3d20"], "c3d20");
    usage(
        &["--elements", "4096", "4096", "4096"],
        "there are more nodes or elements than can be numbered",
    );
    assert_eq!(nonius(["fem", "generate", "ball", "--elements", "1", "1", "1"]).code, 2);
    let ran = nonius(["fem", "generate", "bar", "--elements", "1", "1", "1", "-o", "-", "--json"]);
    assert!(ran.code == 2 && ran.out.contains("--json needs standard output"), "{}", ran.out);
    let nowhere = folder.path("none/deck.inp");
    let ran = nonius(["fem", "generate", "bar", "--elements", "1", "1", "1", "-o", &nowhere]);
    assert!(ran.failure(2).contains("cannot be created"));
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

/// Each with its line, and what was expected there.
/// A deck from standard input leaves what the same deck from a file leaves.
#[test]
fn decks_from_standard_input() {
    let folder = Folder::new();
    let deck = folder.file("two.inp", DECK);
    run(&folder, &deck, &["--quiet"]).success();
    let piped = folder.path("piped");
    let arguments = ["fem", "run", "-", "-o", &piped, "--json"];
    let report = nonius_with_input(arguments, fs::File::open(&deck).unwrap()).json();
    assert!(report["steps"].as_u64().unwrap() > 0, "{report}");
    let fields = |folder: &str| -> Vec<(String, Vec<u8>)> {
        files(folder).into_iter().filter(|(name, _)| name.ends_with(".vtu")).collect()
    };
    assert_eq!(fields(&piped), fields(&folder.path("out")));
    let include = changed("*HEADING", "*INCLUDE, INPUT=none.inp\n*HEADING");
    let input = folder.file("include.inp", &include);
    let refused = nonius_with_input(arguments, fs::File::open(&input).unwrap());
    assert!(refused.code == 2 && refused.err.contains("none.inp"), "{}", refused.err);
}

#[test]
fn decks_that_are_refused() {
    let folder = Folder::new();
    let refused = |name: &str, text: &str, expected: &str| {
        let deck = folder.file(name, text);
        let message = run(&folder, &deck, &[]).failure(2);
        let expected = format!("{}:{expected}", deck.strip_suffix(name).unwrap().to_owned() + name);
        assert!(message.starts_with(&expected), "{message}\n{expected}");
        assert!(!Path::new(&folder.path("out")).exists());
        let ran = run(&folder, &deck, &["--json"]);
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(ran.code == 2 && json["error"] == message.as_str(), "{json}");
    };
    let cases = [
        // Keywords and parameters.
        (
            "*BOUNDARY,",
            "*CONTACT\n*BOUNDARY,",
            "32: *CONTACT is not supported, and results may depend on it",
        ),
        (
            "*NODE,",
            "*NODE, SYSTEM=C,",
            "3: *NODE: SYSTEM=C is not supported, and results may depend on it",
        ),
        ("*NSET, NSET=start", "*NSET", "19: *NSET: expected the parameter NSET"),
        ("*DYNAMIC, EXPLICIT", "*DYNAMIC", "30: *DYNAMIC: expected the parameter EXPLICIT"),
        ("*DENSITY", "*END STEP\n*DENSITY", "23: *END STEP cannot stand here: expected "),
        (
            "*STEP",
            "*CLOAD\n1, 1, 1\n*STEP",
            "29: *CLOAD cannot stand here: expected a *STEP before it",
        ),
        ("*HEADING", "*", "1: expected a keyword behind the asterisk, found nothing"),
        ("*NODE, NSET=all", "*NODE, INPUT=none.txt", "3: expected a file that can be read, found "),
        (
            "*NODE, NSET=all",
            "*INCLUDE, INPUT=deck.inp\n*NODE, NSET=all",
            "3: the file includes itself",
        ),
        // Nodes and elements.
        (
            "2, 1, 0, 0",
            "2, 1, 0, x",
            "5: expected the number of a node and its coordinates, found x",
        ),
        ("2, 1, 0, 0", "1, 1, 0, 0", "5: the node 1 is there twice"),
        (
            "6, 11, 12, 7",
            "6, 11, 12",
            "18: expected the number of an element and those of its nodes, found the end",
        ),
        ("6, 11, 12, 7", "6, 11, 12, 13", "18: there is no node 13"),
        (
            "C3D8R",
            "C3D20R",
            "16: elements of type C3D20R are not supported; types are C3D8, C3D8R, C3D4, CPE4R, CAX4R",
        ),
        (
            "*NSET,",
            "*ELEMENT, TYPE=CPE4R\n3, 1, 2, 3, 4\n*NSET,",
            "20: solid, plane and axisymmetric elements do not go together",
        ),
        ("1, 4, 5, 8", "1, rest", "20: there is no node or set of nodes rest"),
        // Sections and materials.
        (
            "ELSET=both, MATERIAL",
            "ELSET=1, MATERIAL",
            "18: nothing says what the element 2 is made of",
        ),
        (
            "*MATERIAL",
            "*SOLID SECTION, ELSET=both, MATERIAL=steel\n*MATERIAL",
            "22: what the element 1 is made of is said twice",
        ),
        ("MATERIAL=steel", "MATERIAL=lead", "21: there is no material lead"),
        ("7800", "-1", "24: the density is -1: expected a number above zero"),
        ("0.3", "0.5", "26: the Poisson ratio is 0.5: expected a number above -1 and below 0.5"),
        ("*DENSITY\n7800\n", "", "22: the material steel has no density"),
        (
            "*AMPLITUDE",
            "*PLASTIC\n250, 0\n260, 0\n*AMPLITUDE",
            "27: the plastic strains do not increase",
        ),
        // Motions and loads.
        ("0, 0, 1e-3, 1", "0, 0, 0, 1", "27: the times of the amplitude do not increase"),
        (
            "start, 1, 1, 1",
            "start, 7, 7, 1",
            "33: expected a degree of freedom from 1 to 6, found 7",
        ),
        (
            "*OUTPUT",
            "*DLOAD\nboth, P7, 1\n*OUTPUT",
            "35: expected GRAV or a face such as P1, found P7",
        ),
        ("*OUTPUT", "*DSLOAD\nend, P, 1\n*OUTPUT", "35: there is no surface end"),
        (", 1e-2", ", 0", "31: the time of the step is 0: expected a number above zero"),
    ];
    for (from, to, expected) in cases {
        refused("deck.inp", &changed(from, to), expected);
    }
    // Units.
    for (comment, expected) in [
        ("**UNITS, LENGTH=mm, MASS=t", "*UNITS: expected the parameter TIME"),
        (
            "** Units, length=MM, mass=t, time=s",
            "expected km, m, dm, cm, mm, um, nm, in or ft as length, found MM",
        ),
        (
            "**UNITS, LENGTH=mm, MASS=t, TIME=s, FORCE=N",
            "*UNITS: FORCE is not supported, and results may depend on it",
        ),
        (
            "**UNITS, LENGTH=mm, MASS=t, TIME=s, TEMPERATURE=C",
            "expected K, degC or degF as temperature, found C",
        ),
    ] {
        let text = changed("*NODE", &format!("{comment}\n*NODE"));
        refused("deck.inp", &text, &format!("3: {expected}"));
    }
    let twice = "**UNITS, LENGTH=m, MASS=kg, TIME=s\n";
    let text = changed("*NODE", &format!("{twice}{twice}*NODE"));
    refused("deck.inp", &text, "4: expected the units in one comment, found ");
    refused("deck.inp", "", " there is no element");
    let (before, _) = DECK.split_once("*STEP").unwrap();
    refused("deck.inp", before, " there is no *STEP with *DYNAMIC, EXPLICIT");
    refused("deck.txt", DECK, " the file's name ends neither in .inp nor in .toml");
    let none = folder.path("none.inp");
    assert_eq!(
        run(&folder, &none, &[]).failure(2),
        format!("{none}: the file cannot be read: no such file")
    );

    let physics = "mesh = \"a.msh\"\n[[material]]\nname = \"a\"\ndensity = 1\nyoung = 1\npoisson = 0\n[[body]]\nmaterial = \"a\"\n[time]\nperiod = 1\n";
    refused("a.toml", physics, "1: expected a mesh that can be read, found ");
    refused("a.toml", &physics.replace("young", "youngs"), "5: unknown field `youngs`");
    refused("a.toml", &physics.replace("mesh =", "mesh"), "1: key with no value, expected `=`");
    folder.file("a.msh", "$MeshFormat\n3 0 8\n$EndMeshFormat\n");
    let message = run(&folder, &folder.file("a.toml", physics), &[]).failure(2);
    assert!(message.starts_with(&folder.path("a.msh:2: ")), "{message}");

    // What can be read, but not computed.
    let wall = "[[wall]]\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\n";
    let text = fs::read_to_string(data("fem/gmsh/bar.toml")).unwrap();
    let text = text.replace("bar_hex.msh", &data("fem/gmsh/bar_hex.msh")) + &wall.repeat(32);
    refused("walls.toml", &text, " there are more than 32 walls");
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
