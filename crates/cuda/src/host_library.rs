//! Kernels as a library of this machine, for tests of what threads do together.

use std::process::Command;

use libloading::Library;

/// What runs kernels.
const HOST: [(&str, &str); 4] = [
    ("blocks.cpp", include_str!("../tests/arithmetic/blocks.cpp")),
    ("shim.h", include_str!("../tests/arithmetic/shim.h")),
    ("threads.h", include_str!("../tests/arithmetic/threads.h")),
    ("warps.cpp", include_str!("../tests/arithmetic/warps.cpp")),
];

/// The library of a file of `tests/arithmetic` with the kernels' files and some definitions.
///
/// Nothing where there is no C++ compiler, but not in continuous integration.
pub(crate) fn build(main: &str, files: &[(&str, &str)], definitions: &[String]) -> Option<Library> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in HOST.iter().chain(files) {
        std::fs::write(folder.path().join(name), text).expect("a file of the kernels");
    }
    let file = folder.path().join("library.so");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_string());
    let mut command = Command::new(&compiler);
    command
        .args(["-std=c++17", "-O2", "-ffp-contract=off", "-fno-strict-aliasing", "-fPIC"])
        .args(["-shared", main, "-o", "library.so"])
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
