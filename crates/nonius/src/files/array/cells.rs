//! The numbers of an array, one by one.

use std::io::{ErrorKind, Read};

use super::error::ArrayProblem;
use super::header::Header;
use super::kind::Cell;

/// Bytes of numbers that are read at a time, where one number has no more.
const BUFFER: usize = 64 << 10;

/// Hands on the numbers of an array, counted from zero in the order of the file, which then ends.
pub(crate) fn read_cells(
    header: &Header,
    input: &mut impl Read,
    mut each: impl FnMut(usize, Cell<'_>) -> Result<(), ArrayProblem>,
) -> Result<(), ArrayProblem> {
    let (kind, count) = (header.kind, header.count());
    let size = kind.size();
    let together = (BUFFER / size).max(1).min(count);
    let mut buffer = vec![0; together * size];
    let mut text = Vec::new();
    let mut done = 0;
    while done < count {
        let wanted = &mut buffer[..together.min(count - done) * size];
        let found = fill(input, wanted)?;
        let is_short = found < wanted.len();
        for bytes in buffer[..found].chunks_exact(size) {
            each(done, kind.cell(bytes, &mut text))?;
            done += 1;
        }
        if is_short {
            return Err(ArrayProblem::Short { expected: count, found: done });
        }
    }
    match fill(input, &mut [0])? {
        0 => Ok(()),
        _ => Err(ArrayProblem::More { numbers: count }),
    }
}

/// Reads until the buffer is full or the input ends; how many bytes were read.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, ArrayProblem> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(ArrayProblem::Read(error)),
        }
    }
    Ok(filled)
}
