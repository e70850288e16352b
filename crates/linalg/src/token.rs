//! Pieces of files in messages.

use core::fmt;

/// A piece of a file as it is quoted in a message: printable ASCII of bounded length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Quotes at most 40 bytes.
    pub fn new(bytes: &[u8]) -> Self {
        const LIMIT: usize = 40;
        let mut text = bytes[..bytes.len().min(LIMIT)].escape_ascii().to_string();
        if bytes.len() > LIMIT {
            text.push_str("...");
        }
        Self(text)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("nothing") } else { write!(f, "`{}`", self.0) }
    }
}
