//! What the functions share: names of precisions and devices, and reports.

use nonius::device::Place;
use nonius::{Device, Matrix, Precision};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Runs a generic function with the numbers of a precision.
macro_rules! at {
    ($precision:expr, $function:ident($($argument:expr),*)) => {
        match $crate::linalg::precision_of($precision)? {
            nonius::Precision::F64 => $function::<f64>($($argument),*),
            nonius::Precision::Dd => $function::<nonius::num::Dd>($($argument),*),
            nonius::Precision::Td => $function::<nonius::num::Td>($($argument),*),
            nonius::Precision::Qd => $function::<nonius::num::Qd>($($argument),*),
            // Their arrays say how many bits.
            nonius::Precision::Mp(_) => $function::<nonius::Mp>($($argument),*),
        }
    };
}

/// Runs a generic function with the numbers of a precision; its first argument is their format.
macro_rules! in_format {
    ($precision:expr, $function:ident($($argument:expr),*)) => {
        match $crate::linalg::precision_of($precision)? {
            nonius::Precision::F64 => $function::<f64>((), $($argument),*),
            nonius::Precision::Dd => $function::<nonius::num::Dd>((), $($argument),*),
            nonius::Precision::Td => $function::<nonius::num::Td>((), $($argument),*),
            nonius::Precision::Qd => $function::<nonius::num::Qd>((), $($argument),*),
            nonius::Precision::Mp(bits) => $function::<nonius::Mp>(bits, $($argument),*),
        }
    };
}

pub(crate) use {at, in_format};

/// The precision of a name.
pub(crate) fn precision_of(name: &str) -> PyResult<Precision> {
    name.parse().map_err(|error: nonius::num::UnknownPrecision| {
        PyValueError::new_err(format!("precision: {error}"))
    })
}

/// The device of a name.
pub(crate) fn device_of(name: &str) -> PyResult<Device> {
    name.parse()
        .map_err(|error: nonius::device::UnknownDevice| PyValueError::new_err(error.to_string()))
}

/// Tells where a result was computed whose matrices may be larger than the device's memory.
pub(super) fn tell_place(told: &Bound<'_, PyDict>, place: &Place) -> PyResult<()> {
    told.set_item("device", place.device.to_string())?;
    told.set_item("out_of_core", place.out_of_core)
}

/// How good a result is, where that is asked for.
pub(crate) type Report<'py> = Option<Bound<'py, PyDict>>;

/// A result, and how good it is.
pub(super) type Found<'py> = PyResult<(Bound<'py, PyAny>, Report<'py>)>;

/// A result, and a dictionary of what it took, which is always there.
pub(crate) type Answer<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)>;

/// A dictionary, where one is asked for.
pub(crate) fn told<'py>(
    py: Python<'py>,
    info: bool,
    fill: impl FnOnce(&Bound<'py, PyDict>) -> PyResult<()>,
) -> PyResult<Report<'py>> {
    if !info {
        return Ok(None);
    }
    let told = PyDict::new(py);
    fill(&told)?;
    Ok(Some(told))
}

/// Numbers as a matrix of one column.
pub(super) fn column<T: nonius::Number>(format: T::Format, numbers: &[T]) -> Matrix<T> {
    Matrix::from_fn_in(format, numbers.len(), 1, |i, _| numbers[i])
}
