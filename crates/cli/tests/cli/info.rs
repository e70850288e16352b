use std::fs;
use std::process::Command;

use crate::{Ran, nonius};

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
/// is. `info` tells of it.
#[test]
fn a_gpu_that_is_not_there() {
    let report = nonius(["info", "--json"]).json();
    let gpus = report["gpus"].as_array().unwrap();
    assert_eq!(report["no_gpu"].is_null(), !gpus.is_empty());
    assert!(report["device"] == "auto" && report["device_available"] == true, "{report}");
    let missing = format!("cuda:{}", gpus.len());
    let report = nonius(["info", "--json", "--device", &missing]).json();
    assert!(report["device"] == missing && report["device_available"] == false, "{report}");
    let text = nonius(["info", "--device", &missing]).success();
    let line =
        format!("\n{missing:<20}  not available: {}\n", report["device_reason"].as_str().unwrap());
    assert!(text.contains(&line), "{text}");
    let text = nonius(["info", "--device", "cpu"]).success();
    assert!(text.contains("\ncpu                   available\n"), "{text}");
    for command in [&["cg", "a"][..], &["matmul", "a", "b"], &["solve", "a"]] {
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

/// `info` says where NVRTC is, or what to do.
#[test]
fn nvrtc() {
    let with = |file: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
        let arguments = ["info", "--json"].map(String::from);
        let output = command.args(&arguments).env("NONIUS_NVRTC", file).output().unwrap();
        Ran::of(&arguments, output).json()
    };
    let report = with("/nowhere/libnvrtc.so.13");
    let reason = report["no_nvrtc"].as_str().unwrap();
    assert!(report["nvrtc"].is_null() && reason.contains("set NONIUS_NVRTC"), "{report}");
    assert!(reason.contains("/nowhere/libnvrtc.so.13"), "{report}");
    let report = nonius(["info", "--json"]).json();
    let text = nonius(["info"]).success();
    match report["nvrtc"].as_object() {
        None => assert!(text.contains("\nno NVRTC              NVRTC, which compiles"), "{text}"),
        Some(found) => {
            let version = found["version"].as_str().unwrap();
            assert!(text.contains(&format!("\nNVRTC                 {version}")), "{text}");
            if cfg!(target_os = "linux") {
                assert!(fs::exists(found["file"].as_str().unwrap()).unwrap(), "{report}");
            }
        }
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
