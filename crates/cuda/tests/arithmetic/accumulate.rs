//! The long sums of matrix products.

use nonius_linalg::Scalar;
use nonius_linalg::accumulate::normalized::{Cray, Ieee, IeeeSloppy, Sloppy};
use nonius_linalg::accumulate::{Accumulator, Sum};

use crate::library::Functions;

/// Sums over runs of the operands.
pub(crate) fn sums<T: Scalar>(library: &Functions, operands: &[Vec<T>; 3]) {
    match T::LIMBS {
        1 => all::<1, T>(library, operands),
        2 => {
            all::<2, T>(library, operands);
            normalized::<2, T, IeeeSloppy<f64>>(library, "ieee_sloppy_sum", operands);
            normalized::<2, T, Cray<f64>>(library, "cray_sum", operands);
            normalized::<2, T, Sloppy<f64>>(library, "sloppy_sum", operands);
        }
        3 => all::<3, T>(library, operands),
        _ => all::<4, T>(library, operands),
    }
}

fn all<const N: usize, T: Scalar>(library: &Functions, operands: &[Vec<T>; 3]) {
    run::<N, T>(library, operands);
    normalized::<N, T, Ieee<N, f64>>(library, "ieee_sum", operands);
}

/// Steps of a run: long enough for carries, short enough that a sum that is not finite does not
/// spoil the rest.
const RUN: usize = 37;

fn run<const N: usize, T: Scalar>(library: &Functions, [x, y, z]: &[Vec<T>; 3]) {
    let limbs = |x: T| -> [f64; N] { core::array::from_fn(|limb| x.limb(limb)) };
    for ((x, y), z) in x.chunks(RUN).zip(y.chunks(RUN)).zip(z.chunks(RUN)) {
        let mut sum = Accumulator::<N, f64>::new();
        let mut step = 0;
        library.check("accumulate", &[x.to_vec(), y.to_vec(), z.to_vec()], |[a, b, c]| {
            if step % 4 == 3 {
                sum.add(limbs(c));
            } else if step % 4 == 2 {
                sum.add_scaled(a.limb(0), limbs(b));
            } else {
                sum.add_product(limbs(a), limbs(b));
            }
            step += 1;
            if step % Accumulator::<N, f64>::PERIOD == 0 {
                sum.carry();
            }
            let limbs = if step == x.len() { sum.normalized() } else { sum.limbs() };
            T::from_limbs(|limb| limbs[limb])
        });
    }
}

/// The sums that normalise every term, after each.
fn normalized<const N: usize, T: Scalar, S: Sum<N, f64>>(
    library: &Functions,
    name: &str,
    [x, y, z]: &[Vec<T>; 3],
) {
    let limbs = |x: T| -> [f64; N] { core::array::from_fn(|limb| x.limb(limb)) };
    for ((x, y), z) in x.chunks(RUN).zip(y.chunks(RUN)).zip(z.chunks(RUN)) {
        let mut sum = S::new();
        library.check(name, &[x.to_vec(), y.to_vec(), z.to_vec()], |[a, b, _]| {
            sum.add_product(limbs(a), limbs(b));
            let limbs = sum.normalized();
            T::from_limbs(|limb| limbs[limb])
        });
    }
}
