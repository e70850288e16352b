//! Points, and what is said of them.

use std::io::Write;
use std::path::{Path, PathBuf};

use nonius::files::matrix_market::WriteError;
use nonius::num::{Dd, Qd, Td};
use nonius::sdp::certify::Certificate;
use nonius::sdp::input::{Fault, ReadError};
use nonius::sdp::{
    AnyPoint, BlockValues, Certify, Checkpoint, Fingerprint, Numbers, PointFormat, PointNumber,
    Problem, Report, Solution, Start, seal,
};
use nonius::{Device, Matrix, Mp, Precision, files};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::error::raised;
use super::problem::SdpProblem;
use super::told;
use crate::numpy::{Stored, to_numpy};
use crate::running;

/// Where a run begins.
#[pyclass(frozen, module = "nonius._nonius")]
pub(crate) struct SdpPoint(pub(super) Start);

/// Where a run ended, and its report.
#[pyclass(frozen, module = "nonius._nonius")]
pub(crate) struct SdpSolution {
    pub(super) report: Report,
    pub(super) point: AnyPoint,
    pub(super) device: Device,
    pub(super) iterations: u64,
}

/// `x`, and the blocks of `X` and of `Y`.
type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, Bound<'py, PyList>);

#[pymethods]
impl SdpPoint {
    /// Reads the bytes of a checkpoint, or of a point whose format its file's name says. A point
    /// gets the named precision.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        bytes: &[u8],
        name: &str,
        precision: &str,
        problem: &Bound<'_, SdpProblem>,
    ) -> PyResult<Self> {
        // A run that chooses its precision gets the digits that files have as a rule.
        let precision = if precision == "auto" { "qd" } else { precision };
        let precision: Precision = told::parsed(precision)?;
        let problem = &problem.get().0;
        let failed = |error: ReadError| PyValueError::new_err(format!("{name}: {error}"));
        py.detach(|| read(bytes, name, precision, problem)).map(Self).map_err(failed)
    }
}

fn read(
    bytes: &[u8],
    name: &str,
    precision: Precision,
    problem: &Problem,
) -> Result<Start, ReadError> {
    if Checkpoint::is_one(bytes) {
        seal::check(bytes)?;
        return match Checkpoint::read(bytes, problem) {
            Ok(checkpoint) => Ok(Start::Checkpoint(checkpoint)),
            // That of another problem with the same blocks is a point to begin at.
            Err(ReadError { fault: Fault::OtherProblem, .. }) => {
                AnyPoint::read(bytes, PointFormat::Sparse, precision, problem).map(Start::Point)
            }
            Err(error) => Err(error),
        };
    }
    let format = if name.ends_with(".ini-s") {
        PointFormat::Sparse
    } else if name.ends_with(".ini") {
        PointFormat::Dense
    } else {
        PointFormat::Result
    };
    AnyPoint::read(bytes, format, precision, problem).map(Start::Point)
}

#[pymethods]
impl SdpSolution {
    /// What the run found, without the point.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = told::report(py, &self.report)?;
        told.set_item("device", self.device.to_string())?;
        Ok(told)
    }

    /// All iterations.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows: Vec<_> =
            self.report.history.iter().map(|row| told::row(py, row)).collect::<PyResult<_>>()?;
        PyList::new(py, rows)
    }

    /// The point as arrays of its precision.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        match self.point.precision() {
            Precision::F64 => arrays::<f64>(py, &self.point, ()),
            Precision::Dd => arrays::<Dd>(py, &self.point, ()),
            Precision::Td => arrays::<Td>(py, &self.point, ()),
            Precision::Qd => arrays::<Qd>(py, &self.point, ()),
            Precision::Mp(bits) => arrays::<Mp>(py, &self.point, bits),
        }
    }

    /// The point as the beginning of another run.
    fn start(&self) -> SdpPoint {
        SdpPoint(Start::Point(self.point.clone()))
    }

    /// What is proved of the problem from the point.
    fn certify<'py>(
        &self,
        py: Python<'py>,
        problem: &Bound<'py, SdpProblem>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Self { report, point, device, .. } = self;
        let problem = &problem.get().0;
        let proof = Certify::new(problem, point, report.phase).device(*device);
        let certificate: Certificate =
            running::run(py, || proof.run())?.map_err(|error| raised(&error))?;
        told::certificate(py, &certificate)
    }

    /// Writes the point with all digits, in SDPA's layout.
    fn write(&self, py: Python<'_>, path: PathBuf, title: &str) -> PyResult<()> {
        let Self { report, point, .. } = self;
        put(py, &path, |out| Ok(point.write_result(out, title, report)?))
    }

    /// Writes a checkpoint.
    fn checkpoint(
        &self,
        py: Python<'_>,
        path: PathBuf,
        problem: &Bound<'_, SdpProblem>,
    ) -> PyResult<()> {
        let problem = Fingerprint::of(&problem.get().0);
        let checkpoint = Checkpoint { point: self.point.clone(), iterations: self.iterations };
        put(py, &path, |out| Ok(checkpoint.write(out, &problem)?))
    }
}

fn put(
    py: Python<'_>,
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> Result<(), WriteError> + Send,
) -> PyResult<()> {
    py.detach(|| files::write(path, contents))
        .map_err(|error| PyOSError::new_err(error.to_string()))
}

fn arrays<'py, T: Stored + PointNumber>(
    py: Python<'py>,
    point: &AnyPoint,
    format: T::Format,
) -> PyResult<Arrays<'py>> {
    let Solution { x, primal, dual } = py.detach(|| point.to::<T>(format));
    let vector = |numbers: &Numbers<T>| {
        let column = Matrix::from_fn_in(format, numbers.len(), 1, |i, _| numbers.at(i));
        to_numpy(py, column, true)
    };
    let blocks = |blocks: Vec<BlockValues<T>>| {
        let arrays = blocks.into_iter().map(|block| match block {
            BlockValues::Dense { order, entries } => {
                let matrix =
                    Matrix::from_fn_in(format, order, order, |i, j| entries.at(i + j * order));
                to_numpy(py, matrix, false)
            }
            BlockValues::Diagonal(entries) => vector(&entries),
        });
        PyList::new(py, arrays.collect::<PyResult<Vec<_>>>()?)
    };
    Ok((vector(&x)?, blocks(primal)?, blocks(dual)?))
}
