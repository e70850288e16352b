//! Products of matrices and vectors.

use std::ffi::{c_int, c_void};

use nonius::dense::Multiply;
use nonius::{Device, Matrix};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::item::Entries;
use super::kind::Kind;
use super::loops::form_of;

/// The loop of `numpy.matmul`: products of matrices `m × n` and `n × p`, one after the other.
pub(super) unsafe extern "C" fn matmul<K: Kind>(
    context: *mut c_void,
    data: *const *mut u8,
    lengths: *const isize,
    strides: *const isize,
    _: *mut c_void,
) -> c_int {
    // SAFETY: NumPy gives three addresses, four lengths, and nine strides: three from product to
    // product, and two for each matrix.
    unsafe {
        let form = form_of::<K>(context, 0);
        let [count, m, n, p] = std::array::from_fn(|k| *lengths.add(k) as usize);
        for product in 0..count {
            let start = |k: usize| (*data.add(k)).offset(product as isize * *strides.add(k));
            let steps = |k: usize| [*strides.add(3 + 2 * k), *strides.add(4 + 2 * k)];
            let a = gathered::<K>(form, start(0), steps(0), m, n);
            let b = gathered::<K>(form, start(1), steps(1), n, p);
            let found = Multiply::new(&a, &b).device(Device::Cpu).run();
            let (c, _) = match found {
                Ok(found) => found,
                Err(error) => {
                    let text = error.to_string();
                    Python::attach(|py| PyValueError::new_err(text).restore(py));
                    return -1;
                }
            };
            let (to, [down, right]) = (start(2), steps(2));
            for j in 0..p {
                let column = Entries { start: to.offset(j as isize * right), stride: down };
                (0..m).for_each(|i| column.set(form, i, c.at(i, j)));
            }
        }
    }
    0
}

/// A matrix from anywhere.
///
/// # Safety
/// There are such entries.
unsafe fn gathered<K: Kind>(
    form: K::Form,
    start: *const u8,
    [down, right]: [isize; 2],
    rows: usize,
    cols: usize,
) -> Matrix<K> {
    Matrix::from_fn_in(form, rows, cols, |i, j| {
        let offset = i as isize * down + j as isize * right;
        // SAFETY: by the caller.
        unsafe { K::read(form, start.offset(offset)) }
    })
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
    // SAFETY: NumPy gives two vectors of `count` numbers.
    let (x, y) = unsafe {
        (gathered::<K>((), x, [0, x_stride], 1, n), gathered::<K>((), y, [y_stride, 0], n, 1))
    };
    let sum = Multiply::new(&x, &y).device(Device::Cpu).run();
    // Numbers beyond the range, which the product refuses, are infinite or NaN in a sum.
    let sum = match sum {
        Ok((sum, _)) => sum.at(0, 0),
        Err(_) => (0..n).fold(K::ZERO, |sum, k| sum + x.at(0, k) * y.at(k, 0)),
    };
    // SAFETY: a place for one number.
    unsafe { sum.write((), result) };
}
