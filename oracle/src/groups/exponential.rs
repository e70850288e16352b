//! Exponentials.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let ends = || Domain::exponents(-230, 10).around([[709.0, 0.78, 0.0, 0.0]]);
    o.unary("exp", ends(), Bound::ulps(1.0), |x| x.exp(), |p, x| Float::with_val(p, x.exp_ref()));
    o.unary(
        "exp2",
        ends(),
        Bound::ulps(1.0),
        |x| x.exp2(),
        |p, x| Float::with_val(p, x.exp2_ref()),
    );
    o.unary(
        "exp_m1",
        Domain::exponents(-1074, 10),
        Bound::ulps(3.0),
        |x| x.exp_m1(),
        |p, x| Float::with_val(p, x.exp_m1_ref()),
    );
}
