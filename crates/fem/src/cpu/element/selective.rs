//! Hexahedra with eight points and one volume strain.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::Substance;
use super::selective_deformation::{Whole, six};
use super::selective_increments::increments;
use super::shapes::Hexahedron;
use super::{Element, Found, Remembered, Step};
use crate::solid::geometry::{
    add_tangents, at_nodes, edges, mean_hexahedron, modes, place, tangents,
};
use crate::solid::vector::{Symmetric, V3, deviator, dot, full, scale, scale_add};

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
            // Roundings of 21 products and of their factors, relative to the sum of magnitudes.
            let size: f64 = (0..7)
                .flat_map(|k| (0..3).map(move |i| (k, i)))
                .map(|(k, i)| (on_modes[k][i] * m[k][i]).abs())
                .sum();
            assert!((direct - by_modes).abs() <= 16.0 * f64::EPSILON / 2.0 * size);
        }
    }
}
