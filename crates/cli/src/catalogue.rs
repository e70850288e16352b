//! The program's commands by their names, and what its help says beside them.

use std::sync::OnceLock;

use clap::Command;

use crate::failure::Failure;
use crate::objects::Objects;

/// What the program is. `main` sets it: commands that describe the program are part of it.
static PROGRAM: OnceLock<Program> = OnceLock::new();

/// What the program is.
pub(crate) struct Program {
    /// What clap knows of it.
    pub(crate) command: fn() -> Command,
    /// What its commands print with `--json`.
    pub(crate) objects: fn() -> Objects,
}

/// Variables of the environment, and what they are.
pub(crate) const ENVIRONMENT: [(&str, &str); 11] = [
    ("NONIUS_NVRTC", "File of NVRTC, which compiles the kernels for GPUs"),
    ("NONIUS_CACHE_DIR", "Folder for compiled kernels, in place of ~/.cache/nonius"),
    ("NONIUS_CUBLASLT", "File of cuBLASLt, for products by crt on GPUs"),
    ("NONIUS_CUSOLVER", "File of cuSOLVER, for inverses in f64 on GPUs"),
    ("NONIUS_CUBLAS", "File of cuBLAS, which cuSOLVER needs"),
    ("NONIUS_NCCL", "File of NCCL, for messages between GPUs"),
    ("NONIUS_BYTE_PRODUCTS", "cublaslt: crt takes cuBLASLt on H100 and H200, too"),
    ("NONIUS_RESIDUES", "floats: crt multiplies in f64 on CPUs, not in bytes"),
    ("CUDA_HOME", "Folder of the CUDA toolkit; CUDA_PATH is another name"),
    ("CUDA_VISIBLE_DEVICES", "Numbers of the GPUs that the driver shows"),
    ("NO_COLOR", "Any value: no colours; so does CLICOLOR=0"),
];

/// What ends the help of a command.
pub(crate) const SEE_ALSO: &str = "`nonius --help` lists environment variables and exit statuses.";

/// The exit statuses, and what they mean.
pub(crate) const STATUSES: [(&str, &str); 4] = [
    ("0", "The run did what was asked for"),
    ("1", "The numbers allow no answer: a singular matrix, no convergence"),
    ("2", "An argument or a file is wrong; memory, disk or device is missing"),
    ("130", "A signal interrupted the run"),
];

/// What ends the help of the program.
pub(crate) fn environment_and_statuses() -> String {
    let list = |head: &str, items: &[(&str, &str)]| {
        let width = items.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, text): &(&str, &str)| format!("\n  {name:<width$}  {text}");
        head.to_string() + &items.iter().map(line).collect::<String>()
    };
    let [environment, statuses] =
        [list("Environment:", &ENVIRONMENT), list("Exit status:", &STATUSES)];
    format!("{environment}\n\n{statuses}")
}

/// Says what the program is.
pub(crate) fn set_program(program: Program) {
    PROGRAM.get_or_init(|| program);
}

/// The program, with all that clap fills in.
pub(crate) fn program() -> Command {
    let mut program =
        PROGRAM.get().map_or_else(|| Command::new("nonius"), |Program { command, .. }| command());
    program.build();
    program
}

/// What the commands print with `--json`.
pub(crate) fn objects() -> Objects {
    PROGRAM.get().map_or_else(|| Objects::Group(Vec::new()), |Program { objects, .. }| objects())
}

/// The command of these words, as in `fem generate`. Words of a group's command do without the
/// group, as in `generate`, where no other command has them.
pub(crate) fn find(program: &Command, words: &[String]) -> Result<Command, Failure> {
    let below = |command| words.iter().try_fold(command, Command::find_subcommand);
    if let Some(found) = below(program) {
        return Ok(found.clone());
    }
    let groups = program.get_subcommands();
    let mut found = groups.filter(|group| group.get_name() != "help").filter_map(below);
    match (found.next(), found.next()) {
        (Some(command), None) => Ok(command.clone()),
        _ => Err(no_command(program, words)),
    }
}

/// That these words name no command, and which commands there are.
pub(crate) fn no_command(program: &Command, words: &[String]) -> Failure {
    let (words, names) = (words.join(" "), names(program).join(", "));
    Failure::input(format!("no command is called `{words}`; commands are {names}"))
}

/// All commands that do something, as users write them.
fn names(program: &Command) -> Vec<String> {
    let commands = all(program).into_iter().filter(|command| !command.has_subcommands());
    let name = |command: &Command| full_name(command).replacen("nonius ", "", 1);
    commands.map(|command| name(&command)).collect()
}

/// The program and all of its commands, without the helps of groups, which print what others do.
pub(crate) fn all(program: &Command) -> Vec<Command> {
    let mut all = vec![program.clone()];
    for command in program.get_subcommands() {
        all.push(command.clone());
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        all.extend(below.cloned());
    }
    all
}

/// `nonius fem generate`
pub(crate) fn full_name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}
