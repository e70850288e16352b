//! Products through residues; the method and its error stand in [`crate::dense::gemm::crt`].

use super::entries::Factors;
use super::profile::{Lines, profile};
use super::sink::Sink;
use super::source::Source;
use super::{Operand, WORKSPACE};
use crate::cpu::gemm::Part;
use crate::cpu::gemm::crt::{Kind, Options, Product};
use crate::dense::gemm::crt::{Fallback, Target};
use crate::dense::gemm::{Engine, Products, Report};
use crate::mp::Matrix;

/// `C ← α·op(A)·op(B) + β·C`, for shapes and precisions that fit, with entries and terms, with integers of at most so many bits.
///
/// # Errors
/// [`Fallback`], with `C` as it was, where the product is not computed this way.
pub(super) fn multiply(
    products: Products,
    most_bits: u32,
    a: Operand<'_>,
    b: Operand<'_>,
    factors: &Factors<'_>,
    c: &mut Matrix,
) -> Result<Report, Fallback> {
    let columns = Operand { transpose: b.transpose.flipped(), ..b };
    let (profile_a, profile_b) = rayon::join(|| profile(a), || profile(columns));
    let options = Options {
        unit: Kind::best(),
        most_bits,
        accuracy: products.accuracy,
        workspace: products.workspace.unwrap_or(WORKSPACE),
    };
    let (_, k) = a.shape();
    let target = Target::of_bits(c.bits().get(), k, most_bits);
    let (exponents_a, exponents_b) = (&profile_a.exponents, &profile_b.exponents);
    let magnitudes = [Lines::new(a, exponents_a), Lines::new(columns, exponents_b)];
    let plan = options.plan(k, target, [&profile_a, &profile_b], magnitudes)?;
    let left = Source::new(a, exponents_a, plan.bits);
    let right = Source::new(columns, exponents_b, plan.bits);
    let sink = Sink::new(factors, [exponents_a, exponents_b], plan.bits, c);
    let product = Product { plan, left: &left, right: &right, part: Part::All, sink: &sink };
    let moduli = product.compute(options.unit, options.workspace)?;
    Ok(Report { engine: Engine::Crt, bits: Some(plan.bits), moduli, fallback: None })
}
