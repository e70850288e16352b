use crate::nonius;

#[test]
fn text() {
    let out = nonius(["info", "--threads", "3"]).success();
    assert!(out.starts_with(&format!("nonius {}\n", env!("CARGO_PKG_VERSION"))));
    for line in ["devices cpu", "threads 3", "qd 208 62 2.431e-63"] {
        let words: Vec<&str> = line.split(' ').collect();
        let found = out.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
        assert!(found, "{line} is not in\n{out}");
    }
    assert_eq!(nonius(["info", "--quiet"]).success(), "");
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
