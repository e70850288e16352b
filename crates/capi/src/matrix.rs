//! Dense matrices: made from doubles, limbs and decimals, and taken apart again.

use std::ffi::c_char;

use nonius::Mp;
use nonius::dense::Error;
use nonius::num::mp::Bits;
use nonius::num::{Decimal, Real};

use crate::any::{Any, Kind, at, each};
use crate::failure::{Failure, guarded};
use crate::pointers::{
    changed, check, check_extent, elements, free, hand_over, put, put_if_wanted, reference, text,
};
use crate::precision::{decoded, encoded};
use crate::status::Status;
use crate::text::Buffer;

/// A dense matrix of one precision.
#[derive(Clone, Debug)]
pub struct Matrix(pub(crate) Any);

/// Frees a matrix. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_free(matrix: *mut Matrix) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(matrix) }
}

/// A matrix of zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_zeros(
    precision: u32,
    rows: usize,
    cols: usize,
    matrix: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(matrix, "matrix")?;
        let zeros = at!(decoded(precision)?, filled((rows, cols), |_, _| Ok(None)))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(matrix, Matrix(zeros)) };
        Ok(())
    })
}

/// A matrix of doubles, which every precision holds exactly. Entry (i, j) is `data[i + j*stride]`;
/// the stride is at least the number of rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_from_doubles(
    precision: u32,
    rows: usize,
    cols: usize,
    data: *const f64,
    stride: usize,
    matrix: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(matrix, "matrix")?;
        // SAFETY: the contract for an array of so many columns.
        let data = unsafe { elements(data, extent(rows, cols, stride)?, "data") }?;
        let entry = |i: usize, j: usize| Ok(Some(Source::Double(data[i + j * stride])));
        let made = at!(decoded(precision)?, filled((rows, cols), entry))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(matrix, Matrix(made)) };
        Ok(())
    })
}

/// A matrix whose entry (i, j) is the exact sum of the doubles `data[limbs*(i + j*rows)]` and the
/// following ones, `limbs` in all, rounded once. Arrays of dd_real and qd_real of the QD library
/// have this form, with 2 and 4 limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_from_limbs(
    precision: u32,
    rows: usize,
    cols: usize,
    data: *const f64,
    limbs: usize,
    matrix: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(matrix, "matrix")?;
        // SAFETY: the contract for an array of so many numbers.
        let data = unsafe { elements(data, count_of_limbs(rows, cols, limbs)?, "data") }?;
        let entry =
            |i: usize, j: usize| Ok(Some(Source::Limbs(&data[limbs * (i + j * rows)..][..limbs])));
        let made = at!(decoded(precision)?, filled((rows, cols), entry))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(matrix, Matrix(made)) };
        Ok(())
    })
}

/// A matrix whose entry (i, j) is the number nearest to the decimal text `texts[i + j*rows]`, such
/// as `0.1` or `-2.5e-3`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_from_decimals(
    precision: u32,
    rows: usize,
    cols: usize,
    texts: *const *const c_char,
    matrix: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(matrix, "matrix")?;
        // SAFETY: the contract for an array of so many texts.
        let texts = unsafe { elements(texts, extent(rows, cols, rows)?, "texts") }?;
        let entry = |i: usize, j: usize| {
            // SAFETY: the contract for each text of the array.
            let text = unsafe { text(texts[i + j * rows], &format!("texts[{}]", i + j * rows)) }?;
            Ok(Some(Source::Decimal(text)))
        };
        let made = at!(decoded(precision)?, filled((rows, cols), entry))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(matrix, Matrix(made)) };
        Ok(())
    })
}

/// A copy of a matrix, its entries rounded to a precision.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_convert(
    matrix: *const Matrix,
    precision: u32,
    converted: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(converted, "converted")?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(from) = unsafe { reference(matrix, "matrix") }?;
        let precision = decoded(precision)?;
        let made = if precision == from.precision() {
            from.clone()
        } else {
            let bits = exact_bits();
            each!(from, a => {
                at!(precision, filled(a.shape(), |i, j| Ok(Some(Source::Exact(exact(a.at(i, j), bits))))))
            })?
        };
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(converted, Matrix(made)) };
        Ok(())
    })
}

/// The numbers of rows and columns; either pointer may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_shape(
    matrix: *const Matrix,
    rows: *mut usize,
    cols: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let (m, n) = unsafe { reference(matrix, "matrix") }?.0.shape();
        // SAFETY: the contract for values that are written or null.
        unsafe {
            put_if_wanted(rows, m, "rows")?;
            put_if_wanted(cols, n, "cols")
        }
    })
}

/// The precision: NONIUS_F64, NONIUS_DD, NONIUS_TD, NONIUS_QD, or NONIUS_MP + bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_precision(
    matrix: *const Matrix,
    precision: *mut u32,
) -> Status {
    guarded(|| {
        check(precision, "precision")?;
        // SAFETY: the contract for a handle that is read.
        let found = unsafe { reference(matrix, "matrix") }?.0.precision();
        // SAFETY: the contract for a value that is written; the pointer is checked.
        unsafe { put(precision, 0, encoded(found)) };
        Ok(())
    })
}

/// Replaces entry (row, col) by the number nearest to a decimal text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_set(
    matrix: *mut Matrix,
    row: usize,
    col: usize,
    decimal: *const c_char,
) -> Status {
    guarded(|| {
        // SAFETY: the contracts for a handle that is changed and a text.
        let (Matrix(any), decimal) =
            unsafe { (changed(matrix, "matrix")?, text(decimal, "decimal")?) };
        check_inside(any, row, col)?;
        each!(any, a => {
            let x = Source::Decimal(decimal).number(a.format())?;
            a.set(row, col, x);
        });
        Ok(())
    })
}

/// Replaces entry (row, col) by a double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_set_double(
    matrix: *mut Matrix,
    row: usize,
    col: usize,
    value: f64,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is changed.
        let Matrix(any) = unsafe { changed(matrix, "matrix") }?;
        check_inside(any, row, col)?;
        each!(any, a => {
            let x = Source::Double(value).number(a.format())?;
            a.set(row, col, x);
        });
        Ok(())
    })
}

/// Writes the doubles nearest to all entries: entry (i, j) to `data[i + j*stride]`. The stride is
/// at least the number of rows; what lies between the columns stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_to_doubles(
    matrix: *const Matrix,
    data: *mut f64,
    stride: usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Matrix(any) = unsafe { reference(matrix, "matrix") }?;
        let (rows, cols) = any.shape();
        if extent(rows, cols, stride)? > 0 {
            check(data, "data")?;
        }
        each!(any, a => for j in 0..cols {
            for i in 0..rows {
                // SAFETY: the contract for an array of so many columns.
                unsafe { put(data, i + j * stride, a.at(i, j).to_f64()) };
            }
        });
        Ok(())
    })
}

/// Writes each entry as doubles: entry (i, j) to `data[limbs*(i + j*rows)]` and the following ones,
/// `limbs` in all. The first is the double nearest to the entry, each further one the double
/// nearest to what those before it leave. With 2, 3 and 4 limbs dd, td and qd numbers are written
/// exactly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_to_limbs(
    matrix: *const Matrix,
    data: *mut f64,
    limbs: usize,
) -> Status {
    guarded(|| {
        // SAFETY: the contract for a handle that is read.
        let Matrix(any) = unsafe { reference(matrix, "matrix") }?;
        let (rows, cols) = any.shape();
        if count_of_limbs(rows, cols, limbs)? > 0 {
            check(data, "data")?;
        }
        each!(any, a => for j in 0..cols {
            for i in 0..rows {
                let mut limb = 0;
                split(a.at(i, j), limbs, |x| {
                    // SAFETY: the contract for an array of so many numbers.
                    unsafe { put(data, limbs * (i + j * rows) + limb, x) };
                    limb += 1;
                });
            }
        });
        Ok(())
    })
}

/// Writes entry (row, col) as decimal text into a buffer of `capacity` bytes, with a zero at its
/// end: with this many significant digits, rounded correctly, or for 0 digits the shortest text
/// that reads back as the same number.
///
/// `length`, which may be NULL, gets the number of bytes without the zero. With too small a buffer
/// the status is NONIUS_STATUS_ROOM, and only the length is written; a capacity of 0 asks for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_matrix_decimal(
    matrix: *const Matrix,
    row: usize,
    col: usize,
    digits: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let buffer = Buffer { bytes: buffer, capacity, length };
        // SAFETY: the contract for a handle that is read.
        let Matrix(any) = unsafe { reference(matrix, "matrix") }?;
        check_inside(any, row, col)?;
        let text = each!(any, a => written(a.at(row, col), digits))?;
        // SAFETY: the contract for a buffer.
        unsafe { buffer.write(&text) }
    })
}

/// Where a number comes from.
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack")]
pub(crate) enum Source<'a> {
    Double(f64),
    Limbs(&'a [f64]),
    Decimal(&'a str),
    Exact(Mp),
}

impl Source<'_> {
    fn number<T: Kind>(self, format: T::Format) -> Result<T, Failure> {
        Ok(match self {
            Self::Double(x) => T::from_f64(x).to_format(format),
            Self::Limbs(limbs) => match sum(limbs) {
                None if limbs.len() <= T::LIMBS => T::of_limbs(limbs),
                found => {
                    let bits = exact_bits();
                    let first = limbs.first().copied().unwrap_or(0.0);
                    let exact = found.unwrap_or_else(|| summed(limbs, bits));
                    if first.is_finite() {
                        T::rounded(format, &exact)
                    } else {
                        T::from_f64(first).to_format(format)
                    }
                }
            },
            Self::Decimal(text) => T::from_decimal_in(format, text.trim().as_bytes())
                .map_err(|error| Failure::new(Status::Text, format_args!("`{text}`: {error}")))?,
            Self::Exact(x) => T::rounded(format, &x),
        })
    }
}

/// The sum of limbs that overlap; `None` where they do not, or the first is not finite.
fn sum(limbs: &[f64]) -> Option<Mp> {
    let apart = limbs.windows(2).all(|pair| pair[0] + pair[1] == pair[0]);
    let special = limbs.first().is_some_and(|first| !first.is_finite());
    (!apart && !special).then(|| summed(limbs, exact_bits()))
}

/// The sum of doubles, exactly: their digits span 2098 bits and what carries add.
fn summed(limbs: &[f64], bits: Bits) -> Mp {
    limbs.iter().fold(Mp::zero(bits), |sum, &x| sum + Mp::from_f64(bits, x))
}

/// So many bits that a sum of doubles is exact.
fn exact_bits() -> Bits {
    Bits::new(Bits::MOST).unwrap_or(Bits::FEWEST)
}

/// The number with all its bits.
pub(crate) fn exact<T: Kind>(x: T, bits: Bits) -> Mp {
    x.in_bits(bits)
}

/// Hands on the doubles that a number consists of, the largest first.
fn split<T: Kind>(x: T, limbs: usize, mut put: impl FnMut(f64)) {
    if T::LIMBS > 0 && limbs >= T::LIMBS || !x.is_finite() {
        let own = x.limbs();
        for limb in 0..limbs {
            // An infinity and NaN have one limb.
            put(if limb == 0 || x.is_finite() {
                own.get(limb).copied().unwrap_or(0.0)
            } else {
                0.0
            });
        }
        return;
    }
    let mut rest = exact(x, exact_bits());
    for _ in 0..limbs {
        let limb = rest.to_f64();
        put(limb);
        let taken = Mp::from_f64(rest.bits(), limb);
        // Beyond the range of doubles nothing is left to say.
        rest = if limb.is_finite() { rest - taken } else { Mp::zero(rest.bits()) };
    }
}

/// The decimal text of a number.
pub(crate) fn written<T: Decimal>(x: T, digits: u32) -> Result<String, Failure> {
    /// More digits than any number has that is not written exactly.
    const MOST: u32 = 100_000;
    match digits {
        0 => {
            let mut out = Vec::new();
            x.append_decimal(&mut out);
            Ok(String::from_utf8_lossy(&out).into_owned())
        }
        1..=MOST => Ok(format!("{x:.*e}", digits as usize - 1)),
        _ => {
            Err(Failure::argument(format_args!("digits: expected at most {MOST}, found {digits}")))
        }
    }
}

/// A matrix by its entries; zero where there is no source.
fn filled<'a, T: Kind>(
    format: T::Format,
    (rows, cols): (usize, usize),
    entry: impl Fn(usize, usize) -> Result<Option<Source<'a>>, Failure>,
) -> Result<Any, Failure> {
    let bytes = nonius::num::stored_bytes::<T>(format);
    let count = rows.checked_mul(cols).and_then(|count| count.checked_mul(bytes));
    if count.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Error::TooLarge { rows, cols }.into());
    }
    let mut a = nonius::Matrix::<T>::try_zeros_in(format, rows, cols)?;
    for j in 0..if rows == 0 { 0 } else { cols } {
        for i in 0..rows {
            match entry(i, j)? {
                Some(source) => a.set(i, j, source.number(format)?),
                // The others have no source either.
                None => return Ok(T::any(a)),
            }
        }
    }
    Ok(T::any(a))
}

/// Elements of an array that holds columns at this distance.
fn extent(rows: usize, cols: usize, stride: usize) -> Result<usize, Failure> {
    if stride < rows {
        let text = format_args!("the stride is {stride} where {rows} or more is needed");
        return Err(Failure::shape(text));
    }
    if rows == 0 || cols == 0 {
        return Ok(0);
    }
    let last = (cols - 1).checked_mul(stride).and_then(|start| start.checked_add(rows));
    let count = last.unwrap_or(usize::MAX);
    check_extent::<f64>(count, "the array").map(|()| count)
}

fn count_of_limbs(rows: usize, cols: usize, limbs: usize) -> Result<usize, Failure> {
    if limbs == 0 {
        return Err(Failure::argument("limbs: expected 1 or more, found 0"));
    }
    let count = rows.checked_mul(cols).and_then(|count| count.checked_mul(limbs));
    let count = count.unwrap_or(usize::MAX);
    check_extent::<f64>(count, "the array").map(|()| count)
}

fn check_inside(any: &Any, row: usize, col: usize) -> Result<(), Failure> {
    let (rows, cols) = any.shape();
    if row < rows && col < cols {
        return Ok(());
    }
    let text = format_args!("entry ({row}, {col}) lies outside the matrix of {rows} × {cols}");
    Err(Failure::shape(text))
}
