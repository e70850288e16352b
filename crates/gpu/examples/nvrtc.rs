//! Says which NVRTC compiles kernels here, or how to get one.
//!
//! `cargo run -p nonius-gpu --example nvrtc`

use std::process::ExitCode;

fn main() -> ExitCode {
    match nonius_gpu::Nvrtc::get() {
        Ok(nvrtc) => {
            println!("NVRTC {}", nvrtc.version());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
