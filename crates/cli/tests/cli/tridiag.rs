//! `nonius tridiag`

use std::fs;

use nonius::Dd;

use crate::{Folder, nonius, nonius_with_input};

/// Unit roundoff of `f64`. The data of [`systems`] are exact; elimination rounds each row a few
/// times.
const U: f64 = f64::EPSILON / 2.0;

/// An array of NumPy, version 1.0.
fn npy(kind: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The numbers of a file of `f64`s.
fn read(path: &str) -> (String, Vec<f64>) {
    let bytes = fs::read(path).unwrap();
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = String::from_utf8(bytes[10..10 + length].to_vec()).unwrap();
    let numbers = bytes[10 + length..].chunks(8);
    (header, numbers.map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect())
}

/// Writes the four arrays: of two systems of three equations with the solutions (1, 1, 1) and (1,
/// 2, 3).
pub(crate) fn systems(folder: &Folder, fortran: bool) -> [String; 4] {
    let arrays = [
        ("lower.npy", [9.0, 1.0, 1.0, 9.0, -1.0, -1.0]),
        ("diagonal.npy", [4.0, 4.0, 4.0, 2.0, 2.0, 2.0]),
        ("upper.npy", [1.0, 1.0, 9.0, -1.0, -1.0, 9.0]),
        ("right.npy", [5.0, 6.0, 5.0, 0.0, 0.0, 4.0]),
    ];
    arrays.map(|(name, numbers)| {
        let numbers = if fortran {
            let [a, b, c, d, e, f] = numbers;
            [a, d, b, e, c, f]
        } else {
            numbers
        };
        let path = folder.path(name);
        fs::write(&path, npy("<f8", fortran, "(2, 3)", &doubles(&numbers))).unwrap();
        path
    })
}

pub(crate) fn arguments<'a>(paths: &'a [String; 4], more: &[&'a str]) -> Vec<&'a str> {
    let [lower, diagonal, upper, right] = paths;
    let mut all = vec!["tridiag", "--lower", lower, "--diagonal", diagonal];
    all.extend(["--upper", upper, "--right", right]);
    all.extend(more);
    all
}

#[test]
fn files_in_and_out() {
    let folder = Folder::new();
    for fortran in [false, true] {
        let paths = systems(&folder, fortran);
        for method in ["auto", "thomas", "pcr", "hybrid"] {
            let out = folder.path("x.npy");
            let report =
                nonius(arguments(&paths, &["--method", method, "-o", &out, "--check", "--json"]))
                    .json();
            assert!(report["systems"] == 2 && report["size"] == 3, "{report}");
            assert_eq!(report["order"], if fortran { "interleaved" } else { "contiguous" });
            assert!(report["unsolved"].as_array().unwrap().is_empty());
            assert_eq!(report["least_dominance"], 1.0);
            assert!(report["backward_error"].as_f64().unwrap() < 8.0 * U);
            let (header, x) = read(&out);
            assert!(header.contains("(2, 3"), "{header}");
            let expected = if fortran {
                [1.0, 1.0, 1.0, 2.0, 1.0, 3.0]
            } else {
                [1.0, 1.0, 1.0, 1.0, 2.0, 3.0]
            };
            assert!(x.iter().zip(expected).all(|(x, y)| (x - y).abs() < 64.0 * U), "{x:?}");
        }
    }
    let paths = systems(&folder, false);
    let out = folder.path("x.npy");
    nonius(arguments(&paths, &["--precision", "qd", "-o", &out, "-q"])).success();
    let (header, x) = read(&out);
    assert!(header.contains("(2, 3, 4") && x.len() == 24, "{header}");
    // The first limb of a `qd` number is the nearest double.
    assert!((x[20] - 3.0).abs() < 3.0 * 2.0 * U);
}

#[test]
fn rules() {
    let report = nonius([
        "tridiag",
        "--systems",
        "50",
        "--size",
        "40",
        "--precision",
        "dd",
        "--check",
        "--json",
    ])
    .json();
    // Random rows may be barely dominant, so that solutions are large beside right-hand sides.
    assert!(
        report["relative_residual"].as_f64().unwrap() <= 4096.0 * Dd::UNIT_ROUNDOFF,
        "{report}"
    );
    assert!(report["least_dominance"].as_f64().unwrap() > 1.0 && report["precision"] == "dd");
    let text = nonius([
        "tridiag",
        "--systems",
        "7",
        "--size",
        "300",
        "--form",
        "poisson",
        "--precision",
        "f32",
        "--order",
        "interleaved",
        "--check",
    ])
    .success();
    assert!(text.contains("7 of 300 equations, interleaved"), "{text}");
    assert!(text.contains("least dominance"), "{text}");
    let ring = ["tridiag", "--systems", "9", "--size", "20", "--periodic", "--pivoting", "--json"];
    let report = nonius(ring).json();
    assert!(
        report["method"] == "thomas" && report["periodic"] == true && report["pivoting"] == true
    );
}

/// Unknowns of any bits are texts, which are read as they were written.
#[test]
fn numbers_of_any_bits() {
    let folder = Folder::new();
    for (fortran, precision) in [(false, "mp424"), (true, "mp1000")] {
        let paths = systems(&folder, fortran);
        let out = folder.path("x.npy");
        let more = ["--precision", precision, "-o", &out, "--check", "--json"];
        let report = nonius(arguments(&paths, &more)).json();
        assert!(report["precision"] == precision && report["unsolved"] == serde_json::json!([]));
        // Elimination rounds each row a few times: 2^-420 is above 8 units roundoff.
        assert!(report["backward_error"].as_f64().unwrap() < 0.5_f64.powi(420), "{report}");
        let paths = [("lower", 0.0), ("diagonal", 1.0), ("upper", 0.0)].map(|(name, x)| {
            let path = folder.path(&format!("{name}-of-identity.npy"));
            fs::write(&path, npy("<f8", fortran, "(2, 3)", &doubles(&[x; 6]))).unwrap();
            path
        });
        let [lower, diagonal, upper] = paths;
        let again = folder.path("again.npy");
        let paths = [lower, diagonal, upper, out.clone()];
        let more = ["--precision", precision, "-o", &again, "-q"];
        nonius(arguments(&paths, &more)).success();
        assert_eq!(fs::read(&out).unwrap(), fs::read(&again).unwrap());
        let bytes = fs::read(&out).unwrap();
        let header = String::from_utf8_lossy(&bytes[10..100]).into_owned();
        assert!(header.contains("<U") && header.contains("(2, 3"), "{header}");
    }
    // Texts are read at any precision: of bytes and of characters.
    let mut paths = systems(&folder, false);
    let texts = ["5", "6.0", "5e0", "0", "-0", "4"];
    let bytes: Vec<u8> =
        texts.iter().flat_map(|text| format!("{text:\0<4}").into_bytes()).collect();
    let wide: Vec<u8> = bytes.iter().flat_map(|&byte| u32::from(byte).to_le_bytes()).collect();
    for (kind, data) in [("|S4", &bytes), ("<U4", &wide)] {
        paths[3] = folder.path("texts.npy");
        fs::write(&paths[3], npy(kind, false, "(2, 3)", data)).unwrap();
        let out = folder.path("x.npy");
        nonius(arguments(&paths, &["-o", &out, "-q"])).success();
        let (_, x) = read(&out);
        let expected = [1.0, 1.0, 1.0, 1.0, 2.0, 3.0];
        assert!(x.iter().zip(expected).all(|(x, y)| (x - y).abs() < 64.0 * U), "{x:?}");
    }
    fs::write(&paths[3], npy("|S4", false, "(2, 3)", &[&bytes[..20], b"4.x\0"].concat())).unwrap();
    let ran = nonius(arguments(&paths, &["-q"]));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("row 2, column 3: expected a decimal number, found `4.x`"));
}

/// Systems from all forms of files, one of them from standard input, and unknowns in all forms.
#[test]
fn archives_csv_and_standard_input() {
    let folder = Folder::new();
    let mut paths = systems(&folder, false);
    let expected = folder.path("expected.npy");
    nonius(arguments(&paths, &["-o", &expected, "-q"])).success();
    for (i, name) in ["lower.npz:a", "diagonal.csv"].iter().enumerate() {
        let other = folder.path(name);
        nonius(["convert", &paths[i], "-o", &other, "--precision", "f64", "-q"]).success();
        paths[i] = other;
    }
    let right = std::mem::replace(&mut paths[3], "-".to_string());
    let doubles = |path: &str| nonius(["convert", path, "--precision", "f64", "-q"]).success();
    let text = doubles(&expected);
    for name in ["x.npy", "x.npz", "x.npz:y", "x.csv"] {
        let out = folder.path(name);
        let input = fs::File::open(&right).unwrap();
        nonius_with_input(arguments(&paths, &["-o", &out, "-q"]), input).success();
        assert_eq!(doubles(&out), text, "{name}");
    }
    paths[2] = "-".to_string();
    let refused = nonius(arguments(&paths, &[])).failure(2);
    assert_eq!(refused, "expected at most one file from standard input");
}

#[test]
fn systems_without_solution() {
    let folder = Folder::new();
    let paths = systems(&folder, false);
    fs::write(
        &paths[1],
        npy("<f8", false, "(2, 3)", &doubles(&[4.0, 4.0, 4.0, 2.0, f64::NAN, 2.0])),
    )
    .unwrap();
    let out = folder.path("x.npy");
    let ran = nonius(arguments(&paths, &["--json", "-o", &out]));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("1 of 2 systems have no solution"), "{}", ran.err);
    assert!(ran.err.contains("system 2: a number that is not finite in row 2"), "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["unsolved"][0]["system"], 2);
    assert_eq!(report["unsolved"][0]["row"], 2);
    let (_, x) = read(&out);
    assert!((x[0] - 1.0).abs() < 8.0 * U && x[3..].iter().all(|x| x.is_nan()), "{x:?}");
}

/// Where nothing was solved there is no error to tell.
#[test]
fn checks_of_nothing() {
    let folder = Folder::new();
    let paths = systems(&folder, false);
    fs::write(&paths[1], npy("<f8", false, "(2, 3)", &doubles(&[f64::NAN; 6]))).unwrap();
    let ran = nonius(arguments(&paths, &["--json", "--check"]));
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    for name in ["relative_residual", "backward_error"] {
        assert_eq!(report[name], serde_json::Value::Null, "{report}");
    }
    let ran = nonius(arguments(&paths, &["--check"]));
    assert_eq!(ran.code, 1);
    for label in ["relative residual     ", "backward error        "] {
        let line = format!("{label}none: no system was solved\n");
        assert!(ran.out.contains(&line), "{}", ran.out);
    }
}

#[test]
fn what_is_refused() {
    let folder = Folder::new();
    let paths = systems(&folder, false);
    let message = |more: &[&str]| nonius(arguments(&paths, more)).failure(2);
    assert!(message(&["--method", "pcr", "--pivoting"]).contains("take thomas"));
    let original = fs::read(&paths[3]).unwrap();
    let right = |bytes: Vec<u8>| {
        fs::write(&paths[3], bytes).unwrap();
        let found = nonius(arguments(&paths, &[])).failure(2);
        assert!(found.contains("right.npy"), "{found}");
        found
    };
    let found = right(npy("<f8", false, "(3, 2)", &doubles(&[0.0; 6])));
    assert!(found.contains("(2, 3), as the first file has it, not [3, 2]"), "{found}");
    let found = right(npy("<f8", true, "(2, 3)", &doubles(&[0.0; 6])));
    assert!(found.contains("order of memory"), "{found}");
    let found = right(npy("<f8", false, "(6,)", &doubles(&[0.0; 6])));
    assert!(found.contains("(systems, rows)"), "{found}");
    let found = right(npy("<c8", false, "(2, 3)", &doubles(&[0.0; 6])));
    assert!(found.contains("complex matrices are not supported"), "{found}");
    let found = right(original[..original.len() - 8].to_vec());
    assert!(found.contains("expected 6 numbers, found the end of the array after 5"), "{found}");
    assert!(right(b"1 2 3".to_vec()).contains("array of NumPy"));
    fs::remove_file(&paths[3]).unwrap();
    assert!(message(&[]).contains("cannot be opened"));
    let usage = |arguments: &[&str]| {
        let ran = nonius(arguments);
        assert_eq!(ran.code, 2);
        ran.err
    };
    assert!(usage(&["tridiag"]).contains("--systems and --size"));
    assert!(usage(&["tridiag", "--systems", "3"]).contains("--size"));
    assert!(usage(&["tridiag", "--lower", "a.npy"]).contains("--diagonal"));
    let rule = ["tridiag", "--systems", "3", "--size", "2"];
    assert!(usage(&[&rule[..], &["--periodic"]].concat()).contains("3 equations or more, not 2"));
    assert!(usage(&[&rule[..], &["--form", "poison"]].concat()).contains("unknown form"));
    assert!(usage(&[&rule[..], &["--precision", "mp63"]].concat()).contains("f32, f64, dd"));
    assert!(usage(&[&rule[..], &["--transfer", "ftp"]].concat()).contains("sync, async"));
    let there = [&rule[..], &["--form", "diagonal = 1;", "--device", "cpu"]].concat();
    let found = usage(&there);
    assert!(found.contains("need a GPU"), "{found}");
    let remedy =
        ": take --form poisson or random, or arrays by --lower, --diagonal, --upper and --right\n";
    assert!(found.ends_with(remedy), "{found}");
}
