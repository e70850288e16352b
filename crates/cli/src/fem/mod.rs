//! `nonius fem`

mod generate;
mod run;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Solids in motion by explicit finite elements
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Generate(generate::Arguments),
}

impl Arguments {
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Command::Run(arguments) => arguments.json,
            Command::Generate(arguments) => arguments.json,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
    }
}
