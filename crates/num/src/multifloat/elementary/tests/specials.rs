//! C99 Annex F.

use crate::MultiFloat;

/// `f(x)` must be `y`: the same number, zeros with their signs, NaN for NaN; both without lower limbs.
#[track_caller]
pub(super) fn gives<const N: usize>(z: MultiFloat<N>, y: f64) {
    let [first, lower @ ..] = &z.limbs()[..] else { unreachable!() };
    let same = *first == y
        && (y != 0.0 || first.is_sign_negative() == y.is_sign_negative())
        && lower.iter().all(|&limb| limb == 0.0);
    assert!(same || (y.is_nan() && z.is_nan()), "{z:?} is not {y:?}");
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn exponential<const N: usize>() {
    let x = MultiFloat::<N>::from;
    gives(x(0.0).exp(), 1.0);
    gives(x(-0.0).exp(), 1.0);
    gives(x(INF).exp(), INF);
    gives(x(-INF).exp(), 0.0);
    gives(x(NAN).exp(), NAN);
    gives(x(1e300).exp(), INF);
    gives(x(-1e300).exp(), 0.0);
    gives(x(709.79).exp(), INF);
    gives(x(-745.2).exp(), 0.0);
    gives(x(INF).exp2(), INF);
    gives(x(-INF).exp2(), 0.0);
    gives(x(NAN).exp2(), NAN);
    gives(x(1024.0).exp2(), INF);
    for k in -1074..1024 {
        gives(x(f64::from(k)).exp2(), MultiFloat::<N>::ONE.ldexp(k).to_f64());
    }
    gives(x(0.0).exp_m1(), 0.0);
    gives(x(-0.0).exp_m1(), -0.0);
    gives(x(INF).exp_m1(), INF);
    gives(x(-INF).exp_m1(), -1.0);
    gives(x(-1e300).exp_m1(), -1.0);
    gives(x(NAN).exp_m1(), NAN);
}

fn logarithm<const N: usize>() {
    let x = MultiFloat::<N>::from;
    for f in [MultiFloat::ln, MultiFloat::log2, MultiFloat::log10] {
        gives(f(x(1.0)), 0.0);
        gives(f(x(0.0)), -INF);
        gives(f(x(-0.0)), -INF);
        gives(f(x(INF)), INF);
        gives(f(x(-1.0)), NAN);
        gives(f(x(-INF)), NAN);
        gives(f(x(NAN)), NAN);
    }
    for k in -1074..1024 {
        gives(MultiFloat::<N>::ONE.ldexp(k).log2(), f64::from(k));
    }
    // 5^k has k·log2(5) bits.
    let mut power = x(1.0);
    for k in 0..22 * N as i32 {
        gives(power.log10(), f64::from(k));
        power *= 10.0;
    }
    gives(x(0.0).ln_1p(), 0.0);
    gives(x(-0.0).ln_1p(), -0.0);
    gives(x(-1.0).ln_1p(), -INF);
    gives(x(-1.5).ln_1p(), NAN);
    gives(x(-INF).ln_1p(), NAN);
    gives(x(INF).ln_1p(), INF);
    gives(x(NAN).ln_1p(), NAN);
}

fn circular<const N: usize>() {
    let x = MultiFloat::<N>::from;
    gives(x(0.0).sin(), 0.0);
    gives(x(-0.0).sin(), -0.0);
    gives(x(0.0).tan(), 0.0);
    gives(x(-0.0).tan(), -0.0);
    gives(x(0.0).cos(), 1.0);
    gives(x(-0.0).cos(), 1.0);
    for special in [INF, -INF, NAN] {
        gives(x(special).sin(), NAN);
        gives(x(special).cos(), NAN);
        gives(x(special).tan(), NAN);
        gives(x(special).sin_cos().0, NAN);
        gives(x(special).sin_cos().1, NAN);
    }
}

#[test]
fn every_width() {
    exponential::<2>();
    exponential::<3>();
    exponential::<4>();
    logarithm::<2>();
    logarithm::<3>();
    logarithm::<4>();
    circular::<2>();
    circular::<3>();
    circular::<4>();
}
