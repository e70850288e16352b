//! Cuts a stream of bytes into lines and blocks of whole lines, in bounded memory.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use super::error::{Problem, ReadError};

/// Bytes held at a time, and the longest line.
const BLOCK: usize = 4 << 20;

/// The lines of a stream.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// `buffer[start..end]` has been read and not yet handed out.
    start: usize,
    end: usize,
    at_end: bool,
    /// Lines handed out.
    count: u64,
}

/// Whether a line holds anything but blanks or a comment.
pub(super) fn is_content(line: &[u8]) -> bool {
    line.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b != b'%')
}

/// Where the first line feed is.
///
/// Eight bytes are compared at a time. Those that are line feeds become zero, and subtracting 1
/// from a zero byte sets its highest bit. The lowest bit set is right, while bytes above a zero
/// byte may have theirs set in error (H. S. Warren, *Hacker's Delight*, 2nd ed., section 6-1).
pub(super) fn line_feed(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let (chunks, rest) = text.as_chunks::<8>();
    for (i, chunk) in chunks.iter().enumerate() {
        let x = u64::from_le_bytes(*chunk) ^ (ONES * b'\n' as u64);
        let zeros = x.wrapping_sub(ONES) & !x & (ONES << 7);
        if zeros != 0 {
            return Some(8 * i + zeros.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&b| b == b'\n').map(|i| 8 * chunks.len() + i)
}

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: vec![0; BLOCK], start: 0, end: 0, at_end: false, count: 0 }
    }

    /// Lines handed out so far: the number, from 1, of the last of them.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The next line that is neither blank nor a comment.
    pub(super) fn next_content(&mut self) -> Result<Option<&[u8]>, ReadError> {
        while let Some(line) = self.next_range()? {
            if is_content(&self.buffer[line.clone()]) {
                return Ok(Some(&self.buffer[line]));
            }
        }
        Ok(None)
    }

    /// The next line, whatever it holds; `None` at the end.
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>, ReadError> {
        Ok(self.next_range()?.map(|line| &self.buffer[line]))
    }

    /// Where in the buffer the next line lies, without its line feed.
    fn next_range(&mut self) -> Result<Option<Range<usize>>, ReadError> {
        let mut length = line_feed(&self.buffer[self.start..self.end]);
        if length.is_none() {
            self.fill()?;
            length = line_feed(&self.buffer[self.start..self.end]);
        }
        let (start, end) = match length {
            Some(length) => (self.start, self.start + length),
            None if self.start == self.end => return Ok(None),
            None if self.at_end => (self.start, self.end),
            None => return Err(self.long_line()),
        };
        self.start = self.end.min(end + 1);
        self.count += 1;
        Ok(Some(start..end))
    }

    /// Whole lines, as many as are held, each but the last of the file closed by its line feed;
    /// `None` at the end.
    pub(super) fn next_block(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.fill()?;
        let held = &self.buffer[self.start..self.end];
        let block = match held.iter().rposition(|&b| b == b'\n') {
            _ if held.is_empty() => return Ok(None),
            _ if self.at_end => self.start..self.end,
            Some(n) => self.start..self.start + n + 1,
            None => return Err(self.long_line()),
        };
        self.start = block.end;
        Ok(Some(&self.buffer[block]))
    }

    /// Counts the lines of a block that has been dealt with.
    pub(super) fn add_lines(&mut self, count: u64) {
        self.count += count;
    }

    /// Moves what is held to the front and reads until the buffer is full or the input ends.
    fn fill(&mut self) -> Result<(), ReadError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while !self.at_end && self.end < self.buffer.len() {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(n) => self.end += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::Io(error).at(self.count)),
            }
        }
        Ok(())
    }

    /// No line feed in a full buffer.
    fn long_line(&self) -> ReadError {
        Problem::LongLine { limit: BLOCK }.at(self.count + 1)
    }
}
