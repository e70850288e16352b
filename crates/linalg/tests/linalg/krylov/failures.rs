//! Systems for which the method is not made, and those with which it cannot go on.

use std::ops::ControlFlow;

use nonius_linalg::krylov::{Cg, HostSpace, Identity, NonPositive, Options, RnsSpace};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Triplet};
use nonius_linalg::{Error, Numbers};
use nonius_num::rns::float::{Format, RnsNumbers};

use crate::krylov::common::{diagonal, matrix, numbers};

fn solve(
    a: &Csr<f64>,
    b: &[f64],
    options: &Options,
) -> Result<(Numbers<f64>, usize, Option<NonPositive>), Error> {
    let mut space = HostSpace::new(());
    let (b, mut x) = (Numbers::from(b.to_vec()), Numbers::zeros((), b.len()));
    let mut cg = Cg::new(&space, b.len())?;
    let report =
        cg.solve(&mut space, a, &Identity, &b, &mut x, options, |_| ControlFlow::Continue(()))?;
    Ok((x, report.iterations, report.non_positive))
}

#[test]
fn indefinite_matrices_are_counted_or_refused() {
    let a = diagonal(&[1.0, -2.0, 3.0, -0.5]);
    let b = [1.0, 3.0, 1.0, 1.0];
    let (x, iterations, non_positive) = solve(&a, &b, &Options::default()).unwrap();
    assert_eq!(iterations, 4);
    for (x, expected) in x.plain().iter().zip([1.0, -1.5, 1.0 / 3.0, -2.0]) {
        // Four iterations solve exactly but for rounding errors, which indefinite directions
        // magnify.
        assert!((x - expected).abs() < 1024.0 * f64::EPSILON / 2.0);
    }
    // p = b first: 1 − 18 + 3 − 0.5.
    let found = non_positive.unwrap();
    assert_eq!(found.first, 1);
    assert!(found.count <= 4);
    let strict = Options { require_positive_definite: true, ..Options::default() };
    let error = solve(&a, &b, &strict).unwrap_err();
    assert_eq!(error, Error::NegativeCurvature { iteration: 1, value: -14.5 });
}

#[test]
fn breakdowns_have_their_iteration() {
    // p·Ap = 0 for p = (1, 1).
    let a = diagonal(&[1.0, -1.0]);
    let error = solve(&a, &[1.0, 1.0], &Options::default()).unwrap_err();
    assert_eq!(error, Error::Breakdown { iteration: 1, quantity: "p·Ap", value: 0.0 });
    assert!(error.to_string().contains("iteration 1"));
    let zero = matrix(2, Vec::new());
    let error = solve(&zero, &[1.0, 0.0], &Options::default()).unwrap_err();
    assert_eq!(error, Error::Breakdown { iteration: 1, quantity: "p·Ap", value: 0.0 });
    for bad in [f64::NAN, f64::INFINITY] {
        let error = solve(&diagonal(&[1.0, bad]), &[1.0, 1.0], &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Breakdown { iteration: 0, quantity: "r·r", .. }), "{error}");
        let error = solve(&diagonal(&[1.0, 1.0]), &[1.0, bad], &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Breakdown { iteration: 0, quantity: "r·r", .. }), "{error}");
    }
    // Squares beyond the range.
    let error = solve(&diagonal(&[1.0, 2.0]), &[1e-170, 0.0], &Options::default()).unwrap_err();
    assert_eq!(error, Error::Breakdown { iteration: 0, quantity: "r·r", value: 0.0 });
    let error = solve(&diagonal(&[1.0, 2.0]), &[0.0, 5e-324], &Options::default()).unwrap_err();
    assert_eq!(error, Error::Breakdown { iteration: 0, quantity: "r·r", value: 0.0 });
    let error = solve(&diagonal(&[1.0, 2.0]), &[1e200, 1e200], &Options::default()).unwrap_err();
    assert!(matches!(error, Error::Breakdown { iteration: 0, quantity: "r·r", .. }));
}

#[test]
fn shapes_are_checked_first() {
    let a = diagonal(&[1.0, 2.0]);
    let mut space = HostSpace::new(());
    let mut cg = Cg::new(&space, 2).unwrap();
    let o = Options::default();
    let ones = |n: usize| Numbers::from(vec![1.0; n]);
    let (two, mut x) = (ones(2), ones(2));
    let error = cg
        .solve(&mut space, &a, &Identity, &ones(3), &mut x, &o, |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert_eq!(error, Error::Shape { operand: "b", expected: (2, 1), found: (3, 1) });
    let error = cg
        .solve(&mut space, &a, &Identity, &two, &mut ones(1), &o, |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert_eq!(error, Error::Shape { operand: "x", expected: (2, 1), found: (1, 1) });
    let three = diagonal(&[1.0; 3]);
    let error = cg
        .solve(&mut space, &three, &Identity, &two, &mut x, &o, |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert_eq!(error, Error::Shape { operand: "a", expected: (2, 2), found: (3, 3) });
    let wide: Csr<f64> =
        Csr::from_coo(Coo::new(2, 3, vec![Triplet { row: 0, col: 2, value: 1.0 }]).unwrap())
            .unwrap();
    let error = cg
        .solve(&mut space, &wide, &Identity, &two, &mut x, &o, |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert_eq!(error, Error::NotSquare { rows: 2, cols: 3 });
    let endless = Options { history: true, max_iterations: usize::MAX, ..o };
    // A history takes memory as it grows, however long it may become.
    let report = cg
        .solve(&mut space, &a, &Identity, &two, &mut x, &endless, |_| ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(report.history.len(), report.iterations + 1);
}

#[test]
fn precisions_are_checked_first() {
    let [few, many] = [64, 128].map(|bits| Bits::new(bits).unwrap());
    let a = diagonal(&[1.0, 2.0]).to_format::<Mp>(few).unwrap();
    let mut space = HostSpace::<Mp>::new(many);
    let ones = |bits| numbers::<Mp>(bits, &[1.0, 1.0]);
    let mut solve = |own, b, x| {
        let mut cg = Cg::new(&HostSpace::<Mp>::new(own), 2)?;
        cg.solve(&mut space, &a, &Identity, &ones(b), &mut ones(x), &Options::default(), |_| {
            ControlFlow::Continue(())
        })
    };
    let refused = |operand| Some(Error::Precision { operand, expected: 128, found: 64 });
    assert_eq!(solve(many, few, many).err(), refused("b"));
    assert_eq!(solve(many, many, few).err(), refused("x"));
    assert_eq!(solve(few, many, many).err(), refused("self"));
    assert!(solve(many, many, many).is_ok_and(|report| report.converged));
}

#[test]
fn moduli_are_checked_first() {
    let [few, many] = [106, 212].map(|bits| Format::with_bits(bits).unwrap());
    let mut space = RnsSpace::new(&many).unwrap();
    let zeros = |format| RnsNumbers::try_zeros(format, 2).unwrap();
    let (a, mut cg) = (diagonal(&[1.0, 2.0]), Cg::new(&space, 2).unwrap());
    let mut solve = |b, x| {
        let options = Options::default();
        cg.solve(&mut space, &a, &Identity, &zeros(b), &mut zeros(x), &options, |_| {
            ControlFlow::Continue(())
        })
    };
    for (b, x) in [(&few, &many), (&many, &few)] {
        assert!(matches!(solve(b, x), Err(Error::NotInResidues { .. })));
    }
    assert!(solve(&many, &many).is_ok());
}
