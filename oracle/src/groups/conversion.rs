//! Conversions: limb counts, `f32`, `f64`, integers.

use nonius_num::MultiFloat;
use rand::Rng;
use rug::{Float, Integer};

use crate::bound::Bound;
use crate::value::exact;
use crate::{Domain, Oracle};

fn same<T: PartialEq + std::fmt::Debug>(ours: T, right: T) -> Result<(), String> {
    if ours == right { Ok(()) } else { Err(format!("gives {ours:?}, should be {right:?}")) }
}

/// `convert::<M>` against the nearest number of `M` limbs.
fn limbs<const N: usize, const M: usize>(o: &mut Oracle<N>) {
    let name = format!("to {} limbs", M);
    o.property(&name, Domain::all(), |x| {
        let z = x.convert::<M>();
        let verdict = Bound::nearest().judge(z, &exact(x));
        verdict.map(|_| ()).map_err(|e| format!("gives {:?}: {e}", z.limbs()))
    });
}

macro_rules! integer {
    ($o:ident, $($type:ident $method:ident),*) => {$(
        $o.property(stringify!($method), Domain::exponents(-5, 140), |x: MultiFloat<N>| {
            let right = match exact(x).to_integer_round(rug::float::Round::Zero) {
                Some((integer, _)) => integer.to_string().parse::<$type>().unwrap_or(
                    if integer < 0 { $type::MIN } else { $type::MAX }),
                None if x.is_nan() => 0,
                None if x.is_sign_negative() => $type::MIN,
                None => $type::MAX,
            };
            same(x.$method(), right)?;
            let exact_right = exact(x).to_integer().filter(|_| x.is_integer());
            let exact_right = exact_right.and_then(|integer| integer.to_string().parse::<$type>().ok());
            same($type::try_from(x).ok(), exact_right)
        });
        let mut rng = $o.inputs(stringify!($type)).rng;
        let mut random = move || {
            // Random lengths, then runs of equal bits.
            let bits: u128 = rng.random::<u128>() >> rng.random_range(0..128);
            let run = !0_u128 << rng.random_range(0..128);
            match rng.random_range(0..4) {
                0 => bits as $type,
                1 => (bits ^ run) as $type,
                2 => ((rng.random::<u8>() as u128) << rng.random_range(0..120)) as $type,
                _ => $type::MAX.wrapping_sub((bits & 0xff) as $type),
            }
        };
        let integers: Vec<$type> = (0..$o.count).map(|_| random()).collect();
        $o.list(concat!("from ", stringify!($type)), integers, |&n| {
            let right = Float::with_val(160, Integer::from(n));
            let z = MultiFloat::<N>::from(n);
            Bound::nearest().judge(z, &right).map(|_| ()).map_err(|e| format!("gives {:?}: {e}", z.limbs()))
        });
    )*};
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    o.property("to_f64", Domain::all(), |x| {
        let right = exact(x).to_f64();
        same(x.to_f64().to_bits(), if x.is_nan() { x.first().to_bits() } else { right.to_bits() })
    });
    o.property("to_f32", Domain::exponents(-155, 130), |x| {
        if x.is_nan() {
            return same(x.to_f32().is_nan(), true);
        }
        same(x.to_f32(), to_f32(&exact(x)))
    });
    limbs::<N, 2>(o);
    limbs::<N, 3>(o);
    limbs::<N, 4>(o);
    integer!(o, i8 to_i8, i16 to_i16, i32 to_i32, i64 to_i64, i128 to_i128, isize to_isize);
    integer!(o, u8 to_u8, u16 to_u16, u32 to_u32, u64 to_u64, u128 to_u128, usize to_usize);
}

/// The nearest `f32`, subnormal ones included.
fn to_f32(x: &Float) -> f32 {
    if x.is_zero() || !x.is_finite() {
        return x.to_f32();
    }
    // Bits above the last one an f32 can have.
    let exponent = x.get_exp().unwrap_or(0);
    let bits = (exponent + 149).clamp(0, 24);
    if bits == 0 {
        // Below the smallest f32: zero up to its half.
        let half = Float::with_val(53, 1) >> 150_u32;
        let least = if x.as_abs().partial_cmp(&half) == Some(std::cmp::Ordering::Greater) {
            f32::from_bits(1)
        } else {
            0.0
        };
        return if x.is_sign_negative() { -least } else { least };
    }
    Float::with_val(bits.max(1) as u32, x).to_f32()
}
