//! What clap says of wrong arguments, as a sentence in the form of all failures.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::catalogue;
use crate::common::Form;
use crate::failure::Failure;
use crate::report;

/// Prints what clap says, which may be the help that was asked for. Returns the exit status.
pub(crate) fn tell(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // Whoever asks for help and does not read it has no use for a failure.
        let _ = error.print();
        return 0;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return 2;
    }
    let json = std::env::args_os().any(|argument| argument == "--json");
    let form = if json { Form::Json } else { Form::Text };
    let message = format!("{}; see `{} --help`", sentence(error), named());
    report::tell(Err(Failure::input(message)), form)
}

/// What is wrong, in one line.
fn sentence(error: &clap::Error) -> String {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => no_command(word, error),
        _ => joined(&error.render().to_string()),
    }
}

/// That a word names no command, and which was meant, if that can be told.
fn no_command(word: &String, error: &clap::Error) -> String {
    let program = catalogue::program();
    let below = catalogue::find(&program, std::slice::from_ref(word));
    let similar = match (below, error.get(ContextKind::SuggestedSubcommand)) {
        (Ok(below), _) => vec![catalogue::full_name(&below).to_string()],
        (Err(_), Some(ContextValue::Strings(similar))) => similar.clone(),
        (Err(_), _) => Vec::new(),
    };
    let similar: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
    let meant = match similar.len() {
        0 => String::new(),
        _ => format!(": it may be {}", with_or(&similar.join(", "))),
    };
    format!("there is no command `{word}`{meant}")
}

/// One line of clap's text, without its lines on usage.
fn joined(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_said = |line: &&str| !line.starts_with("Usage:") && !line.starts_with("For more infor");
    let mut sentence = String::new();
    for line in lines.take_while(is_said) {
        let values =
            line.strip_prefix("[possible values: ").and_then(|line| line.strip_suffix(']'));
        if let Some(line) = line.strip_prefix("error: ") {
            sentence += line;
        } else if let Some(values) = values {
            sentence += &format!(": expected {}", with_or(values));
        } else if let Some(tip) = line.strip_prefix("tip: ") {
            sentence += &format!("; {tip}");
        } else if sentence.ends_with(':') {
            sentence += &format!(" {line}");
        } else {
            sentence += &format!(", {line}");
        }
    }
    sentence
}

/// `a, b or c` of `a, b, c`.
fn with_or(values: &str) -> String {
    match values.rsplit_once(", ") {
        Some((first, last)) => format!("{first} or {last}"),
        None => values.to_string(),
    }
}

/// The command that the arguments name, as far as they name one: `nonius fem run`.
fn named() -> String {
    let program = catalogue::program();
    let mut command = &program;
    for word in std::env::args_os().skip(1) {
        match word.to_str().and_then(|word| command.find_subcommand(word)) {
            Some(next) => command = next,
            None => break,
        }
    }
    catalogue::full_name(command).to_string()
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn lines_of_clap_become_a_sentence() {
        let usage = "\n\nUsage: nonius matmul <A> <B>\n\nFor more information, try '--help'.\n";
        for (text, expected) in [
            ("error: it is wrong", "it is wrong"),
            ("error: missing:\n  <A>\n  <B>", "missing: <A>, <B>"),
            ("error: wrong 'x'\n  [possible values: a, b, c]", "wrong 'x': expected a, b or c"),
            ("error: wrong 'x'\n\n  tip: there is 'y'", "wrong 'x'; there is 'y'"),
        ] {
            assert_eq!(joined(&format!("{text}{usage}")), expected);
        }
    }
}
