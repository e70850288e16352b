//! Whether a mesh and fields belong together, so that nothing is looked up where it is not.

use std::error::Error;
use std::fmt;

use crate::Snapshot;
use crate::model::Mesh;

/// How a mesh contradicts itself, or a snapshot its mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inconsistent {
    /// A list of another length than it should have.
    Length {
        /// Of what.
        list: &'static str,
        /// The length that it should have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// An element of a node that is not there.
    Node {
        /// The place of the node.
        node: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// More nodes or elements than 32 bits can count.
    TooMany,
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { list, expected, found } => {
                write!(f, "expected {expected} {list}, found {found}")
            }
            Self::Node { node, nodes } => {
                write!(f, "an element has the node at place {node} of {nodes}, counted from 0")
            }
            Self::TooMany => write!(f, "expected fewer than 2^32 nodes and elements"),
        }
    }
}

impl Error for Inconsistent {}

fn length(list: &'static str, expected: usize, found: usize) -> Result<(), Inconsistent> {
    if expected == found { Ok(()) } else { Err(Inconsistent::Length { list, expected, found }) }
}

/// How many elements there are.
pub(super) fn elements(mesh: &Mesh) -> usize {
    mesh.blocks.iter().map(|block| block.labels.len()).sum()
}

/// Refuses a mesh whose lists do not fit together.
pub(super) fn check_mesh(mesh: &Mesh) -> Result<(), Inconsistent> {
    let nodes = mesh.coordinates.len();
    if nodes.max(elements(mesh)) >= u32::MAX as usize {
        return Err(Inconsistent::TooMany);
    }
    length("labels of nodes", nodes, mesh.node_labels.len())?;
    for block in &mesh.blocks {
        length("nodes of elements", block.labels.len() * block.kind.nodes(), block.nodes.len())?;
        if let Some(&node) = block.nodes.iter().find(|&&node| node as usize >= nodes) {
            return Err(Inconsistent::Node { node, nodes });
        }
    }
    Ok(())
}

/// Refuses a snapshot that is not of the mesh.
pub(super) fn check_snapshot(mesh: &Mesh, snapshot: &Snapshot) -> Result<(), Inconsistent> {
    let (nodes, elements) = (mesh.coordinates.len(), elements(mesh));
    length("displacements", nodes, snapshot.displacements.len())?;
    length("velocities", nodes, snapshot.velocities.len())?;
    length("stresses", elements, snapshot.stresses.len())?;
    length("plastic strains", elements, snapshot.plastic_strains.len())?;
    length("temperatures", elements, snapshot.temperatures.len())
}
