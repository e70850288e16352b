//! In what order nodes and elements are computed: neighbours together.
//!
//! Elements of a block are sorted along a curve that fills space and cut into *patches*. A patch
//! reads the nodes that it touches once, and sums the forces of its elements on each of them; a
//! node then sums those of the patches around it. All sums have one order, whoever computes them
//! when. Nodes are numbered anew by the first patch that touches them.

use nonius_linalg::threads::{Grain, map};
use rayon::slice::ParallelSliceMut;

use super::problem::Problem;
use crate::model::Block;

/// How many elements a patch has, but for the last of a block: their nodes' places fit into a
/// core's first cache and the shared memory of a multiprocessor, whose sums are then the same bits.
pub const PATCH: usize = 128;

/// Places that a thread looks at, at least.
const SOME: Grain = Grain::AtLeast(1 << 10);

/// Elements of a block in patches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patches {
    /// The elements' places in the block.
    pub elements: Vec<u32>,
    /// Of each element its nodes' places in its patch.
    pub local: Vec<u16>,
    /// The nodes of all patches, by new numbers; of a patch ascending.
    pub nodes: Vec<u32>,
    /// Where each patch's nodes begin, and where they end.
    pub first: Vec<u32>,
}

/// The order of everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// How many elements a patch has, but for the last of a block.
    pub patch: usize,
    /// Old numbers of nodes in the new order.
    pub order: Vec<u32>,
    /// New numbers of nodes in the old order.
    pub place: Vec<u32>,
    /// Of each block.
    pub blocks: Vec<Patches>,
    /// Where the sums of each node lie among those of all patches of all blocks: those of node `i`
    /// are `slots[first[i]..first[i + 1]]`.
    pub first: Vec<u32>,
    /// See [`first`](Layout::first).
    pub slots: Vec<u32>,
}

impl Layout {
    /// The order for patches of `patch` elements, which is at most 8192.
    pub fn new(problem: &Problem, patch: usize) -> Self {
        let patch = patch.clamp(1, 8192);
        let count = problem.coordinates.len();
        let sorted: Vec<Vec<u32>> =
            problem.blocks.iter().map(|block| along_curve(&middles(problem, block))).collect();
        let mut place = vec![u32::MAX; count];
        let mut order = Vec::with_capacity(count);
        let mut number = |node: u32| {
            let place = &mut place[node as usize];
            if *place == u32::MAX {
                *place = order.len() as u32;
                order.push(node);
            }
        };
        for (block, elements) in problem.blocks.iter().zip(&sorted) {
            let width = block.kind.nodes();
            for &element in elements {
                let at = element as usize * width;
                block.nodes[at..at + width].iter().for_each(|&node| number(node));
            }
        }
        (0..count as u32).for_each(&mut number);
        let blocks: Vec<Patches> = problem
            .blocks
            .iter()
            .zip(sorted)
            .map(|(block, elements)| Patches::new(block, elements, &place, patch))
            .collect();
        let (first, slots) = slots(&blocks, count);
        Self { patch, order, place, blocks, first, slots }
    }
}

impl Patches {
    fn new(block: &Block, elements: Vec<u32>, place: &[u32], patch: usize) -> Self {
        let width = block.kind.nodes();
        let parts: Vec<&[u32]> = elements.chunks(patch).collect();
        let of_part = |at: usize| {
            let of = |&element: &u32| {
                let at = element as usize * width;
                block.nodes[at..at + width].iter().map(|&node| place[node as usize])
            };
            let all: Vec<u32> = parts[at].iter().flat_map(of).collect();
            let mut own = all.clone();
            own.sort_unstable();
            own.dedup();
            let local = all.iter().map(|node| own.partition_point(|other| other < node) as u16);
            (local.collect(), own)
        };
        let found: Vec<(Vec<u16>, Vec<u32>)> = map(parts.len(), Grain::ANY, of_part);
        let mut local = Vec::with_capacity(elements.len() * width);
        let (mut nodes, mut first) = (Vec::new(), vec![0]);
        for (of_elements, own) in found {
            local.extend(of_elements);
            nodes.extend(own);
            first.push(nodes.len() as u32);
        }
        Self { elements, local, nodes, first }
    }

    /// The nodes of a patch.
    pub fn nodes_of(&self, patch: usize) -> &[u32] {
        &self.nodes[self.first[patch] as usize..self.first[patch + 1] as usize]
    }
}

/// The middles of a block's elements.
fn middles(problem: &Problem, block: &Block) -> Vec<[f64; 3]> {
    let width = block.kind.nodes();
    let nodes = |element: usize| &block.nodes[element * width..(element + 1) * width];
    let count = block.nodes.len() / width;
    map(count, SOME, |element| middle(problem, nodes(element)))
}

/// The mean of some nodes' coordinates.
pub(super) fn middle(problem: &Problem, nodes: &[u32]) -> [f64; 3] {
    core::array::from_fn(|k| {
        let sum: f64 = nodes.iter().map(|&node| problem.coordinates[node as usize][k]).sum();
        sum / nodes.len() as f64
    })
}

/// The order of places along Morton's curve.
pub(super) fn along_curve(middles: &[[f64; 3]]) -> Vec<u32> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for middle in middles {
        for k in 0..3 {
            low[k] = low[k].min(middle[k]);
            high[k] = high[k].max(middle[k]);
        }
    }
    // One scale for all axes: patches are to be as long as they are wide.
    let extent = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let cells = f64::from((1u32 << 21) - 1);
    let scale = if extent > 0.0 { cells / extent } else { 0.0 };
    let key = |at: usize| {
        let middle = middles[at];
        let key =
            (0..3).fold(0u64, |key, k| key | spread(((middle[k] - low[k]) * scale) as u64) << k);
        (key, at as u32)
    };
    let mut keyed = map(middles.len(), SOME, key);
    keyed.par_sort_unstable();
    keyed.into_iter().map(|(_, place)| place).collect()
}

/// The lowest 21 bits, two zeros between any two.
fn spread(x: u64) -> u64 {
    let steps = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    steps.into_iter().fold(x & 0x1f_ffff, |x, (shift, mask)| (x | x << shift) & mask)
}

/// Where the sums of nodes lie.
fn slots(blocks: &[Patches], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; count + 1];
    let nodes = || blocks.iter().flat_map(|patches| &patches.nodes);
    nodes().for_each(|&node| first[node as usize + 1] += 1);
    for i in 0..count {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut slots = vec![0u32; first[count] as usize];
    for (slot, &node) in nodes().enumerate() {
        let place = &mut next[node as usize];
        slots[*place as usize] = slot as u32;
        *place += 1;
    }
    (first, slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;
    use crate::solid::tests::block;

    /// A sheet of quadrilaterals.
    fn sheet(n: usize) -> Problem {
        let at = |i: usize, j: usize| (i + (n + 1) * j) as u32;
        let coordinates =
            (0..(n + 1) * (n + 1)).map(|k| [(k % (n + 1)) as f64, (k / (n + 1)) as f64, 0.0]);
        let corners = |k: usize| (k % n, k / n);
        let nodes = (0..n * n).flat_map(|k| {
            let (i, j) = corners(k);
            [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
        });
        let blocks = vec![block(Kind::PlaneStrain, nodes.collect())];
        Problem { coordinates: coordinates.collect(), blocks, ..Problem::default() }
    }

    #[test]
    fn patches_hold_all_elements_and_nodes() {
        let problem = sheet(37);
        let layout = Layout::new(&problem, 64);
        let patches = &layout.blocks[0];
        let mut sorted = patches.elements.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..37 * 37));
        for (i, &element) in patches.elements.iter().enumerate() {
            let own = patches.nodes_of(i / 64);
            for k in 0..4 {
                let node = own[usize::from(patches.local[4 * i + k])] as usize;
                assert_eq!(layout.order[node], problem.blocks[0].nodes[4 * element as usize + k]);
            }
        }
        // Squares of 8 by 8 elements would touch 81 nodes.
        assert!(patches.nodes.len() < 120 * patches.first.len(), "{}", patches.nodes.len());
        for node in 0..problem.coordinates.len() {
            let own = &layout.slots[layout.first[node] as usize..layout.first[node + 1] as usize];
            assert!(own.iter().all(|&slot| patches.nodes[slot as usize] as usize == node));
            assert_eq!(layout.place[layout.order[node] as usize] as usize, node);
        }
    }
}
