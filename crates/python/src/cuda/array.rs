//! The class of arrays.

use nonius::dense::{BinaryOp, UnaryOp};
use nonius::device::Array;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::numbers::{Numbers, OnGpu, each, release, same, scalar};
use super::{dlpack, export};
use crate::linalg::raised;
use crate::numpy::{dtype_of, to_numpy};

/// A vector or matrix in a GPU's memory.
///
/// Arithmetic, products and many functions of `nonius.linalg` take arrays there, and leave their
/// results there. `get` copies an array to the host; nothing else does. CuPy and PyTorch see an
/// array of f64 as it is, and one of dd, td or qd as an array of float64 with 2, 3 or 4 limbs along
/// one more dimension, the last: the memory is shared, and nothing is copied.
///
/// `nonius.cuda.asarray` makes arrays.
///
/// Examples
/// --------
/// >>> import cupy  # doctest: +SKIP
/// >>> import nonius as nn
/// >>> a = nn.cuda.asarray([[2, 1], [1, 3]])  # doctest: +SKIP
/// >>> (a @ a).get()  # doctest: +SKIP
/// array([[5, 5],
///        [5, 10]], dtype=nonius.dd)
/// >>> cupy.from_dlpack(a).shape  # doctest: +SKIP
/// (2, 2, 2)
#[pyclass(frozen, name = "Array", module = "nonius.cuda")]
pub(crate) struct CudaArray {
    /// `None` once it has been dropped.
    numbers: Option<Numbers>,
    is_vector: bool,
}

/// The memory may have to wait for work of other libraries, which may need Python.
impl Drop for CudaArray {
    fn drop(&mut self) {
        if let Some(numbers) = self.numbers.take() {
            release(numbers);
        }
    }
}

impl CudaArray {
    pub(super) fn new<T: OnGpu>(array: Array<T>, is_vector: bool) -> Self {
        Self { numbers: Some(T::wrap(array)), is_vector }
    }

    pub(super) fn numbers(&self) -> &Numbers {
        self.numbers.as_ref().expect("until it is dropped")
    }

    pub(super) fn is_vector(&self) -> bool {
        self.is_vector
    }

    /// Numbers along each dimension.
    pub(super) fn lengths(&self) -> Vec<usize> {
        let (rows, cols) = each!(self.numbers(), array => array.shape());
        if self.is_vector { vec![rows] } else { vec![rows, cols] }
    }

    fn combine(
        &self,
        operation: BinaryOp,
        other: &Bound<'_, PyAny>,
        left: bool,
    ) -> PyResult<Py<PyAny>> {
        let py = other.py();
        each!(self.numbers(), array => combined(py, operation, (self, array), other, left))
    }
}

/// `a` and `other` entry by entry; `NotImplemented` for what is no operand.
fn combined<T: OnGpu>(
    py: Python<'_>,
    operation: BinaryOp,
    (given, a): (&CudaArray, &Array<T>),
    other: &Bound<'_, PyAny>,
    left: bool,
) -> PyResult<Py<PyAny>> {
    let found = if let Ok(other) = other.cast::<CudaArray>() {
        let other = other.get();
        let b = same::<T>(other.numbers(), "b")?;
        let (expected, found) = (given.lengths(), other.lengths());
        if expected != found {
            return Err(PyValueError::new_err(format!(
                "b: expected the shape {expected:?}, as a has, found {found:?}"
            )));
        }
        py.detach(|| a.combined(operation, b))
    } else {
        let Some(x) = scalar::<T>(other)? else { return Ok(py.NotImplemented()) };
        py.detach(|| a.combined_with(operation, x, left))
    };
    let array = CudaArray::new(found.map_err(raised)?, given.is_vector);
    Ok(Py::new(py, array)?.into_any())
}

/// `A·B`, where a vector on the left is a row.
fn product<T: OnGpu>(
    py: Python<'_>,
    (a, a_is_vector): (&Array<T>, bool),
    b: &CudaArray,
) -> PyResult<CudaArray> {
    let (b, b_is_vector) = (same::<T>(b.numbers(), "b")?, b.is_vector);
    let found = match (a_is_vector, b_is_vector) {
        (true, true) => {
            return Err(PyValueError::new_err(
                "a and b: expected a matrix, found two vectors: a product that is one number is the host's",
            ));
        }
        (true, false) => py.detach(|| Ok(a.transposed().multiply(b)?.transposed())),
        _ => py.detach(|| a.multiply(b)),
    };
    Ok(CudaArray::new(found.map_err(raised)?, a_is_vector || b_is_vector))
}

#[pymethods]
impl CudaArray {
    /// Arrays of NumPy leave arithmetic to this class.
    #[classattr]
    #[pyo3(name = "__array_ufunc__")]
    fn array_ufunc() -> Option<Py<PyAny>> {
        None
    }

    /// The lengths of the dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.lengths())
    }

    /// The number of dimensions, 1 or 2.
    #[getter]
    fn ndim(&self) -> usize {
        self.lengths().len()
    }

    /// The number of entries.
    #[getter]
    fn size(&self) -> usize {
        self.lengths().iter().product()
    }

    /// The type of the numbers: float64, dd, td or qd.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fn dtype<'py, T: OnGpu>(py: Python<'py>, _: &Array<T>) -> PyResult<Bound<'py, PyAny>> {
            dtype_of::<T>(py, ())
        }
        each!(self.numbers(), array => dtype(py, array))
    }

    /// The name of the GPU, such as "cuda:0".
    #[getter]
    fn device(&self) -> String {
        format!("cuda:{}", each!(self.numbers(), array => array.gpu()))
    }

    /// The transpose, in the same memory; a vector's is the vector.
    #[getter]
    #[pyo3(name = "T")]
    fn transpose(&self) -> Self {
        let is_vector = self.is_vector;
        each!(self.numbers(), array => {
            let array = if is_vector { array.clone() } else { array.transposed() };
            Self::new(array, is_vector)
        })
    }

    /// A copy on the host, an array of NumPy.
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        each!(self.numbers(), array => {
            let found = py.detach(|| array.download()).map_err(raised)?;
            to_numpy(py, found, self.is_vector)
        })
    }

    /// A copy in memory of its own.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        each!(self.numbers(), array => {
            let found = py.detach(|| array.copied()).map_err(raised)?;
            Ok(Self::new(found, self.is_vector))
        })
    }

    /// Refuses: `get` copies to the host.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(
        &self,
        dtype: Option<&Bound<'_, PyAny>>,
        copy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (dtype, copy);
        Err(PyTypeError::new_err(
            "an array on a GPU is not copied to NumPy implicitly: use its method get()",
        ))
    }

    fn __len__(&self) -> usize {
        self.lengths()[0]
    }

    fn __repr__(&self) -> String {
        let lengths: Vec<String> = self.lengths().iter().map(usize::to_string).collect();
        let comma = if self.is_vector { "," } else { "" };
        let (name, device) = (self.numbers().name(), self.device());
        format!("<nonius.cuda.Array of {name}, shape ({}{comma}), on {device}>", lengths.join(", "))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        each!(self.numbers(), array => {
            let found = py.detach(|| array.mapped(UnaryOp::Neg)).map_err(raised)?;
            Ok(Self::new(found, self.is_vector))
        })
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Add, other, false)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Add, other, true)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Sub, other, false)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Sub, other, true)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Mul, other, false)
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Mul, other, true)
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Div, other, false)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(BinaryOp::Div, other, true)
    }

    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(b) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let found = each!(self.numbers(), a => product(py, (a, self.is_vector), b.get()))?;
        Ok(Py::new(py, found)?.into_any())
    }

    /// The kind of the device by DLPack's numbers, and the number of the GPU.
    fn __dlpack_device__(&self) -> (i32, usize) {
        (dlpack::CUDA, each!(self.numbers(), array => array.gpu()))
    }

    /// The array in a capsule by DLPack: float64 with the limbs along the last dimension.
    ///
    /// All work on the array is done when this returns, so that `stream` needs no waiting.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<i64>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, usize)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = export::Asked { stream, max_version, dl_device, copy };
        export::to_dlpack(py, self.numbers(), self.is_vector, &asked)
    }

    /// The array as a dictionary by the CUDA array interface, version 3.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        export::describe(py, self.numbers(), self.is_vector)
    }
}
