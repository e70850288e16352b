//! The CUDA array interface, version 3, of other libraries.

#![allow(unsafe_code)]

use nonius::device::{DEFAULT, MemoryPlace, Refusal, place_of, synchronize_stream};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::foreign::{Source, refused, rows};

/// Bytes of a number.
pub(super) const BYTES: i64 = size_of::<f64>() as i64;

/// What an object says of its array. Work in the stream that it names is done when this returns.
pub(super) fn source(x: &Bound<'_, PyAny>) -> PyResult<Source> {
    let py = x.py();
    let told = x.getattr("__cuda_array_interface__")?;
    let told = told.cast::<PyDict>()?;
    let get = |name: &str| {
        let found = told.get_item(name)?.filter(|found| !found.is_none());
        Ok::<_, PyErr>(found)
    };
    let needed = |name: &str| {
        get(name)?.ok_or_else(|| {
            PyValueError::new_err(format!("x: its CUDA array interface has no {name:?}"))
        })
    };
    let kind: String = needed("typestr")?.extract()?;
    if kind != "<f8" {
        return Err(PyTypeError::new_err(format!("x: expected float64, found {kind:?}")));
    }
    if get("mask")?.is_some() {
        return Err(PyValueError::new_err("x: expected an array without a mask"));
    }
    let shape: Vec<usize> = needed("shape")?.extract()?;
    let (address, is_read_only): (u64, bool) = needed("data")?.extract()?;
    let strides = match get("strides")? {
        None => rows(&shape),
        Some(strides) => {
            let strides: Vec<i64> = strides.extract()?;
            if strides.len() != shape.len() || strides.iter().any(|stride| stride % BYTES != 0) {
                return Err(PyValueError::new_err(format!(
                    "x: expected a stride of whole numbers for each dimension, found {strides:?} bytes"
                )));
            }
            strides.iter().map(|stride| stride / BYTES).collect()
        }
    };
    let stream: Option<u64> = get("stream")?.map(|stream| stream.extract()).transpose()?;
    if stream == Some(0) {
        return Err(PyValueError::new_err("x: its stream is 0, which names none"));
    }
    let ordinal = if shape.contains(&0) {
        0
    } else {
        match place_of(address).map_err(|error| refused(Refusal::Driver(error)))? {
            MemoryPlace::Gpu(ordinal) | MemoryPlace::Managed(ordinal) => ordinal,
            _ => return Err(refused(Refusal::OnHost)),
        }
    };
    if let Some(stream) = stream.filter(|&stream| stream != DEFAULT) {
        // SAFETY: the other library names a stream of its that is alive.
        let waited = py.detach(|| unsafe { synchronize_stream(ordinal, stream) });
        waited.map_err(|error| refused(Refusal::Driver(error)))?;
    }
    Ok(Source { address, shape, strides, ordinal, is_read_only })
}
