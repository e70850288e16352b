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
use super::crt::Options;
use super::{Converted, Factors, Operand, Part, lines, part_of};
use crate::MatMut;
use crate::dense::Side;
use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report, Way, Whole};

/// [`multiply`](super::multiply) where there is something to multiply.
pub(in crate::cpu) fn multiply(
    products: Products,
    way: Option<Way>,
    [a, b]: [Operand<'_, Mp>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<Mp>,
    part: Part<'_>,
    mut c: MatMut<'_, Mp>,
) -> Report {
    let scales = &Scales::new(factors);
    let ((m, k), (_, n), bits) = (a.shape(), b.shape(), c.format());
    let lines = lines([m, n], part, converted);
    let advantage = || choice::advantage(bits.get(), part, [m, n, k], lines);
    let options = match way {
        Some(way) => Options::of_way(products, way),
        None => Options::new::<Mp>(products, bits, advantage).ok_or(None),
    };
    let computed = options.and_then(|options| {
        crt::multiply(options, [a, b], converted, scales, part, c.reborrow()).map_err(Some)
    });
    computed.unwrap_or_else(|fallback| {
        direct::multiply(a, b, scales, part, c);
        Report { fallback, ..Report::direct() }
    })
}

/// How a product is computed of which these are some rows and columns.
pub(in crate::cpu) fn way(
    products: Products,
    whole: &Whole<'_>,
    operands: [Operand<'_, Mp>; 2],
) -> Way {
    let (part, [m, n, _], bits) = (part_of(whole), whole.sizes, operands[0].matrix.format());
    let lines = lines([m, n], part, [None; 2]);
    let advantage = || choice::advantage(bits.get(), part, whole.sizes, lines);
    let Some(options) = Options::new::<Mp>(products, bits, advantage) else {
        return Way::Direct(None);
    };
    crt::plan(options, whole, bits, operands)
        .map_or_else(|reason| Way::Direct(Some(reason)), Way::Crt)
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(in crate::cpu) fn convert(
    side: Side,
    a: Operand<'_, Mp>,
    bits: u32,
) -> Result<Converted, Fallback> {
    crt::convert(side, a, bits)
}
