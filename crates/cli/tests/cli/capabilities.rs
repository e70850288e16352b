//! What `info --capabilities` says is what the verbs do.

use crate::fem::DECK;
use crate::{Folder, data, nonius, tridiag};

/// Files for a run of every verb.
fn inputs(folder: &Folder) -> Vec<(&'static str, Vec<String>)> {
    let a = folder.matrix("a.mtx", &[&["4", "1"], &["1", "3"]]);
    let out = folder.path("out.mtx");
    let coordinates =
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n";
    let sparse = folder.file("sparse.mtx", coordinates);
    let arrays = tridiag::systems(folder, false);
    let x = folder.path("x.npy");
    let equations = tridiag::arguments(&arrays, &["-o", &x]).into_iter().skip(1);
    let equations = equations.map(String::from).collect();
    let one = |verb, path: &String| (verb, vec![path.clone()]);
    let dense = ["solve", "inverse", "determinant", "eigen", "svd"].map(|verb| one(verb, &a));
    let mut all: Vec<_> = dense.into();
    all.extend([
        ("matmul", vec![a.clone(), a.clone()]),
        one("cg", &sparse),
        one("sdp", &data("sdplib/control1.dat-s.xz")),
        ("tridiag", equations),
        (
            "option",
            ["price".into(), data("book.csv"), "-o".into(), folder.path("prices.csv")].into(),
        ),
        ("fem", vec!["run".into(), folder.file("deck.inp", DECK), "-o".into(), folder.path("run")]),
        ("convert", vec![a, "-o".into(), out]),
    ]);
    all
}

#[test]
fn verbs_compute_with_what_the_table_says() {
    let folder = Folder::new();
    let report = nonius(["info", "--capabilities", "--json"]).json();
    let verbs = report["verbs"].as_array().unwrap();
    let inputs = inputs(&folder);
    assert_eq!(verbs.len(), inputs.len());
    for (row, (verb, arguments)) in verbs.iter().zip(inputs) {
        assert_eq!(row["verb"], verb);
        for (precision, column) in [
            ("f32", "f32"),
            ("f64", "f64"),
            ("dd", "dd"),
            ("td", "td"),
            ("qd", "qd"),
            ("mp64", "mp"),
            ("mp424", "mp"),
        ] {
            let on_cpu = row[column].as_array().unwrap().iter().any(|place| place == "cpu");
            let words = [verb].into_iter().chain(arguments.iter().map(String::as_str));
            let ran = nonius(words.chain(["--precision", precision, "--device", "cpu", "--quiet"]));
            let expected = if on_cpu { 0 } else { 2 };
            assert_eq!(ran.code, expected, "{verb} at {precision}: {}", ran.err);
        }
    }
}

#[test]
fn table() {
    let out = nonius(["info", "--capabilities"]).success();
    for line in [
        "f32 f64 dd, td, qd mp64 to mp4096",
        "sdp - cpu, cuda cpu, cuda cpu, cuda",
        "tridiag cpu, cuda cpu, cuda cpu, cuda cpu, cuda",
        "fem cpu, cuda cpu, cuda - -",
        "convert - cpu cpu cpu",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let found = out.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
        assert!(found, "{line} is not in\n{out}");
    }
    assert_eq!(nonius(["info", "--capabilities", "--quiet"]).success(), "");
}
