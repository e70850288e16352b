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

use core::ops::Range;

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

/// Most rows and columns of `C` that a thread computes at a time: a plane of them stays in the second-level cache, their sums in the third.
const TILE: usize = 256;
/// Fewest, where there are many threads.
const LEAST_TILE: usize = 64;

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
    let Options { accuracy, most_bits, .. } = options;
    let plan = match Plan::of_profiles::<T>(k, [&profile_a, &profile_b], accuracy, most_bits) {
        Err(Fallback::Spread { .. }) => {
            let meeting = profile::meeting(a, &profile_a, columns, &profile_b);
            Plan::within_bound::<T>(k, meeting, Plan::reach([&profile_a, &profile_b]), most_bits)
        }
        plan => plan,
    }?;
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
        let most = (workspace / (2 * size * size_of::<U::Word>())).max(PAIR).next_multiple_of(PAIR);
        let lines = |count: usize| most.min(count.div_ceil(LINES).next_multiple_of(PAIR)) * LINES;
        let tile = tile(m, n);
        for columns in pieces(0..n, lines(n)) {
            let b = planes(&pack_b, self.columns, exponents_b, columns.clone());
            for rows in pieces(0..m, lines(m)) {
                if !part.meets(rows.clone(), columns.clone()) {
                    continue;
                }
                let a = planes(&pack_a, self.a, exponents_a, rows.clone());
                let tiles: Vec<_> = pieces(columns.clone(), tile)
                    .flat_map(|columns| {
                        pieces(rows.clone(), tile).map(move |rows| (rows, columns.clone()))
                    })
                    .filter(|(rows, columns)| part.meets(rows.clone(), columns.clone()))
                    .collect();
                tiles.into_par_iter().with_max_len(1).for_each(|(tile_rows, tile_columns)| {
                    let a = &a[(tile_rows.start - rows.start) / LINES * size..];
                    let b = &b[(tile_columns.start - columns.start) / LINES * size..];
                    rebuild.tile::<U>((a, tile_rows), (b, tile_columns), size);
                });
            }
        }
        let moduli = crt.moduli().values().len();
        Ok(Report { engine: Engine::Crt, bits: Some(bits), moduli, fallback: None })
    }
}

/// Rows and columns of a tile, such that threads have several each.
fn tile(m: usize, n: usize) -> usize {
    let threads = rayon::current_num_threads();
    let mut tile = TILE;
    while tile > LEAST_TILE && m.div_ceil(tile) * n.div_ceil(tile) < 3 * threads {
        tile /= 2;
    }
    tile
}

/// A range in pieces of the given length, the last perhaps shorter.
fn pieces(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(length).map(move |start| start..end.min(start + length))
}

/// The planes of some lines of an operand, in whole pairs of groups.
fn planes<U: Unit, T: Scalar>(
    packer: &Packer<U>,
    operand: Operand<'_, T>,
    exponents: &[i32],
    lines: Range<usize>,
) -> Buffer<U::Word> {
    let size = packer.size(operand.inner());
    let groups = lines.len().div_ceil(LINES).next_multiple_of(PAIR);
    let mut planes = Buffer::<U::Word>::new(groups * size);
    planes.par_chunks_exact_mut(size).enumerate().for_each(|(group, to)| {
        let start = (lines.start + group * LINES).min(lines.end);
        dispatch(packer.job(operand, exponents, start..lines.end.min(start + LINES), to));
    });
    planes
}

#[cfg(test)]
mod tests;
