//! Products without a fused multiply-add.

/// [`two_prod`](crate::eft::two_prod) without a fused multiply-add: both factors are split into
/// halves of at most 26 bits whose products are exact (Dekker). 17 operations.
///
/// Where the halves could overflow or their products underflow, it turns to a fused multiply-add in
/// software, so that it agrees with the fused form on every input.
#[inline]
pub fn two_prod_dekker(a: f64, b: f64) -> (f64, f64) {
    /// Below this the parts' products stay normal; `2^-960`.
    const SMALLEST: f64 = f64::from_bits((1023 - 960) << 52);
    /// Above this the split may overflow; `2^990`.
    const LARGEST: f64 = f64::from_bits((1023 + 990) << 52);
    let p = a * b;
    let safe = p.abs() > SMALLEST && p.abs() < LARGEST && a.abs() < LARGEST && b.abs() < LARGEST;
    if !safe {
        return (p, libm::fma(a, b, -p));
    }
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let e = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (p, e)
}

/// Veltkamp's split: `high + low = a`, each of at most 26 significant bits.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let t = SPLITTER * a;
    let high = t - (t - a);
    (high, a - high)
}
