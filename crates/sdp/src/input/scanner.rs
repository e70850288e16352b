//! Words of a file.

use nonius_linalg::Token;
use nonius_num::decimal::Decimal;

use super::error::{Fault, ReadError};
use crate::literals::Literals;

/// Words of a file, one after the other.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

/// A word and its line.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) line: u64,
}

/// Bytes of the longest number, several times the digits of any precision.
const LONGEST_NUMBER: usize = 1 << 16;

/// What stands between words.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}(),".contains(&byte)
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // A byte order mark says nothing in UTF-8.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, at: 0, line: 1 }
    }

    /// All bytes of the file, but for a byte order mark.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Passes over lines of which the first character other than a blank is `"` or `*`, and empty
    /// ones.
    pub(super) fn skip_remarks(&mut self) {
        while self.at < self.bytes.len() {
            let mut rest = self.bytes[self.at..].iter();
            if rest.find(|byte| !b" \t".contains(byte)).is_some_and(|x| !b"\"*\r\n".contains(x)) {
                break;
            }
            self.skip_line();
        }
    }

    /// Passes over the rest of the line if it is a label, `= c`.
    pub(super) fn skip_label(&mut self) {
        let mut rest = self.bytes[self.at..].iter();
        if rest.find(|byte| !b" \t})".contains(byte)) == Some(&b'=') {
            self.skip_line();
        }
    }

    /// Passes over the rest of the line.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                self.at += end + 1;
                self.line += 1;
            }
            None => self.at = self.bytes.len(),
        }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !is_blank(byte) {
                break;
            }
            self.line += u64::from(byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some(Word { text: &rest[..length], line: self.line })
    }

    /// The next word, which there has to be.
    pub(super) fn word(&mut self, needed: &'static str) -> Result<Word<'a>, ReadError> {
        let line = self.line;
        self.next().ok_or_else(|| Fault::Ends { needed }.at(line))
    }

    /// The next word, which there has to be, without a label that begins in it: of `3=mDIM`, `3`.
    pub(super) fn labelled(&mut self, needed: &'static str) -> Result<Word<'a>, ReadError> {
        let word = self.word(needed)?;
        let Some(length) = word.text.iter().position(|&byte| byte == b'=').filter(|&at| at > 0)
        else {
            return Ok(word);
        };
        self.at -= word.text.len() - length;
        Ok(Word { text: &word.text[..length], line: word.line })
    }

    /// A decimal number, kept among others.
    pub(super) fn number(
        &mut self,
        needed: &'static str,
        numbers: &mut Literals,
    ) -> Result<(u32, Word<'a>), ReadError> {
        let word = self.labelled(needed)?;
        word.number(needed, numbers).map(|place| (place, word))
    }
}

impl Word<'_> {
    pub(super) fn expected(self, needed: &'static str) -> ReadError {
        Fault::Expected { needed, found: Token::new(self.text) }.at(self.line)
    }

    /// An integer.
    pub(super) fn integer(self, needed: &'static str) -> Result<i64, ReadError> {
        let text = core::str::from_utf8(self.text).unwrap_or_default();
        text.parse().map_err(|_| self.expected(needed))
    }

    /// The number of something, from `first` to `last`, counted from 0.
    pub(super) fn index(
        self,
        what: &'static str,
        [first, last]: [usize; 2],
    ) -> Result<u32, ReadError> {
        let text = core::str::from_utf8(self.text).unwrap_or_default();
        match text.parse::<usize>() {
            Ok(index) if (first..=last).contains(&index) => Ok((index - first) as u32),
            _ => {
                let found = Token::new(self.text);
                Err(Fault::Index { what, first, last, found }.at(self.line))
            }
        }
    }

    /// Refuses a number whose digits would take long: exact arithmetic takes the square of their
    /// count.
    pub(super) fn check_length(self) -> Result<(), ReadError> {
        if self.text.len() <= LONGEST_NUMBER {
            return Ok(());
        }
        Err(self.expected("a number of at most 65536 bytes"))
    }

    /// A finite number.
    pub(super) fn real(self, needed: &'static str) -> Result<f64, ReadError> {
        self.check_length()?;
        let value = f64::from_decimal(self.text).map_err(|_| self.expected(needed))?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Fault::NotFinite(Token::new(self.text)).at(self.line))
        }
    }

    fn number(self, needed: &'static str, numbers: &mut Literals) -> Result<u32, ReadError> {
        self.real(needed).map(|_| numbers.place(self.text))
    }
}
