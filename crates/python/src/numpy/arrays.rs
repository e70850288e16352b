//! Arrays of NumPy as matrices, and back.

use nonius::dense::MatRef;
use nonius::num::{MultiFloat, Plain};
use nonius::{Matrix, Number};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::kind::Kind;
use super::raw::Array;

/// Numbers that arrays of NumPy have: doubles, and ours.
pub(crate) trait Stored: Number<Format = ()> + Plain {
    /// Their type.
    fn dtype(py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

impl Stored for f64 {
    fn dtype(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        py.import("numpy")?.getattr("float64")
    }
}

impl<const N: usize> Stored for MultiFloat<N>
where
    Self: Kind,
{
    fn dtype(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        py.import("nonius._nonius")?.getattr(<Self as Kind>::NAME)
    }
}

/// `NPY_ARRAY_ALIGNED`
const ALIGNED: i32 = 0x0100;

/// A matrix whose numbers lie in an array of NumPy, column by column, while the array is kept.
pub(crate) struct Columns<'py, K> {
    array: Bound<'py, PyAny>,
    rows: usize,
    cols: usize,
    kind: std::marker::PhantomData<K>,
}

/// The array of a matrix, or of a vector as one column; copied where it is another type, or lies
/// otherwise than column by column.
pub(crate) fn column_major<'py, K: Stored>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Columns<'py, K>> {
    let py = object.py();
    let options = PyDict::new(py);
    options.set_item("dtype", K::dtype(py)?)?;
    options.set_item("order", "F")?;
    let array = py.import("numpy")?.call_method("asarray", (object,), Some(&options))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let (rows, cols) = match shape[..] {
        [rows] => (rows, 1),
        [rows, cols] => (rows, cols),
        _ => {
            let found = shape.len();
            return Err(PyValueError::new_err(format!(
                "{name}: expected an array of 1 or 2 dimensions, found {found}"
            )));
        }
    };
    Ok(Columns { array, rows, cols, kind: std::marker::PhantomData })
}

impl<K: Stored> Columns<'_, K> {
    /// Whether the array has one dimension.
    pub(crate) fn is_vector(&self) -> PyResult<bool> {
        Ok(self.array.getattr("ndim")?.extract::<usize>()? == 1)
    }

    /// The numbers.
    pub(crate) fn view(&self) -> PyResult<MatRef<'_, K>> {
        let array: *const Array = self.array.as_ptr().cast();
        // SAFETY: an array of NumPy.
        let (data, flags) = unsafe { ((*array).data, (*array).flags) };
        let data: *const K = data.cast_const().cast();
        if flags & ALIGNED == 0 || !data.is_aligned() {
            return Err(PyValueError::new_err("the array is not aligned: copy it first"));
        }
        // SAFETY: `asarray` made it an array of this kind whose columns follow one another, and the
        // object keeps it. Whoever changes it from another thread meanwhile, changes numbers only.
        let numbers = unsafe { std::slice::from_raw_parts(data, self.rows * self.cols) };
        Ok(MatRef::from_parts(numbers, self.rows, self.cols, self.rows))
    }
}

/// A new array with the numbers of a matrix, or of its one column as a vector.
pub(crate) fn to_numpy<'py, K: Stored>(
    py: Python<'py>,
    matrix: &Matrix<K>,
    as_vector: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("dtype", K::dtype(py)?)?;
    options.set_item("order", "F")?;
    let (rows, cols) = matrix.shape();
    let numpy = py.import("numpy")?;
    let array = match as_vector {
        true => numpy.call_method("empty", (rows,), Some(&options))?,
        false => numpy.call_method("empty", ((rows, cols),), Some(&options))?,
    };
    let place: *const Array = array.as_ptr().cast();
    let numbers = matrix.as_slice();
    // SAFETY: a new array of this kind with as many numbers, column by column.
    unsafe {
        let data: *mut K = (*place).data.cast();
        data.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len());
    }
    Ok(array)
}
