//! Determinants, whose exponents exceed those of the numbers they are computed from.
//!
//! **Error.** Let factors be exact for `A + E`. Then `det(A + E) = det A·det(I + A⁻¹E)`, and where
//! `|A⁻¹||E|·e <= ε·e` for the vector `e` of ones, the relative change is at most `(1 + ε)^n − 1`,
//! next to `n·ε`. With `|E|` of factors within `n·u·|L||U|` (Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 2nd ed., Theorem 9.3) and of entries rounded within `u·|A|`, the estimate
//! is `n·‖A⁻¹·diag(g)‖_∞` with `g` the row sums of both, and `n·u` for the product of the pivots.
//! Scales of rows and columns do not matter: they are taken out.

use core::ops::Neg;

use super::balance::{Balanced, Rights};
use super::condition::inverse_norm_estimate;
use super::factors::Factors;
use super::forward::{condition, trusted};
use super::{Cholesky, Lu, Transpose};
use crate::backend::{Dense, Reading, Task};
use crate::{Error, MatRef, Matrix, Number, Size};

/// A determinant and what is known of its quality.
#[derive(Clone, Copy, Debug)]
pub struct FoundDeterminant<T> {
    /// The determinant; zero where elimination meets no other pivot.
    pub value: Determinant<T>,
    /// An estimate of `κ₁(A)`; infinite where elimination meets a zero.
    pub condition_estimate: Reading,
    /// An estimate of the relative error; infinite where nothing is known.
    pub error_estimate: Reading,
}

/// The determinant of a square matrix by LU factors on a backend, and how good it is.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::dense::determinant_on;
/// use nonius_num::Qd;
///
/// // The condition number is about 10²⁴: `f64` has no correct digit.
/// let a = Matrix::from_fn(2, 2, |i, j| Qd::from(1e12) + [[1.0, 0.0], [2.0, 1.0]][i][j]);
/// let found = determinant_on(&Cpu::default(), a.view())?;
/// // (n + 1)² − n·(n + 2) = 1
/// assert!((found.value.value() - 1.0).abs().to_f64() < 1e-35);
/// assert!(found.error_estimate < 1e-35);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::NoArithmetic`] where numbers of this type
/// do not have the backend's arithmetic, [`Error::Overflow`] where elimination leaves the range of
/// the format.
pub fn determinant_on<T: Number, B: Dense<T>>(
    backend: &B,
    a: MatRef<'_, T>,
) -> Result<FoundDeterminant<T>, Error> {
    Error::check_square(a.shape())?;
    Error::check_finite("a", a)?;
    let n = a.rows();
    backend.prepare(Task::Eliminate, a.format(), n, 0);
    let none = Matrix::zeros_in(a.format(), n, 0);
    let balanced = Balanced::general(a, Rights::Given(none.view()));
    let factors = match Factors::by_lu(backend, backend.upload(balanced.a())) {
        Ok(factors) => factors,
        Err(Error::Singular { .. }) => {
            let value = Determinant::product([T::ZERO]);
            let infinite = Reading::INFINITY;
            return Ok(FoundDeterminant {
                value,
                condition_estimate: infinite,
                error_estimate: infinite,
            });
        }
        Err(error) => return Err(error),
    };
    let Factors::Lu(lu) = &factors else { unreachable!("factors by LU are LU factors") };
    let solve = |op, b: &Matrix<T>| factors.solve(op, b.view());
    let condition_estimate = condition(a, &balanced, solve).into();
    let sums = sums_of_changes(lu, balanced.a())?;
    let by_sums = |z: &Matrix<T>| {
        Matrix::from_fn_in(a.format(), n, 1, |i, _| T::from_size(sums[i]) * z.at(i, 0))
    };
    // The ∞-norm of A⁻¹·G is the 1-norm of its transpose.
    let of_factors = inverse_norm_estimate(a.format(), n, |op, z| match op {
        Transpose::No => Ok(by_sums(&solve(Transpose::Yes, z)?)),
        Transpose::Yes => solve(Transpose::No, &by_sums(z)),
    });
    let mut value = lu.determinant()?;
    if value.sign() != 0 {
        let scales = balanced.rows.iter().chain(&balanced.cols);
        value.exponent -= scales.map(|&e| i64::from(e)).sum::<i64>();
    }
    let unit = T::unit_roundoff(a.format());
    let error_estimate = trusted(T::Size::from(n as f64) * (of_factors + unit), 1).into();
    Ok(FoundDeterminant { value, condition_estimate, error_estimate })
}

/// `(n·u·|L||U| + u·|P·A|)·e`, by the rows of `A`.
fn sums_of_changes<T: Number, B: Dense<T>>(
    lu: &Lu<T, B>,
    a: MatRef<'_, T>,
) -> Result<Vec<T::Size>, Error> {
    let n = a.rows();
    let packed = lu.packed()?;
    let size = |i: usize, j: usize| packed.at(i, j).size();
    let mut upper = vec![T::Size::ZERO; n];
    for j in 0..n {
        (0..=j).for_each(|i| upper[i] += size(i, j));
    }
    let mut sums = upper.clone();
    for (j, upper) in upper.iter().enumerate() {
        (j + 1..n).for_each(|i| sums[i] += size(i, j) * *upper);
    }
    // Back to the rows of A.
    for (j, &pivot) in lu.pivots().iter().enumerate().rev() {
        sums.swap(j, pivot);
    }
    let unit = T::unit_roundoff(a.format());
    let factor = T::Size::from(n as f64) * unit;
    sums.iter_mut().for_each(|sum| *sum *= factor);
    for j in 0..n {
        for (sum, a) in sums.iter_mut().zip(a.column(j).iter()) {
            *sum += unit * a.size();
        }
    }
    Ok(sums)
}

/// The number `mantissa · 2^exponent`.
///
/// ```
/// use nonius_linalg::dense::Determinant;
///
/// // The product of these exceeds the range of `f64`.
/// let product = Determinant::product([1e300, -1e300, 2.0]);
/// assert_eq!(product.sign(), -1);
/// assert!((product.log2_abs() - 600.0 * 10.0_f64.log2() - 1.0).abs() < 1e-9);
/// assert_eq!(product.value(), f64::NEG_INFINITY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Determinant<T> {
    /// Zero, or of magnitude between 1/2 and 1.
    pub mantissa: T,
    /// The power of two.
    pub exponent: i64,
}

impl<T: Number> Determinant<T> {
    /// The product of finite numbers; no intermediate result overflows or underflows.
    pub fn product(factors: impl IntoIterator<Item = T>) -> Self {
        let one = Self { mantissa: T::ONE, exponent: 0 }.normalized();
        factors.into_iter().fold(one, |product, factor| {
            let factor = Self { mantissa: factor, exponent: 0 }.normalized();
            Self {
                mantissa: product.mantissa * factor.mantissa,
                exponent: product.exponent + factor.exponent,
            }
            .normalized()
        })
    }

    fn normalized(self) -> Self {
        match self.mantissa.exponent() {
            Some(e) => Self {
                mantissa: self.mantissa.ldexp(-e - 1),
                exponent: self.exponent + i64::from(e) + 1,
            },
            None => Self { mantissa: self.mantissa, exponent: 0 },
        }
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        i32::from(self.mantissa > T::ZERO) - i32::from(self.mantissa < T::ZERO)
    }

    /// The number itself; infinite or zero where its exponent is out of range.
    pub fn value(&self) -> T {
        let limit = 1 << 30;
        self.mantissa.ldexp(self.exponent.clamp(-limit, limit) as i32)
    }

    /// `log2 |det|`, −∞ for zero.
    pub fn log2_abs(&self) -> f64 {
        self.exponent as f64 + self.mantissa.to_f64().abs().log2()
    }
}

impl<T: Number> Neg for Determinant<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }
}

impl<T: Number, B: Dense<T>> Lu<T, B> {
    /// The determinant: the product of the pivots with the sign of the permutation.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn determinant(&self) -> Result<Determinant<T>, Error> {
        let packed = self.packed()?;
        let product = Determinant::product((0..self.order()).map(|j| packed.at(j, j)));
        Ok(if self.is_odd() { -product } else { product })
    }
}

impl<T: Number, B: Dense<T>> Cholesky<T, B> {
    /// The determinant: the square of the product of the diagonal.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn determinant(&self) -> Result<Determinant<T>, Error> {
        let lower = self.lower()?;
        let diagonal = (0..2 * lower.rows()).map(|j| lower.at(j / 2, j / 2));
        Ok(Determinant::product(diagonal))
    }
}
