//! Approximate inverses `R` of `A`, and products with them.
//!
//! The first is computed in `f64`. What follows is Rump's method for matrices of any condition:
//! with `P` next to `R·A`, in `f64`, and `X` an inverse of `P`, the matrix `X·R` is a better one,
//! as long as products are computed with as many bits more as the condition needs (S. M. Rump,
//! *Inversion of extremely ill-conditioned matrices in floating-point*, Japan J. Indust. Appl.
//! Math. 26, 2009). So all factorisations are in `f64`, and products of matrices do the rest; a
//! step gains about 50 bits of condition.

use nonius_num::mp::{Bits, Dot, Mp};

use super::factors::Factors;
use super::machine::{Held, HostRows, Machine};
use super::magnitude::Magnitude;
use super::residual::Residual;
use super::system::{System, to_f64};
use crate::backend::{Cpu, Memory, View};
use crate::dense::Transpose;
use crate::dense::gemm::gemm;
use crate::threads::{Grain, map_with};
use crate::{Error, Matrix, mp};

/// An approximate inverse.
pub(super) enum Inverse<M: Machine> {
    /// With `f64` entries.
    F64(<M as Memory<f64>>::Matrix),
    /// The transpose, with entries of more bits.
    Mp(M::Numbers),
}

/// `Z = R·r` for a column `r`.
pub(super) struct Product {
    /// A column.
    pub(super) values: mp::Matrix,
    /// Row `i` of the exact product differs by less than `unit` times the sum of magnitudes in row
    /// `i` of `R`.
    pub(super) unit: Magnitude,
    /// The same for its rounding.
    pub(super) rounding: Vec<Magnitude>,
}

impl<M: Machine> Inverse<M> {
    /// The inverse of a matrix in `f64`, or of one next to it where elimination meets a zero;
    /// `None` where that has no finite one. Steps take `seed`s of their own, lest the next
    /// perturbation undo the last.
    pub(super) fn of(
        machine: &M,
        a: &<M as Memory<f64>>::Matrix,
        seed: u32,
    ) -> Result<Option<<M as Memory<f64>>::Matrix>, Error> {
        attempts(machine, a, seed, |a| {
            let inverse = machine.inverted(a)?;
            Ok(is_finite(machine, &inverse)?.then_some(inverse))
        })
    }

    /// The bits of its entries.
    pub(super) fn bits(&self) -> Option<Bits> {
        match self {
            Self::F64(_) => None,
            Self::Mp(transpose) => Some(transpose.bits()),
        }
    }

    /// The transpose with entries of `bits` bits.
    pub(super) fn transpose(&self, machine: &M, bits: Bits) -> Result<M::Numbers, Error> {
        match self {
            Self::F64(r) => machine.widened(machine.view(r), bits),
            Self::Mp(transpose) => machine.rounded(transpose, bits),
        }
    }

    /// `X·R`, with `bits` bits.
    pub(super) fn improved(
        &self,
        machine: &M,
        x: &<M as Memory<f64>>::Matrix,
        bits: Bits,
    ) -> Result<Self, Error> {
        let x = machine.widened(machine.view(x), bits)?;
        machine.product(false, &self.transpose(machine, bits)?, &x).map(Self::Mp)
    }

    /// The inverse by elimination with `bits` bits, or this one where elimination meets a zero.
    pub(super) fn eliminated(
        &self,
        machine: &M,
        system: &System,
        bits: Bits,
    ) -> Result<Self, Error> {
        match inverse_of(system.rows.with_bits(bits)) {
            // Of the transpose, as the rows of A are the columns of what was inverted.
            Ok(transpose) => machine.hold(&transpose).map(Self::Mp),
            Err(_) => self.transpose(machine, bits).map(Self::Mp),
        }
    }

    /// The same in the host's memory.
    pub(super) fn fetched(&self, machine: &M) -> Result<Inverse<Cpu>, Error> {
        Ok(match self {
            Self::F64(r) => Inverse::F64(machine.download(machine.view(r))?),
            Self::Mp(transpose) => Inverse::Mp(machine.fetch(transpose)?),
        })
    }
}

/// `A⁻¹` by LU factors, as the product of the inverses of the triangles (J. J. Du Croz and N. J.
/// Higham, *Stability of methods for matrix inversion*, IMA J. Numer. Anal. 12, 1992, method D).
fn inverse_of(a: mp::Matrix) -> Result<mp::Matrix, Error> {
    let factors = Factors::of(a)?;
    let (n, bits) = (factors.order(), factors.packed().bits());
    let [lower, upper] = factors.inverse_triangles(bits);
    let mut product = mp::Matrix::try_zeros_in(bits, n, n)?;
    let (yes, no) = (Transpose::Yes, Transpose::No);
    let (upper, lower) = (upper.view(), lower.view());
    gemm(yes, no, Mp::ONE, upper, lower, Mp::ZERO, product.view_mut())?;
    let mut inverse = mp::Matrix::try_zeros_in(bits, n, n)?;
    for (i, &row) in factors.rows().iter().enumerate() {
        inverse.column_mut(row).copy_from(product.column(i));
    }
    Ok(inverse)
}

impl Inverse<Cpu> {
    /// `R·r`; hosts share the rows of numbers of any precision.
    pub(super) fn apply<M: Machine>(&self, machine: &M, r: &Residual) -> Result<Product, Error> {
        match self {
            Self::F64(inverse) => apply_f64(inverse, r),
            Self::Mp(transpose) => apply_mp(machine, transpose, r),
        }
    }
}

/// What is found for a matrix in `f64`, or for one next to it where that has nothing finite or
/// elimination meets a zero; `None` where none of these has.
pub(super) fn attempts<M: Machine, R>(
    machine: &M,
    a: &<M as Memory<f64>>::Matrix,
    seed: u32,
    found: impl Fn(<M as Memory<f64>>::Ref<'_>) -> Result<Option<R>, Error>,
) -> Result<Option<R>, Error> {
    let mut perturbed = None;
    for attempt in 0..3_u64 {
        match found(machine.view(perturbed.as_ref().unwrap_or(a))) {
            Ok(Some(result)) => return Ok(Some(result)),
            Ok(None) | Err(Error::Singular { .. } | Error::Overflow { .. }) => {
                let a = machine.download(machine.view(a))?;
                let next = perturb(&a, 4 * u64::from(seed) + attempt);
                perturbed = Some(machine.upload(next.view()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn is_finite<M: Machine>(machine: &M, a: &<M as Memory<f64>>::Matrix) -> Result<bool, Error> {
    let maxima = machine.row_sums(machine.view(a), &vec![0.5; machine.view(a).shape().1])?;
    Ok(maxima.iter().all(|x| x.is_finite()))
}

/// The matrix with entries that differ by about a unit in the last place of the largest: for one
/// whose elimination meets a zero.
fn perturb(a: &Matrix<f64>, seed: u64) -> Matrix<f64> {
    let largest = a.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut state = (2 * seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    a.map(|x| {
        // xorshift (Marsaglia 2003): any numbers without structure will do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let unit = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        x + largest * f64::EPSILON * 4.0 * unit
    })
}

/// **Error.** With `r` scaled to at most 1: its rounding to `f64`, `2^-52` or less than `2^-381`;
/// and the sum of `n` products.
fn apply_f64(inverse: &Matrix<f64>, r: &Residual) -> Result<Product, Error> {
    let n = inverse.rows();
    let bits = super::least_bits();
    let mut values = mp::Matrix::zeros_in(bits, n, 1);
    let Some(scale) = r.largest.exponent() else {
        return Ok(Product { values, unit: r.largest, rounding: vec![Magnitude::ZERO; n] });
    };
    let scaled = Matrix::from_fn(n, 1, |i, _| to_f64(r.values.entry(i, 0), -scale));
    let z = super::host::cpu().times(inverse.view(), scaled.view())?;
    for i in 0..n {
        values.put(i, 0, Mp::from_f64(bits, z[(i, 0)]).ldexp(scale as i32).view());
    }
    let unit = super::rounding_f64(n, scale);
    Ok(Product { values, unit, rounding: vec![Magnitude::power(scale - 1000); n] })
}

/// **Error.** That of [`Dot`], as for [residuals](super::residual), and of the rounding of `r` to
/// the bits of the inverse.
fn apply_mp<M: Machine>(
    machine: &M,
    transpose: &mp::Matrix,
    r: &Residual,
) -> Result<Product, Error> {
    let (n, bits) = (transpose.cols(), transpose.bits());
    let p = i64::from(bits.get());
    let r_values = r.values.with_bits(bits);
    let largest_r = r_values.numbers().as_slice().heads().iter().map(|head| head.code()).max();
    let row = |dot: &mut Dot, i: usize| {
        let (a, y) = (transpose.column(i), r_values.column(0));
        let mut s = Mp::zero(bits);
        s.set_dot(dot, (a.heads(), a.words()), (y.heads(), y.words()));
        let largest = a.heads().iter().map(|head| head.code()).max();
        let cut = match (largest, largest_r) {
            (Some(a), Some(y)) => Magnitude::power(i64::from(a) + i64::from(y) - p - 64),
            _ => Magnitude::ZERO,
        };
        let rounding = cut.plus(Magnitude::above(s.view()).shifted(-p));
        (s, [rounding, Magnitude::ZERO])
    };
    let HostRows { values, bounds } = machine.on_hosts(n, &mut |rows| {
        let row = |dot: &mut Dot, i| row(dot, rows.start + i);
        Ok(HostRows::of(bits, map_with(rows.len(), Grain::ANY, || Dot::new(bits), row)))
    })?;
    let rounding = bounds.into_iter().map(|[rounding, _]| rounding).collect();
    Ok(Product { values, unit: r.largest.shifted(-p), rounding })
}
