//! Arrays for other libraries.

use nonius::device::{Array, Layout};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::dlpack::{CUDA, Export};
use super::interface::BYTES;
use super::numbers::{Numbers, OnGpu, each};
use crate::linalg::raised;

/// Where an array lies that another library may write to: its address, its shape and its strides,
/// in numbers, with the limbs along the last dimension.
fn parts<T: OnGpu>(array: &Array<T>, is_vector: bool) -> (u64, Vec<usize>, Vec<i64>) {
    let Layout { data, rows, cols, row, column, plane } = array.share();
    let (mut shape, mut strides) = (vec![rows as usize], vec![row]);
    if !is_vector {
        shape.push(cols as usize);
        strides.push(column);
    }
    if T::LIMBS > 1 {
        shape.push(T::LIMBS);
        strides.push(plane);
    }
    (data, shape, strides)
}

/// An array as the CUDA array interface describes it. All work on it is done, so that no stream is
/// named.
pub(super) fn describe<'py>(
    py: Python<'py>,
    numbers: &Numbers,
    is_vector: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let ((address, shape, strides), is_read_only) = each!(numbers, numbers => {
        py.detach(|| numbers.settle()).map_err(raised)?;
        (parts(numbers, is_vector), numbers.is_read_only())
    });
    let address = if shape.contains(&0) { 0 } else { address };
    let strides: Vec<i64> = strides.iter().map(|stride| BYTES * stride).collect();
    let told = PyDict::new(py);
    told.set_item("shape", PyTuple::new(py, shape)?)?;
    told.set_item("typestr", "<f8")?;
    told.set_item("data", (address, is_read_only))?;
    told.set_item("version", 3)?;
    told.set_item("strides", PyTuple::new(py, strides)?)?;
    told.set_item("stream", py.None())?;
    Ok(told)
}

/// What a library asks of a capsule.
pub(super) struct Asked {
    pub(super) stream: Option<i64>,
    pub(super) max_version: Option<(u32, u32)>,
    pub(super) dl_device: Option<(i32, usize)>,
    pub(super) copy: Option<bool>,
}

/// The array in a capsule.
pub(super) fn to_dlpack<'py>(
    py: Python<'py>,
    numbers: &Numbers,
    is_vector: bool,
    asked: &Asked,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(stream) = asked.stream
        && (stream < -1 || stream == 0)
    {
        return Err(PyValueError::new_err(format!(
            "stream: expected -1, 1, 2 or the handle of a stream, found {stream}"
        )));
    }
    each!(numbers, numbers => capsule(py, numbers, is_vector, asked))
}

fn capsule<'py, T: OnGpu>(
    py: Python<'py>,
    array: &Array<T>,
    is_vector: bool,
    asked: &Asked,
) -> PyResult<Bound<'py, PyAny>> {
    let gpu = array.gpu();
    if asked.dl_device.is_some_and(|device| device != (CUDA, gpu)) {
        return Err(PyBufferError::new_err(format!(
            "dl_device: the array lies on cuda:{gpu}, and get() alone copies it to the host"
        )));
    }
    let is_copied = asked.copy == Some(true);
    let array = if is_copied {
        py.detach(|| array.copied()).map_err(raised)?
    } else {
        py.detach(|| array.settle()).map_err(raised)?;
        array.clone()
    };
    let is_versioned = asked.max_version.is_some_and(|(major, _)| major >= 1);
    let is_read_only = array.is_read_only();
    if is_read_only && !is_versioned {
        return Err(PyBufferError::new_err(
            "the array is read-only, which DLPack says from its version 1 on",
        ));
    }
    let (address, shape, strides) = parts(&array, is_vector);
    let export =
        Export { numbers: T::wrap(array), gpu, address, shape, strides, is_read_only, is_copied };
    export.capsule(py, is_versioned)
}
