//! What a page asks its reader to do: files to write, commands to type, lines to expect.

use std::fmt::Write;

pub(crate) enum Step {
    /// A block below a line such as ``File `NAME`:``.
    File { name: String, text: String },
    /// A command behind `$ ` in a block of the language `console`, and the lines below it.
    Command { line: usize, command: String, shown: Vec<String> },
    /// A row of a table: who, a command, and how a line of its output begins.
    Row { line: usize, command: String, shown: String },
}

impl Step {
    pub(crate) fn is_command(&self) -> bool {
        !matches!(self, Step::File { .. })
    }
}

pub(crate) struct Page {
    pub(crate) steps: Vec<Step>,
}

enum Block {
    None,
    Other,
    Console,
    File(String, String),
}

impl Page {
    pub(crate) fn read(text: &str) -> Page {
        let mut steps = Vec::new();
        let mut block = Block::None;
        let mut file = None;
        for (index, line) in text.lines().enumerate() {
            if let Some(language) = line.strip_prefix("```") {
                block = match std::mem::replace(&mut block, Block::None) {
                    Block::None => match (file.take(), language) {
                        (Some(name), _) => Block::File(name, String::new()),
                        (None, "console") => Block::Console,
                        (None, _) => Block::Other,
                    },
                    Block::File(name, text) => {
                        steps.push(Step::File { name, text });
                        Block::None
                    }
                    Block::Other | Block::Console => Block::None,
                };
                continue;
            }
            match &mut block {
                Block::None => {
                    let named =
                        line.strip_prefix("File `").and_then(|line| line.strip_suffix("`:"));
                    if let Some(name) = named {
                        file = Some(name.to_string());
                    } else if let Some((command, shown)) = row(line) {
                        steps.push(Step::Row { line: index + 1, command, shown });
                    }
                }
                Block::Other => {}
                Block::File(_, text) => writeln!(text, "{line}").unwrap(),
                Block::Console => match (line.strip_prefix("$ "), steps.last_mut()) {
                    (Some(command), _) => steps.push(Step::Command {
                        line: index + 1,
                        command: command.to_string(),
                        shown: Vec::new(),
                    }),
                    (None, Some(Step::Command { shown, .. })) => shown.push(line.to_string()),
                    _ => panic!("line {}: output before a command", index + 1),
                },
            }
        }
        Page { steps }
    }

    /// The page with what its commands show now.
    pub(crate) fn write(&self, text: &str) -> String {
        let mut out = String::new();
        let mut commands = self.steps.iter().filter_map(|step| match step {
            Step::Command { line, shown, .. } => Some((*line, shown)),
            Step::File { .. } | Step::Row { .. } => None,
        });
        let mut next = commands.next();
        let mut inside = false;
        for (index, line) in text.lines().enumerate() {
            if line.starts_with("```") {
                inside = false;
            }
            match next {
                Some((start, shown)) if start == index + 1 => {
                    writeln!(out, "{line}").unwrap();
                    shown.iter().for_each(|line| writeln!(out, "{line}").unwrap());
                    next = commands.next();
                    inside = true;
                }
                _ if inside => {}
                _ => writeln!(out, "{line}").unwrap(),
            }
        }
        out
    }
}

/// The names of the pictures that a page shows, in the folder of pictures.
pub(crate) fn pictures(text: &str) -> Vec<String> {
    let named = text.split("](pictures/").skip(1);
    named.filter_map(|rest| Some(rest.split_once(')')?.0.to_string())).collect()
}

/// The command and the output of a row of three cells, if the last two are code.
fn row(line: &str) -> Option<(String, String)> {
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
    let code = |cell: &str| Some(cell.trim().strip_prefix('`')?.strip_suffix('`')?.to_string());
    match cells[..] {
        [_, command, shown] => {
            let command = code(command)?;
            let run = command.starts_with("nonius ") || command.starts_with("cargo run ");
            run.then_some((command, code(shown)?))
        }
        _ => None,
    }
}
