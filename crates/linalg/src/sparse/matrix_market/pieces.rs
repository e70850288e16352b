//! Blocks of lines are cut into pieces, which are parsed in parallel and joined in their order.
//!
//! Memory grows with the entries that the file really holds, never with the sizes it announces, and
//! as far as there is some: a compressed file can hold a thousand times its bytes.

use std::io::Read;

use nonius_files::room::{NoRoom, check_memory};

use super::error::{Problem, ReadError};
use super::header::Header;
use super::lines::{Lines, is_content, line_feed};
use super::list::List;
use crate::Error;
use crate::threads::{Grain, map};

/// Bytes that one task parses.
const TASK_BYTES: usize = 64 << 10;

/// Entries of consecutive lines, up to the first that is wrong.
struct Piece<L> {
    entries: L,
    lines: u64,
    wrong: Option<ReadError>,
}

/// Reads what `parse` makes of each line. An entry takes `bytes` bytes.
pub(super) fn read_entries<R: Read, L: List>(
    lines: &mut Lines<R>,
    header: &Header,
    bytes: usize,
    empty: impl Fn() -> L + Sync,
    parse: impl Fn(&[u8], &mut L) -> Result<(), Problem> + Sync,
) -> Result<L, ReadError> {
    let mut entries = empty();
    loop {
        let before = lines.count();
        let Some(block) = lines.next_block()? else { break };
        let texts = split(block);
        let pieces = map(texts.len(), Grain::ANY, |i| parse_piece(texts[i], empty(), &parse));
        let mut line = before;
        for (text, piece) in texts.into_iter().zip(pieces) {
            let wanted = header.entries - entries.count();
            if piece.entries.count() > wanted {
                let excess = line + line_of_entry(text, wanted);
                return Err(Problem::TooMany { expected: header.entries }.at(excess));
            }
            if let Some(ReadError { line: within, problem }) = piece.wrong {
                return Err(problem.at(line + within));
            }
            grow(&mut entries, piece.entries.count(), header, bytes)
                .map_err(|error| Problem::TooLarge(error).at(line))?;
            entries.append(piece.entries);
            line += piece.lines;
        }
        lines.add_lines(line - before);
    }
    let found = entries.count();
    if found < header.entries {
        return Err(Problem::TooFew { expected: header.entries, found }.at(lines.count()));
    }
    Ok(entries)
}

/// Makes room for `more` entries, and for as many again as there are, but not for more than the
/// file announces.
fn grow<L: List>(entries: &mut L, more: usize, header: &Header, bytes: usize) -> Result<(), Error> {
    let (length, capacity) = (entries.count(), entries.capacity());
    if length + more <= capacity {
        return Ok(());
    }
    let Header { rows, cols, .. } = *header;
    let wanted = (2 * capacity).min(header.entries).max(length + more);
    let added = (wanted - capacity) as u128 * bytes as u128;
    check_memory(format_args!("{wanted} entries of a matrix of {rows} × {cols}"), added)
        .map_err(no_room)?;
    entries.try_reserve_exact(wanted - length).ok_or(Error::TooLarge { rows, cols })
}

/// Pieces of about [`TASK_BYTES`] bytes that end where lines do.
fn split(mut block: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(block.len() / TASK_BYTES + 1);
    while block.len() > TASK_BYTES {
        let Some(feed) = block[TASK_BYTES..].iter().position(|&b| b == b'\n') else { break };
        let (piece, rest) = block.split_at(TASK_BYTES + feed + 1);
        pieces.push(piece);
        block = rest;
    }
    if !block.is_empty() {
        pieces.push(block);
    }
    pieces
}

/// The lines of a piece; a line feed at its end closes the last line and opens none.
fn lines_of(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(piece.strip_suffix(b"\n").unwrap_or(piece));
    core::iter::from_fn(move || {
        let text = rest?;
        let end = line_feed(text);
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

fn parse_piece<L>(
    piece: &[u8],
    empty: L,
    parse: impl Fn(&[u8], &mut L) -> Result<(), Problem>,
) -> Piece<L> {
    let mut parsed = Piece { entries: empty, lines: 0, wrong: None };
    for line in lines_of(piece) {
        parsed.lines += 1;
        if !is_content(line) {
            continue;
        }
        if let Err(problem) = parse(line, &mut parsed.entries) {
            parsed.wrong = Some(problem.at(parsed.lines));
            break;
        }
    }
    parsed
}

/// The line, from 1, of entry `index` of a piece that has it.
fn line_of_entry(piece: &[u8], index: usize) -> u64 {
    let content = lines_of(piece).zip(1..).filter(|(line, _)| is_content(line));
    content.map(|(_, number)| number).nth(index).unwrap_or(1)
}

pub(super) fn no_room(refused: NoRoom) -> Error {
    Error::NoRoom(Box::new(refused))
}
