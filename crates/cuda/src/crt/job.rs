//! The work of a product by residues, once it is known how many bits it takes.

use core::ops::Range;

use nonius_linalg::dense::Triangle;
use nonius_linalg::dense::gemm::crt::Plan;

use super::cut::{Cut, PACK_LINES, STRIP, Sizes};
use super::matrices::Matrices;
use super::multiplier::{Multiplier, Operands, add_residues};
use super::tables::{Section, Tables};
use crate::backend::Cuda;
use crate::error::Error;
use crate::memory::Buffer;

/// Bytes for residues of columns that the smallest devices have as well.
const LEAST_WORKSPACE: usize = 512 << 20;

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
pub(super) fn padded([rows, columns]: [usize; 2]) -> [usize; 2] {
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

    /// Where a part of the tables lies.
    pub(super) fn at(&self, section: Section) -> u64 {
        self.memory.address() + 4 * section.start as u64
    }
}
