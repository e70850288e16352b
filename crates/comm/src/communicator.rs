//! The ranks of a group, seen from one of them.

use core::fmt;
use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};

use crate::engine::Engine;
use crate::item::{Message, zeros};
use crate::threads::group;
use crate::{Error, Item, Ordered, Reduction};

/// The ranks that compute together, seen from one of them.
///
/// Every rank calls [`broadcast`](Self::broadcast), the reductions and the other operations of all
/// in the same order. A handle is cheap to copy; copies are the same ranks.
///
/// ```
/// use nonius_comm::{Reduction, threads};
///
/// let sums = threads::run(3, |ranks| {
///     let mut sum = [ranks.rank() as f64, 1.0];
///     ranks.all_reduce(Reduction::Sum, &mut sum)?;
///     Ok::<_, nonius_comm::Error>(sum)
/// })?;
/// assert_eq!(sums, [[3.0, 3.0]; 3]);
/// # Ok::<(), nonius_comm::threads::Failure<nonius_comm::Error>>(())
/// ```
#[derive(Clone)]
pub struct Communicator {
    engine: Arc<dyn Engine>,
}

impl Communicator {
    pub(crate) fn new(engine: Arc<dyn Engine>) -> Self {
        Self { engine }
    }

    /// A single rank.
    pub fn alone() -> Self {
        Self::new(group::alone())
    }

    /// This one among the ranks, counted from 0.
    pub fn rank(&self) -> usize {
        self.engine.rank()
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.engine.size()
    }

    /// Sends a message, and does not wait until it is received. Messages with one tag from one rank
    /// to another arrive in their order.
    ///
    /// Panics where there is no such rank.
    ///
    /// # Errors
    /// [`Error::Lost`]; [`Error::NoMemory`].
    pub fn send<T: Item>(&self, to: usize, tag: u16, items: &[T]) -> Result<(), Error> {
        self.check(to);
        self.engine.send(to, tag, Message::copied(cast_slice(items))?)
    }

    /// [`send`](Self::send) of words, which are not copied.
    ///
    /// Panics where there is no such rank.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_words(&self, to: usize, tag: u16, words: Vec<u64>) -> Result<(), Error> {
        self.check(to);
        self.engine.send(to, tag, words.into())
    }

    /// Waits for a message of so many items.
    ///
    /// Panics where there is no such rank.
    ///
    /// # Errors
    /// [`Error::Lost`]; [`Error::Length`] where the message has another length.
    pub fn receive<T: Item>(&self, from: usize, tag: u16, items: &mut [T]) -> Result<(), Error> {
        self.check(from);
        self.engine.receive(from, tag, cast_slice_mut(items))
    }

    /// Waits for a message of so many words.
    ///
    /// Panics where there is no such rank.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn receive_words(&self, from: usize, tag: u16, count: usize) -> Result<Vec<u64>, Error> {
        self.check(from);
        let length = count.saturating_mul(size_of::<u64>());
        self.engine.take(from, tag, length).map(Message::into_words)
    }

    /// Gives the items of the rank `root` to all. Each rank has as many.
    ///
    /// Panics where there is no such rank.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn broadcast<T: Item>(&self, root: usize, items: &mut [T]) -> Result<(), Error> {
        self.check(root);
        self.engine.broadcast(root, cast_slice_mut(items))
    }

    /// Gives the items of each rank, as many each, to all: in the order of the ranks.
    ///
    /// Panics where `all` has not as many for each rank as `mine` has.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn all_gather<T: Item>(&self, mine: &[T], all: &mut [T]) -> Result<(), Error> {
        assert_eq!(all.len(), self.size() * mine.len(), "items of all ranks");
        self.engine.all_gather(cast_slice(mine), cast_slice_mut(all))
    }

    /// Gives the items of each rank, `counts[r]` of rank `r`, to all: in the order of the ranks.
    /// Where they belong, `all` holds this rank's before.
    ///
    /// Panics where the counts are not one for each rank, or do not add up to the length of `all`.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn all_gather_parts<T: Item>(&self, counts: &[usize], all: &mut [T]) -> Result<(), Error> {
        let (ranks, sum) = (counts.len(), counts.iter().sum::<usize>());
        assert_eq!((ranks, sum), (self.size(), all.len()), "items of all ranks");
        let mut rest = all;
        for (rank, &count) in counts.iter().enumerate() {
            let (part, others) = rest.split_at_mut(count);
            if count > 0 {
                self.broadcast(rank, part)?;
            }
            rest = others;
        }
        Ok(())
    }

    /// Gives the items of each rank, however many it has, to all: in the order of the ranks.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn all_gather_lists<T: Item>(&self, mine: &[T]) -> Result<Vec<Vec<T>>, Error> {
        let mut lengths = zeros(self.size())?;
        self.all_gather(&[mine.len() as u64], &mut lengths)?;
        let list = |(rank, length): (usize, u64)| {
            let mut items = zeros(length as usize)?;
            if rank == self.rank() {
                items.copy_from_slice(mine);
            }
            self.broadcast(rank, &mut items)?;
            Ok(items)
        };
        (0..).zip(lengths).map(list).collect()
    }

    /// Gives part `r` of the items to rank `r`: part `r` of `taken` is what rank `r` gives this
    /// one. All parts have as many items, on every rank.
    ///
    /// Panics where the parts are not as many as the ranks, or of different lengths.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn all_to_all<T: Item>(&self, given: &[T], taken: &mut [T]) -> Result<(), Error> {
        assert_eq!((given.len() % self.size(), taken.len()), (0, given.len()), "parts");
        self.engine.all_to_all(cast_slice(given), cast_slice_mut(taken))
    }

    /// Reduces items that every rank has, part `r` of them for rank `r`, which gets `mine`.
    ///
    /// Panics where the parts are not as many as the ranks, or of another length than `mine`.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn reduce_scatter<T: Ordered>(
        &self,
        reduction: Reduction,
        items: &[T],
        mine: &mut [T],
    ) -> Result<(), Error> {
        assert_eq!(items.len(), self.size() * mine.len(), "items of all ranks");
        if mine.is_empty() {
            return self.barrier();
        }
        let mut parts = zeros(items.len())?;
        self.all_to_all(items, &mut parts)?;
        let mut parts = parts.chunks_exact(mine.len());
        if let Some(first) = parts.next() {
            mine.copy_from_slice(first);
        }
        parts.for_each(|part| reduction.take(mine, part));
        Ok(())
    }

    /// Whether something holds on every rank.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn agree(&self, here: bool) -> Result<bool, Error> {
        let mut least = [u32::from(here)];
        self.all_reduce(Reduction::Least, &mut least)?;
        Ok(least == [1])
    }

    /// Reduces items that every rank has, as many each, and gives the result to all.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn all_reduce<T: Ordered>(
        &self,
        reduction: Reduction,
        items: &mut [T],
    ) -> Result<(), Error> {
        // Each rank reduces its part; the last parts may hold less than others.
        let part = items.len().div_ceil(self.size());
        let mut padded = zeros(part * self.size())?;
        padded[..items.len()].copy_from_slice(items);
        let mut mine = zeros(part)?;
        self.reduce_scatter(reduction, &padded, &mut mine)?;
        self.all_gather(&mine, &mut padded)?;
        items.copy_from_slice(&padded[..items.len()]);
        Ok(())
    }

    /// Waits until all ranks wait here.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn barrier(&self) -> Result<(), Error> {
        self.engine.barrier()
    }

    /// Whether all ranks are there still, as far as is known without waiting: for whoever waits for
    /// something else that other ranks do.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn check_ranks(&self) -> Result<(), Error> {
        self.engine.check()
    }

    /// Says that this rank has failed, and why: all operations of the others fail from then on.
    ///
    /// Under MPI, prints this and ends the processes of all ranks.
    pub fn fail(&self, cause: &str) {
        self.engine.fail(cause);
    }

    /// The ranks that give the same colour, in the order that they have here: rows or columns of a
    /// grid of ranks, say.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn split(&self, colour: u32) -> Result<Self, Error> {
        self.engine.split(colour).map(Self::new)
    }

    /// The ranks on the host of this one, in the order that they have here.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn on_host(&self) -> Result<Self, Error> {
        self.engine.on_host().map(Self::new)
    }

    fn check(&self, rank: usize) {
        assert!(rank < self.size(), "rank {rank} of {}", self.size());
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.size())
    }
}
