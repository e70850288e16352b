//! What every backend's products of matrices have to pass.
//!
//! Results are judged by exact sums against the backend's own bound, so that a backend may sum as it likes.

mod gemm;
mod syrk;
mod trsm;

pub use gemm::gemm;
pub use syrk::syrk;
pub use trsm::trsm;

use nonius_linalg::Scalar;
use nonius_linalg::dense::Transpose;

use crate::framed::Framed;
use crate::{ExactSum, Random};

/// The factor `c(k)` in a backend's bound `|fl(AB) − AB| <= c(k)·u·(|A||B|)` for `k` terms, entrywise.
pub type Units = fn(usize) -> f64;

/// This factor covers terms of second order and the rounding of a bound itself. For all orders `n`
/// here `n·u` of `f64` is far below 1e-9.
const FIRST_ORDER: f64 = 1.0 + 1e-9;

const TRANSPOSES: [Transpose; 2] = [Transpose::No, Transpose::Yes];

/// How the entries of test matrices look.
#[derive(Clone, Copy, Debug)]
enum Data {
    /// In (−1, 1), some with gaps between limbs.
    Plain,
    /// Exponents anywhere between −40 and 40.
    Spread,
    /// Rows and columns of very different sizes.
    Graded,
    /// All positive, so that roundings add up.
    Positive,
    /// Each product comes a second time with the other sign and in another place, but for small remainders.
    Cancelling,
}

const DATA: [Data; 5] = [Data::Plain, Data::Spread, Data::Graded, Data::Positive, Data::Cancelling];

/// `A` (`m × k`) and `B` (`k × n`).
fn factors<T: Scalar>(
    data: Data,
    m: usize,
    n: usize,
    k: usize,
    random: &mut Random,
) -> (Framed<T>, Framed<T>) {
    let mut entry = |scale: i32| -> T {
        let limbs = match data {
            Data::Spread => random.spread_limbs::<4>(40),
            _ => random.limbs::<4>(),
        };
        let x = T::from_limbs(|l| limbs[l]).ldexp(scale);
        if matches!(data, Data::Positive) { x.abs() } else { x }
    };
    let grade = |i: usize| if matches!(data, Data::Graded) { 60 - 7 * (i % 17) as i32 } else { 0 };
    let mut a = Framed::from_fn(m, k, |i, l| entry(grade(i) - grade(l) / 2));
    let mut b = Framed::from_fn(k, n, |l, j| entry(grade(j) + grade(l) / 2));
    if matches!(data, Data::Cancelling) {
        // Term l and term l + k/2 cancel to a few last bits of A.
        let half = k / 2;
        let (first, second) = (a.inside(), b.inside());
        a = Framed::from_fn(m, k, |i, l| {
            if l < half || l >= 2 * half {
                first[(i, l)]
            } else {
                let remainder = first[(i, l)].ldexp(-(T::PRECISION as i32) / 2);
                -first[(i, l - half)] + remainder
            }
        });
        b = Framed::from_fn(k, n, |l, j| {
            if l < half || l >= 2 * half { second[(l, j)] } else { second[(l - half, j)] }
        });
    }
    (a, b)
}

/// As `op` finds it: the matrix or its transpose.
fn stored<T: Scalar>(x: &Framed<T>, op: Transpose) -> Framed<T> {
    match op {
        Transpose::No => x.clone(),
        Transpose::Yes => x.transposed(),
    }
}

fn number<T: Scalar>(random: &mut Random) -> T {
    let limbs = random.limbs::<4>();
    T::from_limbs(|l| limbs[l])
}

fn limbs<T: Scalar>(x: T) -> Vec<f64> {
    (0..T::LIMBS).map(|l| x.limb(l)).collect()
}

/// `Σ a·b` without rounding, and `Σ |a||b|`.
fn exact_product<T: Scalar>(terms: impl Iterator<Item = (T, T)>) -> (ExactSum, f64) {
    let (mut sum, mut size) = (ExactSum::new(), 0.0);
    for (a, b) in terms {
        sum.add_product(&limbs(a), &limbs(b));
        size += (a.to_f64() * b.to_f64()).abs();
    }
    (sum, size)
}

/// `α·sum + β·c` without rounding.
fn exact_update<T: Scalar>(alpha: T, sum: &ExactSum, beta: T, c: T) -> ExactSum {
    let mut total = ExactSum::new();
    total.add_product(sum.components(), &limbs(alpha));
    if beta != T::ZERO {
        total.add_product(&limbs(beta), &limbs(c));
    }
    total
}

/// What may be lost in `α·sum + β·c` to the operators, in units of roundoff: 2 for a product, 1 for a sum.
fn update_units<T: Scalar>(alpha: T, size: f64, beta: T, c: T) -> f64 {
    let product = alpha.to_f64().abs() * size;
    let (mut units, mut total) = (0.0, product);
    if alpha != T::ONE {
        units += 2.0 * product;
    }
    if beta != T::ZERO {
        let old = (beta * c).to_f64().abs();
        units += if beta == T::ONE { 0.0 } else { 2.0 * old };
        total += old;
        units += total;
    }
    units
}

/// Panics unless `found` is within `units` units of roundoff of the exact value.
fn assert_close<T: Scalar>(found: T, exact: &ExactSum, units: f64, what: &dyn Fn() -> String) {
    let allowed = units * T::UNIT_ROUNDOFF * FIRST_ORDER;
    let error = exact.distance(&limbs(found));
    assert!(error <= allowed, "{} {}: off by {error:e}, allowed {allowed:e}", T::NAME, what());
}

/// Entries to judge: all of a small matrix, some of a large one, corners included.
fn samples(rows: usize, cols: usize, random: &mut Random) -> Vec<(usize, usize)> {
    const MANY: usize = 24;
    if rows * cols <= MANY {
        return (0..cols).flat_map(|j| (0..rows).map(move |i| (i, j))).collect();
    }
    let mut places = vec![(0, 0), (rows - 1, 0), (0, cols - 1), (rows - 1, cols - 1)];
    places.extend((4..MANY).map(|_| (random.below(rows), random.below(cols))));
    places
}
