//! `nonius option`

mod book;
mod exactness;
mod plot;
mod price;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Price options by finite differences
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Price(price::Arguments),
    Plot(plot::Arguments),
}

impl Arguments {
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Command::Price(arguments) => arguments.common.json,
            Command::Plot(arguments) => arguments.common.json,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Price(arguments) => price::run(arguments),
        Command::Plot(arguments) => plot::run(arguments),
    }
}
