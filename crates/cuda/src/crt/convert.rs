//! Numbers to residues, and residues to numbers.

use core::ops::Range;

use nonius_gpu::{Buffer, Error, Kernel, Shape, Source, argument_of_words};

use super::cut::{PACK_LINES, STRIP, padded};
use super::engine::Loaded;
use super::job::Job;
use super::matrices::{Kind, Lines, Matrices};
use super::planes::Planes;
use super::sizes::{
    DIGITS, PACK_DEPTH, PACK_THREADS, Packing, Rebuilding, WARP_DEPTH, WARP_LINES, WORDS,
};
use super::tables::Side;
use crate::backend::Cuda;
use crate::operand::part_number;
use crate::words::Words;

fn pack_source(kind: Kind, packing: Packing) -> Source {
    let Packing { words, wide } = packing;
    if wide {
        return kind.module_with("crt-pack-wide", "crt/pack_wide.cu", &[]);
    }
    // Blocks that a multiprocessor has: registers for more would have to go to memory.
    let blocks = [0, 4, 3, 1, 1][words / 4];
    let numbers = [("WORDS", words), ("PACK_BLOCKS", blocks)];
    kind.module_with(&format!("crt-pack-{words}"), "crt/pack.cu", &numbers)
}

fn rebuild_source(kind: Kind, rebuilding: Rebuilding) -> Source {
    let Rebuilding { digits, wide, .. } = rebuilding;
    if wide {
        return kind.module_with("crt-rebuild-wide", "crt/rebuild_wide.cu", &[]);
    }
    // As above; shared memory has no room for more.
    let blocks = match digits {
        ..=5 => 5,
        6..=10 => 3,
        11..=14 => 2,
        _ => 1,
    };
    let numbers =
        [("DIGITS", digits), ("REBUILD_WARPS", rebuilding.warps()), ("REBUILD_BLOCKS", blocks)];
    kind.module_with(&format!("crt-rebuild-{digits}"), "crt/rebuild.cu", &numbers)
}

/// The modules that pack and rebuild such numbers.
pub(super) fn sources(kind: Kind) -> impl Iterator<Item = Source> {
    let bits = kind.least_bits();
    let wide = kind.has_any_length().then_some(0);
    let words = WORDS.into_iter().filter(move |words| 32 * words >= bits + 2).chain(wide);
    let digits = DIGITS.into_iter().filter(move |digits| 48 * digits >= 2 * bits).chain(wide);
    let pack = words.map(move |words| pack_source(kind, Packing { words, wide: words == 0 }));
    pack.chain(digits.map(move |digits| {
        rebuild_source(kind, Rebuilding { digits, steps: (0, 0), wide: digits == 0 })
    }))
}

impl Loaded {
    /// Residues of some places of some lines of the left operand, or of the right one, as integers of so many bits. The exponents of all lines are
    /// at the address given.
    pub(super) fn pack(
        &self,
        cuda: &Cuda,
        (side, operand): (usize, impl Lines),
        (bits, exponents): (u32, u64),
        [lines, places]: [Range<usize>; 2],
        to: Planes,
    ) -> Result<(), Error> {
        let Self { tables, .. } = self;
        let Side { weights, columns } = if side == 0 { tables.left } else { tables.right };
        let (small_tiles, tiles) = tables.tiles();
        let (small_planes, planes) = tables.planes();
        let packing = tables.packing;
        let words = operand
            .numbers([lines.start, places.start])
            .long(lines.len())
            .long(places.len())
            .address(exponents + 4 * lines.start as u64)
            .long(bits as usize)
            .address(to.address)
            .long(to.stride)
            .long(to.pitch)
            .address(self.at(weights))
            .address(self.at(columns))
            .pair(small_tiles, tiles)
            .pair(small_planes, planes)
            .pair(packing.words / 4, 0);
        let module = cuda.device().module(&pack_source(operand.kind(), packing))?;
        let (lines, pitch) = (lines.len().next_multiple_of(PACK_LINES), to.pitch);
        let (kernel, blocks, threads) = if packing.wide {
            (module.kernel(c"pack_wide")?, lines / WARP_LINES * pitch.div_ceil(WARP_DEPTH), 32)
        } else {
            let blocks = lines / PACK_LINES * pitch.div_ceil(PACK_DEPTH);
            (module.kernel(c"pack")?, blocks, PACK_THREADS)
        };
        launch(cuda, &kernel, (blocks, threads), packing.shared(), &words)
    }
}

impl<M: Matrices> Job<'_, M> {
    /// The entries of a tile of `C` from the residues of their sums.
    pub(super) fn rebuild(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        residues: &Buffer,
    ) -> Result<(), Error> {
        let (matrices, loaded) = (&self.matrices, self.loaded);
        let tables = &loaded.tables;
        let [height, width] = padded([rows.len(), columns.len()]);
        let rebuilding = tables.rebuilding;
        let (small_steps, steps) = rebuilding.steps;
        let (small_planes, planes) = tables.planes();
        let words = matrices
            .entries()
            .address(residues.address())
            .long(height * width)
            .long(height)
            .address(self.exponents[0])
            .address(self.exponents[1])
            .address(loaded.at(tables.weights))
            .address(loaded.at(tables.product))
            .address(tables.inverse.to_bits())
            .pair(rows.start, columns.start)
            .pair(rows.len(), columns.len())
            .pair(part_number(matrices.part()) as usize, usize::from(matrices.is_plain()))
            .pair(small_steps, steps)
            .pair(small_planes, planes)
            .pair(self.plan.bits as usize, rebuilding.digits)
            .address(self.refused);
        let module = self
            .cuda
            .device()
            .module(&rebuild_source(matrices.operands()[0].kind(), rebuilding))?;
        let strips = rows.len().div_ceil(STRIP) * columns.len();
        let shared = rebuilding.shared();
        if rebuilding.wide {
            let kernel = module.kernel(c"rebuild_wide")?;
            return launch(self.cuda, &kernel, (strips, 32), shared, &words);
        }
        let kernel = module.kernel(c"rebuild")?;
        kernel.allow_shared(shared as u32)?;
        let warps = rebuilding.warps();
        // Blocks that run at the same time share the work.
        let resident = kernel.resident_blocks(32 * warps as u32, shared as u32)?.max(1);
        let most = resident * self.cuda.device().info().multiprocessors as usize;
        let blocks = strips.div_ceil(warps).min(most);
        launch(self.cuda, &kernel, (blocks, 32 * warps), shared, &words)
    }
}

fn launch(
    cuda: &Cuda,
    kernel: &Kernel,
    (blocks, threads): (usize, usize),
    shared: usize,
    words: &Words,
) -> Result<(), Error> {
    let shared = shared as u32;
    kernel.allow_shared(shared)?;
    let shape = Shape { grid: [blocks as u32, 1, 1], block: [threads as u32, 1, 1], shared };
    // SAFETY: the kernels take one structure, which `words` is, member by member. Operands and result lie in matrices, all
    // else in buffers, whose memory is freed in the order of the stream; the result is borrowed mutably.
    unsafe { kernel.launch(cuda.stream(), shape, &mut [argument_of_words(words.as_slice())]) }
}
