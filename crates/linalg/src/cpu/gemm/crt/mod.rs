//! Products of matrices through residues; the method and its error stand in [`crate::dense::gemm::crt`].
//!
//! Rows of `op(A)` and columns of `op(B)` are *lines* of `k` entries. A *plane* holds one residue, or one digit of it, for every
//! entry of an operand; a product of two planes is what the multiplying [`Unit`] computes: of bytes or of `f64`.

mod bytes;
mod floats;
mod pack;
mod profile;
mod rebuild;
mod unit;

use nonius_num::rns::{Crt, FixedPoint};
use rayon::prelude::*;

pub(super) use self::unit::Kind;

use self::bytes::Bytes;
use self::floats::Floats;
use self::pack::Packer;
use self::rebuild::{Channel, Rebuild};
use self::unit::{LINES, PAIR, Unit};
use super::{Entries, Factors, Operand, Part};
use crate::Scalar;
use crate::cpu::output::Output;
use crate::cpu::simd::dispatch;
use crate::cpu::workspace::Buffer;
use crate::dense::MatMut;
use crate::dense::gemm::crt::{Fallback, Plan, Profile};
use crate::dense::gemm::{Accuracy, Engine, Report};

/// Rows of `C` that a thread computes at a time.
const ROWS: usize = 256;
/// Columns whose sums wait for the rebuilding at a time.
const COLUMNS: usize = 16;

/// How a product is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// What multiplies.
    pub(super) unit: Kind,
    /// Bits of an integer entry beyond which there is a better way.
    pub(super) most_bits: u32,
    /// What is promised.
    pub(super) accuracy: Accuracy,
    /// Bytes for residues of the columns of `op(B)`.
    pub(super) workspace: usize,
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
    if !(profile_a.finite && profile_b.finite) {
        return Err(Fallback::NotFinite);
    }
    let plan = match options.accuracy {
        Accuracy::Normwise => Plan::with_bits(k, Plan::least_bits::<T>()),
        Accuracy::Entrywise => {
            let plan = |meeting| Plan::within_bound::<T>(k, meeting, options.most_bits);
            plan(profile_a.meeting(&profile_b))
                .or_else(|_| plan(profile::meeting(a, &profile_a, columns, &profile_b)))?
        }
    };
    let job = Job { a, b, columns, profile_a, profile_b, factors, part, plan };
    match options.unit {
        Kind::Bytes => job.run::<Bytes>(options.workspace, c),
        Kind::Floats => job.run::<Floats>(options.workspace, c),
    }
}

struct Job<'a, T: Scalar> {
    a: Operand<'a, T>,
    b: Operand<'a, T>,
    /// `op(B)ᵀ`.
    columns: Operand<'a, T>,
    profile_a: Profile,
    profile_b: Profile,
    factors: Factors<T>,
    part: Part,
    plan: Plan,
}

impl<T: Scalar> Job<'_, T> {
    fn run<U: Unit>(&self, workspace: usize, c: MatMut<'_, T>) -> Result<Report, Fallback> {
        let ((m, k), n) = (self.a.shape(), c.cols());
        let bits = self.plan.bits;
        let Ok(moduli) = U::moduli(self.plan.modulus_bits, k) else {
            return Err(Fallback::Spread { bits: Some(bits) });
        };
        let crt = &Crt::new(moduli);
        let fixed = FixedPoint::new(bits, U::DIGIT);
        let (pack_a, pack_b) = (Packer::<U>::left(crt, fixed), Packer::<U>::right(crt, fixed));
        let (exponents_a, exponents_b) = (&self.profile_a.exponents, &self.profile_b.exponents);
        let units = |exponents: &[i32]| exponents.iter().map(|e| e - bits as i32).collect();
        let (row_units, column_units): (Vec<i32>, Vec<i32>) =
            (units(exponents_a), units(exponents_b));
        let Self { a, b, factors, part, .. } = *self;
        let entries = Entries { a, b, factors, part, c: &Output::new(c) };
        let rebuild = Rebuild {
            entries,
            crt,
            channels: &Channel::all::<U>(crt),
            row_units: &row_units,
            column_units: &column_units,
            k,
        };
        let size = pack_a.size(k);
        let groups = workspace / (size * size_of::<U::Word>());
        let width = groups.clamp(1, n.div_ceil(LINES)) * LINES;
        for first in (0..n).step_by(width) {
            let columns = first..n.min(first + width);
            let mut b = Buffer::<U::Word>::new(columns.len().div_ceil(LINES) * size);
            let groups = b.par_chunks_exact_mut(size).enumerate();
            groups.for_each(|(group, to)| {
                let lines = first + group * LINES..columns.end.min(first + (group + 1) * LINES);
                dispatch(pack_b.job(self.columns, exponents_b, lines, to));
            });
            let blocks = (0..m.div_ceil(ROWS)).into_par_iter().with_max_len(1);
            blocks.for_each(|block| {
                let rows = block * ROWS..m.min((block + 1) * ROWS);
                if !self.part.meets(rows.clone(), columns.clone()) {
                    return;
                }
                let groups = rows.len().div_ceil(LINES).next_multiple_of(PAIR);
                let mut a = Buffer::<U::Word>::new(groups * size);
                for (group, to) in a.chunks_exact_mut(size).enumerate() {
                    let start = rows.start + group * LINES;
                    let lines = start.min(rows.end)..rows.end.min(start + LINES);
                    dispatch(pack_a.job(self.a, exponents_a, lines, to));
                }
                rebuild.block::<U>((&a, rows), (&b, columns.clone()), size);
            });
        }
        let moduli = crt.moduli().values().len();
        Ok(Report { engine: Engine::Crt, bits: Some(bits), moduli, fallback: None })
    }
}

#[cfg(test)]
mod tests;
