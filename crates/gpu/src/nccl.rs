//! Messages between GPUs by NCCL, in the order of streams and without a way over the host.
//!
//! NCCL is looked for when it is first asked for: `libnccl.so.2`, or the file that `NONIUS_NCCL`
//! names.

use core::ffi::{c_char, c_int, c_void};
use core::fmt;
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Instant;

use crate::context::Context;
use crate::device::Device;
use crate::error::Error;
use crate::memory::Buffer;
use crate::stream::Stream;

// What `nccl.h` declares, the same in all versions 2.
crate::library! {
    Nccl, "NONIUS_NCCL", unix ["libnccl.so.2", "libnccl.so"], windows [];
    version "ncclGetVersion"(*mut c_int);
    new_key "ncclGetUniqueId"(*mut RawKey);
    join "ncclCommInitRank"(*mut RawLinks, c_int, RawKey, c_int);
    abort "ncclCommAbort"(RawLinks);
    state "ncclCommGetAsyncError"(RawLinks, *mut c_int);
    begin "ncclGroupStart"();
    end "ncclGroupEnd"();
    send "ncclSend"(*const c_void, usize, c_int, c_int, RawLinks, RawStream);
    all_reduce "ncclAllReduce"(
        *const c_void, *mut c_void, usize, c_int, c_int, RawLinks, RawStream
    );
    receive "ncclRecv"(*mut c_void, usize, c_int, c_int, RawLinks, RawStream);
}

type RawLinks = *mut c_void;
type RawStream = *mut c_void;

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(super) struct RawKey([c_char; Key::BYTES]);

/// The numbers of the types of bytes and of words.
const BYTE: c_int = 1;
const WORD: c_int = 5;
/// The numbers of addition and of the maximum.
const SUM: c_int = 0;
const GREATEST: c_int = 2;

/// How long an abort lets a call return by itself. NCCL waits within a call for a rank that it has
/// not spoken with before, and an abort ends that too.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often it looks meanwhile.
const PULSE: Duration = Duration::from_millis(1);

/// The version of this machine's NCCL, such as 2.28.3; `None` where there is none.
pub fn version() -> Option<String> {
    let mut version: c_int = 0;
    // SAFETY: the number outlives the call.
    check(unsafe { (Nccl::get()?.version)(&mut version) }, "asking for its version").ok()?;
    Some(format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100))
}

/// What ranks join by that are to send each other messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(RawKey);

impl Key {
    /// Bytes of a key.
    pub const BYTES: usize = 128;

    /// A new one: one rank makes it, and gives its bytes to the others.
    ///
    /// # Errors
    /// [`Error::NoNccl`]; those of NCCL.
    pub fn new() -> Result<Self, Error> {
        let nccl = Nccl::get().ok_or(Error::NoNccl)?;
        let mut key = RawKey([0; Self::BYTES]);
        // SAFETY: the key outlives the call.
        check(unsafe { (nccl.new_key)(&mut key) }, "making a key")?;
        Ok(Self(key))
    }

    /// The key with these bytes.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(RawKey(bytes.map(|byte| byte as c_char)))
    }

    /// Its bytes.
    pub fn bytes(&self) -> [u8; Self::BYTES] {
        self.0.0.map(|byte| byte as u8)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// A GPU among those that send each other messages.
pub struct Links {
    nccl: &'static Nccl,
    raw: RawLinks,
    context: Arc<Context>,
    /// Held within calls of NCCL's.
    calls: Mutex<()>,
    /// Whether `raw` has been given back.
    aborted: AtomicBool,
}

// SAFETY: a handle of NCCL's, which any thread may use; operations of several threads are one after
// the other.
unsafe impl Send for Links {}
// SAFETY: as above.
unsafe impl Sync for Links {}

impl Links {
    /// Joins a device with those of the other ranks. Waits until all `size` ranks have come.
    ///
    /// # Errors
    /// [`Error::NoNccl`]; those of NCCL, as where two ranks have one GPU.
    pub fn join(device: &Device, key: Key, rank: usize, size: usize) -> Result<Self, Error> {
        let nccl = Nccl::get().ok_or(Error::NoNccl)?;
        let context = device.context();
        context.bind()?;
        let mut raw = ptr::null_mut();
        // SAFETY: a context is current, and `raw` outlives the call; NCCL refuses what is no key.
        let result = unsafe { (nccl.join)(&mut raw, size as c_int, key.0, rank as c_int) };
        check(result, "joining GPUs")?;
        let (calls, aborted) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { nccl, raw, context: context.clone(), calls, aborted })
    }

    /// Begins calls of NCCL's, which end with the guard.
    fn enter(&self) -> Result<MutexGuard<'_, ()>, Error> {
        self.context.bind()?;
        let guard = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if self.aborted.load(Ordering::Acquire) {
            return Err(Error::message("its messages were ended", "exchanging messages"));
        }
        Ok(guard)
    }

    /// What has become of messages under way, as far as is known without waiting.
    ///
    /// # Errors
    /// Those of NCCL, as where a network fails.
    pub fn check(&self) -> Result<(), Error> {
        let _guard = match self.calls.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            // The call tells.
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        if self.aborted.load(Ordering::Acquire) {
            return Ok(());
        }
        const DOING: &str = "carrying messages between GPUs";
        self.context.bind()?;
        let mut state: c_int = 0;
        // SAFETY: not given back, and the number outlives the call.
        check(unsafe { (self.nccl.state)(self.raw, &mut state) }, DOING)?;
        check(state, DOING)
    }

    /// Ends all messages, those that another rank does not send or take among them: what waits for
    /// them in streams goes on, with whatever is in its memory. Later messages are errors. Any
    /// thread may call it, whatever the others wait for.
    pub fn abort(&self) {
        let start = Instant::now();
        let _guard = loop {
            match self.calls.try_lock() {
                Ok(guard) => break Some(guard),
                Err(TryLockError::Poisoned(guard)) => break Some(guard.into_inner()),
                // The call waits for a rank that is gone.
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => break None,
                Err(TryLockError::WouldBlock) => thread::sleep(PULSE),
            }
        };
        if !self.aborted.swap(true, Ordering::AcqRel) && self.context.bind().is_ok() {
            // SAFETY: given back once, and not used from then on; a call that has not returned is
            // one that NCCL lets another thread end so.
            unsafe { (self.nccl.abort)(self.raw) };
        }
    }

    /// Queues messages to and from other ranks, which call this in the same order with messages of
    /// the same lengths. None waits for another.
    ///
    /// # Errors
    /// Those of NCCL.
    pub fn exchange<'a>(
        &self,
        stream: &Stream,
        sends: impl IntoIterator<Item = (usize, &'a Buffer)>,
        receives: impl IntoIterator<Item = (usize, &'a mut Buffer)>,
    ) -> Result<(), Error> {
        const DOING: &str = "exchanging messages between GPUs";
        let _guard = self.enter()?;
        let stream = stream.raw().cast();
        // SAFETY: no preconditions.
        check(unsafe { (self.nccl.begin)() }, DOING)?;
        let mut begun = Ok(());
        for (rank, from) in sends {
            let from = (ptr::with_exposed_provenance(from.address() as usize), from.bytes());
            // SAFETY: memory of the device, freed in the order of its stream, which the caller has
            // wait for this one; all of it is sent.
            let result =
                unsafe { (self.nccl.send)(from.0, from.1, BYTE, rank as c_int, self.raw, stream) };
            begun = begun.and(check(result, DOING));
        }
        for (rank, to) in receives {
            let to = (ptr::with_exposed_provenance_mut(to.address() as usize), to.bytes());
            // SAFETY: as above, and borrowed mutably.
            let result =
                unsafe { (self.nccl.receive)(to.0, to.1, BYTE, rank as c_int, self.raw, stream) };
            begun = begun.and(check(result, DOING));
        }
        // SAFETY: ends what was begun above.
        let ended = check(unsafe { (self.nccl.end)() }, DOING);
        begun.and(ended)
    }
}

impl Links {
    /// Queues the addition of the words of all ranks, modulo 2⁶⁴, which call this in the same order
    /// with buffers of as many whole words. The sums take the place of the words, on all ranks.
    ///
    /// # Errors
    /// Those of NCCL.
    pub fn add_words(&self, stream: &Stream, words: &mut Buffer) -> Result<(), Error> {
        let all = 0..words.bytes() / size_of::<u64>();
        self.reduce(stream, words, all, SUM)
    }

    /// The same with the greatest of these words of a buffer in the place of sums.
    ///
    /// Panics where the buffer does not have them.
    ///
    /// # Errors
    /// Those of NCCL.
    pub fn greatest_words(
        &self,
        stream: &Stream,
        buffer: &mut Buffer,
        words: Range<usize>,
    ) -> Result<(), Error> {
        self.reduce(stream, buffer, words, GREATEST)
    }

    fn reduce(
        &self,
        stream: &Stream,
        buffer: &mut Buffer,
        words: Range<usize>,
        operation: c_int,
    ) -> Result<(), Error> {
        assert!(words.end <= buffer.bytes() / size_of::<u64>(), "words of the buffer");
        let _guard = self.enter()?;
        let first = buffer.address() as usize + size_of::<u64>() * words.start;
        let (at, stream) = (ptr::with_exposed_provenance_mut(first), stream.raw().cast());
        // SAFETY: memory of the device, borrowed mutably, and freed in the order of its stream,
        // which the caller has wait for this one; results may take the place of what is reduced.
        let result = unsafe {
            (self.nccl.all_reduce)(at, at, words.len(), WORD, operation, self.raw, stream)
        };
        check(result, "reducing words of GPUs")
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        // Nothing is waited for: another rank may be gone.
        self.abort();
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Links")
    }
}

fn check(result: c_int, doing: &'static str) -> Result<(), Error> {
    let failure = match result {
        // Done, or under way.
        0 | 7 => return Ok(()),
        1 => "a call of CUDA failed",
        2 => "a call of the system failed",
        3 => "an internal error",
        4 => "an invalid argument",
        5 => "an invalid use, such as two ranks on one GPU",
        6 => "another rank failed",
        _ => "an unknown error",
    };
    Err(Error::message(failure, doing))
}
