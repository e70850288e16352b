//! Arrays in memory that another library keeps.

#![allow(unsafe_code)]

use std::any::Any;
use std::sync::Arc;

use nonius::Matrix;
use nonius::device::{Array, ForeignMatrix, Refusal, Strided};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::numbers::OnGpu;
use crate::linalg::raised;

/// An array of float64 of another library.
pub(super) struct Source {
    pub(super) address: u64,
    pub(super) shape: Vec<usize>,
    /// In numbers.
    pub(super) strides: Vec<i64>,
    /// The number of the GPU.
    pub(super) ordinal: usize,
    pub(super) is_read_only: bool,
}

/// Strides of an array that lies row by row.
pub(super) fn rows(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = (shape[k] as i64).saturating_mul(strides[k]);
    }
    strides
}

/// The array in the memory of a source, which `owner` keeps, and whether it is a vector.
pub(super) fn shared<T: OnGpu>(
    py: Python<'_>,
    source: Source,
    owner: Arc<dyn Any + Send + Sync>,
) -> PyResult<(Array<T>, bool)> {
    let Source { address, shape, strides, ordinal, is_read_only } = source;
    let (layout, is_vector) =
        Strided { address, shape, strides }.layout(T::LIMBS).map_err(refused)?;
    let (rows, cols) = layout.shape();
    let array = py.detach(|| {
        if layout.is_empty() {
            let empty = Matrix::<T>::zeros_in((), rows, cols);
            return Ok(Array::upload(ordinal, empty.view()));
        }
        // SAFETY: the other library says that the memory holds such an array as long as `owner` is
        // there. Its work is waited for: the default stream waits for that by DLPack, and the
        // stream of the CUDA array interface has been waited for.
        let matrix = unsafe { ForeignMatrix::<T>::new(ordinal, (), layout, owner) };
        Ok(Array::from_foreign(matrix?, is_read_only))
    });
    Ok((array.map_err(refused)?.map_err(raised)?, is_vector))
}

/// The exception of a refusal.
pub(super) fn refused(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Driver(error) => PyRuntimeError::new_err(error.to_string()),
        refusal => PyValueError::new_err(format!("x: {refusal}")),
    }
}
