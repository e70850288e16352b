//! The inverse by elimination.
//!
//! `A^-1 = U^-1·L^-1·P` for [`Lu`] factors, as the product of the inverses of the triangles (J. J. Du Croz and N. J. Higham, *Stability of methods for matrix inversion*,
//! IMA J. Numer. Anal. 12, 1992, method D).

use nonius_num::mp::Mp;

use super::{Lu, Matrix, gemm};
use crate::Error;
use crate::dense::Transpose;
use crate::dense::gemm::Products;

/// `A^-1` for a square matrix.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::Singular`] where no pivot other than zero is left, which includes columns that are not finite.
pub fn inverse(a: &Matrix) -> Result<Matrix, Error> {
    let lu = Lu::new(a)?;
    let (n, bits) = (a.rows(), a.bits());
    let [lower, upper] = lu.inverse_triangles(bits)?;
    let mut product = Matrix::try_zeros(bits, n, n)?;
    let (one, zero) = (Mp::one(bits), Mp::zero(bits));
    let (yes, no) = (Transpose::Yes, Transpose::No);
    gemm(Products::default(), yes, no, one.view(), &upper, &lower, zero.view(), &mut product)?;
    let mut inverse = Matrix::try_zeros(bits, n, n)?;
    for (i, &row) in lu.rows().iter().enumerate() {
        inverse.set_block(0, row, &product.block(0..n, i..i + 1));
    }
    Ok(inverse)
}
