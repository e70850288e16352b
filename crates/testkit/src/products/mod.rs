//! What every backend's products of matrices have to pass.
//!
//! Results are judged by exact sums against the backend's own bound, so that a backend may sum as
//! it likes.

mod gemm;
mod syrk;
mod trsm;

pub use gemm::gemm;
pub use syrk::syrk;
pub use trsm::trsm;

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::Transpose;
use nonius_num::Mp;

use crate::framed::Framed;
use crate::{Random, Sample, affordable, spread};

/// The factor `c(k)` in a backend's bound `|fl(AB) − AB| <= c(k)·u·(|A||B|)` for `k` terms,
/// entrywise.
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
    /// Each product comes a second time with the other sign and in another place, but for small
    /// remainders.
    Cancelling,
}

const DATA: [Data; 5] = [Data::Plain, Data::Spread, Data::Graded, Data::Positive, Data::Cancelling];

/// `A` (`m × k`) and `B` (`k × n`).
fn factors<T: Sample>(
    format: T::Format,
    data: Data,
    [m, n, k]: [usize; 3],
    random: &mut Random,
) -> (Framed<T>, Framed<T>) {
    let mut entry = |scale: i32| -> T {
        let x: T = match data {
            Data::Spread => spread(format, 40, random),
            _ => T::random(format, random),
        };
        let x = x.ldexp(scale);
        if matches!(data, Data::Positive) { x.abs() } else { x }
    };
    let grade = |i: usize| if matches!(data, Data::Graded) { 60 - 7 * (i % 17) as i32 } else { 0 };
    let mut a = Framed::from_fn_in(format, m, k, |i, l| entry(grade(i) - grade(l) / 2));
    let mut b = Framed::from_fn_in(format, k, n, |l, j| entry(grade(j) + grade(l) / 2));
    if matches!(data, Data::Cancelling) {
        // Term l and term l + k/2 cancel to a few last bits of A.
        let half = k / 2;
        let precision = T::precision(format).bits() as i32;
        let (first, second) = (a.inside(), b.inside());
        a = Framed::from_fn_in(format, m, k, |i, l| {
            if l < half || l >= 2 * half {
                first.at(i, l)
            } else {
                -first.at(i, l - half) + first.at(i, l).ldexp(-precision / 2)
            }
        });
        b = Framed::from_fn_in(format, k, n, |l, j| {
            if l < half || l >= 2 * half { second.at(l, j) } else { second.at(l - half, j) }
        });
    }
    (a, b)
}

/// As `op` finds it: the matrix or its transpose.
fn stored<T: Sample>(x: &Framed<T>, op: Transpose) -> Framed<T> {
    match op {
        Transpose::No => x.clone(),
        Transpose::Yes => x.transposed(),
    }
}

/// `Σ a·b` with so many more bits that it is as good as exact, and `Σ |a||b|`.
fn exact_product<T: Sample>(
    format: T::Format,
    terms: impl Iterator<Item = (T, T)>,
) -> (Mp, Reading) {
    let wide = T::wide(format);
    terms.fold((Mp::zero(wide), Reading::ZERO), |(sum, size), (a, b)| {
        (sum + a.in_bits(wide) * b.in_bits(wide), size + a.magnitude() * b.magnitude())
    })
}

/// `α·sum + β·c` as good as exact.
fn exact_update<T: Sample>(format: T::Format, alpha: T, sum: Mp, beta: T, c: T) -> Mp {
    let wide = T::wide(format);
    let product = alpha.in_bits(wide) * sum;
    if beta == T::ZERO { product } else { product + beta.in_bits(wide) * c.in_bits(wide) }
}

/// What may be lost in `α·sum + β·c` to the operators, in units of roundoff: 2 for a product, 1 for
/// a sum.
fn update_units<T: Sample>(alpha: T, size: Reading, beta: T, c: T) -> Reading {
    let two = Reading::of(2.0);
    let product = alpha.magnitude() * size;
    let (mut units, mut total) = (Reading::ZERO, product);
    if alpha != T::ONE {
        units += two * product;
    }
    if beta != T::ZERO {
        let old = beta.magnitude() * c.magnitude();
        units += if beta == T::ONE { Reading::ZERO } else { two * old };
        total += old;
        units += total;
    }
    units
}

/// Panics unless `found` is within `units` units of roundoff of the exact value.
fn assert_close<T: Sample>(
    format: T::Format,
    found: T,
    exact: Mp,
    units: Reading,
    what: &dyn Fn() -> String,
) {
    let allowed = units * T::units(format, FIRST_ORDER);
    let error = (found.in_bits(T::wide(format)) - exact).magnitude();
    assert!(
        error <= allowed,
        "{} {}: off by {error:e}, allowed {allowed:e}",
        T::name(format),
        what()
    );
}

/// Whether a suite has time for a product of this shape in every variation.
fn affordable_often<T: Sample>(format: T::Format, [m, n, k]: [usize; 3]) -> bool {
    affordable::<T>(format, 4 * m * n * k)
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
