//! `nonius completions`

use std::path::PathBuf;

use clap::Args;
use clap_complete::{Shell, generate};
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue;
use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::Report;

/// Print a script by which a shell completes commands and options
///
/// In bash, `source <(nonius completions bash)` loads it. For zsh, write it to _nonius in a folder
/// of $fpath; for fish, to ~/.config/fish/completions/nonius.fish.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,

    /// Write the script to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output; with --json, no file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// A script was made.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The shell, as `bash`.
    shell: String,
    /// The script; null where a file has it.
    script: Option<String>,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { shell, output, common } = self;
        common.refuse_gpu("a script")?;
        let output = Output::or_standard(output.as_ref(), common.json);
        let names = Names::default();
        names.written("--output", Contents::Script, output.output.as_ref()).check(common.json)?;
        let mut script = Vec::new();
        let mut program = catalogue::program();
        generate(*shell, &mut program, "nonius", &mut script);
        output.write(|out| Ok(out.write_all(&script)?))?;
        let shown = output.output.is_none().then(|| String::from_utf8_lossy(&script).into_owned());
        Ok(Report::new(Figures { shell: shell.to_string(), script: shown }))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}
