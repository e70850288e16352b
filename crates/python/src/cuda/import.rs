//! Arrays from the host and from other libraries.

use std::any::Any;
use std::sync::Arc;

use nonius::Device;
use nonius::device::Array;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array::CudaArray;
use super::dlpack::{CUDA, CUDA_MANAGED, Imported, VERSION};
use super::foreign::{Source, shared};
use super::interface;
use super::numbers::OnGpu;
use crate::linalg::{device_of, precision_of, raised};
use crate::numpy::column_major;

/// Runs a generic function with the numbers of a precision that a type alone says.
macro_rules! at_limbs {
    ($precision:expr, $function:ident($($argument:expr),*)) => {
        match precision_of($precision)? {
            nonius::Precision::F64 => $function::<f64>($($argument),*),
            nonius::Precision::Dd => $function::<nonius::num::Dd>($($argument),*),
            nonius::Precision::Td => $function::<nonius::num::Td>($($argument),*),
            nonius::Precision::Qd => $function::<nonius::num::Qd>($($argument),*),
            other => Err(PyValueError::new_err(format!(
                "precision: expected f64, dd, td or qd, found {other}"
            ))),
        }
    };
}

/// The number of the GPU of that name.
fn ordinal_of(device: &str) -> PyResult<usize> {
    match device_of(device)? {
        Device::Cuda(ordinal) => Ok(ordinal),
        other => Err(PyValueError::new_err(format!(
            "device: expected cuda, cuda:0, cuda:1, …, found {other}"
        ))),
    }
}

/// An array with the numbers of one of NumPy.
#[pyfunction]
pub(super) fn cuda_upload(
    x: &Bound<'_, PyAny>,
    precision: &str,
    device: &str,
) -> PyResult<CudaArray> {
    at_limbs!(precision, upload_in(x, ordinal_of(device)?))
}

fn upload_in<T: OnGpu>(x: &Bound<'_, PyAny>, ordinal: usize) -> PyResult<CudaArray> {
    let numbers = column_major::<T>(x, "x")?;
    let view = numbers.view();
    let array = x.py().detach(|| Array::upload(ordinal, view)).map_err(raised)?;
    Ok(CudaArray::new(array, numbers.is_vector()))
}

/// An array in the memory of one that another library hands out by DLPack.
#[pyfunction]
pub(super) fn cuda_from_dlpack(x: &Bound<'_, PyAny>, precision: &str) -> PyResult<CudaArray> {
    at_limbs!(precision, from_dlpack_in(x))
}

fn from_dlpack_in<T: OnGpu>(x: &Bound<'_, PyAny>) -> PyResult<CudaArray> {
    let py = x.py();
    let (kind, ordinal): (i32, usize) = x.call_method0("__dlpack_device__")?.extract()?;
    check_device(kind)?;
    Device::Cuda(ordinal).check().map_err(raised)?;
    // Every task waits for the default stream, which the other library makes wait for its own.
    let asked = PyDict::new(py);
    asked.set_item("stream", nonius::device::DEFAULT)?;
    asked.set_item("max_version", VERSION)?;
    let capsule = match x.call_method("__dlpack__", (), Some(&asked)) {
        // Before the version 1 there is no such argument.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            asked.del_item("max_version")?;
            x.call_method("__dlpack__", (), Some(&asked))?
        }
        capsule => capsule?,
    };
    let imported = Imported::take(&capsule)?;
    let found = imported.describe()?;
    check_device(found.device.0)?;
    let source = Source {
        address: found.address,
        shape: found.shape,
        strides: found.strides,
        ordinal,
        is_read_only: found.is_read_only,
    };
    let (array, is_vector) = shared::<T>(py, source, Arc::new(imported))?;
    Ok(CudaArray::new(array, is_vector))
}

/// `Ok` for memory that a GPU of NVIDIA's reaches as its own.
fn check_device(kind: i32) -> PyResult<()> {
    match kind {
        CUDA | CUDA_MANAGED => Ok(()),
        1 | 3 => Err(PyValueError::new_err(
            "x: the memory is the host's: make an array of NumPy of it, which is copied to the GPU",
        )),
        _ => Err(PyValueError::new_err(format!(
            "x: expected memory of a GPU of NVIDIA's, found a device of DLPack's kind {kind}"
        ))),
    }
}

/// An array in the memory of one that says by the CUDA array interface where it is.
#[pyfunction]
pub(super) fn cuda_from_interface(x: &Bound<'_, PyAny>, precision: &str) -> PyResult<CudaArray> {
    at_limbs!(precision, from_interface_in(x))
}

fn from_interface_in<T: OnGpu>(x: &Bound<'_, PyAny>) -> PyResult<CudaArray> {
    let source = interface::source(x)?;
    let owner: Arc<dyn Any + Send + Sync> = Arc::new(x.clone().unbind());
    let (array, is_vector) = shared::<T>(x.py(), source, owner)?;
    Ok(CudaArray::new(array, is_vector))
}
