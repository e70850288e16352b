//! Products of matrices through residues; the method and its error stand in [`crate::dense::gemm::crt`].
//!
//! Rows of `op(A)` and columns of `op(B)` are *lines* of `k` entries. A *plane* holds one residue, or one digit of it, for every
//! entry of an operand; a product of two planes is what the multiplying [`Unit`] computes: of bytes or of `f64`.

mod bytes;
mod floats;
mod pack;
mod profile;
mod rebuild;
mod sink;
mod source;
mod unit;

use core::ops::Range;

use nonius_num::rns::Crt;
use rayon::prelude::*;

pub(super) use self::unit::Kind;

use self::bytes::Bytes;
use self::floats::Floats;
use self::pack::Packer;
use self::rebuild::{Channel, Rebuild};
use self::sink::Sink;
use self::source::Source;
use self::unit::{LINES, PAIR, Unit};
use super::{Entries, Factors, Operand, Part};
use crate::Scalar;
use crate::cpu::output::Output;
use crate::cpu::workspace::Buffer;
use crate::dense::MatMut;
use crate::dense::gemm::crt::{Fallback, Plan};
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

/// A product of integers.
pub(in crate::cpu) struct Product<'a, A, B, S> {
    pub(in crate::cpu) plan: Plan,
    /// The rows of the left operand.
    pub(in crate::cpu) left: &'a A,
    /// The columns of the right one, of as many places.
    pub(in crate::cpu) right: &'a B,
    /// The entries that are wanted.
    pub(in crate::cpu) part: Part,
    /// Takes them, and perhaps others beside them.
    pub(in crate::cpu) sink: &'a S,
}

impl<A: Source, B: Source, S: Sink> Product<'_, A, B, S> {
    /// Computes it with a number of moduli, which is returned, and some `workspace` bytes for residues.
    ///
    /// # Errors
    /// [`Fallback::Spread`] where there are not enough moduli.
    pub(in crate::cpu) fn compute(&self, unit: Kind, workspace: usize) -> Result<usize, Fallback> {
        match unit {
            Kind::Bytes => self.run::<Bytes>(workspace),
            Kind::Floats => self.run::<Floats>(workspace),
        }
    }

    fn run<U: Unit>(&self, workspace: usize) -> Result<usize, Fallback> {
        let Self { plan, part, .. } = *self;
        let ((m, k), (n, _)) = (self.left.shape(), self.right.shape());
        let Ok(moduli) = U::moduli(plan.modulus_bits, k) else {
            return Err(Fallback::Spread { bits: Some(plan.bits) });
        };
        let crt = &Crt::new(moduli);
        let (pack_a, pack_b) =
            (Packer::<U>::left(crt, plan.bits), Packer::<U>::right(crt, plan.bits));
        let rebuild = Rebuild { sink: self.sink, crt, channels: &Channel::all::<U>(crt), k };
        let size = pack_a.size(k);
        let most = (workspace / (2 * size * size_of::<U::Word>())).max(PAIR).next_multiple_of(PAIR);
        let lines = |count: usize| most.min(count.div_ceil(LINES).next_multiple_of(PAIR)) * LINES;
        let tile = tile(m, n);
        for columns in pieces(0..n, lines(n)) {
            let b = planes(&pack_b, self.right, columns.clone());
            for rows in pieces(0..m, lines(m)) {
                if !part.meets(rows.clone(), columns.clone()) {
                    continue;
                }
                let a = planes(&pack_a, self.left, rows.clone());
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
        Ok(crt.moduli().values().len())
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
fn planes<U: Unit>(
    packer: &Packer<U>,
    source: &impl Source,
    lines: Range<usize>,
) -> Buffer<U::Word> {
    let (_, k) = source.shape();
    let size = packer.size(k);
    let groups = lines.len().div_ceil(LINES).next_multiple_of(PAIR);
    let mut planes = Buffer::<U::Word>::new(groups * size);
    planes.par_chunks_exact_mut(size).enumerate().for_each(|(group, to)| {
        let start = (lines.start + group * LINES).min(lines.end);
        packer.pack(source, start..lines.end.min(start + LINES), to);
    });
    planes
}

#[cfg(test)]
mod tests;
