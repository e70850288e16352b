//! Conjugate gradients on positive definite matrices.

use std::ops::ControlFlow;

use nonius_linalg::Numbers;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::SparseNumber;
use nonius_linalg::krylov::{Cg, HostSpace, Identity, LinearOperator, Options, Residual, Stopped};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Csr, Dia, Ell, Jad, Layout};
use nonius_num::{Dd, Qd, Td};

use crate::krylov::common::{diagonal, laplacian, numbers, right_side};

fn options(tolerance: f64) -> Options {
    Options { tolerance, history: true, ..Options::default() }
}

fn bits(bits: u32) -> Bits {
    Bits::new(bits).unwrap()
}

/// The error is at most the condition times the residual, relative to the solution and the
/// right-hand side.
fn solves<T: SparseNumber>(format: T::Format, tolerance: f64) {
    let a = laplacian(13, 0);
    let n = a.shape().0;
    let b: Numbers<T> = numbers(format, &right_side(&a));
    let mut x = Numbers::zeros(format, n);
    let mut space = HostSpace::new(format);
    let mut steps = 0;
    let short = T::short(a).unwrap();
    let report = Cg::new(&space, n)
        .unwrap()
        .solve(&mut space, &short, &Identity, &b, &mut x, &options(tolerance), |step| {
            steps += 1;
            assert_eq!((step.iteration, step.inner), (steps, None));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(report.converged && report.stopped == Stopped::Converged);
    assert_eq!((report.iterations, report.history.len()), (steps, steps + 1));
    assert_eq!(report.history[0], 1.0);
    assert_eq!(report.history[steps], report.relative_residual_recursive);
    assert!(report.relative_residual_recursive <= tolerance);
    assert!(report.history[..steps].iter().all(|&r| r > tolerance));
    assert_eq!(report.non_positive, None);
    // κ(A) = cot²(π/28) < 80.
    let norm =
        |x: &mut dyn Iterator<Item = T>| x.map(|x| x.to_f64() * x.to_f64()).sum::<f64>().sqrt();
    let whole = |i: usize| T::from_f64((i + 1) as f64);
    let error = norm(&mut x.as_slice().iter().enumerate().map(|(i, x)| x - whole(i)));
    let size = norm(&mut (0..n).map(whole));
    assert!(error <= 80.0 * report.relative_residual_true * size, "{}", T::precision(format));
    // A sum of n squares errs by γₙ (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd
    // ed., (3.5)), and the root halves the error of each of the two norms.
    let rounding = (n as f64 + 8.0) * f64::EPSILON / 2.0;
    assert!(
        (report.first_residual - norm(&mut b.as_slice().iter())).abs()
            < rounding * report.first_residual
    );
}

#[test]
fn solutions_are_as_good_as_the_residual_says() {
    solves::<f64>((), 1e-12);
    solves::<Dd>((), 1e-25);
    solves::<Td>((), 1e-40);
    solves::<Qd>((), 1e-55);
    solves::<Mp>(bits(106), 1e-25);
    solves::<Mp>(bits(424), 1e-120);
    // Squares of errors are in the range of `f64`.
    solves::<Mp>(bits(1000), 1e-150);
    solves::<Mp>(bits(2048), 1e-150);
}

/// The solution, and the iterations.
fn solved<T: SparseNumber>(
    a: &impl LinearOperator<HostSpace<T>>,
    b: &Numbers<T>,
) -> (Numbers<T>, usize) {
    let mut x = Numbers::zeros(b.format(), b.len());
    let mut space = HostSpace::new(b.format());
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let report = cg
        .solve(&mut space, a, &Identity, b, &mut x, &options(1e-20), |_| ControlFlow::Continue(()))
        .unwrap();
    (x, report.iterations)
}

/// Formats that sum alike yield the same bits; those by diagonals do for `mp`.
fn formats_agree<T: SparseNumber>(format: T::Format, diagonals_agree: bool) {
    let a = laplacian(9, 3);
    let b: Numbers<T> = numbers(format, &right_side(&a));
    let a = T::short(a).unwrap();
    let first = solved(&a, &b);
    assert_eq!(solved(&Ell::from_csr(&a).unwrap(), &b), first);
    assert_eq!(solved(&Jad::from_csr(&a).unwrap(), &b), first);
    let by_diagonals = solved(&Dia::from_csr(&a).unwrap(), &b);
    assert!(by_diagonals.1.abs_diff(first.1) <= 2);
    assert!(!diagonals_agree || by_diagonals == first);
}

#[test]
fn formats_have_the_same_iterations() {
    formats_agree::<Dd>((), false);
    for p in [106, 212, 424, 1000, 2048] {
        formats_agree::<Mp>(bits(p), true);
    }
}

/// As many iterations as there are different eigenvalues find the solution to the last bits.
#[test]
fn solutions_have_all_bits() {
    let entries: Vec<f64> = (0..40).map(|i| f64::from(1 + i % 4)).collect();
    let a = diagonal(&entries);
    for p in [106, 424, 1000, 2048] {
        let p = bits(p);
        let b = numbers::<Mp>(p, &[1.0; 40]);
        let mut x = Numbers::zeros(p, 40);
        let mut space = HostSpace::<Mp>::new(p);
        let mut cg = Cg::new(&space, 40).unwrap();
        // Roundings of the iterations: sums of 40 products, a quotient and three updates each.
        let lost = 12;
        let tolerance = 0.5_f64.powi((p.get() as i32 - lost).min(1000));
        let short = a.to_format::<Mp>(Bits::FEWEST).unwrap();
        let report =
            cg.solve(&mut space, &short, &Identity, &b, &mut x, &options(tolerance), |_| {
                ControlFlow::Continue(())
            });
        let report = report.unwrap();
        assert!(report.converged && report.iterations == 4, "mp{p}: {report:?}");
        for (x, &entry) in x.as_slice().iter().zip(&entries) {
            let error = x - Mp::one(p) / Mp::from_f64(p, entry);
            let small = error.head().exponent().is_none_or(|e| e <= lost - p.get() as i32);
            assert!(small, "mp{p}: {}", error.ldexp(p.get() as i32).to_f64());
        }
    }
}

/// More bits keep directions orthogonal, and so take fewer iterations, down to as many as there are
/// different eigenvalues.
#[test]
fn bits_save_iterations() {
    let eigenvalues: Vec<f64> = (0..24).map(|i| 10.0_f64.powf(f64::from(i) / 2.0)).collect();
    let a = diagonal(&eigenvalues);
    let counts: Vec<usize> = [64, 106, 1000]
        .map(|p| {
            let b = numbers::<Mp>(bits(p), &[1.0; 24]);
            solved(&a.to_format::<Mp>(Bits::FEWEST).unwrap(), &b).1
        })
        .into();
    assert!(counts[0] > counts[1] && counts[1] >= counts[2], "{counts:?}");
    assert_eq!(counts[2], 24);
}

/// Values of the vectors' precision do what short values do where they are the same numbers.
fn values_in_working_precision<T: SparseNumber>(format: T::Format) {
    let a = laplacian(7, 2);
    let b: Numbers<T> = numbers(format, &right_side(&a));
    let long: Csr<T> = a.to_format(format).unwrap();
    assert_eq!(solved(&long, &b), solved(&T::short(a).unwrap(), &b));
}

#[test]
fn values_of_the_vectors_precision() {
    values_in_working_precision::<Dd>(());
    for p in [106, 300, 1000, 2048] {
        values_in_working_precision::<Mp>(bits(p));
    }
}

/// A system that is solved in two parts ends where it is asked to; one that is solved already takes
/// no iteration.
#[test]
fn iterations_resume() {
    let a = laplacian(10, 0);
    let n = a.shape().0;
    let b: Numbers<f64> = right_side(&a).into();
    let mut x = Numbers::zeros((), n);
    let mut space = HostSpace::new(());
    let mut cg = Cg::new(&space, n).unwrap();
    let few = Options { max_iterations: 5, ..options(1e-10) };
    let report = cg
        .solve(&mut space, &a, &Identity, &b, &mut x, &few, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(!report.converged && report.stopped == Stopped::Iterations && report.iterations == 5);
    let norm = report.first_residual;
    let absolute = Options { tolerance: 1e-10 * norm, relative: false, ..options(0.0) };
    let report = cg
        .solve(&mut space, &a, &Identity, &b, &mut x, &absolute, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(report.converged && report.iterations > 5 && report.first_residual < norm);
    let report = cg
        .solve(&mut space, &a, &Identity, &b, &mut x, &absolute, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(report.converged && report.iterations == 0);
    assert_eq!(report.relative_residual_recursive, 1.0);
    // Nothing is to be done for b = 0, and for no equations.
    let (zero, mut x) = (Numbers::zeros((), n), Numbers::zeros((), n));
    let report = cg
        .solve(&mut space, &a, &Identity, &zero, &mut x, &options(0.0), |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(report.converged && report.iterations == 0 && report.relative_residual_true == 0.0);
    let empty = diagonal(&[]);
    let (none, mut x) = (Numbers::new(()), Numbers::new(()));
    let mut cg = Cg::new(&space, 0).unwrap();
    let report = cg
        .solve(&mut space, &empty, &Identity, &none, &mut x, &options(1e-8), |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(report.converged && report.iterations == 0);
}

/// What the recursion calls a residual becomes as small as one likes; the true one does not.
#[test]
fn the_true_residual_counts_where_asked() {
    let eigenvalues: Vec<f64> = (0..40).map(|i| 10.0_f64.powf(f64::from(i) / 4.0)).collect();
    let a = diagonal(&eigenvalues);
    let b: Numbers<f64> = eigenvalues.iter().map(|x| x / 3.0).collect::<Vec<_>>().into();
    let mut space = HostSpace::new(());
    let mut cg = Cg::new(&space, 40).unwrap();
    let mut x = Numbers::zeros((), 40);
    let recursive = Options { tolerance: 1e-30, ..options(0.0) };
    let report = cg
        .solve(&mut space, &a, &Identity, &b, &mut x, &recursive, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(report.converged && report.relative_residual_recursive <= recursive.tolerance);
    // The rounding of the solution alone leaves a residual of about u.
    assert!(report.relative_residual_true > f64::EPSILON / 1024.0);
    let asked = Options { residual: Residual::True, max_iterations: 4000, ..recursive };
    x = Numbers::zeros((), 40);
    let report =
        cg.solve(&mut space, &a, &Identity, &b, &mut x, &asked, |_| ControlFlow::Continue(()));
    assert!(!report.is_ok_and(|report| report.converged));
    let modest = Options { tolerance: 1e-9, ..asked };
    x = Numbers::zeros((), 40);
    let report = cg
        .solve(&mut space, &a, &Identity, &b, &mut x, &modest, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(report.converged && report.relative_residual_true <= modest.tolerance);
}

/// Roundings of every term cost iterations, and yield a solution all the same.
#[test]
fn sums_rounded_term_by_term() {
    let a = laplacian(12, 4).to_format::<Mp>(Bits::FEWEST).unwrap();
    let n = a.shape().0;
    let b = numbers::<Mp>(Bits::new(106).unwrap(), &vec![1.0; n]);
    let (tolerance, mut counts) = (1e-12, Vec::new());
    for arithmetic in [Arithmetic::Delayed, Arithmetic::Ieee] {
        let mut space = HostSpace::<Mp>::new(b.bits()).with_arithmetic(arithmetic).unwrap();
        let mut x = Numbers::zeros(b.bits(), n);
        let mut cg = Cg::new(&space, n).unwrap();
        let report = cg
            .solve(&mut space, &a, &Identity, &b, &mut x, &options(tolerance), |_| {
                ControlFlow::Continue(())
            })
            .unwrap();
        // The tolerance bounds the residual of the recursion; the true one drifts away from it.
        assert!(report.converged && report.relative_residual_true < 2.0 * tolerance);
        counts.push(report.iterations);
    }
    assert!(counts[0] <= counts[1], "{counts:?}");
    assert!(HostSpace::<Mp>::new(b.bits()).with_arithmetic(Arithmetic::Sloppy).is_err());
}
