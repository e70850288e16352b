//! Batches of tridiagonal systems on arrays.

use nonius::tridiag::{Cause, Method, Numbers, Order, Solve, Systems, check_room};
use nonius::{Dd, Matrix, Mp, Precision, Qd, Td, tridiag};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::linalg::{Answer, at, device_of, precision_of, raised};
use crate::numpy::{Stored, column_major, to_numpy};
use crate::running;

/// Adds the functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_tridiagonal, module)?)?;
    module.add_function(wrap_pyfunction!(solve_tridiagonal, module)?)
}

/// Refuses a batch that does not fit into free memory.
#[pyfunction]
fn check_tridiagonal(systems: usize, size: usize, precision: &str) -> PyResult<()> {
    let shape = (systems, size);
    let room = match precision_of(precision)? {
        Precision::F64 => check_room::<f64>((), shape),
        Precision::Dd => check_room::<Dd>((), shape),
        Precision::Td => check_room::<Td>((), shape),
        Precision::Qd => check_room::<Qd>((), shape),
        Precision::Mp(bits) => check_room::<Mp>(bits, shape),
    };
    room.map_err(|refused| PyMemoryError::new_err(refused.to_string()))
}

/// How a batch is to be solved: a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    method: String,
    pivoting: bool,
    periodic: bool,
    device: String,
}

/// Solves the systems that the columns of all arrays are. Returns the unknowns, column by column,
/// and a dictionary with the method, the device, and the systems that have no solution.
#[pyfunction]
fn solve_tridiagonal<'py>(
    arrays: [Bound<'py, PyAny>; 4],
    precision: &str,
    asked: Asked,
) -> Answer<'py> {
    at!(precision, solve_in(&arrays, &asked))
}

fn solve_in<'py, T: Stored + tridiag::Number>(
    arrays: &[Bound<'py, PyAny>; 4],
    asked: &Asked,
) -> Answer<'py> {
    let py = arrays[0].py();
    let method: Method = asked.method.parse().map_err(PyValueError::new_err)?;
    let device = device_of(&asked.device)?;
    let numbers = |index: usize, name: &str| -> PyResult<(Numbers<T>, (usize, usize))> {
        let columns = column_major::<T>(&arrays[index], name)?;
        let view = columns.view();
        Ok((view.to_matrix().into_numbers(), view.shape()))
    };
    let (lower, _) = numbers(0, "dl")?;
    let (diagonal, _) = numbers(1, "d")?;
    let (upper, _) = numbers(2, "du")?;
    let (right, (size, systems)) = numbers(3, "b")?;
    let order = Order::Contiguous;
    let batch = Systems { systems, size, order, matrix: [lower, diagonal, upper], right };
    let task = Solve::new(&batch)
        .method(method)
        .pivoting(asked.pivoting)
        .periodic(asked.periodic)
        .device(device);
    let (x, report) = running::run(py, || task.run())?.map_err(raised)?;
    let failures: Vec<_> = report
        .outcome
        .failures
        .iter()
        .map(|failure| (failure.system, failure.row, cause_text(failure.cause)))
        .collect();
    let told = PyDict::new(py);
    told.set_item("method", report.outcome.method.name())?;
    told.set_item("failures", failures)?;
    told.set_item("device", report.place.device.to_string())?;
    told.set_item("seconds", report.time.as_secs_f64())?;
    let x = Matrix::from_numbers(size, systems, x)
        .ok_or_else(|| PyMemoryError::new_err("the unknowns do not fit into memory"))?;
    Ok((to_numpy(py, x, false)?, told))
}

fn cause_text(cause: Cause) -> &'static str {
    match cause {
        Cause::NotFinite => "an entry is infinite or NaN",
        Cause::Pivot => "the pivot is zero or almost",
        Cause::Overflow => "the unknown exceeds the range of the numbers",
    }
}
