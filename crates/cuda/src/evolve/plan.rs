//! Where the tiles of a batch have their numbers, and how these get there and back.

use nonius_linalg::evolve::{Evolution, Outcome, Stage};
use nonius_linalg::{Scalar, limbs_of_mut};
use rayon::prelude::*;

use super::tile::{Room, Tile, WIDTH, source};

/// Rows of 32 numbers that a thread writes at a time: they stay in its nearest memory.
const ROWS: usize = 64;

/// The tiles of a batch.
pub(super) struct Plan<'a, T> {
    tiles: Vec<Tile<'a, T>>,
    room: Room,
}

/// What goes to the device beside the members' vectors.
pub(super) struct Words {
    pub(super) tiles: Vec<[u64; 8]>,
    pub(super) stages: Vec<[i32; 8]>,
    pub(super) numbers: Vec<f64>,
    pub(super) firsts: Vec<i32>,
}

impl<'a, T: Scalar> Plan<'a, T> {
    pub(super) fn new(batch: &'a [Evolution<T>], tiles: &[&[usize]]) -> Self {
        let mut plan = Self { tiles: Vec::new(), room: Room::default() };
        for members in tiles {
            let members = members.iter().map(|&i| &batch[i]).collect();
            let tile = Tile { members, start: plan.room };
            plan.room.add(tile.room());
            plan.tiles.push(tile);
        }
        plan
    }

    pub(super) fn tiles(&self) -> &[Tile<'a, T>] {
        &self.tiles
    }

    /// What memory all take.
    pub(super) fn room(&self) -> Room {
        self.room
    }

    /// Threads of all tiles.
    pub(super) fn lanes(&self) -> usize {
        self.tiles.len() * WIDTH
    }

    pub(super) fn words(&self) -> Words {
        let (mut tiles, mut stages) = (Vec::new(), Vec::new());
        let (mut numbers, mut firsts) = (vec![0.0; self.room.numbers], vec![0; self.room.firsts]);
        let mut parts = Vec::new();
        let (mut all_numbers, mut all_firsts) = (&mut numbers[..], &mut firsts[..]);
        for tile in &self.tiles {
            let of_tile = tile.stages();
            let pair = |low: usize, high: usize| low as u64 | (high as u64) << 32;
            let Room { input, u, work, numbers, firsts, contacts } = tile.start;
            let [input, u, work, numbers, firsts, contacts] =
                [input, u, work, numbers, firsts, contacts].map(|at| at as u64);
            let sizes = pair(tile.nodes(), tile.members.len());
            let places = pair(stages.len(), of_tile.len());
            tiles.push([input, u, work, numbers, firsts, contacts, sizes, places]);
            stages.extend(of_tile);
            let room = tile.room();
            let (own_numbers, rest_numbers) = all_numbers.split_at_mut(room.numbers);
            let (own_firsts, rest_firsts) = all_firsts.split_at_mut(room.firsts);
            (all_numbers, all_firsts) = (rest_numbers, rest_firsts);
            parts.push((tile, own_numbers, own_firsts));
        }
        parts.into_par_iter().for_each(|(tile, numbers, firsts)| tile.fill(numbers, firsts));
        Words { tiles, stages, numbers, firsts }
    }

    /// Writes the members' vectors from limb `first` of all on, at whole rows.
    pub(super) fn fill(&self, first: usize, to: &mut [f64]) {
        to.par_chunks_mut(ROWS * WIDTH).enumerate().for_each(|(index, mut to)| {
            let mut at = first + index * ROWS * WIDTH;
            while !to.is_empty() {
                let after = self.tiles.partition_point(|tile| tile.start.input <= at);
                let tile = &self.tiles[after - 1];
                let row = (at - tile.start.input) / WIDTH;
                let (plane, node) = (row / tile.nodes(), row % tile.nodes());
                let count = (tile.nodes() - node).min(to.len() / WIDTH);
                let (rows, rest) = to.split_at_mut(count * WIDTH);
                for (lane, member) in tile.members.iter().enumerate() {
                    source(member, plane / T::LIMBS).write(plane % T::LIMBS, node, rows, lane);
                }
                (to, at) = (rest, at + count * WIDTH);
            }
        });
    }

    /// The outcomes of each tile's members, before the numbers of their vectors are there; nothing for those that failed.
    pub(super) fn outcomes(
        &self,
        contacts: &[u32],
        failed: &[u32],
    ) -> Vec<Vec<Option<Outcome<T>>>> {
        let of_tile = |(tile, failed): (&Tile<'_, T>, &[u32])| {
            let contacts = &contacts[tile.start.contacts..];
            let of_lane = |lane: usize| {
                let sound = failed[lane] == 0;
                sound.then(|| Outcome {
                    u: vec![T::ZERO; tile.nodes()],
                    contact: contact(tile, contacts, lane),
                })
            };
            (0..tile.members.len()).map(of_lane).collect()
        };
        self.tiles.par_iter().zip(failed.par_chunks_exact(WIDTH)).map(of_tile).collect()
    }

    /// Puts limbs of `u`, from `first` of all on, at whole rows, into the outcomes.
    pub(super) fn take(
        &self,
        first: usize,
        from: &[f64],
        outcomes: &mut [Vec<Option<Outcome<T>>>],
    ) {
        let begin = self.tiles.partition_point(|tile| tile.start.u <= first) - 1;
        let end = self.tiles.partition_point(|tile| tile.start.u < first + from.len());
        let tiles = self.tiles[begin..end].par_iter().zip(&mut outcomes[begin..end]);
        tiles.for_each(|(tile, outcomes)| {
            let lanes = outcomes.par_iter_mut().enumerate().with_min_len(4);
            lanes.for_each(|(lane, outcome)| {
                if let Some(outcome) = outcome {
                    put(tile, lane, (first, from), &mut outcome.u);
                }
            });
        });
    }
}

/// Puts the limbs of a member of the tile, of those that begin at `first`, into its vector.
fn put<T: Scalar>(tile: &Tile<'_, T>, lane: usize, (first, from): (usize, &[f64]), u: &mut [T]) {
    let n = u.len();
    for limb in 0..T::LIMBS {
        let plane = tile.start.u + limb * n * WIDTH;
        let (begin, end) = (plane.max(first), (plane + n * WIDTH).min(first + from.len()));
        if begin < end {
            let rows = from[begin - first..end - first].chunks_exact(WIDTH);
            let nodes = limbs_of_mut(&mut u[(begin - plane) / WIDTH..]).chunks_exact_mut(T::LIMBS);
            nodes.zip(rows).for_each(|(node, row)| node[limb] = row[lane]);
        }
    }
}

/// A member's contacts.
fn contact<T: Scalar>(tile: &Tile<'_, T>, contacts: &[u32], lane: usize) -> Vec<Option<u32>> {
    let mut counts = contacts.iter().skip(lane).step_by(WIDTH);
    let mut contact = Vec::new();
    for stage in &tile.first().stages {
        if let Stage::Steps(steps) = stage
            && let Some(constraint) = steps.constraint
        {
            let counts = counts.by_ref().take(steps.count);
            contact.extend(counts.map(|&count| constraint.contact(count as usize, tile.nodes())));
        }
    }
    contact
}
