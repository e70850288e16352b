//! Error-free transformations of `f64`; the same at every width, so tried at one.

use nonius_num::eft::{two_prod, two_prod_dekker, two_sum};
use rand::Rng;
use rug::Float;

use crate::{Domain, Oracle};

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    if N != 2 {
        return;
    }
    let all = || [Domain::all(), Domain::all()];
    o.property_of_two("two_prod_dekker bits", all(), |x, y| {
        for (a, b) in [(x.first(), y.first()), (x.first(), y.limbs()[1])] {
            let p = a * b;
            let right = (p, a.mul_add(b, -p));
            let ours = two_prod_dekker(a, b);
            let bits = |v: (f64, f64)| {
                let one = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
                (one(v.0), one(v.1))
            };
            if bits(ours) != bits(right) {
                return Err(format!("{a:?} · {b:?} gives {ours:?}, should be {right:?}"));
            }
            if bits(two_prod(a, b)) != bits(right) {
                return Err(format!("two_prod({a:?}, {b:?}) is not {right:?}"));
            }
        }
        Ok(())
    });
    o.property_of_two("two_sum", all(), |x, y| {
        let (a, b) = (x.first(), y.first());
        let (s, e) = two_sum(a, b);
        // Beyond the range, or on its last number, a step overflows.
        if !(a + b).is_finite() || a.abs() == f64::MAX || b.abs() == f64::MAX {
            return Ok(());
        }
        let exact = Float::with_val(4_500, a) + b;
        let right = Float::with_val(4_500, s) + e;
        if exact == right { Ok(()) } else { Err(format!("{a:?} + {b:?} gives {s:?}, {e:?}")) }
    });
    // Any bit pattern, near-limit exponents and short significands more than random ones.
    let mut inputs = o.inputs("bit patterns");
    let mut bits = move || {
        let fraction: u64 = inputs.rng.random::<u64>() << inputs.rng.random_range(0..52);
        let exponent = match inputs.rng.random_range(0..4) {
            0 => inputs.rng.random_range(0..60),
            1 => inputs.rng.random_range(1980..2047),
            2 => inputs.rng.random_range(480..560),
            _ => inputs.rng.random_range(0..2047_u64),
        };
        f64::from_bits(exponent << 52 | (fraction & ((1 << 52) - 1)))
    };
    let pairs: Vec<_> = (0..o.count).map(|_| (bits(), bits())).collect();
    o.list("two_prod_dekker patterns", pairs, |&(a, b)| {
        let p: f64 = a * b;
        let right = (p, a.mul_add(b, -p));
        let ours = two_prod_dekker(a, b);
        let same = ours.0.to_bits() == right.0.to_bits()
            && (ours.1.to_bits() == right.1.to_bits() || (ours.1.is_nan() && right.1.is_nan()));
        if same { Ok(()) } else { Err(format!("gives {ours:?}, should be {right:?}")) }
    });
}
