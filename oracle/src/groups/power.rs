//! Powers and roots.

use std::cell::RefCell;

use rug::Float;
use rug::ops::Pow;

use crate::value::exact;
use crate::{Bound, Domain, Oracle};

/// Pairs `(x, y)` where `x^y` is of the size of everything: `x` near 1 and large `y` among them.
pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let one = || Domain::all().around([[1.0, 0.0, 0.0, 0.0]]);
    let two = Bound::ulps(2.0);
    let pow = |p: u32, x: &Float, y: &Float| Float::with_val(p, x.pow(y));
    o.binary("pow", [one(), Domain::all()], two, |x, y| x.pow(y), pow);
    o.binary(
        "pow moderate",
        [Domain::exponents(-10, 10), Domain::exponents(-10, 7)],
        two,
        |x, y| x.pow(y),
        pow,
    );
    // The quotient by ln x makes y·ln x anything up to the limits; the reference sees the same
    // quotient.
    let quotient = RefCell::new(Float::new(64));
    o.binary(
        "pow to the limits",
        [one().positive(), Domain::exponents(-3, 9)],
        two,
        |x, y| {
            let z = y / x.ln();
            let y = if z.is_finite() { z } else { y };
            quotient.replace(exact(y));
            x.pow(y)
        },
        |p, x, _| Float::with_val(p, x.pow(&*quotient.borrow())),
    );
    let exponents = [i32::MIN, -1023, -511, -100, -5, -3, -2, -1, 0, 1];
    let more = [2, 3, 5, 10, 31, 100, 511, 512, 1000, 100_001, i32::MAX];
    for n in exponents.into_iter().chain(more) {
        o.unary(
            &format!("powi {n}"),
            Domain::all().around([[1.0, 0.0, 0.0, 0.0]]),
            two,
            |x| x.powi(n),
            |p, x| Float::with_val(p, x.pow(n)),
        );
    }
    unary! { o:
        cbrt cbrt_ref Bound::ulps(1.0), Domain::all();
    }
    let reference = |p, x: &Float, y: &Float| Float::with_val(p, x.hypot_ref(y));
    let all = [Domain::all(), Domain::all()];
    o.binary("hypot", all, Bound::ulps(4.0), |x, y| x.hypot(y), reference);
    let near = [Domain::exponents(-3, 3), Domain::exponents(-3, 3)];
    o.binary("hypot moderate", near, Bound::ulps(4.0), |x, y| x.hypot(y), reference);
}
