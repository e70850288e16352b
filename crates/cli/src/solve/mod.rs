//! `nonius solve`

mod arguments;

use nonius::dense::{self, Method, SolveReport};
use nonius::num::mp::Bits;
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::{Common, Setting, condition_text, gflops};
use crate::digits;
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::least_squares;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// The solution of a square system, in one precision.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Billions of additions and multiplications a second.
    #[schemars(with = "Figure")]
    gflops: f64,
    /// Backward error of the solution, from a residual in higher precision.
    relative_residual: Figure,
    /// Estimate of the condition number in the 1-norm, which has no unit.
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    /// The method that the program used, never auto.
    method: &'static str,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// The number of right-hand sides.
    right_hand_sides: usize,
    /// Estimate of the largest error of a column beside its largest entry; null where unknown.
    forward_error_estimate: Figure,
    /// Decimal digits of the largest entries that should be right; 0 where nothing is known.
    correct_digits: f64,
    /// Largest error of an entry, where the solution is known: all ones; else null.
    max_error: Option<Figure>,
    /// Time for the figures that say how good the result is, in seconds.
    check_seconds: f64,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { a, common, precision, output, .. } = self;
        Names::default()
            .read("A", a)
            .read("B", self.rhs_file())
            .written("--output", Contents::Matrix, output.as_ref())
            .check(common.json)?;
        match self.digits {
            Some(digits) => common.run(|| digits::run(self, digits)),
            None => common.run_at(*precision, Solve(self)),
        }
    }

    fn objects() -> Objects {
        Objects::Of(vec![
            Object::of_success::<Figures>(),
            Object::of_success::<least_squares::Figures>(),
            Object::of_success::<digits::Figures>(),
            Object::of_failure::<digits::Known>(),
        ])
    }
}

struct Solve<'a>(&'a Arguments);

impl Job for Solve<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let arguments = self.0;
        let common = &arguments.common;
        let output = Output::beside(arguments.output.as_ref());
        let products = arguments.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&arguments.a);
        let (header, a) = input::read_dense::<T>(format, &arguments.a, progress)?;
        let (n, cols) = a.shape();
        if n == 0 || cols == 0 {
            return Err(Failure::input(format!(
                "{name}: expected a matrix of at least one row and column, found {n} × {cols}"
            )));
        }
        if n != cols && arguments.method != Method::Auto {
            return Err(Failure::input(format!(
                "{name}: expected a square matrix for --method {}, found {n} × {cols}",
                arguments.method
            )));
        }
        let file = match arguments.rhs_file() {
            None => None,
            Some(path) => {
                let (header, b) = input::read_right::<T>(format, path, n, progress)?;
                if b.rows() != n {
                    let (path, rows) = (display_name(path), b.rows());
                    return Err(Failure::input(format!(
                        "{path}: expected {n} rows, as {name} has, found {rows}"
                    )));
                }
                Some((format!("{}: {}", display_name(path), describe(&header)), b))
            }
        };
        let (b_text, b) = match &file {
            None => ("A · ones".to_string(), None),
            Some((text, b)) => (text.clone(), Some(b)),
        };

        if n != cols {
            let of = least_squares::System { a: &a, header: &header, name: &name, b, b_text };
            return least_squares::run(of, products, &output, common);
        }

        let bar =
            progress.work(format!("solving a system of order {n} in {}", T::precision(format)));
        let mut system = dense::Solve::new(&a).method(arguments.method).products(products);
        if let Some(b) = b {
            system = system.rhs(b);
        }
        let solved = system.device(common.device).run();
        bar.finish_and_clear();
        let (x, report) = solved.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the solution", &report.place);

        let bar = progress.work("writing".into());
        output.write_matrix(report.precision, &x)?;
        bar.finish_and_clear();

        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summary.line("B", b_text);
        summarize(&report, &mut summary);
        summary.result("solution", &x, &output);
        let figures = figures(&report, x.shape());
        Ok(Report::new(figures).with_summary(summary).beside([&output]))
    }
}

fn figures(report: &SolveReport, (rows, right_hand_sides): (usize, usize)) -> Figures {
    Figures {
        seconds: report.solve_time.as_secs_f64(),
        gflops: gflops(report.operations, report.solve_time),
        relative_residual: Figure(report.relative_residual),
        condition_estimate: Figure(report.condition_estimate),
        setting: Setting::new(report.precision, report.arithmetic, &report.place),
        method: report.method.name(),
        rows,
        right_hand_sides,
        forward_error_estimate: Figure(report.forward_error_estimate),
        correct_digits: report.correct_digits,
        max_error: report.max_error.map(Figure),
        check_seconds: report.check_time.as_secs_f64(),
    }
}

fn summarize(report: &SolveReport, summary: &mut Summary) {
    let precision = report.precision;
    summary.setting(precision, report.arithmetic, (&report.place, report.solve_time.as_secs_f64()));
    let turned = report.rejected.as_ref().map(|error| format!(" (not Cholesky: {error})"));
    summary.line("method", format!("{}{}", report.method, turned.unwrap_or_default()));
    let (solving, checking) =
        (time_text(report.solve_time.as_secs_f64()), time_text(report.check_time.as_secs_f64()));
    let rate = gflops(report.operations, report.solve_time);
    summary.line("time", format!("{solving}, {rate:.3} GFLOPS; checks {checking}"));
    summary.line("relative residual", format!("{:.1e}", report.relative_residual));
    let digits = report.correct_digits.floor();
    let condition = condition_text(report.condition_estimate, precision);
    // The digits are those of rows and columns that are brought to one size.
    let is_scaled = digits > 0.0 && !condition.starts_with(|first: char| first.is_ascii_digit());
    let word = if is_scaled { "; far less with rows and columns scaled, as solved" } else { "" };
    summary.line("condition estimate", format!("{condition}{word}"));
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
    if let Some(error) = report.max_error {
        summary.line("largest error", format!("{error:.1e} (the solution is known: all ones)"));
    }
    if digits == 0.0 {
        let advice = higher(precision).map(|p| format!("; try --precision {p}"));
        let advice = advice.unwrap_or_default();
        summary.warning(format!("A is too ill-conditioned for {precision}{advice}"));
    }
}

/// A precision that may have correct digits where this one has none.
fn higher(precision: Precision) -> Option<Precision> {
    let bits = precision.bits();
    let fixed = Precision::FIXED.into_iter().find(|fixed| fixed.bits() > bits);
    let any = || Bits::new((2 * bits).min(Bits::MOST)).ok().map(Precision::Mp);
    match precision {
        Precision::Mp(_) => any().filter(|any| any.bits() > bits),
        _ => fixed.or_else(any),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_goes_up_to_the_last_bit() {
        for (precision, expected) in [
            ("f64", Some("dd")),
            ("qd", Some("mp416")),
            ("mp64", Some("mp128")),
            ("mp2048", Some("mp4096")),
            ("mp2049", Some("mp4096")),
            ("mp4095", Some("mp4096")),
            ("mp4096", None),
        ] {
            let found = higher(precision.parse().unwrap()).map(|p| p.to_string());
            assert_eq!(found.as_deref(), expected, "{precision}");
        }
    }
}
