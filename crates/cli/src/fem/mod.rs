//! `nonius fem`

mod generate;
mod run;

use clap::Args;

use crate::command::{Command, commands};
use crate::common::Common;
use crate::failure::Failure;
use crate::objects::Objects;
use crate::ranks::Sharing;
use crate::report::Report;

/// Compute solids in motion by explicit finite elements
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

commands! {
    enum Chosen {
        Run(run::Arguments),
        Generate(generate::Arguments),
    }
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        self.command.chosen().common()
    }

    fn sharing(&self) -> Sharing {
        self.command.chosen().sharing()
    }

    fn run(&self) -> Result<Report, Failure> {
        self.command.chosen().run()
    }

    fn objects() -> Objects {
        Chosen::objects()
    }
}
