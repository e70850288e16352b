//! `C ← α·op(A)·op(B) + β·C` for numbers of any precision: the engines that compute it, and the
//! choice among them.

mod choice;
mod crt;
mod direct;
mod entries;
mod operand;
mod profile;
mod sink;
mod source;

use nonius_num::Mp;

use self::entries::Scales;
use super::{Converted, Factors, Operand, Part, WORKSPACE};
use crate::MatMut;
use crate::dense::Side;
use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report};

/// [`multiply`](super::multiply) where there is something to multiply.
pub(in crate::cpu) fn multiply(
    products: Products,
    [a, b]: [Operand<'_, Mp>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<Mp>,
    part: Part,
    mut c: MatMut<'_, Mp>,
) -> Report {
    let scales = &Scales::new(factors);
    let ((m, k), (_, n)) = (a.shape(), b.shape());
    let mut fallback = None;
    let bits = c.format().get();
    // Shared lines are converted once.
    let columns = if b.transposed().begins(a) { 0 } else { n };
    let lines = [(m, converted[0]), (columns, converted[1])]
        .map(|(lines, converted)| if converted.is_some() { 0 } else { lines });
    let advantage = || choice::advantage(bits, part, [m, n, k], lines);
    if let Some(most_bits) = products.most_bits::<Mp>(c.format(), advantage) {
        let c = c.reborrow();
        match crt::multiply(products, most_bits, [a, b], converted, scales, part, c) {
            Ok(report) => return report,
            Err(reason) => fallback = Some(reason),
        }
    }
    direct::multiply(a, b, scales, part, c);
    Report { fallback, ..Report::direct() }
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(in crate::cpu) fn convert(
    side: Side,
    a: Operand<'_, Mp>,
    bits: u32,
) -> Result<Converted, Fallback> {
    crt::convert(side, a, bits)
}
