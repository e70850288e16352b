//! Singular values and vectors.
//!
//! A matrix with more rows than columns is factored as `Q·R` first, and one with fewer is transposed. What is square is made bidiagonal by
//! reflections, and diagonal by plane rotations: the implicit QR method with shifts that are zero where small values would suffer. So the
//! singular values of the bidiagonal matrix come out with small relative errors, all of them, and what errs is the reduction:
//! with `u` the unit roundoff and a modest polynomial `p`, of degree 2 in the bound and about `√n` in practice, the computed values are
//! those of a matrix within `p(m + n)·u·σ₁` of `A`, each within that of the exact one; `‖A·V − U·Σ‖₂` is within it, and `U` and
//! `V` within `p(m + n)·u` of orthonormal columns.
//!
//! One-sided Jacobi rotations would give small values of some matrices (well conditioned but for the sizes of their columns) with small
//! relative errors, in several times the work, and without vectors in ten times; a higher precision gives them for every
//! matrix. Sources: Golub and Kahan (1965); Demmel and Kahan, *Accurate singular values of bidiagonal matrices*, SIAM J. Sci.
//! Stat. Comput. 11 (1990); Chan, *An improved algorithm for computing the singular value decomposition*, ACM Trans. Math. Softw. 8 (1982), for
//! the first step; *LAPACK Users' Guide* (1999), section 4.9.

mod bidiagonalize;
mod iterate;

use self::iterate::Side;
use super::qr::Qr;
use super::residual::largest_exponent;
use super::{Transpose, Vectors};
use crate::backend::{Cpu, Gemm, Schedule};
use crate::cpu::rotate::Bands;
use crate::{Error, MatRef, Matrix, Scalar};

/// `A = U·Σ·Vᵀ` for an `m × n` matrix, with `k = min(m, n)` singular values.
#[derive(Clone, Debug)]
pub struct Svd<T> {
    /// The singular values, in descending order.
    pub values: Vec<T>,
    /// `U`, `m × k`, and `V`, `n × k`, with orthonormal columns, where they are wanted.
    pub vectors: Option<(Matrix<T>, Matrix<T>)>,
}

/// Singular values and vectors of a matrix of any shape, on the host.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::svd;
/// use nonius_num::{Dd, Real};
///
/// let a = Matrix::from_fn(3, 2, |i, j| Dd::from([[3.0, 0.0], [0.0, 0.0], [0.0, -4.0]][i][j]));
/// let found = svd(a.view())?;
/// let bound = 20.0 * Dd::UNIT_ROUNDOFF;
/// assert!((found.values[0] - 4.0).abs().to_f64() < bound);
/// assert!((found.values[1] - 3.0).abs().to_f64() < bound);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// - [`Error::NotFinite`];
/// - [`Error::Overflow`] where a singular value leaves the range of the format;
/// - [`Error::NoConvergence`], which no matrix is known for.
pub fn svd<T: Scalar>(a: MatRef<'_, T>) -> Result<Svd<T>, Error> {
    svd_on(Cpu::default(), a, Vectors::Yes)
}

/// The singular values of a matrix of any shape in descending order, on the host.
///
/// # Errors
/// As [`svd`].
pub fn singular_values<T: Scalar>(a: MatRef<'_, T>) -> Result<Vec<T>, Error> {
    Ok(svd_on(Cpu::default(), a, Vectors::No)?.values)
}

/// [`svd`] with products of matrices computed as the backend says, and vectors where they are wanted.
///
/// # Errors
/// As [`svd`], and [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
pub fn svd_on<T: Scalar>(cpu: Cpu, a: MatRef<'_, T>, vectors: Vectors) -> Result<Svd<T>, Error> {
    Error::check_finite("a", a)?;
    Gemm::<T>::check_products(&cpu)?;
    let exponent = largest_exponent(a).unwrap_or(0);
    let scaled = a.to_matrix().map(|x| x.ldexp(-exponent));
    let found = Schedule::run(&cpu, || {
        if a.rows() >= a.cols() {
            return of_tall(cpu, scaled, vectors);
        }
        let Svd { values, vectors } = of_tall(cpu, scaled.transposed(), vectors)?;
        Ok(Svd { values, vectors: vectors.map(|(u, v)| (v, u)) })
    })?;
    let values: Vec<T> = found.values.into_iter().map(|x| x.ldexp(exponent)).collect();
    if let Some(column) = values.iter().position(|x| !x.is_finite()) {
        return Err(Error::Overflow { operand: "the singular values", column });
    }
    Ok(Svd { values, ..found })
}

fn of_tall<T: Scalar>(cpu: Cpu, a: Matrix<T>, vectors: Vectors) -> Result<Svd<T>, Error> {
    let (m, n) = a.shape();
    if m == n {
        return of_square(cpu, a, vectors);
    }
    let qr = Qr::factor_on(cpu, a.view())?;
    let Svd { values, vectors } = of_square(cpu, qr.r()?, vectors)?;
    let Some((u, v)) = vectors else { return Ok(Svd { values, vectors }) };
    let mut tall = Matrix::from_fn(m, n, |i, j| if i < n { u[(i, j)] } else { T::ZERO });
    qr.apply_q(Transpose::No, tall.view_mut())?;
    Ok(Svd { values, vectors: Some((tall, v)) })
}

fn of_square<T: Scalar>(cpu: Cpu, a: Matrix<T>, vectors: Vectors) -> Result<Svd<T>, Error> {
    let n = a.rows();
    let reduced = bidiagonalize::bidiagonalize(cpu, a);
    let (mut d, mut e) = (reduced.diagonal, reduced.above);
    let columns = || {
        let [left, right] = [&reduced.left, &reduced.right];
        (Bands::new(&left.columns(&cpu, n, n)), Bands::new(&right.columns(&cpu, n, n)))
    };
    let mut rotated = (vectors == Vectors::Yes).then(columns);
    iterate::diagonalize(&mut d, &mut e, |side, rotations| match (&mut rotated, side) {
        (Some((left, _)), Side::Left) => left.rotate(rotations),
        (Some((_, right)), Side::Right) => right.rotate(rotations),
        (None, _) => {}
    })?;
    let mut order: Vec<usize> = (0..n).collect();
    let by_size = |&i: &usize, &j: &usize| d[j].abs().partial_cmp(&d[i].abs());
    order.sort_by(|i, j| by_size(i, j).unwrap_or(core::cmp::Ordering::Equal));
    let vectors = rotated.map(|(left, right)| {
        let mut v = right.columns(&order);
        for (j, _) in order.iter().enumerate().filter(|&(_, &i)| d[i] < T::ZERO) {
            v.col_mut(j).iter_mut().for_each(|x| *x = -*x);
        }
        (left.columns(&order), v)
    });
    Ok(Svd { values: order.iter().map(|&j| d[j].abs()).collect(), vectors })
}
