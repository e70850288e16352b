//! Decks of `nonius fem`: those it makes, those it takes and those it refuses.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fem::{BALANCE, DECK, changed, files, run};
use crate::{Folder, data, nonius, nonius_with_input};

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
