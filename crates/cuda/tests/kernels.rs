//! Every kernel compiles, on machines without a GPU too.
//!
//! Needs NVRTC. Where it is absent the test says so and passes, but not in continuous integration.

use std::time::Instant;

use nonius_cuda::{Error, precompile};

fn compiles_for(architecture: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let start = Instant::now();
    match precompile(architecture, folder.path()) {
        Ok((modules, bytes)) => {
            println!("{architecture}: {modules} modules, {bytes} bytes, {:?}", start.elapsed());
            let files = std::fs::read_dir(folder.path().join("cubin")).expect("the cache").count();
            assert_eq!(files, modules);
        }
        Err(error @ Error::NoNvrtc { .. }) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            println!("not compiled for {architecture}: {error}");
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn for_sm_80() {
    compiles_for("sm_80");
}

#[test]
fn for_sm_90a() {
    compiles_for("sm_90a");
}
