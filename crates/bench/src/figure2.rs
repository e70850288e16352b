//! Figure 2 of the paper on conjugate gradients in multiple precision (Isupov and others, 2022):
//! iterations by precision, without a preconditioner, with the inverse diagonal and with incomplete
//! Cholesky factors, for four matrices, `b` of ones and `x₀ = 0`, until the residual has fallen by
//! `10^-8`.
//!
//! **Orders.** A count at 53 or 106 bits depends on the roundings, so on the order in which sums
//! are formed. Ours are formed in three ways: `f64` and `dd` in lanes and blocks, `mp` with one
//! rounding a block (`delayed`), `mp` with every product and every addition rounded (`ieee`), in
//! 256 sums for vectors and term by term in rows. And the unknowns are put in other orders:
//! `reversed` and `shuffled`, which is the same system with the terms of every sum exchanged.
//! MPFR's counts are by sums from the first term to the last.
//!
//! **Residues.** The paper's numbers are in residues; so are these where asked, with the counts of
//! `ieee`.

use std::error::Error;
use std::fs;
use std::path::Path;

use nonius::dense::Arithmetic;
use nonius::sparse::{
    Algorithm, Coo, Iteration, Options, Preconditioning, Report, Solve, Storage, Triplet,
};
use nonius::{Device, Matrix, Number, files};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};

const MATRICES: [&str; 4] = ["bcsstm10", "plbuckle", "bcsstk27", "aft01"];
const PRECISIONS: [&str; 5] = ["f64", "dd", "mp106", "mp212", "mp424"];
/// The paper's three bars.
const PRECONDITIONERS: [Preconditioning; 3] =
    [Preconditioning::None, Preconditioning::Jacobi, Preconditioning::IncompleteCholesky];
/// Precisions whose counts change with the order of sums.
const UNSTEADY: [&str; 3] = ["f64", "dd", "mp106"];
const ORDERS: [Order; 3] = [Order::Natural, Order::Reversed, Order::Shuffled];
/// The paper's counts that we hold: matrix, precision, iterations without a preconditioner.
const PAPER: [(&str, &str, usize); 2] = [("bcsstm10", "f64", 11210), ("bcsstm10", "mp424", 1420)];
/// Residuals of an iteration that are kept for the picture, at most.
const POINTS: usize = 120;

/// An order of the unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    Natural,
    Reversed,
    Shuffled,
}

/// One solution.
#[derive(Debug, Serialize)]
struct Row {
    matrix: String,
    n: usize,
    entries: usize,
    precision: String,
    arithmetic: String,
    storage: &'static str,
    device: String,
    preconditioner: String,
    order: Order,
    iterations: usize,
    converged: bool,
    relative_residual_recursive: f64,
    relative_residual_true: f64,
    seconds: f64,
    /// MPFR's iterations, in the natural order.
    mpfr: Option<usize>,
    /// The paper's.
    paper: Option<usize>,
}

/// A residual on the way.
#[derive(Serialize)]
struct Point<'a> {
    matrix: &'a str,
    precision: &'a str,
    preconditioner: &'a str,
    iteration: usize,
    relative_residual: String,
}

/// Iterations of the same method in MPFR, as its file names them.
#[derive(Deserialize)]
struct Known {
    matrix: String,
    prec: u32,
    precond: String,
    iters: usize,
}

/// MPFR's counts: matrices as `f64`s, `b` of ones, sums from the first term to the last.
const MPFR: &str = include_str!("../data/cg_mpfr.json");

/// Where and in what numbers systems are solved.
pub(crate) struct Setting {
    pub(crate) device: Device,
    /// Whether numbers of `mp` precisions are in residues.
    pub(crate) residues: bool,
}

/// Solves all systems, prints the table, and writes `counts.csv` and `residuals.csv` to a folder.
pub(crate) fn measure(matrices: &Path, setting: &Setting, to: &Path) -> Result<(), Box<dyn Error>> {
    let known: Vec<Known> = serde_json::from_str(MPFR)?;
    fs::create_dir_all(to)?;
    let mut counts = csv::Writer::from_path(to.join("counts.csv"))?;
    let mut residuals = csv::Writer::from_path(to.join("residuals.csv"))?;
    println!("{HEADER}");
    for name in MATRICES {
        let file = matrices.join(format!("{name}.mtx.xz"));
        let a = files::read::<f64>((), &file)?.into_coo().map_err(|_| format!("{name}: dense"))?;
        for preconditioning in PRECONDITIONERS {
            for (precision, arithmetic, order) in runs(setting.residues) {
                let a = reordered(&a, order)?;
                let report = match solve(&a, precision, (arithmetic, preconditioning), setting) {
                    Ok(report) => report,
                    // The paper has no bar there either.
                    Err(error) if preconditioning == Preconditioning::IncompleteCholesky => {
                        println!("{name}: {precision}, {preconditioning}: {error}");
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                let row = row(name, &a, precision, preconditioning, order, &report, &known);
                println!("{}", line(&row));
                counts.serialize(&row)?;
                counts.flush()?;
                let is_drawn = arithmetic == Arithmetic::Delayed || setting.residues;
                if order == Order::Natural && is_drawn {
                    for (iteration, residual) in thinned(&report.iteration.history) {
                        residuals.serialize(Point {
                            matrix: name,
                            precision,
                            preconditioner: &row.preconditioner,
                            iteration,
                            relative_residual: format!("{residual:.3e}"),
                        })?;
                    }
                }
            }
        }
    }
    println!("paper: aft01's true residual in f64 is 1.02e-8");
    residuals.flush()?;
    Ok(())
}

/// What is solved for each matrix and preconditioner.
fn runs(residues: bool) -> impl Iterator<Item = (&'static str, Arithmetic, Order)> {
    let all = positional_runs();
    // Residues have one arithmetic and one order.
    let has = |(precision, arithmetic, order): &(&str, Arithmetic, Order)| {
        precision.starts_with("mp") && *arithmetic == Arithmetic::Ieee && *order == Order::Natural
    };
    all.filter(move |run| !residues || has(run))
}

fn positional_runs() -> impl Iterator<Item = (&'static str, Arithmetic, Order)> {
    PRECISIONS.into_iter().flat_map(|precision| {
        let arithmetics: &[Arithmetic] = if precision.starts_with("mp") {
            &[Arithmetic::Delayed, Arithmetic::Ieee]
        } else {
            &[Arithmetic::Delayed]
        };
        let orders = if UNSTEADY.contains(&precision) { &ORDERS[..] } else { &ORDERS[..1] };
        let each = arithmetics.iter().flat_map(move |&a| orders.iter().map(move |&o| (a, o)));
        each.map(move |(arithmetic, order)| (precision, arithmetic, order))
    })
}

/// The system with its unknowns in another order.
fn reordered(a: &Coo<f64>, order: Order) -> Result<Coo<f64>, Box<dyn Error>> {
    let n = a.rows();
    let mut place: Vec<usize> = (0..n).collect();
    match order {
        Order::Natural => {}
        Order::Reversed => place.reverse(),
        Order::Shuffled => place.shuffle(&mut StdRng::seed_from_u64(1)),
    }
    let triplets = a.triplets();
    let moved = triplets.map(|t| Triplet { row: place[t.row], col: place[t.col], value: t.value });
    Ok(Coo::new(n, a.cols(), moved.collect()).ok_or("a triplet outside the matrix")?)
}

fn solve(
    a: &Coo<f64>,
    precision: &str,
    (arithmetic, preconditioning): (Arithmetic, Preconditioning),
    setting: &Setting,
) -> Result<Report, Box<dyn Error>> {
    let iteration = Iteration { history: true, ..Iteration::default() };
    let algorithm = Algorithm::Cg;
    let rest = Options::default();
    let storage = if setting.residues { Storage::Residues(None) } else { Storage::Positional };
    let options = Options { algorithm, iteration, preconditioning, arithmetic, storage, ..rest };
    let device = setting.device;
    match precision {
        "f64" => run::<f64>((), a, options, device),
        "dd" => run::<Dd>((), a, options, device),
        _ => {
            let bits = Bits::new(precision.trim_start_matches("mp").parse()?)?;
            run::<Mp>(bits, a, options, device)
        }
    }
}

fn run<T: Number>(
    format: T::Format,
    a: &Coo<f64>,
    options: Options,
    device: Device,
) -> Result<Report, Box<dyn Error>> {
    let ones = Matrix::from_fn_in(format, a.rows(), 1, |_, _| T::ONE);
    let solve = Solve::short(a.clone(), &ones).options(options).device(device);
    Ok(solve.run()?.1)
}

fn row(
    name: &str,
    a: &Coo<f64>,
    precision: &str,
    preconditioning: Preconditioning,
    order: Order,
    report: &Report,
    known: &[Known],
) -> Row {
    let bits = match precision {
        "f64" => "53",
        "dd" => "106",
        mp => mp.trim_start_matches("mp"),
    };
    let spelling = match preconditioning {
        Preconditioning::None => "none",
        Preconditioning::Jacobi => "diag",
        _ => "ic0",
    };
    let mpfr = known
        .iter()
        .find(|k| k.matrix == name && k.prec.to_string() == bits && k.precond == spelling)
        .map(|k| k.iters);
    let paper = PAPER
        .iter()
        .find(|p| p.0 == name && p.1 == precision && preconditioning == Preconditioning::None)
        .map(|p| p.2);
    let iteration = &report.iteration;
    Row {
        matrix: name.into(),
        n: a.rows(),
        entries: report.entries,
        precision: precision.into(),
        arithmetic: report.arithmetic.to_string(),
        storage: if report.moduli.is_some() { "rns" } else { "positional" },
        device: match report.place.device {
            Device::Cuda(_) => "gpu".into(),
            _ => "cpu".into(),
        },
        preconditioner: preconditioning.to_string(),
        order,
        iterations: iteration.iterations,
        converged: iteration.converged,
        relative_residual_recursive: iteration.relative_residual_recursive,
        relative_residual_true: iteration.relative_residual_true,
        seconds: report.time.as_secs_f64(),
        mpfr,
        paper,
    }
}

const HEADER: &str = "matrix    precision arithmetic precond. order      iterations  recursive       true  seconds        MPFR     paper";

fn line(row: &Row) -> String {
    let beside = |count: Option<usize>| match count {
        Some(count) => {
            format!("{count} {:+.1}%", 100.0 * (row.iterations as f64 / count as f64 - 1.0))
        }
        None => "—".into(),
    };
    format!(
        "{:9} {:9} {:10} {:8} {:10} {:9}{} {:10.2e} {:10.2e} {:8.2} {:>13} {:>13}",
        row.matrix,
        row.precision,
        row.arithmetic,
        row.preconditioner,
        format!("{:?}", row.order).to_lowercase(),
        row.iterations,
        if row.converged { " " } else { "*" },
        row.relative_residual_recursive,
        row.relative_residual_true,
        row.seconds,
        beside(row.mpfr),
        beside(row.paper),
    )
}

/// Residuals from the first to the last, [`POINTS`] at most.
fn thinned(history: &[f64]) -> impl Iterator<Item = (usize, f64)> {
    let step = history.len().div_ceil(POINTS).max(1);
    let last = history.len().saturating_sub(1);
    let kept = history.iter().copied().enumerate();
    kept.filter(move |(i, _)| i % step == 0 || *i == last)
}
