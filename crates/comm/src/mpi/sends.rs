//! Messages that MPI has not sent yet.

use core::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use mpi::point_to_point::Destination;
use mpi::request::{Request, StaticScope};

/// Messages under way, each with its request.
#[derive(Default)]
pub(super) struct Sends(Mutex<Vec<Send>>);

struct Send {
    request: Request<'static, [u8], StaticScope>,
    /// What the request reads until it is complete: a box that nobody else knows.
    message: NonNull<[u8]>,
}

// SAFETY: the request is a handle, which MPI lets any thread use that started with
// `Threading::Multiple`; the message belongs to this value alone.
unsafe impl core::marker::Send for Send {}

impl Sends {
    /// Begins to send a message, and gives the memory of those back that have arrived.
    pub(super) fn begin(&self, to: &impl Destination, tag: i32, message: Box<[u8]>) {
        let message = Box::leak(message);
        let pointer = NonNull::from(&mut *message);
        let request = to.immediate_send_with_tag(StaticScope, &*message, tag);
        let mut sends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = core::mem::take(&mut *sends);
        sends.extend(waiting.into_iter().filter_map(Send::test));
        sends.push(Send { request, message: pointer });
    }
}

impl Send {
    /// Itself, where it is not complete.
    fn test(self) -> Option<Self> {
        let Self { request, message } = self;
        match request.test() {
            Ok(_) => {
                // SAFETY: the box was leaked for this request, which is complete.
                drop(unsafe { Box::from_raw(message.as_ptr()) });
                None
            }
            Err(request) => Some(Self { request, message }),
        }
    }
}

/// Waits for all messages.
impl Drop for Sends {
    fn drop(&mut self) {
        for Send { request, message } in
            self.0.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..)
        {
            request.wait_without_status();
            // SAFETY: the box was leaked for this request, which is complete.
            drop(unsafe { Box::from_raw(message.as_ptr()) });
        }
    }
}
