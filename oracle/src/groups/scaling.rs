//! Powers of two, signs.

use rand::Rng;
use rug::Float;

use crate::value::exact;
use crate::{Bound, Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let mut rng = o.inputs("ldexp").rng;
    let mut shifts = vec![0, 1, -1, 1023, -1074, 2098, -2098, i32::MAX, i32::MIN];
    shifts.extend((0..30).map(|_| rng.random_range(-2200..2200)));
    // A limb or two may be rounded at the lower end of the range.
    let bound = Bound::relative(0.0).tiny(1.0);
    o.property("ldexp", Domain::all(), |x| {
        shifts.iter().try_for_each(|&k| {
            let z = x.ldexp(k);
            let verdict = bound.judge(z, &Float::with_val(64.max(exact(x).prec()), exact(x) << k));
            verdict.map(|_| ()).map_err(|e| format!("by {k} gives {:?}: {e}", z.limbs()))
        })
    });
    o.property("frexp", Domain::all(), |x| {
        let (m, e) = x.frexp();
        if !x.is_finite() || x.first() == 0.0 {
            return if e == 0 { Ok(()) } else { Err(format!("exponent {e}")) };
        }
        // Limbs of the mantissa may fall below the range.
        let scaled = exact(x) >> e;
        let first = m.first().abs();
        let lost = Float::with_val(4_500, scaled - exact(m)).abs() << 1074_u32;
        if lost <= 1 && (0.5..1.0).contains(&first) && x.exponent() == Some(e - 1) {
            Ok(())
        } else {
            Err(format!("gives {:?}, {e}", m.limbs()))
        }
    });
    let nearest = Bound::nearest();
    o.unary("abs", Domain::all(), nearest, |x| x.abs(), |_, x| x.clone().abs());
    o.unary("neg", Domain::all(), nearest, |x| -x, |_, x| -x.clone());
}
