//! Operands converted once for many products.

use core::fmt;

use super::crt::Fallback;
use super::{Products, Report};
use crate::cpu::gemm as kernels;
use crate::dense::{MatMut, MatRef, Side, Transpose};
use crate::{Error, Number};

/// `op(A)` or `op(B)` as residues, for products with many others: what
/// [`Engine::Crt`](super::Engine::Crt) does to an operand is done once.
///
/// `M` is a [`MatRef`], which stays borrowed. Residues take about a byte for every 7 bits of a
/// product's entry: at dd 30 bytes for an entry of the operand, twice what the number takes.
///
/// The bound of a product holds whatever the other operand. One that takes more bits than were
/// converted is computed as if none had been, and its [`Report`] has more [`bits`](Report::bits)
/// than [`Converted::bits`]. Where it takes as many, its result is that of [`gemm`](super::gemm()),
/// bit for bit; where it takes fewer, it is computed with those converted.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::gemm::{Converted, Factor, Products, gemm_of};
/// use nonius_linalg::dense::{Side, Transpose};
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(8, 8, |i, j| Dd::from((i + 2 * j) as f64));
/// let converted = Converted::new(Side::Left, Transpose::No, a.view(), 0);
/// let left = Factor::Converted(&converted);
/// for x in [1.0, 2.0] {
///     let b = Matrix::from_fn(8, 1, |_, _| Dd::from(x));
///     let mut c = Matrix::zeros(8, 1);
///     let right = Factor::Matrix(Transpose::No, b.view());
///     gemm_of(Products::default(), Dd::ONE, left, right, Dd::ZERO, c.view_mut())?;
///     assert_eq!(c[(1, 0)], 64.0 * x);
/// }
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub struct Converted<M> {
    side: Side,
    transpose: Transpose,
    matrix: M,
    lines: Result<kernels::Converted, Fallback>,
}

impl<'a, T: Number> Converted<MatRef<'a, T>> {
    /// `op(A)` as the operand on this side of products, on the host's processor: its entries as
    /// integers of `bits` bits, raised to those of the limbs and cut to
    /// [`Plan::MOST_BITS`](super::crt::Plan::MOST_BITS). With `bits` 0 it is ready for products of
    /// matrices whose rows and columns have entries of about the same size. Where exponents spread
    /// by some bits more than that, it takes about as many more.
    pub fn new(side: Side, transpose: Transpose, a: MatRef<'a, T>, bits: u32) -> Self {
        let lines = kernels::convert(side, transpose, a, bits);
        Self { side, transpose, matrix: a, lines }
    }
}

impl<M> Converted<M> {
    /// Bits of the integers; `None` where the operand has none, for [this reason](Self::fallback),
    /// and is multiplied as it is.
    pub fn bits(&self) -> Option<u32> {
        self.lines.as_ref().ok().map(kernels::Converted::bits)
    }

    /// Why there are no residues.
    pub fn fallback(&self) -> Option<Fallback> {
        self.lines.as_ref().err().copied()
    }
}

impl<M> fmt::Debug for Converted<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, transpose, .. } = self;
        let mut to = f.debug_struct("Converted");
        to.field("side", side).field("transpose", transpose);
        to.field("bits", &self.bits()).field("fallback", &self.fallback()).finish()
    }
}

/// An operand of [`gemm_of`]; with another `C`, of products on another device.
#[derive(Debug)]
pub enum Factor<'a, M, C = Converted<M>> {
    /// `op(A)` as it is.
    Matrix(Transpose, M),
    /// `op(A)` converted for the side on which it stands.
    Converted(&'a C),
}

impl<M: Copy, C> Clone for Factor<'_, M, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Copy, C> Copy for Factor<'_, M, C> {}

impl<'a, M: Copy> Factor<'a, M> {
    /// Its transpose, matrix and, where it has them, residues.
    ///
    /// # Errors
    /// [`Error::WrongSide`].
    pub(crate) fn parts(
        self,
        needed: Side,
    ) -> Result<(Transpose, M, Option<&'a kernels::Converted>), Error> {
        match self {
            Factor::Matrix(transpose, matrix) => Ok((transpose, matrix, None)),
            Factor::Converted(converted) if converted.side == needed => {
                Ok((converted.transpose, converted.matrix, converted.lines.as_ref().ok()))
            }
            Factor::Converted(_) => Err(Error::WrongSide { needed }),
        }
    }
}

/// [`gemm`](super::gemm()) on the host's processor with operands of which some are converted
/// already, computed as `products` says.
///
/// The choice of the engine knows what is converted.
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ,
/// [`Error::WrongSide`] when an operand was converted for the other side; as [`Products::check`].
pub fn gemm_of<T: Number>(
    products: Products,
    alpha: T,
    a: Factor<'_, MatRef<'_, T>>,
    b: Factor<'_, MatRef<'_, T>>,
    beta: T,
    c: MatMut<'_, T>,
) -> Result<Report, Error> {
    let (transpose_a, a, converted_a) = a.parts(Side::Left)?;
    let (transpose_b, b, converted_b) = b.parts(Side::Right)?;
    Error::check_product(transpose_a, a.shape(), transpose_b, b.shape(), c.shape())?;
    Error::check_format::<T>("a", c.format(), a.format())?;
    Error::check_format::<T>("b", c.format(), b.format())?;
    T::check_products(products)?;
    let operands = [(transpose_a, a), (transpose_b, b)];
    Ok(kernels::gemm_of(products, alpha, operands, [converted_a, converted_b], beta, c))
}
