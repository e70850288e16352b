//! The innermost loop: a small rectangle of sums kept in registers.

use nonius_num::Lane;

use crate::accumulate::Sum;

/// The sums of `MR` registers of rows times `NR` columns of `C`.
pub(super) type Sums<S, const MR: usize, const NR: usize> = [[S; MR]; NR];

/// Steps of `k` between carries; blocks of `k` are multiples of it, which makes results independent
/// of them.
pub(super) const fn period<const N: usize, L: Lane, S: Sum<N, L>>() -> usize {
    // Where there are no carries any number will do.
    if carries::<N, L, S>() { S::PERIOD } else { 16 }
}

const fn carries<const N: usize, L: Lane, S: Sum<N, L>>() -> bool {
    S::PERIOD != usize::MAX
}

/// Adds the product of two packed panels.
///
/// `a` holds for each `k` the limbs of `MR` registers of rows: all first limbs, all second limbs,
/// …; `b` for each `k` the limbs of `NR` numbers, number after number.
///
/// The sums travel by value, so that the compiler keeps them in registers.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "loops over indices are unrolled, which registers need"
)]
pub(super) fn add_panels<
    const N: usize,
    L: Lane,
    S: Sum<N, L>,
    const MR: usize,
    const NR: usize,
>(
    a: &[f64],
    b: &[f64],
    mut sums: Sums<S, MR, NR>,
) -> Sums<S, MR, NR> {
    let (a_step, b_step) = (N * MR * L::LANES, N * NR);
    let period = period::<N, L, S>();
    let (a_period, b_period) = (a_step * period, b_step * period);
    for (a, b) in a.chunks(a_period).zip(b.chunks(b_period)) {
        let whole = a.len() == a_period;
        for (a, b) in a.chunks_exact(a_step).zip(b.chunks_exact(b_step)) {
            let rows: [[L; N]; MR] = core::array::from_fn(|r| {
                core::array::from_fn(|l| L::load(&a[(l * MR + r) * L::LANES..]))
            });
            for j in 0..NR {
                let x = core::array::from_fn(|l| L::splat(b[j * N + l]));
                for r in 0..MR {
                    sums[j][r].add_product(rows[r], x);
                }
            }
        }
        if whole && carries::<N, L, S>() {
            for j in 0..NR {
                for r in 0..MR {
                    sums[j][r].carry();
                }
            }
        }
    }
    sums
}
