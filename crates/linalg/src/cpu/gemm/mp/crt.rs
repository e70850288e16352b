//! Products through residues; the method and its error stand in [`crate::dense::gemm::crt`].

use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::entries::Scales;
use super::profile::{Lines, profile};
use super::sink::Sink;
use super::source::Source;
use super::{Converted, Operand, Part};
use crate::MatMut;
use crate::cpu::gemm::crt::{Factor, Kind, Options, Product, Profiles, usable};
use crate::dense::Side;
use crate::dense::gemm::crt::{Fallback, Plan, Profile, Target};
use crate::dense::gemm::{Engine, Report, Whole};

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, with integers of at most `most_bits` bits. Shapes
/// fit, and there are entries and terms. Some operands are `converted` already.
///
/// # Errors
/// [`Fallback`], with `C` as it was, where the product is not computed this way.
pub(super) fn multiply(
    options: Options,
    [a, b]: [Operand<'_, Mp>; 2],
    converted: [Option<&Converted>; 2],
    scales: &Scales,
    part: Part<'_>,
    c: MatMut<'_, Mp>,
) -> Result<Report, Fallback> {
    let columns = b.transposed();
    let profiles = Profiles::new([a, columns], converted, profile);
    let profiles = profiles.both();
    let [exponents_a, exponents_b] = profiles.map(|profile| &profile.exponents);
    let whole = Whole::alone([a.shape().0, columns.shape().0, a.shape().1], part != Part::All);
    let mut plan = plan_of(options, &whole, c.format(), [a, columns], profiles)?;
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

/// The bits that a product with so many bits takes of which these are some rows and columns.
///
/// # Errors
/// [`Fallback`], where it is not computed this way.
pub(super) fn plan(
    options: Options,
    whole: &Whole<'_>,
    bits: Bits,
    [a, b]: [Operand<'_, Mp>; 2],
) -> Result<Plan, Fallback> {
    let lines = [a, b.transposed()];
    plan_of(options, whole, bits, lines, Profiles::new(lines, [None; 2], profile).both())
}

fn plan_of(
    options: Options,
    whole: &Whole<'_>,
    bits: Bits,
    lines: [Operand<'_, Mp>; 2],
    profiles: [&Profile; 2],
) -> Result<Plan, Fallback> {
    let target = |most_bits| Target::of_bits(bits.get(), whole.sizes[2], most_bits);
    let magnitudes = [0, 1].map(|i| Lines::new(lines[i], &profiles[i].exponents));
    options.plan(whole, target, profiles, magnitudes)
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
