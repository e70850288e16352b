//! Steps without an obstacle, maps and floors.

use nonius_linalg::Scalar;
use nonius_num::{Dd, Fixed, Qd};
use nonius_testkit::Random;

use crate::evolve::reference::evolve;
use crate::evolve::tests::suite::{generator, steps};
use crate::evolve::{Evolution, Generator, Row, Stage};

/// `(I − θ·dt·L)·u' − (I + (1 − θ)·dt·L)·u` is small beside its terms.
fn equations_hold<T: Scalar>() {
    let mut random = Random::new(1);
    for n in [1, 2, 3, 10, 64] {
        for theta in [0.25, 0.5, 1.0] {
            let dt = 0.125;
            let start: Vec<T> = (0..n).map(|_| T::from_f64(random.unit())).collect();
            let l: Generator<T> = generator(&mut random, n);
            let evolution = Evolution {
                start: start.clone(),
                generators: vec![l.clone()],
                obstacles: Vec::new(),
                stages: vec![Stage::Steps(steps(0, 1, dt, theta))],
            };
            let u = evolve(&evolution).unwrap().u;
            let applied = |x: &[T], i: usize, by: fn(T) -> T| {
                let mut sum = by(l.diagonal[i] * x[i]);
                if i > 0 {
                    sum += by(l.lower[i] * x[i - 1]);
                }
                if i + 1 < n {
                    sum += by(l.upper[i] * x[i + 1]);
                }
                sum
            };
            let (implicit, explicit) = (T::from_f64(theta * dt), T::from_f64((1.0 - theta) * dt));
            for i in 0..n {
                let residual = u[i]
                    - implicit * applied(&u, i, |x| x)
                    - start[i]
                    - explicit * applied(&start, i, |x| x);
                let size = u[i].abs()
                    + implicit * applied(&u, i, |x| x.abs())
                    + start[i].abs()
                    + explicit * applied(&start, i, |x| x.abs());
                // Elimination of an M-matrix: Higham, theorem 9.12, 5u for the factors and the
                // substitutions; the constant takes in the transformation to v, which is of the
                // size of u.
                let bound = 40.0 * T::UNIT_ROUNDOFF * size.to_f64() + 40.0 * T::UNIT_ROUNDOFF;
                assert!(residual.abs().to_f64() <= bound, "n {n}, θ {theta}, row {i}");
            }
        }
    }
}

#[test]
fn a_step_solves_its_equations() {
    equations_hold::<f64>();
    equations_hold::<Dd>();
    equations_hold::<Qd>();
}

/// One node decays: `u' = u·(1 − (1 − θ)·s)/(1 + θ·s)`.
#[test]
fn one_node_decays() {
    let evolution = Evolution {
        start: vec![1.0],
        generators: vec![Generator {
            lower: vec![f64::NAN],
            diagonal: vec![-2.0],
            upper: vec![f64::NAN],
        }],
        obstacles: Vec::new(),
        stages: vec![Stage::Steps(steps(0, 2, 0.25, 0.5))],
    };
    let factor = (1.0_f64 - 0.25) / (1.0 + 0.25);
    let found = evolve(&evolution).unwrap().u[0];
    assert!((found - factor * factor).abs() <= 8.0 * f64::UNIT_ROUNDOFF);
}

/// Crank–Nicolson steps of the heat equation: the error of the slowest mode falls by four when
/// steps are halved.
#[test]
fn order_two_in_time() {
    let n = 31;
    let h = 1.0 / 32.0;
    let mode = |i: usize| (core::f64::consts::PI * h * (i + 1) as f64).sin();
    let eigenvalue = -(2.0 / h * (core::f64::consts::PI * h / 2.0).sin()).powi(2);
    let l = Generator {
        lower: vec![1.0 / (h * h); n],
        diagonal: vec![-2.0 / (h * h); n],
        upper: vec![1.0 / (h * h); n],
    };
    let error = |count: usize| {
        let evolution = Evolution {
            start: (0..n).map(mode).collect(),
            generators: vec![l.clone()],
            obstacles: Vec::new(),
            stages: vec![Stage::Steps(steps(0, count, 0.1 / count as f64, 0.5))],
        };
        evolve(&evolution).unwrap().u[15] / mode(15) - (0.1 * eigenvalue).exp()
    };
    let ratio = error(32) / error(64);
    assert!((ratio - 4.0).abs() < 0.05, "{ratio}");
}

#[test]
fn maps_combine_neighbours() {
    let rows = vec![
        Row { first: 1, weights: [1.0, 2.0, 4.0, 8.0], constant: 0.5 },
        Row::unchanged(1),
        Row::scaled(4, 3.0),
        Row::constant(7.0),
        Row { first: 3, weights: [1.0, -1.0, 0.0, 0.0], constant: 0.0 },
    ];
    let evolution = Evolution {
        start: vec![1.0, 10.0, 100.0, 1000.0, 10000.0],
        generators: Vec::new(),
        obstacles: vec![vec![0.0, 0.0, 50_000.0, 0.0, 0.0]],
        stages: vec![Stage::Map(rows), Stage::Floor(0)],
    };
    let u = evolve(&evolution).unwrap().u;
    assert_eq!(u, [84_210.5, 10.0, 50_000.0, 7.0, 0.0]);
}

/// `∫ max(eˣ − eᶜ, 0)·φ(x) dx` over [0, 1] by the sum over `n` nodes after a floor, with the term
/// of order 2 that a kink on a node leaves.
fn integral_over_a_kink(n: usize, c: f64, falls: bool) -> f64 {
    let h = 1.0 / n as f64;
    let place = |i: usize| if falls { 1.0 - i as f64 * h } else { i as f64 * h };
    let evolution = Evolution {
        start: (0..=n).map(|i| place(i).exp() - c.exp()).collect(),
        generators: Vec::new(),
        obstacles: vec![vec![0.0; n + 1]],
        stages: vec![Stage::Floor(0)],
    };
    let weight = |x: f64| (4.0 * x * (1.0 - x)).powi(6);
    let u = evolve(&evolution).unwrap().u;
    let sum: f64 = (0..=n).map(|i| u[i] * weight(place(i)) * h).sum();
    sum + h * h / 12.0 * c.exp() * weight(c)
}

/// After a floor, sums keep their order wherever a kink lies between two nodes.
#[test]
fn floors_hide_where_their_kinks_lie() {
    for falls in [false, true] {
        for part in [0.1, 0.3, 0.5, 0.8, 0.99] {
            let c = 0.5 + part / 40.0;
            // On a node, for all these parts.
            let exact = integral_over_a_kink(4000, c, falls);
            for n in [40, 80, 160] {
                let error = (integral_over_a_kink(n, c, falls) - exact).abs();
                // By hand for parts from 0 to 1: 1.6·h⁴ at most. Without means it would be up to
                // 0.2·h².
                let bound = 2.5 / (n as f64).powi(4);
                assert!(error < bound, "{part} of 1/{n}: {error} above {bound}");
            }
        }
    }
}
