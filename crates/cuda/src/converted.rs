//! Operands of products that are converted to residues once.

use core::fmt;

use nonius_linalg::dense::gemm::crt::{Plan, Target};
use nonius_linalg::dense::gemm::{Factor, Report};
use nonius_linalg::dense::{Side, Transpose};
use nonius_linalg::{Error, Scalar};

use crate::backend::Cuda;
use crate::crt::{Kept, LimbRows, Lines};
use crate::matrix::{DeviceMut, DeviceRef};
use crate::mp_matrix::MpMatrix;
use crate::operand::Operand;

/// `op(A)` or `op(B)` as residues on a device, for products with many others.
///
/// `M` is a [`DeviceRef`] or a `&`[`MpMatrix`], which stays borrowed. As for [`nonius_linalg::dense::gemm::Converted`], a product that takes more
/// bits than were converted is computed as if none had been; where it takes as many, its result is that of one that was not converted, bit for bit.
pub struct Converted<M> {
    side: Side,
    transpose: Transpose,
    matrix: M,
    kept: Option<Kept>,
}

/// `op(A)` for [`Cuda::gemm_of`] and [`Cuda::multiply_mp`], as it is or converted.
pub type DeviceFactor<'a, M> = Factor<'a, M, Converted<M>>;

impl<M> Converted<M> {
    /// Bits of the integers; `None` where the device has no products by residues with it, and it is multiplied as it is.
    pub fn bits(&self) -> Option<u32> {
        self.kept.as_ref().map(Kept::bits)
    }
}

impl<M> fmt::Debug for Converted<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, transpose, .. } = self;
        let mut to = f.debug_struct("Converted");
        to.field("side", side).field("transpose", transpose).field("bits", &self.bits()).finish()
    }
}

/// Its transpose, matrix and, where it has them, residues.
///
/// # Errors
/// [`Error::WrongSide`].
pub(crate) fn parts<M: Copy>(
    factor: DeviceFactor<'_, M>,
    needed: Side,
) -> Result<(Transpose, M, Option<&Kept>), Error> {
    match factor {
        Factor::Matrix(transpose, matrix) => Ok((transpose, matrix, None)),
        Factor::Converted(converted) if converted.side == needed => {
            Ok((converted.transpose, converted.matrix, converted.kept.as_ref()))
        }
        Factor::Converted(_) => Err(Error::WrongSide { needed }),
    }
}

impl Cuda {
    /// `op(A)` as the operand on this side of products: its entries as integers of so many `bits`, raised to those of the limbs and cut to
    /// [`Plan::MOST_BITS`]. With 0 for these it is ready for products of matrices whose rows and columns have entries of about the same size.
    ///
    /// The residues take about a byte for every 7 bits of a product's entry: 30 bytes for an entry at dd.
    pub fn convert<'a, T: Scalar>(
        &self,
        side: Side,
        transpose: Transpose,
        a: DeviceRef<'a, T>,
        bits: u32,
    ) -> Converted<DeviceRef<'a, T>> {
        let layout = match side {
            Side::Left => a.layout.op(transpose),
            Side::Right => a.layout.op(transpose.flipped()),
        };
        let bits = bits.clamp(Plan::least_bits::<T>(), Plan::MOST_BITS);
        let lines = LimbRows { limbs: T::LIMBS, layout };
        Converted { side, transpose, matrix: a, kept: self.kept(side, lines, bits) }
    }

    /// `op(A)` as the operand on this side of products of numbers of any precision, as [`convert`](Self::convert); bits are cut to
    /// [`Target::MOST_BITS`].
    pub fn convert_mp<'a>(
        &self,
        side: Side,
        transpose: Transpose,
        a: &'a MpMatrix,
        bits: u32,
    ) -> Converted<&'a MpMatrix> {
        let layout = match side {
            Side::Left => a.layout().op(transpose),
            Side::Right => a.layout().op(transpose.flipped()),
        };
        let bits = bits.clamp(a.precision().get(), Target::MOST_BITS);
        Converted { side, transpose, matrix: a, kept: self.kept(side, layout, bits) }
    }

    fn kept(&self, side: Side, lines: impl Lines, bits: u32) -> Option<Kept> {
        let side = usize::from(side == Side::Right);
        self.attempt(|| Kept::new(self, side, lines, bits)).flatten()
    }

    /// [`gemm`](nonius_linalg::backend::Gemm::gemm) with operands of which some are converted already; the choice of the engine knows which.
    ///
    /// # Errors
    /// [`Error::Shape`] when the shapes do not fit, [`Error::WrongSide`] when an operand was converted for the other side.
    pub fn gemm_of<T: Scalar>(
        &self,
        alpha: T,
        a: DeviceFactor<'_, DeviceRef<'_, T>>,
        b: DeviceFactor<'_, DeviceRef<'_, T>>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Result<Report, Error> {
        let (transpose_a, a, left) = parts(a, Side::Left)?;
        let (transpose_b, b, right) = parts(b, Side::Right)?;
        let (a, b) = (Operand::new(transpose_a, a.layout), Operand::new(transpose_b, b.layout));
        let (shape_a, shape_b) = (a.layout.shape(), b.layout.shape());
        Error::check_product(transpose_a, shape_a, transpose_b, shape_b, c.layout.shape())?;
        self.products().check::<T>()?;
        let product = (alpha, a, b);
        let report =
            self.attempt(|| self.multiply(None, product, [left, right], (beta, c.layout), true));
        Ok(report.unwrap_or(Report::direct()))
    }
}
