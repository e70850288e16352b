//! What stands before the numbers of an array.

use std::io::{self, Read};

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};

use super::error::{ArrayProblem, Place};
use super::kind::{Class, Kind, LONGEST_TEXT};

/// The longest header, in bytes; NumPy's own reader has the same limit.
const LONGEST_HEADER: usize = 10_000;

/// Brackets within brackets of a header: those of a record of arrays are four.
const DEEPEST_HEADER: usize = 8;

/// What an array says of its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// Lengths, of which the product, without zeros, is below `2^64`.
    pub(crate) shape: Vec<u64>,
    /// Which index changes fastest.
    pub(crate) order: Order,
    /// What each number is.
    pub(crate) kind: Kind,
}

impl Header {
    /// Reads up to the first number.
    pub(crate) fn read(input: &mut impl Read) -> Result<Self, ArrayProblem> {
        let text = checked(input).map_err(ArrayProblem::Header)?;
        let header = NpyHeader::from_reader(text.as_slice()).map_err(ArrayProblem::Header)?;
        let kind = kind(&header.dtype())?;
        Ok(Self { shape: header.shape().to_vec(), order: header.order(), kind })
    }

    /// How many numbers there are.
    pub(crate) fn count(&self) -> usize {
        // The header was checked: there is no overflow.
        self.shape.iter().map(|&length| length as usize).product()
    }

    /// Where number `index` of the file, counted from zero, stands.
    pub(crate) fn place(&self, index: usize) -> Place {
        let is_fortran = self.order == Order::Fortran;
        Place { index: index as u64, shape: self.shape.clone(), is_fortran }
    }
}

fn kind(dtype: &DType) -> Result<Kind, ArrayProblem> {
    let found = dtype.descr();
    let found = found.trim_matches('\'');
    let unknown = || ArrayProblem::Type(found.to_string());
    let DType::Plain(plain) = dtype else { return Err(unknown()) };
    let width = usize::try_from(plain.size_field()).unwrap_or(usize::MAX);
    let class = match (plain.type_char(), width) {
        (TypeChar::Float, 2 | 4 | 8) => Class::Float,
        (TypeChar::Int, 1 | 2 | 4 | 8) => Class::Signed,
        (TypeChar::Uint, 1 | 2 | 4 | 8) => Class::Unsigned,
        (TypeChar::Bool, 1) => Class::Truth,
        (TypeChar::ByteStr, 1..=LONGEST_TEXT) => Class::Bytes,
        (TypeChar::UnicodeStr, 1..=LONGEST_TEXT) => Class::Characters,
        (TypeChar::Complex, _) => return Err(ArrayProblem::Complex(found.to_string())),
        _ => return Err(unknown()),
    };
    Ok(Kind { class, width, is_big_endian: plain.endianness() == Endianness::Big })
}

/// The bytes of a header, once it is clear that npyz can take it apart.
///
/// npyz takes memory for as many bytes of header as a file says, and a frame of the stack for each
/// bracket. It multiplies the lengths of a shape without a look at their product.
fn checked(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut read = Vec::new();
    let mut append = |more: usize, read: &mut Vec<u8>| {
        input.by_ref().take(more as u64).read_to_end(read).map(|found| found == more)
    };
    // The magic, the version, and the length in two or four bytes.
    if !append(8, &mut read)? || !read.starts_with(b"\x93NUMPY") {
        return Ok(read);
    }
    let width = if read[6] == 1 { 2 } else { 4 };
    if !append(width, &mut read)? {
        return Ok(read);
    }
    let length = read[8..].iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
    if length > LONGEST_HEADER {
        return Err(invalid(format!(
            "a header of {length} bytes, where at most {LONGEST_HEADER} are read"
        )));
    }
    let start = read.len();
    append(length, &mut read)?;
    let mut depth = 0_usize;
    for byte in &read[start..] {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST_HEADER {
            return Err(invalid(format!(
                "a header of more than {DEEPEST_HEADER} brackets within each other"
            )));
        }
    }
    if !is_countable(&read[start..]) {
        return Err(invalid("a header with a number that no length is".into()));
    }
    Ok(read)
}

/// Whether the numbers in a header are decimal, and their product, without zeros, is below `2^64`.
fn is_countable(header: &[u8]) -> bool {
    let words = header.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let numbers = words.filter(|word| word.first().is_some_and(u8::is_ascii_digit));
    let mut product = Some(1_u64);
    for number in numbers {
        let number = core::str::from_utf8(number).ok().and_then(|word| word.parse::<u64>().ok());
        product = product.zip(number).and_then(|(product, x)| product.checked_mul(x.max(1)));
    }
    product.is_some()
}
