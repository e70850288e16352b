//! Steps with an obstacle.

use nonius_linalg::Scalar;
use nonius_num::{Dd, Fixed};

use crate::evolve::reference::evolve;
use crate::evolve::tests::suite::steps;
use crate::evolve::{Constraint, End, Evolution, Generator, Stage, Steps};

const N: usize = 41;

/// A put of strike 1 in its logarithm, on nodes that are 0.1 apart, and its payoff; mirrored where
/// the end is the upper one.
fn put<T: Scalar>(end: End, count: usize, theta: f64) -> Evolution<T> {
    let (h, half_variance, rate) = (0.1, 0.02, 0.05);
    let diffusion = half_variance / (h * h);
    let drift = (rate - half_variance) / (2.0 * h);
    let inside = |x: f64| {
        let mut entries = vec![T::from_f64(x); N];
        (entries[0], entries[N - 1]) = (T::ZERO, T::ZERO);
        entries
    };
    let mut l = Generator {
        lower: inside(diffusion - drift),
        diagonal: inside(-2.0 * diffusion - rate),
        upper: inside(diffusion + drift),
    };
    let mut payoff: Vec<T> =
        (0..N).map(|i| T::from_f64((1.0 - (h * (i as f64 - 20.0)).exp()).max(0.0))).collect();
    if end == End::High {
        payoff.reverse();
        l.diagonal.reverse();
        let upper = l.lower.iter().rev().copied().collect();
        l.lower = l.upper.iter().rev().copied().collect();
        l.upper = upper;
    }
    let constraint = Some(Constraint { obstacle: 0, end });
    Evolution {
        start: payoff.clone(),
        generators: vec![l],
        obstacles: vec![payoff],
        stages: vec![Stage::Steps(Steps { constraint, ..steps(0, count, 0.05, theta) })],
    }
}

/// `M·u' ≥ b`, `u' ≥ g`, one of them an equality in every row, and the contact ends where it is
/// said to.
fn complementarity<T: Scalar>() {
    for theta in [0.5, 1.0] {
        for count in 1..20 {
            let evolution = put::<T>(End::Low, count, theta);
            let before = evolve(&put::<T>(End::Low, count - 1, theta)).unwrap().u;
            let outcome = evolve(&evolution).unwrap();
            assert_eq!(outcome.contact.len(), count);
            let contact = outcome.contact[count - 1].unwrap() as usize;
            let (u, g, l) = (&outcome.u, &evolution.obstacles[0], &evolution.generators[0]);
            let applied = |x: &[T], i: usize| {
                let sum = l.diagonal[i] * x[i];
                let sum = if i > 0 { sum + l.lower[i] * x[i - 1] } else { sum };
                if i + 1 < N { sum + l.upper[i] * x[i + 1] } else { sum }
            };
            let dt = T::from_f64(0.05);
            let theta = T::from_f64(theta);
            for i in 0..N {
                let rest = u[i]
                    - theta * dt * applied(u, i)
                    - before[i]
                    - (T::ONE - theta) * dt * applied(&before, i);
                // Numbers here are at most 1, and entries of the matrix at most 5: thrice three
                // products and some sums.
                let bound = 60.0 * T::UNIT_ROUNDOFF;
                assert!(u[i] >= g[i] && rest.to_f64() >= -bound, "row {i}");
                if i <= contact {
                    assert!(u[i] == g[i], "row {i}");
                } else {
                    assert!(u[i] > g[i] || g[i] == T::ZERO, "row {i}");
                    assert!(rest.abs().to_f64() <= bound, "row {i}");
                }
            }
        }
    }
}

#[test]
fn steps_solve_the_complementarity_problem() {
    complementarity::<f64>();
    complementarity::<Dd>();
}

/// The boundary of a put recedes from the strike, and either end is treated alike.
#[test]
fn contact_recedes_at_either_end() {
    let low = evolve(&put::<f64>(End::Low, 60, 0.5)).unwrap();
    let nodes: Vec<u32> = low.contact.iter().map(|&node| node.unwrap()).collect();
    assert!(nodes.windows(2).all(|pair| pair[1] <= pair[0]), "{nodes:?}");
    assert!(nodes[0] < 20 && nodes[59] > 10, "{nodes:?}");
    let high = evolve(&put::<f64>(End::High, 60, 0.5)).unwrap();
    let mirrored: Vec<f64> = high.u.iter().rev().copied().collect();
    assert_eq!(low.u, mirrored);
    let mirrored: Vec<u32> =
        high.contact.iter().map(|&node| N as u32 - 1 - node.unwrap()).collect();
    assert_eq!(nodes, mirrored);
}

#[test]
fn no_contact_is_none() {
    let mut evolution = put::<f64>(End::Low, 2, 1.0);
    evolution.obstacles[0] = vec![-1.0; N];
    let outcome = evolve(&evolution).unwrap();
    assert_eq!(outcome.contact, [None, None]);
    let free = {
        let Stage::Steps(steps) = &mut evolution.stages[0] else { panic!("stages are steps") };
        steps.constraint = None;
        evolve(&evolution).unwrap()
    };
    // Eliminated from the other end: the same but for roundings.
    for (x, y) in outcome.u.iter().zip(&free.u) {
        assert!((x - y).abs() <= 40.0 * f64::UNIT_ROUNDOFF);
    }
    assert_eq!(free.contact, []);
}
