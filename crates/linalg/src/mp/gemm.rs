//! Products of matrices.

use nonius_num::mp::MpRef;

use super::Matrix;
use crate::Error;
use crate::cpu;
use crate::dense::gemm::{Arithmetic, Factor, Products, Report};
use crate::dense::{Side, Transpose};

/// `C ← α·op(A)·op(B) + β·C` on the host's processor, where `op` is nothing or the transpose, at the one precision that all three have.
///
/// With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B` are not. The result is the same, bit for bit, for any number
/// of threads.
///
/// **Error.** Every entry of `op(A)·op(B)` is within `(1 + 2^-61)·u·(|op(A)||op(B)|)_ij` by the direct engine, `u = 2^-bits`: one rounding,
/// whatever the exponents and however much cancels ([`nonius_num::mp::Dot`]). The residue engine is within `(k + 3)·u·(|op(A)||op(B)|)_ij` for `k` terms
/// ([`dense::gemm::crt`](crate::dense::gemm::crt)), or leaves the product to the direct engine. The product by `α`, that of `C` by `β` and the sum are
/// rounded once each; factors of ±1 round nothing.
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ, as [`Products::check`] for an arithmetic
/// of other numbers.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm(
    products: Products,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: MpRef<'_>,
    a: &Matrix,
    b: &Matrix,
    beta: MpRef<'_>,
    c: &mut Matrix,
) -> Result<Report, Error> {
    let (a, b) = (Factor::Matrix(transpose_a, a), Factor::Matrix(transpose_b, b));
    gemm_of(products, alpha, a, b, beta, c)
}

/// [`gemm`] with operands of which some are converted already.
///
/// # Errors
/// As [`gemm`]; [`Error::WrongSide`] when an operand was converted for the other side.
pub fn gemm_of(
    products: Products,
    alpha: MpRef<'_>,
    a: Factor<'_, &Matrix>,
    b: Factor<'_, &Matrix>,
    beta: MpRef<'_>,
    c: &mut Matrix,
) -> Result<Report, Error> {
    let (transpose_a, a, converted_a) = a.parts(Side::Left)?;
    let (transpose_b, b, converted_b) = b.parts(Side::Right)?;
    let operands = [(transpose_a, a), (transpose_b, b)];
    check_product(operands[0], operands[1], c)?;
    check(products)?;
    if c.numbers().is_empty() {
        return Ok(Report::direct());
    }
    let converted = [converted_a, converted_b];
    Ok(cpu::gemm::mp::multiply(products, operands, converted, [alpha, beta], c))
}

/// `Ok` where `op(A)·op(B)` has the shape of `C`, and all three have one precision.
///
/// # Errors
/// [`Error::Shape`], [`Error::Precision`].
pub fn check_product(
    (transpose_a, a): (Transpose, &Matrix),
    (transpose_b, b): (Transpose, &Matrix),
    c: &Matrix,
) -> Result<(), Error> {
    Error::check_product(transpose_a, a.shape(), transpose_b, b.shape(), c.shape())?;
    check_precision("a", c, a)?;
    check_precision("b", c, b)
}

fn check_precision(operand: &'static str, c: &Matrix, a: &Matrix) -> Result<(), Error> {
    let (expected, found) = (c.bits().get(), a.bits().get());
    if expected == found { Ok(()) } else { Err(Error::Precision { operand, expected, found }) }
}

/// `Ok` where products of numbers of any precision can be computed so: their sums have one arithmetic.
///
/// # Errors
/// [`Error::NoArithmetic`].
pub fn check(products: Products) -> Result<(), Error> {
    match products.arithmetic {
        Arithmetic::Delayed => Ok(()),
        arithmetic => Err(Error::NoArithmetic { arithmetic, precision: "mp" }),
    }
}
