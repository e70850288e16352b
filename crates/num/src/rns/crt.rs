//! The Chinese remainder theorem: integers from their residues.

use alloc::vec::Vec;

use super::Moduli;
use super::fixed_point::power;
use crate::Lane;
use crate::eft::fast_two_sum;
use crate::integers::big::Big;

/// Bits of a column of the tables.
const COLUMN_BITS: u32 = 24;
/// Columns that are summed at a time, in registers.
const GROUP: usize = 12;

/// Rebuilds integers from residues modulo a set of moduli `m` with product `M`.
///
/// With `y = x·(M/m)⁻¹ mod m` for each modulus, `x = Σ y·(M/m) − q·M`, where `q` is the integer
/// nearest to `Σ y/m`. The numbers `M/m` and `M` are tabulated in columns of 24 bits, such that the
/// sums over all moduli are exact in `f64`, in any order.
///
/// The integer −123 456 from its residues modulo 255, 256 and 257:
///
/// ```
/// use nonius_num::rns::{Crt, Moduli};
///
/// let crt = Crt::new(Moduli::new(vec![255, 256, 257])?);
/// let residues = crt.moduli().values().iter().zip(crt.inverses());
/// let y: Vec<[f64; 1]> = residues
///     .map(|(&m, &inverse)| {
///         let m = i64::from(m);
///         let y = (-123_456_i64).rem_euclid(m) * i64::from(inverse) % m;
///         [if 2 * y > m { y - m } else { y } as f64]
///     })
///     .collect();
/// let mut digits = vec![[0.0]; crt.digit_count()];
/// crt.digits(&y, &mut digits);
/// assert_eq!(digits[0], [-123_456.0]);
/// # Ok::<(), nonius_num::rns::ModuliError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crt {
    moduli: Moduli,
    inverses: Vec<u32>,
    reciprocals: Vec<f64>,
    /// Columns of `M/m`, for each modulus, lowest first.
    weights: Vec<f64>,
    /// Columns of `−M`.
    product: Vec<f64>,
    /// `2^(24i)/M`.
    shares: Vec<f64>,
}

impl Crt {
    /// The tables for a set of moduli.
    ///
    /// Panics where the moduli are so many that sums might not be exact: with `L` moduli up to `m`,
    /// `L·(m/2 + 1)·2^24 > 2^52`.
    pub fn new(moduli: Moduli) -> Self {
        let product = moduli.product();
        let largest = moduli.values().iter().fold(0, |largest, &m| m.max(largest));
        let room = f64::from(largest / 2 + 1) * moduli.values().len() as f64;
        assert!(room <= power(52 - COLUMN_BITS), "{} moduli", moduli.values().len());
        let columns =
            (product.bit_length() as u32).div_ceil(COLUMN_BITS).next_multiple_of(2) as usize;
        let mut inverses = Vec::new();
        let mut weights = Vec::new();
        for &m in moduli.values() {
            let modulus = Big::from_words(&[u64::from(m)]);
            let cofactor = product.divide(&modulus).0;
            inverses.push(inverse(cofactor.divide(&modulus).1.low_word() as u32, m));
            weights.extend(cofactor.columns(columns));
        }
        let reciprocals = moduli.values().iter().map(|&m| 1.0 / f64::from(m)).collect();
        let inverse = 1.0 / product.shr(product.bit_length().saturating_sub(64)).low_word() as f64;
        let lowest = product.bit_length().saturating_sub(64) as f64;
        let share = |i: usize| libm::exp2(f64::from(COLUMN_BITS) * i as f64 - lowest) * inverse;
        let shares = (0..columns).map(share).collect();
        let product = product.columns(columns).map(|x| -x).collect();
        Self { moduli, inverses, reciprocals, weights, product, shares }
    }

    /// The moduli.
    pub fn moduli(&self) -> &Moduli {
        &self.moduli
    }

    /// `(M/m)⁻¹ mod m` for each modulus: what residues have to be multiplied by before
    /// [`digits`](Self::digits).
    pub fn inverses(&self) -> &[u32] {
        &self.inverses
    }

    /// The bytes of `M/m` for the modulus of that index, lowest first; as many as
    /// [`product_bytes`](Self::product_bytes).
    pub fn cofactor_bytes(&self, index: usize) -> Vec<u8> {
        let columns = self.product.len();
        bytes(self.weights[index * columns..][..columns].iter().copied())
    }

    /// The bytes of `M`, lowest first; six for each digit.
    pub fn product_bytes(&self) -> Vec<u8> {
        bytes(self.product.iter().map(|x| -x))
    }

    /// The bytes of the number from 0 to `M − 1` that is `factor` modulo the modulus of that index
    /// and 0 modulo the others, lowest first; as many as [`product_bytes`](Self::product_bytes).
    pub fn basis_bytes(&self, index: usize, factor: u32) -> Vec<u8> {
        let m = u64::from(self.moduli.values()[index]);
        let mut number = self.moduli.product().divide(&Big::from_words(&[m])).0;
        number.multiply_add_small(u64::from(self.inverses[index]) * u64::from(factor) % m, 0);
        bytes(number.columns(self.product.len()))
    }

    /// Number of digits that [`digits`](Self::digits) writes.
    pub fn digit_count(&self) -> usize {
        self.product.len() / 2
    }

    /// The integers `x` with `|x| <= M/2·(1 − 2^-30)` and residues `y/(M/m)⁻¹`, as
    /// `Σ digits[i]·2^(48i)`: balanced digits, `|digit| <= 2^47`. `V` registers of them.
    ///
    /// `y` may be any integers of that residue class up to `m/2 + 1` in magnitude.
    ///
    /// Panics unless there is a `y` for each modulus and room for
    /// [`digit_count`](Self::digit_count) digits.
    #[inline(always)]
    pub fn digits<const V: usize, L: Lane>(&self, y: &[[L; V]], digits: &mut [[L; V]]) {
        assert_eq!(y.len(), self.reciprocals.len(), "residues");
        assert_eq!(digits.len(), self.digit_count(), "digits");
        let mut quotients = [L::splat(0.0); V];
        for (y, &reciprocal) in y.iter().zip(&self.reciprocals) {
            for (quotient, &y) in quotients.iter_mut().zip(y) {
                *quotient = y.mul_add(L::splat(reciprocal), *quotient);
            }
        }
        for quotient in &mut quotients {
            *quotient = quotient.round_small();
        }
        let columns = self.product.len();
        let mut carries = [L::splat(0.0); V];
        let mut start = 0;
        while start < columns {
            let width = GROUP.min(columns - start);
            let mut sums = [[L::splat(0.0); V]; GROUP];
            match width {
                2 => self.columns::<2, V, L>(y, quotients, start, &mut sums),
                4 => self.columns::<4, V, L>(y, quotients, start, &mut sums),
                6 => self.columns::<6, V, L>(y, quotients, start, &mut sums),
                8 => self.columns::<8, V, L>(y, quotients, start, &mut sums),
                10 => self.columns::<10, V, L>(y, quotients, start, &mut sums),
                _ => self.columns::<GROUP, V, L>(y, quotients, start, &mut sums),
            }
            for pair in (0..width).step_by(2) {
                for v in 0..V {
                    let (low, up) = carried(sums[pair][v] + carries[v]);
                    let (high, up) = carried(sums[pair + 1][v] + up);
                    digits[(start + pair) / 2][v] = high.mul_add(L::splat(power(COLUMN_BITS)), low);
                    carries[v] = up;
                }
            }
            start += width;
        }
    }

    /// Of the integers `Σ columns[i]·2^(24i)` the remainders `x` modulo `M` with
    /// `|x| <= M/2·(1 − 2^-30)`, in digits as [`digits`](Self::digits) writes them. `V` registers
    /// of them.
    ///
    /// For columns, two for each digit, that are integers up to `2^52` in magnitude, and sums up to
    /// `2^18·M`: then the quotient by `M`, computed from all columns, is off by less than `2^-31`
    /// before it is rounded, and what is taken off a column stays below `2^46`.
    #[inline(always)]
    pub fn remainder_digits<const V: usize, L: Lane>(
        &self,
        columns: &[[L; V]],
        digits: &mut [[L; V]],
    ) {
        let mut quotients = [L::splat(0.0); V];
        for (columns, &share) in columns.iter().zip(&self.shares) {
            for (quotient, &column) in quotients.iter_mut().zip(columns) {
                *quotient = column.mul_add(L::splat(share), *quotient);
            }
        }
        for quotient in &mut quotients {
            *quotient = quotient.round_small();
        }
        let mut carries = [L::splat(0.0); V];
        let pairs = columns.chunks_exact(2).zip(self.product.chunks_exact(2));
        for ((columns, product), digits) in pairs.zip(digits) {
            for v in 0..V {
                let sum = |i: usize, carry: L| {
                    quotients[v].mul_add(L::splat(product[i]), columns[i][v]) + carry
                };
                let (low, up) = carried(sum(0, carries[v]));
                let (high, up) = carried(sum(1, up));
                digits[v] = high.mul_add(L::splat(power(COLUMN_BITS)), low);
                carries[v] = up;
            }
        }
    }

    /// Sums of the columns `start..start + WIDTH`.
    #[inline(always)]
    fn columns<const WIDTH: usize, const V: usize, L: Lane>(
        &self,
        y: &[[L; V]],
        quotients: [L; V],
        start: usize,
        to: &mut [[L; V]; GROUP],
    ) {
        let columns = self.product.len();
        let mut sums = [[L::splat(0.0); V]; WIDTH];
        for (sums, &x) in sums.iter_mut().zip(&self.product[start..start + WIDTH]) {
            for (sum, quotient) in sums.iter_mut().zip(quotients) {
                *sum = quotient * L::splat(x);
            }
        }
        for (y, weights) in y.iter().zip(self.weights.chunks_exact(columns)) {
            let weights = &weights[start..start + WIDTH];
            for (sums, &weight) in sums.iter_mut().zip(weights) {
                let weight = L::splat(weight);
                for (sum, &y) in sums.iter_mut().zip(y) {
                    *sum = y.mul_add(weight, *sum);
                }
            }
        }
        to[..WIDTH].copy_from_slice(&sums);
    }

    /// The numbers `Σ digits[i]·2^(48i)` in `N` limbs: each the rounded sum of what the limbs
    /// before it left, summed from the lowest digit up, in normal form. `V` registers of them.
    ///
    /// Within `2^-105`, `2^-157`, `2^-210` of the number for 2, 3, 4 limbs. For at most 20 digits.
    /// Overwrites the digits.
    #[inline(always)]
    pub fn limbs<const N: usize, const V: usize, L: Lane>(digits: &mut [[L; V]]) -> [[L; N]; V] {
        debug_assert!(digits.len() <= 20, "a digit beyond the range of f64");
        for (i, digits) in digits.iter_mut().enumerate() {
            for digit in digits {
                *digit = *digit * L::splat(power(48 * i as u32));
            }
        }
        let mut numbers = [[L::splat(0.0); N]; V];
        for l in 0..N {
            // A digit is zero or not less in magnitude than the sum of those below it; so is an
            // error left behind.
            let mut sums = [L::splat(0.0); V];
            for digits in digits.iter_mut() {
                for (sum, digit) in sums.iter_mut().zip(digits) {
                    let error;
                    (*sum, error) = fast_two_sum(*digit, *sum);
                    *digit = error;
                }
            }
            for (limbs, sum) in numbers.iter_mut().zip(sums) {
                limbs[l] = sum;
            }
        }
        for limbs in &mut numbers {
            for l in 1..N {
                (limbs[l - 1], limbs[l]) = fast_two_sum(limbs[l - 1], limbs[l]);
            }
        }
        numbers
    }
}

/// `x` as a balanced digit to base `2^24`, from `−2^23 + 1` to `2^23`, and what goes to the next:
/// `(digit, carry)`.
///
/// The digits are those of the integer alone, since half is taken off, so that no carry is near a
/// tie.
#[inline(always)]
fn carried<L: Lane>(x: L) -> (L, L) {
    let carry = x
        .mul_add(L::splat(1.0 / power(COLUMN_BITS)), L::splat(-0.5 / power(COLUMN_BITS)))
        .round_small();
    (carry.mul_add(L::splat(-power(COLUMN_BITS)), x), carry)
}

/// The bytes of columns of 24 bits.
fn bytes(columns: impl Iterator<Item = f64>) -> Vec<u8> {
    columns.flat_map(|column| (column as u32).to_le_bytes().into_iter().take(3)).collect()
}

/// `a⁻¹ mod m` by Euclid's algorithm, for coprime numbers.
pub(super) fn inverse(a: u32, m: u32) -> u32 {
    let (mut r, mut next_r) = (i64::from(m), i64::from(a % m));
    let (mut t, mut next_t) = (0_i64, 1_i64);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(i64::from(m)) as u32
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use num_bigint::BigInt;

    use super::*;
    use crate::decimal::testing::Random;

    fn integer(digits: &[[f64; 1]]) -> BigInt {
        digits.iter().rev().fold(BigInt::ZERO, |x, &[d]| (x << 48) + d as i64)
    }

    /// The exact value of limbs that are integers.
    fn value(limbs: &[f64]) -> BigInt {
        let whole = |x: f64| {
            let e = (x.abs().log2() as i32 - 60).max(0);
            BigInt::from((x / 2_f64.powi(e)) as i128) << e
        };
        limbs.iter().map(|&x| if x == 0.0 { BigInt::ZERO } else { whole(x) }).sum()
    }

    fn residue(x: &BigInt, m: u32) -> f64 {
        let r = (x % m + m) % m;
        u32::try_from(r).map(f64::from).unwrap()
    }

    fn sets() -> Vec<Moduli> {
        let mut sets: Vec<Moduli> =
            [10, 53, 226, 341, 440, 862].map(|bits| Moduli::bytes(bits).unwrap()).into();
        sets.extend([60, 226, 440].map(|bits| Moduli::floats(bits, 1024).unwrap()));
        sets.push(Moduli::new(vec![5, 7, 9]).unwrap());
        sets.push(Moduli::new(vec![2, 4_194_301]).unwrap());
        sets
    }

    #[test]
    fn integers_come_back_from_their_residues() {
        let mut random = Random::new(7);
        for moduli in sets() {
            let crt = Crt::new(moduli);
            let product: BigInt = crt.moduli().values().iter().map(|&m| BigInt::from(m)).product();
            let limit: BigInt = (&product >> 1) - (&product >> 30) - 1;
            let mut digits = vec![[0.0]; crt.digit_count()];
            for round in 0..300 {
                let mut x = (0..16).fold(BigInt::ZERO, |x, _| (x << 64) + random.next());
                x = match round {
                    0 => BigInt::ZERO,
                    1 => limit.clone(),
                    2 => -limit.clone(),
                    3 => BigInt::from(1),
                    4 => BigInt::from(-1),
                    _ => {
                        (x % (&limit * 2 + 1) - &limit)
                            >> (round % 7 * crt.moduli().bits() as usize / 8)
                    }
                };
                let y: Vec<[f64; 1]> = crt
                    .moduli()
                    .values()
                    .iter()
                    .zip(crt.inverses())
                    .map(|(&m, &inverse)| {
                        let y = (residue(&x, m) * f64::from(inverse)) % f64::from(m);
                        if 2.0 * y > f64::from(m) { [y - f64::from(m)] } else { [y] }
                    })
                    .collect();
                crt.digits(&y, &mut digits);
                assert_eq!(integer(&digits), x);
                if crt.moduli().values().iter().all(|&m| m <= Moduli::LARGEST_OF_ONE_BYTE) {
                    let mut again = vec![[0.0]; crt.digit_count()];
                    crt.remainder_digits(&columns(&crt, &x), &mut again);
                    assert_eq!(again, digits);
                }
                assert!(digits.iter().all(|[d]| d.abs() <= power(47)));
                near::<1>(&digits, &x);
                near::<2>(&digits, &x);
                near::<3>(&digits, &x);
                near::<4>(&digits, &x);
            }
        }
    }

    /// Columns whose sum has the remainder `x`.
    fn columns(crt: &Crt, x: &BigInt) -> Vec<[f64; 1]> {
        let mut columns = vec![[0.0]; 2 * crt.digit_count()];
        for (index, &m) in crt.moduli().values().iter().enumerate() {
            let residue = residue(x, m);
            let residue =
                if 2.0 * residue > f64::from(m) { residue - f64::from(m) } else { residue };
            let bytes = crt.basis_bytes(index, 1);
            for (column, bytes) in columns.iter_mut().zip(bytes.chunks_exact(3)) {
                let [low, middle, high] = [bytes[0], bytes[1], bytes[2]].map(f64::from);
                column[0] += residue * (low + 256.0 * middle + 65_536.0 * high);
            }
        }
        columns
    }

    fn near<const N: usize>(digits: &[[f64; 1]], x: &BigInt) {
        let [limbs] = Crt::limbs::<N, 1, f64>(&mut digits.to_vec());
        for pair in limbs.windows(2) {
            assert_eq!(pair[0] + pair[1], pair[0], "{limbs:?}");
        }
        let error = value(&limbs) - x;
        let unit = [0, 52, 105, 157, 210][N];
        assert!(error.magnitude() << unit <= *x.magnitude(), "{limbs:?} for {x}");
    }

    #[test]
    fn inverses() {
        for m in [3_u32, 256, 255, 16_253, 4_194_301] {
            for a in (1..m).filter(|&a| a % 7 == 1 && (m % 2 == 1 || a % 2 == 1)).take(500) {
                if m == 255 && (a % 3 == 0 || a % 5 == 0 || a % 17 == 0) {
                    continue;
                }
                assert_eq!(
                    u64::from(a) * u64::from(inverse(a, m)) % u64::from(m),
                    1,
                    "{a} mod {m}"
                );
            }
        }
    }
}
