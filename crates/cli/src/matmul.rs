//! `nonius matmul`

use std::path::PathBuf;

use clap::Args;
use nonius::dense::{self, Error, MultiplyReport, ProductRoute, Transpose};
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{Common, ProductFlags, Setting, device_text, gflops, precision_text};
use crate::failure::{Failure, WIDER};
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// Multiply two matrices: ALPHA · A · B + BETA · C
#[derive(Args)]
pub(crate) struct Arguments {
    /// The left factor; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The right factor; `-` is standard input
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Multiply by the transpose of A
    #[arg(long)]
    transpose_a: bool,

    /// Multiply by the transpose of B
    #[arg(long)]
    transpose_b: bool,

    /// The factor ALPHA of the product, a decimal number
    #[arg(long, value_name = "ALPHA", default_value = "1", allow_hyphen_values = true)]
    alpha: String,

    /// The factor BETA of C, a decimal number [default: 1]
    #[arg(long, value_name = "BETA", requires = "c", allow_hyphen_values = true)]
    beta: Option<String>,

    /// The matrix C, which is added to the product; `-` is standard input
    #[arg(long, value_name = "FILE")]
    c: Option<PathBuf>,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Write the product to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    common: Common,
}

/// A product.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Billions of additions and multiplications a second.
    #[schemars(with = "Figure")]
    gflops: f64,
    #[serde(flatten)]
    setting: Setting,
    /// What computed the product: direct or crt.
    engine: &'static str,
    /// Bits of the integers to which crt rounded the entries; null for direct.
    bits: Option<u32>,
    /// The number of moduli of crt; 0 for direct.
    moduli: usize,
    /// Why crt was tried and not taken; else null.
    fallback: Option<String>,
    /// Rows of the product.
    rows: usize,
    /// Columns of the product.
    columns: usize,
    /// Terms of the sum that an entry is.
    terms: usize,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { a, b, c, common, precision, output, .. } = self;
        let names = Names::default().read("A", a).read("B", b).read("--c", c.as_ref());
        names.written("--output", Contents::Matrix, output.as_ref()).check(common.json)?;
        common.run_at(*precision, Multiply(self))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

struct Multiply<'a>(&'a Arguments);

impl Job for Multiply<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let arguments = self.0;
        let common = &arguments.common;
        let output = Output::beside(arguments.output.as_ref());
        let products = arguments.products.of::<T>()?;
        let progress = common.progress();
        let alpha = number::<T>(format, "--alpha", &arguments.alpha)?;
        let beta = number::<T>(format, "--beta", arguments.beta.as_deref().unwrap_or("1"))?;

        let (header_a, a) = input::read_dense::<T>(format, &arguments.a, progress)?;
        let (header_b, b) = input::read_dense::<T>(format, &arguments.b, progress)?;
        let transpose_a = transpose(arguments.transpose_a);
        let transpose_b = transpose(arguments.transpose_b);
        check_factors(arguments, a.shape(), b.shape())?;
        let (m, k) = transpose_a.shape(a.shape());
        let (_, n) = transpose_b.shape(b.shape());
        let mut product = dense::Multiply::new(&a, &b)
            .transpose_a(transpose_a)
            .transpose_b(transpose_b)
            .alpha(alpha)
            .products(products);
        if let Some(path) = &arguments.c {
            let (_, c) = input::read_dense::<T>(format, path, progress)?;
            check_added(path, c.shape(), (m, n))?;
            product = product.plus(beta, c);
        }

        let bar = progress.work(format!("multiplying {m} × {k} by {k} × {n}"));
        let done = product.device(common.device).run();
        bar.finish_and_clear();
        let name = || format!("{} · {}", display_name(&arguments.a), display_name(&arguments.b));
        let (c, report) = done.map_err(|error| match error {
            Error::Overflow { .. } | Error::NotFinite { .. } => {
                Failure::numerical(format!("{}: {error}: {WIDER}", name()))
            }
            error => Failure::input(format!("{}: {error}", name())),
        })?;
        common.explain("the product", &report.place);

        let bar = progress.work("writing".into());
        output.write_matrix(report.precision, &c)?;
        bar.finish_and_clear();

        let figures = Figures {
            seconds: report.time.as_secs_f64(),
            gflops: gflops(report.operations, report.time),
            setting: Setting::new(report.precision, report.arithmetic, &report.place),
            engine: report.route.engine.name(),
            bits: report.route.bits,
            moduli: report.route.moduli,
            fallback: report.route.fallback.map(|reason| reason.to_string()),
            rows: m,
            columns: n,
            terms: k,
        };
        let mut summary = Summary::default();
        summary.line("A", format!("{}: {}", display_name(&arguments.a), describe(&header_a)));
        summary.line("B", format!("{}: {}", display_name(&arguments.b), describe(&header_b)));
        summary.line("result", format!("{m} × {n}"));
        summary.line("precision", precision_text(report.precision));
        summary.line("engine", engine_text(&report));
        let (seconds, rate) = (report.time.as_secs_f64(), gflops(report.operations, report.time));
        summary.line("device", device_text(&report.place, seconds));
        summary.line("time", format!("{}, {rate:.3} GFLOPS", time_text(seconds)));
        summary.result("product", &c, &output);
        Ok(Report::new(figures).with_summary(summary).beside([&output]))
    }
}

/// `crt: 30 moduli, entries of 106 bits`
fn engine_text(report: &MultiplyReport) -> String {
    let ProductRoute { engine, bits, moduli, fallback } = report.route;
    let fallback = fallback.map(|reason| format!(", not crt: {reason}")).unwrap_or_default();
    match bits {
        Some(bits) => format!("{engine}: {moduli} moduli, entries of {bits} bits"),
        None => format!("{engine}, {} arithmetic{fallback}", report.arithmetic),
    }
}

fn transpose(yes: bool) -> Transpose {
    if yes { Transpose::Yes } else { Transpose::No }
}

/// A finite number from an argument, rounded once.
fn number<T: Number>(format: T::Format, flag: &str, text: &str) -> Result<T, Failure> {
    match T::from_decimal_in(format, text.as_bytes()) {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(Failure::input(format!(
            "{flag}: expected a finite decimal number in the range of {}, found `{text}`",
            T::precision(format)
        ))),
    }
}

fn check_factors(
    arguments: &Arguments,
    left: (usize, usize),
    right: (usize, usize),
) -> Result<(), Failure> {
    let columns = transpose(arguments.transpose_a).shape(left).1;
    let rows = transpose(arguments.transpose_b).shape(right).0;
    if columns == rows {
        return Ok(());
    }
    let factor = |path, shape: (usize, usize), transposed| {
        let transposed = if transposed { ", transposed" } else { "" };
        format!("{} ({} × {}{transposed})", display_name(path), shape.0, shape.1)
    };
    Err(Failure::input(format!(
        "{} cannot be multiplied by {}: expected as many columns as rows, found {columns} and {rows}",
        factor(&arguments.a, left, arguments.transpose_a),
        factor(&arguments.b, right, arguments.transpose_b),
    )))
}

fn check_added(
    path: &std::path::Path,
    found: (usize, usize),
    expected: (usize, usize),
) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{}: expected the shape of the product, {} × {}, found {} × {}",
        display_name(path),
        expected.0,
        expected.1,
        found.0,
        found.1
    )))
}
