//! Messages on their way, and who has failed.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Error;

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
    messages: HashMap<Address, VecDeque<Vec<u8>>>,
    /// A rank that has ended, and of which nothing more will come, with the cause where it failed.
    ended: Vec<(usize, Option<String>)>,
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
        if let Some(cause) = &failure {
            lock(&self.failed).get_or_insert_with(|| (rank, cause.clone()));
        }
        for mailbox in &self.boxes {
            lock(&mailbox.state).ended.push((rank, failure.clone()));
            mailbox.arrival.notify_all();
        }
    }

    /// Puts a message into a rank's box.
    pub(super) fn put(&self, to: usize, address: Address, message: &[u8]) -> Result<(), Error> {
        let mut copy = Vec::new();
        copy.try_reserve_exact(message.len()).map_err(|_| Error::NoMemory(message.len()))?;
        copy.extend_from_slice(message);
        let mut state = lock(&self.boxes[to].state);
        // Nobody will read it.
        if let Some(lost) = state.failure(None) {
            return Err(lost);
        }
        state.messages.entry(address).or_default().push_back(copy);
        self.boxes[to].arrival.notify_all();
        Ok(())
    }

    /// Waits for a message in a rank's box; `sender` is the rank that it comes from.
    pub(super) fn take(
        &self,
        rank: usize,
        address: Address,
        sender: usize,
    ) -> Result<Vec<u8>, Error> {
        let mut state = lock(&self.boxes[rank].state);
        loop {
            if let Some(message) = state.next(address) {
                return Ok(message);
            }
            if let Some(lost) = state.failure(Some(sender)) {
                return Err(lost);
            }
            state = self.boxes[rank].arrival.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl State {
    /// The next message at an address.
    fn next(&mut self, address: Address) -> Option<Vec<u8>> {
        let waiting = self.messages.get_mut(&address)?;
        let message = waiting.pop_front();
        if waiting.is_empty() {
            self.messages.remove(&address);
        }
        message
    }

    /// The first rank that failed; or else that the `sender` has ended and sends nothing more.
    fn failure(&self, sender: Option<usize>) -> Option<Error> {
        let failed = self.ended.iter().find_map(|(rank, cause)| Some((*rank, cause.clone()?)));
        let ended = || {
            let &(rank, _) = self.ended.iter().find(|(rank, _)| Some(*rank) == sender)?;
            Some((rank, "it ended before the others".to_owned()))
        };
        failed.or_else(ended).map(|(rank, cause)| Error::Lost { rank, cause })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
