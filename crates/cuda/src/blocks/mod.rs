//! Factors of blocks of columns of numbers of any precision, by products of matrices alone: found
//! in double-double, and corrected.
//!
//! Let `L·U` be near `A`, `F = L⁻¹·(A − L·U)·U⁻¹`, and `F = low F + up F` its entries below the
//! diagonal and the others. Then `L·(I + low F)` and `(I + up F)·U` are triangles whose product is
//! `A + L·(low F)(up F)·U`: what was `F` becomes of the order of `F²`, and of the errors of `F` by
//! inverses in double-double, so that each step brings some 90 bits. For a symmetric matrix the
//! same goes with `F = L⁻¹·(A − L·Lᵀ)·L⁻ᵀ`, of which `low F` has half of the diagonal. In the end
//! inverses are refined, `L⁻¹ ← L⁻¹·(I + E)` with `E = I − L·L⁻¹`, which doubles their digits each
//! time.
//!
//! **Error.** Products by residues have `SPARE` bits more than the digits that a step is to bring.
//! What the last residual `A − L·U` lacks is within `u·|L||U|` and `2^-SPARE·u` of the greatest
//! entries of rows and columns; `F` passes that on to the factors, whose product takes it up:
//! `L·(L⁻¹·E·U⁻¹)·U = E`. Rounding the factors adds `2u·|L||U|`. Errors of `F` itself grow with
//! `|L||L⁻¹|` and `|U||U⁻¹|`; blocks for which these are beyond `2^GROWTH` are left to panels, as
//! are those whose corrections do not shrink as they should, and those for which memory lacks. The
//! block is written last, so that panels find it as it was. Rows below and on the right are
//! multiplied by inverses that are two numbers each, one what rounding leaves of the other.

mod cholesky;
mod correction;
mod kernels;
mod lu;
mod outcome;

use nonius_gpu::{Error, Source};
use nonius_linalg::Number;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Engine;

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::DeviceMut;
use crate::triangle_inverse;

pub(crate) use self::outcome::Inverse;
use self::outcome::{Negative, Stop};

/// Columns of a block: products of that order fill a GPU, and blocks are few.
pub(crate) const COLUMNS: usize = 512;
/// Columns from which on products are worth it.
const LEAST_COLUMNS: usize = 64;

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    match kind {
        Kind::Limbs(_) => Vec::new(),
        Kind::Mp(_) => vec![kernels::source(kind), triangle_inverse::source(2)],
    }
}

impl Cuda {
    /// See [`Panel::lu_block`](nonius_linalg::backend::Panel::lu_block).
    pub(crate) fn factor_lu_block<T: Number>(
        &self,
        a: DeviceMut<'_, T>,
        pivots: &mut [usize],
    ) -> Option<Inverse<T>> {
        self.block(&a, |cuda| lu::factor(cuda, &a, pivots))
    }

    /// See [`Panel::cholesky_block`](nonius_linalg::backend::Panel::cholesky_block).
    pub(crate) fn factor_cholesky_block<T: Number>(&self, a: DeviceMut<'_, T>) -> bool {
        self.block(&a, |cuda| cholesky::factor(cuda, &a)).is_some()
    }

    fn block<T: Number, R>(
        &self,
        a: &DeviceMut<'_, T>,
        factor: impl FnOnce(&Self) -> Result<R, Stop>,
    ) -> Option<R> {
        let (rows, columns) = a.layout.shape();
        let is_limbs = matches!(Kind::of::<T>(a.format), Kind::Limbs(_));
        if is_limbs
            || columns < LEAST_COLUMNS
            || self.products().engine == Some(Engine::Direct)
            || !self.has_residues([rows, columns])
        {
            return None;
        }
        let found = self.attempt(|| {
            let cuda = self.inside()?;
            match (factor(&cuda), cuda.check()) {
                (Ok(found), Ok(())) => Ok(Some(found)),
                (Err(Stop::Panels), Ok(()) | Err(Error::OutOfMemory { .. })) => Ok(None),
                (Err(Stop::Failed(error)), _) | (_, Err(error)) => Err(error),
            }
        });
        found.flatten()
    }

    /// `B ← op(A)⁻¹·B` for an inverse of `A`.
    pub(crate) fn solve_with<T: Number>(
        &self,
        inverse: &Negative<T>,
        op: Transpose,
        b: &DeviceMut<'_, T>,
    ) {
        self.attempt(|| lu::solve(self, inverse, op, b));
    }
}
