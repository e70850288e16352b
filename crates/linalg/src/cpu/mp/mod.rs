//! Kernels of numbers of any precision beside products of matrices.

pub(super) mod elementwise;
pub(super) mod gemv;
mod lines;
pub(super) mod panel;
pub(super) mod reduce;
pub(super) mod residual;
pub(super) mod rotate;
pub(super) mod substitution;
pub(super) mod vectors;

use crate::Error;
use crate::dense::gemm::{Arithmetic, Products};

/// `Ok` where products of numbers of any precision can be computed so: their sums have one
/// arithmetic.
pub(super) fn check_products(products: Products) -> Result<(), Error> {
    match products.arithmetic {
        Arithmetic::Delayed => Ok(()),
        arithmetic => Err(Error::NoArithmetic { arithmetic, precision: "mp" }),
    }
}
