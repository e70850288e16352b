//! Work done, in parts whose sums have one order on every device.
//!
//! A patch of elements adds up the work of its elements in each step, and so do [`NODES`] nodes at
//! a time. A part is then a sum over steps. All works are sums over parts, formed where somebody
//! asks for them. No sum depends on threads, on the device, or on where a run was interrupted.

use super::layout::PATCH;
use super::problem::Problem;

/// How many nodes, in the order of the [layout](super::Layout), have a part of their own.
pub const NODES: usize = 256;

/// How many numbers a warp of a GPU adds up at once.
const WARP: usize = 32;

/// Work done since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// Of stresses on strains.
    pub internal: f64,
    /// Of plastic flow, part of the former.
    pub plastic: f64,
    /// Against hourglass modes.
    pub hourglass: f64,
    /// Of bulk viscosity.
    pub viscous: f64,
    /// Of loads, walls and given motions.
    pub external: f64,
}

/// The parts of [`Works`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tallies {
    /// Of each patch of each block: work on strains, of plastic flow, against hourglass modes, of
    /// viscosity.
    pub patches: Vec<Vec<[f64; 4]>>,
    /// Of each [`NODES`] nodes: work of loads; of reactions, with that of gravity on everything.
    pub nodes: Vec<[f64; 2]>,
}

impl Tallies {
    /// Those of a problem before its first step.
    pub fn new(problem: &Problem) -> Self {
        let patches = problem.blocks.iter().map(|block| {
            let elements = block.nodes.len() / block.kind.nodes();
            vec![[0.0; 4]; elements.div_ceil(PATCH)]
        });
        let nodes = vec![[0.0; 2]; problem.coordinates.len().div_ceil(NODES)];
        Self { patches: patches.collect(), nodes }
    }

    /// The sums of all parts.
    pub fn works(&self) -> Works {
        let mut works = Works::default();
        for &[internal, plastic, hourglass, viscous] in self.patches.iter().flatten() {
            works.internal += internal;
            works.plastic += plastic;
            works.hourglass += hourglass;
            works.viscous += viscous;
        }
        for &[loads, reactions] in &self.nodes {
            works.external += loads + reactions;
        }
        works
    }

    /// Whether there are as many parts as in others.
    pub fn fit(&self, other: &Self) -> bool {
        let sizes =
            |tallies: &Self| -> Vec<usize> { tallies.patches.iter().map(Vec::len).collect() };
        sizes(self) == sizes(other) && self.nodes.len() == other.nodes.len()
    }
}

/// A sum of numbers in the order of a block of threads on a GPU.
///
/// Of each 32 numbers, the second half is added to the first until one number is left; these are
/// added one after the other. `N` is a multiple of 32.
pub(crate) fn sum_of_block<const N: usize>(numbers: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for warp in numbers.chunks_exact(WARP) {
        let mut rest = [0.0; WARP];
        rest.copy_from_slice(warp);
        let mut half = WARP / 2;
        while half > 0 {
            let (first, second) = rest.split_at_mut(half);
            first.iter_mut().zip(second).for_each(|(to, by)| *to += *by);
            half /= 2;
        }
        sum += rest[0];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_all_numbers_once() {
        let numbers: [f64; 128] = core::array::from_fn(|i| (i * i) as f64);
        assert_eq!(sum_of_block(&numbers), (0..128).map(|i| i * i).sum::<usize>() as f64);
        // 1 is lost beside 2⁵⁴ unless its warp comes first, and within a warp it meets its partner
        // half a warp away.
        let mut far = [0.0; 64];
        (far[0], far[1], far[17], far[32]) = (18014398509481984.0, 1.0, -1.0, -18014398509481984.0);
        assert_eq!(sum_of_block(&far), 0.0);
    }
}
