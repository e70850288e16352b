//! Random problems against closed forms and balances.

use core::f64::consts::TAU;

use nonius_testkit::{Random, random_cases};

use super::{block, cold, elasticity};
use crate::model::{
    Block, BulkViscosity, Elastic, ElementId, Hardening, Kind, Lame, Law, Material,
};
use crate::solid::tests::suite::{self, ELASTIC, laws};
use crate::solid::{
    Clock, Course, FaceNodes, FacePressure, Goal, Gravity, Limits, Masses, NodeForce, NodeMotion,
    Precision, Problem, Run,
};

/// Cases of a commit that take whole runs.
const RUNS: u64 = 60;
const U: f64 = f64::EPSILON / 2.0;
/// By what part a last step may be longer than the longest.
const SLACK: f64 = 1.0 / 1024.0;

/// Uniform between two numbers.
fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * random.unit().abs()
}

fn kind(random: &mut Random) -> Kind {
    Kind::ALL[random.below(Kind::ALL.len())]
}

fn material(random: &mut Random, law: impl Fn(Elastic) -> Law) -> Material {
    let density = between(random, 0.5, 2.0);
    let lame = Lame { lambda: between(random, 0.1, 2.0), mu: between(random, 0.5, 2.0) };
    cold(density, law(elasticity(lame)))
}

/// One skewed element far from the origin, where it does not overlap itself. Axisymmetric ones stay
/// on their side of the axis.
fn element(random: &mut Random, kind: Kind) -> Problem {
    let size = 2f64.powi(random.below(21) as i32 - 10);
    let corners: &[[f64; 3]] = match kind {
        Kind::Tetrahedron => &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        Kind::PlaneStrain | Kind::Axisymmetric => {
            &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
        }
        Kind::Hexahedron | Kind::ReducedHexahedron => &[
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, 1.0, 1.0],
            [0.0, 1.0, 1.0],
        ],
    };
    let dimensions = if kind == Kind::PlaneStrain || kind == Kind::Axisymmetric { 2 } else { 3 };
    let coordinates = corners.iter().map(|corner| {
        let mut x = corner.map(|x| size * (1.0 + x));
        (0..dimensions).for_each(|k| x[k] += 0.1 * size * random.unit());
        if dimensions == 2 { [x[0], x[1], 0.0] } else { x }
    });
    let coordinates: Vec<[f64; 3]> = coordinates.collect();
    let law = random.below(4);
    let law = |elastic| laws(elastic).swap_remove(law);
    let thickness = if kind == Kind::PlaneStrain { between(random, 0.1, 3.0) } else { 1.0 };
    let nodes = (0..corners.len() as u32).collect();
    Problem {
        coordinates,
        blocks: vec![Block { thickness, ..block(kind, nodes) }],
        materials: vec![material(random, law)],
        viscosity: BulkViscosity::default(),
        hourglass: 0.05,
        ..Problem::default()
    }
}

fn constant(factor: f64) -> Course {
    Course { factor, points: Vec::new(), smooth: false }
}

/// Directions in which a body of a kind moves without strain.
fn free_axes(kind: Kind) -> &'static [usize] {
    match kind {
        Kind::PlaneStrain => &[0, 1],
        Kind::Axisymmetric => &[1],
        _ => &[0, 1, 2],
    }
}

/// Steps until an end are equal, end there, and are as few as may be, whatever the end's last
/// digits; a pause is the nearest step.
#[test]
fn random_ends_and_pauses() {
    random_cases("ends and pauses", 1000, |random| {
        let most = 2f64.powf(between(random, -60.0, 20.0));
        let limits = Limits { factor: f64::INFINITY, most, resync: None };
        let count = 1 + random.below(400);
        // Whole numbers of steps but for some units in the last place, or any.
        let mut end = most * count as f64;
        if random.below(4) == 0 {
            end *= between(random, 0.5, 1.0);
        } else {
            end = f64::from_bits(end.to_bits() + random.below(9) as u64 - 4);
        }
        let steps = |pause: f64| {
            let goal = Goal { end, pause };
            let mut clock = Clock { stable: 1.0, ..Clock::default() };
            let mut lengths = Vec::new();
            while !clock.has_come_to(limits, goal) {
                let dt = clock.next(limits, end);
                lengths.push(dt);
                let is_last = dt == end - clock.time;
                clock.time = if is_last { end } else { clock.time + dt };
                assert!(lengths.len() < 1000, "{most:e} {end:e}");
            }
            (clock.time, lengths)
        };
        let (time, lengths) = steps(end);
        assert_eq!(time, end);
        let (ratio, found) = (end / most, lengths.len() as f64);
        let needed = (ratio * (1.0 - 8.0 * U)).ceil().max(1.0);
        let is_near = found == needed - 1.0 && ratio - found <= SLACK;
        assert!(found == needed || is_near, "{most:e} {end:e}: {found} {needed}");
        assert!(lengths.iter().all(|dt| *dt <= most * (1.0 + SLACK)), "{most:e} {end:e}");
        let ideal = end / found;
        // A time is off by half a unit in its last place after each step.
        let rounding = found * found * U;
        for dt in &lengths {
            assert!((dt / ideal - 1.0).abs() <= 2.0 * rounding, "{dt:e} {ideal:e}");
        }
        let pause = end * random.unit();
        let (time, until) = steps(pause);
        let part = (pause / ideal).max(0.0);
        // The error of a time is the sum of the errors of all steps.
        let off = 4.0 * (found + 1.0) * rounding;
        // Either of two steps is nearest to what lies in the middle.
        if (part.fract() - 0.5).abs() > off {
            assert!((time - part.round() * ideal).abs() <= off * ideal, "{time:e} {pause:e}");
        }
        assert_eq!(until, lengths[..until.len()]);
    });
}

/// A lone element, free, of whatever shape and material and however viscous, swings on at nearly
/// the longest stable step and gains no energy: `½·m·v⁻·v⁺ + ½·k·x²` is kept without viscosity, so
/// that the first part is at most `E` and, for steps of `0.98·2/ω`, at least
/// `−0.98²/(1 − 0.98²)·E`.
#[test]
fn random_elements_swing_on() {
    random_cases("swinging elements", RUNS * 5, |random| {
        let kind = kind(random);
        let mut problem = element(random, kind);
        let size = problem.coordinates[0][0];
        let material = &mut problem.materials[0];
        let mu = material.lame().mu;
        let lambda = mu * 10f64.powf(2.0 * random.unit());
        material.law = Law::Elastic(elasticity(Lame { lambda, mu }));
        let linear = random.below(2) as f64 * between(random, 0.0, 1.0);
        problem.viscosity = BulkViscosity { linear, quadratic: 0.0 };
        let count = problem.coordinates.len();
        let axes = if matches!(kind, Kind::PlaneStrain | Kind::Axisymmetric) { 2 } else { 3 };
        let velocity = |random: &mut Random| {
            core::array::from_fn(|k| if k < axes { 1e-9 * size * random.unit() } else { 0.0 })
        };
        problem.velocities = (0..count).map(|_| velocity(random)).collect();
        let mut run = Run::new(&problem, Precision::Double).expect("a good element");
        let energy = run.kinetic().expect("an energy");
        for step in 0..2000 {
            run.step(0.98, f64::INFINITY, f64::INFINITY).expect("a step");
            let kinetic = run.kinetic().expect("an energy");
            assert!(
                kinetic <= 1.01 * energy && kinetic >= -30.0 * energy,
                "{kind:?}, viscosity {}, step {step}: {kinetic:e} of {energy:e}",
                problem.viscosity.linear
            );
        }
    });
}

/// A free body under gravity falls as a point does, whatever its law, and energies balance.
#[test]
fn random_bodies_that_fall() {
    random_cases("bodies that fall", RUNS * 5, |random| {
        let kind = kind(random);
        let mut problem = element(random, kind);
        let size = problem.coordinates[0][0];
        let (mut velocity, mut pull) = ([0.0; 3], [0.0; 3]);
        for &k in free_axes(kind) {
            (velocity[k], pull[k]) = (size * random.unit(), size * random.unit());
        }
        problem.velocities = vec![velocity; problem.coordinates.len()];
        problem.courses = vec![constant(1.0)];
        let elements = (random.below(2) == 0).then(|| vec![ElementId { block: 0, element: 0 }]);
        problem.gravity = vec![Gravity { direction: pull, course: 0, elements }];
        let mut run = Run::new(&problem, Precision::Double).expect("a good element");
        let before = run.kinetic().expect("an energy");
        let end = between(random, 1.0, 30.0) * run.stable();
        let limits = Limits { factor: 0.9, most: f64::INFINITY, resync: None };
        run.advance(limits, end, u64::MAX).expect("steps");
        // Each step moves nodes by rounding errors of their places, which later steps carry on.
        let steps = run.steps() as f64;
        let reach = 4.0 * size
            + (0..3).map(|k| end * (velocity[k].abs() + end * pull[k].abs())).sum::<f64>();
        let bound = 100.0 * steps * steps * U * reach;
        let [displacements, velocities] = run.motion().expect("a motion");
        for (u, v) in displacements.iter().zip(&velocities) {
            for k in 0..3 {
                let expected = end * (velocity[k] + 0.5 * end * pull[k]);
                assert!((u[k] - expected).abs() <= bound, "{kind:?}: {} {expected}", u[k]);
                let expected = velocity[k] + end * pull[k];
                assert!(
                    (v[k] - expected).abs() <= 30.0 * bound / end * steps,
                    "{kind:?}: {}",
                    v[k]
                );
            }
        }
        let (works, kinetic) = (run.works().expect("works"), run.kinetic().expect("an energy"));
        let mass: f64 = Masses::new(&problem).expect("masses").nodes.iter().sum();
        // `½·m·v⁻·v⁺`, of velocities half a step before and after the time.
        let change: f64 = 0.5 * run.increment();
        let both = |k: usize| {
            (velocity[k] + (end - change) * pull[k]) * (velocity[k] + (end + change) * pull[k])
        };
        let expected: f64 = (0..3).map(|k| 0.5 * mass * both(k)).sum();
        let scale = mass * (reach / end).powi(2);
        assert!((kinetic - expected).abs() <= 1e3 * steps * steps * U * scale, "{kind:?}");
        // At time zero no step was before: `⅛·m·(Δt·a)²` of the first is in no energy.
        let first: f64 = pull.iter().map(|pull| 0.5 * mass * (change * pull).powi(2)).sum();
        let balance = kinetic + first - before - works.external;
        assert!(balance.abs() <= 1e3 * steps * steps * U * scale, "{kind:?}: {balance:e}");
    });
}

/// Where all nodes have a velocity that grows evenly, their displacements are its integral, and the
/// velocity is that of the time.
#[test]
fn random_given_velocities() {
    random_cases("given velocities", RUNS * 5, |random| {
        let kind = kind(random);
        let mut problem = element(random, kind);
        let size = problem.coordinates[0][0];
        let axis = free_axes(kind)[random.below(free_axes(kind).len())];
        let probe = Run::new(&problem, Precision::Double).expect("a good element");
        let end = between(random, 1.0, 30.0) * probe.stable();
        let speed = size * random.unit() / end;
        problem.courses = vec![Course {
            factor: speed,
            points: vec![[0.0, 0.0], [2.0 * end, 1.0]],
            smooth: false,
        }];
        for node in 0..problem.coordinates.len() as u32 {
            problem.motions.push(NodeMotion {
                node,
                axis: axis as u8,
                is_velocity: true,
                course: 0,
            });
        }
        let precision = Precision::ALL[random.below(Precision::ALL.len())];
        let unit = if precision == Precision::Single { f64::from(f32::EPSILON) } else { U };
        let mut run = Run::new(&problem, precision).expect("a good element");
        let limits = Limits { factor: 0.9, most: f64::INFINITY, resync: None };
        run.advance(limits, end, u64::MAX).expect("steps");
        let bound = 8.0 * run.steps() as f64 * unit;
        let [displacements, velocities] = run.motion().expect("a motion");
        for (u, v) in displacements.iter().zip(&velocities) {
            let expected = 0.25 * speed * end;
            assert!((u[axis] - expected).abs() <= bound * expected.abs(), "{} {expected}", u[axis]);
            assert!((v[axis] - 0.5 * speed).abs() <= bound * speed.abs(), "{} {speed}", v[axis]);
        }
    });
}

/// Forces and masses of a ring are those of all of it: closed forms of a cylinder between two
/// radii.
#[test]
fn random_rings() {
    random_cases("rings", 1000, |random| {
        let (inner, width) = (between(random, 0.01, 5.0), between(random, 0.01, 3.0));
        let (height, density) = (between(random, 0.1, 4.0), between(random, 0.1, 9.0));
        let outer = inner + width;
        let [force, pressure, pull] = [(); 3].map(|()| random.unit());
        let material = Material { density, ..material(random, Law::Elastic) };
        let face = FaceNodes { nodes: vec![3, 0], depth: TAU, axisymmetric: true };
        let problem = Problem {
            coordinates: vec![
                [inner, 0.0, 0.0],
                [outer, 0.0, 0.0],
                [outer, height, 0.0],
                [inner, height, 0.0],
            ],
            blocks: vec![block(Kind::Axisymmetric, vec![0, 1, 2, 3])],
            materials: vec![material],
            courses: vec![constant(force), constant(pressure), constant(pull)],
            forces: vec![
                NodeForce { node: 1, axis: 0, course: 0 },
                NodeForce { node: 2, axis: 1, course: 0 },
            ],
            pressures: vec![FacePressure { faces: vec![face], course: 1 }],
            gravity: vec![Gravity { direction: [0.0, 1.0, 0.0], course: 2, elements: None }],
            ..Problem::default()
        };
        let masses = Masses::new(&problem).expect("masses").nodes;
        let mass = density * 0.5 * TAU * (outer - inner) * (outer + inner) * height;
        let found: f64 = masses.iter().sum();
        // Differences of places lose the digits that radii have in common.
        let unit = 64.0 * U * (outer / width);
        assert!((found / mass - 1.0).abs() < unit, "{found} {mass}");
        let state = Run::new(&problem, Precision::Double).and_then(|run| run.state());
        let accelerations = state.expect("a state").accelerations;
        let total =
            |k: usize| -> f64 { masses.iter().zip(&accelerations).map(|(m, a)| m * a[k]).sum() };
        // Pressure on the bore pushes outwards.
        let expected = [force + pressure * TAU * inner * height, force + mass * pull];
        for k in 0..2 {
            let scale = force.abs() + TAU * inner * height + mass;
            assert!((total(k) - expected[k]).abs() < unit * scale, "{} {expected:?}", total(k));
        }
    });
}

/// The same problem in units that differ by powers of two has the same bits.
#[test]
fn random_units_change_no_bit() {
    random_cases("units", RUNS, |random| {
        let kind = kind(random);
        let law = laws(ELASTIC).swap_remove(random.below(4));
        let problem = suite::problem(kind, law);
        let [length, mass, time] = [(); 3].map(|()| 2f64.powi(random.below(13) as i32 - 6));
        let scaled = in_units(&problem, [length, mass, time]);
        let precision = Precision::ALL[random.below(Precision::ALL.len())];
        let steps = 5 + random.below(20) as u64;
        let end = |problem: &Problem, unit: f64| {
            let mut run = Run::new(problem, precision).expect("a good problem");
            let limits = Limits { factor: 0.7, most: unit, resync: None };
            run.advance(limits, 1e3 * unit, steps).expect("steps");
            (
                run.motion().expect("a motion"),
                run.works().expect("works"),
                run.kinetic().expect("an energy"),
            )
        };
        let (motion, works, kinetic) = end(&problem, 1.0);
        let (in_units, works_in_units, kinetic_in_units) = end(&scaled, time);
        let [displacements, velocities] = motion.map(|of| of.concat());
        let [u, v] = in_units.map(|of| of.concat());
        let what = format!("{kind:?} {precision:?} {length} {mass} {time}");
        assert!(displacements.iter().zip(&u).all(|(a, b)| a * length == *b), "{what}");
        assert!(velocities.iter().zip(&v).all(|(a, b)| a * (length / time) == *b), "{what}");
        let energy = mass * (length / time) * (length / time);
        assert_eq!(kinetic * energy, kinetic_in_units, "{what}");
        assert_eq!(works.internal * energy, works_in_units.internal, "{what}");
        assert_eq!(works.external * energy, works_in_units.external, "{what}");
    });
}

/// The problem in other units: a unit of its own is `length`, `mass` or `time` of these.
fn in_units(problem: &Problem, [length, mass, time]: [f64; 3]) -> Problem {
    let mut scaled = problem.clone();
    let speed = length / time;
    let acceleration = speed / time;
    let force = mass * acceleration;
    let stress = force / (length * length);
    let by = |vectors: &mut Vec<[f64; 3]>, by: f64| {
        vectors.as_flattened_mut().iter_mut().for_each(|x| *x *= by);
    };
    by(&mut scaled.coordinates, length);
    by(&mut scaled.velocities, speed);
    for block in &mut scaled.blocks {
        if block.kind == Kind::PlaneStrain {
            block.thickness *= length;
        }
    }
    for face in scaled.pressures.iter_mut().flat_map(|pressure| &mut pressure.faces) {
        if !face.axisymmetric {
            face.depth *= length;
        }
    }
    for material in &mut scaled.materials {
        material.density *= mass / (length * length * length);
        // Work of a unit of mass.
        material.specific_heat *= speed * speed;
        match &mut material.law {
            Law::Elastic(elastic) => elastic.young *= stress,
            Law::Plastic(elastic, plastic) => {
                elastic.young *= stress;
                match &mut plastic.hardening {
                    Hardening::Table(points) => points.iter_mut().for_each(|p| p[1] *= stress),
                    Hardening::JohnsonCook(law) => {
                        law.a *= stress;
                        law.b *= stress;
                        law.rate /= time;
                    }
                }
            }
            Law::NeoHookean(law) => {
                law.c10 *= stress;
                law.d1 /= stress;
            }
        }
    }
    for course in &mut scaled.courses {
        course.points.iter_mut().for_each(|point| point[0] *= time);
    }
    // Courses that several use have a factor for each.
    let mut split = |course: &mut u32, factor: f64| {
        let mut own = scaled.courses[*course as usize].clone();
        own.factor *= factor;
        *course = scaled.courses.len() as u32;
        scaled.courses.push(own);
    };
    for motion in &mut scaled.motions {
        split(&mut motion.course, if motion.is_velocity { speed } else { length });
    }
    scaled.forces.iter_mut().for_each(|own| split(&mut own.course, force));
    scaled.pressures.iter_mut().for_each(|own| split(&mut own.course, stress));
    scaled.gravity.iter_mut().for_each(|own| split(&mut own.course, acceleration));
    for wall in &mut scaled.walls {
        wall.point = wall.point.map(|x| x * length);
    }
    scaled
}

/// Without loads momentum stays, and plastic work is a part of the work on strains.
#[test]
fn random_collisions() {
    random_cases("collisions", RUNS, |random| {
        let kind = kind(random);
        let law = laws(ELASTIC).swap_remove(random.below(4));
        let mut problem = suite::problem(kind, law);
        problem.motions.clear();
        problem.forces.clear();
        problem.pressures.clear();
        problem.gravity.clear();
        problem.walls.clear();
        let speed = 2f64.powf(between(random, -12.0, -7.0));
        let axes = if kind.nodes() == 8 || kind == Kind::Tetrahedron { 3 } else { 2 };
        for v in &mut problem.velocities {
            (0..axes).for_each(|k| v[k] = speed * random.unit());
        }
        let masses = Masses::new(&problem).expect("masses").nodes;
        let mut run = Run::new(&problem, Precision::Double).expect("a good problem");
        let momentum = |run: &Run, k: usize| -> f64 {
            let [_, velocities] = run.motion().expect("a motion");
            masses.iter().zip(&velocities).map(|(m, v)| m * v[k]).sum()
        };
        let mass: f64 = masses.iter().sum();
        let before: Vec<f64> = free_axes(kind).iter().map(|&k| momentum(&run, k)).collect();
        let initial = run.kinetic().expect("an energy");
        let limits = Limits { factor: 0.7, most: f64::INFINITY, resync: None };
        run.advance(limits, f64::INFINITY, 60).expect("steps");
        for (&k, before) in free_axes(kind).iter().zip(before) {
            // Each step rounds the forces of all nodes, whose impulse is of the order of their
            // momentum.
            let bound = 60.0 * 64.0 * U * mass * speed;
            assert!((momentum(&run, k) - before).abs() <= bound, "{kind:?}, axis {k}");
        }
        let works = run.works().expect("works");
        assert!(works.plastic <= works.internal, "{kind:?}: {works:?}");
        let sum =
            run.kinetic().expect("an energy") + works.internal + works.hourglass + works.viscous;
        // What steps change of an element's shape is of the order of strains, a few per cent.
        assert!((sum / initial - 1.0).abs() < 0.02, "{kind:?}: {sum} {initial}");
    });
}
