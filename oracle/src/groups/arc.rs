//! Inverse trigonometric functions.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let point = |x: f64| [x, 0.0, 0.0, 0.0];
    let one = || Domain::exponents(-1074, 1).around([1.0, -1.0, 0.5, 1.0 / 256.0].map(point));
    // Between table entries, where the argument of the series is largest.
    let all =
        || Domain::all().around([1.0, 1.0 / 256.0, 3.0 / 256.0, 0.5, 255.0 / 256.0].map(point));
    let four = Bound::ulps(4.0);
    unary! { o:
        asin asin_ref four, one();
        acos acos_ref four, one();
        atan atan_ref four, all();
    }
    let reference = |p, y: &Float, x: &Float| Float::with_val(p, y.atan2_ref(x));
    o.binary("atan2", [all(), all()], four, |y, x| y.atan2(x), reference);
    let near = || Domain::exponents(-3, 3);
    o.binary("atan2 moderate", [near(), near()], four, |y, x| y.atan2(x), reference);
}
