//! Conjugate gradients on positive definite matrices.

use nonius_linalg::Scalar;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{Cg, Identity, LimbSpace, MpSpace, Options, Residual, Stopped};
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_linalg::sparse::{Csr, Dia, Ell, Jad, Layout};
use nonius_num::{Dd, Qd, Real, Td};

use crate::krylov::common::{diagonal, laplacian, right_side, to_mp};

fn options(tolerance: f64) -> Options {
    Options { tolerance, history: true, ..Options::default() }
}

/// The error is at most the condition times the residual, relative to the solution and the right-hand side.
fn solves<T: Scalar>(tolerance: f64) {
    let a = laplacian(13, 0);
    let n = a.shape().0;
    let b: Vec<T> = right_side(&a);
    let mut x = vec![T::ZERO; n];
    let mut space = LimbSpace::new();
    let mut steps = 0;
    let report = Cg::new(&space, n)
        .unwrap()
        .solve(&mut space, &a, &Identity, &b, &mut x, &options(tolerance), |step| {
            steps += 1;
            assert_eq!(step.iteration, steps);
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
    let error = norm(&mut x.iter().enumerate().map(|(i, &x)| x - T::from_f64((i + 1) as f64)));
    let size = norm(&mut (0..n).map(|i| T::from_f64((i + 1) as f64)));
    assert!(error <= 80.0 * report.relative_residual_true * size, "{}", T::NAME);
    // A sum of n squares errs by γₙ (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd
    // ed., (3.5)), and the root halves the error of each of the two norms.
    let rounding = (n as f64 + 8.0) * f64::EPSILON / 2.0;
    assert!(
        (report.first_residual - norm(&mut b.iter().copied())).abs()
            < rounding * report.first_residual
    );
}

#[test]
fn solutions_are_as_good_as_the_residual_says() {
    solves::<f64>(1e-12);
    solves::<Dd>(1e-25);
    solves::<Td>(1e-40);
    solves::<Qd>(1e-55);
}

fn by_limbs<A: Layout<Values = Vec<f64>>>(a: &A, b: &[Dd]) -> (Vec<Dd>, usize) {
    let mut x = vec![Dd::ZERO; b.len()];
    let mut space = LimbSpace::new();
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let report =
        cg.solve(&mut space, a, &Identity, &b.to_vec(), &mut x, &options(1e-20), |_| {}).unwrap();
    (x, report.iterations)
}

fn by_mp<A: Layout<Values = Numbers>>(a: &A, b: &Numbers) -> (Numbers, usize) {
    let mut x = Numbers::zeros(b.bits(), b.len());
    let mut space = MpSpace::new(b.bits());
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let report = cg.solve(&mut space, a, &Identity, b, &mut x, &options(1e-20), |_| {}).unwrap();
    (x, report.iterations)
}

fn same(x: &Numbers, y: &Numbers) -> bool {
    (0..x.len()).all(|i| x.at(i) == y.at(i))
}

/// Formats that sum alike yield the same bits; those by diagonals do for `mp`.
#[test]
fn formats_agree() {
    let a = laplacian(9, 3);
    let b: Vec<Dd> = right_side(&a);
    let first = by_limbs(&a, &b);
    assert_eq!(by_limbs(&Ell::from_csr(&a).unwrap(), &b), first);
    assert_eq!(by_limbs(&Jad::from_csr(&a).unwrap(), &b), first);
    assert!(by_limbs(&Dia::from_csr(&a).unwrap(), &b).1.abs_diff(first.1) <= 2);

    let a = a.to_mp().unwrap();
    let b = to_mp(Bits::new(212).unwrap(), &right_side(&laplacian(9, 3)));
    let (x, iterations) = by_mp(&a, &b);
    for (y, count) in [
        by_mp(&Ell::from_csr(&a).unwrap(), &b),
        by_mp(&Jad::from_csr(&a).unwrap(), &b),
        by_mp(&Dia::from_csr(&a).unwrap(), &b),
    ] {
        assert!(same(&x, &y) && count == iterations);
    }
}

/// More bits keep directions orthogonal, and so take fewer iterations, down to as many as there are different eigenvalues.
#[test]
fn bits_save_iterations() {
    let eigenvalues: Vec<f64> = (0..24).map(|i| 10.0_f64.powf(f64::from(i) / 2.0)).collect();
    let a = diagonal(&eigenvalues);
    let counts: Vec<usize> = [64, 106, 1000]
        .map(|p| {
            let b = to_mp(Bits::new(p).unwrap(), &[1.0; 24]);
            by_mp(&a.to_mp().unwrap(), &b).1
        })
        .into();
    assert!(counts[0] > counts[1] && counts[1] >= counts[2], "{counts:?}");
    assert_eq!(counts[2], 24);
}

/// Values of the vectors' precision do what `f64` values do where they are the same numbers.
#[test]
fn values_in_working_precision() {
    let a = laplacian(7, 2);
    let b: Vec<Dd> = right_side(&a);
    let long = a.map::<Vec<Dd>>((), Dd::from_f64).unwrap();
    let mut x = vec![Dd::ZERO; b.len()];
    let mut space = LimbSpace::new();
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let o = options(1e-20);
    let report = cg.solve(&mut space, &long, &Identity, &b, &mut x, &o, |_| {}).unwrap();
    assert_eq!((x, report.iterations), by_limbs(&a, &b));

    let bits = Bits::new(300).unwrap();
    let b = to_mp(bits, &right_side(&a));
    let long: Csr<Numbers> = a.map(bits, |x| Mp::from_f64(bits, x)).unwrap();
    let (x, iterations) = by_mp(&long, &b);
    let (y, count) = by_mp(&a.to_mp().unwrap(), &b);
    assert!(same(&x, &y) && count == iterations);
}

/// A system that is solved in two parts ends where it is asked to; one that is solved already takes no iteration.
#[test]
fn iterations_resume() {
    let a = laplacian(10, 0);
    let n = a.shape().0;
    let b: Vec<f64> = right_side(&a);
    let mut x = vec![0.0; n];
    let mut space = LimbSpace::new();
    let mut cg = Cg::new(&space, n).unwrap();
    let few = Options { max_iterations: 5, ..options(1e-10) };
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &few, |_| {}).unwrap();
    assert!(!report.converged && report.stopped == Stopped::Iterations && report.iterations == 5);
    let norm = report.first_residual;
    let absolute = Options { tolerance: 1e-10 * norm, relative: false, ..options(0.0) };
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &absolute, |_| {}).unwrap();
    assert!(report.converged && report.iterations > 5 && report.first_residual < norm);
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &absolute, |_| {}).unwrap();
    assert!(report.converged && report.iterations == 0);
    assert_eq!(report.relative_residual_recursive, 1.0);
    // Nothing is to be done for b = 0, and for no equations.
    let (zero, mut x) = (vec![0.0; n], vec![0.0; n]);
    let report = cg.solve(&mut space, &a, &Identity, &zero, &mut x, &options(0.0), |_| {}).unwrap();
    assert!(report.converged && report.iterations == 0 && report.relative_residual_true == 0.0);
    let empty = diagonal(&[]);
    let report = Cg::new(&space, 0)
        .unwrap()
        .solve(&mut space, &empty, &Identity, &Vec::new(), &mut Vec::new(), &options(1e-8), |_| {})
        .unwrap();
    assert!(report.converged && report.iterations == 0);
}

/// What the recursion calls a residual becomes as small as one likes; the true one does not.
#[test]
fn the_true_residual_counts_where_asked() {
    let eigenvalues: Vec<f64> = (0..40).map(|i| 10.0_f64.powf(f64::from(i) / 4.0)).collect();
    let a = diagonal(&eigenvalues);
    let b: Vec<f64> = eigenvalues.iter().map(|x| x / 3.0).collect();
    let mut space = LimbSpace::new();
    let mut cg = Cg::new(&space, 40).unwrap();
    let mut x = vec![0.0; 40];
    let recursive = Options { tolerance: 1e-30, ..options(0.0) };
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &recursive, |_| {}).unwrap();
    assert!(report.converged && report.relative_residual_recursive <= recursive.tolerance);
    // The rounding of the solution alone leaves a residual of about u.
    assert!(report.relative_residual_true > f64::EPSILON / 1024.0);
    let asked = Options { residual: Residual::True, max_iterations: 4000, ..recursive };
    x.fill(0.0);
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &asked, |_| {});
    assert!(!report.is_ok_and(|report| report.converged));
    let modest = Options { tolerance: 1e-9, ..asked };
    x.fill(0.0);
    let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &modest, |_| {}).unwrap();
    assert!(report.converged && report.relative_residual_true <= modest.tolerance);
}

/// Roundings of every term cost iterations, and yield a solution all the same.
#[test]
fn sums_rounded_term_by_term() {
    let a = laplacian(12, 4).to_mp().unwrap();
    let n = a.shape().0;
    let b = to_mp(Bits::new(106).unwrap(), &vec![1.0; n]);
    let (tolerance, mut counts) = (1e-12, Vec::new());
    for arithmetic in [Arithmetic::Delayed, Arithmetic::Ieee] {
        let mut space = MpSpace::new(b.bits()).with_arithmetic(arithmetic).unwrap();
        let mut x = Numbers::zeros(b.bits(), n);
        let mut cg = Cg::new(&space, n).unwrap();
        let report =
            cg.solve(&mut space, &a, &Identity, &b, &mut x, &options(tolerance), |_| {}).unwrap();
        // The tolerance bounds the residual of the recursion; the true one drifts away from it.
        assert!(report.converged && report.relative_residual_true < 2.0 * tolerance);
        counts.push(report.iterations);
    }
    assert!(counts[0] <= counts[1], "{counts:?}");
    assert!(MpSpace::new(b.bits()).with_arithmetic(Arithmetic::Sloppy).is_err());
}
