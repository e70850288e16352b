//! What a command of the program is.

use crate::common::Common;
use crate::failure::Failure;
use crate::objects::Objects;
use crate::ranks::Sharing;
use crate::report::Report;

/// A command with its arguments.
pub(crate) trait Command {
    /// The flags that every command has.
    fn common(&self) -> &Common;

    /// How ranks do it.
    fn sharing(&self) -> Sharing {
        Sharing::Refused
    }

    /// Does what the arguments ask for.
    fn run(&self) -> Result<Report, Failure>;

    /// The objects that it prints with `--json`.
    fn objects() -> Objects
    where
        Self: Sized;
}

/// An enum of commands by their arguments, in the order of the help. The method `chosen` yields
/// the command that the user named, the function `objects` what all of them print with `--json`.
macro_rules! commands {
    (enum $name:ident { $($variant:ident($arguments:ty),)+ }) => {
        #[derive(clap::Subcommand)]
        enum $name {
            $(
                #[command(after_help = $crate::catalogue::SEE_ALSO)]
                $variant($arguments),
            )+
        }

        impl $name {
            fn chosen(&self) -> &dyn $crate::command::Command {
                match self {
                    $(Self::$variant(arguments) => arguments,)+
                }
            }

            fn objects() -> $crate::objects::Objects {
                let name = |variant: &str| variant.to_lowercase();
                $crate::objects::Objects::Group(vec![
                    $((
                        name(stringify!($variant)),
                        <$arguments as $crate::command::Command>::objects(),
                    ),)+
                ])
            }
        }
    };
}

pub(crate) use commands;
