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
        _ => of_numbers(joined(&error.render().to_string())),
    }
}

/// What Rust says of numbers that it cannot read, and what we say.
const NUMBERS: [(&str, &str); 7] = [
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
    ("invalid digit found in string", "expected a whole number"),
    ("cannot parse integer from empty string", "expected a whole number"),
    ("number too large to fit in target type", "expected a smaller number"),
    ("number too small to fit in target type", "expected a larger number"),
    ("number would be zero for non-zero type", "expected a number above 0"),
];

/// The sentence with our reason where the last part of it is one of Rust's or of clap's on numbers.
fn of_numbers(sentence: String) -> String {
    let Some((start, reason)) = sentence.rsplit_once(": ") else { return sentence };
    if let Some((_, words)) = NUMBERS.iter().find(|(rust, _)| *rust == reason) {
        return format!("{start}: {words}");
    }
    // `0 is not in 1..=4096`
    let range = reason.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    match range {
        Some((least, most)) => format!("{start}: expected a number from {least} to {most}"),
        None => sentence,
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
            // That a word with dashes can be a value helps nobody who mistyped an option.
            if !tip.starts_with("to pass ") {
                sentence += &format!("; {tip}");
            }
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
pub(crate) fn named() -> String {
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
    use super::{joined, of_numbers};

    #[test]
    fn lines_of_clap_become_a_sentence() {
        let usage = "\n\nUsage: nonius matmul <A> <B>\n\nFor more information, try '--help'.\n";
        for (text, expected) in [
            ("error: it is wrong", "it is wrong"),
            ("error: missing:\n  <A>\n  <B>", "missing: <A>, <B>"),
            ("error: wrong 'x'\n  [possible values: a, b, c]", "wrong 'x': expected a, b or c"),
            ("error: wrong 'x'\n\n  tip: there is 'y'", "wrong 'x'; there is 'y'"),
            ("error: wrong 'x'\n\n  tip: to pass 'x' as a value, use '-- x'", "wrong 'x'"),
        ] {
            assert_eq!(joined(&format!("{text}{usage}")), expected);
        }
    }

    /// Rust's words are those that parsing gives.
    #[test]
    fn reasons_of_numbers_are_in_our_words() {
        let whole = |text: &str| text.parse::<u8>().unwrap_err().to_string();
        let number = |text: &str| text.parse::<f64>().unwrap_err().to_string();
        let positive = |text: &str| text.parse::<std::num::NonZeroU8>().unwrap_err().to_string();
        let negative = |text: &str| text.parse::<i8>().unwrap_err().to_string();
        for (reason, expected) in [
            (number("x"), "expected a number"),
            (number(""), "expected a number"),
            (whole("1.5"), "expected a whole number"),
            (whole(""), "expected a whole number"),
            (whole("256"), "expected a smaller number"),
            (negative("-129"), "expected a larger number"),
            (positive("0"), "expected a number above 0"),
            ("0 is not in 1..=4096".into(), "expected a number from 1 to 4096"),
            ("expected cg or gmres".into(), "expected cg or gmres"),
        ] {
            let sentence = |reason: &str| format!("invalid value 'x: y' for '--n <N>': {reason}");
            assert_eq!(of_numbers(sentence(&reason)), sentence(expected));
        }
        assert_eq!(of_numbers("no reason".into()), "no reason");
    }
}
