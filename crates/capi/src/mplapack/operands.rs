//! Arguments of routines: checked, and arrays read and written.

use std::ffi::c_char;

use nonius::dense::{Diagonal, MatMut, MatRef, Side, Transpose, Triangle};
use nonius::num::Plain;
use nonius::{Dd, Matrix, Number, Qd};

use super::{DoubleDouble, NONIUS_INFO_FAILURE, QuadDouble};
use crate::failure::{Failure, caught};
use crate::pointers::{check, check_extent, put};
use crate::status::Status;

/// The numbers of routines, and how C has them.
pub(super) trait Limbs: Number<Format = ()> + Plain {
    type C: Copy;

    fn of(x: Self::C) -> Self;
}

impl Limbs for Dd {
    type C = DoubleDouble;

    fn of(x: DoubleDouble) -> Self {
        Dd::from_limbs(x.x)
    }
}

impl Limbs for Qd {
    type C = QuadDouble;

    fn of(x: QuadDouble) -> Self {
        Qd::from_limbs(x.x)
    }
}

const _: () = assert!(size_of::<DoubleDouble>() == size_of::<Dd>());
const _: () = assert!(size_of::<QuadDouble>() == size_of::<Qd>());
const _: () = assert!(align_of::<DoubleDouble>() == align_of::<Dd>());
const _: () = assert!(align_of::<QuadDouble>() == align_of::<Qd>());

/// Why a routine does nothing, or not all: what `info` is, and a sentence.
pub(super) struct Told {
    pub(super) info: i64,
    pub(super) failure: Failure,
}

impl Told {
    /// An argument, counted from 1, is not one that the routine takes.
    pub(super) fn argument(position: i64, text: impl core::fmt::Display) -> Self {
        let text = format_args!("argument {position}: {text}");
        Self { info: -position, failure: Failure::argument(text) }
    }

    /// A column or row, counted from 1, has no pivot.
    pub(super) fn pivot(index: usize, text: impl core::fmt::Display) -> Self {
        Self { info: index as i64, failure: Failure::new(Status::Numbers, text) }
    }
}

impl<E: Into<Failure>> From<E> for Told {
    fn from(error: E) -> Self {
        Self { info: NONIUS_INFO_FAILURE, failure: error.into() }
    }
}

/// Does the work of a routine, and returns its `info`. A panic ends here.
pub(super) fn routine(name: &str, work: impl FnOnce() -> Result<(), Told>) -> i64 {
    match caught(|| Ok(work())).unwrap_or_else(|failure| Err(failure.into())) {
        Ok(()) => 0,
        Err(Told { info, failure: Failure { status, text } }) => {
            Failure::new(status, format_args!("{name}: {text}")).keep();
            info
        }
    }
}

/// Writes `info`, where there is a place for it, and returns it.
///
/// # Safety
/// The [contract](crate#contract) for a value that is written or null.
pub(super) unsafe fn informed(place: *mut i64, info: i64) -> i64 {
    if check(place, "info").is_ok() {
        // SAFETY: as this function's; the pointer is checked.
        unsafe { put(place, 0, info) };
    }
    info
}

/// The letter that an option begins with, as a capital.
///
/// # Safety
/// The [contract](crate#contract) for a text of one letter or more.
unsafe fn letter(position: i64, text: *const c_char) -> Result<u8, Told> {
    check(text, "the option").map_err(|failure| Told::argument(position, failure.text))?;
    // SAFETY: the text is not null, and has a first byte by the contract.
    Ok((unsafe { *text } as u8).to_ascii_uppercase())
}

/// One of some letters.
///
/// # Safety
/// As [`letter`].
unsafe fn choice<R: Copy>(
    position: i64,
    text: *const c_char,
    choices: &[(u8, R)],
) -> Result<R, Told> {
    // SAFETY: as this function's.
    let found = unsafe { letter(position, text) }?;
    let chosen = choices.iter().find(|(letter, _)| *letter == found);
    chosen.map(|&(_, choice)| choice).ok_or_else(|| {
        let letters: Vec<String> =
            choices.iter().map(|&(letter, _)| char::from(letter).to_string()).collect();
        let found = char::from(found).escape_default();
        Told::argument(position, format_args!("expected {}, found {found}", letters.join(" or ")))
    })
}

/// # Safety
/// As [`letter`].
pub(super) unsafe fn transpose(position: i64, text: *const c_char) -> Result<Transpose, Told> {
    let choices = [(b'N', Transpose::No), (b'T', Transpose::Yes), (b'C', Transpose::Yes)];
    // SAFETY: as this function's.
    unsafe { choice(position, text, &choices) }
}

/// # Safety
/// As [`letter`].
pub(super) unsafe fn triangle(position: i64, text: *const c_char) -> Result<Triangle, Told> {
    // SAFETY: as this function's.
    unsafe { choice(position, text, &[(b'U', Triangle::Upper), (b'L', Triangle::Lower)]) }
}

/// # Safety
/// As [`letter`].
pub(super) unsafe fn side(position: i64, text: *const c_char) -> Result<Side, Told> {
    // SAFETY: as this function's.
    unsafe { choice(position, text, &[(b'L', Side::Left), (b'R', Side::Right)]) }
}

/// # Safety
/// As [`letter`].
pub(super) unsafe fn diagonal(position: i64, text: *const c_char) -> Result<Diagonal, Told> {
    // SAFETY: as this function's.
    unsafe { choice(position, text, &[(b'U', Diagonal::Unit), (b'N', Diagonal::NonUnit)]) }
}

/// # Safety
/// As [`letter`].
pub(super) unsafe fn vectors(position: i64, text: *const c_char) -> Result<bool, Told> {
    // SAFETY: as this function's.
    unsafe { choice(position, text, &[(b'N', false), (b'V', true)]) }
}

/// A number of rows, columns or terms.
pub(super) fn size(position: i64, name: &str, n: i64) -> Result<usize, Told> {
    usize::try_from(n).map_err(|_| {
        Told::argument(position, format_args!("{name}: expected 0 or more, found {n}"))
    })
}

/// What of a matrix a routine uses.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    Full,
    Triangle(Triangle),
    /// Without the diagonal.
    Strict(Triangle),
}

impl Region {
    /// The rows of a column that are used.
    fn rows(self, (rows, col): (usize, usize)) -> core::ops::Range<usize> {
        match self {
            Self::Full => 0..rows,
            Self::Triangle(Triangle::Lower) => col.min(rows)..rows,
            Self::Triangle(Triangle::Upper) => 0..(col + 1).min(rows),
            Self::Strict(Triangle::Lower) => (col + 1).min(rows)..rows,
            Self::Strict(Triangle::Upper) => 0..col.min(rows),
        }
    }
}

/// A matrix in an array of the caller's.
pub(super) struct Array<T> {
    pointer: *mut T,
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<T: Limbs> Array<T> {
    /// A matrix whose pointer and leading dimension are the arguments at these positions.
    pub(super) fn new(
        (position, pointer): (i64, *mut T::C),
        (rows, cols): (usize, usize),
        (position_of_ld, ld): (i64, i64),
    ) -> Result<Self, Told> {
        let least = rows.max(1);
        let ld = match usize::try_from(ld) {
            Ok(ld) if ld >= least => ld,
            _ => {
                let text = format_args!("leading dimension: expected {least} or more, found {ld}");
                return Err(Told::argument(position_of_ld, text));
            }
        };
        let array = Self { pointer: pointer.cast(), rows, cols, ld };
        if rows > 0 && cols > 0 {
            let count = (cols - 1).checked_mul(ld).and_then(|start| start.checked_add(rows));
            check(array.pointer, "the array")
                .and_then(|()| check_extent::<T>(count.unwrap_or(usize::MAX), "the array"))
                .map_err(|failure| Told::argument(position, failure.text))?;
        }
        Ok(array)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// A matrix of the same shape, of zeros.
    pub(super) fn zeros(&self) -> Result<Matrix<T>, Failure> {
        Ok(Matrix::try_zeros_in((), self.rows, self.cols)?)
    }

    /// A copy of the entries of a region, with zeros elsewhere.
    ///
    /// # Safety
    /// The [contract](crate#contract) for the entries of the region, which are read.
    pub(super) unsafe fn copy(&self, region: Region) -> Result<Matrix<T>, Told> {
        let mut copy = self.zeros()?;
        for j in 0..if self.rows == 0 { 0 } else { self.cols } {
            for i in region.rows((self.rows, j)) {
                // SAFETY: entry (i, j) lies in the array, and holds a number by the contract. The
                // pointer is checked.
                copy.set(i, j, unsafe { *self.pointer.add(i + j * self.ld) });
            }
        }
        Ok(copy)
    }

    /// The entries of a region where they are, if nothing lies between them, else a copy.
    ///
    /// # Safety
    /// The [contract](crate#contract) for the entries of the region, which are read for as long as
    /// the result lives.
    pub(super) unsafe fn read<'a>(&self, region: Region) -> Result<Input<'a, T>, Told> {
        let is_whole = region == Region::Full && (self.ld == self.rows || self.cols == 1);
        if !is_whole || self.is_empty() {
            // SAFETY: as this function's.
            return Ok(Input::Copied(unsafe { self.copy(region) }?));
        }
        // SAFETY: `rows * cols` numbers lie one behind the other; the pointer is checked, and so is
        // that an array may be as long. By the contract they are initialised, and nobody writes
        // them meanwhile. `T` is `repr(transparent)` over the doubles that C has in an array.
        let numbers = unsafe { core::slice::from_raw_parts(self.pointer, self.rows * self.cols) };
        Ok(Input::Borrowed(MatRef::from_parts(numbers, self.rows, self.cols, self.rows)))
    }

    /// The whole matrix to be changed: where it is, if nothing lies between its entries and none
    /// of the arrays that are read overlaps it, else a copy, which [`Output::finish`] writes back.
    ///
    /// Triangles are copied: what lies in the other one is not the routine's.
    ///
    /// # Safety
    /// The [contract](crate#contract) for the entries, which are read and written for as long as
    /// the result lives. Whatever fails leaves a matrix that is where it was as it was.
    pub(super) unsafe fn change<'a>(&'a self, read: &[&Self]) -> Result<Output<'a, T>, Told> {
        let is_whole = self.ld == self.rows || self.cols == 1;
        if self.is_empty() || !is_whole || read.iter().any(|other| self.overlaps(other)) {
            // SAFETY: as this function's.
            return Ok(Output::Copied(unsafe { self.copy(Region::Full) }?, self));
        }
        // SAFETY: as in `read`; nobody else reads or writes the numbers meanwhile, because no array
        // that is read has them.
        let numbers =
            unsafe { core::slice::from_raw_parts_mut(self.pointer, self.rows * self.cols) };
        Ok(Output::There(MatMut::from_parts(numbers, self.rows, self.cols, self.rows)))
    }

    /// Whether two arrays have memory in common, that between columns included.
    fn overlaps(&self, other: &Self) -> bool {
        let span = |array: &Self| {
            let count = (array.cols - 1) * array.ld + array.rows;
            let start = array.pointer as usize;
            start..start + count * size_of::<T>()
        };
        if self.is_empty() || other.is_empty() {
            return false;
        }
        let (mine, theirs) = (span(self), span(other));
        mine.start < theirs.end && theirs.start < mine.end
    }

    /// Writes the entries of a region.
    ///
    /// # Safety
    /// The [contract](crate#contract) for the entries of the region, which are written. No input
    /// that was [read](Self::read) is used from here on.
    pub(super) unsafe fn write(&self, region: Region, from: MatRef<'_, T>) {
        for j in 0..if self.rows == 0 { 0 } else { self.cols } {
            for i in region.rows((self.rows, j)) {
                // SAFETY: entry (i, j) lies in the array; the pointer is checked.
                unsafe { put(self.pointer, i + j * self.ld, from.at(i, j)) };
            }
        }
    }
}

/// A matrix that a routine reads.
pub(super) enum Input<'a, T: Limbs> {
    Borrowed(MatRef<'a, T>),
    Copied(Matrix<T>),
}

impl<T: Limbs> Input<'_, T> {
    pub(super) fn view(&self) -> MatRef<'_, T> {
        match self {
            Self::Borrowed(view) => *view,
            Self::Copied(matrix) => matrix.view(),
        }
    }
}

/// A matrix that a routine changes.
pub(super) enum Output<'a, T: Limbs> {
    There(MatMut<'a, T>),
    Copied(Matrix<T>, &'a Array<T>),
}

impl<T: Limbs> Output<'_, T> {
    pub(super) fn view(&mut self) -> MatMut<'_, T> {
        match self {
            Self::There(view) => view.reborrow(),
            Self::Copied(matrix, _) => matrix.view_mut(),
        }
    }

    /// Writes what was changed in a copy.
    ///
    /// # Safety
    /// The [contract](crate#contract) for the array, which is written. No input that was
    /// [read](Array::read) is used from here on.
    pub(super) unsafe fn finish(self) {
        if let Self::Copied(matrix, array) = self {
            // SAFETY: as this function's.
            unsafe { array.write(Region::Full, matrix.view()) };
        }
    }
}
