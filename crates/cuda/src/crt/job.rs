//! The work of a product by residues, once it is known how many bits it takes.

use core::ops::Range;

use nonius_gpu::{Buffer, Error};
use nonius_linalg::dense::Triangle;
use nonius_linalg::dense::gemm::crt::Plan;

use super::cut::{Cut, STRIP, Sizes, padded};
use super::engine::Loaded;
use super::kept::Kept;
use super::matrices::{Lines, Matrices};
use super::multiplier::{Multiplier, Operands, add_residues};
use super::planes::Planes;
use crate::backend::Cuda;

/// Bytes for residues of columns that the smallest devices have as well.
const LEAST_WORKSPACE: usize = 512 << 20;

/// Memory for the residues of a tile.
struct Room {
    /// Of rows of `op(A)`, of columns of `op(B)`.
    left: Buffer,
    right: Buffer,
    /// Of the sums of the terms so far; of those of the terms that come to them, where there are
    /// any.
    residues: Buffer,
    more: Buffer,
}

/// A product whose plan is made.
pub(super) struct Job<'a, M> {
    pub(super) cuda: &'a Cuda,
    pub(super) multiplier: &'a Multiplier,
    pub(super) loaded: &'a Loaded,
    pub(super) plan: Plan,
    /// Operands whose residues there are already, for this plan.
    pub(super) kept: [Option<&'a Kept>; 2],
    pub(super) matrices: M,
    /// Where the exponents of the lines of both operands lie.
    pub(super) exponents: [u64; 2],
    /// Where a number that is not zero says that `C` is to stay as it is; 0 for nowhere.
    pub(super) refused: u64,
}

impl<M: Matrices> Job<'_, M> {
    fn cut(&self) -> Result<Cut, Error> {
        let [(m, k), (n, _)] = self.matrices.operands().map(|operand| operand.shape());
        let device = self.cuda.device();
        // A part of the device's memory unless the caller says otherwise.
        let memory = device.info().memory as usize;
        let workspace =
            self.cuda.products().workspace.unwrap_or((memory / 64).max(LEAST_WORKSPACE));
        let tables = &self.loaded.tables;
        let planes = tables.planes().1;
        let sizes = Sizes {
            shape: [m, n, k],
            triangle: self.matrices.part().is_some(),
            planes,
            residue_bytes: tables.residue_bytes(1),
            sum_bytes: self.multiplier.sum_bytes(planes),
            workspace,
        };
        Cut::new(sizes, || Ok(device.memory()?.0))
    }

    /// `false`, with `C` as it was, where nothing multiplies such planes.
    pub(super) fn run(&self) -> Result<bool, Error> {
        let [(m, k), (n, _)] = self.matrices.operands().map(|operand| operand.shape());
        let cut = self.cut()?;
        let Cut { terms, pitch, height, width } = cut;
        let tables = &self.loaded.tables;
        let buffer = |bytes: usize| Buffer::new(self.cuda.stream(), bytes);
        let planes = |side: usize, lines: usize| match self.kept[side] {
            Some(_) => buffer(0),
            None => buffer(tables.planes().1 * lines * pitch),
        };
        let residues = tables.residue_bytes(width * height);
        let room = Room {
            left: planes(0, height)?,
            right: planes(1, width)?,
            residues: buffer(residues)?,
            more: buffer(if terms < k { residues } else { 0 })?,
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
                        self.pack(0, [all_rows.clone(), terms.clone()], &room.left, cut)?;
                        packed = Some(left);
                    }
                    self.pack(1, [columns.clone(), terms], &room.right, cut)?;
                    let lines = [rows.clone(), columns.clone()];
                    if !self.multiply(lines, all_rows.start, first > 0, &room, cut)? {
                        if begun {
                            let failure = "cuBLASLt has no algorithm".to_string();
                            return Err(Error::driver(failure, "multiplying bytes"));
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

    /// Residues of some places of some lines of one operand, where there are none yet.
    fn pack(
        &self,
        side: usize,
        part: [Range<usize>; 2],
        to: &Buffer,
        Cut { pitch, height, width, .. }: Cut,
    ) -> Result<(), Error> {
        if self.kept[side].is_some() {
            return Ok(());
        }
        let stride = [height, width][side] * pitch;
        let planes = Planes { address: to.address(), stride, pitch };
        let operand = (side, self.matrices.operands()[side]);
        let integers = (self.plan.bits, self.exponents[side]);
        self.loaded.pack(self.cuda, operand, integers, part, planes, self.refused)
    }

    /// Residues of the sums of products of some rows and columns, where those packed are the rows
    /// from `first_row` on and these columns; or these, added to the residues that there are.
    /// `false` where nothing multiplies such planes.
    fn multiply(
        &self,
        [rows, columns]: [Range<usize>; 2],
        first_row: usize,
        adds: bool,
        room: &Room,
        Cut { pitch, height, width, .. }: Cut,
    ) -> Result<bool, Error> {
        let tables = &self.loaded.tables;
        let (planes, moduli) = (tables.planes(), self.loaded.at(tables.sums));
        let lines = padded([rows.len(), columns.len()]);
        let packed = |side: usize, line: usize, first: usize| match self.kept[side] {
            Some(Kept { planes, .. }) => (planes.address + (line * pitch) as u64, planes.stride),
            None => {
                let to = [&room.left, &room.right][side];
                (to.address() + ((line - first) * pitch) as u64, [height, width][side] * pitch)
            }
        };
        let (left, left_stride) = packed(0, rows.start, first_row);
        let (right, right_stride) = packed(1, columns.start, columns.start);
        let operands = Operands {
            lines,
            depth: pitch,
            addresses: [left, right],
            strides: [left_stride, right_stride],
            refused: self.refused,
        };
        let to = if adds { &room.more } else { &room.residues };
        // SAFETY: planes of whole strips of rows and whole groups of columns, and room for the
        // residues of their products.
        let done = unsafe { self.multiplier.multiply(self.cuda, planes, operands, moduli, to)? };
        if done && adds {
            let (size, residues) = (lines[0] * lines[1], &room.residues);
            // SAFETY: as above; the residues of the terms before have the same places.
            unsafe { add_residues(self.cuda, planes, size, moduli, residues, &room.more)? };
        }
        Ok(done)
    }

    /// Those of some rows, left out in whole strips, that a tile has in the part of `C` that is
    /// computed.
    fn rows_of_part(&self, rows: Range<usize>, columns: Range<usize>) -> Option<Range<usize>> {
        let strip = |row: usize| rows.start + (row - rows.start) / STRIP * STRIP;
        let rows = match self.matrices.part() {
            None => rows,
            Some(Triangle::Lower) => strip(rows.start.max(columns.start))..rows.end,
            Some(Triangle::Upper) => rows.start..rows.end.min(columns.end),
        };
        (rows.start < rows.end).then_some(rows)
    }
}
