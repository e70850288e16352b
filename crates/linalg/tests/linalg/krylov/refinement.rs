//! Refinement around iterations in `f64`.

use std::ops::ControlFlow;

use nonius_linalg::Error;
use nonius_linalg::backend::Round;
use nonius_linalg::krylov::{
    Algorithm, HostSpace, Identity, Inner, LinearOperator, Options, Refined, Refinement, Stopped,
    jacobi,
};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Csr, Layout};
use nonius_num::{Dd, Qd};
use nonius_testkit::krylov::{Suite, convection, shifted};

use crate::krylov::common::{diagonal, laplacian, right_side};

fn algorithms() -> [Algorithm; 4] {
    let gmres = Algorithm::Gmres { restart: 30 };
    [Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab, gmres]
}

fn refine<S: Suite<Space = S> + Round<HostSpace<f64>>>(
    space: &mut S,
    algorithm: Algorithm,
    a: &Csr<f64>,
    b: &[f64],
    options: &Options,
) -> Result<(Vec<f64>, Refined), Error> {
    let mut inner = HostSpace::new(());
    let mut refinement = Refinement::new(space, &inner, b.len(), algorithm)?;
    let inner = Inner { space: &mut inner, a, m: &Identity, exponent: 0, tolerance: 1e-6 };
    let (long, b, mut x) =
        (space.matrix(a), space.to_space(b), space.to_space(&vec![0.0; b.len()]));
    let mut steps = 0;
    let refined = refinement.solve(space, &long, inner, &b, &mut x, options, |step| {
        steps += usize::from(step.inner.is_none());
        assert_eq!(step.iteration, steps + usize::from(step.inner.is_some()));
        ControlFlow::Continue(())
    })?;
    assert_eq!(refined.report.iterations, steps);
    Ok((space.to_host(&x), refined))
}

fn solves<S: Suite<Space = S> + Round<HostSpace<f64>>>(space: &mut S) {
    // An error is at most κ(A)·‖x‖/|xᵢ| times the residual; this bounds the factor in all systems
    // here.
    const CONDITION: f64 = 1e3;
    let tolerance = space.unit_roundoff() * 2.0_f64.powi(12);
    let options = Options { tolerance, history: true, ..Options::default() };
    for algorithm in algorithms() {
        let a = match algorithm {
            Algorithm::Cg => laplacian(12, 0),
            Algorithm::Minres => shifted(9, 1.75),
            _ => convection(11, 0.5),
        };
        let b = right_side::<f64>(&a);
        let (x, refined) = refine(space, algorithm, &a, &b, &options).unwrap();
        let report = &refined.report;
        assert!(report.converged && report.stopped == Stopped::Converged, "{report:?}");
        assert!(report.relative_residual_true <= tolerance, "{report:?}");
        // Steps gain six digits each, or more where the last iteration gains much.
        let expected = (tolerance.log10() / -6.0).ceil() as usize;
        assert!((expected / 2..=expected + 1).contains(&report.iterations), "{report:?}");
        assert!(refined.inner_iterations > report.iterations);
        assert_eq!(report.history.len(), report.iterations + 1);
        assert_eq!(report.history.last(), Some(&report.relative_residual_true));
        for (i, x) in x.iter().enumerate() {
            assert!(
                (x - (i + 1) as f64).abs() <= CONDITION * (tolerance + 4.0 * f64::EPSILON) * x,
                "{algorithm}: {x}"
            );
        }
    }
}

#[test]
fn solutions_in_every_precision() {
    solves(&mut HostSpace::<Dd>::new(()));
    solves(&mut HostSpace::<Qd>::new(()));
    for bits in [106, 424, 1000, 2048] {
        solves(&mut HostSpace::<Mp>::new(Bits::new(bits).unwrap()));
    }
}

/// What is asked for beyond the precision, of a matrix too ill-conditioned, or of too few
/// iterations.
#[test]
fn where_it_ends() {
    let a = laplacian(8, 0);
    let b = vec![1.0; a.shape().0];
    let never = Options { tolerance: 1e-60, ..Options::default() };
    let mut space = HostSpace::<Dd>::new(());
    // Residuals of rows of five entries err by (5 + 2)·u·|A||x| (Higham, *Accuracy and Stability of
    // Numerical Algorithms*, 2nd ed., (3.11)). ‖A‖‖x‖ is at most κ(A)·‖b‖, κ(A) = cot²(π/18) < 33.
    // Refinement ends with at most twice this error.
    let least = 2.0 * 7.0 * 33.0 * Dd::UNIT_ROUNDOFF;
    let (_, refined) = refine(&mut space, Algorithm::Cg, &a, &b, &never).unwrap();
    assert_eq!((refined.report.converged, refined.report.stopped), (false, Stopped::Stagnation));
    assert!(refined.report.relative_residual_true < least, "{refined:?}");

    let few = Options { max_iterations: 30, ..never.clone() };
    let (_, refined) = refine(&mut space, Algorithm::Cg, &a, &b, &few).unwrap();
    assert_eq!((refined.inner_iterations, refined.report.stopped), (30, Stopped::Iterations));

    let zero = Options { tolerance: 0.0, ..Options::default() };
    let (x, refined) = refine(&mut space, Algorithm::Cg, &a, &vec![0.0; b.len()], &zero).unwrap();
    assert!(refined.report.converged && refined.inner_iterations == 0);
    assert!(x.iter().all(|&x| x == 0.0));
    let (x, refined) = refine(&mut space, Algorithm::Cg, &diagonal(&[]), &[], &zero).unwrap();
    assert!(refined.report.converged && x.is_empty());
    let (x, refined) = refine(&mut space, Algorithm::Cg, &diagonal(&[4.0]), &[2.0], &zero).unwrap();
    assert!(refined.report.converged && x == [0.5]);

    let none = Options { max_iterations: 0, ..never.clone() };
    let (_, refined) = refine(&mut space, Algorithm::Cg, &a, &b, &none).unwrap();
    assert_eq!((refined.report.iterations, refined.report.relative_residual_true), (0, 1.0));
    let bad = refine(&mut space, Algorithm::Cg, &diagonal(&[f64::NAN]), &[1.0], &never);
    assert!(matches!(bad, Err(Error::Breakdown { iteration: 0, quantity: "r·r", .. })));

    let indefinite = diagonal(&[1.0, -2.0, 3.0]);
    let (_, refined) =
        refine(&mut space, Algorithm::Cg, &indefinite, &[1.0; 3], &Options::default()).unwrap();
    assert!(refined.report.converged && refined.report.non_positive.is_some());
    let strict = Options { require_positive_definite: true, ..Options::default() };
    let refused = refine(&mut space, Algorithm::Cg, &indefinite, &[1.0, 3.0, 1.0], &strict);
    assert!(matches!(refused, Err(Error::NegativeCurvature { iteration: 1, .. })));
}

/// A matrix whose rounding to `f64` is singular, or nearly: corrections in `f64` are of no use.
#[test]
fn too_ill_conditioned() {
    let bits = Bits::new(212).unwrap();
    let tiny = Mp::from_f64(bits, 2.0_f64.powi(-70));
    // [1 1; 1 1 + 2^-70], and 1 beside it.
    let mut triplets: Vec<_> = nonius_testkit::krylov::matrix(
        3,
        [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
            .map(|(row, col)| nonius_linalg::sparse::Triplet { row, col, value: 1.0 })
            .to_vec(),
    )
    .map::<Mp>(bits, |x| Mp::from_f64(bits, x))
    .map(|a| a.to_coo().triplets().collect())
    .unwrap();
    triplets[3].value += tiny;
    let a: Csr<Mp> =
        Csr::from_coo(nonius_linalg::sparse::Coo::new(3, 3, triplets).unwrap()).unwrap();
    let rounded = a.map::<f64>((), |x| x.to_f64()).unwrap();
    let (mut space, mut inner) = (HostSpace::<Mp>::new(bits), HostSpace::<f64>::new(()));
    let algorithm = Algorithm::Gmres { restart: 3 };
    let b = space.to_space(&[1.0, 2.0, 1.0]);
    let mut x = space.to_space(&[0.0; 3]);
    let mut refinement = Refinement::new(&space, &inner, 3, algorithm).unwrap();
    let inner =
        Inner { space: &mut inner, a: &rounded, m: &Identity, exponent: 0, tolerance: 1e-6 };
    let o = Options { max_iterations: 1000, ..Options::default() };
    let found =
        refinement.solve(&mut space, &a, inner, &b, &mut x, &o, |_| ControlFlow::Continue(()));
    assert!(!found.as_ref().is_ok_and(|refined| refined.report.converged), "{found:?}");
}

/// Numbers whose range is wider than that of `f64`, in the right-hand side and in the matrix.
#[test]
fn ranges_beyond_f64() {
    let bits = Bits::new(300).unwrap();
    let (mut space, mut inner) = (HostSpace::<Mp>::new(bits), HostSpace::<f64>::new(()));
    let short = laplacian(7, 1);
    let n = short.shape().0;
    for (of_a, of_x) in
        [(0, 0), (20_000_000, -50_000_000), (-100_000_000, -30_000_000), (3, 130_000_000)]
    {
        let a: Csr<Mp> = short.map(bits, |x| Mp::from_f64(bits, x).ldexp(of_a)).unwrap();
        let mut expected = space.to_space(&vec![0.0; n]);
        for i in 0..n {
            expected.put(i, Mp::from_f64(bits, (i + 1) as f64).ldexp(of_x).view());
        }
        let (mut b, mut x) = (expected.clone(), space.to_space(&vec![0.0; n]));
        a.apply(&mut space, &expected, &mut b);
        let m = jacobi::<_, f64>(&short, (), |x| 1.0 / x).unwrap();
        let mut refinement = Refinement::new(&space, &inner, n, Algorithm::Cg).unwrap();
        let exponent = i64::from(of_a);
        let inner = Inner { space: &mut inner, a: &short, m: &m, exponent, tolerance: 1e-8 };
        let o = Options { tolerance: 1e-70, ..Options::default() };
        let refined = refinement
            .solve(&mut space, &a, inner, &b, &mut x, &o, |_| ControlFlow::Continue(()))
            .unwrap();
        assert!(refined.report.converged && refined.report.iterations <= 10, "{refined:?}");
        // An error is at most κ(A)·‖x‖ times the residual, where κ(A) ≤ 16·cot²(π/16) < 405 and ‖x‖
        // < 202.
        let most = 405.0 * 202.0 * o.tolerance;
        for i in 0..n {
            let error = (x.at(i) - expected.at(i)).abs().ldexp(-of_x).to_f64();
            assert!(error <= most, "{error} in {i}");
        }
    }
}
