//! `C ← α·op(A)·op(B) + β·C`, and on a triangle of `C`: the engines that compute it, and the choice
//! among them.
//!
//! `direct` carries out every multiply-add in the element's own arithmetic, `crt` multiplies
//! integers modulo many numbers. Either's result depends on the operands alone.

mod choice;
pub(super) mod crt;
mod direct;
mod entries;
pub(super) mod mp;
mod operand;

pub(crate) use self::crt::Converted;

pub(super) use self::operand::{Factors, Operand, Part};

use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report};
use crate::dense::{MatMut, MatRef, Side, Transpose};
use crate::reference::gemm::scale_entry;
use crate::{Number, Scalar};

/// Bytes for residues unless the caller says otherwise: 512 MiB.
const WORKSPACE: usize = 512 << 20;

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B`
/// are not. `α` and `β` are rounded to the format of `C` first.
///
/// Panics when the shapes do not fit or [`Products::check`] says no.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm<T: Number>(
    products: Products,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    gemm_of(products, alpha, [(transpose_a, a), (transpose_b, b)], [None; 2], beta, c)
}

/// [`gemm`] with operands of which some are converted.
pub(crate) fn gemm_of<T: Number>(
    products: Products,
    alpha: T,
    operands: [(Transpose, MatRef<'_, T>); 2],
    converted: [Option<&Converted>; 2],
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    let operands = operands.map(|(transpose, matrix)| Operand::new(transpose, matrix));
    multiply(products, operands, converted, Factors { alpha, beta }, Part::All, c)
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(crate) fn convert<T: Number>(
    side: Side,
    transpose: Transpose,
    a: MatRef<'_, T>,
    bits: u32,
) -> Result<Converted, Fallback> {
    T::convert(side, Operand::new(transpose, a), bits)
}

/// [`gemm`] on a part of `C`; the rest is neither read nor written.
pub(super) fn multiply<T: Number>(
    products: Products,
    operands: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part,
    mut c: MatMut<'_, T>,
) -> Report {
    let [(m, k), (k_b, n)] = operands.map(|operand| operand.shape());
    assert_eq!(k, k_b, "inner dimensions");
    assert_eq!(c.shape(), (m, n), "shape of C");
    let check = T::check_products(products);
    assert!(check.is_ok(), "{check:?}");
    let factors = factors.in_format(c.format());
    if m == 0 || n == 0 {
        return Report::direct();
    }
    if k == 0 || factors.alpha == T::ZERO {
        for j in 0..n {
            for i in part.of(0..m, j) {
                let mut entry = c.at(i, j);
                scale_entry(factors.beta, &mut entry);
                c.set(i, j, entry);
            }
        }
        return Report::direct();
    }
    T::multiply(products, operands, converted, factors, part, c)
}

/// [`multiply`] where there is something to multiply.
pub(super) fn multiply_by_engine<T: Scalar>(
    products: Products,
    [a, b]: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part,
    mut c: MatMut<'_, T>,
) -> Report {
    let ((m, k), (_, n)) = (a.shape(), b.shape());
    let mut fallback = None;
    // Shared lines are converted once.
    let columns = if b.transposed().begins(a) { 0 } else { n };
    let lines = [(m, converted[0]), (columns, converted[1])]
        .map(|(lines, converted)| if converted.is_some() { 0 } else { lines });
    let advantage = || choice::advantage::<T>(part, [m, n, k], lines);
    if let Some(most_bits) = products.most_bits::<T>((), advantage) {
        let options = crt::Options {
            unit: crt::Kind::best(),
            most_bits,
            accuracy: products.accuracy,
            workspace: products.workspace.unwrap_or(WORKSPACE),
        };
        match crt::multiply(options, [a, b], converted, factors, part, c.reborrow()) {
            Ok(report) => return report,
            Err(reason) => fallback = Some(reason),
        }
    }
    direct::multiply(products.arithmetic, a, b, factors, part, c);
    Report { fallback, ..Report::direct() }
}
