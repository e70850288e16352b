//! What the error bound needs to know of operands on the device.

use std::sync::{Mutex, MutexGuard, PoisonError};

use nonius_linalg::dense::gemm::crt::Profile;

use super::matrices::{Kind, Matrices};
use crate::backend::Cuda;
use crate::error::Error;
use crate::kernels::Source;
use crate::memory::{Buffer, Pinned};
use crate::module::{Shape, argument_of_words};
use crate::stream::Event;
use crate::words::Words;

const THREADS: u32 = 256;
/// Threads of the block that judges.
const JUDGES: u32 = 1024;
/// Lines that a block looks at.
const LINES: usize = 32;
/// Blocks that a launch should have at least for an operand.
const BLOCKS: usize = 512;
const LEVELS: usize = Profile::LEVELS.len();
/// Words of a summary of all lines, and of all findings.
const SUMMARY: usize = LEVELS + 2;
const FINDINGS: usize = 2 * SUMMARY + 1;

pub(super) fn source(kind: Kind) -> Source {
    let levels = Profile::LEVELS.map(|level| level.to_string()).join(", ");
    let bits = Profile::NORM_BITS.to_string();
    let definitions = [("PROFILE_LEVELS", levels.as_str()), ("PROFILE_NORM_BITS", bits.as_str())];
    kind.module("crt-profile", "crt_profile.cu", &definitions)
}

/// Memory that findings are written to for the host, made at the first product.
#[derive(Debug, Default)]
pub(super) struct Room(Mutex<Option<Pinned>>);

/// The lines of two matrices that are being looked at.
pub(super) struct Look<'a> {
    /// Terms.
    k: usize,
    /// The findings; of both operands the largest entry, the norm and the numbers of entries of each line; the exponents.
    memory: Buffer,
    exponents: [u64; 2],
    awaited: Option<Awaited<'a>>,
}

impl<'a> Look<'a> {
    /// Queues the work for the lines of two matrices, which have entries, and the verdict whether the fewest bits do: where the bound is
    /// at least `least_meeting`. With `room` the host may wait for it.
    pub(super) fn new(
        cuda: &Cuda,
        matrices: &impl Matrices,
        least_meeting: f64,
        room: Option<&'a Room>,
    ) -> Result<Self, Error> {
        let (_, k) = matrices.shape(0);
        let lines = [0, 1].map(|side| matrices.shape(side).0);
        let words = FINDINGS + (lines[0] + lines[1]) * (2 + LEVELS);
        let mut memory = Buffer::new(cuda.stream(), 8 * words + 4 * (lines[0] + lines[1]))?;
        memory.clear()?;
        let start = memory.address() + 8 * FINDINGS as u64;
        let first = memory.address() + 8 * words as u64;
        let exponents = [first, first + 4 * lines[0] as u64];
        let across = lines.map(|lines| lines.div_ceil(LINES));
        let most = across[0].max(across[1]);
        let chunks = BLOCKS.div_ceil(most).min(k.div_ceil(256)).max(1);
        let chunk = k.div_ceil(chunks);
        let mut arguments = Words::default();
        for i in 0..2 {
            let from = start + 8 * (i * lines[0] * (2 + LEVELS)) as u64;
            arguments = arguments
                .and(matrices.numbers(i, [0; 2]))
                .long(lines[i])
                .long(k)
                .long(chunk)
                .address(from)
                .address(from + 8 * lines[i] as u64)
                .address(from + 16 * lines[i] as u64)
                .address(exponents[i]);
        }
        let mut room = room.map(|room| room.0.lock().unwrap_or_else(PoisonError::into_inner));
        let for_host = match &mut room {
            None => 0,
            Some(room) => {
                if room.is_none() {
                    **room = Some(Pinned::zeros(cuda.device().context(), FINDINGS)?);
                }
                room.as_ref().map_or(0, Pinned::mapped)
            }
        };
        let arguments =
            arguments.address(memory.address()).address(for_host).address(least_meeting.to_bits());
        let module = cuda.device().module(&source(matrices.kind()))?;
        let grid = [most as u32, k.div_ceil(chunk) as u32, 2];
        for (name, grid, threads) in
            [(c"largest", grid, THREADS), (c"count", grid, THREADS), (c"judge", [1; 3], JUDGES)]
        {
            let shape = Shape { grid, block: [threads, 1, 1], shared: 0 };
            // SAFETY: the kernels take one structure, which `arguments` is, member by member; the operands live in matrices, and all
            // else in `memory`, which is freed in the order of the stream, and in `room`, which is locked until it was waited for.
            unsafe {
                let arguments = &mut [argument_of_words(arguments.as_slice())];
                module.kernel(name)?.launch(cuda.stream(), shape, arguments)?;
            }
        }
        let awaited = match room {
            None => None,
            Some(room) => Some(Awaited { room, event: cuda.stream().record()? }),
        };
        Ok(Self { k, memory, exponents, awaited })
    }

    /// The addresses of the exponents of both operands.
    pub(super) fn exponents(&self) -> [u64; 2] {
        self.exponents
    }

    /// The address of the number that is not zero where the fewest bits do not do.
    pub(super) fn refused(&self) -> u64 {
        self.memory.address() + 8 * (FINDINGS - 1) as u64
    }

    /// The memory, for whoever goes on to read the verdict.
    pub(super) fn into_memory(self) -> Buffer {
        self.memory
    }

    /// Waits, and yields both profiles where the fewest bits do not do. Their exponents stay on the device.
    pub(super) fn wait(&mut self) -> Result<Option<[Profile; 2]>, Error> {
        let Some(awaited) = self.awaited.take() else { return Ok(None) };
        awaited.event.synchronize()?;
        let words = awaited.room.as_ref().map_or(&[][..], Pinned::as_slice);
        if words.last().is_none_or(|word| word.to_bits() == 0) {
            return Ok(None);
        }
        Ok(Some([0, 1].map(|i| self.profile(&words[i * SUMMARY..]))))
    }

    fn profile(&self, words: &[f64]) -> Profile {
        let word = |i: usize| words[i].to_bits();
        let mut profile = Profile::empty();
        profile.finite = word(LEVELS + 1) == 0;
        let norm = word(LEVELS);
        // Zero where all lines are.
        if norm > 0 {
            profile.join_line(self.k, norm as f64, core::array::from_fn(|g| word(g) as f64));
        }
        profile
    }
}

/// Findings that go to memory of the host, which the next ones take.
struct Awaited<'a> {
    room: MutexGuard<'a, Option<Pinned>>,
    event: Event,
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        // What failed is reported by what follows.
        let _ = self.event.synchronize();
    }
}
