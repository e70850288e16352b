//! Products of matrices through residues; the method and its error stand in [`crate::dense::gemm::crt`].
//!
//! Rows of `op(A)` and columns of `op(B)` are *lines* of `k` entries. A *plane* holds one residue, or one digit of it, for every
//! entry of an operand; a product of two planes is what the multiplying [`Unit`](unit::Unit) computes: of bytes or of `f64`.

mod block;
mod bytes;
mod floats;
mod product;
mod profile;
mod sink;
mod source;
mod strassen;
mod unit;

pub(super) use self::product::Product;
pub(super) use self::profile::{Magnitudes, TINY};
pub(super) use self::sink::{ROWS, Sink};
pub(super) use self::source::Source;
pub(super) use self::unit::{Kind, LINES};

use super::{Entries, Factors, Operand, Part};
use crate::Scalar;
use crate::cpu::output::Output;
use crate::dense::MatMut;
use crate::dense::gemm::crt::{Fallback, Plan, Profile, Target};
use crate::dense::gemm::{Accuracy, Engine, Report};

/// How a product is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// What multiplies.
    pub(super) unit: Kind,
    /// Bits of an integer entry beyond which there is a better way.
    pub(super) most_bits: u32,
    /// What is promised.
    pub(super) accuracy: Accuracy,
    /// Bytes for residues of rows of `op(A)` and columns of `op(B)`.
    pub(super) workspace: usize,
}

impl Options {
    /// The bits that a product of `k` terms takes.
    ///
    /// # Errors
    /// [`Fallback`], where it is not computed this way.
    pub(super) fn plan(
        &self,
        k: usize,
        target: Target,
        profiles: [&Profile; 2],
        magnitudes: [impl profile::Magnitudes; 2],
    ) -> Result<Plan, Fallback> {
        match Plan::for_target(k, target, profiles, self.accuracy) {
            Err(Fallback::Spread { .. }) => {
                let meeting = profile::meeting(&magnitudes, profiles);
                Plan::within_bound(k, target, meeting, Plan::reach(profiles))
            }
            plan => plan,
        }
    }
}

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, for shapes that fit, with entries and terms, and `α ≠ 0`.
///
/// # Errors
/// [`Fallback`], with `C` as it was, where the product is not computed this way.
pub(super) fn multiply<T: Scalar>(
    options: Options,
    a: Operand<'_, T>,
    b: Operand<'_, T>,
    factors: Factors<T>,
    part: Part,
    c: MatMut<'_, T>,
) -> Result<Report, Fallback> {
    let k = a.inner();
    let columns = Operand::new(b.transpose.flipped(), b.matrix);
    let (profile_a, profile_b) = rayon::join(|| profile::profile(a), || profile::profile(columns));
    let target = Target::of::<T>(k, options.most_bits);
    let magnitudes = [profile::Limbs::new(a, &profile_a), profile::Limbs::new(columns, &profile_b)];
    let plan = options.plan(k, target, [&profile_a, &profile_b], magnitudes)?;
    let bits = plan.bits;
    let units = |exponents: &[i32]| exponents.iter().map(|e| e - bits as i32).collect::<Vec<_>>();
    let (exponents_a, exponents_b) = (&profile_a.exponents, &profile_b.exponents);
    let left = source::Limbs { operand: a, exponents: exponents_a, bits };
    let right = source::Limbs { operand: columns, exponents: exponents_b, bits };
    let sink = sink::Limbs {
        entries: Entries { a, b, factors, part, c: &Output::new(c) },
        row_units: &units(exponents_a),
        column_units: &units(exponents_b),
    };
    let product = Product { plan, left: &left, right: &right, part, sink: &sink };
    let moduli = product.compute(options.unit, options.workspace)?;
    Ok(Report { engine: Engine::Crt, bits: Some(bits), moduli, fallback: None })
}

#[cfg(test)]
mod tests;
