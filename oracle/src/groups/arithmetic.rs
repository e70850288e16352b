//! `+ − × ÷ √`.

use rug::Float;

use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let all = || [Domain::all(), Domain::all()];
    let sum = Bound::power::<N>([-105, -156, -208]);
    o.binary("add", all(), sum, |x, y| x + y, |p, x, y| Float::with_val(p, x + y));
    o.binary("sub", all(), sum, |x, y| x - y, |p, x, y| Float::with_val(p, x - y));
    let product = match N {
        2 => Bound::relative(5.0 * (-106_f64).exp2()),
        _ => Bound::power::<N>([0, -154, -206]),
    };
    o.binary("mul", all(), product, |x, y| x * y, |p, x, y| Float::with_val(p, x * y));
    let quotient = Bound::power::<N>([-101, -154, -206]);
    o.binary("div", all(), quotient, |x, y| x / y, |p, x, y| Float::with_val(p, x / y));
    let root = Bound::power::<N>([-102, -154, -206]);
    o.unary("sqrt", Domain::all(), root, |x| x.sqrt(), |p, x| Float::with_val(p, x.sqrt_ref()));
}
