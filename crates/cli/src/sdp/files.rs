//! What `nonius sdp` reads and writes.

use std::io::{BufWriter, Read, Write};
use std::path::Path;

use nonius::files::matrix_market::{Style, Symmetry, WriteError};
use nonius::files::{self, MatrixName, printable};
use nonius::sdp::input::{self, Fault, ReadError};
use nonius::sdp::{
    AnyPoint, Checkpoint, LastPrecision, Number, Parameters, PointFormat, PointMatrix, Problem,
    Report, Start, WriteMatrix, seal, usual_iterations,
};
use nonius::sparse::Coo;
use nonius::{Matrix, Precision};

use super::Arguments;
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names, is_standard_output};
use crate::output::{Output, comment};
use crate::say;
use crate::summary::{NOT_WRITTEN, Summary};

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
        if checkpoint.as_deref().is_some_and(is_standard_output) {
            return Err(Failure::input("--checkpoint takes a file, not standard output"));
        }
        Names::default()
            .read("PROBLEM", &arguments.problem)
            .read("--initial", initial.as_ref())
            .read("--param", arguments.param.as_ref())
            .written("--output", Contents::Result, output.as_ref())
            .written("--x", Contents::Matrix, x.as_ref())
            .written("--primal", Contents::Matrix, primal.as_ref())
            .written("--dual", Contents::Matrix, dual.as_ref())
            .written("--plot", Contents::Picture, plot.as_ref())
            .written("--checkpoint", Contents::Point, checkpoint.as_ref())
            .check(arguments.common.json)?;
        Ok(files)
    }

    pub(super) fn all(&self) -> [&Output; 5] {
        [&self.result, &self.x, &self.primal, &self.dual, &self.plot]
    }

    /// Writes what was asked for of a result, each file whatever becomes of the others; what
    /// failed.
    pub(super) fn write(&self, name: &str, report: &Report, point: &AnyPoint) -> Vec<Failure> {
        let comment = &comment(&report.precision);
        let matrix = |file: &Output, which| {
            let name = file.name();
            file.write(|out| point.write_matrix(which, MatrixWriter { out, name, comment }))
        };
        let all = [
            self.result.write(|out| {
                let mut out = BufWriter::new(out);
                point.write_result(&mut out, &printable(name), report)?;
                Ok(out.flush()?)
            }),
            self.x.write(|out| {
                let name = self.x.name();
                point.write_x(MatrixWriter { out, name, comment })
            }),
            matrix(&self.primal, PointMatrix::Primal),
            matrix(&self.dual, PointMatrix::Dual),
            self.draw(name, report),
        ];
        all.into_iter().filter_map(Result::err).collect()
    }

    fn draw(&self, name: &str, report: &Report) -> Result<(), Failure> {
        let Some(path) = &self.plot.output else { return Ok(()) };
        let picture = super::plot::draw(name, &report.history, path)?;
        self.plot.write(|out| Ok(out.write_all(&picture)?))
    }

    /// Says which files are not written, since there is no point.
    pub(super) fn leave(&self) {
        let all = self.all().into_iter().filter_map(|file| file.output.as_deref());
        let names: Vec<String> = all.map(|path| path.display().to_string()).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            say::warning(format!("no point was computed: nothing is written to {names}"));
        }
    }

    /// Shows `x` where no file has any of the point: its entries where they are few.
    pub(super) fn unwritten(&self, point: &AnyPoint) -> Summary {
        let mut summary = Summary::default();
        let [result, x, primal, dual, _] = self.all();
        if [result, x, primal, dual].iter().any(|file| file.output.is_some()) {
            return summary;
        }
        let mut text = Vec::new();
        // A point that no file could take is not shown either.
        let name = MatrixName::of(Path::new("-"));
        let writer = MatrixWriter { out: &mut text, name, comment: "" };
        let is_written = point.write_x(writer).is_ok();
        let text = String::from_utf8_lossy(&text);
        let entries = text.lines().filter(|line| !line.starts_with('%')).skip(1);
        let entries: Vec<&str> = entries.collect();
        let entry = |i: usize, _, out: &mut Vec<u8>| out.extend_from_slice(entries[i].as_bytes());
        if !(is_written && summary.entries("x", (entries.len(), 1), entry)) {
            summary.line("x, X and Y", NOT_WRITTEN);
        }
        summary
    }
}

/// Writes a matrix of a point in the form that its name says.
struct MatrixWriter<'a> {
    out: &'a mut dyn Write,
    name: MatrixName<'a>,
    comment: &'a str,
}

impl MatrixWriter<'_> {
    fn style(&self, symmetry: Symmetry) -> Style {
        Style { comment: self.comment.to_string(), symmetry }
    }
}

impl WriteMatrix for MatrixWriter<'_> {
    fn dense<T: Number>(self, a: &Matrix<T>) -> Result<(), WriteError> {
        let style = self.style(Symmetry::General);
        files::write_dense(self.out, self.name, a, &style)
    }

    fn symmetric<T: Number>(self, a: Coo<T>) -> Result<(), WriteError> {
        let style = self.style(Symmetry::Symmetric);
        files::write_sparse(self.out, self.name, a, &style)
    }
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
            let most_iterations = usual_iterations(arguments.precision, *gap);
            let default = Parameters { most_iterations, ..Parameters::default() };
            Told { parameters: default, gap: None, feasibility: None }
        }
    };
    if gap.is_some() {
        told.gap = *gap;
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

/// Where to start from, if something is given.
pub(super) fn start(arguments: &Arguments, problem: &Problem) -> Result<Option<Start>, Failure> {
    let Arguments { initial, checkpoint, resume, .. } = arguments;
    match (initial, checkpoint) {
        (Some(path), _) => point(arguments, path, problem).map(Start::Point).map(Some),
        (None, Some(path)) if *resume => {
            if matches!(path.try_exists(), Ok(false)) {
                let name = display_name(path);
                say::warning(format!("{name}: there is no checkpoint: the run begins anew"));
                return Ok(None);
            }
            let checkpoint = read(arguments, path, |input| Checkpoint::read(input, problem))?;
            Ok(Some(Start::Checkpoint(checkpoint)))
        }
        _ => Ok(None),
    }
}

/// A point in one of the formats that there are: a checkpoint is known by how it begins, others are
/// by their names.
fn point(arguments: &Arguments, path: &Path, problem: &Problem) -> Result<AnyPoint, Failure> {
    // Points for a precision that is not known yet keep the digits that files have as a rule.
    let precision = match arguments.precision {
        LastPrecision::Fixed(precision) => precision,
        LastPrecision::Auto => Precision::Qd,
    };
    let name = plain_name(path);
    let by_name = if name.ends_with(".ini-s") {
        PointFormat::Sparse
    } else if name.ends_with(".ini") {
        PointFormat::Dense
    } else {
        PointFormat::Result
    };
    read(arguments, path, |mut input| {
        let mut bytes = Vec::new();
        let all = input.read_to_end(&mut bytes);
        all.map_err(|error| ReadError { line: 0, fault: Fault::Io(error) })?;
        let is_checkpoint = Checkpoint::is_one(&bytes);
        if is_checkpoint {
            seal::check(&bytes)?;
        }
        let format = if is_checkpoint { PointFormat::Sparse } else { by_name };
        AnyPoint::read(&*bytes, format, precision, problem)
    })
}
