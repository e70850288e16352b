//! Messages that MPI has not sent yet.

use core::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use mpi::point_to_point::Destination;
use mpi::request::{Request, StaticScope};

use crate::item::Message;

/// Bytes of one call of MPI, which counts in 31 bits.
pub(super) const PIECE: usize = 1 << 30;

/// Messages under way.
#[derive(Default)]
pub(super) struct Sends(Mutex<Vec<Send>>);

struct Send {
    /// One for each piece that is not known to have left.
    requests: Vec<Request<'static, [u8], StaticScope>>,
    /// What the requests read until they are complete: a box that nobody else knows.
    message: NonNull<Message>,
}

// SAFETY: requests are handles, which MPI lets any thread use that started with
// `Threading::Multiple`; the message belongs to this value alone.
unsafe impl core::marker::Send for Send {}

impl Sends {
    /// Begins to send a message, and gives the memory of those back that have arrived.
    pub(super) fn begin(&self, to: &impl Destination, tag: i32, message: Message) {
        let message = Box::leak(Box::new(message));
        let pointer = NonNull::from(&mut *message);
        let bytes = message.bytes();
        let pieces = bytes.chunks(PIECE).chain(bytes.is_empty().then_some(bytes));
        let send = |piece| to.immediate_send_with_tag(StaticScope, piece, tag);
        let requests = pieces.map(send).collect();
        let mut sends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = core::mem::take(&mut *sends);
        sends.extend(waiting.into_iter().filter_map(Send::test));
        sends.push(Send { requests, message: pointer });
    }
}

impl Send {
    /// Itself, where it is not complete.
    fn test(mut self) -> Option<Self> {
        self.requests = self.requests.into_iter().filter_map(|one| one.test().err()).collect();
        if self.requests.is_empty() {
            // SAFETY: the box was leaked for these requests, which are complete.
            drop(unsafe { Box::from_raw(self.message.as_ptr()) });
            return None;
        }
        Some(self)
    }
}

/// Waits for all messages.
impl Drop for Sends {
    fn drop(&mut self) {
        for Send { requests, message } in
            self.0.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..)
        {
            requests.into_iter().for_each(Request::wait_without_status);
            // SAFETY: the box was leaked for these requests, which are complete.
            drop(unsafe { Box::from_raw(message.as_ptr()) });
        }
    }
}
