//! Inverse trigonometric functions.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let one = || {
        Domain::exponents(-1074, 1).around([
            [1.0, 0.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0, 0.0],
        ])
    };
    o.unary("asin", one(), Bound::ulps(4.0), |x| x.asin(), |p, x| Float::with_val(p, x.asin_ref()));
    o.unary("acos", one(), Bound::ulps(4.0), |x| x.acos(), |p, x| Float::with_val(p, x.acos_ref()));
    let near = || Domain::all().around([[1.0, 0.0, 0.0, 0.0], [1.0 / 256.0, 0.0, 0.0, 0.0]]);
    o.unary(
        "atan",
        near(),
        Bound::ulps(2.0),
        |x| x.atan(),
        |p, x| Float::with_val(p, x.atan_ref()),
    );
    o.binary(
        "atan2",
        [near(), near()],
        Bound::ulps(2.0),
        |y, x| y.atan2(x),
        |p, y, x| Float::with_val(p, y.atan2_ref(x)),
    );
}
