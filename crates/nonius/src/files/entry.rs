//! Entries on their way from a file into a list.

use std::fmt;

use nonius_files::room::check_memory;
use nonius_linalg::sparse::matrix_market::{Entry, List};
use nonius_linalg::{Error, Token};

/// Why an entry is not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum BadEntry {
    /// It is no decimal number.
    Number(Token),
    /// It is NaN or infinite.
    NotFinite(Token),
    /// It is beyond the range of the precision asked for.
    Overflow {
        /// The text of the number.
        found: Token,
        /// The precision.
        precision: String,
    },
}

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(found) => write!(f, "expected a decimal number, found {found}"),
            Self::NotFinite(found) => write!(f, "expected a finite number, found {found}"),
            Self::Overflow { found, precision } => {
                write!(f, "expected a number within the range of {precision}, found {found}")
            }
        }
    }
}

/// Appends the number of a text, with blanks around it or without.
pub(super) fn push_text<T: Entry>(
    entries: &mut T::List,
    format: T::ReadAs,
    text: &[u8],
) -> Result<(), BadEntry> {
    let text = text.trim_ascii();
    match T::parse_to(entries, text, format) {
        Ok(true) => Ok(()),
        Ok(false) if text.iter().any(u8::is_ascii_digit) => {
            let precision = T::spelling(format);
            Err(BadEntry::Overflow { found: Token::new(text), precision })
        }
        Ok(false) => Err(BadEntry::NotFinite(Token::new(text))),
        Err(_) => Err(BadEntry::Number(Token::new(text))),
    }
}

/// Makes room for one entry more, and for as many again as there are, but not for more than `most`.
///
/// Memory grows with the entries that a file really holds, never with the sizes it announces.
pub(crate) fn grow<L: List>(entries: &mut L, most: usize, bytes: usize) -> Result<(), Error> {
    const FIRST: usize = 16;
    let (count, capacity) = (entries.count(), entries.capacity());
    if count < capacity {
        return Ok(());
    }
    let more = count.max(FIRST).min(most.saturating_sub(count)).max(1);
    let wanted = count + more;
    check_memory(format_args!("{wanted} entries of a matrix"), more as u128 * bytes as u128)
        .map_err(|refused| Error::NoRoom(Box::new(refused)))?;
    entries.try_reserve_exact(more).ok_or(Error::TooLarge { rows: wanted, cols: 1 })
}
