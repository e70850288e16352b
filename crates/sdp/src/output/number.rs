//! Text of numbers.

use nonius_linalg::Number;

/// A number in Rust's exponential format as C has it: the exponent with a sign and two digits or
/// more.
pub(super) fn exponential(text: String) -> String {
    let Some((significand, exponent)) = text.split_once('e') else {
        return text.to_lowercase();
    };
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{significand}e-{exponent:0>2}"),
        None => format!("{significand}e+{exponent:0>2}"),
    }
}

/// Appends numbers with something between them.
pub(super) fn append<T: Number>(
    numbers: impl IntoIterator<Item = T>,
    between: &[u8],
    text: &mut Vec<u8>,
) {
    for (k, number) in numbers.into_iter().enumerate() {
        if k > 0 {
            text.extend_from_slice(between);
        }
        number.append_decimal(text);
    }
}
