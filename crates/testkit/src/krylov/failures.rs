//! Systems with which a method cannot go on.

use nonius_linalg::Error;
use nonius_linalg::krylov::{Algorithm, Options};
use nonius_linalg::sparse::{Csr, Triplet};

use super::suite::{Suite, System, algorithms};
use super::systems::{diagonal, laplacian, matrix};

fn error<S: Suite>(space: &mut S, algorithm: Algorithm, a: &Csr<f64>, b: &[f64]) -> Option<Error> {
    let system = System::new(space, a, b);
    system.solve_from_zero(space, algorithm, &Options::default()).err()
}

pub(super) fn check<S: Suite>(space: &mut S) {
    let t = |row, col, value| Triplet { row, col, value };
    let turn = matrix(2, vec![t(0, 1, 1.0), t(1, 0, -1.0)]);
    let nothing = matrix(2, Vec::new());
    let breaks = |iteration, quantity| Some(Error::Breakdown { iteration, quantity, value: 0.0 });
    // (A·p)·p = 0.
    let balanced = diagonal(&[1.0, -1.0]);
    assert_eq!(error(space, Algorithm::Cg, &balanced, &[1.0, 1.0]), breaks(1, "p·Ap"));
    assert_eq!(error(space, Algorithm::Bicgstab, &balanced, &[1.0, 1.0]), breaks(1, "r̂·v"));
    assert_eq!(error(space, Algorithm::Minres, &balanced, &[1.0, 1.0]), None);
    // A turn: no method but GMRES with all its vectors takes it.
    assert_eq!(error(space, Algorithm::Bicgstab, &turn, &[1.0, 0.0]), breaks(1, "r̂·v"));
    assert_eq!(error(space, Algorithm::Gmres { restart: 2 }, &turn, &[1.0, 0.0]), None);
    // s = (0, 1, 0), which A takes to zero.
    let lame = matrix(3, vec![t(0, 0, 1.0), t(1, 0, 1.0), t(2, 2, 1.0)]);
    assert_eq!(error(space, Algorithm::Bicgstab, &lame, &[1.0, 0.0, 0.0]), breaks(1, "t·t"));
    // s = (0, −1), t = (1, 0).
    let skew = matrix(2, vec![t(0, 0, 1.0), t(1, 0, 1.0), t(0, 1, -1.0)]);
    assert_eq!(error(space, Algorithm::Bicgstab, &skew, &[1.0, 0.0]), breaks(1, "t·s"));
    // r = s − ω·t = (0, …), and r̂ = (1, 0, 0).
    let blind =
        matrix(3, vec![t(0, 0, 1.0), t(1, 0, 1.0), t(1, 1, 1.0), t(2, 1, 1.0), t(1, 2, 1.0)]);
    assert_eq!(error(space, Algorithm::Bicgstab, &blind, &[1.0, 0.0, 0.0]), breaks(1, "r̂·r"));
    for (algorithm, quantity) in [
        (Algorithm::Cg, "p·Ap"),
        (Algorithm::Bicgstab, "r̂·v"),
        (Algorithm::Minres, "ρ²"),
        (Algorithm::Gmres { restart: 5 }, "ρ²"),
    ] {
        assert_eq!(error(space, algorithm, &nothing, &[1.0, 0.0]), breaks(1, quantity));
    }
    // No solution, and nothing that breaks down before the second iteration; all norms are exact.
    let singular = diagonal(&[1.0, 1.0, 0.0, 0.0]);
    for algorithm in [Algorithm::Minres, Algorithm::Gmres { restart: 2 }] {
        let found = error(space, algorithm, &singular, &[1.0; 4]);
        assert!(matches!(found, Some(Error::Breakdown { quantity: "ρ²", .. })), "{found:?}");
    }

    // A preconditioner that is not positive definite.
    let mut system = System::new(space, &diagonal(&[1.0, 2.0]), &[1.0, 1.0]);
    for (inverse, iteration) in [([-1.0, -1.0], 1), ([1.0, -1.0], 1), ([4.0, -1.0], 1)] {
        system.m = Some(space.diagonal(&inverse));
        let found = system.solve_from_zero(space, Algorithm::Minres, &Options::default());
        let Err(Error::Breakdown { iteration: at, quantity: "v·M⁻¹v", value }) = found else {
            panic!("{found:?}")
        };
        assert!(at == iteration && value <= 0.0, "{value} in {at}");
    }

    for algorithm in algorithms() {
        for bad in [f64::NAN, f64::INFINITY] {
            for (a, b) in [(diagonal(&[1.0, bad]), [1.0, 1.0]), (diagonal(&[1.0, 1.0]), [1.0, bad])]
            {
                let found = error(space, algorithm, &a, &b);
                let expected =
                    matches!(found, Some(Error::Breakdown { iteration: 0, quantity: "r·r", .. }));
                assert!(expected, "{algorithm}: {found:?}");
            }
        }
        // A right-hand side that is not zero, but has no square in the range of f64; where the
        // range is wider it has one.
        let faint = error(space, algorithm, &diagonal(&[1.0, 1.0]), &[1e-170, -5e-324]);
        let expected = Error::Breakdown { iteration: 0, quantity: "r·r", value: 0.0 };
        assert!(faint.is_none() || faint == Some(expected), "{algorithm}: {faint:?}");
        let shapes = System::new(space, &laplacian(2, 0), &[1.0; 3]);
        let found = shapes.solve_from_zero(space, algorithm, &Options::default()).err();
        let expected = Error::Shape { operand: "a", expected: (3, 3), found: (4, 4) };
        assert_eq!(found, Some(expected), "{algorithm}");
    }
}
