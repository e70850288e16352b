//! Rows of a text with the lines on which they begin.

use std::io;

/// Rows of CSV. Lines end as rows do: by line feed, carriage return or both; the first is 1. Empty lines are no rows.
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

    /// The next row, and its line.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, &csv::ByteRecord)>> {
        if !self.reader.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        // Where the reader began, which is before the empty lines and the second half of an end of line.
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
        Ok(Some((line, &self.record)))
    }
}
