//! Every kernel compiles, on machines without a GPU too.
//!
//! Needs NVRTC. Where it is absent the test says so and passes, but not in continuous integration.

use std::time::Instant;

use nonius_gpu::{Error, precompile};

/// For the newest architecture that has instructions of its own; the others are left to the texts that name instructions.
#[test]
fn every_kernel_compiles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sources = nonius_cuda::sources("sm_90a");
    let start = Instant::now();
    match precompile(&sources, "sm_90a", folder.path()) {
        Ok(bytes) => {
            let modules = sources.len();
            println!("{modules} modules, {bytes} bytes, {:?}", start.elapsed());
            let files = std::fs::read_dir(folder.path().join("cubin")).expect("the cache").count();
            assert_eq!(files, modules);
        }
        Err(error @ Error::NoNvrtc { .. }) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            println!("not compiled: {error}");
        }
        Err(error) => panic!("{error}"),
    }
}
