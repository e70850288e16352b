//! A clamped beam that swings.

use super::lattice::lattice;
use super::{GenerateError, materials, name_nodes};
use crate::model::{Kind, Model, Motion, Outputs, Prescribed, Probe, ProbeTarget, Time, Units};

/// The first root of `cos λ · cosh λ = −1`.
const ROOT: f64 = 1.875_104_068_711_961;

/// A beam of steel, 1 by 0.1 by 0.1 metres, with `elements[k]` elements along axis `k`. One end,
/// `clamped`, does not move. All else begins with the velocities of the first mode of bending, 1
/// m/s along the third axis at the other end, `tip`. By the theory of Euler and Bernoulli it swings
/// 81.8 times a second; the run takes 15 milliseconds.
///
/// ```
/// use nonius_fem::generate;
/// use nonius_fem::model::Kind;
///
/// let model = generate::cantilever(Kind::Hexahedron, [20, 2, 2])?;
/// assert_eq!(model.mesh.node_sets["clamped"].len(), 9);
/// let tip = model.mesh.node_sets["tip"][0] as usize;
/// assert!((model.velocities[tip][2] - 1.0).abs() < 1e-12);
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// Of no elements, too many, or plane ones.
pub fn cantilever(kind: Kind, elements: [usize; 3]) -> Result<Model, GenerateError> {
    let mut mesh = lattice(kind, elements, [1.0, 0.1, 0.1])?;
    name_nodes(&mut mesh, "clamped", |place| place[0] == 0.0);
    name_nodes(&mut mesh, "tip", |place| place[0] == 1.0);
    let velocities = mesh.coordinates.iter().map(|place| [0.0, 0.0, mode(place[0]) / mode(1.0)]);
    let velocities = velocities.collect();
    let clamped = |axis| Prescribed {
        nodes: mesh.node_sets["clamped"].clone(),
        axis,
        motion: Motion::Displacement(0.0),
        amplitude: None,
    };
    let prescribed = [0, 1, 2].map(clamped).to_vec();
    let tip = ProbeTarget::Nodes(mesh.node_sets["tip"].clone());
    Ok(Model {
        title: "A clamped beam that swings".to_string(),
        units: Some(Units::METRES),
        mesh,
        materials: vec![materials::steel(0.3)],
        velocities,
        prescribed,
        time: Time { period: 0.015, ..Time::default() },
        outputs: Outputs {
            fields: Some(30),
            history: Some(5e-5),
            probes: vec![Probe { name: "tip".to_string(), target: tip }],
            ..Outputs::default()
        },
        ..Model::default()
    })
}

/// The first mode of bending, at a part of the length.
fn mode(part: f64) -> f64 {
    let ratio = (ROOT.cosh() + ROOT.cos()) / (ROOT.sinh() + ROOT.sin());
    let angle = ROOT * part;
    angle.cosh() - angle.cos() - ratio * (angle.sinh() - angle.sin())
}
