//! Writing arrays: doubles as they are, numbers of more bits as decimal texts.

use std::io::{self, Write};

use nonius_linalg::sparse::matrix_market::{Dense, WriteError};
use npyz::{DType, NpyWriter, Order, WriteOptions, WriterBuilder};

use crate::files::print::{check_finite, entries, print_rows};

/// Writes a matrix, in C's order; a matrix of one column as an array of one dimension.
///
/// Entries read back as the same numbers.
pub(in crate::files) fn write(out: &mut dyn Write, a: &impl Dense) -> Result<(), WriteError> {
    check_finite(a)?;
    let (rows, cols) = a.shape();
    let shape = if cols == 1 { vec![rows as u64] } else { vec![rows as u64, cols as u64] };
    let is_empty = rows == 0 || cols == 0;
    if is_empty || a.double(0, 0).is_some() {
        let cols = if is_empty { 0 } else { cols };
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let doubles = places.map(|(row, col)| a.double(row, col).unwrap_or(f64::NAN));
        let mut writer = start::<f64>(out, "<f8", &shape, Order::C)?;
        writer.extend(doubles)?;
        return Ok(writer.finish()?);
    }
    let mut longest = 0;
    print_rows(a, |text| {
        longest = entries(text).map(<[u8]>::len).fold(longest, usize::max);
        Ok::<_, WriteError>(())
    })?;
    let mut writer = write_texts(out, longest, &shape, Order::C)?;
    print_rows(a, |text| {
        entries(text).try_for_each(|entry| writer.push(&*String::from_utf8_lossy(entry)))
    })?;
    Ok(writer.finish()?)
}

/// Writes integers.
pub(in crate::files) fn write_integers(
    out: &mut dyn Write,
    numbers: impl ExactSizeIterator<Item = i64>,
) -> io::Result<()> {
    let mut writer = start::<i64>(out, "<i8", &[numbers.len() as u64], Order::C)?;
    writer.extend(numbers)?;
    writer.finish()
}

/// Writes an array without dimensions, of one text of bytes.
pub(in crate::files) fn write_word(out: &mut dyn Write, word: &str) -> io::Result<()> {
    let mut writer = start::<[u8]>(out, &format!("|S{}", word.len()), &[], Order::C)?;
    writer.push(word.as_bytes())?;
    writer.finish()
}

/// Begins an array of texts of at most so many characters.
pub(crate) fn write_texts<'a>(
    out: &'a mut dyn Write,
    longest: usize,
    shape: &[u64],
    order: Order,
) -> io::Result<NpyWriter<str, &'a mut dyn Write>> {
    start(out, &format!("<U{}", longest.max(1)), shape, order)
}

/// Begins an array.
fn start<'a, T: npyz::Serialize + ?Sized>(
    out: &'a mut dyn Write,
    kind: &str,
    shape: &[u64],
    order: Order,
) -> io::Result<NpyWriter<T, &'a mut dyn Write>> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
    let kind = DType::Plain(kind.parse().map_err(invalid)?);
    WriteOptions::<T>::new().dtype(kind).shape(shape).order(order).writer(out).begin_nd()
}
