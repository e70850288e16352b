//! Small meshes and fields of them.

use nonius_fem::Snapshot;
use nonius_fem::model::{Block, Kind, Mesh, Model};

/// A box of `n` hexahedra along each axis with edges of length 1; labels begin at 101 and 1001.
pub(crate) fn hexahedra(n: [usize; 3]) -> Model {
    let at = |i: usize, j: usize, k: usize| ((k * (n[1] + 1) + j) * (n[0] + 1) + i) as u32;
    let mut coordinates = Vec::new();
    for k in 0..=n[2] {
        for j in 0..=n[1] {
            for i in 0..=n[0] {
                coordinates.push([i as f64, j as f64, k as f64]);
            }
        }
    }
    let mut nodes = Vec::new();
    for k in 0..n[2] {
        for j in 0..n[1] {
            for i in 0..n[0] {
                for (i, j, k) in [
                    (i, j, k),
                    (i + 1, j, k),
                    (i + 1, j + 1, k),
                    (i, j + 1, k),
                    (i, j, k + 1),
                    (i + 1, j, k + 1),
                    (i + 1, j + 1, k + 1),
                    (i, j + 1, k + 1),
                ] {
                    nodes.push(at(i, j, k));
                }
            }
        }
    }
    model(coordinates, vec![block(Kind::Hexahedron, 0, 1001, nodes)])
}

/// A rectangle of quadrilaterals with sides of length 1.
pub(crate) fn quadrilaterals(n: [usize; 2]) -> Model {
    let at = |i: usize, j: usize| (j * (n[0] + 1) + i) as u32;
    let mut coordinates = Vec::new();
    for j in 0..=n[1] {
        for i in 0..=n[0] {
            coordinates.push([i as f64, j as f64, 0.0]);
        }
    }
    let mut nodes = Vec::new();
    for j in 0..n[1] {
        for i in 0..n[0] {
            nodes.extend([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    model(coordinates, vec![block(Kind::PlaneStrain, 0, 1, nodes)])
}

/// A hexahedron with a tetrahedron on it, of two materials.
pub(crate) fn mixed() -> Model {
    let mut model = hexahedra([1, 1, 1]);
    model.mesh.coordinates.push([0.5, 0.5, 2.0]);
    model.mesh.node_labels.push(7);
    model.mesh.blocks.push(block(Kind::Tetrahedron, 3, 50, vec![4, 5, 7, 8]));
    model
}

fn block(kind: Kind, material: usize, first: u64, nodes: Vec<u32>) -> Block {
    let count = (nodes.len() / kind.nodes()) as u64;
    Block { kind, material, labels: (first..first + count).collect(), nodes, thickness: 1.0 }
}

fn model(coordinates: Vec<[f64; 3]>, blocks: Vec<Block>) -> Model {
    let node_labels = (101..).take(coordinates.len()).collect();
    Model { mesh: Mesh { node_labels, coordinates, blocks, ..Mesh::default() }, ..Model::default() }
}

/// Numbers between −1 and 1 with all bits in use.
pub(crate) fn number(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Fields of a model in which no two numbers are the same.
pub(crate) fn snapshot(model: &Model, step: u64) -> Snapshot {
    let mut seed = step + 1;
    let nodes = model.mesh.coordinates.len();
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let mut next = || number(&mut seed);
    Snapshot {
        time: step as f64 * 0.1,
        step,
        displacements: (0..nodes).map(|_| [0; 3].map(|_: i32| next())).collect(),
        velocities: (0..nodes).map(|_| [0; 3].map(|_: i32| 1e6 * next())).collect(),
        stresses: (0..elements).map(|_| [0; 6].map(|_: i32| 1e-200 * next())).collect(),
        plastic_strains: (0..elements).map(|_| next().abs()).collect(),
        temperatures: (0..elements).map(|_| 300.0 + next()).collect(),
    }
}

/// Fields that are zero.
pub(crate) fn rest(model: &Model) -> Snapshot {
    let nodes = model.mesh.coordinates.len();
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    Snapshot {
        displacements: vec![[0.0; 3]; nodes],
        velocities: vec![[0.0; 3]; nodes],
        stresses: vec![[0.0; 6]; elements],
        plastic_strains: vec![0.0; elements],
        temperatures: vec![0.0; elements],
        ..Snapshot::default()
    }
}
