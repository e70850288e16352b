//! Hexahedra with eight points and one volume strain.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::{Change, Motion, Substance, rotation};
use super::selective_increments::increments;
use super::shapes::{Hexahedron, ReducedHexahedron, Shape};
use super::{Element, Found, Remembered, Step, Waves, deformation, moved, trace_and_bound};
use crate::solid::geometry::{
    Gradients, add_tangents, at_nodes, edges, mean_hexahedron, modes, place, tangents,
};
use crate::solid::vector::{Symmetric, V3, contraction, deviator, dot, full, scale, scale_add};

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
        let motion = Motion { gradient, turn, dt, volume, mass, expansion };
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
        let waves = Waves::new(step, substance.material, self.modulus, sizes, self.dilatation);
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

impl Element<8> for Hexahedron {
    const POINTS: usize = 8;
    const MODES: usize = 0;

    #[inline(always)]
    fn deform<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; 8],
        d: &[V3<A>; 8],
        remembered: &mut Remembered<'_, A, W>,
    ) -> Found<A> {
        let all = (substance, step);
        let (x, d) = (modes(x), modes(d));
        let mut whole = Whole::new(substance, &x, &d, remembered);
        let mut found = Found::at_rest(whole.here.v);
        for p in 0..8 {
            let at = place(p);
            whole.point(all, p, (&tangents(&x, at), &tangents(&d, at)), remembered, &mut found);
        }
        whole.viscosity(all, remembered, &mut found);
        found
    }

    #[inline(always)]
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        x: &[V3<A>; 8],
        remembered: &Remembered<'_, A, W>,
    ) -> ([V3<A>; 8], A) {
        let x = modes(x);
        let mut main = [[A::zero(); 3]; 7];
        let mut pressure = A::zero();
        let whole = mean_hexahedron(&six(&x));
        let mut least = whole.v;
        for p in 0..8 {
            let at = place(p);
            let point = edges(&tangents(&x, at), 1.0);
            let first = p * substance.memory.numbers;
            let stress: Symmetric<A> = each!(6, K => remembered.memory.load(first + K));
            let (shape, mean) = deviator(&stress);
            let shape = full(&shape);
            let forces = each!(3, K => each!(3, I => dot(shape[I], point.g[K])));
            add_tangents(&mut main, &forces, at);
            pressure = mean.mul_add(point.v, pressure);
            least = least.min(point.v);
        }
        let viscous: A = remembered.memory.load(8 * substance.memory.numbers);
        let pressure = pressure / whole.v + viscous;
        let mut nodal = main;
        for k in 0..7 {
            nodal[k] = scale(A::splat(0.125), main[k]);
            if k < 6 {
                nodal[k] = scale_add(pressure, whole.g[k], nodal[k]);
            }
        }
        (at_nodes(&nodal), least)
    }

    #[inline(always)]
    fn increments<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; 8],
        d: &[V3<A>; 8],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; 8], Found<A>) {
        increments((substance, step), (x, d), remembered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work on tangents is that on modes.
    #[test]
    fn forces_on_tangents_do_work_on_modes() {
        let m: [V3<f64>; 7] =
            core::array::from_fn(|k| core::array::from_fn(|i| (1.0 + k as f64).sin() + i as f64));
        let f = [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0], [0.3, -0.2, 1.0]];
        for p in 0..8 {
            let t = tangents(&m, place(p));
            let direct: f64 = (0..3).map(|k| dot(f[k], t[k])).sum();
            let mut on_modes = [[0.0; 3]; 7];
            add_tangents(&mut on_modes, &f, place(p));
            let by_modes: f64 = (0..7).map(|k| dot(on_modes[k], m[k])).sum();
            assert!((direct - by_modes).abs() < 1e-13);
        }
    }
}
