//! Tasks that Python waits for, and may interrupt.

use std::time::Duration;

use nonius::Number;
use nonius::dense::MatRef;
use nonius::interrupt::watched;
use nonius::threads::alone;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Python is asked for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Operations on doubles, or as many words multiplied by words, that take less time than another
/// thread takes to begin them.
const SHORT: f64 = 1e5;

/// Runs a task whose work grows with the cube of a matrix's order: on this thread where that is
/// small, else as [`run`] does.
pub(crate) fn run_on<T: Number, R: Send>(
    py: Python<'_>,
    a: MatRef<'_, T>,
    task: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let (rows, cols) = (a.rows() as f64, a.cols() as f64);
    let words = f64::from(T::precision(a.format()).bits()) / 53.0;
    let work = rows * cols * rows.max(cols) * words * words;
    if work < SHORT { Ok(py.detach(|| alone(task))) } else { run(py, task) }
}

/// Runs a task without Python's lock. Ctrl-C ends it and raises its exception.
///
/// Python handles signals in its main thread; in another thread, the task runs to its end.
pub(crate) fn run<R: Send>(py: Python<'_>, task: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| run_detached(task))
}

/// As [`run`], for a caller who may be without Python's lock.
pub(crate) fn run_detached<R: Send>(task: impl FnOnce() -> R + Send) -> PyResult<R> {
    let mut signal = None;
    let outcome = watched(PATIENCE, task, || {
        if signal.is_none() {
            signal = Python::attach(|py| py.check_signals()).err();
        }
        signal.is_none()
    });
    match signal {
        Some(signal) => Err(signal),
        None => outcome.map_err(|interrupted| PyRuntimeError::new_err(interrupted.to_string())),
    }
}
