//! C99 Annex F.

use crate::MultiFloat;

/// `f(x)` must be `y`: the same number, zeros with their signs, NaN for NaN; both without lower
/// limbs.
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

fn arc<const N: usize>() {
    let x = MultiFloat::<N>::from;
    let pi = MultiFloat::<N>::PI;
    for zero in [0.0, -0.0] {
        gives(x(zero).asin(), zero);
        gives(x(zero).atan(), zero);
    }
    assert_eq!(x(0.0).acos(), pi / 2.0);
    gives(x(1.0).acos(), 0.0);
    assert_eq!(x(-1.0).acos(), pi);
    assert_eq!(x(1.0).asin(), pi / 2.0);
    assert_eq!(x(-1.0).asin(), -pi / 2.0);
    assert_eq!(x(INF).atan(), pi / 2.0);
    assert_eq!(x(-INF).atan(), -pi / 2.0);
    gives(x(NAN).atan(), NAN);
    for beyond in [1.5, -1.5, INF, -INF, NAN] {
        gives(x(beyond).asin(), NAN);
        gives(x(beyond).acos(), NAN);
    }
    gives((x(1.0) + MultiFloat::EPSILON).asin(), NAN);
    gives((x(1.0) + MultiFloat::EPSILON).acos(), NAN);

    let angle = |y: f64, z: f64| x(y).atan2(x(z));
    for zero in [0.0, -0.0] {
        assert_eq!(angle(zero, -0.0), pi.copysign(x(zero)));
        assert_eq!(angle(zero, -2.0), pi.copysign(x(zero)));
        assert_eq!(angle(zero, -INF), pi.copysign(x(zero)));
        gives(angle(zero, 0.0), zero);
        gives(angle(zero, 2.0), zero);
        gives(angle(zero, INF), zero);
        assert_eq!(angle(2.0, zero), pi / 2.0);
        assert_eq!(angle(-2.0, zero), -pi / 2.0);
    }
    gives(angle(2.0, INF), 0.0);
    gives(angle(-2.0, INF), -0.0);
    assert_eq!(angle(2.0, -INF), pi);
    assert_eq!(angle(-2.0, -INF), -pi);
    assert_eq!(angle(INF, 2.0), pi / 2.0);
    assert_eq!(angle(-INF, 2.0), -pi / 2.0);
    assert_eq!(angle(INF, INF), pi / 4.0);
    assert_eq!(angle(-INF, INF), -pi / 4.0);
    assert_eq!(angle(INF, -INF), pi * 0.75);
    assert_eq!(angle(-INF, -INF), -(pi * 0.75));
    for other in [0.0, 1.0, INF, NAN] {
        gives(angle(NAN, other), NAN);
        gives(angle(other, NAN), NAN);
    }
}

fn hyperbolic<const N: usize>() {
    let x = MultiFloat::<N>::from;
    for odd in [MultiFloat::sinh, MultiFloat::tanh, MultiFloat::asinh, MultiFloat::atanh] {
        gives(odd(x(0.0)), 0.0);
        gives(odd(x(-0.0)), -0.0);
        gives(odd(x(NAN)), NAN);
    }
    gives(x(INF).sinh(), INF);
    gives(x(-INF).sinh(), -INF);
    gives(x(712.0).sinh(), INF);
    gives(x(-712.0).sinh(), -INF);
    gives(x(-0.0).cosh(), 1.0);
    gives(x(INF).cosh(), INF);
    gives(x(-INF).cosh(), INF);
    gives(x(-1e300).cosh(), INF);
    gives(x(NAN).cosh(), NAN);
    gives(x(INF).tanh(), 1.0);
    gives(x(-INF).tanh(), -1.0);
    gives(x(-1e300).tanh(), -1.0);
    gives(x(INF).asinh(), INF);
    gives(x(-INF).asinh(), -INF);
    gives(x(1.0).acosh(), 0.0);
    gives(x(INF).acosh(), INF);
    for below in [0.5, 0.0, -1.0, -INF, NAN] {
        gives(x(below).acosh(), NAN);
    }
    gives(x(1.0).atanh(), INF);
    gives(x(-1.0).atanh(), -INF);
    for beyond in [1.5, -1.5, INF, -INF] {
        gives(x(beyond).atanh(), NAN);
    }
}

/// The table of C99 F.9.4.4.
fn power<const N: usize>() {
    let pow = |x: f64, y: f64| MultiFloat::<N>::from(x).pow(y.into());
    for y in [0.0, -0.0, 1.0, -3.0, 2.5, INF, -INF, NAN] {
        gives(pow(1.0, y), 1.0);
    }
    for x in [0.0, -0.0, 1.0, -3.0, 2.5, INF, -INF, NAN] {
        gives(pow(x, 0.0), 1.0);
        gives(pow(x, -0.0), 1.0);
    }
    gives(pow(0.0, -3.0), INF);
    gives(pow(-0.0, -3.0), -INF);
    gives(pow(-0.0, -2.0), INF);
    gives(pow(-0.0, -2.5), INF);
    gives(pow(-0.0, -INF), INF);
    gives(pow(0.0, 3.0), 0.0);
    gives(pow(-0.0, 3.0), -0.0);
    gives(pow(-0.0, 2.0), 0.0);
    gives(pow(-0.0, 2.5), 0.0);
    gives(pow(-1.0, INF), 1.0);
    gives(pow(-1.0, -INF), 1.0);
    gives(pow(-2.0, 0.5), NAN);
    gives(pow(0.5, -INF), INF);
    gives(pow(-2.0, -INF), 0.0);
    gives(pow(-0.5, INF), 0.0);
    gives(pow(2.0, INF), INF);
    gives(pow(-INF, -3.0), -0.0);
    gives(pow(-INF, -2.5), 0.0);
    gives(pow(-INF, 3.0), -INF);
    gives(pow(-INF, 2.5), INF);
    gives(pow(INF, -0.5), 0.0);
    gives(pow(INF, 0.5), INF);
    gives(pow(NAN, 1.0), NAN);
    gives(pow(2.0, NAN), NAN);
    gives(pow(10.0, 400.0), INF);
    gives(pow(-10.0, 401.0), -INF);
    gives(pow(10.0, -400.0), 0.0);
    gives(pow(-10.0, -401.0), -0.0);
    gives(pow(2.0, 1e300), INF);
    // Parity and integrality are those of all limbs.
    let large = MultiFloat::<N>::from(9_007_199_254_740_992.0);
    let minus_one = -MultiFloat::<N>::ONE;
    gives(minus_one.pow(large), 1.0);
    gives(minus_one.pow(large + 1.0), -1.0);
    gives(minus_one.pow(large + 0.5), NAN);

    let powi = |x: f64, n: i32| MultiFloat::<N>::from(x).powi(n);
    gives(powi(NAN, 0), 1.0);
    gives(powi(NAN, 2), NAN);
    gives(powi(-0.0, 3), -0.0);
    gives(powi(-0.0, -3), -INF);
    gives(powi(-INF, 3), -INF);
    gives(powi(-INF, -2), 0.0);
    gives(powi(-2.0, 1024), INF);
    gives(powi(-2.0, 1025), -INF);
    gives(powi(-1.0, i32::MIN), 1.0);
    gives(powi(-1.0, i32::MAX), -1.0);
}

fn roots<const N: usize>() {
    let x = MultiFloat::<N>::from;
    for same in [0.0, -0.0, INF, -INF, NAN] {
        gives(x(same).cbrt(), same);
    }
    gives(x(INF).hypot(x(NAN)), INF);
    gives(x(NAN).hypot(x(-INF)), INF);
    gives(x(NAN).hypot(x(1.0)), NAN);
    gives(x(-0.0).hypot(x(0.0)), 0.0);
    gives(x(f64::MAX).hypot(x(f64::MAX)), INF);
}

fn all<const N: usize>() {
    exponential::<N>();
    logarithm::<N>();
    circular::<N>();
    arc::<N>();
    hyperbolic::<N>();
    power::<N>();
    roots::<N>();
}

#[test]
fn every_width() {
    all::<2>();
    all::<3>();
    all::<4>();
}
