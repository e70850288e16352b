//! Solids in motion are those of the host.

use core::num::NonZeroU64;

use nonius_linalg::backend::Cpu;

use super::{block, cold, elasticity, neo_hookean_like};
use crate::model::{
    Block, BulkViscosity, Elastic, ElementId, Hardening, JohnsonCook, Kind, Lame, Law, Material,
    Plastic, Wall,
};
use crate::solid::{
    Course, FaceNodes, FacePressure, Goal, Gravity, Limits, NodeForce, NodeMotion, Precision,
    Problem, Run, Solids, State,
};

/// Elasticity of the materials here.
pub(crate) const ELASTIC: Elastic = elasticity(Lame { lambda: 1.0, mu: 0.7 });

/// Thickness of plane elements here.
const THICKNESS: f64 = 0.5;

/// Unit roundoff of `f32`.
const U_SINGLE: f64 = f32::EPSILON as f64 / 2.0;

/// Unit roundoff of pairs of `f32`.
const U_PAIRS: f64 = U_SINGLE * U_SINGLE;

/// The relative error at which Newton's method ends a plastic step of a law with rates.
const PLASTIC_STEP: f64 = 1e-9;

/// Every law, so weak that a speed of a hundredth makes it yield and harden.
pub(crate) fn laws(elastic: Elastic) -> Vec<Law> {
    let cook = Hardening::JohnsonCook(JohnsonCook {
        a: 1e-3,
        b: 2e-3,
        n: 0.3,
        c: 0.02,
        rate: 1e-4,
        m: 1.1,
        melting: 1.0,
        transition: 0.0,
    });
    let table = Hardening::Table(vec![[0.0, 1e-3], [0.01, 2e-3], [0.1, 3e-3]]);
    let plastic = |hardening| Law::Plastic(elastic, Plastic { hardening });
    vec![Law::Elastic(elastic), plastic(table), plastic(cook), neo_hookean_like(elastic)]
}

/// A material that plastic work heats, so that it expands.
pub(crate) fn hot(law: Law) -> Material {
    Material { expansion: 1e-4, specific_heat: 0.1, heat_fraction: 1.0, ..cold(1.0, law) }
}

/// The nodes of a bent lattice with `cells[k]` cells along axis `k`.
struct Lattice {
    cells: [usize; 3],
}

impl Lattice {
    fn of(kind: Kind) -> Self {
        // More than one patch of each block, the last of them not full.
        let cells = if kind.nodes() == 8 {
            [9, 7, 5]
        } else if kind == Kind::Tetrahedron {
            [5, 4, 3]
        } else {
            [23, 17, 0]
        };
        Self { cells }
    }

    fn node(&self, at: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cells;
        (at[0] + (nx + 1) * (at[1] + (ny + 1) * at[2])) as u32
    }

    fn each(&self, mut what: impl FnMut([usize; 3])) {
        let [nx, ny, nz] = self.cells;
        for k in 0..=nz {
            for j in 0..=ny {
                for i in 0..=nx {
                    what([i, j, k]);
                }
            }
        }
    }

    fn coordinates(&self) -> Vec<[f64; 3]> {
        let is_flat = self.cells[2] == 0;
        let mut all = Vec::new();
        self.each(|at| {
            let [x, y, z] = at.map(|i| i as f64);
            let bent = [
                1.0 + x + 0.1 * (2.0 * y + z).sin(),
                y + 0.1 * (1.3 * x).cos() + 0.07 * z.sin(),
                z + 0.08 * (x * y).sin(),
            ];
            all.push(if is_flat { [bent[0], bent[1], 0.0] } else { bent });
        });
        all
    }

    fn elements(&self, kind: Kind) -> Vec<u32> {
        let [nx, ny, nz] = self.cells;
        let mut nodes = Vec::new();
        for k in 0..nz.max(1) {
            for j in 0..ny {
                for i in 0..nx {
                    let corner = |c: [usize; 3]| self.node([i + c[0], j + c[1], k + c[2]]);
                    let ring = |up: usize| {
                        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]| corner([x, y, up]))
                    };
                    match kind {
                        Kind::Hexahedron | Kind::ReducedHexahedron => {
                            nodes.extend(ring(0));
                            nodes.extend(ring(1));
                        }
                        Kind::PlaneStrain | Kind::Axisymmetric => nodes.extend(ring(0)),
                        Kind::Tetrahedron => {
                            // Along the ways from one corner to the opposite (Kuhn).
                            for [a, b, c] in
                                [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]]
                            {
                                let mut at = [0; 3];
                                let mut own = vec![corner(at)];
                                for axis in [a, b, c] {
                                    at[axis] = 1;
                                    own.push(corner(at));
                                }
                                if [[0, 2, 1], [2, 1, 0], [1, 0, 2]].contains(&[a, b, c]) {
                                    own.swap(2, 3);
                                }
                                nodes.extend(own);
                            }
                        }
                    }
                }
            }
        }
        nodes
    }

    /// Faces on the side of the least first coordinate.
    fn faces(&self, kind: Kind) -> Vec<FaceNodes> {
        let [_, ny, nz] = self.cells;
        let depth = elements(kind, &[]).depth();
        let face =
            |nodes: Vec<u32>| FaceNodes { nodes, depth, axisymmetric: kind == Kind::Axisymmetric };
        let mut faces = Vec::new();
        for j in 0..ny {
            if nz == 0 {
                faces.push(face(vec![self.node([0, j + 1, 0]), self.node([0, j, 0])]));
            }
            for k in 0..nz {
                let [a, b, c, d] =
                    [[0, 0], [0, 1], [1, 1], [1, 0]].map(|[y, z]| self.node([0, j + y, k + z]));
                if kind == Kind::Tetrahedron {
                    faces.extend([face(vec![a, b, c]), face(vec![a, c, d])]);
                } else {
                    faces.push(face(vec![a, b, c, d]));
                }
            }
        }
        faces
    }
}

/// Elements of the first material.
fn elements(kind: Kind, nodes: &[u32]) -> Block {
    let thickness = if kind == Kind::PlaneStrain { THICKNESS } else { 1.0 };
    Block { thickness, ..block(kind, nodes.to_vec()) }
}

/// A problem with everything that there may be, in two blocks: the second is elastic.
pub(crate) fn problem(kind: Kind, law: Law) -> Problem {
    let lattice = Lattice::of(kind);
    let coordinates = lattice.coordinates();
    let nodes = lattice.elements(kind);
    let half = nodes.len() / kind.nodes() / 2 * kind.nodes();
    let [nx, ny, nz] = lattice.cells;
    let course = |factor: f64, points: &[[f64; 2]], smooth: bool| Course {
        factor,
        points: points.to_vec(),
        smooth,
    };
    let velocities = coordinates.iter().map(|x| {
        let z = if nz == 0 { 0.0 } else { 0.003 * (0.5 * x[1]).cos() };
        [0.01 * (0.3 * x[0]).cos(), 0.004 * x[0].sin(), z]
    });
    let far = |j: usize| lattice.node([nx, j, nz]);
    Problem {
        velocities: velocities.collect(),
        temperatures: coordinates.iter().map(|x| 0.1 + 0.01 * x[0]).collect(),
        blocks: vec![
            elements(kind, &nodes[..half]),
            Block { material: 1, ..elements(kind, &nodes[half..]) },
        ],
        materials: vec![hot(law), hot(Law::Elastic(ELASTIC))],
        courses: vec![
            course(0.02, &[[0.0, 0.0], [2.0, 1.0], [30.0, -1.0]], true),
            course(-0.01, &[], false),
            course(0.001, &[[0.5, 1.0], [4.0, 3.0]], false),
            course(0.002, &[[0.0, 0.0], [1.0, 1.0]], false),
        ],
        motions: vec![
            NodeMotion { node: far(0), axis: 0, is_velocity: false, course: 0 },
            NodeMotion { node: far(1), axis: 1, is_velocity: true, course: 1 },
            NodeMotion { node: far(0), axis: 1, is_velocity: true, course: 1 },
        ],
        forces: vec![
            NodeForce { node: far(2), axis: 0, course: 2 },
            NodeForce { node: far(2), axis: 1, course: 3 },
            NodeForce { node: far(2), axis: 0, course: 3 },
        ],
        pressures: vec![
            FacePressure { faces: lattice.faces(kind), course: 3 },
            FacePressure { faces: lattice.faces(kind), course: 2 },
        ],
        gravity: vec![
            Gravity { direction: [0.0, -1e-3, 0.0], course: 2, elements: None },
            Gravity {
                direction: [1e-3, 0.0, 0.0],
                course: 3,
                elements: Some((0..7).map(|element| ElementId { block: 1, element }).collect()),
            },
        ],
        walls: vec![
            Wall { nodes: None, point: [0.0, -0.13, 0.0], normal: [0.0, 1.0, 0.0] },
            Wall {
                nodes: Some((0..=ny).map(far).collect()),
                point: [nx as f64 + 1.12, 0.0, 0.0],
                normal: [-1.0, 0.0, 0.0],
            },
        ],
        viscosity: BulkViscosity::default(),
        hourglass: 0.05,
        coordinates,
    }
}

/// Runs on a backend have the states of the host and its energies: bit for bit in `f32` and in
/// `f64`. Mixed precision and pairs have the backend's own order of operations, and their
/// displacements are near those of the host.
pub(crate) fn same_bits<B: Solids>(backend: &B, kind: Kind) {
    for law in laws(ELASTIC) {
        let problem = problem(kind, law.clone());
        for precision in Precision::ALL {
            let what = format!("{kind:?}, {law:?}, {precision:?}");
            let bound = near_bound(precision, &law);
            stages(&Cpu::default(), backend, &problem, precision, bound, &what);
        }
    }
}

/// Runs on a backend have the states of another and its energies, bit for bit in all precisions,
/// also from a state.
pub(crate) fn same_as<A: Solids, B: Solids>(reference: &A, backend: &B, kind: Kind) {
    for law in laws(ELASTIC) {
        let problem = problem(kind, law.clone());
        for precision in Precision::ALL {
            let what = format!("{kind:?}, {law:?}, {precision:?}");
            stages(reference, backend, &problem, precision, None, &what);
        }
    }
}

/// By what part of the greatest one displacements may be off after some eighty steps; none where
/// all bits are to be the same.
///
/// In mixed precision a step adds to forces errors of some units `u = 6e-8`, which leave `1.4e-7`
/// of displacements between mixed and double precision here. Two orders of operations are apart by
/// the errors of both. The stress of neo-Hookean solids is no sum: it has errors of `u` times the
/// moduli, some ten times as large.
/// Pairs have `u = 2⁻⁴⁸`, and each of the eighty steps loses at most 32 units. Plastic flow ends
/// where its residual is below `1e-15` of the stress, or where its step is known to
/// [`PLASTIC_STEP`].
fn near_bound(precision: Precision, law: &Law) -> Option<f64> {
    match (precision, law) {
        (Precision::Single | Precision::Double, _) => None,
        (Precision::Mixed, Law::NeoHookean(_)) => Some(160.0 * U_SINGLE),
        (Precision::Mixed, _) => Some(16.0 * U_SINGLE),
        (Precision::Pairs, Law::Elastic(_)) => Some(80.0 * 32.0 * U_PAIRS),
        (Precision::Pairs, _) => Some(PLASTIC_STEP),
    }
}

/// What a run may be asked for, of two backends: all is the same or, within a bound, near.
fn stages<A: Solids, B: Solids>(
    reference: &A,
    backend: &B,
    problem: &Problem,
    precision: Precision,
    bound: Option<f64>,
    what: &str,
) {
    let compare = |runs: &[Run; 2], when: &str| match bound {
        None => compare(runs, &format!("{what}, {when}")),
        Some(bound) => near(runs, bound, &format!("{what}, {when}")),
    };
    let mut runs = [start(reference, problem, precision), start(backend, problem, precision)];
    compare(&runs, "at the beginning");
    let resync = Some(NonZeroU64::MIN);
    let limits = Limits { factor: 0.7, most: 1.0, resync };
    for run in &mut runs {
        run.advance(limits, 1e3, 45).expect("45 steps");
    }
    compare(&runs, "after 45 steps");
    let end = runs[0].time() + 5.3 * runs[0].increment();
    for run in &mut runs {
        run.advance(limits, end, u64::MAX).expect("steps to an end");
        assert!(run.time() == end, "{what}");
    }
    compare(&runs, "at an end");
    // Steps stop at the one nearest to a time, and are none where it is behind.
    for ahead in [7.4, 7.4, 0.0, -3.0] {
        let pause = runs[0].time() + ahead * runs[0].increment();
        for run in &mut runs {
            run.advance(limits, Goal { end: 1e3, pause }, u64::MAX).expect("a pause");
        }
        compare(&runs, "at a pause");
    }
    let [expected, found] = runs.each_mut().map(|run| run.drift().expect("a drift"));
    match bound {
        None => {
            // A drift is a quotient of norms. Each of n squares costs at most u in any order of
            // sums (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., (4.4)).
            let terms = 3.0 * problem.coordinates.len() as f64;
            let most = (terms + 8.0) * f64::EPSILON / 2.0 * expected;
            assert!((expected - found).abs() <= most, "{what}: {expected} {found}");
        }
        Some(bound) => assert!(expected < bound && found < bound, "{what}: {expected} {found}"),
    }
    // In mixed precision by increments but for every fourth step.
    let resync = Limits { resync: NonZeroU64::new(4), ..limits };
    for run in &mut runs {
        run.advance(resync, 1e3, 10).expect("10 steps");
    }
    compare(&runs, "by increments");
    // Goes on from a state.
    let state = runs[0].state().expect("a state");
    let works = state.works();
    assert!(works.internal > 0.0 && works.external != 0.0, "{what}");
    let mut resumed = [
        Run::on(reference, problem, precision, &state).expect("a state to go on from"),
        Run::on(backend, problem, precision, &state).expect("a state to go on from"),
    ];
    compare(&resumed, "resumed");
    for run in resumed.iter_mut().chain([&mut runs[0]]) {
        run.advance(limits, 1e3, 3).expect("3 steps");
    }
    compare(&resumed, "resumed, after 3 steps");
    let [went_on, _] = runs;
    let [anew, _] = resumed;
    self::compare(&[went_on, anew], &format!("{what}, resumed or not"));
}

/// Displacements of two runs at a time are the same to a part of the greatest.
fn near(runs: &[Run; 2], bound: f64, what: &str) {
    let times = runs.each_ref().map(Run::time);
    assert!((times[0] - times[1]).abs() <= bound * times[0], "{what}: {times:?}");
    let [expected, found] = runs.each_ref().map(|run| run.motion().expect("a motion")[0].clone());
    let (expected, found) = (expected.as_flattened(), found.as_flattened());
    assert_eq!(expected.len(), found.len(), "{what}");
    let greatest = expected.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
    for (place, (expected, found)) in expected.iter().zip(found).enumerate() {
        let is_near = (expected - found).abs() <= bound * greatest;
        assert!(
            is_near,
            "displacement {place} of {what}: {found:e}, expected {expected:e} of {greatest:e}"
        );
    }
}

fn start<B: Solids>(backend: &B, problem: &Problem, precision: Precision) -> Run {
    Run::on(backend, problem, precision, &State::new(problem)).expect("a well formed problem")
}

fn compare(runs: &[Run; 2], what: &str) {
    let [expected, found] = runs.each_ref().map(|run| run.state().expect("a state"));
    assert_eq!(expected.stable, found.stable, "stable steps of {what}");
    assert_eq!(
        [expected.time, expected.last, expected.scale],
        [found.time, found.last, found.scale],
        "{what}"
    );
    let same = |name: &str, a: &[[f64; 3]], b: &[[f64; 3]]| {
        let first = a.iter().zip(b).position(|(a, b)| a != b);
        assert!(
            first.is_none(),
            "{name} of {what}: node {first:?}, {:?} {:?}",
            first.map(|i| a[i]),
            first.map(|i| b[i])
        );
    };
    same("displacements", &expected.displacements, &found.displacements);
    same("velocities", &expected.velocities, &found.velocities);
    same("accelerations", &expected.accelerations, &found.accelerations);
    same("pressures", &expected.pressures, &found.pressures);
    for (block, (e, f)) in expected.tallies.patches.iter().zip(&found.tallies.patches).enumerate() {
        let first = e.iter().zip(f).position(|(e, f)| e != f);
        assert!(first.is_none(), "works of {what}: block {block}, patch {first:?}");
    }
    assert_eq!(expected.tallies, found.tallies, "works of {what}");
    assert!(expected == found, "numbers of elements of {what}");
    let [expected, found] = runs.each_ref().map(|run| run.motion().expect("a motion"));
    assert!(expected == found, "motion of {what}");
    let energies =
        runs.each_ref().map(|run| (run.kinetic().expect("an energy"), run.works().expect("works")));
    assert!(energies[0] == energies[1], "energies of {what}: {energies:?}");
}
