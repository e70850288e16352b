//! `nonius option`

mod book;
mod exactness;
mod plot;
mod price;

use clap::Args;

use crate::command::{Command, commands};
use crate::common::Common;
use crate::failure::Failure;
use crate::report::Report;

/// Price options by finite differences
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

commands! {
    enum Chosen {
        Price(price::Arguments),
        Plot(plot::Arguments),
    }
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        self.command.chosen().common()
    }

    fn run(&self) -> Result<Report, Failure> {
        self.command.chosen().run()
    }
}

impl Command for plot::Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn run(&self) -> Result<Report, Failure> {
        plot::run(self).map(|()| Report::said())
    }
}
