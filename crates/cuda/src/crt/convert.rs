//! Numbers to residues, and residues to numbers.

use core::ops::Range;

use nonius_gpu::{
    Arguments, Buffer, Const, Entry, Error, Kernel, KernelType, Plain, Pointer, Shape, Source,
    kernel_arguments, kernel_types,
};

use super::cut::{PACK_LINES, STRIP, padded};
use super::engine::Loaded;
use super::job::Job;
use super::matrices::{Lines, Matrices};
use super::planes::Planes;
use super::sizes::{
    DIGITS, PACK_DEPTH, PACK_THREADS, Packing, Rebuilding, WARP_DEPTH, WARP_LINES, WORDS,
};
use super::tables::{Side, Tables};
use crate::backend::Cuda;
use crate::kind::Kind;
use crate::operand::part_number;

kernel_types! {
    /// For a column of weights what its sum is started from, `1/m`, `−m`, and what a sum is started
    /// from that nothing was added to.
    pub(super) Column = "int4";
}

kernel_arguments! {
    /// Lines that become residues.
    struct Pack<N> {
        from: N,
        lines: i64,
        k: i64,
        /// The `e` of each line, and the bits of the integers.
        exponents: Pointer<Const<i32>>,
        bits: i64,
        /// Plane `p` of the residues begins at `p·size`, a line of it takes `pitch` bytes, a
        /// multiple of 16.
        residues: Pointer<i8>,
        size: i64,
        pitch: i64,
        /// For each tile of 8 columns the weights as threads hold them, `[chain][lane]`.
        weights: Pointer<Const<u32>>,
        columns: Pointer<Const<Column>>,
        /// Tiles of columns: those of small moduli, and all.
        small_tiles: i32,
        tiles: i32,
        /// Planes of small moduli, and of all.
        small_planes: i32,
        planes: i32,
        /// Pieces of 16 bytes of an integer.
        chains: i32,
        unused: i32,
        /// Where it says that these bits are not enough, nothing is done. May be null.
        refused: Pointer<Const<u64>>,
    }

    /// A tile of `C` that is made of residues.
    struct Rebuild<M> {
        matrices: M,
        /// Planes of bytes, then of pairs of bytes (`crt/sums.cuh`). Entry `(i, j)` of the tile is
        /// number `i + j·pitch` of the `size` of each. `pitch` is a multiple of 32.
        residues: Pointer<Const<u8>>,
        size: i64,
        pitch: i64,
        /// For each row of `op(A)` and column of `op(B)` the `e` with entries below `2^e`.
        row_exponents: Pointer<Const<i32>>,
        column_exponents: Pointer<Const<i32>>,
        /// The bytes of `M/m` as threads hold them, `[step][tile][lane]`.
        weights: Pointer<Const<u32>>,
        /// The digits of `M`.
        product: Pointer<Const<i64>>,
        /// One over `M`, or over what its highest three digits are.
        inverse: f64,
        /// First row and column of the tile in `C`, their number.
        row: i32,
        column: i32,
        rows: i32,
        columns: i32,
        /// Which triangle of `C` is computed.
        part: i32,
        /// Whether `α = 1` and `β = 0`.
        plain: i32,
        small_steps: i32,
        steps: i32,
        small_planes: i32,
        planes: i32,
        /// Bits of an integer.
        bits: i32,
        /// Digits of `M`.
        digits: i32,
        /// Where it says that these bits are not enough, `C` stays as it is. May be null.
        refused: Pointer<Const<u64>>,
    }
}

impl<N: KernelType + Plain> Pack<N> {
    const NARROW: Entry<Self> = Entry::new(c"pack");
    const WIDE: Entry<Self> = Entry::new(c"pack_wide");
}

impl<M: KernelType + Plain> Rebuild<M> {
    const NARROW: Entry<Self> = Entry::new(c"rebuild");
    const WIDE: Entry<Self> = Entry::new(c"rebuild_wide");
}

fn pack_source<N: KernelType + Plain>(kind: Kind, packing: Packing) -> Source {
    let Packing { words, wide } = packing;
    if wide {
        let source = kind.module_with("crt-pack-wide", "crt/pack_wide.cu", &[]);
        return source.entry(Pack::<N>::WIDE);
    }
    // Blocks that a multiprocessor has: registers for more would have to go to memory.
    let blocks = [0, 4, 3, 1, 1][words / 4];
    let numbers = [("WORDS", words), ("PACK_BLOCKS", blocks)];
    kind.module_with(&format!("crt-pack-{words}"), "crt/pack.cu", &numbers).entry(Pack::<N>::NARROW)
}

fn rebuild_source<M: KernelType + Plain>(kind: Kind, rebuilding: Rebuilding) -> Source {
    let Rebuilding { digits, wide, .. } = rebuilding;
    if wide {
        let source = kind.module_with("crt-rebuild-wide", "crt/rebuild_wide.cu", &[]);
        return source.entry(Rebuild::<M>::WIDE);
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
        .entry(Rebuild::<M>::NARROW)
}

/// The modules that pack and rebuild such numbers, of which operands and matrices are seen so.
pub(super) fn sources<N, M>(kind: Kind) -> impl Iterator<Item = Source>
where
    N: KernelType + Plain,
    M: KernelType + Plain,
{
    let bits = kind.shortest();
    let wide = kind.has_any_length().then_some(0);
    let words = WORDS.into_iter().filter(move |words| 32 * words >= bits + 2).chain(wide);
    let digits = DIGITS.into_iter().filter(move |digits| 48 * digits >= 2 * bits).chain(wide);
    let pack = words.map(move |words| pack_source::<N>(kind, Packing { words, wide: words == 0 }));
    pack.chain(digits.map(move |digits| {
        rebuild_source::<M>(kind, Rebuilding { digits, steps: (0, 0), wide: digits == 0 })
    }))
}

/// The modules of a product with these tables.
pub(super) fn sources_of<M: Matrices>(
    [operand, result]: [Kind; 2],
    tables: &Tables,
) -> [Source; 2] {
    [
        pack_source::<<M::Lines as Lines>::Numbers>(operand, tables.packing),
        rebuild_source::<M::Matrices>(result, tables.rebuilding),
    ]
}

impl Loaded {
    /// Converts some `places` of some `lines` of an operand to residues, by integers of `bits`
    /// bits. `side` is 0 for the left operand, 1 for the right one. The exponents of all lines are
    /// at the address `exponents`. Where the number at `refused` is not zero, nothing is done.
    pub(super) fn pack<L: Lines>(
        &self,
        cuda: &Cuda,
        (side, operand): (usize, L),
        (bits, exponents): (u32, u64),
        [lines, places]: [Range<usize>; 2],
        to: Planes,
        refused: u64,
    ) -> Result<(), Error> {
        let Self { tables, .. } = self;
        let Side { weights, columns } = if side == 0 { tables.left } else { tables.right };
        let (small_tiles, tiles) = tables.tiles();
        let (small_planes, planes) = tables.planes();
        let packing = tables.packing;
        let arguments = Pack {
            from: operand.numbers([lines.start, places.start]),
            lines: lines.len() as i64,
            k: places.len() as i64,
            exponents: Pointer::at(exponents + 4 * lines.start as u64),
            bits: bits.into(),
            residues: Pointer::at(to.address),
            size: to.stride as i64,
            pitch: to.pitch as i64,
            weights: Pointer::at(self.at(weights)),
            columns: Pointer::at(self.at(columns)),
            small_tiles: small_tiles as i32,
            tiles: tiles as i32,
            small_planes: small_planes as i32,
            planes: planes as i32,
            chains: (packing.words / 4) as i32,
            unused: 0,
            refused: Pointer::at(refused),
        };
        let (lines, pitch) = (lines.len().next_multiple_of(PACK_LINES), to.pitch);
        let (entry, blocks, threads) = if packing.wide {
            (Pack::WIDE, lines / WARP_LINES * pitch.div_ceil(WARP_DEPTH), 32)
        } else {
            (Pack::NARROW, lines / PACK_LINES * pitch.div_ceil(PACK_DEPTH), PACK_THREADS)
        };
        let source = pack_source::<L::Numbers>(operand.kind(), packing);
        let kernel = cuda.device().module(&source)?.kernel(entry)?;
        launch(cuda, &kernel, (blocks, threads), packing.shared(), &arguments)
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
        // There are no more lines than an `int` counts (`engine_of`).
        let arguments = Rebuild {
            matrices: matrices.matrices(),
            residues: Pointer::at(residues.address()),
            size: (height * width) as i64,
            pitch: height as i64,
            row_exponents: Pointer::at(self.exponents[0]),
            column_exponents: Pointer::at(self.exponents[1]),
            weights: Pointer::at(loaded.at(tables.weights)),
            product: Pointer::at(loaded.at(tables.product)),
            inverse: tables.inverse,
            row: rows.start as i32,
            column: columns.start as i32,
            rows: rows.len() as i32,
            columns: columns.len() as i32,
            part: part_number(matrices.part()),
            plain: matrices.is_plain().into(),
            small_steps: small_steps as i32,
            steps: steps as i32,
            small_planes: small_planes as i32,
            planes: planes as i32,
            bits: self.plan.bits as i32,
            digits: rebuilding.digits as i32,
            refused: Pointer::at(self.refused),
        };
        let source = rebuild_source::<M::Matrices>(matrices.kind(), rebuilding);
        let module = self.cuda.device().module(&source)?;
        let strips = rows.len().div_ceil(STRIP) * columns.len();
        let shared = rebuilding.shared();
        if rebuilding.wide {
            let kernel = module.kernel(Rebuild::WIDE)?;
            return launch(self.cuda, &kernel, (strips, 32), shared, &arguments);
        }
        let kernel = module.kernel(Rebuild::NARROW)?;
        kernel.allow_shared(shared as u32)?;
        let warps = rebuilding.warps();
        // Blocks that run at the same time share the work.
        let resident = kernel.resident_blocks(32 * warps as u32, shared as u32)?.max(1);
        let most = resident * self.cuda.device().info().multiprocessors as usize;
        let blocks = strips.div_ceil(warps).min(most);
        launch(self.cuda, &kernel, (blocks, 32 * warps), shared, &arguments)
    }
}

fn launch<A: Arguments>(
    cuda: &Cuda,
    kernel: &Kernel<A>,
    (blocks, threads): (usize, usize),
    shared: usize,
    arguments: &A,
) -> Result<(), Error> {
    let shared = shared as u32;
    kernel.allow_shared(shared)?;
    let shape = Shape { grid: [blocks as u32, 1, 1], block: [threads as u32, 1, 1], shared };
    // SAFETY: operands and result lie in matrices, all else in buffers, whose memory is freed in
    // the order of the stream; the result is borrowed mutably.
    unsafe { kernel.launch(cuda.stream(), shape, arguments) }
}
