//! Memory on a device, and memory of the host that a device reaches.

use core::ffi::c_void;
use core::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUresult};

use crate::arguments::Pointer;
use crate::context::Context;
use crate::driver::check;
use crate::error::Error;
use crate::stream::Stream;
use crate::traffic::{count_received, count_sent};

/// Bytes of the current device that are free, and all.
pub(crate) fn free_and_total() -> Result<(u64, u64), Error> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: a context is current, and both numbers outlive the call.
    check(unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) }, "asking for free memory")?;
    Ok((free as u64, total as u64))
}

/// Memory on a device. It is allocated and freed in the order of a stream: whoever uses it in that
/// stream may drop it at once, whoever uses it in another has to make the streams wait for each
/// other.
#[derive(Debug)]
pub struct Buffer {
    stream: Stream,
    address: sys::CUdeviceptr,
    bytes: usize,
}

impl Buffer {
    /// `bytes` bytes with anything in them, aligned to 256 bytes.
    pub fn new(stream: &Stream, bytes: usize) -> Result<Self, Error> {
        let mut address = 0;
        if bytes > 0 {
            stream.context().bind()?;
            // SAFETY: the stream is alive, and `address` outlives the call.
            match unsafe { sys::cuMemAllocAsync(&mut address, bytes, stream.raw()) } {
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                    let (free, _) = free_and_total()?;
                    return Err(Error::OutOfMemory { asked: bytes as u64, free });
                }
                result => check(result, "allocating memory")?,
            }
        }
        Ok(Self { stream: stream.clone(), address, bytes })
    }

    /// Memory for `count` numbers; `None` stands for more than any memory has.
    pub fn of_numbers(stream: &Stream, count: Option<usize>) -> Result<Self, Error> {
        match count.and_then(|count| count.checked_mul(size_of::<f64>())) {
            Some(bytes) if isize::try_from(bytes).is_ok() => Self::new(stream, bytes),
            _ => {
                stream.context().bind()?;
                let (free, _) = free_and_total()?;
                Err(Error::OutOfMemory { asked: u64::MAX, free })
            }
        }
    }

    /// No memory, where there is nothing to hold.
    pub fn empty(stream: &Stream) -> Self {
        Self { stream: stream.clone(), address: 0, bytes: 0 }
    }

    /// The stream in whose order it is allocated and freed.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Where it begins; 0 where it is empty.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A kernel's pointer to its beginning.
    pub fn pointer<T>(&self) -> Pointer<T> {
        Pointer::at(self.address)
    }

    /// Sets every byte to zero, in its stream.
    pub fn clear(&mut self) -> Result<(), Error> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.stream.context().bind()?;
        // SAFETY: the range is that of the allocation, and the stream is alive.
        let result =
            unsafe { sys::cuMemsetD8Async(self.address, 0, self.bytes, self.stream.raw()) };
        check(result, "clearing memory")
    }

    /// Sets a range of bytes to zero, in the given stream.
    pub fn clear_range(&self, stream: &Stream, offset: usize, bytes: usize) -> Result<(), Error> {
        assert!(offset <= self.bytes && bytes <= self.bytes - offset, "range to clear");
        stream.context().bind()?;
        let to = self.address + offset as u64;
        // SAFETY: the range lies in the allocation, by the assertion, and the stream is alive.
        check(unsafe { sys::cuMemsetD8Async(to, 0, bytes, stream.raw()) }, "clearing memory")
    }

    /// Sets `count` words of four bytes to `word`, in the given stream. The first is at `offset`,
    /// each further one `pitch` bytes behind the one before.
    pub fn set_words(
        &self,
        stream: &Stream,
        offset: usize,
        pitch: usize,
        count: usize,
        word: u32,
    ) -> Result<(), Error> {
        let Some(last) = count.checked_sub(1) else { return Ok(()) };
        let end = last.checked_mul(pitch).and_then(|far| far.checked_add(offset)?.checked_add(4));
        let fits = end.is_some_and(|end| end <= self.bytes);
        assert!(fits && offset.is_multiple_of(4) && pitch.is_multiple_of(4), "words to set");
        assert!(pitch >= 4 || count == 1, "words to set");
        stream.context().bind()?;
        let to = self.address + offset as u64;
        // SAFETY: all words lie in the allocation, by the assertion, and the stream is alive.
        let result = unsafe {
            if pitch == 4 {
                sys::cuMemsetD32Async(to, word, count, stream.raw())
            } else {
                sys::cuMemsetD2D32Async(to, pitch, word, 1, count, stream.raw())
            }
        };
        check(result, "setting words of memory")
    }

    /// Copies from the host, in the given stream, to the bytes from `offset` on.
    ///
    /// # Safety
    /// Where `from` is locked memory, it stays as it is until the stream has come so far. (From
    /// other memory the driver has copied by the end of the call.)
    pub unsafe fn write(
        &mut self,
        stream: &Stream,
        offset: usize,
        from: &[u8],
    ) -> Result<(), Error> {
        assert!(offset <= self.bytes && from.len() <= self.bytes - offset, "range of a copy");
        if from.is_empty() {
            return Ok(());
        }
        stream.context().bind()?;
        let to = self.address + offset as u64;
        // SAFETY: the range lies in the allocation, by the assertion; `from` is the caller's
        // promise.
        let result = unsafe {
            sys::cuMemcpyHtoDAsync_v2(to, from.as_ptr().cast(), from.len(), stream.raw())
        };
        count_sent(from.len());
        check(result, "copying to the GPU")
    }

    /// Copies the bytes from `offset` on to the host, in the given stream.
    ///
    /// # Safety
    /// `to` stays allocated, and is not looked at, until the stream has come so far.
    pub unsafe fn read(&self, stream: &Stream, offset: usize, to: &mut [u8]) -> Result<(), Error> {
        assert!(offset <= self.bytes && to.len() <= self.bytes - offset, "range of a copy");
        if to.is_empty() {
            return Ok(());
        }
        stream.context().bind()?;
        let from = self.address + offset as u64;
        // SAFETY: the range lies in the allocation, by the assertion; `to` is the caller's promise.
        let result = unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.as_mut_ptr().cast(), from, to.len(), stream.raw())
        };
        count_received(to.len());
        check(result, "copying from the GPU")
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.address != 0 && self.stream.context().bind().is_ok() {
            // SAFETY: allocated once, freed once, in the order of its stream.
            unsafe { sys::cuMemFreeAsync(self.address, self.stream.raw()) };
        }
    }
}

/// Copies bytes between two addresses that the device knows, in the given stream.
///
/// # Safety
/// Both ranges belong to allocations that live until the stream has come so far, and nobody else
/// uses them meanwhile in a way that conflicts.
pub unsafe fn copy(stream: &Stream, from: u64, to: u64, bytes: usize) -> Result<(), Error> {
    let rectangle = Rectangle { from: (from, bytes), to: (to, bytes), width: bytes, rows: 1 };
    // SAFETY: the caller's promise.
    unsafe { copy_rectangle(stream, &rectangle) }
}

/// Rows of bytes to be copied.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle {
    /// The address of the first row, and bytes from one to the next.
    pub from: (u64, usize),
    /// The same of the copy.
    pub to: (u64, usize),
    /// Bytes of a row.
    pub width: usize,
    /// How many.
    pub rows: usize,
}

/// Copies rows of bytes between addresses that the device knows, in the given stream.
///
/// # Safety
/// As [`copy`].
pub unsafe fn copy_rectangle(stream: &Stream, rectangle: &Rectangle) -> Result<(), Error> {
    let Rectangle { from, to, width, rows } = *rectangle;
    if width == 0 || rows == 0 {
        return Ok(());
    }
    stream.context().bind()?;
    if rows == 1 {
        // SAFETY: the driver knows of what memory the addresses are; the ranges are the caller's
        // promise.
        let result = unsafe { sys::cuMemcpyAsync(to.0, from.0, width, stream.raw()) };
        return check(result, "copying");
    }
    let unified = sys::CUmemorytype::CU_MEMORYTYPE_UNIFIED;
    let parameters = sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: unified,
        srcHost: ptr::null(),
        srcDevice: from.0,
        srcArray: ptr::null_mut(),
        srcPitch: from.1,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: unified,
        dstHost: ptr::null_mut(),
        dstDevice: to.0,
        dstArray: ptr::null_mut(),
        dstPitch: to.1,
        WidthInBytes: width,
        Height: rows,
    };
    // SAFETY: as above.
    check(unsafe { sys::cuMemcpy2DAsync_v2(&parameters, stream.raw()) }, "copying")
}

/// Numbers in memory of the host that stays in place (page-locked), so that a device copies it
/// without help of the processor, and reaches it itself by its address there. The processor reads
/// it at full speed.
#[derive(Debug)]
pub struct Pinned {
    context: Arc<Context>,
    start: *mut f64,
    length: usize,
    /// The address of the first number as the device sees it.
    mapped: u64,
}

// SAFETY: owns its memory like a `Box<[f64]>`.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// `length` zeros.
    pub fn zeros(context: &Arc<Context>, length: usize) -> Result<Self, Error> {
        context.bind()?;
        let Some(bytes) = length.max(1).checked_mul(size_of::<f64>()) else {
            return Err(Error::OutOfHostMemory { asked: u64::MAX });
        };
        let mut start: *mut c_void = ptr::null_mut();
        // Not write-combined: the processor reads results from it.
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP | sys::CU_MEMHOSTALLOC_PORTABLE;
        // SAFETY: a context is current, and `start` outlives the call.
        match unsafe { sys::cuMemHostAlloc(&mut start, bytes, flags) } {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                return Err(Error::OutOfHostMemory { asked: bytes as u64 });
            }
            result => check(result, "locking memory of the host")?,
        }
        let mut pinned =
            Self { context: Arc::clone(context), start: start.cast(), length, mapped: 0 };
        // SAFETY: the allocation has `length` numbers, aligned to a page; all zero bytes are
        // numbers.
        unsafe { pinned.start.write_bytes(0, length) };
        // SAFETY: the memory was allocated mapped just above; `mapped` outlives the call.
        let result = unsafe { sys::cuMemHostGetDevicePointer_v2(&mut pinned.mapped, start, 0) };
        check(result, "mapping memory of the host")?;
        Ok(pinned)
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[f64] {
        // SAFETY: `length` initialised numbers that live as long as `self`.
        unsafe { core::slice::from_raw_parts(self.start, self.length) }
    }

    /// The numbers, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        // SAFETY: `length` initialised numbers that live as long as `self`, borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.length) }
    }

    /// Where a device finds the first number.
    pub fn mapped(&self) -> u64 {
        self.mapped
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: allocated once, freed once; the driver waits for copies under way.
            unsafe { sys::cuMemFreeHost(self.start.cast()) };
        }
    }
}
