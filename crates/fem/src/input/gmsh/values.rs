//! Values of a mesh file, in text or in binary.

use super::super::error::{At, Found};
use super::super::text::number;

/// A place in a file.
pub(super) struct Values<'a> {
    bytes: &'a [u8],
    place: usize,
    line: u32,
    /// Whether values are binary, and if so whether their bytes are in the other order.
    pub(super) binary: Option<bool>,
}

impl<'a> Values<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0, line: 1, binary: None }
    }

    pub(super) fn at(&self) -> At {
        At { file: 0, line: self.line }
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.place..]
    }

    /// How many bytes are left.
    fn most(&self) -> usize {
        self.rest().len()
    }

    fn skip(&mut self, count: usize) {
        let passed = &self.rest()[..count];
        let lines = passed.iter().filter(|&&byte| byte == b'\n').count();
        self.line = self.line.saturating_add(lines as u32);
        self.place += count;
    }

    /// The next word of text, even among binary values; nothing at the end.
    pub(super) fn word(&mut self) -> Option<String> {
        let blanks = self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.skip(blanks);
        let length = self.rest().iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let word = String::from_utf8_lossy(&self.rest()[..length]).into_owned();
        self.place += length;
        (length > 0).then_some(word)
    }

    /// The next number in text.
    pub(super) fn written<T: core::str::FromStr>(&mut self, needed: &'static str) -> Found<T> {
        let word = self.word().unwrap_or_default();
        match word.parse() {
            Ok(value) => Ok(value),
            Err(_) => self.at().expected(needed, word),
        }
    }

    /// A text between quotes.
    pub(super) fn quoted(&mut self, needed: &'static str) -> Found<String> {
        let quote = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'"');
        let line = self.rest().iter().position(|&byte| byte == b'\n').unwrap_or(self.most());
        let rest = &self.rest()[..line];
        let found = quote(rest).and_then(|start| {
            let length = quote(&rest[start + 1..])?;
            Some((start + 1, length))
        });
        let Some((start, length)) = found else { return self.at().expected(needed, "") };
        let text = String::from_utf8_lossy(&rest[start..start + length]).into_owned();
        self.skip(start + length + 1);
        Ok(text)
    }

    /// Goes on behind the end of the line, where binary values begin.
    pub(super) fn end_line(&mut self) {
        let length = self.rest().iter().position(|&byte| byte == b'\n');
        self.skip(length.map_or(self.most(), |length| length + 1));
    }

    /// Goes on behind the end of a section that is not read.
    pub(super) fn end_section(&mut self, name: &str) -> Found<()> {
        let end = format!("$End{}", &name[1..]);
        let found = self.rest().windows(end.len()).position(|bytes| bytes == end.as_bytes());
        match found {
            Some(place) => {
                self.skip(place + end.len());
                Ok(())
            }
            None => self.at().expected("the end of the section", name),
        }
    }

    fn raw<const N: usize>(&mut self, needed: &'static str, swapped: bool) -> Found<[u8; N]> {
        let Some(bytes) = self.rest().first_chunk::<N>() else {
            return self.at().expected(needed, "the end of the file");
        };
        let mut bytes = *bytes;
        if swapped {
            bytes.reverse();
        }
        // Binary values have no lines.
        self.place += N;
        Ok(bytes)
    }

    /// A short integer.
    pub(super) fn integer(&mut self, needed: &'static str) -> Found<i64> {
        match self.binary {
            None => self.written(needed),
            Some(swapped) => Ok(i32::from_le_bytes(self.raw(needed, swapped)?).into()),
        }
    }

    /// A long integer.
    pub(super) fn long(&mut self, needed: &'static str) -> Found<u64> {
        match self.binary {
            None => self.written(needed),
            Some(swapped) => Ok(u64::from_le_bytes(self.raw(needed, swapped)?)),
        }
    }

    pub(super) fn real(&mut self, needed: &'static str) -> Found<f64> {
        let (value, word) = match self.binary {
            None => {
                let word = self.word().unwrap_or_default();
                (number(&word), word)
            }
            Some(swapped) => {
                let value = f64::from_le_bytes(self.raw(needed, swapped)?);
                (Some(value).filter(|value| value.is_finite()), value.to_string())
            }
        };
        match value {
            Some(value) => Ok(value),
            None => self.at().expected(needed, word),
        }
    }

    pub(super) fn point(&mut self) -> Found<[f64; 3]> {
        const NEEDED: &str = "three coordinates of a node";
        Ok([self.real(NEEDED)?, self.real(NEEDED)?, self.real(NEEDED)?])
    }
}
