//! Who computes what: the patches and the nodes of each rank.
//!
//! **Patches** are the unit, as on one device: their sums have one order, whoever forms them. The
//! patches of all blocks lie along one curve that fills space, which is cut into runs of about the
//! same cost.
//!
//! **Nodes** add up the sums of the patches around them, in the order of patches. A rank
//! that moves a node takes those sums one by one from the ranks that form them. One sum for each
//! rank and node would be fewer bytes, but an order of additions that depends on the ranks. Most
//! nodes between two ranks lie between two patches, so that the sums are few more.
//!
//! **Groups.** Works, energies and the size of forces are sums over [`NODES`] nodes at a time. So a
//! rank has whole groups of nodes: those whose first node its patches are the first to touch. It
//! moves the nodes of its groups and all that its patches touch. A node that several ranks move has
//! the same bits on each.

use super::layout::{Layout, along_curve, middle};
use super::memory::Memory;
use super::problem::Problem;
use super::tally::NODES;

/// Who computes what.
#[derive(Clone, Debug, Default)]
pub struct Division {
    nodes: usize,
    /// Of each block the patches.
    patches: Vec<Vec<Place>>,
    /// Of each group of nodes its rank.
    groups: Vec<u32>,
    /// The ranks that move node `i` are `movers[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    movers: Vec<u32>,
}

/// Where a patch is computed.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    rank: u32,
    /// Whether other ranks move nodes of it, too.
    is_boundary: bool,
}

/// Patches of a block that a rank computes at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The block.
    pub block: usize,
    /// Its patches, ascending.
    pub patches: Vec<u32>,
    /// Whether other ranks wait for their sums.
    pub is_boundary: bool,
}

impl Division {
    /// A problem on so many ranks. All ranks find the same.
    pub fn new(problem: &Problem, layout: &Layout, ranks: usize) -> Self {
        let nodes = layout.order.len();
        let mut patches = ranks_of_patches(problem, layout, ranks);
        let mut of_slots = Vec::with_capacity(layout.slots.len());
        for (block, places) in layout.blocks.iter().zip(&patches) {
            for (patch, place) in places.iter().enumerate() {
                of_slots.extend(block.nodes_of(patch).iter().map(|_| place.rank));
            }
        }
        let slots = |node: usize| {
            let own = layout.first[node] as usize..layout.first[node + 1] as usize;
            layout.slots[own].iter().map(|&slot| of_slots[slot as usize])
        };
        // Nodes without elements are the first rank's.
        let owner = |node| slots(node).next().unwrap_or(0);
        let groups: Vec<u32> = (0..nodes).step_by(NODES).map(owner).collect();
        let (mut first, mut movers) = (vec![0], Vec::with_capacity(nodes));
        let mut own = Vec::new();
        for node in 0..nodes {
            own.clear();
            own.extend(slots(node).chain([groups[node / NODES]]));
            own.sort_unstable();
            own.dedup();
            movers.extend_from_slice(&own);
            first.push(movers.len() as u32);
        }
        for (block, places) in layout.blocks.iter().zip(&mut patches) {
            for (patch, place) in places.iter_mut().enumerate() {
                let is_shared = |&node: &u32| first[node as usize + 1] - first[node as usize] > 1;
                place.is_boundary = block.nodes_of(patch).iter().any(is_shared);
            }
        }
        Self { nodes, patches, groups, first, movers }
    }

    /// The rank of a node's group.
    pub fn owner(&self, node: usize) -> usize {
        self.groups[node / NODES] as usize
    }

    /// The ranks that move a node, ascending.
    pub fn movers(&self, node: usize) -> &[u32] {
        &self.movers[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Whether a rank moves a node.
    pub fn moves(&self, rank: usize, node: usize) -> bool {
        self.movers(node).contains(&(rank as u32))
    }

    /// The rank that computes a patch of a block.
    pub fn rank_of(&self, block: usize, patch: usize) -> usize {
        self.patches[block][patch].rank as usize
    }

    /// The groups of a rank, ascending.
    pub fn groups_of(&self, rank: usize) -> Vec<usize> {
        (0..self.groups.len()).filter(|&group| self.groups[group] as usize == rank).collect()
    }

    /// The nodes of a rank's groups, ascending.
    pub fn nodes_of(&self, rank: usize) -> Vec<usize> {
        let of_group = |group: usize| group * NODES..self.nodes.min((group + 1) * NODES);
        self.groups_of(rank).into_iter().flat_map(of_group).collect()
    }

    /// The patches of a rank, in the order in which it computes them: first those that other ranks
    /// wait for.
    pub fn parts(&self, rank: usize) -> Vec<Part> {
        let part = |is_boundary: bool, block: usize| {
            let is_own =
                |place: &Place| place.rank as usize == rank && place.is_boundary == is_boundary;
            let all = (0..).zip(&self.patches[block]);
            let patches = all.filter(|(_, place)| is_own(place)).map(|(patch, _)| patch).collect();
            Part { block, patches, is_boundary }
        };
        let blocks = 0..self.patches.len();
        let parts = [true, false].map(|boundary| blocks.clone().map(move |b| (boundary, b)));
        let parts = parts.into_iter().flatten().map(|(boundary, block)| part(boundary, block));
        parts.filter(|part| !part.patches.is_empty()).collect()
    }
}

/// Patches of all blocks along a curve, cut into runs of about the same cost.
fn ranks_of_patches(problem: &Problem, layout: &Layout, ranks: usize) -> Vec<Vec<Place>> {
    let (mut middles, mut costs, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (block, patches)) in problem.blocks.iter().zip(&layout.blocks).enumerate() {
        // About as many operations as an element has numbers.
        let memory = Memory::of(&problem.materials[block.material]);
        let cost = (memory.of_element(block.kind) + 3 * block.kind.nodes()) as f64;
        for (patch, elements) in patches.elements.chunks(layout.patch).enumerate() {
            let nodes: Vec<u32> =
                patches.nodes_of(patch).iter().map(|&node| layout.order[node as usize]).collect();
            middles.push(middle(problem, &nodes));
            costs.push(cost * elements.len() as f64);
            names.push((number, patch));
        }
    }
    let curve = along_curve(&middles);
    let costs: Vec<f64> = curve.iter().map(|&at| costs[at as usize]).collect();
    let empty = |patches: &super::layout::Patches| {
        vec![Place::default(); patches.first.len().saturating_sub(1)]
    };
    let mut places: Vec<Vec<Place>> = layout.blocks.iter().map(empty).collect();
    for (rank, run) in (0..).zip(nonius_comm::shares(&costs, ranks)) {
        for &at in &curve[run] {
            let (block, patch) = names[at as usize];
            places[block][patch].rank = rank;
        }
    }
    places
}
