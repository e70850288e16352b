//! Some of the threads of a run.

use std::sync::Arc;

use super::room::{Address, Room};
use crate::Error;
use crate::engine::Engine;
use crate::item::Message;

/// A single rank, on the caller's thread.
pub(crate) fn alone() -> Arc<dyn Engine> {
    Arc::new(Group::world(Arc::new(Room::new(1)), 0))
}

/// A group of ranks, seen from one of them.
pub(super) struct Group {
    room: Arc<Room>,
    /// Its number.
    group: u32,
    /// Of each rank of the group the rank in the room.
    members: Vec<usize>,
    rank: usize,
}

impl Group {
    /// All ranks.
    pub(super) fn world(room: Arc<Room>, rank: usize) -> Self {
        let members = (0..room.ranks()).collect();
        Self { room, group: 0, members, rank }
    }

    fn put(&self, to: usize, tag: Option<u16>, message: Message) -> Result<(), Error> {
        let address = Address { group: self.group, from: self.rank, tag };
        self.room.put(self.members[to], address, message)
    }

    fn copy_to(&self, to: usize, message: &[u8]) -> Result<(), Error> {
        self.put(to, None, Message::copied(message)?)
    }

    fn next(&self, from: usize, tag: Option<u16>, length: usize) -> Result<Message, Error> {
        let address = Address { group: self.group, from, tag };
        let message = self.room.take(self.members[self.rank], address, self.members[from])?;
        match message.bytes().len() {
            found if found == length => Ok(message),
            found => Err(Error::Length { from, expected: length, found }),
        }
    }

    fn copy_from(&self, from: usize, tag: Option<u16>, message: &mut [u8]) -> Result<(), Error> {
        message.copy_from_slice(self.next(from, tag, message.len())?.bytes());
        Ok(())
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let mine = self.rank;
        (0..self.members.len()).filter(move |&rank| rank != mine)
    }
}

impl Engine for Group {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.members.len()
    }

    fn send(&self, to: usize, tag: u16, message: Message) -> Result<(), Error> {
        self.put(to, Some(tag), message)
    }

    fn receive(&self, from: usize, tag: u16, message: &mut [u8]) -> Result<(), Error> {
        self.copy_from(from, Some(tag), message)
    }

    fn take(&self, from: usize, tag: u16, length: usize) -> Result<Message, Error> {
        self.next(from, Some(tag), length)
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), Error> {
        if self.rank != root {
            return self.copy_from(root, None, bytes);
        }
        self.others().try_for_each(|rank| self.copy_to(rank, bytes))
    }

    fn all_gather(&self, mine: &[u8], all: &mut [u8]) -> Result<(), Error> {
        self.others().try_for_each(|rank| self.copy_to(rank, mine))?;
        let part = |rank: usize| rank * mine.len()..(rank + 1) * mine.len();
        all[part(self.rank)].copy_from_slice(mine);
        self.others().try_for_each(|rank| self.copy_from(rank, None, &mut all[part(rank)]))
    }

    fn all_to_all(&self, given: &[u8], taken: &mut [u8]) -> Result<(), Error> {
        let length = given.len() / self.size();
        let part = |rank: usize| rank * length..(rank + 1) * length;
        self.others().try_for_each(|rank| self.copy_to(rank, &given[part(rank)]))?;
        taken[part(self.rank)].copy_from_slice(&given[part(self.rank)]);
        self.others().try_for_each(|rank| self.copy_from(rank, None, &mut taken[part(rank)]))
    }

    fn barrier(&self) -> Result<(), Error> {
        self.all_gather(&[], &mut [])
    }

    fn check(&self) -> Result<(), Error> {
        self.room.check()
    }

    fn fail(&self, cause: &str) {
        self.room.end(self.members[self.rank], Some(cause.to_owned()));
    }

    fn split(&self, colour: u32) -> Result<Arc<dyn Engine>, Error> {
        let mut colours = vec![0; 4 * self.size()];
        self.all_gather(&colour.to_ne_bytes(), &mut colours)?;
        let same = |rank: &usize| colours[4 * rank..4 * (rank + 1)] == colour.to_ne_bytes();
        let ranks: Vec<usize> = (0..self.size()).filter(same).collect();
        // The first of them chooses the number.
        let mut group = self.room.new_group().to_ne_bytes();
        if ranks[0] == self.rank {
            ranks[1..].iter().try_for_each(|&rank| self.copy_to(rank, &group))?;
        } else {
            self.copy_from(ranks[0], None, &mut group)?;
        }
        Ok(Arc::new(Self {
            room: Arc::clone(&self.room),
            group: u32::from_ne_bytes(group),
            members: ranks.iter().map(|&rank| self.members[rank]).collect(),
            rank: ranks.iter().position(|&rank| rank == self.rank).unwrap_or(0),
        }))
    }

    /// All of them.
    fn on_host(&self) -> Result<Arc<dyn Engine>, Error> {
        self.split(0)
    }
}
