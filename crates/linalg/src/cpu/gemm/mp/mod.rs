//! `C ← α·op(A)·op(B) + β·C` for numbers of any precision: the engines that compute it, and the choice among them.

mod choice;
mod crt;
mod direct;
mod entries;
mod operand;
mod profile;
mod sink;
mod source;

use self::entries::Factors;
use self::operand::Operand;
use super::{Converted, WORKSPACE};
use crate::dense::gemm::crt::{Fallback, Target};
use crate::dense::gemm::{Products, Report};
use crate::dense::{Side, Transpose};
use crate::mp::{Matrix, MpRef};

/// `C ← α·op(A)·op(B) + β·C`, for shapes and precisions that fit, with entries. Of the operands some are converted.
pub(crate) fn multiply(
    products: Products,
    operands: [(Transpose, &Matrix); 2],
    converted: [Option<&Converted>; 2],
    [alpha, beta]: [MpRef<'_>; 2],
    c: &mut Matrix,
) -> Report {
    let [a, b] = operands.map(|(transpose, matrix)| Operand { transpose, matrix });
    let factors = &Factors::new(alpha, beta);
    let ((m, k), n) = (a.shape(), c.cols());
    if k == 0 || alpha.head().is_zero() {
        factors.scale(c);
        return Report::direct();
    }
    let mut fallback = None;
    let bits = c.bits().get();
    let lines = [(m, converted[0]), (n, converted[1])]
        .map(|(lines, converted)| if converted.is_some() { 0 } else { lines });
    let advantage = || choice::advantage(bits, [m, n, k], lines);
    if let Some(most_bits) = products.bits_between(bits, Target::MOST_BITS, advantage) {
        match crt::multiply(products, most_bits, [a, b], converted, factors, c) {
            Ok(report) => return report,
            Err(reason) => fallback = Some(reason),
        }
    }
    direct::multiply(a, b, factors, c);
    Report { fallback, ..Report::direct() }
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(crate) fn convert(
    side: Side,
    transpose: Transpose,
    matrix: &Matrix,
    bits: u32,
) -> Result<Converted, Fallback> {
    crt::convert(side, Operand { transpose, matrix }, bits)
}
