//! `nonius option`

mod book;
mod exactness;
mod implied;
mod plot;
mod price;
mod results;

use clap::Args;

use crate::command::{Command, commands};
use crate::common::Common;
use crate::failure::Failure;
use crate::objects::Objects;
use crate::ranks::Sharing;
use crate::report::Report;

/// Price options by finite differences, and find implied volatilities
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

commands! {
    enum Chosen {
        Price(price::Arguments),
        Implied(implied::Arguments),
        Plot(plot::Arguments),
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
