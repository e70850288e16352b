//! Products of matrices of numbers of any precision.

use nonius_linalg::dense::Side;
use nonius_linalg::dense::gemm::Report;
use nonius_linalg::dense::gemm::crt::{Fallback, Target};
use nonius_linalg::mp::Matrix;

use crate::backend::Cuda;
use crate::converted::{DeviceFactor, parts};
use crate::crt::{MpTask, Outcome};
use crate::mp_matrix::MpMatrix;

impl Cuda {
    /// `op(A)·op(B)` by residues, rounded to the precision of both; within the bound of [`Target::of_bits`].
    ///
    /// Panics where shapes or precisions do not fit.
    ///
    /// # Errors
    /// As [`upload_mp`](Self::upload_mp); [`nonius_linalg::Error::WrongSide`] when an operand was converted for the other side; [`Fallback`] where it is not
    /// computed this way: devices have no other for such numbers.
    pub fn multiply_mp(
        &self,
        a: DeviceFactor<'_, &MpMatrix>,
        b: DeviceFactor<'_, &MpMatrix>,
    ) -> Result<Result<(MpMatrix, Report), Fallback>, nonius_linalg::Error> {
        let (transpose_a, a, kept_a) = parts(a, Side::Left)?;
        let (transpose_b, b, kept_b) = parts(b, Side::Right)?;
        let (left, right) = (a.layout().op(transpose_a), b.layout().op(transpose_b));
        let ((m, k), (inner, n)) = (left.shape, right.shape);
        assert_eq!(k, inner, "inner dimensions");
        assert_eq!(a.precision(), b.precision(), "precisions");
        if m == 0 || n == 0 || k == 0 {
            let zeros = self.upload_mp(&Matrix::try_zeros(a.precision(), m, n)?)?;
            return Ok(Ok((zeros, Report::direct())));
        }
        self.fetch(|| {
            let product = MpMatrix::new(self, a.precision(), (m, n))?;
            let task = MpTask { a: left, b: right, c: product.layout() };
            let target = Target::of_bits(a.precision().get(), k, Target::MOST_BITS);
            Ok(match self.multiply_by_residues(task, [kept_a, kept_b], target, true)? {
                Outcome::Done(report) => Ok((product, report)),
                Outcome::Refused(fallback) => Err(fallback),
                // Only where nobody waits.
                Outcome::Unless(_) => Err(Fallback::NoEngine),
            })
        })
    }
}
