//! Solids in motion.

mod conformance;
mod digits;
mod patch;
mod random;
mod ranks;
mod resync;
mod rows;
pub(crate) mod suite;
mod waves;

use crate::model::{Block, BulkViscosity, Elastic, Kind, Lame, Law, Material, NeoHookean};
use crate::solid::{Course, NodeMotion, Problem};

/// A material whose temperature stays.
pub(crate) fn cold(density: f64, law: Law) -> Material {
    Material {
        name: String::new(),
        density,
        law,
        expansion: 0.0,
        specific_heat: 0.0,
        heat_fraction: 0.0,
    }
}

/// An elastic material.
pub(crate) fn elastic(young: f64, poisson: f64, density: f64) -> Material {
    cold(density, Law::Elastic(Elastic { young, poisson }))
}

/// Elasticity with these parameters of Lamé.
pub(crate) const fn elasticity(Lame { lambda, mu }: Lame) -> Elastic {
    let sum = lambda + mu;
    Elastic { young: mu * (3.0 * lambda + 2.0 * mu) / sum, poisson: 0.5 * lambda / sum }
}

/// The neo-Hookean law with the parameters of Lamé that elasticity has.
pub(crate) fn neo_hookean_like(elastic: Elastic) -> Law {
    let Lame { lambda, mu } = cold(1.0, Law::Elastic(elastic)).lame();
    Law::NeoHookean(NeoHookean { c10: 0.5 * mu, d1: 2.0 / (lambda + 2.0 / 3.0 * mu) })
}

/// Elements of the first material, with a thickness of one.
pub(crate) fn block(kind: Kind, nodes: Vec<u32>) -> Block {
    let labels = (1..).take(nodes.len() / kind.nodes()).collect();
    Block { kind, material: 0, labels, nodes, thickness: 1.0 }
}

/// A box of `n` hexahedra, whose nodes `moved` puts elsewhere.
pub(crate) fn hexahedra(
    kind: Kind,
    n: [usize; 3],
    size: [f64; 3],
    moved: impl Fn([f64; 3]) -> [f64; 3],
    material: Material,
) -> Problem {
    let at = |i: usize, j: usize, k: usize| (i + (n[0] + 1) * (j + (n[1] + 1) * k)) as u32;
    let mut coordinates = Vec::new();
    for k in 0..=n[2] {
        for j in 0..=n[1] {
            for i in 0..=n[0] {
                let place = [i, j, k];
                coordinates
                    .push(moved(core::array::from_fn(|a| size[a] * place[a] as f64 / n[a] as f64)));
            }
        }
    }
    let mut nodes = Vec::new();
    for k in 0..n[2] {
        for j in 0..n[1] {
            for i in 0..n[0] {
                for up in 0..2 {
                    let k = k + up;
                    nodes.extend([
                        at(i, j, k),
                        at(i + 1, j, k),
                        at(i + 1, j + 1, k),
                        at(i, j + 1, k),
                    ]);
                }
            }
        }
    }
    Problem {
        coordinates,
        blocks: vec![block(kind, nodes)],
        materials: vec![material],
        viscosity: BulkViscosity::default(),
        hourglass: 0.05,
        ..Problem::default()
    }
}

/// Holds nodes along an axis.
pub(crate) fn hold(problem: &mut Problem, axis: u8, nodes: impl Fn([f64; 3]) -> bool) {
    let course = problem.courses.len() as u32;
    problem.courses.push(Course { factor: 0.0, points: Vec::new(), smooth: false });
    for (node, &x) in problem.coordinates.iter().enumerate() {
        if nodes(x) {
            problem.motions.push(NodeMotion {
                node: node as u32,
                axis,
                is_velocity: false,
                course,
            });
        }
    }
}
