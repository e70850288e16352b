//! What the error bound needs to know of operands on the device.

use core::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nonius_gpu::{
    Buffer, Entry, Error, Event, KernelType, Pinned, Plain, Pointer, Shape, Source,
    kernel_arguments, kernel_types,
};
use nonius_linalg::dense::gemm::crt::Profile;

use super::matrices::Lines;
use crate::backend::Cuda;
use crate::kind::Kind;

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

kernel_types! {
    /// Summaries of all lines of both operands, then whether the fewest bits do not do.
    Findings;
}

kernel_arguments! {
    /// The lines of an operand, and what is found of them.
    struct Operand<N> {
        from: N,
        lines: i64,
        k: i64,
        /// Places that a block looks at.
        chunk: i64,
        /// For each line, zeros at first: the bits of the largest magnitude, the norm, and the
        /// numbers of entries for each level.
        largest: Pointer<u64>,
        norms: Pointer<u64>,
        counts: Pointer<u64>,
        exponents: Pointer<i32>,
        /// Whether all of that is there already.
        known: i64,
    }

    /// The lines of both operands.
    struct Profiles<N> {
        /// Rows of `op(A)`, columns of `op(B)`.
        operands: [Operand<N>; 2],
        /// What the kernel `judge` finds, in the device's memory.
        findings: Pointer<Findings>,
        /// The same in the host's, where somebody waits for it; or null.
        for_host: Pointer<Findings>,
        /// The least value of the bound for which the fewest bits do; negative where any will.
        least_meeting: f64,
    }
}

impl<N: KernelType + Plain> Profiles<N> {
    const LARGEST: Entry<Self> = Entry::new(c"largest");
    const COUNT: Entry<Self> = Entry::new(c"count");
    const JUDGE: Entry<Self> = Entry::new(c"judge");
    const SUMMARIES: Entry<Self> = Entry::new(c"summaries");
    const VERDICT: Entry<Self> = Entry::new(c"verdict");
    const EXPONENTS: Entry<Self> = Entry::new(c"exponents");
}

pub(super) fn source<N: KernelType + Plain>(kind: Kind) -> Source {
    let levels = Profile::LEVELS.map(|level| level.to_string()).join(", ");
    let bits = Profile::NORM_BITS.to_string();
    let definitions = [("PROFILE_LEVELS", levels.as_str()), ("PROFILE_NORM_BITS", bits.as_str())];
    kind.crt_module("crt-profile", "crt/profile.cu", &definitions)
        .entry(Profiles::<N>::LARGEST)
        .entry(Profiles::<N>::COUNT)
        .entry(Profiles::<N>::JUDGE)
        .entry(Profiles::<N>::SUMMARIES)
        .entry(Profiles::<N>::VERDICT)
        .entry(Profiles::<N>::EXPONENTS)
}

/// Memory that findings are written to for the host, made at the first product.
#[derive(Debug, Default)]
pub(super) struct Room(Mutex<Option<Pinned>>);

/// Where what is found of the lines of an operand lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The largest entry, the norm and the numbers of entries of each line, then the exponents.
    start: u64,
    lines: usize,
    /// Whether it is there already.
    known: bool,
}

impl Found {
    fn new(start: u64, lines: usize) -> Self {
        Self { start, lines, known: false }
    }

    /// Bytes for `lines` lines.
    fn bytes(lines: usize) -> usize {
        8 * lines * (2 + LEVELS) + 4 * lines.next_multiple_of(2)
    }

    /// The address of the exponents.
    pub(super) fn exponents(self) -> u64 {
        self.start + 8 * (self.lines * (2 + LEVELS)) as u64
    }

    /// The lines of an operand of `k` places, of which a block looks at `chunk`.
    fn of<L: Lines>(self, operand: L, k: usize, chunk: usize) -> Operand<L::Numbers> {
        let array = |i: usize| Pointer::at(self.start + 8 * (i * self.lines) as u64);
        Operand {
            from: operand.numbers([0; 2]),
            lines: self.lines as i64,
            k: k as i64,
            chunk: chunk as i64,
            largest: array(0),
            norms: array(1),
            counts: array(2),
            exponents: Pointer::at(self.exponents()),
            known: self.known.into(),
        }
    }
}

/// Replaces words of a buffer by the greatest that any of some devices has in their places, in the
/// order of its stream. All devices call it in the same order.
pub type JoinWords<'a> = &'a mut dyn FnMut(&mut Buffer, Range<usize>) -> Result<(), Error>;

/// What is to be found of lines.
#[derive(Clone, Copy)]
enum Extent {
    /// All that the bound of a product needs to know.
    Profiles,
    /// What a product needs that has no bound for each entry.
    Exponents,
}

/// Queues the work for the lines of two operands, and the verdict in the first words of the memory,
/// where zeros stand: on all lines, of which other devices have some where words are joined; and
/// for the host at the other address where it is not 0.
fn look<L: Lines>(
    cuda: &Cuda,
    extent: Extent,
    operands: [(L, Found); 2],
    memory: &mut Buffer,
    for_host: u64,
    least_meeting: f64,
    join: Option<JoinWords<'_>>,
) -> Result<(), Error> {
    let (_, k) = operands[0].0.shape();
    let asked = operands.map(|(_, found)| if found.known { 0 } else { found.lines });
    let most = asked[0].max(asked[1]).div_ceil(LINES);
    let chunks = BLOCKS.div_ceil(most.max(1)).min(k.div_ceil(256)).max(1);
    let chunk = k.div_ceil(chunks);
    let profiles = Profiles {
        operands: operands.map(|(operand, found)| found.of(operand, k, chunk)),
        findings: Pointer::at(memory.address()),
        for_host: Pointer::at(for_host),
        least_meeting,
    };
    let module = cuda.device().module(&source::<L::Numbers>(operands[0].0.kind()))?;
    let grid = [most as u32, k.div_ceil(chunk) as u32, 2];
    let lines = operands[0].1.lines.max(operands[1].1.lines);
    let of_lines = [lines.div_ceil(THREADS as usize).max(1) as u32, 1, 2];
    let last = match (extent, &join) {
        (Extent::Exponents, _) => (Profiles::EXPONENTS, of_lines, THREADS),
        (Extent::Profiles, None) => (Profiles::JUDGE, [1; 3], JUDGES),
        (Extent::Profiles, Some(_)) => (Profiles::SUMMARIES, [1; 3], JUDGES),
    };
    let launch = |(entry, grid, threads): (Entry<_>, [u32; 3], u32)| {
        let shape = Shape { grid, block: [threads, 1, 1], shared: 0 };
        // SAFETY: the operands live in matrices, and all else in memory that is freed in the order
        // of the stream, or is the host's and locked until it was waited for.
        unsafe { module.kernel(entry)?.launch(cuda.stream(), shape, &profiles) }
    };
    if most > 0 {
        launch((Profiles::LARGEST, grid, THREADS))?;
    }
    if let (1.., Extent::Profiles) = (most, extent) {
        launch((Profiles::COUNT, grid, THREADS))?;
    }
    launch(last)?;
    let Some(join) = join else { return Ok(()) };
    join(memory, 0..FINDINGS)?;
    match extent {
        Extent::Profiles => launch((Profiles::VERDICT, [1; 3], 32)),
        Extent::Exponents => Ok(()),
    }
}

/// What is found of the lines of one operand, to be kept.
#[derive(Debug)]
pub(super) struct Known {
    /// Findings that tell nothing, then what [`Found`] says.
    _memory: Buffer,
    found: Found,
}

impl Known {
    /// Queues the work for an operand with entries.
    pub(super) fn new(cuda: &Cuda, operand: impl Lines) -> Result<Self, Error> {
        let (lines, _) = operand.shape();
        let mut memory = Buffer::new(cuda.stream(), 8 * FINDINGS + Found::bytes(lines))?;
        memory.clear()?;
        let start = memory.address() + 8 * FINDINGS as u64;
        let (found, nothing) = (Found::new(start, lines), Found::new(start, 0));
        let lines = [(operand, found), (operand, nothing)];
        look(cuda, Extent::Profiles, lines, &mut memory, 0, -1.0, None)?;
        Ok(Self { _memory: memory, found: Found { known: true, ..found } })
    }

    pub(super) fn found(&self) -> Found {
        self.found
    }
}

/// The lines of two matrices that are being looked at.
pub(super) struct Look<'a> {
    /// Terms.
    k: usize,
    /// The findings, then what is found of the lines of the operands of which it is not known.
    memory: Buffer,
    found: [Found; 2],
    awaited: Option<Awaited<'a>>,
}

impl<'a> Look<'a> {
    /// Queues the work for the lines of two operands, which have entries, and the verdict whether
    /// the fewest bits do: where the bound is at least `least_meeting`. With `room` the host may
    /// wait for it. Other devices have some of the lines where words are joined.
    pub(super) fn new<L: Lines>(
        cuda: &Cuda,
        operands: [L; 2],
        known: [Option<Found>; 2],
        least_meeting: f64,
        room: Option<&'a Room>,
        join: Option<JoinWords<'_>>,
    ) -> Result<Self, Error> {
        let (_, k) = operands[0].shape();
        let lines = operands.map(|operand| operand.shape().0);
        let bytes = |side: usize| match known[side] {
            Some(_) => 0,
            None => Found::bytes(lines[side]),
        };
        let mut memory = Buffer::new(cuda.stream(), 8 * FINDINGS + bytes(0) + bytes(1))?;
        memory.clear()?;
        let start = memory.address() + 8 * FINDINGS as u64;
        let starts = [start, start + bytes(0) as u64];
        let found = [0, 1].map(|i| known[i].unwrap_or(Found::new(starts[i], lines[i])));
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
        let [left, right] = operands;
        let operands = [(left, found[0]), (right, found[1])];
        let bounded = least_meeting >= 0.0 || for_host != 0;
        let extent = if bounded { Extent::Profiles } else { Extent::Exponents };
        look(cuda, extent, operands, &mut memory, for_host, least_meeting, join)?;
        let awaited = match room {
            None => None,
            Some(room) => Some(Awaited { room, event: cuda.stream().record()? }),
        };
        Ok(Self { k, memory, found, awaited })
    }

    /// The addresses of the exponents of both operands.
    pub(super) fn exponents(&self) -> [u64; 2] {
        self.found.map(Found::exponents)
    }

    /// The address of the number that is not zero where the fewest bits do not do.
    pub(super) fn refused(&self) -> u64 {
        self.memory.address() + 8 * (FINDINGS - 1) as u64
    }

    /// The memory, for whoever goes on to read the verdict.
    pub(super) fn into_memory(self) -> Buffer {
        self.memory
    }

    /// Waits, and yields both profiles where the fewest bits do not do. Their exponents stay on the
    /// device.
    pub(super) fn wait(&mut self) -> Result<Option<[Profile; 2]>, Error> {
        let Some((refused, profiles)) = self.found()? else { return Ok(None) };
        Ok(refused.then_some(profiles))
    }

    /// Waits, and yields both profiles. Their exponents stay on the device.
    pub(super) fn profiles(&mut self) -> Result<[Profile; 2], Error> {
        let found = self.found()?;
        Ok(found.map_or_else(|| [(); 2].map(|()| Profile::empty()), |(_, profiles)| profiles))
    }

    /// Waits for whether the fewest bits do not do, and for the profiles; `None` where the host was
    /// not to wait.
    fn found(&mut self) -> Result<Option<(bool, [Profile; 2])>, Error> {
        let Some(awaited) = self.awaited.take() else { return Ok(None) };
        awaited.event.synchronize()?;
        let words = awaited.room.as_ref().map_or(&[][..], Pinned::as_slice);
        let Some(refused) = words.last() else { return Ok(None) };
        let profiles = [0, 1].map(|i| self.profile(&words[i * SUMMARY..]));
        Ok(Some((refused.to_bits() != 0, profiles)))
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
