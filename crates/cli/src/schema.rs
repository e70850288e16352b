//! `nonius schema`

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::catalogue;
use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::names::{Contents, Names};
use crate::objects::{self, Object, Objects};
use crate::output::{self, Output};
use crate::ranks::Sharing;
use crate::report::Report;
use crate::summary::Summary;

/// Print the JSON schema of what a command prints with --json
///
/// A schema (draft 2020-12) says which members the object has, what each means and in which unit.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The command, as in `nonius schema fem run`
    #[arg(value_name = "COMMAND", required_unless_present = "all")]
    command: Vec<String>,

    /// Write the schemas of all commands into FOLDER, which is made where it is not there
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["command", "output"])]
    all: Option<PathBuf>,

    /// Write the schema to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output; with --json, no file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// A schema was made.
#[derive(Serialize, JsonSchema)]
struct OneSchema {
    /// The full name of the command, as `nonius fem run`.
    command: String,
    /// The schema; null where a file has it.
    schema: Option<Value>,
}

/// Schemas of all commands were written.
#[derive(Serialize, JsonSchema)]
struct AllSchemas {
    /// The folder.
    folder: String,
    /// The names of the files in the folder.
    schemas: Vec<String>,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        self.common.refuse_gpu("a schema")?;
        match &self.all {
            Some(folder) => write_all(folder),
            None => self.write_one(),
        }
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<OneSchema>(), Object::of_success::<AllSchemas>()])
    }
}

impl Arguments {
    fn write_one(&self) -> Result<Report, Failure> {
        let common = &self.common;
        let output = Output::or_standard(self.output.as_ref(), common.json);
        let names = Names::default();
        names.written("--output", Contents::Schema, output.output.as_ref()).check(common.json)?;
        let program = catalogue::program();
        let command = catalogue::find(&program, &self.command)?;
        // A group has commands with objects, and none itself.
        let schema = schema(&command);
        let schema = schema.ok_or_else(|| catalogue::no_command(&program, &self.command))?;
        output.write(|out| Ok(out.write_all(text(&schema).as_bytes())?))?;
        let command = catalogue::full_name(&command).to_string();
        Ok(Report::new(OneSchema { command, schema: output.output.is_none().then_some(schema) }))
    }
}

fn write_all(folder: &Path) -> Result<Report, Failure> {
    let commands = catalogue::all(&catalogue::program());
    let files = commands.iter().filter_map(|command| {
        let name = catalogue::full_name(command).replacen("nonius ", "", 1).replace(' ', "-");
        Some((format!("{name}.json"), text(&schema(command)?).into_bytes()))
    });
    let (folder, schemas) = output::write_folder("--all", folder, files.collect())?;
    let mut summary = Summary::default();
    summary.line("written", format!("{} schemas in {folder}", schemas.len()));
    Ok(Report::new(AllSchemas { folder, schemas }).with_summary(summary))
}

/// The schema of a command, unless it is a group.
fn schema(command: &clap::Command) -> Option<Value> {
    let name = catalogue::full_name(command);
    let words: Vec<&str> = name.split(' ').skip(1).collect();
    let objects = catalogue::objects();
    objects.find(&words).map(|found| objects::schema(name, found))
}

fn text(schema: &Value) -> String {
    format!("{schema:#}\n")
}
