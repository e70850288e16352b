//! Fields that elements represent exactly.

use super::{block, elastic, hexahedra};
use crate::model::{BulkViscosity, Kind};
use crate::solid::{Course, NodeMotion, Precision, Problem, Run};

/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// Young's modulus.
const YOUNG: f64 = 200.0;

/// A box whose inner nodes are displaced.
fn distorted([x, y, z]: [f64; 3]) -> [f64; 3] {
    let inside = |x: f64| (x * (3.0 - x)).min(1.0);
    let all = 0.12 * inside(x) * inside(y) * inside(z);
    [x + all * (5.0 * y).sin(), y + all * (4.0 * z).cos(), z - all * (3.0 * x + y).sin()]
}

/// Hexahedra as five tetrahedra each would not fit their neighbours: six do.
pub(crate) fn tetrahedra(mut problem: Problem) -> Problem {
    let (hexahedra, _) = problem.blocks[0].nodes.as_chunks::<8>();
    let nodes = hexahedra
        .iter()
        .flat_map(|n| {
            [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]
                .map(|t| t.map(|i: usize| n[i]))
        })
        .flatten()
        .collect();
    problem.blocks = vec![block(Kind::Tetrahedron, nodes)];
    problem
}

/// Where the boundary moves by a linear field, inner nodes that begin to move so go on: stress is
/// the same everywhere, however large the motion becomes.
#[test]
fn linear_fields_are_exact() {
    let material = elastic(YOUNG, 0.3, 1.0);
    // Each of eight elements rounds its force on a node of mass one by 40 units of the modulus. An
    // error a of accelerations makes a·t²/2 of displacements, whose gradients make stresses.
    let noise = 8.0 * 40.0 * U * YOUNG * 0.5 * 0.5_f64.powi(2);
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron, Kind::Tetrahedron] {
        let base = if kind == Kind::Tetrahedron { Kind::Hexahedron } else { kind };
        let mut problem = hexahedra(base, [3; 3], [3.0; 3], distorted, material.clone());
        if kind == Kind::Tetrahedron {
            problem = tetrahedra(problem);
        }
        // That of viscosity depends on elements' sizes.
        problem.viscosity = BulkViscosity::NONE;
        let field = [[0.1, 0.2, -0.3], [0.4, -0.5, 0.1], [0.2, 0.3, 0.6]];
        let rate = |x: [f64; 3]| field.map(|f| (0..3).map(|j| f[j] * x[j]).sum::<f64>());
        problem.velocities = problem.coordinates.iter().map(|&x| rate(x)).collect();
        for (node, &x) in problem.coordinates.iter().enumerate() {
            let is_inner = x.iter().all(|&x| x > 0.5 && x < 2.5);
            for (axis, factor) in rate(x).into_iter().enumerate() {
                if !is_inner {
                    let course = problem.courses.len() as u32;
                    problem.courses.push(Course { factor, points: Vec::new(), smooth: false });
                    let (node, axis) = (node as u32, axis as u8);
                    problem.motions.push(NodeMotion { node, axis, is_velocity: true, course });
                }
            }
        }
        let mut run = Run::new(&problem, Precision::Double).unwrap();
        while run.time() < 0.5 {
            run.step(0.5, f64::INFINITY, 0.5).unwrap();
        }
        for (node, (u, &x)) in run.motion().unwrap()[0].iter().zip(&problem.coordinates).enumerate()
        {
            for (u, rate) in u.iter().zip(rate(x)) {
                assert!((u - 0.5 * rate).abs() < noise, "{kind:?}, node {node}: {u}");
            }
        }
        let fields = run.fields(0).unwrap();
        for of in &fields {
            let near = of
                .stress
                .iter()
                .zip(&fields[0].stress)
                .all(|(a, b)| (a - b).abs() < 5.0 * noise * YOUNG);
            assert!(near, "{kind:?}: {of:?} {:?}", fields[0]);
        }
    }
}

/// A body that turns as a whole has no stress, and its energy stays. Each step adds some roundings.
#[test]
fn rigid_rotations_leave_no_stress() {
    const STEPS: u32 = 2000;
    let roundings = 8.0 * f64::from(STEPS) * U;
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron] {
        let mut problem = hexahedra(kind, [2; 3], [3.0; 3], distorted, elastic(YOUNG, 0.3, 1e-9));
        let rate = 1e-3;
        problem.velocities = problem
            .coordinates
            .iter()
            .map(|&[x, y, _]| [-rate * (y - 1.5), rate * (x - 1.5), 0.1])
            .collect();
        let mut run = Run::new(&problem, Precision::Double).unwrap();
        let before = run.kinetic().unwrap();
        for _ in 0..STEPS {
            run.step(0.9, f64::INFINITY, f64::INFINITY).unwrap();
        }
        let worst = run
            .fields(0)
            .unwrap()
            .iter()
            .flat_map(|of| of.stress)
            .fold(0.0, |w: f64, s| w.max(s.abs()));
        assert!(worst < roundings * YOUNG, "{kind:?}: {worst:e}");
        assert!((run.kinetic().unwrap() / before - 1.0).abs() < roundings, "{kind:?}");
    }
}
