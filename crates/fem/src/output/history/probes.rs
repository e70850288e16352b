//! What probes show.

use super::columns::with_unit;
use crate::model::{Mesh, Model, ProbeTarget};
use crate::{Snapshot, von_mises};

/// Of a node.
const NODE: [&str; 6] = ["u1", "u2", "u3", "v1", "v2", "v3"];
/// Of an element; the last six in the order of [`Snapshot::stresses`].
const ELEMENT: [&str; 9] =
    ["mises", "peeq", "temperature", "s11", "s22", "s33", "s12", "s23", "s13"];

/// Names of what [`probe_values`] gives: `NAME:LABEL:u1`, …, `u3` (displacement), `v1`, …, `v3`
/// (velocity) for each node of a probe, and `NAME:LABEL:mises` (stress of von Mises), `peeq`
/// (plastic strain), `temperature`, `s11`, `s22`, `s33`, `s12`, `s23`, `s13` for each element.
/// `LABEL` is the input's number of the node or element. Units follow in parentheses where the
/// model states them.
///
/// ```
/// use nonius_fem::model::Kind;
/// use nonius_fem::{generate, output::history::probe_names};
///
/// let model = generate::cuboid(Kind::Hexahedron, [1, 1, 1])?;
/// let names = probe_names(&model);
/// assert!(names[0].starts_with("corner:") && names[0].contains(":u1"));
/// # Ok::<(), generate::GenerateError>(())
/// ```
pub fn probe_names(model: &Model) -> Vec<String> {
    let mut names = Vec::new();
    // What is nowhere in the mesh has no number.
    let text = |label: Option<&u64>| label.map_or_else(|| "?".to_owned(), u64::to_string);
    for probe in &model.outputs.probes {
        let mut add = |label: String, quantities: &[&str]| {
            names.extend(quantities.iter().map(|quantity| {
                let name = format!("{}:{label}:{quantity}", probe.name);
                with_unit(name, quantity, model.units.as_ref())
            }));
        };
        match &probe.target {
            ProbeTarget::Nodes(nodes) => {
                for &node in nodes {
                    add(text(model.mesh.node_labels.get(node as usize)), &NODE);
                }
            }
            ProbeTarget::Elements(elements) => {
                for id in elements {
                    let block = model.mesh.blocks.get(id.block as usize);
                    let label = block.and_then(|block| block.labels.get(id.element as usize));
                    add(text(label), &ELEMENT);
                }
            }
        }
    }
    names
}

/// What the model's probes show, in the order of [`probe_names`] and in the model's units; NaN of
/// what is not in the snapshot.
pub fn probe_values(model: &Model, snapshot: &Snapshot) -> Vec<f64> {
    let first = first_elements(&model.mesh);
    let mut values = Vec::new();
    for probe in &model.outputs.probes {
        match &probe.target {
            ProbeTarget::Nodes(nodes) => {
                for &node in nodes {
                    for field in [&snapshot.displacements, &snapshot.velocities] {
                        values.extend(field.get(node as usize).unwrap_or(&[f64::NAN; 3]));
                    }
                }
            }
            ProbeTarget::Elements(elements) => {
                for id in elements {
                    let place = first.get(id.block as usize).map(|f| f + id.element as usize);
                    values.extend(of_element(snapshot, place.unwrap_or(usize::MAX)));
                }
            }
        }
    }
    values
}

/// The place of each block's first element in a snapshot.
fn first_elements(mesh: &Mesh) -> Vec<usize> {
    let counts = mesh.blocks.iter().map(|block| block.labels.len());
    counts.scan(0, |next, count| Some(std::mem::replace(next, *next + count))).collect()
}

fn of_element(snapshot: &Snapshot, place: usize) -> [f64; 9] {
    let nothing = [f64::NAN; 6];
    let stress = snapshot.stresses.get(place).unwrap_or(&nothing);
    let scalar = |field: &[f64]| field.get(place).copied().unwrap_or(f64::NAN);
    let [s11, s22, s33, s12, s23, s13] = *stress;
    let (strain, temperature) = (scalar(&snapshot.plastic_strains), scalar(&snapshot.temperatures));
    [von_mises(stress), strain, temperature, s11, s22, s33, s12, s23, s13]
}
