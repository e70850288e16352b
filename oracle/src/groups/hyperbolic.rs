//! Hyperbolic functions and their inverses.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let all =
        || Domain::exponents(-1074, 9).around([[709.0, 1.78, 0.0, 0.0], [300.0, 0.0, 0.0, 0.0]]);
    o.unary("sinh", all(), Bound::ulps(4.0), |x| x.sinh(), |p, x| Float::with_val(p, x.sinh_ref()));
    o.unary("cosh", all(), Bound::ulps(4.0), |x| x.cosh(), |p, x| Float::with_val(p, x.cosh_ref()));
    o.unary("tanh", all(), Bound::ulps(4.0), |x| x.tanh(), |p, x| Float::with_val(p, x.tanh_ref()));
    let all = || Domain::all().around([[1.0, 0.0, 0.0, 0.0]]);
    o.unary(
        "asinh",
        all(),
        Bound::ulps(4.0),
        |x| x.asinh(),
        |p, x| Float::with_val(p, x.asinh_ref()),
    );
    o.unary(
        "acosh",
        all(),
        Bound::ulps(4.0),
        |x| x.acosh(),
        |p, x| Float::with_val(p, x.acosh_ref()),
    );
    o.unary(
        "atanh",
        Domain::exponents(-1074, 0).around([[1.0, 0.0, 0.0, 0.0]]),
        Bound::ulps(4.0),
        |x| x.atanh(),
        |p, x| Float::with_val(p, x.atanh_ref()),
    );
}
