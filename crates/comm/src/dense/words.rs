//! What is found of matrices, as messages.

use nonius_linalg::Error;
use nonius_linalg::backend::Reading;
use nonius_linalg::certified::{Judged, Magnitude};

use super::carry::{Link, lost};
use super::ranks::Ranks;

/// A result of some words.
pub(super) trait Words: Sized {
    /// How many.
    const COUNT: usize;

    /// Appends them.
    fn pack(&self, words: &mut Vec<u64>);

    /// The result of as many words.
    fn unpack(words: &[u64]) -> Self;
}

impl<B: Link> Ranks<B> {
    /// What each rank has found, in the order of the ranks.
    pub(super) fn gathered<R: Words>(&self, mine: &[R]) -> Result<Vec<Vec<R>>, Error> {
        let mut words = Vec::new();
        mine.iter().for_each(|found| found.pack(&mut words));
        let all = self.grid.ranks().all_gather_lists(&words).map_err(lost)?;
        let found = |words: Vec<u64>| words.chunks_exact(R::COUNT).map(R::unpack).collect();
        Ok(all.into_iter().map(found).collect())
    }
}

impl Words for Magnitude {
    const COUNT: usize = 2;

    fn pack(&self, words: &mut Vec<u64>) {
        let (m, e) = self.parts();
        words.extend([m.to_bits(), e as u64]);
    }

    fn unpack(words: &[u64]) -> Self {
        Self::new(f64::from_bits(words[0]), words[1] as i64)
    }
}

impl Words for Reading {
    const COUNT: usize = 2;

    fn pack(&self, words: &mut Vec<u64>) {
        words.extend([self.significand.to_bits(), self.exponent as u64]);
    }

    fn unpack(words: &[u64]) -> Self {
        Self { significand: f64::from_bits(words[0]), exponent: words[1] as i64 }
    }
}

impl<R: Words> Words for [R; 2] {
    const COUNT: usize = 2 * R::COUNT;

    fn pack(&self, words: &mut Vec<u64>) {
        self.iter().for_each(|found| found.pack(words));
    }

    fn unpack(words: &[u64]) -> Self {
        let (first, second) = words.split_at(R::COUNT);
        [R::unpack(first), R::unpack(second)]
    }
}

impl Words for Judged {
    const COUNT: usize = 5 * Magnitude::COUNT + 1;

    fn pack(&self, words: &mut Vec<u64>) {
        let Self { worst, error, open, bounded, least, largest } = self;
        [worst, error, open, least, largest].iter().for_each(|bound| bound.pack(words));
        words.push((*bounded).into());
    }

    fn unpack(words: &[u64]) -> Self {
        let bound = |at: usize| Magnitude::unpack(&words[2 * at..]);
        Self {
            worst: bound(0),
            error: bound(1),
            open: bound(2),
            bounded: words[Self::COUNT - 1] != 0,
            least: bound(3),
            largest: bound(4),
        }
    }
}
