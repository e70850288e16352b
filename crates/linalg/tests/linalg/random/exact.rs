//! Numbers `m·2^e` of any length, and linear algebra without rounding.
//!
//! Elimination is that of E. H. Bareiss (*Sylvester's identity and multistep integer-preserving
//! Gaussian elimination*, Math. Comp. 22, 1968): all its divisions are exact, in integers and so in
//! these numbers, whose `m` is odd.

use std::ops::{Add, Mul, Neg, Sub};

use nonius_linalg::mp::MpRef;
use nonius_linalg::{Matrix, Scalar};
use num_bigint::{BigInt, Sign};

/// A bound of the error of a sum of up to eight rounded logarithms to base two, each below 2³⁰.
pub(crate) const OF_LOGARITHMS: f64 = 8.0 * (1 << 30) as f64 * f64::EPSILON / 2.0;

/// `m·2^e`, `m` odd or zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exact {
    m: BigInt,
    e: i64,
}

impl Exact {
    pub(crate) fn new(m: BigInt, e: i64) -> Self {
        match m.trailing_zeros() {
            None => Self { m, e: 0 },
            Some(zeros) => Self { m: m >> zeros, e: e + zeros as i64 },
        }
    }

    pub(crate) fn zero() -> Self {
        Self::new(BigInt::from(0), 0)
    }

    pub(crate) fn one() -> Self {
        Self::new(BigInt::from(1), 0)
    }

    pub(crate) fn power(e: i64) -> Self {
        Self::new(BigInt::from(1), e)
    }

    /// The value of a finite number.
    pub(crate) fn of_f64(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
        let (m, e) = match biased {
            0 => (fraction, -1074),
            biased => (fraction | 1 << 52, biased - 1075),
        };
        Self::new(BigInt::from(if x < 0.0 { -m } else { m }), e)
    }

    pub(crate) fn of<T: Scalar>(x: T) -> Self {
        (0..T::LIMBS).fold(Self::zero(), |sum, l| sum + Self::of_f64(x.limb(l)))
    }

    pub(crate) fn of_mp(x: MpRef<'_>) -> Self {
        let Some(e) = x.head().exponent() else { return Self::zero() };
        let digits: Vec<u32> =
            x.words().iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        let sign = if x.head().is_negative() { Sign::Minus } else { Sign::Plus };
        let unit = i64::from(e) - 64 * x.words().len() as i64;
        Self::new(BigInt::from_slice(sign, &digits), unit)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match self.m.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    pub(crate) fn abs(&self) -> Self {
        if self.sign() < 0 { -self.clone() } else { self.clone() }
    }

    pub(crate) fn less(&self, other: &Self) -> bool {
        (other - self).sign() > 0
    }

    /// The quotient, where it is such a number.
    fn over(&self, y: &Self) -> Self {
        let m = &self.m / &y.m;
        assert!(&m * &y.m == self.m, "the division is exact");
        Self::new(m, self.e - y.e)
    }

    /// The binary logarithm of the magnitude, to a few units of `f64`; −∞ for zero.
    pub(crate) fn log2(&self) -> f64 {
        let bits = self.m.bits() as i64;
        if bits == 0 {
            return f64::NEG_INFINITY;
        }
        let cut = (bits - 60).max(0);
        let leading = (self.m.magnitude() >> cut as u64).iter_u64_digits().next().unwrap_or(0);
        (leading as f64).log2() + (cut + self.e) as f64
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        if self.is_zero() {
            return y;
        }
        if y.is_zero() {
            return self;
        }
        let (high, low) = if self.e >= y.e { (self, y) } else { (y, self) };
        let e = low.e;
        Self::new((high.m << (high.e - e) as u64) + low.m, e)
    }
}

impl Neg for Exact {
    type Output = Self;

    fn neg(self) -> Self {
        Self { m: -self.m, e: self.e }
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, y: &Exact) -> Exact {
        self.clone() + -y.clone()
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, y: &Exact) -> Exact {
        Exact::new(&self.m * &y.m, self.e + y.e)
    }
}

/// A matrix by its rows.
pub(crate) type Rows = Vec<Vec<Exact>>;

pub(crate) fn rows<T: Scalar>(a: &Matrix<T>) -> Rows {
    let row = |i: usize| (0..a.cols()).map(|j| Exact::of(a[(i, j)])).collect();
    (0..a.rows()).map(row).collect()
}

pub(crate) fn transposed(a: &Rows, cols: usize) -> Rows {
    (0..cols).map(|j| a.iter().map(|row| row[j].clone()).collect()).collect()
}

pub(crate) fn dot(x: &[Exact], y: &[Exact]) -> Exact {
    x.iter().zip(y).fold(Exact::zero(), |sum, (x, y)| sum + x * y)
}

/// `A·B` with `B` by its columns.
pub(crate) fn product(a: &Rows, columns: &Rows) -> Rows {
    a.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect()
}

/// The solution of a square system: numerators, which the determinant divides.
pub(crate) struct Solved {
    pub(crate) determinant: Exact,
    /// By rows; empty where the determinant is zero.
    pub(crate) numerators: Rows,
}

/// Gauss–Jordan elimination without fractions.
pub(crate) fn solve(a: &Rows, b: &Rows) -> Solved {
    let n = a.len();
    let mut rows: Rows =
        a.iter().zip(b).map(|(a, b)| a.iter().chain(b).cloned().collect()).collect();
    let (mut before, mut negative) = (Exact::one(), false);
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| !rows[i][k].is_zero()) else {
            return Solved { determinant: Exact::zero(), numerators: Vec::new() };
        };
        negative ^= pivot != k;
        rows.swap(k, pivot);
        let top = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != k) {
            let factor = row[k].clone();
            for (x, t) in row.iter_mut().zip(&top) {
                *x = (&(&top[k] * &*x) - &(&factor * t)).over(&before);
            }
        }
        before = top[k].clone();
    }
    // All pivots are the determinant of the matrix with its rows exchanged.
    let numerators = rows.into_iter().map(|row| row[n..].to_vec()).collect();
    let Solved { determinant, numerators } = Solved { determinant: before, numerators };
    let sign = |x: Exact| if negative { -x } else { x };
    let numerators =
        numerators.into_iter().map(|row: Vec<Exact>| row.into_iter().map(sign).collect());
    Solved { determinant: sign(determinant), numerators: numerators.collect() }
}

/// `log2` of the largest `|x_i − y_i|` of column `j`, and of the largest `|x_i|`: those of a
/// solution and of numbers.
pub(crate) fn distance(solved: &Solved, j: usize, y: impl Fn(usize) -> Exact) -> (f64, f64) {
    let below = solved.determinant.log2();
    let mut found = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (i, row) in solved.numerators.iter().enumerate() {
        let error = &row[j] - &(&y(i) * &solved.determinant);
        found.0 = found.0.max(error.log2() - below);
        found.1 = found.1.max(row[j].log2() - below);
    }
    found
}

/// How many eigenvalues of a symmetric matrix are above `x`: changes of sign in the coefficients of
/// its characteristic polynomial about `x` (Descartes; exact where all roots are real). The
/// polynomial is that of `A − x·I` at 0 (S. J. Berkowitz, *On computing the determinant in small
/// parallel time using a small number of processors*, Inf. Process. Lett. 18, 1984).
pub(crate) fn count_above(a: &Rows, x: &Exact) -> usize {
    let mut shifted = a.clone();
    shifted.iter_mut().enumerate().for_each(|(i, row)| row[i] = &row[i] - x);
    let coefficients = characteristic(&shifted);
    let signs: Vec<i32> = coefficients.iter().map(Exact::sign).filter(|&sign| sign != 0).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The coefficients of `det(λI − A)`, the highest first.
fn characteristic(a: &Rows) -> Vec<Exact> {
    let mut found = vec![Exact::one()];
    for r in 0..a.len() {
        // The first column of the Toeplitz matrix for the leading square of order r + 1.
        let column: Vec<Exact> = (0..r).map(|i| a[i][r].clone()).collect();
        let mut image = column;
        let mut toeplitz = vec![Exact::one(), -a[r][r].clone()];
        for _ in 0..r {
            toeplitz.push(-dot(&a[r][..r], &image));
            image = (0..r).map(|i| dot(&a[i][..r], &image)).collect();
        }
        let entry = |i: usize| {
            let terms = (0..found.len()).filter(|&k| k <= i && i - k < toeplitz.len());
            terms.fold(Exact::zero(), |sum, k| sum + &toeplitz[i - k] * &found[k])
        };
        found = (0..r + 2).map(entry).collect();
    }
    found
}

#[test]
fn known_values() {
    let number = |x: i64| Exact::new(BigInt::from(x), 0);
    let a: Rows = [[2, 1], [1, 2]].iter().map(|row| row.map(number).to_vec()).collect();
    let counts = [0, 1, 2, 3].map(|x| count_above(&a, &number(x)));
    assert_eq!(counts, [2, 1, 1, 0]);
    let b: Rows = vec![vec![number(3)], vec![number(0)]];
    let solved = solve(&a, &b);
    assert_eq!((solved.determinant, solved.numerators[1][0].clone()), (number(3), number(-3)));
    assert_eq!(Exact::of_f64(-0.375), Exact::new(BigInt::from(-3), -3));
    assert_eq!(Exact::of_f64(5e-324).log2(), -1074.0);
}

/// The exponents of the largest and the smallest entry, one less the other.
pub(crate) fn spread<T: Scalar>(a: &Matrix<T>) -> i32 {
    let sizes = a.as_slice().iter().filter(|&&x| x != T::ZERO).map(|x| x.to_f64().abs().log2());
    let (least, most) = sizes.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    if least > most { 0 } else { (most - least) as i32 }
}
