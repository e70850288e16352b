//! Corrections of a point that leave it in the interior.
//!
//! The least change of `Y` in the norm that makes it meet the constraints may be larger than its
//! least eigenvalues. Newton's method towards `XY = tI` (see [`solver`](crate::solver)) changes `Y`
//! by
//!
//! `D = t·X⁻¹ − Y − sym(X⁻¹·dX·Y)`, `dX = Σ dxᵢ·Fᵢ`, `B·dx = t·(Fᵢ•X⁻¹) − (Fᵢ•Y) − r`,
//! `B_ij = Fᵢ•(X⁻¹·Fⱼ·Y)`,
//!
//! with `dX` less `P = X − Σ xᵢ·Fᵢ + F₀` where that is not zero, so that `Fᵢ•D = rᵢ`, little where
//! its eigenvalues are small; the larger `t`, the farther both matrices go into the interior.
//! Nothing depends on how accurate that is: what comes of it is verified. So the precision of the
//! point does for it.

use nonius_linalg::{Error, Numbers};
use nonius_num::Real;

use crate::cone::Cone;
use crate::solver::Point;

/// The least eigenvalue of a correction relative to `Y` that is small enough.
const LEAST_RELATIVE_EIGENVALUE: f64 = -0.95;
/// Times that a correction is corrected.
const REFINEMENTS: usize = 2;
/// The first shift of the Schur complement's diagonal in units of roundoff, the factor to the next
/// one, and how many are tried.
const LEAST_SHIFT: f64 = 64.0;
const SHIFT_FACTOR: f64 = 64.0;
const SHIFTS: usize = 5;

/// What corrections of a point are made with.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub struct Corrector<C: Cone> {
    point: Point<C>,
    /// `X•Y` over the cone's degree.
    mu: f64,
    /// `X⁻¹`
    inverse: C::Blocks,
    /// `L⁻¹` for `Y = L·Lᵀ`
    factor: C::Blocks,
    schur: C::Schur,
    /// `sym(X⁻¹·P·Y)`, where `P` is not zero.
    second: Option<C::Blocks>,
}

/// A change of a point.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub struct Change<C: Cone> {
    /// Of `x`.
    pub x: C::Vector,
    /// Of `Y`.
    pub dual: C::Blocks,
}

/// Corrects a point: from `r` and the target of [`Corrector::correct`] changes of `x` and of `Y`,
/// the latter as [`Cone::download_blocks`] has them.
pub type Correct<'a, T> =
    dyn FnMut(&Numbers<T>, Option<f64>) -> Result<Option<Correction<T>>, Error> + 'a;

/// Changes of `x` and of `Y`.
pub type Correction<T> = (Numbers<T>, Vec<Numbers<T>>);

impl<C: Cone> Corrector<C> {
    /// For a point in the interior; `None` where rounding errors put it elsewhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn new(cone: &C, mut point: Point<C>) -> Result<Option<Self>, Error> {
        let [mut work, mut inverse, mut factor] = [cone.blocks()?, cone.blocks()?, cone.blocks()?];
        let mut residual = None;
        // As `x` has it, where that is definite: `X` may have been computed with fewer digits.
        cone.combine(&point.x, -1.0, &mut inverse);
        if cone.factor(&inverse, &mut work)? {
            core::mem::swap(&mut point.primal, &mut inverse);
        } else {
            cone.add_blocks(-1.0, &point.primal, &mut inverse);
            residual = Some(inverse);
            inverse = cone.blocks()?;
            if !cone.factor(&point.primal, &mut work)? {
                return Ok(None);
            }
        }
        let mu = cone.inner(&point.primal, &point.dual)?.to_f64() / cone.degree() as f64;
        cone.invert_factor(&work, &mut factor);
        cone.gram(&factor, &mut inverse);
        let mut second = None;
        if let Some(residual) = residual {
            // The residual is `−P`.
            let mut product = cone.blocks()?;
            let factors = [&inverse, &residual, &point.dual];
            cone.triple(-1.0, factors, 0.0, &mut work, &mut product);
            second = Some(product);
        }
        if !cone.factor(&point.dual, &mut work)? {
            return Ok(None);
        }
        cone.invert_factor(&work, &mut factor);
        let mut schur = cone.schur()?;
        let mut shift = 0.0;
        for _ in 0..SHIFTS {
            cone.form_schur(&inverse, &point.dual, &mut schur);
            let shifts: Vec<f64> = if shift > 0.0 {
                let sizes = cone.schur_sizes(&inverse, &point.dual)?;
                sizes.iter().map(|size| shift * size).collect()
            } else {
                Vec::new()
            };
            if cone.factor_schur(&shifts, &mut schur)? {
                return Ok(Some(Self { point, mu, inverse, factor, schur, second }));
            }
            shift = (shift * SHIFT_FACTOR).max(cone.unit_roundoff() * LEAST_SHIFT);
        }
        Ok(None)
    }

    /// A change with `Fᵢ•D` near `rᵢ`, such that `Y + D` is likely to be positive definite, towards
    /// `XY = tI` with that multiple of the point's own `t`; for none without the rest of Newton's
    /// method, `D = −sym(X⁻¹·dX·Y)`. `None` where `D` would be too large.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn correct(
        &self,
        cone: &C,
        residual: &C::Vector,
        target: Option<f64>,
    ) -> Result<Option<Change<C>>, Error> {
        let Self { point, mu, inverse, factor, schur, second } = self;
        let (mut x, mut right) = (cone.vector()?, cone.vector()?);
        let [mut dual, mut change, mut product] = [cone.blocks()?, cone.blocks()?, cone.blocks()?];
        let mut work = cone.blocks()?;
        if let Some(target) = target {
            cone.copy_blocks(inverse, &mut dual);
            cone.scale_blocks(target * mu, &mut dual);
            cone.add_blocks(-1.0, &point.dual, &mut dual);
            if let Some(second) = second {
                cone.add_blocks(1.0, second, &mut dual);
            }
        }
        // Each time `dx` is for what is left.
        for _ in 0..=REFINEMENTS {
            cone.constraint_products(&dual, &mut right);
            cone.add_vector(-1.0, residual, &mut right);
            cone.solve_schur(schur, &mut right);
            if !cone.largest(&right)?.is_finite() {
                return Ok(None);
            }
            cone.add_vector(1.0, &right, &mut x);
            cone.combine(&right, 0.0, &mut change);
            let factors = [inverse, &change, &point.dual];
            cone.triple(-1.0, factors, 0.0, &mut work, &mut product);
            cone.add_blocks(1.0, &product, &mut dual);
        }
        let least = cone.least_eigenvalue(factor, &dual, LEAST_RELATIVE_EIGENVALUE)?;
        Ok((least >= LEAST_RELATIVE_EIGENVALUE).then_some(Change { x, dual }))
    }
}
