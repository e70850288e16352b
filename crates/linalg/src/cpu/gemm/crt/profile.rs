//! What the error bound needs to know of the operands.

use std::borrow::Cow;

use nonius_num::{Element, Lane};

use super::converted::Converted;
use crate::cpu::gemm::direct;
use crate::cpu::gemm::operand::{Factors, Operand, Part};
use crate::cpu::limbs::limbs_of;
use crate::cpu::simd::{Kernel, dispatch};
use crate::dense::Transpose;
use crate::dense::gemm::Arithmetic;
use crate::dense::gemm::crt::Profile;
use crate::scalar::exponent;
use crate::threads::{Grain, join, map};
use crate::{Matrix, Scalar};

/// Lines that are looked at together: those of common orders stay in the second-level cache for a
/// second look.
const LINES: usize = 32;

/// The profile of the rows of an operand.
pub(super) fn profile<T: Scalar>(a: Operand<'_, T>) -> Profile {
    let (lines, _) = a.shape();
    let of_chunks = map(lines.div_ceil(LINES), Grain::ANY, |chunk| {
        let first = chunk * LINES;
        dispatch(Lines { a, first, count: LINES.min(lines - first) })
    });
    of_chunks.into_iter().fold(Profile::empty(), Profile::joined)
}

/// The profiles of the lines of both operands.
pub(in crate::cpu::gemm) struct Profiles<'a> {
    left: Cow<'a, Profile>,
    /// `None` where the lines are those of the left operand.
    right: Option<Cow<'a, Profile>>,
}

impl<'a> Profiles<'a> {
    /// Of the rows of `op(A)` and the columns of `op(B)`, by `profile` where they are not
    /// converted.
    pub(in crate::cpu::gemm) fn new<T: Element>(
        [rows, columns]: [Operand<'_, T>; 2],
        [left, right]: [Option<&'a Converted>; 2],
        profile: impl Fn(Operand<'_, T>) -> Profile + Sync,
    ) -> Self {
        let of = |lines, converted: Option<&'a Converted>| match converted {
            Some(converted) => Cow::Borrowed(&converted.profile),
            None => Cow::Owned(profile(lines)),
        };
        if columns.begins(rows) && rows.shape() == columns.shape() {
            return Self { left: of(rows, left), right: None };
        }
        let (left, right) = join(|| of(rows, left), || of(columns, right));
        Self { left, right: Some(right) }
    }

    /// That of the left operand, and that of the right one.
    pub(in crate::cpu::gemm) fn both(&self) -> [&Profile; 2] {
        [&self.left, self.right.as_ref().unwrap_or(&self.left)]
    }
}

/// Some lines of an operand.
struct Lines<'a, T: Element> {
    a: Operand<'a, T>,
    first: usize,
    count: usize,
}

impl<T: Scalar> Kernel for Lines<'_, T> {
    type Output = Profile;

    #[inline(always)]
    fn run<L: Lane>(self) -> Profile {
        match T::LIMBS {
            1 => self.profile::<1, L>(),
            2 => self.profile::<2, L>(),
            3 => self.profile::<3, L>(),
            _ => self.profile::<4, L>(),
        }
    }
}

/// A register for each of some lines, or for as many lines as it has lanes: a *slot*.
type Slots<L> = [L; LINES];

/// What is done with magnitudes. No closure, which would lack the registers' instructions.
trait Pass<L> {
    fn take(&mut self, slot: usize, x: L);
}

struct Largest<L> {
    largest: Slots<L>,
    /// Not finite where an entry is not; else zero.
    sums: Slots<L>,
}

impl<L: Lane> Pass<L> for Largest<L> {
    #[inline(always)]
    fn take(&mut self, slot: usize, x: L) {
        let (largest, sum) = (&mut self.largest[slot], &mut self.sums[slot]);
        *largest = L::select(L::less(*largest, x), x, *largest);
        *sum = *sum + x * L::splat(0.0);
    }
}

struct Counts<L> {
    /// Two, because one may be beyond the range of f64.
    powers: [Slots<L>; 2],
    thresholds: [Slots<L>; Profile::LEVELS.len()],
    sums: Slots<L>,
    /// Entries that are not below the thresholds.
    counts: [Slots<L>; Profile::LEVELS.len()],
}

impl<L: Lane> Pass<L> for Counts<L> {
    #[inline(always)]
    fn take(&mut self, slot: usize, x: L) {
        /// A sum with it is rounded to an integer.
        const ANCHOR: f64 = 4_503_599_627_370_496.0; // 2^52
        let anchor = L::splat(ANCHOR);
        let rounded = (x * self.powers[0][slot] * self.powers[1][slot] + anchor) - anchor;
        self.sums[slot] = self.sums[slot] + rounded;
        for (counts, thresholds) in self.counts.iter_mut().zip(&self.thresholds) {
            let below = L::less(x, thresholds[slot]);
            counts[slot] = counts[slot] + L::select(below, L::splat(0.0), L::splat(1.0));
        }
    }
}

impl<T: Scalar> Lines<'_, T> {
    #[inline(always)]
    fn profile<const N: usize, L: Lane>(self) -> Profile {
        let zero = L::splat(0.0);
        let mut pass = Largest { largest: [zero; LINES], sums: [zero; LINES] };
        self.visit::<N, L>(&mut pass);
        let Largest { largest, sums } = pass;
        let mut profile = Profile::empty();
        profile.finite = sums.iter().all(|sum| sum.all_finite());
        let mut thresholds = [[0.0; LINES]; Profile::LEVELS.len()];
        let mut powers = [[0.0; LINES]; 2];
        for line in 0..self.count {
            let e = exponent(self.of_line(&largest, line, f64::max)).map_or(0, |e| e + 1);
            profile.exponents.push(e);
            let shift = Profile::NORM_BITS - e;
            (powers[0][line], powers[1][line]) = (power(shift / 2), power(shift - shift / 2));
            for (thresholds, g) in thresholds.iter_mut().zip(Profile::LEVELS) {
                // In two steps, because one may be beyond the range of f64.
                let e = (e - g).max(-1074);
                thresholds[line] = power(e / 2) * power(e - e / 2);
            }
        }
        if !profile.finite {
            return profile;
        }
        let mut pass = Counts {
            powers: powers.map(|powers| self.slots::<L>(&powers)),
            thresholds: thresholds.map(|thresholds| self.slots::<L>(&thresholds)),
            sums,
            counts: [[zero; LINES]; Profile::LEVELS.len()],
        };
        self.visit::<N, L>(&mut pass);
        let Counts { sums, counts, .. } = pass;
        let add = |x: f64, y: f64| x + y;
        for line in 0..self.count {
            if self.of_line(&largest, line, f64::max) > 0.0 {
                let counts = [0, 1, 2, 3, 4, 5, 6, 7].map(|g| self.of_line(&counts[g], line, add));
                profile.join_line(self.a.inner(), self.of_line(&sums, line, add), counts);
            }
        }
        profile
    }

    /// Shows the magnitudes of the first limbs of all entries, and some zeros.
    #[inline(always)]
    fn visit<const N: usize, L: Lane>(&self, pass: &mut impl Pass<L>) {
        let (runs, yes) = match self.a.transpose {
            Transpose::No => (self.a.inner(), false),
            Transpose::Yes => (self.count, true),
        };
        for run in 0..runs {
            // Successive pieces of a run belong to successive slots, or all to one.
            let (numbers, mut slot, step) = if yes {
                (self.a.matrix.col(self.first + run), run, 0)
            } else {
                (&self.a.matrix.col(run)[self.first..self.first + self.count], 0, 1)
            };
            let mut pieces = limbs_of(numbers).chunks_exact(N * L::LANES);
            for piece in &mut pieces {
                pass.take(slot, L::load_limbs::<N>(piece)[0].abs());
                slot += step;
            }
            let rest = pieces.remainder();
            if !rest.is_empty() {
                let mut last = [0.0; 32];
                last[..rest.len()].copy_from_slice(rest);
                pass.take(slot, L::load_limbs::<N>(&last)[0].abs());
            }
        }
    }

    /// Each line's number in the slots and lanes of that line.
    #[inline(always)]
    fn slots<L: Lane>(&self, lines: &[f64; LINES]) -> Slots<L> {
        core::array::from_fn(|slot| match self.a.transpose {
            Transpose::No => L::load(&lines[slot * L::LANES % LINES..]),
            Transpose::Yes => L::splat(lines[slot]),
        })
    }

    /// What the lanes of a line come to.
    #[inline(always)]
    fn of_line<L: Lane>(&self, slots: &Slots<L>, line: usize, f: fn(f64, f64) -> f64) -> f64 {
        match self.a.transpose {
            Transpose::No => slots[line / L::LANES].lane(line % L::LANES),
            Transpose::Yes => (0..L::LANES).map(|i| slots[line].lane(i)).fold(0.0, f),
        }
    }
}

/// `2^e`, for `e` from −1022 to 1023.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// Entries beside the largest of their lines.
pub(in crate::cpu::gemm) trait Magnitudes: Sync {
    /// Number of lines, and of places in each.
    fn shape(&self) -> (usize, usize);

    /// `|x|·2^(−e)` in `f64`, for the entry of a line with exponent `e`; with less than
    /// [`LEAST_SHARE`] where that is below the range of `f64`, zero for zeros alone.
    fn share(&self, line: usize, place: usize) -> f64;
}

/// Below this, products of shares may underflow to zero.
pub(in crate::cpu::gemm) const LEAST_SHARE: f64 = 1e-150;

/// The lines of an operand of limbs.
pub(super) struct Limbs<'a, T: Element> {
    operand: Operand<'a, T>,
    exponents: &'a [i32],
}

impl<'a, T: Scalar> Limbs<'a, T> {
    pub(super) fn new(operand: Operand<'a, T>, exponents: &'a [i32]) -> Self {
        Self { operand, exponents }
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

/// The least entry other than zero of `|op(A)||op(B)|`, whose lines are divided by `2^e`; zero
/// where one may be below the range of `f64`, infinite where there is none.
pub(super) fn least_sum<M: Magnitudes>([a, b]: &[M; 2]) -> f64 {
    const COLUMNS: usize = 512;
    let shares = |lines: &M, first: usize, count: usize| {
        let (_, k) = lines.shape();
        let mut tiny = false;
        let shares = Matrix::<f64>::from_fn(count, k, |i, place| {
            let share = lines.share(first + i, place);
            if share > 0.0 && share < LEAST_SHARE {
                tiny = true;
                return 0.0;
            }
            share
        });
        (shares, tiny)
    };
    let ((m, _), (n, _)) = (a.shape(), b.shape());
    let mut least = f64::INFINITY;
    for rows in (0..m).step_by(COLUMNS) {
        let (left, tiny_left) = shares(a, rows, COLUMNS.min(m - rows));
        for columns in (0..n).step_by(COLUMNS) {
            let (right, tiny_right) = shares(b, columns, COLUMNS.min(n - columns));
            let mut sums = Matrix::<f64>::zeros(left.rows(), right.rows());
            let (no, yes) = (Transpose::No, Transpose::Yes);
            let (x, y) = (Operand::new(no, left.view()), Operand::new(yes, right.view()));
            let factors = Factors { alpha: 1.0, beta: 0.0 };
            direct::multiply(Arithmetic::Delayed, x, y, factors, Part::All, sums.view_mut());
            for &sum in sums.as_slice() {
                if sum > 0.0 {
                    least = least.min(sum);
                } else if tiny_left || tiny_right {
                    return 0.0;
                }
            }
        }
    }
    least
}
