//! Hyperbolic functions and their inverses.

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let point = |x: f64| [x, 0.0, 0.0, 0.0];
    let finite =
        || Domain::exponents(-1074, 9).around([710.0, -710.0, 300.0, 80.0, 0.35].map(point));
    let one = || Domain::all().around([1.0, -1.0].map(point));
    let fraction = || Domain::exponents(-1074, 0).around([1.0, -1.0].map(point));
    let four = Bound::ulps(4.0);
    unary! { o:
        sinh sinh_ref four, finite();
        cosh cosh_ref four, finite();
        tanh tanh_ref four, finite();
        asinh asinh_ref four, one();
        acosh acosh_ref four, one().positive();
        atanh atanh_ref four, fraction();
    }
}
