//! An elastic wave in a bar.

use super::lattice::lattice;
use super::{GenerateError, materials, name_nodes};
use crate::model::{
    Amplitude, Kind, Model, Motion, Outputs, Prescribed, Probe, ProbeTarget, Time, Units,
};

/// A bar of steel, 1 by 0.02 by 0.02 metres, with `elements[k]` elements along axis `k`. One end,
/// `start`, moves at up to 1 m/s for 40 microseconds. The wave runs along the bar at 5064 m/s and
/// is thrown back by the other end, `end`. Poisson's ratio is zero, so that the wave keeps its
/// shape.
///
/// ```
/// use nonius_fem::{generate, model::Kind};
///
/// let model = generate::bar(Kind::ReducedHexahedron, [100, 2, 2])?;
/// assert_eq!(model.mesh.coordinates.len(), 909);
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// Of no elements, too many, or plane ones.
pub fn bar(kind: Kind, elements: [usize; 3]) -> Result<Model, GenerateError> {
    let mut mesh = lattice(kind, elements, [1.0, 0.02, 0.02])?;
    name_nodes(&mut mesh, "start", |place| place[0] == 0.0);
    name_nodes(&mut mesh, "end", |place| place[0] == 1.0);
    let pulse = Amplitude {
        name: "pulse".to_string(),
        points: vec![[0.0, 0.0], [2e-5, 1.0], [4e-5, 0.0]],
        smooth: true,
    };
    let pushed = Prescribed {
        nodes: mesh.node_sets["start"].clone(),
        axis: 0,
        motion: Motion::Velocity(1.0),
        amplitude: Some(0),
    };
    let end = ProbeTarget::Nodes(mesh.node_sets["end"].clone());
    Ok(Model {
        title: "An elastic wave in a bar".to_string(),
        units: Some(Units::METRES),
        mesh,
        materials: vec![materials::steel(0.0)],
        amplitudes: vec![pulse],
        prescribed: vec![pushed],
        time: Time { period: 3e-4, ..Time::default() },
        outputs: Outputs {
            fields: Some(30),
            history: Some(1e-6),
            probes: vec![Probe { name: "end".to_string(), target: end }],
            ..Outputs::default()
        },
        ..Model::default()
    })
}
