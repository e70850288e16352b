//! Options: books of columns, their prices and implied volatilities.

mod columns;

use std::ops::ControlFlow;
use std::path::PathBuf;

use nonius::Matrix;
use nonius::device::Reason;
use nonius::files::room::check_memory;
use nonius::option::book::{BookError, Row, contracts, quotes};
use nonius::option::{
    Accuracy, Error, Grid, Implied, ImpliedVolatilities, Price, Prices, Quote, Report, Request,
};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::linalg::{NoniusError, device_of, in_format};
use crate::numpy::{Stored, to_numpy};
use columns::{Columns, Held};

pub(crate) use columns::Surface;

/// Adds the functions and the class of surfaces to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Surface>()?;
    module.add_function(wrap_pyfunction!(option_room, module)?)?;
    module.add_function(wrap_pyfunction!(option_price, module)?)?;
    module.add_function(wrap_pyfunction!(implied_volatility, module)?)
}

/// How a book is read and computed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Task {
    precision: String,
    device: String,
    /// Of files that cells name.
    folder: PathBuf,
    /// Whether the first row with an error raises it.
    raises: bool,
    tolerance: f64,
}

/// Prices of a book of columns, as a dictionary of columns, and where they were computed.
#[pyfunction]
fn option_price<'py>(
    columns: &Bound<'py, PyList>,
    rows: usize,
    task: Task,
    grid: Option<(usize, usize)>,
    sensitivities: bool,
    boundary: bool,
) -> Found<'py> {
    let accuracy = match grid {
        Some((space, time)) => Accuracy::Grid(Grid { space, time }),
        None => Accuracy::Tolerance(task.tolerance),
    };
    let request = Request { accuracy, sensitivities, boundary };
    in_format!(&task.precision, price_in(columns, rows, &task, request))
}

/// Columns, and what is told of them.
type Found<'py> = PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)>;

fn price_in<'py, T: Held>(
    format: T::Format,
    columns: &Bound<'py, PyList>,
    rows: usize,
    task: &Task,
    request: Request,
) -> Found<'py> {
    let py = columns.py();
    let columns = Columns::<T>::new(format, columns)?;
    let names = columns.names();
    let rows = contracts(format, &columns.table(&names, rows), &task.folder).map_err(refused)?;
    let book = Book::new(rows, task.raises)?;
    let device = device_of(&task.device)?;
    let computed = watched(py, |watch| {
        Prices::new(&book.sound).request(request).device(device).run_watched(watch)
    });
    let (prices, report) = computed?;
    let results = book.results(prices, task.raises)?;

    let told = PyDict::new(py);
    let number = |value: &dyn Fn(&Price<T>) -> T| numbers(py, format, &results, value);
    told.set_item("price", number(&|price| price.value)?)?;
    told.set_item("delta", number(&|price| price.delta)?)?;
    told.set_item("gamma", number(&|price| price.gamma)?)?;
    told.set_item("theta", number(&|price| price.theta)?)?;
    if request.sensitivities {
        let or_nan = |x: Option<T>| x.unwrap_or(T::from_f64(f64::NAN).to_format(format));
        told.set_item("vega", number(&|price| or_nan(price.vega))?)?;
        told.set_item("rho", number(&|price| or_nan(price.rho))?)?;
    }
    let estimate = |price: &Price<T>| price.error.unwrap_or(f64::NAN);
    told.set_item("error_estimate", numbers(py, (), &results, estimate)?)?;
    quality(&told, &results, |price| (price.converged, price.grid))?;
    if request.boundary {
        let points = results.iter().map(|result| match result {
            Ok(price) => boundary_of(py, format, price).map(Some),
            Err(_) => Ok(None),
        });
        told.set_item("boundary", points.collect::<PyResult<Vec<_>>>()?)?;
    }
    errors(&told, &results)?;
    Ok((told, place(py, &report)?))
}

/// Volatilities that a book of quotes implies, as a dictionary of columns, and where they were
/// computed.
#[pyfunction]
fn implied_volatility<'py>(columns: &Bound<'py, PyList>, rows: usize, task: Task) -> Found<'py> {
    in_format!(&task.precision, implied_in(columns, rows, &task))
}

fn implied_in<'py, T: Held>(
    format: T::Format,
    columns: &Bound<'py, PyList>,
    rows: usize,
    task: &Task,
) -> Found<'py> {
    let py = columns.py();
    let columns = Columns::<T>::new(format, columns)?;
    let names = columns.names();
    let rows = quotes(format, &columns.table(&names, rows)).map_err(refused)?;
    let book = Book::new(rows, task.raises)?;
    let device = device_of(&task.device)?;
    let computed = watched(py, |watch| {
        let search = ImpliedVolatilities::new(&book.sound).tolerance(task.tolerance);
        search.device(device).run_watched(watch)
    });
    let (found, report) = computed?;
    let results = book.results(found, task.raises)?;

    let told = PyDict::new(py);
    let volatility = |implied: &Implied<T>| implied.volatility;
    told.set_item("volatility", numbers(py, format, &results, volatility)?)?;
    told.set_item("error_estimate", numbers(py, (), &results, |implied| implied.error)?)?;
    quality(&told, &results, |implied| (implied.converged, implied.grid))?;
    errors(&told, &results)?;
    Ok((told, place(py, &report)?))
}

/// Refuses a book whose rows, and what is found for each, do not fit the memory.
#[pyfunction]
fn option_room(rows: u128, precision: &str) -> PyResult<()> {
    in_format!(precision, room_in(rows))
}

fn room_in<T: Held>(_: T::Format, rows: u128) -> PyResult<()> {
    // Columns and results in Rust and in Python.
    const OF_ROW: u128 = 800;
    let bytes = rows.saturating_mul(2 * size_of::<Quote<T>>() as u128 + OF_ROW);
    check_memory(format_args!("a book of {rows} rows"), bytes)
        .map_err(|error| PyMemoryError::new_err(error.to_string()))
}

fn refused(error: BookError) -> PyErr {
    let text = error.to_string();
    // A table has the names of its columns in no row.
    PyValueError::new_err(text.strip_prefix("row 1: ").unwrap_or(&text).to_string())
}

/// The rows of a book.
struct Book<C> {
    /// What is wrong with each.
    errors: Vec<Option<String>>,
    /// The contracts or quotes of the others.
    sound: Vec<C>,
}

impl<C> Book<C> {
    fn new(rows: Vec<Row<C>>, raises: bool) -> PyResult<Self> {
        let (mut errors, mut sound) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            match row.found {
                Ok(found) => {
                    errors.push(None);
                    sound.push(found);
                }
                Err(error) if raises => return Err(PyValueError::new_err(error.to_string())),
                Err(error) => errors.push(Some(error.to_string())),
            }
        }
        Ok(Self { errors, sound })
    }

    /// What was found for each row, or why nothing.
    fn results<R>(
        self,
        found: Vec<Result<R, Error>>,
        raises: bool,
    ) -> PyResult<Vec<Result<R, String>>> {
        let mut found = found.into_iter();
        let of_row = |(row, error)| match error {
            Some(error) => Ok(Err(error)),
            None => match found.next() {
                Some(Err(error)) if raises => {
                    Err(NoniusError::new_err(format!("row {row}: {error}")))
                }
                Some(result) => Ok(result.map_err(|error| format!("row {row}: {error}"))),
                None => Ok(Err(format!("row {row}: not computed"))),
            },
        };
        self.errors.into_iter().enumerate().map(of_row).collect()
    }
}

/// Computes without the lock of the interpreter; a signal between groups of rows stops it.
fn watched<R: Send>(
    py: Python<'_>,
    compute: impl FnOnce(
        &mut (dyn FnMut(usize) -> ControlFlow<()> + Send),
    ) -> Result<R, nonius::dense::Error>
    + Send,
) -> PyResult<R> {
    let mut signal = None;
    let mut watch = |_: usize| match Python::attach(|py| py.check_signals()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            signal = Some(error);
            ControlFlow::Break(())
        }
    };
    let computed = py.detach(|| compute(&mut watch));
    match signal {
        Some(signal) => Err(signal),
        None => computed.map_err(|error| PyRuntimeError::new_err(error.to_string())),
    }
}

/// A column of numbers; NaN where a row has none.
fn numbers<'py, R, X: Stored>(
    py: Python<'py>,
    format: X::Format,
    results: &[Result<R, String>],
    number: impl Fn(&R) -> X,
) -> PyResult<Bound<'py, PyAny>> {
    let of_row = |i: usize, _: usize| match &results[i] {
        Ok(found) => number(found),
        Err(_) => X::from_f64(f64::NAN).to_format(format),
    };
    to_numpy(py, Matrix::from_fn_in(format, results.len(), 1, of_row), true)
}

/// Adds the columns `converged` and `grid`.
fn quality<R>(
    told: &Bound<'_, PyDict>,
    results: &[Result<R, String>],
    of: impl Fn(&R) -> (bool, Option<Grid>),
) -> PyResult<()> {
    let known = |result: &Result<R, String>| result.as_ref().ok().map(&of);
    let converged = results.iter().map(|result| known(result).is_some_and(|(is_so, _)| is_so));
    told.set_item("converged", converged.collect::<Vec<_>>())?;
    let text = |grid: Grid| format!("{}x{}", grid.space, grid.time);
    let grids = results.iter().map(|result| known(result)?.1.map(text));
    told.set_item("grid", grids.collect::<Vec<_>>())
}

/// Adds the column `error`.
fn errors<R>(told: &Bound<'_, PyDict>, results: &[Result<R, String>]) -> PyResult<()> {
    let errors = results.iter().map(|result| result.as_ref().err().map(String::as_str));
    told.set_item("error", errors.collect::<Vec<_>>())
}

/// Times and spots, a row for each point.
fn boundary_of<'py, T: Stored>(
    py: Python<'py>,
    format: T::Format,
    price: &Price<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let points = &price.boundary;
    let of = |i: usize, j: usize| if j == 0 { points[i].time } else { points[i].spot };
    to_numpy(py, Matrix::from_fn_in(format, points.len(), 2, of), false)
}

/// Where a book was computed, and in what time.
fn place<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("device", report.place.device.to_string())?;
    let reason = (report.place.reason != Reason::Asked).then(|| report.place.reason.to_string());
    told.set_item("device_reason", reason)?;
    told.set_item("seconds", report.time.as_secs_f64())?;
    Ok(told)
}
