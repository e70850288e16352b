//! Operations on the small squares, a kernel for all of them together.

use core::ffi::CStr;

use nonius_cuda::{DeviceRef, Layout};
use nonius_gpu::Error;
use nonius_linalg::Scalar;
use nonius_num::Decimal;

use super::blocks::CudaBlocks;
use super::cone::CudaCone;
use super::sources::small_source;

/// What kernels of small squares take.
#[derive(Clone, Copy)]
pub(super) struct Operands<T> {
    pub(super) a: Layout,
    pub(super) b: Layout,
    pub(super) to: Layout,
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Scalar> Operands<T> {
    /// An operation on one matrix.
    pub(super) fn of(a: &CudaBlocks<T>, to: &mut CudaBlocks<T>) -> Self {
        let (a, to) = (a.small.as_ref().layout(), to.small.as_mut().layout());
        Self { a, b: a, to, alpha: T::ONE, beta: T::ZERO }
    }

    /// An operation of a matrix on itself.
    pub(super) fn on(a: &mut CudaBlocks<T>) -> Self {
        let a = a.small.as_mut().layout();
        Self { a, b: a, to: a, alpha: T::ONE, beta: T::ZERO }
    }
}

impl<T: Scalar + Decimal> CudaCone<T> {
    /// Launches a kernel with a block of threads for each small square.
    pub(super) fn each_small(
        &self,
        name: &'static CStr,
        operands: Operands<T>,
    ) -> Result<(), Error> {
        self.launch_small(name, operands, 0)
    }

    /// The same; what the kernel finds goes to an address.
    fn launch_small(
        &self,
        name: &'static CStr,
        operands: Operands<T>,
        found: u64,
    ) -> Result<(), Error> {
        let Operands { a, b, to, alpha, beta } = operands;
        let words = (self.small.words().matrix(a).matrix(b).matrix(to))
            .factor(alpha)
            .factor(beta)
            .address(found);
        // SAFETY: `Small`; each square lies in all columns.
        unsafe { self.launch(&small_source(T::LIMBS), name, self.small.shape(), &words) }
    }

    /// Factors the small squares; whether all of them have a factor.
    pub(super) fn factor_small(&self, operands: Operands<T>) -> Result<bool, Error> {
        if self.small.count == 0 {
            return Ok(true);
        }
        let failed = self.gpu.numbers(&[0_u32])?;
        self.launch_small(c"small_factor", operands, failed.address())?;
        Ok(self.gpu.read::<u32>(&failed, 1)?[0] == 0)
    }

    /// `w ← M·A·Mᵀ·q` in the rows of the small squares.
    pub(super) fn small_congruence(
        &self,
        (m, a): (DeviceRef<'_, T>, DeviceRef<'_, T>),
        (q, w): (Layout, Layout),
    ) -> Result<(), Error> {
        let words = self.small.words().matrix(m.layout()).matrix(a.layout()).matrix(q).matrix(w);
        let source = small_source(T::LIMBS);
        // SAFETY: `Congruence`; vectors have the rows of all squares.
        unsafe { self.launch(&source, c"small_congruence", self.small.shape(), &words) }
    }
}
