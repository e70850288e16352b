//! A block under pressure.

use super::lattice::lattice;
use super::{GenerateError, materials, name_nodes};
use crate::model::{
    Amplitude, Face, Kind, Load, Model, Motion, Outputs, Prescribed, Pressure, Probe, ProbeTarget,
    Time, Units,
};

/// A block of steel, 1 by 1 by 1 metre, with `elements[k]` boxes of elements along axis `k`. It
/// lies between planes at its sides and its foot that it cannot leave. The pressure on its `top`
/// grows to 10⁸ Pa within 50 microseconds, and a wave runs down at 5875 m/s.
///
/// ```
/// use nonius_fem::generate;
/// use nonius_fem::model::Kind;
///
/// let model = generate::cuboid(Kind::Tetrahedron, [2, 2, 2])?;
/// // Six tetrahedra to a box, two triangles to a face.
/// assert_eq!(model.mesh.blocks[0].labels.len(), 48);
/// assert_eq!(model.mesh.surfaces["top"].len(), 8);
/// assert!(generate::cuboid(Kind::PlaneStrain, [2, 2, 2]).is_err());
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// Of no elements, too many, or plane ones.
pub fn cuboid(kind: Kind, elements: [usize; 3]) -> Result<Model, GenerateError> {
    let mut mesh = lattice(kind, elements, [1.0; 3])?;
    name_nodes(&mut mesh, "x", |place| place[0] == 0.0 || place[0] == 1.0);
    name_nodes(&mut mesh, "y", |place| place[1] == 0.0 || place[1] == 1.0);
    name_nodes(&mut mesh, "foot", |place| place[2] == 0.0);
    name_nodes(&mut mesh, "top", |place| place[2] == 1.0);
    let mut faces = Vec::new();
    for &element in &mesh.element_sets["all"] {
        let nodes = mesh.nodes_of(element);
        for (corners, face) in kind.faces().iter().zip(0..) {
            let height = |&corner: &usize| mesh.coordinates[nodes[corner] as usize][2];
            if corners.iter().all(|corner| height(corner) == 1.0) {
                faces.push(Face { element, face });
            }
        }
    }
    mesh.surfaces.insert("top".to_string(), faces.clone());
    let held = |(axis, name)| Prescribed {
        nodes: mesh.node_sets[name].clone(),
        axis,
        motion: Motion::Displacement(0.0),
        amplitude: None,
    };
    let prescribed = [(0, "x"), (1, "y"), (2, "foot")].map(held).to_vec();
    let growth = Amplitude {
        name: "growth".to_string(),
        points: vec![[0.0, 0.0], [5e-5, 1.0]],
        smooth: true,
    };
    let corner = mesh.node_sets["top"][..1].to_vec();
    mesh.node_sets.insert("corner".to_string(), corner.clone());
    let target = ProbeTarget::Nodes(corner);
    Ok(Model {
        title: "A block under pressure".to_string(),
        units: Some(Units::METRES),
        mesh,
        materials: vec![materials::steel(0.3)],
        amplitudes: vec![growth],
        prescribed,
        loads: vec![Load::Pressure(Pressure { faces, pressure: 1e8, amplitude: Some(0) })],
        time: Time { period: 4e-4, ..Time::default() },
        outputs: Outputs {
            fields: Some(20),
            history: Some(2e-6),
            probes: vec![Probe { name: "corner".to_string(), target }],
            ..Outputs::default()
        },
        ..Model::default()
    })
}
