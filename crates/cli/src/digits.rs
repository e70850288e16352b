//! `nonius solve --digits`

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use nonius::certified::{
    Data, Datum, DecimalsError, DigitsIn, Event, Failure as Why, Magnitude, Options, Reading,
    Refusal, Solution, SolveDecimals,
};
use nonius::device::Place;
use nonius::files::matrix_market::{Dense, Stored};
use nonius::num::mp::Bits;
use nonius::{Precision, files};
use schemars::JsonSchema;
use serde::Serialize;

use crate::common::{device_text, reason_text};
use crate::failure::Failure;
use crate::input::{self, display_name, is_standard};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Figure, Report};
use crate::solve::Arguments;
use crate::summary::{Summary, time_text};

/// With --digits: a solution with proved digits.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Figures {
    /// Time of the whole proof in seconds, with reading files.
    seconds: f64,
    /// The digits that --digits asks for.
    digits_requested: u32,
    /// Where digits count: in each entry, or beside the largest entry of a column (norm).
    digits_in: &'static str,
    /// The digits that are proved; null where the solution is exact.
    digits_certified: Option<u32>,
    /// Whether the solution has no error at all.
    exact: bool,
    /// Proved bound of the relative error.
    #[schemars(with = "Figure")]
    error_bound: f64,
    /// Estimate of the condition number in the 1-norm, which has no unit.
    #[schemars(with = "Figure")]
    condition_estimate: f64,
    /// The precision of the result, as mp424 for 424 bits.
    precision: String,
    /// The stages of the proof.
    route: Vec<Stage>,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// The number of right-hand sides.
    right_hand_sides: usize,
}

/// A stage of a proof.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stage {
    /// What was tried.
    method: &'static str,
    /// The precision of the stage.
    precision: String,
    /// Steps of refinement.
    steps: usize,
    /// Time of the stage in seconds.
    seconds: f64,
}

/// A file, or standard input, which is kept since it may have to be read once more.
pub(crate) struct Source<'a> {
    path: &'a Path,
    kept: Option<Vec<u8>>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(path: &'a Path) -> Result<Self, Failure> {
        let mut kept = None;
        if is_standard(path) {
            let mut text = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut text);
            read.map_err(|error| {
                Failure::input(format!("standard input: cannot be read: {error}"))
            })?;
            kept = Some(text);
        }
        Ok(Self { path, kept })
    }

    pub(crate) fn read(&self, reading: Reading, progress: Progress) -> Result<Data, Failure> {
        self.dense(self.stored(reading, progress)?)
    }

    /// Reads right-hand sides for a matrix of so many rows.
    fn read_right(
        &self,
        reading: Reading,
        rows: usize,
        progress: Progress,
    ) -> Result<Data, Failure> {
        self.dense(input::as_right(self.stored(reading, progress)?, self.path, rows))
    }

    fn stored(&self, reading: Reading, progress: Progress) -> Result<Stored<Datum>, Failure> {
        Ok(match &self.kept {
            None => input::read::<Datum>(reading, self.path, progress)?,
            Some(text) => files::read_from(reading, Path::new(&self.name()), text.as_slice())?,
        })
    }

    fn dense(&self, stored: Stored<Datum>) -> Result<Data, Failure> {
        stored.into_dense().map_err(|error| Failure::input(format!("{}: {error}", self.name())))
    }

    pub(crate) fn name(&self) -> String {
        display_name(self.path)
    }
}

pub(crate) fn run(arguments: &Arguments, digits: u32) -> Result<Report, Failure> {
    let common = &arguments.common;
    let output = Output::beside(arguments.output.as_ref());
    let most_bits = Bits::new(arguments.max_precision.bits().max(Bits::LEAST));
    let most_bits = most_bits.map_err(Failure::input)?;
    let options = Options { digits_in: arguments.digits_in, ..Options::new(digits) };
    let progress = common.progress();
    let a = Source::new(&arguments.a)?;
    let b = arguments.rhs_file().map(|path| Source::new(path)).transpose()?;
    let start = Instant::now();
    let bar = progress.work(format!("solving for {digits} digits"));
    let mut heard = |event: Event| match event {
        Event::Inverse(bits) => {
            bar.println(format!("approximate inverse in {}", precision_name(bits)))
        }
        Event::Step { column, steps, error_bound } => bar.println(format!(
            "right-hand side {}: step {steps}, relative error below {error_bound}",
            column + 1
        )),
    };
    let read = |reading: Reading| read(&a, b.as_ref(), reading, progress);
    let solve = SolveDecimals::new(read, digits).digits_in(options.digits_in).most_bits(most_bits);
    let solved = solve.device(common.device).observe(&mut heard).run();
    bar.finish_and_clear();
    let (solution, place) = match solved {
        Ok(solved) => solved,
        Err(DecimalsError::Read(failure)) => return Err(failure),
        Err(DecimalsError::Refused(refusal)) => return refused(&a.name(), &refusal),
    };
    let seconds = start.elapsed().as_secs_f64();
    common.explain("the solution", &place);

    let precision = Precision::Mp(solution.x.bits());
    output.write_matrix(precision, &solution.x)?;
    let mut summary = Summary::default();
    summary.line("A", format!("{}: {n} × {n}", a.name(), n = solution.x.rows()));
    summary.line("B", b.map_or("A · ones".into(), |b| b.name()));
    summarize(&solution, options, seconds, &place, &mut summary);
    summary.result("solution", &solution.x, &output);
    let figures = figures(&solution, options, seconds, &place);
    Ok(Report::new(figures).with_summary(summary).beside([&output]))
}

/// Reads the matrix and the right-hand sides, and checks their shapes while files have names.
fn read(
    a: &Source<'_>,
    b: Option<&Source<'_>>,
    reading: Reading,
    progress: Progress,
) -> Result<(Data, Data), Failure> {
    let matrix = a.read(reading, progress)?;
    let (n, cols) = matrix.shape();
    if n != cols || n == 0 {
        let name = a.name();
        let instead = match (n, cols) {
            (0, _) | (_, 0) => "",
            _ if n > cols => ": without --digits, X minimises the residual",
            _ => ": without --digits, X is the shortest solution",
        };
        return Err(Failure::input(format!(
            "{name}: expected a square matrix of at least one row for --digits, found {n} × {cols}{instead}"
        )));
    }
    let Some(b) = b else {
        let ones = matrix.row_sums();
        return Ok((matrix, ones));
    };
    let rights = b.read_right(reading, n, progress)?;
    if rights.shape().0 != n {
        let (name, of, rows) = (b.name(), a.name(), rights.shape().0);
        return Err(Failure::input(format!(
            "{name}: expected {n} rows, as {of} has, found {rows}"
        )));
    }
    Ok((matrix, rights))
}

/// What is known of a system or a determinant without the digits asked for.
pub(crate) fn refused(name: &str, refusal: &Refusal) -> Result<Report, Failure> {
    let tried: Vec<String> = refusal.route.iter().map(|stage| precision_name(stage.bits)).collect();
    let tried = match tried.as_slice() {
        [] => String::new(),
        [one] => format!(" (tried {one})"),
        [first, .., last] => format!(" (tried {first} to {last})"),
    };
    let message = match &refusal.failure {
        Why::Input(_) | Why::TooManyDigits(_) => {
            return Err(Failure::input(format!("{name}: {refusal}")));
        }
        // Files have all bits of their decimals: the limit alone cuts some.
        Why::Data { .. } => {
            let needed = refusal.bits_to_try();
            let needed = needed.map(|bits| format!("; about {bits} bits or more are needed"));
            format!(
                "{name}: --max-precision rounds the numbers when they are read, to too few bits for the digits asked for{}{tried}",
                needed.unwrap_or_default()
            )
        }
        Why::Undecided(_) => format!(
            "{name}: {refusal}: --digits-in norm asks for digits beside the largest entries"
        ),
        _ => format!("{name}: {refusal}{tried}"),
    };
    Ok(Report::new(Known::of(refusal)).with_failure(Some(Failure::numerical(message))))
}

/// With --digits: what is known of a system or determinant whose digits are not proved.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Known {
    /// The stages that were tried.
    route: Vec<Stage>,
    /// Estimate of the condition number in the 1-norm; null where there is none.
    #[schemars(with = "Figure")]
    condition_estimate: Option<f64>,
    /// The rank of the matrix modulo primes; null where the matrix was not found singular.
    rank: Option<usize>,
    /// The rank by singular values above the tolerance; null where none was found.
    numerical_rank: Option<usize>,
    /// The tolerance of the numerical rank; null where none was found.
    #[schemars(with = "Figure")]
    rank_tolerance: Option<f64>,
    /// How many bits would do; null where unknown.
    bits_needed: Option<u32>,
    /// The number of a row of zeros, from 1; null where there is none.
    zero_row: Option<usize>,
    /// The number of a column of zeros, from 1; null where there is none.
    zero_column: Option<usize>,
    /// The entries that may be zero, so that none of their digits is certain.
    undecided: Vec<Undecided>,
}

/// An entry that may be zero.
#[derive(Serialize, JsonSchema)]
struct Undecided {
    /// Its row, from 1.
    row: usize,
    /// Its column, from 1.
    column: usize,
    /// A bound of its magnitude.
    #[schemars(with = "Figure")]
    bound: f64,
}

impl Known {
    fn of(refusal: &Refusal) -> Self {
        let open = match &refusal.failure {
            Why::Undecided(open) => open.as_slice(),
            _ => &[],
        };
        let undecided = open.iter().map(|x| Undecided {
            row: x.row + 1,
            column: x.col + 1,
            bound: x.bound.to_f64(),
        });
        let rank = match refusal.failure {
            Why::Singular { rank, .. } => Some(rank),
            _ => None,
        };
        let zero = |rows: bool| match refusal.failure {
            Why::Zero { row, index } if row == rows => Some(index + 1),
            _ => None,
        };
        Self {
            route: stages(&refusal.route),
            condition_estimate: refusal.condition.map(Magnitude::to_f64),
            rank,
            numerical_rank: refusal.rank.as_ref().map(|known| known.rank),
            rank_tolerance: refusal.rank.as_ref().map(|known| known.tolerance.to_f64()),
            bits_needed: refusal.bits_to_try(),
            zero_row: zero(true),
            zero_column: zero(false),
            undecided: undecided.collect(),
        }
    }
}

pub(crate) fn stages(route: &[nonius::certified::Stage]) -> Vec<Stage> {
    let stage = |stage: &nonius::certified::Stage| Stage {
        method: stage.by.name(),
        precision: precision_name(stage.bits),
        steps: stage.steps,
        seconds: stage.time.as_secs_f64(),
    };
    route.iter().map(stage).collect()
}

pub(crate) fn precision_name(bits: Option<Bits>) -> String {
    bits.map_or(Precision::F64, Precision::Mp).to_string()
}

fn figures(solution: &Solution, options: Options, seconds: f64, place: &Place) -> Figures {
    let number = Magnitude::to_f64;
    Figures {
        seconds,
        digits_requested: options.digits,
        digits_in: if options.digits_in == DigitsIn::Entry { "entry" } else { "norm" },
        digits_certified: solution.digits,
        exact: solution.digits.is_none(),
        error_bound: number(solution.error_bound),
        condition_estimate: number(solution.condition),
        precision: Precision::Mp(solution.x.bits()).to_string(),
        route: stages(&solution.route),
        device: place.device.to_string(),
        device_reason: reason_text(place),
        rows: solution.x.rows(),
        right_hand_sides: solution.x.cols(),
    }
}

fn summarize(
    solution: &Solution,
    options: Options,
    seconds: f64,
    place: &Place,
    summary: &mut Summary,
) {
    let counted = if options.digits_in == DigitsIn::Entry { "in every entry" } else { "in norm" };
    let digits = match solution.digits {
        Some(digits) => format!("{digits} proved {counted}, {} asked for", options.digits),
        None => "all: the solution is exact".into(),
    };
    summary.line("digits", digits);
    summary.line("error bound", format!("{} relative", solution.error_bound));
    summary.line("condition estimate", solution.condition);
    for stage in &solution.route {
        let (name, time) = (precision_name(stage.bits), time_text(stage.time.as_secs_f64()));
        let (by, steps) = (stage.by, stage.steps);
        summary.line("route", format!("{by} in {name}, {steps} steps, {time}"));
    }
    summary.line("device", device_text(place, seconds));
    summary.line("time", time_text(seconds));
}
