//! Numbers of cells.

use nonius_num::Decimal;

use super::error::Problem;

/// The number that a text is, spaces around it apart.
pub(super) fn number<T: Decimal>(format: T::Format, text: &str) -> Result<T, Problem> {
    let text = text.trim();
    T::from_decimal_in(format, text.as_bytes())
        .map_err(|_| Problem::Number { text: text.to_string() })
}
