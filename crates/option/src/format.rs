//! The format of numbers that are computed with together.

use nonius_linalg::Number;

/// The widest format of some numbers; of none the narrowest that there is.
pub(crate) fn widest<T: Number>(numbers: impl IntoIterator<Item = T>) -> T::Format {
    // A sum has the format of the wider operand.
    let wider = |widest: T, x: T| {
        let format = x.format();
        if format == widest.format() { widest } else { widest + T::ZERO.to_format(format) }
    };
    numbers.into_iter().fold(T::ZERO, wider).format()
}
