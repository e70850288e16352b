//! Entries of a vector that rows near those of other ranks take.

use core::ops::Range;

use nonius_linalg::Error;

use super::space::RankSpace;
use super::team::lost;
use super::travel::{Travel, Wire};
use crate::item::zeros;

/// Ranks call all operations in one order, so that one tag does.
const TAG: u16 = 3;

/// What goes from rank to rank before a product, so that each has the entries that its boundary
/// rows take, one after the other: by ranks, and those of a rank as they are there.
pub(super) struct Halo<S: Travel> {
    /// Of this rank's entries, those that other ranks need, and the messages that they become.
    sends: Vec<S::Pairs>,
    given: Vec<(usize, S::Vector)>,
    /// Messages from other ranks, and the places of their entries.
    taken: Vec<(usize, S::Vector)>,
    places: Vec<Range<usize>>,
    /// Of this rank's entries, those that it needs itself.
    own: S::Pairs,
    /// All entries.
    near: S::Vector,
}

impl<S: Travel> Halo<S> {
    /// The halo of a rank that needs these entries, which ascend. All ranks call it.
    pub(super) fn new(space: &RankSpace<S>, needed: &[usize]) -> Result<Self, Error> {
        let (team, local) = (&space.team, &space.local);
        let (size, me, first) = (team.ranks.size(), team.ranks.rank(), team.own().start);
        let places = |rank| {
            let rows = team.rows.of(rank);
            let below = |row: usize| needed.partition_point(|&one| one < row);
            below(rows.start)..below(rows.end)
        };
        let ranges: Vec<Range<usize>> = (0..size).map(places).collect();
        let own = ranges[me].clone().map(|place| (needed[place] - first, place));
        let own = local.pairs(&own.collect::<Vec<_>>())?;
        // Every rank tells the others how many entries it needs of each, then which ones.
        let counts: Vec<u64> = ranges.iter().map(|range| range.len() as u64).collect();
        let mut asked = zeros(size).map_err(lost)?;
        team.ranks.all_to_all(&counts, &mut asked).map_err(lost)?;
        let (mut taken, mut places) = (Vec::new(), Vec::new());
        for (rank, range) in ranges.into_iter().enumerate() {
            if rank == me || range.is_empty() {
                continue;
            }
            let rows: Vec<u64> = needed[range.clone()].iter().map(|&row| row as u64).collect();
            team.ranks.send(rank, TAG, &rows).map_err(lost)?;
            taken.push((rank, local.vector(range.len())?));
            places.push(range);
        }
        let (mut sends, mut given) = (Vec::new(), Vec::new());
        for (rank, &count) in asked.iter().enumerate() {
            if rank == me || count == 0 {
                continue;
            }
            let mut rows: Vec<u64> = zeros(count as usize).map_err(lost)?;
            team.ranks.receive(rank, TAG, &mut rows).map_err(lost)?;
            let moves = rows.into_iter().map(|row| row as usize - first).zip(0..);
            sends.push(local.pairs(&moves.collect::<Vec<_>>())?);
            given.push((rank, local.vector(count as usize)?));
        }
        Ok(Self { sends, given, taken, places, own, near: local.vector(needed.len())? })
    }

    /// The entries that this rank's boundary rows take; does something else with `x` while they are
    /// under way.
    pub(super) fn near(
        &mut self,
        local: &mut S,
        wire: &Wire<S>,
        x: &S::Vector,
        meanwhile: impl FnOnce(&mut S),
    ) -> Result<&S::Vector, Error> {
        for (moves, (_, message)) in self.sends.iter().zip(&mut self.given) {
            local.move_entries(moves, x, message);
        }
        if self.given.is_empty() && self.taken.is_empty() {
            meanwhile(local);
        } else {
            local.exchange(wire, &self.given, &mut self.taken, meanwhile)?;
        }
        local.move_entries(&self.own, x, &mut self.near);
        for ((_, message), places) in self.taken.iter().zip(&self.places) {
            local.place(message, 0, &mut self.near, places.clone());
        }
        Ok(&self.near)
    }
}
