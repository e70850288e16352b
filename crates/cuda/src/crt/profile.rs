//! What the error bound needs to know of operands on the device.

use nonius_linalg::dense::gemm::crt::Profile;

use crate::backend::Cuda;
use crate::error::Error;
use crate::kernels::Source;
use crate::matrix::Layout;
use crate::memory::{Buffer, bytes_of_mut};
use crate::module::{Shape, argument_of_words};
use crate::words::Words;

const THREADS: u32 = 256;
/// Lines that a block looks at.
const LINES: usize = 32;
/// Blocks that a launch should have at least.
const BLOCKS: usize = 1024;
const LEVELS: usize = Profile::LEVELS.len();
/// Words of a summary of all lines.
const SUMMARY: usize = LEVELS + 2;

pub(super) fn source(limbs: usize) -> Source {
    let levels = Profile::LEVELS.map(|level| level.to_string()).join(", ");
    let bits = Profile::NORM_BITS.to_string();
    let definitions = [("PROFILE_LEVELS", levels.as_str()), ("PROFILE_NORM_BITS", bits.as_str())];
    Source::new("crt-profile", limbs, "crt_profile.cu", &definitions)
}

/// The rows of a matrix that are being looked at.
pub(super) struct Lines {
    lines: usize,
    k: usize,
    /// The largest entry, the norm and the numbers of entries of each line; the summary; the exponents.
    memory: Buffer,
}

impl Lines {
    /// Queues the work for the rows of `a`, which has entries.
    pub(super) fn new(cuda: &Cuda, limbs: usize, a: Layout) -> Result<Self, Error> {
        let (lines, k) = a.shape();
        let words = lines * (2 + LEVELS) + SUMMARY;
        let mut memory = Buffer::new(cuda.stream(), 8 * words + 4 * lines)?;
        memory.clear()?;
        let found = Self { lines, k, memory };
        let across = lines.div_ceil(LINES);
        let chunks = BLOCKS.div_ceil(across).min(k.div_ceil(256)).max(1);
        let chunk = k.div_ceil(chunks);
        let start = found.memory.address();
        let words = Words::default()
            .address(a.data)
            .long(a.row as usize)
            .long(a.column as usize)
            .long(lines)
            .long(k)
            .long(chunk)
            .address(start)
            .address(start + 8 * lines as u64)
            .address(start + 16 * lines as u64)
            .address(found.exponents())
            .address(found.summary());
        let module = cuda.device().module(&source(limbs))?;
        let grid = [across as u32, k.div_ceil(chunk) as u32, 1];
        for (name, grid) in [(c"largest", grid), (c"count", grid), (c"summarize", [1; 3])] {
            let shape = Shape { grid, block: [THREADS, 1, 1], shared: 0 };
            // SAFETY: the kernels take one structure, which `words` is, member by member; the operand lives in a matrix, and all
            // else in `memory`, which is freed in the order of the stream.
            unsafe {
                let arguments = &mut [argument_of_words(words.as_slice())];
                module.kernel(name)?.launch(cuda.stream(), shape, arguments)?;
            }
        }
        Ok(found)
    }

    /// The address of the exponents.
    pub(super) fn exponents(&self) -> u64 {
        self.summary() + 8 * SUMMARY as u64
    }

    fn summary(&self) -> u64 {
        self.memory.address() + 8 * (self.lines * (2 + LEVELS)) as u64
    }

    /// Waits for the profiles of two operands; their exponents stay on the device.
    pub(super) fn profiles(cuda: &Cuda, both: [&Self; 2]) -> Result<[Profile; 2], Error> {
        let mut room = [0.0; 2 * SUMMARY];
        for (lines, to) in both.into_iter().zip(room.chunks_exact_mut(SUMMARY)) {
            let offset = (lines.summary() - lines.memory.address()) as usize;
            // SAFETY: `room` lives, and is not looked at, until the stream has been waited for.
            unsafe { lines.memory.read(cuda.stream(), offset, bytes_of_mut(to))? };
        }
        cuda.stream().synchronize()?;
        Ok([0, 1].map(|i| both[i].profile(&room[i * SUMMARY..])))
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
