//! Models of solids: decks, meshes, TOML, and checkpoints.

use std::path::Path;

use nonius_fem::input::{abaqus, gmsh, physics};
use nonius_fem::model::{Mesh, Model, ProbeTarget};
use nonius_fem::output::checkpoint::{Checkpoint, Fingerprint};
use nonius_fem::problem;

use crate::check_message;
use crate::scratch::with_file;

/// A deck of Abaqus. Its folder is none, so that files that it includes cannot be read.
pub fn abaqus(bytes: &[u8]) {
    match abaqus::read(bytes, Path::new("/no such folder/deck.inp")) {
        Ok((model, ignored)) => {
            check_model(&model);
            ignored.iter().for_each(|ignored| check_message(ignored));
        }
        Err(error) => check_message(&error),
    }
}

/// A mesh of Gmsh.
pub fn gmsh(bytes: &[u8]) {
    let grid = match gmsh::read(bytes, Path::new("mesh.msh")) {
        Ok(grid) => grid,
        Err(error) => return check_message(&error),
    };
    assert_eq!(grid.node_labels.len(), grid.coordinates.len());
    assert!(grid.coordinates.as_flattened().iter().all(|x| x.is_finite()));
    let nodes = grid.coordinates.len();
    assert!(grid.cells.iter().flat_map(|cell| cell.nodes()).all(|&node| (node as usize) < nodes));
    for group in &grid.groups {
        assert!(group.cells.is_sorted_by(|a, b| a < b));
        assert!(group.cells.iter().all(|&cell| (cell as usize) < grid.cells.len()));
    }
}

/// What a mesh lacks, in TOML.
pub fn physics(bytes: &[u8]) {
    /// A hexahedron between two groups of faces.
    const MESH: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 2 \"x0\"\n\
        2 3 \"xL\"\n3 1 \"bar\"\n$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n\
        5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n$Elements\n3\n1 3 2 2 1 1 4 8 5\n\
        2 3 2 3 2 2 3 7 6\n3 5 2 1 1 1 2 3 4 5 6 7 8\n$EndElements\n";
    let read =
        with_file("bar_hex.msh", MESH, |folder| physics::read(bytes, &folder.join("model.toml")));
    match read {
        Ok(model) => check_model(&model),
        Err(error) => check_message(&error),
    }
}

/// All that a model names is there, and what computes takes it or says why not.
fn check_model(model: &Model) {
    let mesh = &model.mesh;
    let nodes = mesh.coordinates.len();
    let has_nodes = |list: &[u32]| list.iter().all(|&node| (node as usize) < nodes);
    assert_eq!(mesh.node_labels.len(), nodes);
    assert!(mesh.coordinates.as_flattened().iter().all(|x| x.is_finite()));
    for block in &mesh.blocks {
        assert!(block.material < model.materials.len());
        assert_eq!(block.nodes.len(), block.labels.len() * block.kind.nodes());
        assert!(has_nodes(&block.nodes));
    }
    assert!(mesh.node_sets.values().all(|set| has_nodes(set)));
    assert!(mesh.element_sets.values().flatten().all(|&id| has_element(mesh, id)));
    assert!(mesh.surfaces.values().flatten().all(|face| has_element(mesh, face.element)));
    assert!(model.prescribed.iter().all(|motion| has_nodes(&motion.nodes) && motion.axis < 3));
    assert!(model.velocities.is_empty() || model.velocities.len() == nodes);
    assert!(model.temperatures.is_empty() || model.temperatures.len() == nodes);
    assert!(model.outputs.probes.iter().all(|probe| match &probe.target {
        ProbeTarget::Nodes(nodes) => has_nodes(nodes),
        ProbeTarget::Elements(elements) => elements.iter().all(|&id| has_element(mesh, id)),
    }));
    if let Err(unsupported) = problem(model) {
        check_message(&unsupported);
    }
}

fn has_element(mesh: &Mesh, id: nonius_fem::model::ElementId) -> bool {
    let block = mesh.blocks.get(id.block as usize);
    block.is_some_and(|block| (id.element as usize) < block.labels.len())
}

/// Bytes in front of the index of a checkpoint: magic, version, and where the index's length is.
const LENGTH_AT: usize = 12;
const INDEX_AT: usize = 20;

/// A checkpoint, as it is and with the checksum of its index put right, so that damage is read.
pub fn fem_checkpoint(bytes: &[u8]) {
    read_checkpoint(bytes);
    let Some(length) = bytes.get(LENGTH_AT..INDEX_AT) else { return };
    let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
    let end = usize::try_from(length).ok().and_then(|length| length.checked_add(INDEX_AT));
    let Some(end) = end.filter(|end| end.checked_add(4).is_some_and(|all| all <= bytes.len()))
    else {
        return;
    };
    let mut sealed = bytes.to_vec();
    let checksum = crc32fast::hash(&sealed[..end]).to_le_bytes();
    sealed[end..end + 4].copy_from_slice(&checksum);
    read_checkpoint(&sealed);
}

fn read_checkpoint(bytes: &[u8]) {
    let fingerprint: Fingerprint = [7; 32];
    with_file("a.checkpoint", bytes, |folder| {
        match Checkpoint::read(&folder.join("a.checkpoint"), &fingerprint) {
            Ok(checkpoint) => {
                let numbers: usize = checkpoint.arrays.values().map(|array| array.len()).sum();
                assert!(numbers <= bytes.len() / 4);
            }
            Err(error) => check_message(&error),
        }
    });
}
