//! Symmetric positive definite systems, by Cholesky factors in `f64` that prove a bound of the
//! least eigenvalue.
//!
//! **Theorem** (S. M. Rump, *Verification of positive definiteness*, BIT 46, 2006). Let `A` be
//! symmetric and `L·Lᵀ` differ from `A − c·I` by `E`. Since `L·Lᵀ` has no negative eigenvalue,
//! `λ_min(A) >= c − ‖E‖₂`. Where the numbers given differ from those held by `Δ`, their least
//! singular value is at least `σ = c − ‖E‖₂ − ‖Δ‖₂`, and for every `y` the solution `x` of what is
//! given satisfies `‖x − y‖_∞ <= ‖b − A·y‖₂/σ`.
//!
//! **Rounding.** `|E| <= (2n + 32)·u·|L||Lᵀ|`, entrywise ([`Cholesky`], with one rounding for each
//! product, each sum and each block). The 2-norm of that is at most `(2n + 32)·u` times `‖L‖_F²`,
//! which is the trace of `A − c·I` but for such an error, and times the ∞-norm of `|L||Lᵀ|`.
//! Rounding `A` to `f64` adds `2^-52·|A|`. What corrects are factors of `A`, of which nothing is
//! asked: the residual that a correction leaves is bounded after it was computed.

use nonius_num::{Fixed, Real};

use super::host::cpu;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::residual::Residual;
use super::system::{FLUSHED, System, to_f64};
use crate::dense::Cholesky;
use crate::dense::condition::inverse_norm_estimate;
use crate::threads::{Grain, map};
use crate::{Error, Matrix};

/// A matrix proved to be positive definite.
pub(super) struct Definite {
    /// `A′` in `f64`.
    a: Matrix<f64>,
    factors: Cholesky<f64>,
    /// An upper bound of `1/σ`.
    pub(super) inverse: Magnitude,
    /// `ε`
    given: f64,
}

/// A correction `z·2^e` of an approximation.
pub(super) struct Corrected {
    pub(super) z: Matrix<f64>,
    pub(super) e: i64,
    /// A bound of the 2-norm of the residual that it leaves, but for the errors of the residual
    /// that it was made for.
    pub(super) left: Magnitude,
}

/// A factor larger than what the roundings of a sum of `n` nonnegative numbers take away.
fn up(n: usize) -> f64 {
    1.0 + 4.0 * (n as f64 + 8.0) * f64::EPSILON
}

/// The factors, found by a machine; `None` where there are none.
fn factored<M: Machine>(machine: &M, a: &Matrix<f64>) -> Result<Option<Cholesky<f64>>, Error> {
    match Cholesky::new(machine.clone(), machine.upload(a.view())) {
        Ok(factors) => factors.to_host(cpu()).map(Some),
        Err(Error::NotPositiveDefinite { .. } | Error::Overflow { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A bound of `‖|L||Lᵀ|‖_∞`.
fn product_of_magnitudes(factors: &Cholesky<f64>) -> Result<f64, Error> {
    let lower = factors.lower()?;
    let n = lower.rows();
    let sum = |j: usize| lower.col(j).iter().map(|x| x.abs()).sum::<f64>() * up(n);
    let columns: Vec<f64> = (0..n).map(sum).collect();
    let rows = cpu().row_sums(lower.view(), &columns)?;
    Ok(rows.into_iter().fold(0.0, f64::max) * up(n))
}

impl Definite {
    /// Factors the matrix, and once more with about a quarter of its least eigenvalue less on the
    /// diagonal; `None` where nothing is proved.
    pub(super) fn new<M: Machine>(machine: &M, system: &System) -> Result<Option<Self>, Error> {
        if !system.symmetric {
            return Ok(None);
        }
        let n = system.order();
        let (host, up) = (cpu(), up(n));
        let a = host.nearest(&system.rows)?;
        let norm = host.row_sums(a.view(), &vec![1.0; n])?.into_iter().fold(0.0, f64::max) * up;
        let trace = (0..n).map(|i| a[(i, i)]).sum::<f64>() * up;
        let given = system.matrix_error;
        let given = if given.is_zero() { 0.0 } else { given.to_f64() };
        // Of A in f64, of its diagonal, which is below 1 as is what is subtracted, and of what
        // underflows.
        let small = 2.0 * f64::UNIT_ROUNDOFF + n as f64 * (FLUSHED + f64::MIN_POSITIVE);
        let beside = (f64::EPSILON + given) * norm + small;
        let Some(factors) = factored(machine, &a)? else { return Ok(None) };
        let estimate = inverse_norm_estimate((), n, |_, x: &Matrix<f64>| factors.solve(x.view()));
        let shift = 0.25 / estimate;
        // A bound by the trace may do without the factors.
        let unit = (2.0 * n as f64 + 32.0) * f64::UNIT_ROUNDOFF;
        let mut error = (1.01 * unit * trace + beside) * up;
        let enough = |error: f64| error < 0.5 * shift;
        if !enough(error) && !enough((unit * product_of_magnitudes(&factors)? + beside) * up) {
            return Ok(None);
        }
        let mut shifted = a.clone();
        (0..n).for_each(|i| shifted[(i, i)] -= shift);
        let Some(below) = factored(machine, &shifted)? else { return Ok(None) };
        if !enough(error) {
            error = (unit * product_of_magnitudes(&below)? + beside) * up;
        }
        if !enough(error) {
            return Ok(None);
        }
        // A few roundings.
        let inverse = 1.0 / (shift - error) * (1.0 + 16.0 * f64::EPSILON);
        Ok(Some(Self { a, factors, inverse: Magnitude::new(inverse, 0), given }))
    }

    /// The correction for a residual; `None` where there is no finite one.
    pub(super) fn correct(&self, r: &Residual) -> Result<Option<Corrected>, Error> {
        let n = self.a.rows();
        let Some(e) = r.largest.exponent() else { return Ok(None) };
        let v = Matrix::from_fn(n, 1, |i, _| to_f64(r.values.entry(i, 0), -e));
        let z = self.factors.solve(v.view())?;
        let largest = z.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if !z.as_slice().iter().all(|x| x.is_finite()) {
            return Ok(None);
        }
        let relative = super::sum_error(n) + 2.0 * f64::EPSILON + self.given;
        let floor = n as f64 * (FLUSHED * (largest + 1.0) + f64::MIN_POSITIVE);
        // Row i of A is column i.
        let left: Vec<f64> = map(n, Grain::AtLeast(64), |i| {
            let terms = self.a.col(i).iter().zip(z.as_slice()).map(|(a, z)| a * z);
            let (sum, sizes) = terms.fold((0.0, 0.0), |(sum, sizes), x| (sum + x, sizes + x.abs()));
            let rest = (v[(i, 0)] - sum).abs();
            let size = sizes + rest + v[(i, 0)].abs();
            (rest + relative * size + floor) * up(n)
        });
        let most = left.iter().copied().fold(0.0, f64::max);
        let square: f64 = left.iter().map(|x| (x / most) * (x / most)).sum();
        let left = Magnitude::new(most * (square * up(n)).sqrt() * up(n), e);
        Ok(Some(Corrected { z, e, left }))
    }

    /// `‖A‖_∞·‖A^-1‖_∞` of the matrix before scaling, with an estimate of the second, seldom less
    /// than a third of it.
    pub(super) fn condition(&self, system: &System) -> Magnitude {
        let n = self.a.rows();
        let greatest = system.row_scales.iter().copied().max().unwrap_or(0);
        let power = |&scale: &i64| 1.0_f64.ldexp((scale - greatest).max(-2000) as i32);
        let scales: Vec<f64> = system.row_scales.iter().map(power).collect();
        // D·A′^-1·D is symmetric.
        let estimate = inverse_norm_estimate((), n, |_, x: &Matrix<f64>| {
            let scaled = Matrix::from_fn(n, 1, |i, _| x[(i, 0)] * scales[i]);
            let y = self.factors.solve(scaled.view())?;
            Ok(Matrix::from_fn(n, 1, |i, _| y[(i, 0)] * scales[i]))
        });
        system.norm.times(Magnitude::new(estimate, 2 * greatest))
    }
}
