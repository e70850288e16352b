//! The program `nonius`: arguments, files and progress. What it computes, the crate `nonius`
//! computes.

mod cg;
mod common;
mod convergence;
mod convert;
mod determinant;
mod digits;
mod eigen;
mod exit;
mod failure;
mod fem;
mod info;
mod input;
mod interruption;
mod inverse;
mod least_squares;
mod matmul;
mod names;
mod option;
mod output;
mod progress;
mod sdp;
mod solve;
mod svd;
mod tridiag;

use std::io::{self, Write};

use clap::{Parser, Subcommand};
use failure::Failure;
use interruption::end_process;

/// Linear algebra to the precision you ask for.
///
/// Matrices are Matrix Market files (.mtx), which may be compressed by gzip or xz; `-` is standard
/// input or output. Numbers are read and written at the full precision: the decimal 0.1 becomes the
/// number nearest to one tenth.
///
/// Exit status: 0 done, 1 numerical failure (a singular matrix, say), 2 bad input or usage.
#[derive(Parser)]
#[command(name = "nonius", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Arguments),
    Convert(convert::Arguments),
    Matmul(matmul::Arguments),
    Solve(solve::Arguments),
    Inverse(inverse::Arguments),
    Determinant(determinant::Arguments),
    Eigen(eigen::Arguments),
    Svd(svd::Arguments),
    Cg(cg::Arguments),
    Tridiag(tridiag::Arguments),
    Option(option::Arguments),
    Fem(fem::Arguments),
    Sdp(sdp::Arguments),
}

impl Command {
    fn json(&self) -> bool {
        match self {
            Self::Info(arguments) => arguments.common.json,
            Self::Convert(arguments) => arguments.common.json,
            Self::Matmul(arguments) => arguments.common.json,
            Self::Solve(arguments) => arguments.common.json,
            Self::Inverse(arguments) => arguments.common.json,
            Self::Determinant(arguments) => arguments.common.json,
            Self::Eigen(arguments) => arguments.common.json,
            Self::Svd(arguments) => arguments.common.json,
            Self::Cg(arguments) => arguments.common.json,
            Self::Tridiag(arguments) => arguments.common.json,
            Self::Option(arguments) => arguments.json(),
            Self::Fem(arguments) => arguments.json(),
            Self::Sdp(arguments) => arguments.common.json,
        }
    }

    fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Info(arguments) => info::run(arguments),
            Self::Convert(arguments) => convert::run(arguments),
            Self::Matmul(arguments) => matmul::run(arguments),
            Self::Solve(arguments) => solve::run(arguments),
            Self::Inverse(arguments) => inverse::run(arguments),
            Self::Determinant(arguments) => determinant::run(arguments),
            Self::Eigen(arguments) => eigen::run(arguments),
            Self::Svd(arguments) => svd::run(arguments),
            Self::Cg(arguments) => cg::run(arguments),
            Self::Tridiag(arguments) => tridiag::run(arguments),
            Self::Option(arguments) => option::run(arguments),
            Self::Fem(arguments) => fem::run(arguments),
            Self::Sdp(arguments) => sdp::run(arguments),
        }
    }
}

fn main() {
    interruption::listen();
    let exit_code = run();
    // Whoever does not hear it has the exit status.
    let _ = io::stdout().flush();
    end_process(exit_code);
}

/// Does what the arguments ask for. Returns the exit status.
fn run() -> u8 {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let json = std::env::args_os().any(|argument| argument == "--json");
            return exit::report_usage(&error, json);
        }
    };
    match arguments.command.run() {
        Ok(()) => 0,
        Err(failure) => failure.report(arguments.command.json()),
    }
}
