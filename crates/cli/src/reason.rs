//! What the system says of files, in words of this program.
//!
//! Errors of all crates end in the text of an [`io::Error`] or of its [`ErrorKind`], whose words
//! are those of Rust and of the system. A message gets our words where it becomes a failure.

use std::io::{self, ErrorKind};

/// A folder is missing where a file cannot be created.
const CREATING: &str = "cannot be created: ";

/// What is wrong, and how we say so.
const REASONS: [(ErrorKind, &str); 6] = [
    (ErrorKind::NotFound, "no such file"),
    (ErrorKind::PermissionDenied, "no permission"),
    (ErrorKind::IsADirectory, "it is a folder"),
    (ErrorKind::NotADirectory, "a part of the path is no folder"),
    (ErrorKind::StorageFull, "no space left on the device"),
    (ErrorKind::ReadOnlyFilesystem, "the file system is read-only"),
];

/// The message with the reasons of [`REASONS`] in our words, and others as they are.
pub(crate) fn in_our_words(message: String) -> String {
    let message = with_codes(message);
    REASONS.iter().fold(message, |message, (kind, words)| {
        // Only where a reason stands, not within a name.
        let [after, within] = [": ", "("].map(|before| format!("{before}{kind}"));
        if message.ends_with(&after) || message.contains(&format!("{within})")) {
            let message = message.replace(&format!("{CREATING}{kind}"), &creating(*kind, words));
            message.replace(&after, &format!(": {words}")).replace(&within, &format!("({words}"))
        } else {
            message
        }
    })
}

/// Replaces reasons with a number of the system, `No such file or directory (os error 2)`.
fn with_codes(mut message: String) -> String {
    const MARK: &str = " (os error ";
    let mut from = 0;
    while let Some(found) = message[from..].find(MARK) {
        let digits = from + found + MARK.len();
        let length = message[digits..].find(')').unwrap_or(0);
        from = digits;
        let Ok(code) = message[digits..digits + length].parse() else { continue };
        let error = io::Error::from_raw_os_error(code);
        let (end, text) = (digits + length + 1, error.to_string());
        let Some(start) = message[..end].strip_suffix(&text).map(str::len) else { continue };
        let Some((kind, words)) = REASONS.iter().find(|(kind, _)| *kind == error.kind()) else {
            continue;
        };
        if message[..start].ends_with(CREATING) {
            message.replace_range(start - CREATING.len()..end, &creating(*kind, words));
        } else {
            message.replace_range(start..end, words);
        }
        from = start;
    }
    message
}

/// Why a file cannot be created.
fn creating(kind: ErrorKind, words: &str) -> String {
    let words = if kind == ErrorKind::NotFound { "no such folder" } else { words };
    format!("{CREATING}{words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(message: &str) -> String {
        in_our_words(message.to_string())
    }

    #[cfg(unix)]
    #[test]
    fn reasons_with_numbers() {
        let system = |code| io::Error::from_raw_os_error(code).to_string();
        let [missing, folder, loops] = [2, 21, 40].map(system);
        assert_eq!(
            said(&format!("a: cannot be opened: {missing}")),
            "a: cannot be opened: no such file"
        );
        assert_eq!(
            said(&format!("a/b: cannot be created: {missing}")),
            "a/b: cannot be created: no such folder"
        );
        assert_eq!(
            said(&format!("a: reading failed: {folder}")),
            "a: reading failed: it is a folder"
        );
        // Reasons that we have no words for, and what only looks like one.
        for other in [&format!("a: {loops}"), "a (os error x): b", "a (os error 2)", " (os error "]
        {
            assert_eq!(said(other), *other);
        }
        assert_eq!(said(&format!("{missing} and {folder}")), "no such file and it is a folder");
    }

    #[test]
    fn reasons_without_numbers() {
        let missing = ErrorKind::NotFound;
        assert_eq!(
            said(&format!("a: cannot be read: {missing}")),
            "a: cannot be read: no such file"
        );
        assert_eq!(said(&format!("a:3: found b ({missing})")), "a:3: found b (no such file)");
        assert_eq!(
            said(&format!("a: cannot be created: {}", ErrorKind::IsADirectory)),
            "a: cannot be created: it is a folder"
        );
        let name = format!("{missing}: expected a number");
        assert_eq!(said(&name), name);
    }
}
