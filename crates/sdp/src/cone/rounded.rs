//! Numbers of any format in that of a program.

use std::borrow::Cow;

use nonius_linalg::threads::{Grain, for_each};
use nonius_linalg::{Error, Number, Numbers, Slice, SliceMut};

/// Numbers that a thread takes at a time.
const TOGETHER: usize = 1 << 16;

/// These numbers where they have the format, else others, each rounded.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn in_format<T: Number>(
    from: &Numbers<T>,
    format: T::Format,
) -> Result<Cow<'_, Numbers<T>>, Error> {
    if from.format() == format {
        return Ok(Cow::Borrowed(from));
    }
    rounded(from.as_slice(), format).map(Cow::Owned)
}

/// Some numbers, each rounded to a format.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn rounded<T: Number>(
    from: Slice<'_, T>,
    format: T::Format,
) -> Result<Numbers<T>, Error> {
    let mut to = zeros(format, from.len())?;
    round_into(from, to.as_mut_slice());
    Ok(to)
}

/// The numbers of a format that are these.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn of_doubles<T: Number>(
    from: Slice<'_, f64>,
    format: T::Format,
) -> Result<Numbers<T>, Error> {
    let mut to = zeros(format, from.len())?;
    for_each(&mut to.as_mut_slice().pieces(TOGETHER)[..], Grain::ANY, |piece, to| {
        let first = piece * TOGETHER;
        let from = from.range(first..first + to.len());
        from.iter().enumerate().for_each(|(i, x)| to.set(i, T::from_f64(x)));
    });
    Ok(to)
}

/// Replaces numbers by as many others, each rounded.
pub(crate) fn round_into<T: Number>(from: Slice<'_, T>, to: SliceMut<'_, T>) {
    assert_eq!(from.len(), to.len(), "length");
    for_each(&mut to.pieces(TOGETHER)[..], Grain::ANY, |piece, to| {
        let first = piece * TOGETHER;
        let from = from.range(first..first + to.len());
        if from.format() == to.format() {
            to.reborrow().copy_from(from);
        } else {
            from.iter().enumerate().for_each(|(i, x)| to.set(i, x));
        }
    });
}

/// `count` zeros.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn zeros<T: Number>(format: T::Format, count: usize) -> Result<Numbers<T>, Error> {
    Numbers::try_zeros(format, count).ok_or(Error::TooLarge { rows: count, cols: 1 })
}
