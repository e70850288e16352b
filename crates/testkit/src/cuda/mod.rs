//! NVRTC for tests, and kernels as a library of this machine: a C++ compiler compiles their texts,
//! and threads of a block run as threads here.

// A compiled library is foreign code.
#![allow(unsafe_code)]

use std::process::Command;

pub use libloading::Library;
use nonius_gpu::{Nvrtc, Source, check};

/// NVRTC, which may be missing where tests run, but not in continuous integration.
pub fn nvrtc() -> Option<&'static Nvrtc> {
    match Nvrtc::get() {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            println!("not looked at: {error}");
            None
        }
    }
}

/// Modules compile for the newest architecture that has instructions of its own and, where they
/// name instructions, for the oldest; no two have the same name. What has no instructions of its
/// own compiles for all architectures where it does for one.
pub fn every_module_compiles(sources: impl Fn(&str) -> Vec<Source>) {
    let newest = sources("sm_90a");
    let mut names: Vec<_> = newest.iter().map(Source::name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), newest.len());
    let mut oldest = sources("sm_80");
    oldest.retain(|source| {
        let files = source.files();
        files.iter().any(|(_, text)| text.contains("asm") || text.contains("__CUDA_ARCH__"))
    });
    if nvrtc().is_some() {
        check(&newest, "sm_90a").unwrap();
        check(&oldest, "sm_80").unwrap();
    }
}

/// What the texts of kernels include there: the words of CUDA C++ ("shim.h"), and threads that wait
/// for one another ("threads.h").
pub const HEADERS: [(&str, &str); 2] =
    [("shim.h", include_str!("shim.h")), ("threads.h", include_str!("threads.h"))];

/// The library of a file, which may include the kernels' files and [`HEADERS`], with some
/// definitions.
///
/// Nothing where there is no C++ compiler, but not in continuous integration.
pub fn build(
    (main, text): (&str, &str),
    files: &[(&str, &str)],
    definitions: &[String],
) -> Option<Library> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in HEADERS.iter().chain(files).chain(&[(main, text)]) {
        let file = folder.path().join(name);
        let parent = file.parent().expect("a folder");
        std::fs::create_dir_all(parent).expect("a folder of the kernels");
        std::fs::write(file, text).expect("a file of the kernels");
    }
    let file = folder.path().join("library.so");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_string());
    let mut command = Command::new(&compiler);
    command
        .args(["-std=c++17", "-O2", "-ffp-contract=off", "-fno-strict-aliasing", "-fPIC"])
        .args(["-shared", "-I.", main, "-o", "library.so"])
        // GCC 12 joins products and sums of a vector to fused ones there, whatever it was told.
        .arg("-fno-tree-slp-vectorize")
        .args(definitions)
        .current_dir(folder.path());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("fma") {
        command.arg("-mfma"); // faster; the C library has it in software, with the same bits
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{compiler} does not start: {error}");
            println!("not tested: {compiler} does not start: {error}");
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // SAFETY: compiled above; it has no initialisers with preconditions.
    Some(unsafe { Library::new(&file) }.expect("the library"))
}
