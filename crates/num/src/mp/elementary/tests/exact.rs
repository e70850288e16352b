//! Exact results, and results so close to a number or to the middle of two that their neighbour
//! tells.

use super::*;

fn integer(p: u32, x: f64) -> Mp {
    Mp::from_f64(bits(p), x)
}

#[test]
fn powers_of_the_base_have_integer_logarithms() {
    for p in [64, 106, 424, 4096] {
        let mut power = Mp::one(bits(p));
        for k in 0..27 {
            assert_eq!(power.log10(), integer(p, f64::from(k)), "10^{k} at {p} bits");
            power *= integer(p, 10.0);
        }
        for k in [-268_435_457, -1000, -1, 1, 63, 64, 268_435_455] {
            let power = Mp::one(bits(p)).ldexp(k);
            assert_eq!(power.log2(), integer(p, f64::from(k)));
            if !power.is_zero() {
                assert_eq!(integer(p, f64::from(k)).exp2(), power);
            }
        }
    }
}

#[test]
fn powers_roots_and_lengths_that_are_numbers() {
    for p in [64, 65, 106, 1000] {
        let (three, half) = (integer(p, 3.0), integer(p, 0.5));
        let power = Mp::from_decimal(bits(p), b"12157665459056928801").unwrap();
        assert_eq!(three.powi(40), power);
        assert_eq!(integer(p, 2.25).pow(&integer(64, 1.5)), integer(p, 3.375));
        assert_eq!(integer(p, 6561.0).pow(&integer(64, 0.125)), three);
        assert_eq!(integer(p, 4.0).pow(&integer(64, -0.5)), half);
        assert_eq!(integer(p, -3.0).powi(3), integer(p, -27.0));
        assert_eq!(three.powi(-1), Mp::one(bits(p)) / three);
        assert_eq!(integer(p, -3.375).cbrt(), integer(p, -1.5));
        assert_eq!(integer(p, 3.0).hypot(&integer(64, -4.0)), integer(p, 5.0));
        assert_eq!(integer(p, 20.0).hypot(&integer(p, 21.0)).ldexp(99), integer(p, 29.0).ldexp(99));
    }
}

/// `x·x` with `p + 1` bits lies halfway: to even.
#[test]
fn squares_that_are_ties() {
    for p in [64, 100, 106, 300] {
        let one = Mp::one(bits(p));
        // (2^k + 1)² = 2^2k + 2^(k + 1) + 1 has p + 1 bits.
        let k = p as i32 / 2;
        let x = one.ldexp(k) + one;
        let expected = one.ldexp(2 * k) + one.ldexp(k + 1);
        assert_eq!(x.powi(2), expected, "{p}");
        assert_eq!(x.pow(&integer(64, 2.0)), x * x);
    }
}

#[test]
fn terms_far_below_decide_no_rounding_and_break_ties() {
    for p in [64, 65, 106, 107, 1000, 2001] {
        let one = Mp::one(bits(p));
        let unit = one.ldexp(1 - p as i32);
        // e^x = 1 + x + x²/2 + …, of which 1 + x is a tie, for half a unit.
        assert_eq!(unit.ldexp(-1).exp(), one + unit);
        assert_eq!((-unit.ldexp(-2)).exp(), one);
        // The fourth powers decide about the ties cos x ≈ 1 − x²/2 and cosh x ≈ 1 + x²/2.
        let x = one.ldexp(-(p as i32) / 2);
        match p % 2 {
            0 => assert_eq!(x.cos(), one),
            _ => assert_eq!(x.cosh(), one + unit),
        }
        // Odd functions of small numbers are these, up to a cube.
        let tiny = (one + unit).ldexp(-(p as i32) / 2 - 1);
        for (name, function) in ALL {
            if ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"].contains(&name) {
                assert_eq!(function(&tiny), tiny, "{name}");
            }
        }
        let far = one.ldexp(-100_000);
        assert_eq!(far.atan2(&integer(p, 4.0)), far.ldexp(-2));
        assert_eq!((one + unit).hypot(&far), one + unit);
        assert_eq!((one + unit).pow(&far), one);
        assert_eq!(far.exp_m1(), far);
        assert_eq!(far.ln_1p(), far);
        assert_eq!(far.cosh(), one);
    }
}
