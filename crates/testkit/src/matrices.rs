//! Entries of matrices whose properties are known.

use nonius_num::Real;

/// Entry `(i, j)` of the Hilbert matrix, `1 / (i + j + 1)` counted from 0: symmetric positive
/// definite, with a condition that grows like `e^(3.5 n)`.
pub fn hilbert<T: Real>(format: T::Format, i: usize, j: usize) -> T {
    T::ONE.to_format(format) / T::from_f64((i + j + 1) as f64)
}

/// Entry `(i, j)` of the inverse of the Hilbert matrix of order `n`, an integer, rounded to `f64`
/// (Choi, *Tricks or treats with the Hilbert matrix*, Amer. Math. Monthly 90, 1983).
pub fn hilbert_inverse(n: usize, i: usize, j: usize) -> f64 {
    let choose = |a: usize, b: usize| (1..=b).fold(1.0, |c, k| c * (a - b + k) as f64 / k as f64);
    let sign = if (i + j).is_multiple_of(2) { 1.0 } else { -1.0 };
    sign * (i + j + 1) as f64
        * choose(n + i, n - j - 1)
        * choose(n + j, n - i - 1)
        * choose(i + j, i).powi(2)
}

/// Entry `(i, j)` of Wilkinson's matrix of order `n`, on which partial pivoting lets the last
/// column grow to `2^(n−1)`.
pub fn wilkinson<T: Real>(n: usize, i: usize, j: usize) -> T {
    if j + 1 == n || i == j {
        T::ONE
    } else if i > j {
        -T::ONE
    } else {
        T::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hilbert_and_its_inverse() {
        for n in [1, 2, 5, 8] {
            for i in 0..n {
                for j in 0..n {
                    let sum: f64 =
                        (0..n).map(|k| hilbert::<f64>((), i, k) * hilbert_inverse(n, k, j)).sum();
                    let size: f64 = (0..n)
                        .map(|k| (hilbert::<f64>((), i, k) * hilbert_inverse(n, k, j)).abs())
                        .sum();
                    let expected = f64::from(u8::from(i == j));
                    assert!((sum - expected).abs() <= 40.0 * n as f64 * f64::EPSILON * size);
                }
            }
        }
    }
}
