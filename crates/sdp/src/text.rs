//! Numbers as text.

use nonius_linalg::Number;

use crate::decimal::Decimal;

/// The shortest decimal that is read as the same number.
pub(crate) fn text<T: Number>(x: T) -> String {
    let mut text = Vec::new();
    x.append_decimal(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A number of a point, if it is finite.
pub(crate) fn decimal<T: Number>(number: T) -> Option<Decimal> {
    Decimal::parse(text(number).as_bytes())
}

/// The nearest number of a precision; NaN where there is none.
pub(crate) fn nearest<T: Number>(number: Option<&Decimal>, format: T::Format) -> T {
    let text = number.map_or("nan".into(), Decimal::to_string);
    // Both are texts of numbers.
    T::from_decimal_in(format, text.as_bytes()).unwrap_or_else(|_| T::ZERO.to_format(format))
}
