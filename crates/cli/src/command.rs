//! What a command of the program is.

use crate::common::Common;
use crate::failure::Failure;
use crate::report::Report;

/// A command with its arguments.
pub(crate) trait Command {
    /// The flags that every command has.
    fn common(&self) -> &Common;

    /// Does what the arguments ask for.
    fn run(&self) -> Result<Report, Failure>;
}

/// An enum of commands by their arguments, in the order of the help. The method `chosen` yields
/// the command that the user named.
macro_rules! commands {
    (enum $name:ident { $($variant:ident($arguments:ty),)+ }) => {
        #[derive(clap::Subcommand)]
        enum $name {
            $($variant($arguments),)+
        }

        impl $name {
            fn chosen(&self) -> &dyn $crate::command::Command {
                match self {
                    $(Self::$variant(arguments) => arguments,)+
                }
            }
        }
    };
}

pub(crate) use commands;
