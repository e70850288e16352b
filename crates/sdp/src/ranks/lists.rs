//! Lists of numbers that become those of all ranks.

use nonius_comm::Communicator;
use nonius_comm::dense::Cargo;
use nonius_linalg::{DeviceFailure, Error, Numbers, Slice};

use crate::cone::zeros;

/// Lists, of each of which one rank has the numbers.
pub(crate) struct Lists<'a> {
    /// The rank that has a list.
    pub(crate) owners: &'a [usize],
    /// How many numbers a list has.
    pub(crate) lengths: Vec<usize>,
}

impl Lists<'_> {
    /// Gives all lists to all ranks; `mine` yields those that this one has, by their numbers.
    pub(crate) fn all<'b, T: Cargo>(
        &self,
        ranks: &Communicator,
        format: T::Format,
        mine: impl Fn(usize) -> Slice<'b, T>,
    ) -> Result<Vec<Numbers<T>>, Error> {
        let size = T::words_of(format);
        let of = |rank: usize| {
            let lists = self.owners.iter().zip(&self.lengths).enumerate();
            lists.filter_map(move |(i, (&owner, &length))| (owner == rank).then_some((i, length)))
        };
        let counts: Vec<usize> =
            (0..ranks.size()).map(|rank| of(rank).map(|(_, length)| length * size).sum()).collect();
        let before: usize = counts[..ranks.rank()].iter().sum();
        let total = counts.iter().sum();
        let mut words = Vec::new();
        words.try_reserve_exact(total).map_err(|_| Error::TooLarge { rows: total, cols: 1 })?;
        words.resize(before, 0);
        of(ranks.rank()).for_each(|(i, _)| T::pack(mine(i), &mut words));
        assert_eq!(words.len(), before + counts[ranks.rank()], "numbers of this rank");
        words.resize(total, 0);
        let lost = |error| Error::Device(DeviceFailure::new(error));
        ranks.all_gather_parts(&counts, &mut words).map_err(lost)?;
        let mut lists = vec![Numbers::new(format); self.owners.len()];
        let mut rest = &words[..];
        for (i, length) in (0..ranks.size()).flat_map(of) {
            let (some, others) = rest.split_at(length * size);
            lists[i] = zeros(format, length)?;
            T::unpack(some, lists[i].as_mut_slice());
            rest = others;
        }
        Ok(lists)
    }
}
