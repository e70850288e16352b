//! Sparse systems on arrays, by iteration.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use nonius::sparse::{
    Algorithm, Coo, Error, Format, Iteration, Options, Preconditioning, Report, Residual, Solve,
    SolveOperator, Step, Stopped, Storage, Values, check_room, limit,
};
use nonius::tridiag::Numbers;
use nonius::{Device, Matrix, Number};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::linalg::{Answer, NoniusError, at, device_of, raised};
use crate::numpy::{Stored, column_major, indices, to_numpy};

/// Adds the function to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(iterate, module)?)
}

/// How long iterations go on before Python is asked whether a signal came.
const PATIENCE: Duration = Duration::from_millis(50);

/// How a system is to be solved: a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    algorithm: String,
    restart: usize,
    rtol: f64,
    atol: f64,
    maxiter: usize,
    preconditioner: String,
    storage: String,
    format: String,
    refine: Option<f64>,
    residual: String,
    device: String,
    history: bool,
    /// Whether the callback takes the iterate, in place of the residual.
    hears_x: bool,
}

impl Asked {
    fn algorithm(&self) -> PyResult<Algorithm> {
        let all = [
            Algorithm::Cg,
            Algorithm::Minres,
            Algorithm::Bicgstab,
            Algorithm::Gmres { restart: self.restart },
        ];
        all.into_iter().find(|algorithm| algorithm.name() == self.algorithm).ok_or_else(|| {
            PyValueError::new_err(format!(
                "method {:?}: expected cg, minres, bicgstab or gmres",
                self.algorithm
            ))
        })
    }

    fn preconditioning(&self) -> PyResult<Preconditioning> {
        match self.preconditioner.as_str() {
            "incomplete-cholesky" => Ok(Preconditioning::IncompleteCholesky),
            "block-jacobi" => Ok(Preconditioning::BlockJacobi(16)),
            name => name.parse().map_err(|_| {
                PyValueError::new_err(format!(
                    "preconditioner {name:?}: expected jacobi, block-jacobi, block-jacobi:32 for \
                     blocks of 32 rows, or incomplete-cholesky"
                ))
            }),
        }
    }

    fn options<T: Number>(&self, b: &Matrix<T>, from_zero: bool) -> PyResult<Options> {
        let iteration = Iteration {
            residual: match self.residual.as_str() {
                "recursive" => Residual::Recursive,
                "true" => Residual::True,
                other => {
                    return Err(PyValueError::new_err(format!(
                        "residual {other:?}: expected recursive or true"
                    )));
                }
            },
            max_iterations: self.maxiter,
            history: self.history,
            ..limit(b, from_zero, self.rtol, self.atol)
        };
        let storage = match self.storage.as_str() {
            "positional" => Storage::Positional,
            "residues" => Storage::Residues(None),
            other => {
                return Err(PyValueError::new_err(format!(
                    "storage {other:?}: expected positional or residues"
                )));
            }
        };
        let format: Format =
            self.format.parse().map_err(|error: nonius::sparse::UnknownName| {
                PyValueError::new_err(error.to_string())
            })?;
        Ok(Options {
            algorithm: self.algorithm()?,
            iteration,
            refine: self.refine,
            preconditioning: self.preconditioning()?,
            format,
            storage,
            ..Options::default()
        })
    }
}

/// A matrix: its products, or its entries.
enum Given<T: Number> {
    Map(Py<PyAny>),
    Entries(Values<T>),
}

impl<T: Stored + Number> Given<T> {
    /// Of a function; of a tuple `(values, is_short)` with the values of a dense matrix; or of a
    /// tuple `(values, is_short, rows, columns, shape)`.
    fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let Ok(parts) = object.cast::<PyTuple>() else {
            return Ok(Self::Map(object.clone().unbind()));
        };
        let (values, is_short) = (parts.get_item(0)?, parts.get_item(1)?.extract()?);
        let places: Vec<_> = parts.iter().skip(2).collect();
        Ok(Self::Entries(match is_short {
            true => Values::Short(entries::<f64>(&values, &places, name)?),
            false => Values::Full(entries::<T>(&values, &places, name)?),
        }))
    }
}

fn entries<V: Stored>(
    values: &Bound<'_, PyAny>,
    places: &[Bound<'_, PyAny>],
    name: &str,
) -> PyResult<Coo<V>> {
    let values = column_major::<V>(values, name)?;
    let values = values.view();
    let [rows, columns, shape] = places else { return Ok(Coo::from_dense(values)) };
    let (rows, columns) = (indices(rows)?, indices(columns)?);
    let (height, width): (usize, usize) = shape.extract()?;
    let (rows, columns) = (rows.view(), columns.view());
    let mut pairs = Vec::new();
    pairs
        .try_reserve_exact(rows.len())
        .map_err(|_| PyMemoryError::new_err(format!("{name}: no memory for its entries")))?;
    for (at, (&row, &column)) in rows.iter().zip(columns).enumerate() {
        let inside = |index: i64, most: usize| usize::try_from(index).ok().filter(|&i| i < most);
        let (Some(row), Some(column)) = (inside(row, height), inside(column, width)) else {
            return Err(PyValueError::new_err(format!(
                "{name}: entry {at} has row {row} and column {column}, \
                 outside of {height} rows and {width} columns"
            )));
        };
        pairs.push((row, column));
    }
    let numbers = Numbers::from(values.column(0));
    Coo::from_parts(height, width, pairs, numbers)
        .ok_or_else(|| PyValueError::new_err(format!("{name}: not as many indices as values")))
}

/// A vector as a matrix of one column, whose numbers are finite.
fn vector<T: Stored + Number>(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Matrix<T>> {
    let columns = column_major::<T>(object, name)?;
    let vector = columns.view().to_matrix();
    let wrong = vector.numbers().as_slice().iter().position(|x| !x.is_finite());
    match wrong {
        None => Ok(vector),
        Some(at) => Err(PyValueError::new_err(format!("{name}: entry {at} is infinite or NaN"))),
    }
}

/// The first exception of a function that was called.
#[derive(Default)]
struct Raised(RefCell<Option<PyErr>>);

impl Raised {
    /// Whether to go on.
    fn after(&self, result: PyResult<()>) -> ControlFlow<()> {
        let Err(error) = result else { return ControlFlow::Continue(()) };
        self.0.borrow_mut().get_or_insert(error);
        ControlFlow::Break(())
    }
}

/// `y ← f(x)` by a function of Python.
fn call<T: Stored + Number>(
    function: &Py<PyAny>,
    name: &str,
    x: &Matrix<T>,
    y: &mut Matrix<T>,
) -> PyResult<()> {
    Python::attach(|py| {
        let found = function.bind(py).call1((to_numpy(py, x.clone(), true)?,))?;
        let found = column_major::<T>(&found, name)?;
        let found = found.view();
        if found.shape() != x.shape() {
            return Err(PyValueError::new_err(format!(
                "{name}: expected {} numbers, found {}",
                x.rows(),
                found.rows()
            )));
        }
        y.numbers_mut().copy_from(found.column(0));
        Ok(())
    })
}

/// What Python hears of an iteration.
struct Ear {
    callback: Option<Py<PyAny>>,
    asked: Instant,
}

impl Ear {
    fn hear<T: Stored + Number>(&mut self, step: Step, x: Option<&Matrix<T>>) -> PyResult<()> {
        match &self.callback {
            Some(callback) if step.inner.is_none() => Python::attach(|py| {
                match x {
                    Some(x) => callback.call1(py, (to_numpy(py, x.clone(), true)?,))?,
                    None => callback.call1(py, (step.relative_residual,))?,
                };
                py.check_signals()
            }),
            // Python may be busy in another thread, so that it is not asked each time.
            _ if self.asked.elapsed() >= PATIENCE => {
                let result = Python::attach(|py| py.check_signals());
                self.asked = Instant::now();
                result
            }
            _ => Ok(()),
        }
    }
}

/// Solves a sparse system: `x`, and a dictionary of what it took.
#[pyfunction]
fn iterate<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    x0: Option<&Bound<'py, PyAny>>,
    m: Option<&Bound<'py, PyAny>>,
    callback: Option<Py<PyAny>>,
    precision: &str,
    asked: Asked,
) -> Answer<'py> {
    at!(precision, iterate_in(a, (b, x0), m, callback, &asked))
}

fn iterate_in<'py, T: Stored + Number>(
    a: &Bound<'py, PyAny>,
    (b, x0): (&Bound<'py, PyAny>, Option<&Bound<'py, PyAny>>),
    m: Option<&Bound<'py, PyAny>>,
    callback: Option<Py<PyAny>>,
    asked: &Asked,
) -> Answer<'py> {
    let py = a.py();
    let b = vector::<T>(b, "b")?;
    let x0 = x0.map(|x0| vector::<T>(x0, "x0")).transpose()?;
    // The solution of `A·x = 0` is known.
    let x0 = x0.filter(|_| b.numbers().as_slice().iter().any(|x| x != T::ZERO));
    let options = asked.options(&b, x0.is_none())?;
    let device = device_of(&asked.device)?;
    let (a, m) = (Given::<T>::of(a, "A")?, m.map(|m| Given::<T>::of(m, "M")).transpose()?);
    let hears_x = callback.is_some() && asked.hears_x;
    let calls = m.is_some() || hears_x || matches!(a, Given::Map(_));
    if calls {
        only_on_host(&options, device)?;
    }
    let (precision, criterion) = (T::precision(b.format()), options.iteration.clone());
    if let Given::Entries(a) = &a {
        check_room(precision, a, &options)
            .map_err(|refused| PyMemoryError::new_err(refused.to_string()))?;
    }
    let (solved, error) = py.detach(|| {
        let raised = Raised::default();
        let mut ear = Ear { callback, asked: Instant::now() };
        let solved = match (a, calls) {
            (Given::Entries(a), false) => {
                let mut observe = |step| raised.after(ear.hear::<T>(step, None));
                let task = Solve::of(a, &b).options(options).device(device);
                let task = match &x0 {
                    Some(x0) => task.start(x0),
                    None => task,
                };
                task.observe(&mut observe).run()
            }
            (a, _) => {
                let mut observe =
                    |step: Step, x: &Matrix<T>| raised.after(ear.hear(step, hears_x.then_some(x)));
                with_functions(a, (&b, x0.as_ref()), m, options, &raised, &mut observe)
            }
        };
        (solved, raised.0.into_inner())
    });
    if let Some(error) = error {
        return Err(error);
    }
    let (x, report) = solved.map_err(|error| unsolved(&asked.algorithm, error))?;
    Ok((to_numpy(py, x, true)?, told(py, &report, &criterion)?))
}

/// The system where Python has the matrix, the preconditioner, or a look at the iterates.
fn with_functions<T: Stored + Number>(
    a: Given<T>,
    (b, x0): (&Matrix<T>, Option<&Matrix<T>>),
    m: Option<Given<T>>,
    options: Options,
    raised: &Raised,
    observe: &mut dyn FnMut(Step, &Matrix<T>) -> ControlFlow<()>,
) -> Result<(Matrix<T>, Report), Error> {
    let function = |given: &Given<T>| match given {
        Given::Map(function) => Some(Python::attach(|py| function.clone_ref(py))),
        Given::Entries(_) => None,
    };
    let (of_a, of_m) = (function(&a), m.as_ref().and_then(function));
    let mut product = |x: &Matrix<T>, y: &mut Matrix<T>| match &of_a {
        Some(function) => raised.after(call(function, "A.matvec(x)", x, y)),
        None => ControlFlow::Break(()),
    };
    let mut inverse = |r: &Matrix<T>, z: &mut Matrix<T>| match &of_m {
        Some(function) => raised.after(call(function, "M.matvec(r)", r, z)),
        None => ControlFlow::Break(()),
    };
    let task = match a {
        Given::Map(_) => SolveOperator::new(&mut product, b),
        Given::Entries(a) => SolveOperator::entries(a, options.preconditioning, b),
    };
    let task = match m {
        None => task,
        Some(Given::Map(_)) => task.inverse(&mut inverse),
        Some(Given::Entries(m)) => task.inverse_entries(m),
    };
    let task = match x0 {
        Some(x0) => task.start(x0),
        None => task,
    };
    task.algorithm(options.algorithm).iteration(options.iteration).observe(observe).run()
}

/// `Ok` where options are those of iterations with functions of Python.
fn only_on_host(options: &Options, device: Device) -> PyResult<()> {
    let what = match (device, options) {
        (Device::Cuda(_), _) => "device: operators, M and callbacks of x run on the CPU",
        (_, Options { refine: Some(_), .. }) => "refine: takes no operators, M or callbacks of x",
        (_, Options { storage: Storage::Residues(_), .. }) => {
            "storage: numbers in residues take no operators, M or callbacks of x"
        }
        _ => return Ok(()),
    };
    Err(PyValueError::new_err(what))
}

/// The exception of an error.
fn unsolved(method: &str, error: Error) -> PyErr {
    match error {
        Error::Breakdown { .. }
        | Error::NegativeCurvature { .. }
        | Error::ZeroDiagonal { .. }
        | Error::IncompletePivot { .. } => NoniusError::new_err(error.to_string()),
        Error::NotSymmetric { .. } => PyValueError::new_err(format!(
            "A: {error}, and {method} or its preconditioner needs a symmetric matrix: take bicgstab \
             or gmres, or (A + A.T) / 2"
        )),
        other => raised(other),
    }
}

/// What an iteration took.
fn told<'py>(
    py: Python<'py>,
    report: &Report,
    criterion: &Iteration,
) -> PyResult<Bound<'py, PyDict>> {
    let iteration = &report.iteration;
    let limit = match criterion.relative {
        true => criterion.tolerance,
        false => criterion.tolerance / iteration.first_residual,
    };
    let stopped = match iteration.stopped {
        Stopped::Converged => "converged",
        Stopped::Iterations => "iterations",
        Stopped::Stagnation => "stagnation",
        Stopped::Drift => "drift",
        Stopped::Observer => "observer",
    };
    let told = PyDict::new(py);
    told.set_item("converged", iteration.converged)?;
    told.set_item("stopped", stopped)?;
    told.set_item("iterations", iteration.iterations)?;
    told.set_item("inner_iterations", report.inner_iterations)?;
    told.set_item("tolerance", limit)?;
    told.set_item("first_residual", iteration.first_residual)?;
    told.set_item("relative_residual", iteration.relative_residual_true)?;
    told.set_item("relative_residual_recursive", iteration.relative_residual_recursive)?;
    told.set_item("non_positive", iteration.non_positive.map(|found| (found.first, found.count)))?;
    told.set_item("history", &iteration.history)?;
    told.set_item("entries", report.entries)?;
    told.set_item("precision", report.precision.name())?;
    told.set_item("moduli", report.moduli)?;
    told.set_item("device", report.place.device.to_string())?;
    told.set_item("seconds", report.time.as_secs_f64())?;
    told.set_item("setup_seconds", report.setup_time.as_secs_f64())?;
    Ok(told)
}
