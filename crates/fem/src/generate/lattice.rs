//! Meshes of boxes, whose elements are as many along each axis as asked for.

use core::array::from_fn;

use super::GenerateError;
use crate::model::{Block, ElementId, Kind, Mesh};

/// Corners of a box on its axes, in Abaqus's order.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Orders of the axes in which six tetrahedra of a box go from one corner to the opposite one; the
/// last three turn the other way.
const PATHS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// A box of material 0 from the origin to `size`, with `elements[k]` boxes of elements along axis
/// `k`. Tetrahedra are six to a box. All nodes and all elements are called `all`.
pub(super) fn lattice(
    kind: Kind,
    elements: [usize; 3],
    size: [f64; 3],
) -> Result<Mesh, GenerateError> {
    let points = points(elements)?;
    let node = |at: [usize; 3]| ((at[0] * points[1] + at[1]) * points[2] + at[2]) as u32;
    let mut coordinates = Vec::with_capacity(points.iter().product());
    grid(points, |at| {
        coordinates.push(from_fn(|axis| size[axis] * at[axis] as f64 / elements[axis] as f64));
    });
    let mut nodes = Vec::with_capacity(kind.nodes() * elements.iter().product::<usize>());
    grid(elements, |at| {
        let corner = |corner: [usize; 3]| node(from_fn(|axis| at[axis] + corner[axis]));
        if kind != Kind::Tetrahedron {
            return nodes.extend(CORNERS.map(corner));
        }
        for (place, path) in PATHS.iter().enumerate() {
            let mut steps = [[0; 3]; 4];
            for (step, &axis) in path.iter().enumerate() {
                steps[step + 1] = steps[step];
                steps[step + 1][axis] = 1;
            }
            if place >= 3 {
                steps.swap(1, 2);
            }
            nodes.extend(steps.map(corner));
        }
    });
    match kind {
        Kind::Hexahedron | Kind::ReducedHexahedron | Kind::Tetrahedron => {
            mesh(kind, coordinates, nodes)
        }
        _ => Err(GenerateError::Kind(kind)),
    }
}

/// Points along each axis, where nodes and elements can be numbered.
fn points(elements: [usize; 3]) -> Result<[usize; 3], GenerateError> {
    if elements.contains(&0) {
        return Err(GenerateError::Empty);
    }
    let points = elements.map(|count| count.saturating_add(1));
    let all = points.iter().try_fold(6usize, |all, &count| all.checked_mul(count));
    match all {
        Some(all) if u32::try_from(all).is_ok() => Ok(points),
        _ => Err(GenerateError::Size),
    }
}

/// All places, the last axis fastest.
fn grid(counts: [usize; 3], mut visit: impl FnMut([usize; 3])) {
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                visit([x, y, z]);
            }
        }
    }
}

/// A mesh of one block, numbered from 1.
pub(super) fn mesh(
    kind: Kind,
    coordinates: Vec<[f64; 3]>,
    nodes: Vec<u32>,
) -> Result<Mesh, GenerateError> {
    let elements = u32::try_from(nodes.len() / kind.nodes()).map_err(|_| GenerateError::Size)?;
    let count = u32::try_from(coordinates.len()).map_err(|_| GenerateError::Size)?;
    let labels = (1..=u64::from(elements)).collect();
    let ids = (0..elements).map(|element| ElementId { block: 0, element }).collect();
    Ok(Mesh {
        node_labels: (1..=u64::from(count)).collect(),
        coordinates,
        blocks: vec![Block { kind, material: 0, labels, nodes, thickness: 1.0 }],
        node_sets: [("all".to_string(), (0..count).collect())].into(),
        element_sets: [("all".to_string(), ids)].into(),
        ..Mesh::default()
    })
}
