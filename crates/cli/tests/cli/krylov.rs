//! `nonius cg --method` and `--refine`

use std::fmt::Write as _;
use std::fs;

use crate::{Folder, data, nonius};

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Convection and diffusion on a line of `n` points: nonsymmetric.
fn convection(folder: &Folder, n: usize) -> String {
    let mut text = "%%MatrixMarket matrix coordinate real general\n".to_owned();
    writeln!(text, "{n} {n} {}", 3 * n - 2).unwrap();
    for i in 1..=n {
        writeln!(text, "{i} {i} 2.5").unwrap();
        if i > 1 {
            writeln!(text, "{i} {} -1.5\n{} {i} -1", i - 1, i - 1).unwrap();
        }
    }
    folder.file("convection.mtx", &text)
}

#[test]
fn methods_for_every_matrix() {
    let folder = Folder::new();
    let a = convection(&folder, 60);
    let tolerance = 1e-8;
    let asked = format!("{tolerance:e}");
    for precision in ["f64", "qd", "mp212"] {
        for method in ["bicgstab", "gmres"] {
            let common = [
                "cg",
                &a,
                "--json",
                "--method",
                method,
                "--precision",
                precision,
                "--rtol",
                &asked,
            ];
            for preconditioner in ["none", "jacobi", "block-jacobi:7"] {
                let more = ["--preconditioner", preconditioner];
                let json = nonius(common.iter().chain(&more)).json();
                assert_eq!(json["method"], method);
                assert_eq!(json["converged"], true);
                // The tolerance bounds the residual of the recursion; the true one drifts away from
                // it.
                assert!(number(&json["relative_residual_true"]) <= 1.01 * tolerance, "{json}");
                assert_eq!(
                    json["restart"],
                    if method == "gmres" { 50.into() } else { serde_json::Value::Null }
                );
                assert!(json.get("inner_iterations").is_none());
            }
            for format in ["ell", "jad", "dia"] {
                let json = nonius(common.iter().chain(&["--format", format])).json();
                assert_eq!(json["converged"], true, "{json}");
            }
        }
    }
    let count = |restart: &str| {
        let json = nonius(["cg", &a, "--method", "gmres", "--restart", restart, "--json"]).json();
        assert_eq!(json["restart"].to_string(), restart);
        json["iterations"].as_u64().unwrap()
    };
    // One cycle needs no more iterations than there are unknowns; of several, longer ones are not
    // always better.
    let whole = count("100");
    assert!(whole <= 60 && ["1", "5", "20"].into_iter().all(|restart| count(restart) > whole));
}

#[test]
fn symmetry_is_asked_for_by_name() {
    let folder = Folder::new();
    let a = convection(&folder, 5);
    for method in ["cg", "minres"] {
        let said = nonius(["cg", &a, "--method", method]).failure(2);
        let expected = format!(
            "entry (2, 1) differs from its mirror image, and --method {method} needs a symmetric one: take --method bicgstab or gmres"
        );
        assert!(said.contains(&expected), "{said}");
    }
    let said = nonius(["cg", &a, "--method", "gmres", "--preconditioner", "ic0"]).failure(2);
    assert!(
        said.contains("--preconditioner ic0 needs a symmetric one: take --preconditioner"),
        "{said}"
    );
    let said = nonius(["cg", &a, "--preconditioner", "ic0"]).failure(2);
    assert!(said.contains("--method cg and --preconditioner ic0 need"), "{said}");
}

#[test]
fn indefinite_matrices_by_minimal_residuals() {
    let folder = Folder::new();
    // p·Ap = 0 for ones, which ends conjugate gradients.
    let a = folder
        .file("b.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n");
    nonius(["cg", &a]).failure(1);
    for precision in ["f64", "dd", "td", "qd", "mp100"] {
        let json =
            nonius(["cg", &a, "--method", "minres", "--precision", precision, "--json"]).json();
        assert_eq!((&json["iterations"], &json["converged"]), (&2.into(), &true.into()));
    }
    let said = nonius(["cg", &a, "--method", "bicgstab"]).failure(1);
    assert!(said.contains("r̂·v is 0e0 in iteration 1"), "{said}");
    let said = nonius(["cg", &a, "--method", "minres", "--preconditioner", "jacobi"]).failure(1);
    assert!(said.contains("v·M⁻¹v is 0e0 in iteration 1"), "{said}");
    // Where conjugate gradients do as well, the norm that they do not minimise takes no fewer
    // iterations.
    let path = data("bcsstk01.mtx.xz");
    let count = |method: &str| {
        let json =
            nonius(["cg", &path, "--precision", "mp424", "--method", method, "--json"]).json();
        json["iterations"].as_u64().unwrap()
    };
    assert!(count("minres") <= count("cg"));
}

#[test]
fn refinement() {
    let folder = Folder::new();
    let path = data("nos4.mtx.xz");
    let (x, history, plot) = (folder.path("x.mtx"), folder.path("h.csv"), folder.path("h.svg"));
    let asked = "1e-24";
    for method in ["cg", "minres", "bicgstab", "gmres"] {
        for precision in ["dd", "qd", "mp212"] {
            let json = nonius(
                [
                    "cg",
                    &path,
                    "--precision",
                    precision,
                    "--method",
                    method,
                    "--refine",
                    "--rtol",
                    asked,
                    "--preconditioner",
                    "jacobi",
                    "--restart",
                    "100",
                    "--json",
                ]
                .into_iter()
                .filter(|&flag| method == "gmres" || !["--restart", "100"].contains(&flag)),
            )
            .json();
            let steps = json["iterations"].as_u64().unwrap();
            assert!((2..=6).contains(&steps), "{json}");
            assert!(json["inner_iterations"].as_u64().unwrap() > 10 * steps, "{json}");
            assert!(
                number(&json["relative_residual_true"]) <= asked.parse::<f64>().unwrap(),
                "{json}"
            );
        }
    }
    // Looser corrections take more steps.
    let run = |refine: &str| {
        let arguments = ["cg", &path, "--precision", "qd", refine, "--rtol", "1e-40", "--json"];
        nonius(arguments).json()["iterations"].as_u64().unwrap()
    };
    assert!(run("--refine=0.01") > run("--refine=1e-10"));

    let said = nonius([
        "cg",
        &path,
        "--precision",
        "td",
        "--refine",
        "--rtol",
        "1e-30",
        "-o",
        &x,
        "--history",
        &history,
        "--plot",
        &plot,
    ])
    .success();
    assert!(said.contains("iterations in f64, converged"), "{said}");
    let rows = fs::read_to_string(&history).unwrap();
    let steps = rows.lines().count() - 2;
    assert!(rows.contains("td,0,1e0\ntd,1,"), "{rows}");
    assert!(fs::read_to_string(&plot).unwrap().contains(&format!("td: {steps} steps")));
    let json =
        nonius(["cg", &path, "--precision", "td", "--x0", &x, "--atol", "1e-20", "--json"]).json();
    assert_eq!(json["iterations"], 0);

    // Beyond the precision there is nothing to gain.
    let arguments = ["cg", &path, "--precision", "dd", "--refine", "--rtol", "1e-50"];
    let ran = nonius(arguments);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("no convergence in dd after")
            && ran.err.contains("steps of refinement with"),
        "{}",
        ran.err
    );
    let ran = nonius(arguments.iter().chain(&["--json"]));
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["converged"], false);
    // Refinement ends at n·κ·u: n = 100, the condition κ is below 2e3, and `dd` has u = 2⁻¹⁰⁶.
    let least = 100.0 * 2e3 * 0.5_f64.powi(106);
    assert!(number(&json["relative_residual_true"]) < least, "{json}");
}

/// Entries far beyond the range of `f64`.
#[test]
fn refinement_of_numbers_beyond_f64() {
    let folder = Folder::new();
    let a = folder.file(
        "wide.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4e5000\n2 1 -1e5000\n2 2 4e5000\n3 2 -1e5000\n3 3 4e5000\n",
    );
    let json = nonius([
        "cg",
        &a,
        "--precision",
        "mp212",
        "--values",
        "full",
        "--refine",
        "--rtol",
        "1e-50",
        "--preconditioner",
        "ic0",
        "--json",
    ])
    .json();
    assert_eq!(json["converged"], true, "{json}");
}

#[test]
fn flags_that_do_not_go_together() {
    let path = data("nos4.mtx.xz");
    let usage = |arguments: &[&str]| {
        let ran = nonius(["cg", &path].iter().chain(arguments));
        assert_eq!(ran.code, 2, "{arguments:?}");
        ran.err
    };
    assert!(usage(&["--method", "qmr"]).contains("cg, minres, bicgstab or gmres"));
    assert!(usage(&["--restart", "20"]).contains("--restart is for --method gmres, not for cg"));
    assert!(usage(&["--method", "gmres", "--restart", "0"]).contains("--restart"));
    for bad in ["0", "1", "-1", "nan", "x"] {
        assert!(usage(&[&format!("--refine={bad}")]).contains("between 0 and 1"));
    }
    assert!(usage(&["--refine", "--residual", "true"]).contains("--residual"));
    assert!(
        usage(&["--refine", "--preconditioner-values", "full"]).contains("--preconditioner-values")
    );
}
