//! Factors and products of large squares. Ranks may divide the work on one, of which each has all
//! entries.
//!
//! They are computed in [tiles](nonius_comm::dense) then, which each rank cuts from what it has.
//! Every rank gets the whole result. All else takes little time, and each rank does it.

use nonius_comm::dense::{Cargo, Ranks, Tiled};
use nonius_cuda::{Cuda, DeviceMut, DeviceRef};
use nonius_linalg::Error as LinalgError;
use nonius_linalg::backend::{Gemm, Memory, Syrk, ViewMut};
use nonius_linalg::dense::{Transpose, Triangle, cholesky_in_place, invert};

use super::cone::CudaCone;

impl<T: Cargo> CudaCone<T> {
    /// The ranks that divide a large square.
    fn divided(&self, square: usize) -> Option<&Ranks<Cuda>> {
        self.divided
            .as_ref()
            .filter(|divided| divided.squares[square])
            .map(|divided| &divided.ranks)
    }

    /// The ranks that factor such a square of so many rows together.
    fn factoring(&self, square: usize, rows: usize) -> Option<&Ranks<Cuda>> {
        let least = self.divided.as_ref()?.least_in_tiles;
        self.divided(square).filter(|_| rows >= least)
    }

    /// Puts a result in the place of what every rank has.
    fn take(&self, ranks: &Ranks<Cuda>, tiles: &Tiled<T, Cuda>, to: DeviceMut<'_, T>) {
        ranks.queue(|| {
            let whole = ranks.everywhere(tiles)?;
            self.gpu.copy(whole.as_ref(), to);
            Ok(())
        });
    }

    /// `C ← α·A·B + β·C` for a large square; `C` is not read where `β = 0`.
    pub(super) fn multiply_square(
        &self,
        square: usize,
        alpha: T,
        [a, b]: [DeviceRef<'_, T>; 2],
        beta: T,
        mut c: DeviceMut<'_, T>,
    ) {
        let no = Transpose::No;
        let Some(ranks) = self.divided(square) else {
            return self.gpu.queue_gemm(no, no, alpha, a, b, beta, c);
        };
        let [a, b] = [a, b].map(|factor| ranks.tiles_of::<T>(factor));
        let mut product = ranks.tiles_of::<T>(c.reborrow().as_ref());
        let to = ranks.view_mut(&mut product);
        ranks.queue_gemm(no, no, alpha, ranks.view(&a), ranks.view(&b), beta, to);
        self.take(ranks, &product, c);
    }

    /// Puts the Cholesky factor in the place of the lower triangle of a large square; whether there
    /// is one.
    pub(super) fn factor_square(
        &self,
        square: usize,
        mut a: DeviceMut<'_, T>,
    ) -> Result<bool, LinalgError> {
        let rows = a.shape().0;
        let Some(ranks) = self.factoring(square, rows) else { return self.factor_alone(a) };
        let mut tiles = ranks.tiles_of::<T>(a.reborrow().as_ref());
        let is_definite = cholesky_in_place(ranks, ranks.view_mut(&mut tiles)).is_ok();
        self.take(ranks, &tiles, a);
        ranks.attempt(|| self.gpu.fetch(|| Ok(is_definite)))
    }

    /// `M ← L⁻¹` for a large square, where `M` holds the identity.
    pub(super) fn invert_square(
        &self,
        square: usize,
        l: DeviceRef<'_, T>,
        mut m: DeviceMut<'_, T>,
    ) {
        let Some(ranks) = self.divided(square) else { return invert(&self.gpu, l, m) };
        let factor = ranks.tiles_of::<T>(l);
        let mut inverse = ranks.tiles_of::<T>(m.reborrow().as_ref());
        invert(ranks, ranks.view(&factor), ranks.view_mut(&mut inverse));
        self.take(ranks, &inverse, m);
    }

    /// The lower triangle of `A ← Mᵀ·M` for a large square.
    pub(super) fn gram_of_square(
        &self,
        square: usize,
        m: DeviceRef<'_, T>,
        mut a: DeviceMut<'_, T>,
    ) {
        let (lower, yes) = (Triangle::Lower, Transpose::Yes);
        let Some(ranks) = self.divided(square) else {
            return self.gpu.syrk(lower, yes, T::ONE, m, T::ZERO, a);
        };
        let factor = ranks.tiles_of::<T>(m);
        let mut product = ranks.tiles_of::<T>(a.reborrow().as_ref());
        let to = ranks.view_mut(&mut product);
        ranks.syrk(lower, yes, T::ONE, ranks.view(&factor), T::ZERO, to);
        self.take(ranks, &product, a);
    }
}
