//! Waves.

use core::f64::consts::PI;

use super::{elastic, hexahedra, hold};
use crate::model::{BulkViscosity, Kind, Lame};
use crate::solid::{Precision, Problem, Run};

/// The greatest speed at the beginning.
const SPEED: f64 = 1e-9;

/// Unit roundoff of `f32`.
const U_SINGLE: f64 = f32::EPSILON as f64 / 2.0;

/// A column of elements without contraction across, in a standing wave.
fn column(kind: Kind, n: usize, half_waves: f64) -> Problem {
    let mut problem =
        hexahedra(kind, [n, 1, 1], [n as f64, 1.0, 1.0], |x| x, elastic(1.0, 0.25, 1.0));
    problem.viscosity = BulkViscosity::NONE;
    hold(&mut problem, 1, |_| true);
    hold(&mut problem, 2, |_| true);
    let k = PI * half_waves / n as f64;
    problem.velocities =
        problem.coordinates.iter().map(|x| [SPEED * (k * x[0]).cos(), 0.0, 0.0]).collect();
    problem
}

/// The period of a standing wave is that of `ω = (2c/h)·sin(kh/2)`, corrected for steps of finite
/// length.
#[test]
fn standing_waves_have_the_frequency_of_the_grid() {
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron] {
        let (n, half_waves) = (20, 6.0);
        let problem = column(kind, n, half_waves);
        let Lame { lambda, mu } = problem.materials[0].lame();
        let c = (lambda + 2.0 * mu).sqrt();
        let omega = 2.0 * c * (0.5 * PI * half_waves / n as f64).sin();
        let mut run = Run::new(&problem, Precision::Double).unwrap();
        let dt = 0.1 / c;
        // sin(Ω·dt/2) = ω·dt/2 for central differences.
        let discrete = 2.0 / dt * (0.5 * omega * dt).asin();
        // Large motion changes the frequency by the order of the strain, and phases by all periods.
        let of_speed = 8.0 * SPEED * omega * 1000.0 * dt;
        for _ in 0..1000 {
            run.step(1.0, dt, f64::INFINITY).unwrap();
            let t = run.time();
            // What begins at rest with a velocity has the amplitude at which the first step moves
            // by it.
            let amplitude = SPEED * dt / (discrete * dt).sin();
            let expected = amplitude * (discrete * t).sin();
            let found = run.motion().unwrap()[0][0][0];
            assert!(
                (found - expected).abs() < of_speed * amplitude,
                "{kind:?} {t}: {found} {expected}"
            );
        }
    }
}

/// Kinetic energy and work of stresses have a constant sum, whatever the length of steps. Its
/// rounding errors are some tens of units of roundoff.
#[test]
fn energy_is_kept() {
    for (precision, accuracy) in
        [(Precision::Double, 40.0 * f64::EPSILON), (Precision::Mixed, 16.0 * U_SINGLE)]
    {
        for factor in [0.9, 0.3] {
            let problem = column(Kind::ReducedHexahedron, 20, 4.0);
            let mut run = Run::new(&problem, precision).unwrap();
            let before = run.kinetic().unwrap();
            while run.time() < 100.0 {
                run.step(factor, f64::INFINITY, 100.0).unwrap();
                let works = run.works().unwrap();
                let sum = run.kinetic().unwrap() + works.internal + works.hourglass + works.viscous;
                assert!((sum / before - 1.0).abs() < accuracy, "{precision:?}: {sum} {before}");
            }
        }
    }
}

/// Mixed precision has the digits that `f32` loses where it sums up stresses and displacements.
#[test]
fn mixed_precision_has_digits() {
    let problem = column(Kind::ReducedHexahedron, 200, 4.0);
    let [double, mixed, single] =
        [Precision::Double, Precision::Mixed, Precision::Single].map(|precision| {
            let mut run = Run::new(&problem, precision).unwrap();
            for _ in 0..1000 {
                run.step(0.9, 0.8, f64::INFINITY).unwrap();
            }
            let [displacements, _] = run.motion().unwrap();
            displacements
        });
    let greatest = double.iter().fold(0.0, |g: f64, u| g.max(u[0].abs()));
    let error = |run: &[[f64; 3]]| {
        let differences = run.iter().zip(&double).map(|(a, b)| (a[0] - b[0]).abs());
        differences.fold(0.0, f64::max) / greatest
    };
    let (mixed, single) = (error(&mixed), error(&single));
    assert!(mixed < 5.0 * U_SINGLE && 10.0 * mixed < single, "{mixed:e} {single:e}");
}
