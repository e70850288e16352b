//! Compiles every kernel for an architecture into a folder, which `NONIUS_CACHE_DIR` may name on machines without NVRTC.
//!
//! `cargo run --release -p nonius --example precompile -- sm_90 FOLDER`

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [architecture, folder] = &arguments[..] else {
        eprintln!("usage: precompile ARCHITECTURE FOLDER");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    match nonius::precompile(architecture, Path::new(folder)) {
        Ok(modules) => {
            println!(
                "{modules} modules for {architecture}, {:.1} s",
                start.elapsed().as_secs_f64()
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("precompile: {error}");
            ExitCode::FAILURE
        }
    }
}
