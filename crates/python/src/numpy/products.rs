//! Products of matrices and vectors.
//!
//! Operands whose rows or columns lie one number after the other stay where they are; others are
//! copied. Larger products run on the threads that work, while NumPy's thread asks Python for
//! signals.
//!
//! NumPy looks at the floating-point flags after a product, although the loops say that theirs mean
//! nothing: for functions of whole matrices it forgets what a loop says where no operand is
//! converted. A product of finite numbers must therefore raise none.

use std::ffi::{c_int, c_void};

use nonius::dense::{MatRef, Multiply, Transpose, dot as dot_product};
use nonius::{Device, Matrix};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arrays::gathered;
use super::item::Entries;
use super::kind::Kind;
use super::loops::form_of;
use crate::running;

/// Products of at least as many terms run on the threads that work, which takes some microseconds.
const LARGE: usize = 1 << 15;

/// A matrix in an array: its first entry, the steps from row to row and from column to column, and
/// its shape.
#[derive(Clone, Copy)]
struct Place {
    start: *mut u8,
    steps: [isize; 2],
    shape: [usize; 2],
}

/// The lengths of a product: how many rows, terms and columns.
type Lengths = [usize; 3];

/// Where the three matrices of a product lie, by their steps behind those from product to product.
type Places = fn([*mut u8; 3], &[isize], Lengths) -> [Place; 3];

/// The loop of `numpy.matmul`: products of matrices `m × n` and `n × p`.
pub(super) unsafe extern "C" fn matmul<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    lengths: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives four lengths, and two strides for each matrix.
    unsafe {
        let given = std::slice::from_raw_parts(lengths, 4);
        let lengths = std::array::from_fn(|k| given[1 + k] as usize);
        all::<K, 6>(context, data, given[0], strides, lengths, |starts, steps, [m, n, p]| {
            let steps = |k: usize| [steps[2 * k], steps[2 * k + 1]];
            let place = |k: usize, shape| Place { start: starts[k], steps: steps(k), shape };
            [place(0, [m, n]), place(1, [n, p]), place(2, [m, p])]
        })
    }
}

/// The loop of `numpy.matvec`: products of matrices `m × n` and vectors.
pub(super) unsafe extern "C" fn matvec<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    lengths: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives three lengths, and two, one and one strides.
    unsafe {
        let given = std::slice::from_raw_parts(lengths, 3);
        let lengths = [given[1] as usize, given[2] as usize, 1];
        all::<K, 4>(context, data, given[0], strides, lengths, |starts, steps, [m, n, _]| {
            let place = |k: usize, steps, shape| Place { start: starts[k], steps, shape };
            [
                place(0, [steps[0], steps[1]], [m, n]),
                place(1, [steps[2], 0], [n, 1]),
                place(2, [steps[3], 0], [m, 1]),
            ]
        })
    }
}

/// The loop of `numpy.vecmat`: products of vectors and matrices `n × p`.
pub(super) unsafe extern "C" fn vecmat<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    lengths: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives three lengths, and one, two and one strides.
    unsafe {
        let given = std::slice::from_raw_parts(lengths, 3);
        let lengths = [1, given[1] as usize, given[2] as usize];
        all::<K, 4>(context, data, given[0], strides, lengths, |starts, steps, [_, n, p]| {
            let place = |k: usize, steps, shape| Place { start: starts[k], steps, shape };
            [
                place(0, [0, steps[0]], [1, n]),
                place(1, [steps[1], steps[2]], [n, p]),
                place(2, [0, steps[3]], [1, p]),
            ]
        })
    }
}

/// The loop of `numpy.vecdot`: sums of products of two vectors.
pub(super) unsafe extern "C" fn vecdot<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    lengths: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives two lengths, and one stride for each vector.
    unsafe {
        let given = std::slice::from_raw_parts(lengths, 2);
        let lengths = [1, given[1] as usize, 1];
        all::<K, 2>(context, data, given[0], strides, lengths, |starts, steps, [_, n, _]| {
            let place = |k: usize, steps, shape| Place { start: starts[k], steps, shape };
            [
                place(0, [0, steps[0]], [1, n]),
                place(1, [steps[1], 0], [n, 1]),
                place(2, [0, 0], [1, 1]),
            ]
        })
    }
}

/// Computes `count` products; −1, with an error set, where one fails.
///
/// # Safety
/// The arguments are those of a loop with three operands of this kind, `S` strides and the steps
/// from product to product.
unsafe fn all<K: Kind, const S: usize>(
    context: *mut c_void,
    data: *const *mut u8,
    count: isize,
    strides: *const isize,
    lengths: Lengths,
    places: Places,
) -> c_int {
    // SAFETY: by the caller.
    unsafe {
        let form = form_of::<K>(context, 0);
        let steps = std::slice::from_raw_parts(strides.add(3), S);
        for product in 0..count {
            let starts = std::array::from_fn(|k| (*data.add(k)).offset(product * *strides.add(k)));
            if let Err(error) = multiply::<K>(form, places(starts, steps, lengths)) {
                Python::attach(|py| error.restore(py));
                return -1;
            }
        }
    }
    0
}

/// Writes the product of two matrices.
///
/// # Safety
/// The places have entries of this form, the last one's are to be written.
unsafe fn multiply<K: Kind>(form: K::Form, [a, b, to]: [Place; 3]) -> PyResult<()> {
    let [rows, cols] = to.shape;
    // SAFETY: by the caller.
    let (a, b) = unsafe { (Operand::<K>::of(form, a)?, Operand::<K>::of(form, b)?) };
    let failed = |error: nonius::dense::Error| PyValueError::new_err(error.to_string());
    if rows == 1 && cols == 1 {
        let sum = dot_product(a.view(), b.view()).map_err(failed)?;
        // SAFETY: by the caller.
        unsafe { sum.write(form, to.start) };
        return Ok(());
    }
    let task = || {
        let task = Multiply::new(a.view(), b.view());
        let task = task.transpose_a(a.transpose()).transpose_b(b.transpose());
        task.device(Device::Cpu).run()
    };
    let terms = rows.saturating_mul(cols).saturating_mul(a.shape[1]);
    let (product, _) = match terms < LARGE {
        true => task(),
        false => running::run_detached(task)?,
    }
    .map_err(failed)?;
    for j in 0..cols {
        let column = to.start.wrapping_offset(j as isize * to.steps[1]);
        let column = Entries { start: column, stride: to.steps[0] };
        // SAFETY: by the caller.
        unsafe { K::scatter(form, product.column(j), column) };
    }
    Ok(())
}

/// An operand, where it is or copied.
struct Operand<'a, K: Kind> {
    shape: [usize; 2],
    /// The matrix, or its transpose.
    there: Option<(MatRef<'a, K>, Transpose)>,
    copied: Option<Matrix<K>>,
}

impl<K: Kind> Operand<'_, K> {
    /// The matrix at a place.
    ///
    /// # Safety
    /// The place has entries of this form, which nobody writes meanwhile.
    unsafe fn of(form: K::Form, place: Place) -> PyResult<Self> {
        let Place { start, steps: [down, right], shape: [rows, cols] } = place;
        // SAFETY: by the caller.
        let there = unsafe {
            columns(form, start, [down, right], rows, cols)
                .map(|there| (there, Transpose::No))
                .or_else(|| {
                    let turned = columns(form, start, [right, down], cols, rows);
                    turned.map(|there| (there, Transpose::Yes))
                })
        };
        let copied = match there {
            Some(_) => None,
            // SAFETY: by the caller.
            None => Some(unsafe { gathered(form, start, [down, right], rows, cols) }?),
        };
        Ok(Self { shape: [rows, cols], there, copied })
    }

    fn view(&self) -> MatRef<'_, K> {
        match (&self.there, &self.copied) {
            (Some((there, _)), _) => *there,
            (None, Some(copied)) => copied.view(),
            (None, None) => unreachable!("it is there or copied"),
        }
    }

    fn transpose(&self) -> Transpose {
        self.there.map_or(Transpose::No, |(_, transpose)| transpose)
    }
}

/// A matrix whose columns lie one number after the other, and one behind the other, where kernels
/// take them.
///
/// # Safety
/// There are such entries, which nobody writes meanwhile.
unsafe fn columns<'a, K: Kind>(
    form: K::Form,
    start: *mut u8,
    [down, right]: [isize; 2],
    rows: usize,
    cols: usize,
) -> Option<MatRef<'a, K>> {
    let size = K::bytes(form) as isize;
    let is_column = rows == 1 || down == size;
    // From column to column, in numbers.
    let step = if cols == 1 { rows as isize } else { right / size };
    let is_apart = step >= rows as isize && (cols == 1 || right % size == 0);
    if !is_column || !is_apart || rows == 0 || cols == 0 {
        return None;
    }
    let count = step as usize * (cols - 1) + rows;
    // SAFETY: by the caller; the numbers between columns are those of the array that it is part of.
    let numbers = unsafe { K::numbers(form, start, count) }?;
    Some(MatRef::from_numbers(numbers, rows, cols, step as usize))
}

/// For `numpy.dot` and `vdot`: the sum of products of two vectors. NumPy does not say which
/// instance of a type the vectors have, so that types of many instances have no such function.
pub(super) unsafe extern "C" fn dot<K: Kind<Format = ()>>(
    x: *mut u8,
    x_stride: isize,
    y: *mut u8,
    y_stride: isize,
    result: *mut u8,
    count: isize,
    _: *mut c_void,
) {
    let n = count as usize;
    let to = Place { start: result, steps: [0, 0], shape: [1, 1] };
    let x = Place { start: x, steps: [0, x_stride], shape: [1, n] };
    let y = Place { start: y, steps: [y_stride, 0], shape: [n, 1] };
    // SAFETY: NumPy gives two vectors of `count` numbers, and a place for one.
    if let Err(error) = unsafe { multiply::<K>((), [x, y, to]) } {
        Python::attach(|py| error.restore(py));
    }
}
