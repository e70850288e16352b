//! What carries messages.

use std::sync::Arc;

use crate::Error;
use crate::item::Message;

/// Ranks of a group, seen from one of them. Operations in which all take part are called on each
/// rank in the same order, with arguments that fit.
pub(crate) trait Engine: Send + Sync {
    /// This one among the ranks, counted from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message, and does not wait until it is received. Messages with one tag from one rank
    /// to another arrive in their order.
    fn send(&self, to: usize, tag: u16, message: Message) -> Result<(), Error>;

    /// Waits for a message of that length.
    fn receive(&self, from: usize, tag: u16, message: &mut [u8]) -> Result<(), Error>;

    /// The same in memory of its own.
    fn take(&self, from: usize, tag: u16, length: usize) -> Result<Message, Error>;

    /// Gives the root's bytes to all.
    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), Error>;

    /// Gives the bytes of each rank to all, in the order of the ranks.
    fn all_gather(&self, mine: &[u8], all: &mut [u8]) -> Result<(), Error>;

    /// Gives part `r` of the bytes to rank `r`, and puts what rank `r` gives this one in the place
    /// of part `r`.
    fn all_to_all(&self, given: &[u8], taken: &mut [u8]) -> Result<(), Error>;

    /// Waits until all ranks wait here.
    fn barrier(&self) -> Result<(), Error>;

    /// Whether all ranks are there still, as far as is known without waiting.
    fn check(&self) -> Result<(), Error>;

    /// Says that this rank has failed, and why: nobody waits for it any longer.
    fn fail(&self, cause: &str);

    /// The ranks that give the same colour, in the order that they have here.
    fn split(&self, colour: u32) -> Result<Arc<dyn Engine>, Error>;

    /// The ranks on the host of this one, in the order that they have here.
    fn on_host(&self) -> Result<Arc<dyn Engine>, Error>;
}
