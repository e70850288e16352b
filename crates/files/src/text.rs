//! Words of a file in a message.

use std::borrow::Cow;

/// Returns `words` with control characters escaped as in a Rust string: `\u{1b}`, `\n`.
///
/// A file's words are quoted in messages; control characters in them could change the colour, the
/// title or the contents of the reader's terminal.
pub fn printable(words: &str) -> Cow<'_, str> {
    if !words.chars().any(is_unsafe) {
        return Cow::Borrowed(words);
    }
    let mut out = String::with_capacity(words.len() + 8);
    for character in words.chars() {
        if is_unsafe(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Longest [`excerpt`], in characters of the file.
const EXCERPT: usize = 100;

/// Returns the beginning of `words`, [`printable`], with an ellipsis where something is left out.
///
/// A line of a file can have any length, and a message is one that a reader takes in.
pub fn excerpt(words: &str) -> Cow<'_, str> {
    match words.char_indices().nth(EXCERPT) {
        None => printable(words),
        Some((end, _)) => Cow::Owned(printable(&words[..end]).into_owned() + "…"),
    }
}

/// Whether a terminal may take `character` for a command: C0 and C1 controls, line and paragraph
/// separators, marks that reverse the direction of what follows.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{EXCERPT, excerpt, printable};

    #[test]
    fn long_words_are_cut_short() {
        assert_eq!(excerpt("a\tb"), "a\\tb");
        assert_eq!(excerpt(&"é".repeat(EXCERPT)), "é".repeat(EXCERPT));
        assert_eq!(excerpt(&"é".repeat(EXCERPT + 1)), "é".repeat(EXCERPT) + "…");
    }

    #[test]
    fn words_without_controls_stay_as_they_are() {
        assert_eq!(printable("−1.5 × é 漢"), "−1.5 × é 漢");
    }

    #[test]
    fn controls_are_escaped() {
        assert_eq!(
            printable("a\u{1b}[31mb\nc\u{202e}d\u{9b}"),
            "a\\u{1b}[31mb\\nc\\u{202e}d\\u{9b}"
        );
    }
}
