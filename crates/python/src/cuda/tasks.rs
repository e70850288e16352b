//! Tasks of linear algebra on arrays in a GPU's memory.

use nonius::dense::{Diagonal, Method, Transpose, Triangle, UnknownMethod};
use nonius::device::Array;
use nonius::device::resident::{QrFactors, Solution};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::array::CudaArray;
use super::numbers::{OnGpu, each, same};
use crate::linalg::{Report, raised, told, warn_of};

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cuda_solve, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_inv, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_solve_triangular, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_cholesky, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_lu, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_qr, module)?)?;
    module.add_function(wrap_pyfunction!(cuda_lstsq, module)?)
}

/// An array, and how good it is.
type Found<'py> = PyResult<(CudaArray, Report<'py>)>;

/// A matrix; an array of one dimension is none.
fn check_matrix(a: &CudaArray, name: &str) -> PyResult<()> {
    if a.is_vector() {
        return Err(PyValueError::new_err(format!(
            "{name}: expected an array of 2 dimensions, found 1"
        )));
    }
    Ok(())
}

/// Solves `A·X = B`.
#[pyfunction]
fn cuda_solve<'py>(
    py: Python<'py>,
    a: &CudaArray,
    b: &CudaArray,
    method: &str,
    info: bool,
) -> Found<'py> {
    check_matrix(a, "a")?;
    let method: Method =
        method.parse().map_err(|error: UnknownMethod| PyValueError::new_err(error.to_string()))?;
    each!(a.numbers(), x => solve_in(py, x, b, method, info))
}

fn solve_in<'py, T: OnGpu>(
    py: Python<'py>,
    a: &Array<T>,
    b: &CudaArray,
    method: Method,
    info: bool,
) -> Found<'py> {
    let rights = same::<T>(b.numbers(), "b")?;
    let found = py.detach(|| a.solve(rights, method)).map_err(raised)?;
    solution(py, found, b.is_vector(), info)
}

/// The inverse.
#[pyfunction]
fn cuda_inv<'py>(py: Python<'py>, a: &CudaArray, info: bool) -> Found<'py> {
    check_matrix(a, "a")?;
    each!(a.numbers(), x => {
        let found = py.detach(|| x.inverse()).map_err(raised)?;
        solution(py, found, false, info)
    })
}

fn solution<'py, T: OnGpu>(
    py: Python<'py>,
    found: Solution<Array<T>>,
    is_vector: bool,
    info: bool,
) -> Found<'py> {
    let digits = found.correct_digits().min(f64::from(T::precision(()).digits()));
    warn_of(py, digits, T::NAME)?;
    let device = found.x.gpu();
    let told = told(py, info, |told| {
        told.set_item("method", found.method.name())?;
        told.set_item("condition_estimate", found.condition_estimate.to_f64())?;
        told.set_item("correct_digits", digits)?;
        told.set_item("device", format!("cuda:{device}"))
    })?;
    Ok((CudaArray::new(found.x, is_vector), told))
}

/// Solves `op(T)·X = B` with a triangle.
#[pyfunction]
fn cuda_solve_triangular(
    py: Python<'_>,
    t: &CudaArray,
    b: &CudaArray,
    lower: bool,
    transpose: bool,
    unit_diagonal: bool,
) -> PyResult<CudaArray> {
    check_matrix(t, "a")?;
    let triangle = if lower { Triangle::Lower } else { Triangle::Upper };
    let op = if transpose { Transpose::Yes } else { Transpose::No };
    let diagonal = if unit_diagonal { Diagonal::Unit } else { Diagonal::NonUnit };
    each!(t.numbers(), x => triangular_in(py, x, b, triangle, op, diagonal))
}

fn triangular_in<T: OnGpu>(
    py: Python<'_>,
    t: &Array<T>,
    b: &CudaArray,
    triangle: Triangle,
    op: Transpose,
    diagonal: Diagonal,
) -> PyResult<CudaArray> {
    let rights = same::<T>(b.numbers(), "b")?;
    let found = py.detach(|| t.solve_triangular(triangle, op, diagonal, rights));
    Ok(CudaArray::new(found.map_err(raised)?, b.is_vector()))
}

/// The lower Cholesky factor, or the upper one.
#[pyfunction]
fn cuda_cholesky<'py>(py: Python<'py>, a: &CudaArray, upper: bool, info: bool) -> Found<'py> {
    check_matrix(a, "a")?;
    let triangle = if upper { Triangle::Upper } else { Triangle::Lower };
    each!(a.numbers(), x => {
        let found = py.detach(|| x.cholesky(triangle)).map_err(raised)?;
        let factor = if upper { found.lower.transposed() } else { found.lower };
        let told = told(py, info, |told| {
            told.set_item("condition_estimate", found.condition_estimate.to_f64())?;
            told.set_item("device", format!("cuda:{}", factor.gpu()))
        })?;
        Ok((CudaArray::new(factor, false), told))
    })
}

/// Exchanges of rows, both triangles, and what is known of them.
type Lu<'py> = (Vec<usize>, CudaArray, CudaArray, Report<'py>);

/// LU factors with partial pivoting.
#[pyfunction]
fn cuda_lu<'py>(py: Python<'py>, a: &CudaArray, info: bool) -> PyResult<Lu<'py>> {
    check_matrix(a, "a")?;
    each!(a.numbers(), x => {
        let found = py.detach(|| x.lu()).map_err(raised)?;
        let told = told(py, info, |told| {
            told.set_item("condition_estimate", found.condition_estimate.to_f64())?;
            told.set_item("device", format!("cuda:{}", x.gpu()))
        })?;
        let (lower, upper) = (found.lower, found.upper);
        Ok((found.pivots, CudaArray::new(lower, false), CudaArray::new(upper, false), told))
    })
}

/// QR factors of a matrix of any shape, `Q` where it is asked for.
#[pyfunction]
fn cuda_qr(
    py: Python<'_>,
    a: &CudaArray,
    with_q: bool,
) -> PyResult<(Option<CudaArray>, CudaArray)> {
    check_matrix(a, "a")?;
    each!(a.numbers(), x => {
        let QrFactors { q, r } = py.detach(|| x.qr(with_q)).map_err(raised)?;
        Ok((q.map(|q| CudaArray::new(q, false)), CudaArray::new(r, false)))
    })
}

/// Minimises `‖B − A·X‖₂`.
#[pyfunction]
fn cuda_lstsq<'py>(py: Python<'py>, a: &CudaArray, b: &CudaArray, info: bool) -> Found<'py> {
    check_matrix(a, "a")?;
    each!(a.numbers(), x => lstsq_in(py, x, b, info))
}

fn lstsq_in<'py, T: OnGpu>(py: Python<'py>, a: &Array<T>, b: &CudaArray, info: bool) -> Found<'py> {
    let rights = same::<T>(b.numbers(), "b")?;
    let found = py.detach(|| a.least_squares(rights)).map_err(raised)?;
    let digits = found.correct_digits().min(f64::from(T::precision(()).digits()));
    warn_of(py, digits, T::NAME)?;
    let told = told(py, info, |told| {
        told.set_item("condition_estimate", found.condition_estimate.to_f64())?;
        told.set_item("correct_digits", digits)?;
        told.set_item("device", format!("cuda:{}", found.x.gpu()))
    })?;
    Ok((CudaArray::new(found.x, b.is_vector()), told))
}
