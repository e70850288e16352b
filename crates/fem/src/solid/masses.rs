//! Lumped masses: each node has the part `∫N_I dm` of the elements around it.

use nonius_linalg::threads::{Grain, map};

use super::problem::Problem;
use crate::model::{Block, ElementId, Kind};
use crate::solid::geometry::{ROOT, SIGNS, modes, tangents};
use crate::solid::vector::{V3, cross, sub};

/// Elements whose volumes threads find before they are added up.
const TOGETHER: usize = 1 << 18;
/// Those that a thread takes.
const SOME: usize = 1 << 10;

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
            let width = block.kind.nodes();
            let mut own = Vec::with_capacity(block.nodes.len() / width * block.kind.points());
            // Nodes add up in the order of elements.
            for (part, elements) in block.nodes.chunks(TOGETHER * width).enumerate() {
                let some: Vec<&[u32]> = elements.chunks(SOME * width).collect();
                let of_some = |at: usize| Volumes::of(problem, block, some[at]);
                for (at, found) in map(some.len(), Grain::ANY, of_some).into_iter().enumerate() {
                    if let Some(element) = found.inverted {
                        return Err((number, part * TOGETHER + at * SOME + element));
                    }
                    own.extend(found.points.iter().map(|v| density * v));
                    for (share, &node) in found.shares.iter().zip(some[at]) {
                        nodes[node as usize] += density * block.depth() * share;
                    }
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
            for (share, &node) in Volumes::of(problem, block, at).shares.iter().zip(at) {
                *nodes.entry(node).or_insert(0.0) += factor * share;
            }
        }
        nodes.into_iter().collect()
    }
}

/// The volumes of elements.
struct Volumes {
    /// Those of their points.
    points: Vec<f64>,
    /// Those that belong to their nodes.
    shares: Vec<f64>,
    /// The first element whose volume is not positive.
    inverted: Option<usize>,
}

impl Volumes {
    /// Those of elements with these nodes.
    fn of(problem: &Problem, block: &Block, nodes: &[u32]) -> Self {
        let (width, count) = (block.kind.nodes(), block.kind.points());
        let mut all = Self {
            points: Vec::with_capacity(nodes.len() / width * count),
            shares: Vec::with_capacity(nodes.len()),
            inverted: None,
        };
        for (element, nodes) in nodes.chunks_exact(width).enumerate() {
            all.add(problem, block.kind, nodes);
            let own = &all.points[all.points.len() - count..];
            if !own.iter().all(|&v| v > 0.0) {
                all.inverted = Some(element);
                break;
            }
        }
        all
    }

    /// Appends those of an element.
    fn add(&mut self, problem: &Problem, kind: Kind, nodes: &[u32]) {
        let x = |i: usize| problem.coordinates[nodes[i] as usize];
        match kind {
            Kind::Hexahedron | Kind::ReducedHexahedron => {
                let (points, shares) = of_hexahedron(&core::array::from_fn(x));
                self.shares.extend(shares);
                if kind == Kind::Hexahedron {
                    self.points.extend(points);
                } else {
                    // No point may have turned inside out, though only their sum counts.
                    let least = points.iter().copied().fold(f64::INFINITY, f64::min);
                    self.points.push(if least > 0.0 { points.iter().sum() } else { least });
                }
            }
            Kind::Tetrahedron => {
                let v = determinant(sub(x(1), x(0)), sub(x(2), x(0)), sub(x(3), x(0))) / 6.0;
                self.points.push(v);
                self.shares.extend([v / 4.0; 4]);
            }
            Kind::PlaneStrain => self.add_plane(&core::array::from_fn(x), |_| 1.0),
            Kind::Axisymmetric => self.add_plane(&core::array::from_fn(x), |r| r),
        }
    }

    fn add_plane(&mut self, x: &[V3<f64>; 4], weight: impl Fn(f64) -> f64) {
        let (volume, shares) = of_plane(x, weight);
        self.points.push(volume);
        self.shares.extend(shares);
    }
}

/// The volumes of the eight points, and `∫N_I dV`.
fn of_hexahedron(x: &[V3<f64>; 8]) -> ([f64; 8], [f64; 8]) {
    let x = modes(&x.map(|x| x.map(|x| 0.125 * x)));
    let (mut points, mut shares) = ([0.0; 8], [0.0; 8]);
    for (at, point) in SIGNS.iter().zip(&mut points) {
        let [a, b, c] = tangents(&x, at.map(|sign| sign * ROOT));
        *point = determinant(a, b, c);
        for (share, s) in shares.iter_mut().zip(&SIGNS) {
            let n: f64 = (0..3).map(|k| 0.5 * (1.0 + s[k] * at[k] * ROOT)).product();
            *share += n * *point;
        }
    }
    (points, shares)
}

fn determinant(a: V3<f64>, b: V3<f64>, c: V3<f64>) -> f64 {
    let n = cross(b, c);
    a[0] * n[0] + a[1] * n[1] + a[2] * n[2]
}

/// `∫weight(r) dA` and `∫N_I·weight(r) dA` by four points.
fn of_plane(x: &[V3<f64>; 4], weight: impl Fn(f64) -> f64) -> (f64, [f64; 4]) {
    let (mut volume, mut shares) = (0.0, [0.0; 4]);
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
    (volume, shares)
}
