//! Axisymmetric decks mean what Abaqus takes them for: concentrated forces, masses and energies are
//! those of whole rings.

use core::f64::consts::PI;
use std::path::Path;

use nonius_fem::solid::Masses;
use nonius_fem::{Precision, Simulation, input, problem};
use nonius_testkit::random_cases;

#[test]
fn random_rings_under_forces() {
    random_cases("rings under forces", 50, |random| {
        let mut between = |low: f64, high: f64| low + (high - low) * random.unit().abs();
        let (inner, width, height) = (between(0.1, 5.0), between(0.1, 3.0), between(0.1, 4.0));
        let (density, period) = (between(0.1, 9.0), between(0.2, 0.6));
        let [force, pressure, pull] = [(); 3].map(|()| between(-1.0, 1.0));
        let outer = inner + width;
        let deck = format!(
            "*NODE\n1, {inner}, 0\n2, {outer}, 0\n3, {outer}, {height}\n4, {inner}, {height}\n\
             *ELEMENT, TYPE=CAX4R, ELSET=ALL\n1, 1, 2, 3, 4\n\
             *SOLID SECTION, ELSET=ALL, MATERIAL=M\n*MATERIAL, NAME=M\n*DENSITY\n{density}\n*ELASTIC\n1e5, 0.3\n\
             *STEP\n*DYNAMIC, EXPLICIT, SCALE FACTOR=0.5\n, {period}\n*CLOAD\n3, 2, {force}\n\
             *DLOAD\n1, P1, {pressure}\nALL, GRAV, {pull}, 0, 1, 0\n*END STEP\n"
        );
        let model = input::abaqus::read(deck.as_bytes(), Path::new("ring.inp")).unwrap().0;
        let masses = Masses::new(&problem(&model).unwrap()).unwrap().nodes;
        let area = PI * (outer * outer - inner * inner);
        let mass = density * area * height;
        let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
        simulation.advance_to(period).unwrap();
        let snapshot = simulation.snapshot().unwrap();
        let momentum: f64 = masses.iter().zip(&snapshot.velocities).map(|(m, v)| m * v[1]).sum();
        // The pressure on the foot follows it, and radii change by what it presses.
        let pushed = period * (force + mass * pull + pressure * area);
        let scale = period * (force.abs() + mass * pull.abs() + area);
        assert!((momentum - pushed).abs() < 0.02 * scale, "{momentum} {pushed}");
        // Energy of motion, and work of all forces on the whole ring.
        let energies = simulation.energies().unwrap();
        let least = 0.5 * momentum * momentum / mass;
        assert!(energies.kinetic > 0.95 * least, "{energies:?} {least}");
        assert!(energies.relative_balance().abs() < 0.02, "{energies:?}");
    });
}
