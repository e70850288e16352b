//! Results that the format holds come out exact.

use super::specials::gives;
use crate::MultiFloat;

fn powers<const N: usize>() {
    let x = MultiFloat::<N>::from;
    gives(x(3.0).pow(x(4.0)), 81.0);
    gives(x(2.25).pow(x(1.5)), 3.375);
    gives(x(0.5).pow(x(-3.0)), 8.0);
    gives(x(-2.0).pow(x(3.0)), -8.0);
    gives(x(1e10).pow(x(0.5)), 1e5);
    gives(x(7.0).pow(x(1.0)), 7.0);
    for k in -1074..1024 {
        let y = f64::from(k);
        gives(x(2.0).pow(x(y)), MultiFloat::<N>::ONE.ldexp(k).to_f64());
        gives(x(2.0).powi(k), MultiFloat::<N>::ONE.ldexp(k).to_f64());
        gives(x(-0.5).powi(k).abs(), MultiFloat::<N>::ONE.ldexp(-k).to_f64());
    }
    // 5^k and 3^k as long as they fit.
    for (base, bits) in [(5.0, 2.33), (3.0, 1.59)] {
        let mut power = x(1.0);
        for k in 0..(f64::from(MultiFloat::<N>::MANTISSA_DIGITS) / bits) as i32 {
            assert_eq!(x(base).pow(x(f64::from(k))).limbs(), power.limbs(), "{base}^{k}");
            assert_eq!(x(base).powi(k).limbs(), power.limbs(), "{base}^{k}");
            power *= base;
        }
    }
    let odd = x(1e300).exp_m1().min(x(1.25)) + MultiFloat::<N>::EPSILON;
    assert_eq!(odd.powi(1).limbs(), odd.limbs());
    assert_eq!(odd.powi(2).limbs(), (odd * odd).limbs());
}

fn roots<const N: usize>() {
    let x = MultiFloat::<N>::from;
    for n in 1..200 {
        let n = f64::from(n);
        gives((x(n) * n * n).cbrt(), n);
        gives((-x(n) * n * n).cbrt(), -n);
        gives((x(n) * n * n).ldexp(-600).cbrt(), n * MultiFloat::<N>::ONE.ldexp(-200).to_f64());
    }
    // The smallest numbers, and a cube that needs all the bits.
    gives(MultiFloat::<N>::ONE.ldexp(-1074).cbrt(), 2_f64.powi(-358));
    let bits = MultiFloat::<N>::MANTISSA_DIGITS as i32 / 3;
    let n = x(1.0) + MultiFloat::<N>::ONE.ldexp(-bits);
    assert_eq!((n * n * n).cbrt(), n);
    for (a, b, c) in [(3.0, 4.0, 5.0), (5.0, 12.0, 13.0), (-20.0, 21.0, 29.0), (0.0, -7.0, 7.0)] {
        gives(x(a).hypot(x(b)), c);
        for scale in [MultiFloat::<N>::ONE.ldexp(1018), MultiFloat::<N>::ONE.ldexp(-1070)] {
            let scale = scale.to_f64();
            gives(x(a * scale).hypot(x(b * scale)), c * scale);
        }
    }
}

fn sines<const N: usize>() {
    for i in 0..1000 {
        let x = MultiFloat::<N>::from(f64::from(i)) / 7.0;
        let (sine, cosine) = x.sin_cos();
        assert_eq!(sine.limbs(), x.sin().limbs());
        assert_eq!(cosine.limbs(), x.cos().limbs());
        assert_eq!((-x).sin().limbs(), (-sine).limbs());
        assert_eq!((-x).cos().limbs(), cosine.limbs());
    }
}

#[test]
fn every_width() {
    powers::<2>();
    powers::<3>();
    powers::<4>();
    roots::<2>();
    roots::<3>();
    roots::<4>();
    sines::<2>();
    sines::<3>();
    sines::<4>();
}
