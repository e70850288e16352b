//! Operations on the small squares, a kernel for all of them together.

use nonius_cuda::{DeviceRef, Layout};
use nonius_gpu::{Entry, Error, Pointer};
use nonius_linalg::Number;

use super::arguments::{Congruence, SMALL_CONGRUENCE, SMALL_FACTOR, Small};
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

impl<T: Number> CudaCone<T> {
    /// An operation on one matrix.
    ///
    /// Panics where one is of another cone, as the next.
    pub(super) fn operands(&self, a: &CudaBlocks<T>, to: &mut CudaBlocks<T>) -> Operands<T> {
        self.check(a);
        self.check(to);
        let (a, to) = (a.small.as_ref().layout(), to.small.as_mut().layout());
        Operands { a, b: a, to, alpha: T::ONE, beta: T::ZERO }
    }

    /// An operation of a matrix on itself.
    pub(super) fn operand(&self, a: &mut CudaBlocks<T>) -> Operands<T> {
        self.check(a);
        let a = a.small.as_mut().layout();
        Operands { a, b: a, to: a, alpha: T::ONE, beta: T::ZERO }
    }

    /// Launches a kernel with a block of threads for each small square.
    pub(super) fn each_small(
        &self,
        entry: Entry<Small>,
        operands: Operands<T>,
    ) -> Result<(), Error> {
        self.launch_small(entry, operands, Pointer::NULL)
    }

    /// The same; a failure is noted there.
    fn launch_small(
        &self,
        entry: Entry<Small>,
        operands: Operands<T>,
        failed: Pointer<u32>,
    ) -> Result<(), Error> {
        let Operands { a, b, to, alpha, beta } = operands;
        let factors = [self.gpu.factor(alpha, self.format)?, self.gpu.factor(beta, self.format)?];
        let small = Small {
            squares: self.small.table(),
            count: self.small.count as i64,
            a,
            b,
            c: to,
            alpha: factors[0].number,
            beta: factors[1].number,
            failed,
        };
        // SAFETY: each square lies in all columns.
        unsafe { self.launch(&small_source(self.kind()), entry, self.small.shape(), &small) }
    }

    /// Factors the small squares; whether all of them have a factor.
    pub(super) fn factor_small(&self, operands: Operands<T>) -> Result<bool, Error> {
        if self.small.count == 0 {
            return Ok(true);
        }
        let failed = self.gpu.numbers(&[0_u32])?;
        self.launch_small(SMALL_FACTOR, operands, failed.pointer())?;
        Ok(self.gpu.read::<u32>(&failed, 1)?[0] == 0)
    }

    /// `w ← M·A·Mᵀ·q` in the rows of the small squares.
    pub(super) fn small_congruence(
        &self,
        (m, a): (DeviceRef<'_, T>, DeviceRef<'_, T>),
        (q, w): (Layout, Layout),
    ) -> Result<(), Error> {
        let congruence = Congruence {
            squares: self.small.table(),
            count: self.small.count as i64,
            m: m.layout(),
            a: a.layout(),
            q,
            w,
        };
        let (source, shape) = (small_source(self.kind()), self.small.shape());
        // SAFETY: vectors have the rows of all squares.
        unsafe { self.launch(&source, SMALL_CONGRUENCE, shape, &congruence) }
    }
}
