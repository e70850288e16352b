//! Operands of products that are converted to residues once.

use core::fmt;

use nonius_linalg::dense::gemm::crt::Plan;
use nonius_linalg::dense::gemm::{Factor, Report};
use nonius_linalg::dense::{Side, Transpose};
use nonius_linalg::{Error, Number};

use crate::backend::Cuda;
use crate::crt::Kept;
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef};
use crate::multiplication::multiplication;

/// `op(A)` or `op(B)` as residues on a device, for products with many others.
///
/// `M` is a [`DeviceRef`], which stays borrowed. As for [`nonius_linalg::dense::gemm::Converted`],
/// a product that takes more bits than were converted is computed as if none had been; where it
/// takes as many, its result is that of one that was not converted, bit for bit.
pub struct Converted<M> {
    side: Side,
    transpose: Transpose,
    matrix: M,
    kept: Option<Kept>,
}

/// `op(A)` for [`Cuda::gemm_of`], as it is or converted.
pub type DeviceFactor<'a, M> = Factor<'a, M, Converted<M>>;

impl<M> Converted<M> {
    /// Bits of the integers; `None` where the device has no products by residues with it, and it is
    /// multiplied as it is.
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
    /// `op(A)` as the operand on this side of products: its entries as integers of `bits` bits,
    /// raised to those of the numbers and cut to [`Plan::most_bits`]. With `bits` 0 it is ready for
    /// products of matrices whose rows and columns have entries of about the same size.
    ///
    /// The residues take about a byte for every 7 bits of a product's entry: 30 bytes for an entry
    /// at dd.
    pub fn convert<'a, T: Number>(
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
        let bits = bits.clamp(Plan::least_bits::<T>(a.format), Plan::most_bits::<T>(a.format));
        let kind = Kind::of::<T>(a.format);
        let kept = self.attempt(|| self.kept(side, kind, layout, bits)).flatten();
        Converted { side, transpose, matrix: a, kept }
    }

    /// [`gemm`](nonius_linalg::backend::Gemm::gemm) with operands of which some are converted
    /// already; the choice of the engine knows which.
    ///
    /// # Errors
    /// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions
    /// differ, [`Error::WrongSide`] when an operand was converted for the other side.
    pub fn gemm_of<T: Number>(
        &self,
        alpha: T,
        a: DeviceFactor<'_, DeviceRef<'_, T>>,
        b: DeviceFactor<'_, DeviceRef<'_, T>>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Result<Report, Error> {
        let (transpose_a, a, left) = parts(a, Side::Left)?;
        let (transpose_b, b, right) = parts(b, Side::Right)?;
        let (shape_a, shape_b) = (a.layout.shape(), b.layout.shape());
        Error::check_product(transpose_a, shape_a, transpose_b, shape_b, c.layout.shape())?;
        Error::check_format::<T>("a", c.format, a.format)?;
        Error::check_format::<T>("b", c.format, b.format)?;
        T::check_products(self.products())?;
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        let report = self.attempt(|| self.multiply(product, [left, right], true));
        Ok(report.unwrap_or(Report::direct()))
    }
}
