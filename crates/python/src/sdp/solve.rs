//! Runs of the solver, of which Python hears while they last.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use nonius::sdp::{
    FetchPoint, LEAST_GAP, LastPrecision, Observe, Options, Parameters, Row, Solve,
    usual_iterations,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::error::raised;
use super::problem::SdpProblem;
use super::solution::{SdpPoint, SdpSolution};
use super::told;
use crate::linalg::device_of;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// What a run is told.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    precision: String,
    gap: Option<f64>,
    feasibility: Option<f64>,
    max_iterations: Option<u64>,
    start: Option<f64>,
    at_once: bool,
    then_proved: bool,
    device: String,
}

impl Told {
    fn options(&self) -> PyResult<Options> {
        let precision: LastPrecision = told::parsed(&self.precision)?;
        let is_gap = |gap: f64| (LEAST_GAP..=1.0).contains(&gap);
        check("gap", self.gap, is_gap, "a number from 1e-300 to 1")?;
        let is_feasibility = |x: f64| x.is_finite() && x >= LEAST_GAP;
        check("feasibility", self.feasibility, is_feasibility, "a number not below 1e-300")?;
        check("start", self.start, |x| x.is_finite() && x > 0.0, "a positive number")?;
        let most_iterations =
            self.max_iterations.unwrap_or_else(|| usual_iterations(precision, self.gap));
        Ok(Options {
            precision,
            at_once: self.at_once,
            then_proved: self.then_proved,
            parameters: Parameters { most_iterations, start: self.start, ..Parameters::default() },
            gap: self.gap,
            feasibility: self.feasibility,
        })
    }
}

fn check(
    name: &str,
    value: Option<f64>,
    is_fit: impl Fn(f64) -> bool,
    needed: &str,
) -> PyResult<()> {
    match value.filter(|&value| !is_fit(value)) {
        Some(value) => {
            Err(PyValueError::new_err(format!("{name}: expected {needed}, found {value:e}")))
        }
        None => Ok(()),
    }
}

/// Solves a program. Returns the solution, or a dictionary with the phase of a problem that is seen
/// to be infeasible before anything is computed.
#[pyfunction]
pub(super) fn sdp_solve<'py>(
    py: Python<'py>,
    problem: &Bound<'py, SdpProblem>,
    told: Told,
    point: Option<&Bound<'py, SdpPoint>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (options, device) = (told.options()?, device_of(&told.device)?);
    let problem = &problem.get().0;
    let start = point.map(|point| point.get().0.clone());
    let solved = beside(py, progress.as_ref(), |observe| {
        let mut solve = Solve::new(problem).options(options).device(device);
        if let Some(start) = start {
            solve = solve.start(start);
        }
        solve.observe(observe).run()
    })?;
    match solved {
        Ok((report, point, place)) => {
            let iterations = report.iterations;
            let solution = SdpSolution { report, point, device: place.device, iterations };
            Ok(Bound::new(py, solution)?.into_any())
        }
        Err(error) => {
            let Some(phase) = error.phase() else { return Err(raised(&error)) };
            let told = PyDict::new(py);
            told.set_item("phase", phase.name())?;
            told.set_item("reason", error.to_string())?;
            Ok(told.into_any())
        }
    }
}

/// Runs `work` on a thread of its own. Its iterations are told to `progress` on this one, where
/// Python handles signals; what is raised there ends the run, and is the result.
fn beside<R: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Observe<'_>) -> R + Send,
) -> PyResult<R> {
    let is_stopped = AtomicBool::new(false);
    let is_heard = progress.is_some();
    let (tell, rows) = mpsc::channel::<Row>();
    let (answer, answers) = mpsc::channel::<bool>();
    let stopped = &is_stopped;
    let observe = move |row: &Row, _: FetchPoint<'_>| {
        if stopped.load(Ordering::Relaxed) {
            return false;
        }
        !is_heard || (tell.send(row.clone()).is_ok() && answers.recv().unwrap_or(false))
    };
    py.detach(move || {
        thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let mut observe = observe;
                work(&mut observe)
            });
            let mut failure = None;
            loop {
                let heard = match rows.recv_timeout(LOOK) {
                    Ok(row) => Some(row),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                let goes_on = if failure.is_some() {
                    Ok(false)
                } else {
                    Python::attach(|py| hear(py, progress, heard.as_ref()))
                };
                let goes_on = goes_on.unwrap_or_else(|error| {
                    failure = Some(error);
                    stopped.store(true, Ordering::Relaxed);
                    false
                });
                if heard.is_some() {
                    // Who is gone needs no answer.
                    let _ = answer.send(goes_on);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            failure.map_or(Ok(result), Err)
        })
    })
}

/// Whether the run goes on, by signals and by what the callback returns: only `False` ends it.
fn hear(py: Python<'_>, progress: Option<&Py<PyAny>>, row: Option<&Row>) -> PyResult<bool> {
    py.check_signals()?;
    let (Some(progress), Some(row)) = (progress, row) else { return Ok(true) };
    let answer = progress.bind(py).call1((told::row(py, row)?,))?;
    Ok(!answer.is(false.into_pyobject(py)?))
}
