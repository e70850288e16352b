//! Arrays of NumPy as matrices, and back.

use std::ffi::c_void;

use nonius::dense::MatRef;
use nonius::num::MultiFloat;
use nonius::{Matrix, Mp, Number};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::item::{Entries, InPlace};
use super::kind::Kind;
use super::raw::{ALIGNED, Api, Array, Descriptor, FORTRAN};

/// Numbers that arrays of NumPy have: doubles, and ours.
pub(crate) trait Stored: Number + InPlace {
    /// The instance of a format, which lives on; null, with an error set, where memory does not do.
    fn descriptor(format: Self::Format) -> *mut Descriptor;

    /// The only format of the type, which arrays of other types are converted to; none where it has
    /// several.
    fn only_format() -> Option<Self::Format>;

    /// Whether an instance is one of the type.
    fn is_instance(descriptor: *mut Descriptor) -> bool;
}

impl Stored for f64 {
    fn descriptor((): ()) -> *mut Descriptor {
        Api::get().double
    }

    fn only_format() -> Option<()> {
        Some(())
    }

    fn is_instance(descriptor: *mut Descriptor) -> bool {
        descriptor == Self::descriptor(())
    }
}

impl<const N: usize> Stored for MultiFloat<N>
where
    Self: Kind<Format = ()>,
{
    fn descriptor((): ()) -> *mut Descriptor {
        Self::instance(())
    }

    fn only_format() -> Option<()> {
        Some(())
    }

    fn is_instance(descriptor: *mut Descriptor) -> bool {
        descriptor == Self::descriptor(())
    }
}

impl Stored for Mp {
    fn descriptor(format: Self::Format) -> *mut Descriptor {
        Self::instance(format)
    }

    fn only_format() -> Option<Self::Format> {
        None
    }

    fn is_instance(descriptor: *mut Descriptor) -> bool {
        // SAFETY: an instance that an array holds.
        let class: *mut c_void = unsafe { ffi::Py_TYPE(descriptor.cast()).cast() };
        class == Self::place().class().cast()
    }
}

/// Bytes from which on an array takes the memory of a matrix over: below, a copy is faster.
const HANDED_OVER: usize = 1 << 14;

/// A matrix from an array of NumPy: where its numbers lie column by column, in that array, which is
/// kept; a copy where they lie otherwise, or where kernels need another layout.
pub(crate) struct Columns<'py, K: Stored> {
    array: Bound<'py, PyAny>,
    rows: usize,
    cols: usize,
    is_vector: bool,
    copied: Option<Matrix<K>>,
}

/// The array of a matrix, or of a vector as one column.
pub(crate) fn column_major<'py, K: Stored>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Columns<'py, K>> {
    let array = match is_array_of::<K>(object) {
        true => object.clone(),
        false => converted::<K>(object, name)?,
    };
    let place: *const Array = array.as_ptr().cast();
    // SAFETY: an array of this type, whose shape and strides have as many entries as it has
    // dimensions.
    let (start, form, flags, shape, strides) = unsafe {
        let count = (*place).dimensions as usize;
        let list = |start: *const isize| match count {
            0 => &[][..],
            _ => std::slice::from_raw_parts(start, count),
        };
        let (shape, strides) = (list((*place).shape), list((*place).strides));
        let start: *mut u8 = (*place).data.cast();
        (start, K::form((*place).descriptor), (*place).flags, shape, strides)
    };
    let (rows, cols, [down, right], is_vector) = match (shape, strides) {
        (&[rows], &[down]) => (rows as usize, 1, [down, 0], true),
        (&[rows, cols], &[down, right]) => (rows as usize, cols as usize, [down, right], false),
        _ => {
            let found = shape.len();
            return Err(PyValueError::new_err(format!(
                "{name}: expected an array of 1 or 2 dimensions, found {found}"
            )));
        }
    };
    let is_there = K::IS_PLAIN
        && flags & (ALIGNED | FORTRAN) == ALIGNED | FORTRAN
        // SAFETY: the array has as many numbers, one after the other.
        && unsafe { K::numbers(form, start, rows * cols) }.is_some();
    let copied = match is_there {
        true => None,
        // SAFETY: the array has such entries.
        false => Some(unsafe { gathered(form, start, [down, right], rows, cols) }?),
    };
    Ok(Columns { array, rows, cols, is_vector, copied })
}

/// A matrix from entries that may lie row by row: some rows of all columns at a time, which caches
/// hold.
///
/// # Safety
/// There are such entries.
pub(super) unsafe fn gathered<K: Number + InPlace>(
    form: K::Form,
    start: *mut u8,
    [down, right]: [isize; 2],
    rows: usize,
    cols: usize,
) -> PyResult<Matrix<K>> {
    const TOGETHER: usize = 32;
    let mut matrix = Matrix::try_zeros_in(form, rows, cols)
        .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    for first in (0..rows).step_by(TOGETHER) {
        let range = first..rows.min(first + TOGETHER);
        for j in 0..cols {
            let column = start.wrapping_offset(j as isize * right);
            let from = Entries { start: column, stride: down }.from(first);
            // SAFETY: by the caller.
            unsafe { K::gather(form, from, matrix.column_mut(j).range(range.clone())) };
        }
    }
    Ok(matrix)
}

/// Whether an object is an array of these numbers, which needs no conversion.
fn is_array_of<K: Stored>(object: &Bound<'_, PyAny>) -> bool {
    let class: *mut c_void = object.get_type().as_type_ptr().cast();
    // SAFETY: an array of NumPy, after its type.
    class == Api::get().array_type()
        && K::is_instance(unsafe { (*object.as_ptr().cast::<Array>()).descriptor })
}

/// By `numpy.asarray`.
fn converted<'py, K: Stored>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let Some(format) = K::only_format() else {
        let found = object.getattr("dtype").unwrap_or_else(|_| object.get_type().into_any());
        return Err(PyTypeError::new_err(format!(
            "{name}: expected an array of nonius.mp, found {found}"
        )));
    };
    // SAFETY: an object that lives on.
    let dtype = unsafe { Bound::from_borrowed_ptr(py, K::descriptor(format).cast()) };
    let options = PyDict::new(py);
    options.set_item("dtype", dtype)?;
    options.set_item("order", "F")?;
    py.import("numpy")?.call_method("asarray", (object,), Some(&options))
}

impl<K: Stored> Columns<'_, K> {
    /// Whether the array has one dimension.
    pub(crate) fn is_vector(&self) -> bool {
        self.is_vector
    }

    /// The numbers.
    pub(crate) fn view(&self) -> MatRef<'_, K> {
        if let Some(matrix) = &self.copied {
            return matrix.view();
        }
        let array: *const Array = self.array.as_ptr().cast();
        // SAFETY: an array of this kind whose columns follow one another, where kernels take them,
        // and the object keeps it. Whoever changes it from another thread meanwhile, changes
        // numbers only.
        let numbers = unsafe {
            let form = K::form((*array).descriptor);
            K::numbers(form, (*array).data.cast(), self.rows * self.cols)
        };
        let numbers = numbers.expect("found to be there");
        MatRef::from_numbers(numbers, self.rows, self.cols, self.rows)
    }
}

/// The type of arrays of numbers of a format.
pub(crate) fn dtype_of<K: Stored>(py: Python<'_>, format: K::Format) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: an object that lives on, or null with an error set.
    unsafe { Bound::from_borrowed_ptr_or_err(py, K::descriptor(format).cast()) }
}

/// An array with the numbers of a matrix, or of its one column as a vector. It takes the memory of
/// a large matrix over.
pub(crate) fn to_numpy<K: Stored>(
    py: Python<'_>,
    mut matrix: Matrix<K>,
    as_vector: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let (rows, cols) = matrix.shape();
    let shape = [rows as isize, cols as isize];
    let shape = if as_vector { &shape[..1] } else { &shape[..] };
    let form = matrix.format();
    let descriptor = K::descriptor(form);
    if descriptor.is_null() {
        return Err(PyErr::fetch(py));
    }
    let is_large = K::bytes(form) * rows * cols >= HANDED_OVER;
    if let Some(data) = K::start(matrix.numbers_mut()).filter(|_| is_large) {
        // The numbers stay where they are when the matrix moves to a box.
        let kept = Box::into_raw(Box::new(matrix));
        // SAFETY: a capsule that frees the box.
        let owner = unsafe {
            let capsule = ffi::PyCapsule_New(kept.cast(), std::ptr::null(), Some(free::<K>));
            Bound::from_owned_ptr_or_err(py, capsule)
        };
        let owner = owner.inspect_err(|_| {
            // SAFETY: no capsule has it.
            drop(unsafe { Box::from_raw(kept) });
        })?;
        let array = Api::get().new_array(py, descriptor, shape, data.cast())?;
        Api::get().set_base(&array, owner)?;
        return Ok(array);
    }
    let array = Api::get().new_array(py, descriptor, shape, std::ptr::null_mut())?;
    let place: *const Array = array.as_ptr().cast();
    let numbers = matrix.numbers().as_slice();
    // SAFETY: a new array of this kind with as many numbers, column by column.
    unsafe {
        let start: *mut u8 = (*place).data.cast();
        K::scatter(form, numbers, Entries { start, stride: K::bytes(form) as isize });
    }
    Ok(array)
}

unsafe extern "C" fn free<K: Stored>(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of `to_numpy`, which has a boxed matrix.
    unsafe {
        let kept = ffi::PyCapsule_GetPointer(capsule, std::ptr::null());
        drop(Box::from_raw(kept.cast::<Matrix<K>>()));
    }
}
