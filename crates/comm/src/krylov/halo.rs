//! Entries of a vector that rows near those of other ranks take.

use core::ops::Range;

use nonius_linalg::Error;
use nonius_linalg::backend::Segments;

use super::space::RankSpace;
use super::team::{Team, lost};
use crate::item::zeros;

/// Ranks call all operations in one order, so that one tag does.
const TAG: u16 = 1;

/// What goes from rank to rank before a product, so that each has the entries that its boundary
/// rows take, one after the other: by ranks, and those of a rank as they are there.
#[derive(Clone, Debug)]
pub(super) struct Halo {
    /// To other ranks: this rank's entries that they need.
    sends: Vec<(usize, Vec<Range<usize>>)>,
    /// From other ranks: the places of their entries.
    receives: Vec<(usize, Range<usize>)>,
    /// The entries that are this rank's own, and their places.
    own: (Vec<Range<usize>>, Range<usize>),
    /// How many entries there are.
    length: usize,
}

impl Halo {
    /// The halo of a rank that needs these entries, which ascend. All ranks call it.
    pub(super) fn new(team: &Team, needed: &[usize]) -> Result<Self, Error> {
        let (size, me) = (team.ranks.size(), team.ranks.rank());
        let places = |rank| {
            let rows = team.rows.of(rank);
            let below = |row: usize| needed.partition_point(|&one| one < row);
            below(rows.start)..below(rows.end)
        };
        let ranges: Vec<Range<usize>> = (0..size).map(places).collect();
        let own = (runs(team.own().start, &needed[ranges[me].clone()]), ranges[me].clone());
        // Every rank tells the others how many entries it needs of each, then which ones.
        let counts: Vec<u64> = ranges.iter().map(|range| range.len() as u64).collect();
        let mut asked = zeros(size).map_err(lost)?;
        team.ranks.all_to_all(&counts, &mut asked).map_err(lost)?;
        let receives = ranges.into_iter().enumerate();
        let receives: Vec<_> =
            receives.filter(|(rank, range)| *rank != me && !range.is_empty()).collect();
        for (rank, range) in &receives {
            let rows: Vec<u64> = needed[range.clone()].iter().map(|&row| row as u64).collect();
            team.ranks.send(*rank, TAG, &rows).map_err(lost)?;
        }
        let mut sends = Vec::new();
        for (rank, &count) in asked.iter().enumerate() {
            if rank == me || count == 0 {
                continue;
            }
            let mut rows: Vec<u64> = zeros(count as usize).map_err(lost)?;
            team.ranks.receive(rank, TAG, &mut rows).map_err(lost)?;
            let rows: Vec<usize> = rows.into_iter().map(|row| row as usize).collect();
            sends.push((rank, runs(team.own().start, &rows)));
        }
        Ok(Self { sends, receives, own, length: needed.len() })
    }

    /// Begins to send what other ranks need of a vector.
    pub(super) fn begin<S: Segments>(
        &self,
        space: &RankSpace<S>,
        x: &S::Vector,
    ) -> Result<(), Error> {
        for (rank, ranges) in &self.sends {
            let mut words = Vec::new();
            ranges.iter().for_each(|range| space.local.pack(x, range.clone(), &mut words));
            space.team.ranks.send(*rank, TAG, &words).map_err(lost)?;
        }
        Ok(())
    }

    /// Waits for what this rank needs: the entries that its boundary rows take.
    pub(super) fn end<S: Segments>(
        &self,
        space: &RankSpace<S>,
        x: &S::Vector,
    ) -> Result<S::Vector, Error> {
        let mut near = space.local.vector(self.length)?;
        let (ranges, places) = &self.own;
        let mut words = Vec::new();
        ranges.iter().for_each(|range| space.local.pack(x, range.clone(), &mut words));
        space.local.unpack(&words, &mut near, places.clone());
        for (rank, places) in &self.receives {
            let mut words = zeros(places.len() * space.local.words()).map_err(lost)?;
            space.team.ranks.receive(*rank, TAG, &mut words).map_err(lost)?;
            space.local.unpack(&words, &mut near, places.clone());
        }
        Ok(near)
    }
}

/// Ascending rows as ranges, counted from `first`.
pub(super) fn runs(first: usize, rows: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in rows.iter().map(|row| row - first) {
        match runs.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs
}
