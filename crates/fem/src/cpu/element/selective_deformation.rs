//! What a step does to hexahedra with eight points and one volume strain.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::{Change, PointMotion, Substance, rotation};
use super::shapes::{ReducedHexahedron, Shape};
use super::{Found, Remembered, Step, Waves, deformation, moved, trace_and_bound};
use crate::solid::geometry::{Gradients, edges, mean_hexahedron};
use crate::solid::vector::{Symmetric, V3, contraction};

/// The modes that a mean gradient has.
#[inline(always)]
pub(super) fn six<T: Real>(m: &[V3<T>; 7]) -> [V3<T>; 6] {
    [m[0], m[1], m[2], m[3], m[4], m[5]]
}

/// What all points of an element have in common in a step.
pub(super) struct Whole<A> {
    pub(super) here: Gradients<A, 6>,
    dilatation: A,
    mass: A,
    expansion: A,
    /// The greatest of the points.
    modulus: A,
}

impl<A: Real> Whole<A> {
    /// Of modes half way, and their steps.
    #[inline(always)]
    pub(super) fn new<W: Narrow<A>>(
        substance: &Substance<'_>,
        x: &[V3<A>; 7],
        d: &[V3<A>; 7],
        remembered: &Remembered<'_, A, W>,
    ) -> Self {
        let (x, d) = (six(x), six(d));
        let here = mean_hexahedron(&x);
        let weight = A::splat(<ReducedHexahedron as Shape<8, 6, 4>>::WEIGHT);
        let gradient = deformation(&here.g, &d, weight / here.v, false);
        let dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
        let mut mass = A::zero();
        for p in 0..8 {
            mass = mass + remembered.masses.load(p);
        }
        let expansion = substance.expansion(mass, || mean_hexahedron(&moved(&x, 0.5, &d)).v);
        Self { here, dilatation, mass, expansion, modulus: A::zero() }
    }

    /// Takes a point of tangents `x` and `d` through a step.
    #[inline(always)]
    pub(super) fn point<W: Narrow<A>>(
        &mut self,
        (substance, step): (&Substance<'_>, &Step),
        p: usize,
        (x, d): (&[V3<A>; 3], &[V3<A>; 3]),
        remembered: &mut Remembered<'_, A, W>,
        found: &mut Found<A>,
    ) -> (Gradients<A, 3>, Change<A>) {
        let point = edges(x, 1.0);
        let mut gradient = deformation(&point.g, d, A::splat(1.0) / point.v, false);
        let own = gradient[0][0] + gradient[1][1] + gradient[2][2];
        let correction = (self.dilatation - own) / A::splat(3.0);
        for (k, row) in gradient.iter_mut().enumerate() {
            row[k] = row[k] + correction;
        }
        let mass = remembered.masses.load(p);
        let (dt, volume, expansion) = (step.dt, point.v, self.expansion);
        let turn = rotation(&gradient);
        let motion = PointMotion { gradient, turn, dt, volume, mass, expansion };
        let first = p * substance.memory.numbers;
        let change = substance.advance(&mut remembered.memory, first, &motion);
        self.modulus = self.modulus.max(change.modulus);
        let mean: Symmetric<A> =
            each!(6, K => A::splat(0.5).mul_add(change.stress[K], change.before[K]));
        let [on_strain, plastic, ..] = &mut found.work;
        *on_strain = point.v.mul_add(contraction(&mean, &change.strain), *on_strain);
        *plastic = point.v.mul_add(change.plastic_work, *plastic);
        found.least = found.least.min(point.v);
        (point, change)
    }

    /// The pressure of viscosity before and now.
    #[inline(always)]
    pub(super) fn viscosity<W: Narrow<A>>(
        &self,
        (substance, step): (&Substance<'_>, &Step),
        remembered: &mut Remembered<'_, A, W>,
        found: &mut Found<A>,
    ) -> [A; 2] {
        let Gradients { g, v } = &self.here;
        let (trace, bound) = trace_and_bound(&<ReducedHexahedron as Shape<8, 6, 4>>::squares(g));
        let after = (A::splat(0.5) * self.dilatation).mul_add(*v, *v);
        let inertia = self.mass * (*v * *v) / (after * A::splat(2.0));
        let sizes = (inertia, trace, bound);
        let waves = Waves::new(step, substance.lame, self.modulus, sizes, self.dilatation);
        let place = 8 * substance.memory.numbers;
        let viscous = [remembered.memory.load(place), waves.viscosity(step)];
        remembered.memory.store(place, viscous[1]);
        let mean = A::splat(0.5) * (viscous[0] + viscous[1]);
        found.work[3] = *v * mean * self.dilatation;
        found.stable = waves.stable_step(step);
        found.least = found.least.min(after);
        viscous
    }
}
