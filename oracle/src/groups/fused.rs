//! `a·b + c` with one rounding.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    // 9 000 bits hold the sum of any product and any third number.
    let exact = |a: &Float, b: &Float, c: &Float| Float::with_val(9_000, a.mul_add_ref(b, c));
    o.ternary(
        "mul_add",
        [Domain::all(), Domain::all(), Domain::all()],
        Bound::nearest(),
        |a, b, c| a.mul_add(b, c),
        |_, a, b, c| exact(a, b, c),
    );
    let middle = || Domain::exponents(-300, 300);
    o.ternary(
        "mul_add (moderate)",
        [middle(), middle(), middle()],
        Bound::nearest(),
        |a, b, c| a.mul_add(b, c),
        |_, a, b, c| exact(a, b, c),
    );
}
