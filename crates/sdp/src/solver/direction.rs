//! One iteration: prediction, correction, and the steps.

use nonius_linalg::Error;
use nonius_num::Real;

use super::absence::{Known, Sizes};
use super::measure::Measures;
use super::point::Point;
use super::step::to_boundary;
use crate::Parameters;
use crate::cone::Cone;

/// Times that a step is shortened before it counts as impossible, and by how much.
const RETREATS: usize = 20;
const RETREAT_FACTOR: f64 = 0.8;
/// The part of the rest of the way to the boundary that a step goes too where the prediction could
/// go all the way.
const PART_TO_BOUNDARY: f64 = 0.9;
/// The first shift of the Schur complement's diagonal, in units of roundoff of the terms that it is
/// made of, the factor to the next one, and the largest one as a power of the roundoff.
const LEAST_SHIFT: f64 = 1.0 / 16384.0;
const SHIFT_FACTOR: f64 = 16.0;
const MOST_SHIFT: f64 = 0.5;
/// The part of the gap asked for that complementarity is to be in the end.
const COMPLEMENTARITY_OF_GAP: f64 = 0.5;
/// Most refinements of a direction.
const REFINEMENTS: usize = 8;
/// The part of the dual infeasibility allowed that is not worth being reduced, as long as it makes
/// no more than this part of the gap asked for.
const INFEASIBILITY_OF_ALLOWED: f64 = 0.1;
/// The part of the gap that dual infeasibility may make and need not be reduced faster than `μ`.
/// Where (D) has no interior, `x` grows with `μ` over that infeasibility, and rounding takes the
/// digits of `X`.
const INFEASIBILITY_OF_GAP: f64 = 0.01;

/// A point, and all that an iteration needs memory for.
pub(super) struct Directions<'a, C: Cone> {
    pub(super) cone: &'a C,
    order: f64,
    degree: f64,
    /// The largest magnitudes in `F₀` and in `c`.
    scales: [f64; 2],
    sizes: Sizes,
    pub(super) point: Point<C>,
    /// The best point so far.
    best: Point<C>,
    /// `Σ xᵢ·Fᵢ − F₀ − X`, `c − (Fᵢ•Y)`.
    pub(super) primal_residual: C::Blocks,
    dual_residual: C::Vector,
    /// Whether `X` is `Σ xᵢ·Fᵢ − F₀` but for rounding.
    pub(super) primal_feasible: bool,
    /// `L⁻¹` for `X = L·Lᵀ`, and for `Y`.
    pub(super) primal_factor: C::Blocks,
    dual_factor: C::Blocks,
    /// `X⁻¹`.
    pub(super) inverse: C::Blocks,
    dx: C::Vector,
    d_primal: C::Blocks,
    d_dual: C::Blocks,
    /// The symmetric part of `X⁻¹·P·Y`, in the correction with `X⁻¹·dXₚ·dYₚ`.
    second: C::Blocks,
    pub(super) work: C::Blocks,
    /// What `Fᵢ•dY` should be.
    change: C::Vector,
    right: C::Vector,
    products: C::Vector,
    schur: C::Schur,
    /// What is added to the diagonal of the Schur complement, relative to the terms that it is made
    /// of.
    shift: f64,
}

impl<'a, C: Cone> Directions<'a, C> {
    pub(super) fn new(cone: &'a C, point: Point<C>) -> Result<Self, Error> {
        let (mut work, zeros) = (cone.blocks()?, cone.vector()?);
        cone.combine(&zeros, 1.0, &mut work);
        let scales = [cone.largest_entry(&work)?, cone.largest(cone.objective())?];
        Ok(Self {
            cone,
            order: cone.order() as f64,
            degree: cone.degree() as f64,
            scales,
            sizes: Sizes::new(cone, scales[0], &mut work)?,
            point,
            best: Point { x: zeros, primal: cone.blocks()?, dual: cone.blocks()? },
            primal_residual: cone.blocks()?,
            dual_residual: cone.vector()?,
            primal_feasible: false,
            primal_factor: cone.blocks()?,
            dual_factor: cone.blocks()?,
            inverse: cone.blocks()?,
            dx: cone.vector()?,
            d_primal: cone.blocks()?,
            d_dual: cone.blocks()?,
            second: cone.blocks()?,
            work,
            change: cone.vector()?,
            right: cone.vector()?,
            products: cone.vector()?,
            schur: cone.schur()?,
            shift: 0.0,
        })
    }

    /// Where the method is.
    pub(super) fn point(&self) -> &Point<C> {
        &self.point
    }

    /// Remembers the point.
    pub(super) fn keep(&mut self) {
        let Self { cone, point, best, .. } = self;
        cone.copy_vector(&point.x, &mut best.x);
        cone.copy_blocks(&point.primal, &mut best.primal);
        cone.copy_blocks(&point.dual, &mut best.dual);
    }

    /// The point that was remembered last.
    pub(super) fn into_best(self) -> Point<C> {
        self.best
    }

    /// Residuals, objectives and gap of the point.
    pub(super) fn measure(&mut self) -> Result<Measures<C::Number>, Error> {
        let Self { cone, order, degree, point, scales, sizes, .. } = self;
        cone.combine(&point.x, -1.0, &mut self.primal_residual);
        cone.add_blocks(-1.0, &point.primal, &mut self.primal_residual);
        cone.constraint_products(&point.dual, &mut self.products);
        let numbers = |vector| -> Result<Vec<f64>, Error> {
            Ok(cone.download_vector(vector)?.as_slice().iter().map(C::Number::to_f64).collect())
        };
        let [x, products] = [numbers(&point.x)?, numbers(&self.products)?];
        cone.copy_vector(cone.objective(), &mut self.dual_residual);
        cone.add_vector(-1.0, &self.products, &mut self.dual_residual);
        let primal_objective = cone.dot(cone.objective(), &point.x)?;
        let dual_objective = cone.constant_product(&point.dual)?;
        let gap = (primal_objective - dual_objective).to_f64();
        let objectives = [primal_objective, dual_objective].map(C::Number::to_f64);
        let infeasibilities =
            [cone.largest_entry(&self.primal_residual)?, cone.largest(&self.dual_residual)?];
        let of_x = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let known = Known {
            x,
            products,
            objectives,
            primal_residual: infeasibilities[0],
            dual: cone.largest_entry(&point.dual)?,
            order: *order,
        };
        let noise = sizes.noise(&known, cone.unit_roundoff());
        let [absence, sizes] = sizes.absence(&known, cone.unit_roundoff());
        Ok(Measures {
            degree: *degree,
            complementarity: cone.inner(&point.primal, &point.dual)?.to_f64(),
            objectives,
            primal_objective,
            dual_objective,
            gap,
            infeasibilities,
            residual_norms: [
                cone.inner(&self.primal_residual, &self.primal_residual)?.to_f64().sqrt(),
                cone.dot(&self.dual_residual, &self.dual_residual)?.to_f64().sqrt(),
            ],
            scales: *scales,
            absence,
            sizes,
            noise,
            unit_roundoff: cone.unit_roundoff(),
            of_x,
        })
    }

    /// Goes to the next point; the reduction of `μ` that was aimed at and the steps, or `None`
    /// where there is no way.
    pub(super) fn advance(
        &mut self,
        measures: &Measures<C::Number>,
        parameters: &Parameters,
    ) -> Result<Option<(f64, [f64; 2])>, Error> {
        let cone = self.cone;
        let inverses = [&mut self.primal_factor, &mut self.dual_factor];
        let point = [&self.point.primal, &self.point.dual];
        if !cone.invert_factors(point, &mut self.work, inverses)? {
            return Ok(None);
        }
        cone.gram(&self.primal_factor, &mut self.inverse);
        if !self.factor_schur()? {
            return Ok(None);
        }
        let enough = INFEASIBILITY_OF_ALLOWED * parameters.feasibility * (1.0 + self.scales[1]);
        let tolerance = INFEASIBILITY_OF_ALLOWED * enough;
        let keeps = self.primal_feasible
            && measures.infeasibilities[1] <= enough
            && measures.gap_of_infeasibility()
                <= INFEASIBILITY_OF_ALLOWED * parameters.gap * measures.scale();
        let is_little = self.primal_feasible
            && measures.gap_of_infeasibility() <= INFEASIBILITY_OF_GAP * measures.complementarity;
        cone.copy_vector(&self.dual_residual, &mut self.change);
        if keeps {
            cone.scale_vector(0.0, &mut self.change);
        }
        let (centring, part) = self.predict(measures, parameters, is_little, tolerance)?;
        if is_little {
            // Half of the factor by which `μ` is to fall, so that `x` at most doubles.
            cone.scale_vector(1.0 - 0.5 * centring, &mut self.change);
        }
        self.direction(centring * measures.mu(), tolerance)?;
        let mut steps = self.steps(part)?;
        for _ in 0..RETREATS {
            if self.try_steps(steps)? {
                return Ok(Some((centring, steps)));
            }
            steps = steps.map(|step| step * RETREAT_FACTOR);
        }
        Ok(None)
    }

    /// Finds out with a prediction how far `μ` can be reduced, and what of the way to the boundary
    /// can be gone; leaves what the correction needs.
    fn predict(
        &mut self,
        measures: &Measures<C::Number>,
        parameters: &Parameters,
        is_little: bool,
        tolerance: f64,
    ) -> Result<(f64, f64), Error> {
        let cone = self.cone;
        if self.primal_feasible {
            cone.identity(0.0, &mut self.second);
        } else {
            let factors = [&self.inverse, &self.primal_residual, &self.point.dual];
            cone.triple(1.0, factors, 0.0, &mut self.work, &mut self.second);
        }
        let is_exact = self.direction(0.0, tolerance)?;
        let [primal, dual] = self.steps(1.0)?;
        let shorter = primal.min(dual);
        let reached = self.complementarity(primal, dual)? / measures.complementarity;
        let dual_feasible = measures.relative_infeasibilities()[1] <= parameters.feasibility;
        let feasible = self.primal_feasible && (dual_feasible || is_little);
        let least =
            if feasible { parameters.feasible_centring } else { parameters.infeasible_centring };
        let centring = reached.max(0.0).powf((3.0 * shorter * shorter).max(1.0));
        let factors = [&self.inverse, &self.d_primal, &self.d_dual];
        cone.triple(1.0, factors, 1.0, &mut self.work, &mut self.second);
        let part = parameters.step + (1.0 - parameters.step) * PART_TO_BOUNDARY * shorter;
        // Where rounding errors remain, further than necessary is too far.
        let necessary =
            COMPLEMENTARITY_OF_GAP * parameters.gap * measures.scale() / measures.complementarity;
        let least = if is_exact { least } else { least.max(necessary) };
        Ok((centring.max(least).min(1.0), part))
    }

    /// Forms and factors the Schur complement, with its diagonal made larger by as much as rounding
    /// errors call for; whether that was little enough.
    fn factor_schur(&mut self) -> Result<bool, Error> {
        let cone = self.cone;
        let (u, v) = (&self.inverse, &self.point.dual);
        let mut sizes = None;
        loop {
            let mut shifts = Vec::new();
            if self.shift > 0.0 {
                let sizes = match &sizes {
                    Some(sizes) => sizes,
                    None => sizes.insert(cone.schur_sizes(u, v)?),
                };
                shifts.extend(sizes.iter().map(|size| self.shift * size));
            }
            cone.form_schur(u, v, &mut self.schur);
            if cone.factor_schur(&shifts, &mut self.schur)? {
                return Ok(true);
            }
            self.shift = (self.shift * SHIFT_FACTOR).max(cone.unit_roundoff() * LEAST_SHIFT);
            if self.shift > cone.unit_roundoff().powf(MOST_SHIFT) {
                return Ok(false);
            }
        }
    }

    /// The direction towards `XY = target·I`, with `Fᵢ•dY` as the change wants it but for the
    /// tolerance where that can be had; whether it can.
    fn direction(&mut self, target: f64, tolerance: f64) -> Result<bool, Error> {
        let cone = self.cone;
        cone.constraint_products(&self.inverse, &mut self.right);
        cone.scale_vector(target, &mut self.right);
        cone.add_vector(-1.0, cone.objective(), &mut self.right);
        cone.add_vector(1.0, &self.dual_residual, &mut self.right);
        cone.add_vector(-1.0, &self.change, &mut self.right);
        cone.constraint_products(&self.second, &mut self.products);
        cone.add_vector(-1.0, &self.products, &mut self.right);
        cone.solve_schur(&self.schur, &mut self.right);
        cone.scale_vector(0.0, &mut self.dx);
        let Self { inverse, d_dual, second, .. } = self;
        cone.copy_blocks(inverse, d_dual);
        cone.scale_blocks(target, d_dual);
        cone.add_blocks(-1.0, &self.point.dual, d_dual);
        // What `second` has of the residual is part of `X⁻¹·dX·Y`.
        cone.add_blocks(-1.0, second, d_dual);
        self.take_along();
        // `B·δ = Fᵢ•dY − change`, as long as that helps.
        let mut residual = f64::INFINITY;
        for refinement in 0..=REFINEMENTS {
            let before = residual;
            cone.constraint_products(&self.d_dual, &mut self.products);
            cone.add_vector(-1.0, &self.change, &mut self.products);
            residual = cone.largest(&self.products)?;
            if residual > before {
                cone.scale_vector(-1.0, &mut self.right);
                self.take_along();
                break;
            }
            let helps = residual > tolerance && residual < 0.5 * before;
            if !helps || refinement == REFINEMENTS {
                break;
            }
            cone.copy_vector(&self.products, &mut self.right);
            cone.solve_schur(&self.schur, &mut self.right);
            self.take_along();
        }
        cone.combine(&self.dx, 0.0, &mut self.d_primal);
        if !self.primal_feasible {
            cone.add_blocks(1.0, &self.primal_residual, &mut self.d_primal);
        }
        Ok(residual <= tolerance)
    }

    /// Makes `right` a part of `dx`, and takes from `dY` what it makes of that, `sym(X⁻¹·dX·Y)`,
    /// with rounding errors relative to this part alone.
    fn take_along(&mut self) {
        let Self { cone, right, dx, inverse, d_primal, d_dual, work, .. } = self;
        cone.add_vector(1.0, right, dx);
        cone.combine(right, 0.0, d_primal);
        cone.triple(-1.0, [inverse, d_primal, &self.point.dual], 1.0, work, d_dual);
    }

    /// Steps in both directions, that part of the way to the boundary.
    fn steps(&self, part: f64) -> Result<[f64; 2], Error> {
        let primal = (&self.primal_factor, &self.d_primal);
        let dual = (&self.dual_factor, &self.d_dual);
        let least = self.cone.least_eigenvalues([primal, dual], -part)?;
        Ok(least.map(|least| to_boundary(least, part)))
    }

    /// `X•Y` after these steps.
    fn complementarity(&mut self, primal: f64, dual: f64) -> Result<f64, Error> {
        let Self { cone, point, d_primal, d_dual, .. } = self;
        let inner = |a, b| Ok::<f64, Error>(cone.inner(a, b)?.to_f64());
        let sum = inner(&point.primal, &point.dual)?
            + primal * inner(d_primal, &point.dual)?
            + dual * inner(&point.primal, d_dual)?
            + primal * dual * inner(d_primal, d_dual)?;
        Ok(sum)
    }

    /// Takes the steps; whether the point is one of the interior, else it is as it was.
    fn try_steps(&mut self, [primal, dual]: [f64; 2]) -> Result<bool, Error> {
        let cone = self.cone;
        cone.copy_blocks(&self.point.dual, &mut self.second);
        cone.add_blocks(dual, &self.d_dual, &mut self.second);
        cone.copy_vector(&self.point.x, &mut self.right);
        cone.add_vector(primal, &self.dx, &mut self.right);
        let becomes_feasible = self.primal_feasible || primal == 1.0;
        // The residual is not needed any more.
        if becomes_feasible {
            cone.combine(&self.right, -1.0, &mut self.inverse);
        } else {
            cone.copy_blocks(&self.point.primal, &mut self.inverse);
            cone.add_blocks(primal, &self.d_primal, &mut self.inverse);
        }
        if !cone.are_definite([&self.inverse, &self.second], &mut self.work)? {
            return Ok(false);
        }
        self.primal_feasible = becomes_feasible;
        core::mem::swap(&mut self.point.x, &mut self.right);
        core::mem::swap(&mut self.point.primal, &mut self.inverse);
        core::mem::swap(&mut self.point.dual, &mut self.second);
        Ok(true)
    }
}
