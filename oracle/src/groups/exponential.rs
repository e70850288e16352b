//! Exponentials.

use rug::Float;
use rug::float::Constant;

use crate::value::nearest;
use crate::{Bound, Domain, Oracle};

/// Multiples of ln 2 and of ln 2/8192, where the parts of the argument change, and the ends of the
/// range.
fn steps() -> Vec<[f64; 4]> {
    let ln_2 = Float::with_val(500, Constant::Log2);
    let mut points =
        vec![[709.0, 0.782, 0.0, 0.0], [-708.0, 0.0, 0.0, 0.0], [-600.0, 0.0, 0.0, 0.0]];
    for k in [1, -1, 2, 3, 63, 64, 65, -4095, 8192, -8192, 3 * 8192, -700 * 8192, 1000 * 8192] {
        points.push(nearest::<4>(&(Float::with_val(500, &ln_2 * k) / 8192)).limbs());
    }
    points
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let all = || Domain::exponents(-1074, 10).around(steps());
    let binary =
        [1.0, 1023.9, -1000.0, 1.0 / 8192.0, 3.0 / 8192.0, -0.5].map(|x| [x, 0.0, 0.0, 0.0]);
    unary! { o:
        exp exp_ref Bound::ulps(2.0), all();
        exp2 exp2_ref Bound::ulps(2.0), Domain::exponents(-1074, 10).around(binary);
        exp_m1 exp_m1_ref Bound::ulps(4.0), all();
    }
}
