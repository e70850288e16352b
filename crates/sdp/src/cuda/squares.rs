//! Factors and products of large squares. Ranks may divide the work on one, of which each has all
//! entries.
//!
//! Of a product each rank computes some columns, which the others get. Of two matrices that are
//! factored, one rank has the one to factor, and another rank the other. All else takes little
//! time, and each rank does it.

use nonius_comm::dense::{Cargo, Ranks};
use nonius_cuda::{Cuda, DeviceMatrix, DeviceRef};
use nonius_linalg::Error as LinalgError;
use nonius_linalg::backend::{Gemm, Memory, Syrk};
use nonius_linalg::dense::{Transpose, Triangle};

use super::blocks::CudaBlocks;
use super::cone::CudaCone;

impl<T: Cargo> CudaCone<T> {
    /// The ranks that divide a large square.
    fn divided(&self, square: usize) -> Option<&Ranks<Cuda>> {
        let divided = self.divided.as_ref()?;
        divided.places[square].map(|_| &divided.ranks)
    }

    /// Whether this rank computes with a large square of one of two matrices.
    pub(super) fn has(&self, which: usize, square: usize) -> bool {
        self.divided.as_ref().is_none_or(|divided| divided.has(which, square))
    }

    /// `C ← α·A·B + β·C` for a large square; `C` is not read where `β = 0`.
    pub(super) fn multiply_square(
        &self,
        square: usize,
        alpha: T,
        [a, b]: [DeviceRef<'_, T>; 2],
        beta: T,
        c: &mut DeviceMatrix<T>,
    ) {
        let no = Transpose::No;
        match self.divided(square) {
            Some(ranks) => ranks.queue_gemm_everywhere(alpha, a, b, beta, c),
            None => self.gpu.queue_gemm(no, no, alpha, a, b, beta, c.as_mut()),
        }
    }

    /// The lower triangle of `A ← Mᵀ·M` for a large square.
    pub(super) fn gram_of_square(
        &self,
        square: usize,
        m: DeviceRef<'_, T>,
        a: &mut DeviceMatrix<T>,
    ) {
        let (lower, yes) = (Triangle::Lower, Transpose::Yes);
        match self.divided(square) {
            Some(ranks) => ranks.queue_gram_everywhere(m, a),
            None => self.gpu.syrk(lower, yes, T::ONE, m, T::ZERO, a.as_mut()),
        }
    }

    /// Whether something holds on every rank that divides squares.
    pub(super) fn agree(&self, here: bool) -> Result<bool, LinalgError> {
        self.divided.as_ref().map_or(Ok(here), |divided| divided.ranks.agree(here))
    }

    /// Gives the large squares of one of two matrices that one rank has computed to the others.
    pub(super) fn give_squares(
        &self,
        which: usize,
        m: &mut CudaBlocks<T>,
    ) -> Result<(), LinalgError> {
        let Some(divided) = &self.divided else { return Ok(()) };
        for (square, m) in m.squares.iter_mut().enumerate() {
            let Some(owner) = divided.owner(which, square) else { continue };
            let given = divided.has(which, square).then(|| m.as_ref());
            let shape = m.shape();
            if let Some(taken) = divided.ranks.broadcast((owner, given), self.format, shape)? {
                self.gpu.copy(taken.as_ref(), m.as_mut());
            }
        }
        Ok(())
    }
}
