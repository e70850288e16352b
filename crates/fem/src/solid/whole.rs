//! What ranks have in parts, put together on each of them in the order of one device.

use std::borrow::Cow;

use nonius_comm::Communicator;
use nonius_linalg::threads::{Grain, chunks, for_each};

use super::division::Division;
use super::failure::Failure;
use super::layout::Layout;
use super::memory::Memory;
use super::pressure::Pressed;
use super::problem::Problem;
use super::share::Share;
use super::state::State;
use super::tally::NODES;
use crate::model::Block;

/// Places whose numbers a thread puts together.
const PLACES: usize = 4096;

/// All ranks, and what each of them has.
pub(crate) struct Whole {
    pub(crate) ranks: Communicator,
    division: Division,
    /// Old numbers of nodes in the order of the layout.
    order: Vec<u32>,
    /// Elements of a patch.
    patch: usize,
    /// Elements of each block in the order of the layout.
    elements: Vec<Vec<u32>>,
    /// How many numbers each element of a block has.
    widths: Vec<usize>,
    /// Numbers in the layout of nodes under pressure, in the order of a state.
    pressed: Vec<u32>,
}

impl Whole {
    pub(crate) fn new(
        ranks: Communicator,
        problem: &Problem,
        layout: Layout,
        division: Division,
    ) -> Self {
        let pressed = Pressed::new(problem).nodes;
        let width =
            |block: &Block| Memory::of(&problem.materials[block.material]).of_element(block.kind);
        Self {
            ranks,
            division,
            pressed: pressed.into_iter().map(|node| layout.place[node as usize]).collect(),
            order: layout.order,
            patch: layout.patch,
            widths: problem.blocks.iter().map(width).collect(),
            elements: layout.blocks.into_iter().map(|patches| patches.elements).collect(),
        }
    }

    /// Whether there is one rank.
    pub(crate) fn is_alone(&self) -> bool {
        self.ranks.size() == 1
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.order.len()
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.elements.len()
    }

    /// The number that a node has in the problem.
    pub(crate) fn old_number(&self, node: usize) -> usize {
        self.order[node] as usize
    }

    /// The groups of this rank.
    pub(crate) fn groups(&self) -> Vec<usize> {
        self.groups_of(self.ranks.rank())
    }

    /// The groups of a rank.
    pub(crate) fn groups_of(&self, rank: usize) -> Vec<usize> {
        self.division.groups_of(rank)
    }

    /// What all have, `width` numbers for each place, of which each rank has some: by ranks.
    fn together(
        &self,
        (count, width): (usize, usize),
        mine: &[f64],
        places: impl Fn(usize) -> Vec<usize>,
    ) -> Result<Vec<f64>, Failure> {
        let parts = if self.is_alone() {
            Cow::Borrowed(mine)
        } else {
            Cow::Owned(self.ranks.all_gather_lists(mine)?.concat())
        };
        // Of each place where its numbers lie.
        let mut from = vec![0; count];
        let of_ranks = (0..self.ranks.size()).flat_map(places);
        of_ranks.enumerate().for_each(|(at, place)| from[place] = at);
        let mut all = vec![0.0; count * width];
        for_each(chunks(&mut all, PLACES * width), Grain::ANY, |part, all| {
            for (to, &at) in all.chunks_exact_mut(width).zip(&from[part * PLACES..]) {
                to.copy_from_slice(&parts[at * width..(at + 1) * width]);
            }
        });
        Ok(all)
    }

    fn arrays<const K: usize>(
        &self,
        count: usize,
        mine: &[[f64; K]],
        places: impl Fn(usize) -> Vec<usize>,
    ) -> Result<Vec<[f64; K]>, Failure> {
        let all = self.together((count, K), mine.as_flattened(), places)?;
        Ok(all.as_chunks().0.to_vec())
    }

    /// Numbers of groups or patches, which a single rank has in their order.
    fn parts<const K: usize>(
        &self,
        count: usize,
        mine: &[[f64; K]],
        places: impl Fn(usize) -> Vec<usize>,
    ) -> Result<Vec<[f64; K]>, Failure> {
        if self.is_alone() { Ok(mine.to_vec()) } else { self.arrays(count, mine, places) }
    }

    /// Numbers of nodes, of which this rank has those of its groups, in the problem's order.
    pub(crate) fn of_nodes(&self, mine: &[[f64; 3]]) -> Result<Vec<[f64; 3]>, Failure> {
        let old = |node: usize| self.old_number(node);
        let places = |rank: usize| self.division.nodes_of(rank).into_iter().map(old).collect();
        self.arrays(self.nodes(), mine, places)
    }

    /// Numbers of groups, in the order of groups.
    pub(crate) fn of_groups<const K: usize>(
        &self,
        mine: &[[f64; K]],
    ) -> Result<Vec<[f64; K]>, Failure> {
        let count = self.nodes().div_ceil(NODES);
        self.parts(count, mine, |rank| self.division.groups_of(rank))
    }

    /// The sum of numbers of groups, one after the other.
    pub(crate) fn sum_of_groups(&self, mine: &[f64]) -> Result<f64, Failure> {
        let all = self.of_groups(mine.as_chunks::<1>().0)?;
        Ok(all.as_flattened().iter().sum())
    }

    /// Numbers of a block's patches.
    pub(crate) fn of_patches(
        &self,
        block: usize,
        mine: &[[f64; 4]],
    ) -> Result<Vec<[f64; 4]>, Failure> {
        let count = self.elements[block].len().div_ceil(self.patch);
        self.parts(count, mine, |rank| self.patches_of(rank, block))
    }

    /// All numbers of a block's elements, in the problem's order.
    pub(crate) fn of_elements(&self, block: usize, mine: &[f64]) -> Result<Vec<f64>, Failure> {
        let (all, patch) = (&self.elements[block], self.patch);
        let places = |rank: usize| {
            let patches = self.patches_of(rank, block).into_iter();
            let elements = patches.flat_map(|p| &all[p * patch..all.len().min((p + 1) * patch)]);
            elements.map(|&element| element as usize).collect()
        };
        self.together((all.len(), self.widths[block]), mine, places)
    }

    /// The patches of a block that a rank has, in the order of its parts.
    fn patches_of(&self, rank: usize, block: usize) -> Vec<usize> {
        let parts = self.division.parts(rank).into_iter().filter(|part| part.block == block);
        parts.flat_map(|part| part.patches).map(|patch| patch as usize).collect()
    }

    /// Forces of pressures in the order of a state. This rank has those on nodes of its groups, by
    /// ascending number.
    pub(crate) fn of_pressures(&self, mine: &[[f64; 3]]) -> Result<Vec<[f64; 3]>, Failure> {
        let places = |rank: usize| {
            let is_own = |at: &usize| self.division.owner(self.pressed[*at] as usize) == rank;
            let mut places: Vec<usize> = (0..self.pressed.len()).filter(is_own).collect();
            places.sort_unstable_by_key(|&at| self.pressed[at]);
            places
        };
        self.arrays(self.pressed.len(), mine, places)
    }

    /// Forces of pressures at the time of a state, on the nodes under pressure that a rank has.
    pub(crate) fn pressures_of(&self, share: &Share, state: &State) -> Vec<[f64; 3]> {
        let mut places: Vec<(u32, usize)> = self.pressed.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let force = |&node: &u32| {
            let node = share.nodes[node as usize];
            let found = places.binary_search_by_key(&node, |&(node, _)| node);
            found.map_or([0.0; 3], |at| state.pressures[places[at].1])
        };
        Pressed::new(&share.problem).nodes.iter().map(force).collect()
    }
}
