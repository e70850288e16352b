//! Rows of a text with the lines on which they begin.

use std::io;

/// A row.
pub(super) struct Row<'a> {
    /// The line on which it begins.
    pub(super) line: u64,
    /// Its cells.
    pub(super) record: &'a csv::ByteRecord,
    /// Whether its quotes are those of cells.
    pub(super) is_quoted_well: bool,
}

/// Rows of CSV. Lines end as rows do: by line feed, carriage return or both; the first is 1. Empty
/// lines are no rows.
pub(super) struct Rows<'a> {
    text: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
    record: csv::ByteRecord,
    /// A place in the text, and its line.
    place: (usize, u64),
}

impl<'a> Rows<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        // What some programs write before the first letter.
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let reader = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(text);
        Self { text, reader, record: csv::ByteRecord::new(), place: (0, 1) }
    }

    /// The next row.
    pub(super) fn next(&mut self) -> io::Result<Option<Row<'_>>> {
        if !self.reader.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        // Where the reader began, which is before the empty lines and the second half of an end of
        // line.
        let begun = self.record.position().map_or(0, |position| position.byte() as usize);
        let is_end = |&&byte: &&u8| byte == b'\n' || byte == b'\r';
        let (place, line) = self.place;
        let start = begun + self.text.iter().skip(begun).take_while(is_end).count();
        let ends = (place..start).filter(|&i| match self.text[i] {
            b'\n' => true,
            b'\r' => self.text.get(i + 1) != Some(&b'\n'),
            _ => false,
        });
        let line = line + ends.count() as u64;
        self.place = (start, line);
        let end = self.reader.position().byte() as usize;
        let row = self.text.get(start..end).unwrap_or_default();
        Ok(Some(Row { line, record: &self.record, is_quoted_well: is_quoted_well(row) }))
    }
}

/// Whether each quote at the beginning of a cell is closed at its end, as RFC 4180 has it: of
/// `"100"5` the reader makes 1005.
fn is_quoted_well(row: &[u8]) -> bool {
    enum At {
        Begin,
        Plain,
        Quoted,
        Behind,
    }
    let mut at = At::Begin;
    let mut bytes = row.iter().peekable();
    while let Some(&byte) = bytes.next() {
        at = match (at, byte) {
            (At::Quoted, b'"') if bytes.next_if(|&&next| next == b'"').is_none() => At::Behind,
            (At::Quoted, _) => At::Quoted,
            (_, b',' | b'\n' | b'\r') => At::Begin,
            (At::Begin, b'"') => At::Quoted,
            (At::Behind, b' ' | b'\t') => At::Behind,
            (At::Behind, _) => return false,
            _ => At::Plain,
        };
    }
    !matches!(at, At::Quoted)
}
