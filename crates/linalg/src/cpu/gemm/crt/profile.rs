//! What the error bound needs to know of the operands.

use rayon::prelude::*;

use crate::cpu::gemm::{Operand, gemm};
use crate::dense::Transpose;
use crate::dense::gemm::Products;
use crate::dense::gemm::crt::Profile;
use crate::scalar::exponent;
use crate::{Matrix, Scalar};

/// Lines that are looked at together.
const LINES: usize = 64;

/// The profile of the rows of an operand.
pub(super) fn profile<T: Scalar>(a: Operand<'_, T>) -> Profile {
    let (lines, _) = a.shape();
    (0..lines.div_ceil(LINES))
        .into_par_iter()
        .map(|chunk| profile_of_lines(a, chunk * LINES, LINES.min(lines - chunk * LINES)))
        .reduce(Profile::empty, Profile::joined)
}

/// Calls `visit(line, |first limb|)` for all entries of `count` lines.
#[inline(always)]
fn visit<T: Scalar>(
    a: Operand<'_, T>,
    first: usize,
    count: usize,
    mut visit: impl FnMut(usize, f64),
) {
    match a.transpose {
        Transpose::No => {
            for k in 0..a.inner() {
                for (line, x) in a.matrix.col(k)[first..first + count].iter().enumerate() {
                    visit(line, x.limb(0).abs());
                }
            }
        }
        Transpose::Yes => {
            for line in 0..count {
                for x in a.matrix.col(first + line) {
                    visit(line, x.limb(0).abs());
                }
            }
        }
    }
}

fn profile_of_lines<T: Scalar>(a: Operand<'_, T>, first: usize, count: usize) -> Profile {
    let (mut largest, mut sums) = ([0.0_f64; LINES], [0.0_f64; LINES]);
    visit(a, first, count, |line, x| {
        largest[line] = if x > largest[line] { x } else { largest[line] };
        // Not finite where an entry is not.
        sums[line] += x * 0.0;
    });
    let mut profile = Profile::empty();
    profile.finite = sums.iter().all(|sum| sum.is_finite());
    let mut thresholds = [[0.0; Profile::LEVELS.len()]; LINES];
    let mut powers = [[0.0; 2]; LINES];
    for (line, &largest) in largest[..count].iter().enumerate() {
        let e = exponent(largest).map_or(0, |e| e + 1);
        profile.exponents.push(e);
        let shift = Profile::NORM_BITS - e;
        powers[line] = [shift / 2, shift - shift / 2].map(|e| 2.0_f64.powi(e));
        for (threshold, g) in thresholds[line].iter_mut().zip(Profile::LEVELS) {
            *threshold = 2.0_f64.powi((e - g).max(-1074));
        }
    }
    if !profile.finite {
        return profile;
    }
    /// A sum with it is rounded to an integer.
    const ANCHOR: f64 = 4_503_599_627_370_496.0; // 2^52
    let mut counts = [[0_u32; Profile::LEVELS.len()]; LINES];
    visit(a, first, count, |line, x| {
        let [half, rest] = powers[line];
        sums[line] += (x * half * rest + ANCHOR) - ANCHOR;
        for (count, &threshold) in counts[line].iter_mut().zip(&thresholds[line]) {
            *count += u32::from(x >= threshold);
        }
    });
    for ((counts, sum), _) in
        counts.iter().zip(sums).zip(&largest[..count]).filter(|(_, largest)| **largest > 0.0)
    {
        profile.join_line(a.inner(), sum, counts.map(f64::from));
    }
    profile
}

/// `x·2^(−e)`, for results in the range of `f64`.
fn scaled(x: f64, e: i32) -> f64 {
    x * 2.0_f64.powi(-(e / 2)) * 2.0_f64.powi(-(e - e / 2))
}

/// A lower bound as that of [`Profile::meeting`], from the entries of `|op(A)||op(B)|` themselves; `b` is `op(B)ᵀ`.
pub(super) fn meeting<T: Scalar>(
    a: Operand<'_, T>,
    profile_a: &Profile,
    b: Operand<'_, T>,
    profile_b: &Profile,
) -> f64 {
    /// Below this, products of scaled entries may underflow to zero.
    const TINY: f64 = 1e-150;
    const COLUMNS: usize = 512;
    let magnitudes = |a: Operand<'_, T>, profile: &Profile, first: usize, count: usize| {
        let mut tiny = false;
        let mut scaled_lines = Matrix::<f64>::zeros(count, a.inner());
        for k in 0..a.inner() {
            for i in 0..count {
                let line = first + i;
                let x = match a.transpose {
                    Transpose::No => a.matrix.col(k)[line],
                    Transpose::Yes => a.matrix.col(line)[k],
                };
                let x = x.limb(0).abs();
                let share = scaled(x, profile.exponents[line]);
                tiny |= x > 0.0 && share < TINY;
                scaled_lines[(i, k)] = share;
            }
        }
        (scaled_lines, tiny)
    };
    let ((m, k), (n, _)) = (a.shape(), b.shape());
    let mut least = f64::INFINITY;
    for rows in (0..m).step_by(COLUMNS) {
        let height = COLUMNS.min(m - rows);
        let (left, tiny_left) = magnitudes(a, profile_a, rows, height);
        for columns in (0..n).step_by(COLUMNS) {
            let width = COLUMNS.min(n - columns);
            let (right, tiny_right) = magnitudes(b, profile_b, columns, width);
            let mut sums = Matrix::<f64>::zeros(height, width);
            let (left, right) = (left.view(), right.view());
            gemm(
                Products::direct(),
                Transpose::No,
                Transpose::Yes,
                1.0,
                left,
                right,
                0.0,
                sums.view_mut(),
            );
            for j in 0..width {
                for &sum in sums.view().col(j) {
                    if sum > 0.0 {
                        least = least.min(sum);
                    } else if tiny_left || tiny_right {
                        return 0.0;
                    }
                }
            }
        }
    }
    least * (1.0 - 1e-9) / (k as f64 * (profile_a.reach + profile_b.reach))
}
