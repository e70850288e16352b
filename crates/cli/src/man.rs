//! `nonius man`

use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue::{self, ENVIRONMENT, STATUSES};
use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::{self, Output};
use crate::ranks::Sharing;
use crate::report::Report;
use crate::summary::Summary;

/// Print the manual page of the program or of a command
///
/// Pages are in roff, which `nonius man solve | man -l -` shows.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The command, as in `nonius man fem generate` [default: the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,

    /// Write the pages of all commands into FOLDER, which is made where it is not there
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["command", "output"])]
    all: Option<PathBuf>,

    /// Write the page to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output; with --json, no file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// A manual page was made.
#[derive(Serialize, JsonSchema)]
struct OnePage {
    /// The full name of the command, as `nonius fem run`.
    command: String,
    /// The page, in roff; null where a file has it.
    page: Option<String>,
}

/// The manual pages of all commands were written.
#[derive(Serialize, JsonSchema)]
struct AllPages {
    /// The folder.
    folder: String,
    /// The names of the files in the folder.
    pages: Vec<String>,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        self.common.refuse_gpu("a manual page")?;
        match &self.all {
            Some(folder) => write_all(folder),
            None => self.write_one(),
        }
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<OnePage>(), Object::of_success::<AllPages>()])
    }
}

impl Arguments {
    fn write_one(&self) -> Result<Report, Failure> {
        let common = &self.common;
        let output = Output::or_standard(self.output.as_ref(), common.json);
        let names = Names::default();
        names.written("--output", Contents::Page, output.output.as_ref()).check(common.json)?;
        let command = catalogue::find(&catalogue::program(), &self.command)?;
        let (_, page) = page(&command)?;
        output.write(|out| Ok(out.write_all(&page)?))?;
        let shown = output.output.is_none().then(|| String::from_utf8_lossy(&page).into_owned());
        let command = catalogue::full_name(&command).to_string();
        Ok(Report::new(OnePage { command, page: shown }))
    }
}

fn write_all(folder: &Path) -> Result<Report, Failure> {
    let commands = catalogue::all(&catalogue::program());
    let files = commands.iter().map(page).collect::<Result<_, _>>()?;
    let (folder, pages) = output::write_folder("--all", folder, files)?;
    let mut summary = Summary::default();
    summary.line("written", format!("{} pages in {folder}", pages.len()));
    Ok(Report::new(AllPages { folder, pages }).with_summary(summary))
}

/// The file name of a command's page, and the page, whose text is that of the help.
fn page(command: &clap::Command) -> Result<(String, Vec<u8>), Failure> {
    let is_program = command.get_name() == "nonius";
    let is_group = command.has_subcommands();
    let man = Man::new(described(command)).source(concat!("nonius ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if is_group {
        man.render_subcommands_section(&mut page)?;
    }
    list("ENVIRONMENT", &ENVIRONMENT).to_writer(&mut page)?;
    list("EXIT STATUS", &STATUSES).to_writer(&mut page)?;
    if !is_program {
        see_also("nonius(1)").to_writer(&mut page)?;
    }
    Ok((man.get_filename(), page))
}

/// The command as a page describes it: with the usage of the help, and with its arguments in a
/// section of their own.
fn described(command: &clap::Command) -> clap::Command {
    let mut command = command.clone();
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_string();
    let apart = |argument: Arg| {
        if argument.is_positional() { argument.help_heading("Arguments") } else { argument }
    };
    command.mut_args(apart).override_usage(usage).subcommand_help_heading("COMMANDS")
}

/// The page to read beside this one.
fn see_also(page: &str) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["SEE ALSO"]).text([roman(page)]);
    section
}

/// A section of names and what they are.
fn list(head: &str, items: &[(&str, &str)]) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [head]);
    for (name, text) in items {
        section.control("TP", []).text([bold(*name)]).text([roman(*text)]);
    }
    section
}
