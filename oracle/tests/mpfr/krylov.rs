//! Solutions of sparse systems by iterations against elimination in MPFR.

use std::path::PathBuf;

use nonius::sparse::{self, Solve};
use nonius::{Device, files};
use nonius_linalg::krylov::{Algorithm, Options};
use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::sparse::{Coo, Triplet};
use nonius_num::mp::Bits;
use nonius_oracle::dense::{self, Rows};
use nonius_oracle::mp::float;
use nonius_testkit::krylov::convection;
use rug::Float;

/// Bits of the judge.
const BITS: u32 = 600;

fn zeros(n: usize) -> Vec<Float> {
    vec![Float::new(BITS); n]
}

fn norm<'a>(x: impl IntoIterator<Item = &'a Float>) -> Float {
    let squares = x.into_iter().map(|x| Float::with_val(BITS, x.square_ref()));
    squares.fold(Float::new(BITS), |sum, square| sum + square).sqrt()
}

/// `A⁻¹` by elimination.
fn inverse(a: &Coo<f64>) -> Rows {
    let n = a.rows();
    let mut rows: Rows = (0..n).map(|_| zeros(n)).collect();
    for t in a.triplets() {
        rows[t.row][t.col] += t.value;
    }
    let mut identity: Rows = (0..n).map(|_| zeros(n)).collect();
    (0..n).for_each(|i| identity[i][i] += 1);
    let (_, inverse) = dense::solve(rows, identity, BITS).expect("the matrix has an inverse");
    inverse
}

/// The same matrix with `shift` less on its diagonal.
fn shifted(a: Coo<f64>, shift: f64) -> Coo<f64> {
    let (n, mut triplets) = (a.rows(), a.triplets().collect::<Vec<_>>());
    triplets.extend((0..n).map(|i| Triplet { row: i, col: i, value: -shift }));
    Coo::new(n, n, triplets).unwrap().sum_duplicates()
}

/// The residual that a report states is the exact one, up to roundings, and the error is within the
/// norm of the inverse times that.
fn judge(name: &str, a: &Coo<f64>, algorithms: &[Algorithm]) {
    let (n, bits) = (a.rows(), Bits::new(212).unwrap());
    let inverse = inverse(a);
    let b: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64 / 3.0).collect();
    let exact: Vec<Float> = inverse
        .iter()
        .map(|row| row.iter().zip(&b).fold(Float::new(BITS), |sum, (x, b)| sum + x.clone() * b))
        .collect();
    let size = norm(inverse.iter().flatten());
    let right = Matrix::from_fn_in(bits, n, 1, |i, _| Mp::from_f64(bits, b[i]));
    for &algorithm in algorithms {
        for refine in [None, Some(1e-7)] {
            let tolerance = 1e-55;
            let iteration = Options { tolerance, ..Options::default() };
            let options =
                sparse::Options { algorithm, refine, iteration, ..sparse::Options::default() };
            let system = Solve::short(a.clone(), &right).options(options);
            let (x, report) = system.device(Device::Cpu).run().unwrap();
            let what = format!("{name}, {algorithm}, {refine:?}: {report:?}");
            assert!(report.iteration.converged, "{what}");

            let mut residual: Vec<Float> = b.iter().map(|&b| Float::with_val(BITS, b)).collect();
            for t in a.triplets() {
                residual[t.row] -= float(x.entry(t.col, 0)) * t.value;
            }
            let first = norm(&b.iter().map(|&b| Float::with_val(BITS, b)).collect::<Vec<_>>());
            let found = norm(&residual);
            let relative = Float::with_val(53, &found / &first).to_f64();
            let stated = report.iteration.relative_residual_true;
            // The tolerance bounds the residual of the recursion; the true one drifts away from it.
            assert!(stated <= 1.01 * tolerance, "{what}");
            // Rounded twice: the sum of a row, and the difference.
            let length = norm(&(0..n).map(|i| float(x.entry(i, 0))).collect::<Vec<_>>());
            let entries =
                norm(&a.triplets().map(|t| Float::with_val(BITS, t.value)).collect::<Vec<_>>());
            let terms = (entries * length / &first).to_f64();
            let rounded = 0.5_f64.powi(210) * (terms + 1.0);
            // The report rounds norms of n numbers, and their quotient, to `f64`.
            let norms = (n as f64 + 16.0) * f64::EPSILON / 2.0;
            assert!((relative - stated).abs() <= norms * stated + rounded, "{what}: {relative:e}");

            let error = norm(
                &exact
                    .iter()
                    .enumerate()
                    .map(|(i, exact)| Float::with_val(BITS, exact - float(x.entry(i, 0))))
                    .collect::<Vec<_>>(),
            );
            let bound = Float::with_val(BITS, &size * &found);
            assert!(error <= bound, "{what}: {error} > {bound}");
            println!("{what}: error {:e}", error.to_f64());
        }
    }
}

#[test]
fn solutions_are_within_the_bound_of_their_residuals() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../data/nos4.mtx.xz");
    let nos4 = files::read::<f64>((), &path).unwrap().into_coo().unwrap();
    let whole = Algorithm::Gmres { restart: 100 };
    let cycles = Algorithm::Gmres { restart: 20 };
    judge("nos4", &nos4, &[Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab, whole]);
    judge("nos4 less 0.3", &shifted(nos4, 0.3), &[Algorithm::Minres, whole]);
    let convection = convection(9, 0.7).to_coo();
    judge("convection", &convection, &[Algorithm::Bicgstab, cycles, whole]);
}
