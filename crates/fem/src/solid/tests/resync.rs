//! Forces that are computed afresh now and then.

use core::num::NonZeroU64;

use super::{elastic, hexahedra, hold};
use crate::model::Kind;
use crate::solid::{Course, Limits, NodeForce, Precision, Problem, Run};

/// A beam that a force bends.
fn beam(kind: Kind) -> Problem {
    let mut problem = hexahedra(kind, [16, 2, 2], [16.0, 1.0, 1.0], |x| x, elastic(1.0, 0.25, 1.0));
    (0..3).for_each(|axis| hold(&mut problem, axis, |x| x[0] == 0.0));
    let course = problem.courses.len() as u32;
    problem.courses.push(Course { factor: 1e-6, points: Vec::new(), smooth: false });
    problem.forces.push(NodeForce { node: 16, axis: 1, course });
    problem
}

fn limits(every: u64) -> Limits {
    Limits { factor: 0.9, most: f64::INFINITY, resync: NonZeroU64::new(every) }
}

fn displacements(run: &Run) -> Vec<f64> {
    run.motion().unwrap()[0].as_flattened().to_vec()
}

/// The greatest difference over the greatest number.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let greatest = b.iter().fold(0.0, |g: f64, b| g.max(b.abs()));
    a.iter().zip(b).fold(0.0, |g: f64, (a, b)| g.max((a - b).abs())) / greatest
}

/// Forces in full have the rounding errors of one step, and leave fewer in displacements than sums
/// of increments do, in every step or after some.
#[test]
fn forces_afresh_have_the_digits() {
    const SINGLE: f64 = f32::EPSILON as f64;
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron] {
        let problem = beam(kind);
        let end = |precision: Precision, every: u64| {
            let mut run = Run::new(&problem, precision).unwrap();
            run.advance(limits(every), f64::INFINITY, 1000).unwrap();
            (run.drift().unwrap(), displacements(&run))
        };
        let (drift, double) = end(Precision::Double, 1);
        assert!(drift < 64.0 * f64::EPSILON, "{kind:?}: {drift:e}");
        // Each of 1000 steps rounds increments up or down: errors grow as the root of the steps.
        let of_sums = 2.5 * 1000.0_f64.sqrt() * SINGLE;
        let (drift, mixed) = end(Precision::Mixed, 0);
        assert!(drift > 0.0 && drift < of_sums, "{kind:?}: {drift:e}");
        let by_increments = difference(&mixed, &double);
        assert!(by_increments < 8.0 * SINGLE, "{kind:?}: {by_increments:e}");
        for every in [1, 4] {
            let (drift, afresh) = end(Precision::Mixed, every);
            assert!(drift < 64.0 * SINGLE, "{kind:?}: {drift:e}");
            let found = difference(&afresh, &double);
            assert!(found < 0.5 * by_increments, "{kind:?}: {found:e} {by_increments:e}");
        }
    }
}

/// Steps are counted from the beginning, however many are taken at once and wherever a run is
/// resumed.
#[test]
fn pieces_are_the_whole() {
    let problem = beam(Kind::ReducedHexahedron);
    let mut whole = Run::new(&problem, Precision::Mixed).unwrap();
    whole.advance(limits(7), f64::INFINITY, 60).unwrap();
    let mut pieces = Run::new(&problem, Precision::Mixed).unwrap();
    for steps in [1, 6, 10, 4, 0, 14, 25] {
        pieces.advance(limits(7), f64::INFINITY, steps).unwrap();
        let state = pieces.state().unwrap();
        pieces = Run::resume(&problem, Precision::Mixed, &state).unwrap();
    }
    assert!(whole.state().unwrap() == pieces.state().unwrap());
}
