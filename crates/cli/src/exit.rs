//! How the program ends where it fails: what it says on both streams, and its exit status.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write};

use nonius::files::printable;
use serde::Serialize;

use crate::failure::{Failure, warn};
use crate::output::print_json;

#[derive(Serialize)]
struct Json<'a> {
    error: &'a str,
    exit_code: u8,
    #[serde(flatten)]
    known: Option<&'a serde_json::Value>,
}

impl Failure {
    /// Tells the user, and yields the exit status.
    pub(crate) fn report(self, json: bool) -> u8 {
        let Some((message, exit_code, known)) = self.parts() else { return 0 };
        let message = &*printable(message);
        warn(message);
        if json {
            // If neither stream can be written, the exit status must do.
            let _ = print_json(&Json { error: message, exit_code, known });
        }
        exit_code
    }
}

/// Prints what clap says, which may be the help that was asked for.
pub(crate) fn report_usage(error: &clap::Error, json: bool) -> u8 {
    if !error.use_stderr() {
        // Whoever asks for help and does not read it has no use for a failure.
        let _ = error.print();
        return 0;
    }
    let rendered = error.render().to_string();
    let lines: Vec<_> = rendered.lines().map(printable).collect();
    let is_unsafe = |word: OsString| matches!(printable(&word.to_string_lossy()), Cow::Owned(_));
    if std::env::args_os().any(is_unsafe) {
        // Without colours: what clap colours, it quotes as it is.
        let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    } else {
        let _ = error.print();
    }
    if json {
        let message = lines.first().map_or("", |line| &**line);
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let _ = print_json(&Json { error: message, exit_code: 2, known: None });
    }
    2
}
