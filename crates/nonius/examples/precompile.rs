//! Compiles every kernel for an architecture into a folder, which `NONIUS_CACHE_DIR` may name on
//! machines without NVRTC.
//!
//! `cargo run --release -p nonius --example precompile -- sm_90a FOLDER [--times]`, where `--times`
//! tells the seconds of each module.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (architecture, folder, times) = match &arguments[..] {
        [architecture, folder] => (architecture, folder, false),
        [architecture, folder, flag] if flag == "--times" => (architecture, folder, true),
        _ => {
            eprintln!("usage: precompile ARCHITECTURE FOLDER [--times]");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    match nonius::device::precompile(architecture, Path::new(folder)) {
        Ok(modules) => {
            for module in modules.iter().filter(|_| times) {
                println!("{:8.3} {}", module.time.as_secs_f64(), module.name);
            }
            let (count, seconds) = (modules.len(), start.elapsed().as_secs_f64());
            println!("{count} modules for {architecture}, {seconds:.1} s");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("precompile: {error}");
            ExitCode::FAILURE
        }
    }
}
