//! What the error bound needs to know of the operands.

use nonius_num::Lane;
use rayon::prelude::*;

use crate::cpu::gemm::{Operand, gemm};
use crate::cpu::simd::{Kernel, dispatch};
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
        .map(|chunk| {
            let first = chunk * LINES;
            dispatch(Lines { a, first, count: LINES.min(lines - first) })
        })
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

/// Some lines of an operand. A kernel, so that the compiler may use what registers there are.
struct Lines<'a, T> {
    a: Operand<'a, T>,
    first: usize,
    count: usize,
}

impl<T: Scalar> Kernel for Lines<'_, T> {
    type Output = Profile;

    #[inline(always)]
    fn run<L: Lane>(self) -> Profile {
        profile_of_lines(self.a, self.first, self.count)
    }
}

#[inline(always)]
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

/// Entries beside the largest of their lines.
pub(in crate::cpu::gemm) trait Magnitudes: Sync {
    /// Number of lines, and of places in each.
    fn shape(&self) -> (usize, usize);

    /// `|x|·2^(−e)` in `f64`, for the entry of a line with exponent `e`; with less than [`TINY`] where that is below the range of `f64`, zero for zeros alone.
    fn share(&self, line: usize, place: usize) -> f64;
}

/// Below this, products of shares may underflow to zero.
pub(in crate::cpu::gemm) const TINY: f64 = 1e-150;

/// The lines of an operand of limbs.
pub(super) struct Limbs<'a, T> {
    operand: Operand<'a, T>,
    exponents: &'a [i32],
}

impl<'a, T: Scalar> Limbs<'a, T> {
    pub(super) fn new(operand: Operand<'a, T>, profile: &'a Profile) -> Self {
        Self { operand, exponents: &profile.exponents }
    }
}

impl<T: Scalar> Magnitudes for Limbs<'_, T> {
    fn shape(&self) -> (usize, usize) {
        self.operand.shape()
    }

    fn share(&self, line: usize, place: usize) -> f64 {
        let Operand { transpose, matrix } = self.operand;
        let x = matrix.at_op(transpose, line, place).limb(0).abs();
        let e = self.exponents[line];
        let share = x * 2.0_f64.powi(-(e / 2)) * 2.0_f64.powi(-(e - e / 2));
        if x > 0.0 { share.max(f64::MIN_POSITIVE) } else { 0.0 }
    }
}

/// A lower bound as that of [`Profile::meeting`], from the entries of `|op(A)||op(B)|` themselves: for rows of `op(A)` and columns of `op(B)`.
pub(super) fn meeting<M: Magnitudes>([a, b]: &[M; 2], profiles: [&Profile; 2]) -> f64 {
    const COLUMNS: usize = 512;
    let shares = |lines: &M, first: usize, count: usize| {
        let (_, k) = lines.shape();
        let mut tiny = false;
        let shares = Matrix::<f64>::from_fn(count, k, |i, place| {
            let share = lines.share(first + i, place);
            if share > 0.0 && share < TINY {
                tiny = true;
                return 0.0;
            }
            share
        });
        (shares, tiny)
    };
    let ((m, k), (n, _)) = (a.shape(), b.shape());
    let mut least = f64::INFINITY;
    for rows in (0..m).step_by(COLUMNS) {
        let (left, tiny_left) = shares(a, rows, COLUMNS.min(m - rows));
        for columns in (0..n).step_by(COLUMNS) {
            let (right, tiny_right) = shares(b, columns, COLUMNS.min(n - columns));
            let mut sums = Matrix::<f64>::zeros(left.rows(), right.rows());
            let (no, yes) = (Transpose::No, Transpose::Yes);
            let (products, to) = (Products::direct(), sums.view_mut());
            gemm(products, no, yes, 1.0, left.view(), right.view(), 0.0, to);
            for &sum in sums.as_slice() {
                if sum > 0.0 {
                    least = least.min(sum);
                } else if tiny_left || tiny_right {
                    return 0.0;
                }
            }
        }
    }
    let [left, right] = profiles;
    least * (1.0 - 1e-9) / (k as f64 * (left.reach + right.reach))
}
