//! Numbers of any format in that of a program.

use std::borrow::Cow;

use nonius_linalg::threads::{Grain, for_each};
use nonius_linalg::{Element, Error, Number, Numbers, Slice, SliceMut};

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
    each_piece(from, to.as_mut_slice(), |from, to| {
        from.iter().enumerate().for_each(|(i, x)| to.set(i, T::from_f64(x)));
    });
    Ok(to)
}

/// Replaces numbers by as many others, each rounded.
pub(crate) fn round_into<T: Number>(from: Slice<'_, T>, to: SliceMut<'_, T>) {
    each_piece(from, to, |from, to| {
        if from.format() == to.format() {
            to.reborrow().copy_from(from);
        } else {
            from.iter().enumerate().for_each(|(i, x)| to.set(i, x));
        }
    });
}

/// Calls `work` with pieces of both, on all threads.
fn each_piece<S: Element, T: Element>(
    from: Slice<'_, S>,
    to: SliceMut<'_, T>,
    work: impl Fn(Slice<'_, S>, &mut SliceMut<'_, T>) + Sync,
) {
    assert_eq!(from.len(), to.len(), "length");
    for_each(&mut to.pieces(TOGETHER)[..], Grain::ANY, |piece, to| {
        let first = piece * TOGETHER;
        work(from.range(first..first + to.len()), to);
    });
}

/// `count` zeros.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn zeros<T: Number>(format: T::Format, count: usize) -> Result<Numbers<T>, Error> {
    Numbers::try_zeros(format, count).ok_or(Error::TooLarge { rows: count, cols: 1 })
}
