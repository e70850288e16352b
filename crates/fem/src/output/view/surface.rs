//! Faces that can be seen.

use crate::model::{Kind, Mesh};
use crate::output::Inconsistent;
use crate::output::consistent::{check_mesh, elements};

/// Instead of a fourth node of a triangle.
const NONE: u32 = u32::MAX;

/// Faces of a mesh that belong to one element only, and plane elements as a whole. It depends on
/// the elements alone, so that it serves pictures of all times.
#[derive(Clone, Debug)]
pub struct Surface {
    faces: Vec<OuterFace>,
    nodes: usize,
    elements: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OuterFace {
    /// Nodes around it; of a triangle the last is [`NONE`].
    corners: [u32; 4],
    /// The place of its element among all.
    pub(super) element: u32,
}

impl OuterFace {
    /// The nodes around it, three or four.
    pub(super) fn corners(&self) -> &[u32] {
        if self.corners[3] == NONE { &self.corners[..3] } else { &self.corners }
    }

    /// A face, unless fewer than three of its nodes differ.
    fn new(nodes: impl Iterator<Item = u32>, element: u32) -> Option<Self> {
        let mut corners = [NONE; 4];
        let mut count = 0;
        for node in nodes.take(4) {
            if !corners[..count].contains(&node) {
                corners[count] = node;
                count += 1;
            }
        }
        (count >= 3).then_some(Self { corners, element })
    }

    /// The same for the same nodes, however they go round.
    fn key(&self) -> [u32; 4] {
        let mut key = self.corners;
        key.sort_unstable();
        key
    }
}

impl Surface {
    /// The surface of a mesh.
    pub fn new(mesh: &Mesh) -> Result<Self, Inconsistent> {
        check_mesh(mesh)?;
        // Faces by their first node, so that those with the same nodes are close together.
        let nodes = mesh.coordinates.len();
        let mut ends = vec![0_usize; nodes + 1];
        each_face(mesh, |face| ends[face.key()[0] as usize + 1] += 1);
        for node in 0..nodes {
            ends[node + 1] += ends[node];
        }
        let empty = OuterFace { corners: [NONE; 4], element: 0 };
        let mut all = vec![empty; ends[nodes]];
        // From here on where the next face of a node goes, in the end where the last one ends.
        each_face(mesh, |face| {
            let place = &mut ends[face.key()[0] as usize];
            all[*place] = face;
            *place += 1;
        });
        let mut faces = Vec::new();
        let mut begin = 0;
        for &end in &ends[..nodes] {
            let group = &mut all[begin..end];
            group.sort_unstable_by_key(|face| (face.key(), face.element));
            let alone = |same: &&[OuterFace]| same.len() == 1;
            faces.extend(group.chunk_by(|a, b| a.key() == b.key()).filter(alone).flatten());
            begin = end;
        }
        plane_elements(mesh, &mut faces);
        Ok(Self { faces, nodes, elements: elements(mesh) })
    }

    /// How many faces there are.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether there is nothing to be seen.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    pub(super) fn faces(&self) -> &[OuterFace] {
        &self.faces
    }

    /// Refuses a mesh whose surface this cannot be.
    pub(super) fn check(&self, mesh: &Mesh) -> Result<(), Inconsistent> {
        for (list, expected, found) in [
            ("nodes", self.nodes, mesh.coordinates.len()),
            ("elements", self.elements, elements(mesh)),
        ] {
            if expected != found {
                return Err(Inconsistent::Length { list, expected, found });
            }
        }
        Ok(())
    }
}

/// Calls a function with each face of each solid element.
fn each_face(mesh: &Mesh, mut found: impl FnMut(OuterFace)) {
    let mut element = 0;
    for block in &mesh.blocks {
        let faces = if block.kind.dimensions() == 3 { block.kind.faces() } else { &[] };
        for nodes in block.nodes.chunks_exact(block.kind.nodes()) {
            for face in faces {
                let nodes = face.iter().map(|&i| nodes[i]);
                OuterFace::new(nodes, element).into_iter().for_each(&mut found);
            }
            element += 1;
        }
    }
}

fn plane_elements(mesh: &Mesh, faces: &mut Vec<OuterFace>) {
    let mut element = 0;
    for block in &mesh.blocks {
        let plane = matches!(block.kind, Kind::PlaneStrain | Kind::Axisymmetric);
        for nodes in block.nodes.chunks_exact(block.kind.nodes()) {
            if plane {
                faces.extend(OuterFace::new(nodes.iter().copied(), element));
            }
            element += 1;
        }
    }
}
