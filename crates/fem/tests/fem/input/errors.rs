//! What is wrong is said in a sentence, with the line.

use std::fs;
use std::path::Path;

use nonius_fem::input::abaqus;

use super::common::{MESH, STEEL, STEP, read, two};

/// The error of the two hexahedra with a text replaced.
fn replaced(from: &str, to: &str) -> String {
    let text = two("", "");
    assert!(text.contains(from), "{from}");
    read(&text.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn meshes() {
    let cases = [
        (
            "2, 1, 0, 0\n",
            "2, 1, 0, x\n",
            "deck.inp:3: expected the number of a node and its coordinates, found x",
        ),
        (
            "2, 1, 0, 0\n",
            "2, 1, 0, inf\n",
            "deck.inp:3: expected the number of a node and its coordinates, found inf",
        ),
        (
            "2, 1, 0, 0\n",
            "-2, 1, 0, 0\n",
            "deck.inp:3: expected a number of a node or an element, found -2",
        ),
        ("3, 1, 1, 0\n", "2, 1, 1, 0\n", "deck.inp:4: the node 2 is there twice"),
        ("2, 2, 9, 10", "1, 2, 9, 10", "deck.inp:16: the element 1 is there twice"),
        ("2, 2, 9, 10", "2, 2, 9, 13", "deck.inp:16: there is no node 13"),
        (
            "6, 11, 12, 7\n",
            "6, 11, 12\n",
            "deck.inp:16: expected the number of an element and those of its nodes, found the end of the data",
        ),
        (
            "6, 11, 12, 7\n",
            "6, 11, 12, 7, 8\n",
            "deck.inp:16: expected the number of an element and those of its nodes, found 8 behind them",
        ),
        (
            "C3D8R",
            "C3D20R",
            "deck.inp:14: elements of type C3D20R are not supported; types are C3D8, C3D8R, C3D4, CPE4R, CAX4R",
        ),
        ("C3D8R", "CPS4", "deck.inp:15: expected"),
        (
            "*SOLID SECTION, ELSET=both",
            "*SOLID SECTION, ELSET=1",
            "deck.inp:16: nothing says what the element 2 is made of",
        ),
        (
            "*SOLID SECTION, ELSET=both",
            "*SOLID SECTION, ELSET=rest",
            "deck.inp:17: there is no element or set of elements rest",
        ),
        ("MATERIAL=steel", "MATERIAL=lead", "deck.inp:17: there is no material lead"),
        (
            "MATERIAL=steel\n",
            "MATERIAL=steel\n*SOLID SECTION, ELSET=both, MATERIAL=steel\n",
            "deck.inp:18: what the element 1 is made of is said twice",
        ),
        (
            "*SOLID",
            "*SHELL",
            "deck.inp:17: *SHELL SECTION is not supported, and results may depend on it",
        ),
        (
            "*NODE, ",
            "*NODE, SYSTEM=C, ",
            "deck.inp:1: *NODE: SYSTEM=C is not supported, and results may depend on it",
        ),
        ("*NODE, ", "*NODE, NSET=b, ", "deck.inp:1: the parameter NSET is there twice"),
        ("*NODE, ", "1, 2\n*NODE, ", "deck.inp:1: expected a keyword such as *HEADING, found 1, 2"),
        (
            "*NODE, ",
            "*\n*NODE, ",
            "deck.inp:1: expected a keyword behind the asterisk, found nothing",
        ),
        ("*SOLID", "*NSET, NSET=a\nb\n*SOLID", "deck.inp:18: there is no node or set of nodes b"),
        ("*SOLID", "*NSET, NSET=a\n13\n*SOLID", "deck.inp:18: there is no node 13"),
        ("*SOLID", "*NSET\n1\n*SOLID", "deck.inp:17: *NSET: expected the parameter NSET"),
        (
            "*SOLID",
            "*NSET, NSET=a, GENERATE\n1, 18446744073709551615\n*SOLID",
            "deck.inp:18: there is no node 13",
        ),
        (
            "*SOLID",
            "*NSET, NSET=a, GENERATE\n1, 4, 2\n*SOLID",
            "deck.inp:18: expected a first number, a last one and an increment, found 1, 4, 2",
        ),
        ("*SOLID", "*NSET, NSET=a, INSTANCE=i\n1\n*SOLID", "deck.inp:18: there is no instance i"),
        (
            "*SOLID",
            "*SURFACE, NAME=a\n1, S7\n*SOLID",
            "deck.inp:18: expected an element or a set of elements and a face such as S1, found S7",
        ),
        (
            "*SOLID",
            "*ELEMENT, TYPE=CPE4R\n3, 1, 2, 3, 4\n*SOLID",
            "deck.inp:18: solid, plane and axisymmetric elements do not go together",
        ),
        (
            "*SOLID",
            "*ELEMENT, TYPE=T3D2, ELSET=t\n3, 1, 2\n*SOLID SECTION, ELSET=t, MATERIAL=steel\n*SOLID",
            "deck.inp:19: elements of type T3D2 are not supported",
        ),
    ];
    for (from, to, expected) in cases {
        let found = replaced(from, to);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn materials() {
    let cases = [
        ("7800", "0", "deck.inp:20: the density is 0: expected a number above zero"),
        ("7800", "1e999", "deck.inp:20: expected a density, found 1e999"),
        (
            "7800\n",
            "7800, 20\n7700, 100\n",
            "deck.inp:21: expected properties that do not change with temperature, found a second line",
        ),
        (
            "0.3",
            "0.5",
            "deck.inp:22: the Poisson ratio is 0.5: expected a number above -1 and below 0.5",
        ),
        ("0.3", "", "deck.inp:22: expected Young's modulus and Poisson's ratio, found nothing"),
        (
            "2e11",
            "-1",
            "deck.inp:22: the modulus of elasticity is -1: expected a number above zero",
        ),
        ("*DENSITY\n7800\n", "", "deck.inp:18: the material steel has no density"),
        ("*ELASTIC\n2e11, 0.3\n", "", "deck.inp:18: the material steel has no *ELASTIC"),
        (
            "*ELASTIC",
            "*ELASTIC, TYPE=ORTHOTROPIC",
            "deck.inp:21: *ELASTIC: TYPE=ORTHOTROPIC is not supported",
        ),
        (
            "*STEP",
            "*PLASTIC\n250, 0.1\n*STEP",
            "deck.inp:23: the first plastic strain is 0.1: expected a number equal to zero",
        ),
        (
            "*STEP",
            "*PLASTIC\n250, 0\n260, 0\n*STEP",
            "deck.inp:23: the plastic strains do not increase",
        ),
        (
            "*STEP",
            "*PLASTIC\n250, 0\n200, 0, 20\n*STEP",
            "deck.inp:25: expected a yield stress and a plastic strain, found 20 behind them",
        ),
        (
            "*STEP",
            "*PLASTIC, HARDENING=JOHNSON COOK\n1, 1, 1, 1, 20, 20\n*STEP",
            "deck.inp:23: the melting temperature is 20: expected a number above the transition temperature",
        ),
        (
            "*STEP",
            "*PLASTIC\n250, 0\n*RATE DEPENDENT, TYPE=JOHNSON COOK\n1, 1\n*STEP",
            "deck.inp:26: expected *RATE DEPENDENT with",
        ),
        (
            "*STEP",
            "*RATE DEPENDENT\n1, 1\n*STEP",
            "deck.inp:23: *RATE DEPENDENT: expected the parameter TYPE",
        ),
        (
            "*STEP",
            "*DAMPING, ALPHA=1\n*STEP",
            "deck.inp:23: *DAMPING is not supported, and results may depend on it",
        ),
        (
            "*STEP",
            "*HEADING\n*DENSITY\n1\n*STEP",
            "deck.inp:24: *DENSITY cannot stand here: expected a *MATERIAL before it",
        ),
        ("*STEP", "*MATERIAL, NAME=Steel\n*STEP", "deck.inp:23: the material Steel is there twice"),
    ];
    for (from, to, expected) in cases {
        let found = replaced(from, to);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn steps() {
    let cases = [
        ("*BOUNDARY\nend, 1, 1\n", "deck.inp:27: there is no node or set of nodes end"),
        ("*BOUNDARY\n1, 7, 7\n", "deck.inp:27: expected a degree of freedom from 1 to 6, found 7"),
        ("*BOUNDARY\n1, XASYMM\n", "deck.inp:27: expected a degree of freedom, XSYMM"),
        (
            "*BOUNDARY\n1, 1, 1, 5\n",
            "deck.inp:27: the displacement is 5: expected a number equal to zero where there is no amplitude",
        ),
        (
            "*BOUNDARY, TYPE=ACCELERATION\n1, 1\n",
            "deck.inp:26: *BOUNDARY: TYPE=ACCELERATION is not supported",
        ),
        ("*BOUNDARY, AMPLITUDE=a\n1, 1, 1, 5\n", "deck.inp:26: there is no amplitude a"),
        (
            "*AMPLITUDE, NAME=a\n0, 1, 0, 2\n",
            "deck.inp:26: the times of the amplitude do not increase",
        ),
        ("*AMPLITUDE, NAME=a\n0, 1, 1\n", "deck.inp:27: expected times and values, found nothing"),
        (
            "*AMPLITUDE, NAME=a, DEFINITION=PERIODIC\n0, 1, 1\n",
            "deck.inp:26: *AMPLITUDE: DEFINITION=PERIODIC",
        ),
        ("*DLOAD\nboth, BX, 1\n", "deck.inp:27: expected GRAV or a face such as P1, found BX"),
        (
            "*DLOAD\n, GRAV, 9.81, 0, -2, 0\n",
            "deck.inp:27: expected GRAV, an acceleration and a direction of length 1, found a direction of length 2",
        ),
        ("*DSLOAD\ns, P, 1\n", "deck.inp:27: there is no surface s"),
        (
            "*FIXED MASS SCALING, FACTOR=100\n",
            "deck.inp:26: *FIXED MASS SCALING is not supported, and results may depend on it",
        ),
        ("*CONTACT\n", "deck.inp:26: *CONTACT is not supported, and results may depend on it"),
        ("*END STEP\n*STEP\n", "deck.inp:27: *STEP cannot stand here: expected a single step"),
        ("*NODE\n13, 0, 0, 0\n", "deck.inp:26: *NODE cannot stand here: expected it before *STEP"),
        (
            "*OUTPUT, HISTORY, TIME INTERVAL=0\n",
            "deck.inp:26: the time between outputs is 0: expected a number above zero",
        ),
        (
            "*OUTPUT, FIELD, NUMBER INTERVAL=x\n",
            "deck.inp:26: expected a number of outputs, found x",
        ),
        (
            "*BULK VISCOSITY\n-1\n",
            "deck.inp:27: the coefficient of bulk viscosity is -1: expected a number not below zero",
        ),
    ];
    for (within, expected) in cases {
        let found = read(&two("", within)).unwrap_err().to_string();
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let no_step = read(&format!("{MESH}{STEEL}")).unwrap_err().to_string();
    assert_eq!(no_step, "deck.inp: there is no *STEP with *DYNAMIC, EXPLICIT");
    let implicit = replaced("*DYNAMIC, EXPLICIT", "*DYNAMIC");
    assert_eq!(implicit, "deck.inp:24: *DYNAMIC: expected the parameter EXPLICIT");
    assert_eq!(read("").unwrap_err().to_string(), "deck.inp: there is no element");
    let outside = read(&two("*CLOAD\n1, 1, 1\n", "")).unwrap_err().to_string();
    assert_eq!(outside, "deck.inp:23: *CLOAD cannot stand here: expected a *STEP before it");
    let moved = read(&two("*BOUNDARY\n1, 1, 1, 2\n", "")).unwrap_err().to_string();
    assert!(moved.contains("expected a motion in front of *STEP that is zero, found 2"), "{moved}");
}

#[test]
fn nodes_without_mass() {
    let error = |before: &str, within: &str| {
        let text = two(&format!("*NSET, NSET=pushed\n1, 13\n{before}"), within);
        read(&text.replacen("*ELEMENT", "13, 9, 9, 9\n*ELEMENT", 1)).map_err(|e| e.to_string())
    };
    assert_eq!(
        error("", "*CLOAD\npushed, 1, 1\n").unwrap_err(),
        "deck.inp:30: the node 13 has a force, but no mass: no element has the node"
    );
    assert_eq!(
        error("*INITIAL CONDITIONS, TYPE=VELOCITY\npushed, 1, 1\n", "").unwrap_err(),
        "deck.inp:27: the node 13 has an initial velocity, but no mass: no element has the node"
    );
    // What does not move it does no harm.
    let still = "*INITIAL CONDITIONS, TYPE=VELOCITY\npushed, 1, 0\n";
    error(still, "*BOUNDARY, TYPE=VELOCITY\npushed, 1, 1, 1\n*CLOAD\npushed, 1, 0\n").unwrap();
}

#[test]
fn assemblies() {
    let part = format!("*PART, NAME=p\n{MESH}*END PART\n");
    let cases = [
        ("*PART, NAME=P\n*END PART\n", "the part P is there twice"),
        ("*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=q\n", "there is no part q"),
        ("*END ASSEMBLY\n", "*END ASSEMBLY cannot stand here: expected what it ends to be open"),
        (
            "*ASSEMBLY, NAME=a\n*STEP\n",
            "*STEP cannot stand here: expected the end of the part or assembly before it",
        ),
        (
            "*ASSEMBLY, NAME=a\n*NODE\n1, 0, 0\n",
            "*NODE cannot stand here: expected it in a part or in an instance",
        ),
        (
            "*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=p\n0, 0, 0\n1, 1, 1, 1, 1, 1, 5\n",
            "expected two points of an axis and an angle in degrees, found the same point twice",
        ),
    ];
    for (rest, expected) in cases {
        let found = read(&format!("{part}{rest}{STEEL}{STEP}")).unwrap_err();
        assert_eq!(found.problem.to_string(), expected);
        assert!(found.line > Some(19));
    }
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("nonius-fem-input-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let deck = folder.join("deck.inp");
    let read = |text: &str| abaqus::read(text.as_bytes(), &deck).map(|found| found.0);
    let (first, rest) = MESH.split_once('\n').unwrap();
    let (nodes, rest) = rest.split_once("*ELEMENT").unwrap();
    write("nodes.txt", nodes);
    write("again.inp", "** nothing\n*INCLUDE, INPUT=again.inp\n");
    write("bad.inp", "*HEADING\nbad\n*CONTACT\n");
    let text = format!("{first}\n*INCLUDE, INPUT=nodes.txt\n*ELEMENT{rest}{STEEL}{STEP}");
    assert_eq!(read(&text).unwrap().mesh.coordinates.len(), 12);
    let text = format!("{first}, INPUT=\"nodes.txt\"\n*ELEMENT{rest}{STEEL}{STEP}");
    assert_eq!(read(&text).unwrap().mesh.node_sets["all"].len(), 12);
    let error = |text: &str| {
        let error = read(text).unwrap_err();
        let name = error.file.file_name().unwrap().to_str().unwrap().to_string();
        (name, error.line.unwrap(), error.problem.to_string())
    };
    let expected = ("again.inp".to_string(), 2, "the file includes itself".to_string());
    assert_eq!(error("*INCLUDE, INPUT=again.inp\n"), expected);
    let (file, line, problem) = error("*HEADING\n*INCLUDE, INPUT=none.inp\n");
    assert_eq!((file.as_str(), line), ("deck.inp", 2));
    assert!(problem.starts_with("expected a file that can be read, found "), "{problem}");
    let (file, line, _) = error("*INCLUDE, INPUT=bad.inp\n");
    assert_eq!((file.as_str(), line), ("bad.inp", 3));
    fs::remove_dir_all(&folder).unwrap();
    let missing = abaqus::read("*INCLUDE\n".as_bytes(), Path::new("deck.inp")).unwrap_err();
    assert_eq!(missing.to_string(), "deck.inp:1: *INCLUDE: expected the parameter INPUT");
}

/// Words of a deck that a terminal would take for commands are shown, not sent.
#[test]
fn control_characters_are_escaped() {
    for (from, to) in
        [("C3D8R", "C3D8R\u{1b}[31m"), ("SECTION, ELSET=both", "SECTION, ELSET=b\u{9b}2J\u{202e}")]
    {
        let message = replaced(from, to);
        assert!(
            !message.chars().any(char::is_control) && !message.contains('\u{202e}'),
            "{message:?}"
        );
        assert!(message.contains("\\u{"), "{message}");
    }
}
