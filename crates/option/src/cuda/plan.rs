//! Where the tiles of a batch have their numbers, and how these get there and back.

use nonius_cuda::Kind;
use nonius_gpu::Error;
use rayon::prelude::*;

use super::arguments::{self, counted};
use super::laid::Laid;
use super::tile::{Room, Tile, source};
use super::way::{Block, WARP, Way};
use crate::evolve::{Evolution, Outcome, Stage};

/// Numbers that a thread writes at a time, in whole rows of tiles: they stay in its nearest memory.
const NUMBERS_OF_A_THREAD: usize = 1 << 11;

/// The tiles of members of one format that are computed in the same way.
pub(super) struct Plan<'a, T: Laid> {
    way: Way,
    format: T::Format,
    /// Planes of a number.
    planes: usize,
    tiles: Vec<Tile<'a, T>>,
    room: Room,
    /// Bytes of shared memory that a block has.
    shared: usize,
}

/// What goes to the device beside the members' vectors.
pub(super) struct Words {
    pub(super) tiles: Vec<arguments::Tile>,
    pub(super) stages: Vec<arguments::Stage>,
    pub(super) numbers: Vec<f64>,
    pub(super) firsts: Vec<i32>,
}

/// Tiles whose blocks are launched together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kernel {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) threads: u32,
    /// Bytes of shared memory, and 1 where a scan's vectors do not lie there.
    pub(super) shared: u32,
    pub(super) in_work: i32,
}

impl<'a, T: Laid> Plan<'a, T> {
    /// Of groups of members of the batch with the same stages, by their numbers. All numbers have
    /// this format. Members of one length follow one another.
    pub(super) fn new(
        (way, format): (Way, T::Format),
        batch: &'a [Evolution<T>],
        groups: &'a [Vec<usize>],
        shared: usize,
    ) -> Self {
        let planes = Kind::of::<T>(format).lanes();
        let (tiles, room) = (Vec::new(), Room::default());
        let mut plan = Self { way, format, planes, tiles, room, shared };
        let mut order: Vec<usize> = (0..groups.len()).filter(|&i| !groups[i].is_empty()).collect();
        order.sort_by_key(|&group| batch[groups[group][0]].start.len());
        for group in order {
            let room = Tile::room(way, planes, &batch[groups[group][0]], shared);
            for places in groups[group].chunks(way.width()) {
                let members = places.iter().map(|&i| &batch[i]).collect();
                plan.tiles.push(Tile { way, members, places, group, start: plan.room, room });
                plan.room.add(room);
            }
        }
        plan
    }

    pub(super) fn way(&self) -> Way {
        self.way
    }

    /// What the numbers consist of.
    pub(super) fn kind(&self) -> Kind {
        Kind::of::<T>(self.format)
    }

    /// All of chains; of scans those of one length at a time.
    pub(super) fn launches(&self) -> Vec<Kernel> {
        if self.way == Way::Chain {
            let count = self.tiles.len();
            return vec![Kernel { first: 0, count, threads: WARP as u32, shared: 0, in_work: 0 }];
        }
        let mut first = 0;
        let of_length = |tiles: &[Tile<'a, T>]| {
            let block = Block::new(self.planes, tiles[0].nodes());
            let (shared, there) = block.shared(self.shared);
            let launch = Kernel {
                first,
                count: tiles.len(),
                threads: block.threads as u32,
                shared: shared as u32,
                in_work: i32::from(!there),
            };
            first += tiles.len();
            launch
        };
        self.tiles.chunk_by(|a, b| a.nodes() == b.nodes()).map(of_length).collect()
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
        self.tiles.len() * self.way.width()
    }

    /// What goes to the device.
    ///
    /// # Errors
    /// [`Error::TooManyRows`] where a member has more of something than kernels count.
    pub(super) fn words(&self) -> Result<Words, Error> {
        let (mut tiles, mut stages) = (Vec::new(), Vec::new());
        let (mut numbers, mut firsts) = (vec![0.0; self.room.numbers], vec![0; self.room.firsts]);
        let mut parts = Vec::new();
        // The group whose stages are the last, and where these are.
        let mut last = (usize::MAX, 0..0);
        let (mut all_numbers, mut all_firsts) = (&mut numbers[..], &mut firsts[..]);
        for tile in &self.tiles {
            if last.0 != tile.group {
                let first = stages.len();
                stages.extend(tile.stages()?);
                last = (tile.group, first..stages.len());
            }
            let Room { input, u, work, numbers, firsts, contacts } = tile.start;
            tiles.push(arguments::Tile {
                input: input as i64,
                u: u as i64,
                work: work as i64,
                numbers: numbers as i64,
                firsts: firsts as i64,
                contacts: contacts as i64,
                nodes: counted(tile.nodes())?,
                members: counted(tile.members.len())?,
                first_stage: counted(last.1.start)?,
                stages: counted(last.1.len())?,
            });
            let room = tile.room;
            let (own_numbers, rest_numbers) = all_numbers.split_at_mut(room.numbers);
            let (own_firsts, rest_firsts) = all_firsts.split_at_mut(room.firsts);
            (all_numbers, all_firsts) = (rest_numbers, rest_firsts);
            parts.push((tile, own_numbers, own_firsts));
        }
        parts.into_par_iter().for_each(|(tile, numbers, firsts)| {
            tile.fill(self.planes, numbers, firsts);
        });
        Ok(Words { tiles, stages, numbers, firsts })
    }

    /// Writes the members' vectors from place `first` of all on, at whole rows.
    pub(super) fn fill(&self, first: usize, to: &mut [f64]) {
        let width = self.way.width();
        to.par_chunks_mut(NUMBERS_OF_A_THREAD).enumerate().for_each(|(index, mut to)| {
            let mut at = first + index * NUMBERS_OF_A_THREAD;
            while !to.is_empty() {
                let after = self.tiles.partition_point(|tile| tile.start.input <= at);
                let tile = &self.tiles[after - 1];
                let row = (at - tile.start.input) / width;
                let (all_planes, node) = (row / tile.nodes(), row % tile.nodes());
                let count = (tile.nodes() - node).min(to.len() / width);
                let (rows, rest) = to.split_at_mut(count * width);
                let (vector, plane) = (all_planes / self.planes, all_planes % self.planes);
                for (lane, member) in tile.members.iter().enumerate() {
                    source(member, vector).write(plane, node, &mut rows[lane..], width);
                }
                (to, at) = (rest, at + count * width);
            }
        });
    }

    /// The outcomes of each tile's members, before the numbers of their vectors are there; nothing
    /// for those that failed.
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
                    u: vec![T::ZERO.to_format(self.format); tile.nodes()],
                    contact: contact(tile, contacts, lane),
                })
            };
            (0..tile.members.len()).map(of_lane).collect()
        };
        self.tiles.par_iter().zip(failed.par_chunks_exact(self.way.width())).map(of_tile).collect()
    }

    /// Puts planes of `u`, from place `first` of all on, at whole rows, into the outcomes.
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
                    put(tile, (lane, self.planes), (first, from), &mut outcome.u);
                }
            });
        });
    }
}

/// Puts the planes of a member of the tile, of those that begin at `first`, into its vector.
fn put<T: Laid>(
    tile: &Tile<'_, T>,
    (lane, planes): (usize, usize),
    (first, from): (usize, &[f64]),
    u: &mut [T],
) {
    let (n, width) = (u.len(), tile.width());
    for p in 0..planes {
        let plane = tile.start.u + p * n * width;
        let (begin, end) = (plane.max(first), (plane + n * width).min(first + from.len()));
        if begin < end {
            let rows = from[begin - first..end - first].chunks_exact(width);
            let nodes = u[(begin - plane) / width..].iter_mut();
            nodes.zip(rows).for_each(|(node, row)| node.set_plane(p, row[lane]));
        }
    }
}

/// A member's contacts.
fn contact<T: Laid>(tile: &Tile<'_, T>, contacts: &[u32], lane: usize) -> Vec<Option<u32>> {
    let nodes = tile.nodes();
    // Nodes on the obstacle, of which scans say how many others there are.
    let count = |&word: &u32| match tile.way {
        Way::Chain => word as usize,
        Way::Scan => nodes - word as usize,
    };
    let mut counts = contacts.iter().skip(lane).step_by(tile.width()).map(count);
    let mut contact = Vec::new();
    for stage in &tile.first().stages {
        if let Stage::Steps(steps) = stage
            && let Some(constraint) = steps.constraint
        {
            let counts = counts.by_ref().take(steps.count);
            contact.extend(counts.map(|count| constraint.contact(count, nodes)));
        }
    }
    contact
}
