//! How vectors travel between ranks.

use nonius_linalg::backend::{Cpu, Segments, Words};
use nonius_linalg::krylov::{HostSpace, RnsSpace};
use nonius_linalg::{Error, Number};

use super::team::lost;
use crate::Communicator;
use crate::dense::Link;
use crate::item::zeros;

/// Ranks call all operations in one order, so that one tag does.
pub(super) const TAG: u16 = 1;

/// What carries the vectors of a space.
pub type Wire<S> = <<S as Travel>::Device as Link>::Wire;

/// A space whose vectors travel between ranks. All ranks call each operation together.
pub trait Travel: Segments {
    /// The backend whose memory the vectors are in.
    type Device: Link;

    /// The backend.
    fn device(&self) -> Self::Device;

    /// Gives vectors to ranks, and puts what ranks give in the place of those that are taken; of
    /// two ranks each gives the other one vector at most. Does something else meanwhile, which
    /// changes none of these vectors, nor reads what is taken.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or there is too little memory.
    fn exchange(
        &mut self,
        wire: &Wire<Self>,
        given: &[(usize, Self::Vector)],
        taken: &mut [(usize, Self::Vector)],
        meanwhile: impl FnOnce(&mut Self),
    ) -> Result<(), Error>;

    /// `all ←` the entries of all ranks, `counts[r]` of rank `r`, in the order of the ranks; `own`
    /// are this rank's number and entries.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn gather(
        &mut self,
        wire: &Wire<Self>,
        own: (usize, &Self::Vector),
        counts: &[usize],
        all: &mut Self::Vector,
    ) -> Result<(), Error>;
}

macro_rules! host_spaces {
    ($([$($number:ident)?] $space:ty;)*) => {$(
        impl$(<$number: Number>)? Travel for $space {
            type Device = Cpu;

            fn device(&self) -> Cpu {
                Cpu::default()
            }

            fn exchange(
                &mut self,
                ranks: &Communicator,
                given: &[(usize, Self::Vector)],
                taken: &mut [(usize, Self::Vector)],
                meanwhile: impl FnOnce(&mut Self),
            ) -> Result<(), Error> {
                exchange(self, ranks, given, taken, meanwhile)
            }

            fn gather(
                &mut self,
                ranks: &Communicator,
                (_, own): (usize, &Self::Vector),
                counts: &[usize],
                all: &mut Self::Vector,
            ) -> Result<(), Error> {
                gather(self, ranks, own, counts, all)
            }
        }
    )*};
}

host_spaces! {
    [T] HostSpace<T>;
    [] RnsSpace;
}

fn exchange<S: Words>(
    space: &mut S,
    ranks: &Communicator,
    given: &[(usize, S::Vector)],
    taken: &mut [(usize, S::Vector)],
    meanwhile: impl FnOnce(&mut S),
) -> Result<(), Error> {
    for (rank, x) in given {
        let mut words = Vec::new();
        space.pack(x, 0..space.length(x), &mut words);
        ranks.send_words(*rank, TAG, words).map_err(lost)?;
    }
    meanwhile(space);
    for (rank, x) in taken {
        let count = space.length(x);
        let words = ranks.receive_words(*rank, TAG, count * space.words()).map_err(lost)?;
        space.unpack(&words, x, 0..count);
    }
    Ok(())
}

/// What ranks have of a vector, put together in the host's memory.
pub(super) fn gather<S: Words>(
    space: &S,
    ranks: &Communicator,
    own: &S::Vector,
    counts: &[usize],
    all: &mut S::Vector,
) -> Result<(), Error> {
    let most = counts.iter().max().map_or(0, |most| most * space.words());
    if most == 0 {
        return Ok(());
    }
    let mut mine = Vec::new();
    space.pack(own, 0..space.length(own), &mut mine);
    mine.resize(most, 0);
    let mut words = zeros(ranks.size() * most).map_err(lost)?;
    ranks.all_gather(&mine, &mut words).map_err(lost)?;
    let mut first = 0;
    for (&count, words) in counts.iter().zip(words.chunks_exact(most)) {
        space.unpack(&words[..count * space.words()], all, first..first + count);
        first += count;
    }
    Ok(())
}
