//! Rank modulo a prime: a lower bound of the rank of a matrix with exact entries.
//!
//! Entries are integers times powers of two, and scaling rows and columns by powers of two does not
//! change the rank. A matrix that is nonsingular modulo a prime is nonsingular. One that is
//! singular modulo two fixed primes, of 60 and 61 bits, is singular, or its determinant is a
//! multiple of both: nothing is claimed from that but that it is not worth more work.

use nonius_num::mp::MpRef;

use crate::mp;
use crate::threads::{Grain, for_each, map};

/// Multiplications that a proof of singularity may take, some seconds.
const WORK: usize = 1 << 29;

/// The largest primes below `2^61` and `2^60`.
const PRIMES: [u64; 2] = [(1 << 61) - 1, (1 << 60) - 93];

/// The rank modulo the first prime, or the second where that is larger; looked for only where the
/// first shows a deficiency.
pub(super) fn rank(a: &mp::Matrix) -> usize {
    let n = a.rows().min(a.cols());
    let first = rank_modulo(a, PRIMES[0]);
    if first == n { n } else { first.max(rank_modulo(a, PRIMES[1])) }
}

/// Whether a square matrix is singular modulo primes whose product exceeds `2^bits`; not looked
/// into where that takes too long. Then a determinant that is an integer below that in magnitude is
/// zero.
pub(super) fn is_singular_modulo(a: &mp::Matrix, bits: i64) -> bool {
    let n = a.rows();
    // Each of the primes exceeds 2^60.
    let Ok(count) = usize::try_from(bits.max(0) / 60 + 1) else { return false };
    let work = (n * n).checked_mul(n).and_then(|all| (all / 3).checked_mul(count));
    if work.is_none_or(|work| work > WORK) {
        return false;
    }
    let candidates = (0..).map(|k| PRIMES[0] - 2 * k);
    candidates.filter(|&p| is_prime(p)).take(count).all(|p| rank_modulo(a, p) < n)
}

/// Whether an odd number below `2^63` and above 40 is a prime: the test of Miller and Rabin, with
/// the bases that decide for all numbers of 64 bits (Sorenson and Webster, *Strong pseudoprimes to
/// twelve prime bases*, Math. Comp. 86, 2017).
fn is_prime(p: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let twos = (p - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (p - 1) >> twos, p);
        if x == 1 || x == p - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = multiply(x, x, p);
            x == p - 1
        })
    })
}

fn multiply(x: u64, y: u64, p: u64) -> u64 {
    (u128::from(x) * u128::from(y) % u128::from(p)) as u64
}

fn power(mut x: u64, mut k: u64, p: u64) -> u64 {
    let mut result = 1;
    while k > 0 {
        if k & 1 == 1 {
            result = multiply(result, x, p);
        }
        x = multiply(x, x, p);
        k >>= 1;
    }
    result
}

/// The residue of a finite number, whose powers of two have inverses.
fn residue(x: MpRef<'_>, p: u64) -> u64 {
    let Some(e) = x.head().exponent() else { return 0 };
    let number = x.words().iter().rev().fold(0_u64, |rest, &word| {
        ((u128::from(rest) << 64 | u128::from(word)) % u128::from(p)) as u64
    });
    let unit = i64::from(e) - 64 * x.words().len() as i64;
    // 2^(p − 1) = 1
    let shift = unit.rem_euclid(p as i64 - 1) as u64;
    let value = multiply(number, power(2, shift, p), p);
    if x.head().is_negative() && value > 0 { p - value } else { value }
}

fn rank_modulo(a: &mp::Matrix, p: u64) -> usize {
    // Columns of the transpose are as good as rows.
    let column = |j: usize| (0..a.rows()).map(|i| residue(a.entry(i, j), p)).collect();
    let mut lines: Vec<Vec<u64>> = map(a.cols(), Grain::ANY, column);
    let mut rank = 0;
    for place in 0..a.rows() {
        let Some(pivot) = (rank..lines.len()).find(|&i| lines[i][place] != 0) else { continue };
        lines.swap(rank, pivot);
        let (done, rest) = lines.split_at_mut(rank + 1);
        let Some(top) = done.last() else { break };
        let inverse = power(top[place], p - 2, p);
        for_each(rest, Grain::AtLeast(16), |_, line| {
            if line[place] == 0 {
                return;
            }
            let factor = p - multiply(line[place], inverse, p);
            for (x, t) in line[place..].iter_mut().zip(&top[place..]) {
                *x =
                    ((u128::from(factor) * u128::from(*t) + u128::from(*x)) % u128::from(p)) as u64;
            }
        });
        rank += 1;
        if rank == lines.len() {
            break;
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::{Bits, Mp};

    use super::*;

    fn matrix(n: usize, f: impl Fn(usize, usize) -> f64) -> mp::Matrix {
        let bits = Bits::new(64).unwrap();
        mp::Matrix::from_fn_in(bits, n, n, |i, j| Mp::from_f64(bits, f(i, j)))
    }

    #[test]
    fn primes_are_told() {
        assert!(PRIMES.into_iter().all(is_prime));
        let below: Vec<u64> = (0..2000).map(|k| 41 + 2 * k).filter(|&p| is_prime(p)).collect();
        let by_division = (0..2000).map(|k| 41 + 2 * k);
        let by_division = by_division.filter(|p| (3..=63_u64).all(|d| p % d != 0 || *p == d));
        assert!(below.into_iter().eq(by_division));
    }

    #[test]
    fn ranks_of_integers_and_of_fractions() {
        assert_eq!(rank(&matrix(3, |i, j| (3 * i + j + 1) as f64)), 2);
        assert_eq!(
            rank(&matrix(3, |i, j| (3 * i + j + 1) as f64 * 2.0_f64.powi(7 - 40 * i as i32))),
            2
        );
        assert_eq!(rank(&matrix(4, |i, j| if i == j { -0.375 } else { 1.0 })), 4);
        assert_eq!(rank(&matrix(5, |_, _| 0.0)), 0);
        assert_eq!(rank(&matrix(6, |i, j| ((i + 1) * (j + 2)) as f64)), 1);
        // Singular modulo the first prime alone.
        let p = PRIMES[0] as f64 + 1.0;
        let near = matrix(2, |i, j| [[p, 1.0], [1.0, 1.0]][i][j]);
        assert_eq!(rank_modulo(&near, PRIMES[0]), 1);
        assert_eq!(rank(&near), 2);
    }
}
