//! Matrices in all forms of files: of Matrix Market, of NumPy, and CSV.

use std::fs::{self, File};

use nonius::Qd;

use crate::{Folder, nonius, nonius_with_input};

/// Names of all forms that are written.
const NAMES: [&str; 5] = ["a.mtx", "a.npy", "a.npz", "n.npz:x", "a.csv"];

/// Whatever form a matrix comes from and goes to, it has the same numbers, at each precision.
#[test]
fn all_pairs_of_forms() {
    let folder = Folder::new();
    let third = format!("-0.{}", "3".repeat(150));
    let a = folder.matrix("start.mtx", &[&["0.1", &third, "7"], &["1e-30", "0", "1e30"]]);
    for precision in ["f64", "dd", "qd", "mp424"] {
        let convert = |from: &str, to: &str| {
            let arguments = ["convert", from, "-o", to, "--precision", precision, "-q"];
            nonius(arguments).success();
        };
        let text = |from: &str| nonius(["convert", from, "--precision", precision, "-q"]).success();
        let expected = text(&a);
        for first in NAMES {
            let first = folder.path(&format!("first-{first}"));
            convert(&a, &first);
            assert_eq!(text(&first), expected, "{first}");
            for second in NAMES {
                let second = folder.path(&format!("second-{second}"));
                convert(&first, &second);
                assert_eq!(text(&second), expected, "{first} to {second} in {precision}");
            }
        }
    }
}

/// Sparse matrices stay sparse from Matrix Market to SciPy's archives and back, and the triangle of
/// a symmetric one becomes the whole matrix.
#[test]
fn sparse_matrices_and_symmetries() {
    let folder = Folder::new();
    let text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 -1\n3 3 0.1\n";
    let a = folder.file("a.mtx", text);
    let whole = nonius(["convert", &a, "--symmetry", "general", "-q"]).success();
    for name in ["a.npz", "a.npy", "a.csv"] {
        let path = folder.path(name);
        let report = nonius(["convert", &a, "-o", &path, "--json"]).json();
        let format = if name == "a.npz" { "coordinate" } else { "array" };
        assert!(report["format"] == format && report["symmetry"] == "general", "{report}");
        let back = ["convert", &path, "--format", "coordinate", "-q"];
        assert_eq!(nonius(back).success(), whole, "{name}");
        let back = ["convert", &path, "--format", "coordinate", "--symmetry", "symmetric", "-q"];
        assert!(nonius(back).success().contains("\n3 3 3\n1 1 2\n2 1 -1\n3 3 0.1\n"));
        let refused = nonius(["convert", &a, "-o", &path, "--symmetry", "symmetric"]).failure(2);
        let lists = format!("{path} lists every entry");
        assert_eq!(refused, format!("--symmetry symmetric: expected general, for {lists}"));
        if name != "a.npz" {
            let refused = nonius(["convert", &a, "-o", &path, "--format", "coordinate"]).failure(2);
            assert_eq!(refused, format!("--format coordinate: expected array, for {lists}"));
        }
    }
    // The same system for an iterative method, from each form.
    let solve = |a: &str| nonius(["cg", a, "--values", "full", "-q", "-o", "-"]).success();
    let expected = solve(&a);
    for name in ["a.npz", "a.npy", "a.csv"] {
        assert_eq!(solve(&folder.path(name)), expected, "{name}");
    }
}

#[test]
fn right_hand_sides_in_rows_and_columns() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "2,1\n1,3\n");
    let x = folder.path("x.csv");
    for (name, text) in [("row.csv", "3,4\n"), ("column.csv", "3\n4\n")] {
        let b = folder.file(name, text);
        for command in [vec!["solve", &a, &b], vec!["solve", &a, &b, "--digits", "9"]] {
            nonius([&command[..], &["-o", &x, "-q"]].concat()).success();
            let found = fs::read_to_string(&x).unwrap();
            let found: Vec<f64> = found.lines().map(|line| line.parse().unwrap()).collect();
            assert!(found.len() == 2 && found.iter().all(|x| (x - 1.0).abs() < 1e-8), "{found:?}");
        }
        nonius(["cg", &a, "--rhs", &b, "--x0", &b, "-q"]).success();
    }
    // A row of an array is a row.
    let b = folder.path("b.npy");
    nonius(["convert", &folder.path("row.csv"), "-o", &b, "-q"]).success();
    let refused = nonius(["solve", &a, &b]).failure(2);
    assert_eq!(refused, format!("{b}: expected 2 rows, as {a} has, found 1"));
}

#[test]
fn results_of_every_command() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    for (command, outputs) in [
        (vec!["matmul", &a, &a], vec!["--output"]),
        (vec!["solve", &a], vec!["--output"]),
        (vec!["inverse", &a], vec!["--output"]),
        (vec!["determinant", &a], vec!["--output"]),
        (vec!["determinant", &a, "--digits", "7"], vec!["--output"]),
        (vec!["eigen", &a], vec!["--output", "--vectors"]),
        (vec!["svd", &a], vec!["--output", "--left", "--right"]),
        (vec!["cg", &a], vec!["--output"]),
    ] {
        for output in outputs {
            let run = |name: &str| {
                let path = folder.path(name);
                nonius([&command[..], &[output, &path, "-q"]].concat()).success();
                nonius(["convert", &path, "-q", "--precision", "dd"]).success()
            };
            let expected = run("x.mtx");
            for name in ["x.npy", "x.npz", "x.csv"] {
                assert_eq!(run(name), expected, "{command:?} {output} {name}");
            }
        }
    }
    // Doubles are doubles, and a column has one dimension.
    let x = folder.path("x.npy");
    for command in [vec!["eigen", &a], vec!["determinant", &a]] {
        nonius([&command[..], &["--precision", "f64", "-o", &x, "-q"]].concat()).success();
        let bytes = fs::read(&x).unwrap();
        let header = String::from_utf8_lossy(&bytes[..128]);
        assert!(header.contains("'<f8'") && header.contains(", ),"), "{header}");
    }
}

#[test]
fn archives_and_names_in_them() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "1,2\n");
    let path = folder.path("a.npz");
    nonius(["convert", &a, "-o", &format!("{path}:inner"), "-q"]).success();
    assert_eq!(folder.names(), ["a.csv", "a.npz"]);
    let read = |name: &str| nonius(["convert", name, "-q"]).success();
    assert_eq!(read(&path), read(&format!("{path}:inner")));
    assert_eq!(
        nonius(["convert", &format!("{path}:x")]).failure(2),
        format!("{path}:x: there is no array `x`: expected `inner`")
    );
    let itself = format!("{path}:other");
    assert_eq!(
        nonius(["convert", &path, "-o", &itself]).failure(2),
        format!("INPUT and --output are the same file, {itself}")
    );
}

/// Standard input is known by its first bytes.
#[test]
fn standard_input() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["0.1", "2"], &["3", "-4"]]);
    let expected = nonius(["convert", &a, "-q"]).success();
    for name in ["b.mtx", "b.npy", "b.npz"] {
        let path = folder.path(name);
        nonius(["convert", &a, "-o", &path, "-q"]).success();
        let input = File::open(&path).unwrap();
        assert_eq!(nonius_with_input(["convert", "-", "-q"], input).success(), expected);
    }
    assert_eq!(folder.read::<Qd>("b.npy"), folder.read::<Qd>("a.mtx"));
}
