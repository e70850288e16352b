//! What can be wrong with the text of a number.

use core::error::Error;
use core::fmt;

/// Why a text is not a number. Positions count bytes from 0; `found` is `None` at the end of the
/// text.
///
/// ```
/// use nonius_num::{ParseDecimalError, Qd};
///
/// let error = "12x".parse::<Qd>().unwrap_err();
/// assert!(matches!(error, ParseDecimalError::ExpectedEnd { position: 2, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseDecimalError {
    /// Neither a digit nor a point nor `inf`, `infinity`, `nan` where a number should begin.
    ExpectedNumber {
        /// Where the number should begin, after its sign.
        position: usize,
        /// The byte found there.
        found: Option<u8>,
    },
    /// A point without a digit on either side.
    ExpectedDigit {
        /// Where a digit should be.
        position: usize,
        /// The byte found there.
        found: Option<u8>,
    },
    /// An exponent letter without digits.
    ExpectedExponent {
        /// Where the exponent's first digit should be.
        position: usize,
        /// The byte found there.
        found: Option<u8>,
    },
    /// Text after a complete number.
    ExpectedEnd {
        /// Where the number ends.
        position: usize,
        /// The byte found there.
        found: u8,
    },
}

impl fmt::Display for ParseDecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, position, found) = match *self {
            Self::ExpectedNumber { position, found } => ("a number", position, found),
            Self::ExpectedDigit { position, found } => ("a digit", position, found),
            Self::ExpectedExponent { position, found } => {
                ("a digit of the exponent", position, found)
            }
            Self::ExpectedEnd { position, found } => {
                ("the end of the number", position, Some(found))
            }
        };
        write!(f, "expected {expected} at byte {position}, found ")?;
        match found {
            Some(byte) => write!(f, "'{}'", byte.escape_ascii()),
            None => f.write_str("the end of the text"),
        }
    }
}

impl Error for ParseDecimalError {}
