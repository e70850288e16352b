//! Faces of elements by their nodes.

use std::collections::HashMap;

use crate::model::{Block, ElementId, Face};

/// The faces of all elements; of plane ones, the sides.
#[derive(Debug)]
pub(super) struct Skin {
    /// By nodes, ascending: a face, and whether a second element has it.
    faces: HashMap<[u32; 4], (Face, bool)>,
}

impl Skin {
    pub(super) fn new(blocks: &[Block]) -> Self {
        let mut faces = HashMap::new();
        for (block, id) in blocks.iter().zip(0u32..) {
            for (nodes, element) in block.nodes.chunks_exact(block.kind.nodes()).zip(0u32..) {
                for (corners, face) in block.kind.faces().iter().zip(0u8..) {
                    let key = key(corners.iter().map(|&corner| nodes[corner]));
                    let face = Face { element: ElementId { block: id, element }, face };
                    faces
                        .entry(key)
                        .and_modify(|known: &mut (Face, bool)| known.1 = true)
                        .or_insert((face, false));
                }
            }
        }
        Self { faces }
    }

    /// The face with these nodes.
    pub(super) fn face(&self, nodes: &[u32]) -> Option<Face> {
        if nodes.len() > 4 {
            return None;
        }
        self.faces.get(&key(nodes.iter().copied())).map(|known| known.0)
    }

    /// Whether one element alone has a face of these nodes.
    pub(super) fn is_free(&self, nodes: impl Iterator<Item = u32>) -> bool {
        self.faces.get(&key(nodes)).is_some_and(|known| !known.1)
    }
}

/// At most four nodes, ascending, and what is no node behind them.
fn key(nodes: impl Iterator<Item = u32>) -> [u32; 4] {
    let mut key = [u32::MAX; 4];
    for (place, node) in key.iter_mut().zip(nodes) {
        *place = node;
    }
    key.sort_unstable();
    key
}
