//! Arrays of indices.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::raw::Array;

/// The integers of an array of NumPy, while the array is kept.
pub(crate) struct Indices<'py> {
    array: Bound<'py, PyAny>,
    count: usize,
}

/// The array of some integers, in order; copied where it is another type.
pub(crate) fn indices<'py>(object: &Bound<'py, PyAny>) -> PyResult<Indices<'py>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let options = PyDict::new(py);
    options.set_item("dtype", numpy.getattr("int64")?)?;
    options.set_item("requirements", "CA")?;
    let array = numpy.call_method("require", (object,), Some(&options))?;
    let count = array.getattr("size")?.extract()?;
    Ok(Indices { array, count })
}

impl Indices<'_> {
    /// The integers.
    pub(crate) fn view(&self) -> &[i64] {
        let array: *const Array = self.array.as_ptr().cast();
        // SAFETY: `require` made it an array of this type, aligned and without gaps, and the object
        // keeps it. Whoever changes it from another thread meanwhile, changes integers only.
        unsafe { std::slice::from_raw_parts((*array).data.cast_const().cast(), self.count) }
    }
}
