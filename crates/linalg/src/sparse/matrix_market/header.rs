//! The banner and the line of sizes.

use std::io::Read;

use super::banner::{Field, Format, Symmetry};
use super::error::{Problem, ReadError};
use super::lines::{Lines, words};
use crate::Token;

/// What a file says of its matrix before the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How entries are listed.
    pub format: Format,
    /// What the entries are.
    pub field: Field,
    /// Which entries are listed.
    pub symmetry: Symmetry,
    /// Number of rows of the matrix.
    pub rows: usize,
    /// Number of columns of the matrix.
    pub cols: usize,
    /// Number of entries listed.
    pub entries: usize,
}

impl Header {
    /// A matrix of real numbers without symmetry.
    pub(super) fn general(format: Format, (rows, cols): (usize, usize), entries: usize) -> Self {
        let (field, symmetry) = (Field::Real, Symmetry::General);
        Self { format, field, symmetry, rows, cols, entries }
    }

    /// Reads up to and including the line of sizes.
    pub(super) fn read<R: Read>(lines: &mut Lines<R>) -> Result<Self, ReadError> {
        let banner = match lines.next_line()? {
            None => return Err(Problem::Empty.at(1)),
            Some(line) => Banner::parse(line).map_err(|problem| problem.at(1))?,
        };
        let sizes = match lines.next_content()? {
            None => Err(Problem::SizeMissing(banner.format)),
            Some(line) => banner.with_sizes(line),
        };
        sizes.map_err(|problem| problem.at(lines.count()))
    }
}

/// The first line.
struct Banner {
    format: Format,
    field: Field,
    symmetry: Symmetry,
}

impl Banner {
    fn parse(line: &[u8]) -> Result<Self, Problem> {
        // Editors on Windows put a byte order mark before the text.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let found: Vec<&[u8]> = words(line).collect();
        let lower = |i: usize| found[i].to_ascii_lowercase();
        if found.is_empty() || lower(0) != b"%%matrixmarket" {
            return Err(Problem::Banner(Token::new(found.first().unwrap_or(&&b""[..]))));
        }
        if found.len() != 5 {
            return Err(Problem::BannerWords(found.len()));
        }
        if lower(1) != b"matrix" {
            return Err(Problem::Object(Token::new(found[1])));
        }
        let format = match &lower(2)[..] {
            b"coordinate" => Format::Coordinate,
            b"array" => Format::Array,
            _ => return Err(Problem::Format(Token::new(found[2]))),
        };
        let field = match &lower(3)[..] {
            b"real" => Field::Real,
            b"integer" => Field::Integer,
            b"pattern" => Field::Pattern,
            b"complex" => return Err(Problem::Complex(Token::new(found[3]))),
            _ => return Err(Problem::Field(Token::new(found[3]))),
        };
        let symmetry = match &lower(4)[..] {
            b"general" => Symmetry::General,
            b"symmetric" => Symmetry::Symmetric,
            b"skew-symmetric" => Symmetry::SkewSymmetric,
            b"hermitian" => return Err(Problem::Complex(Token::new(found[4]))),
            _ => return Err(Problem::Symmetry(Token::new(found[4]))),
        };
        match (format, field, symmetry) {
            (Format::Array, Field::Pattern, _) => Err(Problem::Pattern("array")),
            (_, Field::Pattern, Symmetry::SkewSymmetric) => Err(Problem::Pattern("skew-symmetric")),
            _ => Ok(Self { format, field, symmetry }),
        }
    }

    fn with_sizes(self, line: &[u8]) -> Result<Header, Problem> {
        let Self { format, field, symmetry } = self;
        let found: Vec<&[u8]> = words(line).collect();
        let expected = if format == Format::Coordinate { 3 } else { 2 };
        if found.len() != expected {
            return Err(Problem::SizeWords { format, found: found.len() });
        }
        let size =
            |i: usize| parse_size(found[i]).ok_or_else(|| Problem::Size(Token::new(found[i])));
        let (rows, cols) = (size(0)?, size(1)?);
        if symmetry != Symmetry::General && rows != cols {
            return Err(Problem::NotSquare { symmetry, rows, cols });
        }
        let entries = match format {
            Format::Coordinate => size(2)?,
            Format::Array => array_entries(symmetry, rows, cols)
                .ok_or(Problem::TooLarge(crate::Error::TooLarge { rows, cols }))?,
        };
        Ok(Header { format, field, symmetry, rows, cols, entries })
    }
}

/// Number of values in an array file; `None` beyond the range of `usize`.
fn array_entries(symmetry: Symmetry, rows: usize, cols: usize) -> Option<usize> {
    let all = rows.checked_mul(cols)?;
    Some(match symmetry {
        Symmetry::General => all,
        Symmetry::Symmetric => (all - rows) / 2 + rows,
        Symmetry::SkewSymmetric => (all - rows) / 2,
    })
}

/// A number without a sign (a plus is let pass); `None` for anything else, and beyond the range of
/// `usize`.
pub(super) fn parse_size(word: &[u8]) -> Option<usize> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_usize, |n, &b| {
        if !b.is_ascii_digit() {
            return None;
        }
        n.checked_mul(10)?.checked_add(usize::from(b - b'0'))
    })
}
