//! Numbers of points.

use nonius_linalg::Number;
use nonius_linalg::Token;
use nonius_linalg::sparse::matrix_market::Entry;

use super::error::{Fault, ReadError};
use super::scanner::{Scanner, Word};
use crate::problem::Problem;

/// A finite number.
pub(super) fn number<'a, T: Number>(
    scanner: &mut Scanner<'a>,
    needed: &'static str,
    format: T::Format,
) -> Result<(T, Word<'a>), ReadError> {
    let word = scanner.word(needed)?;
    word.check_length()?;
    let value = T::parse(word.text, format).map_err(|_| word.expected(needed))?;
    if value.is_finite() {
        Ok((value, word))
    } else {
        Err(Fault::NotFinite(Token::new(word.text)).at(word.line))
    }
}

/// `x`.
pub(super) fn vector<T: Number>(
    scanner: &mut Scanner<'_>,
    format: T::Format,
    problem: &Problem,
) -> Result<Vec<T>, ReadError> {
    let mut next = || number(scanner, "a number of x", format).map(|(value, _)| value);
    (0..problem.constraints()).map(|_| next()).collect()
}
