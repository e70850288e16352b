//! How many digits precisions keep.

use core::num::NonZeroU64;

use super::patch::tetrahedra;
use super::{block, cold, hexahedra, hold};
use crate::model::{BulkViscosity, Elastic, Kind, Lame, Law};
use crate::solid::tests::suite::laws;
use crate::solid::{Course, Limits, NodeMotion, Precision, Problem, Run, State};

/// Unit roundoff of `f32`.
const U: f64 = f32::EPSILON as f64 / 2.0;

const LENGTH: f64 = 8.0;

const ELASTIC: Elastic = Elastic { young: 1.0, poisson: 0.3 };

/// A beam of distorted elements that is clamped at one end and begins to bend; plane kinds have a
/// sheet, axisymmetric ones a tube.
fn beam(kind: Kind, law: Law) -> Problem {
    let is_flat = matches!(kind, Kind::PlaneStrain | Kind::Axisymmetric);
    let base = if kind == Kind::ReducedHexahedron { kind } else { Kind::Hexahedron };
    let bend = |[x, y, z]: [f64; 3]| {
        let inside = x.min(1.0);
        let z = if is_flat { 0.0 } else { z };
        [
            x + 0.11 * inside * (2.1 * y + 3.0 * z).sin(),
            y + 0.07 * (1.3 * x + z).sin(),
            z + if is_flat { 0.0 } else { 0.09 * (1.7 * x + 2.3 * y).cos() },
        ]
    };
    let layers = if is_flat { 1 } else { 3 };
    let cells = [16, 3, layers];
    let mut problem = hexahedra(base, cells, [LENGTH, 1.5, 1.5], bend, cold(1.0, law));
    if kind == Kind::Tetrahedron {
        problem = tetrahedra(problem);
    }
    if is_flat {
        // The lower of two layers of nodes.
        let half = problem.coordinates.len() / 2;
        problem.coordinates.truncate(half);
        let (elements, _) = problem.blocks[0].nodes.as_chunks::<8>();
        let nodes = elements.iter().flat_map(|nodes| nodes[..4].to_vec()).collect();
        problem.blocks = vec![block(kind, nodes)];
    }
    (0..3).for_each(|axis| hold(&mut problem, axis, |x| x[0] == 0.0));
    let velocities = problem.coordinates.iter().map(|x| {
        let part = (x[0] / LENGTH).powi(2);
        [0.0, 1e-3 * part, if is_flat { 0.0 } else { 2e-3 * part }]
    });
    problem.velocities = velocities.collect();
    if kind == Kind::Axisymmetric {
        // Around an axis that is far away, along it.
        for x in problem.coordinates.iter_mut().chain(&mut problem.velocities) {
            x.swap(0, 1);
        }
        problem.coordinates.iter_mut().for_each(|x| x[0] += 50.0);
        problem.motions.iter_mut().filter(|m| m.axis < 2).for_each(|m| m.axis = 1 - m.axis);
        for element in problem.blocks[0].nodes.as_chunks_mut::<4>().0 {
            element.reverse();
        }
    }
    problem
}

/// Displacements after `steps` steps, with forces in full once in `every` steps.
fn end(problem: &Problem, precision: Precision, every: u64, steps: u64) -> Vec<f64> {
    let mut run = Run::new(problem, precision).unwrap();
    let resync = NonZeroU64::new(every);
    let limits = Limits { factor: 0.9, most: f64::INFINITY, resync };
    run.advance(limits, f64::INFINITY, steps).unwrap();
    run.motion().unwrap()[0].as_flattened().to_vec()
}

/// Of the norm of the difference beside that of what is expected.
fn digits(found: &[f64], expected: &[f64]) -> f64 {
    let squares = |x: f64, y: f64| x + y * y;
    let norm = expected.iter().copied().fold(0.0, squares);
    let differences = found.iter().zip(expected).map(|(a, b)| a - b);
    -0.5 * (differences.fold(0.0, squares) / norm).log10()
}

/// Mixed precision keeps over a digit more than `f32` and, with it, seven and a half. Of the small
/// stresses that neo-Hookean solids make of a volume near one it has no more digits than `f32`, as
/// these are no sums.
#[test]
fn mixed_precision_keeps_digits() {
    for kind in Kind::ALL {
        for law in laws(ELASTIC) {
            let problem = beam(kind, law.clone());
            let end = |precision| end(&problem, precision, 1, 300);
            let double = end(Precision::Double);
            let [single, mixed] =
                [Precision::Single, Precision::Mixed].map(|p| digits(&end(p), &double));
            let what = format!("{kind:?}, {law:?}: {single} {mixed}");
            if matches!(law, Law::NeoHookean(_)) {
                assert!(mixed > single, "{what}");
            } else {
                assert!(mixed > 7.5 && mixed > single + 1.2, "{what}");
            }
        }
    }
}

/// Over many steps errors of forces in full stay what they are, and those of sums of increments
/// grow.
#[test]
fn digits_last() {
    let problem = beam(Kind::ReducedHexahedron, Law::Elastic(ELASTIC));
    let end = |precision, every| end(&problem, precision, every, 1500);
    let double = end(Precision::Double, 1);
    let of = |precision, every| digits(&end(precision, every), &double);
    let [single, in_full, increments] =
        [(Precision::Single, 1), (Precision::Mixed, 1), (Precision::Mixed, 0)]
            .map(|(p, k)| of(p, k));
    assert!(in_full > 7.4 && in_full > single + 1.2, "{single} {in_full}");
    assert!(in_full > increments + 0.5 && increments > single, "{single} {in_full} {increments}");
}

/// In mixed precision stresses are sums kept in `f64`: increments that are lost beside a stress in
/// `f32` add up.
#[test]
fn stresses_are_sums() {
    let (steps, strain) = (4000, 1e-9);
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron, Kind::Tetrahedron] {
        let base = if kind == Kind::Tetrahedron { Kind::Hexahedron } else { kind };
        let material = cold(1.0, Law::Elastic(ELASTIC));
        let mut problem = hexahedra(base, [1; 3], [1.0; 3], |x| x, material);
        if kind == Kind::Tetrahedron {
            problem = tetrahedra(problem);
        }
        problem.viscosity = BulkViscosity::NONE;
        problem.courses = vec![
            Course { factor: 1.0, points: Vec::new(), smooth: false },
            Course { factor: 0.0, points: Vec::new(), smooth: false },
        ];
        for (node, x) in problem.coordinates.iter().enumerate() {
            for axis in 0..3 {
                let course = if axis == 0 && x[0] > 0.5 { 0 } else { 1 };
                let node = node as u32;
                problem.motions.push(NodeMotion { node, axis, is_velocity: true, course });
            }
        }
        let mut state = State::new(&problem);
        let points = kind.points();
        let width = state.elements[0].len() / (problem.blocks[0].nodes.len() / kind.nodes());
        for element in state.elements[0].chunks_exact_mut(width) {
            (0..points).for_each(|point| element[6 * point] = 1.0);
        }
        let grown = |precision: Precision| {
            let mut run = Run::resume(&problem, precision, &state).unwrap();
            let resync = NonZeroU64::new(1);
            let limits = Limits { factor: 1.0, most: strain, resync };
            run.advance(limits, f64::INFINITY, steps).unwrap();
            run.fields(0).unwrap()[0].stress[0] - 1.0
        };
        let Lame { lambda, mu } = problem.materials[0].lame();
        let modulus = lambda + 2.0 * mu;
        let expected = modulus * (steps as f64 * strain).ln_1p();
        let [single, mixed, double] =
            [Precision::Single, Precision::Mixed, Precision::Double].map(grown);
        // Each step rounds a stress near one, by 0.58·u in root mean square. Errors grow as the
        // root of the steps.
        let of_sums = 0.75 * (steps as f64).sqrt() * f64::EPSILON / 2.0 / expected;
        assert!((double / expected - 1.0).abs() < of_sums, "{kind:?}: {double:e} {expected:e}");
        // Each increment has some rounding errors, which may be the same in all steps.
        assert!((mixed / expected - 1.0).abs() < 8.0 * U, "{kind:?}: {mixed:e} {expected:e}");
        assert_eq!(single, 0.0, "{kind:?}");
    }
}
