//! A communicator of MPI.

use std::sync::Arc;

use mpi::collective::{CommunicatorCollectives, Root};
use mpi::datatype::Equivalence;
use mpi::point_to_point::Source;
use mpi::topology::{Color, Communicator, SimpleCommunicator};

use super::sends::{PIECE, Sends};
use crate::Error;
use crate::engine::Engine;
use crate::item::{Message, zeros};

pub(super) struct Group {
    // Dropped before the communicator that they belong to.
    sends: Sends,
    ranks: SimpleCommunicator,
}

// SAFETY: a communicator is a handle, which MPI lets any thread use that started with
// `Threading::Multiple`.
unsafe impl Send for Group {}
// SAFETY: as above, and for several threads at the same time.
unsafe impl Sync for Group {}

impl Group {
    pub(super) fn new(ranks: SimpleCommunicator) -> Self {
        Self { sends: Sends::default(), ranks }
    }

    fn receive_into(&self, from: usize, tag: i32, message: &mut [u8]) -> Result<(), Error> {
        let process = self.ranks.process_at_rank(from as i32);
        let expected = message.len();
        let mut before = 0;
        loop {
            let piece = &mut message[before..expected.min(before + PIECE)];
            let (found, status) = process.matched_probe_with_tag(tag);
            let count = status.count(u8::equivalent_datatype()) as usize;
            if count != piece.len() {
                // What does not fit is taken from MPI all the same.
                found.matched_receive_into(&mut vec![0_u8; count]);
                return Err(Error::Length { from, expected, found: before + count });
            }
            found.matched_receive_into(piece);
            before += count;
            if before == expected {
                return Ok(());
            }
        }
    }
}

impl Engine for Group {
    fn rank(&self) -> usize {
        self.ranks.rank() as usize
    }

    fn size(&self) -> usize {
        self.ranks.size() as usize
    }

    fn send(&self, to: usize, tag: u16, message: Message) -> Result<(), Error> {
        self.sends.begin(&self.ranks.process_at_rank(to as i32), tag.into(), message);
        Ok(())
    }

    fn receive(&self, from: usize, tag: u16, message: &mut [u8]) -> Result<(), Error> {
        self.receive_into(from, tag.into(), message)
    }

    fn take(&self, from: usize, tag: u16, length: usize) -> Result<Message, Error> {
        let mut message = Message::zeros(length)?;
        self.receive_into(from, tag.into(), message.bytes_mut())?;
        Ok(message)
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let root = self.ranks.process_at_rank(root as i32);
        bytes.chunks_mut(PIECE).for_each(|piece| root.broadcast_into(piece));
        Ok(())
    }

    fn all_gather(&self, mine: &[u8], all: &mut [u8]) -> Result<(), Error> {
        let most = PIECE / self.size();
        if mine.len() <= most {
            self.ranks.all_gather_into(mine, all);
            return Ok(());
        }
        let length = mine.len();
        for begin in (0..length).step_by(most) {
            let piece = begin..length.min(begin + most);
            let mut pieces = zeros::<u8>(piece.len() * self.size())?;
            self.ranks.all_gather_into(&mine[piece.clone()], &mut pieces[..]);
            let parts = all.chunks_exact_mut(length).zip(pieces.chunks_exact(piece.len()));
            parts.for_each(|(part, found)| part[piece.clone()].copy_from_slice(found));
        }
        Ok(())
    }

    fn all_to_all(&self, given: &[u8], taken: &mut [u8]) -> Result<(), Error> {
        if given.len() <= PIECE {
            self.ranks.all_to_all_into(given, taken);
            return Ok(());
        }
        let (length, most) = (given.len() / self.size(), PIECE / self.size());
        for begin in (0..length).step_by(most) {
            let piece = begin..length.min(begin + most);
            let size = piece.len();
            let mut from = zeros::<u8>(size * self.size())?;
            let parts = from.chunks_exact_mut(size).zip(given.chunks_exact(length));
            parts.for_each(|(to, part)| to.copy_from_slice(&part[piece.clone()]));
            let mut to = zeros::<u8>(size * self.size())?;
            self.ranks.all_to_all_into(&from[..], &mut to[..]);
            let parts = taken.chunks_exact_mut(length).zip(to.chunks_exact(size));
            parts.for_each(|(part, found)| part[piece.clone()].copy_from_slice(found));
        }
        Ok(())
    }

    fn barrier(&self) -> Result<(), Error> {
        self.ranks.barrier();
        Ok(())
    }

    /// MPI has no word for this but the end of all.
    /// Where a process dies, `mpirun` ends the others.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn fail(&self, cause: &str) {
        eprintln!("rank {}: {cause}", self.rank());
        self.ranks.abort(1);
    }

    fn split(&self, colour: u32) -> Result<Arc<dyn Engine>, Error> {
        // Colours of MPI have 31 bits: those that ranks gave are numbered.
        let mut colours = vec![0; 4 * self.size()];
        self.all_gather(&colour.to_ne_bytes(), &mut colours)?;
        let same = |one: &[u8]| one == colour.to_ne_bytes();
        let first = colours.chunks_exact(4).position(same).unwrap_or(0);
        let ranks = self.ranks.split_by_color(Color::with_value(first as i32));
        ranks
            .map(|ranks| Arc::new(Self::new(ranks)) as Arc<dyn Engine>)
            .ok_or_else(|| Error::NotStarted("MPI does not make a group of these ranks".into()))
    }

    fn on_host(&self) -> Result<Arc<dyn Engine>, Error> {
        Ok(Arc::new(Self::new(self.ranks.split_shared(self.ranks.rank()))))
    }
}
