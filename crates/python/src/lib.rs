//! Python bindings: types of numbers for NumPy, and the tasks of Nonius on arrays.
//!
//! The package `nonius` in the folder `python` is what people import. It takes from here the types,
//! and functions on arrays of these.

mod convert;
mod cuda;
mod exact;
mod fem;
mod floats;
mod linalg;
mod numpy;
mod option;
mod running;
mod scalar;
mod sdp;
mod sparse;
mod tridiag;

use pyo3::prelude::*;

/// The compiled part of the package `nonius`.
#[pymodule]
fn _nonius(module: &Bound<'_, PyModule>) -> PyResult<()> {
    scalar::add_to(module)?;
    numpy::add_to(module)?;
    linalg::add_to(module)?;
    option::add_to(module)?;
    fem::add_to(module)?;
    sparse::add_to(module)?;
    tridiag::add_to(module)?;
    cuda::add_to(module)?;
    sdp::add_to(module)
}
