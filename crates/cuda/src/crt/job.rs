//! The work of a product by residues, once it is known how many bits it takes.

use core::ops::Range;

use nonius_linalg::dense::Triangle;
use nonius_linalg::dense::gemm::crt::Plan;

use super::cut::{Cut, PACK_LINES, STRIP, Sizes};
use super::matrices::{Kind, Matrices};
use super::multiplier::{Multiplier, Operands, add_residues};
use super::tables::{DIGITS, ENTRY_WORDS, Section, Side, Tables};
use crate::backend::Cuda;
use crate::error::Error;
use crate::gemm::part_number;
use crate::kernels::Source;
use crate::memory::Buffer;
use crate::module::{Kernel, Shape, argument_of_words};
use crate::words::Words;

/// Threads of a block that packs: see `crt_pack.cu`.
const PACK_THREADS: u32 = 256;
/// Entries of a line that such a block packs.
const PACK_DEPTH: usize = 64;

/// Warps of a block that rebuilds numbers of so many digits: see `crt_rebuild.cu`. More where shared memory has room for one block only.
fn rebuild_warps(digits: usize) -> usize {
    if digits <= 14 { 4 } else { 6 }
}

/// Bytes for residues of columns that the smallest devices have as well.
const LEAST_WORKSPACE: usize = 512 << 20;

fn pack_source(kind: Kind, words: usize) -> Source {
    // Blocks that a multiprocessor has: registers for more would have to go to memory.
    let blocks = [0, 4, 3, 1, 1][words / 4];
    let numbers = [("WORDS", words), ("PACK_BLOCKS", blocks)];
    kind.module_with(&format!("crt-pack-{words}"), "crt_pack.cu", &numbers)
}

fn rebuild_source(kind: Kind, digits: usize) -> Source {
    // As above; shared memory has no room for more.
    let blocks = match digits {
        ..=5 => 5,
        6..=10 => 3,
        11..=14 => 2,
        _ => 1,
    };
    let numbers =
        [("DIGITS", digits), ("REBUILD_WARPS", rebuild_warps(digits)), ("REBUILD_BLOCKS", blocks)];
    kind.module_with(&format!("crt-rebuild-{digits}"), "crt_rebuild.cu", &numbers)
}

/// The modules that pack and rebuild such numbers.
pub(super) fn sources(kind: Kind) -> impl Iterator<Item = Source> {
    let bits = kind.least_bits();
    let words = ENTRY_WORDS.into_iter().filter(move |words| 32 * words >= bits + 2);
    let digits = DIGITS.into_iter().filter(move |digits| 48 * digits >= 2 * bits);
    let pack = words.map(move |words| pack_source(kind, words));
    pack.chain(digits.map(move |digits| rebuild_source(kind, digits)))
}

/// Memory for the residues of a tile.
struct Room {
    /// Of rows of `op(A)`, of columns of `op(B)`.
    left: Buffer,
    right: Buffer,
    /// Of the sums of the terms so far; of those of the terms that come to them, where there are any.
    residues: Buffer,
    more: Buffer,
}

/// Lines of the planes for so many rows and columns.
fn padded([rows, columns]: [usize; 2]) -> [usize; 2] {
    [rows.next_multiple_of(STRIP), columns.next_multiple_of(PACK_LINES)]
}

/// A product whose plan is made.
pub(super) struct Job<'a, M> {
    pub(super) cuda: &'a Cuda,
    pub(super) multiplier: &'a Multiplier,
    pub(super) tables: &'a Tables,
    /// The tables on the device.
    pub(super) memory: &'a Buffer,
    pub(super) plan: Plan,
    pub(super) matrices: M,
    /// Where the exponents of the lines of both operands lie.
    pub(super) exponents: [u64; 2],
    /// Where a number that is not zero says that `C` is to stay as it is; 0 for nowhere.
    pub(super) refused: u64,
}

impl<M: Matrices> Job<'_, M> {
    fn cut(&self) -> Result<Cut, Error> {
        let ((m, k), (n, _)) = (self.matrices.shape(0), self.matrices.shape(1));
        let device = self.cuda.device();
        // A part of the device's memory unless the caller says otherwise.
        let memory = device.info().memory as usize;
        let workspace =
            self.cuda.products().workspace.unwrap_or((memory / 64).max(LEAST_WORKSPACE));
        let planes = self.tables.planes().1;
        let sizes = Sizes {
            shape: [m, n, k],
            triangle: self.matrices.part().is_some(),
            planes,
            residue_bytes: self.tables.residue_bytes(1),
            sum_bytes: self.multiplier.sum_bytes(planes),
            workspace,
        };
        Cut::new(sizes, || Ok(device.memory()?.0))
    }

    /// `false`, with `C` as it was, where nothing multiplies such planes.
    pub(super) fn run(&self) -> Result<bool, Error> {
        let ((m, k), (n, _)) = (self.matrices.shape(0), self.matrices.shape(1));
        let cut = self.cut()?;
        let Cut { terms, pitch, height, width } = cut;
        let (stream, planes) = (self.cuda.stream(), self.tables.planes().1);
        let buffer = |bytes: usize| Buffer::new(stream, bytes);
        let room = Room {
            left: buffer(planes * height * pitch)?,
            right: buffer(planes * width * pitch)?,
            residues: buffer(self.tables.residue_bytes(width * height))?,
            more: buffer(if terms < k { self.tables.residue_bytes(width * height) } else { 0 })?,
        };
        let mut begun = false;
        // The rows and terms that are packed.
        let mut packed = None;
        for first in (0..m).step_by(height) {
            let all_rows = first..m.min(first + height);
            for first in (0..n).step_by(width) {
                let columns = first..n.min(first + width);
                let Some(rows) = self.rows_of_part(all_rows.clone(), columns.clone()) else {
                    continue;
                };
                for first in (0..k).step_by(terms) {
                    let terms = first..k.min(first + terms);
                    let left = (all_rows.clone(), terms.clone());
                    if packed.as_ref() != Some(&left) {
                        self.pack(0, all_rows.clone(), terms.clone(), &room.left, cut)?;
                        packed = Some(left);
                    }
                    self.pack(1, columns.clone(), terms.clone(), &room.right, cut)?;
                    let skipped = rows.start - all_rows.start;
                    if !self.multiply(
                        [rows.len(), columns.len()],
                        skipped,
                        first > 0,
                        &room,
                        cut,
                    )? {
                        if begun {
                            let failure = "cuBLASLt has no algorithm".to_string();
                            return Err(Error::Driver { failure, doing: "multiplying bytes" });
                        }
                        return Ok(false);
                    }
                    begun = true;
                }
                self.rebuild(rows, columns, &room.residues)?;
            }
        }
        Ok(true)
    }

    /// Residues of the sums of products of the lines that are packed, of which the first `skipped` on the left are left out; or these, added to the
    /// residues that there are. `false` where nothing multiplies such planes.
    fn multiply(
        &self,
        lines: [usize; 2],
        skipped: usize,
        adds: bool,
        room: &Room,
        Cut { pitch, height, width, .. }: Cut,
    ) -> Result<bool, Error> {
        let (planes, moduli) = (self.tables.planes(), self.at(self.tables.sums));
        let lines = padded(lines);
        let operands = Operands {
            lines,
            depth: pitch,
            addresses: [room.left.address() + (skipped * pitch) as u64, room.right.address()],
            strides: [height * pitch, width * pitch],
        };
        let to = if adds { &room.more } else { &room.residues };
        // SAFETY: planes of `height` and `width` lines, of which those from `skipped` on, and room for so many residues.
        let done = unsafe { self.multiplier.multiply(self.cuda, planes, operands, moduli, to)? };
        if done && adds {
            let (size, residues) = (lines[0] * lines[1], &room.residues);
            // SAFETY: as above; the residues of the terms before have the same places.
            unsafe { add_residues(self.cuda, planes, size, moduli, residues, &room.more)? };
        }
        Ok(done)
    }

    /// Those of some rows, left out in whole strips, that a tile has in the part of `C` that is computed.
    fn rows_of_part(&self, rows: Range<usize>, columns: Range<usize>) -> Option<Range<usize>> {
        let strip = |row: usize| rows.start + (row - rows.start) / STRIP * STRIP;
        let rows = match self.matrices.part() {
            None => rows,
            Some(Triangle::Lower) => strip(rows.start.max(columns.start))..rows.end,
            Some(Triangle::Upper) => rows.start..rows.end.min(columns.end),
        };
        (rows.start < rows.end).then_some(rows)
    }

    fn at(&self, section: Section) -> u64 {
        self.memory.address() + 4 * section.start as u64
    }

    /// Residues of some places of lines of one operand.
    fn pack(
        &self,
        side: usize,
        lines: Range<usize>,
        places: Range<usize>,
        to: &Buffer,
        Cut { pitch, height, width, .. }: Cut,
    ) -> Result<(), Error> {
        let tables = if side == 0 { self.tables.left } else { self.tables.right };
        let Side { weights, columns } = tables;
        let (small_tiles, tiles) = self.tables.tiles();
        let (small_planes, planes) = self.tables.planes();
        let words = self
            .matrices
            .numbers(side, [lines.start, places.start])
            .long(lines.len())
            .long(places.len())
            .address(self.exponents[side] + 4 * lines.start as u64)
            .long(self.plan.bits as usize)
            .address(to.address())
            .long([height, width][side] * pitch)
            .long(pitch)
            .address(self.at(weights))
            .address(self.at(columns))
            .pair(small_tiles, tiles)
            .pair(small_planes, planes);
        let source = pack_source(self.matrices.kind(), self.tables.entry_words);
        let kernel = self.cuda.device().module(&source)?.kernel(c"pack")?;
        let blocks = lines.len().div_ceil(PACK_LINES) * pitch.div_ceil(PACK_DEPTH);
        // Four words of each integer of a block in a piece of 16 bytes, then two stages of 12 planes.
        let integers = 4 * self.tables.entry_words * PACK_LINES * PACK_DEPTH;
        let shared = integers.max(2 * 12 * PACK_LINES * PACK_DEPTH) as u32;
        kernel.allow_shared(shared)?;
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [PACK_THREADS, 1, 1], shared };
        self.launch(&kernel, shape, &words)
    }

    /// The entries of a tile of `C` from the residues of their sums.
    fn rebuild(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        residues: &Buffer,
    ) -> Result<(), Error> {
        let (matrices, tables) = (&self.matrices, self.tables);
        let [height, width] = padded([rows.len(), columns.len()]);
        let (small_steps, steps) = tables.steps();
        let (small_planes, planes) = tables.planes();
        let words = matrices
            .entries()
            .address(residues.address())
            .long(height * width)
            .long(height)
            .address(self.exponents[0])
            .address(self.exponents[1])
            .address(self.at(tables.weights))
            .address(self.at(tables.product))
            .address(tables.inverse.to_bits())
            .pair(rows.start, columns.start)
            .pair(rows.len(), columns.len())
            .pair(part_number(matrices.part()), usize::from(matrices.is_plain()))
            .pair(small_steps, steps)
            .pair(small_planes, planes)
            .pair(self.plan.bits as usize, 0)
            .address(self.refused);
        let source = rebuild_source(matrices.kind(), tables.digits);
        let kernel = self.cuda.device().module(&source)?.kernel(c"rebuild")?;
        // Weights, and for each warp the residues of 32 entries and words on their way.
        let weights = 128 * steps * tables.word_tiles();
        let stage = 32 * (16 * small_steps + 2 * 24 * (steps - small_steps));
        let exchange = 4 * 32 * (4 * tables.word_tiles() + 4);
        let warps = rebuild_warps(tables.digits);
        let shared = (weights + warps * (stage + exchange)) as u32;
        kernel.allow_shared(shared)?;
        let strips = rows.len().div_ceil(STRIP) * columns.len();
        let block = [32 * warps as u32, 1, 1];
        // Blocks that run at the same time share the work.
        let resident = kernel.resident_blocks(block[0], shared)?.max(1);
        let most = resident * self.cuda.device().info().multiprocessors as usize;
        let blocks = strips.div_ceil(warps).min(most);
        self.launch(&kernel, Shape { grid: [blocks as u32, 1, 1], block, shared }, &words)
    }

    fn launch(&self, kernel: &Kernel, shape: Shape, words: &Words) -> Result<(), Error> {
        // SAFETY: the kernels take one structure, which `words` is, member by member. Operands and result lie in matrices, all
        // else in buffers, whose memory is freed in the order of the stream; the result is borrowed mutably.
        unsafe {
            kernel.launch(self.cuda.stream(), shape, &mut [argument_of_words(words.as_slice())])
        }
    }
}
