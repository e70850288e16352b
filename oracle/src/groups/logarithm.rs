//! Logarithms.

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let point = |x: f64| [x, 0.0, 0.0, 0.0];
    // Where the tables' first entries that are not 1 begin, and where the exponent changes.
    let entries = [1.0 + 1.0 / 256.0, 1.0 - 1.0 / 256.0, 1.0 + 1.0 / 16384.0, 1.0 - 1.0 / 16384.0];
    let positive = || Domain::all().positive().around(entries.map(point));
    let one = || Domain::all().around([1.0, 2_f64.sqrt(), 0.5_f64.sqrt(), 1024.0].map(point));
    let minus_one = || Domain::all().around([-1.0, 1.0 / 256.0, -1.0 / 16384.0].map(point));
    let bound = Bound::ulps(1.0);
    unary! { o:
        ln ln_ref bound, one();
        log2 log2_ref bound, one();
        log10 log10_ref bound, one();
        ln_1p ln_1p_ref bound, minus_one();
    }
    o.unary("ln near 1", positive(), bound, |x| x.ln(), |p, x| rug::Float::with_val(p, x.ln_ref()));
}
