//! Products through residues; the method and its error stand in [`crate::dense::gemm::crt`].

use nonius_num::Mp;

use super::entries::Scales;
use super::profile::{Lines, profile};
use super::sink::Sink;
use super::source::Source;
use super::{Converted, Operand, Part, WORKSPACE};
use crate::MatMut;
use crate::cpu::gemm::crt::{Factor, Kind, Options, Product, Profiles, usable};
use crate::dense::Side;
use crate::dense::gemm::crt::{Fallback, Target};
use crate::dense::gemm::{Engine, Products, Report};

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, with integers of at most `most_bits` bits. Shapes
/// fit, and there are entries and terms. Some operands are `converted` already.
///
/// # Errors
/// [`Fallback`], with `C` as it was, where the product is not computed this way.
pub(super) fn multiply(
    products: Products,
    most_bits: u32,
    [a, b]: [Operand<'_, Mp>; 2],
    converted: [Option<&Converted>; 2],
    scales: &Scales,
    part: Part,
    c: MatMut<'_, Mp>,
) -> Result<Report, Fallback> {
    let columns = b.transposed();
    let profiles = Profiles::new([a, columns], converted, profile);
    let profiles = profiles.both();
    let options = Options {
        unit: Kind::best(),
        most_bits,
        accuracy: products.accuracy,
        workspace: products.workspace.unwrap_or(WORKSPACE),
    };
    let (_, k) = a.shape();
    let target = Target::of_bits(c.format().get(), k, most_bits);
    let [exponents_a, exponents_b] = profiles.map(|profile| &profile.exponents);
    let magnitudes = [Lines::new(a, exponents_a), Lines::new(columns, exponents_b)];
    let mut plan = options.plan(k, target, profiles, magnitudes)?;
    let converted = usable(&mut plan, converted);
    let left = Source::new(a, exponents_a, plan.bits);
    let right = Source::new(columns, exponents_b, plan.bits);
    let sink = Sink::new(scales, [exponents_a, exponents_b], plan.bits, part, c);
    let product = Product {
        plan,
        left: Factor { source: &left, converted: converted[0] },
        right: Factor { source: &right, converted: converted[1] },
        shared: columns.begins(a) && converted.iter().all(Option::is_none),
        part,
        sink: &sink,
    };
    let moduli = product.compute(options.unit, options.workspace)?;
    Ok(Report { engine: Engine::Crt, bits: Some(plan.bits), moduli, fallback: None })
}

/// The lines of an operand as integers of `bits` bits, for any number of products.
///
/// # Errors
/// [`Fallback`], where products with it are not computed this way.
pub(super) fn convert(side: Side, a: Operand<'_, Mp>, bits: u32) -> Result<Converted, Fallback> {
    let bits = bits.clamp(a.matrix.format().get(), Target::MOST_BITS);
    let lines = match side {
        Side::Left => a,
        Side::Right => a.transposed(),
    };
    let profile = profile(lines);
    let exponents = profile.exponents.clone();
    Converted::new(Kind::best(), side, bits, &Source::new(lines, &exponents, bits), profile)
}
