//! Messages on their way, and who has failed.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::item::Message;

/// Where a message belongs: to a group of ranks, a sender in it, and a tag; operations of all have
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) group: u32,
    pub(super) from: usize,
    pub(super) tag: Option<u16>,
}

/// What the threads of a run share. Ranks are those of the whole run.
pub(super) struct Room {
    boxes: Vec<Mailbox>,
    /// The first rank that has failed, and why.
    failed: Mutex<Option<(usize, String)>>,
    groups: AtomicU32,
}

#[derive(Default)]
struct Mailbox {
    state: Mutex<State>,
    arrival: Condvar,
}

#[derive(Default)]
struct State {
    messages: HashMap<Address, VecDeque<Message>>,
    /// Ranks that have ended, of which nothing more will come.
    ended: Vec<usize>,
    /// Whether one of them has failed.
    failed: bool,
}

impl Room {
    pub(super) fn new(ranks: usize) -> Self {
        let boxes = (0..ranks).map(|_| Mailbox::default()).collect();
        Self { boxes, failed: Mutex::new(None), groups: AtomicU32::new(1) }
    }

    pub(super) fn ranks(&self) -> usize {
        self.boxes.len()
    }

    /// A number that no group has had.
    pub(super) fn new_group(&self) -> u32 {
        self.groups.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn failed(&self) -> Option<usize> {
        lock(&self.failed).as_ref().map(|&(rank, _)| rank)
    }

    /// Says that a rank has ended, and why, where it failed: nobody waits for it any longer.
    pub(super) fn end(&self, rank: usize, failure: Option<String>) {
        let failed = failure.is_some();
        if let Some(cause) = failure {
            lock(&self.failed).get_or_insert((rank, cause));
        }
        for mailbox in &self.boxes {
            let mut state = lock(&mailbox.state);
            state.ended.push(rank);
            state.failed |= failed;
            mailbox.arrival.notify_all();
        }
    }

    /// Whether no rank has failed.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.failed().is_some() { Err(self.lost()) } else { Ok(()) }
    }

    /// The first failure, where there is one.
    fn lost(&self) -> Error {
        let (rank, cause) = lock(&self.failed).clone().unwrap_or_default();
        Error::Lost { rank, cause }
    }

    /// Puts a message into a rank's box.
    pub(super) fn put(&self, to: usize, address: Address, message: Message) -> Result<(), Error> {
        let mut state = lock(&self.boxes[to].state);
        // Nobody will read it.
        if state.failed {
            return Err(self.lost());
        }
        state.messages.entry(address).or_default().push_back(message);
        self.boxes[to].arrival.notify_all();
        Ok(())
    }

    /// Waits for a message in a rank's box; `sender` is the rank that it comes from.
    pub(super) fn take(
        &self,
        rank: usize,
        address: Address,
        sender: usize,
    ) -> Result<Message, Error> {
        let mut state = lock(&self.boxes[rank].state);
        loop {
            if let Some(message) = state.next(address) {
                return Ok(message);
            }
            if state.failed {
                return Err(self.lost());
            }
            if state.ended.contains(&sender) {
                let cause = "it ended before the others".into();
                return Err(Error::Lost { rank: sender, cause });
            }
            state = self.boxes[rank].arrival.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl State {
    /// The next message at an address.
    fn next(&mut self, address: Address) -> Option<Message> {
        let waiting = self.messages.get_mut(&address)?;
        let message = waiting.pop_front();
        if waiting.is_empty() {
            self.messages.remove(&address);
        }
        message
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
