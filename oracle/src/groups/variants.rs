//! The named double-double algorithms.

use nonius_num::Dd;
use nonius_num::multifloat::variants::{add_cray, add_ieee, mul_accurate, mul_sloppy};
use rug::Float;

use crate::bound::Deviation;
use crate::value::{exact, exact_sum};
use crate::{Bound, Domain, Oracle};

/// `u = 2^-53`.
const U: f64 = f64::EPSILON / 2.0;

/// The error of `z` as an estimate of `right`, relative to `scale`, judged against `bound`.
fn judge(z: Dd, right: &Float, scale: &Float, bound: f64) -> Result<Deviation, String> {
    let z_exact = exact_sum(&z.limbs());
    let error = Float::with_val(4_500, &z_exact - right).abs();
    let relative = if error.is_zero() { 0.0 } else { Float::with_val(64, error / scale).to_f64() };
    if relative <= bound {
        Ok(Deviation { ulps: relative * 103_f64.exp2(), of_bound: relative / bound, tiny: 0.0 })
    } else {
        Err(format!("gives {:?}: {:.3} u²", z.limbs(), relative / (U * U)))
    }
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    if N != 2 {
        return;
    }
    let both = || {
        let middle = Domain::exponents(-400, 400).without_specials();
        [middle.clone(), middle]
    };
    let sum = Bound::relative(3.0 * U * U + 13.0 * U * U * U);
    let product = Bound::relative(5.0 * U * U);
    let dd = |x: nonius_num::MultiFloat<N>| x.convert::<2>();
    o.binary(
        "add_ieee",
        both(),
        sum,
        |x, y| add_ieee(dd(x), dd(y)).convert(),
        |p, x, y| Float::with_val(p, x + y),
    );
    o.binary(
        "mul_accurate",
        both(),
        product,
        |x, y| mul_accurate(dd(x), dd(y)).convert(),
        |p, x, y| Float::with_val(p, x * y),
    );
    o.judged("add_cray", "of sizes", both(), |x, y| {
        let (a, b) = (exact(x), exact(y));
        let scale = Float::with_val(200, a.clone().abs() + b.clone().abs());
        let right = Float::with_val(4_500, &a + &b);
        judge(add_cray(dd(x), dd(y)), &right, &scale, 3.0 * U * U + 7.0 * U * U * U)
    });
    o.judged("mul_sloppy", "2.250", both(), |x, y| {
        let right = Float::with_val(4_500, &exact(x) * &exact(y));
        let scale = right.clone().abs();
        judge(mul_sloppy(dd(x), dd(y)), &right, &scale, 9.0 * U * U + 50.0 * U * U * U)
    });
}
