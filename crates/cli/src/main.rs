//! The program `nonius`: arguments, files and progress. What it computes, the crate `nonius`
//! computes.

mod catalogue;
mod cg;
mod command;
mod common;
mod completions;
mod convergence;
mod convert;
mod determinant;
mod digits;
mod eigen;
mod failure;
mod fem;
mod help;
mod info;
mod input;
mod interruption;
mod inverse;
mod least_squares;
mod man;
mod matmul;
mod names;
mod objects;
mod option;
mod output;
mod progress;
mod ranks;
mod reason;
mod report;
mod say;
mod schema;
mod sdp;
mod solve;
mod summary;
mod svd;
mod together;
mod tridiag;
mod usage;

use std::io::{self, Write};

use catalogue::Program;
use clap::{CommandFactory, Parser};
use command::commands;
use failure::Failure;
use ranks::Sharing;
use report::Report;
use together::Ended;

/// Linear algebra to the precision you ask for
///
/// The ending of a name says the form of a matrix: .npy and .npz of NumPy, .csv, else Matrix Market
/// (.mtx). Files may be compressed by gzip or xz; `-` is standard input or output. Numbers are read
/// and written at the full precision: the decimal 0.1 becomes the number nearest to one tenth.
#[derive(Parser)]
#[command(
    name = "nonius",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_long_help = catalogue::environment_and_statuses()
)]
struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

commands! {
    enum Chosen {
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
        Help(help::Arguments),
        Completions(completions::Arguments),
        Man(man::Arguments),
        Schema(schema::Arguments),
    }
}

fn main() {
    interruption::listen();
    catalogue::set_program(Program { command: Arguments::command, objects: Chosen::objects });
    let exit_code = together::together(run);
    // Whoever does not hear it has the exit status.
    let _ = io::stdout().flush();
    interruption::end_process(exit_code);
}

/// Does what the arguments ask for, or what ranks do of it.
fn run() -> Ended {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return Ended::Arguments(error),
    };
    let command = arguments.command.chosen();
    let several = ranks::count() > 1;
    let ended = match command.sharing() {
        Sharing::First if several && !ranks::is_first() => Ok(Report::default()),
        Sharing::First => nonius::ranks::alone(|| command.run()),
        Sharing::Refused if several => {
            let name = usage::named();
            Err(Failure::input(format!("`{name}` is not shared by ranks: start one process")))
        }
        Sharing::Refused | Sharing::Shared => command.run(),
    };
    Ended::Command(Box::new(ended), command.common().form())
}
