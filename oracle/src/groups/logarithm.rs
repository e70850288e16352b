//! Logarithms.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let domain = || {
        Domain::all().around([
            [1.0, 0.0, 0.0, 0.0],
            [1.4, 0.0, 0.0, 0.0],
            [1.0 + 1.0 / 8192.0, 0.0, 0.0, 0.0],
        ])
    };
    o.unary("ln", domain(), Bound::ulps(1.0), |x| x.ln(), |p, x| Float::with_val(p, x.ln_ref()));
    o.unary(
        "log2",
        domain(),
        Bound::ulps(1.0),
        |x| x.log2(),
        |p, x| Float::with_val(p, x.log2_ref()),
    );
    o.unary(
        "log10",
        domain(),
        Bound::ulps(1.0),
        |x| x.log10(),
        |p, x| Float::with_val(p, x.log10_ref()),
    );
    o.unary(
        "ln_1p",
        Domain::all().around([[-1.0, 0.0, 0.0, 0.0]]),
        Bound::ulps(1.0),
        |x| x.ln_1p(),
        |p, x| Float::with_val(p, x.ln_1p_ref()),
    );
}
