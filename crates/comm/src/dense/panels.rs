//! Triangular factors by panels, for systems with one right-hand side.
//!
//! In [tiles](super) such a system has too little work beside its messages: every unknown waits for
//! those before. Here panel `k` of `N` ranks, the rows or columns of some unknowns, lies whole on
//! rank `k mod N`, and what travels are the unknowns.

use nonius_linalg::backend::{Memory, Share, Trsm, View};
use nonius_linalg::dense::gemm::Way;
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::{Error, MatRef, Matrix, Slice, SliceMut};

use super::cargo::Cargo;
use super::carry::{Carry, Link, lost};
use super::exchange::Wanted;
use super::matrix::Tiled;
use super::ranks::Ranks;

/// A lower triangular factor `L`, by panels of rows and once more by panels of columns.
pub struct Panels<T: Cargo, B: Memory<T>> {
    /// This rank's, each up to the diagonal.
    rows: Vec<B::Matrix>,
    /// This rank's, each from the diagonal down.
    columns: Vec<B::Matrix>,
    order: usize,
    width: usize,
}

impl<B: Link> Ranks<B> {
    /// The panels of the lower triangle of a square matrix: `width` unknowns in each. Results have
    /// the bits of one device where that finds as many unknowns at a time.
    ///
    /// Panics where `width` is zero.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed; [`Error::TooLarge`].
    pub fn panels<T: Cargo>(
        &self,
        factor: &Tiled<T, B>,
        width: usize,
    ) -> Result<Panels<T, B>, Error>
    where
        B: Carry<T> + 'static,
    {
        let order = factor.rows.count;
        let mut panels = Panels { rows: Vec::new(), columns: Vec::new(), order, width };
        self.attempt(|| {
            let (ranks, view) = (self.grid.ranks(), self.view(factor));
            let panel = |k: usize, block| {
                let owner = Wanted::Only(k % ranks.size());
                let found = self.net().fetch(block, owner, Wanted::All)?;
                let is_mine = k % ranks.size() == ranks.rank();
                Ok::<_, Error>(is_mine.then_some(found))
            };
            for (k, start) in (0..order).step_by(width).enumerate() {
                let end = order.min(start + width);
                let rows = view.block(start, 0, end - start, end);
                panels.rows.extend(panel(k, rows)?);
                let columns = view.block(start, start, order - start, end - start);
                panels.columns.extend(panel(k, columns)?);
            }
            Ok(panels)
        })
    }

    /// `x ← L⁻¹·x`, and `x ← L⁻ᵀ·x` with [`Transpose::Yes`], for an `x` that all ranks have.
    ///
    /// Panics where `x` has not as many numbers as the factor has rows.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed.
    pub fn solve_panels<T: Cargo>(
        &self,
        panels: &Panels<T, B>,
        transpose: Transpose,
        mut x: SliceMut<'_, T>,
    ) -> Result<(), Error>
    where
        B: Share<T> + Trsm<T> + 'static,
    {
        let (order, width) = (panels.order, panels.width);
        assert_eq!(x.len(), order, "length");
        let (count, ranks) = (order.div_ceil(width), self.grid.ranks());
        let mut words = Vec::new();
        self.attempt(|| {
            for step in 0..count {
                let k = if transpose == Transpose::No { step } else { count - 1 - step };
                let unknowns = k * width..order.min((k + 1) * width);
                words.clear();
                if k % ranks.size() == ranks.rank() {
                    let at = k / ranks.size();
                    let found = match transpose {
                        Transpose::No => self.forward(&panels.rows[at], x.as_slice()),
                        Transpose::Yes => self.backward(&panels.columns[at], x.as_slice()),
                    }?;
                    T::pack(found.numbers().as_slice(), &mut words);
                }
                words.resize(unknowns.len() * T::words_of(x.format()), 0);
                ranks.broadcast(k % ranks.size(), &mut words).map_err(lost)?;
                T::unpack(&words, x.reborrow().range(unknowns));
            }
            Ok(())
        })
    }

    /// The unknowns of a panel of rows, the last ones of these.
    fn forward<T: Cargo>(&self, panel: &B::Matrix, x: Slice<'_, T>) -> Result<Matrix<T>, Error>
    where
        B: Share<T> + Trsm<T>,
    {
        let panel = self.local.view(panel);
        let (count, end) = panel.shape();
        let start = end - count;
        let (left, square) = (panel.block(0, 0, count, start), panel.block(0, start, count, count));
        let known = x.range(0..start);
        self.substitute(Transpose::No, [left, square], known, x.range(start..end))
    }

    /// The unknowns of a panel of columns, the first ones of these.
    fn backward<T: Cargo>(&self, panel: &B::Matrix, x: Slice<'_, T>) -> Result<Matrix<T>, Error>
    where
        B: Share<T> + Trsm<T>,
    {
        let panel = self.local.view(panel);
        let (rows, count) = panel.shape();
        let start = x.len() - rows;
        let (below, square) =
            (panel.block(count, 0, rows - count, count), panel.block(0, 0, count, count));
        let known = x.range(start + count..x.len());
        self.substitute(Transpose::Yes, [below, square], known, x.range(start..start + count))
    }

    /// Subtracts what known unknowns contribute, and solves with the square.
    fn substitute<T: Cargo>(
        &self,
        transpose: Transpose,
        [beside, square]: [B::Ref<'_>; 2],
        known: Slice<'_, T>,
        right: Slice<'_, T>,
    ) -> Result<Matrix<T>, Error>
    where
        B: Share<T> + Trsm<T>,
    {
        let local = &self.local;
        let mut found = local.upload(MatRef::from_vector(right));
        if !known.is_empty() {
            let known = local.upload(MatRef::from_vector(known));
            let (known, to) = (local.view(&known), local.view_mut(&mut found));
            let (way, no) = (Way::Direct(None), Transpose::No);
            local.gemm_by(way, transpose, no, -T::ONE, beside, known, T::ONE, to);
        }
        let (side, triangle, diagonal) = (Side::Left, Triangle::Lower, Diagonal::NonUnit);
        let to = local.view_mut(&mut found);
        local.trsm(side, triangle, transpose, diagonal, T::ONE, square, to);
        local.download(local.view(&found))
    }
}
