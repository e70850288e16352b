//! Products of matrices through residues; the method and its error stand in
//! [`crate::dense::gemm::crt`].
//!
//! Rows of `op(A)` and columns of `op(B)` are *lines* of `k` entries. A *plane* holds one residue,
//! or one digit of it, for every entry of an operand; a product of two planes is what the
//! multiplying [`Unit`](unit::Unit) computes: of bytes or of `f64`.

mod block;
mod bytes;
mod converted;
mod floats;
mod kind;
mod layout;
mod partition;
mod planes;
mod product;
mod profile;
mod sink;
mod source;
mod strassen;
mod tables;
mod unit;

pub(crate) use self::converted::Converted;
pub(super) use self::converted::usable;
pub(super) use self::kind::Kind;
pub(super) use self::layout::{LINES, ROWS, Side};
pub(super) use self::product::{Factor, Product};
pub(super) use self::profile::{LEAST_SHARE, Magnitudes, Profiles};
pub(super) use self::sink::Sink;
pub(super) use self::source::Source;

use super::entries::Entries;
use super::operand::{Factors, Operand, Part};
use crate::cpu::output::Output;
use crate::dense::MatMut;
use crate::dense::gemm::crt::{Fallback, Plan, Profile, Target};
use crate::dense::gemm::{Accuracy, Engine, Products, Report, Way, Whole};
use crate::{Number, Scalar};

/// Bytes for residues unless the caller says otherwise: 512 MiB.
const WORKSPACE: usize = 512 << 20;

/// How a product is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// What multiplies.
    pub(super) unit: Kind,
    /// Bits of an integer entry beyond which there is a better way.
    most_bits: u32,
    /// What is promised.
    accuracy: Accuracy,
    /// Bytes for residues of rows of `op(A)` and columns of `op(B)`.
    pub(super) workspace: usize,
    /// The bits, where they are chosen already.
    plan: Option<Plan>,
}

impl Options {
    /// The options of a product, unless the direct engine is taken; as
    /// [`Products::most_bits`].
    pub(super) fn new<T: Number>(
        products: Products,
        format: T::Format,
        advantage: impl FnOnce() -> f64,
    ) -> Option<Self> {
        products.most_bits::<T>(format, advantage).map(|most| Self::up_to(products, most))
    }

    /// The options of a product that is computed in a way that was chosen.
    ///
    /// # Errors
    /// Where the direct engine was chosen, what was said of this one.
    pub(super) fn of_way(products: Products, way: Way) -> Result<Self, Option<Fallback>> {
        match way {
            Way::Crt(plan) => Ok(Self { plan: Some(plan), ..Self::up_to(products, plan.bits) }),
            Way::Direct(fallback) => Err(fallback),
        }
    }

    fn up_to(products: Products, most_bits: u32) -> Self {
        Self {
            unit: Kind::best(),
            most_bits,
            accuracy: products.accuracy,
            workspace: products.workspace.unwrap_or(WORKSPACE),
            plan: None,
        }
    }

    /// The bits that a product takes of which some lines have these profiles.
    ///
    /// # Errors
    /// [`Fallback`], where it is not computed this way.
    pub(super) fn plan(
        &self,
        whole: &Whole<'_>,
        target: impl FnOnce(u32) -> Target,
        profiles: [&Profile; 2],
        magnitudes: [impl Magnitudes; 2],
    ) -> Result<Plan, Fallback> {
        if let Some(plan) = self.plan {
            return Ok(plan);
        }
        let (k, target) = (whole.sizes[2], target(self.most_bits));
        let [left, right] = &whole.joined(profiles);
        match Plan::for_target(k, target, [left, right], self.accuracy) {
            Err(Fallback::Spread { .. }) if whole.meet => {
                let least = whole.least(profile::least_sum(&magnitudes));
                let meeting = left.meeting_of_sums(right, k, least);
                Plan::within_bound(k, target, meeting, Plan::reach([left, right]))
            }
            plan => plan,
        }
    }
}

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, for shapes that fit, with entries and terms, and
/// `α ≠ 0`. Of `op(A)` and `op(B)` some are converted.
///
/// # Errors
/// [`Fallback`], with `C` as it was, where the product is not computed this way.
pub(super) fn multiply<T: Scalar>(
    options: Options,
    [a, b]: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part<'_>,
    c: MatMut<'_, T>,
) -> Result<Report, Fallback> {
    let columns = b.transposed();
    let profiles = Profiles::new([a, columns], converted, profile::profile);
    let profiles = profiles.both();
    let [exponents_a, exponents_b] = profiles.map(|profile| &profile.exponents);
    let whole = Whole::alone([a.shape().0, columns.shape().0, a.inner()], part != Part::All);
    let mut plan = plan_of(options, &whole, [a, columns], profiles)?;
    let converted = usable(&mut plan, converted);
    let bits = plan.bits;
    let units = |exponents: &[i32]| exponents.iter().map(|e| e - bits as i32).collect::<Vec<_>>();
    let left = source::Limbs { operand: a, exponents: exponents_a, bits };
    let right = source::Limbs { operand: columns, exponents: exponents_b, bits };
    let sink = sink::Limbs {
        entries: Entries { a, b, factors, part, c: &Output::new(c) },
        row_units: &units(exponents_a),
        column_units: &units(exponents_b),
    };
    let product = Product {
        plan,
        left: Factor { source: &left, converted: converted[0] },
        right: Factor { source: &right, converted: converted[1] },
        shared: columns.begins(a) && converted.iter().all(Option::is_none),
        part,
        sink: &sink,
    };
    let moduli = product.compute(options.unit, options.workspace)?;
    Ok(Report { engine: Engine::Crt, bits: Some(bits), moduli, fallback: None })
}

/// The bits that a product takes of which these are some rows and columns.
///
/// # Errors
/// [`Fallback`], where it is not computed this way.
pub(super) fn plan<T: Scalar>(
    options: Options,
    whole: &Whole<'_>,
    [a, b]: [Operand<'_, T>; 2],
) -> Result<Plan, Fallback> {
    let lines = [a, b.transposed()];
    let profiles = Profiles::new(lines, [None; 2], profile::profile);
    plan_of(options, whole, lines, profiles.both())
}

fn plan_of<T: Scalar>(
    options: Options,
    whole: &Whole<'_>,
    lines: [Operand<'_, T>; 2],
    profiles: [&Profile; 2],
) -> Result<Plan, Fallback> {
    let target = |most_bits| Target::of::<T>((), whole.sizes[2], most_bits);
    let magnitudes = [0, 1].map(|i| profile::Limbs::new(lines[i], &profiles[i].exponents));
    options.plan(whole, target, profiles, magnitudes)
}

/// The lines of an operand as integers of `bits` bits, for any number of products.
///
/// # Errors
/// [`Fallback`], where products with it are not computed this way.
pub(in crate::cpu) fn convert<T: Scalar>(
    side: Side,
    a: Operand<'_, T>,
    bits: u32,
) -> Result<Converted, Fallback> {
    let bits = bits.clamp(Plan::least_bits::<T>(()), Plan::MOST_BITS);
    let lines = match side {
        Side::Left => a,
        Side::Right => a.transposed(),
    };
    let profile = profile::profile(lines);
    let exponents = profile.exponents.clone();
    let source = source::Limbs { operand: lines, exponents: &exponents, bits };
    Converted::new(Kind::best(), side, bits, &source, profile)
}

#[cfg(test)]
mod tests;
