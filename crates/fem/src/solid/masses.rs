//! Lumped masses: each node has the part `∫N_I dm` of the elements around it.

use super::problem::Problem;
use crate::model::{Block, ElementId, Kind};
use crate::solid::geometry::{ROOT, SIGNS, modes, tangents};
use crate::solid::vector::{V3, cross, sub};

/// Masses of a problem at the beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct Masses {
    /// Of nodes.
    pub nodes: Vec<f64>,
    /// Of the points of each block's elements, point by point, at a [depth](Block::depth) of one.
    pub points: Vec<Vec<f64>>,
}

impl Masses {
    /// Of all nodes and elements.
    ///
    /// # Errors
    /// The place of a block, and in it that of an element whose volume is not positive.
    pub fn new(problem: &Problem) -> Result<Self, (usize, usize)> {
        let mut nodes = vec![0.0; problem.coordinates.len()];
        let mut points = Vec::with_capacity(problem.blocks.len());
        for (number, block) in problem.blocks.iter().enumerate() {
            let density = problem.materials[block.material].density;
            let mut own = Vec::new();
            for (element, at) in block.nodes.chunks_exact(block.kind.nodes()).enumerate() {
                let (volumes, shares) = volumes(problem, block, at);
                if !volumes.iter().all(|&v| v > 0.0) {
                    return Err((number, element));
                }
                own.extend(volumes.iter().map(|v| density * v));
                for (share, &node) in shares.iter().zip(at) {
                    nodes[node as usize] += density * block.depth() * share;
                }
            }
            points.push(own);
        }
        Ok(Self { nodes, points })
    }

    /// Those that nodes have of some elements: nodes, ascending, with their masses.
    pub fn of_elements(problem: &Problem, elements: &[ElementId]) -> Vec<(u32, f64)> {
        let mut nodes = std::collections::BTreeMap::new();
        for &ElementId { block, element } in elements {
            let block = &problem.blocks[block as usize];
            let width = block.kind.nodes();
            let at = &block.nodes[element as usize * width..(element as usize + 1) * width];
            let factor = problem.materials[block.material].density * block.depth();
            for (share, &node) in volumes(problem, block, at).1.iter().zip(at) {
                *nodes.entry(node).or_insert(0.0) += factor * share;
            }
        }
        nodes.into_iter().collect()
    }
}

/// The volumes of an element's points, and those that belong to its nodes.
fn volumes(problem: &Problem, block: &Block, nodes: &[u32]) -> (Vec<f64>, Vec<f64>) {
    let x = |i: usize| problem.coordinates[nodes[i] as usize];
    match block.kind {
        Kind::Hexahedron | Kind::ReducedHexahedron => {
            let x = modes(&core::array::from_fn(|i| x(i).map(|x| 0.125 * x)));
            let mut shares = vec![0.0; 8];
            let mut points = Vec::with_capacity(8);
            for at in &SIGNS {
                let [a, b, c] = tangents(&x, at.map(|sign| sign * ROOT));
                let v = determinant(a, b, c);
                points.push(v);
                for (share, s) in shares.iter_mut().zip(&SIGNS) {
                    let n: f64 = (0..3).map(|k| 0.5 * (1.0 + s[k] * at[k] * ROOT)).product();
                    *share += n * v;
                }
            }
            if block.kind == Kind::ReducedHexahedron {
                // No point may have turned inside out, though only their sum counts.
                let least = points.iter().copied().fold(f64::INFINITY, f64::min);
                let sum = points.iter().sum();
                points = vec![if least > 0.0 { sum } else { least }];
            }
            (points, shares)
        }
        Kind::Tetrahedron => {
            let v = determinant(sub(x(1), x(0)), sub(x(2), x(0)), sub(x(3), x(0))) / 6.0;
            (vec![v], vec![v / 4.0; 4])
        }
        Kind::PlaneStrain => of_plane(&core::array::from_fn(x), |_| 1.0),
        Kind::Axisymmetric => of_plane(&core::array::from_fn(x), |r| r),
    }
}

fn determinant(a: V3<f64>, b: V3<f64>, c: V3<f64>) -> f64 {
    let n = cross(b, c);
    a[0] * n[0] + a[1] * n[1] + a[2] * n[2]
}

/// `∫weight(r) dA` and `∫N_I·weight(r) dA` by four points.
fn of_plane(x: &[V3<f64>; 4], weight: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    let (mut volume, mut shares) = (0.0, vec![0.0; 4]);
    for point in &SIGNS[..4] {
        let at = [point[0] * ROOT, point[1] * ROOT];
        let (mut r, mut j) = (0.0, [[0.0; 2]; 2]);
        let mut n = [0.0; 4];
        for i in 0..4 {
            let s = SIGNS[i];
            let (f, h) = (1.0 + s[0] * at[0], 1.0 + s[1] * at[1]);
            n[i] = 0.25 * f * h;
            r += n[i] * x[i][0];
            for k in 0..2 {
                j[0][k] += 0.25 * s[0] * h * x[i][k];
                j[1][k] += 0.25 * s[1] * f * x[i][k];
            }
        }
        let area = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        volume += area * weight(r);
        (0..4).for_each(|i| shares[i] += n[i] * area * weight(r));
    }
    (vec![volume], shares)
}
