//! Products of matrices that the host of every rank has.

use core::ops::Range;

use nonius_linalg::backend::{Cpu, Gemm, Share};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Report;
use nonius_linalg::{Error, MatRef, Matrix};

use super::cargo::Cargo;
use super::carry::{columns_together, lost};
use super::grid::Grid;
use super::products::Shape;
use super::ranks::Ranks;
use crate::item;

/// Which rows and columns of a product each rank computes.
struct Blocks<'a> {
    grid: &'a Grid,
    /// Ranks that share the rows, and the columns.
    parts: [usize; 2],
    shape: (usize, usize),
}

impl<'a> Blocks<'a> {
    /// The longer side is cut into no fewer parts.
    fn new(grid: &'a Grid, shape: (usize, usize)) -> Self {
        let (p, q) = grid.shape();
        let parts = if (shape.0 < shape.1) == (p < q) { [p, q] } else { [q, p] };
        Self { grid, parts, shape }
    }

    fn of(&self, rank: usize) -> [Range<usize>; 2] {
        let [p, q] = self.parts;
        let ((rows, cols), tile) = (self.shape, self.grid.tile());
        let range = |count: usize, part: usize, parts| {
            let cut = |part: usize| (count.div_ceil(tile) * part).div_ceil(parts) * tile;
            cut(part).min(count)..cut(part + 1).min(count)
        };
        [range(rows, rank % p, p), range(cols, rank / p, q)]
    }
}

impl Ranks<Cpu> {
    /// `C ← α·op(A)·op(B) + β·C` of matrices that every rank has, with the bits of one device. Each
    /// rank computes some of the entries and gives them to the others; all ranks call it.
    ///
    /// # Errors
    /// As [`gemm_on`](nonius_linalg::dense::gemm::gemm_on), and [`Error::Device`] where a rank has
    /// failed.
    pub fn multiply_on_hosts<T: Cargo>(
        &self,
        [alpha, beta]: [T; 2],
        (transpose_a, a): (Transpose, MatRef<'_, T>),
        (transpose_b, b): (Transpose, MatRef<'_, T>),
        c: &mut Matrix<T>,
    ) -> Result<Report, Error> {
        let ((m, n), (_, k)) = (c.shape(), transpose_a.shape(a.shape()));
        Error::check_product(transpose_a, a.shape(), transpose_b, b.shape(), (m, n))?;
        Error::check_format::<T>("a", c.format(), a.format())?;
        Error::check_format::<T>("b", c.format(), b.format())?;
        Gemm::<T>::check_products(&self.local)?;
        if m == 0 || n == 0 {
            return Ok(Report::direct());
        }
        let (ranks, blocks) = (self.grid.ranks(), Blocks::new(&self.grid, (m, n)));
        let [rows, cols] = blocks.of(ranks.rank());
        let a = match transpose_a {
            Transpose::No => a.block(rows.start, 0, rows.len(), k),
            Transpose::Yes => a.block(0, rows.start, k, rows.len()),
        };
        let b = match transpose_b {
            Transpose::No => b.block(0, cols.start, k, cols.len()),
            Transpose::Yes => b.block(cols.start, 0, cols.len(), k),
        };
        self.attempt(|| {
            let shape = Shape { sizes: [m, n, k], triangle: false, meet: true };
            let operands = ((transpose_a, a), (transpose_b, b));
            let way = self
                .of_all(shape, false, |whole| Ok(self.local.way(whole, operands.0, operands.1)))?;
            let mine = c.view_mut().block_mut(rows.start, cols.start, rows.len(), cols.len());
            let report = self.local.gemm_by(way, transpose_a, transpose_b, alpha, a, b, beta, mine);
            self.share_blocks(&blocks, c)?;
            Ok(report)
        })
    }

    /// Gives each rank's block to all, some columns at a time.
    fn share_blocks<T: Cargo>(&self, blocks: &Blocks<'_>, c: &mut Matrix<T>) -> Result<(), Error> {
        let (ranks, size) = (self.grid.ranks(), T::words_of(c.format()));
        let of_all: Vec<_> = (0..ranks.size()).map(|rank| blocks.of(rank)).collect();
        let most = |side: usize| of_all.iter().map(|block| block[side].len()).max().unwrap_or(0);
        let [height, width] = [most(0) * size, most(1)];
        let together = columns_together(height).min(width.max(1));
        let mut words = item::room(height * together).map_err(lost)?;
        let mut all = item::zeros(ranks.size() * height * together).map_err(lost)?;
        for first in (0..width).step_by(together) {
            let columns = |range: &Range<usize>| {
                let cut = |place: usize| (range.start + place).min(range.end);
                cut(first)..cut(first + together)
            };
            let [rows, cols] = &of_all[ranks.rank()];
            words.clear();
            columns(cols).for_each(|j| T::pack(c.view().column(j).range(rows.clone()), &mut words));
            words.resize(height * together, 0);
            ranks.all_gather(&words, &mut all).map_err(lost)?;
            for (rank, [rows, cols]) in of_all.iter().enumerate() {
                let words = &all[rank * words.len()..(rank + 1) * words.len()];
                if rank != ranks.rank() && !rows.is_empty() {
                    let found = columns(cols).zip(words.chunks_exact(rows.len() * size));
                    found.for_each(|(j, words)| {
                        T::unpack(words, c.column_mut(j).range(rows.clone()));
                    });
                }
            }
        }
        Ok(())
    }
}
