//! What the error bound needs to know of the operands.

use nonius_num::mp::{Mp, MpRef};

use crate::cpu::gemm::Operand;
use crate::cpu::gemm::crt::{LEAST_SHARE, Magnitudes};
use crate::dense::Transpose;
use crate::dense::gemm::crt::Profile;
use crate::threads::{Grain, map};

/// Lines that are looked at together.
const LINES: usize = 64;

/// The profile of the rows of an operand.
pub(super) fn profile(a: Operand<'_, Mp>) -> Profile {
    let (lines, _) = a.shape();
    let of_chunks = map(lines.div_ceil(LINES), Grain::ANY, |chunk| {
        profile_of_lines(a, chunk * LINES, LINES.min(lines - chunk * LINES))
    });
    of_chunks.into_iter().fold(Profile::empty(), Profile::joined)
}

/// Calls `visit(line, entry)` for all entries of `count` lines, in the order of storage.
fn visit<'a>(
    a: Operand<'a, Mp>,
    first: usize,
    count: usize,
    mut visit: impl FnMut(usize, MpRef<'a>),
) {
    let (_, k) = a.shape();
    match a.transpose {
        Transpose::No => {
            for place in 0..k {
                (0..count).for_each(|line| visit(line, a.matrix.entry(first + line, place)));
            }
        }
        Transpose::Yes => {
            for line in 0..count {
                (0..k).for_each(|place| visit(line, a.matrix.entry(place, first + line)));
            }
        }
    }
}

fn profile_of_lines(a: Operand<'_, Mp>, first: usize, count: usize) -> Profile {
    let mut largest = [None::<i32>; LINES];
    let mut profile = Profile::empty();
    visit(a, first, count, |line, x| {
        profile.finite &= x.head().is_finite();
        largest[line] = largest[line].max(x.head().exponent());
    });
    profile.exponents.extend(largest[..count].iter().map(|e| e.unwrap_or(0)));
    if !profile.finite {
        return profile;
    }
    let mut sums = [0.0_f64; LINES];
    let mut counts = [[0_u32; Profile::LEVELS.len()]; LINES];
    visit(a, first, count, |line, x| {
        let (Some(e), Some(largest)) = (x.head().exponent(), largest[line]) else { return };
        let below = largest - e;
        if below <= Profile::NORM_BITS + 1 {
            sums[line] += (leading(x) * power(Profile::NORM_BITS - below)).round_ties_even();
        }
        for (count, g) in counts[line].iter_mut().zip(Profile::LEVELS) {
            // Not below 2^(e − 1).
            *count += u32::from(below < g);
        }
    });
    let (_, k) = a.shape();
    let lines = counts.iter().zip(sums).zip(&largest[..count]);
    for ((counts, sum), _) in lines.filter(|(_, largest)| largest.is_some()) {
        profile.join_line(k, sum, counts.map(f64::from));
    }
    profile
}

/// `|x|·2^(−e)` from `1/2` to 1, for an `x` with exponent `e`, from its highest word.
fn leading(x: MpRef<'_>) -> f64 {
    const UNIT: f64 = 1.0 / 18_446_744_073_709_551_616.0; // 2^-64
    x.words().last().map_or(0.0, |&word| word as f64 * UNIT)
}

/// `2^e`, for `e` from −1022 to 1023.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The lines of an operand, beside the largest entry of each.
pub(super) struct Lines<'a> {
    operand: Operand<'a, Mp>,
    exponents: &'a [i32],
}

impl<'a> Lines<'a> {
    pub(super) fn new(operand: Operand<'a, Mp>, exponents: &'a [i32]) -> Self {
        Self { operand, exponents }
    }
}

impl Magnitudes for Lines<'_> {
    fn shape(&self) -> (usize, usize) {
        self.operand.shape()
    }

    fn share(&self, line: usize, place: usize) -> f64 {
        let x = self.operand.entry(line, place);
        let Some(e) = x.head().exponent() else { return 0.0 };
        match e - self.exponents[line] {
            below @ -600.. => leading(x) * power(below),
            _ => LEAST_SHARE * LEAST_SHARE,
        }
    }
}
