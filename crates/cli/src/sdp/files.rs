//! What `nonius sdp` reads and writes.

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use nonius::sdp::input::{self, ReadError};
use nonius::sdp::{Parameters, Problem, Report};
use nonius::{PointFormat, PointMatrix, Precision, SemidefinitePoint, SemidefinitePrecision};

use super::{Arguments, collisions};
use crate::failure::Failure;
use crate::input::is_standard;
use crate::output::{Output, comment};

/// Iterations after which a run is given up unless it is told otherwise.
const MOST_ITERATIONS: u64 = 200;

/// What is written.
pub(super) struct Files {
    pub(super) result: Output,
    pub(super) x: Output,
    pub(super) primal: Output,
    pub(super) dual: Output,
    pub(super) plot: Output,
}

impl Files {
    /// Refuses, before any work is done, what could not be written or read in the end.
    pub(super) fn check(arguments: &Arguments) -> Result<Self, Failure> {
        let Arguments { output, x, primal, dual, plot, checkpoint, initial, .. } = arguments;
        let files = Self {
            result: Output::beside(output.as_ref()),
            x: Output::beside(x.as_ref()),
            primal: Output::beside(primal.as_ref()),
            dual: Output::beside(dual.as_ref()),
            plot: Output::beside(plot.as_ref()),
        };
        let read = [Some(&arguments.problem), initial.as_ref(), arguments.param.as_ref()];
        if read.into_iter().flatten().filter(|path| is_standard(path)).count() > 1 {
            return Err(Failure::input("expected at most one file from standard input"));
        }
        if checkpoint.as_deref().is_some_and(is_standard) {
            return Err(Failure::input("--checkpoint takes a file, not standard output"));
        }
        collisions::check(arguments)?;
        let checkpoint = Output::beside(checkpoint.as_ref());
        for output in files.all().into_iter().chain([&checkpoint]) {
            output.check(arguments.common.json)?;
        }
        Ok(files)
    }

    pub(super) fn all(&self) -> [&Output; 5] {
        [&self.result, &self.x, &self.primal, &self.dual, &self.plot]
    }

    /// Writes what was asked for of a result.
    pub(super) fn write(
        &self,
        name: &str,
        report: &Report,
        point: &SemidefinitePoint,
    ) -> Result<(), Failure> {
        self.result.write(|out| {
            let mut out = BufWriter::new(out);
            point.write_result(&mut out, name, report)?;
            Ok(out.flush()?)
        })?;
        let comment = comment(&report.precision);
        self.x.write(|out| point.write_x(out, &comment))?;
        for (file, which) in [(&self.primal, PointMatrix::Primal), (&self.dual, PointMatrix::Dual)]
        {
            file.write(|out| point.write_matrix(out, which, &comment))?;
        }
        if self.plot.output.is_some() {
            let picture = super::plot::draw(name, &report.history)?;
            self.plot.write(|out| Ok(out.write_all(picture.as_bytes())?))?;
        }
        Ok(())
    }
}

/// Writes a point from which a run can go on.
pub(super) fn write_point(out: &mut dyn Write, point: &SemidefinitePoint) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    point.write_sparse(&mut out)?;
    out.flush()
}

/// The name without an ending that says how it is compressed.
fn plain_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz"));
    plain.unwrap_or(&name).to_owned()
}

/// Reads a file, of which messages tell the name.
fn read<R>(
    arguments: &Arguments,
    path: &Path,
    parse: impl FnOnce(Box<dyn Read>) -> Result<R, ReadError>,
) -> Result<R, Failure> {
    crate::input::parse(path, arguments.common.progress(), parse)
}

/// Reads the problem.
pub(super) fn problem(arguments: &Arguments) -> Result<Problem, Failure> {
    let path = &arguments.problem;
    if plain_name(path).ends_with(".dat") {
        read(arguments, path, input::read_dense)
    } else {
        read(arguments, path, input::read_sparse)
    }
}

/// What the method is told.
pub(super) struct Told {
    pub(super) parameters: Parameters,
    pub(super) gap: Option<f64>,
    pub(super) feasibility: Option<f64>,
}

/// What the arguments and the file of parameters say.
pub(super) fn parameters(arguments: &Arguments) -> Result<Told, Failure> {
    let Arguments { param, gap, feasibility, start, max_iterations, .. } = arguments;
    let mut told = match param {
        Some(path) => {
            let parameters = read(arguments, path, input::read_parameters)?;
            let (gap, feasibility) = (Some(parameters.gap), Some(parameters.feasibility));
            Told { parameters, gap, feasibility }
        }
        None => {
            let default = Parameters { most_iterations: MOST_ITERATIONS, ..Parameters::default() };
            Told { parameters: default, gap: None, feasibility: None }
        }
    };
    if gap.is_some() {
        told.gap = *gap;
        told.feasibility = None;
    }
    if feasibility.is_some() {
        told.feasibility = *feasibility;
    }
    if start.is_some() {
        told.parameters.start = *start;
    }
    if let Some(most) = *max_iterations {
        told.parameters.most_iterations = most;
    }
    Ok(told)
}

/// The point to start from, if one is given.
pub(super) fn start(
    arguments: &Arguments,
    problem: &Problem,
) -> Result<Option<SemidefinitePoint>, Failure> {
    // Points for a precision that is not known yet keep the digits that files have as a rule.
    let precision = match arguments.precision {
        SemidefinitePrecision::Fixed(precision) => precision,
        SemidefinitePrecision::Auto => Precision::Qd,
    };
    let point = |path: &Path, format| {
        read(arguments, path, |input| SemidefinitePoint::read(input, format, precision, problem))
            .map(Some)
    };
    match (&arguments.initial, &arguments.checkpoint) {
        (Some(path), _) => {
            let name = plain_name(path);
            let format = if name.ends_with(".ini-s") {
                PointFormat::Sparse
            } else if name.ends_with(".ini") {
                PointFormat::Dense
            } else {
                PointFormat::Result
            };
            point(path, format)
        }
        (None, Some(path)) if arguments.resume && path.exists() => point(path, PointFormat::Sparse),
        _ => Ok(None),
    }
}
