//! Rounding to integers.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let (all, nearest) = (Domain::all, Bound::nearest());
    // Integers and halves are met most often below 2^(53·N).
    let small = || Domain::exponents(-60, 53 * N as i32 + 4);
    for (suffix, domain) in [("", all()), (" (small)", small())] {
        let name = |name: &str| format!("{name}{suffix}");
        let d = || domain.clone();
        let with =
            |p: u32, x: &Float, f: fn(Float) -> Float| f(Float::with_val(p.max(x.prec()), x));
        o.unary(&name("floor"), d(), nearest, |x| x.floor(), |p, x| with(p, x, Float::floor));
        o.unary(&name("ceil"), d(), nearest, |x| x.ceil(), |p, x| with(p, x, Float::ceil));
        o.unary(&name("trunc"), d(), nearest, |x| x.trunc(), |p, x| with(p, x, Float::trunc));
        o.unary(&name("round"), d(), nearest, |x| x.round(), |p, x| with(p, x, Float::round));
        o.unary(
            &name("round_ties_even"),
            d(),
            nearest,
            |x| x.round_ties_even(),
            |p, x| with(p, x, Float::round_even),
        );
        o.unary(
            &name("fract"),
            d(),
            nearest,
            |x| x.fract(),
            |p, x| {
                if x.is_infinite() {
                    return Float::with_val(64, f64::NAN);
                }
                // An exact zero is +0, as with f64.
                Float::with_val(p, x - with(p, x, Float::trunc))
            },
        );
        o.property(&name("is_integer"), d(), |x| {
            let right = crate::value::exact(x).is_integer();
            if x.is_integer() == right { Ok(()) } else { Err(format!("should be {right}")) }
        });
    }
}
