//! Rows of elements, each of which has few others beside it: registers do not matter, increments
//! add up to forces in full, and operations are counted.

use core::num::NonZeroU64;

use nonius_linalg::backend::Cpu;
use nonius_linalg::cpu::simd::Level;

use super::block;
use crate::model::{Block, BulkViscosity, ElementId, Kind, Law};
use crate::solid::tests::suite::{ELASTIC, hot, laws};
use crate::solid::{
    Advance, Course, FaceNodes, FacePressure, Gravity, Limits, NodeForce, Operations, Precision,
    Problem, Solids, State,
};

/// Counts of two precisions may differ by this part: a few operations exist in one of them only.
const FEW: f64 = 0.01;

const LIMITS: Limits = Limits { factor: 0.7, most: 1.0, resync: None };

fn start(problem: &Problem, precision: Precision) -> Box<dyn Advance> {
    Cpu::default().solids(problem, precision, &State::new(problem)).unwrap()
}

/// Boxes in a row that move towards each other, and a row of quadrilaterals that does the same.
fn problem(kind: Kind, law: Law) -> Problem {
    let count = 37;
    let sheets = kind.nodes() / 4;
    let corner = |i: usize, k: usize| {
        let [y, z] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]][k];
        let bend = 0.1 * (i as f64).sin();
        if sheets == 2 { [i as f64 + bend * z, y, z + bend] } else { [i as f64 + 1.0, y, 0.0] }
    };
    let across = if sheets == 2 { 4 } else { 2 };
    let mut coordinates: Vec<[f64; 3]> =
        (0..=count).flat_map(|i| (0..across).map(move |k| corner(i, k))).collect();
    let at = |i: usize, k: usize| (i * across + k) as u32;
    let mut nodes = Vec::new();
    for i in 0..count {
        match kind {
            Kind::Hexahedron | Kind::ReducedHexahedron => {
                nodes.extend((0..2).flat_map(|up| (0..4).map(move |k| at(i + up, k))));
            }
            Kind::Tetrahedron => {
                nodes.extend([at(i, 0), at(i, 1), at(i + 1, 0), at(i + 1, 1)]);
            }
            Kind::PlaneStrain | Kind::Axisymmetric => {
                nodes.extend([at(i, 0), at(i + 1, 0), at(i + 1, 1), at(i, 1)]);
            }
        }
    }
    if kind == Kind::Tetrahedron {
        coordinates = (0..=count)
            .flat_map(|i| {
                let x = i as f64;
                let pair = if i % 2 == 0 {
                    [[x, 0.0, 0.0], [x, 1.0, 0.0]]
                } else {
                    [[x, 0.0, 0.0], [x, 0.0, 1.0]]
                };
                pair.into_iter()
            })
            .collect();
        for i in 0..count {
            if i % 2 == 0 {
                nodes.swap(4 * i + 2, 4 * i + 3);
            }
        }
    }
    let velocities =
        coordinates.iter().map(|x| [0.01 * (0.3 * x[0]).cos(), 0.002 * x[0].sin(), 0.0]).collect();
    Problem {
        coordinates,
        velocities,
        blocks: vec![Block { thickness: 0.5, ..block(kind, nodes) }],
        materials: vec![hot(law)],
        viscosity: BulkViscosity::default(),
        hourglass: 0.05,
        ..Problem::default()
    }
}

/// After some steps every number is the same, whatever the registers; in mixed precision some have
/// increments and some forces in full.
#[test]
fn registers_do_not_matter() {
    for kind in Kind::ALL {
        for (law, number) in laws(ELASTIC).into_iter().zip(0..) {
            let problem = problem(kind, law);
            for precision in Precision::ALL {
                let at_level = |level: Level| -> State {
                    Level::set(level);
                    let mut run = start(&problem, precision);
                    let resync = NonZeroU64::new(3);
                    run.advance(Limits { resync, ..LIMITS }, 1e3.into(), 25).unwrap();
                    run.state().unwrap()
                };
                let expected = at_level(Level::Scalar);
                assert!(expected.works().internal > 0.0);
                for level in Level::available() {
                    assert!(
                        at_level(level) == expected,
                        "{kind:?}, law {number}, {precision:?}, {level:?}"
                    );
                }
            }
        }
    }
    Level::set(Level::best());
}

/// The problem with a load of each sort.
fn loaded(kind: Kind, law: Law) -> Problem {
    let course = |factor| Course { factor, points: vec![[0.0, 0.2], [9.0, 1.0]], smooth: true };
    let mut problem = problem(kind, law);
    problem.courses = vec![course(1e-4), course(2e-4), course(3e-4), course(4e-4)];
    let own = |elements| Gravity { direction: [0.0, 1.0, 0.0], course: 1, elements };
    problem.gravity =
        vec![own(None), own(Some([3, 5].map(|element| ElementId { block: 0, element }).to_vec()))];
    problem.forces = vec![NodeForce { node: 7, axis: 0, course: 2 }];
    let (depth, axisymmetric) = (problem.blocks[0].depth(), kind == Kind::Axisymmetric);
    let nodes = if kind.nodes() == 8 { vec![0, 3, 2, 1] } else { vec![1, 0] };
    let nodes = if kind == Kind::Tetrahedron { vec![0, 2, 1] } else { nodes };
    let faces = vec![FaceNodes { nodes, depth, axisymmetric }];
    problem.pressures = vec![FacePressure { faces, course: 3 }];
    problem
}

/// Increments add up to forces in full, as far as they are not rounded, and forces in full differ
/// from those where nodes are then by the rounding of places: forces have errors of some units in
/// the last place of the elements' numbers, sums of increments some for each step. Stress of
/// neo-Hookean solids is no sum, and its errors are those of moduli, here a thousand times as large
/// as it.
#[test]
fn increments_add_up() {
    const SINGLE: f64 = f32::EPSILON as f64;
    for kind in Kind::ALL {
        for (law, number) in laws(ELASTIC).into_iter().zip(0..) {
            let problem = loaded(kind, law.clone());
            let steps = 60;
            let of_increments = if matches!(law, Law::NeoHookean(_)) { 1e3 } else { 1.0 };
            let all = [
                (Precision::Single, 1, 64.0 * SINGLE),
                (Precision::Double, 1, 64.0 * f64::EPSILON),
                (Precision::Mixed, 1, 64.0 * SINGLE),
                (Precision::Mixed, 30, 64.0 * SINGLE),
                (Precision::Mixed, 0, of_increments * steps as f64 * 4.0 * SINGLE),
            ];
            for (precision, every, bound) in all {
                let mut run = start(&problem, precision);
                let resync = NonZeroU64::new(every);
                run.advance(Limits { resync, ..LIMITS }, 1e3.into(), steps).unwrap();
                let before = run.state().unwrap();
                let drift = run.drift().unwrap();
                let what = format!("{kind:?}, law {number}, {precision:?}, {every}");
                assert!(drift < bound, "{what}: {drift:e}");
                assert!(run.state().unwrap() == before);
            }
        }
    }
}

/// Whatever the precision all operations are counted. In `f64` there are those of nodes and,
/// always, yield stresses and powers; in mixed precision sums of forces on corners too, and nothing
/// else of elements. There these take differences between nodes first.
#[test]
fn operations_are_counted() {
    for kind in Kind::ALL {
        for (law, number) in laws(ELASTIC).into_iter().zip(0..) {
            let problem = problem(kind, law);
            let of = |precision: Precision, resync: u64| {
                let resync = NonZeroU64::new(resync);
                let mut run = start(&problem, precision);
                run.advance(Limits { resync, ..LIMITS }, 1e3.into(), 20).unwrap();
                run.operations(resync).unwrap()
            };
            let [single, double] = [Precision::Single, Precision::Double].map(|p| of(p, 0));
            let [increments, in_full, half] = [0, 1, 2].map(|every| of(Precision::Mixed, every));
            let all = |found: &Operations| (found.single + found.double) as f64;
            let corners = problem.blocks[0].nodes.len() as u64;
            // Those of radii are taken in all precisions.
            let axes = if kind == Kind::Axisymmetric { 1 } else { 3 };
            let differences = 2 * axes * corners;
            let what = format!("{kind:?}, law {number}");
            let without = Operations { single: in_full.single - differences, ..in_full };
            for found in [&single, &without] {
                let relative = all(found) / all(&double) - 1.0;
                assert!(relative.abs() < FEW, "{what}: {found:?} {double:?}");
            }
            assert_eq!(double.single, 0);
            if number == 0 {
                // Nothing depends on numbers here.
                assert_eq!(without.single + 3 * corners, single.single, "{what}");
                assert_eq!(without.double, single.double + 3 * corners, "{what}");
                assert_eq!(increments.double, in_full.double, "{what}");
            }
            // Increments take more than forces in full.
            assert!(all(&increments) > 1.1 * all(&in_full), "{what}: {increments:?}");
            let relative = (all(&increments) + all(&in_full)) / (2.0 * all(&half)) - 1.0;
            assert!(relative.abs() < FEW, "{what}: {half:?}");
            // This mesh has two or four nodes an element, and each of them is in many.
            let least = if number == 0 { 0.7 } else { 0.4 };
            assert!(single.single_part() > least, "{what}: {single:?}");
            assert!(in_full.single_part() > least, "{what}: {in_full:?}");
        }
    }
}
