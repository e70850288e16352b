//! What the program says on standard error: one line, in colours on a terminal alone. Of several
//! ranks the first one says it.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use nonius::files::printable;

use crate::ranks;

/// The colours of the program's name before a failure.
const FAILURE: Style = AnsiColor::Red.on_default().bold();
/// Those of the word "warning".
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();

/// Says why the program fails.
pub(crate) fn failure(message: &str) {
    if ranks::is_first() {
        anyone(message);
    }
}

/// Says why the program fails, whichever rank this is.
pub(crate) fn anyone(message: &str) {
    write(format_args!("{FAILURE}nonius:{FAILURE:#} {}", printable(message)));
}

/// Says what the user should know although the program goes on.
pub(crate) fn warning(message: impl Display) {
    let message = message.to_string();
    line(format_args!("nonius: {WARNING}warning:{WARNING:#} {}", printable(&message)));
}

/// Says what the program does.
pub(crate) fn note(message: impl Display) {
    line(format_args!("nonius: {}", printable(&message.to_string())));
}

/// One rank alone says it.
fn line(text: impl Display) {
    if ranks::is_first() {
        write(text);
    }
}

fn write(text: impl Display) {
    // Whoever does not hear it has the exit status.
    let _ = writeln!(anstream::stderr(), "{text}");
}
