//! What is feasible near a point, and its objectives.

use nonius_linalg::{Error, Number, Numbers};

use super::bounds::{LARGEST_MAGNITUDE, Rounding, UNDERFLOW_BOUND, norm, power_below, up};
use super::correction::Correct;
use super::data::Data;
use super::definite::Definite;
use super::gram::Gram;
use super::unproved::Unproved;
use crate::cone::Cone;
use crate::cone::Program;
use crate::solver::Point;

/// Most corrections of `Y` in the norm.
const CORRECTIONS: usize = 12;
/// Targets of Newton's method that are tried, one after the other, and its corrections towards
/// each.
const TARGETS: [Option<f64>; 4] = [None, Some(10.0), Some(1e3), Some(1e5)];
const MOST_NEWTON_STEPS: usize = 5;

/// A number and a bound of how far it is from the one that was meant.
pub(super) struct Objective<N> {
    pub(super) value: N,
    pub(super) error: f64,
}

/// A bound, or why there is none.
pub(super) type Bound<N> = Result<Objective<N>, Unproved>;

/// What proofs are made with.
pub(super) struct Proof<'a, T: Number, C: Cone<Number = T>> {
    cone: &'a C,
    rounding: Rounding,
    data: Data,
    /// `None` where the constraints are not proved to be independent.
    gram: Option<Gram>,
    definite: Definite<'a, C>,
}

/// What `Fᵢ•Y` shall be: `cᵢ`, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    Objective,
    Zero,
}

impl<'a, T: Number, C: Cone<Number = T>> Proof<'a, T, C> {
    pub(super) fn new(cone: &'a C, program: &Program<f64>) -> Result<Self, Error> {
        let rounding = Rounding { unit: cone.unit_roundoff() };
        let data = Data::new(program);
        let gram = Gram::new(program, &data)?;
        let definite = Definite::new(cone, rounding)?;
        Ok(Self { cone, rounding, data, gram, definite })
    }

    /// The objective of a feasible vector, `x` or what comes of it.
    pub(super) fn upper(
        &mut self,
        point: &Point<C>,
        correct: &mut Correct<'_, T>,
    ) -> Result<Bound<T>, Error> {
        let cone = self.cone;
        let bound = self.feasible(&point.x, -1.0)?;
        if !matches!(bound, Err(Unproved::Primal)) {
            return Ok(bound);
        }
        let residual = self.residual(&point.dual, Right::Objective)?;
        let mut x = cone.vector()?;
        for target in TARGETS.into_iter().filter(Option::is_some) {
            let Some((change, _)) = correct(&residual, target)? else { continue };
            cone.copy_vector(&point.x, &mut x);
            cone.add_vector(1.0, &cone.upload_vector(&change)?, &mut x);
            let bound = self.feasible(&x, -1.0)?;
            if bound.is_ok() {
                return Ok(bound);
            }
        }
        Ok(bound)
    }

    /// The objective of `x`, if `Σ xᵢ·Fᵢ + α·F₀` is positive semidefinite, `|α| ≤ 1`.
    fn feasible(&mut self, x: &C::Vector, alpha: f64) -> Result<Bound<T>, Error> {
        let Self { cone, rounding, data, .. } = self;
        let numbers = cone.download_vector(x)?;
        let values: Vec<f64> = numbers.as_slice().iter().map(|x| up(x.to_f64().abs())).collect();
        let size = data.combination(&values);
        let sum = rounding.sum(data.terms);
        let value = cone.dot(cone.objective(), x)?;
        let length = norm(values.into_iter());
        let error = up(sum * up(length * data.objective_norm()));
        if !(size < LARGEST_MAGNITUDE && length < LARGEST_MAGNITUDE && error < LARGEST_MAGNITUDE) {
            return Ok(Err(Unproved::Range));
        }
        let mut work = cone.blocks()?;
        cone.combine(x, alpha, &mut work);
        // Of both triangles.
        let lost = up(2.0 * sum * size);
        let is_definite = self.definite.is_beyond(&work, lost)?;
        Ok(if is_definite { Ok(Objective { value, error }) } else { Err(Unproved::Primal) })
    }

    /// The objective of a matrix near `Y` that meets the constraints.
    pub(super) fn lower(
        &mut self,
        mut y: C::Blocks,
        correct: &mut Correct<'_, T>,
    ) -> Result<Bound<T>, Error> {
        let cone = self.cone;
        cone.symmetrize(&mut y);
        let mut near = cone.blocks()?;
        cone.copy_blocks(&y, &mut near);
        let bound = self.near(&mut near, Right::Objective)?;
        if !matches!(bound, Err(Unproved::Dual)) {
            return Ok(bound);
        }
        for target in TARGETS {
            cone.copy_blocks(&y, &mut near);
            if self.advance(&mut near, target, correct)? {
                let bound = self.near(&mut near, Right::Objective)?;
                if bound.is_ok() {
                    return Ok(bound);
                }
            }
        }
        Ok(bound)
    }

    /// Takes `Y` to where it meets the constraints by steps of Newton's method; whether there is
    /// one.
    fn advance(
        &self,
        y: &mut C::Blocks,
        target: Option<f64>,
        correct: &mut Correct<'_, T>,
    ) -> Result<bool, Error> {
        let cone = self.cone;
        let (mut before, mut target) = (f64::INFINITY, target);
        for step in 0..MOST_NEWTON_STEPS {
            let residual = self.residual(y, Right::Objective)?;
            let sizes = residual.as_slice().iter().map(|r| r.to_f64().abs());
            let largest = sizes.fold(0.0, f64::max);
            // As long as that helps.
            if largest == 0.0 || largest > 0.5 * before {
                break;
            }
            // What the target changes need not make the residual smaller at once.
            before = if target.is_none() { largest } else { f64::INFINITY };
            let Some((_, change)) = correct(&residual, target.take())? else {
                return Ok(step > 0);
            };
            cone.add_blocks(1.0, &cone.upload_blocks(&change)?, y);
            cone.symmetrize(y);
        }
        Ok(true)
    }

    /// The objective of a matrix near a symmetric `Y`, which is changed, with these `Fᵢ•Y`.
    fn near(&mut self, y: &mut C::Blocks, right: Right) -> Result<Bound<T>, Error> {
        let cone = self.cone;
        let Some(gram) = &self.gram else { return Ok(Err(Unproved::Dependent)) };
        let distance = self.meet(gram, y, right)?;
        let length = self.length(y)?;
        let sum = self.rounding.sum(self.data.terms);
        let value = cone.constant_product(y)?;
        let error = up(self.data.constant * up(up(sum * length) + distance));
        if !(length < LARGEST_MAGNITUDE
            && distance < LARGEST_MAGNITUDE
            && error < LARGEST_MAGNITUDE)
        {
            return Ok(Err(Unproved::Range));
        }
        let is_definite = self.definite.is_beyond(y, distance)?;
        Ok(if is_definite { Ok(Objective { value, error }) } else { Err(Unproved::Dual) })
    }

    /// Corrects `Y` so that it meets the constraints; a bound of the distance in the norm to a
    /// matrix that does so exactly.
    fn meet(&self, gram: &Gram, y: &mut C::Blocks, right: Right) -> Result<f64, Error> {
        let Self { cone, rounding, data, .. } = self;
        let mut work = cone.blocks()?;
        let sum = rounding.sum(data.terms);
        let (mut before, mut number) = (f64::INFINITY, 0);
        loop {
            let residual = self.residual(y, right)?;
            let found: Vec<f64> = residual.as_slice().iter().map(T::to_f64).collect();
            let length = self.length(y)?;
            let rounded = |k: usize| up(sum * up(data.objective[k] + data.matrices[k] * length));
            let distance = gram.distance(|k| up(found[k].abs()) + rounded(k));
            // What is below the bounds of rounding is not made smaller.
            let is_least = distance <= 2.0 * gram.distance(rounded) || distance > 0.5 * before;
            number += 1;
            if is_least || distance.is_nan() || number > CORRECTIONS {
                return Ok(distance);
            }
            before = distance;
            let largest = found.iter().fold(UNDERFLOW_BOUND, |most: f64, r| most.max(r.abs()));
            let scale = largest.log2().ceil().exp2();
            let scaled: Vec<f64> = found.iter().map(|r| r / scale).collect();
            self.combine(&gram.solve(&scaled)?, &mut work)?;
            cone.add_blocks(scale, &work, y);
            // Products read one triangle, factors the other.
            cone.symmetrize(y);
        }
    }

    /// Whether `x` proves that no `Y` is feasible: `c·x = (Σ xᵢ·Fᵢ)•Y` would be less than zero.
    pub(super) fn no_dual(&mut self, x: &C::Vector) -> Result<bool, Error> {
        let cone = self.cone;
        let mut scaled = cone.vector()?;
        cone.copy_vector(x, &mut scaled);
        cone.scale_vector(power_below(cone.largest(x)?), &mut scaled);
        Ok(match self.feasible(&scaled, 0.0)? {
            Ok(Objective { value, error }) => value.to_f64() + up(2.0 * error) < 0.0,
            Err(_) => false,
        })
    }

    /// Whether `Y` proves that no `x` is feasible: `X•Y = −F₀•Y` would be less than zero.
    pub(super) fn no_primal(&mut self, y: &C::Blocks) -> Result<bool, Error> {
        let cone = self.cone;
        let mut near = cone.blocks()?;
        cone.copy_blocks(y, &mut near);
        cone.symmetrize(&mut near);
        cone.scale_blocks(power_below(cone.largest_entry(y)?), &mut near);
        Ok(match self.near(&mut near, Right::Zero)? {
            Ok(Objective { value, error }) => value.to_f64() - up(2.0 * error) > 0.0,
            Err(_) => false,
        })
    }

    /// `cᵢ − Fᵢ•Y`, or `−Fᵢ•Y`.
    fn residual(&self, y: &C::Blocks, right: Right) -> Result<Numbers<T>, Error> {
        let cone = self.cone;
        let (mut products, mut residual) = (cone.vector()?, cone.vector()?);
        cone.constraint_products(y, &mut products);
        if right == Right::Objective {
            cone.copy_vector(cone.objective(), &mut residual);
        }
        cone.add_vector(-1.0, &products, &mut residual);
        cone.download_vector(&residual)
    }

    /// A bound of `‖Y‖_F`.
    fn length(&self, y: &C::Blocks) -> Result<f64, Error> {
        let square = self.cone.inner(y, y)?.to_f64();
        let order = self.cone.order();
        let sum = self.rounding.sum(order.pow(2));
        // Squares of entries below 10⁻¹⁶⁰ fall below the range; there are no more than the square
        // of the order.
        Ok(up(up(square.sqrt()) * (1.0 + sum) + order as f64 * UNDERFLOW_BOUND.sqrt()))
    }

    /// `A ← Σ zᵢ·Fᵢ`; NaN and infinities stay what they are.
    fn combine(&self, z: &[f64], a: &mut C::Blocks) -> Result<(), Error> {
        let mut numbers = Numbers::with_capacity(self.cone.format(), z.len());
        z.iter().for_each(|&z| numbers.push(T::from_f64(z)));
        self.cone.combine(&self.cone.upload_vector(&numbers)?, 0.0, a);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::cone::Place;
    use crate::cpu::CpuCone;
    use nonius_linalg::Scalar;
    use nonius_linalg::backend::Cpu;
    use nonius_num::Dd;

    use super::*;

    fn program<T: Scalar>(one: T) -> Program<T> {
        let place = |row| Place { block: 0, matrix: 1, col: row, row };
        Program::new(vec![one], &[3], 0, &[0, 1, 2].map(place), &vec![one; 3]).unwrap()
    }

    /// Also where the squares of all entries fall below the range.
    #[test]
    fn norms_are_not_bounded_too_tightly() {
        let cone = CpuCone::new(program(Dd::from(1.0)), Cpu::default());
        let proof = Proof::<Dd, _>::new(&cone, &program(1.0)).unwrap();
        for size in [1e30, 1.0, 1e-100, 1e-150, 1e-160, 1e-163, 1e-200, 1e-300] {
            let y = cone.upload_blocks(&[vec![Dd::from(size); 9], Vec::new()]).unwrap();
            let bound = proof.length(&y).unwrap();
            assert!(bound >= 3.0 * size, "{size:e} {bound:e}");
            assert!(bound <= 3.01 * (size + UNDERFLOW_BOUND.sqrt()), "{size:e} {bound:e}");
        }
    }

    /// NaN and infinities do not become zeros on their way to a cone.
    #[test]
    fn numbers_come_to_a_cone_as_they_are() {
        let cone = CpuCone::new(program(Dd::from(1.0)), Cpu::default());
        let proof = Proof::<Dd, _>::new(&cone, &program(1.0)).unwrap();
        let mut a = cone.blocks().unwrap();
        for z in [0.1, 5e-324, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            proof.combine(&[z], &mut a).unwrap();
            let found = a.squares[0][(1, 1)].limbs()[0];
            assert!(found == z || !z.is_finite() && !found.is_finite(), "{z} {found}");
        }
    }
}
