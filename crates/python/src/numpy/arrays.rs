//! Arrays of NumPy as matrices, and back.

use nonius::dense::MatRef;
use nonius::num::MultiFloat;
use nonius::{Matrix, Mp, Number};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::item::{Entries, InPlace};
use super::kind::Kind;
use super::raw::Array;

/// Numbers that arrays of NumPy have: doubles, and ours.
pub(crate) trait Stored: Number + InPlace {
    /// The type of an array that takes the numbers of an object.
    fn dtype_for<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>>;

    /// The type of arrays of a format.
    fn dtype(py: Python<'_>, format: Self::Format) -> PyResult<Bound<'_, PyAny>>;
}

impl Stored for f64 {
    fn dtype_for<'py>(object: &Bound<'py, PyAny>, _: &str) -> PyResult<Bound<'py, PyAny>> {
        Self::dtype(object.py(), ())
    }

    fn dtype(py: Python<'_>, (): ()) -> PyResult<Bound<'_, PyAny>> {
        py.import("numpy")?.getattr("float64")
    }
}

impl<const N: usize> Stored for MultiFloat<N>
where
    Self: Kind<Format = ()>,
{
    fn dtype_for<'py>(object: &Bound<'py, PyAny>, _: &str) -> PyResult<Bound<'py, PyAny>> {
        Self::dtype(object.py(), ())
    }

    fn dtype(py: Python<'_>, (): ()) -> PyResult<Bound<'_, PyAny>> {
        py.import("nonius._nonius")?.getattr(<Self as Kind>::NAME)
    }
}

impl Stored for Mp {
    /// That of the array itself, whose bits no name of the type says.
    fn dtype_for<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let dtype = py.import("numpy")?.call_method1("asarray", (object,))?.getattr("dtype")?;
        if dtype.get_type().is(py.import("nonius._nonius")?.getattr(Self::NAME)?) {
            return Ok(dtype);
        }
        Err(PyTypeError::new_err(format!("{name}: expected an array of nonius.mp, found {dtype}")))
    }

    fn dtype(py: Python<'_>, format: Self::Format) -> PyResult<Bound<'_, PyAny>> {
        let instance = Self::instance(format);
        // SAFETY: an object that lives on, or null with an error set.
        unsafe { Bound::from_borrowed_ptr_or_err(py, instance.cast()) }
    }
}

/// `NPY_ARRAY_ALIGNED`
const ALIGNED: i32 = 0x0100;

/// A matrix whose numbers lie in an array of NumPy, column by column, while the array is kept; or
/// a copy, where kernels need another layout.
pub(crate) struct Columns<'py, K: Stored> {
    array: Bound<'py, PyAny>,
    rows: usize,
    cols: usize,
    copied: Option<Matrix<K>>,
}

/// The array of a matrix, or of a vector as one column; copied where it is another type, or lies
/// otherwise than column by column.
pub(crate) fn column_major<'py, K: Stored>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Columns<'py, K>> {
    let py = object.py();
    let options = PyDict::new(py);
    options.set_item("dtype", K::dtype_for(object, name)?)?;
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
    let place: *const Array = array.as_ptr().cast();
    // SAFETY: an array of this type whose columns follow one another.
    let (start, form) = unsafe { ((*place).data.cast::<u8>(), K::form((*place).descriptor)) };
    let size = K::bytes(form);
    let copied = (!K::IS_PLAIN).then(|| -> PyResult<Matrix<K>> {
        let mut matrix = Matrix::try_zeros_in(form, rows, cols)
            .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let entries = Entries { start, stride: size as isize };
        // SAFETY: as many entries as the matrix has.
        unsafe { K::gather(form, entries, matrix.numbers_mut()) };
        Ok(matrix)
    });
    Ok(Columns { copied: copied.transpose()?, array, rows, cols })
}

impl<K: Stored> Columns<'_, K> {
    /// Whether the array has one dimension.
    pub(crate) fn is_vector(&self) -> PyResult<bool> {
        Ok(self.array.getattr("ndim")?.extract::<usize>()? == 1)
    }

    /// The numbers.
    pub(crate) fn view(&self) -> PyResult<MatRef<'_, K>> {
        if let Some(matrix) = &self.copied {
            return Ok(matrix.view());
        }
        let array: *const Array = self.array.as_ptr().cast();
        // SAFETY: an array of NumPy.
        let (data, flags) = unsafe { ((*array).data.cast::<u8>(), (*array).flags) };
        // SAFETY: `asarray` made it an array of this kind whose columns follow one another, and the
        // object keeps it. Whoever changes it from another thread meanwhile, changes numbers only.
        let numbers =
            unsafe { K::numbers(K::form((*array).descriptor), data, self.rows * self.cols) };
        match numbers.filter(|_| flags & ALIGNED != 0) {
            Some(numbers) => Ok(MatRef::from_numbers(numbers, self.rows, self.cols, self.rows)),
            None => Err(PyValueError::new_err("the array is not aligned: copy it first")),
        }
    }
}

/// A new array with the numbers of a matrix, or of its one column as a vector.
pub(crate) fn to_numpy<'py, K: Stored>(
    py: Python<'py>,
    matrix: &Matrix<K>,
    as_vector: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("dtype", K::dtype(py, matrix.format())?)?;
    options.set_item("order", "F")?;
    let (rows, cols) = matrix.shape();
    let numpy = py.import("numpy")?;
    let array = match as_vector {
        true => numpy.call_method("empty", (rows,), Some(&options))?,
        false => numpy.call_method("empty", ((rows, cols),), Some(&options))?,
    };
    let place: *const Array = array.as_ptr().cast();
    let (numbers, form) = (matrix.numbers().as_slice(), matrix.format());
    // SAFETY: a new array of this kind with as many numbers, column by column.
    unsafe {
        let start = (*place).data.cast::<u8>();
        if let Some(to) = K::numbers_mut(form, start, numbers.len()) {
            to.copy_from(numbers);
        } else {
            K::scatter(form, numbers, Entries { start, stride: K::bytes(form) as isize });
        }
    }
    Ok(array)
}
