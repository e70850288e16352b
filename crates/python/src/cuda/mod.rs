//! Arrays in a GPU's memory, and their exchange with other libraries by DLPack and the CUDA array
//! interface.
//!
//! Sources: the Python specification of DLPack 1.1 (dmlc.github.io/dlpack) and the CUDA array
//! interface, version 3 (numba.readthedocs.io).

mod array;
mod dlpack;
mod export;
mod foreign;
mod import;
mod interface;
mod numbers;
mod tasks;

use pyo3::prelude::*;

use array::CudaArray;

/// Adds the class and the functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CudaArray", module.py().get_type::<CudaArray>())?;
    module.add_function(wrap_pyfunction!(import::cuda_upload, module)?)?;
    module.add_function(wrap_pyfunction!(import::cuda_from_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(import::cuda_from_interface, module)?)?;
    tasks::add_to(module)
}
