//! Queues of work on a device, and marks in them.

use core::ptr;
use std::sync::Arc;

use cudarc::driver::sys;

use crate::context::Context;
use crate::driver::check;
use crate::error::Error;

/// What the driver and the interfaces for arrays call a device's default stream.
pub const DEFAULT: u64 = 1;

/// Waits until all that another library has put into one of its streams on a GPU is done.
///
/// # Errors
/// Where the GPU is not there; what failed in the stream.
///
/// # Safety
/// `stream` is the handle of a stream of the GPU's primary context that is alive, or [`DEFAULT`],
/// or 2, the default stream of this thread.
pub unsafe fn synchronize_stream(ordinal: usize, stream: u64) -> Result<(), Error> {
    let context = Context::new(ordinal)?;
    context.bind()?;
    let raw = ptr::with_exposed_provenance_mut(stream as usize);
    // SAFETY: the caller's promise.
    check(unsafe { sys::cuStreamSynchronize(raw) }, "waiting for another library's work")
}

/// Whose kernels begin first where several streams have some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// After those of streams that are first.
    Usual,
    /// Before all others.
    First,
}

/// A queue: what is put into it is done in this order, beside the work of other streams.
#[derive(Clone, Debug)]
pub struct Stream(Arc<Queue>);

#[derive(Debug)]
struct Queue {
    context: Arc<Context>,
    raw: sys::CUstream,
}

// SAFETY: a handle of the driver's, whose functions may be called from any thread.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

impl Stream {
    /// An empty queue that does not wait for the device's default one.
    pub(crate) fn new(context: &Arc<Context>, urgency: Urgency) -> Result<Self, Error> {
        context.bind()?;
        let mut raw = ptr::null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        let (mut usual, mut first) = (0, 0);
        // SAFETY: a context is current, and both numbers outlive the call.
        let result = unsafe { sys::cuCtxGetStreamPriorityRange(&mut usual, &mut first) };
        check(result, "making a stream")?;
        let priority = match urgency {
            Urgency::Usual => usual,
            Urgency::First => first,
        };
        // SAFETY: as above for `raw`; the priority is one of the device's.
        let result = unsafe { sys::cuStreamCreateWithPriority(&mut raw, flags, priority) };
        check(result, "making a stream")?;
        Ok(Self(Arc::new(Queue { context: Arc::clone(context), raw })))
    }

    /// Waits until all that was put into the queue is done; reports what failed there.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.context().bind()?;
        // SAFETY: the stream is alive as long as `self`.
        check(unsafe { sys::cuStreamSynchronize(self.raw()) }, "waiting for its work")
    }

    /// Marks the end of what has been put into the queue so far.
    pub fn record(&self) -> Result<Event, Error> {
        let event = Event::new(self.context())?;
        // SAFETY: stream and event are alive and of the same context.
        check(unsafe { sys::cuEventRecord(event.raw, self.raw()) }, "marking a stream")?;
        Ok(event)
    }

    /// Lets everything put into the queue from now on wait for a mark in another.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        self.context().bind()?;
        // SAFETY: stream and event are alive; the driver keeps what it needs of the event.
        check(unsafe { sys::cuStreamWaitEvent(self.raw(), event.raw, 0) }, "waiting for a mark")
    }

    /// Lets everything put into the queue from now on wait for what has been put into the device's
    /// default stream, and so for all streams that wait for that one.
    pub fn wait_for_default(&self) -> Result<(), Error> {
        let event = Event::new(self.context())?;
        let default = ptr::without_provenance_mut(DEFAULT as usize);
        // SAFETY: the event is alive; the driver gives that value to the default stream of the
        // current context, which is the event's.
        check(unsafe { sys::cuEventRecord(event.raw, default) }, "marking a stream")?;
        self.wait(&event)
    }

    /// The driver's state for its device.
    pub fn context(&self) -> &Arc<Context> {
        &self.0.context
    }

    /// The driver's handle, for libraries that take one.
    pub fn raw(&self) -> sys::CUstream {
        self.0.raw
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: destroyed once; the driver finishes what is queued.
            unsafe { sys::cuStreamDestroy_v2(self.raw) };
        }
    }
}

/// A mark in a stream.
#[derive(Debug)]
pub struct Event {
    context: Arc<Context>,
    raw: sys::CUevent,
}

// SAFETY: a handle of the driver's, whose functions may be called from any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    fn new(context: &Arc<Context>) -> Result<Self, Error> {
        context.bind()?;
        let mut raw = ptr::null_mut();
        let flags = sys::CUevent_flags::CU_EVENT_DEFAULT as u32;
        // SAFETY: a context is current, and `raw` outlives the call.
        check(unsafe { sys::cuEventCreate(&mut raw, flags) }, "making a mark")?;
        Ok(Self { context: Arc::clone(context), raw })
    }

    /// Waits until the work before the mark is done.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.context.bind()?;
        // SAFETY: the event is alive as long as `self`.
        check(unsafe { sys::cuEventSynchronize(self.raw) }, "waiting for a mark")
    }

    /// Whether the work before the mark is done, or failed.
    pub fn is_past(&self) -> bool {
        // SAFETY: the event is alive as long as `self`.
        let state = unsafe { sys::cuEventQuery(self.raw) };
        state != sys::CUresult::CUDA_ERROR_NOT_READY
    }

    /// Seconds from an earlier mark to this one; waits for both.
    pub fn seconds_since(&self, earlier: &Event) -> Result<f64, Error> {
        earlier.synchronize()?;
        self.synchronize()?;
        let mut milliseconds = 0.0_f32;
        // SAFETY: both events are alive and recorded, and `milliseconds` outlives the call.
        let result = unsafe { sys::cuEventElapsedTime(&mut milliseconds, earlier.raw, self.raw) };
        check(result, "measuring time")?;
        Ok(f64::from(milliseconds) * 1e-3)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: destroyed once; the driver waits where the event is still pending.
            unsafe { sys::cuEventDestroy_v2(self.raw) };
        }
    }
}
