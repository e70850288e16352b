//! `nonius help`

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue;
use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::objects::{Object, Objects};
use crate::ranks::Sharing;
use crate::report::Report;
use crate::summary::Summary;

/// Print the help of the program or of a command
#[derive(Args)]
pub(crate) struct Arguments {
    /// The command, as in `nonius help fem generate` or `nonius help generate`
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,

    #[command(flatten)]
    common: Common,
}

/// The help of the program or of a command.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The full name of the command, as `nonius fem run`.
    command: String,
    /// The text that `--help` prints.
    help: String,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        self.common.refuse_gpu("a help")?;
        let mut program = catalogue::program();
        let command = catalogue::find(&program, &self.command)?;
        let command = catalogue::full_name(&command).to_string();
        // What --help prints, which is short for some commands.
        let asked = command.split(' ').chain(["--help"]);
        let Err(help) = program.try_get_matches_from_mut(asked) else {
            return Err(Failure::input(format!("`{command}` has no help")));
        };
        let help = help.render();
        let mut summary = Summary::default();
        summary.text(&help.ansi().to_string());
        Ok(Report::new(Figures { command, help: help.to_string() }).with_summary(summary))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}
