use crate::nonius;

#[test]
fn text() {
    let out = nonius(["info", "--threads", "3"]).success();
    assert!(out.starts_with(&format!("nonius {}\n", env!("CARGO_PKG_VERSION"))));
    for line in ["threads 3", "qd 208 62 2.431e-63"] {
        let words: Vec<&str> = line.split(' ').collect();
        let found = out.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
        assert!(found, "{line} is not in\n{out}");
    }
    assert_eq!(nonius(["info", "--quiet"]).success(), "");
}

/// Without a GPU, asking for one is an error of one sentence; with GPUs, one more than there are
/// is.
#[test]
fn a_gpu_that_is_not_there() {
    let report = nonius(["info", "--json"]).json();
    let gpus = report["gpus"].as_array().unwrap();
    assert_eq!(report["no_gpu"].is_null(), !gpus.is_empty());
    let missing = format!("cuda:{}", gpus.len());
    for command in [&["info"][..], &["convert", "a"], &["matmul", "a", "b"], &["solve", "a"]] {
        let ran = nonius(command.iter().copied().chain(["--device", &missing]));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(
            ran.err.starts_with("nonius: ") && ran.err.trim_end().lines().count() == 1,
            "{}",
            ran.err
        );
        assert!(ran.err.contains("GPU") || ran.err.contains("CUDA driver"), "{}", ran.err);
    }
}

#[test]
fn json() {
    let report = nonius(["info", "--json"]).json();
    for key in ["version", "devices", "simd", "simd_available", "threads", "precisions"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    let precisions = report["precisions"].as_array().unwrap();
    let names: Vec<&str> =
        precisions.iter().map(|row| row["precision"].as_str().unwrap()).collect();
    assert_eq!(names, ["f64", "dd", "td", "qd"]);
    assert_eq!(precisions[3]["bits"], 208);
}
