//! Residues modulo odd numbers `m < 2^31`, in 32-bit words: Montgomery's reduction, and sums.
//!
//! Source: P. L. Montgomery, *Modular multiplication without trial division*, Math. Comp. 44
//! (1985).

/// `t / 2^32 mod m`: a number of that residue class below `2^32`, and below `m` where `t < m·2^32`.
///
/// `inverse` is `m⁻¹ mod 2^32`.
#[inline(always)]
pub(super) fn reduced(t: u64, m: u32, inverse: u32) -> u32 {
    let quotient = (t as u32).wrapping_mul(inverse);
    // Low words of t and of quotient·m are alike.
    let below = ((u64::from(quotient) * u64::from(m)) >> 32) as u32;
    let high = (t >> 32) as u32;
    let difference = high.wrapping_sub(below);
    if high < below { difference.wrapping_add(m) } else { difference }
}

/// `a·b / 2^32 mod m`, for `b < m` and any `a`.
#[inline(always)]
pub(super) fn multiplied(a: u32, b: u32, m: u32, inverse: u32) -> u32 {
    reduced(u64::from(a) * u64::from(b), m, inverse)
}

/// `a + b mod m`, for residues.
#[inline(always)]
pub(super) fn added(a: u32, b: u32, m: u32) -> u32 {
    let sum = a + b;
    sum.min(sum.wrapping_sub(m))
}

/// `a − b mod m`, for residues.
#[inline(always)]
pub(super) fn subtracted(a: u32, b: u32, m: u32) -> u32 {
    let difference = a.wrapping_sub(b);
    difference.min(difference.wrapping_add(m))
}

/// `m⁻¹ mod 2^32`, for odd `m`, by Newton's iteration: `m` itself is right in three bits.
pub(super) fn inverse_of_odd(m: u32) -> u32 {
    (0..4).fold(m, |x, _| x.wrapping_mul(2_u32.wrapping_sub(m.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::testing::Random;

    #[test]
    fn residues_are_exact() {
        let mut random = Random::new(1);
        for m in [3, 5, 255, 65_537, (1 << 30) + 1, (1 << 31) - 1] {
            let inverse = inverse_of_odd(m);
            assert_eq!(inverse.wrapping_mul(m), 1);
            for round in 0..1000 {
                let t = if round == 0 { u64::MAX } else { random.next() >> (round % 40) };
                let r = reduced(t, m, inverse);
                let back = u128::from(r) << 32;
                assert_eq!(back % u128::from(m), u128::from(t) % u128::from(m), "{t} modulo {m}");
                if t >> 32 < u64::from(m) {
                    assert!(r < m, "{t} modulo {m}");
                }
                let (a, b) = (random.next() as u32 % m, random.next() as u32 % m);
                let wide = |x: i64| x.rem_euclid(i64::from(m)) as u32;
                assert_eq!(added(a, b, m), wide(i64::from(a) + i64::from(b)));
                assert_eq!(subtracted(a, b, m), wide(i64::from(a) - i64::from(b)));
            }
        }
    }
}
