//! Models through time.

mod frequency;
mod rings;

use std::path::{Path, PathBuf};

use nonius_fem::model::{BulkViscosity, Kind, Load, Model};
use nonius_fem::{Precision, Simulation, Snapshot, generate, input};

/// The part of the energies that time steps may lose or gain in a smooth motion and after an
/// impact.
const BALANCE: [f64; 2] = [1e-3, 1e-2];

/// A file of `data/fem`.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fem").join(name)
}

fn model(name: &str) -> Model {
    input::read_file(&data(name)).unwrap().model
}

/// The end of a run, whose energies have to balance to a part.
fn end(model: &Model, precision: Precision, balance: f64) -> Snapshot {
    let mut simulation = Simulation::new(model, precision).unwrap();
    for part in 1..=10 {
        simulation.advance_to(model.time.period * f64::from(part) / 10.0).unwrap();
        let found = simulation.energies().unwrap().relative_balance();
        assert!(found.abs() < balance, "{found}");
    }
    simulation.snapshot().unwrap()
}

/// Simple shear `γ` under the stress rate of Jaumann has the stresses `µ·sin γ` and
/// `µ·(1 − cos γ)`, however large it is.
#[test]
fn elastic_shear() {
    let mut model = model("dynela/shear-2d.inp");
    let nonius_fem::model::Law::Plastic(elastic, _) = model.materials[0].law.clone() else {
        panic!("the deck's material yields");
    };
    model.materials[0].law = nonius_fem::model::Law::Elastic(elastic);
    let mu = elastic.young / (2.0 * (1.0 + elastic.poisson));
    // Accuracies are parts of the shear modulus: the error of the steps, and of increments in
    // `f32`.
    for (precision, accuracy) in [(Precision::Double, 1e-4), (Precision::Mixed, 1e-3)] {
        let [xx, yy, zz, xy, ..] = end(&model, precision, BALANCE[0]).stresses[0];
        let gamma: f64 = 10.0;
        let near = |found: f64, expected: f64| (found - expected).abs() < accuracy * mu;
        assert!(near(xy, mu * gamma.sin()), "{xy}");
        assert!(near(xx, mu * (1.0 - gamma.cos())) && near(yy, -xx) && near(zz, 0.0), "{xx} {yy}");
    }
}

/// A cylinder after its impact: the length that Abaqus finds on this mesh's finer brother, to a
/// part of the elements' size.
#[test]
fn a_cylinder_hits_a_wall() {
    /// Unit roundoff of `f32`. Displacements are a fifth of the length and have a few units of
    /// error.
    const U_SINGLE: f64 = f32::EPSILON as f64 / 2.0;
    let model = model("dynela/taylor-axisymmetric.inp");
    let mut ends = Vec::new();
    for precision in [Precision::Double, Precision::Mixed] {
        let snapshot = end(&model, precision, BALANCE[1]);
        let place = |k: usize| {
            let all = model.mesh.coordinates.iter().zip(&snapshot.displacements);
            all.map(|(x, u)| x[k] + u[k]).fold(f64::MIN, f64::max)
        };
        let (radius, length) = (place(0), place(1));
        assert!((length / 26.53 - 1.0).abs() < 0.01, "{length}");
        assert!((5.0..5.8).contains(&radius), "{radius}");
        ends.push(length);
    }
    assert!((ends[0] / ends[1] - 1.0).abs() < 1.5 * U_SINGLE, "{ends:?}");
}

/// One element under tension, across which it contracts freely along one axis, yields as its law
/// says.
#[test]
fn tension_of_one_element() {
    let model = model("dynela/tensile-3d.inp");
    let snapshot = end(&model, Precision::Double, BALANCE[0]);
    // Twice as long in plane strain: 2/√3·ln 2 but for elastic strains.
    let expected = 2.0 / 3.0f64.sqrt() * 2.0f64.ln();
    let found = snapshot.plastic_strains[0];
    assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    assert!(snapshot.temperatures[0] > 200.0);
}

/// What cannot be computed is said.
#[test]
fn inverted_elements_are_named() {
    let mut model = model("dynela/tensile-3d.inp");
    model.mesh.coordinates.swap(0, 1);
    let error = Simulation::new(&model, Precision::Double).err().unwrap().to_string();
    assert!(error.contains("element 1 (C3D8)"), "{error}");
}

/// A block between planes under pressure on its top has, after its waves have died out, the
/// pressure's stress.
#[test]
fn pressure_on_a_block() {
    /// The stress of the waves that viscosity has not yet damped, as a part of the pressure.
    const WAVES: f64 = 0.01;
    for kind in [Kind::Hexahedron, Kind::ReducedHexahedron, Kind::Tetrahedron] {
        let mut model = generate::cuboid(kind, [2, 2, 3]).unwrap();
        model.time.viscosity = BulkViscosity { linear: 0.5, quadratic: 0.0 };
        model.time.period *= 20.0;
        let Some(Load::Pressure(pressure)) = model.loads.first() else {
            panic!("the block is pressed");
        };
        let expected = -pressure.pressure;
        let snapshot = end(&model, Precision::Double, BALANCE[0]);
        for stress in &snapshot.stresses {
            let found = stress.iter().take(3).fold(0.0, |least: f64, &s| least.min(s));
            assert!((found / expected - 1.0).abs() < WAVES, "{kind:?}: {found} {expected}");
        }
    }
}
